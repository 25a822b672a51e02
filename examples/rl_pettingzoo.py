"""A policy of one's own against `expert`, in the PettingZoo environment.

    pip install "literature-ai[rl]"
    python examples/rl_pettingzoo.py --games 5

The policy asks at random; `expert` plays team B. The scores are half-suits.
"""

import argparse

import numpy as np

from literature_ai.rl import aec_env, as_policy


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    rng = np.random.default_rng(options.seed)
    # claims="certain": what cannot be wrong is claimed at once, and only asks are left to decide.
    env = aec_env(rules="canadian", claims="certain", belief=True)
    opponents = as_policy("expert", options.seed)
    for game in range(options.games):
        env.reset(seed=options.seed + game)
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                action = None
            elif agent.startswith("B"):
                action = opponents(env)
            else:
                action = rng.choice(np.flatnonzero(observation["action_mask"]))
            env.step(action)
        score = env.unwrapped.episode.turns.game.score
        print(f"game {game + 1}: random asks {score[0]} - expert {score[1]}")


if __name__ == "__main__":
    main()
