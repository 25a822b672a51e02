"""A game with its agents: asks each for its decisions, and notices their failures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic_ns
from typing import TYPE_CHECKING, Any, cast

from literature_ai.agents.base import Agent
from literature_ai.analysis.metrics import team_metrics
from literature_ai.bots.answers import plain_action, plain_actions, plain_claim
from literature_ai.bots.external import ExternalAgent
from literature_ai.cards import HALF_SUIT_SIZE, Seat, team_of
from literature_ai.errors import IllegalActionError
from literature_ai.events import Action, Claim, Event, Pass, TimedOut
from literature_ai.game.game import Game
from literature_ai.game.turns import Answer, Decision, Turns
from literature_ai.game.view import View
from tournaments.processes.agent_pool import AgentFailure, AgentPool
from tournaments.processes.moves import Move, move_of, moves_of
from tournaments.processes.series import Rerun, Series
from tournaments.processes.watchdog import Watchdog, pack_checkpoint
from tournaments.results import Counters, Failure, GameResult

if TYPE_CHECKING:
    import numpy as np

LOADING_SECONDS = 120.0
"""The time limit for loading the agents of a team."""
_EXAMINING_SECONDS = 600.0
"""The time limit for counting dead asks and claim delays of a game."""


class SeatedGame:
    """One game and its agents.

    `run` goes on until the game is over, until an agent has failed, or until the game waits for a
    decision that is made in one call with those of other games (see
    `tournaments.processes.player`).

    All code of agents runs inside of `_call` and its kind: with a time limit, and so that whatever
    it raises is a failure of that agent.
    """

    def __init__(self, series: Series, game: Game, pool: AgentPool, watchdog: Watchdog) -> None:
        self.game = game
        self.failure: Failure | None = None
        self.waiting: View | None = None
        """The view of the agent on turn, while its decision is awaited; None otherwise."""
        self._series = series
        self._pool = pool
        self._watchdog = watchdog
        players = game.rules.players
        self._agents: list[Agent | None] = [None] * players
        self._claims_off_turn = [False] * players
        self._decides_jointly = [False] * players
        self._observers: list[tuple[Seat, Callable[[Event], None]]] = []
        self._broadcast_events = 0
        self._off_turn: set[int] = set()
        """The numbers of the events that were claims off turn."""
        self._limits: list[int] = [round(pool.plan.seconds_to_move * 1e9)] * players
        """The time limit of a call of each seat, in ns."""
        self._nanoseconds = [0] * players
        self._decisions = [0] * players
        limit = game.rules.turn_seconds
        self._turn_limit = None if limit is None else limit * 10**9
        self._checkpoint = pack_checkpoint(series.number, 0)
        self._turns = Turns(game)
        self._decision: Decision | None = None

    @property
    def over(self) -> bool:
        return self._decision is None

    @property
    def number(self) -> int:
        """The number of the series that the game belongs to."""
        return self._series.number

    @property
    def agent_on_turn(self) -> Agent:
        return cast(Agent, self._agents[self._seat_on_turn])

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
            self._fail(failure)
            return
        self._decision = self._turns.decision
        self.run()

    def run(self) -> None:
        """Play until the game is over or `waiting` for a decision made together with others."""
        try:
            while (decision := self._decision) is not None:
                seat, off_turn = decision.seat, decision.off_turn
                if off_turn and not self._claims_off_turn[seat]:
                    self._apply(seat, None)
                    continue
                if self._is_joint(decision):
                    self.waiting = self.game.view(seat)
                    return
                self._apply(seat, self._ask(decision))
        except AgentFailure as failure:
            self._fail(failure)

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
            self._fail(failure)
        self.run()

    def fail(self, error: BaseException) -> None:
        """Fail: the call for the decision that the game waits for has raised the error."""
        self.waiting = None
        self._fail(AgentFailure.from_exception(self._seat_on_turn, error))

    def moves(self) -> list[Move]:
        """What has been decided so far."""
        return moves_of(self.game.events, self._off_turn)

    def result(self, with_record: bool) -> GameResult:
        """The result, once the game is over and no agent has failed."""
        self._watchdog.expect(_EXAMINING_SECONDS)
        counters = self.counters()
        if self._pool.plan.examines(self._series.half.pair):
            for side, metrics in enumerate(team_metrics(self.game)):
                team = counters[self._series.half.team_at(side)]
                team["examined_asks"] = metrics.asks
                team["dead_asks"] = metrics.dead_asks
                team["timely_claims"] = metrics.timely_claims
                team["claim_delay"] = metrics.claim_delay
        result = self._series.finished(self._pool.plan, self.game, counters, with_record)
        self._watchdog.end()
        return result

    def counters(self) -> tuple[Counters, Counters]:
        """What both teams have done so far, without what has to be examined."""
        counters = self._series.counters(self.game)
        for seat in range(self.game.rules.players):
            team = counters[self._series.half.team_at(seat)]
            team["decisions"] += self._decisions[seat]
            team["nanoseconds"] += self._nanoseconds[seat]
        return counters

    def _seat_agent(self, seat: Seat, rng: np.random.Generator) -> None:
        half, pool = self._series.half, self._pool
        team = half.matchup[half.team_at(seat)]
        if not pool.loaded(team):
            self._call(seat, pool.load, team, limit=round(LOADING_SECONDS * 1e9))
        agent = self._call(seat, pool.agent, half, seat)
        self._agents[seat] = agent
        if isinstance(agent, ExternalAgent):
            # A program's time is limited by the agent itself; this one is for when that fails.
            self._limits[seat] = round(agent.longest_call * 1e9)
        self._call(seat, self._start_agent, seat, agent, rng)

    def _start_agent(self, seat: Seat, agent: Agent, rng: np.random.Generator) -> None:
        if self._pool.plan.open_cards and getattr(agent, "sees_all_cards", False):
            cast(Any, agent).see_deal(self.game.dealt)
        agent.start(self.game.view(seat), rng)
        kind = type(agent)
        self._claims_off_turn[seat] = kind.claim is not Agent.claim
        self._decides_jointly[seat] = getattr(kind, "act_many", None) is not None
        if kind.observe is not Agent.observe:
            self._observers.append((seat, agent.observe))

    def _call(
        self, seat: Seat, function: Callable[..., Any], *arguments: Any, limit: int | None = None
    ) -> Any:
        began = self._watchdog.begin_call(self._checkpoint, seat, limit or self._limits[seat])
        try:
            return function(*arguments)
        # Agents may raise SystemExit and KeyboardInterrupt, too. These are never from a terminal,
        # which a player process is detached from.
        except BaseException as error:
            raise AgentFailure.from_exception(seat, error) from None
        finally:
            now = self._watchdog.end()
            if limit is None:
                self._nanoseconds[seat] += now - began

    def _is_joint(self, decision: Decision) -> bool:
        """Whether the decision is made by ``act_many``; never in a timed game."""
        joint = self._decides_jointly[decision.seat]
        return joint and not decision.off_turn and self._turn_limit is None

    def _ask(self, decision: Decision) -> Answer:
        """The agent's answer; `TimedOut` when it is later than a timed game allows."""
        seat = decision.seat
        before = self._nanoseconds[seat]
        decide = _claim if decision.off_turn else _act
        answer: Answer = self._call(seat, decide, self._agents[seat], self.game.view(seat))
        taken = self._nanoseconds[seat] - before
        if self._turn_limit is not None and taken > self._turn_limit:
            return TimedOut(seat)
        return answer

    def _apply(self, seat: Seat, answer: Answer) -> None:
        """Apply the answer of a seat to the game and let the agents observe the event."""
        assert self._decision is not None
        if not self._decision.off_turn:
            self._decisions[seat] += 1
        elif isinstance(answer, Claim):
            self._off_turn.add(len(self.game.events))
        try:
            self._turns.answer(answer)
        except IllegalActionError as error:
            raise AgentFailure(seat, "illegal", f"{answer!r}: {error}") from None
        self._decision = self._turns.decision
        for event in self.game.events[self._broadcast_events :]:
            self._broadcast_events += 1
            self._checkpoint = pack_checkpoint(self._series.number, self._broadcast_events)
            self._broadcast(event)

    def _broadcast(self, event: Event) -> None:
        """Let all agents observe the event."""
        watchdog, spent = self._watchdog, self._nanoseconds
        seat = 0
        try:
            for seat, observe in self._observers:
                began = watchdog.begin_call(self._checkpoint, seat, self._limits[seat])
                observe(event)
                spent[seat] += monotonic_ns() - began
        except BaseException as error:
            raise AgentFailure.from_exception(seat, error) from None
        finally:
            watchdog.end()

    def _fail(self, failure: AgentFailure) -> None:
        self._decision = None
        self.failure = {
            "kind": failure.kind,
            "seat": failure.seat,
            "event": len(self.game.events),
            "text": failure.text,
        }


class RepeatedGame(SeatedGame):
    """A game that is played again to find out whose code makes it fail, see `Rerun`."""

    def __init__(
        self,
        series: Series,
        game: Game,
        pool: AgentPool,
        watchdog: Watchdog,
        report: Callable[[Move], None],
    ) -> None:
        super().__init__(series, game, pool, watchdog)
        assert series.rerun is not None
        self.stopped = False
        """Whether it was stopped where the rerun ends, without a failure."""
        self._rerun: Rerun = series.rerun
        self._report = report

    def run(self) -> None:
        """Play until the game is over, or stopped, or an agent has failed."""
        moves = self._rerun.moves
        try:
            while (decision := self._decision) is not None and not self.stopped:
                number = self._broadcast_events
                move = moves[number] if number < len(moves) else None
                answer: Answer = None
                if self._plays(decision.seat):
                    if not decision.off_turn or self._claims_off_turn[decision.seat]:
                        answer = self._ask(decision)
                elif move is None and self._rerun.until is not None:
                    self._stop()
                    return
                elif move is None and not decision.off_turn:
                    answer = stand_in(self.game.view(decision.seat))
                if move is not None:
                    answer = move.answer if move.answers(decision) else None
                self._apply(decision.seat, answer)
        except AgentFailure as failure:
            self._fail(failure)

    def _ask(self, decision: Decision) -> Answer:
        if self._is_joint(decision):
            agent, view = self._agents[decision.seat], self.game.view(decision.seat)
            answers: list[Action] = self._call(decision.seat, act_jointly, [agent], [view])
            return answers[0]
        return super()._ask(decision)

    def _plays(self, seat: Seat) -> bool:
        return self._rerun.side in (None, team_of(seat))

    def _seat_agent(self, seat: Seat, rng: np.random.Generator) -> None:
        if self._plays(seat):
            super()._seat_agent(seat, rng)

    def _broadcast(self, event: Event) -> None:
        number = self._broadcast_events - 1
        self._report(move_of(event, number in self._off_turn))
        if self._broadcast_events == self._rerun.until:
            self._stop()
        else:
            super()._broadcast(event)

    def _stop(self) -> None:
        self.stopped = True
        self._decision = None


def stand_in(view: View) -> Action:
    """What our own stand-in for an agent does: the first that the rules allow."""
    if view.legal_asks:
        return view.legal_asks[0]
    if view.legal_passes:
        return Pass(view.legal_passes[0])
    return Claim(view.in_play[0], (view.seat,) * HALF_SUIT_SIZE)


def act_jointly(agents: Sequence[Agent], views: Sequence[View]) -> list[Action]:
    """What the class of the agents, which all have it in common, decides for them in one call."""
    decide: Any = getattr(type(agents[0]), "act_many")  # noqa: B009 - it is optional
    return plain_actions(decide(agents, views), len(agents))


def _act(agent: Agent, view: View) -> Action:
    return plain_action(agent.act(view))


def _claim(agent: Agent, view: View) -> Claim | None:
    return plain_claim(agent.claim(view))
