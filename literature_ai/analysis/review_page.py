"""A review as one page of HTML that needs nothing else: no network, no script, no font.

Styles follow the light or dark mode of the browser; tables become cards on a narrow screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from literature_ai import __version__
from literature_ai.analysis.review import (
    Decision,
    Review,
    ReviewedAsk,
    ReviewedClaim,
    Summary,
    Timeline,
)
from literature_ai.analysis.review_text import (
    Moment,
    accuracy,
    missed,
    missed_claims,
    moments,
    verdict,
    views,
)
from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, TEAM_NAMES, Seat
from literature_ai.records.wording import percent, sentence, wanted

_HEIGHT = 100
"""Of a plot in its own units, so that a unit is a percent."""

_STYLE = """
:root {
  color-scheme: light dark;
  --back: #ffffff; --card: #f5f6f8; --text: #1c2126; --quiet: #5b6570; --line: #d5dae0;
  --a: #0b62c4; --b: #b4540a; --bad: #b3261e; --odd: #8a6100; --good: #1a7f37;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171b; --card: #1e2329; --text: #e6e9ec; --quiet: #9aa5b0; --line: #39424c;
    --a: #6cb2ff; --b: #ffa657; --bad: #ff8a80; --odd: #e3b341; --good: #56d364;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1rem; max-width: 72rem; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
  overflow-wrap: anywhere;
}
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p { margin: .25rem 0; }
.quiet { color: var(--quiet); font-size: .9rem; }
.a { color: var(--a); } .b { color: var(--b); }
.bad { color: var(--bad); } .odd { color: var(--odd); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; text-align: right; border-bottom: 1px solid var(--line); }
th, td { overflow-wrap: normal; }
th { color: var(--quiet); font-weight: 600; font-size: .9rem; vertical-align: bottom; }
.words { text-align: left; }
ul { list-style: none; margin: 0; padding: 0; }
li { padding: .4rem 0; border-bottom: 1px solid var(--line); }
li b { font-weight: 600; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: 1rem; }
figure { margin: 0; padding: .75rem; background: var(--card); border-radius: .5rem; }
figcaption { display: flex; justify-content: space-between; gap: .5rem; }
svg { display: block; width: 100%; height: 6rem; margin: .5rem 0 .1rem; overflow: visible; }
polyline { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
polyline.a { stroke: var(--a); } polyline.b { stroke: var(--b); stroke-dasharray: 5 3; }
line { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
line.claim { stroke: var(--text); stroke-dasharray: 2 3; }
.axis { display: flex; justify-content: space-between; color: var(--quiet); font-size: .8rem; }
summary { cursor: pointer; padding: .4rem 0; }
@media (max-width: 44rem) {
  thead { display: none; }
  tr { display: block; padding: .6rem 0; border-bottom: 1px solid var(--line); }
  td { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: .1rem 0; }
  td.words { display: block; }
  td[data-label]::before { content: attr(data-label); color: var(--quiet); }
  td.words[data-label]::before { content: ""; }
  td.zero { display: none; }
}
"""


def page(review: Review, seat: Seat | None = None) -> str:
    """The page; with a seat, only its decisions."""
    record = review.record
    a, b = record.score
    rules = record.rules.words()
    about = f"{record.rules.players} players" + (f", {rules}" if rules else "")
    title = f"Review of game {record.id}"
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8"/>',
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
            f"<title>{escape(title)}</title>",
            f"<style>{_STYLE}</style>",
            "</head>",
            "<body>",
            f"<h1>{escape(title)}</h1>",
            f'<p><span class="a">A {a}</span> – <span class="b">B {b}</span>'
            f" after {len(record.events)} events; {escape(about)}</p>",
            f'<p class="quiet">{escape(views(review))}</p>',
            "<h2>Players</h2>",
            *_players(s for s in review.summaries if seat is None or s.seat == seat),
            "<h2>How likely each team held all six cards</h2>",
            '<p class="quiet">As everyone could tell, after each event; the dotted line is the'
            ' claim. <span class="a">Team A is the solid line</span>,'
            ' <span class="b">team B the dashed one</span>.</p>',
            '<div class="plots">',
            *(_plot(review, timeline) for timeline in review.timelines),
            "</div>",
            "<h2>Claims that lay provable</h2>",
            *_list(
                [f"<li>{_words(missed(p))}</li>" for p in missed_claims(review, seat)],
                "None: all that could be proven was claimed at once.",
            ),
            "<h2>Decisions that could have been better</h2>",
            *_list([_moment(moment) for moment in moments(review, seat)], "None."),
            "<h2>Every decision</h2>",
            "<details><summary>Show all decisions, with what the player could know</summary>",
            *_decisions([d for d in review.decisions if seat is None or d.seat == seat]),
            "</details>",
            f'<p class="quiet">literature-ai {__version__}</p>',
            "</body>",
            "</html>",
            "",
        ]
    )


def _players(summaries: Iterable[Summary]) -> Iterator[str]:
    columns = (
        "accuracy, %",
        "asks",
        "hits",
        "best asks",
        "dead asks",
        "claims right",
        "claims wrong",
        "lucky claims",
        "avoidable claims",
        "claims passed up",
    )
    head = "".join(f"<th>{column}</th>" for column in columns)
    yield f'<table><thead><tr><th class="words">player</th>{head}</tr></thead><tbody>'
    for s in summaries:
        asks = (s.asks, s.hits, s.best_asks, s.dead_asks)
        claims = (s.claims_right, s.claims_wrong, s.lucky_claims, s.avoidable_claims, s.passed_up)
        name = f"<b>{SEAT_NAMES[s.seat]}</b> {escape(s.name or '')}"
        if not s.own_view:
            name += ' <span class="quiet">(public view)</span>'
        cells = [f'<td data-label="accuracy, %"><b>{accuracy(s.accuracy)}</b></td>']
        for column, number in zip(columns[1:], asks + claims, strict=True):
            zero = "" if number else ' class="zero"'
            cells.append(f'<td{zero} data-label="{column}">{number}</td>')
        yield f'<tr><td class="words {_team(s.seat)}">{name}</td>{"".join(cells)}</tr>'
    yield "</tbody></table>"
    yield (
        '<p class="quiet">Accuracy: an ask is worth its chance of a hit as a share of the best'
        " chance he had; a claim the probability that it was right (if he could do nothing but"
        " claim: as a share of the likeliest claim); a turn lost to the clock nothing. Best asks"
        " had the best chance there was; of dead asks everyone knew that they must miss; lucky"
        " claims were right but not certain.</p>"
    )


def _list(items: Sequence[str], none: str) -> list[str]:
    return ["<ul>", *items, "</ul>"] if items else [f"<p>{none}</p>"]


def _words(text: str) -> str:
    """The text, in which no line breaks before a sign of percent."""
    return escape(text).replace(" %", "&#160;%")


def _moment(moment: Moment) -> str:
    style = "odd" if moment.kind.value.startswith(("poor", "lucky")) else "bad"
    return (
        f'<li><span class="quiet">{moment.event}</span> '
        f'<b class="{style}">{moment.kind.value}</b> {_words(moment.text)}</li>'
    )


def _plot(review: Review, timeline: Timeline) -> str:
    events = max(len(review.record.events), 1)
    lines = "".join(
        f'<polyline class="{name}" points="{_steps(timeline.held[team], events)}"/>'
        for team, name in ((1, "b"), (0, "a"))
    )
    claim = ""
    if timeline.claimed is not None:
        at = timeline.claimed
        claim = f'<line class="claim" x1="{at}" y1="0" x2="{at}" y2="{_HEIGHT}"/>'
    name = HALF_SUIT_NAMES[timeline.half_suit]
    said = verdict(review, timeline.half_suit)
    color = "" if timeline.scored is None else f' class="{TEAM_NAMES[timeline.scored].lower()}"'
    grid = "".join(
        f'<line x1="0" y1="{y}" x2="{events}" y2="{y}"/>' for y in (0, _HEIGHT / 2, _HEIGHT)
    )
    highest = [percent(max(chances, default=0.0)) for chances in timeline.held]
    label = f"{name}: team A at most {highest[0]} %, team B at most {highest[1]} %; {said}"
    return (
        f"<figure><figcaption><b>{name}</b><span{color}>{said}</span></figcaption>"
        f'<svg viewBox="0 0 {events} {_HEIGHT}" preserveAspectRatio="none" role="img"'
        f' aria-label="{label}">{grid}{lines}{claim}</svg>'
        f'<div class="axis"><span>deal</span><span>100 % at the top</span>'
        f"<span>event {events}</span></div></figure>"
    )


def _steps(chances: Sequence[float], events: int) -> str:
    """The points of a line that keeps each chance until the next event, if there is one."""
    points = []
    for number, chance in enumerate(chances):
        y = f"{_HEIGHT * (1 - chance):.4g}"
        points += [f"{number},{y}", f"{min(number + 1, events)},{y}"]
    return " ".join(points)


def _decisions(decisions: Sequence[Decision]) -> Iterator[str]:
    yield (
        '<table><thead><tr><th class="words">event</th><th>chance, %</th>'
        '<th class="words">best</th><th>cards located</th><th>claims provable</th></tr></thead>'
        "<tbody>"
    )
    for decision in decisions:
        chance, best = _judged(decision)
        provable = len(decision.provable)
        zero = "" if provable else ' class="zero"'
        yield (
            f'<tr><td class="words {_team(decision.seat)}">'
            f'<span class="quiet">{decision.event}</span> {escape(sentence(decision.made))}</td>'
            f'<td data-label="chance, %">{chance}</td><td class="words">{_words(best)}</td>'
            f'<td data-label="cards located">{decision.located}</td>'
            f'<td{zero} data-label="claims provable">{provable}</td></tr>'
        )
    yield "</tbody></table>"


def _judged(decision: Decision) -> tuple[str, str]:
    """The chance of what was decided, and what had a better one."""
    match decision.judged:
        case ReviewedAsk() as ask:
            better = ask.best != ask.ask
            best = f"{wanted(ask.best)} had {percent(ask.best_chance)} %" if better else ""
            return percent(ask.chance), best
        case ReviewedClaim() as claim:
            return percent(claim.chance), "forced" if claim.forced else ""
    return "–", ""


def _team(seat: Seat) -> str:
    return TEAM_NAMES[seat % 2].lower()
