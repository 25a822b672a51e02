"""All deals in lexicographic order: a depth-first search that never leaves a dead end unproven.

Half-suit by half-suit, in order, the search takes each layout from whose state the rest of the deal
can be completed. That question needs no count: a second depth-first search, over count vectors,
answers it, and what it learns about a state (alive or dead) is kept. So no state is examined twice,
and few are examined at all, since most are alive and the first way found settles that.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.compilation import compiled
from solver.kernels.arrays import FALSE, Bytes2, Ints, Ints2, minus_ones
from solver.kernels.families import HALF_SUIT, narrow
from solver.kernels.passes import entries_for, needs
from solver.kernels.reduction import Reduced, build, close

DEAD = 1
ALIVE = 2


class Fates(NamedTuple):
    """What is known about states: whether the leaves from a level on can be dealt from there."""

    known: Bytes2
    """`ALIVE`, `DEAD`, or 0 when not examined: levels × indices of states."""
    need: Ints
    """See `passes.needs`."""
    path: Ints2
    """A work array: for each level the index of a state, the same state packed, the next entry to
    try, and the end of the entries."""


@compiled
def next_deals(
    families: Ints2, news: Ints2, hand_sizes: Ints, excluded: Ints2, after: Ints, count: int
) -> Ints2:
    """The next deals in lexicographic order, as the seat of every card: at most ``count`` × cards.

    after: the deal before them, which must be possible, or an empty array for the first deals.
    """
    narrow(families, news)
    no_weights = np.empty((0, 0, 0), np.float64)
    r = build(families.copy(), hand_sizes, no_weights, excluded, FALSE[0], FALSE[0])
    deals = np.empty((count if r.possible else 0, len(r.owner)), np.int64)
    leaves = len(r.order)
    put_half_suits_in_order(r)
    ordered = layouts_in_order(r)
    fates = no_fates(r)
    chosen = np.zeros(leaves, np.int64)
    index = np.zeros(leaves + 1, np.int64)
    packed = np.zeros(leaves + 1, np.int64)
    upcoming = r.layouts_from.copy()
    packed[0] = r.start
    level = 0
    if len(after):
        for leaf in range(leaves):
            upcoming[leaf] = position_of(r, ordered, leaf, after) + 1
            e = r.layout_entry[ordered[upcoming[leaf] - 1]]
            chosen[leaf] = ordered[upcoming[leaf] - 1]
            index[leaf + 1] = index[leaf] + r.entry_step[e]
            packed[leaf + 1] = packed[leaf] + r.entry_packed[e]
        level = leaves - 1
    found = 0
    while level >= 0 and found < len(deals):
        if level == leaves:
            write_deal(r, chosen, deals[found])
            found += 1
            level -= 1
            continue
        if upcoming[level] == r.layouts_from[level + 1]:
            level -= 1
            continue
        chosen[level] = ordered[upcoming[level]]
        upcoming[level] += 1
        e = r.layout_entry[chosen[level]]
        to = index[level] + r.entry_step[e]
        full = packed[level] + r.entry_packed[e]
        if full & r.guard or not is_alive(r, fates, level + 1, to, full):
            continue
        level += 1
        index[level] = to
        packed[level] = full
        if level < leaves:
            upcoming[level] = r.layouts_from[level]
    return deals[:found]


@compiled(internal=True)
def put_half_suits_in_order(r: Reduced) -> None:
    """Make the order of the passes that of the half-suits."""
    last = len(r.order) - 1
    for leaf in range(last + 1):
        r.order[leaf] = leaf
    if last >= 0:
        r.closing[:] = close(r.states, r.entries_from, r.entry_step, last)


@compiled(internal=True)
def no_fates(r: Reduced) -> Fates:
    """Nothing is known of any state, but that the deal is complete when all hands are full."""
    levels = len(r.order) + 1
    known = np.zeros((levels, r.states), np.int8)
    known[levels - 1, r.states - 1] = ALIVE
    return Fates(known, needs(r), np.empty((4, levels), np.int64))


@compiled(internal=True)
def layouts_in_order(r: Reduced) -> Ints:
    """The layouts of each leaf, sorted by the seats of its cards (a bucket for each layout)."""
    ordered = np.empty(len(r.layout_code), np.int64)
    bucket = minus_ones(1 << 3 * HALF_SUIT)
    filled = 0
    for leaf in range(len(r.order)):
        size = open_cards_of(r, leaf)
        for i in range(r.layouts_from[leaf], r.layouts_from[leaf + 1]):
            bucket[rank(r.layout_code[i], size)] = i
        for b in range(1 << 3 * size):
            if bucket[b] >= 0:
                ordered[filled] = bucket[b]
                bucket[b] = -1
                filled += 1
    return ordered


@compiled(internal=True)
def open_cards_of(r: Reduced, leaf: int) -> int:
    """The number of open cards of a leaf."""
    size = 0
    while size < HALF_SUIT and r.leaf_cards[leaf, size] >= 0:
        size += 1
    return size


@compiled(internal=True)
def rank(code: int, size: int) -> int:
    """A number that orders layouts of ``size`` open cards by the first card, then the second…"""
    out = 0
    for _ in range(size):
        out = out << 3 | code & 7
        code >>= 3
    return out


@compiled(internal=True)
def position_of(r: Reduced, ordered: Ints, leaf: int, deal: Ints) -> int:
    """Where the layout that a deal gives to a leaf stands among those in order."""
    size = open_cards_of(r, leaf)
    wanted = 0
    for j in range(size):
        wanted = wanted << 3 | r.place_of[deal[r.leaf_cards[leaf, j]]]
    first = r.layouts_from[leaf]
    last = r.layouts_from[leaf + 1] - 1
    while first < last:
        middle = (first + last) // 2
        if rank(r.layout_code[ordered[middle]], size) < wanted:
            first = middle + 1
        else:
            last = middle
    return int(first)


@compiled(internal=True)
def write_deal(r: Reduced, chosen: Ints, deal: Ints) -> None:
    """Fill ``deal`` with the seat of every card, given the layout of each leaf."""
    for card in range(len(deal)):
        deal[card] = r.owner[card]
    for leaf in range(len(chosen)):
        code = r.layout_code[chosen[leaf]]
        for j in range(open_cards_of(r, leaf)):
            deal[r.leaf_cards[leaf, j]] = r.seat_of[code & 7]
            code >>= 3


@compiled(internal=True)
def is_alive(r: Reduced, fates: Fates, level: int, index: int, packed: int) -> bool:
    """Whether the leaves from this level on can be dealt from this state (no hand is overfull)."""
    known = fates.known
    path = fates.path
    if known[level, index]:
        return bool(known[level, index] == ALIVE)
    at = level
    enter(r, fates, at, index, packed)
    while at >= level:
        e = path[2, at]
        if e == path[3, at]:
            known[at, path[0, at]] = DEAD
            at -= 1
            continue
        path[2, at] = e + 1
        full = path[1, at] + r.entry_packed[e]
        if full & r.guard:
            continue
        to = path[0, at] + r.entry_step[e]
        if known[at + 1, to] == ALIVE:
            break
        if known[at + 1, to] != DEAD:
            at += 1
            enter(r, fates, at, to, full)
    for passed in range(level, at + 1):
        known[passed, path[0, passed]] = ALIVE
    return at >= level


@compiled(internal=True)
def enter(r: Reduced, fates: Fates, level: int, index: int, packed: int) -> None:
    """Begin to examine a state: no entry is to be tried where later leaves cannot fill a hand."""
    begin, end = entries_for(r, level, index)
    fates.path[0, level] = index
    fates.path[1, level] = packed
    fates.path[2, level] = begin if (packed + fates.need[level]) & r.guard == r.guard else end
    fates.path[3, level] = end
