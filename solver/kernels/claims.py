"""The most probable layouts to claim, and the probability that a team holds a half-suit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.compilation import compiled
from solver.kernels.arrays import (
    TRUE,
    Bools3,
    Floats,
    Floats2,
    Floats3,
    Ints,
    Ints2,
    Ints3,
    below_one,
    minus_ones,
)
from solver.kernels.families import HALF_SUIT, narrow
from solver.kernels.passes import FACTORIAL, States, backward, forward
from solver.kernels.places import FIELD, FULL
from solver.kernels.reduction import Reduced, build


class Claims(NamedTuple):
    """Results for each group of allowed seats and each half-suit."""

    best: Floats2
    """The probability of the best layout at allowed seats: groups × half-suits; 0 for none."""
    layout: Ints3
    """The best layout: groups × half-suits × 6 seats; -1 when there is none."""
    held: Floats2
    """The probability that the allowed seats hold all six cards: groups × half-suits."""


@compiled
def claims(
    families: Ints2,
    news: Ints2,
    hand_sizes: Ints,
    weights: Floats3,
    excluded: Ints2,
    allowed: Bools3,
    find_best: bool,
) -> Claims:
    """The most probable layouts and the probabilities that cards are held, for groups of seats.

    Without any group when there is no deal.

    allowed: groups × cards × seats, the seats that may be named for each card. Without
    ``find_best`` the best layouts in the pool are not searched for, and only ``held`` is complete.
    """
    narrow(families, news)
    r = build(families.copy(), hand_sizes, weights, excluded, TRUE[0], TRUE[0])
    f = forward(r)
    groups = len(allowed)
    half_suits = len(families)
    result = no_claims(groups, half_suits)
    if f.total == 0.0:
        return no_claims(0, half_suits)
    outside = backward(r, f)
    open_to = groups_open_to(r.owner, allowed)
    for h in range(half_suits):
        for g in range(groups):
            if open_to[h] >> g & 1:
                result.best[g, h] = 1.0
                result.held[g, h] = 1.0
    for leaf in range(len(r.order)):
        best_in_leaf(r, outside, leaf, allowed, open_to, result)
    pool_places = open_to_pool(r, f)
    begin = 0
    while begin < len(r.pool):
        h = r.pool[begin] // HALF_SUIT
        end = begin
        while end < len(r.pool) and r.pool[end] // HALF_SUIT == h:
            end += 1
        cards = r.pool[begin:end]
        begin = end
        shares = share_out(r.place_of, r.seat_capacity, r.capacity, r.merged, allowed, cards[0])
        for g in range(groups):
            if open_to[h] >> g & 1:
                result.best[g, h] = 0.0
                result.held[g, h] = held_in_pool(r, f, len(cards), pool_places, shares, g)
                if find_best:
                    best_in_pool(r, f, cards, pool_places, shares, g, result)
    for card in range(len(r.owner)):
        for g in range(groups):
            if r.owner[card] >= 0 and result.best[g, card // HALF_SUIT] > 0.0:
                result.layout[g, card // HALF_SUIT, card % HALF_SUIT] = r.owner[card]
    return result


@compiled(internal=True)
def no_claims(groups: int, half_suits: int) -> Claims:
    """Results without any layout."""
    layout = np.empty((groups, half_suits, HALF_SUIT), np.int64)
    for g in range(groups):
        for h in range(half_suits):
            for c in range(HALF_SUIT):
                layout[g, h, c] = -1
    return Claims(
        np.zeros((groups, half_suits), np.float64),
        layout,
        np.zeros((groups, half_suits), np.float64),
    )


@compiled(internal=True)
def groups_open_to(owner: Ints, allowed: Bools3) -> Ints:
    """For each half-suit: the groups that allow the owners of all its known cards, as bits."""
    open_to = np.empty(len(owner) // HALF_SUIT, np.int64)
    for card in range(len(owner)):
        h = card // HALF_SUIT
        if card % HALF_SUIT == 0:
            open_to[h] = (1 << len(allowed)) - 1
        for g in range(len(allowed)):
            if owner[card] >= 0 and not allowed[g, card, owner[card]]:
                open_to[h] &= ~(1 << g)
    return open_to


class Shares(NamedTuple):
    """The allowed places for cards of one half-suit, for each group of allowed seats.

    Also the distribution of up to six cards of the merged place among its seats.
    """

    open_to: Ints
    """For each place: the groups that allow one of its seats, as bits."""
    seats: Ints2
    """The seats of the most probable layout of the cards of the merged place, in order:
    groups × 6."""
    likeliest: Floats2
    """The probability of that layout by number of cards: groups × 7."""
    inside: Floats2
    """The probability that all cards are at allowed seats, by number of cards: groups × 7."""


@compiled(internal=True)
def share_out(
    place_of: Ints, seat_capacity: Ints, capacity: Ints, merged: int, allowed: Bools3, card: int
) -> Shares:
    """The `Shares` of the half-suit of the card."""
    groups = len(allowed)
    shares = Shares(
        np.zeros(len(capacity), np.int64),
        np.empty((groups, HALF_SUIT), np.int64),
        np.zeros((groups, HALF_SUIT + 1), np.float64),
        np.zeros((groups, HALF_SUIT + 1), np.float64),
    )
    room = np.zeros(len(place_of), np.int64)
    for g in range(groups):
        room_inside = 0
        for s in range(len(place_of)):
            room[s] = 0
            if place_of[s] >= 0 and allowed[g, card, s]:
                shares.open_to[place_of[s]] |= 1 << g
                if place_of[s] == merged:
                    room[s] = seat_capacity[s]
                    room_inside += room[s]
        likeliest = shares.likeliest[g]
        inside = shares.inside[g]
        likeliest[0] = 1.0
        inside[0] = 1.0
        if merged < 0:
            continue
        for n in range(min(HALF_SUIT, capacity[merged])):
            seat = 0
            for s in range(len(room)):
                if room[s] > room[seat]:
                    seat = s
            left = capacity[merged] - n
            likeliest[n + 1] = likeliest[n] * room[seat] / left
            inside[n + 1] = inside[n] * max(room_inside - n, 0) / left
            shares.seats[g, n] = seat
            room[seat] -= 1
    return shares


@compiled(internal=True)
def best_in_leaf(
    r: Reduced, outside: Floats, leaf: int, allowed: Bools3, open_to: Ints, result: Claims
) -> None:
    """Fill the results of a leaf, for the groups in ``open_to`` (bits, for each half-suit)."""
    cards = r.leaf_cards[leaf]
    h = cards[0] // HALF_SUIT
    groups = len(allowed)
    merged = r.merged
    shares = share_out(r.place_of, r.seat_capacity, r.capacity, merged, allowed, cards[0])
    total = 0.0
    of_groups = np.zeros((2, groups), np.float64)
    held = of_groups[0]
    best = of_groups[1]
    best_code = minus_ones(groups)
    possible = 0.0
    elsewhere = 0
    for i in range(r.layouts_from[leaf], r.layouts_from[leaf + 1]):
        weight = r.layout_weight[i] * outside[r.layout_entry[i]]
        if weight == 0.0:
            continue
        total += weight
        possible += 1.0
        code = r.layout_code[i]
        left = open_to[h]
        hidden = 0
        for j in range(len(cards)):
            if cards[j] < 0:
                break
            k = code >> (3 * j) & 7
            left &= shares.open_to[k]
            # Most layouts leave every group after their first cards.
            if left == 0:
                break
            if k == merged:
                hidden += 1
        elsewhere |= ~left
        if left == 0:
            continue
        ways = ways_alike(r.like, cards, code)
        possible += hidden + ways - 1.0
        for g in range(groups):
            if left >> g & 1:
                held[g] += weight * shares.inside[g, hidden]
                if shares.inside[g, hidden] < 1.0:
                    elsewhere |= 1 << g
                if weight / ways * shares.likeliest[g, hidden] > best[g]:
                    best[g] = weight / ways * shares.likeliest[g, hidden]
                    best_code[g] = code
    for g in range(groups):
        sure = possible == 1.0 and best[g] > 0.0
        result.best[g, h] = 1.0 if sure else below_one(best[g] / total)
        result.held[g, h] = below_one(held[g] / total) if elsewhere >> g & 1 else 1.0
        if best[g] > 0.0:
            name_seats(r.seat_of, merged, cards, best_code[g], shares.seats[g], result.layout[g, h])


@compiled(internal=True)
def ways_alike(like: Ints, cards: Ints, code: int) -> float:
    """The number of layouts, differing only in cards that are alike, that this one represents."""
    ways = 1.0
    for j in range(len(cards)):
        if cards[j] < 0:
            break
        alike = 1
        together = 1
        for i in range(j):
            if like[cards[i]] == like[cards[j]]:
                alike += 1
                if code >> (3 * i) & 7 == code >> (3 * j) & 7:
                    together += 1
        ways = ways * alike / together
    return ways


@compiled(internal=True)
def name_seats(
    seat_of: Ints, merged: int, cards: Ints, code: int, seats: Ints, layout: Ints
) -> None:
    """Decode a layout into seats; the cards of the merged place get ``seats`` in order."""
    hidden = 0
    for j in range(len(cards)):
        if cards[j] < 0:
            break
        k = code >> (3 * j) & 7
        if k == merged:
            layout[cards[j] % HALF_SUIT] = seats[hidden]
            hidden += 1
        else:
            layout[cards[j] % HALF_SUIT] = seat_of[k]


@compiled(internal=True)
def open_to_pool(r: Reduced, f: States) -> int:
    """The places that may get cards of the pool, as bits."""
    first = f.levels_from[len(r.order)]
    places = 0
    for i in range(len(f.rest)):
        for k in range(len(r.capacity)):
            if f.state_packed[first + i] >> (FIELD * k) & FULL != FULL:
                places |= 1 << k
    return places


@compiled(internal=True)
def held_in_pool(
    r: Reduced, f: States, size: int, pool_places: int, shares: Shares, g: int
) -> float:
    """The probability that ``size`` cards of one half-suit in the pool are at allowed seats.

    pool_places: the places that may get cards of the pool, as bits.
    """
    elsewhere = False
    for k in range(len(r.capacity)):
        if pool_places >> k & 1:
            inside = shares.open_to[k] >> g & 1 == 1
            if not inside or (k == r.merged and shares.inside[g, 1] < 1.0):
                elsewhere = True
    if not elsewhere:
        return 1.0
    first = f.levels_from[len(r.order)]
    ours = 0.0
    for i in range(len(f.rest)):
        room = 0
        merged_room = 0
        for k in range(len(r.capacity)):
            free = FULL - (f.state_packed[first + i] >> (FIELD * k) & FULL)
            if k == r.merged:
                merged_room = free
            elif shares.open_to[k] >> g & 1:
                room += free
        chance = 0.0
        for hidden in range(size + 1):
            ways = FACTORIAL[size] / FACTORIAL[hidden] / FACTORIAL[size - hidden]
            ways *= shares.inside[g, hidden]
            for n in range(hidden):
                ways *= max(merged_room - n, 0)
            for n in range(size - hidden):
                ways *= max(room - n, 0)
            chance += ways
        ours += f.state_value[first + i] * f.rest[i] * chance
    for n in range(size):
        ours /= len(r.pool) - n
    return below_one(ours / f.total)


@compiled(internal=True)
def best_in_pool(
    r: Reduced, f: States, cards: Ints, pool_places: int, shares: Shares, g: int, result: Claims
) -> None:
    """Find the most probable layout of pool cards of one half-suit at allowed seats.

    Fills the layout and its probability for group ``g``. It is certain when a single place may get
    cards of the pool, and this is a single seat.
    """
    places = len(r.capacity)
    size = len(cards)
    h = cards[0] // HALF_SUIT
    best = 0.0
    best_code = np.zeros(1, np.int64)
    got = np.zeros(places, np.int64)
    at = np.zeros(size, np.int64)
    j = 0
    at[0] = -1
    while j >= 0:
        if at[j] >= 0:
            got[at[j]] -= 1
        at[j] += 1
        while at[j] < places and not shares.open_to[at[j]] >> g & 1:
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
        chance = chance_in_pool(r, f, size, got)
        if r.merged >= 0:
            chance *= shares.likeliest[g, got[r.merged]]
        if chance > best:
            best = chance
            best_code[0] = 0
            for i in range(size):
                best_code[0] |= at[i] << (3 * i)
    if best > 0.0:
        sure = pool_places & (pool_places - 1) == 0
        if r.merged >= 0 and pool_places >> r.merged & 1:
            sure = False
        result.best[g, h] = 1.0 if sure else below_one(best)
        name_seats(r.seat_of, r.merged, cards, best_code[0], shares.seats[g], result.layout[g, h])


@compiled(internal=True)
def chance_in_pool(r: Reduced, f: States, size: int, got: Ints) -> float:
    """The probability of one assignment of ``size`` given pool cards to places.

    got: the number of these cards that the assignment gives to each place.
    """
    first = f.levels_from[len(r.order)]
    chance = 0.0
    for i in range(len(f.rest)):
        weight = f.state_value[first + i] * f.rest[i]
        for k in range(len(got)):
            room = FULL - (f.state_packed[first + i] >> (FIELD * k) & FULL)
            for n in range(got[k]):
                weight *= max(room - n, 0)
        chance += weight
    chance /= f.total
    for n in range(size):
        chance /= len(r.pool) - n
    return chance
