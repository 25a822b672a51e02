"""Label decisions by deep search, and fit the ask model to them. Used by `learn.py`.

Games of `expert` against itself are played. Where asks have to be compared, the best ones by the
weights so far, those that must miss, and some others are played out on `DEALS` deals, `DEPTH` open
asks deep; the mean of the state values reached is the label of each ask. Half the asks played are
the best by this search, a tenth is drawn at random, and the rest is what `expert` asks, so that the
positions are those that good players get into, and some they would not. A file is kept for every
ten games; what is there is not made again. Every game has a seed of its own, so the number of
workers changes nothing.

The ask model (`literature_ai.agents.expert.ask_model`) is fitted to the labels except for every
tenth game, on which it is judged: by how much of the differences between asks it explains, and by
what it chooses. The loss is the squared error of the differences of one position (`adam.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from adam import Ints, Singles, descend
from fitted import Fitted

from literature_ai.agents.expert.agent import Compared
from literature_ai.agents.expert.ask_model import FEATURES, FORMULA, AskModel
from literature_ai.agents.expert.search import (
    Simulations,
    candidates_of,
    search,
    stratified,
    with_named,
)
from literature_ai.events import Ask
from literature_ai.game.game import Game
from literature_ai.game.turns import play
from literature_ai.game.view import View
from literature_ai.rules import RuleSet

Floats = npt.NDArray[np.float64]

DEALS, DEPTH = 24, 12
CANDIDATES, OTHERS = 8, 1
GAMES_A_FILE = 10
BY_SEARCH, AT_RANDOM = 0.5, 0.1
"""How often the ask played is the best of the search, and one of those compared at random."""

WIDTH = 32
EPOCHS = 16
STEP = 2e-3
DECAY = 1.0
"""As in `descend`."""
UNITS = 10
"""The network learns tenths of results, which are about as large as its inputs."""


class Labelled(NamedTuple):
    """A decision: the asks compared, and what came of them."""

    features: Singles
    """Asks × features."""
    values: Singles
    """The mean state value after each."""
    prior: Singles
    """The action values."""


class Labelling(Fitted):
    """`expert` that labels its decisions by a deep search."""

    def __init__(self, weights: str) -> None:
        super().__init__(weights)
        self.labelled: list[Labelled] = []

    def _compare(
        self, view: View, values: Floats, named: Sequence[Ask], thoroughly: bool
    ) -> Compared:
        few = candidates_of(values, self.beliefs, CANDIDATES, True, True)
        cards, targets = np.nonzero(values > -np.inf)
        drawn = self.rng.choice(len(cards), min(OTHERS, len(cards)), replace=False)
        others = [Ask(int(targets[i]), int(cards[i])) for i in drawn]
        candidates = with_named(few, values, self.beliefs, others)
        if few.chances[0] == 1.0 or len(candidates.asks) == 1:
            return Compared(Ask(*few.asks[0].tolist()), None)
        comparison = search(
            self.belief,
            self.observer.deals.hands(DEALS),
            candidates,
            self.observer.policies,
            self.state_weights,
            self.settings._replace(horizons=(DEPTH,)),
            self.rng,
            Simulations(),
        )
        reached = comparison.trials.values[0]
        means = stratified(reached, comparison.hits, candidates.chances)[0]
        described = self._described(view)
        places = {tuple(ask): i for i, ask in enumerate(described.asks.tolist())}
        rows = [places[tuple(ask)] for ask in candidates.asks.tolist()]
        features, prior = described.features[rows], described.values[rows]
        self.labelled.append(
            Labelled(
                features.astype(np.float32),
                means.astype(np.float32),
                prior.astype(np.float32),
            )
        )
        how = self.rng.random()
        best = int(means[: len(few.asks)].argmax())
        if how < AT_RANDOM:
            best = int(self.rng.integers(len(candidates.asks)))
        elif how > AT_RANDOM + BY_SEARCH:
            return super()._compare(view, values, named, thoroughly)
        return Compared(Ask(*candidates.asks[best].tolist()), None)


def label(file: Path, rules: RuleSet, weights: Path, seeds: Sequence[int]) -> int:
    """Play these games and keep their labelled decisions; how many."""
    found: list[Labelled] = []
    games: list[int] = []
    for seed in seeds:
        agents = [Labelling(str(weights)) for _ in range(rules.players)]
        play(
            Game.deal(rules, seed=np.random.SeedSequence((seed, 9))),
            agents,
            np.random.default_rng((seed, 10)),
        )
        for agent in agents:
            found += agent.labelled
        games += [seed] * (len(found) - len(games))
    columns = {
        "features": np.concatenate([each.features for each in found]),
        "values": np.concatenate([each.values for each in found]),
        "prior": np.concatenate([each.prior for each in found]),
        "asks": np.array([len(each.values) for each in found]),
        "game": np.array(games),
    }
    written = file.with_suffix(".part.npz")
    np.savez_compressed(written, **columns)
    written.rename(file)
    return len(found)


def label_all(
    folder: Path, rules: RuleSet, weights: Path, first: int, games: int, workers: int
) -> None:
    """Play so many games from this seed on and keep their labels, but for those that are there."""
    folder.mkdir(parents=True, exist_ok=True)
    chunks = []
    words = (rules.words() or "canadian").replace(" ", "+")
    for seed in range(first, first + games, GAMES_A_FILE):
        file = folder / f"{rules.players}-{words}-{seed:08}.npz"
        if not file.exists():
            chunks.append((file, range(seed, min(seed + GAMES_A_FILE, first + games))))
    with ProcessPoolExecutor(workers) as pool:
        waiting = [
            pool.submit(partial(label, file, rules, weights, seeds)) for file, seeds in chunks
        ]
        for done, result in enumerate(waiting, 1):
            told = f"labelled {done} of {len(chunks)} files: {result.result()} decisions"
            print(told, file=sys.stderr, flush=True)


class Batch(NamedTuple):
    """Decisions, padded to the same number of asks."""

    x: Singles
    """Decisions × asks × features; 0 for padding."""
    real: npt.NDArray[np.bool_]
    """Decisions × asks: False for padding."""
    y: Singles
    """Decisions × asks: values, less the mean of the decision."""
    prior: Singles
    """Decisions × asks: action values."""


def load(folders: Sequence[Path]) -> tuple[Batch, Batch]:
    """All labels, those to learn from and those to judge by."""
    parts: dict[str, list[Any]] = {}
    for folder in folders:
        for file in sorted(folder.glob("*.npz")):
            if not file.name.endswith(".part.npz"):
                with np.load(file) as columns:
                    for name in columns.files:
                        parts.setdefault(name, []).append(columns[name])
    columns = {name: np.concatenate(arrays) for name, arrays in parts.items()}
    asks, most = columns["asks"], int(columns["asks"].max())
    ends = np.cumsum(asks)
    rows = np.arange(most) + (ends - asks)[:, None]
    real = np.arange(most) < asks[:, None]
    rows[~real] = 0
    batch = Batch(
        columns["features"][rows] * real[:, :, None].astype(np.float32),
        real,
        centred(columns["values"][rows], real),
        columns["prior"][rows],
    )
    judged = columns["game"] % 10 == 9
    if not judged.any():
        raise SystemExit("no labelled game is left to judge by: label at least ten games")
    return Batch(*(each[~judged] for each in batch)), Batch(*(each[judged] for each in batch))


def centred(values: Singles, real: npt.NDArray[np.bool_]) -> Singles:
    """The values less their mean in each decision; 0 for padding."""
    mean = (values * real).sum(axis=1, keepdims=True) / real.sum(axis=1, keepdims=True)
    return np.where(real, values - mean, 0).astype(np.float32)


def fit(learn: Batch, rng: np.random.Generator) -> AskModel:
    """The network of the least squared error of the differences in each decision."""
    mean = learn.x[learn.real].mean(axis=0)
    scale = 1 / np.maximum(learn.x[learn.real].std(axis=0), 1e-3)
    x = ((learn.x - mean) * scale * learn.real[:, :, None]).astype(np.float32)
    y = UNITS * (learn.y - centred(FORMULA * learn.prior, learn.real))
    parts = [
        (rng.standard_normal((FEATURES, WIDTH)) / np.sqrt(FEATURES)).astype(np.float32),
        np.zeros(WIDTH, np.float32),
        np.zeros(WIDTH, np.float32),
    ]

    def slopes(parts: list[Singles], some: Ints) -> list[Singles]:
        return gradient(parts, x[some], y[some], learn.real[some])

    hidden, bias, outward = descend(parts, slopes, len(x), rng, EPOCHS, STEP, DECAY)
    fitted = mean, scale, hidden, bias, outward / UNITS
    return AskModel(*(part.astype(float) for part in fitted))


def gradient(
    parts: list[Singles], x: Singles, y: Singles, real: npt.NDArray[np.bool_]
) -> list[Singles]:
    """The gradient of half the squared error a decision, for each part of the network."""
    hidden, bias, outward = parts
    layer = np.maximum(x @ hidden + bias, 0)
    slope = centred(centred(layer @ outward, real) - y, real) / len(x)
    back = (slope[:, :, None] * outward * (layer > 0)).reshape(-1, WIDTH)
    by_outward: Singles = np.einsum("ba,baw->w", slope, layer)
    return [x.reshape(-1, FEATURES).T @ back, back.sum(axis=0), by_outward]


def judged(model: AskModel, judge: Batch) -> dict[str, float]:
    """How well the network does on decisions it has not seen.

    gain: what its choice is worth more than that of the formula, in results a decision, by labels
    that neither has seen, with the standard error. explained: the share of the variance of the
    labels, noise and all, which explains most of it.
    """
    x = (judge.x - model.mean) * model.scale
    worth = FORMULA * judge.prior + np.maximum(x @ model.hidden + model.bias, 0) @ model.outward
    rows = np.arange(len(judge.y))

    def chosen(values: Floats | Singles) -> Singles:
        best = np.where(judge.real, values, -np.inf).argmax(axis=1)
        found: Singles = judge.y[rows, best]
        return found

    gains = chosen(worth) - chosen(judge.prior)
    error = centred(worth, judge.real) - judge.y
    return {
        "decisions": len(rows),
        "gain": round(float(gains.mean()), 5),
        "error": round(float(gains.std(ddof=1) / np.sqrt(len(gains))), 5),
        "explained": round(1 - float((error**2).sum() / (judge.y**2).sum()), 4),
    }
