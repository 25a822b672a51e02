"""The ``literature`` command: finds the command wanted, runs it, and says errors in one line.

Each command is a module with ``add_arguments(parser)`` and ``run(args) -> int``; its docstring is
the description that ``--help`` shows. Only the module of the command wanted is imported.

Exit codes: 0 done; 1 it ran, and the answer is no or something failed; 2 wrong use or bad input.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from literature_ai import __version__
from literature_ai.errors import LiteratureError

COMMANDS: dict[str, tuple[str, str]] = {
    "hint": ("what to claim and whom to ask, exactly", "literature_ai.cli.hint"),
    "assist": ("a helper at the table, line by line", "literature_ai.cli.assist"),
    "deals": ("count, list and sample the deals that fit", "literature_ai.cli.deals"),
    "review": ("what each player missed in a game", "literature_ai.cli.review"),
    "replay": ("check a record and show the game", "literature_ai.cli.replay"),
    "tournament": ("play agents against each other", "tournaments.cli.tournament"),
    "benchmark": ("score an agent against a fixed panel", "tournaments.cli.benchmark"),
    "resume": ("go on with an interrupted tournament", "tournaments.cli.resume"),
    "report": ("show what a tournament's store holds", "tournaments.cli.report"),
    "agents": ("list and explain the agents", "literature_ai.cli.agents"),
}
"""For each command the line of help and the module."""

INTERRUPTED = 130
BROKEN_PIPE = 141


class UsageError(LiteratureError):
    """A command line that makes no sense."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, like all others."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name in a record may hold what the terminal cannot show; that is no reason to fail.
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
        # Whoever read the output has gone; keep Python from complaining again when it closes it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:
        if is_interrupt_of_sat(error):
            return INTERRUPTED
        raise
    return code


def _run(argv: list[str]) -> int:
    if not argv or argv[0] not in COMMANDS:
        return _without_command(argv)
    name, arguments = argv[0], argv[1:]
    module = importlib.import_module(COMMANDS[name][1])
    parser = Parser(
        prog=f"literature {name}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(parser)
    code: int = module.run(parser.parse_args(arguments))
    return code


def _without_command(argv: list[str]) -> int:
    width = max(map(len, COMMANDS))
    parser = Parser(
        prog="literature",
        usage="literature COMMAND ...",
        description="Play, deduce, hint, review and hold tournaments in the card game Literature.",
        epilog="\n".join(
            [
                "commands:",
                *(f"  {name:{width}}  {line}" for name, (line, _) in COMMANDS.items()),
                "",
                "example:",
                "  literature replay game.lit",
                "",
                "literature COMMAND --help tells more.",
            ]
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"literature {__version__}")
    if argv and not argv[0].startswith("-"):
        near = difflib.get_close_matches(argv[0], COMMANDS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"the commands are {' '.join(COMMANDS)}"
        raise UsageError(f"{argv[0]!r} is no command; {hint}")
    parser.parse_args(argv)
    parser.print_help(sys.stderr)
    return 2


def is_interrupt_of_sat(error: Exception) -> bool:
    """Whether it is what python-sat makes of Ctrl-C."""
    pysolvers = sys.modules.get("pysolvers")
    return pysolvers is not None and isinstance(error, pysolvers.error)
