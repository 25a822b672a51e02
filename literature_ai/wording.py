"""Events, layouts, cards and probabilities in words.

``names`` are the names of the cards in the deck of the game (`RuleSet.card_names`).

>>> from literature_ai.events import Asked
>>> from literature_ai.rules import RuleSet
>>> sentence(Asked(0, 3, 15, hit=True), RuleSet().card_names)
'A1 asks B2 for 5H: hit'
>>> percent(0.25)
'25.0'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from literature_ai.cards import (
    HALF_SUIT_NAMES,
    SEAT_NAMES,
    Card,
    CardNames,
    HalfSuit,
    Seat,
    cards_of,
)
from literature_ai.events import Ask, Asked, Claimed, Event, Passed, TimedOut


def sentence(event: Event, names: CardNames) -> str:
    """The event as a sentence."""
    match event:
        case Asked(asker, target, card, hit):
            answer = "hit" if hit else "miss"
            return f"{SEAT_NAMES[asker]} asks {SEAT_NAMES[target]} for {names[card]}: {answer}"
        case Claimed(claimant, half_suit, holders, right, shown, lost):
            said = f"{SEAT_NAMES[claimant]} claims {HALF_SUIT_NAMES[half_suit]} as "
            said += layout(half_suit, holders, names)
            if right:
                return f"{said}: right"
            if shown is not None:
                return f"{said}: wrong, it was {layout(half_suit, shown, names)}"
            return f"{said}: wrong, cards lost {counts(lost or ())}"
        case Passed(giver, to):
            return f"{SEAT_NAMES[giver]} passes the turn to {SEAT_NAMES[to]}"
        case TimedOut(seat):
            return f"{SEAT_NAMES[seat]} runs out of time"


def wanted(ask: Ask, names: CardNames) -> str:
    """What an ask is for: ``3D of B2``."""
    return f"{names[ask.card]} of {SEAT_NAMES[ask.target]}"


def percent(chance: float) -> str:
    """The probability in percent; only certainty is shown as 0 or 100.

    >>> percent(1.0), percent(0.99999), percent(0.25), percent(1e-9), percent(0.0)
    ('100', '99.9', '25.0', '0.1', '0')
    """
    if chance in (0.0, 1.0):
        return "100" if chance else "0"
    return f"{min(max(100 * chance, 0.1), 99.9):.1f}"


def layout(half_suit: HalfSuit, holders: Sequence[Seat], names: CardNames) -> str:
    """Who holds the six cards, in the order of seats and cards: ``B1:2S,3S,4S B2:5S B3:6S,7S``."""
    cards: dict[Seat, list[str]] = {seat: [] for seat in sorted(holders)}
    for card, seat in zip(cards_of(half_suit), holders, strict=True):
        cards[seat].append(names[card])
    return " ".join(f"{SEAT_NAMES[seat]}:{','.join(held)}" for seat, held in cards.items())


def by_card(half_suit: HalfSuit, holders: Sequence[Seat], names: CardNames) -> dict[str, str]:
    """A layout as JSON has it: for each card, in card order, the name of its seat."""
    cards = cards_of(half_suit)
    return {names[card]: SEAT_NAMES[s] for card, s in zip(cards, holders, strict=True)}


def by_half_suit(names: CardNames) -> dict[str, list[str]]:
    """The deck as JSON has it: for each half-suit, in order, the names of its six cards."""
    half_suits = range(len(names) // len(cards_of(0)))
    return {HALF_SUIT_NAMES[h]: [names[card] for card in cards_of(h)] for h in half_suits}


def counts(lost: Sequence[int]) -> str:
    """How many cards each seat lost, those without one left out: ``A1:1 B1:1 B3:4``."""
    return " ".join(f"{SEAT_NAMES[seat]}:{count}" for seat, count in enumerate(lost) if count)


def shortened(text: str) -> str:
    """The text, cut to at most 40 characters, for messages about a word that people typed."""
    return text if len(text) <= 40 else f"{text[:39]}…"


def whole_number(text: str) -> int | None:
    """The whole number from 0 on that people typed; None if it is none or has over 18 digits.

    Python itself raises ValueError for texts of more than 4,300 digits.
    """
    return int(text) if text.isdecimal() and len(text) <= 18 else None


def card_names(cards: Iterable[Card], names: CardNames, between: str = " ") -> str:
    """The names of the cards: ``2S TD``."""
    return between.join(names[card] for card in cards)
