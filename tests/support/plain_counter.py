"""Counting deals plainly from the events of a game, the independent reference for `Knowledge`.

Nothing is shared with the engines, nor with the facts they read. For each half-suit every layout
that could have been dealt is kept, together with where its cards would be now; an event removes
those under which it could not have happened. The layouts of several half-suits are then combined by
hand sizes, in Python integers of any size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from literature_ai.events import Asked, Claimed, Event
from literature_ai.rules import RuleSet

MOST_STEPS = 100_000
"""Combining two half-suits in more steps than this takes too long."""
MOST_LAYOUTS = 12_000
"""So many layouts of all half-suits together are counted at most."""


class TooLooseError(Exception):
    """So little is known that counting plainly would take too long."""


@dataclass(frozen=True)
class Group:
    """The layouts of one half-suit that are possible, and in how many ways each can be completed.

    Layouts that give each seat the same number of cards can be completed in equally many ways.
    """

    dealt: npt.NDArray[np.int8]
    """The seat that each card was dealt to: layouts × 6."""
    now: npt.NDArray[np.int8]
    """Where each card is now: layouts × 6."""
    entry: npt.NDArray[np.int64]
    """For each layout: which element of ``ways``."""
    ways: list[int]
    """In how many ways the other half-suits can be dealt."""
    weight: list[int]
    """The weight of each layout; 1 without weights."""

    def total(self, chosen: npt.NDArray[np.bool_] | None = None) -> int:
        """The weight of all deals that have one of the chosen layouts."""
        where = range(len(self.entry)) if chosen is None else chosen.nonzero()[0].tolist()
        return sum(self.weight[i] * self.ways[self.entry[i]] for i in where)

    def marginals(self, seats: int) -> list[list[int]]:
        """For each of the six cards: the weight of the deals in which it is now at each seat."""
        sums = [[0] * seats for _ in range(6)]
        each = [w * self.ways[e] for w, e in zip(self.weight, self.entry.tolist(), strict=True)]
        for layout, worth in zip(self.now.tolist(), each, strict=True):
            for card, seat in enumerate(layout):
                sums[card][seat] += worth
        return sums

    def best(self, allowed: Sequence[bool]) -> tuple[int, int]:
        """The weight of the best layout at allowed seats, and of all of them."""
        inside = np.array(allowed)[self.now].all(axis=1).nonzero()[0].tolist()
        each = [self.weight[i] * self.ways[self.entry[i]] for i in inside]
        return max(each, default=0), sum(each)


class PlainCounter:
    """What a seat (or everyone: None) can count, given the rules, its hand and the events."""

    def __init__(self, rules: RuleSet, seat: int | None, hand: Sequence[int]) -> None:
        self.rules = rules
        self.sizes = (rules.hand_size,) * rules.players
        self.in_play = set(range(rules.half_suits))
        self.dealt: list[npt.NDArray[np.int8]] = []
        for half_suit in range(rules.half_suits):
            choices = [
                [s for s in range(rules.players) if seat is None or (s == seat) == (card in hand)]
                for card in range(6 * half_suit, 6 * half_suit + 6)
            ]
            grid = np.meshgrid(*[np.array(c, np.int8) for c in choices], indexing="ij")
            self.dealt.append(np.stack([axis.ravel() for axis in grid], axis=1))
        self.now = [layouts.copy() for layouts in self.dealt]

    def observe(self, event: Event) -> None:
        """Keep the layouts under which the event could happen."""
        if isinstance(event, Asked):
            h, card = divmod(event.card, 6)
            now = self.now[h]
            fits = (now == event.asker).any(axis=1)
            fits &= (now[:, card] == event.target) == event.hit
            if not self.rules.bluff_asks:
                fits &= now[:, card] != event.asker
            self._keep(h, fits)
            if event.hit:
                self.now[h][:, card] = event.asker
        elif isinstance(event, Claimed):
            h = event.half_suit
            now = self.now[h]
            fits = (now == np.array(event.holders)).all(axis=1) == event.right
            if event.shown is not None:
                fits &= (now == np.array(event.shown)).all(axis=1)
            if event.lost is not None:
                for seat, lost in enumerate(event.lost):
                    fits &= (now == seat).sum(axis=1) == lost
            self._keep(h, fits)
            self.in_play.remove(h)

    def _keep(self, h: int, fits: npt.NDArray[np.bool_]) -> None:
        self.dealt[h], self.now[h] = self.dealt[h][fits], self.now[h][fits]

    def groups(self, exponents: npt.NDArray[np.int64] | None = None) -> list[Group]:
        """The layouts of each half-suit, with the ways to complete them.

        ``exponents`` (half-suits × seats × 64): a layout weighs 2 to the minus sum of its elements,
        relative to the heaviest of its half-suit; elements below 0 stand for a weight of 0. Raises
        `TooLooseError`.
        """
        if sum(map(len, self.dealt)) > MOST_LAYOUTS:
            raise TooLooseError
        packed = [(np.int64(1) << 5 * dealt.astype(np.int64)).sum(axis=1) for dealt in self.dealt]
        weights = [self._weights(h, exponents) for h in range(len(self.dealt))]
        vectors, entries = [], []
        for of_layouts in packed:
            each, entry = np.unique(of_layouts, return_inverse=True)
            vectors.append(each.tolist())
            entries.append(entry)
        sums: list[Counter[int]] = []
        for vector, entry, weight in zip(vectors, entries, weights, strict=True):
            sums.append(Counter())
            for e, w in zip(entry.tolist(), weight, strict=True):
                sums[-1][vector[e]] += w
        order = sorted(range(len(sums)), key=lambda h: len(sums[h]))
        before = list(accumulate((sums[h] for h in order), self._combined, initial={0: 1}))
        after = list(accumulate((sums[h] for h in reversed(order)), self._combined, initial={0: 1}))
        full = _pack(self.sizes)
        found: dict[int, Group] = {}
        for place, h in enumerate(order):
            first, rest = before[place], after[len(order) - 1 - place]
            if len(first) * len(vectors[h]) > MOST_STEPS:
                raise TooLooseError
            ways = [
                sum(count * rest.get(full - some - vector, 0) for some, count in first.items())
                for vector in vectors[h]
            ]
            found[h] = self._possible(h, entries[h], ways, weights[h])
        return [found[h] for h in range(len(order))]

    def _possible(
        self, h: int, entry: npt.NDArray[np.int64], ways: list[int], weight: list[int]
    ) -> Group:
        """Only the layouts of some deal that has a weight."""
        fits = np.array([ways[e] > 0 and w > 0 for e, w in zip(entry, weight, strict=True)], bool)
        kept = [w for w, fit in zip(weight, fits.tolist(), strict=True) if fit]
        return Group(self.dealt[h][fits], self.now[h][fits], entry[fits], ways, kept)

    def _weights(self, h: int, exponents: npt.NDArray[np.int64] | None) -> list[int]:
        if exponents is None:
            return [1] * len(self.dealt[h])
        sums = np.zeros(len(self.dealt[h]), np.int64)
        possible = np.ones(len(sums), bool)
        for seat in range(self.rules.players):
            subset = ((self.dealt[h] == seat) << np.arange(6)).sum(axis=1)
            of_subset = exponents[h, seat, subset]
            possible &= of_subset >= 0
            sums += of_subset
        most = int(sums.max(initial=0))
        return [
            1 << most - e if fits else 0
            for e, fits in zip(sums.tolist(), possible.tolist(), strict=True)
        ]

    def _combined(self, ways: dict[int, int], more: Counter[int]) -> dict[int, int]:
        """The ways to give each seat so many cards of one half-suit more, at most its hand."""
        if len(ways) * len(more) > MOST_STEPS:
            raise TooLooseError
        guards = _pack([16] * len(self.sizes))
        room = _pack(self.sizes) + guards
        sums: Counter[int] = Counter()
        for some, count in ways.items():
            for vector, factor in more.items():
                if (room - some - vector) & guards == guards:  # nobody has too many
                    sums[some + vector] += count * factor
        return sums


def share(part: int, whole: int) -> float:
    """The part as a float, correctly rounded, but 0 and 1 only where it is exactly that."""
    chance = float(Fraction(part, whole))
    return min(chance, float(np.nextafter(1.0, 0.0))) if part < whole else chance


def _pack(numbers: Sequence[int]) -> int:
    """Five bits a seat."""
    return sum(number << 5 * seat for seat, number in enumerate(numbers))
