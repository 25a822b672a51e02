"""Whether an event fits everything before it, and if not, which events it clashes with.

An event is held against the rules and against what was seen (`records.consistency`), and then
against all that follows from it and the own hand together (`Knowledge`). A refusal names a smallest
set of events that cannot all be true, because the mistake may be in any of them.
"""

from __future__ import annotations

import contextlib
from bisect import bisect_left
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace

from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, Card, CardNames, Seat
from literature_ai.errors import LiteratureError
from literature_ai.events import Asked, Claimed, Event
from literature_ai.inference.knowledge import Knowledge
from literature_ai.inference.proof import prove_clash
from literature_ai.inference.recorded import Viewpoint, clash_of_hands
from literature_ai.records.consistency import Consistency, Objection, hand_objection
from literature_ai.records.notation import format_event, parse_event, parse_result
from literature_ai.records.record import Record
from literature_ai.wording import counts, layout, sentence
from solver.errors import ContradictionError
from solver.problem import OWN_HAND
from solver.sat import Sat


class LineError(LiteratureError):
    """A refused line: the reason and what to change. The state is unchanged."""

    def __init__(self, message: str, doubted: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.doubted = doubted
        """The earlier events that may be wrong instead; 0 is the own hand."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """The first event of a record that does not fit what stands before it."""

    number: int
    """From 1; 0 when it is the set-up that does not fit."""
    why: str


def with_events(record: Record, events: Sequence[Event]) -> Record:
    """The record with these events, not checked, and without a result."""
    return replace(record, events=tuple(events), ended=False, unfinished=False, lines=())


def with_line(before: Viewpoint, text: str) -> Viewpoint:
    """The viewpoint after one more line: an event, in any notation, or a result.

    Raises `NotationError` for a line that is neither, `LineError` for an event that does not fit.
    """
    record = before.record
    consistency = Consistency.of(record)
    first, _, rest = text.partition(" ")
    if first.lower() == "result":
        unfinished = parse_result(rest, consistency.position)
        return replace(before, record=replace(record, ended=True, unfinished=unfinished))
    event = parse_event(text, consistency.position, consistency.lost)
    objection = consistency.follow(event)
    if objection is not None and objection.rule:
        raise LineError(f"{_told(objection)}{_event_before(record)}")
    try:
        after = before.observed(event)
    except ContradictionError as error:
        clash = _with_own_hand(before.knowledge, event, error)
        why = _explained(before, event, clash, objection)
        number = len(record.events) + 1
        others = (*_others(number, clash), *[OWN_HAND] * (OWN_HAND in clash.events))
        raise LineError(f"{why}\n{_cure(number, clash)}", others) from None
    if objection is not None:
        raise LineError(_told(objection))
    if len(record.hands) - record.hands.count(None) > 1:
        clash_of_all = clash_of_hands(after.record)
        if clash_of_all is not None:
            raise LineError(_told_of_hands(after.record, clash_of_all))
    return replace(after, record=replace(after.record, score=consistency.position.score))


def first_misfit(record: Record, seat: Seat) -> Misfit | None:
    """The first event of the record that does not fit what stands before it, if there is one."""
    objection = _objection_to_hands(record)
    if objection is not None:
        return Misfit(0, _told(objection))
    events = record.events
    number, objection = _first_objection(record)
    readable = len(events) if objection is None else number - 1

    def clashes(count: int) -> bool:
        return _clash_after(record, seat, count) is not None

    if clashes(readable):
        number, objection = bisect_left(range(readable), True, key=clashes), None
    if objection is None and number == 0:
        clash_of_all = clash_of_hands(record)
        if clash_of_all is None:
            return None
        return Misfit(max(clash_of_all.events), _told_of_hands(record, clash_of_all))
    if objection is None or not objection.rule:
        before = Viewpoint.of(with_events(record, events[: number - 1]), seat)
        event = events[number - 1]
        try:
            before.observed(event)
        except ContradictionError as error:
            clash = _with_own_hand(before.knowledge, event, error)
            return Misfit(number, _explained(before, event, clash, objection))
    assert objection is not None
    return Misfit(number, _told(objection))


def _objection_to_hands(record: Record) -> Objection | None:
    """Why the known hands of the record are not part of a deal."""
    dealt: dict[Card, Seat] = {}
    for seat, hand in enumerate(record.hands):
        if hand is not None:
            objection = hand_objection(record.rules, seat, hand, dealt)
            if objection is not None:
                return objection
    return None


def _first_objection(record: Record) -> tuple[int, Objection | None]:
    """The number of the first event that contradicts what stands before it, and why; 0 if none."""
    consistency = Consistency(record.rules, record.start, record.hands)
    for number, event in enumerate(record.events, start=1):
        objection = consistency.follow(event)
        if objection is not None:
            return number, objection
    return 0, None


def _told(objection: Objection) -> str:
    return f"{objection.what}; {objection.cure}"


def _told_of_hands(record: Record, error: ContradictionError) -> str:
    """Why no deal fits the events and all the hands that the record has."""
    last = max(error.events)
    others = [
        "a hand" if event == OWN_HAND else f"event {event}"
        for event in error.events
        if event != last
    ]
    said = format_event(record.events[last - 1], record.rules.card_names)
    cure = f"correct event {last} ({said})" + (f", or {' or '.join(others)}" if others else "")
    return f"{error}; {cure}"


def _event_before(record: Record) -> str:
    """The last event, in case the mistake is there."""
    number = len(record.events)
    if not number:
        return ""
    said = sentence(record.events[-1], record.rules.card_names)
    return f".\nThe event before was\n{number:5}. {said}"


def _clash_after(record: Record, seat: Seat, count: int) -> ContradictionError | None:
    """Why no deal fits so many events as the seat sees them; None when one does."""
    try:
        Viewpoint.of(with_events(record, record.events[:count]), seat)
    except ContradictionError as error:
        return error
    return None


def _with_own_hand(
    before: Knowledge, event: Event, error: ContradictionError
) -> ContradictionError:
    """The same error, citing the own hand rather than an event where either suffices.

    A player can look at the hand, but not at an event.
    """
    if OWN_HAND in error.events or len(error.events) != 2:
        return error
    after = _observed_anyway(before, event)
    own = OWN_HAND, after.events
    fits = Sat(after.problem.restricted(own)).possible({})
    return error if fits else ContradictionError(str(error), own)


def _observed_anyway(before: Knowledge, event: Event) -> Knowledge:
    """The knowledge after an event, even if it contradicts what was seen."""
    after = copy(before)
    with contextlib.suppress(ContradictionError):
        after.observe(event)
    return after


def _explained(
    before: Viewpoint, event: Event, clash: ContradictionError, objection: Objection | None
) -> str:
    """Why the event cannot be true, and what may be wrong with it."""
    last = len(before.record.events) + 1
    others = _others(last, clash)
    numbers = [str(number) for number in others]
    if numbers:
        numbers[0] = f"event{'s' * (len(numbers) > 1)} {numbers[0]}"
    withs = _and([*["your hand"] * (OWN_HAND in clash.events), *numbers])
    what = f"event {last} cannot be true" + (f" with {withs}" if withs else "")
    names, events = before.record.rules.card_names, before.record.events
    lines = [f"{number:5}. {sentence(events[number - 1], names)}" for number in others]
    if objection is None:
        lines += _steps(before, event, clash)
    else:
        reason = _told(objection)
        lines.append(f"{reason[:1].upper()}{reason[1:]}.")
    return "\n".join([f"{what}: {_doubt(before, event)}", *lines])


def _steps(before: Viewpoint, event: Event, clash: ContradictionError) -> list[str]:
    """How the events clash, where two of them do not show it by themselves."""
    if len(clash.events) < 3:
        return []
    after = _observed_anyway(before.knowledge, event)
    proof = prove_clash(after, (*before.record.events, event))
    return [f"  {line}" for line in str(proof).split("\n")]


def _cure(last: int, clash: ContradictionError) -> str:
    """What to type instead, or first, when the event of this number cannot be true."""
    cures = [f"edit {number}" for number in _others(last, clash)]
    cures += ["hand"] * (OWN_HAND in clash.events)
    first = f", or correct first what was wrong before: {', '.join(cures)}" if cures else ""
    return f"Type event {last} as it was{first}."


def _others(last: int, clash: ContradictionError) -> list[int]:
    return [number for number in clash.events if number not in (OWN_HAND, last)]


def _doubt(before: Viewpoint, event: Event) -> str:
    """The question whether the event was really so."""
    names = before.record.rules.card_names
    if isinstance(event, Claimed):
        return _doubt_of_claim(event, names)
    assert isinstance(event, Asked)
    asker, target, card = SEAT_NAMES[event.asker], SEAT_NAMES[event.target], names[event.card]
    try:
        before.observed(replace(event, hit=not event.hit))
    except ContradictionError:
        return f"did {asker} really ask {target} for {card}?"
    said = f"give {card} to {asker}" if event.hit else f"say no to {card}"
    return f"did {target} really {said}? ({'No' if event.hit else 'Yes'} would fit.)"


def _doubt_of_claim(event: Claimed, names: CardNames) -> str:
    half_suit = HALF_SUIT_NAMES[event.half_suit]
    if event.right:
        said = layout(event.half_suit, event.holders, names)
        return f"was the claim of {half_suit} as {said} really right?"
    if event.shown is not None:
        return f"were the cards really at {layout(event.half_suit, event.shown, names)}?"
    return f"was the claim really wrong, with {counts(event.lost or ())} cards lost?"


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def capitalized(text: str) -> str:
    """The text as a sentence."""
    return text[:1].upper() + text[1:] + "." * (text[-1] not in ".?)")
