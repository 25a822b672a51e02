"""Finds the commands of the ``literature`` command line, in this package and in others.

A command is a module with ``add_arguments(parser)`` and ``run(args) -> int``. Its docstring is the
description in ``literature COMMAND --help``; the first line of it stands in ``literature --help``.

Any package adds a command with an entry point in the group ``literature_ai.commands`` whose name is
that of the command and whose value is the module::

    [project.entry-points."literature_ai.commands"]
    ladder = "my_package.ladder"

In a source tree the entry points of its ``pyproject.toml`` hold, so that it works before it is
installed and right after an edit. Listing the commands imports none of their modules.
"""

from __future__ import annotations

import ast
import difflib
import importlib
import sys
import tokenize
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from literature_ai.errors import LiteratureError

ENTRY_POINTS = "literature_ai.commands"
BUILT_IN = {
    name: f"literature_ai.cli.{name}"
    for name in (
        "play",
        "hint",
        "assist",
        "serve",
        "analyze",
        "deals",
        "review",
        "replay",
        "agents",
        "bot",
    )
} | {"import": "literature_ai.cli.import_logs"}
"""The commands of this package, each with its module, in the order of ``literature --help``."""
_SOURCE_TREE = Path(__file__).parents[2]
_DISTRIBUTION = "literature-ai"


class CommandError(LiteratureError):
    """A command that does not exist, or whose module cannot be used."""


def available() -> dict[str, str]:
    """All commands with their modules: those of this package, then entry points by name."""
    others = _installed() | _declared_in_source_tree()
    return BUILT_IN | {name: others[name] for name in sorted(others.keys() - BUILT_IN.keys())}


def load(name: str) -> ModuleType:
    """The module of the command.

    Raises `CommandError` when there is no such command, or when the module of another package
    cannot be imported or is no command.
    """
    if name in BUILT_IN:
        return importlib.import_module(BUILT_IN[name])
    commands = available()
    if name not in commands:
        near = difflib.get_close_matches(name, commands, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"the commands are {' '.join(commands)}"
        raise CommandError(f"{name!r} is no command; {hint}")
    try:
        module = importlib.import_module(commands[name])
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise CommandError(
            f"the command {name!r} cannot be used: {commands[name]}: {reason}"
        ) from error
    for function in ("add_arguments", "run"):
        if not callable(getattr(module, function, None)):
            raise CommandError(
                f"the command {name!r} cannot be used: {commands[name]} has no {function}()"
            )
    return module


def summary(module: str) -> str:
    """The first line of a module's docstring, read from its source; what is wrong if it fails."""
    try:
        spec = _find_without_importing(module)
        if spec is None or not spec.origin:
            return f"cannot be used: there is no module {module}"
        with tokenize.open(spec.origin) as source:
            for token in tokenize.generate_tokens(source.readline):
                if token.type == tokenize.STRING:
                    return str(ast.literal_eval(token.string)).strip().partition("\n")[0]
                if token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE):
                    break
    except (OSError, SyntaxError, ValueError, tokenize.TokenError) as error:
        return f"cannot be used: {module}: {' '.join(str(error).split())}"
    return ""


def _find_without_importing(module: str) -> ModuleSpec | None:
    """The spec of a module; unlike `importlib.util.find_spec` this imports no parent package."""
    top, *parts = module.split(".")
    spec = find_spec(top)
    for part in parts:
        if spec is None:
            return None
        spec = PathFinder.find_spec(f"{spec.name}.{part}", spec.submodule_search_locations)
    return spec


def _installed() -> dict[str, str]:
    """The entry points of installed packages, those first that come first on the import path.

    This reads the files that `importlib.metadata` reads, for importing that module takes half the
    time of ``literature --help``.
    """
    found: dict[str, str] = {}
    for folder in sys.path:
        for file in sorted(Path(folder).glob("*-info/entry_points.txt")):
            section = ""
            for line in map(str.strip, file.read_text("utf-8", "replace").splitlines()):
                if line.startswith("["):
                    section = line.strip("[] ")
                elif section == ENTRY_POINTS and "=" in line and not line.startswith(("#", ";")):
                    name, _, value = line.partition("=")
                    found.setdefault(name.strip(), value.partition("[")[0].strip())
    return found


def _declared_in_source_tree() -> dict[str, str]:
    """The entry points that the source tree around this package declares, if it lies in one."""
    declaration = _SOURCE_TREE / "pyproject.toml"
    if not declaration.exists():
        return {}
    import tomllib

    try:
        with declaration.open("rb") as file:
            project = tomllib.load(file)["project"]
        if project["name"] != _DISTRIBUTION:
            return {}
        return dict(project["entry-points"][ENTRY_POINTS])
    except (OSError, KeyError, tomllib.TOMLDecodeError):
        return {}
