"""Information-set Monte Carlo tree search, as OpenSpiel has it, in a game of four.

    pip install "literature-ai[rl-openspiel]"
    python examples/rl_search.py --simulations 30 --decisions 10

IS-MCTS makes each seat's decisions; before each simulation it draws a deal that the seat cannot
tell from the true one, exactly (`resample_from_infostate`).
"""

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

import literature_ai.rl.openspiel_game  # noqa: F401  (registers the game)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=30)
    parser.add_argument("--decisions", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    rng, draws = np.random.default_rng(options.seed), np.random.RandomState(options.seed)
    game = pyspiel.load_game("python_literature(players=4,rules=max-events:200)")
    evaluator = mcts.RandomRolloutEvaluator(1, draws)
    bot = ismcts.ISMCTSBot(
        game, evaluator, uct_c=1.0, max_simulations=options.simulations, random_state=draws
    )
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random))

    state = game.new_initial_state()
    while state.is_chance_node():
        seats, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(seats, p=chances)))
    for _ in range(options.decisions):
        if state.is_terminal():
            break
        player = state.current_player()
        action = bot.step(state)
        print(state.action_to_string(player, action))
        state.apply_action(action)
    print(state)


if __name__ == "__main__":
    main()
