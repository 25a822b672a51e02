"""The ``literature`` command line: runs one command and reports errors in one line.

Commands are found by `literature_ai.cli.commands`; only the module of the one that runs is
imported.

Exit codes: 0 success; 1 it ran, and the answer is no or something failed, such as writing to a full
disk; 2 wrong use or bad input; 130 interrupted; 141 the reader of the output has closed the pipe.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from literature_ai import __version__
from literature_ai.cli import commands, streams
from literature_ai.cli.interrupts import INTERRUPTED
from literature_ai.errors import LiteratureError, StreamError
from solver.errors import is_interrupt

FAILED = 1
WRONG_USE = 2
BROKEN_PIPE = 141
_NEGATIVE = re.compile(r"-(\.?\d|inf|nan)", re.IGNORECASE)


class UsageError(LiteratureError):
    """Wrong options or arguments."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises `UsageError` where argparse prints its usage and exits."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print; unlike argparse this does not hide that it failed."""
        (file or sys.stderr).write(message)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As in argparse, but the value of an option may begin with a minus, as in ``-5,0``."""
        return super().parse_known_args(
            with_negative_values(sys.argv[1:] if args is None else args), namespace
        )


def with_negative_values(words: Sequence[str]) -> list[str]:
    """The words, each number that begins with a minus joined to the option before it.

    argparse takes a word such as ``-5,0`` for an option.
    """
    joined: list[str] = []
    for word in words:
        before = joined[-1] if joined else ""
        is_value = _NEGATIVE.match(word) and "--" not in joined
        if is_value and before.startswith("--") and "=" not in before:
            joined[-1] = f"{before}={word}"
        else:
            joined.append(word)
    return joined


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        streams.prepare()
        try:
            return _run(sys.argv[1:] if argv is None else list(argv))
        finally:
            sys.stdout.flush()
    except StreamError as error:
        streams.complain(str(error))
        return FAILED
    except LiteratureError as error:
        streams.complain(str(error))
        return WRONG_USE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return BROKEN_PIPE
    except OSError as error:
        streams.complain(streams.unwritten(error))
        return FAILED
    except Exception as error:
        if is_interrupt(error):
            return INTERRUPTED
        raise
    finally:
        streams.silence()


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
    parser.add_argument(
        "--print-completion",
        choices=("bash", "zsh"),
        help="print the script that makes a shell complete commands and options",
    )
    if (shell := parser.parse_args(argv).print_completion) is not None:
        from literature_ai.cli.completion import script

        print(script(shell))
        return 0
    parser.print_help(sys.stderr)
    return WRONG_USE


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
