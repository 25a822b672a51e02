"""Commands compile what they call before they call it, and say so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from literature_ai.cli import compiling
from solver import precompilation

ROOT = Path(__file__).parents[2]
RECORD = str(ROOT / "examples" / "table.lit")

COUNT = """
import json, sys
from numba.core import event

compiled = []
ahead = []

class Listener(event.Listener):
    def on_start(self, happened):
        compiled.append(happened.data["dispatcher"].py_func.__qualname__)

    def on_end(self, happened):
        pass

event.register("numba:compile", Listener())
from solver import precompilation

whole = precompilation.compile_ahead

def compile_ahead(*arguments):
    whole(*arguments)
    ahead.extend(compiled)

precompilation.compile_ahead = compile_ahead
from literature_ai.cli.main import main

status = main(sys.argv[1:])
print(json.dumps([status, len(ahead), compiled[len(ahead):]]), file=sys.stderr)
"""
"""Runs a command, and prints what it compiled ahead and what it compiled afterwards."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder for compiled code that is empty at first, shared by the commands of this module."""
    return str(tmp_path_factory.mktemp("cache"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["hint", RECORD, "--no-engine"],
        ["hint", RECORD],
        ["review", RECORD, "--engine", "--budget", "8"],
        ["review", RECORD],
        ["deals", RECORD],
        ["deals", RECORD, "--half-suit", "LS"],
        ["deals", RECORD, "--sample", "3"],
        ["tournament", "random", "greedy", "--pairs", "1", "--workers", "1", "--json"],
    ],
    ids=lambda command: "-".join(word for word in command if "/" not in word),
)
def test_a_command_compiles_nothing_after_what_it_compiles_ahead(
    cache: str, command: list[str]
) -> None:
    """What is compiled ahead covers all that the command calls."""
    run = subprocess.run(
        [sys.executable, "-c", COUNT, *command],
        cwd=ROOT,
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    status, ahead, after = json.loads(run.stderr.splitlines()[-1])
    assert status == 0
    assert ahead >= 0
    assert after == []


@pytest.mark.parametrize("terminal", [False, True])
def test_progress_is_shown_on_the_error_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], terminal: bool
) -> None:
    """A counter on a terminal, one line in a log; the output of the command stays free of it."""

    def compile_ahead(entries, progress):
        for done in range(4):
            progress(done, 3)

    missing = [[compiling.DEALS], []]
    monkeypatch.setattr(precompilation, "uncompiled", lambda entries: missing.pop(0))
    monkeypatch.setattr(precompilation, "cache_folder", lambda entries: "/cache")
    monkeypatch.setattr(precompilation, "compile_ahead", compile_ahead)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    compiling.compile_for(compiling.DEALS)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert ("3 of 3" in shown.err) == terminal


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("folder", [None, "/cache"])
def test_where_code_cannot_be_kept(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    folder: str | None,
    terminal: bool,
) -> None:
    """Without a writable cache one line says that everything is compiled every time, and how to
    give it a folder; so it is when the disk turns out to be full."""
    monkeypatch.setattr(precompilation, "uncompiled", lambda entries: list(entries))
    monkeypatch.setattr(precompilation, "cache_folder", lambda entries: folder)
    monkeypatch.setattr(precompilation, "compile_ahead", lambda entries, progress: progress(0, 1))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal, raising=False)
    compiling.compile_for(compiling.DEALS)
    *before, last = capsys.readouterr().err.rstrip("\n").split("\n")
    assert len(before) == (folder is not None)
    assert "NUMBA_CACHE_DIR=FOLDER names one that can" in last
    assert ("in every run" in last) == (folder is None)
    assert ("cannot be kept in /cache" in last) == (folder is not None)


@pytest.mark.slow
def test_a_command_without_a_folder_for_code(tmp_path: Path) -> None:
    """A read-only installation without a home: the command works, with that one line."""
    code = (
        "from numba.core import caching\n"
        "caching.FunctionCache._impl_class._locator_classes = []\n"
        "import sys\nfrom literature_ai.cli.main import main\nsys.exit(main())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, "deals", RECORD, "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stderr == (
        "literature: compiling the counting kernels, in every run, as no folder can keep them;"
        " NUMBA_CACHE_DIR=FOLDER names one that can\n"
    )
    assert json.loads(run.stdout)["deals"]


def test_what_is_compiled_already_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is compiled and nothing said when the code is there."""
    monkeypatch.setattr(precompilation, "uncompiled", lambda entries: [])
    monkeypatch.setattr(precompilation, "compile_ahead", lambda *arguments: pytest.fail("compiled"))
    compiling.compile_for(*compiling.ADVICE)
    assert capsys.readouterr().err == ""
