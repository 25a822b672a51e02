"""The README does what it says."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from literature_ai.cli.main import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
COMMANDS = re.findall(r"^\$ literature (.*)$", README, re.MULTILINE)


def test_python_examples():
    """Every line of Python in the README prints what is printed there."""
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried > 5
    assert 0 == failed


@pytest.mark.parametrize("command", COMMANDS)
def test_commands(command, monkeypatch, capsys):
    """Every command in the README runs."""
    monkeypatch.chdir(ROOT)
    assert 0 == main(shlex.split(command))
    assert capsys.readouterr().out


def test_first_commands_are_targets_of_make():
    """The first two commands are `make` targets, and all such targets exist."""
    first = re.findall(r"^\$ make (\S+)", README, re.MULTILINE)
    assert ["tournament", "test"] == first[:2]
    for target in first:
        assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


@pytest.mark.parametrize(
    "module",
    [
        path.relative_to(ROOT)
        for package in ("solver", "literature_ai", "tournaments")
        for path in sorted((ROOT / package).rglob("*.py"))
        if ">>>" in path.read_text()
    ],
    ids=str,
)
def test_docstring_examples(module):
    """Every example in a docstring prints what is printed there."""
    import importlib

    failed, tried = doctest.testmod(importlib.import_module(".".join(module.with_suffix("").parts)))
    assert tried > 0
    assert 0 == failed
