"""Who decides when: the order of decisions in a game, and a simple way to play one.

`decisions` is the one implementation of that order. It is a generator, so that whoever asks the
players (a loop, a pool of workers, a person) may do so in any way and play many games at once.

>>> from literature_ai.game.game import Game
>>> from literature_ai.rules import RuleSet
>>> game = Game.deal(RuleSet(), seed=7, start=0)
>>> deciding = decisions(game)
>>> next(deciding)
Decision(seat=0, off_turn=False)
>>> deciding.send(game.legal_asks()[0])
Decision(seat=1, off_turn=False)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from literature_ai.cards import MAX_SEATS, Seat
from literature_ai.errors import IllegalActionError, LiteratureError
from literature_ai.events import Action, Claim, TimedOut

if TYPE_CHECKING:
    import numpy as np

    from literature_ai.agents.base import Agent
    from literature_ai.game.game import Game, Outcome


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision that a game waits for."""

    seat: Seat
    off_turn: bool
    """True: an offer to claim between two actions, which may be declined (with None)."""


_ON_TURN = tuple(Decision(seat, off_turn=False) for seat in range(MAX_SEATS))

Answer: TypeAlias = Action | TimedOut | None
"""What a decision is answered with: an action; None to decline an offer; or `TimedOut`, when the
seat was too late: then it loses the turn, or declines the offer."""


def decisions(game: Game) -> Generator[Decision, Answer, None]:
    """Yield each decision the game waits for, be sent its answer, apply it; until it is over.

    Under ``claim-any-time`` each decision of the seat on turn comes after offers to claim to every
    seat that may, from the seat on turn clockwise, and again from there after each claim, until
    nobody wants to. (So the seat on turn gets the first offer, before anyone can forestall it.)

    Raises `IllegalActionError`, which ends the generator, for an answer against the rules.
    """
    while not game.over:
        if game.rules.claim_any_time and (yield from _claimed_between(game)):
            continue
        seat = game.turn
        assert seat is not None
        answer = yield _ON_TURN[seat]
        if isinstance(answer, TimedOut):
            game.time_out()
        elif answer is None:
            raise IllegalActionError("action", "None is no action; the seat on turn must act")
        else:
            game.apply(answer)


def _claimed_between(game: Game) -> Generator[Decision, Answer, bool]:
    """Offer a claim to every seat in order, up to the first that makes one: did any?"""
    on_turn = game.turn
    assert on_turn is not None
    players = game.rules.players
    for seat in (*range(on_turn, players), *range(on_turn)):
        if game.may_claim(seat):
            answer = yield Decision(seat, off_turn=True)
            if answer is not None and not isinstance(answer, TimedOut):
                if not isinstance(answer, Claim):
                    raise IllegalActionError(
                        "claim-any-time",
                        f"{answer!r} is no claim; between two actions one may only claim",
                    )
                game.apply(answer, seat)
                return True
    return False


def play(
    game: Game,
    agents: Sequence[Agent],
    rng: np.random.Generator,
    clock: Callable[[], float] = time.monotonic,
) -> Outcome:
    """Play the game to its end between the agents, one a seat, each with its own generator.

    In a timed game an agent that answers later than ``turn_seconds`` by the clock (in seconds)
    has timed out. Raises `IllegalActionError` when an agent decides against the rules.
    """
    if len(agents) != game.rules.players:
        raise LiteratureError(f"{len(agents)} agents for {game.rules.players} seats")
    for seat, (agent, own_rng) in enumerate(zip(agents, rng.spawn(len(agents)), strict=True)):
        agent.start(game.view(seat), own_rng)
    limit = game.rules.turn_seconds
    deciding = decisions(game)
    seen = len(game.events)
    decision = next(deciding, None)
    while decision is not None:
        agent, view = agents[decision.seat], game.view(decision.seat)
        asked_at = clock()
        answer: Answer = agent.claim(view) if decision.off_turn else agent.act(view)
        if limit is not None and clock() - asked_at > limit:
            answer = TimedOut(decision.seat)
        try:
            decision = deciding.send(answer)
        except StopIteration:
            decision = None
        for event in game.events[seen:]:
            for agent in agents:
                agent.observe(event)
        seen = len(game.events)
    outcome = game.outcome
    assert outcome is not None
    return outcome
