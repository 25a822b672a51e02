"""The knowledge of seats in a recorded game.

A `Viewpoint` has the knowledge of one seat and that of everyone, each made once; hints, their
consequences and `literature assist` all work with it.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace

from literature_ai.cards import SEAT_NAMES, Seat, parse_seat
from literature_ai.errors import LiteratureError, RecordError
from literature_ai.events import Event
from literature_ai.inference.knowledge import Knowledge
from literature_ai.records.notation import format_event
from literature_ai.records.record import Record
from solver.errors import ContradictionError
from solver.problem import OWN_HAND


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A recorded game as one seat sees it."""

    record: Record
    seat: Seat
    knowledge: Knowledge
    """What the seat knows after the last event."""
    everyone: Knowledge
    """What everyone knows."""

    @classmethod
    def of(cls, record: Record, seat: Seat) -> Viewpoint:
        """The viewpoint of a seat whose hand the record has.

        Raises `ContradictionError` when no deal fits.
        """
        knowledge = _observed(record, seat)
        knowledge.check()
        return cls(record, seat, knowledge, _observed(record, None))

    def observed(self, event: Event) -> Viewpoint:
        """The viewpoint after one more event, which the record gets too.

        Raises `ContradictionError` when no deal fits any more.
        """
        knowledge, everyone = copy(self.knowledge), copy(self.everyone)
        for known in (knowledge, everyone):
            known.observe(event)
        knowledge.check()
        record = replace(self.record, events=(*self.record.events, event))
        return Viewpoint(record, self.seat, knowledge, everyone)


def viewpoint_of(record: Record, seat: Seat, file: str) -> Viewpoint:
    """The viewpoint of a seat whose hand the record has. Raises as `knowledge_of` does."""
    try:
        return Viewpoint.of(record, seat)
    except ContradictionError as error:
        raise contradictory(record, seat, file, error) from error


def knowledge_of(record: Record, seat: Seat | None, file: str) -> Knowledge:
    """What the seat knows after the last event of the record; None: what everyone knows.

    Raises `RecordError`, naming the last event of a smallest set that cannot all be true, when no
    deal fits.
    """
    try:
        knowledge = _observed(record, seat)
        knowledge.check()
    except ContradictionError as error:
        raise contradictory(record, seat, file, error) from error
    return knowledge


def check_deal_exists(record: Record, file: str) -> None:
    """Raise `RecordError` when no deal fits all events and all the hands that the record has.

    What the reader checks line by line is enough where every hand is known; what only follows from
    several lines together is found here, by SAT.
    """
    error = clash_of_hands(record)
    if error is not None:
        raise contradictory(record, None, file, error) from error


def clash_of_hands(record: Record) -> ContradictionError | None:
    """Why no deal fits all events and all the hands of the record; None when one does."""
    from solver.explanation import contradiction

    if None not in record.hands:
        return None
    try:
        knowledge = Knowledge.of_hands(record.rules, record.hands, record.events)
    except ContradictionError as error:
        return error
    return None if knowledge.sat.possible({}) else contradiction(knowledge.problem)


def contradictory(
    record: Record, seat: Seat | None, file: str, error: ContradictionError
) -> RecordError:
    """The error in terms of the lines of the record."""
    names = record.rules.card_names
    last = max(error.events)
    others = [
        ("a hand" if seat is None else f"the hand of {SEAT_NAMES[seat]}")
        if event == OWN_HAND
        else f"line {record.lines[event - 1]} ({format_event(record.events[event - 1], names)})"
        for event in error.events
        if event != last
    ]
    cure = "correct it" + (f", or {' or '.join(others)}" if others else "")
    text = format_event(record.events[last - 1], names)
    return RecordError(file, record.lines[last - 1], text, str(error), cure)


def seat_to_advise(record: Record, named: str | None, file: str) -> Seat:
    """The seat of this name, or, without one, the only seat whose hand the record has.

    Raises LiteratureError when the game has no such seat, when the record has no hand for it, or
    when there is no only one.
    """
    seat = None if named is None else parse_seat(named, record.rules.players)
    known = [SEAT_NAMES[s] for s, hand in enumerate(record.hands) if hand is not None]
    if seat is None and len(known) == 1:
        return SEAT_NAMES.index(known[0])
    if seat is None:
        which = f"one of {' '.join(known)}" if known else "none: add one, as in 'hand A1 3S …'"
        raise LiteratureError(
            f"{file}: say whose hint it is with --seat; the hands in game {record.id} are {which}"
        )
    if record.hands[seat] is None:
        name = SEAT_NAMES[seat]
        cure = f"ask for {' or '.join(known)}, or a" if known else "a"
        raise LiteratureError(
            f"{file}: game {record.id} has no hand of {name}; {cure}dd it,"
            f" as in 'hand {name} 3S …' with its {record.rules.hand_size} cards as dealt"
        )
    return seat


def _observed(record: Record, seat: Seat | None) -> Knowledge:
    knowledge = Knowledge(record.rules, seat, None if seat is None else record.hands[seat])
    for event in record.events:
        knowledge.observe(event)
    return knowledge
