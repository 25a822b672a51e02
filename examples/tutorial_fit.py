"""Fit the weights of the tutorial's bot by playing `greedy`.

$ python examples/tutorial_fit.py                   # some minutes
$ python examples/tutorial_fit.py --generations 1 --population 4 --pairs 2

The cross-entropy method (R. Rubinstein, 1999): draw weights from a normal distribution, let each
draw play the same deals, and move the distribution towards the best quarter. It prints the spec of
the mean after each generation; the deals of one generation are not those of the next.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np

from tournaments import Plan, Store, run, summarize

BOT = f"{Path(__file__).parent / 'tutorial_bot.py'}:Weighted"
NAMES = ("own", "team", "turn", "secret")
STEP = 0.3
"""How much of the old mean and spread each generation keeps."""


def spec(weights: np.ndarray) -> str:
    return BOT + ":" + ",".join(f"{n}={w:.3f}" for n, w in zip(NAMES, weights, strict=True))


def score(weights: np.ndarray, pairs: int, seed: int) -> float:
    """The mean score against `greedy`, from 0 to 1."""
    plan = Plan((spec(weights), "greedy"), pairs=pairs, seed=seed, examine_every=0)
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.create_or_resume(Path(folder) / "store.db", plan) as store,
    ):
        run(store)
        return summarize(store)["matchups"][0]["score"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--generations", type=int, default=6)
    parser.add_argument("--population", type=int, default=16)
    parser.add_argument("--pairs", type=int, default=40, help="that each draw plays")
    parser.add_argument("--seed", type=int, default=100)
    options = parser.parse_args()

    rng = np.random.default_rng(options.seed)
    mean, spread = np.zeros(len(NAMES)), np.ones(len(NAMES))
    for generation in range(options.generations):
        drawn = mean + spread * rng.standard_normal((options.population, len(NAMES)))
        seed = options.seed + generation
        scores = np.array([score(weights, options.pairs, seed) for weights in drawn])
        best = drawn[np.argsort(-scores)[: max(options.population // 4, 1)]]
        mean = STEP * mean + (1 - STEP) * best.mean(axis=0)
        spread = STEP * spread + (1 - STEP) * best.std(axis=0)
        print(f"generation {generation + 1}: best {scores.max():.3f}, mean {scores.mean():.3f}")
        print(f"  {spec(mean.round(2))}", flush=True)


if __name__ == "__main__":
    main()
