"""The legal asks of a seat as a lazy sequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import index
from typing import overload

from literature_ai.cards import CARD_NAMES, MAX_SEATS, Card, Seat
from literature_ai.events import Ask
from literature_ai.game.masks import CARDS_IN_CHUNK, CHUNK, LOWEST_CHUNK, Hand, cards_in, mask_of

_ASKS = tuple(
    tuple(Ask(target, card) for target in range(MAX_SEATS)) for card in range(len(CARD_NAMES))
)
"""Every ask, by card and target."""


class LegalAsks(Sequence[Ask]):
    """The asks a seat may make, in the order of cards and then of seats.

    They are the pairs of every askable card with every opponent who has cards.
    """

    __slots__ = ("_cards", "_length", "_targets")

    def __init__(self, cards: Hand, targets: tuple[Seat, ...]) -> None:
        self._cards = cards
        self._targets = targets
        self._length = cards.bit_count() * len(targets)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, i: int) -> Ask: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[Ask, ...]: ...
    def __getitem__(self, i: int | slice) -> Ask | tuple[Ask, ...]:
        if isinstance(i, slice):
            return tuple(self)[i]
        i = index(i)
        if i < 0:
            i += self._length
        if not 0 <= i < self._length:
            raise IndexError("no such ask")
        targets = self._targets
        n, which = divmod(i, len(targets))
        # The n-th of the askable cards.
        mask, first = self._cards, 0
        while n >= (count := (mask & LOWEST_CHUNK).bit_count()):
            n -= count
            mask >>= CHUNK
            first += CHUNK
        return _ASKS[first + CARDS_IN_CHUNK[mask & LOWEST_CHUNK][n]][targets[which]]

    def __iter__(self) -> Iterator[Ask]:
        for card in cards_in(self._cards):
            asks = _ASKS[card]
            for target in self._targets:
                yield asks[target]

    def __contains__(self, ask: object) -> bool:
        return (
            isinstance(ask, Ask)
            and ask.target in self._targets
            and 0 <= ask.card < len(CARD_NAMES)
            and bool(self._cards >> ask.card & 1)
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LegalAsks):
            return NotImplemented
        return tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{len(self)} legal asks>"

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that may be asked for; empty when nobody can be asked."""
        return cards_in(self._cards) if self._targets else ()

    @property
    def targets(self) -> tuple[Seat, ...]:
        """The opponents who may be asked; empty when there is nothing to ask for."""
        return self._targets if self._cards else ()

    @property
    def card_bits(self) -> int:
        """The cards that may be asked for as a bit mask: bit ``c`` for card ``c``."""
        return self._cards if self._targets else 0

    @property
    def target_bits(self) -> int:
        """The opponents who may be asked as a bit mask: bit ``s`` for seat ``s``."""
        return mask_of(self.targets)


NO_ASKS = LegalAsks(0, ())
