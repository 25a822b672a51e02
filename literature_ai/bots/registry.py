"""Agents by name: from the text of a spec to an agent.

A *spec* names an agent and its parameters:

- ``greedy``, ``champion:budget=50,lookahead=4``: an agent of this package, or of another package
  that declares an entry point in the group ``literature_ai.agents``;
- ``package.module:Class``, ``package.module:Class:depth=2``: a class that can be imported, also
  from the current folder;
- ``path/to/bot.py:Class``, ``path/to/bot.py:Class:depth=2``: a class in a file;
- ``cmd:./bot --flag``: a program that speaks the protocol of `literature_ai.bots.external`.

Parameters are keyword arguments of the class's constructor (`literature_ai.bots.parameters`).

A *team* is one spec for all its seats, or one for each, separated by commas. A part that looks like
``key=value`` belongs to the spec before it. A command extends to the end of the text, commas
included, unless it is in double quotes, as any spec may be:

>>> split_team('champion:budget=50,lookahead=4,certain,"cmd:./bot --a,b"')
['champion:budget=50,lookahead=4', 'certain', 'cmd:./bot --a,b']
>>> split_team("random,cmd:./bot --a,b")
['random', 'cmd:./bot --a,b']

Worker processes are sent the text of a spec, because classes from files cannot be pickled.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.metadata
import importlib.util
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

from literature_ai.agents.base import Agent
from literature_ai.bots.answers import in_one_line
from literature_ai.bots.parameters import Parameter, parameters_of
from literature_ai.errors import LiteratureError, SpecError

ENTRY_POINTS = "literature_ai.agents"
COMMAND = "cmd:"

BUILT_IN = {
    "novice": "literature_ai.agents.novice:Novice",
    "random": "literature_ai.agents.random:Random",
    "certain": "literature_ai.agents.certain:Certain",
    "greedy": "literature_ai.agents.greedy:Greedy",
    "expert": "literature_ai.agents.expert.agent:Expert",
    "champion": "literature_ai.agents.champion:Champion",
    "oracle": "literature_ai.agents.oracle:Oracle",
}
"""The agents of this package, from the simplest to the strongest, and one that sees all cards."""

_PARAMETER = re.compile(r"\s*[A-Za-z_]\w*\s*=")
_FILE = re.compile(r"(?P<file>.*\.py)(?::(?P<name>\w*)(?::(?P<parameters>.*))?)?$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Spec:
    """A parsed and checked spec, from which any number of agents can be made."""

    text: str
    agent: type[Agent]
    arguments: tuple[tuple[str, Any], ...] = ()

    def warm_up(self) -> None:
        """Compile or load what the agent needs, if its class has ``warm_up``."""
        warm_up = getattr(self.agent, "warm_up", None)
        if warm_up is not None:
            warm_up()

    def make(self) -> Agent:
        """A new agent. Raises `SpecError` when its constructor does not make one."""
        try:
            agent = self.agent(**dict(self.arguments))
        except LiteratureError as error:
            raise SpecError(f"{self.text!r}: {error}") from error
        except (Exception, SystemExit) as error:
            reason = in_one_line(error)
            raise SpecError(f"{self.text!r} cannot be made: {reason}") from error
        if not isinstance(agent, self.agent):
            raise SpecError(f"{self.text!r} cannot be made: its class makes something else")
        return agent


def parse_spec(text: str) -> Spec:
    """The agent that the text names. Raises `SpecError`, naming near ones when there is none.

    A class that is named by its module or file is imported, so its module runs.
    """
    text = text.strip()
    if text.startswith(COMMAND):
        from literature_ai.bots.external import ExternalAgent

        return Spec(text, ExternalAgent, (("command", text.removeprefix(COMMAND).strip()),))
    agent, parameters = _find(text)
    return Spec(text, agent, tuple(_arguments(text, parameters_of(agent), parameters)))


def parse_team(text: str, seats: int) -> tuple[Spec, ...]:
    """The specs of a team's seats, in their order: one for all, or one for each.

    Raises `SpecError` when it names neither one agent nor ``seats`` of them.
    """
    specs = [parse_spec(spec) for spec in split_team(text)]
    if len(specs) not in (1, seats):
        raise SpecError(
            f"{text!r} names {len(specs)} agents for a team of {seats}: name one, or {seats}"
        )
    return tuple(specs * seats if len(specs) == 1 else specs)


def split_team(text: str) -> list[str]:
    """The specs of a team; see the module for the grammar. Raises `SpecError` for an empty one."""
    specs: list[str] = []
    rest, quoted = text.strip(), False
    while True:
        after_quotes = quoted
        quoted = rest.startswith('"')
        if quoted:
            spec, closing, rest = rest[1:].partition('"')
            between, comma, rest = rest.partition(",")
            if not closing or between.strip():
                raise SpecError(f"{text!r}: only a comma may follow a spec in double quotes")
        elif rest.startswith(COMMAND):
            spec, comma, rest = rest, "", ""
        else:
            spec, comma, rest = rest.partition(",")
        if not spec.strip():
            raise SpecError(f"{text!r} has an empty place where an agent should be named")
        if specs and not quoted and not after_quotes and _PARAMETER.match(spec):
            specs[-1] += f",{spec.strip()}"
        else:
            specs.append(spec.strip())
        if not comma:
            return specs
        rest = rest.lstrip()


def available() -> dict[str, str]:
    """The named agents, each with its ``module:Class``; those of entry points come last."""
    return BUILT_IN | {
        point.name: point.value
        for point in importlib.metadata.entry_points(group=ENTRY_POINTS)
        if point.name not in BUILT_IN
    }


def summary(agent: type[Agent]) -> str:
    """The first line of the agent's docstring."""
    return (inspect.getdoc(agent) or "").partition("\n")[0]


def _find(text: str) -> tuple[type[Agent], str]:
    """The class that a spec (no command) names, and the text of its parameters."""
    if match := _FILE.match(text):
        if not os.path.isfile(match["file"]):
            raise SpecError(f"{text!r}: there is no file {match['file']}")
        module = _imported(text, lambda: _load(os.path.abspath(match["file"])))
        return _class(text, module, match["name"] or ""), match["parameters"] or ""
    head, _, rest = text.partition(":")
    if rest and not _PARAMETER.match(rest):
        name, _, parameters = rest.partition(":")
        return _class(text, _imported(text, lambda: _import(head)), name), parameters
    target = available().get(head)
    if target is None:
        raise SpecError(f"there is no agent {head!r}; {_near(head, available(), 'the agents are')}")
    module_name, _, name = target.partition(":")
    return _class(text, _imported(text, lambda: _import(module_name)), name), rest


def _class(text: str, module: ModuleType, name: str) -> type[Agent]:
    found = getattr(module, name, None)
    if isinstance(found, type) and issubclass(found, Agent):
        return found
    agents = [
        each
        for each, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Agent) and value is not Agent
    ]
    where = module.__file__ or module.__name__
    if found is not None:
        raise SpecError(
            f"{text!r}: {name} in {where} is no agent; derive it from literature_ai.Agent"
        )
    if not agents:
        raise SpecError(f"{text!r}: {where} has no agent; derive one from literature_ai.Agent")
    asked = f"no agent {name!r}" if name else "an agent's name missing"
    raise SpecError(f"{text!r}: {where} has {asked}; {_near(name, agents, 'its agents are')}")


def _import(module: str) -> ModuleType:
    # Like `python -m`: what lies in the current folder can be imported.
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.append(os.getcwd())
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module}.".startswith(f"{error.name}."):
            near = _near(module, available(), "the agents with a name are")
            raise SpecError(f"there is no module {error.name!r}; {near}") from error
        raise


@cache
def _load(path: str) -> ModuleType:
    """The module in a file, imported once, under a name that no other module has."""
    folder, file = os.path.split(path)
    if folder not in sys.path:
        # Last, so that no file beside the bot can hide a module of the standard library.
        sys.path.append(folder)
    name = f"literature_bot_{file.removesuffix('.py')}_{len(sys.modules)}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _imported(text: str, load: Callable[[], ModuleType]) -> ModuleType:
    """The module that ``load`` imports. Raises `SpecError` for whatever that raises."""
    try:
        return load()
    except SpecError:
        raise
    except (Exception, SystemExit) as error:
        reason = in_one_line(error)
        raise SpecError(f"{text!r} cannot be imported: {reason}") from error


def _arguments(
    text: str, parameters: tuple[Parameter, ...], given: str
) -> Iterable[tuple[str, Any]]:
    known = {parameter.name: parameter for parameter in parameters}
    missing = {name for name, parameter in known.items() if parameter.required}
    for piece in given.split(",") if given.strip() else ():
        name, equals, value = (part.strip() for part in piece.partition("="))
        if not equals:
            raise SpecError(f"{text!r}: {piece.strip()!r} is no parameter; write name=value")
        if name not in known:
            near = _near(name, known, "it takes") if known else "it takes none"
            raise SpecError(f"{text!r}: there is no parameter {name!r}; {near}")
        try:
            yield name, known[name].parse(value)
        except SpecError as error:
            raise SpecError(f"{text!r}: {error}") from None
        missing.discard(name)
    if missing:
        raise SpecError(f"{text!r}: the parameter {min(missing)!r} is missing")


def _near(word: str, known: Iterable[str], introduction: str) -> str:
    known = list(known)
    near = difflib.get_close_matches(word, known, n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(map(repr, near))}?"
    return f"{introduction}: {', '.join(known)}"
