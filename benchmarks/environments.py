"""Steps a second of the environments beside the card games of their frameworks, in one loop each.

A step draws a uniformly random legal action from the mask and takes it; new games are begun when
one ends. Ours and the yardstick take turns, and the medians are compared.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from measure import Row, absent, median

ROUNDS = 5
SECONDS = 1.5
"""Processor seconds of one measurement."""


def aec_steps(env: Any) -> float:
    """Steps a second of a PettingZoo environment, observations with masks included."""
    rng, steps = np.random.default_rng(1), 0
    env.reset(seed=1)
    began = time.process_time()
    while (passed := time.process_time() - began) < SECONDS:
        for _ in range(200):
            observation, _, terminated, truncated, _ = env.last()
            action = None
            if not (terminated or truncated):
                legal = observation["action_mask"].nonzero()[0]
                action = int(legal[int(rng.random() * len(legal))])
            env.step(action)
            steps += 1
            if not env.agents:
                env.reset()
    return steps / passed


def openspiel_steps(game: Any) -> float:
    """Steps a second of an OpenSpiel game driven from Python, chance nodes included."""
    rng, steps = np.random.default_rng(1), 0
    began = time.process_time()
    while (passed := time.process_time() - began) < SECONDS:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                action = outcomes[int(rng.random() * len(outcomes))][0]
            else:
                legal = state.legal_actions()
                action = legal[int(rng.random() * len(legal))]
            state.apply_action(action)
            steps += 1
    return steps / passed


def batch_steps(env: Any) -> float:
    """Steps a second of many games at once, with observations, masks and new deals."""
    rng, steps = np.random.default_rng(1), 0
    env.reset(seed=1)
    env.step(env.random_actions(rng))
    began = time.process_time()
    while (passed := time.process_time() - began) < SECONDS:
        env.step(env.random_actions(rng))
        steps += env.num_envs
    return steps / passed


def in_turn(*measured: Callable[[], float]) -> list[float]:
    """The medians of several measurements that take turns."""
    rounds = [[measure() for measure in measured] for _ in range(ROUNDS)]
    return [median([one[i] for one in rounds]) for i in range(len(measured))]


def environments() -> Iterator[Row]:
    """All frameworks, each beside a card game of its own."""
    from literature_ai.rl import aec_env, batch_env
    from literature_ai.rl.pettingzoo_env import raw_env

    figure, raw_figure = "PettingZoo steps", "PettingZoo steps, raw_env"
    try:
        from pettingzoo.classic import leduc_holdem_v4 as leduc

        ours, theirs, raw, raw_theirs = in_turn(
            lambda: aec_steps(aec_env()),
            lambda: aec_steps(leduc.env()),
            lambda: aec_steps(raw_env()),
            lambda: aec_steps(leduc.raw_env()),
        )
    except ImportError:
        yield absent(figure, "pettingzoo[classic]", "/s")
    else:
        name, target = "leduc_holdem_v4", "≥ 1 ×"
        yield Row(figure, ours, "/s", name, theirs, smaller_is_better=False, target=target)
        yield Row(raw_figure, raw, "/s", name, raw_theirs, smaller_is_better=False)
        yield Row(
            figure,
            ours,
            "/s",
            "the figure asked for",
            28_000,
            smaller_is_better=False,
            target="≥ 28,000/s",
        )
    try:
        import pyspiel

        import literature_ai.rl.openspiel_game
    except ImportError:
        yield absent("OpenSpiel steps", "open-spiel", "/s")
    else:
        assert literature_ai.rl.openspiel_game
        game = pyspiel.load_game("python_literature")
        from open_spiel.python.games import liars_poker

        assert liars_poker
        peer = pyspiel.load_game("python_liars_poker")
        ours, theirs = in_turn(lambda: openspiel_steps(game), lambda: openspiel_steps(peer))
        figure, name = "OpenSpiel steps", "python_liars_poker"
        yield Row(figure, ours, "/s", name, theirs, smaller_is_better=False)
        yield Row(
            figure,
            ours,
            "/s",
            "the figure asked for",
            36_000,
            smaller_is_better=False,
            target="≥ 36,000/s",
        )
    (together,) = in_turn(lambda: batch_steps(batch_env(2048)))
    yield Row(
        "steps of 2,048 games at once, with observations and masks",
        together,
        "/s",
        "the figure asked for",
        500_000,
        smaller_is_better=False,
        target="≥ 500,000/s",
    )
