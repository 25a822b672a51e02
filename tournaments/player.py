"""Plays the halves of pairs, many games at once, and survives whatever the agents raise.

A `Table` is one game with its agents. It runs until it is over, or until a decision falls to an
agent that decides for many tables in one call: an agent whose class has

    @classmethod
    def act_many(cls, agents: Sequence[Self], views: Sequence[View]) -> Sequence[Action]

is given the decisions of all tables that wait for its class, one view an agent, and returns one
action each; it must decide as `act` would. Two agents of one game are never in the same call.

An agent fails when it raises, answers nonsense, or breaks a rule: its team forfeits the game with
all half-suits in play. Agents that do not come back, or that take the process down with them, are
the business of `tournaments.supervisor`, for which the calls are noted in a `Watchdog`.
"""

from __future__ import annotations

import reprlib
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NoReturn, cast

from literature_ai.agents.base import Agent
from literature_ai.analysis.metrics import team_metrics
from literature_ai.bots.external import ExternalAgent
from literature_ai.bots.registry import Spec, parse_team, split_team
from literature_ai.cards import Seat, Team, team_of
from literature_ai.errors import BotError, IllegalActionError, LiteratureError
from literature_ai.events import Action, Ask, Asked, Claim, Claimed, Event, Pass, TimedOut
from literature_ai.game.game import Game
from literature_ai.game.position import Outcome, Termination
from literature_ai.game.turns import Answer, Decision, Turns
from literature_ai.game.view import View
from literature_ai.records.lit import write
from literature_ai.records.record import Record
from tournaments.plan import Half, Plan
from tournaments.results import Counters, Failure, FailureKind, GameResult, no_counters
from tournaments.watchdog import Place, Watchdog, packed_place

if TYPE_CHECKING:
    import numpy as np

_ANSWERS = (Ask, Claim, Pass, TimedOut)
_ANSWERS_OFF_TURN = (Claim, TimedOut, type(None))
LONGEST_TEXT = 4000
"""Characters of a traceback that are kept: its end."""


class AgentFailed(Exception):
    """An agent's code raised, or its answer is of no use."""

    def __init__(self, seat: Seat, kind: FailureKind, text: str) -> None:
        super().__init__(text)
        self.seat = seat
        self.kind = kind
        self.text = text[-LONGEST_TEXT:]


class Cast:
    """Makes the agents of games, and keeps the programs, which outlive a game."""

    def __init__(self, plan: Plan) -> None:
        """Raise LiteratureError when an agent of the plan cannot be had here."""
        self.plan = plan
        self._specs = [parse_team(team, plan.rules.players // 2) for team in plan.teams]
        self._programs: dict[tuple[str, Seat], ExternalAgent] = {}

    def warm_up(self) -> None:
        """Let the agents' classes compile what they need, where they say how.

        Raises LiteratureError when one of them fails to.
        """
        for spec in {spec for team in self._specs for spec in team}:
            warm_up = getattr(spec.agent, "warm_up", None)
            try:
                if warm_up is not None:
                    warm_up()
            except Exception as error:
                reason = " ".join(f"{type(error).__name__}: {error}".split())
                raise LiteratureError(f"{spec.text!r} cannot warm up: {reason}") from error

    def has_programs(self, half: Half) -> bool:
        return any(
            issubclass(spec.agent, ExternalAgent)
            for team in half.matchup
            for spec in self._specs[team]
        )

    def make(self, half: Half, seat: Seat) -> Agent:
        """The agent of that seat, not yet started."""
        spec = self._spec(half, seat)
        if not issubclass(spec.agent, ExternalAgent):
            return spec.make()
        key = spec.text, seat
        if key not in self._programs:
            program = spec.make()
            assert isinstance(program, ExternalAgent)
            program.answer_seconds = self.plan.seconds_to_move
            self._programs[key] = program
        return self._programs[key]

    def process_groups(self) -> list[int]:
        """The process groups of the programs that run."""
        groups = (program.process_group for program in self._programs.values())
        return [group for group in groups if group is not None]

    def close(self) -> None:
        """End the programs, all at the same time."""
        for program in self._programs.values():
            program.say_goodbye()
        for program in self._programs.values():
            program.close()

    def _spec(self, half: Half, seat: Seat) -> Spec:
        return self._specs[half.matchup[half.team_at(seat)]][seat // 2]


@dataclass(slots=True)
class Series:
    """A half that is being played, with what came of its games so far."""

    number: int
    """What the half is called in everything that is told of it."""
    half: Half
    results: list[GameResult] = field(default_factory=list)

    def next_game(self, plan: Plan) -> Game | None:
        """The game that follows; None when the half is over."""
        return self.half.next_game(plan, [self._outcome(result) for result in self.results])

    def _outcome(self, result: GameResult) -> Outcome:
        # Side and team are told from each other by the half, whichever way one goes.
        a, b = (result["score"][self.half.team_at(side)] for side in (0, 1))
        winner = result["winner"]
        side = None if winner is None else self.half.team_at(winner)
        return Outcome((a, b), side, Termination.ALL_CLAIMED)


class Table:
    """One game with its agents."""

    def __init__(self, series: Series, game: Game, agents: Cast, watch: Watchdog) -> None:
        self.game = game
        self.failure: Failure | None = None
        self.waiting: View | None = None
        """What an agent sees that is to decide together with others; None when none is."""
        self._series = series
        self._cast = agents
        self._watch = watch
        self._agents: list[Agent] = []
        self._observers: list[tuple[Seat, Callable[[Event], None]]] = []
        self._seen = 0
        self._limits: list[int] = [round(agents.plan.seconds_to_move * 1e9)] * game.rules.players
        self._nanoseconds = [0] * game.rules.players
        self._decided = [0] * game.rules.players
        limit = game.rules.turn_seconds
        self._late = None if limit is None else limit * 10**9
        self._in_play = len(game.in_play)
        self._place = packed_place(series.number, 0, self._in_play, game.score)
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
        """Seat the agents and go on as `run` does."""
        generators = self._series.half.generators(self._cast.plan, len(self._series.results))
        try:
            for seat, rng in enumerate(generators):
                self._seat(seat, rng)
        except AgentFailed as failed:
            self._forfeit(failed)
            return
        self._decision = self._turns.decision
        self.run()

    def run(self) -> None:
        """Play until the game is over or `waiting` for a decision together with others."""
        try:
            while self._decision is not None:
                seat, off_turn = self._decision.seat, self._decision.off_turn
                agent = self._agents[seat]
                if off_turn and type(agent).claim is Agent.claim:
                    self._answer(seat, None)
                    continue
                view = self.game.view(seat)
                if not off_turn and self._late is None and hasattr(agent, "act_many"):
                    self.waiting = view
                    return
                before = self._nanoseconds[seat]
                answer = self._call(seat, agent.claim if off_turn else agent.act, view)
                late = self._late is not None and self._nanoseconds[seat] - before > self._late
                self._answer(seat, TimedOut(seat) if late else answer)
        except AgentFailed as failed:
            self._forfeit(failed)

    def watch_together(self, calls: int) -> int:
        """Note that the agent on turn is about to decide, in one call with others; the time."""
        seat = self._seat_on_turn
        return self._watch.begin(self._place, seat, self._limits[seat] * calls, calls > 1)

    def decide(self, action: Action, nanoseconds: int) -> None:
        """Take the decision that it was waiting for, and go on as `run` does."""
        seat = self._seat_on_turn
        self.waiting = None
        self._nanoseconds[seat] += nanoseconds
        try:
            self._answer(seat, action)
        except AgentFailed as failed:
            self._forfeit(failed)
        self.run()

    def fail(self, error: BaseException) -> None:
        """The agent on turn failed to take the decision that it was waiting for."""
        self.waiting = None
        self._forfeit(_failed(self._seat_on_turn, error))

    def result(self, with_record: bool) -> GameResult:
        """What came of the game, once it is over."""
        game, half = self.game, self._series.half
        outcome = game.outcome
        if self.failure is not None:
            loser = team_of(self.failure["seat"])
            score = _forfeited(loser, game.score, len(game.in_play))
            winner: Team | None = 1 - loser
        else:
            assert outcome is not None
            score, winner = outcome.score, outcome.winner
        return {
            "score": (score[half.team_at(0)], score[half.team_at(1)]),
            "winner": _team(half, winner),
            "unfinished": self.failure is None and outcome is not None and outcome.unfinished,
            "events": len(game.events),
            "failure": self.failure,
            "counters": self._counters(),
            "record": record_of(self._cast.plan, self._series, game) if with_record else None,
        }

    def _seat(self, seat: Seat, rng: np.random.Generator) -> None:
        agent = self._call(seat, self._cast.make, self._series.half, seat)
        self._agents.append(agent)
        if isinstance(agent, ExternalAgent):
            # It keeps the limit itself; this is for when it fails to.
            self._limits[seat] = round(agent.longest_call * 1e9)
        if self._cast.plan.open_cards and getattr(agent, "sees_all_cards", False):
            self._call(seat, cast(Any, agent).see_deal, self.game.dealt)
        self._call(seat, agent.start, self.game.view(seat), rng)
        if type(agent).observe is not Agent.observe:
            self._observers.append((seat, agent.observe))

    def _call(self, seat: Seat, function: Callable[..., Any], *arguments: Any) -> Any:
        began = self._watch.begin(self._place, seat, self._limits[seat])
        try:
            return function(*arguments)
        # An agent may raise SystemExit and KeyboardInterrupt as well; no others arrive here, for
        # a process that plays is kept away from the terminal.
        except BaseException as error:
            raise _failed(seat, error) from error
        finally:
            self._nanoseconds[seat] += self._watch.end() - began

    def _answer(self, seat: Seat, answer: Answer) -> None:
        """Give the game the answer, and let everyone see what came of it."""
        assert self._decision is not None
        if self._decision.off_turn:
            if not isinstance(answer, _ANSWERS_OFF_TURN):
                _answered_nonsense(seat, answer, "a Claim or None")
        else:
            self._decided[seat] += 1
            if not isinstance(answer, _ANSWERS):
                _answered_nonsense(seat, answer, "an Ask, a Claim or a Pass")
        try:
            self._turns.answer(answer)
        except IllegalActionError as error:
            raise AgentFailed(seat, "illegal", f"{_shown(answer)}: {error}") from None
        self._decision = self._turns.decision
        for event in self.game.events[self._seen :]:
            self._note(event)
            self._show(event)

    def _note(self, event: Event) -> None:
        """Keep what the watch is told up to date."""
        self._seen += 1
        if isinstance(event, Claimed):
            self._in_play -= 1
        self._place = packed_place(self._series.number, self._seen, self._in_play, self.game.score)

    def _show(self, event: Event) -> None:
        """Let everyone see the event."""
        watch, spent = self._watch, self._nanoseconds
        seat = 0
        try:
            for seat, observe in self._observers:
                began = watch.begin(self._place, seat, self._limits[seat])
                observe(event)
                spent[seat] += time.monotonic_ns() - began
        except BaseException as error:
            raise _failed(seat, error) from error
        finally:
            watch.end()

    def _forfeit(self, failed: AgentFailed) -> None:
        self._decision = None
        self.failure = {
            "kind": failed.kind,
            "seat": failed.seat,
            "event": len(self.game.events),
            "text": failed.text,
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
            team["decisions"] += self._decided[seat]
            team["nanoseconds"] += self._nanoseconds[seat]
        if self._cast.plan.examines(half.pair):
            for side, metrics in enumerate(team_metrics(self.game)):
                team = counters[half.team_at(side)]
                team["examined_asks"] = metrics.asks
                team["dead_asks"] = metrics.dead_asks
                team["timely_claims"] = metrics.timely_claims
                team["claim_delay"] = metrics.claim_delay
        return counters


class Player:
    """Plays halves to their end, many games at once, and tells what happens, in plain data:

    - ``{"playing": number}``: a game of that half begins;
    - ``{"groups": [id, …]}``: the process groups of the programs that run;
    - ``{"game": number, "result": …}``: a game of that half has ended;
    - ``{"over": number}``: that was its last one;
    - ``{"alone": [number, …]}``: a call for many tables failed. Which of them is to blame will show
      when each is played again alone; these games are abandoned.

    Results do not depend on how many games are played at once. Programs play one at a time.
    """

    def __init__(
        self, agents: Cast, watch: Watchdog, tell: Callable[[Any], None], with_records: bool
    ) -> None:
        self._cast = agents
        self._watch = watch
        self._tell = tell
        self._with_records = with_records
        self._playing: dict[Table, Series] = {}

    def play(self, series: Iterable[Series], batch_size: int) -> None:
        """Play all of them."""
        left = deque(series)
        while left or self._playing:
            while left and self._has_room_for(left[0], batch_size):
                self._begin(left.popleft())
            self._decide_together()
            for table in [table for table in self._playing if table.over]:
                self._finish(table)

    def _has_room_for(self, series: Series, batch_size: int) -> bool:
        return len(self._playing) < (1 if self._cast.has_programs(series.half) else batch_size)

    def _begin(self, series: Series) -> None:
        game = series.next_game(self._cast.plan)
        if game is None:
            self._tell({"over": series.number})
            return
        self._tell({"playing": series.number})
        table = Table(series, game, self._cast, self._watch)
        table.start()
        if groups := self._cast.process_groups():
            self._tell({"groups": groups})
        self._playing[table] = series

    def _finish(self, table: Table) -> None:
        series = self._playing.pop(table)
        result = table.result(self._with_records)
        series.results.append(result)
        self._tell({"game": series.number, "result": result})
        self._begin(series)

    def _decide_together(self) -> None:
        """Have each class of agents decide for all tables that wait for it, in one call."""
        waiting: dict[Any, list[Table]] = {}
        for table in self._playing:
            if table.waiting is not None:
                waiting.setdefault(type(table.agent_on_turn), []).append(table)
        for agent, tables in waiting.items():
            began = tables[0].watch_together(len(tables))
            try:
                actions = agent.act_many(
                    [table.agent_on_turn for table in tables], [table.waiting for table in tables]
                )
                if len(actions) != len(tables):
                    raise ValueError(f"{len(actions)} actions for {len(tables)} views")
            except BaseException as error:
                self._blame(tables, error)
                continue
            finally:
                nanoseconds = (self._watch.end() - began) // len(tables)
            for table, action in zip(tables, actions, strict=True):
                table.decide(action, nanoseconds)

    def _blame(self, tables: list[Table], error: BaseException) -> None:
        if len(tables) == 1:
            tables[0].fail(error)
            return
        self._tell({"alone": [self._playing.pop(table).number for table in tables]})


def forfeit(
    plan: Plan, series: Series, place: Place, kind: FailureKind, text: str, with_record: bool
) -> GameResult:
    """The result of a game whose process is gone. Of its events nothing is left but their count."""
    game, half = series.next_game(plan), series.half
    assert game is not None
    loser = team_of(place.seat)
    score = _forfeited(loser, place.score, place.in_play)
    return {
        "score": (score[half.team_at(0)], score[half.team_at(1)]),
        "winner": _team(half, 1 - loser),
        "unfinished": False,
        "events": place.events,
        "failure": {"kind": kind, "seat": place.seat, "event": place.events, "text": text},
        "counters": (no_counters(), no_counters()),
        "record": record_of(plan, series, game) if with_record else None,
    }


def record_of(plan: Plan, series: Series, game: Game) -> str:
    """The full record of a game of that half, as text."""
    half = series.half
    a, b = half.matchup
    id = f"{a + 1}v{b + 1}.{half.pair + 1}.{half.half + 1}"
    if series.results:
        id += f".{len(series.results) + 1}"
    specs = [split_team(plan.teams[team]) for team in half.matchup]
    names = []
    for seat in range(plan.rules.players):
        team = specs[half.team_at(seat)]
        names.append(" ".join(team[seat // 2 % len(team)].replace("#", " ").split()))
    return write([Record.of(game, id, names, ended=True)])


def _team(half: Half, side: Team | None) -> Literal[0, 1] | None:
    if side is None:
        return None
    return 1 if half.team_at(side) else 0


def _forfeited(loser: Team, score: tuple[int, int], in_play: int) -> tuple[int, int]:
    """The score when that side loses all half-suits still in play."""
    a, b = score
    return (a, b + in_play) if loser == 0 else (a + in_play, b)


def _failed(seat: Seat, error: BaseException) -> AgentFailed:
    if isinstance(error, BotError):
        return AgentFailed(seat, error.kind, "\n".join([error.diagnostics, str(error)]).strip())
    try:
        text = "".join(traceback.format_exception(error))
    except BaseException:
        text = f"{type(error).__name__}, which cannot be shown"
    return AgentFailed(seat, "error", text)


def _answered_nonsense(seat: Seat, answer: object, expected: str) -> NoReturn:
    raise AgentFailed(seat, "protocol", f"answered {_shown(answer)}; it must be {expected}")


def _shown(value: object) -> str:
    # What an agent's own class says of itself is its code again, which nobody watches here.
    known = type(value).__module__ in ("builtins", Ask.__module__)
    return reprlib.repr(value) if known else f"a {type(value).__name__}"
