"""The opponent model: what is learned of how each player chooses, and how far it is heeded."""

from __future__ import annotations

import numpy as np
from seated import agent_at

from literature_ai.agents.expert.agent import Expert
from literature_ai.agents.expert.choice_model import ANY, BLUFF, EVERY_STYLE, STYLES
from literature_ai.agents.expert.opponent_model import LEAST_SHARE
from literature_ai.bots.registry import parse_spec
from literature_ai.events import Asked
from literature_ai.game.game import Game
from literature_ai.game.turns import steps
from literature_ai.rules import RuleSet


def watched(specs: list[str], seed: int, events: int) -> Expert:
    """An `expert` in A1 after so many events of a game between these agents."""
    game = Game.deal(RuleSet(max_events=events), seed=seed)
    watcher = agent_at("expert", game, 0)
    assert isinstance(watcher, Expert)
    agents = [parse_spec(spec).make() for spec in specs]
    for event in steps(game, agents, np.random.default_rng(seed)):
        watcher.observe(event)
    assert watcher.beliefs.any()
    return watcher


def test_the_style_of_each_player_is_learned() -> None:
    """Who asks at random is found to follow no fitted style, though their teammates ask as `greedy`
    does; theirs are found to be likelier to follow one."""
    for seed in range(2):
        specs = ["greedy"] * 3 + ["random"] + ["greedy"] * 2
        shares = watched(specs, seed, 60).opponent_model.shares
        fitted = shares[:, : len(STYLES)].sum(axis=1)
        assert fitted[3] < 0.1
        assert shares[[2, 4], STYLES.index("greedy")].min() > 0.8
        assert fitted[[1, 5]].min() > fitted[3]


def test_shares_are_probabilities() -> None:
    """They add up to one; no style that the rules allow is ruled out; nobody bluffs where none
    may."""
    shares = watched(["expert", "random"] * 3, 1, 40).opponent_model.shares
    assert np.allclose(1.0, shares.sum(axis=1))
    assert (shares[:, BLUFF] == 0.0).all()
    assert np.delete(shares, BLUFF, axis=1).min() > 0.9 * LEAST_SHARE


def test_an_ask_in_no_known_style_says_nothing() -> None:
    """Of a player who follows no known style for certain, no hand that may ask loses weight."""
    game = Game.deal(RuleSet(), seed=3, start=1)
    expert = agent_at("expert", game, 0)
    assert isinstance(expert, Expert)
    model = expert.opponent_model
    model.shares[:] = np.eye(EVERY_STYLE)[ANY]
    asks = game.legal_asks()
    expert.observe(game.apply(asks[len(asks) // 2]))
    gains = model.read(expert.knowledge.sample(np.random.default_rng(1), 200))
    assert gains.max() < 1.3 * gains.min()


def test_bluffs_are_expected() -> None:
    """Under ``bluff-asks`` an ask leaves hands with the card some weight, more of a player whose
    asks are better explained by bluffs."""
    held = []
    for share in (0.1, 0.9):
        game = Game.deal(RuleSet(bluff_asks=True), seed=3, start=1)
        expert = agent_at("expert", game, 0)
        assert isinstance(expert, Expert)
        model = expert.opponent_model
        model.shares[:] = (1.0 - share) * np.eye(EVERY_STYLE)[0] + share * np.eye(EVERY_STYLE)[
            BLUFF
        ]
        card = next(c for c in game.hand(1) if not set(game.hand(0)) & {c})
        expert.observe(Asked(1, 0, card, hit=False))
        held.append(expert.beliefs[card, 1])
    assert 0.02 < held[0] < held[1]
