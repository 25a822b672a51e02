"""Review a game: judge each decision by what its player could know.

A decision is judged by what its player knew at that moment, never by its outcome. Where the record
has no hand for a seat, its decisions are judged by public knowledge, and its claims not at all.

Accuracy is the mean worth of a player's decisions, in percent. An ask is worth its chance of a hit
divided by the best chance among the asks the player could make (1 if none could hit). A claim is
worth the probability that it is right; when claiming is the only legal action, that divided by the
probability of the likeliest claim. A turn lost to the clock is worth 0; passes are not judged.

With --engine each decision is judged by the value it gave away as well: how far the expected result
(win 1, draw 1/2, loss 0) of what was done is behind that of the best action, by rollouts from what
the player knew. What is beyond the error is a mistake, of three sizes, and there is the graph of
the game: the expected result of team A by all cards, and with --seat as that seat could tell.

examples:
  literature review game.lit
  literature review game.lit --engine --html review.html
  literature review games.lit --game 17 --seat A1
  literature review game.lit --html review.html
  literature review game.lit --json | jq '.summary'

--json prints one object: "game", "players", "deck", "rules", "events" (how many), and
  summary    for each seat: seat, name, view ("own": judged by the player's knowledge; "public": by
             public knowledge), accuracy (0 to 100, null if nothing was judged), judged (number of
             decisions judged), asks, hits, best_asks (with the best chance available),
             hopeless_asks (the player knew they would miss), dead_asks (everyone knew),
             claims_right, claims_wrong, lucky_claims (right but not certain), avoidable_claims
             (wrong, and a likelier claim or none was possible), passed_up (decisions other than a
             claim while a claim was provable), timeouts
  decisions  for each event: event (its number), seat, view, text (as in a record), type ("ask",
             "claim", "pass" or "timeout"), located (cards in play that the player could locate),
             provable (claims the player could prove and was allowed to make: half_suit, holders
             {card: seat}), worth (0 to 1, or null), and
               ask    target, card, hit, chance (of a hit), best {target, card, chance},
                      hopeless, dead
               claim  half_suit, holders, right, chance (that it is right), best {half_suit,
                      holders, chance} or null, forced, lucky, avoidable
  provable   for each claim that became provable for a team: team, half_suit, holders, since (the
             number of the event after which it was; 0: the deal), provers (the seats that could
             prove it then), until (the number of the event that claimed the half-suit, or null),
             claimant, right (or null), waited (number of events between), passed_up (those of them
             in which a player who could prove it decided otherwise)
  timelines  for each half-suit: half_suit, A and B (the public probability that the team holds all
             six cards, after the deal and after each event while it is in play), claimed (the
             number of the event, or null), scored ("A", "B" or null)

  engine     null without --engine; else budget, seed, stopped (by Ctrl-C), accuracy, mistakes and
             moments as "literature analyze --all --json" has them

With --seat, decisions are those of that seat, and provable the claims that it could prove.
--html writes one self-contained page.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from literature_ai.analysis.engine import BUDGET, MOST_BUDGET
from literature_ai.analysis.game_values import GameValues, mistakes, score_of_a
from literature_ai.analysis.review import (
    Review,
    review,
)
from literature_ai.analysis.review_text import (
    accuracy,
    missed,
    missed_claims,
    moments,
    review_as_json,
    verdict,
    views,
)
from literature_ai.cards import (
    HALF_SUIT_NAMES,
    SEAT_NAMES,
    TEAM_NAMES,
    Seat,
    parse_seat,
)
from literature_ai.cli import terminal
from literature_ai.cli.compiling import ADVICE, ENGINE, compile_for
from literature_ai.cli.interrupts import INTERRUPTED
from literature_ai.cli.stopping import Stop, watched
from literature_ai.errors import LiteratureError
from literature_ai.output_files import require_writable, write_file
from literature_ai.records.lit import iter_games
from literature_ai.records.record import Record, choose
from literature_ai.terminal_text import plain

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_BARS = "▁▂▃▄▅▆▇█"
_NOTHING = "·"
_LEAST = 0.02
"""Smaller probabilities are drawn as `_NOTHING`."""
_BEFORE_BARS = 7
_BESIDE_BARS = 42
"""Columns of the terminal that are taken by the words before, and on both sides of, the bars of a
timeline."""
_LEAST_BARS = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a .lit record, or - for standard input")
    parser.add_argument("--game", metavar="ID", help="the id of the game, if the file has several")
    parser.add_argument("--seat", metavar="SEAT", help="report only this seat's decisions")
    parser.add_argument("--json", action="store_true", help="print JSON (described above)")
    parser.add_argument(
        "--html", metavar="FILE", help="write the review as a self-contained HTML page"
    )
    parser.add_argument(
        "--engine", action="store_true", help="judge decisions by the value they gave away, too"
    )
    parser.add_argument(
        "--budget",
        type=int,
        metavar="N",
        help=f"with --engine: rollouts that compare the candidates of a decision ({BUDGET})",
    )


def run(args: argparse.Namespace) -> int:
    record = choose(iter_games(args.file), args.game, args.file)
    seat = None if args.seat is None else parse_seat(args.seat, record.rules.players)
    if args.budget is not None and (args.budget < 1 or not args.engine):
        wrong = "needs --engine" if args.budget > 0 else "must be at least 1"
        raise LiteratureError(f"--budget {args.budget} {wrong}")
    if args.budget is not None and args.budget > MOST_BUDGET:
        raise LiteratureError(f"--budget {args.budget}: it must be at most {MOST_BUDGET}")
    if args.html is not None:
        require_writable(args.html)
    compile_for(*ADVICE, *(ENGINE if args.engine else ()))
    found = review(record, args.file)
    values = _values(record, seat, args.budget or BUDGET) if args.engine else None
    if args.html is not None:
        _write_page(found, args.html, seat, values)
    if args.json:
        print(json.dumps(review_as_json(found, seat, values), indent=1))
    elif args.html is None:
        _show(found, seat)
        if values is not None:
            _show_values(values, found, seat)
    else:
        print(plain(f"review of game {record.id} written to {args.html}"))
    return INTERRUPTED if values is not None and values.stopped else 0


def _values(record: Record, seat: Seat | None, budget: int) -> GameValues:
    """The moments of the game, until Ctrl-C."""
    own = None if seat is None or record.hands[seat] is None else seat
    with Stop() as stop:
        moments = tuple(watched(record, own, budget, 0, 1, stop))
    return GameValues(moments, own, budget, 0, stop.wanted)


def _write_page(found: Review, path: str, seat: Seat | None, values: GameValues | None) -> None:
    from literature_ai.analysis.review_page import page

    write_file(path, page(found, seat, values))


def _show(found: Review, seat: Seat | None) -> None:
    from rich.text import Text

    console = terminal.console()

    def section(title: str, lines: Sequence[str], none: str) -> None:
        console.print(Text(f"\n{title}", style="bold"))
        for text in lines or [none]:
            terminal.show(console, Text(text), indent=2, hanging=4)

    a, b = found.record.score
    events = len(found.record.events)
    console.print(Text(f"game {found.record.id}, {events} events, {a}-{b}", style="bold"))
    terminal.show(console, Text(views(found)))
    console.print()
    terminal.show_table(console, _summary(found, seat))
    if not all(found.own_views):
        console.print(Text("*: judged by public knowledge", style="dim"))
    legend = "best: asks with the best chance available; dead: everyone knew they would miss"
    terminal.show(console, Text(legend, style="dim"))
    section(
        "Provable claims made late or not at all",
        [
            missed(provable, found.record.rules.card_names)
            for provable in missed_claims(found, seat)
        ],
        "none: every provable claim was made at once",
    )
    section(
        "Faults",
        [
            f"{moment.event:>3}  {moment.kind.value}: {moment.text}"
            for moment in moments(found, seat)
        ],
        "none",
    )
    _show_timelines(console, found)


def _show_timelines(console: Console, found: Review) -> None:
    """Bars for both teams and each half-suit, with what became of it beside or below them."""
    from rich.text import Text

    events = len(found.record.events)
    beside = console.width > _BESIDE_BARS + _LEAST_BARS
    columns = console.width - (_BESIDE_BARS if beside else _BEFORE_BARS)
    console.print(Text("\nPublic probability that a team holds all six cards", style="bold"))
    legend = f"under 2 %: {_NOTHING}; from there to 100 %: {_BARS}; out of play: nothing"
    terminal.show(console, Text(legend, style="dim"))
    for timeline in found.timelines:
        name = HALF_SUIT_NAMES[timeline.half_suit]
        said = verdict(found, timeline.half_suit)
        for team, style in ((0, "cyan"), (1, "yellow")):
            bars = Text(sparkline(timeline.held[team], events + 1, columns), style=style)
            row = Text(f"  {name if team == 0 else '':2} {TEAM_NAMES[team]} ") + bars
            if team == 1 and beside:
                row.append(f"  {said}")
            row.rstrip()
            console.print(row)
        if not beside:
            terminal.show(console, Text(said), indent=_BEFORE_BARS)


def _show_values(values: GameValues, found: Review, seat: Seat | None) -> None:
    """What the engine says of the game."""
    from rich.text import Text

    from literature_ai.analysis.value_graph import label_of
    from literature_ai.analysis.value_text import LEGEND, accuracies, mistake_in_words

    console = terminal.console()
    record, moments = found.record, values.moments
    stopped = ", stopped early" if values.stopped else ""
    title = f"\nBy value, with a budget of {values.budget}{stopped}"
    console.print(Text(title, style="bold"))
    sums = ", ".join(
        f"{SEAT_NAMES[s]} {value:.1f}"
        for s, value in accuracies(moments, record.rules.players)
        if seat in (None, s)
    )
    terminal.show(console, Text(f"accuracy: {sums or 'nothing to judge'}"), indent=2)
    for decision in mistakes(moments, seat):
        terminal.show(
            console, Text(f"{decision.event:>3}  {mistake_in_words(decision)}"), indent=2, hanging=6
        )
    terminal.show(console, Text(LEGEND, style="dim"), indent=2)
    console.print()
    terminal.show(console, Text(label_of(record, values.seat), style="bold"))
    columns = max(console.width - _BESIDE_BARS, 10)
    events = len(record.events) + 1
    table = sparkline([moment.table.score for moment in moments], events, columns)
    console.print(Text("  all cards  ") + Text(table, style="cyan"))
    if values.seat is not None:
        own = [score_of_a(moment, values.seat) for moment in moments]
        name = f"  {SEAT_NAMES[values.seat]}'s view".ljust(13)
        console.print(Text(name) + Text(sparkline(own, events, columns), style="yellow"))


def sparkline(chances: Sequence[float], moments_in_all: int, columns: int) -> str:
    """One bar per column: the highest of the probabilities in it; blank once out of play."""
    columns = min(moments_in_all, columns)
    bars = []
    for column in range(columns):
        first = column * moments_in_all // columns
        last = (column + 1) * moments_in_all // columns
        here = chances[first:last]
        highest = max(here, default=0.0)
        bar = _BARS[min(int(highest * 8), 7)] if highest >= _LEAST else _NOTHING
        bars.append(bar if here else " ")
    return "".join(bars)


def _summary(found: Review, seat: Seat | None) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in ("seat", "name"):
        table.add_column(column, max_width=20, no_wrap=True)
    for column in ("accuracy", "asks", "hits", "best", "dead", "claims", "lucky", "avoidable"):
        table.add_column(column, justify="right")
    table.add_column("passed up", justify="right")
    for s in found.summaries:
        if seat is None or s.seat == seat:
            table.add_row(
                SEAT_NAMES[s.seat] + ("" if s.own_view else " *"),
                s.name or "",
                accuracy(s.accuracy),
                *map(str, (s.asks, s.hits, s.best_asks, s.dead_asks)),
                f"{s.claims_right}:{s.claims_wrong}",
                *map(str, (s.lucky_claims, s.avoidable_claims, s.passed_up)),
            )
    return table
