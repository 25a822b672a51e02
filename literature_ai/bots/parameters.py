"""Parameters of agents: the keyword arguments of a constructor, checked by their annotations.

An agent declares its parameters as Python does: by name, type and default. A range is given by
`Between` in an ``Annotated``, a choice by a ``Literal``:

>>> class Careful:
...     def __init__(
...         self,
...         claim_at: Annotated[float, Between(0, 1)] = 1.0,
...         style: Literal["calm", "bold"] = "calm",
...     ) -> None: ...
>>> [parameter.describe() for parameter in parameters_of(Careful)]
['claim_at=1.0 (number from 0 to 1)', 'style=calm (calm or bold)']
>>> parameters_of(Careful)[0].parse("0.9")
0.9
"""

from __future__ import annotations

import inspect
import math
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union

from literature_ai.errors import SpecError

_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
_NO_DEFAULT = inspect.Parameter.empty
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Between:
    """The range of a number, bounds included, for use in an ``Annotated``."""

    low: float = -math.inf
    high: float = math.inf

    def __str__(self) -> str:
        if self.high == math.inf:
            return f"{self.low} or more"
        if self.low == -math.inf:
            return f"{self.high} or less"
        return f"from {self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One keyword argument of a constructor."""

    name: str
    kind: type
    """int, float, bool or str."""
    default: Any
    range: Between | None = None
    choices: tuple[Any, ...] = ()
    optional: bool = False
    """Whether ``none`` is a value too."""

    @property
    def required(self) -> bool:
        return self.default is _NO_DEFAULT

    def describe(self) -> str:
        """The parameter in words, with its default."""
        shown = self.name if self.required else f"{self.name}={self.default}"
        return f"{shown} ({self._allowed()})"

    def parse(self, text: str) -> Any:
        """The value that the text gives. Raises `SpecError` when it is not allowed."""
        if self.optional and text.lower() == "none":
            return None
        try:
            value = _READ[self.kind](text)
        except ValueError:
            raise self._refusal(text) from None
        if self.choices and value not in self.choices:
            raise self._refusal(text)
        if self.range and not self.range.low <= value <= self.range.high:
            raise self._refusal(text)
        return value

    def _refusal(self, text: str) -> SpecError:
        shown = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
        return SpecError(f"{self.name} cannot be {shown!r}: {self._allowed()}")

    def _allowed(self) -> str:
        if self.choices:
            words = " or ".join(map(str, self.choices))
        else:
            words = _IN_WORDS[self.kind] + (f" {self.range}" if self.range else "")
        return f"{words}, or none" if self.optional else words


def parameters_of(agent: type) -> tuple[Parameter, ...]:
    """The parameters that the constructor of the class takes by name, in its order."""
    constructor = agent.__init__  # type: ignore[misc]
    if constructor is object.__init__:
        return ()
    hints = typing.get_type_hints(constructor, include_extras=True)
    return tuple(
        _parameter(argument, hints.get(argument.name))
        for argument in list(inspect.signature(constructor).parameters.values())[1:]
        if argument.kind in (argument.KEYWORD_ONLY, argument.POSITIONAL_OR_KEYWORD)
    )


def _parameter(argument: inspect.Parameter, hint: Any) -> Parameter:
    kind, limits, optional = hint, None, False
    choices: tuple[Any, ...] = ()
    if typing.get_origin(kind) in (Union, types.UnionType):
        members = [member for member in typing.get_args(kind) if member is not type(None)]
        optional = len(members) < len(typing.get_args(kind))
        kind = members[0] if len(members) == 1 else str
    if typing.get_origin(kind) is Annotated:
        limits = next((note for note in typing.get_args(kind) if isinstance(note, Between)), None)
        kind = typing.get_args(kind)[0]
    if typing.get_origin(kind) is Literal:
        choices = typing.get_args(kind)
        kind = type(choices[0])
    if kind not in _READ:
        kind = type(argument.default) if type(argument.default) in _READ else str
    return Parameter(argument.name, kind, argument.default, limits, choices, optional)


def _read_bool(text: str) -> bool:
    if text.lower() not in _TRUE + _FALSE:
        raise ValueError
    return text.lower() in _TRUE


def _read_float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    return number


_READ: dict[Any, Callable[[str], Any]] = {
    int: int,
    float: _read_float,
    bool: _read_bool,
    str: str,
}
_IN_WORDS = {int: "whole number", float: "number", bool: "true or false", str: "text"}
