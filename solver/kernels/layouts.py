"""Enumeration of the layouts of a half-suit: which seat gets which of its open cards.

Interchangeable cards are called *alike*: of all layouts that differ only in them, one is listed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.compilation import compiled
from solver.kernels.arrays import Floats, Floats2, Floats3, Ints, Ints2
from solver.kernels.families import HALF_SUIT, HAS, SIZE, SPREAD, SUBSETS
from solver.kernels.places import FIELD


class OpenCards(NamedTuple):
    """The open cards: those whose seat is not known."""

    owner: Ints
    """For each card: the seat that is known to have it, or -1."""
    must: Ints2
    """The known cards of each seat, as bits: half-suits × seats."""
    cards: Ints2
    """For each half-suit its open cards, 0 to 5, padded with -1: half-suits × 6."""
    size: Ints
    """For each half-suit: the number of its open cards."""


class Alike(NamedTuple):
    """Symmetry data for each of the 64 sets of open cards of a half-suit."""

    before: Ints
    """The cards that precede a card of the set and are alike to it, as bits."""
    orders: Floats
    """The number of permutations of the set that exchange only cards that are alike."""


class Leaves(NamedTuple):
    """Half-suits with open cards: their layouts, grouped by count vector (*entry*).

    `list_layouts` writes the count vectors of layouts into the arrays of entries, which are then
    compacted in place: the index of an entry is never above that of its layouts.
    """

    cards: Ints2
    """For each leaf: its open cards, padded with -1; leaves × 6."""
    layouts_from: Ints
    """For each leaf: the index of its first layout; one more element for the end."""
    entries_from: Ints
    """For each leaf: the index of its first entry; one more element for the end."""
    layout_code: Ints
    """For each layout: the place of each open card, three bits a card."""
    layout_weight: Floats
    layout_entry: Ints
    entry_step: Ints
    """For each entry: what its count vector adds to the index of a state."""
    entry_packed: Ints
    """For each entry: its count vector, packed."""
    entry_weight: Floats
    """For each entry: the sum of the weights of its layouts; without weights, their number."""


class Space(NamedTuple):
    """Work arrays of `list_layouts`."""

    ints: Ints2
    """9 × places."""
    floats: Floats2
    """2 × places."""


@compiled(internal=True)
def find_open_cards(families: Ints2, possible: bool) -> OpenCards:
    """The cards that the propagated families leave open; none when no deal is possible."""
    half_suits, seats = families.shape
    owner = np.empty(half_suits * HALF_SUIT, np.int64)
    must = np.zeros((half_suits, seats), np.int64)
    cards = np.empty((half_suits, HALF_SUIT), np.int64)
    size = np.zeros(half_suits, np.int64)
    for card in range(len(owner)):
        h = card // HALF_SUIT
        c = card % HALF_SUIT
        owner[card] = -1
        for s in range(seats):
            if families[h, s] & ~HAS[c] == 0:
                owner[card] = s
                must[h, s] |= 1 << c
                break
        cards[h, c] = -1
        if owner[card] < 0 and possible:
            cards[h, size[h]] = c
            size[h] += 1
    return OpenCards(owner, must, cards, size)


@compiled(internal=True)
def list_layouts(
    weight_of: Floats2,
    size: int,
    capacity: Ints,
    stride: Ints,
    alike: Alike,
    leaves: Leaves,
    first: int,
    space: Space,
) -> int:
    """Write every layout of a leaf from index ``first`` on, and return the index of their end.

    weight_of: places × 64, weights of subsets of the ``size`` open cards. Fills the code and the
    weight of each layout, and its count vector in both forms. A depth-first search over places:
    each takes a subset of the remaining cards, including every card that no later place may have,
    and the last place takes the rest. Of cards that are alike a place takes the first remaining
    ones, and the weight counts all equivalent layouts.
    """
    room = space.ints
    products = space.floats
    before = alike.before
    orders = alike.orders
    code = leaves.layout_code
    weight = leaves.layout_weight
    step = leaves.entry_step
    packed = leaves.entry_packed
    last = len(capacity) - 1
    every = (1 << size) - 1
    if last == 0:
        if weight_of[0, every] == 0.0 or size > capacity[0]:
            return first
        code[first] = 0
        weight[first] = weight_of[0, every]
        step[first] = 0
        packed[first] = size
        return first + 1
    may = room[0]
    later = room[1]
    allow(weight_of, 1 << size, may, later)
    left = room[2]
    forced = room[3]
    free = room[4]
    upcoming = room[5]
    codes = room[6]
    packs = room[7]
    steps = room[8]
    weights = products[0]
    ways = products[1]
    codes[0] = 0
    packs[0] = 0
    steps[0] = 0
    weights[0] = 1.0
    ways[0] = orders[every]
    folded = orders[every] > 1.0
    count = first
    left[0] = every
    forced[0] = every & ~later[0]
    free[0] = every & may[0] & ~forced[0]
    upcoming[0] = -1 if forced[0] & ~may[0] else free[0]
    k = 0
    while k >= 0:
        more = upcoming[k]
        if more < 0:
            k -= 1
            continue
        if k < last - 1:
            upcoming[k] = (more - 1) & free[k] if more else -1
            subset = forced[k] | more
            factor = weight_of[k, subset]
            dealt = SIZE[subset]
            if factor == 0.0 or dealt > capacity[k] or before[subset] & left[k] & ~subset:
                continue
            codes[k + 1] = codes[k] + SPREAD[subset] * k
            packs[k + 1] = packs[k] + (dealt << (FIELD * k))
            steps[k + 1] = steps[k] + dealt * stride[k]
            weights[k + 1] = weights[k] * factor
            ways[k + 1] = ways[k] / orders[subset]
            left[k + 1] = left[k] & ~subset
            k += 1
            forced[k] = left[k] & ~later[k]
            free[k] = left[k] & may[k] & ~forced[k]
            upcoming[k] = -1 if forced[k] & ~may[k] else free[k]
            continue
        while more >= 0:
            subset = forced[k] | more
            more = (more - 1) & free[k] if more else -1
            rest = left[k] & ~subset
            factor = weight_of[k, subset]
            last_factor = weight_of[last, rest]
            dealt = SIZE[subset]
            last_dealt = SIZE[rest]
            if factor == 0.0 or last_factor == 0.0 or before[subset] & rest:
                continue
            if dealt > capacity[k] or last_dealt > capacity[last]:
                continue
            code[count] = codes[k] + SPREAD[subset] * k + SPREAD[rest] * last
            weight[count] = weights[k] * factor * last_factor
            if folded:
                weight[count] *= ways[k] / (orders[subset] * orders[rest])
            step[count] = steps[k] + dealt * stride[k]
            packed[count] = packs[k] + (dealt << (FIELD * k)) + (last_dealt << (FIELD * last))
            count += 1
        k -= 1
    return count


@compiled(internal=True)
def allow(weight_of: Floats2, subsets: int, may: Ints, later: Ints) -> None:
    """Fill, for each place, the cards it may get and those that a later place may get, as bits."""
    last = len(weight_of) - 1
    later[last] = 0
    for k in range(last, -1, -1):
        if k < last:
            later[k] = later[k + 1] | may[k + 1]
        may[k] = 0
        for small in range(subsets):
            if weight_of[k, small] != 0.0:
                may[k] |= small


@compiled(internal=True)
def are_alike(families: Ints2, weights: Floats3, h: int, a: int, b: int) -> bool:
    """Whether every family and weight is symmetric in two cards (``a`` < ``b``) of a half-suit."""
    further = (1 << b) - (1 << a)
    for s in range(families.shape[1]):
        family = families[h, s]
        if (family & HAS[a] & ~HAS[b]) << further != family & HAS[b] & ~HAS[a]:
            return False
        if weights.shape[0]:
            for subset in range(SUBSETS):
                if subset >> a & 1 == 0 or subset >> b & 1 or family >> subset & 1 == 0:
                    continue
                if weights[h, s, subset] != weights[h, s, subset + further]:
                    return False
    return True


@compiled(internal=True)
def find_alike(
    families: Ints2, weights: Floats3, excluded: Ints2, leaf_cards: Ints2, like: Ints
) -> None:
    """Fill ``like`` for the cards of leaves: the first card that is alike, possibly itself."""
    for leaf in range(len(leaf_cards)):
        cards = leaf_cards[leaf]
        h = cards[0] // HALF_SUIT
        told_apart = False
        for i in range(excluded.shape[0]):
            told_apart = told_apart or excluded[i, 0] == h
        for j in range(HALF_SUIT):
            if told_apart or cards[j] < 0:
                break
            for i in range(j):
                a = cards[i]
                b = cards[j]
                if like[a] == a and are_alike(families, weights, h, a % HALF_SUIT, b % HALF_SUIT):
                    like[b] = a
                    break


@compiled(internal=True)
def count_alike(cards: Ints, size: int, like: Ints, alike: Alike) -> None:
    """Fill ``alike`` for the open cards of a leaf."""
    alike.before[0] = 0
    alike.orders[0] = 1.0
    for j in range(size):
        before = 0
        for i in range(j):
            if like[cards[i]] == like[cards[j]]:
                before |= 1 << i
        for small in range(1 << j):
            alike.before[1 << j | small] = alike.before[small] | before
            alike.orders[1 << j | small] = alike.orders[small] * (1 + SIZE[small & before])


@compiled(internal=True)
def ruled_out(excluded: Ints2, open_cards: OpenCards, h: int, place_of: Ints, code: int) -> bool:
    """Whether some row of ``excluded`` rules out the layout of half-suit ``h``."""
    # A loop, since numba does not support generator expressions.
    for i in range(excluded.shape[0]):
        if excluded[i, 0] == h and is_excluded(excluded[i], open_cards, h, place_of, code):
            return True
    return False


@compiled(internal=True)
def is_excluded(row: Ints, open_cards: OpenCards, h: int, place_of: Ints, code: int) -> bool:
    """Whether the layout (known cards and code) is the one that the row rules out."""
    if not known_as_excluded(row, open_cards.owner, h):
        return False
    # A loop, since numba does not support generator expressions.
    for j in range(open_cards.size[h]):
        if place_of[row[1 + open_cards.cards[h, j]]] != code >> (3 * j) & 7:
            return False
    return True


@compiled(internal=True)
def known_as_excluded(row: Ints, owner: Ints, h: int) -> bool:
    """Whether all known cards of the half-suit are at the seats of the row."""
    for c in range(HALF_SUIT):
        seat = owner[h * HALF_SUIT + c]
        if seat >= 0 and seat != row[1 + c]:
            return False
    return True
