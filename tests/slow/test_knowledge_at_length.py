"""The promises of `Knowledge` over thousands of games."""

import numpy as np
import pytest
from helpers import EVERY_RULE, random_rules
from knowing import TrueDeal, claims_are_sound, engines_agree, true_places, watched

pytestmark = pytest.mark.slow

GAMES = 2000
BATCH = 50


@pytest.mark.parametrize("batch", range(GAMES // BATCH))
def test_true_deal_is_never_excluded(batch):
    """2,000 games under all rules: at every event the true deal is consistent for every seat and
    for the public, and every true place has a chance for one of them."""
    for game_number in range(batch * BATCH, (batch + 1) * BATCH):
        rng = np.random.default_rng([21, game_number])
        rules = EVERY_RULE[game_number % len(EVERY_RULE)]
        true_deal = None
        for game, known in watched(rules, rng, [None, *range(rules.players)]):
            true_deal = true_deal or TrueDeal(game)
            assert all(true_deal.never_excluded(knowledge) for knowledge in known)
            knowledge = known[1 + len(game.events) % rules.players]
            posterior = knowledge.posterior()
            assert all(posterior[card, seat] > 0 for card, seat in true_places(game))
            assert claims_are_sound(game, knowledge)


@pytest.mark.parametrize("case", range(60))
def test_engines_agree_at_every_event(case):
    """Over 1,000 positions: SAT and counting agree on every place of every card, and counts equal
    full enumeration wherever there are at most 2,000 deals."""
    rng = np.random.default_rng([22, case])
    rules = random_rules(rng)
    seat = None if case % 4 == 0 else int(rng.integers(rules.players))
    for game, (knowledge,) in watched(rules, rng, [seat]):
        if rules.players == 8 and seat is None and len(game.events) < 25:
            continue
        assert engines_agree(knowledge)
        if len(game.events) % 10 == 0 and knowledge.deals() <= 2000:
            assert knowledge.deals() == sum(1 for _ in knowledge.sat.deals())
