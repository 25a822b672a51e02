"""A game with its agents: asks each for its decisions, and turns their failures into forfeits."""

from __future__ import annotations

import reprlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, cast

from literature_ai.agents.base import Agent
from literature_ai.analysis.metrics import team_metrics
from literature_ai.bots.external import ExternalAgent
from literature_ai.cards import Seat
from literature_ai.errors import IllegalActionError
from literature_ai.events import Action, Ask, Asked, Claim, Claimed, Event, Pass, TimedOut
from literature_ai.game.game import Game
from literature_ai.game.turns import Answer, Decision, Turns
from literature_ai.game.view import View
from tournaments.processes.agent_pool import AgentFailure, AgentPool
from tournaments.processes.series import Series
from tournaments.processes.watchdog import Watchdog, pack_checkpoint
from tournaments.results import Counters, Failure, GameResult, no_counters

if TYPE_CHECKING:
    import numpy as np

_ANSWERS = (Ask, Claim, Pass, TimedOut)
_OFF_TURN_ANSWERS = (Claim, TimedOut, type(None))


class SeatedGame:
    """One game and its agents.

    `run` goes on until the game is over, or until it waits for a decision that is made in one call
    with those of other games (see `tournaments.processes.player`). A failing agent forfeits.
    """

    def __init__(self, series: Series, game: Game, pool: AgentPool, watchdog: Watchdog) -> None:
        self.game = game
        self.failure: Failure | None = None
        self.waiting: View | None = None
        """The view of the agent on turn, while its decision is awaited; None otherwise."""
        self._series = series
        self._pool = pool
        self._watchdog = watchdog
        self._agents: list[Agent] = []
        self._observers: list[tuple[Seat, Callable[[Event], None]]] = []
        self._broadcast_events = 0
        self._limits: list[int] = [round(pool.plan.seconds_to_move * 1e9)] * game.rules.players
        """The time limit of a call of each seat, in ns."""
        self._nanoseconds = [0] * game.rules.players
        self._decisions = [0] * game.rules.players
        limit = game.rules.turn_seconds
        self._turn_limit = None if limit is None else limit * 10**9
        self._in_play = len(game.in_play)
        self._checkpoint = pack_checkpoint(series.number, 0, self._in_play, game.score)
        self._turns = Turns(game)
        self._decision: Decision | None = None

    @property
    def over(self) -> bool:
        return self._decision is None

    @property
    def agent_on_turn(self) -> Agent:
        return self._agents[self._seat_on_turn]

    @property
    def _seat_on_turn(self) -> Seat:
        assert self._decision is not None
        return self._decision.seat

    def start(self) -> None:
        """Seat and start the agents, then `run`."""
        generators = self._series.half.generators(self._pool.plan, len(self._series.results))
        try:
            for seat, rng in enumerate(generators):
                self._seat_agent(seat, rng)
        except AgentFailure as failure:
            self._forfeit(failure)
            return
        self._decision = self._turns.decision
        self.run()

    def run(self) -> None:
        """Play until the game is over or `waiting` for a decision made together with others."""
        try:
            while self._decision is not None:
                seat, off_turn = self._decision.seat, self._decision.off_turn
                agent = self._agents[seat]
                if off_turn and type(agent).claim is Agent.claim:
                    self._apply(seat, None)
                    continue
                view = self.game.view(seat)
                if not off_turn and self._turn_limit is None and hasattr(agent, "act_many"):
                    self.waiting = view
                    return
                before = self._nanoseconds[seat]
                answer = self._call(seat, agent.claim if off_turn else agent.act, view)
                taken = self._nanoseconds[seat] - before
                late = self._turn_limit is not None and taken > self._turn_limit
                self._apply(seat, TimedOut(seat) if late else answer)
        except AgentFailure as failure:
            self._forfeit(failure)

    def begin_joint_call(self, games: int) -> int:
        """Tell the watchdog of a call that decides for so many games; the time now, in ns."""
        seat = self._seat_on_turn
        return self._watchdog.begin_call(
            self._checkpoint, seat, self._limits[seat] * games, games > 1
        )

    def decide(self, action: Action, nanoseconds: int) -> None:
        """Apply the decision that the game waits for, which took so long, and `run`."""
        seat = self._seat_on_turn
        self.waiting = None
        self._nanoseconds[seat] += nanoseconds
        try:
            self._apply(seat, action)
        except AgentFailure as failure:
            self._forfeit(failure)
        self.run()

    def fail(self, error: BaseException) -> None:
        """Forfeit: the call for the decision that the game waits for has raised the error."""
        self.waiting = None
        self._forfeit(AgentFailure.from_exception(self._seat_on_turn, error))

    def result(self, with_record: bool) -> GameResult:
        """The result, once the game is over."""
        plan, game, counters = self._pool.plan, self.game, self._counters()
        if self.failure is None:
            return self._series.finished(plan, game, counters, with_record)
        return self._series.forfeited(plan, game, self.failure, counters, with_record)

    def _seat_agent(self, seat: Seat, rng: np.random.Generator) -> None:
        agent = self._call(seat, self._pool.agent, self._series.half, seat)
        self._agents.append(agent)
        if isinstance(agent, ExternalAgent):
            # A program's time is limited by the agent itself; this one is for when that fails.
            self._limits[seat] = round(agent.longest_call * 1e9)
        if self._pool.plan.open_cards and getattr(agent, "sees_all_cards", False):
            self._call(seat, cast(Any, agent).see_deal, self.game.dealt)
        self._call(seat, agent.start, self.game.view(seat), rng)
        if type(agent).observe is not Agent.observe:
            self._observers.append((seat, agent.observe))

    def _call(self, seat: Seat, function: Callable[..., Any], *arguments: Any) -> Any:
        began = self._watchdog.begin_call(self._checkpoint, seat, self._limits[seat])
        try:
            return function(*arguments)
        # Agents may raise SystemExit and KeyboardInterrupt, too. These are never from a terminal,
        # which a player process is detached from.
        except BaseException as error:
            raise AgentFailure.from_exception(seat, error) from error
        finally:
            self._nanoseconds[seat] += self._watchdog.end_call() - began

    def _apply(self, seat: Seat, answer: Answer) -> None:
        """Apply the answer of a seat to the game and let the agents observe the event."""
        assert self._decision is not None
        if self._decision.off_turn:
            if not isinstance(answer, _OFF_TURN_ANSWERS):
                _raise_protocol_failure(seat, answer, "a Claim or None")
        else:
            self._decisions[seat] += 1
            if not isinstance(answer, _ANSWERS):
                _raise_protocol_failure(seat, answer, "an Ask, a Claim or a Pass")
        try:
            self._turns.answer(answer)
        except IllegalActionError as error:
            raise AgentFailure(seat, "illegal", f"{_safe_repr(answer)}: {error}") from None
        self._decision = self._turns.decision
        for event in self.game.events[self._broadcast_events :]:
            self._update_checkpoint(event)
            self._broadcast(event)

    def _update_checkpoint(self, event: Event) -> None:
        self._broadcast_events += 1
        if isinstance(event, Claimed):
            self._in_play -= 1
        self._checkpoint = pack_checkpoint(
            self._series.number, self._broadcast_events, self._in_play, self.game.score
        )

    def _broadcast(self, event: Event) -> None:
        """Let all agents observe the event."""
        watchdog, spent = self._watchdog, self._nanoseconds
        seat = 0
        try:
            for seat, observe in self._observers:
                began = watchdog.begin_call(self._checkpoint, seat, self._limits[seat])
                observe(event)
                spent[seat] += time.monotonic_ns() - began
        except BaseException as error:
            raise AgentFailure.from_exception(seat, error) from error
        finally:
            watchdog.end_call()

    def _forfeit(self, failure: AgentFailure) -> None:
        self._decision = None
        self.failure = {
            "kind": failure.kind,
            "seat": failure.seat,
            "event": len(self.game.events),
            "text": failure.text,
        }

    def _counters(self) -> tuple[Counters, Counters]:
        half, counters = self._series.half, (no_counters(), no_counters())
        for event in self.game.events:
            if isinstance(event, Asked):
                team = counters[half.team_at(event.asker)]
                team["asks"] += 1
                team["hits"] += event.hit
            elif isinstance(event, Claimed):
                team = counters[half.team_at(event.claimant)]
                team["claims_right" if event.right else "claims_wrong"] += 1
        for seat in range(self.game.rules.players):
            team = counters[half.team_at(seat)]
            team["decisions"] += self._decisions[seat]
            team["nanoseconds"] += self._nanoseconds[seat]
        if self._pool.plan.examines(half.pair):
            for side, metrics in enumerate(team_metrics(self.game)):
                team = counters[half.team_at(side)]
                team["examined_asks"] = metrics.asks
                team["dead_asks"] = metrics.dead_asks
                team["timely_claims"] = metrics.timely_claims
                team["claim_delay"] = metrics.claim_delay
        return counters


def _raise_protocol_failure(seat: Seat, answer: object, expected: str) -> NoReturn:
    raise AgentFailure(seat, "protocol", f"answered {_safe_repr(answer)}; it must be {expected}")


def _safe_repr(value: object) -> str:
    # The repr of an agent's own class is agent code, which must not run outside of `_call`.
    known = type(value).__module__ in ("builtins", Ask.__module__)
    return reprlib.repr(value) if known else f"a {type(value).__name__}"
