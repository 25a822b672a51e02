"""The number of deals, exact as residues modulo several primes, and their total weight."""

from __future__ import annotations

import math

import numpy as np

from solver.compilation import compiled
from solver.kernels.arrays import TRUE, Floats3, Ints, Ints2, minus_ones
from solver.kernels.families import narrow
from solver.kernels.passes import FACTORIAL, entries_for, forward, needs
from solver.kernels.places import FIELD, FULL
from solver.kernels.reduction import LOG_2, build

PRIMES = (2147483647, 2147483629, 2147483587, 2147483579, 2147483563)
"""Moduli: their product is above 2^154, and 54 cards can be dealt in at most 2^145 ways."""
LANES = len(PRIMES)

FACTORIALS: Ints2 = np.array(
    [[math.factorial(n) % prime for n in range(64)] for prime in PRIMES], np.int64
)
INVERSE_FACTORIALS: Ints2 = np.array(
    [[pow(math.factorial(n), -1, prime) for n in range(64)] for prime in PRIMES], np.int64
)
"""For each prime: the factorials of 0 to 63 and their inverses."""


@compiled
def total_weight(
    families: Ints2, news: Ints2, hand_sizes: Ints, weights: Floats3, excluded: Ints2
) -> float:
    """The total weight of all consistent deals; without weights, their number as a float."""
    narrow(families, news)
    r = build(families.copy(), hand_sizes, weights, excluded, TRUE[0], TRUE[0])
    if not r.possible:
        return 0.0
    f = forward(r)
    total = f.total
    log_scale = r.log_scale + f.exponent * LOG_2
    if total > 0.0 and log_scale != 0.0:
        total = math.exp(math.log(total) + log_scale)
    for k in range(len(r.capacity)):
        total *= FACTORIAL[r.capacity[k]]
    for s in range(len(hand_sizes)):
        total /= FACTORIAL[r.seat_capacity[s]]
    return total


@compiled
def deals_residues(families: Ints2, news: Ints2, hand_sizes: Ints, excluded: Ints2) -> Ints:
    """The number of consistent deals modulo each of `PRIMES`.

    `solver.counting` combines the residues by the Chinese remainder theorem.
    """
    narrow(families, news)
    r = build(families, hand_sizes, np.empty((0, 0, 0), np.float64), excluded, TRUE[0], TRUE[0])
    out = np.zeros(LANES, np.int64)
    if not r.possible:
        return out
    leaves = len(r.order)
    places = len(r.capacity)
    need = needs(r)
    value = np.zeros((r.states, LANES), np.int64)
    position = minus_ones(r.states)
    indices = np.zeros(r.states, np.int64)
    packeds = np.zeros(r.states, np.int64)
    values = np.zeros((r.states, LANES), np.int64)
    new_indices = np.zeros(r.states, np.int64)
    new_packeds = np.zeros(r.states, np.int64)
    packeds[0] = r.start
    values[0] = 1
    count = 1
    for level in range(leaves):
        filled = 0
        for p in range(count):
            index = indices[p]
            packed = packeds[p]
            begin, end = entries_for(r, level, index)
            for e in range(begin, end):
                after = packed + r.entry_packed[e]
                if after & r.guard:
                    continue
                to = index + r.entry_step[e]
                if position[to] < 0:
                    if (after + need[level + 1]) & r.guard != r.guard:
                        continue
                    position[to] = filled
                    new_indices[filled] = to
                    new_packeds[filled] = after
                    filled += 1
                ways = np.int64(r.entry_weight[e])
                for lane in range(LANES):
                    value[to, lane] += values[p, lane] * ways
        for p in range(filled):
            to = new_indices[p]
            position[to] = -1
            for lane in range(LANES):
                values[p, lane] = value[to, lane] % PRIMES[lane]
                value[to, lane] = 0
        indices, new_indices = new_indices, indices
        packeds, new_packeds = new_packeds, packeds
        count = filled
    for lane in range(LANES):
        prime = PRIMES[lane]
        factorial = FACTORIALS[lane]
        inverse = INVERSE_FACTORIALS[lane]
        total = 0
        for p in range(count):
            ways = values[p, lane]
            for k in range(places):
                ways = ways * inverse[FULL - (packeds[p] >> (FIELD * k) & FULL)] % prime
            total = (total + ways) % prime
        total = total * factorial[len(r.pool)] % prime
        for k in range(places):
            total = total * factorial[r.capacity[k]] % prime
        for s in range(len(hand_sizes)):
            total = total * inverse[r.seat_capacity[s]] % prime
        out[lane] = total
    return out
