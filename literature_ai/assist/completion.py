"""The words that may come next in a line, for a terminal that completes them."""

from __future__ import annotations

from collections.abc import Sequence

from literature_ai.assist.setup import RULE_WORDS, Setup
from literature_ai.cards import CARD_NAMES, HALF_SUIT_NAMES, SEAT_NAMES, cards_of, is_card, team_of
from literature_ai.game.position import Position
from literature_ai.records.notation import EVENT_WORDS


def words_of_setup(setup: Setup, before: Sequence[str]) -> list[str]:
    """What may follow these words in the answer to the next question."""
    match setup.question:
        case "players":
            return ["4", "6", "8"]
        case "rules":
            return list(RULE_WORDS)
        case "hand":
            deck = setup.rules.card_names if setup.rules else CARD_NAMES
            named = {deck[card] for card in setup.hand} | {word.upper() for word in before}
            return [name for name in deck if name not in named]
    return list(setup.seats)


def words_of_game(position: Position, before: Sequence[str], commands: Sequence[str]) -> list[str]:
    """What may follow these words in a line about the game, those that are likeliest first."""
    seats = list(SEAT_NAMES[: position.rules.players])
    half_suits, deck = [HALF_SUIT_NAMES[h] for h in position.in_play], position.rules.card_names
    cards = [deck[card] for h in position.in_play for card in cards_of(h)]
    if not before:
        turn = position.turn
        if turn is not None:
            seats.sort(key=lambda name: team_of(SEAT_NAMES.index(name)) == team_of(turn))
        return [*seats, *EVENT_WORDS, "result", *commands]
    first = before[0].lower()
    match EVENT_WORDS.get(first, first):
        case "why" | "w" | "table" | "t":
            return [*half_suits, *cards, *seats]
        case "claim":
            return [*half_suits, *(f"{seat}:" for seat in seats), *seats, "y", "n"]
        case "pass" | "timeout" | "seat" | "start":
            return seats
        case "rules":
            return list(RULE_WORDS)
        case "hand":
            return list(deck)
        case "help" | "h" | "?":
            return list(commands)
    if first in commands and first not in ("edit", "insert"):
        return []
    if any(map(is_card, before)):
        return ["y", "n"]
    named = sum(word.upper() in seats for word in before)
    return [*cards, *(seats if named < 2 else [])]
