"""Ask model: what an ask is worth in results, learned from deep search.

A rollout of many open asks sees much that the formula of `action_value` does not, but it costs a
thousand times as much. So a small network learns from tens of thousands of positions what deep
rollouts say of the asks (``benchmarks/learn.py``): from the numbers below, which describe an ask as
the asker sees it, it computes how many results (1 for a win) the ask is worth. Only differences
between asks of one position mean something.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from literature_ai.agents.expert.action_value import (
    best_chances,
    card_rows,
    find_prospects,
    new_buffers,
)
from literature_ai.agents.expert.belief import SIX, TEAM_SEATS, Belief, cards_of, count_of
from literature_ai.game.state import HAND_SIZES, IN_PLAY, PLAYERS, SCORE
from solver.compilation import compiled
from solver.kernels.arrays import Floats, Floats2, Ints2

FEATURES = 47
"""The numbers that describe an ask."""


FORMULA = 0.04
"""Results a unit of the action value; what is left to say the network learns."""


class AskModel(NamedTuple):
    """The network: worth = `FORMULA` · action value + relu(x · hidden + bias) · outward.

    x are the features less their mean, times their scale.
    """

    mean: Floats
    scale: Floats
    hidden: Floats2
    """Features × width."""
    bias: Floats
    outward: Floats


def ask_model_of(parts: Mapping[str, list[Any]]) -> AskModel:
    """The network whose parts are given as lists, by name."""
    return AskModel(*(np.array(parts[part], float) for part in AskModel._fields))


@compiled
def describe_asks(
    belief: Belief,
    seat: int,
    hand: int,
    own: Floats2,
    public: Floats2,
    asks: Ints2,
    values: Floats,
    features: Floats2,
) -> None:
    """Fill in the features of each ask: asks × `FEATURES`.

    own, public: as in `action_values`. asks: rows of target and card. values: their action values.
    """
    state = belief.state
    seats, team = state[PLAYERS], seat & 1
    half_suits = len(belief.holding)
    buffers = new_buffers(len(own))
    count = card_rows(belief, hand, own, public, buffers)
    prospects = buffers.prospects
    find_prospects(belief, seat, hand, buffers.own, buffers.public, count, prospects)
    best, best_row, second = best_chances(belief, seat, hand, buffers.own, count)
    team_mask = TEAM_SEATS << team
    # What each opponent could take with the turn: by what everyone believes of the team's cards.
    threat, plunder = np.zeros(seats), np.zeros(seats)
    ours_all, theirs_all = np.ones(half_suits), np.ones(half_suits)
    located_ours, located_theirs = np.zeros(half_suits), np.zeros(half_suits)
    open_cards, sum_best = np.zeros(half_suits), np.zeros(half_suits)
    for half_suit in range(half_suits):
        if not state[IN_PLAY] >> half_suit & 1:
            continue
        likeliest = 0.0
        for card in cards_of(half_suit):
            in_team = 0.0
            to_foes = 0.0
            most = 0.0
            for other in range(seats):
                if other & 1 == team:
                    in_team += own[card, other]
                    likeliest = max(likeliest, public[card, other])
                    to_foes = max(to_foes, public[card, other])
                else:
                    most = max(most, own[card, other])
            ours_all[half_suit] *= in_team
            theirs_all[half_suit] *= 1.0 - in_team
            sum_best[half_suit] += most
            possible = belief.possible[card]
            if possible & (possible - 1):
                open_cards[half_suit] += 1.0
            elif possible & team_mask:
                located_ours[half_suit] += 1.0
            else:
                located_theirs[half_suit] += 1.0
        for target in range(1 - team, seats, 2):
            some = prospects.some[half_suit, target]
            threat[target] = max(threat[target], some * likeliest)
            plunder[target] += some * likeliest * prospects.ours[half_suit]
    least_threat, least_danger, cards_left = 9.0, 99.0, 0.0
    team_cards = 0.0
    for other in range(seats):
        cards_left += state[HAND_SIZES + other]
        if other & 1 == team:
            team_cards += state[HAND_SIZES + other]
        elif state[HAND_SIZES + other]:
            least_threat = min(least_threat, threat[other])
            least_danger = min(least_danger, prospects.danger[other])
    best_value = values.max()
    for i in range(len(asks)):
        target, card = asks[i, 0], asks[i, 1]
        half_suit = card // SIX
        hit = own[card, target]
        in_team = 0.0
        for mate in range(team, seats, 2):
            in_team += own[card, mate]
        other_ours, other_theirs = 1.0, 1.0
        mates_some, ask_rank = 0.0, 0.0
        for other in cards_of(half_suit):
            if other != card:
                held = 0.0
                for mate in range(team, seats, 2):
                    held += own[other, mate]
                other_ours *= held
                other_theirs *= 1.0 - held
        for mate in range(team, seats, 2):
            if mate != seat:
                none = 1.0
                for other in cards_of(half_suit):
                    none *= 1.0 - own[other, mate]
                mates_some = max(mates_some, 1.0 - none)
        for foe in range(1 - team, seats, 2):
            if foe != target:
                ask_rank = max(ask_rank, own[card, foe])
        holding = belief.holding[half_suit]
        ours, mine = prospects.ours[half_suit], prospects.mine[half_suit]
        is_shown = 1.0 if prospects.shown[half_suit] else 0.0
        single = count_of(belief.possible[card])
        other_best = second if hit >= best and best_row >= 0 else best
        lead = state[SCORE + team] - state[SCORE + 1 - team]
        x = features[i]
        x[0] = hit
        x[1] = hit * hit
        x[2] = ours / SIX
        x[3] = ours * ours / SIX / SIX
        x[4] = hit * ours / SIX
        x[5] = mine / SIX
        x[6] = hit * mine / SIX
        x[7] = is_shown
        x[8] = public[card, target]
        x[9] = in_team
        x[10] = state[HAND_SIZES + target] / 8.0
        x[11] = other_best
        x[12] = hit * other_best
        x[13] = prospects.some[half_suit, target] * mine / SIX
        x[14] = prospects.danger[target] / SIX
        x[15] = prospects.hunts[target]
        x[16] = prospects.rivals[half_suit]
        x[17] = (1.0 - hit) * prospects.danger[target] / SIX
        x[18] = located_ours[half_suit] / SIX
        x[19] = located_theirs[half_suit] / SIX
        x[20] = count_of(holding & team_mask & ~(1 << seat)) / 2.0
        x[21] = count_of(holding & ~team_mask) / 2.0
        x[22] = float(holding >> target & 1)
        x[23] = lead / 4.0
        x[24] = cards_left / len(own)
        x[25] = state[HAND_SIZES + seat] / 8.0
        x[26] = team_cards / max(cards_left, 1.0)
        x[27] = prospects.danger[target] - least_danger
        x[28] = threat[target]
        x[29] = threat[target] - least_threat
        x[30] = plunder[target] / SIX
        x[31] = (1.0 - hit) * plunder[target] / SIX
        x[32] = hit * other_ours
        x[33] = other_ours
        x[34] = other_theirs
        x[35] = ours_all[half_suit]
        x[36] = mates_some
        x[37] = ask_rank
        x[38] = open_cards[half_suit] / SIX
        x[39] = sum_best[half_suit] / SIX
        x[40] = 1.0 if hit == 0.0 else 0.0
        x[41] = single / seats
        x[42] = values[i] / 4.0
        x[43] = (values[i] - best_value) / 4.0
        x[44] = is_shown * mine / SIX
        x[45] = hit - best
        known = hit == 0.0 and public[card, target] == 0.0 and public[card, seat] == 0.0
        x[46] = 1.0 if known else 0.0


@compiled
def worth_of(model: AskModel, values: Floats, features: Floats2) -> Floats:
    """What each ask is worth, in results, up to a constant of the position.

    values: the action values.
    """
    worth = np.empty(len(features))
    layer = np.empty(len(model.bias))
    for i in range(len(features)):
        layer[:] = model.bias
        for feature in range(len(model.mean)):
            value = (features[i, feature] - model.mean[feature]) * model.scale[feature]
            for j in range(len(layer)):
                layer[j] += value * model.hidden[feature, j]
        worth[i] = FORMULA * values[i]
        for j in range(len(layer)):
            worth[i] += max(layer[j], 0.0) * model.outward[j]
    return worth
