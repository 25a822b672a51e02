"""Fits a game that a log tells to the rules: the fewest switches under which it is legal.

The search adds one switch at a time to those that are on, keeps what leads beyond the rule and the
event at which the game was stuck, and goes on from all of these (breadth first): the first set of
switches under which every event is legal is a smallest one. Where nothing helps, the event that was
reached last is the one that breaks the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from literature_ai.cards import Seat
from literature_ai.errors import RecordError
from literature_ai.events import Asked, Claimed, Event, Passed
from literature_ai.records.consistency import Consistency, Objection
from literature_ai.records.foreign.told import Line, Told, renamed
from literature_ai.records.record import Record
from literature_ai.rules import SWITCHES, RuleSet

_LIKELY = ("bluff_asks", "claim_any_time", "play_out", "pass_turn", "split_claims")
"""Switches that are tried first, for they are the most usual."""
_NEVER_GUESSED = ("wrong_hides",)
"""Switches that hide something and so cannot make a game legal."""
GUESSED = (*_LIKELY, *(s for s in SWITCHES if s not in (*_LIKELY, *_NEVER_GUESSED)))
"""The switches that the search turns on, in the order in which they are tried."""


class Fitted(NamedTuple):
    """A game of a log as a record."""

    record: Record
    line: Line
    """Of its first event."""
    guessed: tuple[str, ...]
    """The words of the rules that the log does not name."""
    implied: tuple[int, ...]
    """The numbers of the events that the log leaves out: passes of the turn."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """A game read under some rules, as far as it is legal."""

    rules: RuleSet
    start: Seat
    events: tuple[Event, ...]
    implied: tuple[int, ...]
    lines: tuple[int, ...]
    score: tuple[int, int]
    over: bool
    stuck: int
    """How many events of the log were legal."""
    objection: Objection | None
    """Why the next one is not; None when all are."""

    def leads_beyond(self, other: _Reading) -> bool:
        """Whether it is stuck later than the other, or by another rule."""
        if self.stuck != other.stuck or self.objection is None or other.objection is None:
            return self.stuck > other.stuck
        return self.objection.what != other.objection.what


def fitted(told: Told, id: str) -> Fitted:
    """The record of the game under the fewest rules that make it legal.

    Raises `RecordError` for the line that breaks the rules whichever are chosen.
    """
    reading = _best(told)
    line = told.events[0][0]
    if reading.objection is not None:
        raise _refusal(told, reading)
    new = tuple(w for w in reading.rules.words().split() if w not in told.rules.words().split())
    record = Record(
        id,
        reading.rules,
        reading.start,
        told.hands,
        told.names,
        reading.events,
        reading.score,
        reading.over,
        reading.over and reading.rules.max_events <= len(reading.events),
        reading.lines,
    )
    return Fitted(record, line, (*told.guessed, *new), reading.implied)


def _best(told: Told) -> _Reading:
    """The first reading that is legal to the end, or else the one that leads farthest."""
    best = _read(told, told.rules)
    seen = {told.rules}
    level = [best]
    while best.objection is not None and level and not told.rules_known:
        following = []
        for reading in level:
            for rules in _changed(told, reading.rules):
                if rules in seen:
                    continue
                seen.add(rules)
                further = _read(told, rules)
                if further.objection is None:
                    return further
                if further.leads_beyond(reading):
                    following.append(further)
                if further.stuck > best.stuck:
                    best = further
        level = following
    return best


def _changed(told: Told, rules: RuleSet) -> Iterator[RuleSet]:
    """The rules with a switch more."""
    for switch in GUESSED:
        switched: dict[str, Any] = {switch: True}
        yield replace(rules, **switched)
    longest = 2 * len(told.events) + 1
    if longest > rules.max_events:
        yield replace(rules, max_events=longest)


def _read(told: Told, rules: RuleSet) -> _Reading:
    """The game under these rules, with the start that leads farthest."""
    readings: list[_Reading] = []
    for start in told.starts:
        readings.append(_read_from(told, rules, start))
        if readings[-1].objection is None:
            break
    return max(readings, key=lambda reading: (reading.objection is None, reading.stuck))


def _read_from(told: Told, rules: RuleSet, start: Seat) -> _Reading:
    consistency = Consistency(rules, start, told.hands)
    position = consistency.position
    implied: list[int] = []
    lines: list[int] = []
    objection: Objection | None = None
    stuck = 0
    for line, said in told.events:
        if told.passes_implied:
            missing = _implied_pass(consistency, said)
            if missing is not None:
                consistency.follow(missing)
                lines.append(line.number)
                implied.append(len(lines))
        event, objection = _resolved(consistency, said)
        if objection is None:
            objection = consistency.follow(event)
        if objection is not None:
            break
        lines.append(line.number)
        stuck += 1
    return _Reading(
        rules,
        start,
        position.events,
        tuple(implied),
        tuple(lines),
        position.score,
        position.over,
        stuck,
        objection,
    )


def _implied_pass(consistency: Consistency, event: Event) -> Passed | None:
    """The pass that must have come before the event: its player is on turn only by one."""
    position = consistency.position
    match event:
        case Asked(player) | Claimed(player):
            pass
        case _:
            return None
    if position.turn in (None, player):
        return None
    if isinstance(event, Claimed) and position.rules.claim_any_time:
        return None
    missing = Passed(position.turn or 0, player)
    return None if position.violation(missing) else missing


def _resolved(consistency: Consistency, event: Event) -> tuple[Event, Objection | None]:
    """The event with the holders that a wrong claim laid open, which the log may leave out."""
    if not isinstance(event, Claimed) or event.shown is not None or event.lost is not None:
        return event, None
    shown = consistency.located(event.half_suit)
    if shown is None:
        return event, Objection(
            "the claim was wrong, but who held the cards cannot be told without all hands",
            "write all hands above the first ask",
        )
    if shown == event.holders:
        return event, Objection("the claim was right: the cards were there", "correct the verdict")
    return replace(event, shown=shown), None


def _refusal(told: Told, reading: _Reading) -> RecordError:
    """The error for the event that no rules make legal, with the names that the log has."""
    assert reading.objection is not None
    line, _ = told.events[reading.stuck]
    what, cure, rule, by_hand = reading.objection
    words = [f"the rule {rule or by_hand}" if rule or by_hand else "the hands"]
    others = reading.rules.words()
    if others and not told.rules_known:
        words.append(f"even under {others}")
    what = f"{what} (against {', '.join(words)})"
    return RecordError(
        line.file, line.number, line.text, renamed(what, told.names), renamed(cure, told.names)
    )
