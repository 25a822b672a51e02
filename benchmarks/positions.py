"""The seeded games of the benchmarks: random legal asks, and half of the certain hits.

When the player on turn can prove that an opponent has a card, they ask for it with probability 1/2;
otherwise they make a uniformly random legal ask. They claim a half-suit as soon as they can prove
its layout.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from literature_ai.agents.base import Agent
from literature_ai.events import Action, Ask, Claim, Event, Pass
from literature_ai.game.game import Game
from literature_ai.game.turns import steps
from literature_ai.game.view import View
from literature_ai.inference.knowledge import Knowledge
from literature_ai.rules import RuleSet


def decisions(rules: RuleSet, seed: int) -> Iterator[tuple[Game, Knowledge]]:
    """Play the game of this seed; yield the game and the knowledge of the seat on turn before every
    decision. The caller may query the knowledge but must not change it."""
    rng = np.random.default_rng(seed)
    game = Game.deal(rules, rng=rng)
    agents = [_Mixed(rng) for _ in range(rules.players)]
    events = steps(game, agents, np.random.default_rng(seed))
    while game.turn is not None:
        yield game, agents[game.turn].knowledge
        next(events)


class _Mixed(Agent):
    """Plays as the module docstring says; all seats share one generator."""

    knowledge: Knowledge

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def start(self, view: View, rng: np.random.Generator) -> None:
        self.knowledge = Knowledge.of(view)

    def observe(self, event: Event) -> None:
        self.knowledge.observe(event)

    def act(self, view: View) -> Action:
        knowledge, rng, asks = self.knowledge, self.rng, view.legal_asks
        if view.may_claim:
            provable = knowledge.certain_claims()
            if provable:
                return provable[0]
            if not asks:
                best = knowledge.claims()[0]
                return Claim(best.half_suit, best.holders)
        if not asks:
            return Pass(view.legal_passes[0])
        certain = knowledge.certain()
        sure = [Ask(certain[c], c) for c in certain if Ask(certain[c], c) in asks]
        if sure and rng.random() < 0.5:
            return sure[int(rng.integers(len(sure)))]
        return asks[int(rng.integers(len(asks)))]
