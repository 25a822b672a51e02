"""Cards, half-suits, seats and teams as small ints, and their names.

Card ``c`` belongs to half-suit ``c // 6``; half-suits are numbered LS HS LH HH LD HD LC HC and, in
the deck of 54, EJ (the eights and the jokers). Seats are numbered A1 B1 A2 B2 … clockwise, and seat
``s`` plays for team ``s % 2``.

The numbers of the cards are the same in every deck; only their names differ. A deck is the tuple of
its card names in card order, `CardNames`: `DECKS` has them all, and a rule set says which one is
played with (`literature_ai.rules.RuleSet.card_names`).

>>> parse("10♦") == parse("td") == parse("♦10")
True
>>> name(parse("10♦")), half_suit_name(half_suit_of(parse("10♦"))), seat_name(3)
('TD', 'HD', 'B2')
>>> without_sevens = DECKS["without-7s"]
>>> name(0, without_sevens), parse("8♠", without_sevens) == parse("9♠")
('AS', True)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from literature_ai.errors import UnknownNameError, shown

Card: TypeAlias = int
HalfSuit: TypeAlias = int
Seat: TypeAlias = int
Team: TypeAlias = int
CardNames: TypeAlias = tuple[str, ...]
"""The names of the cards of a deck, rank then suit, in card order: 48 or 54 of them."""

TEAM_NAMES = ("A", "B")
MAX_SEATS = 8
HALF_SUIT_SIZE = 6

_SUITS = "SHDC"


def _named(low: str, high: str) -> CardNames:
    return tuple(rank + suit for suit in _SUITS for ranks in (low, high) for rank in ranks)


_WITHOUT_EIGHTS = _named("234567", "9TJQKA")
DECKS: dict[str, CardNames] = {
    "": _WITHOUT_EIGHTS,
    "deck-54": (*_WITHOUT_EIGHTS, "8S", "8H", "8D", "8C", "RJ", "BJ"),
    "without-7s": _named("A23456", "89TJQK"),
    "without-2s": _named("345678", "9TJQKA"),
}
"""The card names of each deck, by the word that chooses it in the rules; none for the usual one."""
CARD_NAMES = DECKS["deck-54"]
"""The names of the usual deck of 48, and after them those that the deck of 54 adds."""
HALF_SUIT_NAMES: tuple[str, ...] = (*(half + suit for suit in _SUITS for half in "LH"), "EJ")
SEAT_NAMES: tuple[str, ...] = tuple(
    f"{TEAM_NAMES[seat % 2]}{seat // 2 + 1}" for seat in range(MAX_SEATS)
)

_EVERY_NAME = frozenset(card_name for names in DECKS.values() for card_name in names)
_HALF_SUITS = {half_suit_name: h for h, half_suit_name in enumerate(HALF_SUIT_NAMES)}
_SEATS = {seat_name: seat for seat, seat_name in enumerate(SEAT_NAMES)}
_SUIT_SIGNS = str.maketrans("♠♥♦♣♤♡♢♧", "SHDCSHDC", "\ufe0e\ufe0f")
"""Signs of the suits; phones and chats put a variation selector after them, which means nothing."""


def name(card: Card, names: CardNames = CARD_NAMES) -> str:
    """The two-letter name of a card in a deck: rank, then suit.

    Raises `UnknownNameError` for no card of the deck.
    """
    return _name(names, card, "card")


def parse(text: str, names: CardNames = CARD_NAMES) -> Card:
    """The card of a deck that the text names: ``3D``, ``10D``, ``3♦`` or ``♦3``, in either case.

    Raises `UnknownNameError` when it names none, or a card of another deck.
    """
    word = _spelled(text)
    card = cards_by_name(names).get(word)
    if card is None:
        if is_card(text):
            raise UnknownNameError(not_in_deck(word, names))
        jokers = " or RJ, BJ" if "RJ" in names else ""
        raise UnknownNameError(
            f"{text!r} is no card: write rank then suit, as in {names[5]}, 10D, Q♥{jokers}"
        )
    return card


def is_card(text: str) -> bool:
    """Whether the text names a card of any deck."""
    return _spelled(text) in _EVERY_NAME


@cache
def cards_by_name(names: CardNames) -> dict[str, Card]:
    """The cards of a deck by their names."""
    return {card_name: card for card, card_name in enumerate(names)}


def not_in_deck(word: str, names: CardNames) -> str:
    """That the card, or half-suit, of this name is not in the deck, and which decks have it."""
    own = next((rule for rule, deck in DECKS.items() if deck == names), "")
    *others, last = (rule or "the usual deck" for rule in _decks_with(word))
    where = f"{', '.join(others)} and {last}" if others else f"{last} alone"
    return f"{word} is not in this deck ({own or 'the usual 48 cards'}): it is in {where}"


def _spelled(text: str) -> str:
    """The name of a card as decks have it."""
    word = text.strip().upper().translate(_SUIT_SIGNS).replace("10", "T")
    return word[::-1] if len(word) == 2 and text.strip()[0] in "♠♥♦♣♤♡♢♧" else word


def _decks_with(word: str) -> list[str]:
    """The decks that have a card, or half-suit, of this name."""
    return [
        rule
        for rule, names in DECKS.items()
        if word in names or word in HALF_SUIT_NAMES[: len(names) // HALF_SUIT_SIZE]
    ]


def half_suit_of(card: Card) -> HalfSuit:
    """The half-suit of a card."""
    return card // HALF_SUIT_SIZE


def cards_of(half_suit: HalfSuit) -> range:
    """The six cards of a half-suit, in card order."""
    return range(half_suit * HALF_SUIT_SIZE, (half_suit + 1) * HALF_SUIT_SIZE)


def half_suit_name(half_suit: HalfSuit) -> str:
    """The name of a half-suit: ``LS``, … ``EJ``. Raises `UnknownNameError` for no half-suit."""
    return _name(HALF_SUIT_NAMES, half_suit, "half-suit")


def parse_half_suit(text: str) -> HalfSuit:
    """The half-suit that the text names: ``LS`` for low spades, … ``EJ`` for eights and jokers.

    Raises `UnknownNameError` when it names none.
    """
    half_suit = _HALF_SUITS.get(text.strip().upper().translate(_SUIT_SIGNS))
    if half_suit is None:
        raise UnknownNameError(
            f"{text!r} is no half-suit: write one of {' '.join(HALF_SUIT_NAMES)}"
        )
    return half_suit


def seat_name(seat: Seat) -> str:
    """The name of a seat: ``A1``, ``B1``, … Raises `UnknownNameError` for no seat."""
    return _name(SEAT_NAMES, seat, "seat")


def parse_seat(text: str, players: int = MAX_SEATS) -> Seat:
    """The seat that the text names in a game of so many players.

    Raises `UnknownNameError` when there is no such seat.
    """
    seat = _SEATS.get(text.strip().upper())
    if seat is None or seat >= players:
        raise UnknownNameError(
            f"{text!r} is no seat here: write one of {' '.join(SEAT_NAMES[:players])}"
        )
    return seat


def team_of(seat: Seat) -> Team:
    """The team of a seat: 0 for A, 1 for B."""
    return seat % 2


def _name(names: Sequence[str], number: int, kind: str) -> str:
    if number not in range(len(names)):
        raise UnknownNameError(
            f"there is no {kind} {shown(number)}; {kind}s are 0 to {len(names) - 1}"
        )
    return names[number]
