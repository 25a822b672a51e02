"""Review a game: judge each decision by what its player could know.

For a record with all hands each decision is judged by what its player knew at that moment. Where a
hand is missing, the decisions of that seat are judged by what everyone knew, and its claims not at
all. Nothing is judged by how it came out.

Accuracy is the mean worth of a player's decisions, in percent. An ask is worth its chance of a hit,
as a share of the best chance he had (1 if nothing could hit). A claim is worth the probability that
it was right; if he could do nothing but claim, as a share of the likeliest claim he could make. A
turn lost to the clock is worth nothing; passes are not judged.

examples:
  literature review game.lit
  literature review games.lit --game 17 --seat A1
  literature review game.lit --html review.html
  literature review game.lit --json | jq '.summary'

--json prints one object: "game", "players", "deck", "rules", "events" (how many), and
  summary    for each seat: seat, name, view ("own": judged by what he knew; "public": by what
             everyone did), accuracy (0 to 100, null if nothing was judged), judged (how many
             decisions), asks, hits, best_asks (asks with the best chance there was), hopeless_asks
             (he knew that they must miss), dead_asks (everyone knew), claims_right, claims_wrong,
             lucky_claims (right, but not certain), avoidable_claims (wrong, and he need not claim
             or had a likelier one), passed_up (turns on which he could prove a claim and made
             none), timeouts
  decisions  for each event: event (its number), seat, view, text (as a record writes it), type
             ("ask", "claim", "pass" or "timeout"), located (how many cards in play he could
             place), provable (claims that he could prove and was allowed to make: half_suit,
             holders {card: seat}), worth (0 to 1, or null), and
               ask    target, card, hit, chance (that it would hit), best {target, card, chance},
                      hopeless, dead
               claim  half_suit, holders, right, chance (that it would be right), best {half_suit,
                      holders, chance} or null, forced, lucky, avoidable
  provable   for each claim that someone of a team could prove: team, half_suit, holders, since
             (the number of the event after which it was so; 0: the deal), provers (who could prove
             it then), until (the number of the event that claimed the half-suit, or null),
             claimant, right (or null), waited (the events between), passed_up (the numbers of those
             of them in which a player on turn could prove it and claimed nothing)
  timelines  for each half-suit: half_suit, A and B (the probability, as everyone could tell, that
             the team holds all six cards: after the deal and after each event while it is in play),
             claimed (the number of the event, or null), scored ("A", "B" or null)

With --seat, decisions are those of that seat, and provable those that it could prove.
--html writes one page that needs no network.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from literature_ai.analysis.review import (
    Decision,
    Review,
    ReviewedAsk,
    ReviewedClaim,
    Timeline,
    review,
)
from literature_ai.analysis.review_text import (
    accuracy,
    missed,
    missed_claims,
    moments,
    verdict,
    views,
)
from literature_ai.cards import (
    CARD_NAMES,
    HALF_SUIT_NAMES,
    SEAT_NAMES,
    TEAM_NAMES,
    Seat,
    parse_seat,
)
from literature_ai.cli import paragraphs
from literature_ai.cli.notice import say_if_compiling
from literature_ai.errors import FileError
from literature_ai.events import Ask, Asked, Claim, Claimed, Event, Passed
from literature_ai.records.lit import choose, read_games
from literature_ai.records.notation import by_card, line

if TYPE_CHECKING:
    from rich.table import Table

_BARS = "▁▂▃▄▅▆▇█"
_NOTHING = "·"
_LEAST = 0.02
"""Below this chance a timeline shows nothing."""
_BESIDE_BARS = 42
"""Columns of the terminal that a timeline leaves to words."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a .lit record; - is the standard input")
    parser.add_argument("--game", metavar="ID", help="the game with this id, if there are several")
    parser.add_argument("--seat", metavar="SEAT", help="only the decisions of this seat")
    parser.add_argument("--json", action="store_true", help="print JSON (described above)")
    parser.add_argument(
        "--html", metavar="FILE", help="write the review as a page, for any browser"
    )


def run(args: argparse.Namespace) -> int:
    record = choose(read_games(args.file), args.game, args.file)
    seat = None if args.seat is None else parse_seat(args.seat, record.rules.players)
    say_if_compiling()
    found = review(record, args.file)
    if args.html is not None:
        _write_page(found, args.html, seat)
    if args.json:
        print(json.dumps(as_json(found, seat), indent=1))
    elif args.html is None:
        _show(found, seat)
    else:
        print(f"review of game {record.id} written to {args.html}")
    return 0


def _write_page(found: Review, path: str, seat: Seat | None) -> None:
    from literature_ai.analysis.review_page import page

    try:
        Path(path).write_text(page(found, seat), encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise FileError(f"cannot write {path}: {reason}") from None


def _show(found: Review, seat: Seat | None) -> None:
    from rich.text import Text

    console = paragraphs.console()

    def section(title: str, lines: Sequence[str], none: str) -> None:
        console.print(Text(f"\n{title}", style="bold"))
        for said in lines or [none]:
            paragraphs.show(console, Text(said), indent=2, hanging=4)

    a, b = found.record.score
    events = len(found.record.events)
    console.print(Text(f"game {found.record.id}, {events} events, {a}-{b}", style="bold"))
    paragraphs.show(console, Text(views(found)))
    console.print()
    console.print(_summary(found, seat))
    if not all(found.own_views):
        console.print(Text("*: judged by what everyone knew", style="dim"))
    legend = "best: asks with the best chance there was; dead: everyone knew that they must miss"
    paragraphs.show(console, Text(legend, style="dim"))
    section(
        "Claims that lay provable",
        [missed(provable) for provable in missed_claims(found, seat)],
        "none: all that could be proven was claimed at once",
    )
    section(
        "Decisions that could have been better",
        [
            f"{moment.event:>3}  {moment.kind.value}: {moment.text}"
            for moment in moments(found, seat)
        ],
        "none",
    )
    columns = max(console.width - _BESIDE_BARS, 10)
    console.print(Text("\nHow likely each team held all six, as everyone could tell", style="bold"))
    for timeline in found.timelines:
        name = HALF_SUIT_NAMES[timeline.half_suit]
        ends = ("", f"  {verdict(found, timeline.half_suit)}")
        for team, style, end in zip((0, 1), ("cyan", "yellow"), ends, strict=True):
            bars = Text(sparkline(timeline.held[team], events + 1, columns), style=style)
            label = f"  {name if team == 0 else '':2} {TEAM_NAMES[team]} "
            row = Text(label) + bars + Text(end)
            row.rstrip()
            console.print(row)


def sparkline(chances: Sequence[float], moments_in_all: int, columns: int) -> str:
    """The chances as bars, the highest of a column's moments each; blank once out of play."""
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


def as_json(found: Review, seat: Seat | None = None) -> dict[str, Any]:
    """The review as ``literature review --json`` prints it."""
    rules = found.record.rules
    return {
        "game": found.record.id,
        "players": rules.players,
        "deck": rules.deck,
        "rules": rules.words(),
        "events": len(found.record.events),
        "summary": [
            {
                "seat": SEAT_NAMES[s.seat],
                "name": s.name,
                "view": _view(s.own_view),
                "accuracy": s.accuracy,
                "judged": s.judged,
                "asks": s.asks,
                "hits": s.hits,
                "best_asks": s.best_asks,
                "hopeless_asks": s.hopeless_asks,
                "dead_asks": s.dead_asks,
                "claims_right": s.claims_right,
                "claims_wrong": s.claims_wrong,
                "lucky_claims": s.lucky_claims,
                "avoidable_claims": s.avoidable_claims,
                "passed_up": s.passed_up,
                "timeouts": s.timeouts,
            }
            for s in found.summaries
            if seat is None or s.seat == seat
        ],
        "decisions": [
            _decision_as_json(decision)
            for decision in found.decisions
            if seat is None or decision.seat == seat
        ],
        "provable": [
            {
                "team": TEAM_NAMES[provable.team],
                **_claim_as_json(provable.claim),
                "since": provable.since,
                "provers": [SEAT_NAMES[s] for s in provable.provers],
                "until": provable.until,
                "claimant": None if provable.claimant is None else SEAT_NAMES[provable.claimant],
                "right": provable.right,
                "waited": provable.waited,
                "passed_up": list(provable.passed_up),
            }
            for provable in found.provable
            if seat is None or seat in provable.provers
        ],
        "timelines": [_timeline_as_json(timeline) for timeline in found.timelines],
    }


def _decision_as_json(decision: Decision) -> dict[str, Any]:
    return {
        "event": decision.event,
        "seat": SEAT_NAMES[decision.seat],
        "view": _view(decision.own_view),
        "text": line(decision.said),
        "type": _type(decision.said),
        "located": decision.located,
        "provable": [_claim_as_json(claim) for claim in decision.provable],
        "worth": decision.worth,
        **_judged_as_json(decision.judged),
    }


def _judged_as_json(judged: ReviewedAsk | ReviewedClaim | None) -> dict[str, Any]:
    match judged:
        case ReviewedAsk() as ask:
            return {
                **_ask_as_json(ask.ask),
                "hit": ask.hit,
                "chance": ask.chance,
                "best": {**_ask_as_json(ask.best), "chance": ask.best_chance},
                "hopeless": ask.hopeless,
                "dead": ask.dead,
            }
        case ReviewedClaim() as claim:
            best = claim.best
            return {
                **_claim_as_json(claim.claim),
                "right": claim.right,
                "chance": claim.chance,
                "best": None
                if best is None
                else {**_claim_as_json(best), "chance": claim.best_chance},
                "forced": claim.forced,
                "lucky": claim.lucky,
                "avoidable": claim.avoidable,
            }
    return {}


def _timeline_as_json(timeline: Timeline) -> dict[str, Any]:
    return {
        "half_suit": HALF_SUIT_NAMES[timeline.half_suit],
        "A": list(timeline.held[0]),
        "B": list(timeline.held[1]),
        "claimed": timeline.claimed,
        "scored": None if timeline.scored is None else TEAM_NAMES[timeline.scored],
    }


def _ask_as_json(ask: Ask) -> dict[str, str]:
    return {"target": SEAT_NAMES[ask.target], "card": CARD_NAMES[ask.card]}


def _claim_as_json(claim: Claim) -> dict[str, Any]:
    return {
        "half_suit": HALF_SUIT_NAMES[claim.half_suit],
        "holders": by_card(claim.half_suit, claim.holders),
    }


def _type(event: Event) -> str:
    match event:
        case Asked():
            return "ask"
        case Claimed():
            return "claim"
        case Passed():
            return "pass"
    return "timeout"


def _view(own: bool) -> str:
    return "own" if own else "public"
