"""What every query may cost, counted in conflicts, at positions with many wrong claims."""

import numpy as np
import pytest
from fuzzing import wild_deal
from helpers import random_step

from literature_ai.inference.knowledge import Knowledge
from solver.counting import Counting
from solver.explanation import smallest_disproof, smallest_proof
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
        assert len(list(sat.deals(3))) == min(known.deals(), 3)
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
