"""A million actions of every kind, and the stateful test at length."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import random_rules
from hostile import AnyPlay, attempt, check_time_out, hostile_action
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from literature_ai.game.game import Game

pytestmark = pytest.mark.slow

MILLION = 1_000_000


@pytest.mark.parametrize("part", range(10))
def test_a_million_random_actions_never_corrupt_a_game(part: int) -> None:
    """Each is done exactly when it is legal, changes what it should, and is refused otherwise."""
    rng = np.random.default_rng(np.random.SeedSequence(2026, spawn_key=(part,)))
    done = accepted = finished = 0
    while done < MILLION // 10:
        game = Game.deal(random_rules(rng), rng=rng)
        for _ in range(int(rng.integers(1, 600))):
            accepted += attempt(game, *hostile_action(game, rng))
            done += 1
            if rng.random() < 0.02:
                check_time_out(game)
        finished += game.over
    assert accepted > done // 10
    assert finished > 10


def test_the_stateful_test_at_length() -> None:
    """The machine of the fast tests, with many more and longer runs."""
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        AnyPlay,
        settings=settings(
            derandomize=True,
            deadline=None,
            max_examples=1000,
            stateful_step_count=80,
            suppress_health_check=list(HealthCheck),
        ),
    )
