"""The errors of this package: each message says what happened, where, and what would be right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from literature_ai.events import Event


class LiteratureError(Exception):
    """Bad input of some kind; the command line prints the message as one line and exits with 2."""


class UnknownNameError(LiteratureError):
    """A text that names no card, half-suit or seat."""


class RulesError(LiteratureError):
    """Rules that do not exist or do not go together."""


class DealError(LiteratureError):
    """Hands that are no deal of the deck, or a first turn that is nobody's."""


class IllegalActionError(LiteratureError):
    """An action against the rules; the game is unchanged. ``rule`` names the rule broken."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule

    def __reduce__(self) -> tuple[type[IllegalActionError], tuple[str, str]]:
        return type(self), (self.rule, str(self))


class FileError(LiteratureError):
    """A file that cannot be read or written as what it should be."""


class RecordError(LiteratureError):
    """A record that departs from the grammar or the rules.

    Attributes: ``file`` (a name), ``line`` (its number, from 1), ``text`` (of that line), ``what``
    is wrong, and the ``cure`` (what would be right).
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


class ImpossibleEventError(RecordError):
    """A line that tells an event as it should, but one that cannot be the next.

    ``event`` is what it tells; ``rule`` names the rule broken, and is empty when the event keeps to
    the rules, but not to the hands or to what was seen before it.
    """

    def __init__(
        self, file: str, line: int, text: str, what: str, cure: str, event: Event, rule: str
    ) -> None:
        super().__init__(file, line, text, what, cure)
        self.event = event
        self.rule = rule

    def __reduce__(self) -> tuple[type[ImpossibleEventError], tuple[Any, ...]]:
        place = (self.file, self.line, self.text)
        return type(self), (*place, self.what, self.cure, self.event, self.rule)


def _clipped(text: str) -> str:
    """The text, or so much of it that a message stays a line."""
    return text if len(text) <= 200 else text[:199] + "…"
