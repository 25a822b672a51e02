"""The supervisor process: forks a player off, watches it, and replaces it when it is lost.

Agents are foreign code that may hang, exit or crash, and nothing in the same process can prevent
that. So they run in a *player* process (`tournaments.processes.player`). The supervisor runs none
of their code; it reads the reports of the player, kills it when a call exceeds its time limit, and
starts another one for the games that are left:

- a call that exceeds its limit forfeits its game at once (``timeout``);
- when a player dies, its games are lost with it. The game whose agent was running is played again,
  alone; if the player dies again, that game is forfeited (``crash``). The other games are simply
  replayed and cannot come out differently;
- when the call was for many games, each of them is played again alone.

The supervisor loads the agents of this package and lets them compile (``warm_up``) before it forks,
so that a new player costs a few hundredths of a second. It reads tasks as JSON, one a line, and
answers each with one line, see `tournaments.processes.worker`. It ends with its parent, and its
player ends with it.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
import traceback
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from literature_ai.bots.external import BYE_SECONDS, how_it_ended
from literature_ai.bots.registry import BUILT_IN, parse_spec, split_team
from literature_ai.errors import LiteratureError
from tournaments.plan import HALVES, Half, Plan
from tournaments.processes import player
from tournaments.processes.series import Series
from tournaments.processes.watchdog import Checkpoint, Watchdog
from tournaments.results import FailureKind, GameResult

IDLE_SECONDS = 300.0
"""A supervisor that has had no task for so long ends; its worker starts another when needed."""
GOODBYE_SECONDS = 2 * BYE_SECONDS
"""How long a player may take to end its programs."""
_POLL_SECONDS = 0.25
"""How often a silent player is checked."""
_CRASHES_TO_FORFEIT = 2
_MAX_CRASHES_BETWEEN_GAMES = 10
_PARENT = 0
"""The standard input, on which the parent sends tasks, one at a time."""


class ParentGone(Exception):
    """The parent has closed the standard input during a task."""


def main() -> None:
    """Serve tasks from the standard input until it is closed."""
    # The terminal's Ctrl-C is handled by the parent, which then closes the standard input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    supervisor = Supervisor()
    tasks = _Messages(_PARENT)
    try:
        while not tasks.ended and select.select([_PARENT], [], [], IDLE_SECONDS)[0]:
            for task in tasks.read():
                answer = supervisor.answer(task)
                sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
                sys.stdout.buffer.flush()
        supervisor.close()
    except (ParentGone, BrokenPipeError):
        supervisor.kill()
    # A normal exit would complain about standard output, which is closed by now.
    os._exit(0)


class Supervisor:
    """Has tasks played by one player after the other."""

    def __init__(self) -> None:
        self._player: _PlayerProcess | None = None
        self._run = ""

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        """The answer to a message of `tournaments.processes.worker`. Raises `ParentGone`."""
        try:
            if "warm_up" in message:
                _warm_up(Plan.from_json(message["warm_up"]))
                return {}
            return {"results": self.play(message)}
        except LiteratureError as error:
            return {"refused": str(error)}
        except ParentGone:
            raise
        except Exception:
            return {"broken": traceback.format_exc()}

    def play(self, task: dict[str, Any]) -> list[list[GameResult]]:
        """The results of the games of each half of each pair of the task, in that order."""
        plan = Plan.from_json(task["plan"])
        if task["run"] != self._run:
            self.close()
            self._run = task["run"]
            _warm_up(plan)
            # These objects live on. Frozen, a player's garbage collector neither traverses them,
            # which took a tenth of the time, nor writes to (and so copies) the shared memory.
            gc.freeze()
        halves = [Half((a, b), pair, half) for a, b, pair in task["pairs"] for half in HALVES]
        progress = _TaskProgress(plan, halves, task["with_records"])
        while batch := progress.next_batch():
            self._play_batch(task, progress, batch)
        return [series.results for series in progress.series]

    def close(self) -> None:
        """End the player, which must be idle, after letting it end its programs."""
        if self._player is not None:
            self._player.close()
        self.kill()

    def kill(self) -> None:
        """Kill the player, if there is one, even if it is busy."""
        if self._player is not None:
            self._player.kill()
            self._player = None

    def _play_batch(
        self, task: dict[str, Any], progress: _TaskProgress, batch: Sequence[Series]
    ) -> None:
        """Have the series played until they are finished or the player is lost."""
        if self._player is None:
            self._player = _PlayerProcess()
        process = self._player
        process.send(
            {
                "plan": task["plan"],
                "folder": task["folder"],
                "with_records": task["with_records"],
                "batch_size": task["batch_size"] if len(batch) > 1 else 1,
                "halves": [
                    [each.number, each.half.matchup, each.half.pair, each.half.half, each.results]
                    for each in batch
                ],
            }
        )
        for message in process.messages():
            match message:
                case {"done": True}:
                    return
                case {"loaded": True}:
                    process.loaded = True
                case {"groups": groups}:
                    process.groups.update(groups)
                case {"refused": str(reason)}:
                    raise LiteratureError(reason)
                case {"broken": str(text)}:
                    raise RuntimeError(f"in the player:\n{text}")
                case _:
                    progress.update(message)
        self._player = None
        ending = process.kill()
        if progress.is_playing:
            progress.player_lost(process.watchdog.last_call(), ending, process.late)
        else:
            ending = "took too long" if process.late else ending
            progress.player_lost_between_games(ending, process.loaded)


class _TaskProgress:
    """Which series of a task are still to be played, and which of them alone."""

    def __init__(self, plan: Plan, halves: Sequence[Half], with_records: bool) -> None:
        self.series = [Series(number, half) for number, half in enumerate(halves)]
        self._plan = plan
        self._with_records = with_records
        self._unfinished = dict.fromkeys(range(len(halves)))
        self._isolated: deque[int] = deque()
        self._playing: set[int] = set()
        self._crashes: Counter[int] = Counter()
        self._crashes_between_games = 0

    def next_batch(self) -> list[Series]:
        """The series to be played next: one that is isolated, or all that are left."""
        if self._isolated:
            return [self.series[self._isolated[0]]]
        return [self.series[number] for number in self._unfinished]

    @property
    def is_playing(self) -> bool:
        """Whether a game is in progress."""
        return bool(self._playing)

    def update(self, message: dict[str, Any]) -> None:
        """Follow a report of `Player`."""
        match message:
            case {"playing": int(number)}:
                self._playing.add(number)
            case {"game": int(number), "result": result}:
                self._end_game(number, result)
            case {"finished": int(number)}:
                del self._unfinished[number]
                if number in self._isolated:
                    self._isolated.remove(number)
            case {"isolate": numbers}:
                self._playing.difference_update(numbers)
                self._isolated.extend(numbers)

    def player_lost(self, last: Checkpoint, ending: str, late: bool) -> None:
        """The player died, or was killed because it was ``late``, in the call at a checkpoint."""
        playing, self._playing = self._playing, set()
        number = last.series if last.series in playing else min(playing)
        if last.batched:
            self._isolated.extend(sorted(playing - set(self._isolated)))
        elif late:
            limit = f"{self._plan.seconds_to_move:g} seconds"
            self._forfeit(number, last, "timeout", f"no answer within {limit}")
        else:
            self._crashes[number] += 1
            if self._crashes[number] >= _CRASHES_TO_FORFEIT:
                self._forfeit(number, last, "crash", f"its process {ending}, twice")
            elif number not in self._isolated:
                self._isolated.append(number)

    def player_lost_between_games(self, ending: str, loaded: bool) -> None:
        """The player died before it had ``loaded`` the agents, or between two games.

        Raises LiteratureError when that happens repeatedly.
        """
        self._crashes_between_games += 1
        limit = _MAX_CRASHES_BETWEEN_GAMES if loaded else _CRASHES_TO_FORFEIT
        if self._crashes_between_games >= limit:
            agents = " and ".join(self._plan.teams)
            raise LiteratureError(
                f"the agents {agents} cannot be loaded: the process that tried {ending}"
                if not loaded
                else f"the process that plays {agents} {ending} between games, {limit} times"
            )

    def _forfeit(self, number: int, last: Checkpoint, kind: FailureKind, text: str) -> None:
        series = self.series[number]
        result = series.forfeited_at(self._plan, last, kind, text, self._with_records)
        self._end_game(number, result)

    def _end_game(self, number: int, result: GameResult) -> None:
        self._playing.discard(number)
        self._crashes.pop(number, None)
        self.series[number].results.append(result)


class _Messages:
    """Reads JSON objects, one a line, from a file descriptor."""

    def __init__(self, source: int) -> None:
        self.source = source
        self.ended = False
        self._partial_line = b""

    def read(self) -> Iterator[dict[str, Any]]:
        """The messages that have arrived; blocks while there is none."""
        try:
            chunk = os.read(self.source, 1 << 16)
        except ConnectionResetError:
            chunk = b""
        self.ended = not chunk
        *lines, self._partial_line = (self._partial_line + chunk).split(b"\n")
        return map(json.loads, lines)


class _PlayerProcess:
    """A forked player, from the side of its supervisor."""

    def __init__(self) -> None:
        self.watchdog = Watchdog()
        self.late = False
        """Whether a call exceeded its time limit."""
        self.loaded = False
        """Whether it has loaded the agents."""
        self.groups: set[int] = set()
        """The process groups of the programs that it has started."""
        self._socket, theirs = socket.socketpair()
        self._pid = os.fork()
        if self._pid == 0:
            self._socket.close()
            _run_player(theirs, self.watchdog)
        theirs.close()
        with contextlib.suppress(OSError):
            os.setpgid(self._pid, self._pid)

    def send(self, message: dict[str, Any]) -> None:
        # If it is dead already, the end of its messages will show that.
        with contextlib.suppress(OSError):
            self._socket.sendall(json.dumps(message).encode() + b"\n")

    def messages(self) -> Iterator[dict[str, Any]]:
        """Its messages until it is dead or late. Raises `ParentGone`."""
        received = _Messages(self._socket.fileno())
        while not received.ended:
            left = self.watchdog.seconds_left()
            self.late = left is not None and left < 0
            timeout = _POLL_SECONDS if left is None else min(max(left, 0), _POLL_SECONDS)
            readable, _, _ = select.select([received.source, _PARENT], [], [], timeout)
            if _PARENT in readable:
                raise ParentGone
            if received.source in readable:
                yield from received.read()
            elif self.late or self._dead():
                return

    def _dead(self) -> bool:
        """Whether it has ended; a process that it started may still hold its socket open."""
        return os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def close(self) -> None:
        """Tell it that there are no more tasks, and give it time to end by itself."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
        select.select([self._socket], [], [], GOODBYE_SECONDS)

    def kill(self) -> str:
        """Kill it and all programs that it has started; in words, how it ended."""
        # It may have left its process group.
        os.kill(self._pid, signal.SIGKILL)
        for group in {self._pid, *self.groups}:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
        self._socket.close()
        _, status = os.waitpid(self._pid, 0)
        return how_it_ended(os.waitstatus_to_exitcode(status))


def _run_player(supervisor: socket.socket, watchdog: Watchdog) -> NoReturn:
    """The main function of the forked process."""
    try:
        os.setpgid(0, 0)
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        # A game makes thousands of small objects and no cycles: the usual threshold of 700 cost a
        # tenth of the time.
        gc.set_threshold(50_000, 10, 10)
        player.serve(supervisor, watchdog)
    finally:
        os._exit(0)


def _warm_up(plan: Plan) -> None:
    """Let the agents of this package compile what they need, once for all players."""
    for spec in {spec for team in plan.teams for spec in split_team(team)}:
        if spec.partition(":")[0] in BUILT_IN:
            warm_up = getattr(parse_spec(spec).agent, "warm_up", None)
            if warm_up is not None:
                warm_up()
