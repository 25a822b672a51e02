"""Samples of deals are independent and exact: chi-square of all card marginals."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import SIZES

from literature_ai.game.game import Game
from literature_ai.inference.knowledge import Knowledge
from literature_ai.rules import RuleSet

pytestmark = pytest.mark.slow

SAMPLES = 200_000
BATCH = 10_000


def knowledge_after(rules: RuleSet, events: int, seed: int) -> Knowledge:
    """What seat 0 knows after so many random asks, every third a sure hit."""
    game = Game.deal(rules, seed=seed)
    rng = np.random.default_rng(seed)
    knowledge = Knowledge(rules, 0, game.hand(0))
    while len(game.events) < events:
        asks = game.legal_asks()
        hits = [ask for ask in asks if ask.card in game.hand(ask.target)]
        chosen = hits if hits and rng.random() < 1 / 3 else asks
        knowledge.observe(game.apply(chosen[int(rng.random() * len(chosen))]))
    return knowledge


@pytest.mark.parametrize(("events", "weighted"), [(0, False), (10, False), (40, False), (40, True)])
@pytest.mark.parametrize("rules", SIZES, ids=lambda rules: f"{rules.players} {rules.words()}")
def test_every_card_is_sampled_as_often_as_it_should_be(
    rules: RuleSet, events: int, weighted: bool
) -> None:
    """Of each card, how often each seat is dealt it fits the exact probabilities within five sigma
    of chi-square (Wilson and Hilferty 1931), and impossible places never occur."""
    knowledge = knowledge_after(rules, events, seed=events)
    rng = np.random.default_rng(31)
    weights = None
    if weighted:
        weights = rng.uniform(0.2, 1.0, (rules.half_suits, rules.players, 64))
    exact = knowledge.counting.posterior(weights)
    drawn = np.zeros(exact.shape)
    for _ in range(SAMPLES // BATCH):
        deals = knowledge.sample(rng, BATCH, weights)
        assert (deals.shape, deals.dtype) == ((BATCH, rules.cards), np.int8)
        for seat in range(rules.players):
            drawn[:, seat] += (deals == seat).sum(axis=0)
    possible = exact > 0
    assert not drawn[~possible].any()
    expected = exact * SAMPLES
    terms = np.where(possible, (drawn - expected) ** 2 / np.where(possible, expected, 1.0), 0.0)
    freedom = possible.sum(axis=1) - 1
    open_cards = freedom > 0
    k = freedom[open_cards]
    cube_roots = (terms.sum(axis=1)[open_cards] / k) ** (1 / 3)
    spread = 2 / (9 * k)
    assert ((cube_roots - 1 + spread) / np.sqrt(spread)).max() < 5
