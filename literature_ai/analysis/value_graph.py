"""The graph of a game: the expected result over its events, with the mistakes marked."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from literature_ai.analysis.game_values import MARKS, Moment, mistakes
from literature_ai.cards import SEAT_NAMES, TEAM_NAMES, Seat, team_of
from literature_ai.errors import LiteratureError
from literature_ai.output_files import require_writable, write_file
from literature_ai.records.record import Record

FORMATS = (".svg", ".png")
_WIDTH, _HEIGHT = 800, 200
"""The size of the plot in its own units, without its margins."""


def check_plot_file(path: str) -> None:
    """Raise LiteratureError unless a graph can be written to a file of this name."""
    if Path(path).suffix.lower() not in FORMATS:
        raise LiteratureError(f"{path} is no name for a graph; it must end in .svg or .png")
    if path.lower().endswith(".png"):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            raise LiteratureError(
                f"{path} needs matplotlib (pip install 'literature-ai[report]'); an .svg does not"
            ) from None
    require_writable(path)


def write_graph(path: str, moments: Sequence[Moment], record: Record, seat: Seat | None) -> None:
    """Write the graph as SVG or PNG, as the name says. Raises as `write_file` does."""
    check_plot_file(path)
    is_png = path.lower().endswith(".png")
    write_file(
        path,
        _png(moments, record, seat) if is_png else svg(moments, record, seat, alone=True),
    )


def svg(moments: Sequence[Moment], record: Record, seat: Seat | None, *, alone: bool) -> str:
    """The graph as SVG. alone: as a file of its own, with its colours."""
    from literature_ai.web.render import render

    last = max(len(record.events), 1)
    curves = [_curve("table", moments, last)]
    if seat is not None:
        curves.append(_curve("own", moments, last, team_of(seat)))
    values = {moment.events: moment.table.score for moment in moments}
    marks = [
        {
            "x": _x(each.event, last),
            "y": _y(values.get(each.event, values[each.event - 1])),
            "mark": MARKS[each.mistake] if each.mistake else "",
            "title": f"event {each.event}: {each.made}",
            "team": TEAM_NAMES[team_of(each.seat)].lower(),
        }
        for each in mistakes(moments)
    ]
    return render(
        "value_graph.svg",
        alone=alone,
        curves=curves,
        marks=marks,
        width=_WIDTH,
        height=_HEIGHT,
        last=len(record.events),
        label=label_of(record, seat),
    )


def label_of(record: Record, seat: Seat | None) -> str:
    """What the graph shows, in a sentence."""
    who = "to somebody who sees all cards" if None not in record.hands else "to everyone"
    said = f"Expected result of team A over game {record.id}, {who}"
    if seat is not None:
        said += f", and as {SEAT_NAMES[seat]} could tell (dashed)"
    return said


def _curve(kind: str, moments: Sequence[Moment], last: int, team: int = 0) -> dict[str, Any]:
    """The points of a line: the score of team A, for the table or for the seat's own view."""
    points = []
    for moment in moments:
        value = moment.table if kind == "table" else moment.own
        if value is not None:
            score = value.score if team == 0 else 1.0 - value.score
            points.append(f"{_x(moment.events, last)},{_y(score)}")
    return {"kind": kind, "points": " ".join(points)}


def _x(events: int, last: int) -> str:
    return f"{_WIDTH * events / last:.5g}"


def _y(score: float) -> str:
    return f"{_HEIGHT * (1.0 - score):.5g}"


def _png(moments: Sequence[Moment], record: Record, seat: Seat | None) -> bytes:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(10, 3.4), layout="constrained")
    events = [moment.events for moment in moments]
    axes.plot(events, [moment.table.score for moment in moments], color="#0b62c4")
    if seat is not None:
        scores = [moment.own.score if moment.own else 0.5 for moment in moments]
        own = scores if team_of(seat) == 0 else [1.0 - score for score in scores]
        axes.plot(events, own, "--", color="#5b6570")
    values = {moment.events: moment.table.score for moment in moments}
    for each in mistakes(moments):
        at = each.event, values.get(each.event, values[each.event - 1])
        colour = ("#0b62c4", "#b4540a")[team_of(each.seat)]
        axes.plot(*at, "o", color=colour, markersize=4)
        mark = MARKS[each.mistake] if each.mistake else ""
        axes.annotate(mark, at, color=colour, textcoords="offset points", xytext=(2, 4))
    axes.set(ylim=(-0.02, 1.02), xlabel="event", ylabel="expected result of team A")
    axes.set_title(label_of(record, seat), fontsize=10)
    axes.grid(alpha=0.3)
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=100)
    plt.close(figure)
    return drawn.getvalue()
