"""The loops of the counting engine, on flat arrays.

Everything an event says is about one half-suit, so what seat ``s`` may have been dealt of half-suit
``h`` is a *family*: a set of subsets of six cards, 64 bits, bit ``i`` for the subset whose cards
are the ones in ``i``. Half-suits touch only through hand sizes. The steps are

1. `fold`: cards with one possible seat leave the problem, seats with full hands too;
2. `build`: each half-suit that is left becomes a *leaf*, the list of its layouts, grouped by their
   *count vector* (how many cards each seat gets). Seats about which nothing is known merge into one
   place, half-suits about which nothing is known are dealt last, as one pool of cards, and one
   layout stands for all that differ from it by cards which nothing tells apart;
3. `forward`: the ways (or weight) to deal the first leaves, for every state, that is, for every
   vector of cards dealt so far; `backward`: for every count vector of a leaf, the weight of all
   that is outside it. Together they give every probability.

A state is held in two forms: as an index in mixed radix, so that adding a count vector is one
addition; and packed, seven bits a place, biased so that one mask tells whether a hand overflows.

The functions run as plain Python when numba is absent or disabled, slowly, with the same results.
All integers are int64: a family's highest bit is the sign.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compilation import compiled, internal, version

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

HALF_SUIT = 6
SUBSETS = 1 << HALF_SUIT

# Compiling takes time that somebody waits for once. Loops over elements compile much faster than
# `numpy.full`, `numpy.arange` or the assignment of an array to a slice; functions that only others
# here call are `internal`.


def _signed(bits: int) -> int:
    return bits - (1 << 64) if bits >> 63 else bits


# Arrays and not tuples: of a tuple with a variable index numba makes a branch for each element.
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

FIELD = 7
"""Bits of one place in a packed state: six for a number up to 63, one to catch the overflow."""
FULL = (1 << (FIELD - 1)) - 1

PRIMES = (2147483647, 2147483629, 2147483587, 2147483579, 2147483563)
"""Their product is above 2^154; no deal of 54 cards to 8 seats has more than 2^145 ways."""
LANES = len(PRIMES)

FACTORIALS: Ints = np.array(
    [[math.factorial(n) % prime for n in range(64)] for prime in PRIMES], np.int64
)
INVERSE_FACTORIALS: Ints = np.array(
    [[pow(math.factorial(n), -1, prime) for n in range(64)] for prime in PRIMES], np.int64
)
"""For each prime: the factorials of 0 to 63 and their inverses."""

FACTORIAL: Floats = np.cumprod([1.0, *range(1, 64)])


class Tables(NamedTuple):
    """What `build` makes of families and hand sizes; all that the passes read."""

    possible: bool
    """False when some card has no seat or some hand cannot be filled."""
    place_of: Ints
    """For each seat: its place, or -1 when all its cards are known."""
    capacity: Ints
    """For each place: the number of cards it still gets."""
    seat_capacity: Ints
    """The same for each seat."""
    owner: Ints
    """For each card: the seat that is known to have it, or -1."""
    start: int
    """The empty state, packed."""
    guard: int
    """The bits that show an overflow in a packed state."""
    stride: Ints
    """For each place: what one card adds to the index of a state."""
    states: int
    """The number of indices a state can have."""
    leaf_cards: Ints
    """For each leaf: its cards, -1 behind the last."""
    layouts_from: Ints
    """For each leaf: where its layouts begin; one more entry for the end."""
    layout_code: Ints
    """A layout: three bits a card, the place that gets it."""
    layout_entry: Ints
    layout_weight: Floats
    entries_from: Ints
    """For each leaf: where its count vectors (entries) begin; one more for the end."""
    entry_step: Ints
    """What the count vector adds to the index of a state."""
    entry_packed: Ints
    """The count vector, packed."""
    entry_weight: Floats
    """The sum of the weights of its layouts; without weights, their number."""
    order: Ints
    """The leaves in the order in which the passes take them."""
    closing: Ints
    """For each index of a state before the last leaf: its one entry that fills every hand, or -1.
    Of zero size when there is a pool."""
    pool: Ints
    """The cards about which nothing is known."""
    like: Ints
    """For each card: the first card of its leaf that cannot be told from it, maybe itself."""
    scale: float
    """The weight of all that was folded away."""


@internal
def minus_ones(size: int) -> Ints:
    out = np.empty(size, np.int64)
    for i in range(size):
        out[i] = -1
    return out


@internal
def fold(families: Ints, hand_sizes: Ints, capacity: Ints) -> bool:
    """Tighten families in place until no card and no hand says more on its own.

    families: half-suits × seats. Fills ``capacity``: for each seat, how many of its cards are not
    located. Returns False when that shows that there is no deal.
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
def narrow(families: Ints, news: Ints) -> None:
    """Intersect families with what new facts allow: rows of half-suit, seat, family."""
    for i in range(news.shape[0]):
        families[news[i, 0], news[i, 1]] &= news[i, 2]


@internal
def locate(families: Ints, owner: Ints, must: Ints) -> None:
    """Fill ``owner`` (a seat or -1 for each card) and ``must`` (half-suits × seats: cards)."""
    half_suits, seats = families.shape
    must[:] = 0
    owner[:] = -1
    for h in range(half_suits):
        for s in range(seats):
            family = families[h, s]
            for c in range(HALF_SUIT):
                if family & ~HAS[c] == 0:
                    owner[h * HALF_SUIT + c] = s
                    must[h, s] |= 1 << c


@internal
def open_cards(owner: Ints, cards: Ints, size: Ints) -> None:
    """Fill, for each half-suit, the cards without an owner (0 to 5, -1 behind) and their number."""
    cards[:] = -1
    size[:] = 0
    for card in range(len(owner)):
        if owner[card] < 0:
            h = card // HALF_SUIT
            cards[h, size[h]] = card % HALF_SUIT
            size[h] += 1


@internal
def reduce_weights(
    families: Ints,
    weights: Floats,
    must: Ints,
    cards: Ints,
    size: Ints,
    capacity: Ints,
    reduced: Floats,
    common: Floats,
) -> None:
    """From weights of subsets of six cards to weights of subsets of the open cards.

    Fills ``reduced`` (half-suits × seats × 64) and ``common``: the weight, where it is the same for
    all subsets of the open cards that the seat can be dealt (then ``reduced`` is 1), else 0.
    """
    half_suits, seats = families.shape
    weighted = weights.shape[0] > 0
    expanded = np.zeros(SUBSETS, np.int64)
    for h in range(half_suits):
        for j in range(size[h]):
            for small in range(1 << j):
                expanded[1 << j | small] = expanded[small] | 1 << cards[h, j]
        for s in range(seats):
            subsets = 1 << size[h] if capacity[s] > 0 else 1
            same = True
            for small in range(subsets):
                subset = must[h, s] | expanded[small]
                weight = 1.0 if families[h, s] >> subset & 1 else 0.0
                if weighted and weight != 0.0:
                    weight = weights[h, s, subset]
                reduced[h, s, small] = weight
                if weight != reduced[h, s, 0]:
                    same = False
            common[h, s] = reduced[h, s, 0] if same else 0.0
            if same:
                for small in range(subsets):
                    reduced[h, s, small] = 1.0


@internal
def assign_places(common: Floats, size: Ints, seat_capacity: Ints, merge: bool) -> tuple[Ints, int]:
    """A place for each seat with open cards, -1 for the others; and the number of places.

    With ``merge`` the seats of which nothing is known share the last place.
    """
    half_suits, seats = common.shape
    place_of = minus_ones(seats)
    places = 0
    unknown = False
    for s in range(seats):
        if seat_capacity[s] == 0:
            continue
        informed = not merge
        for h in range(half_suits):
            if size[h] > 0 and common[h, s] == 0.0:
                informed = True
        if informed:
            place_of[s] = places
            places += 1
        else:
            unknown = True
    if unknown:
        for s in range(seats):
            if seat_capacity[s] > 0 and place_of[s] < 0:
                place_of[s] = places
        places += 1
    return place_of, places


@internal
def list_layouts(
    reduced: Floats,
    size: int,
    capacity: Ints,
    stride: Ints,
    code: Ints,
    weight: Floats,
    step: Ints,
    packed: Ints,
    alike: Ints,
    orders: Floats,
    stack: Ints,
    products: Floats,
) -> int:
    """Write every layout of a leaf: its code, its weight, and its count vector in both forms.

    reduced: places × 64, weights of subsets of the ``size`` open cards. Returns how many there are.
    Place after place takes some of the cards that are left, and the last one takes the rest; a card
    that no later place may have is taken at once. Of cards that are alike a place takes the first
    ones left, and the weight stands for all such layouts (``alike`` and ``orders``: see
    `count_alike`). ``stack`` (9 × places) and ``products`` (2 × places) are room to work in.
    """
    places = len(capacity)
    last = places - 1
    may, later = stack[7], stack[8]
    later[last] = 0
    for k in range(last, -1, -1):
        if k < last:
            later[k] = later[k + 1] | may[k + 1]
        may[k] = 0
        for small in range(1 << size):
            if reduced[k, small] != 0.0:
                may[k] |= small
    every = (1 << size) - 1
    if last == 0:
        if reduced[0, every] == 0.0 or size > capacity[0]:
            return 0
        code[0] = 0
        weight[0] = reduced[0, every]
        step[0] = 0
        packed[0] = size
        return 1
    left, forced, free, upcoming = stack[0], stack[1], stack[2], stack[3]
    codes, packs, steps = stack[4], stack[5], stack[6]
    codes[0] = 0
    packs[0] = 0
    steps[0] = 0
    weights, ways = products[0], products[1]
    weights[0] = 1.0
    ways[0] = orders[every]
    folded = orders[every] > 1.0
    count = 0
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
            factor = reduced[k, subset]
            dealt = SIZE[subset]
            if factor == 0.0 or dealt > capacity[k] or alike[subset] & left[k] & ~subset:
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
            factor = reduced[k, subset]
            last_factor = reduced[last, rest]
            dealt = SIZE[subset]
            last_dealt = SIZE[rest]
            if factor == 0.0 or last_factor == 0.0 or alike[subset] & rest:
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


@internal
def are_alike(families: Ints, weights: Floats, h: int, a: int, b: int) -> bool:
    """Whether exchanging two cards (``a`` < ``b``) of a half-suit changes nothing for any seat."""
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


@internal
def find_alike(
    families: Ints, weights: Floats, excluded: Ints, h: int, cards: Ints, size: int, first: Ints
) -> None:
    """Fill ``first``: for each of the open cards the first one that is like it, maybe itself."""
    told_apart = False
    for i in range(excluded.shape[0]):
        told_apart = told_apart or excluded[i, 0] == h
    for j in range(size):
        first[j] = j
        for i in range(j):
            if told_apart or first[j] != j:
                break
            if first[i] == i and are_alike(families, weights, h, cards[i], cards[j]):
                first[j] = i


@internal
def count_alike(first: Ints, size: int, alike: Ints, orders: Floats) -> None:
    """For each set of open cards: which cards come before one of them and are like it (``alike``);
    and in how many orders its cards that are alike can be put (``orders``)."""
    alike[0] = 0
    orders[0] = 1.0
    for j in range(size):
        before = 0
        for i in range(j):
            if first[i] == first[j]:
                before |= 1 << i
        for small in range(1 << j):
            alike[1 << j | small] = alike[small] | before
            orders[1 << j | small] = orders[small] * (1 + SIZE[small & before])


@internal
def put_in_order(entries_from: Ints, pooled: bool) -> Ints:
    """The leaves in the order of the passes: those with most entries first, while there are few
    states. But without a pool the very longest one comes last, where each state leaves it just one
    entry (`Tables.closing`).

    (An insertion sort: numba takes seconds to compile `numpy.argsort`.)
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
    if leaves and not pooled:
        longest = order[0]
        for i in range(leaves - 1):
            order[i] = order[i + 1]
        order[leaves - 1] = longest
    return order


@internal
def close(states: int, entries_from: Ints, entry_step: Ints, leaf: int) -> Ints:
    """For each index of a state: the one entry of the leaf that fills every hand, or -1."""
    closing = minus_ones(states)
    for e in range(entries_from[leaf], entries_from[leaf + 1]):
        closing[states - 1 - entry_step[e]] = e
    return closing


@internal
def build(
    families: Ints,
    hand_sizes: Ints,
    weights: Floats,
    excluded: Ints,
    merge: bool,
    fold_alike: bool,
) -> Tables:
    """Fold the families in place and lay out what is left.

    families: half-suits × seats. weights: half-suits × seats × 64, or 0 × 0 × 0 for all equal.
    excluded: layouts that are ruled out, rows of half-suit and six seats. merge: whether seats and
    half-suits about which nothing is known are taken together. fold_alike: whether one layout
    stands for all that differ from it by exchanging cards that nothing tells apart.
    """
    half_suits, seats = families.shape
    for h in range(weights.shape[0]):
        for s in range(seats):
            for subset in range(SUBSETS):
                if weights[h, s, subset] == 0.0:
                    families[h, s] &= ~ONLY[subset]
    seat_capacity = np.zeros(seats, np.int64)
    owner = np.empty(half_suits * HALF_SUIT, np.int64)
    must = np.empty((half_suits, seats), np.int64)
    possible = fold(families, hand_sizes, seat_capacity)
    locate(families, owner, must)
    cards = np.empty((half_suits, HALF_SUIT), np.int64)
    size = np.zeros(half_suits, np.int64)
    if possible:
        open_cards(owner, cards, size)
    else:
        seat_capacity[:] = 0
    reduced = np.empty((half_suits, seats, SUBSETS))
    common = np.empty((half_suits, seats))
    common[:] = 1.0
    reduce_weights(families, weights, must, cards, size, seat_capacity, reduced, common)
    for i in range(excluded.shape[0]):
        h = excluded[i, 0]
        if size[h] == 0 and is_excluded(excluded[i], owner, h, seat_capacity, 0, cards[h], 0):
            possible = False
        for s in range(seats):
            # Whoever the excluded layout names cannot be merged: its weight counts as not common.
            if seat_capacity[s] > 0 and size[h] > 0 and common[h, s] != 0.0:
                for small in range(1 << size[h]):
                    reduced[h, s, small] *= common[h, s]
                common[h, s] = 0.0
    scale = 1.0
    for h in range(half_suits):
        for s in range(seats):
            if common[h, s] != 0.0:
                scale *= common[h, s]

    place_of, places = assign_places(common, size, seat_capacity, merge)
    capacity = np.zeros(places, np.int64)
    seat_at = np.zeros(places, np.int64)
    for s in range(seats):
        if place_of[s] >= 0:
            capacity[place_of[s]] += seat_capacity[s]
            seat_at[place_of[s]] = s
    # The last place's cards follow from the total: it takes no part in the index of a state.
    stride = np.zeros(places, np.int64)
    states = 1
    start = 0
    guard = 0
    for k in range(places):
        if k < places - 1:
            stride[k] = states
            states *= capacity[k] + 1
        start |= (FULL - capacity[k]) << (FIELD * k)
        guard |= 1 << (FIELD * k + FIELD - 1)

    pool = np.empty(half_suits * HALF_SUIT, np.int64)
    pooled = 0
    leaf_half_suit = np.empty(half_suits, np.int64)
    leaves = 0
    room = 0
    for h in range(half_suits):
        free = merge
        ways = 1
        for s in range(seats):
            if seat_capacity[s] > 0 and common[h, s] == 0.0:
                free = False
        for j in range(size[h]):
            owners = 0
            for s in range(seats):
                if families[h, s] & HAS[cards[h, j]] != 0 and seat_capacity[s] > 0:
                    owners += 1
            ways *= min(owners, places)
            if free:
                pool[pooled] = h * HALF_SUIT + cards[h, j]
                pooled += 1
        if size[h] > 0 and not free:
            leaf_half_suit[leaves] = h
            leaves += 1
            room += ways

    leaf_cards = np.empty((leaves, HALF_SUIT), np.int64)
    leaf_cards[:] = -1
    layouts_from = np.zeros(leaves + 1, np.int64)
    entries_from = np.zeros(leaves + 1, np.int64)
    layout_code = np.empty(room, np.int64)
    layout_entry = np.empty(room, np.int64)
    layout_weight = np.empty(room)
    entry_step = np.empty(room, np.int64)
    entry_packed = np.empty(room, np.int64)
    entry_weight = np.empty(room)
    slot = minus_ones(states)
    place_weights = np.empty((places, SUBSETS))
    stack = np.empty((9, places), np.int64)
    products = np.empty((2, places))
    like = np.empty(half_suits * HALF_SUIT, np.int64)
    for card in range(len(like)):
        like[card] = card
    first = np.empty(HALF_SUIT, np.int64)
    alike = np.zeros(SUBSETS, np.int64)
    orders = np.empty(SUBSETS)
    orders[:] = 1.0
    layouts = 0
    entries = 0
    for leaf in range(leaves):
        h = leaf_half_suit[leaf]
        for j in range(size[h]):
            leaf_cards[leaf, j] = h * HALF_SUIT + cards[h, j]
        for k in range(places):
            for small in range(1 << size[h]):
                place_weights[k, small] = reduced[h, seat_at[k], small]
        if fold_alike:
            find_alike(families, weights, excluded, h, cards[h], size[h], first)
            count_alike(first, size[h], alike, orders)
            for j in range(size[h]):
                like[h * HALF_SUIT + cards[h, j]] = h * HALF_SUIT + cards[h, first[j]]
        # An entry is never ahead of its layout, so the vectors of layouts wait where entries go.
        found = list_layouts(
            place_weights,
            size[h],
            capacity,
            stride,
            layout_code[layouts:],
            layout_weight[layouts:],
            entry_step[layouts:],
            entry_packed[layouts:],
            alike,
            orders,
            stack,
            products,
        )
        first_entry = entries
        kept = layouts
        for i in range(layouts, layouts + found):
            if excluded.shape[0] and ruled_out(
                excluded, owner, h, place_of, layout_code[i], cards[h], size[h]
            ):
                continue
            step = entry_step[i]
            entry = slot[step]
            if entry < 0:
                entry = entries
                slot[step] = entry
                entry_step[entry] = step
                entry_packed[entry] = entry_packed[i]
                entry_weight[entry] = 0.0
                entries += 1
            entry_weight[entry] += layout_weight[i]
            layout_code[kept] = layout_code[i]
            layout_weight[kept] = layout_weight[i]
            layout_entry[kept] = entry
            kept += 1
        layouts = kept
        for entry in range(first_entry, entries):
            slot[entry_step[entry]] = -1
        if entries == first_entry:
            possible = False
        layouts_from[leaf + 1] = layouts
        entries_from[leaf + 1] = entries
    order = put_in_order(entries_from, pooled > 0)
    closing = np.empty(0, np.int64)
    if leaves and not pooled:
        closing = close(states, entries_from, entry_step, order[leaves - 1])
    return Tables(
        possible,
        place_of,
        capacity,
        seat_capacity,
        owner,
        start,
        guard,
        stride,
        states,
        leaf_cards,
        layouts_from,
        layout_code[:layouts],
        layout_entry[:layouts],
        layout_weight[:layouts],
        entries_from,
        entry_step[:entries],
        entry_packed[:entries],
        entry_weight[:entries],
        order,
        closing,
        pool[:pooled],
        like,
        scale,
    )


@internal
def ruled_out(
    excluded: Ints, owner: Ints, h: int, place_of: Ints, code: int, cards: Ints, size: int
) -> bool:
    """Whether some row of ``excluded`` rules out the layout of half-suit ``h``."""
    for i in range(excluded.shape[0]):
        if excluded[i, 0] == h and is_excluded(excluded[i], owner, h, place_of, code, cards, size):
            return True
    return False


@internal
def is_excluded(
    row: Ints, owner: Ints, h: int, place_of: Ints, code: int, cards: Ints, size: int
) -> bool:
    """Whether the layout, known cards and code together, is the one that the row rules out."""
    for c in range(HALF_SUIT):
        seat = owner[h * HALF_SUIT + c]
        if seat >= 0 and seat != row[1 + c]:
            return False
    # numba compiles no generator expressions.
    for j in range(size):  # noqa: SIM110
        if place_of[row[1 + cards[j]]] != code >> (3 * j) & 7:
            return False
    return True


class States(NamedTuple):
    """What the forward pass finds."""

    levels_from: Ints
    """For each level (0 to leaves): where its states begin; one more for the end."""
    state_index: Ints
    state_packed: Ints
    state_value: Floats
    """The weight of all ways to deal the leaves before this level that end in this state."""
    rest: Floats
    """For each state of the last level: the ways to deal the pool."""
    total: float
    """The weight of all deals, merged seats counted as one, without `Tables.scale`."""


@internal
def needs(t: Tables) -> Ints:
    """For each level: what to add to a packed state so that every guard bit is set just when the
    leaves that are left can still fill every hand."""
    leaves = len(t.order)
    places = len(t.capacity)
    supply = np.zeros(places, np.int64)
    supply[:] = len(t.pool)
    out = np.zeros(leaves + 1, np.int64)
    for level in range(leaves, -1, -1):
        for k in range(places):
            out[level] += (min(supply[k], t.capacity[k]) + 1) << (FIELD * k)
        if level:
            leaf = t.order[level - 1]
            for k in range(places):
                most = 0
                for e in range(t.entries_from[leaf], t.entries_from[leaf + 1]):
                    most = max(most, t.entry_packed[e] >> (FIELD * k) & FULL)
                supply[k] += most
    return out


@internal
def pool_ways(t: Tables, packed: int) -> float:
    """The ways to deal the pool to what is left of the hands."""
    ways = FACTORIAL[len(t.pool)]
    for k in range(len(t.capacity)):
        ways /= FACTORIAL[FULL - (packed >> (FIELD * k) & FULL)]
    return float(ways)


@internal
def entries_for(t: Tables, level: int, index: int) -> tuple[int, int]:
    """The range of entries that may follow a state of this index at this level."""
    if level == len(t.order) - 1 and len(t.closing):
        e = t.closing[index]
        return max(e, 0), e + 1
    leaf = t.order[level]
    return t.entries_from[leaf], t.entries_from[leaf + 1]


@internal
def forward(t: Tables) -> States:
    """The weight of every state after each leaf."""
    leaves = len(t.order)
    levels_from = np.zeros(leaves + 2, np.int64)
    state_index = np.empty((leaves + 1) * t.states, np.int64)
    state_packed = np.empty((leaves + 1) * t.states, np.int64)
    state_value = np.empty((leaves + 1) * t.states)
    value = np.zeros(t.states)
    need = needs(t)
    state_index[0] = 0
    state_packed[0] = t.start
    state_value[0] = 1.0 if t.possible else 0.0
    filled = 1
    levels_from[1] = 1
    for level in range(leaves):
        first = filled
        for p in range(levels_from[level], levels_from[level + 1]):
            index = state_index[p]
            packed = state_packed[p]
            before = state_value[p]
            begin, end = entries_for(t, level, index)
            for e in range(begin, end):
                after = packed + t.entry_packed[e]
                if after & t.guard:
                    continue
                to = index + t.entry_step[e]
                more = before * t.entry_weight[e]
                known = value[to]
                if known == 0.0:
                    if (after + need[level + 1]) & t.guard != t.guard or more == 0.0:
                        continue
                    state_index[filled] = to
                    state_packed[filled] = after
                    filled += 1
                value[to] = known + more
        for p in range(first, filled):
            state_value[p] = value[state_index[p]]
            value[state_index[p]] = 0.0
        levels_from[level + 2] = filled
    rest = np.empty(filled - levels_from[leaves])
    total = 0.0
    for i in range(len(rest)):
        p = levels_from[leaves] + i
        rest[i] = pool_ways(t, state_packed[p])
        total += state_value[p] * rest[i]
    return States(levels_from, state_index, state_packed, state_value, rest, total)


@internal
def backward(t: Tables, f: States) -> Floats:
    """For each entry: the weight of everything outside its leaf."""
    leaves = len(t.order)
    outside = np.zeros(len(t.entry_weight))
    later = np.zeros(t.states)
    earlier = np.zeros(t.states)
    for i in range(len(f.rest)):
        later[f.state_index[f.levels_from[leaves] + i]] = f.rest[i]
    for level in range(leaves - 1, -1, -1):
        for p in range(f.levels_from[level], f.levels_from[level + 1]):
            index = f.state_index[p]
            packed = f.state_packed[p]
            before = f.state_value[p]
            ways = 0.0
            begin, end = entries_for(t, level, index)
            for e in range(begin, end):
                if (packed + t.entry_packed[e]) & t.guard:
                    continue
                after = later[index + t.entry_step[e]]
                ways += t.entry_weight[e] * after
                outside[e] += before * after
            earlier[index] = ways
        for p in range(f.levels_from[level + 1], f.levels_from[level + 2]):
            later[f.state_index[p]] = 0.0
        later, earlier = earlier, later
    return outside


@internal
def share_alike(share: Floats, like: Ints, cards: Ints) -> None:
    """Give cards of a leaf that are alike the mean of what they have: cards × places."""
    for first in cards:
        if first < 0 or like[first] != first:
            continue
        number = 0
        for card in cards:
            if card >= 0 and like[card] == first:
                number += 1
                if card != first:
                    for k in range(share.shape[1]):
                        share[first, k] += share[card, k]
        if number > 1:
            for k in range(share.shape[1]):
                share[first, k] /= number
            for card in cards:
                if card > first and like[card] == first:
                    for k in range(share.shape[1]):
                        share[card, k] = share[first, k]


@compiled
def posterior(
    families: Ints, news: Ints, hand_sizes: Ints, weights: Floats, excluded: Ints, moved: Ints
) -> tuple[Floats, int]:
    """The probability of every card at every seat: cards × seats; no row if there is no deal.

    Narrows ``families`` by ``news`` first (see `narrow`), and keeps what folding finds unless there
    are weights. ``moved``: for each card where it moved since the deal, a seat; -1 out of play;
    less: nowhere (or an array of zero size). Returns as well which half-suits are settled, as bits:
    those each of whose cards is at one seat for sure.
    """
    narrow(families, news)
    if weights.shape[0]:
        families = families.copy()
    t = build(families, hand_sizes, weights, excluded, True, True)
    cards = len(t.owner)
    seats = len(hand_sizes)
    f = forward(t)
    if f.total == 0.0:
        return np.empty((0, seats)), 0
    out = np.zeros((cards, seats))
    outside = backward(t, f)
    places = len(t.capacity)
    share = np.zeros((cards, places))
    for leaf in range(len(t.order)):
        for i in range(t.layouts_from[leaf], t.layouts_from[leaf + 1]):
            weight = t.layout_weight[i] * outside[t.layout_entry[i]]
            if weight == 0.0:
                continue
            code = t.layout_code[i]
            for j in range(HALF_SUIT):
                card = t.leaf_cards[leaf, j]
                if card < 0:
                    break
                share[card, code & 7] += weight
                code >>= 3
        share_alike(share, t.like, t.leaf_cards[leaf])
    if len(t.pool):
        pool_share = np.zeros(places)
        first = f.levels_from[len(t.order)]
        for i in range(len(f.rest)):
            weight = f.state_value[first + i] * f.rest[i] / len(t.pool)
            for k in range(places):
                room = FULL - (f.state_packed[first + i] >> (FIELD * k) & FULL)
                pool_share[k] += weight * room
        for card in t.pool:
            for k in range(places):
                share[card, k] = pool_share[k]
    for card in range(cards):
        if t.owner[card] >= 0:
            out[card, t.owner[card]] = 1.0
            continue
        total = 0.0
        open_places = 0
        for k in range(places):
            total += share[card, k]
            if share[card, k] > 0.0:
                open_places += 1
        for s in range(seats):
            k = t.place_of[s]
            if k < 0 or share[card, k] == 0.0:
                continue
            if t.seat_capacity[s] == t.capacity[k]:
                out[card, s] = 1.0 if open_places == 1 else share[card, k] / total
            else:
                out[card, s] = share[card, k] / total * (t.seat_capacity[s] / t.capacity[k])
    move(out, moved)
    return out, settled(out)


@compiled
def move(table: Floats, moved: Ints) -> None:
    """Rewrite a posterior for cards that moved since the deal."""
    for card in range(len(moved)):
        if moved[card] >= -1:
            table[card] = 0.0
            if moved[card] >= 0:
                table[card, moved[card]] = 1.0


@internal
def settled(table: Floats) -> int:
    """The half-suits of a posterior each of whose cards is at one seat for sure, as bits."""
    found = 0
    for h in range(len(table) // HALF_SUIT):
        known = 0
        for card in range(h * HALF_SUIT, (h + 1) * HALF_SUIT):
            for s in range(table.shape[1]):
                if table[card, s] == 1.0:
                    known += 1
        if known == HALF_SUIT:
            found |= 1 << h
    return found


@compiled
def total_weight(
    families: Ints, news: Ints, hand_sizes: Ints, weights: Floats, excluded: Ints
) -> float:
    """The weight of all consistent deals; without weights, about their number."""
    narrow(families, news)
    t = build(families.copy(), hand_sizes, weights, excluded, True, True)
    if not t.possible:
        return 0.0
    total = forward(t).total * t.scale
    for k in range(len(t.capacity)):
        total *= FACTORIAL[t.capacity[k]]
    for s in range(len(hand_sizes)):
        total /= FACTORIAL[t.seat_capacity[s]]
    return total


@compiled
def deals_residues(families: Ints, news: Ints, hand_sizes: Ints, excluded: Ints) -> Ints:
    """The number of consistent deals modulo each of `PRIMES`."""
    narrow(families, news)
    t = build(families, hand_sizes, np.empty((0, 0, 0)), excluded, True, True)
    out = np.zeros(LANES, np.int64)
    if not t.possible:
        return out
    leaves = len(t.order)
    places = len(t.capacity)
    need = needs(t)
    value = np.zeros((t.states, LANES), np.int64)
    position = minus_ones(t.states)
    indices = np.zeros(t.states, np.int64)
    packeds = np.zeros(t.states, np.int64)
    values = np.zeros((t.states, LANES), np.int64)
    new_indices = np.zeros(t.states, np.int64)
    new_packeds = np.zeros(t.states, np.int64)
    packeds[0] = t.start
    values[0] = 1
    count = 1
    for level in range(leaves):
        filled = 0
        for p in range(count):
            index = indices[p]
            packed = packeds[p]
            begin, end = entries_for(t, level, index)
            for e in range(begin, end):
                after = packed + t.entry_packed[e]
                if after & t.guard:
                    continue
                to = index + t.entry_step[e]
                if position[to] < 0:
                    if (after + need[level + 1]) & t.guard != t.guard:
                        continue
                    position[to] = filled
                    new_indices[filled] = to
                    new_packeds[filled] = after
                    filled += 1
                ways = np.int64(t.entry_weight[e])
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
        total = total * factorial[len(t.pool)] % prime
        for k in range(places):
            total = total * factorial[t.capacity[k]] % prime
        for s in range(len(hand_sizes)):
            total = total * inverse[t.seat_capacity[s]] % prime
        out[lane] = total
    return out


@internal
def merged_place(t: Tables) -> int:
    """The place that stands for several seats, or -1."""
    for s in range(len(t.place_of)):
        k = t.place_of[s]
        if k >= 0 and t.seat_capacity[s] != t.capacity[k]:
            return int(k)
    return -1


@internal
def seats_of_places(t: Tables) -> Ints:
    """For each place: its seat (one of them, where it stands for several)."""
    seats = np.zeros(len(t.capacity), np.int64)
    for s in range(len(t.place_of)):
        if t.place_of[s] >= 0:
            seats[t.place_of[s]] = s
    return seats


@internal
def shuffle(items: Ints, rng: np.random.Generator) -> None:
    """Fisher and Yates."""
    for i in range(len(items) - 1, 0, -1):
        j = int(rng.random() * (i + 1))
        items[i], items[j] = items[j], items[i]


@internal
def first_above(cumulative: Floats, first: int, last: int, threshold: float) -> int:
    """The first position in [first, last) whose value is above the threshold; should rounding
    leave none, the last position where the values rise."""
    end = last
    while first < last:
        middle = (first + last) // 2
        if cumulative[middle] > threshold:
            last = middle
        else:
            first = middle + 1
    while first == end or (first > 0 and cumulative[first] == cumulative[first - 1]):
        first -= 1
    return first


@compiled
def sample(
    families: Ints,
    news: Ints,
    hand_sizes: Ints,
    weights: Floats,
    excluded: Ints,
    rng: np.random.Generator,
    count: int,
) -> npt.NDArray[np.int8]:
    """Independent deals, each with probability proportional to its weight.

    Returns count × cards: seats; no row at all when there is no deal. The tables of `forward` are
    walked backward: first the last state, then for each leaf its count vector and its layout.
    """
    narrow(families, news)
    t = build(families.copy(), hand_sizes, weights, excluded, True, False)
    f = forward(t)
    cards = len(t.owner)
    if f.total == 0.0:
        return np.empty((0, cards), np.int8)
    out = np.empty((count, cards), np.int8)
    leaves = len(t.order)
    places = len(t.capacity)
    merged = merged_place(t)
    seat_of_place = seats_of_places(t)
    at_index = np.empty(count, np.int64)
    at_packed = np.empty(count, np.int64)

    last = f.levels_from[leaves]
    ends = np.empty(len(f.rest))
    running = 0.0
    for i in range(len(f.rest)):
        running += f.state_value[last + i] * f.rest[i]
        ends[i] = running
    deck = np.empty(len(t.pool), np.int64)
    for d in range(count):
        i = first_above(ends, 0, len(ends), rng.random() * running)
        at_index[d] = f.state_index[last + i]
        at_packed[d] = f.state_packed[last + i]
        filled = 0
        for k in range(places):
            for _ in range(FULL - (at_packed[d] >> (FIELD * k) & FULL)):
                deck[filled] = k
                filled += 1
        shuffle(deck, rng)
        for j in range(len(deck)):
            out[d, t.pool[j]] = deck[j]

    value = np.zeros(t.states)
    row_of = np.empty(t.states, np.int64)
    for level in range(leaves - 1, -1, -1):
        leaf = t.order[level]
        first_layout = t.layouts_from[leaf]
        first_entry = t.entries_from[leaf]
        entries = t.entries_from[leaf + 1] - first_entry
        layouts = t.layouts_from[leaf + 1] - first_layout
        by_entry = np.empty(layouts, np.int64)
        entry_starts = np.zeros(entries + 1, np.int64)
        for i in range(layouts):
            entry_starts[t.layout_entry[first_layout + i] - first_entry + 1] += 1
        for e in range(entries):
            entry_starts[e + 1] += entry_starts[e]
        next_of = entry_starts.copy()
        for i in range(layouts):
            e = t.layout_entry[first_layout + i] - first_entry
            by_entry[next_of[e]] = first_layout + i
            next_of[e] += 1
        upto = np.empty(layouts)
        running = 0.0
        for i in range(layouts):
            running += t.layout_weight[by_entry[i]]
            upto[i] = running
        row_of[:] = -1
        for p in range(f.levels_from[level], f.levels_from[level + 1]):
            value[f.state_index[p]] = f.state_value[p]
        rows = np.empty(64 * entries)
        used = 0
        for d in range(count):
            index = at_index[d]
            packed = at_packed[d]
            row = row_of[index]
            if row < 0:
                if used + entries > len(rows):
                    longer = np.empty(2 * len(rows))
                    longer[:used] = rows[:used]
                    rows = longer
                row = used
                row_of[index] = row
                used += entries
                running = 0.0
                dealt = (packed - t.start) | t.guard
                for e in range(entries):
                    vector = t.entry_packed[first_entry + e]
                    if (dealt - vector) & t.guard == t.guard:
                        before = value[index - t.entry_step[first_entry + e]]
                        running += before * t.entry_weight[first_entry + e]
                    rows[row + e] = running
            threshold = rng.random() * rows[row + entries - 1]
            e = first_above(rows[row : row + entries], 0, entries, threshold)
            base = upto[entry_starts[e] - 1] if entry_starts[e] else 0.0
            threshold = base + rng.random() * (upto[entry_starts[e + 1] - 1] - base)
            i = first_above(upto, entry_starts[e], entry_starts[e + 1], threshold)
            code = t.layout_code[by_entry[i]]
            for j in range(HALF_SUIT):
                card = t.leaf_cards[leaf, j]
                if card < 0:
                    break
                out[d, card] = code & 7
                code >>= 3
            at_index[d] = index - t.entry_step[first_entry + e]
            at_packed[d] = packed - t.entry_packed[first_entry + e]
        for p in range(f.levels_from[level], f.levels_from[level + 1]):
            value[f.state_index[p]] = 0.0

    hands = np.empty(t.capacity[merged] if merged >= 0 else 0, np.int64)
    for d in range(count):
        filled = 0
        if merged >= 0:
            for s in range(len(t.place_of)):
                if t.place_of[s] == merged:
                    for _ in range(t.seat_capacity[s]):
                        hands[filled] = s
                        filled += 1
            shuffle(hands, rng)
        filled = 0
        for card in range(cards):
            if t.owner[card] >= 0:
                out[d, card] = t.owner[card]
            elif out[d, card] == merged:
                out[d, card] = hands[filled]
                filled += 1
            else:
                out[d, card] = seat_of_place[out[d, card]]
    return out


class Claims(NamedTuple):
    """What can be said of the layouts of each half-suit at the seats that a group allows."""

    best: Floats
    """The probability of the most likely such layout, groups × half-suits; 0 when there is none."""
    layout: Ints
    """That layout: groups × half-suits × 6 seats, -1 when there is none."""
    certain: npt.NDArray[np.bool_]
    """Whether no other layout is possible at all, anywhere: groups × half-suits."""
    held: Floats
    """The probability that the allowed seats hold all six cards: groups × half-suits."""


@compiled
def claims(
    families: Ints,
    news: Ints,
    hand_sizes: Ints,
    weights: Floats,
    excluded: Ints,
    allowed: npt.NDArray[np.bool_],
    find_best: bool,
) -> Claims:
    """The best layouts and how likely the cards are held, for groups of seats.

    allowed: groups × cards × seats, who may be named for each card. Without ``find_best`` only
    ``held`` is filled.
    """
    narrow(families, news)
    t = build(families.copy(), hand_sizes, weights, excluded, True, True)
    f = forward(t)
    groups = len(allowed)
    half_suits = len(t.owner) // HALF_SUIT
    best = np.zeros((groups, half_suits))
    layout = np.empty((groups, half_suits, HALF_SUIT), np.int64)
    layout[:] = -1
    certain = np.zeros((groups, half_suits), np.bool_)
    held = np.zeros((groups, half_suits))
    result = Claims(best, layout, certain, held)
    if f.total == 0.0:
        return result
    outside = backward(t, f)
    pooled = np.zeros((half_suits, HALF_SUIT + 1), np.int64)
    for card in t.pool:
        h = card // HALF_SUIT
        pooled[h, 1 + pooled[h, 0]] = card
        pooled[h, 0] += 1
    leaf_of = minus_ones(half_suits)
    for leaf in range(len(t.order)):
        leaf_of[t.leaf_cards[leaf, 0] // HALF_SUIT] = leaf
    for h in range(half_suits):
        open_to = (1 << groups) - 1
        for card in range(h * HALF_SUIT, (h + 1) * HALF_SUIT):
            for g in range(groups):
                if t.owner[card] >= 0 and not allowed[g, card, t.owner[card]]:
                    open_to &= ~(1 << g)
        if leaf_of[h] >= 0:
            best_in_leaf(t, outside, leaf_of[h], allowed, open_to, h, result)
        for g in range(groups):
            if open_to >> g & 1 and pooled[h, 0]:
                cards = pooled[h, 1 : 1 + pooled[h, 0]]
                held[g, h] = held_in_pool(t, f, cards[0], len(cards), allowed[g])
                if find_best:
                    best_in_pool(t, f, cards, allowed[g], layout[g, h], best[g, h : h + 1])
            elif open_to >> g & 1 and leaf_of[h] < 0:
                best[g, h] = 1.0
                held[g, h] = 1.0
                certain[g, h] = True
            for card in range(HALF_SUIT):
                if best[g, h] > 0.0 and t.owner[h * HALF_SUIT + card] >= 0:
                    layout[g, h, card] = t.owner[h * HALF_SUIT + card]
    return result


@internal
def held_in_pool(
    t: Tables, f: States, card: int, size: int, allowed: npt.NDArray[np.bool_]
) -> float:
    """The chance that so many cards of the pool, this one among them, are at allowed seats."""
    merged = merged_place(t)
    open_places = place_allowed(t, card, allowed)
    split = np.empty(HALF_SUIT, np.int64)
    likeliest = np.empty(HALF_SUIT + 1)
    inside = np.empty(HALF_SUIT + 1)
    best_split(t, card, allowed, split, likeliest, inside)
    first = f.levels_from[len(t.order)]
    ours = 0.0
    for i in range(len(f.rest)):
        room = 0
        merged_room = 0
        for k in range(len(t.capacity)):
            free = FULL - (f.state_packed[first + i] >> (FIELD * k) & FULL)
            if k == merged:
                merged_room = free
            elif open_places[k]:
                room += free
        chance = 0.0
        for hidden in range(size + 1):
            ways = FACTORIAL[size] / FACTORIAL[hidden] / FACTORIAL[size - hidden] * inside[hidden]
            for n in range(hidden):
                ways *= max(merged_room - n, 0)
            for n in range(size - hidden):
                ways *= max(room - n, 0)
            chance += ways
        ours += f.state_value[first + i] * f.rest[i] * chance
    for n in range(size):
        ours /= len(t.pool) - n
    return ours / f.total


@internal
def best_split(
    t: Tables,
    card: int,
    allowed: npt.NDArray[np.bool_],
    seats: Ints,
    likeliest: Floats,
    inside: Floats,
) -> None:
    """How the merged seats share cards of one half-suit when only some of them are allowed.

    Fills, for up to six cards that the merged place gets: the seats that make the likeliest layout,
    in order; its probability; and the probability that all the cards are at allowed seats.
    """
    seats[:] = -1
    likeliest[:] = 0.0
    inside[:] = 0.0
    merged = merged_place(t)
    likeliest[0] = 1.0
    inside[0] = 1.0
    if merged < 0:
        return
    room = np.zeros(len(t.place_of), np.int64)
    inside_room = 0
    for s in range(len(t.place_of)):
        if t.place_of[s] == merged and allowed[card, s]:
            room[s] = t.seat_capacity[s]
            inside_room += room[s]
    for n in range(min(HALF_SUIT, t.capacity[merged])):
        seat = 0
        for s in range(len(room)):
            if room[s] > room[seat]:
                seat = s
        left = t.capacity[merged] - n
        likeliest[n + 1] = likeliest[n] * room[seat] / left
        inside[n + 1] = inside[n] * max(inside_room - n, 0) / left
        if room[seat] > 0:
            seats[n] = seat
            room[seat] -= 1


@internal
def place_allowed(t: Tables, card: int, allowed: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    out = np.zeros(len(t.capacity), np.bool_)
    for s in range(len(t.place_of)):
        if t.place_of[s] >= 0 and allowed[card, s]:
            out[t.place_of[s]] = True
    return out


@internal
def ways_alike(t: Tables, cards: Ints, code: int) -> float:
    """For how many layouts of a leaf, which differ by cards that are alike, this one stands."""
    ways = 1.0
    for j in range(HALF_SUIT):
        if cards[j] < 0:
            break
        alike = 1
        together = 1
        for i in range(j):
            if t.like[cards[i]] == t.like[cards[j]]:
                alike += 1
                if code >> (3 * i) & 7 == code >> (3 * j) & 7:
                    together += 1
        ways = ways * alike / together
    return ways


@internal
def best_in_leaf(
    t: Tables,
    outside: Floats,
    leaf: int,
    allowed: npt.NDArray[np.bool_],
    open_to: int,
    h: int,
    result: Claims,
) -> None:
    """Fill the results of a leaf for the groups in ``open_to`` (bits)."""
    cards = t.leaf_cards[leaf]
    groups = len(allowed)
    merged = merged_place(t)
    seat_of_place = seats_of_places(t)
    split = np.empty((groups, HALF_SUIT), np.int64)
    likeliest = np.empty((groups, HALF_SUIT + 1))
    inside = np.empty((groups, HALF_SUIT + 1))
    place_open_to = np.zeros(len(t.capacity), np.int64)
    for g in range(groups):
        best_split(t, cards[0], allowed[g], split[g], likeliest[g], inside[g])
        for s in range(len(t.place_of)):
            if t.place_of[s] >= 0 and allowed[g, cards[0], s]:
                place_open_to[t.place_of[s]] |= 1 << g
    total = 0.0
    held = np.zeros(groups)
    best = np.zeros(groups)
    best_code = minus_ones(groups)
    possible = 0.0
    for i in range(t.layouts_from[leaf], t.layouts_from[leaf + 1]):
        weight = t.layout_weight[i] * outside[t.layout_entry[i]]
        if weight == 0.0:
            continue
        total += weight
        possible += 1.0
        code = t.layout_code[i]
        left = open_to
        hidden = 0
        for j in range(HALF_SUIT):
            if cards[j] < 0:
                break
            k = code >> (3 * j) & 7
            left &= place_open_to[k]
            # Few layouts are inside one group, and most show that with their first cards.
            if left == 0:
                break
            if k == merged:
                hidden += 1
        if left == 0:
            continue
        ways = ways_alike(t, cards, code)
        possible += hidden + ways - 1.0
        for g in range(groups):
            if left >> g & 1:
                held[g] += weight * inside[g, hidden]
                if weight / ways * likeliest[g, hidden] > best[g]:
                    best[g] = weight / ways * likeliest[g, hidden]
                    best_code[g] = code
    for g in range(groups):
        if best[g] == 0.0:
            continue
        hidden = 0
        for j in range(HALF_SUIT):
            if cards[j] < 0:
                break
            k = best_code[g] >> (3 * j) & 7
            if k == merged:
                result.layout[g, h, cards[j] % HALF_SUIT] = split[g, hidden]
                hidden += 1
            else:
                result.layout[g, h, cards[j] % HALF_SUIT] = seat_of_place[k]
        result.certain[g, h] = possible == 1.0
        result.best[g, h] = 1.0 if possible == 1.0 else best[g] / total
        result.held[g, h] = 1.0 if possible == 1.0 else held[g] / total


@internal
def best_in_pool(
    t: Tables,
    f: States,
    cards: Ints,
    allowed: npt.NDArray[np.bool_],
    layout: Ints,
    best: Floats,
) -> None:
    """The likeliest way to deal the cards, of the pool, to allowed seats.

    Fills ``layout`` for these cards (six seats) and ``best``, one number, its probability.
    """
    places = len(t.capacity)
    size = len(cards)
    merged = merged_place(t)
    seat_of_place = seats_of_places(t)
    open_places = place_allowed(t, cards[0], allowed)
    split = np.empty(HALF_SUIT, np.int64)
    likeliest = np.empty(HALF_SUIT + 1)
    inside = np.empty(HALF_SUIT + 1)
    best_split(t, cards[0], allowed, split, likeliest, inside)
    first = f.levels_from[len(t.order)]
    best[0] = 0.0
    chosen = np.zeros(places, np.int64)
    got = np.zeros(places, np.int64)
    at = np.zeros(size, np.int64)
    j = 0
    at[0] = -1
    while j >= 0:
        if at[j] >= 0:
            got[at[j]] -= 1
        at[j] += 1
        while at[j] < places and not open_places[at[j]]:
            at[j] += 1
        if at[j] == places:
            j -= 1
            continue
        got[at[j]] += 1
        if j < size - 1:
            j += 1
            at[j] = at[j - 1] - 1
            if at[j] >= 0:
                got[at[j]] += 1
            continue
        chance = 0.0
        for i in range(len(f.rest)):
            weight = f.state_value[first + i] * f.rest[i]
            for k in range(places):
                room = FULL - (f.state_packed[first + i] >> (FIELD * k) & FULL)
                for n in range(got[k]):
                    weight *= max(room - n, 0)
            chance += weight
        chance /= f.total
        for n in range(size):
            chance /= len(t.pool) - n
        hidden = got[merged] if merged >= 0 else 0
        if chance * likeliest[hidden] > best[0]:
            best[0] = chance * likeliest[hidden]
            for k in range(places):
                chosen[k] = got[k]
    if best[0] == 0.0:
        return
    j = 0
    for k in range(places):
        for n in range(chosen[k]):
            seat = split[n] if k == merged else seat_of_place[k]
            layout[cards[j] % HALF_SUIT] = seat
            j += 1


@compiled
def layouts(
    families: Ints,
    news: Ints,
    hand_sizes: Ints,
    weights: Floats,
    excluded: Ints,
    half_suit: int,
) -> tuple[Ints, Floats]:
    """Every possible layout of a half-suit (n × 6 seats) and its probability (n)."""
    narrow(families, news)
    t = build(families.copy(), hand_sizes, weights, excluded, False, False)
    f = forward(t)
    cards = t.owner[half_suit * HALF_SUIT : (half_suit + 1) * HALF_SUIT]
    leaf = -1
    for i in range(len(t.order)):
        if t.leaf_cards[i, 0] // HALF_SUIT == half_suit:
            leaf = i
    if f.total == 0.0 or leaf < 0:
        count = 1 if f.total > 0.0 else 0
        out = np.empty((count, HALF_SUIT), np.int64)
        out[:] = cards
        return out, np.ones(count)
    outside = backward(t, f)
    seat_of_place = seats_of_places(t)
    first = t.layouts_from[leaf]
    out = np.empty((t.layouts_from[leaf + 1] - first, HALF_SUIT), np.int64)
    chances = np.empty(len(out))
    found = 0
    for i in range(first, t.layouts_from[leaf + 1]):
        weight = t.layout_weight[i] * outside[t.layout_entry[i]]
        if weight == 0.0:
            continue
        out[found] = cards
        code = t.layout_code[i]
        for j in range(HALF_SUIT):
            card = t.leaf_cards[leaf, j]
            if card < 0:
                break
            out[found, card % HALF_SUIT] = seat_of_place[code & 7]
            code >>= 3
        chances[found] = weight
        found += 1
    chances = chances[:found]
    return out[:found], chances / chances.sum()


@compiled
def subsets(
    families: Ints, news: Ints, hand_sizes: Ints, weights: Floats, excluded: Ints
) -> Floats:
    """The probability that a seat was dealt just this subset: half-suits × seats × 64."""
    narrow(families, news)
    t = build(families.copy(), hand_sizes, weights, excluded, False, False)
    f = forward(t)
    half_suits, seats = families.shape
    out = np.zeros((half_suits, seats, SUBSETS))
    if f.total == 0.0:
        return out
    outside = backward(t, f)
    known = np.zeros((half_suits, seats), np.int64)
    for card in range(len(t.owner)):
        if t.owner[card] >= 0:
            known[card // HALF_SUIT, t.owner[card]] |= 1 << card % HALF_SUIT
    is_leaf = np.zeros(half_suits, np.bool_)
    subset_of = np.zeros(seats, np.int64)
    seat_of_place = seats_of_places(t)
    for leaf in range(len(t.order)):
        h = t.leaf_cards[leaf, 0] // HALF_SUIT
        is_leaf[h] = True
        total = 0.0
        for i in range(t.layouts_from[leaf], t.layouts_from[leaf + 1]):
            weight = t.layout_weight[i] * outside[t.layout_entry[i]]
            total += weight
            code = t.layout_code[i]
            subset_of[:] = known[h]
            for j in range(HALF_SUIT):
                card = t.leaf_cards[leaf, j]
                if card < 0:
                    break
                subset_of[seat_of_place[code & 7]] |= 1 << card % HALF_SUIT
                code >>= 3
            for s in range(seats):
                out[h, s, subset_of[s]] += weight
        out[h] /= total
    for h in range(half_suits):
        if not is_leaf[h]:
            for s in range(seats):
                out[h, s, known[h, s]] = 1.0
    return out


def compiled_before() -> bool:
    """Whether this machine has compiled kernels in its cache, or needs none."""
    stats = getattr(posterior, "stats", None)
    kept = f"kernels.posterior-{version(__name__)}-*.nbi"
    return stats is None or any(Path(stats.cache_path).glob(kept))
