"""Tests of `solver.compilation`: cached code is never older than its source."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

MODULES = {
    "__init__": "",
    "numbers": "STEP = 1\n",
    "plain": "def tripled(n):\n    return 3 * n\n",
    "twins": (
        "from solver.compilation import compiled_twins\n"
        "from sums import plain\n"
        "globals().update(compiled_twins(plain))\n"
    ),
    "inner": (
        "from solver.compilation import compiled\n"
        "from sums.numbers import STEP\n\n\n"
        "@compiled(internal=True)\n"
        "def next_to(n):\n"
        "    return n + STEP\n"
    ),
    "outer": (
        "from solver.compilation import compiled\n"
        "from sums.inner import next_to\n"
        "from sums.twins import tripled\n\n\n"
        "@compiled\n"
        "def after(n):\n"
        "    return tripled(next_to(n))\n"
    ),
}
"""A package whose functions call functions of other modules, and read a constant of one."""

EDITS = [
    ("numbers", "STEP = 1", "STEP = 5", "45"),
    ("inner", "n + STEP", "n - STEP", "27"),
    ("plain", "3 * n", "7 * n", "77"),
    ("outer", "tripled(next_to(n))", "next_to(next_to(n))", "12"),
]


def printed(code: str, folder: Path, **environment: str) -> str:
    """The output of the code in a new process that imports from the folder first."""
    path = os.pathsep.join([str(folder), str(ROOT)])
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package after its functions were compiled once."""
    folder = tmp_path_factory.mktemp("warm")
    (folder / "sums").mkdir()
    for name, text in MODULES.items():
        (folder / "sums" / f"{name}.py").write_text(text, encoding="utf-8")
    assert printed("from sums.outer import after; print(after(10))", folder) == "33"
    return folder


@pytest.mark.parametrize(("module", "old", "new", "result"), EDITS)
def test_an_edit_of_any_function_reaches_its_compiled_callers(
    warm: Path, tmp_path: Path, module: str, old: str, new: str, result: str
) -> None:
    """After an edit of any file that a compiled function depends on, its next call uses it."""
    shutil.copytree(warm, tmp_path, dirs_exist_ok=True)
    file = tmp_path / "sums" / f"{module}.py"
    times = file.stat()
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    code = "from sums.outer import after; print(after(10))"
    assert printed(code, tmp_path) == result
    assert printed(code, tmp_path, NUMBA_DISABLE_JIT="1") == result


def test_what_is_unchanged_is_not_compiled_again(warm: Path) -> None:
    """A second process loads the code that the first compiled."""
    code = (
        "from sums.outer import after; after(10); "
        "print(sum(after.stats.cache_hits.values()), sum(after.stats.cache_misses.values()))"
    )
    assert printed(code, warm) == "1 0"


@pytest.mark.parametrize(
    "module",
    [
        "solver/compilation.py",
        "literature_ai/agents/expert/belief.py",
        "literature_ai/agents/expert/action_value.py",
        "literature_ai/agents/expert/state_value.py",
    ],
)
def test_rollouts_depend_on_all_that_they_call(tmp_path: Path, module: str) -> None:
    """A change in any module that a rollout calls or reads constants of changes its version."""
    for package in ("solver", "literature_ai"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("*.nb?"))
    name = "literature_ai.agents.expert.rollout"
    code = f"from solver.compilation import version; print(version({name!r}))"
    before = printed(code, tmp_path)
    with (tmp_path / module).open("a", encoding="utf-8") as file:
        file.write("\n# edited\n")
    assert before != printed(code, tmp_path)
