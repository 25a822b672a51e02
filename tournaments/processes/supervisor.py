"""The supervisor: has tasks played by players, and finds out whose code makes a game fail.

It is part of the worker and runs no agent's code. It reads the reports of a player process, kills
it when a call exceeds its time limit, and starts another one for the games that are left.

Agents of both teams run in one process, so where a failure shows is no proof of whose it is: a
handler or a thread that one team has left behind may raise or hang in a call of the other, and
whoever plays when the process dies may have done nothing. A game that fails is therefore played
again, in processes of its own (`Supervisor._judge`):

1. with the code of one team alone, that of the failure first, while the moves of the other team are
   those of the failed game, up to where it failed. A team whose game fails so forfeits: nobody
   else's code has run. When the moves were lost with the process, both teams first play once more
   up to the event of the failure, to learn them;
2. if neither team alone fails, once more with both. If the game then comes to its end, that
   counts;
3. if it fails again, with the code of one team alone to the end of the game, while a stand-in of
   ours (`tournaments.processes.seated_game.stand_in`) decides for the other team. If just one team
   fails so, it forfeits. Otherwise the game is void, and its pair counts for nobody.

The other games of a lost player are simply replayed, and cannot come out differently. When a call
for many games fails, each of them is played again one at a time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict, TypeVar, cast, get_args

from literature_ai.bots.answers import plain_text
from literature_ai.bots.processes import Late, Lost
from literature_ai.bots.registry import split_team
from literature_ai.cards import Team, seat_name, team_of
from literature_ai.errors import LiteratureError
from tournaments.plan import HALVES, Half, Plan
from tournaments.processes.moves import Move, from_plain, to_plain
from tournaments.processes.player_process import (
    Broken,
    LauncherProcess,
    PlayerProcess,
    StartMethod,
    Stopped,
)
from tournaments.processes.series import Rerun, Series
from tournaments.results import Counters, Failure, FailureKind, GameResult, no_counters

T = TypeVar("T")

_ATTEMPTS = 3
"""How often a process is started before that is given up."""
_MOST_UNEXPLAINED = 3
"""After so many losses of a player that no game explains, each game has a player of its own."""


class Task(TypedDict):
    """Some pairs to play."""

    run: str
    """Identifies the run. Players are not reused in another run: agents' code may have changed."""
    plan: dict[str, Any]
    """See `Plan.to_json`."""
    pairs: list[tuple[int, int, int]]
    """For each pair the first team, the second team and the number of the pair."""
    batch_size: int
    """The number of games to play at the same time."""
    with_records: bool
    folder: str
    """The folder that paths of agents are relative to."""
    start_method: StartMethod | None
    """How players are started; None: as suits the system that plays."""
    isolated: bool
    """Whether every agent is a program of its own."""


@dataclass(slots=True)
class _Played:
    """What came of playing a game: a result, a failure, or neither when it was stopped."""

    result: GameResult | None = None
    failure: Failure | None = None
    moves: list[Move] | None = None
    """The moves before the failure, or before it was stopped; None if they are not known."""
    counters: tuple[Counters, Counters] | None = None


@dataclass(slots=True)
class _Progress:
    """The series of a task, and which of them are still to be played."""

    series: list[Series]
    left: dict[int, Series]
    one_at_a_time: list[int] = field(default_factory=list)
    """The numbers of those that a failed call for many games has abandoned."""
    failed: list[tuple[int, _Played]] = field(default_factory=list)
    """The games to be judged."""

    def next_batch(self) -> list[Series]:
        """The series to be played next."""
        self.one_at_a_time = [number for number in self.one_at_a_time if number in self.left]
        if self.one_at_a_time:
            return [self.left[self.one_at_a_time[0]]]
        return [*self.left.values()]


class Supervisor:
    """Has tasks played by one player after the other."""

    def __init__(self, method: StartMethod) -> None:
        self.method: StartMethod = method
        self.stopped = False
        """Whether it has been told to `abort`."""
        self._launcher: LauncherProcess | None = None
        self._warm: frozenset[str] = frozenset()
        """The specs that the launcher has warmed up."""
        self._player: PlayerProcess | None = None
        self._single: tuple[int, PlayerProcess] | None = None
        """A player that has run the code of one team only, and the number of that team."""
        self._run = ""
        self._unexplained = 0

    def check(self, plan: Plan, folder: str, make: bool) -> list[tuple[str, str | None, bool]]:
        """Load all agents in a player of its own, or only find them and make each of them once.

        For each spec: its text, the program that it runs if any, and whether it sees all cards.
        Raises LiteratureError when an agent cannot be loaded or made, and `Stopped`.
        """
        task = {"plan": plan.to_json(), "check": make}
        team, specs = plan.teams[0], []
        player = self._start(folder)
        try:
            for message in player.messages(task, lambda: self.stopped):
                match message:
                    case {"checking": int(number)}:
                        team = plan.teams[number]
                    case {"unusable": str(reason)}:
                        raise LiteratureError(reason)
                    case {"specs": list(found)}:
                        specs += [(spec, program, bool(sees)) for spec, program, sees in found]
        except Lost as lost:
            how = str(lost) if isinstance(lost, Late) else player.how_ended() or str(lost)
            raise LiteratureError(
                f"{team!r} cannot be loaded: the process that tried {how}"
            ) from None
        finally:
            player.kill()
        return specs

    def play(self, task: Task) -> list[list[GameResult]]:
        """The results of the games of each half of each pair of the task, in that order.

        Raises `Stopped`, and LiteratureError when no process can be started.
        """
        plan = Plan.from_json(task["plan"])
        if task["run"] != self._run:
            self._drop_players(gently=True)
            self._run, self._unexplained = task["run"], 0
        self._tell_resting(resting=False)
        self.warm_up(plan)
        halves = [Half((a, b), pair, half) for a, b, pair in task["pairs"] for half in HALVES]
        series = [Series(number, half) for number, half in enumerate(halves)]
        progress = _Progress(series, dict(enumerate(series)))
        while progress.left:
            if self._unexplained < _MOST_UNEXPLAINED:
                self._play_batch(task, progress, progress.next_batch())
            else:
                first = next(iter(progress.left.values()))
                if first.next_game(plan) is None:
                    # The player was lost before it could say so.
                    del progress.left[first.number]
                    continue
                self._settle(plan, progress, first, self._play_alone(task, first, Rerun()))
            for number, played in progress.failed:
                verdict = self._judge(task, plan, series[number], played)
                self._settle(plan, progress, series[number], verdict)
            progress.failed.clear()
        return [each.results for each in series]

    def rest(self) -> None:
        """Prepare for having no task for a while."""
        self._tell_resting(resting=True)

    def warm_up(self, plan: Plan) -> None:
        """Let the agents of this package compile what they need, unless that is done."""
        specs = frozenset(spec for team in plan.teams for spec in split_team(team))
        if not specs <= self._warm:
            self._with_launcher(lambda launcher: launcher.warm_up(sorted(specs)))
            self._warm |= specs

    def abort(self) -> None:
        """Have `play` raise `Stopped` as soon as it can; to be called in another thread."""
        self.stopped = True
        if self._launcher is not None:
            self._launcher.kill()

    def close(self) -> None:
        """End all its processes. It must not be playing."""
        self._drop_players(gently=not self.stopped)
        if self._launcher is not None:
            self._launcher.close()
            self._launcher = None

    def say_goodbye(self) -> None:
        """Tell an idle player that there are no more tasks, ahead of `close`."""
        for player in self._players():
            player.say_goodbye()

    def _settle(self, plan: Plan, progress: _Progress, series: Series, verdict: _Played) -> None:
        """Take the result of a game; or its failure, which is still to be judged."""
        if verdict.result is None:
            progress.failed.append((series.number, verdict))
            return
        series.results.append(verdict.result)
        if series.next_game(plan) is None:
            progress.left.pop(series.number, None)

    def _play_batch(self, task: Task, progress: _Progress, batch: Sequence[Series]) -> None:
        """Have the series played until they are finished or the player is lost."""
        if self._player is None:
            self._player = self._start(task["folder"])
        player, playing = self._player, set[int]()
        size = task["batch_size"] if len(batch) > 1 else 1
        try:
            for message in player.messages(_message(task, batch, size), lambda: self.stopped):
                try:
                    _follow(progress, playing, message)
                except (KeyError, TypeError, ValueError, IndexError):
                    raise Lost("wrote what is no message") from None
        except Lost as lost:
            self._player = None
            last = player.watchdog.last_call()
            if not playing:
                self._unexplained += 1
            elif last.batched:
                progress.one_at_a_time += sorted(playing)
            else:
                number = last.series if last.series in playing else min(playing)
                failure = _loss(progress.series[number], player, lost, task)
                progress.failed.append((number, _Played(failure=failure)))
            player.kill()

    def _judge(self, task: Task, plan: Plan, series: Series, played: _Played) -> _Played:
        """The result of a game that has failed, once it is known whose fault that was."""
        if played.moves is None:
            assert played.failure is not None
            until = played.failure["event"]
            first = played
            played = _Played(moves=[])
            if until:
                played = self._play_alone(task, series, Rerun(until=until))
            if played.result is not None:
                return played
            played.failure = played.failure or first.failure
        failure, moves = played.failure, played.moves
        assert failure is not None
        assert moves is not None
        suspect = team_of(failure["seat"])
        for side in (suspect, 1 - suspect):
            rerun = Rerun(side, moves, len(moves) + 1)
            again = self._play_one_side(task, series, side, rerun)
            if again.failure is not None:
                # What was counted is of the moves before the failure that was judged.
                counters = played.counters if again.failure["event"] == len(moves) else None
                failure = again.failure
                break
        else:
            self._unexplained += 1
            again = self._play_alone(task, series, Rerun())
            if again.result is not None:
                return again
            guilty = [
                failed
                for side in (suspect, 1 - suspect)
                if (failed := self._play_one_side(task, series, side, Rerun(side, moves)).failure)
            ]
            failure = guilty[0] if len(guilty) == 1 else _void(failure)
            counters = played.counters
        failure["event"] = min(failure["event"], len(moves))
        before = moves[: failure["event"]]
        return _Played(series.forfeited(plan, before, failure, counters, task["with_records"]))

    def _play_alone(self, task: Task, series: Series, rerun: Rerun) -> _Played:
        """Play the next game of a series again, in a player of its own."""
        player = self._start(task["folder"])
        try:
            return self._play_again(task, series, rerun, player)
        finally:
            player.kill()

    def _play_one_side(self, task: Task, series: Series, side: Team, rerun: Rerun) -> _Played:
        """The same with the code of one team, in a player that has run no other code."""
        team = series.half.matchup[series.half.team_at(side)]
        if self._single is not None and self._single[0] != team:
            self._single[1].kill()
            self._single = None
        _, player = self._single or (team, self._start(task["folder"]))
        self._single = None
        try:
            played = self._play_again(task, series, rerun, player)
        except BaseException:
            player.kill()
            raise
        if player.usable:
            self._single = team, player
        else:
            player.kill()
        return played

    def _play_again(
        self, task: Task, series: Series, rerun: Rerun, player: PlayerProcess
    ) -> _Played:
        played = _Played()
        message = _message(task, [series], 1, rerun)
        moves: list[Move] = []
        try:
            for answer in player.messages(message, lambda: self.stopped):
                try:
                    match answer:
                        case {"move": list(move)}:
                            moves.append(from_plain(move))
                        case {"game": _, "result": dict(result)}:
                            played.result = _result(result)
                        case {"failed": _, "failure": dict(failure)}:
                            played.failure = _failure(failure)
                            played.counters = answer["counters"]
                except (KeyError, TypeError, ValueError):
                    raise Lost("wrote what is no message") from None
        except Lost as lost:
            played = _Played(failure=_loss(series, player, lost, task, rerun.side))
        played.moves = moves
        return played

    def _start(self, folder: str) -> PlayerProcess:
        return self._with_launcher(lambda launcher: PlayerProcess(launcher, folder))

    def _with_launcher(self, use: Callable[[LauncherProcess], T]) -> T:
        """What the function returns; with another launcher when one is lost."""
        reason = ""
        for _ in range(_ATTEMPTS):
            if self.stopped:
                raise Stopped
            try:
                if self._launcher is None or self._launcher.lost:
                    self._replace_launcher()
                assert self._launcher is not None
                return use(self._launcher)
            except Lost as lost:
                reason = str(lost)
                # Whoever has stopped or killed the launcher could do it again.
                self._drop_players(gently=False)
        raise LiteratureError(f"the process that starts players {reason}, {_ATTEMPTS} times")

    def _replace_launcher(self) -> None:
        if self._launcher is not None:
            self._launcher.close()
        self._launcher = LauncherProcess(self.method)
        if self._warm:
            self._launcher.warm_up(sorted(self._warm))

    def _tell_resting(self, resting: bool) -> None:
        if self._launcher is not None and not self._launcher.lost:
            with contextlib.suppress(Lost):
                self._launcher.tell({"resting": resting})

    def _players(self) -> list[PlayerProcess]:
        players = [self._player, self._single and self._single[1]]
        return [player for player in players if player is not None]

    def _drop_players(self, gently: bool) -> None:
        """Kill the players; ``gently``: after they have ended their programs."""
        players = self._players()
        self._player = self._single = None
        if gently:
            for player in players:
                player.say_goodbye()
            for player in players:
                player.wait_for_goodbye()
        for player in players:
            player.kill()


def _message(
    task: Task, series: Sequence[Series], batch_size: int, rerun: Rerun | None = None
) -> dict[str, Any]:
    """The message that has a player play the series, see `tournaments.processes.player.serve`."""
    halves = [
        [each.number, each.half.matchup, each.half.pair, each.half.half, each.results]
        for each in series
    ]
    how = rerun and (rerun.side, [to_plain(move) for move in rerun.moves], rerun.until)
    return {
        "plan": task["plan"],
        "isolated": task["isolated"],
        "with_records": task["with_records"],
        "batch_size": batch_size,
        "halves": halves,
        "rerun": how,
    }


def _follow(progress: _Progress, playing: set[int], message: dict[str, Any]) -> None:
    """Follow a report of `Player`; raises all kinds of errors when it makes no sense."""
    match message:
        case {"playing": int(number)}:
            playing.add(progress.left[number].number)
        case {"game": int(number), "result": dict(result)}:
            playing.remove(number)
            progress.series[number].results.append(_result(result))
        case {"finished": int(number)}:
            del progress.left[number]
        case {"failed": int(number), "failure": dict(failure), "moves": list(moves)}:
            playing.remove(number)
            played = _Played(
                failure=_failure(failure),
                moves=[from_plain(move) for move in moves],
                counters=message["counters"],
            )
            progress.failed.append((number, played))
        case {"isolate": list(numbers)}:
            for number in numbers:
                playing.remove(number)
            progress.one_at_a_time += numbers


def _result(data: dict[str, Any]) -> GameResult:
    """The data as a result of a game. Raises ValueError when it is none."""
    numbers = [*data["score"], data["events"]]
    for counts in data["counters"]:
        numbers += [counts[name] for name in no_counters()]
    if (
        not all(type(number) is int for number in numbers)
        or (len(data["score"]), len(data["counters"])) != (2, 2)
        or data["winner"] not in (0, 1, None)
        or data["failure"] is not None
        or not isinstance(data["record"], str | None)
    ):
        raise ValueError
    return cast(GameResult, data)


def _failure(data: dict[str, Any]) -> Failure:
    """The data as a failure. Raises ValueError when it is none."""
    numbers = data["seat"], data["event"]
    if data["kind"] not in get_args(FailureKind) or not isinstance(data["text"], str):
        raise ValueError
    if not all(type(number) is int and number >= 0 for number in numbers):
        raise ValueError
    return cast(Failure, data)


def _loss(
    series: Series, player: PlayerProcess, lost: Lost, task: Task, side: Team | None = None
) -> Failure:
    """The failure that the loss of a player is, by the call that it had in progress."""
    last = player.watchdog.last_call()
    seat, event = (last.seat, last.events) if last.series == series.number else (0, 0)
    if side is not None and team_of(seat) != side:
        seat = side
    kind: FailureKind
    if isinstance(lost, Late):
        limit = Plan.from_json(task["plan"]).seconds_to_move
        kind, text = "timeout", f"no answer within {limit:g} seconds"
    elif isinstance(lost, Broken):
        kind, text = "error", plain_text(str(lost))
    else:
        kind, text = "crash", f"its process {player.how_ended() or lost}"
    return {"kind": kind, "seat": seat, "event": event, "text": text}


def _void(failure: Failure) -> Failure:
    """The failure of a game that neither team alone makes fail."""
    text = (
        f"{failure['text'].rstrip()}\nvoid: {failure['kind']} at {seat_name(failure['seat'])}, "
        "but only when the code of both teams runs"
    )
    return {**failure, "kind": "void", "text": text}
