"""State value: the expected result of a position with all cards open, by a fitted linear function.

A rollout to the end of the game costs much and tells little: the effect of the first ask drowns in
the chance of the later ones. So a search stops rollouts after some open asks and takes the value of
the state they reach: tanh of a linear function of `StateFeatures`, fitted to the results of games
between equal players (`literature_ai.agents.expert.self_play`). Every feature changes its sign with
the team, so there is no constant. The value is only asked for where the seat on turn sees nothing
to take and nothing to claim.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from literature_ai.agents.expert.belief import SIX, Belief, cards_of, held_of
from literature_ai.game.state import (
    ENDED_BY,
    HAND_SIZES,
    IN_PLAY,
    MAJORITY,
    PLAYERS,
    SCORE,
    TURN,
)
from solver.compilation import compiled
from solver.kernels.arrays import Ints


class StateFeatures(NamedTuple):
    """A number for each feature of a position: its value for a team, or its weight.

    A feature is the count for the team, less the same for the other team.
    """

    four: float
    """Half-suits of which the team holds four cards."""
    five: float
    six: float
    claimable: float
    """Half-suits that everyone can see the team could claim."""
    score: float
    """Half-suits won."""
    turn: float
    """1 when the team is on turn, else -1."""
    mates_take: float
    """Cards that everyone can locate, and teammates of the seat on turn could take."""
    at_risk: float
    """Cards of the team that everyone can locate, in half-suits that it shares with the other."""
    shown: float
    """Half-suits that its players are known to hold some of, counted for each player."""
    one_located: float
    """Half-suits with such cards as in `at_risk`."""
    turn_cards: float
    """The cards of the seat on turn, in eighths."""


@compiled
def describe_state(belief: Belief, hands: Ints, team: int) -> StateFeatures:
    """The features of the position for the team; hands are masks."""
    state = belief.state
    seats = state[PLAYERS]
    on_turn = state[TURN]
    long = np.zeros(3)
    located = np.zeros(2)
    claimable = mates_take = at_risk = shown = one_located = 0.0
    for half_suit in range(len(belief.holding)):
        if not state[IN_PLAY] >> half_suit & 1:
            continue
        count = 0
        located[:] = 0.0
        for card in cards_of(half_suit):
            for seat in range(seats):
                if hands[seat] >> card & 1:
                    if seat & 1 == team:
                        count += 1
                    if belief.possible[card] == 1 << seat:
                        located[seat & 1] += 1.0
        if count > 3:
            long[count - 4] += 1.0
        elif count < 3:
            long[2 - count] -= 1.0
        if count == SIX and located[team] == SIX:
            claimable += 1.0
        elif count == 0 and located[1 - team] == SIX:
            claimable -= 1.0
        for seat in range(seats):
            sign = 1.0 if seat & 1 == team else -1.0
            if belief.holding[half_suit] >> seat & 1:
                shown += sign
            if held_of(hands[seat], half_suit) and seat != on_turn and seat & 1 == on_turn & 1:
                mates_take += sign * located[1 - (seat & 1)]
        if 0 < count < SIX:
            at_risk += located[team] - located[1 - team]
            one_located += min(located[team], 1.0) - min(located[1 - team], 1.0)
    turn = 1.0 if on_turn & 1 == team else -1.0
    return StateFeatures(
        four=long[0],
        five=long[1],
        six=long[2],
        claimable=claimable,
        score=float(state[SCORE + team] - state[SCORE + 1 - team]),
        turn=turn,
        mates_take=mates_take,
        at_risk=at_risk,
        shown=shown,
        one_located=one_located,
        turn_cards=turn * state[HAND_SIZES + on_turn] / 8.0,
    )


@compiled
def state_value(belief: Belief, hands: Ints, team: int, weights: StateFeatures) -> float:
    """The expected result for the team, from -1 (lost) to 1 (won).

    It is exact where the result is decided: the game has ended, by whatever rule, or it goes on
    after a majority (``play-out``), which can no longer be overtaken.
    """
    state = belief.state
    lead = state[SCORE + team] - state[SCORE + 1 - team]
    if state[ENDED_BY] or max(state[SCORE], state[SCORE + 1]) >= state[MAJORITY]:
        return float(np.sign(lead))
    features = describe_state(belief, hands, team)
    value = 0.0
    for i in range(len(weights)):
        value += weights[i] * features[i]
    # tanh keeps certain wins from being valued beyond a win.
    return float(np.tanh(value))
