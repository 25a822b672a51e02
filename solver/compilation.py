"""Compiles the inner loops with numba, and never runs machine code that is out of date.

numba keeps compiled code on disk and compiles a function anew when its own file has changed. But
the code of a function contains that of the functions it calls, and the constants it reads, so a
change in another file would go unseen. `compiled` therefore puts a *version* into the name under
which a function is kept: a hash of its file and of all files it imports from, within its package
and this one, directly or not.

Where code cannot be kept, because no folder can be written to or the disk is full, it is compiled
in every process.

Without numba, or with ``NUMBA_DISABLE_JIT=1``, functions run as plain Python, slowly, with the same
results.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar, overload

F = TypeVar("F", bound=Callable[..., Any])

_IMPORT = re.compile(
    r"^(?:from|import) +(\w[\w.]*)(?: +import +(\([^)]*\)|[^(\n#]+))?", re.MULTILINE
)


@overload
def compiled(function: F) -> F: ...


@overload
def compiled(*, internal: bool) -> Callable[[F], F]: ...


def compiled(function: Any = None, *, internal: bool = False) -> Any:
    """Compile the function when it is first called, and keep the code on disk.

    With ``internal`` only compiled functions may call it. It gets no entry from Python, which saves
    time to compile: calling it from there ends the process. (Without numba it is a plain function
    like any other.)
    """
    if function is None:
        return partial(compiled, internal=internal)
    try:
        import numba
    except ImportError:
        return function
    config: Any = numba.config
    if config.DISABLE_JIT:
        return function
    function.__qualname__ = f"{function.__qualname__}-{version(function.__module__)}"
    options = {
        "error_model": "numpy",
        "no_cfunc_wrapper": True,
        "no_cpython_wrapper": internal,
        "nogil": True,
    }
    njit: Any = numba.njit
    dispatcher = njit(**options)(function)
    # No folder can be written to: RuntimeError. The function is then compiled in every process.
    with suppress(RuntimeError):
        dispatcher._cache = _cache(function)
    return dispatcher


def _cache(function: Any) -> Any:
    """numba's cache of the compiled function; a disk that is full does not stop the program."""
    from numba.core import caching

    class_of_numba: Any = caching.FunctionCache
    kept = class_of_numba(function)
    save = kept.save_overload

    def save_if_possible(signature: Any, data: Any) -> None:
        with suppress(OSError):
            save(signature, data)

    kept.save_overload = save_if_possible
    return kept


def compiled_twins(module: ModuleType) -> dict[str, Any]:
    """The functions of a module by name, compiled, while those of the module itself stay plain.

    The twins call each other. Functions whose annotations promise a Python object need not compile:
    nothing is compiled before it is called.
    """
    names = dict(vars(module))
    twins = {}
    for name, function in vars(module).items():
        if type(function) is FunctionType and function.__module__ == module.__name__:
            twin = FunctionType(function.__code__, names, name, function.__defaults__)
            twin.__qualname__ = function.__qualname__
            twin.__module__ = function.__module__
            twins[name] = names[name] = compiled(twin)
    return twins


@cache
def version(module: str) -> str:
    """A hash of the module's source and of all it imports, within its package and this one.

    It neither imports the module nor needs numba. Imports count that are absolute and stand at the
    start of a line.
    """
    digest = blake2b(digest_size=8)
    for name in sorted(_imported(module)):
        digest.update(_source(name))
    return digest.hexdigest()


def _imported(module: str) -> set[str]:
    """The module and those it imports, directly or not, within its package and this one."""
    packages = {module.partition(".")[0], __name__.partition(".")[0]}
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found and name.partition(".")[0] in packages and _file(name):
            found.add(name)
            for origin, names in _IMPORT.findall(_source(name).decode()):
                waiting.append(origin)
                waiting += (f"{origin}.{each}" for each in re.findall(r"\w+", names))
    return found


@cache
def _file(module: str) -> str:
    """The source file of a module; empty where that is the name of something else."""
    parent, _, _ = module.rpartition(".")
    if parent and Path(_file(parent)).name != "__init__.py":
        return ""
    spec = find_spec(module)
    return spec.origin or "" if spec is not None and spec.has_location else ""


@cache
def _source(module: str) -> bytes:
    return Path(_file(module)).read_bytes()
