"""Runs tasks in supervisor processes, from any thread or process of an executor.

A *task* is plain data: the plan, some pairs, and how to play them. `play_task` sends it to a
supervisor (`tournaments.processes.supervisor`) and returns its answer, plain data again. The worker
of the executor that calls it runs no agent's code and so cannot be harmed by it.

Each process has a pool of supervisors, one for each task that runs at the same time. They are used
for task after task and end with the process, or with `close_all`.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from typing import IO, Any, TypedDict, cast

_SUPERVISOR = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from tournaments.processes.supervisor import main
main()
"""
_CLOSE_SECONDS = 5.0
"""How long a supervisor may take to end, which waits for its programs to end."""
_ATTEMPTS = 3


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


def play_task(task: Task) -> dict[str, Any]:
    """Play the task. Returns one of

    - ``{"results": …, "seconds": …}``: for each half of each pair, in order, the results of its
      games; and how long that took;
    - ``{"refused": reason}``: it cannot be played here, for example because an agent is missing;
    - ``{"broken": traceback}``: an error of this package.

    It raises nothing, because not every exception can be pickled by an executor.
    """
    for _ in range(_ATTEMPTS):
        try:
            supervisor = _acquire(task)
            began = time.monotonic()
            answer = supervisor.ask(task) | {"seconds": time.monotonic() - began}
        except _Closed:
            return {"refused": "the tournament was stopped"}
        except (_SupervisorLost, OSError):
            continue
        _idle.append(supervisor)
        return answer
    return {"refused": f"the supervisor process was lost {_ATTEMPTS} times"}


def close_all() -> None:
    """End all supervisors of this process, and their players."""
    with _lock:
        _idle.clear()
        supervisors = [*_supervisors]
        for supervisor in supervisors:
            supervisor.close()
        for supervisor in supervisors:
            supervisor.wait()


def _acquire(task: Task) -> _Supervisor:
    """An idle supervisor, or a new one."""
    with _lock:
        while _idle:
            supervisor = _idle.pop()
            if supervisor.alive:
                return supervisor
        supervisor = _Supervisor()
        teams = json.dumps(task["plan"]["teams"])
        if teams not in _warm:
            # The first supervisor fills numba's cache, before others would compile the same.
            supervisor.ask({"warm_up": task["plan"]})
            _warm.add(teams)
    return supervisor


class _SupervisorLost(Exception):
    """A supervisor ended before it had answered."""


class _Closed(_SupervisorLost):
    """It ended because it was closed."""


class _Supervisor:
    """A supervisor process, from the side of its parent."""

    def __init__(self) -> None:
        self._closed = False
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SUPERVISOR, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            # There is a player per processor already.
            env={"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **os.environ},
        )
        _supervisors.add(self)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, message: Any) -> dict[str, Any]:
        """Its answer to a message. Raises `_SupervisorLost` when it ends before it has answered."""
        try:
            self._send(message)
            line = cast(IO[bytes], self._process.stdout).readline()
        except (OSError, ValueError):
            line = b""
        if not line.endswith(b"\n"):
            lost = _Closed if self._closed else _SupervisorLost
            self.close()
            self.wait()
            raise lost
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """Close its standard input; the process then ends even if it is busy."""
        self._closed = True
        with contextlib.suppress(OSError):
            cast(IO[bytes], self._process.stdin).close()

    def wait(self) -> None:
        """Wait until it has ended; kill it if that takes too long."""
        _supervisors.discard(self)
        try:
            self._process.wait(_CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        cast(IO[bytes], self._process.stdout).close()

    def _send(self, message: Any) -> None:
        pipe = cast(IO[bytes], self._process.stdin)
        pipe.write(json.dumps(message).encode() + b"\n")
        pipe.flush()


_supervisors: set[_Supervisor] = set()
_idle: list[_Supervisor] = []
_warm: set[str] = set()
"""The teams whose agents have been warmed up, as JSON."""
_lock = threading.Lock()
"""Held while supervisors are started or ended."""


def _reset_after_fork() -> None:
    """In a forked child, the supervisors belong to its parent."""
    global _lock
    _lock = threading.Lock()
    _supervisors.clear()
    _idle.clear()
    _warm.clear()


os.register_at_fork(after_in_child=_reset_after_fork)
atexit.register(close_all)
