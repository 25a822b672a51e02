"""Has tasks played, from whatever process or thread an executor calls it in.

A *task* is plain data: the plan, some pairs, and how to play them. `play_task` hands it to a
supervisor process (`tournaments.supervisor`) and returns what comes of it, plain data again. The
executor that calls it, be it a pool of threads or processes or a cluster, runs no agent's code and
so cannot be harmed by it; all that an agent can hang or crash is a player, which its supervisor
replaces.

Each process keeps its supervisors and uses one for task after task, so there are as many as there
are tasks at a time. They end with the process, or with `dismiss_all`.
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
from tournaments.supervisor import main
main()
"""
_LAST_SECONDS = 5.0
"""So long a supervisor may take to end, which waits for programs to do so."""
_TRIES = 3


class Task(TypedDict):
    """Some pairs to play."""

    run: str
    """A word for each run of a tournament. Players are not kept from one run to another, in which
    the agents' code may have changed."""
    plan: dict[str, Any]
    """See `Plan.to_json`."""
    pairs: list[tuple[int, int, int]]
    """The first team, the second, the number of the pair."""
    batch_size: int
    """Games to play at the same time, for agents that decide for many in one call."""
    with_records: bool
    folder: str
    """Where the paths of agents begin."""


def play_task(task: Task) -> dict[str, Any]:
    """Play the task. Returns one of

    - ``{"results": …, "seconds": …}``: for each half of each pair, in order, the results of its
      games; and how long that took;
    - ``{"refused": reason}``: it cannot be played here, for example for want of an agent;
    - ``{"broken": text}``: a fault of this package, with its traceback.

    It raises nothing, for exceptions do not always survive the way through an executor.
    """
    for _ in range(_TRIES):
        try:
            supervisor = _hire(task)
            began = time.monotonic()
            answer = supervisor.ask(task) | {"seconds": time.monotonic() - began}
        except _Dismissed:
            return {"refused": "the tournament was stopped"}
        except (_SupervisorLost, OSError):
            continue
        _idle.append(supervisor)
        return answer
    return {"refused": f"the process that keeps the players was lost {_TRIES} times"}


def dismiss_all() -> None:
    """End all supervisors of this process, and with them whatever they play."""
    with _hiring:
        _idle.clear()
        supervisors = [*_supervisors]
        for supervisor in supervisors:
            supervisor.dismiss()
        for supervisor in supervisors:
            supervisor.bury()


def _hire(task: Task) -> _Supervisor:
    """A supervisor that is free, or a new one."""
    with _hiring:
        while _idle:
            supervisor = _idle.pop()
            if supervisor.alive:
                return supervisor
        supervisor = _Supervisor()
        teams = json.dumps(task["plan"]["teams"])
        if teams not in _warm:
            # Where nothing is compiled yet, one compiles and all others find it in numba's cache.
            supervisor.ask({"warm_up": task["plan"]})
            _warm.add(teams)
    return supervisor


class _SupervisorLost(Exception):
    """A supervisor is gone before it was done."""


class _Dismissed(_SupervisorLost):
    """It was dismissed."""


class _Supervisor:
    """A supervisor process, from its parent's side."""

    def __init__(self) -> None:
        self._dismissed = False
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SUPERVISOR, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            # There are as many players as processors already.
            env={"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **os.environ},
        )
        _supervisors.add(self)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, message: Any) -> dict[str, Any]:
        """Its answer. Raises `_SupervisorLost` when it is gone before it has given one."""
        try:
            self._send(message)
            line = cast(IO[bytes], self._process.stdout).readline()
        except (OSError, ValueError):
            line = b""
        if not line.endswith(b"\n"):
            lost = _Dismissed if self._dismissed else _SupervisorLost
            self.dismiss()
            self.bury()
            raise lost
        answer: dict[str, Any] = json.loads(line)
        return answer

    def dismiss(self) -> None:
        """Have it end, whatever it is doing, as it does when its standard input is closed."""
        self._dismissed = True
        with contextlib.suppress(OSError):
            cast(IO[bytes], self._process.stdin).close()

    def bury(self) -> None:
        """Wait for it to end, but not for long."""
        _supervisors.discard(self)
        try:
            self._process.wait(_LAST_SECONDS)
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
_hiring = threading.Lock()


def _forget_all() -> None:
    """In a forked child, the supervisors are those of its parent."""
    global _hiring
    _hiring = threading.Lock()
    _supervisors.clear()
    _idle.clear()
    _warm.clear()


os.register_at_fork(after_in_child=_forget_all)
atexit.register(dismiss_all)
