"""Whether a line fits everything before it, and if not, which events it clashes with.

A line is held against the rules and what was seen (the reader of records does that), and then
against all that follows from it and the own hand together (`Knowledge` does that). What is refused
is refused with a smallest set of events that cannot all be true, because the mistake may be in any
of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from literature_ai.cards import CARD_NAMES, HALF_SUIT_NAMES, SEAT_NAMES, Seat
from literature_ai.errors import ImpossibleEvent, LiteratureError, RecordError
from literature_ai.events import Asked, Claimed, Event
from literature_ai.hints import check_deal_exists
from literature_ai.knowledge import Knowledge
from literature_ai.notation import counts, layout, sentence
from literature_ai.record import Record, read, write
from solver.problem import OWN_HAND, ContradictionError


class Refused(LiteratureError):
    """A line that does not fit: why, and what to change. Nothing has been changed."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """The first event of a record that does not fit what stands before it."""

    number: int
    """From 1; 0 when it is the set-up that does not fit."""
    why: str


def with_events(record: Record, events: Sequence[Event]) -> Record:
    """The record with these events, not checked, and without a result."""
    return replace(record, events=tuple(events), ended=False, unfinished=False)


def with_line(record: Record, seat: Seat, text: str) -> Record:
    """The record with one more line, an event or a result, in the words of a record.

    Raises `Refused` when the line does not fit.
    """
    seen: ImpossibleEvent | None = None
    try:
        longer = _read(f"{write([record])}{text}\n")
    except ImpossibleEvent as error:
        if error.rule:
            raise Refused(f"{error.what}; {error.cure}{_before(record)}") from None
        seen = error
        longer = with_events(record, (*record.events, error.event))
    except RecordError as error:
        raise Refused(f"{error.what}; {error.cure}") from None
    clash = _clash(longer, seat)
    if clash is not None:
        raise Refused(_explained(longer, seat, clash, seen))
    if seen is not None:
        raise Refused(f"{seen.what}; {seen.cure}")
    return longer


def first_misfit(record: Record, seat: Seat) -> Misfit | None:
    """The first event of the record that does not fit what stands before it, if there is one."""
    events = record.events
    error = _error_of(record)
    readable = len(events) if error is None else error[0] - 1
    if error is not None and error[0] == 0:
        return Misfit(0, error[1])

    def clashes(count: int) -> bool:
        return _clash(with_events(record, events[:count]), seat) is not None

    if clashes(readable):
        number = bisect_left(range(readable), True, key=clashes)
    elif error is not None:
        number = error[0]
    else:
        return None
    shorter = with_events(record, events[:number])
    clash = _clash(shorter, seat) if error is None or number != error[0] else None
    return Misfit(
        number, _explained(shorter, seat, clash, None) if clash else (error or (0, ""))[1]
    )


def _error_of(record: Record) -> tuple[int, str] | None:
    """The number of the first event that the reader refuses (0: the set-up), and why."""
    heading = write([with_events(record, ())]).count("\n")
    try:
        _read(write([record]))
    except RecordError as error:
        return max(error.line - heading, 0), f"{error.what}; {error.cure}"
    return None


def _before(record: Record) -> str:
    """The last event, in case the mistake is there."""
    number = len(record.events)
    if not number:
        return ""
    return f".\nThe event before was\n{number:5}. {sentence(record.events[-1])}"


def _read(text: str) -> Record:
    """The one record in the text, which some deal fits."""
    (record,) = read(text)
    if len(record.hands) - record.hands.count(None) > 1:  # the own hand is looked at elsewhere
        check_deal_exists(record, "<text>")
    return record


def _clash(record: Record, seat: Seat) -> ContradictionError | None:
    knowledge = Knowledge(record.rules, seat, record.hands[seat])
    try:
        for event in record.events:
            knowledge.observe(event)
        knowledge.check()
    except ContradictionError as error:
        return error
    return None


def _explained(
    record: Record, seat: Seat, clash: ContradictionError, seen: ImpossibleEvent | None
) -> str:
    """Why the last event of the record cannot be true, and what may be wrong instead."""
    last = len(record.events)
    others = [number for number in clash.events if number not in (OWN_HAND, last)]
    numbers = [str(number) for number in others]
    if numbers:
        numbers[0] = f"event{'s' * (len(numbers) > 1)} {numbers[0]}"
    withs = _and([*["your hand"] * (OWN_HAND in clash.events), *numbers])
    what = f"event {last} cannot be true" + (f" with {withs}" if withs else "")
    cures = [f"edit {number}" for number in others] + ["hand"] * (OWN_HAND in clash.events)
    first = f", or correct first what was wrong before: {', '.join(cures)}" if cures else ""
    return "\n".join(
        [
            f"{what}: {_doubt(record, seat)}",
            *(f"{number:5}. {sentence(record.events[number - 1])}" for number in others),
            *([f"{seen.what}; {seen.cure}."] if seen is not None else []),
            f"Type event {last} as it was{first}.",
        ]
    )


def _doubt(record: Record, seat: Seat) -> str:
    """The question whether the last event was really so."""
    event = record.events[-1]
    if isinstance(event, Claimed):
        return _doubt_of_claim(event)
    assert isinstance(event, Asked)
    asker, target, card = SEAT_NAMES[event.asker], SEAT_NAMES[event.target], CARD_NAMES[event.card]
    other = with_events(record, (*record.events[:-1], replace(event, hit=not event.hit)))
    if _clash(other, seat) is not None:
        return f"did {asker} really ask {target} for {card}?"
    said = f"give {card} to {asker}" if event.hit else f"say no to {card}"
    return f"did {target} really {said}? ({'No' if event.hit else 'Yes'} would fit.)"


def _doubt_of_claim(event: Claimed) -> str:
    half_suit = HALF_SUIT_NAMES[event.half_suit]
    if event.right:
        said = layout(event.half_suit, event.holders)
        return f"was the claim of {half_suit} as {said} really right?"
    if event.shown is not None:
        return f"were the cards really at {layout(event.half_suit, event.shown)}?"
    return f"was the claim really wrong, with {counts(event.lost or ())} cards lost?"


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
