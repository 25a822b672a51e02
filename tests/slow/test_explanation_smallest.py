"""Hundreds of proofs and disproofs, each checked by exhaustive search."""

import numpy as np
import pytest
from cnf_reference import SmallestSets
from reference import random_problem

from solver.explanation import smallest_disproof, smallest_proof
from solver.sat import Sat

pytestmark = pytest.mark.slow

FEASIBLE = 7
"""How many events beyond the needed ones the exhaustive search can choose in a few seconds."""


@pytest.mark.parametrize(("players", "deck"), [(4, 48), (6, 48), (8, 48), (6, 54)])
@pytest.mark.parametrize("events", [40, 70, 110])
def test_no_smaller_set_exists(players, deck, events):
    """What is certain of each half-suit, and an impossible card: no smaller set does either."""
    checked = 0
    for seed in range(10):
        rng = np.random.default_rng([seed, players, deck, events])
        problem, _ = random_problem(rng, players, deck, events, own_hand=seed % 3 or None)
        backbone = Sat(problem).backbone()
        for first in range(0, deck, 6):
            cards = range(first, first + 6)
            layout = {
                c: backbone[c].bit_length() - 1 for c in cards if backbone[c].bit_count() == 1
            }
            impossible = [(c, s) for c in cards for s in range(players) if not backbone[c] >> s & 1]
            if layout:
                proof = smallest_proof(problem, layout)
                elsewhere = SmallestSets(
                    problem, lambda cnf, at=layout: [[-cnf.dealt(c, s) for c, s in at.items()]]
                )
                if len(proof) - len(elsewhere.needed()) <= FEASIBLE:
                    elsewhere.check(proof)
                    checked += 1
            if impossible:
                card, seat = impossible[rng.integers(len(impossible))]
                proof = smallest_disproof(problem, {card: seat})
                there = SmallestSets(problem, lambda cnf, at=(card, seat): [[cnf.dealt(*at)]])
                if len(proof) - len(there.needed()) <= FEASIBLE:
                    there.check(proof)
                    checked += 1
    assert checked >= 50
