"""The reduced counting problem: leaves, pool and places after propagation."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solver.compilation import compiled
from solver.kernels.arrays import Floats, Floats2, Floats3, Ints, Ints2, minus_ones
from solver.kernels.families import HALF_SUIT, HAS, ONLY, SUBSETS, fold
from solver.kernels.layouts import (
    Alike,
    Leaves,
    OpenCards,
    Space,
    count_alike,
    find_alike,
    find_open_cards,
    known_as_excluded,
    list_layouts,
    ruled_out,
)
from solver.kernels.places import Places, assign_places, number_states

LOG_2 = math.log(2.0)


class Reduced(NamedTuple):
    """The result of `build`: everything that the passes read."""

    possible: bool
    """False when some card has no seat or some hand cannot be filled."""
    place_of: Ints
    """For each seat: its place, or -1 when all its cards are known."""
    seat_of: Ints
    """For each place: its seat, or the last of its seats for the merged place."""
    merged: int
    """The merged place, which stands for several seats, or -1."""
    capacity: Ints
    """For each place: the number of open cards it gets."""
    seat_capacity: Ints
    """For each seat: the number of open cards it gets."""
    owner: Ints
    """For each card: the seat that is known to have it, or -1."""
    start: int
    """The empty state, packed."""
    guard: int
    """The guard bits of a packed state: set when a hand is overfull."""
    states: int
    """The number of indices of states."""
    leaf_cards: Ints2
    """For each leaf: its open cards, padded with -1. For this and the next fields see `Leaves`."""
    layouts_from: Ints
    layout_code: Ints
    layout_entry: Ints
    layout_weight: Floats
    entries_from: Ints
    entry_step: Ints
    entry_packed: Ints
    entry_weight: Floats
    order: Ints
    """The leaves in the order of the passes."""
    closing: Ints
    """For each index of a state before the last leaf: the entry that fills every hand, or -1.
    Empty when there is a pool."""
    pool: Ints
    """The cards of half-suits without information."""
    like: Ints
    """For each card: the first card of its leaf that is alike to it, possibly itself."""
    log_scale: float
    """The natural logarithm of the factor of all weights that `weigh_open_cards` removed."""


class OpenWeights(NamedTuple):
    """Weights of the subsets of open cards that seats are dealt."""

    of_subset: Floats3
    """The weight of each subset of the open cards: half-suits × seats × 64."""
    common: Floats2
    """The weight of every subset where all have the same one (``of_subset`` is then 1), else 0:
    half-suits × seats."""
    exponent: int
    """The power of two that has been taken out of all weights together."""


@compiled(internal=True)
def build(
    families: Ints2,
    hand_sizes: Ints,
    weights: Floats3,
    excluded: Ints2,
    merge: bool,
    fold_alike: bool,
) -> Reduced:
    """Propagate the families in place and list the layouts of what remains open.

    families: half-suits × seats. weights: half-suits × seats × 64, or 0 × 0 × 0 for all equal.
    excluded: layouts that are ruled out, rows of half-suit and six seats. merge: whether seats and
    half-suits without information are merged into one place and one pool. fold_alike: whether one
    layout represents all that differ from it by a permutation of cards that are alike.
    """
    seats = len(hand_sizes)
    drop_weightless(families, weights)
    seat_capacity = np.zeros(seats, np.int64)
    possible = fold(families, hand_sizes, seat_capacity)
    if not possible:
        for s in range(seats):
            seat_capacity[s] = 0
    open_cards = find_open_cards(families, possible)
    open_weights = weigh_open_cards(families, weights, open_cards, seat_capacity)
    common = open_weights.common
    if not keep_apart(excluded, open_cards, seat_capacity, open_weights):
        possible = False
    log_scale = open_weights.exponent * LOG_2
    for h in range(len(common)):
        for s in range(seats):
            if common[h, s] != 0.0 and common[h, s] != 1.0:
                log_scale += math.log(common[h, s])
    place_of, number = assign_places(common, open_cards.size, seat_capacity, merge)
    places = number_states(place_of, number, seat_capacity)
    leaves, pool = choose_leaves(families, open_cards, common, seat_capacity, number, merge)
    like = np.empty(len(open_cards.owner), np.int64)
    for card in range(len(like)):
        like[card] = card
    if fold_alike:
        find_alike(families, weights, excluded, leaves.cards, like)
    if not fill_leaves(excluded, open_cards, open_weights.of_subset, places, leaves, like):
        possible = False
    layouts = leaves.layouts_from[-1]
    entries = leaves.entries_from[-1]
    order = put_in_order(leaves.entries_from, len(pool) > 0)
    closing = np.empty(0, np.int64)
    if len(order) and not len(pool):
        closing = close(places.states, leaves.entries_from, leaves.entry_step, order[-1])
    return Reduced(
        possible,
        place_of,
        places.seat,
        places.merged,
        places.capacity,
        seat_capacity,
        open_cards.owner,
        places.start,
        places.guard,
        places.states,
        leaves.cards,
        leaves.layouts_from,
        leaves.layout_code[:layouts],
        leaves.layout_entry[:layouts],
        leaves.layout_weight[:layouts],
        leaves.entries_from,
        leaves.entry_step[:entries],
        leaves.entry_packed[:entries],
        leaves.entry_weight[:entries],
        order,
        closing,
        pool,
        like,
        log_scale,
    )


@compiled(internal=True)
def drop_weightless(families: Ints2, weights: Floats3) -> None:
    """Remove subsets of zero weight from the families."""
    for h in range(weights.shape[0]):
        for s in range(weights.shape[1]):
            for subset in range(SUBSETS):
                if weights[h, s, subset] == 0.0:
                    families[h, s] &= ~ONLY[subset]


@compiled(internal=True)
def weigh_open_cards(
    families: Ints2, weights: Floats3, open_cards: OpenCards, capacity: Ints
) -> OpenWeights:
    """Restrict weights of subsets of six cards to subsets of the open cards.

    For each half-suit and seat a power of two is taken out, so that the largest weight is near 1.
    """
    half_suits, seats = families.shape
    cards = open_cards.cards
    size = open_cards.size
    reduced = np.empty((half_suits, seats, SUBSETS), np.float64)
    common = np.empty((half_suits, seats), np.float64)
    weighted = weights.shape[0] > 0
    exponent = 0
    expanded = np.zeros(SUBSETS, np.int64)
    for h in range(half_suits):
        for j in range(size[h]):
            for small in range(1 << j):
                expanded[1 << j | small] = expanded[small] | 1 << cards[h, j]
        for s in range(seats):
            subsets = 1 << size[h] if capacity[s] > 0 else 1
            same = True
            largest = 0.0
            for small in range(subsets):
                subset = open_cards.must[h, s] | expanded[small]
                weight = 1.0 if families[h, s] >> subset & 1 else 0.0
                if weighted and weight != 0.0:
                    weight = weights[h, s, subset]
                    largest = max(largest, weight)
                reduced[h, s, small] = weight
                if weight != reduced[h, s, 0]:
                    same = False
            if largest != 0.0 and largest != 1.0:
                # In two steps: 2 to 1074, which the smallest numbers need, is no float.
                power = -math.frexp(largest)[1]
                exponent -= power
                half = math.ldexp(1.0, power // 2)
                rest = math.ldexp(1.0, power - power // 2)
                for small in range(subsets):
                    reduced[h, s, small] = reduced[h, s, small] * half * rest
            common[h, s] = reduced[h, s, 0] if same else 0.0
            if same:
                for small in range(subsets):
                    reduced[h, s, small] = 1.0
    return OpenWeights(reduced, common, exponent)


@compiled(internal=True)
def keep_apart(
    excluded: Ints2, open_cards: OpenCards, seat_capacity: Ints, open_weights: OpenWeights
) -> bool:
    """Prevent merging in half-suits with excluded layouts: their weights no longer count as common.

    Returns False when all cards of a half-suit are known and their layout is excluded.
    """
    possible = True
    common = open_weights.common
    size = open_cards.size
    for i in range(excluded.shape[0]):
        h = excluded[i, 0]
        if size[h] == 0 and known_as_excluded(excluded[i], open_cards.owner, h):
            possible = False
        for s in range(len(seat_capacity)):
            if seat_capacity[s] > 0 and size[h] > 0 and common[h, s] != 0.0:
                for small in range(1 << size[h]):
                    open_weights.of_subset[h, s, small] *= common[h, s]
                common[h, s] = 0.0
    return possible


@compiled(internal=True)
def choose_leaves(
    families: Ints2,
    open_cards: OpenCards,
    common: Floats2,
    seat_capacity: Ints,
    places: int,
    merge: bool,
) -> tuple[Leaves, Ints]:
    """The leaves, with arrays long enough for their layouts, and the cards of the pool."""
    half_suits, seats = families.shape
    cards = open_cards.cards
    size = open_cards.size
    pool = np.empty(half_suits * HALF_SUIT, np.int64)
    pooled = 0
    half_suit = np.empty(half_suits, np.int64)
    leaves = 0
    room = 0
    for h in range(half_suits):
        free = merge
        ways = 1
        for s in range(seats):
            if seat_capacity[s] > 0 and common[h, s] == 0.0:
                free = False
                break
        for j in range(size[h]):
            owners = 0
            for s in range(seats):
                if families[h, s] & HAS[cards[h, j]] != 0 and seat_capacity[s] > 0:
                    owners += 1
                if owners == places:
                    break
            ways *= owners
        if free:
            for j in range(size[h]):
                pool[pooled] = h * HALF_SUIT + cards[h, j]
                pooled += 1
        elif size[h] > 0:
            half_suit[leaves] = h
            leaves += 1
            room += ways
    leaf_cards = np.empty((leaves, HALF_SUIT), np.int64)
    for leaf in range(leaves):
        h = half_suit[leaf]
        for j in range(cards.shape[1]):
            leaf_cards[leaf, j] = h * HALF_SUIT + cards[h, j] if j < size[h] else -1
    # Few arrays, since each takes time to allocate and code to compile.
    begins = np.zeros((2, leaves + 1), np.int64)
    ints = np.empty((4, room), np.int64)
    floats = np.empty((2, room), np.float64)
    return (
        Leaves(
            leaf_cards,
            begins[0],
            begins[1],
            ints[0],
            floats[0],
            ints[1],
            ints[2],
            ints[3],
            floats[1],
        ),
        pool[:pooled],
    )


@compiled(internal=True)
def fill_leaves(
    excluded: Ints2,
    open_cards: OpenCards,
    weights: Floats3,
    places: Places,
    leaves: Leaves,
    like: Ints,
) -> bool:
    """List the layouts of every leaf and group them; return False when a leaf has none.

    weights: of subsets of the open cards, half-suits × seats × 64.
    """
    possible = True
    number = len(places.capacity)
    slot = minus_ones(places.states)
    weight_of = np.empty((number, SUBSETS), np.float64)
    space = Space(np.empty((9, number), np.int64), np.empty((2, number), np.float64))
    alike = Alike(np.empty(SUBSETS, np.int64), np.empty(SUBSETS, np.float64))
    for leaf in range(len(leaves.cards)):
        h = leaves.cards[leaf, 0] // HALF_SUIT
        size = open_cards.size[h]
        for k in range(number):
            for small in range(1 << size):
                weight_of[k, small] = weights[h, places.seat[k], small]
        count_alike(leaves.cards[leaf], size, like, alike)
        begin = leaves.layouts_from[leaf]
        end = list_layouts(
            weight_of, size, places.capacity, places.stride, alike, leaves, begin, space
        )
        if excluded.shape[0]:
            end = drop_excluded(excluded, open_cards, h, places.of_seat, leaves, begin, end)
        leaves.layouts_from[leaf + 1] = end
        group_layouts(leaves, leaf, slot)
        if leaves.entries_from[leaf + 1] == leaves.entries_from[leaf]:
            possible = False
    return possible


@compiled(internal=True)
def drop_excluded(
    excluded: Ints2,
    open_cards: OpenCards,
    h: int,
    place_of: Ints,
    leaves: Leaves,
    begin: int,
    end: int,
) -> int:
    """Compact the layouts in [begin, end) to those not ruled out, and return the new end."""
    kept = begin
    for i in range(begin, end):
        if not ruled_out(excluded, open_cards, h, place_of, leaves.layout_code[i]):
            leaves.layout_code[kept] = leaves.layout_code[i]
            leaves.layout_weight[kept] = leaves.layout_weight[i]
            leaves.entry_step[kept] = leaves.entry_step[i]
            leaves.entry_packed[kept] = leaves.entry_packed[i]
            kept += 1
    return kept


@compiled(internal=True)
def group_layouts(leaves: Leaves, leaf: int, slot: Ints) -> None:
    """Group the layouts of a leaf by count vector: one entry for each.

    slot: a work array, -1 for every index of a state, before and after the call.
    """
    first = leaves.entries_from[leaf]
    entries = first
    for i in range(leaves.layouts_from[leaf], leaves.layouts_from[leaf + 1]):
        step = leaves.entry_step[i]
        entry = slot[step]
        if entry < 0:
            entry = entries
            slot[step] = entry
            leaves.entry_step[entry] = step
            leaves.entry_packed[entry] = leaves.entry_packed[i]
            leaves.entry_weight[entry] = 0.0
            entries += 1
        leaves.entry_weight[entry] += leaves.layout_weight[i]
        leaves.layout_entry[i] = entry
    for entry in range(first, entries):
        slot[leaves.entry_step[entry]] = -1
    leaves.entries_from[leaf + 1] = entries


@compiled(internal=True)
def put_in_order(entries_from: Ints, pooled: bool) -> Ints:
    """The leaves in the order of the passes: most entries at both ends, where there are few states.

    Without a pool the longest leaf comes last, where only one entry fits each state
    (`Reduced.closing`), otherwise it comes first. An insertion sort, because numba takes seconds to
    compile `numpy.argsort`.
    """
    leaves = len(entries_from) - 1
    order = np.empty(leaves, np.int64)
    for leaf in range(leaves):
        length = entries_from[leaf + 1] - entries_from[leaf]
        i = leaf
        while i > 0 and entries_from[order[i - 1] + 1] - entries_from[order[i - 1]] < length:
            order[i] = order[i - 1]
            i -= 1
        order[i] = leaf
    both_ends = np.empty(leaves, np.int64)
    for i in range(leaves):
        at_front = i % 2 == 0 if pooled else i % 2 == 1
        both_ends[i // 2 if at_front else leaves - 1 - i // 2] = order[i]
    return both_ends


@compiled(internal=True)
def close(states: int, entries_from: Ints, entry_step: Ints, leaf: int) -> Ints:
    """For each index of a state: the entry of the leaf that fills every hand, or -1."""
    closing = minus_ones(states)
    for e in range(entries_from[leaf], entries_from[leaf + 1]):
        closing[states - 1 - entry_step[e]] = e
    return closing
