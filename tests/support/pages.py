"""Runs what stands on a page of documentation: its commands, its Python, its records.

Fenced blocks are run in order, in one folder, by their language:

- ``console``: after ``$`` a command; the lines below it, if there are any, are its output;
- ``python``: with ``>>>`` a session and what it prints, otherwise statements; a page shares names;
- ``lit``: records, which must be readable.

In what is printed ``…`` stands for anything. Other blocks are not run, and those below a comment
``% slow`` only on request.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from literature_ai.cli.main import main
from literature_ai.records.lit import read

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^(% slow\n)?(`{3,})([a-z]+)\n(.*?)^\2$", re.MULTILINE | re.DOTALL)
_SHELL = re.compile(r"[|><&;*]")
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(text: str, slow: bool = True) -> list[tuple[str, str]]:
    """The language and the text of the fenced blocks that name a language."""
    found = _FENCE.findall(text)
    return [(language, body) for mark, _, language, body in found if slow or not mark]


def commands(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with the output below it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output.strip("\n")


def matches(expected: str, printed: str) -> bool:
    """Whether the output is as expected; spaces at the ends of lines do not count."""
    pattern = ".*?".join(map(re.escape, _trimmed(expected).split("…")))
    return re.fullmatch(pattern, _trimmed(printed), re.DOTALL) is not None


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def run_command(command: str, capsys: Any) -> tuple[int, str]:
    """The exit code and output of the command, run in the current folder."""
    if command.startswith("literature ") and not _SHELL.search(command):
        words = shlex.split(command, comments=True)
        capsys.readouterr()
        code = main(words[1:])
        return code, capsys.readouterr().out
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + (done.stderr if done.returncode else "")


def put_on_path(folder: Path, monkeypatch: Any) -> None:
    """Make the programs that pages name those of this environment, by scripts in a new folder."""
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    for name, words in (
        ("python", [sys.executable]),
        ("python3", [sys.executable]),
        ("literature", [sys.executable, "-m", "literature_ai"]),
    ):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        script.chmod(0o755)


def run_page(path: Path, capsys: Any, slow: bool = False) -> None:
    """Run a page in the current folder."""
    names: dict[str, Any] = {"__name__": "page"}
    parser = doctest.DocTestParser()
    for language, body in blocks(path.read_text(encoding="utf-8"), slow):
        if language == "console":
            for command, expected in commands(body):
                code, printed = run_command(command, capsys)
                assert code == 0, f"{path.name}: {command}\n{printed}"
                if expected:
                    assert matches(expected, printed), f"{path.name}: {command}\n{printed}"
        elif language == "python" and ">>>" in body:
            test = parser.get_doctest(body.replace("…", "..."), names, path.name, str(path), 0)
            runner = doctest.DocTestRunner(optionflags=_FLAGS)
            runner.run(test, clear_globs=False)
            names = test.globs
            assert runner.failures == 0, f"{path.name}: {capsys.readouterr().out}"
        elif language == "python":
            exec(compile(body, path.name, "exec"), names)
        elif language == "lit":
            assert read(body, path.name)
