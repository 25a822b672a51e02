"""Cards, half-suits, seats and teams as small ints, and their names.

Card ``c`` belongs to half-suit ``c // 6``; half-suits are numbered LS HS LH HH LD HD LC HC and, in
the deck of 54, EJ (the eights and the jokers). Seats are numbered A1 B1 A2 B2 … clockwise, and seat
``s`` plays for team ``s % 2``.

>>> parse("10♦") == parse("td") == parse("♦10")
True
>>> name(parse("10♦")), half_suit_name(half_suit_of(parse("10♦"))), seat_name(3)
('TD', 'HD', 'B2')
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from literature_ai.errors import UnknownNameError

Card: TypeAlias = int
HalfSuit: TypeAlias = int
Seat: TypeAlias = int
Team: TypeAlias = int

TEAM_NAMES = ("A", "B")
MAX_SEATS = 8
HALF_SUIT_SIZE = 6

_SUITS = "SHDC"
_LOW, _HIGH = "234567", "9TJQKA"
CARD_NAMES: tuple[str, ...] = (
    *(rank + suit for suit in _SUITS for ranks in (_LOW, _HIGH) for rank in ranks),
    *("8S", "8H", "8D", "8C", "RJ", "BJ"),
)
HALF_SUIT_NAMES: tuple[str, ...] = (*(half + suit for suit in _SUITS for half in "LH"), "EJ")
SEAT_NAMES: tuple[str, ...] = tuple(
    f"{TEAM_NAMES[seat % 2]}{seat // 2 + 1}" for seat in range(MAX_SEATS)
)

_CARDS = {card_name: card for card, card_name in enumerate(CARD_NAMES)}
_HALF_SUITS = {half_suit_name: h for h, half_suit_name in enumerate(HALF_SUIT_NAMES)}
_SEATS = {seat_name: seat for seat, seat_name in enumerate(SEAT_NAMES)}
_SUIT_SIGNS = str.maketrans("♠♥♦♣♤♡♢♧", "SHDCSHDC", "\ufe0e\ufe0f")
"""Signs of the suits; phones and chats put a variation selector after them, which means nothing."""


def name(card: Card) -> str:
    """The two-letter name of a card: rank, then suit. Raises `UnknownNameError` for no card."""
    return _name(CARD_NAMES, card, "card")


def parse(text: str) -> Card:
    """The card that the text names: ``3D``, ``10D``, ``3♦`` or ``♦3``, in either case.

    Raises `UnknownNameError` when it names none.
    """
    word = text.strip().upper().translate(_SUIT_SIGNS).replace("10", "T")
    card = _CARDS.get(word)
    if card is None and len(word) == 2:
        card = _CARDS.get(word[::-1]) if text.strip()[0] in "♠♥♦♣♤♡♢♧" else None
    if card is None:
        raise UnknownNameError(
            f"{text!r} is no card: write rank then suit, as in 7S, 10D, Q♥, or RJ, BJ"
        )
    return card


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
        raise UnknownNameError(f"there is no {kind} {number!r}; {kind}s are 0 to {len(names) - 1}")
    return names[number]
