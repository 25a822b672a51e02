"""The process that keeps a player: it forks one off, watches it, and replaces it when it is lost.

Agents are foreign code. They may hang, exit, or crash, and nothing in the same process can prevent
it. So they play in a *player* process, and a *supervisor* process, which runs none of their code,
listens to what the player tells (see `tournaments.player.Player`), kills it when a call takes
longer than allowed, and starts another one for what is left:

- a call that does not come back forfeits its game at once (``timeout``);
- a player that dies takes its games with it. The game whose agent was running is played once more,
  alone; if the player dies again, it is forfeited (``crash``). The other games are just played
  again, and cannot come out differently;
- when the call was for many games at once, each of them is played again alone.

The supervisor loads the agents of this package and lets them compile (``warm_up``) before it forks,
so that a new player costs a few hundredths of a second. It reads one task a line as JSON, and
answers one line, see `tournaments.worker`. It ends with its parent, and its players end with it.
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
from tournaments.player import Cast, Player, Series, forfeit
from tournaments.results import FailureKind, GameResult
from tournaments.watchdog import Place, Watchdog

IDLE_SECONDS = 300.0
"""A supervisor without a task for so long ends; whoever needs it again starts another."""
LOADING_SECONDS = 120.0
"""Within so long a player must have loaded the agents."""
GOODBYE_SECONDS = 2 * BYE_SECONDS
"""So long a player that is dismissed may take to end its programs."""
_GLANCE_SECONDS = 0.25
"""How often a player that says nothing is looked at."""
_DEATHS_TO_FORFEIT = 2
_MOST_DEATHS = 10
_PARENT = 0
"""The standard input, on which the parent sends tasks, one at a time."""


class ParentGone(Exception):
    """Nobody is left to play for."""


def main() -> None:
    """Serve tasks from the standard input until it ends."""
    # The terminal's Ctrl-C is for the parent alone, which ends us by closing our standard input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    supervisor = Supervisor()
    tasks = _Messages(_PARENT)
    try:
        while not tasks.ended and select.select([_PARENT], [], [], IDLE_SECONDS)[0]:
            for task in tasks.read():
                sys.stdout.buffer.write(json.dumps(_answer(supervisor, task)).encode() + b"\n")
                sys.stdout.buffer.flush()
        supervisor.dismiss()
    except (ParentGone, BrokenPipeError):
        supervisor.kill()
    # The interpreter's own end would complain about an output that nobody reads any more.
    os._exit(0)


def _answer(supervisor: Supervisor, message: dict[str, Any]) -> dict[str, Any]:
    try:
        if "warm_up" in message:
            _warm_up(Plan.from_json(message["warm_up"]))
            return {}
        return {"results": supervisor.run(message)}
    except LiteratureError as error:
        return {"refused": str(error)}
    except ParentGone:
        raise
    except Exception:
        return {"broken": traceback.format_exc()}


class Supervisor:
    """Has tasks played by one player after the other."""

    def __init__(self) -> None:
        self._player: _PlayerProcess | None = None
        self._run = ""

    def run(self, task: dict[str, Any]) -> list[list[GameResult]]:
        """The results of the games of each half of each pair of the task, in that order."""
        plan = Plan.from_json(task["plan"])
        if task["run"] != self._run:
            self.dismiss()
            self._run = task["run"]
            _warm_up(plan)
            # All of that stays. A player's collector need not look at it again and again, which
            # took a tenth of the time, nor touch, and so copy, the memory that the two share.
            gc.freeze()
        halves = [Half((a, b), pair, half) for a, b, pair in task["pairs"] for half in HALVES]
        progress = _Progress(plan, halves, task["with_records"])
        while batch := progress.next_batch():
            self._play(task, progress, batch)
        return [series.results for series in progress.series]

    def dismiss(self) -> None:
        """Let the player, which has nothing to do, say goodbye to its programs, and end it."""
        if self._player is not None:
            self._player.dismiss()
        self.kill()

    def kill(self) -> None:
        """End the player, if there is one, whatever it is doing."""
        if self._player is not None:
            self._player.kill()
            self._player = None

    def _play(self, task: dict[str, Any], progress: _Progress, batch: Sequence[Series]) -> None:
        """Have the halves played, until they are over or the player is lost."""
        if self._player is None:
            self._player = _PlayerProcess()
        player = self._player
        player.send(
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
        for message in player.messages():
            match message:
                case {"done": True}:
                    return
                case {"loaded": True}:
                    player.loaded = True
                case {"groups": groups}:
                    player.groups.update(groups)
                case {"refused": str(reason)}:
                    raise LiteratureError(reason)
                case {"broken": str(text)}:
                    raise RuntimeError(f"in the player:\n{text}")
                case _:
                    progress.take(message)
        self._player = None
        how = player.kill()
        if progress.is_playing:
            progress.lost(player.watch.last_place(), how, player.late)
        else:
            progress.lost_outside_games("took too long" if player.late else how, player.loaded)


class _Progress:
    """Which halves of a task are still to be played, and how."""

    def __init__(self, plan: Plan, halves: Sequence[Half], with_records: bool) -> None:
        self.series = [Series(number, half) for number, half in enumerate(halves)]
        self._plan = plan
        self._with_records = with_records
        self._open = dict.fromkeys(range(len(halves)))
        self._alone: deque[int] = deque()
        self._playing: set[int] = set()
        self._deaths: Counter[int] = Counter()
        self._lost_outside_games = 0

    def next_batch(self) -> list[Series]:
        """The halves to be played next: one alone, or all that are left; none at the end."""
        if self._alone:
            return [self.series[self._alone[0]]]
        return [self.series[number] for number in self._open]

    @property
    def is_playing(self) -> bool:
        """Whether a game is going on."""
        return bool(self._playing)

    def take(self, message: dict[str, Any]) -> None:
        """Take what a player tells."""
        match message:
            case {"playing": int(number)}:
                self._playing.add(number)
            case {"game": int(number), "result": result}:
                self._end_game(number, result)
            case {"over": int(number)}:
                del self._open[number]
                if number in self._alone:
                    self._alone.remove(number)
            case {"alone": numbers}:
                self._playing.difference_update(numbers)
                self._alone.extend(numbers)

    def lost(self, place: Place, how: str, late: bool) -> None:
        """The player was lost in a game, where the last call of an agent was made."""
        playing, self._playing = self._playing, set()
        number = place.number if place.number in playing else min(playing)
        if place.together:
            self._alone.extend(sorted(playing - set(self._alone)))
        elif late:
            self._forfeit(
                number, place, "timeout", f"no answer within {self._plan.seconds_to_move:g} seconds"
            )
        else:
            self._deaths[number] += 1
            if self._deaths[number] >= _DEATHS_TO_FORFEIT:
                self._forfeit(number, place, "crash", f"its process {how}, twice")
            elif number not in self._alone:
                self._alone.append(number)

    def lost_outside_games(self, how: str, loaded: bool) -> None:
        """The player was lost before it had ``loaded`` the agents, or between two games.

        Raises LiteratureError when that happens again and again.
        """
        self._lost_outside_games += 1
        if self._lost_outside_games >= (_MOST_DEATHS if loaded else _DEATHS_TO_FORFEIT):
            agents = " and ".join(self._plan.teams)
            raise LiteratureError(
                f"the agents {agents} cannot be loaded: the process that tried {how}"
                if not loaded
                else f"the process that plays {agents} {how}, again and again, between two games"
            )

    def _forfeit(self, number: int, place: Place, kind: FailureKind, text: str) -> None:
        series = self.series[number]
        self._end_game(number, forfeit(self._plan, series, place, kind, text, self._with_records))

    def _end_game(self, number: int, result: GameResult) -> None:
        self._playing.discard(number)
        self._deaths.pop(number, None)
        self.series[number].results.append(result)


class _Messages:
    """JSON objects, one a line, from a file descriptor."""

    def __init__(self, source: int) -> None:
        self.source = source
        self.ended = False
        self._unread = b""

    def read(self) -> Iterator[dict[str, Any]]:
        """Those that have come; waits if nothing has."""
        try:
            chunk = os.read(self.source, 1 << 16)
        except ConnectionResetError:
            chunk = b""
        self.ended = not chunk
        *lines, self._unread = (self._unread + chunk).split(b"\n")
        return map(json.loads, lines)


class _PlayerProcess:
    """A player that was forked off, and what it tells."""

    def __init__(self) -> None:
        self.watch = Watchdog()
        self.late = False
        """Whether a call took longer than allowed."""
        self.loaded = False
        """Whether it has the agents."""
        self.groups: set[int] = set()
        """Process groups of the programs that it has started."""
        self._socket, theirs = socket.socketpair()
        self._pid = os.fork()
        if self._pid == 0:
            self._socket.close()
            _be_player(theirs, self.watch)
        theirs.close()
        with contextlib.suppress(OSError):
            os.setpgid(self._pid, self._pid)

    def send(self, message: dict[str, Any]) -> None:
        # When it is dead already, the end of its messages will tell.
        with contextlib.suppress(OSError):
            self._socket.sendall(json.dumps(message).encode() + b"\n")

    def messages(self) -> Iterator[dict[str, Any]]:
        """What it tells, until it is lost. Raises `ParentGone`."""
        told = _Messages(self._socket.fileno())
        while not told.ended:
            left = self.watch.seconds_left()
            self.late = left is not None and left < 0
            glance = _GLANCE_SECONDS if left is None else min(max(left, 0), _GLANCE_SECONDS)
            readable, _, _ = select.select([told.source, _PARENT], [], [], glance)
            if _PARENT in readable:
                raise ParentGone
            if told.source in readable:
                yield from told.read()
            elif self.late or self._dead():
                return

    def _dead(self) -> bool:
        """Whether it has ended, even if something that it has started holds its socket open."""
        return os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def dismiss(self) -> None:
        """Tell it that there is no more to do, and give it time to end by itself."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
        select.select([self._socket], [], [], GOODBYE_SECONDS)

    def kill(self) -> str:
        """End it and all that it has started; in words, how it ended."""
        # It may have left its group.
        os.kill(self._pid, signal.SIGKILL)
        for group in {self._pid, *self.groups}:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, signal.SIGKILL)
        self._socket.close()
        _, status = os.waitpid(self._pid, 0)
        return how_it_ended(os.waitstatus_to_exitcode(status))


def _be_player(supervisor: socket.socket, watch: Watchdog) -> NoReturn:
    """The life of a player: play what the supervisor sends, tell what happens, end when it ends."""
    try:
        os.setpgid(0, 0)
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        # A game makes thousands of small objects and no cycles: looking for some after every 700
        # objects, as is usual, took a tenth of the time.
        gc.set_threshold(50_000, 10, 10)
        _serve(supervisor, watch)
    finally:
        os._exit(0)


def _serve(supervisor: socket.socket, watch: Watchdog) -> None:
    def tell(message: dict[str, Any]) -> None:
        supervisor.sendall(json.dumps(message).encode() + b"\n")

    cast: Cast | None = None
    for line in supervisor.makefile("rb"):
        task = json.loads(line)
        try:
            if cast is None:
                cast = _loaded(task, watch)
                tell({"loaded": True})
            series = [
                Series(number, Half((a, b), pair, half), results)
                for number, (a, b), pair, half, results in task["halves"]
            ]
            Player(cast, watch, tell, task["with_records"]).play(series, task["batch_size"])
        except (LiteratureError, OSError) as error:
            tell({"refused": str(error)})
        except Exception:
            tell({"broken": traceback.format_exc()})
        else:
            tell({"done": True})
    if cast is not None:
        cast.close()


def _loaded(task: dict[str, Any], watch: Watchdog) -> Cast:
    """The agents of the task, ready to play."""
    watch.begin(0, 0, round(LOADING_SECONDS * 1e9))
    try:
        os.chdir(task["folder"])
        cast = Cast(Plan.from_json(task["plan"]))
        cast.warm_up()
    finally:
        watch.end()
    return cast


def _warm_up(plan: Plan) -> None:
    """Let the agents of this package compile what they need, once for all players."""
    for spec in {spec for team in plan.teams for spec in split_team(team)}:
        if spec.partition(":")[0] in BUILT_IN:
            warm_up = getattr(parse_spec(spec).agent, "warm_up", None)
            if warm_up is not None:
                warm_up()
