"""Self-play: whole games by rollouts, which the weights are fitted to."""

from __future__ import annotations

import numpy as np

from literature_ai.agents.expert.action_value import new_buffers
from literature_ai.agents.expert.belief import SIX, Belief, Row, start_belief
from literature_ai.agents.expert.rollout import LONGEST, Policies, rollout
from literature_ai.agents.expert.state_value import describe_state
from literature_ai.game.state import ENDED_BY, EVENTS, HALF_SUITS, PLAYERS, SCORE, TURN
from solver.compilation import compiled
from solver.kernels.arrays import Floats, Floats2, Ints


@compiled
def shuffle(deck: Ints, rng: np.random.Generator) -> None:
    """Shuffle the cards in place (Fisher and Yates)."""
    for i in range(len(deck) - 1, 0, -1):
        other = int(rng.random() * (i + 1))
        deck[i], deck[other] = deck[other], deck[i]


@compiled
def deal_out(first: Row, deck: Ints, start: int, hands: Row) -> Belief:
    """Deal the deck to the hands (masks); the belief at the start of the game.

    first: the state at the start of any game by these rules. start: the seat that starts.
    """
    hands[:] = 0
    for i in range(len(deck)):
        hands[i % first[PLAYERS]] |= 1 << deck[i]
    state = first.copy()
    state[TURN] = start
    return start_belief(state, first[HALF_SUITS])


@compiled
def play_pairs(
    first: Row, policies: Policies, pairs: int, rng: np.random.Generator, scores: Floats
) -> None:
    """Play pairs of games, one deal each, between the policies of the two teams, which change
    seats in between; fill the score of the first ones in each pair (0 to 2).

    first: as in `deal_out`.
    """
    deck = np.arange(first[HALF_SUITS] * SIX)
    hands = np.zeros(first[PLAYERS], np.int64)
    dice = np.ones(1, np.int64)
    buffers = new_buffers(len(deck))
    changed = Policies(
        (policies.weights[1], policies.weights[0]), policies.ask_factors[::-1].copy()
    )
    for pair in range(pairs):
        shuffle(deck, rng)
        start = int(rng.random() * first[PLAYERS])
        scores[pair] = 0.0
        for team in range(2):
            belief = deal_out(first, deck, start, hands)
            rollout(
                belief, hands, policies if team == 0 else changed, LONGEST, dice, buffers, False
            )
            lead = belief.state[SCORE + team] - belief.state[SCORE + 1 - team]
            scores[pair] += (np.sign(lead) + 1) / 2


@compiled
def collect_states(
    first: Row,
    policies: Policies,
    every: int,
    rng: np.random.Generator,
    features: Floats2,
    results: Floats,
) -> None:
    """Play games and describe positions on the way, until all rows are filled.

    Fills their features for team A (rows × `literature_ai.agents.expert.state_value.StateFeatures`)
    and the results of their games (1 a win, 0 a draw, -1 a loss). first: as in `deal_out`. every:
    the open asks between two positions.
    """
    deck = np.arange(first[HALF_SUITS] * SIX)
    dice = np.ones(1, np.int64)
    buffers = new_buffers(len(deck))
    hands = np.zeros(first[PLAYERS], np.int64)
    row = 0
    while row < len(results):
        shuffle(deck, rng)
        belief = deal_out(first, deck, int(rng.random() * first[PLAYERS]), hands)
        state = belief.state
        row_of_game = row
        rollout(belief, hands, policies, int(rng.random() * every), dice, buffers, False)
        while not state[ENDED_BY] and state[EVENTS] < LONGEST and row < len(results):
            described = describe_state(belief, hands, 0)
            for i in range(len(described)):
                features[row, i] = described[i]
            row += 1
            rollout(belief, hands, policies, every, dice, buffers, True)
        results[row_of_game:row] = np.sign(state[SCORE] - state[SCORE + 1])
