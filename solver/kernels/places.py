"""Places (seats with open cards) and the two encodings of a state.

A state is the number of cards that each place has been dealt. Its index is a number in mixed radix.
Its packed form has `FIELD` bits for each place, biased so that an overfull hand sets the highest of
them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.compilation import compiled
from solver.kernels.arrays import Floats2, Ints

FIELD = 7
"""Bits of one place in a packed state: six for a number up to 63, and one guard bit."""
FULL = (1 << (FIELD - 1)) - 1
"""The field of a place with a full hand; also the mask of its number."""


class Places(NamedTuple):
    """The places, and the numbering of states."""

    of_seat: Ints
    """For each seat: its place, or -1 when all its cards are known."""
    seat: Ints
    """For each place: its seat, or the last of its seats for the merged place."""
    merged: int
    """The merged place, which stands for several seats, or -1."""
    capacity: Ints
    """For each place: the number of open cards it gets."""
    stride: Ints
    """For each place: what one card adds to the index of a state."""
    states: int
    """The number of indices of states."""
    start: int
    """The empty state, packed."""
    guard: int
    """The guard bits of a packed state: set when a hand is overfull."""


@compiled(internal=True)
def assign_places(
    common: Floats2, size: Ints, seat_capacity: Ints, merge: bool
) -> tuple[Ints, int]:
    """The place of each seat with open cards, -1 for other seats; and the number of places.

    With ``merge``, seats without information share the last place.
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
    """The places with their capacities, and the encodings of their states."""
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
    # The cards of the last place follow from the total, so the index leaves it out.
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
