"""Cards that are alike, against the posterior: what is known of one is known of the other."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import EVERY_RULE_SOME_SLOW, random_game

from literature_ai.cards import cards_of
from literature_ai.game.game import Game
from literature_ai.inference.alike import are_alike
from literature_ai.inference.knowledge import Knowledge
from literature_ai.rules import RuleSet


@pytest.mark.parametrize("rules", EVERY_RULE_SOME_SLOW, ids=str)
def test_alike_cards_have_equal_chances(rules: RuleSet) -> None:
    """Of two cards that are alike, each seat has either with the same chance, now and after any
    misses of the one and of the other."""
    rng = np.random.default_rng(5)
    game = random_game(rules, rng, until=12, claim=0.1)
    known = Knowledge(rules, 0, game.dealt[0])
    for event in game.events:
        known.observe(event)
    posterior, found = known.posterior(), 0
    for half_suit in known.in_play:
        for one in cards_of(half_suit):
            for other in range(one + 1, cards_of(half_suit).stop):
                if are_alike(known, one, other):
                    found += 1
                    assert posterior[one] == pytest.approx(posterior[other], abs=1e-11)
                    seat = int(posterior[one].argmax())
                    if posterior[one, seat] < 1.0:
                        first = known.assuming(lacks={one: seat}).posterior()
                        second = known.assuming(lacks={other: seat}).posterior()
                        assert first[one] == pytest.approx(second[other], abs=1e-11)
    assert found


def test_cards_are_alike_until_something_tells_them_apart() -> None:
    """An ask, a move, or the own hand tells cards apart; two half-suits never have any."""
    game = Game.deal(RuleSet(), seed=7, start=0)
    everyone, me = Knowledge(RuleSet()), Knowledge(RuleSet(), 0, game.hand(0))
    assert all(are_alike(everyone, 0, card) for card in range(6))
    assert not are_alike(everyone, 5, 6)
    for card in cards_of(0):
        assert are_alike(me, 0, card) == ((card in game.hand(0)) == (0 in game.hand(0)))
    asked = next(ask for ask in game.legal_asks() if ask.card not in game.hand(ask.target))
    everyone.observe(game.apply(asked))
    others = [card for card in cards_of(asked.card // 6) if card != asked.card]
    assert all(are_alike(everyone, others[0], card) for card in others)
    assert not are_alike(everyone, asked.card, others[0])
