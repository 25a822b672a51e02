"""The forward-backward algorithm over leaves: weights of states, and weights outside each leaf."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.compilation import compiled
from solver.kernels.arrays import Floats, Ints
from solver.kernels.places import FIELD, FULL
from solver.kernels.reduction import Reduced

SMALL_EXPONENT = -400
SMALL = 2.0**SMALL_EXPONENT
"""Levels whose largest value is less are scaled up, so that small weights do not multiply to 0.
A power of two changes no digit of the results."""

FACTORIAL: Floats = np.cumprod([1.0, *range(1, 64)])


class States(NamedTuple):
    """The result of the forward pass: the reachable states of every level, and their weights."""

    levels_from: Ints
    """For each level (0 to leaves): the index of its first state; one more element for the end."""
    state_index: Ints
    state_packed: Ints
    state_value: Floats
    """The weight of all ways to deal the leaves before the level that end in the state."""
    rest: Floats
    """For each state of the last level: the number of ways to deal the pool."""
    total: float
    """The weight of all deals, with merged seats as one hand, without `Reduced.log_scale` and
    ``exponent``."""
    exponent: int
    """The power of two that has been taken out of the values of the last level."""
    transitions: int
    """States times count vectors: the innermost steps of the pass, and of a backward pass."""


@compiled(internal=True)
def needs(r: Reduced) -> Ints:
    """For each level: the number to add to a packed state for the lower bound test.

    After the addition all guard bits are set exactly when the remaining leaves and the pool have
    enough cards to fill each hand.
    """
    leaves = len(r.order)
    places = len(r.capacity)
    supply = np.zeros(places, np.int64)
    supply[:] = len(r.pool)
    out = np.zeros(leaves + 1, np.int64)
    for level in range(leaves, -1, -1):
        for k in range(places):
            out[level] += (min(supply[k], r.capacity[k]) + 1) << (FIELD * k)
        if level:
            leaf = r.order[level - 1]
            for k in range(places):
                most = 0
                for e in range(r.entries_from[leaf], r.entries_from[leaf + 1]):
                    most = max(most, r.entry_packed[e] >> (FIELD * k) & FULL)
                supply[k] += most
    return out


@compiled(internal=True)
def pool_ways(r: Reduced, packed: int) -> float:
    """The number of ways to deal the pool to the free places of the hands."""
    ways = FACTORIAL[len(r.pool)]
    for k in range(len(r.capacity)):
        ways /= FACTORIAL[FULL - (packed >> (FIELD * k) & FULL)]
    return float(ways)


@compiled(internal=True)
def entries_for(r: Reduced, level: int, index: int) -> tuple[int, int]:
    """The range of entries that can follow the state with this index at this level."""
    if level == len(r.order) - 1 and len(r.closing):
        e = r.closing[index]
        return max(e, 0), e + 1
    leaf = r.order[level]
    return r.entries_from[leaf], r.entries_from[leaf + 1]


@compiled(internal=True)
def forward(r: Reduced) -> States:
    """The forward pass: the weight of every state after each leaf."""
    leaves = len(r.order)
    levels_from = np.zeros(leaves + 2, np.int64)
    state_index = np.empty((leaves + 1) * r.states, np.int64)
    state_packed = np.empty((leaves + 1) * r.states, np.int64)
    state_value = np.empty((leaves + 1) * r.states, np.float64)
    value = np.zeros(r.states, np.float64)
    need = needs(r)
    state_index[0] = 0
    state_packed[0] = r.start
    state_value[0] = 1.0 if r.possible else 0.0
    exponent = 0
    transitions = 0
    filled = 1
    levels_from[1] = 1
    for level in range(leaves):
        first = filled
        for p in range(levels_from[level], levels_from[level + 1]):
            index = state_index[p]
            packed = state_packed[p]
            before = state_value[p]
            begin, end = entries_for(r, level, index)
            transitions += end - begin
            for e in range(begin, end):
                after = packed + r.entry_packed[e]
                if after & r.guard:
                    continue
                to = index + r.entry_step[e]
                more = before * r.entry_weight[e]
                known = value[to]
                if known == 0.0:
                    if (after + need[level + 1]) & r.guard != r.guard or more == 0.0:
                        continue
                    state_index[filled] = to
                    state_packed[filled] = after
                    filled += 1
                value[to] = known + more
        largest = 0.0
        for p in range(first, filled):
            state_value[p] = value[state_index[p]]
            largest = max(largest, state_value[p])
            value[state_index[p]] = 0.0
        if 0.0 < largest < SMALL:
            exponent += SMALL_EXPONENT
            for p in range(first, filled):
                state_value[p] /= SMALL
        levels_from[level + 2] = filled
    rest = np.empty(filled - levels_from[leaves], np.float64)
    total = 0.0
    for i in range(len(rest)):
        p = levels_from[leaves] + i
        rest[i] = pool_ways(r, state_packed[p])
        total += state_value[p] * rest[i]
    return States(
        levels_from, state_index, state_packed, state_value, rest, total, exponent, transitions
    )


@compiled(internal=True)
def backward(r: Reduced, f: States) -> Floats:
    """The backward pass: for each entry, the weight of everything outside its leaf."""
    leaves = len(r.order)
    outside = np.zeros(len(r.entry_weight), np.float64)
    later = np.zeros(r.states, np.float64)
    earlier = np.zeros(r.states, np.float64)
    for i in range(len(f.rest)):
        later[f.state_index[f.levels_from[leaves] + i]] = f.rest[i]
    for level in range(leaves - 1, -1, -1):
        largest = 0.0
        for p in range(f.levels_from[level], f.levels_from[level + 1]):
            index = f.state_index[p]
            packed = f.state_packed[p]
            before = f.state_value[p]
            ways = 0.0
            begin, end = entries_for(r, level, index)
            for e in range(begin, end):
                if (packed + r.entry_packed[e]) & r.guard:
                    continue
                after = later[index + r.entry_step[e]]
                ways += r.entry_weight[e] * after
                outside[e] += before * after
            earlier[index] = ways
            largest = max(largest, ways)
        if 0.0 < largest < SMALL:
            for p in range(f.levels_from[level], f.levels_from[level + 1]):
                earlier[f.state_index[p]] /= SMALL
        for p in range(f.levels_from[level + 1], f.levels_from[level + 2]):
            later[f.state_index[p]] = 0.0
        later, earlier = earlier, later
    return outside
