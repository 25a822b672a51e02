"""The report of a tournament: a self-contained HTML page, and its charts as PNG files.

The page shows ratings with intervals, matchups, behaviour, the lengths and results of games,
failures, and the command and versions to reproduce it. The same store gives the same bytes.
"""

from __future__ import annotations

import contextlib
import io
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from literature_ai.cards import seat_name
from literature_ai.errors import LiteratureError
from literature_ai.output_files import explained, write_file
from literature_ai.terminal_text import plain, plain_lines
from tournaments.console import count_of_pairs, percent, short_names, sprt_sentence, void_sentence
from tournaments.plan import Matchup
from tournaments.results import cause
from tournaments.store import Store
from tournaments.summary import summarize

if TYPE_CHECKING:
    from markupsafe import Markup
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAGE = "index.html"
_FAILURES_SHOWN = 20
_BINS = 30
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
"""Distinguishable with colour blindness (M. Okabe and K. Ito, "Color Universal Design", 2008)."""
_METADATA = ("Creator", "Date", "Format", "Type")
_STYLE: Any = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "font.family": "sans-serif",
    "font.size": 11,
    "savefig.dpi": 200,
    "svg.fonttype": "none",
    "svg.hashsalt": "literature",
    # A dollar sign in the name of an agent is not mathematics.
    "text.parse_math": False,
}


def require_charts() -> None:
    """Raise LiteratureError unless matplotlib is installed, which draws the charts."""
    if find_spec("matplotlib") is None:
        raise LiteratureError("a report needs matplotlib: pip install 'literature-ai[report]'")


@contextlib.contextmanager
def _without_warnings_of_glyphs() -> Iterator[None]:
    """No lines on standard error when a name has characters that the font of the charts lacks.

    They are boxes in the PNG files, and right on the page, whose browser has more fonts.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


@_without_warnings_of_glyphs()
def write_report(store: Store, folder: str | os.PathLike[str]) -> None:
    """Write the page and the charts into the folder, which is created if it does not exist.

    Raises `literature_ai.errors.FileError` when it cannot be written, LiteratureError without
    matplotlib.
    """
    require_charts()
    summary = summarize(store)
    charts = {
        "ratings": ("Ratings", _draw(_draw_ratings, summary)),
        "game-lengths": ("Lengths of games", _draw(_draw_game_lengths, store, summary)),
        "half-suits": ("Lead in half-suits", _draw(_draw_half_suits, store, summary)),
    }
    elements = {name: _svg(title, figure) for name, (title, figure) in charts.items()}
    contents: dict[str, str | bytes] = {PAGE: _page(store, summary, elements)}
    contents |= {f"{name}.png": _png(figure) for name, (_, figure) in charts.items()}
    with explained(folder):
        os.makedirs(folder, exist_ok=True)
    for name, content in contents.items():
        write_file(Path(folder, name), content)


def _draw(chart: Callable[..., None], *data: Any) -> Figure:
    """A figure with the chart, drawn by the function on its axes."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(5, 3.5), layout="constrained")
        chart(figure.subplots(), *data)
        # The layout of text depends on the style in effect when it is drawn.
        figure.draw_without_rendering()
    return figure


def _draw_ratings(axes: Axes, summary: dict[str, Any]) -> None:
    """The Elo of each agent with its interval, the best on top."""
    names = short_names(summary)
    agents = sorted(summary["agents"], key=lambda agent: agent["elo"] or 0)
    for row, agent in enumerate(agents):
        if agent["elo"] is None:
            continue
        around = [[agent["elo"] - agent["elo_low"]], [agent["elo_high"] - agent["elo"]]]
        axes.errorbar(agent["elo"], row, xerr=around, fmt="o", color=_COLOURS[0], capsize=4)
    axes.set_yticks(range(len(agents)), [names[agent["spec"]] for agent in agents])
    axes.set_ylim(-0.5, len(agents) - 0.5)
    axes.axvline(0, color="0.8", zorder=0)
    axes.set_xlabel("Elo, with the 95 % interval")


def _draw_game_lengths(axes: Axes, store: Store, summary: dict[str, Any]) -> None:
    """For each agent, a histogram of the number of events in its games."""
    import numpy as np

    ((longest,),) = store.query("SELECT ifnull(max(events), 1) FROM games")
    edges = np.linspace(0, longest + 1, _BINS + 1)
    for team, colour, spec in _teams(summary):
        rows = _of_team(store, team, "events, count(*)", "GROUP BY events")
        lengths, counts = zip(*rows, strict=True) if rows else ((), ())
        heights, _ = np.histogram(lengths, edges, weights=counts)
        axes.stairs(heights, edges, color=colour, label=spec)
    axes.set_xlabel("events in a game")
    axes.set_ylabel("games")
    _legend(axes)


def _draw_half_suits(axes: Axes, store: Store, summary: dict[str, Any]) -> None:
    """For each agent, the distribution of its lead in half-suits at the end of its games."""
    most = store.header.plan.rules.half_suits
    leads = range(-most, most + 1)
    lead = "CASE a WHEN ?1 THEN score_a - score_b ELSE score_b - score_a END"
    for team, colour, spec in _teams(summary):
        count = dict(_of_team(store, team, f"{lead} AS lead, count(*)", "GROUP BY lead"))
        shares = [100 * count.get(lead, 0) / (sum(count.values()) or 1) for lead in leads]
        axes.plot(leads, shares, "o-", markersize=3, linewidth=1, color=colour, label=spec)
    axes.axvline(0, color="0.8", zorder=0)
    axes.set_xlabel("lead in half-suits at the end")
    axes.set_ylabel("% of games")
    _legend(axes)


def _legend(axes: Axes) -> None:
    """A legend above the chart, where it hides nothing."""
    names = axes.get_legend_handles_labels()
    axes.figure.legend(*names, loc="outside upper left", ncols=2, frameon=False, fontsize=10)


def _teams(summary: dict[str, Any]) -> Iterable[tuple[int, str, str]]:
    """Each team with its colour and short name."""
    names = short_names(summary)
    for team, agent in enumerate(summary["agents"]):
        yield team, _COLOURS[team % len(_COLOURS)], names[agent["spec"]]


def _of_team(store: Store, team: int, columns: str, rest: str) -> list[tuple[int, int]]:
    """Two columns of the games of a team that count."""
    question = f"SELECT {columns} FROM games WHERE (a = ?1 OR b = ?1) AND pair < ?2 {rest}"
    return [(int(x), int(y)) for x, y in store.query(question, team, store.counted_pairs())]


def _svg(title: str, figure: Figure) -> Markup:
    """The figure as an SVG element; matplotlib has escaped the text in it."""
    import matplotlib as mpl
    from markupsafe import Markup

    drawn = io.StringIO()
    with mpl.rc_context(_STYLE):
        figure.savefig(drawn, format="svg", transparent=True, metadata=dict.fromkeys(_METADATA))
    _, _, element = drawn.getvalue().partition("<svg ")
    return Markup('<svg role="img" aria-label="{}" ').format(title) + Markup(element)


def _png(figure: Figure) -> bytes:
    drawn = io.BytesIO()
    figure.savefig(drawn, metadata={"Software": None})
    return drawn.getvalue()


def _page(store: Store, summary: dict[str, Any], charts: dict[str, Markup]) -> str:
    from literature_ai.web.render import render

    plan, header, names = store.header.plan, store.header, short_names(summary)
    rate = summary["games_per_second"]
    versions = {"literature-ai": header.version} | header.versions
    return render(
        "report.html",
        package="tournaments",
        short_names=names,
        plain=plain,
        percent=percent,
        number=_number,
        shade=_shade,
        names=[names[agent["spec"]] for agent in summary["agents"]],
        about=_about(summary),
        test=sprt_sentence(summary["sprt"]) if "sprt" in summary else None,
        matches="match_wins" in summary,
        agents=summary["agents"],
        ranking=sorted(summary["agents"], key=lambda agent: -(agent["elo"] or 0)),
        matchups=summary["matchups"],
        scores=_scores(plan.matchups(), summary),
        examined_every=summary["examined_every"],
        failures=list(_failures(store)),
        failure_count=_failure_count(store),
        void=void_sentence(sum(matchup["void"] for matchup in summary["matchups"])),
        voids=list(_voids(store)),
        charts=charts,
        command=plain(plan.command()),
        time=f"{summary['seconds']:.1f} s" + (f", {rate:.1f} games per second" if rate else ""),
        versions=", ".join(f"{name} {number}" for name, number in versions.items()),
        files=header.agents,
    )


def tables(summary: dict[str, Any]) -> str:
    """Ratings and matchups of a summary as tables in HTML, for notebooks."""
    from literature_ai.web.render import render

    return render(
        "summary.html",
        package="tournaments",
        about=_about(summary),
        agents=summary["agents"],
        matchups=summary["matchups"],
        names=short_names(summary),
        number=_number,
        percent=percent,
    )


def _about(summary: dict[str, Any]) -> str:
    """What was played, in a line."""
    parts = [
        count_of_pairs(summary),
        f"{summary['players']} players",
        summary["rules"],
        f"matches up to {summary['match_wins']} wins" if "match_wins" in summary else "",
        f"seed {summary['seed']}",
    ]
    return ", ".join(part for part in parts if part)


def _scores(matchups: Iterable[Matchup], summary: dict[str, Any]) -> list[list[float | None]]:
    """The cross table, teams × teams: the score of each row against each column."""
    teams = len(summary["agents"])
    scores: list[list[float | None]] = [[None] * teams for _ in range(teams)]
    for (a, b), matchup in zip(matchups, summary["matchups"], strict=True):
        if matchup["score"] is not None:
            scores[a][b], scores[b][a] = matchup["score"], 1 - matchup["score"]
    return scores


def _failure_count(store: Store) -> int:
    ((number,),) = store.query(
        "SELECT count(*) FROM failures WHERE pair < ?", store.counted_pairs()
    )
    return int(number)


def _failures(store: Store) -> Iterator[dict[str, Any]]:
    """The first failures, deal by deal."""
    teams = store.header.plan.teams
    for a, b, pair, team, kind, seat, event, text in store.query(
        "SELECT a, b, pair, team, kind, seat, event, text FROM failures WHERE pair < ? "
        "ORDER BY pair, a, b, half, number LIMIT ?",
        store.counted_pairs(),
        _FAILURES_SHOWN,
    ):
        yield {
            "agent": teams[(a, b)[team]],
            "opponent": teams[(b, a)[team]],
            "kind": kind,
            "pair": pair + 1,
            "seat": seat_name(seat),
            "event": event,
            "cause": plain(cause(text)),
            "text": plain_lines(text),
        }


def _voids(store: Store) -> Iterator[dict[str, Any]]:
    """The first void games, deal by deal."""
    teams = store.header.plan.teams
    for a, b, pair, seat, event, text in store.query(
        "SELECT a, b, pair, seat, event, text FROM voids WHERE pair < ? "
        "ORDER BY pair, a, b, half, number LIMIT ?",
        store.counted_pairs(),
        _FAILURES_SHOWN,
    ):
        yield {
            "agents": (teams[a], teams[b]),
            "pair": pair + 1,
            "seat": seat_name(seat),
            "event": event,
            "cause": plain(cause(text)),
            "text": plain_lines(text),
        }


def _shade(score: float) -> str:
    """A background from orange (0) over none (½) to blue (1), as a CSS colour."""
    red, green, blue = (0, 114, 178) if score > 0.5 else (213, 94, 0)
    return f"rgba({red},{green},{blue},{abs(score - 0.5):.2f})"


def _number(number: float | None, form: str) -> str:
    """A number in a format, with a minus sign; empty for None."""
    return "" if number is None else format(number, form).replace("-", "−")
