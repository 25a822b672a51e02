"""Places: seats with open cards, and the packed form of a state.

A state says how many cards each place has been dealt. Its index is a number in mixed radix, its
packed form has `FIELD` bits a place, biased so that a hand with more cards than it holds sets the
highest of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.compilation import compiled
from solver.kernels.arrays import Floats2, Ints

FIELD = 7
"""Bits of one place in a packed state: six for a number up to 63, one to catch the overflow."""
FULL = (1 << (FIELD - 1)) - 1


class Places(NamedTuple):
    """Where cards can go, and how states are numbered."""

    of_seat: Ints
    """For each seat: its place, or -1 when all its cards are known."""
    seat: Ints
    """For each place: its seat (the last of them, where it stands for several)."""
    merged: int
    """The place that stands for several seats, or -1."""
    capacity: Ints
    """For each place: the number of cards it still gets."""
    stride: Ints
    """For each place: what one card adds to the index of a state."""
    states: int
    """The number of indices a state can have."""
    start: int
    """The empty state, packed."""
    guard: int
    """The bits that show an overflow in a packed state."""


@compiled(internal=True)
def assign_places(
    common: Floats2, size: Ints, seat_capacity: Ints, merge: bool
) -> tuple[Ints, int]:
    """A place for each seat with open cards, -1 for the others; and the number of places.

    With ``merge`` the seats of which nothing is known share the last place.
    """
    half_suits, seats = common.shape
    place_of = np.empty(seats, np.int64)
    informed = 0
    for s in range(seats):
        place_of[s] = -1
        if seat_capacity[s] == 0:
            continue
        place_of[s] = 0
        for h in range(half_suits):
            if not merge or (size[h] > 0 and common[h, s] == 0.0):
                place_of[s] = 1
                informed += 1
                break
    places = 0
    unknown = 0
    for s in range(seats):
        if place_of[s] == 1:
            place_of[s] = places
            places += 1
        elif place_of[s] == 0:
            place_of[s] = informed
            unknown = 1
    return place_of, places + unknown


@compiled(internal=True)
def number_states(place_of: Ints, places: int, seat_capacity: Ints) -> Places:
    """The places with their capacities, and how their states are numbered and packed."""
    of_places = np.zeros((3, places), np.int64)
    capacity = of_places[0]
    seat_at = of_places[1]
    stride = of_places[2]
    for s in range(len(place_of)):
        if place_of[s] >= 0:
            capacity[place_of[s]] += seat_capacity[s]
            seat_at[place_of[s]] = s
    merged = -1
    for s in range(len(place_of)):
        if place_of[s] >= 0 and seat_capacity[s] != capacity[place_of[s]]:
            merged = place_of[s]
            break
    # The last place's cards follow from the total: it takes no part in the index of a state.
    states = 1
    start = 0
    guard = 0
    for k in range(places):
        if k < places - 1:
            stride[k] = states
            states *= capacity[k] + 1
        start |= (FULL - capacity[k]) << (FIELD * k)
        guard |= 1 << (FIELD * k + FIELD - 1)
    return Places(place_of, seat_at, merged, capacity, stride, states, start, guard)
