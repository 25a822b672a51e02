"""Plot the cost by number of players, stage of the game and batch size into one PNG file."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
from deduction import NO_MOVES, NO_NEWS, NO_WEIGHTS, families_of
from measure import best, median
from positions import decisions

from literature_ai.game.batch import Batch
from literature_ai.rules import RuleSet
from solver.kernels import posterior as kernel

GAMES = 6
STAGE = 10
"""Width of a bin, in events."""
SAMPLES = (1, 10, 100, 1_000, 10_000, 100_000)
GAMES_TOGETHER = (1, 10, 100, 1_000, 5_000)


def posterior_by_stage(players: int) -> dict[int, float]:
    """Median milliseconds of a posterior, by the number of events before it."""
    times: dict[int, list[float]] = defaultdict(list)
    for seed in range(GAMES):
        for game, knowledge in decisions(RuleSet(players=players), seed):
            families, hands, excluded = families_of(knowledge.problem)

            def posterior(families=families, hands=hands, excluded=excluded):
                kernel.posterior(families.copy(), NO_NEWS, hands, NO_WEIGHTS, excluded, NO_MOVES)

            times[len(game.events) // STAGE * STAGE].append(best(posterior) * 1e3)
    return {stage: median(found) for stage, found in sorted(times.items()) if len(found) > GAMES}


def samples_by_batch(players: int) -> list[float]:
    """Samples per second at event 40, for each batch size of `SAMPLES`."""
    knowledge = next(k for g, k in decisions(RuleSet(players=players), 1) if len(g.events) == 40)
    rng = np.random.default_rng(1)
    return [count / best(lambda count=count: knowledge.sample(rng, count)) for count in SAMPLES]


def actions_by_batch(players: int) -> list[float]:
    """Random actions per second of the batched engine, for each size of `GAMES_TOGETHER`."""
    rates = []
    for games in GAMES_TOGETHER:
        actions = []

        def play(games=games, actions=actions):
            batch = Batch.deal(RuleSet(players=players), games, seed=1)
            actions.append(batch.play_randomly(np.random.default_rng(1)).sum())

        time = best(play)
        rates.append(actions[-1] / time)
    return rates


def draw(file: Path) -> dict[str, object]:
    """Draw the three plots into the file and return their data."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    stages = {players: posterior_by_stage(players) for players in (4, 6, 8)}
    samples = {players: samples_by_batch(players) for players in (4, 6, 8)}
    actions = {players: actions_by_batch(players) for players in (4, 6, 8)}
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
    for players in (4, 6, 8):
        label = f"{players} players"
        left.plot(*zip(*stages[players].items(), strict=True), marker=".", label=label)
        middle.plot(SAMPLES, samples[players], marker=".", label=label)
        right.plot(GAMES_TOGETHER, actions[players], marker=".", label=label)
    left.set(yscale="log", xlabel="events so far", title="posterior of one seat, ms (median)")
    middle.set(xscale="log", yscale="log", xlabel="deals in a batch", title="samples/s, event 40")
    right.set(xscale="log", yscale="log", xlabel="games in a batch", title="random actions/s")
    for axes in (left, middle, right):
        axes.grid(alpha=0.3)
        axes.legend()
    figure.savefig(file, dpi=80)
    return {
        "posterior_ms_by_events": stages,
        "samples_per_second": {"batch": SAMPLES, **samples},
        "actions_per_second": {"games": GAMES_TOGETHER, **actions},
    }
