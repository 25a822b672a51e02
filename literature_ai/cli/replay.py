"""Check a record against the rules and show the game.

The record may hold any number of games, and any of their hands. The first line that departs from
the grammar or the rules is reported with what would be right; so is a record, with some hands
not known, that no deal fits. Games are shown while the file is still being read, 100 games behind,
so that it may be of any length; what is wrong further on ends the output there (exit code 2).

examples:
  literature replay game.lit
  literature replay games.lit --game 17
  literature replay games.lit --json | jq '.games[].score'
  cat game.lit | literature replay -

--json prints one object, one game a line: "file", and "games", each with
  id, players, deck, start                      as in the record
  rules        the switches that are on, in one string
  seats        for each seat "name" and "hand" (as dealt); null where not known
  events       for each event "number", "line" (in the file), "text" (as a record writes it),
               "type" and what belongs to it:
                 ask      asker, target, card, hit
                 claim    claimant, half_suit, holders {card: seat}, right,
                          shown {card: seat} or null, lost {seat: cards} or null
                 pass     giver, to
                 timeout  seat
               and, after it, "turn" (null when the game is over), "score", "hand_sizes"
  score        {"A": 5, "B": 3}
  turn         who is on turn now; null when the game is over
  winner       "A", "B" or null
  ended_by     "majority", "all_claimed", "max_events", "broken_off", or null: in progress
  unfinished   whether the game ended before its rules ended it
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from literature_ai.cards import SEAT_NAMES
from literature_ai.cli import terminal
from literature_ai.cli.streaming import read_ahead
from literature_ai.events import Asked, Claimed, Event
from literature_ai.inference.recorded import check_deal_exists
from literature_ai.records.as_json import ended_by_of, positions, record_as_json, winner
from literature_ai.records.lit import iter_games
from literature_ai.records.record import Record, choose
from literature_ai.wording import card_names, sentence

if TYPE_CHECKING:
    from rich.console import RenderableType

_PIPED_WIDTH = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a .lit record; - is the standard input")
    parser.add_argument("--game", metavar="ID", help="only the game with this id")
    parser.add_argument("--json", action="store_true", help="print JSON (described above)")


def run(args: argparse.Namespace) -> int:
    games: Iterable[Record] = iter_games(args.file)
    if args.game is not None:
        games = [choose(games, args.game, args.file)]
    checked = read_ahead(_checked(games, args.file))
    if args.json:
        _print_json(checked, args.file)
    else:
        _show(checked)
    return 0


def _checked(games: Iterable[Record], file: str) -> Iterator[Record]:
    for record in games:
        check_deal_exists(record, file)
        yield record


def _print_json(games: Iterable[Record], file: str) -> None:
    """One object, with one game a line, each printed as soon as it is read."""
    opening = f'{{"file": {json.dumps(file)}, "games": [\n'
    for record in games:
        print(opening, json.dumps(record_as_json(record)), sep="", end="")
        opening = ",\n"
    print("\n]}")


def _show(records: Iterable[Record]) -> None:
    console = terminal.console(_PIPED_WIDTH)
    for i, record in enumerate(records):
        if i:
            console.print()
        for part in _parts(record):
            console.print(part)


def _parts(record: Record) -> Iterator[RenderableType]:
    """The heading, the seats, the events and the result."""
    from rich.table import Table
    from rich.text import Text

    words, names = record.rules.words(), record.rules.card_names
    title = f"game {record.id}: {record.rules.players} players" + (f", {words}" if words else "")
    yield Text(title, style="bold")

    seats = Table(box=None, pad_edge=False, show_header=False)
    for seat, (name, hand) in enumerate(zip(record.names, record.hands, strict=True)):
        cards = "hand not known" if hand is None else card_names(hand, names)
        starts = "starts" if seat == record.start else ""
        seats.add_row(*map(Text, (SEAT_NAMES[seat], name or "", cards, starts)))
    yield seats

    if record.events:
        events = Table(box=None, pad_edge=False, header_style="bold")
        events.add_column("#", justify="right")
        events.add_column("event")
        events.add_column("A-B", no_wrap=True)
        for number, event, position in positions(record):
            a, b = position.score
            events.add_row(
                str(number), Text(sentence(event, names), style=_style(event)), f"{a}-{b}"
            )
        yield events
    yield Text(_conclusion(record), style="bold")


def _style(event: Event) -> str:
    match event:
        case Asked(hit=True):
            return "green"
        case Claimed(right=right):
            return "bold green" if right else "bold red"
    return ""


def _conclusion(record: Record) -> str:
    score = "{}-{}".format(*record.score)
    position = record.position()
    ended_by = ended_by_of(record, position)
    if ended_by is None:
        return f"in progress, {score}: {SEAT_NAMES[position.turn or 0]} is on turn"
    ahead = winner(record)
    won = "a draw" if ahead is None else f"team {ahead} wins"
    if record.unfinished or ended_by == "max_events":
        won = f"unfinished, {'level' if ahead is None else f'team {ahead} leads'}"
    return f"result {score}: {won} ({ended_by.replace('_', ' ')})"
