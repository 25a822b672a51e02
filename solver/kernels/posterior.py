"""The posterior: the probability of every card at every seat."""

from __future__ import annotations

import numpy as np

from solver.compilation import compiled
from solver.kernels.arrays import TRUE, Floats2, Floats3, Ints, Ints2, below_one
from solver.kernels.families import HALF_SUIT, narrow
from solver.kernels.passes import backward, forward
from solver.kernels.places import FIELD, FULL
from solver.kernels.reduction import build


@compiled
def posterior(
    families: Ints2, news: Ints2, hand_sizes: Ints, weights: Floats3, excluded: Ints2, moved: Ints
) -> tuple[Floats2, int, int]:
    """The probability of every card at every seat, the settled half-suits, and what it took.

    families (half-suits × seats) is first narrowed in place by ``news``, see `narrow`; without
    weights it also keeps the result of propagation. moved: for each card the seat it moved to since
    the deal, -1 for out of play, less for not moved; an empty array for no moves. Returns the
    probabilities, cards × seats, without any row when there is no deal; as bits the half-suits all
    of whose cards are certain; and the number of transitions of the forward pass.
    """
    narrow(families, news)
    if weights.shape[0]:
        families = families.copy()
    r = build(families, hand_sizes, weights, excluded, TRUE[0], TRUE[0])
    cards = len(r.owner)
    seats = len(hand_sizes)
    f = forward(r)
    if f.total == 0.0:
        return np.empty((0, seats), np.float64), 0, f.transitions
    out = np.zeros((cards, seats), np.float64)
    outside = backward(r, f)
    places = len(r.capacity)
    share = np.zeros((cards, places), np.float64)
    for leaf in range(len(r.order)):
        for i in range(r.layouts_from[leaf], r.layouts_from[leaf + 1]):
            weight = r.layout_weight[i] * outside[r.layout_entry[i]]
            if weight == 0.0:
                continue
            code = r.layout_code[i]
            for j in range(HALF_SUIT):
                card = r.leaf_cards[leaf, j]
                if card < 0:
                    break
                share[card, code & 7] += weight
                code >>= 3
        share_alike(share, r.like, r.leaf_cards[leaf])
    if len(r.pool):
        pool_share = np.zeros(places, np.float64)
        first = f.levels_from[len(r.order)]
        for i in range(len(f.rest)):
            weight = f.state_value[first + i] * f.rest[i] / len(r.pool)
            for k in range(places):
                room = FULL - (f.state_packed[first + i] >> (FIELD * k) & FULL)
                pool_share[k] += weight * room
        for card in r.pool:
            for k in range(places):
                share[card, k] = pool_share[k]
    for card in range(cards):
        if r.owner[card] >= 0:
            out[card, r.owner[card]] = 1.0
            continue
        total = 0.0
        open_places = 0
        for k in range(places):
            total += share[card, k]
            if share[card, k] > 0.0:
                open_places += 1
        for s in range(seats):
            k = r.place_of[s]
            if k < 0 or share[card, k] == 0.0:
                continue
            if r.seat_capacity[s] == r.capacity[k]:
                out[card, s] = 1.0 if open_places == 1 else below_one(share[card, k] / total)
            else:
                out[card, s] = share[card, k] / total * (r.seat_capacity[s] / r.capacity[k])
    move(out, moved)
    return out, settled(out), f.transitions


@compiled
def move(chances: Floats2, moved: Ints) -> None:
    """Overwrite the rows of a posterior for cards that moved since the deal."""
    for card in range(len(moved)):
        if moved[card] >= -1:
            chances[card] = 0.0
            if moved[card] >= 0:
                chances[card, moved[card]] = 1.0


@compiled(internal=True)
def settled(chances: Floats2) -> int:
    """The half-suits of a posterior all of whose cards have probability 1 somewhere, as bits."""
    found = 0
    for h in range(len(chances) // HALF_SUIT):
        known = 0
        for card in range(h * HALF_SUIT, (h + 1) * HALF_SUIT):
            for s in range(chances.shape[1]):
                if chances[card, s] == 1.0:
                    known += 1
                    break
        if known == HALF_SUIT:
            found |= 1 << h
    return found


@compiled(internal=True)
def share_alike(share: Floats2, like: Ints, cards: Ints) -> None:
    """Replace the rows of cards that are alike by their mean. share: cards × places."""
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
