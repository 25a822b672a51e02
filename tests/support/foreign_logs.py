"""Games written as the logs of other programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

import numpy as np

from literature_ai.bots.external import view_in_names
from literature_ai.cards import SEAT_NAMES, Seat, cards_of
from literature_ai.events import Ask, Asked, Claim, Claimed, Event, Pass, Passed, TimedOut
from literature_ai.game.game import Game
from literature_ai.records.notation import format_event


def suit_first(name: str) -> str:
    """The card as ``D10``; jokers as they are."""
    return name if name in ("RJ", "BJ") else name[1] + name[0].replace("T", "10")


def in_braces(game: Game, names: Sequence[str]) -> str:
    """The game as a brace log; passes are left out, timeouts cannot be written."""
    deck = game.rules.card_names

    def group(seat: Seat, cards: Iterable[int]) -> str:
        return f"{names[seat]}:{{{','.join(suit_first(deck[card]) for card in cards)}}}"

    lines = [group(seat, hand) for seat, hand in enumerate(game.dealt)]
    for event in game.events:
        match event:
            case Asked(asker, target, card, hit):
                lines.append(f"{names[asker]} {names[target]} {suit_first(deck[card])} {int(hit)}")
            case Claimed(claimant, half_suit, holders, right):
                cards = cards_of(half_suit)
                groups = [
                    group(s, [c for c, h in zip(cards, holders, strict=True) if h == s])
                    for s in dict.fromkeys(holders)
                ]
                lines.append(f"{names[claimant]} {' '.join(groups)} {int(right)}")
    return "\n".join(lines) + "\n"


def in_messages(
    game: Game, rng: np.random.Generator, seats: Sequence[Seat] | None = None
) -> Iterator[str]:
    """The game as the messages to the bots at these seats (all of them unless told otherwise), with
    some answers of theirs, and the last events in a view of their own."""
    players = range(game.rules.players)
    told = dict.fromkeys(players if seats is None else seats, 0)
    for seat in told:
        yield json.dumps({"op": "hello", "seats": SEAT_NAMES[: game.rules.players]})
        yield json.dumps(
            {
                "op": "new_game",
                "seat": SEAT_NAMES[seat],
                "hand": [game.rules.card_names[card] for card in game.dealt[seat]],
                "rules": asdict(game.rules),
                "seed": int(rng.integers(1000)),
            }
        )
        yield '{"ok": true, "name": "bot"}'
    events = [format_event(event, game.rules.card_names) for event in game.events]
    replayed = Game(game.rules, game.dealt, game.start)
    for number, event in enumerate(game.events):
        turn = replayed.turn
        assert turn is not None
        if turn in told:
            view = view_in_names(replayed.view(turn), events[told[turn] : number])
            told[turn] = number
            yield json.dumps({"op": "act", "view": view})
            yield '{"pass": "A1"}'
        _repeat(replayed, event)
    last = next(iter(told))
    yield json.dumps({"seat": SEAT_NAMES[last], "new_events": events[told[last] :]})
    yield '{"op": "bye"}'


def _repeat(game: Game, event: Event) -> None:
    """Do in the game what the event says was done."""
    match event:
        case Asked(asker, target, card):
            game.apply(Ask(target, card), asker)
        case Claimed(claimant, half_suit, holders):
            game.apply(Claim(half_suit, holders), claimant)
        case Passed(giver, to):
            game.apply(Pass(to), giver)
        case TimedOut():
            game.time_out()
