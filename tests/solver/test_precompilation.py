"""Tests of `solver.precompilation`: compilation ahead of use, by two processes if possible."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PACKAGE = {
    "__init__": "",
    "inner": (
        "from solver.compilation import compiled\n"
        "from solver.kernels.arrays import Ints\n\n\n"
        "@compiled(internal=True)\n"
        "def doubled(numbers: Ints, n: int) -> int:\n"
        "    return 2 * numbers[0] + n\n\n\n"
        "@compiled(internal=True)\n"
        "def tripled(numbers: Ints) -> int:\n"
        "    return 3 * numbers[0]\n"
    ),
    "outer": (
        "from solver.compilation import compiled\n"
        "from solver.kernels.arrays import Ints\n"
        "from sums.inner import doubled, tripled\n\n\n"
        "@compiled\n"
        "def total(numbers: Ints) -> int:\n"
        "    return doubled(numbers, numbers[1]) + tripled(numbers)\n"
    ),
}

COMPILE = """
import sys
from solver import precompilation
{change}
steps = []
precompilation.compile_ahead(["sums.outer:total"], lambda done, of: steps.append((done, of)))
assert precompilation.uncompiled(["sums.outer:total"]) == {left}
import numpy as np
from sums.outer import total
print(steps[-1], total(np.array([10, 1])))
"""

CHANGES = {
    "two-processes": "precompilation._cores = lambda: 2",
    "one-core": "precompilation._cores = lambda: 1",
    "no-helper-starts": "precompilation._cores = lambda: 2; sys.executable = sys.executable + 'x'",
    "the-helper-fails": "precompilation._cores = lambda: 2; sys.path.append('/nowhere'); "
    "precompilation._HELP = 'import os; os._exit(1)'",
    "the-helper-dies-at-work": "precompilation._cores = lambda: 2; "
    "precompilation._HELP = 'import sys, os, pathlib; "
    'pathlib.Path(sys.argv[1], "0.taken").touch(); os._exit(1)\'',
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a package without compiled code."""
    (tmp_path / "sums").mkdir()
    for name, text in PACKAGE.items():
        (tmp_path / "sums" / f"{name}.py").write_text(text, encoding="utf-8")
    return tmp_path


def start(folder: Path, change: str = "", left: str = "[]") -> subprocess.Popen[str]:
    """A process that compiles the package in the folder and calls it."""
    path = os.pathsep.join([str(folder), str(ROOT)])
    return subprocess.Popen(
        [sys.executable, "-c", COMPILE.format(change=change, left=left)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_everything_is_compiled_even_if_the_helper_fails(package: Path, change: str) -> None:
    """With a helper, without one, and with one that fails, the function is compiled and correct."""
    process = start(package, change)
    assert process.communicate() == ("(3, 3) 51\n", None)
    assert process.returncode == 0


def test_two_processes_may_compile_the_same_at_once(package: Path) -> None:
    """Two processes that share one cache both end with correct code."""
    processes = [start(package), start(package)]
    assert [process.communicate()[0] for process in processes] == ["(3, 3) 51\n"] * 2


def test_code_that_cannot_be_cached_is_compiled(package: Path) -> None:
    """Without a writable cache folder, functions are compiled in memory."""
    no_folder = (
        "from numba.core import caching; caching.FunctionCache._impl_class._locator_classes = []"
    )
    process = start(package, no_folder, "['sums.outer:total']")
    assert process.communicate() == ("(3, 3) 51\n", None)


FULL = (
    "import errno; from numba.core.caching import IndexDataCacheFile as File\n"
    "def full(*_): raise OSError(errno.ENOSPC, 'No space left on device')\n"
    "File._save_data = full"
)
NO_TEMPORARY = (
    "import tempfile\n"
    "def none(*_): raise FileNotFoundError(2, 'No usable temporary directory found')\n"
    "precompilation.TemporaryDirectory = none"
)


@pytest.mark.parametrize(("change", "left"), [(FULL, "['sums.outer:total']"), (NO_TEMPORARY, "[]")])
def test_a_full_disk_stops_nothing(package: Path, change: str, left: str) -> None:
    """Code that cannot be kept, for the disk is full, is compiled in memory; nor is a temporary
    folder needed."""
    process = start(package, f"sys.executable += 'x'\n{change}", left)
    assert process.communicate() == ("(3, 3) 51\n", None)


def test_without_numba_there_is_nothing_to_compile(package: Path) -> None:
    """Without numba, functions stay plain Python and nothing is compiled."""
    shutil.copy(package / "sums" / "__init__.py", package / "sums" / "plain.py")
    code = (
        "from solver import precompilation\n"
        "assert precompilation.uncompiled(['sums.outer:total']) == []\n"
        "precompilation.compile_ahead(['sums.outer:total'], print)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(package), str(ROOT)]),
            "NUMBA_DISABLE_JIT": "1",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == ""
