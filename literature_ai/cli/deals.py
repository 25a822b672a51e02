"""Count, list or sample the deals that fit what one seat, or everyone, knows.

A deal says who was dealt which card. Without --seat it is what everyone knows, without any hand.

examples:
  literature deals game.lit --seat A1
  literature deals game.lit --seat A1 --list 20
  literature deals game.lit --seat A1 --sample 1000 --seed 7 --json
  literature deals game.lit --seat A1 --half-suit LS

--json prints one object: "game", "seat" (null: the public), "events" (how many), "deals" (how many
fit, as text), and where asked for
  list       deals in a fixed order, each {seat: [cards as dealt]}
  sample     independent deals, all that fit being equally likely; the same form
  layouts    where the cards of the half-suit can be now, likeliest first, each with
             "holders" {card: seat} and "probability"
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from typing import Any

from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, CardNames, HalfSuit, cards_of
from literature_ai.cli.compiling import DEALS, LAYOUTS, SAMPLE, compile_for
from literature_ai.cli.numbers import whole
from literature_ai.cli.terminal import say
from literature_ai.errors import LiteratureError
from literature_ai.inference.knowledge import Knowledge
from literature_ai.inference.recorded import knowledge_of, seat_to_advise
from literature_ai.records.lit import iter_games
from literature_ai.records.notation import half_suit_of_deck
from literature_ai.records.record import choose
from literature_ai.wording import by_card, layout

_MOST_DEALS = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a .lit record; - is the standard input")
    parser.add_argument("--seat", metavar="SEAT", help="A1, B1, …; default: the public")
    parser.add_argument("--game", metavar="ID", help="the game with this id, if there are several")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--list", metavar="N", type=_positive, help="list the first N deals, in a fixed order"
    )
    what.add_argument("--sample", metavar="N", type=_positive, help="draw N deals at random")
    what.add_argument("--half-suit", metavar="NAME", help="list the layouts of a half-suit")
    parser.add_argument(
        "--seed", metavar="S", type=_seed, default=0, help="of --sample; default %(default)s"
    )
    parser.add_argument("--json", action="store_true", help="print JSON (described above)")


def run(args: argparse.Namespace) -> int:
    record = choose(iter_games(args.file), args.game, args.file)
    named = args.half_suit
    half_suit = None if named is None else half_suit_of_deck(named, record.rules)
    seat = None if args.seat is None else seat_to_advise(record, args.seat, args.file)
    compile_for(DEALS, *[LAYOUTS] * (half_suit is not None), *[SAMPLE] * (args.sample is not None))
    knowledge = knowledge_of(record, seat, args.file)
    if half_suit is not None and half_suit not in knowledge.in_play:
        raise LiteratureError(f"{args.file}: {HALF_SUIT_NAMES[half_suit]} is not in play any more")
    names = record.rules.card_names
    result: dict[str, Any] = {
        "game": record.id,
        "seat": None if seat is None else SEAT_NAMES[seat],
        "events": len(record.events),
        "deals": str(knowledge.deals()),
    }
    lines: Iterable[str] = [result["deals"]]
    if half_suit is not None:
        layouts = list(_layouts(knowledge, half_suit))
        result["layouts"] = [
            {"holders": by_card(half_suit, holders, names), "probability": chance}
            for holders, chance in layouts
        ]
        lines = [
            f"{chance:.9f}  {layout(half_suit, holders, names)}" for holders, chance in layouts
        ]
    elif args.list or args.sample:
        key = "list" if args.list else "sample"
        deals: Iterable[Sequence[int]] = (
            knowledge.sat.deals(args.list)
            if args.list
            else _sample(knowledge, args.seed, args.sample)
        )
        hands = [_hands(deal, record.rules.players, names) for deal in deals]
        result[key] = hands
        lines = (" ".join(f"{seat}:{','.join(cards)}" for seat, cards in h.items()) for h in hands)
    if args.json:
        print(json.dumps(result, indent=1))
    else:
        for line in lines:
            say(line)
    return 0


def _layouts(knowledge: Knowledge, half_suit: HalfSuit) -> Iterable[tuple[tuple[int, ...], float]]:
    dealt, chances = knowledge.counting.layouts(half_suit)
    cards = cards_of(half_suit)
    places = [knowledge.place_now(card) for card in cards]
    for holders, chance in zip(dealt.tolist(), chances.tolist(), strict=True):
        yield (
            tuple(
                seat if place is None else place
                for seat, place in zip(holders, places, strict=True)
            ),
            chance,
        )


def _sample(knowledge: Knowledge, seed: int, count: int) -> list[list[int]]:
    import numpy as np

    deals: list[list[int]] = knowledge.sample(np.random.default_rng(seed), count).tolist()
    return deals


def _hands(deal: Sequence[int], players: int, names: CardNames) -> dict[str, list[str]]:
    hands: dict[str, list[str]] = {name: [] for name in SEAT_NAMES[:players]}
    for card, seat in enumerate(deal):
        hands[SEAT_NAMES[seat]].append(names[card])
    return hands


def _positive(text: str) -> int:
    number = _seed(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} must be 1 or more")
    if number > _MOST_DEALS:
        raise argparse.ArgumentTypeError(f"{text!r} must be at most {_MOST_DEALS:,}")
    return number


def _seed(text: str) -> int:
    number = whole(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 on")
    return number
