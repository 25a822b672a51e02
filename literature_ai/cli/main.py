"""The ``literature`` command line: runs one command and reports errors in one line.

Commands are found by `literature_ai.cli.commands`; only the module of the one that runs is
imported.

Exit codes: 0 success; 1 it ran, and the answer is no or something failed; 2 wrong use or bad input;
130 interrupted.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from literature_ai import __version__
from literature_ai.cli import commands
from literature_ai.errors import LiteratureError

INTERRUPTED = 130
BROKEN_PIPE = 141


class UsageError(LiteratureError):
    """Wrong options or arguments."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises `UsageError` where argparse prints its usage and exits."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name in a record may have characters that the terminal cannot show.
        sys.stdout.reconfigure(errors="replace")
    try:
        code = _run(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
    except LiteratureError as error:
        print(f"literature: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of the pipe has gone; without this Python reports it again on closing stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:
        if is_interrupt_of_sat(error):
            return INTERRUPTED
        raise
    return code


def _run(argv: list[str]) -> int:
    if not argv or argv[0].startswith("-"):
        return _without_command(argv)
    name, arguments = argv[0], argv[1:]
    module = commands.load(name)
    parser = Parser(
        prog=f"literature {name}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(parser)
    code: int = module.run(parser.parse_args(arguments))
    return code


def _without_command(argv: list[str]) -> int:
    parser = Parser(
        prog="literature",
        usage="literature COMMAND ...",
        description="Hints, reviews, agents and tournaments for the card game Literature.",
        epilog=_epilog() if {"-h", "--help"}.intersection(argv) or not argv else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"literature {__version__}")
    parser.parse_args(argv)
    parser.print_help(sys.stderr)
    return 2


def _epilog() -> str:
    """The commands, a line each, and an example."""
    found = commands.available()
    width = max(map(len, found))
    return "\n".join(
        [
            "commands:",
            *(f"  {name:{width}}  {commands.summary(module)}" for name, module in found.items()),
            "",
            "example:",
            "  literature replay game.lit",
            "",
            "Run literature COMMAND --help for the options of a command.",
        ]
    )


def is_interrupt_of_sat(error: Exception) -> bool:
    """Whether python-sat raised the error because of Ctrl-C, in place of KeyboardInterrupt."""
    pysolvers = sys.modules.get("pysolvers")
    return pysolvers is not None and isinstance(error, pysolvers.error)
