"""The words that may come next in a line of a person at a table: legal moves only, and commands."""

from __future__ import annotations

from collections.abc import Sequence

from literature_ai.cards import (
    HALF_SUIT_NAMES,
    HALF_SUIT_SIZE,
    SEAT_NAMES,
    Card,
    HalfSuit,
    Seat,
    cards_of,
    team_of,
)
from literature_ai.game.view import View
from literature_ai.records.notation import EVENT_WORDS, half_suit_named


def completions(view: View, line: str, commands: Sequence[str]) -> list[str]:
    """The words that may stand at the end of the line, whose last word is begun or empty."""
    *words, begun = line.split(" ")
    offered = _next_words(view, [word for word in words if word], commands)
    return [word for word in offered if word.lower().startswith(begun.lower())]


def holders_of(view: View, card: Card) -> list[Seat]:
    """The seats that a claim of this seat may name for the card, and that may have it."""
    if card in view.hand:
        return [view.seat]
    allowed = [
        seat
        for seat in range(view.rules.players)
        if view.rules.split_claims or team_of(seat) == team_of(view.seat)
    ]
    others = [seat for seat in allowed if seat != view.seat and view.hand_sizes[seat]]
    return others or allowed


def _next_words(view: View, before: Sequence[str], commands: Sequence[str]) -> list[str]:
    asks, names = view.legal_asks, view.rules.card_names
    targets = [SEAT_NAMES[seat] for seat in asks.targets]
    cards = [names[card] for card in asks.cards]
    if not before:
        moves = ["claim"] * view.may_claim + ["pass"] * bool(view.legal_passes)
        return [*(targets if cards else []), *moves, *commands]
    first = before[0].lower()
    kind = EVENT_WORDS.get(first)
    if kind == "claim":
        return _words_of_claim(view, before[1:]) if view.may_claim else []
    if kind == "pass":
        return [SEAT_NAMES[seat] for seat in view.legal_passes] if len(before) == 1 else []
    if kind is None and first == "coach":
        return ["on", "off"] if len(before) == 1 else []
    if kind is None and first in ("help", "h", "?"):
        return list(commands) if len(before) == 1 else []
    return _words_of_ask(targets, cards, before[1:] if kind == "ask" else before)


def _words_of_ask(targets: Sequence[str], cards: Sequence[str], before: Sequence[str]) -> list[str]:
    """The card after a seat that may be asked, or the seat after a card."""
    if not before:
        return list(targets) if cards else []
    if len(before) > 1:
        return []
    word = before[0].upper()
    if word in targets:
        return list(cards)
    return list(targets) if word in cards else []


def _words_of_claim(view: View, before: Sequence[str]) -> list[str]:
    """The half-suit, then the holders of its six cards in card order."""
    if not before:
        return [HALF_SUIT_NAMES[half_suit] for half_suit in view.in_play]
    half_suit: HalfSuit | None = half_suit_named(before[0])
    if half_suit not in view.in_play or len(before) > HALF_SUIT_SIZE:
        return []
    assert half_suit is not None
    card = cards_of(half_suit)[len(before) - 1]
    return [SEAT_NAMES[seat] for seat in holders_of(view, card)]
