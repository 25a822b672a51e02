"""Train a small policy by REINFORCE on the game of four players, asks only, in a minute.

    pip install "literature-ai[rl]"
    python examples/rl_training.py      # trains, saves weights, plays against random asks
    literature tournament examples/rl_training.py:Trained certain --players 4 --pairs 50

Each legal ask has a few features; the policy is a softmax over their weighted sums, shared by all
seats (self-play). The gradient of a game's result is taken against the mean result, as in Williams,
"Simple statistical gradient-following algorithms" (1992).
"""

import argparse
from pathlib import Path

import numpy as np

from literature_ai.game.game import Game
from literature_ai.rl import ActionSpace, Episode, Layout, Options, PolicyAgent
from literature_ai.rules import RuleSet

WEIGHTS = Path("trained.npy")
RULES = RuleSet(players=4)
OPTIONS = Options(RULES, claims="certain", belief=True, reward="margin")
FEATURES = ("chance of a hit", "own cards of the half-suit", "cards that the target holds")


def features(seen: dict[str, np.ndarray], rules: RuleSet) -> tuple[np.ndarray, np.ndarray]:
    """The legal asks, and asks × features."""
    space, layout = ActionSpace(rules), Layout(rules)
    legal = np.flatnonzero(seen["action_mask"][: space.asks.stop])
    card, opponent = np.divmod(legal, space.opponents)
    target = 1 + 2 * opponent
    hand = seen["observation"][layout.slices["hand"]]
    sizes = seen["observation"][layout.slices["hand_sizes"]]
    own = hand.reshape(-1, 6).sum(axis=1) / 6
    return legal, np.stack([seen["belief"][card, target], own[card // 6], sizes[target]], axis=1)


def softmax(scores: np.ndarray) -> np.ndarray:
    odds = np.exp(scores - scores.max())
    return odds / odds.sum()


def play(weights: dict[int, np.ndarray], seed: int) -> tuple[float, list[tuple[int, np.ndarray]]]:
    """A game in which each team has its weights: the margin of team A, and for each ask the team
    and the gradient of its log probability."""
    rng = np.random.default_rng(seed)
    episode = Episode(Game.deal(RULES, rng=rng), OPTIONS)
    asks = []
    while (seat := episode.seat) is not None:
        legal, rows = features(episode.observe(seat), RULES)
        if not len(legal):
            episode.step(int(rng.choice(episode.legal())))  # a forced pass
            continue
        odds = softmax(rows @ weights[seat % 2])
        chosen = int(rng.choice(len(legal), p=odds))
        asks.append((seat % 2, rows[chosen] - odds @ rows))
        episode.step(int(legal[chosen]))
    return episode.rewards()[0], asks


class Trained(PolicyAgent):
    """Asks by the weights that examples/rl_training.py has saved."""

    def __init__(self) -> None:
        self.weights = np.load(WEIGHTS)
        super().__init__(self.decide, claims="certain", belief=True)

    def decide(self, seen: dict[str, np.ndarray], rng: np.random.Generator) -> int:
        legal, rows = features(seen, self.options.rules)
        if not len(legal):
            return int(rng.choice(np.flatnonzero(seen["action_mask"])))
        return int(legal[np.argmax(rows @ self.weights)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--rate", type=float, default=0.4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    weights, batch = np.zeros(len(FEATURES)), 20
    for first in range(0, options.games, batch):
        gradient = np.zeros_like(weights)
        for game in range(first, first + batch):
            margin, asks = play({0: weights, 1: weights}, options.seed * 1_000_000 + game)
            for team, slope in asks:
                gradient += (margin if team == 0 else -margin) * slope
        weights = weights + options.rate * gradient / batch
        if (first // batch) % 5 == 4:
            shown = ", ".join(f"{n} {w:+.2f}" for n, w in zip(FEATURES, weights, strict=True))
            print(f"{first + batch:4d} games: {shown}", flush=True)
    np.save(WEIGHTS, weights)

    margins = [play({0: weights, 1: np.zeros_like(weights)}, seed)[0] for seed in range(40)]
    print(f"against random asks: {8 * np.mean(margins):+.2f} half-suits a game (40 games)")
    print(f"weights in {WEIGHTS}")


if __name__ == "__main__":
    main()
