"""Quality of beliefs: log loss and calibration of card probabilities in games of each agent.

    python benchmarks/beliefs.py greedy expert --games 20
    python benchmarks/beliefs.py expert --readers expert champion --plot beliefs.png
    python benchmarks/beliefs.py --records evening.lit --readers expert

Six copies of one agent play each game, or games that were played before are read from a file. After
every few events, each reader gives the probabilities of every card that exact counting leaves open,
for the seat after the one on turn. *uniform* is exact counting with all deals equally likely; the
other readers are agents that weight deals by an opponent model. The log loss is the mean of
-ln(probability of the true holder), in nats for each card, with its standard error over games; all
readers are evaluated on the same cards.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from literature_ai.agents.expert.agent import Expert
from literature_ai.bots.registry import parse_spec
from literature_ai.events import Event, TimedOut, action_of, actor_of
from literature_ai.game.game import Game
from literature_ai.game.turns import steps
from literature_ai.records.lit import read_games
from literature_ai.records.record import Record
from literature_ai.rules import RuleSet

Floats = npt.NDArray[np.float64]

UNIFORM = "uniform"
BINS = 10


class Played(NamedTuple):
    """A game that goes on as its events are asked for."""

    game: Game
    events: Iterator[Event]
    seed: int
    """Of the readers."""


def played_by(spec: str, seed: int, players: int) -> Played:
    """A game of copies of one agent."""
    game = Game.deal(RuleSet(players=players), seed=seed)
    agents = [parse_spec(spec).make() for _ in range(players)]
    return Played(game, steps(game, agents, np.random.default_rng((seed, 1))), seed)


def repeated(record: Record, seed: int) -> Played:
    """The game of a record, all hands of which are known."""
    game = record.at(0).game()

    def events() -> Iterator[Event]:
        for event in record.events:
            action = action_of(event)
            if isinstance(action, TimedOut):
                yield game.time_out()
            else:
                yield game.apply(action, actor_of(event))

    return Played(game, events(), seed)


def answers(played: Played, readers: list[str], every: int) -> dict[str, tuple[Floats, Floats]]:
    """For each reader of a game, the probabilities of the true holders and of all holders.

    The first array is one probability for each card; the second is pairs × 2: a probability of a
    possible holder, and 1 if the card was there, else 0.
    """
    game, events, seed = played
    players = game.rules.players
    watching: dict[str, list[Expert]] = {}
    for reader in readers:
        made = [parse_spec(reader).make() for _ in range(players)]
        watching[reader] = [each for each in made if isinstance(each, Expert)]
    for seat in range(players):
        for reader, watchers in watching.items():
            key = (seed, 2, readers.index(reader), seat)
            watchers[seat].start(game.view(seat), np.random.default_rng(key))
    truths: dict[str, list[Floats]] = {reader: [] for reader in [UNIFORM, *readers]}
    said: dict[str, list[Floats]] = {reader: [] for reader in [UNIFORM, *readers]}
    for event in events:
        for watchers in watching.values():
            for watcher in watchers:
                watcher.observe(event)
        if game.turn is not None and len(game.events) % every == 0:
            seat = (game.turn + 1) % players
            holder = np.full(game.rules.cards, -1)
            for each in range(players):
                holder[list(game.hand(each))] = each
            uniform = watching[readers[0]][seat].knowledge.posterior()
            cards = np.flatnonzero((uniform.max(axis=1) < 1.0) & (holder >= 0))
            for reader in truths:
                beliefs = uniform if reader == UNIFORM else watching[reader][seat].beliefs
                truths[reader].append(beliefs[cards, holder[cards]])
                some = beliefs[cards]
                right = holder[cards][:, None] == np.arange(players)
                open_ = uniform[cards] > 0.0
                said[reader].append(np.stack([some[open_], right[open_]], axis=1))
    return {
        reader: (np.concatenate(truths[reader]), np.concatenate(said[reader])) for reader in truths
    }


def calibration(said: Floats) -> list[tuple[float, float, int]]:
    """For each of ten equal bins of probability: the mean, the observed frequency, the number."""
    tenth = np.minimum((said[:, 0] * BINS).astype(int), BINS - 1)
    rows = []
    for i in range(BINS):
        those = said[tenth == i]
        if len(those):
            rows.append((float(those[:, 0].mean()), float(those[:, 1].mean()), len(those)))
    return rows


def plot(curves: dict[str, list[tuple[float, float, int]]], path: Path) -> None:
    """Write a plot of the calibration curves to a PNG file."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6, 6))
    axes.plot([0, 1], [0, 1], color="grey", linewidth=1, label="perfect")
    for name, rows in curves.items():
        axes.plot([row[0] for row in rows], [row[1] for row in rows], marker="o", label=name)
    axes.set_xlabel("probability said")
    axes.set_ylabel("how often it was so")
    axes.legend()
    figure.savefig(path, dpi=120, bbox_inches="tight")


def main() -> None:
    parser = argparse.ArgumentParser(description="Log loss and calibration of beliefs.")
    parser.add_argument("agents", nargs="*", help="whose games")
    parser.add_argument(
        "--records", nargs="+", default=[], metavar="FILE", help="games that were played before"
    )
    parser.add_argument("--readers", nargs="+", default=["expert", "champion"], metavar="SPEC")
    parser.add_argument("--games", type=int, default=20, help="for each agent")
    parser.add_argument("--every", type=int, default=3, help="ask after every so many events")
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1_000_000, help="far from those fitted with")
    parser.add_argument("--plot", type=Path, help="write the calibration curves as PNG")
    arguments = parser.parse_args()

    curves = {}
    print("| games of | reader | log loss | ± | against uniform |\n|---|---|---|---|---|")
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    sources: dict[str, Iterable[Played]] = {
        spec: (played_by(spec, seed, arguments.players) for seed in seeds)
        for spec in arguments.agents
    }
    for file in arguments.records:
        sources[Path(file).name] = map(repeated, read_games(file), itertools.count(arguments.seed))
    for spec, source in sources.items():
        games = [answers(played, arguments.readers, arguments.every) for played in source]
        base = 0.0
        for reader in [UNIFORM, *arguments.readers]:
            losses = np.array([-np.log(game[reader][0]).sum() for game in games])
            counts = np.array([len(game[reader][0]) for game in games])
            loss = losses.sum() / counts.sum()
            spread = (losses - loss * counts).std() / counts.mean() / np.sqrt(len(games))
            base = base or loss
            print(
                f"| `{spec}` | {reader} | {loss:.4f} | {spread:.4f} | {loss / base - 1:+.1%} |",
                flush=True,
            )
            curves[f"{reader}, games of {spec}"] = calibration(
                np.concatenate([game[reader][1] for game in games])
            )
    for name, rows in curves.items():
        print(f"\n{name}: predicted → observed (number)")
        print(", ".join(f"{said:.2f} → {so:.2f} ({n})" for said, so, n in rows))
    if arguments.plot:
        plot(curves, arguments.plot)


if __name__ == "__main__":
    main()
