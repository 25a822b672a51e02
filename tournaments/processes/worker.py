"""Runs tasks with supervisors, from any thread or process of an executor.

A *task* is plain data: the plan, some pairs, and how to play them. `play_task` has a supervisor
(`tournaments.processes.supervisor`) play it and returns plain data again. The worker of the
executor that calls it runs no agent's code and so cannot be harmed by it.

Each process has a pool of supervisors, one for each task that runs at the same time. Their
processes are used for task after task and end with this one, or with `close_all`.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
import time
import traceback
from collections.abc import Iterator
from typing import Any

from literature_ai.errors import LiteratureError
from tournaments.plan import Plan
from tournaments.processes.launcher import can_fork
from tournaments.processes.player_process import StartMethod, Stopped
from tournaments.processes.supervisor import Supervisor, Task

START_METHODS: tuple[StartMethod, ...] = ("fork", "spawn")


def default_start_method() -> StartMethod:
    """How players are started here unless asked otherwise."""
    return "fork" if can_fork() else "spawn"


def play_task(task: Task) -> dict[str, Any]:
    """Play the task. Returns one of

    - ``{"results": …, "seconds": …}``: for each half of each pair, in order, the results of its
      games; and how long that took;
    - ``{"refused": reason}``: it cannot be played here, for example because an agent is missing;
    - ``{"broken": traceback}``: an error of this package.

    It raises nothing, because not every exception can be pickled by an executor.
    """
    try:
        with _supervisor(task["start_method"] or default_start_method()) as supervisor:
            _check_once(supervisor, task)
            began = time.monotonic()
            results = supervisor.play(task)
            return {"results": results, "seconds": time.monotonic() - began}
    except Stopped:
        return {"refused": "the tournament was stopped"}
    except LiteratureError as error:
        return {"refused": str(error)}
    except Exception:
        return {"broken": traceback.format_exc()}


def check(
    plan: Plan, folder: str, method: StartMethod | None = None
) -> list[tuple[str, str | None, bool]]:
    """Find all agents of the plan in a process of their own, and make each of them once.

    Paths of agents are relative to the folder. For each spec: its text, the program that it runs if
    any, and whether it sees all cards. Raises LiteratureError when one cannot be found or made.
    """
    with _supervisor(method or default_start_method()) as supervisor:
        return supervisor.check(plan, folder, make=True)


def close_all() -> None:
    """End all supervisors' processes of this one. Those that play a task end as soon as they can,
    and their tasks are refused."""
    with _lock:
        idle = [*_idle]
        _idle.clear()
        _supervisors.difference_update(idle)
        for supervisor in _supervisors:
            supervisor.abort()
    for supervisor in idle:
        supervisor.say_goodbye()
    for supervisor in idle:
        supervisor.close()


@contextlib.contextmanager
def _supervisor(method: StartMethod) -> Iterator[Supervisor]:
    """An idle supervisor, or a new one. Any error but ours closes it."""
    with _lock:
        fitting = [supervisor for supervisor in _idle if supervisor.method == method]
        supervisor = fitting[-1] if fitting else Supervisor(method)
        if fitting:
            _idle.remove(supervisor)
        _supervisors.add(supervisor)
    unhurt = False
    try:
        yield supervisor
        unhurt = True
    except LiteratureError:
        unhurt = True
        raise
    finally:
        if unhurt:
            supervisor.rest()
        with _lock:
            unhurt = unhurt and not supervisor.stopped
            if unhurt:
                _idle.append(supervisor)
            else:
                _supervisors.discard(supervisor)
        if not unhurt:
            supervisor.close()


def _check_once(supervisor: Supervisor, task: Task) -> None:
    """Find out whether the agents can be loaded here, unless this process has done so.

    The first supervisor also fills numba's cache, before others would compile the same.
    """
    plan = Plan.from_json(task["plan"])
    key = task["folder"], plan.rules.players, plan.teams
    with _check_lock:
        if key not in _checked:
            supervisor.warm_up(plan)
            supervisor.check(plan, task["folder"], make=False)
            _checked.add(key)


_supervisors: set[Supervisor] = set()
_idle: list[Supervisor] = []
_checked: set[tuple[str, int, tuple[str, ...]]] = set()
_lock = threading.Lock()
"""Held while the sets of supervisors change."""
_check_lock = threading.Lock()


def _reset_after_fork() -> None:
    """In a forked child, the supervisors belong to its parent."""
    global _lock, _check_lock
    _lock, _check_lock = threading.Lock(), threading.Lock()
    _supervisors.clear()
    _idle.clear()
    _checked.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_after_fork)
atexit.register(close_all)
