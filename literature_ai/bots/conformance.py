"""Conformance suite for agents: legal under every rule, and determined by the seed alone.

`check` plays games among copies of one agent under every rule switch and reports breaches:

- the agent raises, exceeds its time, ends its process, answers what is no action, or acts against
  the rules;
- it plays differently when given the same seed again: it draws random numbers from elsewhere, or
  keeps state from one game to the next;
- it plays differently when another game is played at the same time: games or seats share state;
- its ``act_many``, if it has one, decides differently from its ``act``.

The report also lists the situations that came up and those that did not, for only what came up was
checked. Under timed rules some decisions are declared late, to check that the agent goes on after
losing a turn.

The games are played in another process, which is killed when a call takes too long, and replaced
when it is lost: whatever an agent does, the check goes on.

An agent's own tests get all this by deriving from `ConformanceTests`:

    class TestMine(ConformanceTests):
        spec = "bots/mine.py:Mine"
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, cast

from literature_ai.agents.base import Agent
from literature_ai.bots.answers import (
    failure_of,
    in_one_line,
    plain_action,
    plain_actions,
    plain_claim,
    plain_text,
)
from literature_ai.bots.deadline import Watchdog
from literature_ai.bots.external import BYE_SECONDS, ExternalAgent, how_it_ended
from literature_ai.bots.processes import (
    Connection,
    Late,
    Lost,
    detach,
    ended,
    inherited,
    keep,
    kill,
    messages,
    start,
)
from literature_ai.bots.registry import Spec, parse_spec
from literature_ai.cards import Seat, seat_name, team_of
from literature_ai.errors import BotError, IllegalActionError, LiteratureError, SpecError
from literature_ai.events import Action, Asked, Claim, Claimed, Event, Pass, TimedOut
from literature_ai.game.game import Game
from literature_ai.game.turns import Answer, Decision, Turns
from literature_ai.game.view import View
from literature_ai.rules import SWITCHES, RuleSet

if TYPE_CHECKING:
    import numpy as np

_LONG_ENOUGH = 200
RULES: tuple[RuleSet, ...] = tuple(
    RuleSet.parse(f"max-events={events} {words}", players)
    for words, players, events in (
        ("", 6, 20),
        ("", 6, _LONG_ENOUGH),
        ("", 4, _LONG_ENOUGH),
        ("", 8, _LONG_ENOUGH),
        ("deck-54", 6, _LONG_ENOUGH),
        ("without-7s", 6, 20),
        ("without-2s", 6, 20),
        *(
            (switch.replace("_", "-"), 6, _LONG_ENOUGH)
            for switch in SWITCHES
            if switch not in ("cardless_claims", "claim_takes_turn", "choose_claimant")
        ),
        ("claim-any-time cardless-claims play-out", 6, _LONG_ENOUGH),
        ("claim-any-time claim-takes-turn wrong-loses-turn", 6, _LONG_ENOUGH),
        ("choose-claimant play-out", 4, _LONG_ENOUGH),
        ("turn-seconds=30", 6, _LONG_ENOUGH),
        ("us54 play-out", 6, _LONG_ENOUGH),
        ("pagat", 8, _LONG_ENOUGH),
        (" ".join(SWITCHES).replace("_", "-"), 6, 60),
    )
)
"""Each switch alone, the presets, and all switches at once; every game is capped in events."""

SITUATIONS: dict[str, str] = {
    "hit": "an ask that hit",
    "miss": "an ask that missed",
    "right claim": "a claim that was right",
    "wrong claim": "a claim that was wrong",
    "hidden claim": "a wrong claim that did not show the cards",
    "split claim": "a claim that names an opponent",
    "claim off turn": "a claim between two actions",
    "forced claim": "a turn without a legal ask or pass",
    "forced pass": "a turn without cards, passed to a teammate",
    "named claimant": "a turn of a team without cards, passed to an opponent of its choice",
    "free pass": "a pass in place of an ask",
    "team without cards": "a turn when the opponents have no cards left",
    "timeout": "a turn lost for being late",
    "majority": "a game that ended by a majority",
    "all claimed": "a game that ended with the last claim",
    "max events": "a game that ended unfinished",
}
"""The situations that can occur in a game: name and description."""

DECISION_SECONDS = 10.0
LOADING_SECONDS = 120.0
"""The time limit for importing the agent."""
_START_SECONDS = 60.0
_KILL_SECONDS = 5.0
_LAST_WORDS_SECONDS = 1.0
_LATE_EVERY = 15
_MOST_DIFFERENT_BREACHES = 20
_CODE = "from literature_ai.bots.conformance import main\nmain()"


@dataclass(slots=True)
class Breach:
    """One kind of breach by an agent."""

    what: str
    where: str
    """Where it first happened: the rules, the seed, the event."""
    times: int = 1
    details: str = ""
    """A traceback, or the standard error of a program."""


@dataclass(slots=True)
class Conformance:
    """The result of a check."""

    spec: str
    games: int = 0
    decisions: int = 0
    breaches: list[Breach] = field(default_factory=list)
    reached: Counter[str] = field(default_factory=Counter)
    """How often each of the `SITUATIONS` occurred."""

    @property
    def not_reached(self) -> list[str]:
        return [situation for situation in SITUATIONS if not self.reached[situation]]

    def report(self, what: str, where: str, details: str = "", times: int = 1) -> None:
        """Report a breach; place and details are kept of the first of its kind."""
        for breach in self.breaches:
            if breach.what == what:
                breach.times += times
                return
        if len(self.breaches) < _MOST_DIFFERENT_BREACHES:
            self.breaches.append(Breach(what, where, times, details))


def check(
    spec: str,
    rules: Iterable[RuleSet] = RULES,
    games: int = 1,
    seed: int = 0,
    seconds: float = DECISION_SECONDS,
    progress: Callable[[], object] = lambda: None,
) -> Conformance:
    """Check the agent in so many ``games`` under each rule set, each played several times.

    A call of the agent may take ``seconds``. ``progress`` is called after each game. Raises
    `SpecError` when the spec names no agent.
    """
    found = Conformance(spec)
    checking: _CheckingProcess | None = None
    try:
        for rule_set in rules:
            for number in range(games):
                if checking is None:
                    checking = _CheckingProcess(found, seconds)
                if not checking.check_game(rule_set, seed + number):
                    checking.kill()
                    checking = None
                progress()
        if checking is not None:
            checking.end()
    finally:
        if checking is not None:
            checking.kill()
    return found


class ConformanceTests:
    """Tests that every agent passes. Derive a class named ``Test…`` and set its ``spec``."""

    spec: str
    rules: Sequence[RuleSet] = RULES
    games = 1
    """Games under each rule set."""
    seconds = DECISION_SECONDS
    """The time that a call of the agent may take."""

    def test_it_keeps_to_the_rules_and_to_its_seed(self) -> None:
        """Under every rule switch it acts legally and in time, and repeats itself from its seed."""
        found = check(self.spec, self.rules, self.games, seconds=self.seconds)
        breaches = [f"{breach.what} ({breach.where})" for breach in found.breaches]
        assert not breaches, "\n".join(breaches)


class _CheckingProcess:
    """The process in which the agent is checked, from the side of the one that reports."""

    def __init__(self, found: Conformance, seconds: float) -> None:
        """Start it. Raises `SpecError` when the spec names no agent or its module cannot be run."""
        self._found = found
        self._seconds = seconds
        self._watchdog = Watchdog.create()
        self._process, end = start(keep(_CODE), self._watchdog.path)
        self._groups = {self._process.pid}
        self._connection = Connection(end)
        try:
            for message in self._answers({"spec": found.spec, "seconds": seconds}):
                if "unusable" in message:
                    raise SpecError(str(message["unusable"]))
        except Lost as lost:
            text = f"{found.spec!r} cannot be loaded: the process that tried {self._ending(lost)}"
            self.kill()
            raise SpecError(text) from None
        except BaseException:
            self.kill()
            raise

    def check_game(self, rules: RuleSet, seed: int) -> bool:
        """Check a game, and report what was found; False when the process is lost by that."""
        found = self._found
        try:
            for message in self._answers({"rules": asdict(rules), "seed": seed}):
                match message:
                    case {"breach": [str(what), str(where), str(details)]}:
                        found.report(what, where, details)
                    case {"games": int(games), "decisions": int(made), "reached": dict(reached)}:
                        found.games += games
                        found.decisions += made
                        found.reached.update(reached)
        except Lost as lost:
            what = f"crash: its process {self._ending(lost)}"
            if isinstance(lost, Late):
                what = f"timeout: no answer within {self._seconds:g} seconds"
            found.report(what, self._watchdog.noted)
            return False
        return True

    def end(self) -> None:
        """Let it end its programs. Call `kill` afterwards."""
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            self._connection.socket.shutdown(socket.SHUT_WR)
            self._process.wait(2 * BYE_SECONDS)

    def kill(self) -> None:
        """Kill it and the programs that it has started."""
        for group in self._groups:
            kill(group)
        ended(self._process, _KILL_SECONDS)
        self._connection.close()
        self._watchdog.close()

    def _answers(self, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Send a message; the answers up to the one that it is done. Raises `Lost`."""
        self._watchdog.expect(_START_SECONDS)
        self._connection.send(message)
        for answer in messages(
            self._connection, self._watchdog, lambda: self._process.poll() is not None
        ):
            match answer:
                case {"done": True}:
                    return
                case {"groups": list(running)}:
                    self._groups.update(g for g in running if type(g) is int and g > 1)
                case _:
                    yield answer

    def _ending(self, lost: Lost) -> str:
        """How it has ended, in words."""
        if not isinstance(lost, Late):
            with contextlib.suppress(subprocess.TimeoutExpired):
                return how_it_ended(self._process.wait(_LAST_WORDS_SECONDS))
        return str(lost)


def main() -> NoReturn:
    """The main function of the process that plays. Its argument: the path of the watchdog."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection = Connection(inherited())
    watchdog = Watchdog(sys.argv[1])
    detach()
    try:
        _serve(connection, watchdog)
        os._exit(0)
    finally:
        os._exit(1)


def _serve(connection: Connection, watchdog: Watchdog) -> None:
    """Load the agent that the first message names, and check the games that the others ask for."""
    task = connection.receive()
    watchdog.begin(round(LOADING_SECONDS * 1e9))
    try:
        spec = parse_spec(task["spec"])
    except LiteratureError as error:
        connection.send({"unusable": plain_text(str(error))})
        return
    finally:
        watchdog.end()
    checker = _Checker(spec, task["seconds"], watchdog, connection.send)
    while True:
        watchdog.expect(None)
        connection.send({"done": True})
        try:
            task = connection.receive()
        except Lost:
            break
        checker.check_game(RuleSet(**task["rules"]), task["seed"])
        checker.tell()
    checker.close()


class _Aborted(Exception):
    """The agent failed, so the game is aborted."""


class _Checker:
    """Plays the games of a check and tells breaches and situations."""

    def __init__(
        self,
        spec: Spec,
        seconds: float,
        watchdog: Watchdog,
        tell: Callable[[dict[str, Any]], None],
    ) -> None:
        self.found = Conformance(spec.text)
        self.spec = spec
        self._seconds = seconds
        self._watchdog = watchdog
        self._tell = tell
        self._programs: dict[tuple[int, Seat], ExternalAgent] = {}
        self._groups: set[int] = set()

    def close(self) -> None:
        """End the programs that were started."""
        for program in self._programs.values():
            program.say_goodbye()
        for program in self._programs.values():
            program.close()

    def tell(self) -> None:
        """Tell what has been counted since the last time."""
        found = self.found
        self._tell({"games": found.games, "decisions": found.decisions, "reached": found.reached})
        self.found = Conformance(found.spec)

    def check_game(self, rules: RuleSet, seed: int) -> None:
        """Play a game alone, again, beside another one, and decided together with that one."""
        alone = [self._play(rules, seed, [twin])[0] for twin in (0, 1)]
        if None in alone:
            return
        where = f"{rules}, seed {seed}"
        with _global_generators_reseeded():
            again = self._play(rules, seed, [0])
        if again != alone[:1]:
            self.report("plays differently when given the same seed again", where)
        if self._play(rules, seed, [0, 1]) != alone:
            self.report("plays differently when another game is played at the same time", where)
        if self._decides_jointly and self._play(rules, seed, [0, 1], together=True) != alone:
            self.report("decides differently in act_many than in act", where)

    def report(self, what: str, where: str, details: str = "") -> None:
        """Report a breach."""
        self._tell({"breach": [what, where, details]})

    def call(self, where: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the agent's code. When it fails, reports the breach and raises `_Aborted`."""
        watchdog = self._watchdog
        watchdog.note(where)
        limit = self._seconds
        if self._programs:
            # A program's time is limited by the agent itself; this one is for when that fails.
            limit = max(program.longest_call for program in self._programs.values())
        watchdog.begin(round(limit * 1e9))
        try:
            return function(*arguments)
        # Even an exit or an interrupt is the agent's own.
        except BaseException as error:
            what, details = _told(error)
        finally:
            watchdog.end()
        self.report(what, where, details)
        raise _Aborted

    def agent(self, twin: int, seat: Seat) -> Agent:
        """The agent of a seat for a new game; a program is started once for each seat."""
        if not issubclass(self.spec.agent, ExternalAgent):
            return self.spec.make()
        if (twin, seat) not in self._programs:
            program = cast(ExternalAgent, self.spec.make())
            program.answer_seconds = self._seconds
            self._programs[twin, seat] = program
        return self._programs[twin, seat]

    def tell_groups(self) -> None:
        """Tell the process groups of the programs that run."""
        groups = {program.process_group for program in self._programs.values()} - {None}
        if not self._groups.issuperset(cast(set[int], groups)):
            self._groups.update(cast(set[int], groups))
            self._tell({"groups": sorted(self._groups)})

    @property
    def _decides_jointly(self) -> bool:
        return getattr(self.spec.agent, "act_many", None) is not None

    def _play(
        self, rules: RuleSet, seed: int, twins: Sequence[int], together: bool = False
    ) -> list[tuple[Event, ...] | None]:
        """Play these games side by side; the events of each, or None if it was aborted.

        Each seed has two games, the twins 0 and 1. ``together``: decide by ``act_many``.
        """
        games = [_CheckedGame(self, rules, seed, twin) for twin in twins]
        while running := [game for game in games if game.decision is not None]:
            if together and all(game.can_decide_together for game in running):
                self._decide_together(running)
            else:
                for game in running:
                    game.decide()
        return [None if game.aborted else game.game.events for game in games]

    def _decide_together(self, games: Sequence[_CheckedGame]) -> None:
        agents = [game.agent for game in games]
        views = [game.view for game in games]
        try:
            actions = self.call(games[0].where, _act_many, self.spec.agent, agents, views)
        except _Aborted:
            for game in games:
                game.abort()
            return
        for game, action in zip(games, actions, strict=True):
            game.answer(action)


class _CheckedGame:
    """One game among copies of the agent, with every call of them checked."""

    def __init__(self, checker: _Checker, rules: RuleSet, seed: int, twin: int) -> None:
        import numpy as np

        self.game = Game.deal(rules, seed=np.random.SeedSequence(seed, spawn_key=(twin,)))
        self.aborted = False
        self.decision: Decision | None = None
        self._checker = checker
        self._rules = f"{rules}, seed {seed}"
        self._turns = Turns(self.game)
        checker.found.games += 1
        generators = np.random.default_rng((seed, twin)).spawn(rules.players)
        try:
            self._agents: list[Agent] = [
                checker.call(f"{self._rules}, made", checker.agent, twin, seat)
                for seat in range(rules.players)
            ]
            for seat, (agent, rng) in enumerate(zip(self._agents, generators, strict=True)):
                where = f"{self._rules}, {seat_name(seat)} at the start"
                checker.call(where, _start, agent, self.game, seat, rng)
                checker.tell_groups()
        except _Aborted:
            self.aborted = True
            return
        self.decision = self._turns.decision

    @property
    def agent(self) -> Agent:
        """The agent whose decision it is."""
        return self._agents[self._seat]

    @property
    def view(self) -> View:
        """What that agent sees."""
        return self.game.view(self._seat)

    @property
    def where(self) -> str:
        """The decision in words: the rules, the seat and the event."""
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
        """Ask the agent for its decision, and apply it."""
        assert self.decision is not None
        decide = _claim if self.decision.off_turn else _act
        try:
            answer: Answer = self._checker.call(self.where, decide, self.agent, self.view)
        except _Aborted:
            self.abort()
        else:
            self.answer(answer)

    def abort(self) -> None:
        self.aborted = True
        self.decision = None

    def answer(self, answer: Answer) -> None:
        """Apply the answer, and let all agents observe the event."""
        assert self.decision is not None
        self._count_decision(answer)
        where, seat = self.where, self._seat
        self._checker.found.decisions += 1
        late = self.game.rules.turn_seconds and len(self.game.events) % _LATE_EVERY == 7
        try:
            event = self._turns.answer(TimedOut(seat) if late else answer)
        except IllegalActionError as error:
            self._checker.report(f"illegal: {error}", where)
            self.abort()
            return
        self.decision = self._turns.decision
        if event is not None:
            self._observe(event, where)
        if self.game.outcome is not None:
            self._count(self.game.outcome.termination.name.lower().replace("_", " "))

    def _observe(self, event: Event, where: str) -> None:
        self._count_event(event)
        try:
            for seat, agent in enumerate(self._agents):
                self._checker.call(f"{where}, seen by {seat_name(seat)}", _observe, agent, event)
        except _Aborted:
            self.abort()

    def _count(self, situation: str) -> None:
        self._checker.found.reached[situation] += 1

    def _count_decision(self, answer: Answer) -> None:
        """Count the situations of the decision and of its answer."""
        assert self.decision is not None
        view, seat = self.view, self._seat
        if self.decision.off_turn:
            if answer is not None:
                self._count("claim off turn")
            return
        if self.game.must_claim:
            self._count("forced claim")
        elif not view.hand_sizes[seat]:
            named = team_of(view.legal_passes[0]) != team_of(seat)
            self._count("named claimant" if named else "forced pass")
        elif isinstance(answer, Pass):
            self._count("free pass")
        if not any(view.hand_sizes[1 - team_of(seat) :: 2]):
            self._count("team without cards")

    def _count_event(self, event: Event) -> None:
        """Count the situations of the event."""
        match event:
            case Asked(hit=hit):
                self._count("hit" if hit else "miss")
            case Claimed(claimant, _, holders, right, shown):
                self._count("right claim" if right else "wrong claim")
                if shown is None:
                    self._count("hidden claim")
                if any(team_of(holder) != team_of(claimant) for holder in holders):
                    self._count("split claim")
            case TimedOut():
                self._count("timeout")


@contextlib.contextmanager
def _global_generators_reseeded() -> Iterator[None]:
    """Reseed the global generators of `random` and numpy, and restore them afterwards."""
    import numpy as np

    before, numpy_before = random.getstate(), np.random.get_state()  # noqa: NPY002
    random.seed(str(random.random()))
    np.random.seed(random.getrandbits(32))  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(before)
        np.random.set_state(numpy_before)  # noqa: NPY002


def _told(error: BaseException) -> tuple[str, str]:
    """A failure in one line, and its details: a traceback, or the end of a program's output."""
    kind, text = failure_of(error)
    try:
        if isinstance(error, BotError):
            return plain_text(f"{kind}: {error}"), plain_text(error.diagnostics)
        return plain_text(f"{kind}: {in_one_line(error)}"), text
    except BaseException:
        return f"{kind}: an exception that cannot be shown", text


def _start(agent: Agent, game: Game, seat: Seat, rng: np.random.Generator) -> None:
    if getattr(agent, "sees_all_cards", False):
        cast(Any, agent).see_deal(game.dealt)
    agent.start(game.view(seat), rng)


def _observe(agent: Agent, event: Event) -> None:
    agent.observe(event)


def _act(agent: Agent, view: View) -> Action:
    return plain_action(agent.act(view))


def _claim(agent: Agent, view: View) -> Claim | None:
    return plain_claim(agent.claim(view))


def _act_many(kind: Any, agents: Sequence[Agent], views: Sequence[View]) -> list[Action]:
    return plain_actions(kind.act_many(agents, views), len(agents))
