"""Compiles functions before they are called, on two cores.

Whatever an entry calls is compiled first, function by function; the types of arguments are those
that annotations promise (see `solver.kernels.arrays`). A helper process shares the work. Of the
functions whose callees are ready, this process takes the one for which most other work waits, the
helper the largest, and each finds in the cache on disk what the other has compiled. A file in a
common folder marks what has been taken, one more what is done. Should the helper not start, or
fail, this process compiles everything; so it does where code cannot be handed over on disk.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args, get_origin, get_type_hints

Progress = Callable[[int, int], None]
"""Told how many functions are compiled, and of how many."""

_POLL_SECONDS = 0.005
_HELP = "import sys; from solver.precompilation import _help; _help(*sys.argv[1:])"
"""What the helper process runs."""
_LINKING = 0.3
"""What a function costs beside itself: so much of the size of each function that it calls, for
their code is compiled into it once more."""


def uncompiled(entries: Sequence[str]) -> list[str]:
    """The entries (``module:function``) of which no compiled code is kept on this machine."""
    return [entry for entry in entries if not _is_kept(_function(entry))]


def compile_ahead(entries: Sequence[str], progress: Progress) -> None:
    """Compile the entries (``module:function``) and all that they call.

    What has annotations that leave the types of arguments open is compiled when it is called.
    Without numba nothing is.
    """
    tasks = _tasks(entries)
    if not tasks:
        return
    try:
        marks = TemporaryDirectory() if cache_folder(entries) else None
    except OSError:
        marks = None
    if marks is None:
        _work_alone(tasks, progress)
        return
    with marks as folder, _no_collection(), _helper(tasks, entries, folder) as alive:
        _work(tasks, Path(folder), lambda task: -task.waiting, alive, progress)


def cache_folder(entries: Sequence[str]) -> str | None:
    """Where the compiled code of the entries (``module:function``) is kept.

    None when no folder can be written to, or when there is no numba to compile them.
    """
    for entry in entries:
        function = _function(entry)
        if _is_compiled(function):
            folder: str | None = function.stats.cache_path
            return folder
    return None


class _Task:
    """One function to compile."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.callees: list[_Task] = []
        self.waiting = 0.0
        """The cost of all functions that call it, directly or not."""

    @cached_property
    def all_callees(self) -> set[_Task]:
        return {each for callee in self.callees for each in (callee, *callee.all_callees)}

    @property
    def size(self) -> int:
        return len(self.function.py_func.__code__.co_code)

    @property
    def cost(self) -> float:
        return self.size + _LINKING * sum(callee.size for callee in self.all_callees)

    def compile(self) -> None:
        self.function.compile(_signature(self.function))


def _tasks(entries: Sequence[str]) -> list[_Task]:
    """What is to be compiled for the entries, callees before callers."""
    tasks: dict[Any, _Task] = {}

    def add(function: Any) -> _Task:
        if function not in tasks:
            task = _Task(function)
            task.callees = [add(callee) for callee in _callees(function)]
            tasks[function] = task
        return tasks[function]

    for entry in entries:
        function = _function(entry)
        if _is_compiled(function) and _signature(function) is not None:
            add(function)
    for task in tasks.values():
        for callee in task.all_callees:
            callee.waiting += task.cost
    return list(tasks.values())


def _work(
    tasks: Sequence[_Task],
    folder: Path,
    order: Callable[[_Task], float],
    other_is_alive: Callable[[], bool],
    progress: Progress,
) -> None:
    """Compile what the other process has not taken, lowest order first, until all is done."""
    numbers = {task: str(number) for number, task in enumerate(tasks)}
    done: set[_Task] = set()
    while True:
        done |= {task for task in tasks if (folder / f"{numbers[task]}.done").exists()}
        progress(len(done), len(tasks))
        if len(done) == len(tasks):
            return
        alone = not other_is_alive()
        ready = [task for task in tasks if task not in done and done.issuperset(task.callees)]
        for task in sorted(ready, key=order):
            if _take(folder / f"{numbers[task]}.taken") or alone:
                task.compile()
                (folder / f"{numbers[task]}.done").touch()
                break
        else:
            time.sleep(_POLL_SECONDS)


def _work_alone(tasks: Sequence[_Task], progress: Progress) -> None:
    """Compile in this process what no other could hand over."""
    with _no_collection():
        for done, task in enumerate(tasks):
            progress(done, len(tasks))
            task.compile()
    progress(len(tasks), len(tasks))


def _take(mark: Path) -> bool:
    """Make the file, unless it is there."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


@contextmanager
def _helper(
    tasks: Sequence[_Task], entries: Sequence[str], folder: str
) -> Iterator[Callable[[], bool]]:
    """A process that shares the work, if one can be of use: yields whether it is running."""
    if available_processors() < 2 or not sys.executable:
        yield lambda: False
        return
    path = os.pathsep.join(os.path.abspath(place) for place in sys.path if place)
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _HELP, folder, *entries],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        yield lambda: False
        return
    with process:
        try:
            yield lambda: process.poll() is None
        finally:
            process.kill()


def _help(folder: str, *entries: str) -> None:
    """What the helper process does: its share of the work, as long as the other lives."""
    parent = os.getppid()
    with _no_collection():
        _work(
            _tasks(entries),
            Path(folder),
            lambda task: -task.cost,
            lambda: True,
            _stop_without(parent),
        )


def _stop_without(parent: int) -> Progress:
    def progress(done: int, of: int) -> None:
        if os.getppid() != parent:
            sys.exit()

    return progress


@contextmanager
def _no_collection() -> Iterator[None]:
    """Python's collector of cycles takes a tenth of the time to compile, and finds little."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def available_processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _function(entry: str) -> Any:
    module, _, name = entry.partition(":")
    return getattr(import_module(module), name)


def _is_compiled(function: Any) -> bool:
    """Whether numba compiles the function, or it runs as plain Python."""
    return hasattr(function, "py_func")


def _is_kept(function: Any) -> bool:
    """Whether the function needs not be compiled any more."""
    if not _is_compiled(function):
        return True
    folder = function.stats.cache_path
    name = function.py_func.__qualname__
    file = Path(function.py_func.__code__.co_filename).stem
    return folder is not None and any(Path(folder).glob(f"{file}.{name}-*.nbc"))


def _callees(function: Any) -> list[Any]:
    """The compiled functions with known argument types that a function calls."""
    names = function.py_func.__globals__
    found = [names.get(name) for name in function.py_func.__code__.co_names]
    return [each for each in found if _is_compiled(each) and _signature(each) is not None]


def _signature(function: Any) -> tuple[Any, ...] | None:
    """The numba types of the arguments, from the annotations; None where they tell too little."""
    hints = get_type_hints(function.py_func, include_extras=True)
    hints.pop("return", None)
    found = tuple(_type(hint) for hint in hints.values())
    is_known = len(found) == function.py_func.__code__.co_argcount and None not in found
    return found if is_known else None


@cache
def _type(hint: Any) -> Any:
    """The numba type that an annotation stands for, or None."""
    import numpy as np
    from numba import types
    from numba.np.numpy_support import from_dtype

    of_types: Any = types.BaseTuple.from_types
    plain = {
        int: types.int64,
        float: types.float64,
        bool: types.boolean,
        np.random.Generator: types.npy_rng,
    }
    if hint in plain:
        return plain[hint]
    if hasattr(hint, "_fields"):
        fields = get_type_hints(hint, include_extras=True)
        return of_types([_type(fields[name]) for name in hint._fields], hint)
    if get_origin(hint) is tuple:
        return of_types([_type(each) for each in get_args(hint)])
    if hasattr(hint, "__metadata__"):
        # The array's dtype; from numpy 2.5 on, its scalar type alone.
        element = get_args(hint.__origin__)[-1]
        scalar = get_args(element)[0] if get_args(element) else element
        return types.Array(from_dtype(np.dtype(scalar)), hint.__metadata__[0], "C")
    return None
