"""An independent fuzz of everything that is counted, against a plain counter in Python integers."""

from __future__ import annotations

import numpy as np
import pytest
from fuzzing import fuzz, wild_deal
from helpers import random_step
from looking_ahead import check_look_ahead, knowledge

PARTS = 20
POSITIONS = 150
"""In each part."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_all_that_is_counted_agrees_with_a_plain_counter(part):
    """Random rule sets, skewed deals, wrong, split and hidden claims, starved teams, timeouts:
    deals, posterior, zero and one, certain cards, best claims and their flag, layouts, held and
    the support of samples agree with a counter that shares nothing with the engines."""
    assert fuzz(np.random.default_rng([40, part]), POSITIONS) == POSITIONS


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_look_ahead_in_wild_games(part):
    """Each number of the look-ahead (what an answer proves, settles, invites; dangers) equals what
    comes out when that event is simply observed and the question asked again, for any seat."""
    rng = np.random.default_rng([41, part])
    checked = 0
    while checked < 100:
        game = wild_deal(rng)
        claim = float(rng.choice((0.02, 0.1, 0.4)))
        while not game.over:
            random_step(game, rng, claim)
            if rng.random() < 0.1 and not game.over:
                who = int(rng.integers(game.rules.players))
                if knowledge(game, who).deals() < 10**10:
                    check_look_ahead(game, who, asks=2)
                    checked += 1
