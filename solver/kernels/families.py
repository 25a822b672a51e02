"""Families, the sets of subsets of a half-suit that a seat may have been dealt, and propagation."""

from __future__ import annotations

import numpy as np

from solver.compilation import compiled
from solver.kernels.arrays import Ints, Ints2

HALF_SUIT = 6
"""The number of cards of a half-suit."""
SUBSETS = 1 << HALF_SUIT


def _signed(bits: int) -> int:
    return bits - (1 << 64) if bits >> 63 else bits


# Arrays, not tuples: numba compiles a tuple with a variable index to a branch for each element.
HAS: Ints = np.array(
    [
        _signed(sum(1 << subset for subset in range(SUBSETS) if subset >> card & 1))
        for card in range(HALF_SUIT)
    ]
)
"""For each of the six cards: the family of the subsets that hold it."""

ONLY: Ints = np.array([_signed(1 << subset) for subset in range(SUBSETS)])
"""For each subset: the family of just that subset."""

SIZE: Ints = np.array([subset.bit_count() for subset in range(SUBSETS)])
SPREAD: Ints = np.array(
    [
        sum(1 << (3 * card) for card in range(HALF_SUIT) if subset >> card & 1)
        for subset in range(SUBSETS)
    ]
)
"""For each subset: a one in the three bits of each of its cards, as in a layout's code."""


@compiled(internal=True)
def fold(families: Ints2, hand_sizes: Ints, capacity: Ints) -> bool:
    """Propagate in place until no single card and no single hand size implies anything more.

    families: half-suits × seats. Fills ``capacity``: for each seat, the number of its cards that
    are not known. Returns False when propagation shows that there is no deal.
    """
    half_suits, seats = families.shape
    room = np.zeros(seats, np.int64)
    changed = True
    while changed:
        changed = False
        for s in range(seats):
            capacity[s] = hand_sizes[s]
            room[s] = 0
        for h in range(half_suits):
            for c in range(HALF_SUIT):
                has = HAS[c]
                may = 0
                owner = -1
                last = -1
                for s in range(seats):
                    family = families[h, s]
                    if family & has != 0:
                        may += 1
                        last = s
                        if family & ~has == 0:
                            owner = s
                    elif family == 0:
                        return False
                if may == 0:
                    return False
                if may == 1:
                    owner = last
                if owner < 0:
                    for s in range(seats):
                        if families[h, s] & has != 0:
                            room[s] += 1
                    continue
                capacity[owner] -= 1
                if may > 1 or families[h, owner] & ~has != 0:
                    changed = True
                    for s in range(seats):
                        families[h, s] &= has if s == owner else ~has
                        if families[h, s] == 0:
                            return False
        for s in range(seats):
            if capacity[s] < 0 or room[s] < capacity[s]:
                return False
            if room[s] > 0 and (capacity[s] == 0 or room[s] == capacity[s]):
                changed = True
                for h in range(half_suits):
                    for c in range(HALF_SUIT):
                        family = families[h, s]
                        if family & HAS[c] != 0 and family & ~HAS[c] != 0:
                            families[h, s] &= ~HAS[c] if capacity[s] == 0 else HAS[c]
                    if families[h, s] == 0:
                        return False
    return True


@compiled
def narrow(families: Ints2, news: Ints2) -> None:
    """Intersect families with those of new facts: rows of half-suit, seat, family."""
    for i in range(news.shape[0]):
        families[news[i, 0], news[i, 1]] &= news[i, 2]
