"""`literature --print-completion`: shells complete commands, options and files."""

from __future__ import annotations

import subprocess
from pathlib import Path
from shutil import which
from typing import Any

import pytest

from literature_ai.cli import commands, completion
from literature_ai.cli.main import main

pytest.importorskip("shtab")


def script(shell: str, capsys: Any) -> str:
    """What the command prints for the shell."""
    assert main(["--print-completion", shell]) == 0
    text: str = capsys.readouterr().out
    return text


def completed(script: str, words: str, folder: Path) -> set[str]:
    """What bash offers for the last of the words."""
    typed = words.split(" ")
    code = f"""{script}
COMP_WORDS=({words}{" ''" * words.endswith(" ")})
COMP_CWORD={len(typed) - 1}
_shtab_literature
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(
        ["bash", "-c", code], capture_output=True, text=True, check=True, cwd=folder
    )
    return set(done.stdout.split())


def test_bash_completes(tmp_path: Path, capsys: Any) -> None:
    """Bash completes every command, the options of one, and files where a file is meant."""
    (tmp_path / "kitchen.lit").touch()
    text = script("bash", capsys)
    assert set(commands.available()) <= completed(text, "literature ", tmp_path)
    assert completed(text, "literature tourn", tmp_path) == {"tournament"}
    assert completed(text, "literature hint --ex", tmp_path) == {"--explain"}
    assert completed(text, "literature hint kit", tmp_path) == {"kitchen.lit"}


def test_zsh_script(capsys: Any) -> None:
    """The script for zsh names every command and is one that zsh accepts, where zsh is there."""
    text = script("zsh", capsys)
    assert text.startswith("#compdef literature")
    assert all(f"{name}:" in text for name in commands.available())
    if zsh := which("zsh"):
        subprocess.run([zsh, "-n"], input=text, text=True, check=True)


def test_commands_that_fail_are_left_out(monkeypatch: Any, capsys: Any) -> None:
    """A command of another package that cannot be loaded does not stop completion."""
    known = commands.available() | {"broken": "no_such_package.broken"}
    monkeypatch.setattr(commands, "available", lambda: known)
    assert "broken" not in script("bash", capsys)


def test_without_shtab(monkeypatch: Any, capsys: Any) -> None:
    """Without the extra, one line says how to install it."""
    monkeypatch.setattr(completion, "find_spec", lambda name: None)
    assert main(["--print-completion", "bash"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "literature-ai[completion]" in error


def test_other_shells_are_refused(capsys: Any) -> None:
    """A shell that is not known is wrong use."""
    assert main(["--print-completion", "tcsh"]) == 2
    assert "bash" in capsys.readouterr().err
