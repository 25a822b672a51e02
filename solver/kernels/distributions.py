"""The distribution of a whole half-suit, over its layouts."""

from __future__ import annotations

import numpy as np

from solver.compilation import compiled
from solver.kernels.arrays import BELOW_ONE, FALSE, Floats, Floats3, Ints, Ints2
from solver.kernels.families import HALF_SUIT, narrow
from solver.kernels.passes import States, forward
from solver.kernels.reduction import Reduced, build, close


@compiled
def layouts(
    families: Ints2,
    news: Ints2,
    hand_sizes: Ints,
    weights: Floats3,
    excluded: Ints2,
    half_suit: int,
) -> tuple[Ints2, Floats]:
    """Every possible layout of a half-suit (n × 6 seats) and its probability (n)."""
    narrow(families, news)
    r = build(families.copy(), hand_sizes, weights, excluded, FALSE[0], FALSE[0])
    cards = r.owner[half_suit * HALF_SUIT : (half_suit + 1) * HALF_SUIT]
    leaf = -1
    for i in range(len(r.order)):
        if r.leaf_cards[i, 0] // HALF_SUIT == half_suit:
            leaf = i
    if leaf >= 0:
        put_last(r, leaf)
    f = forward(r)
    if f.total == 0.0 or leaf < 0:
        count = 1 if f.total > 0.0 else 0
        out = np.empty((count, HALF_SUIT), np.int64)
        out[:] = cards
        return out, np.ones(count)
    outside = outside_the_last(r, f)
    seat_of_place = r.seat_of
    first = r.layouts_from[leaf]
    out = np.empty((r.layouts_from[leaf + 1] - first, HALF_SUIT), np.int64)
    chances = np.empty(len(out), np.float64)
    found = 0
    for i in range(first, r.layouts_from[leaf + 1]):
        weight = r.layout_weight[i] * outside[r.layout_entry[i]]
        if weight == 0.0:
            continue
        out[found] = cards
        code = r.layout_code[i]
        for j in range(HALF_SUIT):
            card = r.leaf_cards[leaf, j]
            if card < 0:
                break
            out[found, card % HALF_SUIT] = seat_of_place[code & 7]
            code >>= 3
        chances[found] = weight
        found += 1
    chances = chances[:found] / chances[:found].sum()
    if found > 1:
        chances = np.minimum(chances, BELOW_ONE)
    return out[:found], chances


@compiled(internal=True)
def put_last(r: Reduced, leaf: int) -> None:
    """Make a leaf the last in the order of the passes, where there is no pool."""
    i = 0
    while r.order[i] != leaf:
        i += 1
    while i < len(r.order) - 1:
        r.order[i] = r.order[i + 1]
        i += 1
    r.order[i] = leaf
    r.closing[:] = close(r.states, r.entries_from, r.entry_step, leaf)


@compiled(internal=True)
def outside_the_last(r: Reduced, f: States) -> Floats:
    """For each entry of the last leaf, the weight of everything outside it, as `backward` says.

    Without a pool, the last leaf fills every hand: the weight is that of the state before it.
    """
    outside = np.zeros(len(r.entry_weight), np.float64)
    last = len(r.order) - 1
    for p in range(f.levels_from[last], f.levels_from[last + 1]):
        e = r.closing[f.state_index[p]]
        if e >= 0:
            outside[e] = f.state_value[p]
    return outside
