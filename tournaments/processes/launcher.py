"""The launcher process: starts players, tells when they end, and ends them with its worker.

Agents are foreign code that may hang, exit, crash, or do the same to other processes, and nothing
in the same process can prevent that. So they run in *player* processes. The launcher is their
parent, and nothing that a worker waits for without a bound: when it is stopped or killed, the
player that runs goes on, and the worker starts another launcher for the next one.

Where the system can fork and that is safe, the launcher loads the agents of this package and lets
them compile (``warm_up``) before it forks, so that a new player costs a few hundredths of a second.
Elsewhere, or if asked to ``spawn``, each player is a fresh interpreter.

It reads messages of `tournaments.processes.supervisor`:

- ``{"warm_up": [spec, …]}``, answered by ``{"warm": true}`` or ``{"broken": traceback}``;
- ``{"start": path, "folder": …}`` with a socket, answered by ``{"started": id}``, ``{"refused":
  reason}`` or ``{"broken": traceback}``: starts a player with this watchdog in that folder;
- ``{"groups": [id, …]}``: the process groups of the programs that players have started;
- ``{"resting": bool}``: whether the worker has no task. A launcher that has rested for long ends.

and writes, between its answers, ``{"ended": id, "how": …}`` when a player has ended.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import subprocess
import sys
import time
import traceback
from typing import Any, NoReturn

from literature_ai.bots.external import how_it_ended
from literature_ai.bots.processes import Connection, Lost, inherited, kill, start_with
from literature_ai.bots.registry import BUILT_IN, parse_spec
from tournaments.processes import player
from tournaments.processes.watchdog import Watchdog

RESTING_SECONDS = 300.0
"""A launcher that has rested for so long ends; its worker starts another when needed."""
_POLL_SECONDS = 0.25
"""How often it looks whether players have ended."""
_PLAYER = "from tournaments.processes.player import main\nmain()"


def can_fork() -> bool:
    """Whether this system forks processes, safely: macOS and builds with free threads do not."""
    has_lock = getattr(sys, "_is_gil_enabled", lambda: True)()
    return hasattr(os, "fork") and sys.platform != "darwin" and has_lock


class Launcher:
    """The players that it has started, and how."""

    def __init__(self, worker: Connection, forks: bool) -> None:
        self._worker = worker
        self._forks = forks
        self._players: dict[int, subprocess.Popen[bytes] | None] = {}
        self._groups: set[int] = set()
        self._resting_since: float | None = None

    def serve(self) -> None:
        """Answer messages until the worker closes the connection, then kill all players."""
        try:
            while not self._has_rested():
                if self._worker.waits(_POLL_SECONDS):
                    for message in self._worker.read():
                        self._follow(message)
                self._report_endings()
        except Lost:
            pass
        finally:
            for process in {*self._players, *self._groups}:
                kill(process)

    def _has_rested(self) -> bool:
        since = self._resting_since
        return since is not None and time.monotonic() - since > RESTING_SECONDS

    def _follow(self, message: dict[str, Any]) -> None:
        match message:
            case {"warm_up": specs}:
                self._worker.send(_answer_of(lambda: _warm_up(specs)))
            case {"start": str(path), "folder": str(folder)}:
                with self._worker.socket_of(message) as theirs:
                    self._worker.send(_answer_of(lambda: self._start(theirs, path, folder)))
            case {"groups": groups}:
                self._groups.update(groups)
            case {"resting": resting}:
                self._resting_since = time.monotonic() if resting else None

    def _start(self, theirs: socket.socket, watchdog: str, folder: str) -> dict[str, Any]:
        if not os.path.isdir(folder):
            return {"refused": f"there is no folder {folder}"}
        if self._forks and sys.platform != "win32":
            process = os.fork()
            if process == 0:
                self._worker.close()
                _run_player(theirs, watchdog, folder)
            with contextlib.suppress(OSError):
                os.setpgid(process, process)
            self._players[process] = None
            return {"started": process}
        started = start_with(theirs, _PLAYER, watchdog, folder)
        self._players[started.pid] = started
        return {"started": started.pid}

    def _report_endings(self) -> None:
        for process, started in [*self._players.items()]:
            code = started.poll() if started is not None else _exit_code(process)
            if code is not None:
                # What it has started, and left behind, is in its group.
                kill(process)
                del self._players[process]
                self._worker.send({"ended": process, "how": how_it_ended(code)})


def main() -> None:
    """The main function of the process. Its argument says whether it forks."""
    # The terminal's Ctrl-C is handled by the worker, which then closes the connection.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker = Connection(inherited(), takes_sockets=True)
    Launcher(worker, sys.argv[1] == "fork").serve()
    os._exit(0)


def _exit_code(process: int) -> int | None:
    """The exit code of a forked player; None as long as it runs."""
    if sys.platform == "win32":
        return None
    ended, status = os.waitpid(process, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else None


def _run_player(worker: socket.socket, watchdog: str, folder: str) -> NoReturn:
    """The main function of a forked player."""
    try:
        if sys.platform != "win32":
            os.setpgid(0, 0)
        os.chdir(folder)
        player.run(worker, Watchdog(watchdog))
    finally:
        os._exit(0)


def _warm_up(specs: list[str]) -> dict[str, Any]:
    """Let the agents of this package compile what they need, once for all players."""
    for spec in specs:
        if spec.partition(":")[0] in BUILT_IN:
            parse_spec(spec).warm_up()
    # These objects live on. Frozen, a player's garbage collector neither traverses them, which took
    # a tenth of the time, nor writes to (and so copies) the shared memory.
    gc.freeze()
    return {"warm": True}


def _answer_of(function: Any) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = function()
    except Exception:
        return {"broken": traceback.format_exc()}
    return answer
