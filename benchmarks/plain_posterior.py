"""The yardstick for the posterior: the forward-backward method in numba, without optimizations.

For every half-suit all ordered partitions of its six cards among the seats that the families allow
are enumerated, seat by seat. They form a polynomial whose exponents are the numbers of cards of
each seat. Forward and backward products give the weight outside every half-suit, and with the
partitions the probability of every card at every seat.

There is no propagation, no merging of seats or half-suits, no pruning of states and no reordering
of half-suits, and nothing is kept between calls. The loops themselves are efficient: states are
packed into one integer, only those that occur are visited, and arrays are reused within a call.
"""

import numpy as np
from numba import njit

BITS = 5
"""Bits of a seat in a packed state: four for its number of cards, and one guard bit."""


@njit(cache=True)
def enumerate_partitions(families, h, radix, masks, steps, packs):
    """Write the subsets, index step and packed counts of each partition; return their number."""
    seats = families.shape[1]
    left = np.zeros(seats + 1, np.int64)
    take = np.zeros(seats, np.int64)
    left[0] = 63
    take[0] = 64
    count = 0
    s = 0
    while s >= 0:
        if take[s] == 0:
            s -= 1
            continue
        take[s] = left[s] if take[s] == 64 else (take[s] - 1) & left[s]
        if s == seats - 1:
            take[s] = left[s]
        if families[h, s] >> take[s] & 1:
            if s < seats - 1:
                left[s + 1] = left[s] & ~take[s]
                s += 1
                take[s] = 64
                continue
            step = 0
            pack = 0
            for k in range(seats):
                masks[count, k] = take[k]
                size = 0
                for c in range(6):
                    size += take[k] >> c & 1
                step += size * radix[k]
                pack += size << (BITS * k)
            steps[count] = step
            packs[count] = pack
            count += 1
        if s == seats - 1:
            s -= 1
    return count


@njit(cache=True)
def plain_posterior(families, hand_sizes):
    """The probability of every card at every seat: cards × seats.

    families: half-suits × seats, each a set of subsets of six cards in 64 bits.
    """
    half_suits, seats = families.shape
    radix = np.zeros(seats, np.int64)
    states = 1
    start = 0
    guard = 0
    for s in range(seats):
        if s < seats - 1:
            radix[s] = states
            states *= hand_sizes[s] + 1
        start |= (15 - hand_sizes[s]) << (BITS * s)
        guard |= 16 << (BITS * s)
    masks = np.empty((seats**6, seats), np.int64)
    steps = np.empty(seats**6, np.int64)
    packs = np.empty(seats**6, np.int64)
    where = np.full(states, -1, np.int64)

    kept_masks = []
    kept_slots = []
    vector_steps = []
    vector_packs = []
    vector_ways = []
    for h in range(half_suits):
        n = enumerate_partitions(families, h, radix, masks, steps, packs)
        slots = np.empty(n, np.int64)
        first = np.empty(n, np.int64)
        ways = np.zeros(n)
        found = 0
        for i in range(n):
            if where[steps[i]] < 0:
                where[steps[i]] = found
                first[found] = i
                found += 1
            slots[i] = where[steps[i]]
            ways[slots[i]] += 1.0
        for i in range(found):
            where[steps[first[i]]] = -1
        kept_masks.append(masks[:n].copy())
        kept_slots.append(slots)
        vector_steps.append(steps[first[:found]])
        vector_packs.append(packs[first[:found]])
        vector_ways.append(ways[:found].copy())

    indices = [np.zeros(1, np.int64)]
    packed = [np.full(1, start, np.int64)]
    forward = [np.ones(1)]
    new_indices = np.empty(states, np.int64)
    new_packed = np.empty(states, np.int64)
    new_values = np.empty(states)
    for h in range(half_suits):
        found = 0
        for p in range(len(indices[h])):
            for i in range(len(vector_ways[h])):
                after = packed[h][p] + vector_packs[h][i]
                if after & guard:
                    continue
                to = indices[h][p] + vector_steps[h][i]
                if where[to] < 0:
                    where[to] = found
                    new_indices[found] = to
                    new_packed[found] = after
                    new_values[found] = 0.0
                    found += 1
                new_values[where[to]] += forward[h][p] * vector_ways[h][i]
        for p in range(found):
            where[new_indices[p]] = -1
        indices.append(new_indices[:found].copy())
        packed.append(new_packed[:found].copy())
        forward.append(new_values[:found].copy())

    out = np.zeros((half_suits * 6, seats))
    later = np.zeros(states)
    earlier = np.zeros(states)
    for p in range(len(indices[half_suits])):
        later[indices[half_suits][p]] = 1.0
    total = forward[half_suits][0]
    for h in range(half_suits - 1, -1, -1):
        outside = np.zeros(len(vector_ways[h]))
        for p in range(len(indices[h])):
            ways = 0.0
            for i in range(len(vector_ways[h])):
                if (packed[h][p] + vector_packs[h][i]) & guard:
                    continue
                after = later[indices[h][p] + vector_steps[h][i]]
                ways += vector_ways[h][i] * after
                outside[i] += forward[h][p] * after
            earlier[indices[h][p]] = ways
        for p in range(len(indices[h + 1])):
            later[indices[h + 1][p]] = 0.0
        later, earlier = earlier, later
        for i in range(len(kept_slots[h])):
            weight = outside[kept_slots[h][i]]
            for s in range(seats):
                mask = kept_masks[h][i, s]
                for c in range(6):
                    if mask >> c & 1:
                        out[h * 6 + c, s] += weight
    return out / total
