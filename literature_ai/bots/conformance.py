"""Does an agent play by the rules, whatever the rules, and by nothing but its own seed?

`check` plays games among copies of one agent under every rule switch and watches for breaches:

- it raises, takes longer than allowed, answers nonsense, or acts against the rules;
- it plays differently when it is given the same seed again (so it draws random numbers from
  elsewhere, or keeps something from one game to the next);
- it plays differently when another game is played at the same time (so it shares something between
  games or seats);
- its ``act_many``, if it has one, decides otherwise than its ``act``.

It also tells which situations the games brought about, and which they did not, for what was not
reached was not checked. Under timed rules some decisions are declared late, to see whether the
agent copes with the turn that it lost.

The tests of an agent get all this by deriving from `ConformanceTests`:

    class TestMine(ConformanceTests):
        spec = "bots/mine.py:Mine"
"""

from __future__ import annotations

import contextlib
import random
import signal
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from literature_ai.agents.base import Agent
from literature_ai.bots.external import ExternalAgent
from literature_ai.bots.registry import Spec, parse_spec
from literature_ai.cards import Seat, seat_name, team_of
from literature_ai.errors import BotError, IllegalActionError
from literature_ai.events import Asked, Claimed, Event, Pass, TimedOut
from literature_ai.game.game import Game
from literature_ai.game.turns import Answer, Decision, Turns
from literature_ai.game.view import View
from literature_ai.rules import SWITCHES, RuleSet

_LONG_ENOUGH = 200
RULES: tuple[RuleSet, ...] = tuple(
    RuleSet.parse(f"max-events={events} {words}", players)
    for words, players, events in (
        ("", 6, 20),
        ("", 6, _LONG_ENOUGH),
        ("", 4, _LONG_ENOUGH),
        ("", 8, _LONG_ENOUGH),
        ("deck-54", 6, _LONG_ENOUGH),
        *(
            (switch.replace("_", "-"), 6, _LONG_ENOUGH)
            for switch in SWITCHES
            if switch != "cardless_claims"
        ),
        ("claim-any-time cardless-claims play-out", 6, _LONG_ENOUGH),
        ("turn-seconds=30", 6, _LONG_ENOUGH),
        ("us54 play-out", 6, _LONG_ENOUGH),
        ("pagat", 8, _LONG_ENOUGH),
        (" ".join(SWITCHES).replace("_", "-"), 6, 60),
    )
)
"""Every switch by itself, the presets, and all at once; with an end to games that go in circles."""

SITUATIONS: dict[str, str] = {
    "hit": "an ask that hit",
    "miss": "an ask that missed",
    "right claim": "a claim that was right",
    "wrong claim": "a claim that was wrong",
    "hidden claim": "a wrong claim that did not show the cards",
    "split claim": "a claim that names an opponent",
    "claim off turn": "a claim between two actions",
    "forced claim": "a turn with cards but without a legal ask or pass",
    "forced pass": "a turn without cards",
    "free pass": "a pass in place of an ask",
    "team without cards": "a turn when the opponents have no cards left",
    "timeout": "a turn lost for being late",
    "majority": "a game that ended by a majority",
    "all claimed": "a game that ended with the last claim",
    "max events": "a game that ended unfinished",
}
"""What games may bring about, in words."""

DECISION_SECONDS = 10.0
_LATE_EVERY = 15
_MOST_DIFFERENT_BREACHES = 20

T = TypeVar("T")


@dataclass(slots=True)
class Breach:
    """Something that an agent must not do."""

    what: str
    where: str
    """The first time: the rules, the seed, the event."""
    times: int = 1
    details: str = ""
    """A traceback, or what a program wrote on its standard error."""


@dataclass(slots=True)
class Conformance:
    """What a check found."""

    spec: str
    games: int = 0
    decisions: int = 0
    breaches: list[Breach] = field(default_factory=list)
    reached: Counter[str] = field(default_factory=Counter)
    """How often each of the `SITUATIONS` came up."""

    @property
    def not_reached(self) -> list[str]:
        return [situation for situation in SITUATIONS if not self.reached[situation]]


def check(
    spec: str,
    rules: Iterable[RuleSet] = RULES,
    games: int = 1,
    seed: int = 0,
    seconds: float = DECISION_SECONDS,
    progress: Callable[[], object] = lambda: None,
) -> Conformance:
    """Play so many games under each of the rules, each of them several times, and look closely.

    Every call of the agent may take so many ``seconds``. ``progress`` is called after each game.
    Raises `SpecError` when the spec names no agent.
    """
    checker = _Checker(parse_spec(spec), seconds)
    try:
        for rule_set in rules:
            for number in range(games):
                checker.check_game(rule_set, seed + number)
                progress()
    finally:
        checker.close()
    return checker.found


class ConformanceTests:
    """Tests that every agent passes. Derive a class named ``Test…`` and say which ``spec``."""

    spec: str
    rules: Sequence[RuleSet] = RULES
    games = 1
    """Under each of the rules."""
    seconds = DECISION_SECONDS
    """That a call of the agent may take."""

    def test_it_keeps_to_the_rules_and_to_its_seed(self) -> None:
        """Under every rule switch it acts legally, in time, and as its seed and seat say."""
        found = check(self.spec, self.rules, self.games, seconds=self.seconds)
        breaches = [f"{breach.what} ({breach.where})" for breach in found.breaches]
        assert not breaches, "\n".join(breaches)


class _Broken(Exception):
    """The game cannot go on: the agent has broken a rule."""


class _TooLate(BaseException):
    """The agent has not come back in time. No agent's ``except Exception`` may swallow it."""


class _Checker:
    """Plays the games of a check and notes what they show."""

    def __init__(self, spec: Spec, seconds: float) -> None:
        self.found = Conformance(spec.text)
        self.spec = spec
        self._seconds = seconds
        self._breaches: dict[str, Breach] = {}
        self._programs: dict[tuple[int, Seat], Agent] = {}

    def close(self) -> None:
        """End the programs."""
        for program in self._programs.values():
            if isinstance(program, ExternalAgent):
                program.close()

    def check_game(self, rules: RuleSet, seed: int) -> None:
        """Play a game alone, again, beside another one, and decided together with that one."""
        alone = [self._courses(rules, seed, [twin])[0] for twin in (0, 1)]
        if None in alone:
            return
        told = f"{rules}, seed {seed}"
        with _other_common_generators():
            again = self._courses(rules, seed, [0])
        if again != alone[:1]:
            self.note("plays differently when given the same seed again", told)
        if self._courses(rules, seed, [0, 1]) != alone:
            self.note("plays differently when another game is played at the same time", told)
        if hasattr(self.spec.agent, "act_many") and (
            self._courses(rules, seed, [0, 1], together=True) != alone
        ):
            self.note("decides differently in act_many than in act", told)

    def note(self, what: str, where: str, details: str = "") -> None:
        """Note a breach; the first time with the place and the details."""
        if what in self._breaches:
            self._breaches[what].times += 1
        elif len(self._breaches) < _MOST_DIFFERENT_BREACHES:
            self._breaches[what] = Breach(what, where, details=details)
            self.found.breaches.append(self._breaches[what])

    def call(self, where: str, function: Callable[..., T], *arguments: Any) -> T:
        """What the agent's code returns. Raises `_Broken`, after noting it, when it does not."""
        try:
            with _bounded(self._seconds):
                return function(*arguments)
        except BotError as failure:
            self.note(f"{failure.kind}: {failure}", where, failure.diagnostics)
        except _TooLate:
            self.note(f"timeout: no answer within {self._seconds:g} seconds", where)
        except (Exception, SystemExit) as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            self.note(f"error: {reason}", where, traceback.format_exc())
        raise _Broken

    def agent(self, twin: int, seat: Seat) -> Agent:
        """An agent for a new game; a program plays on in its seat."""
        if not issubclass(self.spec.agent, ExternalAgent):
            return self.spec.make()
        if (twin, seat) not in self._programs:
            self._programs[twin, seat] = self.spec.make()
        return self._programs[twin, seat]

    def _courses(
        self, rules: RuleSet, seed: int, twins: Sequence[int], together: bool = False
    ) -> list[tuple[Event, ...] | None]:
        """The events of these games, played side by side; None for one that broke off.

        Each seed has two games, the twins 0 and 1.
        """
        tables = [_Table(self, rules, seed, twin) for twin in twins]
        while going := [table for table in tables if table.decision is not None]:
            if together and all(table.can_decide_together for table in going):
                self._decide_together(going)
            else:
                for table in going:
                    table.decide()
        return [None if table.broken else table.game.events for table in tables]

    def _decide_together(self, tables: Sequence[_Table]) -> None:
        agents = [table.agent for table in tables]
        views = [table.view for table in tables]
        act_many: Any = getattr(self.spec.agent, "act_many")  # noqa: B009 - it is optional
        try:
            actions = list(self.call(tables[0].where, act_many, agents, views))
            if len(actions) != len(tables):
                self.note(f"{len(actions)} actions for {len(tables)} views", tables[0].where)
                raise _Broken
        except _Broken:
            for table in tables:
                table.break_off()
            return
        for table, action in zip(tables, actions, strict=True):
            table.answer(action)


class _Table:
    """One game among copies of the agent."""

    def __init__(self, checker: _Checker, rules: RuleSet, seed: int, twin: int) -> None:
        import numpy as np

        self.game = Game.deal(rules, seed=np.random.SeedSequence(seed, spawn_key=(twin,)))
        self.broken = False
        self.decision: Decision | None = None
        self._checker = checker
        self._rules = f"{rules}, seed {seed}"
        self._turns = Turns(self.game)
        checker.found.games += 1
        generators = np.random.default_rng((seed, twin)).spawn(rules.players)
        try:
            self._agents = [
                checker.call(f"{self._rules}, made", checker.agent, twin, seat)
                for seat in range(rules.players)
            ]
            for seat, (agent, rng) in enumerate(zip(self._agents, generators, strict=True)):
                where = f"{self._rules}, {seat_name(seat)} at the start"
                if getattr(agent, "sees_all_cards", False):
                    checker.call(where, cast(Any, agent).see_deal, self.game.dealt)
                checker.call(where, agent.start, self.game.view(seat), rng)
        except _Broken:
            self.broken = True
            return
        self.decision = self._turns.decision

    @property
    def agent(self) -> Agent:
        """Whose decision it is."""
        return self._agents[self._seat]

    @property
    def view(self) -> View:
        """What that agent sees."""
        return self.game.view(self._seat)

    @property
    def where(self) -> str:
        """In words."""
        number = len(self.game.events) + 1
        return f"{self._rules}, {seat_name(self._seat)} deciding on event {number}"

    @property
    def can_decide_together(self) -> bool:
        return self.decision is not None and not self.decision.off_turn

    @property
    def _seat(self) -> Seat:
        assert self.decision is not None
        return self.decision.seat

    def decide(self) -> None:
        """Have the agent take the decision."""
        assert self.decision is not None
        method = self.agent.claim if self.decision.off_turn else self.agent.act
        try:
            answer: Answer = self._checker.call(self.where, method, self.view)
        except _Broken:
            self.break_off()
        else:
            self.answer(answer)

    def break_off(self) -> None:
        self.broken = True
        self.decision = None

    def answer(self, answer: Answer) -> None:
        """Give the game the answer, and let all agents see what came of it."""
        assert self.decision is not None
        self._note_situation(answer)
        where, seat = self.where, self._seat
        self._checker.found.decisions += 1
        late = self.game.rules.turn_seconds and len(self.game.events) % _LATE_EVERY == 7
        try:
            event = self._turns.answer(TimedOut(seat) if late else answer)
        except IllegalActionError as error:
            self._checker.note(f"illegal: {error}", where)
            self.break_off()
            return
        self.decision = self._turns.decision
        if event is not None:
            self._observe(event, where)
        if self.game.outcome is not None:
            self._reach(self.game.outcome.termination.name.lower().replace("_", " "))

    def _observe(self, event: Event, where: str) -> None:
        """Note the event, and let all agents observe it."""
        self._note_event(event)
        try:
            for seat, agent in enumerate(self._agents):
                self._checker.call(f"{where}, seen by {seat_name(seat)}", agent.observe, event)
        except _Broken:
            self.break_off()

    def _reach(self, situation: str) -> None:
        self._checker.found.reached[situation] += 1

    def _note_situation(self, answer: Answer) -> None:
        """What kind of decision this is, and which kind of answer it got."""
        assert self.decision is not None
        view, seat = self.view, self._seat
        if self.decision.off_turn:
            if answer is not None:
                self._reach("claim off turn")
            return
        if not view.hand_sizes[seat]:
            self._reach("forced pass")
        elif self.game.must_claim:
            self._reach("forced claim")
        elif isinstance(answer, Pass):
            self._reach("free pass")
        if not any(view.hand_sizes[1 - team_of(seat) :: 2]):
            self._reach("team without cards")

    def _note_event(self, event: Event) -> None:
        match event:
            case Asked(hit=hit):
                self._reach("hit" if hit else "miss")
            case Claimed(claimant, _, holders, right, shown):
                self._reach("right claim" if right else "wrong claim")
                if shown is None:
                    self._reach("hidden claim")
                if any(team_of(holder) != team_of(claimant) for holder in holders):
                    self._reach("split claim")
            case TimedOut():
                self._reach("timeout")


@contextlib.contextmanager
def _other_common_generators() -> Iterator[None]:
    """Whoever draws from the generators of the process, not from its own, gets other numbers."""
    import numpy as np

    before, numpy_before = random.getstate(), np.random.get_state()  # noqa: NPY002
    random.seed(str(random.random()))
    np.random.seed(random.getrandbits(32))  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(before)
        np.random.set_state(numpy_before)  # noqa: NPY002


@contextlib.contextmanager
def _bounded(seconds: float) -> Iterator[None]:
    """Raise `_TooLate` in whatever runs longer. Only the main thread can do this."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise _TooLate

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
