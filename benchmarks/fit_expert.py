"""Fit the weights of `expert` and `champion`, and write them beside the agents.

    python benchmarks/fit_expert.py --state fit.json            # start, or resume
    python benchmarks/fit_expert.py --state fit.json --write    # and store the result
    python benchmarks/fit_expert.py --state zero.json --generations 0 --write    # as stored

Stage 1 fits the weights of the action value and the ask factors together by the cross-entropy
method (R. Rubinstein, 1999; P.-T. de Boer et al., "A Tutorial on the Cross-Entropy Method", 2005).
Candidates are drawn from a normal distribution. Each plays pairs of games by rollouts
(`literature_ai.agents.expert.self_play`), half against `greedy` (asks for the most probable card,
without an opponent model) and half against a recent mean of the distribution, which then moves
towards the best quarter. All candidates of a generation play the same deals. Ask factors are
searched on a logarithmic scale.

Stage 2 fits the weights of the state value: a nonlinear least-squares fit (Gauss–Newton) of
tanh(features · weights) to the results of games between equal players with the fitted weights.

The ask model and the choice model stay as they are: `learn.py` fits them.

The state is written after every generation, and a run resumes from it. Random streams are derived
from ``--seed`` and the number of the generation, so an interrupted run gives the same result as an
uninterrupted one.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from literature_ai.agents.expert.action_value import ActionWeights
from literature_ai.agents.expert.belief import ASK_FACTORS
from literature_ai.agents.expert.rollout import LONGEST, Policies
from literature_ai.agents.expert.self_play import collect_states, play_pairs
from literature_ai.agents.expert.state_value import StateFeatures
from literature_ai.agents.expert.weights import PATH
from literature_ai.game.state import new_state
from literature_ai.rules import RuleSet

Floats = npt.NDArray[np.float64]

START_WORTH = ActionWeights(
    progress=0.22,
    progress_squared=0.16,
    target_hand=0.83,
    danger=0.3,
    reveal=0.27,
    next=-0.34,
    concealed=-0.07,
    clash=0.09,
    inform=0.21,
    target_hunts=0.09,
    exposed=0.02,
    finish=0.03,
)
START_READING = [1.04, 2.83, 2.72, 0.96, 0.93, 1.7, 1.92, 0.93]
"""The start of the search: the result of thirteen generations that began with `progress` 1,
`target_hand` 0.3, factors of open asks 2 and 1.7, all else 0 or 1, and ten times the spread. They
used earlier versions of the action value and cannot be repeated; a longer search from here has not
found better weights (``benchmarks/STRENGTH.md``)."""
FIRST_SPREAD = 0.08
LEAST_SPREAD = 0.02
HERO_EVERY = 5
OPEN_ASKS = 4
"""The open asks between two positions that the state value is fitted to."""
FIRST_STATE = np.array(new_state(RuleSet(max_events=LONGEST), 0), np.int64)

Policy = tuple[ActionWeights, Floats]


def policy(x: Floats) -> Policy:
    """Decode a point of the search into weights of the action value and ask factors."""
    terms = len(ActionWeights._fields)
    return ActionWeights(*x[:terms].tolist()), np.exp(x[terms:]).reshape(ASK_FACTORS)


GREEDY: Policy = (ActionWeights(*[0.0] * len(ActionWeights._fields)), np.ones(ASK_FACTORS))


def policies(a: Policy, b: Policy) -> Policies:
    """Both policies, one for each team."""
    return Policies((a[0], b[0]), np.stack([a[1], b[1]]))


def score(a: Policy, b: Policy, pairs: int, seed: tuple[int, ...]) -> float:
    """The mean score of ``a`` (0 to 1) in this number of pairs of games."""
    scores = np.zeros(pairs)
    play_pairs(FIRST_STATE, policies(a, b), pairs, np.random.default_rng(seed), scores)
    return float(scores.mean() / 2)


def first_state() -> dict[str, Any]:
    mean = [*START_WORTH, *np.log(START_READING).tolist()]
    return {
        "generation": 0,
        "mean": mean,
        "spread": [FIRST_SPREAD] * len(mean),
        "hero": mean,
        "progress": [],
    }


def next_generation(state: dict[str, Any], arguments: argparse.Namespace) -> None:
    """Advance the state by one step of the cross-entropy method, in place."""
    generation = state["generation"]
    mean, spread = np.array(state["mean"]), np.array(state["spread"])
    hero = policy(np.array(state["hero"]))
    rng = np.random.default_rng((arguments.seed, generation, 0))
    drawn = mean + spread * rng.standard_normal((arguments.population, len(mean)))
    scores = np.array(
        [
            (
                score(policy(x), GREEDY, arguments.pairs, (arguments.seed, generation, 1))
                + score(policy(x), hero, arguments.pairs, (arguments.seed, generation, 2))
            )
            / 2
            for x in drawn
        ]
    )
    best = drawn[np.argsort(-scores, kind="stable")[: arguments.population // 4]]
    mean = 0.3 * mean + 0.7 * best.mean(axis=0)
    spread = np.maximum(0.3 * spread + 0.7 * best.std(axis=0), LEAST_SPREAD)
    state["generation"] += 1
    state["mean"], state["spread"] = mean.tolist(), spread.tolist()
    if state["generation"] % HERO_EVERY == 0:
        state["hero"] = state["mean"]
    state["progress"].append(round(score(policy(mean), GREEDY, 1000, (arguments.seed, 3)), 4))


def fit_state_value(best: Policy, positions: int, seed: int) -> tuple[Floats, float]:
    """The weights of the features, and the share of the variance of results that they explain."""
    features, results = np.zeros((positions, len(StateFeatures._fields))), np.zeros(positions)
    rng = np.random.default_rng((seed, 4))
    collect_states(FIRST_STATE, policies(best, best), OPEN_ASKS, rng, features, results)

    def loss(weights: Floats) -> float:
        return float(((np.tanh(features @ weights) - results) ** 2).mean())

    weights = np.linalg.lstsq(features, results, rcond=None)[0]
    for _ in range(30):
        value = np.tanh(features @ weights)
        slope = features * (1 - value**2)[:, None]
        step = np.linalg.solve(slope.T @ slope + np.eye(len(weights)), slope.T @ (results - value))
        size = 1.0
        while loss(weights + size * step) > loss(weights) and size > 1e-3:
            size /= 2
        weights = weights + size * step
    return weights, 1 - loss(weights) / float((results**2).mean())


def stored() -> dict[str, Any]:
    """The weights in the package."""
    found: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    return found


def text_of(weights: dict[str, Any]) -> str:
    """The file of weights; a list of numbers goes on one line."""
    text = json.dumps(weights, indent=2)
    return re.sub(r"\[[^][{]*\]", lambda found: " ".join(found[0].split()), text) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the weights that expert plays by.")
    parser.add_argument("--state", type=Path, required=True, help="where the search is kept")
    parser.add_argument("--generations", type=int, default=25)
    parser.add_argument("--population", type=int, default=32)
    parser.add_argument("--pairs", type=int, default=400, help="against each of two opponents")
    parser.add_argument("--positions", type=int, default=200_000, help="for the state value")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help=f"store the result in {PATH.name}")
    arguments = parser.parse_args()

    state = first_state()
    if arguments.state.exists():
        state = json.loads(arguments.state.read_text(encoding="utf-8"))
    while state["generation"] < arguments.generations:
        began = time.perf_counter()
        next_generation(state, arguments)
        arguments.state.write_text(json.dumps(state), encoding="utf-8")
        print(
            f"generation {state['generation']}: {state['progress'][-1]:.3f} against greedy,"
            f" {time.perf_counter() - began:.0f} s",
            file=sys.stderr,
        )
    best = policy(np.array(state["mean"]))
    state_weights, explained = fit_state_value(best, arguments.positions, arguments.seed)
    found = {
        "action_value": ActionWeights(*np.array(best[0]).round(4).tolist())._asdict(),
        "ask_factors": best[1].ravel().round(4).tolist(),
        "state_value": StateFeatures(*state_weights.round(4).tolist())._asdict(),
    }
    record = {
        "program": "benchmarks/fit_expert.py",
        "started_from": "START_WORTH and START_READING of the program",
        "seed": arguments.seed,
        "generations": state["generation"],
        "population": arguments.population,
        "pairs": arguments.pairs,
        "rollout_score_against_greedy": state["progress"],
        "state_value_positions": arguments.positions,
        "state_value_explains": round(explained, 3),
    }
    before = stored()
    text = text_of({**before, **found, "record": {**before["record"], **record}})
    if arguments.write:
        PATH.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
