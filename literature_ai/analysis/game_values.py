"""A game by values: what each moment was worth, and what each decision gave away.

Each decision is analysed (`literature_ai.analysis.engine`) for what its player knew, together with
what they did. Its *loss* is how far that is behind the best action, in expected results (1 for a
win), never by what came of it. What is beyond the error of the estimate, and large enough, is a
mistake (`Mistake`). The accuracy of a player is 100 × the mean of exp(-`STEEPNESS` × loss).

The value of a moment for the whole table is that for team A by all cards, where the record has all
hands, else by what everyone knows.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from literature_ai.analysis.engine import (
    BUDGET,
    GoOn,
    Value,
    analyze,
    value_with_open_cards,
)
from literature_ai.cards import Seat, team_of
from literature_ai.events import Event, action_of, actor_of
from literature_ai.records.notation import format_action
from literature_ai.records.record import Record

STEEPNESS = 8.0
"""How fast accuracy falls with the loss: a loss of 0.09, in expected results, halves it."""
SURE = 2.0
"""The standard errors that a loss must exceed to count as a mistake."""


class Mistake(enum.Enum):
    """The sizes of mistakes."""

    SMALL = "inaccuracy"
    MIDDLE = "mistake"
    LARGE = "blunder"


LEAST_LOSS = {Mistake.LARGE: 0.12, Mistake.MIDDLE: 0.06, Mistake.SMALL: 0.03}
"""The least loss, in expected results, of each size, largest first."""
MARKS = {Mistake.LARGE: "??", Mistake.MIDDLE: "?", Mistake.SMALL: "?!"}
"""As chess writes them."""


def mistake_of(loss: float, loss_se: float) -> Mistake | None:
    """The size of the mistake that gives so much away; None for none that is beyond the error."""
    if loss <= SURE * loss_se:
        return None
    return next((size for size, least in LEAST_LOSS.items() if loss >= least), None)


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """What a decision gave away."""

    event: int
    """The number of the event that it led to."""
    seat: Seat
    made: str
    """What was done, without its answer."""
    score: float
    """The expected result of the seat's team with the best action."""
    loss: float
    loss_se: float
    best: str | None
    """The best action; None: to wait, off turn."""
    reason: str
    """Why that may be so."""

    @property
    def mistake(self) -> Mistake | None:
        """How large a mistake it was; None for none that is beyond the error."""
        return mistake_of(self.loss, self.loss_se)


@dataclass(frozen=True, slots=True)
class Moment:
    """A position of the game and the decision that followed."""

    events: int
    """The number of events before it."""
    table: Value
    """For team A, for the whole table."""
    own: Value | None
    """For the team of the chosen seat, for what it knew; None without one."""
    decision: JudgedDecision | None
    """None after the last event, for players whose hand is not known, and for those not chosen."""


@dataclass(frozen=True, slots=True)
class GameValues:
    """All moments of a game."""

    moments: tuple[Moment, ...]
    seat: Seat | None
    """Whose own view there is; None without one."""
    budget: int
    seed: int
    stopped: bool
    """Whether it was stopped before the last moment."""


def moments_of(
    record: Record,
    seat: Seat | None = None,
    budget: int = BUDGET,
    seed: int = 0,
    *,
    workers: int = 1,
    first: int = 0,
    go_on: GoOn | None = None,
) -> Iterator[Moment]:
    """The moments of the game, one after each number of events from ``first`` on.

    seat: the only one whose decisions are judged; it needs a hand in the record. budget, seed,
    workers, go_on: of each analysis, as `analyze` takes them. Each moment depends on nothing but
    the record, the seat, the budget and the seed. Raises as `analyze` does.
    """
    for count in range(first, len(record.events) + 1):
        then = record.at(count)
        decision = None
        if count < len(record.events):
            event = record.events[count]
            decision = _judged(then, event, seat, budget, seed, workers, go_on)
        own = None
        if seat is not None:
            own = _ended(then, team_of(seat))
            own = own or analyze(then, seat, budget, seed, workers=workers, go_on=go_on).value
        yield Moment(count, _table_value(then, budget, seed, workers), own, decision)


def accuracy(decisions: Iterable[JudgedDecision]) -> float | None:
    """100 × the mean of exp(-`STEEPNESS` × loss); None of no decision."""
    kept = [math.exp(-STEEPNESS * decision.loss) for decision in decisions]
    return 100.0 * math.fsum(kept) / len(kept) if kept else None


def mistakes(moments: Sequence[Moment], seat: Seat | None = None) -> list[JudgedDecision]:
    """The decisions, of all or of one seat, that were mistakes, in the order of events."""
    decisions = (moment.decision for moment in moments)
    return [
        each
        for each in decisions
        if each is not None and each.mistake is not None and seat in (None, each.seat)
    ]


def score_of_a(moment: Moment, seat: Seat) -> float:
    """The expected result of team A as the seat, whose own view the moment has, could tell."""
    assert moment.own is not None
    return moment.own.score if team_of(seat) == 0 else 1.0 - moment.own.score


def _table_value(then: Record, budget: int, seed: int, workers: int) -> Value:
    ended = _ended(then, 0)
    if ended is not None:
        return ended
    if None in then.hands:
        return analyze(then, None, budget, seed, workers=workers).value
    return value_with_open_cards(then, budget, seed, workers=workers)


def _ended(then: Record, team: int) -> Value | None:
    """The value of a game that is over; None if it is not."""
    if then.position().turn is not None:
        return None
    margin = then.score[team] - then.score[1 - team]
    return Value((margin > 0) + (margin == 0) / 2, 0.0, float(margin), 0.0)


def _judged(
    then: Record,
    event: Event,
    seat: Seat | None,
    budget: int,
    seed: int,
    workers: int,
    go_on: GoOn | None,
) -> JudgedDecision | None:
    """The decision that led to the event; None where it cannot be judged, or is not asked for."""
    player, option = actor_of(event), action_of(event)
    if then.hands[player] is None or seat not in (None, player):
        return None
    found = analyze(then, player, budget, seed, [option], workers=workers, go_on=go_on)
    made, names = found.candidate(option), then.rules.card_names
    return JudgedDecision(
        len(then.events) + 1,
        player,
        format_action(option, player, names),
        found.value.score,
        made.loss,
        made.loss_se,
        None if found.choice is None else format_action(found.choice, player, names),
        found.reason,
    )
