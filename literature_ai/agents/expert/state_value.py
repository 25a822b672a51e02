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

from literature_ai.agents.expert.belief import (
    SEAT_OF,
    SIX,
    TEAM_SEATS,
    Belief,
    cards_of,
    count_of,
    held_of,
)
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
    team_seats, other_seats = TEAM_SEATS << team, TEAM_SEATS << 1 - team
    held = 0
    for seat in range(team, seats, 2):
        held |= hands[seat]
    four = five = six = claimable = mates_take = at_risk = shown = one_located = 0.0
    for half_suit in range(len(belief.holding)):
        if not state[IN_PLAY] >> half_suit & 1:
            continue
        count = count_of(held_of(held, half_suit))
        located = located_other = 0
        for card in cards_of(half_suit):
            possible = belief.possible[card]
            if possible & (possible - 1) == 0:
                if SEAT_OF[possible] & 1 == team:
                    located += 1
                else:
                    located_other += 1
        four += (count == 4) - (count == 2)
        five += (count == 5) - (count == 1)
        six += (count == SIX) - (count == 0)
        claimable += (located == SIX) - (located_other == SIX)
        holding = belief.holding[half_suit]
        shown += count_of(holding & team_seats) - count_of(holding & other_seats)
        to_take = located_other if on_turn & 1 == team else -located
        for seat in range(on_turn & 1, seats, 2):
            if held_of(hands[seat], half_suit) and seat != on_turn:
                mates_take += to_take
        if 0 < count < SIX:
            at_risk += located - located_other
            one_located += min(located, 1) - min(located_other, 1)
    turn = 1.0 if on_turn & 1 == team else -1.0
    return StateFeatures(
        four=four,
        five=five,
        six=six,
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
