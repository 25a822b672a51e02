"""A report to look at: one HTML page that needs nothing else, and its plots as PNG files.

The page shows ratings with their intervals, who beat whom, how the agents behaved, how long games
were and how they ended, what failed, and the command and the versions that made it. It is the same,
to the byte, for the same store (except for timings), and refers to nothing on the network.
"""

from __future__ import annotations

import html
import io
import os
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from literature_ai.cards import seat_name
from literature_ai.errors import FileError, LiteratureError
from tournaments.console import count_of_pairs, percent, short_spec, sprt_sentence
from tournaments.store import Store
from tournaments.summary import summarize

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAGE = "index.html"
_FAILURES_SHOWN = 20
_BINS = 30
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
"""Distinguishable for the colour-blind (M. Okabe and K. Ito, "Color Universal Design", 2008)."""
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
}


def require_plots() -> None:
    """Raise LiteratureError unless matplotlib is there to draw the plots."""
    if find_spec("matplotlib") is None:
        raise LiteratureError("a report needs matplotlib: pip install 'literature-ai[report]'")


def write_report(store: Store, folder: str | os.PathLike[str]) -> None:
    """Write the page and the plots into the folder, which is made if it does not exist.

    Raises `FileError` when it cannot be written, LiteratureError without matplotlib.
    """
    require_plots()
    figures = summarize(store)
    plots = {
        "ratings": ("Ratings", _draw(_ratings, figures)),
        "game-lengths": ("Length of games", _draw(_game_lengths, store, figures)),
        "half-suits": ("Half-suits ahead at the end", _draw(_half_suits, store, figures)),
    }
    try:
        os.makedirs(folder, exist_ok=True)
        Path(folder, PAGE).write_text(_page(store, figures, plots), encoding="utf-8")
        for name, (_, figure) in plots.items():
            figure.savefig(Path(folder, f"{name}.png"), metadata={"Software": None})
    except OSError as error:
        raise FileError(f"{os.fspath(folder)} cannot be written: {error.strerror}") from error


def _draw(plot: Callable[..., None], *data: Any) -> Figure:
    """A figure with the plot on it."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(5, 3.5), layout="constrained")
        plot(figure.subplots(), *data)
        # Text is laid out with the style that holds when it is drawn.
        figure.draw_without_rendering()
    return figure


def _ratings(axes: Axes, figures: dict[str, Any]) -> None:
    """Each agent's Elo with its interval, the best on top."""
    agents = sorted(figures["agents"], key=lambda agent: agent["elo"] or 0)
    for row, agent in enumerate(agents):
        if agent["elo"] is None:
            continue
        around = [[agent["elo"] - agent["elo_low"]], [agent["elo_high"] - agent["elo"]]]
        axes.errorbar(agent["elo"], row, xerr=around, fmt="o", color=_COLOURS[0], capsize=4)
    axes.set_yticks(range(len(agents)), [short_spec(agent["spec"]) for agent in agents])
    axes.set_ylim(-0.5, len(agents) - 0.5)
    axes.axvline(0, color="0.8", zorder=0)
    axes.set_xlabel("Elo, with the 95 % interval")


def _game_lengths(axes: Axes, store: Store, figures: dict[str, Any]) -> None:
    """For each agent, how many of its games had how many events."""
    import numpy as np

    ((longest,),) = store.query("SELECT ifnull(max(events), 1) FROM games")
    edges = np.linspace(0, longest + 1, _BINS + 1)
    for team, colour, spec in _teams(figures):
        rows = _of_team(store, team, "events, count(*)", "GROUP BY events")
        lengths, counts = zip(*rows, strict=True) if rows else ((), ())
        heights, _ = np.histogram(lengths, edges, weights=counts)
        axes.stairs(heights, edges, color=colour, label=spec)
    axes.set_xlabel("events in a game")
    axes.set_ylabel("games")
    _legend(axes)


def _half_suits(axes: Axes, store: Store, figures: dict[str, Any]) -> None:
    """For each agent, the share of its games that it ended so many half-suits ahead."""
    most = store.header.plan.rules.half_suits
    leads = range(-most, most + 1)
    lead = "CASE a WHEN ?1 THEN score_a - score_b ELSE score_b - score_a END"
    for team, colour, spec in _teams(figures):
        count = dict(_of_team(store, team, f"{lead} AS lead, count(*)", "GROUP BY lead"))
        shares = [100 * count.get(lead, 0) / (sum(count.values()) or 1) for lead in leads]
        axes.plot(leads, shares, "o-", markersize=3, linewidth=1, color=colour, label=spec)
    axes.axvline(0, color="0.8", zorder=0)
    axes.set_xlabel("half-suits more than the other team")
    axes.set_ylabel("% of games")
    _legend(axes)


def _legend(axes: Axes) -> None:
    """Name the lines above the plot, where they hide none of them."""
    names = axes.get_legend_handles_labels()
    axes.figure.legend(*names, loc="outside upper left", ncols=2, frameon=False, fontsize=10)


def _teams(figures: dict[str, Any]) -> Iterable[tuple[int, str, str]]:
    """Each team with its colour and a short name."""
    for team, agent in enumerate(figures["agents"]):
        yield team, _COLOURS[team % len(_COLOURS)], short_spec(agent["spec"])


def _of_team(store: Store, team: int, columns: str, rest: str) -> list[tuple[int, int]]:
    """What the games of a team say that count."""
    question = f"SELECT {columns} FROM games WHERE (a = ?1 OR b = ?1) AND pair < ?2 {rest}"
    return [(int(x), int(y)) for x, y in store.query(question, team, store.counted_pairs())]


def _page(store: Store, figures: dict[str, Any], plots: dict[str, tuple[str, Figure]]) -> str:
    sections = [
        ("Ratings", _results_table(figures) + _inline(*plots["ratings"])),
        ("Who beat whom", _cross_table(store, figures) + _matchup_table(figures)),
        ("Behaviour", _behaviour_table(figures)),
        ("Games", _inline(*plots["game-lengths"]) + _inline(*plots["half-suits"])),
        ("Failures", _failure_table(store)),
        ("How it was made", _making(store, figures)),
    ]
    body = "\n".join(f"<section>\n<h2>{title}</h2>\n{part}</section>" for title, part in sections)
    names = " · ".join(short_spec(agent["spec"]) for agent in figures["agents"])
    return _PAGE.format(style=_CSS, title=html.escape(names), lead=_lead(figures), body=body)


def _lead(figures: dict[str, Any]) -> str:
    """What was played, in a sentence."""
    parts = [
        count_of_pairs(figures),
        f"{figures['players']} players",
        figures["rules"],
        f"matches up to {figures['match_wins']} wins" if "match_wins" in figures else "",
        f"seed {figures['seed']}",
    ]
    lead = html.escape(", ".join(part for part in parts if part))
    if "sprt" in figures:
        lead += f"<br>{html.escape(sprt_sentence(figures['sprt']))}"
    return lead


def _inline(title: str, figure: Figure) -> str:
    """The figure as an SVG element."""
    import matplotlib as mpl

    drawn = io.StringIO()
    with mpl.rc_context(_STYLE):
        figure.savefig(drawn, format="svg", transparent=True, metadata=dict.fromkeys(_METADATA))
    _, _, element = drawn.getvalue().partition("<svg ")
    label = html.escape(title, quote=True)
    return f'<figure><svg role="img" aria-label="{label}" {element}</figure>\n'


def _results_table(figures: dict[str, Any]) -> str:
    unit = "matches" if "match_wins" in figures else "games"
    return _table(
        ["agent", "Elo", "95 %", "score", "won", "drawn", "lost", "half-suits", "unfinished"],
        [
            [
                _name(agent["spec"]),
                _number(agent["elo"], "+.0f"),
                _range(agent["elo_low"], agent["elo_high"]),
                percent(agent["score"]),
                *(str(agent[key]) for key in ("wins", "draws", "losses")),
                f"{agent['half_suits_for']}–{agent['half_suits_against']}",
                str(agent["unfinished"]),
            ]
            for agent in sorted(figures["agents"], key=lambda agent: -(agent["elo"] or 0))
        ],
        f"Won, drawn and lost are {unit}. Elo is the lead over the other agent, or of more than "
        "two the Bradley–Terry rating; ratings have the mean 0.",
    )


def _cross_table(store: Store, figures: dict[str, Any]) -> str:
    """Each team's score against each other one, in a colour that says the same."""
    scores: dict[tuple[int, int], float] = {}
    for (i, j), matchup in zip(store.header.plan.matchups(), figures["matchups"], strict=True):
        if matchup["score"] is not None:
            scores[i, j], scores[j, i] = matchup["score"], 1 - matchup["score"]
    names = [_name(agent["spec"]) for agent in figures["agents"]]
    rows = []
    for i, name in enumerate(names):
        row = [f'<th scope="row">{name}</th>']
        for j in range(len(names)):
            score = scores.get((i, j))
            row.append(f"<td{_shade(score)}>{percent(score)}</td>")
        rows.append(f"<tr>{''.join(row)}</tr>")
    head = "".join(f'<th scope="col">{name}</th>' for name in ["", *names])
    return _framed(head, rows, "The score of each row against each column.", "wide cross")


def _matchup_table(figures: dict[str, Any]) -> str:
    return _table(
        [
            "agents",
            "pairs",
            "score",
            "Elo",
            "95 %",
            "0",
            "½",
            "1",
            "1½",
            "2",
            "better",
            "half-suits",
            "correlation",
        ],
        [
            [
                f"{_name(each['a'])} – {_name(each['b'])}",
                str(each["pairs"]),
                percent(each["score"]),
                _number(each["elo"], "+.0f"),
                _range(each["elo_low"], each["elo_high"]),
                *map(str, each["pentanomial"]),
                percent(each["likelihood_of_superiority"]),
                _number(each["half_suit_difference"], "+.2f")
                + (f" ± {each['half_suit_difference_se']:.2f}" if each["pairs"] > 1 else ""),
                _number(each["pair_correlation"], "+.2f"),
            ]
            for each in figures["matchups"]
        ],
        "0 to 2: pairs that gave the first agent so many points. Better: the likelihood that it is "
        "the better one. Half-suits: its mean lead at the end of a game, ± the standard error. "
        "Correlation: between the points of the two games of a pair.",
    )


def _behaviour_table(figures: dict[str, Any]) -> str:
    every = figures["examined_every"]
    return _table(
        ["agent", "hits", "dead asks", "claims right", "wrong", "claim delay", "ms a decision"],
        [
            [
                _name(agent["spec"]),
                percent(agent["hit_rate"]),
                percent(agent["dead_asks"]),
                str(agent["claims_right"]),
                str(agent["claims_wrong"]),
                _number(agent["claim_delay"], ".1f"),
                _number(agent["ms_per_decision"], ".3g"),
            ]
            for agent in figures["agents"]
        ],
        "Dead: an ask that everyone knew must miss. Claim delay: events between the moment that "
        "somebody of the team could prove a half-suit and its claim."
        + (f" Both are taken from one pair in {every}." if every > 1 else ""),
    )


def _failure_table(store: Store) -> str:
    counted = store.counted_pairs()
    ((number,),) = store.query("SELECT count(*) FROM failures WHERE pair < ?", counted)
    if not number:
        return "<p>No agent failed in any game.</p>\n"
    teams = store.header.plan.teams
    rows = [
        [
            _name(teams[(a, b)[team]]),
            kind,
            _name(teams[(b, a)[team]]),
            str(pair + 1),
            f"{seat_name(seat)}, after event {event}",
            f"<details><summary>{html.escape(text.strip().splitlines()[-1][:100])}</summary>"
            f"<pre>{html.escape(text)}</pre></details>"
            if text.strip()
            else "",
        ]
        for a, b, pair, team, kind, seat, event, text in store.query(
            "SELECT a, b, pair, team, kind, seat, event, text FROM failures WHERE pair < ? "
            "ORDER BY pair, a, b, half, number LIMIT ?",
            counted,
            _FAILURES_SHOWN,
        )
    ]
    note = f"{number} games were forfeited" + (
        f"; these are the first {_FAILURES_SHOWN}." if number > _FAILURES_SHOWN else "."
    )
    return _table(["agent", "kind", "against", "pair", "where", "what"], rows, note, "wide words")


def _making(store: Store, figures: dict[str, Any]) -> str:
    header = store.header
    rate = figures["games_per_second"]
    facts = {
        "command": f"<code>{html.escape(header.plan.command())}</code>",
        "time": f"{figures['seconds']:.1f} s" + (f", {rate:.1f} games a second" if rate else ""),
        "versions": html.escape(
            ", ".join(
                f"{name} {number}"
                for name, number in ({"literature-ai": header.version} | header.versions).items()
            )
        ),
        **{f"file {html.escape(file)}": f"SHA-256 {sum}…" for file, sum in header.agents.items()},
    }
    return "<dl>" + "".join(f"<dt>{k}</dt><dd>{v}</dd>" for k, v in facts.items()) + "</dl>\n"


def _table(
    head: Sequence[str], rows: Iterable[Sequence[str]], note: str, kind: str = "wide"
) -> str:
    """A table of texts that are HTML already; of "wide words" rather than numbers."""
    lines = []
    for first, *rest in rows:
        cells = "".join(f"<td>{cell}</td>" for cell in rest)
        lines.append(f'<tr><th scope="row">{first}</th>{cells}</tr>')
    return _framed("".join(f'<th scope="col">{title}</th>' for title in head), lines, note, kind)


def _framed(head: str, rows: Iterable[str], note: str, kind: str = "wide") -> str:
    """A table that scrolls by itself where the page is narrower."""
    body = "\n".join(rows)
    return (
        f'<div class="{kind}"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>'
        f"\n</table></div>\n<p class=note>{note}</p>\n"
    )


def _name(spec: str) -> str:
    return f'<span title="{html.escape(spec, quote=True)}">{html.escape(short_spec(spec))}</span>'


def _shade(score: float | None) -> str:
    """A background from orange (0) over white (½) to blue (1)."""
    if score is None:
        return ""
    red, green, blue = (0, 114, 178) if score > 0.5 else (213, 94, 0)
    return f' style="background:rgba({red},{green},{blue},{abs(score - 0.5):.2f})"'


def _number(number: float | None, form: str) -> str:
    return "" if number is None else format(number, form).replace("-", "−")


def _range(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return ""
    return f"{_number(low, '+.0f')} … {_number(high, '+.0f')}"


_CSS = """
:root { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --faint: #555; --line: #ddd }
body { max-width: 76rem; margin: 0 auto; padding: 1rem }
h1 { font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; margin: .5rem 0 }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .6rem; text-align: right; vertical-align: top; white-space: nowrap }
tr { border-bottom: 1px solid var(--line) }
th:first-child { text-align: left; position: sticky; left: 0; background: var(--paper) }
thead th { color: var(--faint); font-weight: 600; vertical-align: bottom }
tbody th { font-weight: 400 }
.cross thead th { white-space: normal; overflow-wrap: anywhere; min-width: 4rem; max-width: 7rem }
.words :is(th, td) { text-align: left }
details { width: 24rem; white-space: normal }
pre { overflow-x: auto; font-size: .75rem }
.note { color: var(--faint); font-size: .875rem; margin: .25rem 0 1rem; max-width: 45rem }
figure { margin: 1rem 0 }
svg { width: 100%; max-width: 30rem; height: auto }
code, dd { overflow-wrap: anywhere }
dt { color: var(--faint); font-size: .875rem }
dd { margin: 0 0 .5rem }
@media (max-width: 40rem) {
  th:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 8.5rem }
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e4e4; --paper: #171717; --faint: #a8a8a8; --line: #3c3c3c }
  svg { filter: invert(1) hue-rotate(180deg) }
}
"""

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<h1>{title}</h1>
<p>{lead}</p>
{body}
</body>
</html>
"""
