"""The order of decisions in a game, and the loop that plays one between agents.

`Turns` is the one implementation of that order. It only says whose decision the game waits for and
applies the answer, so its callers (a loop, a pool of workers, an interactive program) are free in
how they ask the players, and can play many games concurrently. `steps` is the one loop over agents
in the same process; `play` runs it to the end.

>>> from literature_ai.game.game import Game
>>> from literature_ai.rules import RuleSet
>>> turns = Turns(Game.deal(RuleSet(), seed=7, start=0))
>>> turns.decision
Decision(seat=0, off_turn=False)
>>> turns.answer(turns.game.legal_asks()[0])
Asked(asker=0, target=1, card=3, hit=False)
>>> turns.decision
Decision(seat=1, off_turn=False)
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from literature_ai.cards import MAX_SEATS, Seat
from literature_ai.errors import IllegalActionError, LiteratureError, shown
from literature_ai.events import Action, Claim, Event, TimedOut
from literature_ai.game.position import illegal

if TYPE_CHECKING:
    import numpy as np

    from literature_ai.agents.base import Agent
    from literature_ai.game.game import Game
    from literature_ai.game.position import Outcome


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision that a game waits for."""

    seat: Seat
    off_turn: bool
    """True: an offer to claim between two actions, which may be declined (with None)."""


_ON_TURN = tuple(Decision(seat, off_turn=False) for seat in range(MAX_SEATS))
_OFFERS = tuple(Decision(seat, off_turn=True) for seat in range(MAX_SEATS))

Answer: TypeAlias = Action | TimedOut | None
"""The answer to a decision: an action; None to decline an offer; or `TimedOut`, when the seat was
too late: then it loses the turn, or declines the offer."""


class Turns:
    """The order of decisions of a game, and the game as it is now.

    Under ``claim-any-time`` each decision of the seat on turn comes after offers to claim to every
    seat that may, from the seat on turn clockwise, and again from there after each claim, until
    nobody wants to. (So the seat on turn gets the first offer.)

    Only `answer` may change the game. A copy (`copy.copy`, `copy.deepcopy`) and an unpickled one
    have their own game and continue from the same decision, also between two offers.
    """

    __slots__ = ("_offered", "decision", "game")

    decision: Decision | None
    """The decision that the game waits for; None when the game is over."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._offered = 0
        """How many seats, from the one on turn clockwise, have had their offer in this round."""
        self.decision = self._next(0)

    def answer(self, answer: Answer) -> Event | None:
        """Apply the answer to `decision`; the event, or None when an offer is declined.

        Raises `IllegalActionError`, and changes nothing, when the answer is against the rules or
        the game is over.
        """
        decision, game = self.decision, self.game
        if decision is None:
            raise illegal(game.nothing_follows())
        if decision.off_turn:
            if answer is None or isinstance(answer, TimedOut):
                self.decision = self._next(self._offered)
                return None
            if not isinstance(answer, Claim):
                raise IllegalActionError(
                    "claim-any-time",
                    f"{shown(answer)} is no claim; between two actions one may only claim",
                )
            event = game.apply(answer, decision.seat)
        elif isinstance(answer, TimedOut):
            event = game.time_out()
        elif answer is None:
            raise IllegalActionError("action", "None is no action; the seat on turn must act")
        else:
            event = game.apply(answer)
        self.decision = self._next(0)
        return event

    def _next(self, offered: int) -> Decision | None:
        """The decision after so many offers since the last event."""
        game = self.game
        turn = game.turn
        if turn is None:
            return None
        if game.rules.claim_any_time:
            players = game.rules.players
            for step in range(offered, players):
                seat = (turn + step) % players
                if game.may_claim(seat):
                    self._offered = step + 1
                    return _OFFERS[seat]
        return _ON_TURN[turn]

    def __copy__(self) -> Turns:
        twin = Turns.__new__(Turns)
        twin.game = copy.copy(self.game)
        twin.decision, twin._offered = self.decision, self._offered
        return twin

    def __repr__(self) -> str:
        return f"<Turns: {self.decision}, {self.game!r}>"


def steps(
    game: Game,
    agents: Sequence[Agent],
    rng: np.random.Generator | None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Event]:
    """Play the game to its end, yielding each event once all agents have observed it.

    There is one agent a seat. ``rng`` starts them, each with a generator of its own that is spawned
    from it; with None the agents have been started and have observed all events so far. The game
    may be in progress. In a timed game an agent that answers later than ``turn_seconds`` by the
    clock (in seconds) has timed out.

    Raises `LiteratureError` unless there is one agent a seat, and `IllegalActionError` when an
    agent decides against the rules.
    """
    if len(agents) != game.rules.players:
        raise LiteratureError(f"{len(agents)} agents for {game.rules.players} seats")
    if rng is not None:
        for seat, (agent, own_rng) in enumerate(zip(agents, rng.spawn(len(agents)), strict=True)):
            agent.start(game.view(seat), own_rng)
    return _steps(Turns(game), agents, clock)


def _steps(turns: Turns, agents: Sequence[Agent], clock: Callable[[], float]) -> Iterator[Event]:
    game = turns.game
    limit = game.rules.turn_seconds
    while (decision := turns.decision) is not None:
        agent, view = agents[decision.seat], game.view(decision.seat)
        asked_at = clock()
        answer: Answer = agent.claim(view) if decision.off_turn else agent.act(view)
        if limit is not None and clock() - asked_at > limit:
            answer = TimedOut(decision.seat)
        event = turns.answer(answer)
        if event is not None:
            for agent in agents:
                agent.observe(event)
            yield event


def play(
    game: Game,
    agents: Sequence[Agent],
    rng: np.random.Generator,
    clock: Callable[[], float] = time.monotonic,
) -> Outcome:
    """Play the game to its end between the agents, as `steps` does, and return the outcome."""
    for _ in steps(game, agents, rng, clock):
        pass
    outcome = game.outcome
    assert outcome is not None
    return outcome
