"""Ten thousand games of all agents under random rules, from any moment of a game on."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import helpers as h
import numpy as np
import pytest
from seated import SPECS, seat_all

from literature_ai.events import Asked, Claimed, Passed
from literature_ai.game.game import Game
from literature_ai.game.turns import steps

pytestmark = pytest.mark.slow

QUICK = ("oracle", *(spec for spec in SPECS if not spec.startswith("champion")))
SLOW = ("expert", "champion:budget=6,lookahead=2")


def events_of(specs: tuple[str, ...], seed: int, most: int) -> list[object]:
    """The events, at most so many, that agents make who take over in the middle of a game.

    Rules, agents, and the number of random legal events before are drawn, so that the end of a
    game, where there is least to choose from, is reached as often as its beginning.
    """
    rng = np.random.default_rng((6, seed))
    begun = int(rng.integers(100))
    rules = replace(h.random_rules(rng), max_events=begun + most)
    game = Game.deal(rules, rng=rng)
    agents = seat_all([specs[i] for i in rng.integers(len(specs), size=rules.players)], game, seed)
    while not game.over and len(game.events) < begun:
        event = h.random_step(game, rng)
        for agent in agents:
            agent.observe(event)
    return list(steps(game, agents, None))


@pytest.mark.parametrize("thousand", range(10))
def test_no_agent_breaks_any_rule_in_ten_thousand_games(thousand: int) -> None:
    """Under random rules and in random seats, no agent breaks a rule or raises."""
    made: Counter[type] = Counter()
    for seed in range(1000 * thousand, 1000 * thousand + 1000):
        made.update(map(type, events_of(QUICK, seed, most=20)))
    assert min(made[Asked], made[Claimed], made[Passed]) > 100


def test_the_strongest_agents_break_no_rule_in_two_hundred_games() -> None:
    """The same holds for the agents with rollouts, in shorter games and with small budgets."""
    made: Counter[type] = Counter()
    for seed in range(200):
        made.update(map(type, events_of(SLOW, seed, most=16)))
    assert min(made[Asked], made[Claimed], made[Passed]) > 100
