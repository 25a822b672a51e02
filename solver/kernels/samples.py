"""Exact independent samples of deals: forward filtering, backward sampling."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.compilation import compiled
from solver.kernels.arrays import FALSE, TRUE, Bytes2, Floats, Floats3, Ints, Ints2, minus_ones
from solver.kernels.families import HALF_SUIT, narrow
from solver.kernels.passes import States, forward
from solver.kernels.places import FIELD, FULL
from solver.kernels.reduction import Reduced, build


class Drawn(NamedTuple):
    """Partially drawn deals; leaves are drawn from the last to the first."""

    deals: Bytes2
    """The place of each card, at the end its seat: count × cards."""
    state: Ints
    """For each deal: the index of the state before the leaves already drawn."""
    packed: Ints
    """For each deal: the same state, packed."""


class LeafLayouts(NamedTuple):
    """The layouts of a leaf in the order of their entries."""

    layout: Ints
    starts: Ints
    """For each entry of the leaf: the index of its first layout; one more element for the end."""
    upto: Floats
    """The cumulative weight up to and including each layout, from the first of its entry on."""


@compiled
def sample(
    families: Ints2,
    news: Ints2,
    hand_sizes: Ints,
    weights: Floats3,
    excluded: Ints2,
    rng: np.random.Generator,
    count: int,
) -> Bytes2:
    """Independent deals, each with probability proportional to its weight.

    Returns the seat of every card, count × cards, without any row when there is no deal. The states
    of `forward` are sampled backward: the last state, then for each leaf an entry and a layout.
    """
    narrow(families, news)
    r = build(families.copy(), hand_sizes, weights, excluded, TRUE[0], FALSE[0])
    f = forward(r)
    cards = len(r.owner)
    if f.total == 0.0:
        return np.empty((0, cards), np.int8)
    drawn = Drawn(
        np.empty((count, cards), np.int8), np.empty(count, np.int64), np.empty(count, np.int64)
    )
    draw_pool(r, f, rng, drawn)
    for level in range(len(r.order) - 1, -1, -1):
        draw_leaf(r, f, level, rng, drawn)
    name_seats(r, rng, drawn.deals)
    return drawn.deals


@compiled(internal=True)
def draw_pool(r: Reduced, f: States, rng: np.random.Generator, drawn: Drawn) -> None:
    """Draw the last state of each deal, and deal the pool to the free places of the hands."""
    last = f.levels_from[len(r.order)]
    ends = np.empty(len(f.rest), np.float64)
    running = 0.0
    for i in range(len(f.rest)):
        running += f.state_value[last + i] * f.rest[i]
        ends[i] = running
    deck = np.empty(len(r.pool), np.int64)
    for d in range(len(drawn.deals)):
        i = first_above(ends, 0, len(ends), rng.random() * running)
        drawn.state[d] = f.state_index[last + i]
        drawn.packed[d] = f.state_packed[last + i]
        filled = 0
        for k in range(len(r.capacity)):
            for _ in range(FULL - (drawn.packed[d] >> (FIELD * k) & FULL)):
                deck[filled] = k
                filled += 1
        shuffle(deck, rng)
        for j in range(len(deck)):
            drawn.deals[d, r.pool[j]] = deck[j]


@compiled(internal=True)
def draw_leaf(r: Reduced, f: States, level: int, rng: np.random.Generator, drawn: Drawn) -> None:
    """Draw, for each deal, the entry of the leaf at this level, and then its layout.

    Deals in the same state share a row: the cumulative weights of the entries that lead to it.
    """
    leaf = r.order[level]
    first_entry = r.entries_from[leaf]
    entries = r.entries_from[leaf + 1] - first_entry
    by_entry = layouts_by_entry(r, leaf)
    starts = by_entry.starts
    upto = by_entry.upto
    value = np.zeros(r.states, np.float64)
    for p in range(f.levels_from[level], f.levels_from[level + 1]):
        value[f.state_index[p]] = f.state_value[p]
    row_of = minus_ones(r.states)
    rows = np.empty(64 * entries, np.float64)
    used = 0
    for d in range(len(drawn.deals)):
        index = drawn.state[d]
        row = row_of[index]
        if row < 0:
            if used + entries > len(rows):
                rows = lengthened(rows, used)
            row = used
            row_of[index] = row
            used += entries
            fill_row(r, leaf, index, drawn.packed[d], value, rows[row:used])
        threshold = rng.random() * rows[row + entries - 1]
        e = first_above(rows[row : row + entries], 0, entries, threshold)
        threshold = rng.random() * upto[starts[e + 1] - 1]
        i = first_above(upto, starts[e], starts[e + 1], threshold)
        code = r.layout_code[by_entry.layout[i]]
        for j in range(HALF_SUIT):
            card = r.leaf_cards[leaf, j]
            if card < 0:
                break
            drawn.deals[d, card] = code & 7
            code >>= 3
        drawn.state[d] -= r.entry_step[first_entry + e]
        drawn.packed[d] -= r.entry_packed[first_entry + e]


@compiled(internal=True)
def layouts_by_entry(r: Reduced, leaf: int) -> LeafLayouts:
    """The layouts of the leaf sorted by entry (a counting sort)."""
    first_layout = r.layouts_from[leaf]
    first_entry = r.entries_from[leaf]
    entries = r.entries_from[leaf + 1] - first_entry
    layouts = r.layouts_from[leaf + 1] - first_layout
    by_entry = np.empty(layouts, np.int64)
    starts = np.zeros(entries + 1, np.int64)
    for i in range(layouts):
        starts[r.layout_entry[first_layout + i] - first_entry + 1] += 1
    for e in range(entries):
        starts[e + 1] += starts[e]
    next_of = starts.copy()
    for i in range(layouts):
        e = r.layout_entry[first_layout + i] - first_entry
        by_entry[next_of[e]] = first_layout + i
        next_of[e] += 1
    upto = np.empty(layouts, np.float64)
    for e in range(entries):
        running = 0.0
        for i in range(starts[e], starts[e + 1]):
            running += r.layout_weight[by_entry[i]]
            upto[i] = running
    return LeafLayouts(by_entry, starts, upto)


@compiled(internal=True)
def lengthened(rows: Floats, used: int) -> Floats:
    """A copy of twice the length."""
    longer = np.empty(2 * len(rows), np.float64)
    for i in range(used):
        longer[i] = rows[i]
    return longer


@compiled(internal=True)
def fill_row(r: Reduced, leaf: int, index: int, packed: int, value: Floats, row: Floats) -> None:
    """Fill ``row`` with the cumulative weights of the entries of the leaf that lead to a state.

    value: the weight of each state before the leaf, by index.
    """
    first_entry = r.entries_from[leaf]
    dealt = (packed - r.start) | r.guard
    running = 0.0
    for e in range(len(row)):
        vector = r.entry_packed[first_entry + e]
        if (dealt - vector) & r.guard == r.guard:
            running += (
                value[index - r.entry_step[first_entry + e]] * r.entry_weight[first_entry + e]
            )
        row[e] = running


@compiled(internal=True)
def name_seats(r: Reduced, rng: np.random.Generator, deals: Bytes2) -> None:
    """Replace places by seats; the cards of the merged place go to its seats at random."""
    merged = r.merged
    hands = np.empty(r.capacity[merged] if merged >= 0 else 0, np.int64)
    for d in range(len(deals)):
        filled = 0
        if merged >= 0:
            for s in range(len(r.place_of)):
                if r.place_of[s] == merged:
                    for _ in range(r.seat_capacity[s]):
                        hands[filled] = s
                        filled += 1
            shuffle(hands, rng)
        filled = 0
        for card in range(deals.shape[1]):
            if r.owner[card] >= 0:
                deals[d, card] = r.owner[card]
            elif deals[d, card] == merged:
                deals[d, card] = hands[filled]
                filled += 1
            else:
                deals[d, card] = r.seat_of[deals[d, card]]


@compiled(internal=True)
def shuffle(items: Ints, rng: np.random.Generator) -> None:
    """Shuffle in place (Fisher-Yates)."""
    for i in range(len(items) - 1, 0, -1):
        j = int(rng.random() * (i + 1))
        items[i], items[j] = items[j], items[i]


@compiled(internal=True)
def first_above(cumulative: Floats, first: int, last: int, threshold: float) -> int:
    """The first position in [first, last) whose value is above the threshold (binary search).

    The values increase from 0 before the first. If rounding leaves none, the last position where
    they increase.
    """
    begin = first
    end = last
    while first < last:
        middle = (first + last) // 2
        if cumulative[middle] > threshold:
            last = middle
        else:
            first = middle + 1
    while first == end or (first > begin and cumulative[first] == cumulative[first - 1]):
        first -= 1
    return first
