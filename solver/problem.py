"""The constraint problem that both engines read: an append-only list of facts about the deal.

All facts are about the original deal: ``Holds(2, 7)`` means that seat 2 *was dealt* card 7. Facts
about the deal stay true for the whole game, so an event adds facts and never removes any.

Cards, half-suits and seats are small ints; card ``c`` belongs to half-suit ``c // 6``. Two rules
hold besides the facts: every card was dealt to exactly one seat, and seat ``s`` was dealt
``hand_sizes[s]`` cards.

>>> problem = Problem(half_suits=8, hand_sizes=(8,) * 6)
>>> problem.add(1, HoldsOneOf(0, (0, 1, 2, 3, 4)))  # event 1: seat 0 asks for card 5,
>>> problem.add(1, Lacks(0, 5))                     # which it may not hold itself,
>>> problem.add(1, Lacks(1, 5))                     # and seat 1 does not have it
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from struct import pack
from typing import TypeAlias

from solver.errors import LiteratureError

CARDS_PER_HALF_SUIT = 6
OWN_HAND = 0
"""The event number of facts about the seat's own hand."""
ASSUMED = -1
"""The event number of hypothetical facts."""

_SUBSETS = range(1 << CARDS_PER_HALF_SUIT)


def _family(wanted: list[bool]) -> int:
    bits = sum(1 << subset for subset in _SUBSETS if wanted[subset])
    return bits - (1 << 64) if bits >> 63 else bits


_WITH = [_family([bool(s >> c & 1) for s in _SUBSETS]) for c in range(CARDS_PER_HALF_SUIT)]
"""For each card of a half-suit: the family of the subsets that contain it."""
_TOUCHING = [_family([bool(s & cards) for s in _SUBSETS]) for cards in _SUBSETS]
"""For each set of cards: the family of the subsets that share a card with it."""


def _subset(cards: tuple[int, ...]) -> int:
    return sum([1 << card % CARDS_PER_HALF_SUIT for card in cards])


def _half_suit(cards: tuple[int, ...]) -> int:
    return cards[0] // CARDS_PER_HALF_SUIT if cards else 0


@dataclass(frozen=True, slots=True)
class _AboutOneSeat:
    """A fact that limits which subset of one half-suit one seat was dealt."""

    family: bytes = field(init=False, repr=False, compare=False)
    """The fact as three packed 64-bit integers: half-suit, seat, and the set of allowed subsets
    (bit ``i`` stands for the subset whose cards are the bits of ``i``). Packed once, because each
    fact is read many times."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "family", pack("qqq", *self._family()))

    def _family(self) -> tuple[int, int, int]:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Holds(_AboutOneSeat):
    """The seat was dealt the card."""

    seat: int
    card: int

    def _family(self) -> tuple[int, int, int]:
        half_suit, card = divmod(self.card, CARDS_PER_HALF_SUIT)
        return half_suit, self.seat, _WITH[card]


@dataclass(frozen=True, slots=True)
class Lacks(_AboutOneSeat):
    """The seat was not dealt the card."""

    seat: int
    card: int

    def _family(self) -> tuple[int, int, int]:
        half_suit, card = divmod(self.card, CARDS_PER_HALF_SUIT)
        return half_suit, self.seat, ~_WITH[card]


@dataclass(frozen=True, slots=True)
class HoldsOneOf(_AboutOneSeat):
    """The seat was dealt at least one of the cards, all of one half-suit."""

    seat: int
    cards: tuple[int, ...]

    def _family(self) -> tuple[int, int, int]:
        return _half_suit(self.cards), self.seat, _TOUCHING[_subset(self.cards)]


@dataclass(frozen=True, slots=True)
class HoldsExactly(_AboutOneSeat):
    """The seat was dealt exactly ``count`` of the cards, all of one half-suit."""

    seat: int
    cards: tuple[int, ...]
    count: int

    def _family(self) -> tuple[int, int, int]:
        cards = _subset(self.cards)
        wanted = [(other & cards).bit_count() == self.count for other in _SUBSETS]
        return _half_suit(self.cards), self.seat, _family(wanted)


@dataclass(frozen=True, slots=True)
class NotLayout:
    """The six cards of the half-suit were not dealt exactly to ``holders`` (in card order)."""

    half_suit: int
    holders: tuple[int, ...]


Fact: TypeAlias = Holds | Lacks | HoldsOneOf | HoldsExactly | NotLayout


class Problem:
    """Half-suits, hand sizes, and the append-only list of facts as pairs (event number, fact).

    An engine remembers how many facts it has read and reads only the new ones.
    """

    __slots__ = ("facts", "half_suits", "hand_sizes")

    def __init__(self, half_suits: int, hand_sizes: Sequence[int]) -> None:
        """Raise `LiteratureError` when the hands do not add up to the cards."""
        if sum(hand_sizes) != half_suits * CARDS_PER_HALF_SUIT:
            raise LiteratureError(
                f"hands of {list(hand_sizes)} cards do not add up to {half_suits} half-suits of six"
            )
        self.half_suits = half_suits
        self.hand_sizes = tuple(hand_sizes)
        self.facts: list[tuple[int, Fact]] = []

    @property
    def cards(self) -> int:
        return self.half_suits * CARDS_PER_HALF_SUIT

    @property
    def seats(self) -> int:
        return len(self.hand_sizes)

    def add(self, event: int, fact: Fact) -> None:
        """Append a fact that follows from the event with this number."""
        self.facts.append((event, fact))

    def restricted(self, events: Collection[int]) -> Problem:
        """A copy that has only the facts of these events."""
        part = Problem(self.half_suits, self.hand_sizes)
        part.facts = [(event, fact) for event, fact in self.facts if event in events]
        return part

    def copy(self) -> Problem:
        """An independent copy with the same facts."""
        twin = Problem(self.half_suits, self.hand_sizes)
        twin.facts = self.facts.copy()
        return twin
