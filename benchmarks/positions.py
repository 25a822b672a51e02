"""The games that benchmarks measure on: random legal asks, half of the known cards taken.

When the player on turn can prove that an opponent has a card, a fair coin decides whether he takes
it; otherwise he makes a uniformly random legal ask. What he can prove is claimed at once.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from literature_ai.events import Action, Ask, Claim, Pass
from literature_ai.game.game import Game
from literature_ai.inference.knowledge import Knowledge
from literature_ai.rules import RuleSet


def decisions(rules: RuleSet, seed: int) -> Iterator[tuple[Game, Knowledge]]:
    """Play the game of this seed; before every decision: the game, and what the seat on turn
    knows. Whoever looks may ask that knowledge anything, but must not let it observe."""
    rng = np.random.default_rng(seed)
    game = Game.deal(rules, rng=rng)
    known = [Knowledge(rules, seat, game.hand(seat)) for seat in range(rules.players)]
    while not game.over:
        turn = game.turn
        assert turn is not None
        yield game, known[turn]
        event = game.apply(_decide(game, known[turn], rng))
        for knowledge in known:
            knowledge.observe(event)


def _decide(game: Game, knowledge: Knowledge, rng: np.random.Generator) -> Action:
    turn = game.turn
    assert turn is not None
    asks = game.legal_asks()
    if game.may_claim(turn):
        provable = knowledge.certain_claims()
        if provable:
            return provable[0]
        if not asks:
            best = knowledge.claims()[0]
            return Claim(best.half_suit, best.holders)
    if not asks:
        return Pass(game.legal_passes()[0])
    certain = knowledge.certain()
    sure = [Ask(certain[c], c) for c in certain if Ask(certain[c], c) in asks]
    if sure and rng.random() < 0.5:
        return sure[int(rng.integers(len(sure)))]
    return asks[int(rng.integers(len(asks)))]
