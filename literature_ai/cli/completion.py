"""Completion of the command line in shells, by shtab (extra ``completion``)."""

from __future__ import annotations

import argparse
from importlib.util import find_spec

from literature_ai.cli import commands
from literature_ai.errors import LiteratureError


def script(shell: str) -> str:
    """The script that makes the shell complete commands, options and names of files.

    Commands of other packages that cannot be loaded are left out. Raises LiteratureError unless
    shtab is installed.
    """
    if find_spec("shtab") is None:
        raise LiteratureError("completion needs shtab: pip install 'literature-ai[completion]'")
    import shtab

    text: str = shtab.complete(_whole_parser(), shell)
    return text


def _whole_parser() -> argparse.ArgumentParser:
    """One parser with every command as a subcommand; it is never used for parsing."""
    parser = argparse.ArgumentParser(prog="literature")
    parser.add_argument("--version", action="store_true", help="show the version")
    parser.add_argument("--print-completion", choices=("bash", "zsh"), help="print this script")
    subcommands = parser.add_subparsers()
    for name, module in commands.available().items():
        try:
            command = commands.load(name)
        except commands.CommandError:
            continue
        summary = commands.summary(module)
        subparser = subcommands.add_parser(name, help=summary, description=summary)
        command.add_arguments(subparser)
        for action in subparser._actions:
            _complete_files(action)
    return parser


def _complete_files(action: argparse.Action) -> None:
    """Let the value of an argument that is a file, or may be one, be completed as such."""
    import shtab

    metavar = str(action.metavar or "")
    if metavar == "DIR":
        action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
    elif any(word in metavar for word in ("FILE", "STORE", "SPEC", ".json", ".lit")):
        action.complete = shtab.FILE  # type: ignore[attr-defined]
