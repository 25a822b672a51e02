"""What every query may cost, counted in conflicts, at positions with many wrong claims."""

from itertools import islice

import numpy as np
import pytest
from fuzzing import wild_deal
from helpers import random_step

from literature_ai.inference.knowledge import Knowledge
from solver.compilation import compiled
from solver.counting import Counting
from solver.explanation import smallest_disproof, smallest_proof
from solver.kernels.enumeration import is_alive, no_fates, put_half_suits_in_order
from solver.kernels.families import narrow
from solver.kernels.passes import forward
from solver.kernels.reduction import build
from solver.sat import CONFLICTS, Sat

pytestmark = pytest.mark.slow

PARTS = 50
POSITIONS = 100
"""In each part."""


def wild_positions(rng, count):
    """Knowledge at random moments of random games: random rules, skewed deals, and wrong, split and
    hidden claims, so many that teams starve."""
    while count:
        game = wild_deal(rng)
        seat = None if rng.random() < 0.3 else int(rng.integers(game.rules.players))
        known = Knowledge(game.rules, seat, None if seat is None else game.hand(seat))
        claim, until = rng.choice((0.05, 0.2, 0.5)), rng.integers(60)
        while not game.over and len(game.events) < until:
            known.observe(random_step(game, rng, claim))
        count -= 1
        yield known


@pytest.mark.parametrize("part", range(PARTS))
def test_no_query_takes_long(part, monkeypatch):
    """At 5,000 random positions with many wrong claims, the SAT engine and the explanations find
    their answers, which are those of counting, within their limits of conflicts."""
    left = []
    monkeypatch.setattr(
        "solver.explanation._Search._satisfied_by_counting",
        lambda search, events: left.append(events),
    )
    rng = np.random.default_rng([60, part])
    for known in wild_positions(rng, POSITIONS):
        sat = Sat(known.problem)
        posterior = Counting(known.problem).posterior()
        possible = (posterior > 0) @ (1 << np.arange(posterior.shape[1]))
        assert possible.tolist() == sat.backbone()
        deals = list(sat.deals(3))
        assert min(known.deals(), 3) == len(deals)
        assert deals == list(islice(known.counting.in_order(), 3))
        assert sat.counted == 0
        assert sat._solver.accum_stats()["conflicts"] <= CONFLICTS
        for card, seat in rng.permutation(np.argwhere(posterior == 1.0))[:1].tolist():
            assert proves(known, smallest_proof(known.problem, {card: seat}), card, seat, 1.0)
        for card, seat in rng.permutation(np.argwhere(posterior == 0.0))[:1].tolist():
            assert proves(known, smallest_disproof(known.problem, {card: seat}), card, seat, 0.0)
    assert left == []


def proves(known, events, card, seat, chance):
    """Whether the events alone give the card this chance to be at the seat."""
    return Counting(known.problem.restricted(events)).posterior()[card, seat] == chance


@compiled
def _examined(families, news, hand_sizes, weights, excluded):
    """How many states the first deal in order needs, and how many a count of the deals."""
    narrow(families, news)
    reduced = build(families.copy(), hand_sizes, weights, excluded, False, False)
    put_half_suits_in_order(reduced)
    fates = no_fates(reduced)
    is_alive(reduced, fates, 0, 0, reduced.start)
    return np.count_nonzero(fates.known), forward(reduced).levels_from[-1]


def test_the_first_deal_in_order_needs_few_states():
    """The search for the first deal examines a twentieth of the states that a count of the same
    problem goes through, at 300 positions together."""
    work = [
        _examined(*known.counting._arguments(None))
        for known in wild_positions(np.random.default_rng(61), 300)
    ]
    examined, counted = np.sum(work, axis=0)
    assert 0 < 20 * examined <= counted
