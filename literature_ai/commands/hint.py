"""What can be claimed and whom to ask, as one seat sees a game: exact chances, and why.

The record needs the hand that the seat was dealt and all events so far; other hands in it are not
looked at.

examples:
  literature hint game.lit --seat A1
  literature hint games.lit --game 17 --seat B2 --json

--json prints one object: "game", "seat", "players", "turn", "events" (how many), "deals" (how many
fit, as text), and
  locations   {card: {seat: probability}}: where the cards in play are now
  claims      for each half-suit that the team may hold, the likeliest layout, likeliest first:
              half_suit, holders {card: seat}, probability, certain, because (the numbers of the
              events that prove it when it is certain; 0 stands for the own hand)
  asks        every ask that would be legal on turn, likeliest first: target, card, probability
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from literature_ai.cards import CARD_NAMES, HALF_SUIT_NAMES, SEAT_NAMES, parse_seat, team_of
from literature_ai.commands.notice import say_if_compiling
from literature_ai.hints import Hint, as_json, hint, open_half_suits, seat_to_advise
from literature_ai.notation import layout
from literature_ai.record import choose, read_games

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

ASKS_SHOWN = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a .lit record; - is the standard input")
    parser.add_argument(
        "--seat", metavar="SEAT", help="A1, B1, …; default the only one with a hand in the record"
    )
    parser.add_argument("--game", metavar="ID", help="the game with this id, if there are several")
    parser.add_argument("--json", action="store_true", help="print JSON (described above)")


def run(args: argparse.Namespace) -> int:
    seat = None if args.seat is None else parse_seat(args.seat)
    record = choose(read_games(args.file), args.game, args.file)
    seat = seat_to_advise(record, seat, args.file)
    say_if_compiling()
    advice = hint(record, seat, args.file)
    if args.json:
        print(json.dumps(as_json(advice), indent=1))
    else:
        _show(advice)
    return 0


def _show(advice: Hint) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, width=None if sys.stdout.isatty() else 100)
    turn = advice.position.turn
    on_turn = "the game is over" if turn is None else f"{SEAT_NAMES[turn]} is on turn"
    console.print(
        f"game {advice.record.id} as {SEAT_NAMES[advice.seat]} sees it after"
        f" {len(advice.record.events)} events: {on_turn}, {_deals(advice.deals)}"
    )
    console.print()
    certain = [claim for claim in advice.claims if claim.certain]
    console.print(Text("Certain claims", style="bold"))
    for claim in certain:
        console.print(
            Text(
                f"  {HALF_SUIT_NAMES[claim.half_suit]}  {layout(claim.half_suit, claim.holders)}",
                style="green",
            ),
            f"  because of {_events(advice.because[claim.half_suit])}",
            sep="",
        )
    if not certain:
        console.print("  none")
    console.print(Text("\nLikely claims", style="bold"))
    likely = [claim for claim in advice.claims if not claim.certain]
    for claim in likely:
        console.print(
            f"  {HALF_SUIT_NAMES[claim.half_suit]}  {100 * claim.probability:5.1f} %"
            f"  {layout(claim.half_suit, claim.holders)}"
        )
    if not likely:
        console.print("  none")
    console.print(Text("\nBest asks", style="bold"))
    for ask in advice.asks[:ASKS_SHOWN]:
        console.print(
            f"  {CARD_NAMES[ask.ask.card]} of {SEAT_NAMES[ask.ask.target]}"
            f"  {100 * ask.probability:5.1f} %"
        )
    if not advice.asks:
        console.print("  none")
    elif len(advice.asks) > ASKS_SHOWN:
        console.print(f"  and {len(advice.asks) - ASKS_SHOWN} more (all of them with --json)")
    console.print(Text("\nWhere the cards are, in percent", style="bold"))
    console.print(_table(advice))


def _deals(number: int) -> str:
    return "one deal is possible" if number == 1 else f"{number:,} deals are possible"


def _events(numbers: tuple[int, ...]) -> str:
    events = [str(number) for number in numbers if number]
    reasons = [f"event{'s' * (len(events) > 1)} {', '.join(events)}"] if events else []
    return " and ".join([*reasons, *["the own hand"] * (0 in numbers)])


def _table(advice: Hint) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    for seat in range(advice.record.rules.players):
        ours = team_of(seat) == team_of(advice.seat)
        table.add_column(SEAT_NAMES[seat], justify="right", header_style="cyan" if ours else "")
    for i, (_, cards) in enumerate(open_half_suits(advice)):
        if i:
            table.add_row()
        for card in cards:
            table.add_row(CARD_NAMES[card], *map(_percent, advice.locations[card].tolist()))
    return table


def _percent(chance: float) -> Text:
    from rich.text import Text

    if chance in (0.0, 1.0):
        return Text("100", style="bold green") if chance else Text("·", style="dim")
    # What is not certain must not look so.
    shown = min(max(100 * chance, 0.1), 99.9)
    style = "green" if chance >= 0.5 else "yellow" if chance >= 0.25 else ""
    return Text(f"{shown:.1f}", style=style)
