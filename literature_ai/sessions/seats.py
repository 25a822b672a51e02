"""Who sits at a table: persons, bots, or nobody known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from literature_ai.cards import SEAT_NAMES, Seat
from literature_ai.errors import LiteratureError
from literature_ai.records.record import is_plain


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who decides by themselves."""

    name: str = "person"

    def __post_init__(self) -> None:
        """Raise LiteratureError for a name that no line of a record can hold."""
        if self.name != _plain_name(self.name):
            raise LiteratureError(
                f"{self.name!r} cannot be the name of a person; "
                "it must be words with single blanks between them and no '#'"
            )


@dataclass(frozen=True, slots=True)
class Bot:
    """An agent, named by its spec (`literature_ai.bots.registry`)."""

    spec: str


Occupant: TypeAlias = Person | Bot | None
"""Who sits at a seat; None: nobody known, and the game waits for them."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """A bot that failed, and the one that plays on in its place."""

    seat: Seat
    events: int
    """The number of events before it failed."""
    was: str
    """Its spec."""
    by: str
    """The spec of the bot that replaces it."""
    kind: str
    """How it failed: a key of `FAILURES`."""
    detail: str
    """What exactly went wrong. It may tell of the bot's hand, so it is for after the game."""

    def __str__(self) -> str:
        """What happened, in a sentence that tells nothing of any hand."""
        return f"{SEAT_NAMES[self.seat]}: {self.was} {FAILURES[self.kind]}; {self.by} plays on"


FAILURES = {
    "start": "cannot be started",
    "error": "failed with an error",
    "timeout": "did not answer in time",
    "crash": "crashed",
    "protocol": "gave no proper answer",
    "illegal": "broke a rule",
}
"""The ways in which a bot fails, in words."""


def name_of(occupant: Occupant) -> str | None:
    """The name of whoever sits there, as a record has it; None for nobody."""
    if occupant is None:
        return None
    return _plain_name(occupant.name if isinstance(occupant, Person) else occupant.spec)


def occupant_as_json(occupant: Occupant) -> dict[str, str] | None:
    """Who sits there in plain types: ``{"person": name}``, ``{"bot": spec}`` or None."""
    match occupant:
        case Person(name):
            return {"person": name}
        case Bot(spec):
            return {"bot": spec}
    return None


def occupant_from_json(data: Any) -> Occupant:
    """The inverse of `occupant_as_json`. Raises LiteratureError for anything else."""
    match data:
        case None:
            return None
        case {"person": str(name)}:
            return Person(name)
        case {"bot": str(spec)}:
            return Bot(spec)
    raise LiteratureError(f"{data!r} says neither who sits there nor that nobody does")


def _plain_name(text: str) -> str:
    """The text as a record can hold it: words with single blanks, without what cannot be shown."""
    kept = "".join(c if is_plain(c) else " " for c in text)
    return " ".join(kept.split()) or "nameless"
