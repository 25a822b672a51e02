"""Cards as bit masks: bit ``c`` of a mask stands for card ``c``.

>>> bin(mask_of([0, 3])), cards_in(0b1001)
('0b1001', (0, 3))
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from literature_ai.cards import CARD_NAMES, Card, HalfSuit

Hand: TypeAlias = int
"""Cards as a bit mask: bit ``c`` stands for card ``c``."""

CHUNK = 9
LOWEST_CHUNK = (1 << CHUNK) - 1
CARDS_IN_CHUNK = tuple(
    tuple(bit for bit in range(CHUNK) if chunk >> bit & 1) for chunk in range(1 << CHUNK)
)
"""For each mask of nine bits: the bits that are set, in order."""
_CARDS_IN_CHUNKS = tuple(
    tuple(tuple(first + bit for bit in bits) for bits in CARDS_IN_CHUNK)
    for first in range(0, len(CARD_NAMES), CHUNK)
)
"""For each chunk of nine cards, and each mask of them: the cards."""


def mask_of(cards: Iterable[Card]) -> Hand:
    """The cards as a bit mask."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: Hand) -> tuple[Card, ...]:
    """The cards of a bit mask, in order."""
    cards: tuple[Card, ...] = ()
    for chunks in _CARDS_IN_CHUNKS:
        cards += chunks[mask & LOWEST_CHUNK]
        mask >>= CHUNK
    return cards


def half_suits_in(mask: int) -> tuple[HalfSuit, ...]:
    """The half-suits of a bit mask of nine bits, in order."""
    return CARDS_IN_CHUNK[mask]
