"""Ten thousand games between all agents, under rules drawn at random."""

from __future__ import annotations

from dataclasses import replace

import helpers as h
import numpy as np
import pytest
from test_agents import SPECS, played


@pytest.mark.slow
@pytest.mark.parametrize("thousand", range(10))
def test_no_agent_breaks_any_rule_in_ten_thousand_games(thousand: int) -> None:
    """Whoever sits where, whatever the rules: nobody acts against them, nobody raises."""
    for seed in range(1000 * thousand, 1000 * thousand + 1000):
        rng = np.random.default_rng((6, seed))
        rules = replace(h.random_rules(rng), max_events=60)
        specs = [SPECS[i] for i in rng.integers(len(SPECS), size=rules.players)]
        assert played(specs, rules, seed)
