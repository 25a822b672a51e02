"""Fits a game that a log tells to the rules: the fewest switches under which it is legal.

The search adds one switch at a time to those that are on, keeps what leads beyond the event and the
reason for which the game was stuck, and goes on from all of these (breadth first): the first set of
switches under which every event is legal is a smallest one. Where nothing helps, the event that was
reached last is the one that breaks the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, NamedTuple

from literature_ai.cards import Seat
from literature_ai.errors import RecordError
from literature_ai.events import Claimed, Event, Passed, actor_of
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
_TOGETHER = ("wrong_loses_turn", "claim_takes_turn")
"""Switches that may explain together what neither does: who is on turn after claims off turn."""


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
        """Whether it is stuck later than the other, or there for another reason."""
        if self.stuck != other.stuck or self.objection is None or other.objection is None:
            return self.stuck > other.stuck
        return self.objection != other.objection


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
    level = [_read(told, told.rules, start) for start in told.starts]
    seen = {(reading.rules, reading.start) for reading in level}
    best = max(level, key=_how_far)
    while best.objection is not None and level and not told.rules_known:
        following = []
        for reading in level:
            for rules in _changed(told, reading.rules):
                if (rules, reading.start) in seen:
                    continue
                seen.add((rules, reading.start))
                further = _read(told, rules, reading.start)
                if further.leads_beyond(reading) or _adds_one_of(_TOGETHER, rules, reading.rules):
                    following.append(further)
                best = max(best, further, key=_how_far)
        level = following
    return best


def _adds_one_of(switches: Sequence[str], rules: RuleSet, before: RuleSet) -> bool:
    return any(getattr(rules, switch) > getattr(before, switch) for switch in switches)


def _how_far(reading: _Reading) -> tuple[bool, int]:
    return reading.objection is None, reading.stuck


def _changed(told: Told, rules: RuleSet) -> Iterator[RuleSet]:
    """The rules with a switch more."""
    for switch in GUESSED:
        switched: dict[str, Any] = {switch: True}
        yield replace(rules, **switched)
    longest = 2 * len(told.events) + 1
    if longest > rules.max_events:
        yield replace(rules, max_events=longest)


def _read(told: Told, rules: RuleSet, start: Seat) -> _Reading:
    """The game under these rules and with this start, as far as it is legal."""
    consistency = Consistency(rules, start, told.hands)
    position = consistency.position
    events = [event for _, event in told.events]
    implied: list[int] = []
    lines: list[int] = []
    objection: Objection | None = None
    stuck = 0
    for number, (line, said) in enumerate(told.events):
        if told.passes_implied:
            missing = _implied_pass(consistency, events[number:])
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


def _implied_pass(consistency: Consistency, events: Sequence[Event]) -> Passed | None:
    """The pass that must have come before these events.

    Either it puts the player of the first one on turn, or, where that is a claim off turn, whoever
    acts after it and the claims that follow: the turn may fall to them because the team of the
    player to whom it was passed has no card left.
    """
    position = consistency.position
    turn, takers = position.turn, position.legal_passes()
    player = actor_of(events[0])
    if turn is None or turn == player or not takers:
        return None
    if not (isinstance(events[0], Claimed) and position.rules.claim_any_time):
        return Passed(turn, player) if player in takers else None
    claims = list(takewhile(lambda event: isinstance(event, Claimed), events))
    if len(claims) == len(events):
        return None
    then = actor_of(events[len(claims)])
    for missing in (None, *(Passed(turn, taker) for taker in takers)):
        ahead = copy(position)
        for event in (missing, *claims):
            if event is not None:
                event, objection = _resolved(consistency, event)
                if objection is not None or ahead.violation(event):
                    break
                ahead.follow(event)
        if ahead.turn == then or (missing is None and then in ahead.legal_passes()):
            return missing
    return None


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
