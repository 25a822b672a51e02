"""The ask with the best chance of a hit, found in one sweep over a posterior."""

from __future__ import annotations

import numpy as np

from literature_ai.agents.expert.belief import Floats, Ints
from solver.compilation import compiled

EQUAL = 1e-9
"""Probabilities closer than this are taken to be the same."""


@compiled
def likeliest(table: Floats, cards: int, targets: int) -> Ints:
    """The most probable of the asks for these cards of these targets (both as bits).

    table: cards × seats. Returns all that are equally good, in the order of cards and then of
    targets, each as card × seats + target.
    """
    best = -1.0
    for card in range(len(table)):
        if cards >> card & 1:
            for target in range(table.shape[1]):
                if targets >> target & 1:
                    best = max(best, table[card, target])
    found = np.empty(table.size, np.int64)
    count = 0
    for card in range(len(table)):
        if cards >> card & 1:
            for target in range(table.shape[1]):
                if targets >> target & 1 and table[card, target] >= best - EQUAL:
                    found[count] = card * table.shape[1] + target
                    count += 1
    return found[:count]
