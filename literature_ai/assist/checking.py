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

from literature_ai.analysis.hints import check_deal_exists
from literature_ai.cards import CARD_NAMES, HALF_SUIT_NAMES, SEAT_NAMES, Seat
from literature_ai.errors import ImpossibleEventError, LiteratureError, RecordError
from literature_ai.events import Asked, Claimed, Event
from literature_ai.inference.knowledge import Knowledge
from literature_ai.inference.proof import prove_clash
from literature_ai.records.lit import Record, read, write
from literature_ai.records.notation import counts, layout, sentence
from solver.problem import OWN_HAND, ContradictionError, Problem
from solver.sat import Sat


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
    try:
        longer, error = _read(f"{write([record])}{text}\n"), None
    except ImpossibleEventError as impossible:
        if impossible.rule:
            raise Refused(f"{_told(impossible)}{_before(record)}") from None
        longer = with_events(record, (*record.events, impossible.event))
        error = impossible
    except RecordError as departure:
        raise Refused(_told(departure)) from None
    clash = _clash(longer, seat)
    if clash is not None:
        why = _explained(longer, seat, clash, error)
        raise Refused(f"{why}\n{_cure(longer, clash)}")
    if error is not None:
        raise Refused(_told(error))
    return longer


def first_misfit(record: Record, seat: Seat) -> Misfit | None:
    """The first event of the record that does not fit what stands before it, if there is one."""
    events = record.events
    number, error = _first_refused(record)
    if error is not None and number == 0:
        return Misfit(0, _told(error))

    def clashes(count: int) -> bool:
        return _clash(with_events(record, events[:count]), seat) is not None

    readable = len(events) if error is None else number - 1
    if clashes(readable):
        number, error = bisect_left(range(readable), True, key=clashes), None
    elif error is None:
        return None
    shorter = with_events(record, events[:number])
    seen = error if isinstance(error, ImpossibleEventError) else None
    if seen is None or not seen.rule:
        clash = _clash(shorter, seat)
        if clash is not None:
            return Misfit(number, _explained(shorter, seat, clash, seen))
    assert error is not None
    return Misfit(number, _told(error))


def _first_refused(record: Record) -> tuple[int, RecordError | None]:
    """The number of the first event that the reader refuses (0: the set-up), and why."""
    heading = write([with_events(record, ())]).count("\n")
    try:
        _read(write([record]))
    except RecordError as error:
        return max(error.line - heading, 0), error
    return 0, None


def _told(error: RecordError) -> str:
    return f"{error.what}; {error.cure}"


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
    """Why no deal fits the record as the seat sees it; None when one does."""
    knowledge = Knowledge(record.rules, seat, record.hands[seat])
    try:
        for event in record.events:
            knowledge.observe(event)
        knowledge.check()
    except ContradictionError as error:
        return _with_own_hand(knowledge, error)
    return None


def _steps(record: Record, seat: Seat, clash: ContradictionError) -> list[str]:
    """How the events clash, where two of them do not show it by themselves."""
    if len(clash.events) < 3:
        return []
    knowledge = Knowledge(record.rules, seat, record.hands[seat])
    for event in record.events:
        knowledge.observe(event)
    return [f"  {line}" for line in str(prove_clash(knowledge, record.events)).split("\n")]


def _with_own_hand(knowledge: Knowledge, error: ContradictionError) -> ContradictionError:
    """The same error, telling of the own hand rather than of an event, if either is enough.

    A player can look at the hand, but not at an event.
    """
    last = knowledge.events
    if OWN_HAND in error.events or len(error.events) != 2:
        return error
    problem = Problem(knowledge.problem.half_suits, knowledge.problem.hand_sizes)
    for number, fact in knowledge.problem.facts:
        if number in (OWN_HAND, last):
            problem.add(number, fact)
    return error if Sat(problem).possible({}) else ContradictionError(str(error), (OWN_HAND, last))


def _explained(
    record: Record, seat: Seat, clash: ContradictionError, seen: ImpossibleEventError | None
) -> str:
    """Why the last event of the record cannot be true, and what may be wrong with it."""
    last = len(record.events)
    others = _others(record, clash)
    numbers = [str(number) for number in others]
    if numbers:
        numbers[0] = f"event{'s' * (len(numbers) > 1)} {numbers[0]}"
    withs = _and([*["your hand"] * (OWN_HAND in clash.events), *numbers])
    what = f"event {last} cannot be true" + (f" with {withs}" if withs else "")
    lines = [f"{number:5}. {sentence(record.events[number - 1])}" for number in others]
    if seen is None:
        lines += _steps(record, seat, clash)
    else:
        reason = _told(seen)
        lines.append(f"{reason[:1].upper()}{reason[1:]}.")
    return "\n".join([f"{what}: {_doubt(record, seat)}", *lines])


def _cure(record: Record, clash: ContradictionError) -> str:
    """What to type instead, or first, when the last event of the record cannot be true."""
    cures = [f"edit {number}" for number in _others(record, clash)]
    cures += ["hand"] * (OWN_HAND in clash.events)
    first = f", or correct first what was wrong before: {', '.join(cures)}" if cures else ""
    return f"Type event {len(record.events)} as it was{first}."


def _others(record: Record, clash: ContradictionError) -> list[int]:
    return [number for number in clash.events if number not in (OWN_HAND, len(record.events))]


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
