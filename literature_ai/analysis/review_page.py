"""A review as one self-contained HTML page: the data for the template ``review.html``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from literature_ai import __version__
from literature_ai.analysis.game_values import MARKS, GameValues, mistakes
from literature_ai.analysis.review import Decision, Review, ReviewedAsk, ReviewedClaim, Timeline
from literature_ai.analysis.review_text import (
    accuracy,
    missed,
    missed_claims,
    moments,
    verdict,
    views,
)
from literature_ai.analysis.value_graph import label_of, svg
from literature_ai.analysis.value_text import LEGEND, accuracies, better_in_words
from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, TEAM_NAMES, CardNames, Seat, team_of
from literature_ai.web.render import render
from literature_ai.wording import percent, sentence, wanted

_HEIGHT = 100
"""The height of a plot in its own units, so that one unit is one percent."""


def page(review: Review, seat: Seat | None = None, values: GameValues | None = None) -> str:
    """The page as HTML that is well-formed XML, too; with a seat, only its decisions.

    values: what the engine says of the game; None leaves it out.
    """
    record = review.record
    rules, names = record.rules.words(), record.rules.card_names
    return render(
        "review.html",
        record=record,
        about=f"{record.rules.players} players" + (f", {rules}" if rules else ""),
        views=views(review),
        players=[s for s in review.summaries if seat is None or s.seat == seat],
        last_event=max(len(record.events), 1),
        plots=[_plot(review, timeline) for timeline in review.timelines],
        values=None if values is None else _values(review, seat, values),
        late_claims=[missed(provable, names) for provable in missed_claims(review, seat)],
        moments=moments(review, seat),
        decisions=[_decision(d, names) for d in review.decisions if seat is None or d.seat == seat],
        accuracy=accuracy,
        unbroken=lambda text: text.replace(" %", "\u00a0%"),
        seat_names=SEAT_NAMES,
        team_class=lambda seat: TEAM_NAMES[team_of(seat)].lower(),
        version=__version__,
    )


def _values(review: Review, seat: Seat | None, values: GameValues) -> dict[str, Any]:
    """What the engine says: accuracies, mistakes, and the graph of the game."""
    from markupsafe import Markup

    record, moments = review.record, values.moments
    return {
        "budget": values.budget,
        "stopped": values.stopped,
        "legend": LEGEND,
        "label": label_of(record, values.seat),
        "accuracies": [
            (s, f"{value:.1f}")
            for s, value in accuracies(moments, record.rules.players)
            if seat in (None, s)
        ],
        "mistakes": mistakes(moments, seat),
        "mark": MARKS,
        "better": better_in_words,
        "graph": Markup(svg(moments, record, values.seat, alone=False)),
    }


def _plot(review: Review, timeline: Timeline) -> dict[str, Any]:
    """The probabilities of a half-suit as points of two lines, with a caption."""
    events = max(len(review.record.events), 1)
    name, outcome = HALF_SUIT_NAMES[timeline.half_suit], verdict(review, timeline.half_suit)
    a, b = (percent(max(chances, default=0.0)) for chances in timeline.held)
    return {
        "name": name,
        "verdict": outcome,
        "scored": None if timeline.scored is None else TEAM_NAMES[timeline.scored].lower(),
        "label": f"{name}: team A at most {a} %, team B at most {b} %; {outcome}",
        "a": _points(timeline.held[0], events),
        "b": _points(timeline.held[1], events),
        "claimed": timeline.claimed,
    }


def _points(chances: Sequence[float], events: int) -> str:
    """The points of a step line that keeps each probability until the next event."""
    points = []
    for number, chance in enumerate(chances):
        y = f"{_HEIGHT * (1 - chance):.4g}"
        points += [f"{number},{y}", f"{min(number + 1, events)},{y}"]
    return " ".join(points)


def _decision(decision: Decision, names: CardNames) -> dict[str, Any]:
    """A row of the table of all decisions."""
    chance, best = _chance_and_best(decision, names)
    return {
        "event": decision.event,
        "seat": decision.seat,
        "text": sentence(decision.made, names),
        "chance": chance,
        "best": best,
        "located": decision.located,
        "provable": len(decision.provable),
    }


def _chance_and_best(decision: Decision, names: CardNames) -> tuple[str, str]:
    """The chance of what was decided, and the alternative that had a better one."""
    match decision.judged:
        case ReviewedAsk() as ask:
            better = ask.best != ask.ask
            best = f"{wanted(ask.best, names)} had {percent(ask.best_chance)} %" if better else ""
            return percent(ask.chance), best
        case ReviewedClaim() as claim:
            return percent(claim.chance), "forced" if claim.forced else ""
    return "–", ""
