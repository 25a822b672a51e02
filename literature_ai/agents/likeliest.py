"""The asks with the highest chance of a hit, found in two passes over a posterior."""

from __future__ import annotations

import numpy as np

from solver.compilation import compiled
from solver.kernels.arrays import Floats2, Ints

EQUAL = 1e-9
"""Probabilities closer than this count as equal."""


@compiled
def likeliest(posterior: Floats2, cards: int, targets: int) -> Ints:
    """The most probable of the asks for these cards of these targets (both as bit masks).

    ``posterior`` is cards × seats. Returns all that are equally good, in the order of cards and
    then of targets, each as card × seats + target.
    """
    best = -1.0
    for card in range(len(posterior)):
        if cards >> card & 1:
            for target in range(posterior.shape[1]):
                if targets >> target & 1:
                    best = max(best, posterior[card, target])
    found = np.empty(posterior.size, np.int64)
    count = 0
    for card in range(len(posterior)):
        if cards >> card & 1:
            for target in range(posterior.shape[1]):
                if targets >> target & 1 and posterior[card, target] >= best - EQUAL:
                    found[count] = card * posterior.shape[1] + target
                    count += 1
    return found[:count]
