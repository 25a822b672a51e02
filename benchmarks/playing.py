"""Speed of the game engines and of tournaments, in actions and games per second."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from measure import Row, absent, best, seconds

from literature_ai.events import Claim, Pass
from literature_ai.game.batch import Batch
from literature_ai.game.game import Game
from literature_ai.rules import RuleSet

GAMES = 2000
PAIRS = 500


def play_alone(seed: int) -> int:
    """Play one game of random asks through `Game`, and return the number of actions."""
    game = Game.deal(RuleSet(), seed=seed)
    chances = np.random.default_rng(seed).random(game.rules.max_events).tolist()
    while not game.over:
        asks = game.legal_asks()
        if asks:
            game.apply(asks[int(chances[len(game.events)] * len(asks))])
        elif passes := game.legal_passes():
            game.apply(Pass(passes[0]))
        else:
            game.apply(Claim(game.in_play[0], (game.turn or 0,) * 6))
    return len(game.events)


def play_together() -> int:
    """Deal and play many random games through `Batch`, and return the number of actions."""
    batch = Batch.deal(RuleSet(), GAMES, seed=1)
    return int(batch.play_randomly(np.random.default_rng(1)).sum())


def games_alone() -> Iterator[Row]:
    """Random actions per second through `Game`, one game at a time."""
    time, actions = seconds(lambda: sum(map(play_alone, range(200))))
    yield Row(
        "random actions, public Game, one at a time",
        actions / time,
        "/s",
        "the figure asked for",
        100_000,
        smaller_is_better=False,
        target="≥ 100,000/s",
    )


def games_together() -> Iterator[Row]:
    """`Batch` against OpenSpiel's go_fish, both including the deal, alternately, best of five."""
    play_together()
    rates: tuple[list[float], list[float]] = [], []
    try:
        import pyspiel
    except ImportError:
        pyspiel = None
    for _ in range(5):
        time, actions = seconds(play_together)
        rates[0].append(actions / time)
        if pyspiel:
            rates[1].append(go_fish(pyspiel))
    yield Row(
        "random actions, batched engine, whole games",
        max(rates[0]),
        "/s",
        "the figure asked for",
        1e6,
        smaller_is_better=False,
        target="≥ 1,000,000/s",
        note=f"{GAMES} games with their deals; peer of the next row",
    )
    if not pyspiel:
        yield absent("random actions, batched engine", "open-spiel", "/s")
        return
    yield Row(
        "random actions, batched engine",
        max(rates[0]),
        "/s",
        "open-spiel go_fish, C++ loop",
        max(rates[1]),
        smaller_is_better=False,
        target="≥ 3 ×",
        note="evaluate_bots with uniform bots, 6 players; another game: no claims, no teams",
    )


def go_fish(pyspiel: Any) -> float:
    """Actions per second of OpenSpiel's go_fish with 6 players, not counting chance nodes."""
    game = pyspiel.load_game("go_fish", {"players": 6})
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(6)]
    states = [game.new_initial_state() for _ in range(GAMES)]

    def play() -> None:
        for seed, state in enumerate(states):
            pyspiel.evaluate_bots(state, bots, seed)

    time = best(play, 1)
    return sum(step.player >= 0 for state in states for step in state.full_history()) / time


def tournament(workers: int, pairs: int) -> tuple[float, float]:
    """Games of the command per wall-clock second, and per processor second."""
    command = [sys.executable, "-m", "literature_ai", "tournament", "greedy", "greedy"]
    command += ["--pairs", str(pairs), "--workers", str(workers), "--seed", "1", "--json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout)["games_per_second"], 2 * pairs / cpu


def tournaments() -> Iterator[Row]:
    """`literature tournament greedy greedy --pairs 500`, with one worker and with two."""
    tournament(1, 1)
    one, one_cpu = tournament(1, PAIRS)
    two, two_cpu = tournament(2, PAIRS)
    yield Row(
        "tournament greedy greedy, 1 worker, games",
        one_cpu,
        "/s",
        "the figure asked for",
        100.0,
        smaller_is_better=False,
        target="≥ 100/s",
        note=f"a processor second of all processes, start-up included; {one:.0f}/s by the clock, "
        "at whatever load",
    )
    yield Row(
        "tournament greedy greedy, 2 workers, games",
        two,
        "/s",
        "1 worker",
        one,
        smaller_is_better=False,
        target="near 2 ×",
        note=f"both by the clock; {two_cpu:.0f} games a processor second",
    )
