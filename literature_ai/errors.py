"""The exceptions of this package, all of them `LiteratureError` and so `ValueError`.

Each message says what happened, where, and what would be right. `solver.errors` has two more:
`ContradictionError` and `NotForcedError`.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from solver.errors import LiteratureError as LiteratureError

BotErrorKind: TypeAlias = Literal["error", "illegal", "timeout", "crash", "protocol"]
_MOST_BITS = 64
"""Of a number that a message shows in digits."""


class UnknownNameError(LiteratureError):
    """A name, or a number, of no card, half-suit or seat."""


class RulesError(LiteratureError):
    """Rules that do not exist or that contradict each other."""


class DealError(LiteratureError):
    """Hands that are not a deal of the deck, or a start at no seat."""


class IllegalActionError(LiteratureError):
    """An action or event against the rules; the game is unchanged. ``rule`` names the rule."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule

    def __reduce__(self) -> tuple[type[IllegalActionError], tuple[str, str]]:
        return type(self), (self.rule, str(self))


class SpecError(LiteratureError):
    """The spec of an agent or a team that names none, or gives a parameter a wrong value."""


class BotError(LiteratureError):
    """A bot failed. ``kind`` says how; ``diagnostics`` is the end of a program's stderr."""

    def __init__(self, kind: BotErrorKind, message: str, diagnostics: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.diagnostics = diagnostics

    def __reduce__(self) -> tuple[type[BotError], tuple[Any, ...]]:
        return type(self), (self.kind, str(self), self.diagnostics)


class FileError(LiteratureError):
    """A file that cannot be read or written, or is of the wrong format."""


class StreamError(FileError):
    """Input or output that failed although it was named rightly: a full disk, a closed output."""


class NotationError(LiteratureError):
    """A text that is no event. Attributes: ``what`` is wrong, and the ``cure``."""

    def __init__(self, what: str, cure: str) -> None:
        super().__init__(f"{_clipped(what)}; {cure}")
        self.what = what
        self.cure = cure

    def __reduce__(self) -> tuple[type[NotationError], tuple[str, str]]:
        return type(self), (self.what, self.cure)


class RecordError(LiteratureError):
    """A record that breaks the grammar or the rules.

    Attributes: ``file`` (its name), ``line`` (the line number, from 1), ``text`` (of that line),
    ``what`` is wrong, and the ``cure`` (what would be right).
    """

    def __init__(self, file: str, line: int, text: str, what: str, cure: str) -> None:
        super().__init__(f"{file}:{line}: {_clipped(text.strip())!r}: {_clipped(what)}; {cure}")
        self.file = file
        self.line = line
        self.text = text
        self.what = what
        self.cure = cure

    def __reduce__(self) -> tuple[type[RecordError], tuple[Any, ...]]:
        return type(self), (self.file, self.line, self.text, self.what, self.cure)


def shown(value: object) -> str:
    """The value in at most 60 characters, also when it is an enormous number or cannot be shown."""
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return f"{value:#x}"[:10] + f"… ({value.bit_length()} bits)"
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 60 else text[:59] + "…"


def _clipped(text: str) -> str:
    """The text, cut to at most 200 characters."""
    return text if len(text) <= 200 else text[:199] + "…"
