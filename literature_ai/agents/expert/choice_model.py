"""Choice model: the chance that a hand makes an ask, fitted to real play.

With a given hand a player could make perhaps fifty asks. Each has a utility, which a small network
computes from what the player sees of it (the `FEATURES`), and is made with a chance proportional to
exp(utility): a conditional logit (McFadden 1974) with one hidden layer. There is one utility for
each *style* of play that was fitted. Read backwards, that tells how likely each hand is to make the
ask that was made (`literature_ai.agents.expert.opponent_model`).

It runs for hundreds of thousands of hands a second, so it takes two short cuts. Cards of a
half-suit that the same seats may hold are alike, and form one *group*. And the asker's beliefs are
made from what everyone believes: the asker's own cards are taken out, then everything is scaled
once to the sizes of the hands and once to each card being somewhere. The network was fitted to the
results of these short cuts, so they cost it little.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from literature_ai.agents.expert.belief import (
    NOBODY,
    SIX,
    Belief,
    believe,
    cards_of,
    count_of,
    held_of,
)
from literature_ai.game.state import BLUFF_ASKS, HAND_SIZES, PLAYERS
from solver.compilation import compiled
from solver.kernels.arrays import Floats, Floats2, Ints
from solver.kernels.families import SIZE

# The features of an ask, as the asker sees it: their places in a row.
HIT = 0
"""The chance of a hit."""
HIT_SQUARED = 1
DEAD = 2
"""1 when it must miss."""
SURE = 3
"""1 when it must hit."""
MINE = 4
"""The cards of the half-suit that the asker holds, in sixths."""
OURS = 5
"""Those that the team expects to hold, in sixths."""
OURS_SQUARED = 6
SHOWN = 7
"""1 when everyone knows that the asker holds some of the half-suit."""
PUBLIC = 8
"""The chance of a hit, as everyone sees it."""
TARGET_HAND = 9
"""The target's cards, in eighths."""
BELOW_BEST = 10
"""The chance of a hit, less the best of all asks."""
BEST = 11
"""1 when it is the best."""
BELOW_HALF_SUIT = 12
"""The chance of a hit, less the best of the half-suit."""
LOCATED_OURS = 13
"""The cards of the half-suit that everyone can locate in the asker's team, in sixths."""
LOCATED_THEIRS = 14
"""The same in the other team."""
MATES_SHOWN = 15
"""Teammates known to hold some of the half-suit, in halves."""
FOES_SHOWN = 16
"""The same of opponents."""
TARGET_SHOWN = 17
"""1 when the target is known to hold some of the half-suit."""
DANGER = 18
"""The team's located cards that the target may be able to take."""
HUNTS = 19
"""What the team expects to hold of half-suits that the target has shown, in twelfths."""
TARGET_HOLDS = 20
"""The cards of the half-suit that the target should hold, in thirds."""
FEATURES = 21
"""The number of features."""

STYLES = ("expert", "champion", "formula", "greedy")
"""Those whose asks the network was fitted to: agents, and `expert` as it is without the ask model,
by the formula of `literature_ai.agents.expert.action_value` alone."""
PLAIN, ANY, BLUFF = len(STYLES), len(STYLES) + 1, len(STYLES) + 2
"""The places of the styles that are not fitted, after those that are. The plain one looks at
nothing but lengths: a half-suit with a chance proportional to the square of the cards held, then
any ask for it. Next, any legal ask alike; and, under ``bluff-asks``, any ask for an own card."""
EVERY_STYLE = len(STYLES) + 3
"""The number of all styles."""


class ChoiceModel(NamedTuple):
    """The network: utilities = relu(x · hidden + bias) · outward + x · straight."""

    hidden: Floats2
    """Features × width."""
    bias: Floats
    outward: Floats2
    """Width × styles."""
    straight: Floats2
    """Features × styles."""


def choice_model_of(parts: Mapping[str, list[Any]]) -> ChoiceModel:
    """The network whose parts are given as lists, by name."""
    return ChoiceModel(*(np.array(parts[part]) for part in ChoiceModel._fields))


class Groups(NamedTuple):
    """The cards in play, in groups of which everyone knows the same."""

    cards: Ints
    """For each group, as a mask."""
    half_suit: Ints
    possible: Ints
    """For each group: the seats that may hold its cards, as a mask."""
    public: Floats2
    """Groups × seats: what everyone believes of each of its cards."""


class Known(NamedTuple):
    """What everyone knows of the half-suits, as it concerns an asker.

    Sides: 0 is the asker's, 1 the other.
    """

    shown: Floats
    """For each half-suit: 1 when the asker is known to hold some."""
    others: Floats2
    """Half-suits × sides: the other seats known to hold some, in halves."""
    located: Floats2
    """Half-suits × sides: the located cards, in sixths."""


class Asks(NamedTuple):
    """Buffers for the asks that a hand could make, a row each."""

    features: Floats2
    """Rows × `FEATURES`."""
    group: Ints
    """The group of the card."""
    target: Ints
    cards: Ints
    """How many cards of the group may be asked for, all with the same features."""


@compiled
def group_cards(belief: Belief, team: int) -> Groups:
    """The groups of the position, with beliefs as the team reads asks."""
    count = len(belief.possible)
    chances = np.empty((count, belief.state[PLAYERS]))
    believe(belief, team, NOBODY, 0, chances)
    cards = np.zeros(count, np.int64)
    half_suits = np.empty(count, np.int64)
    possible = np.empty(count, np.int64)
    public = np.empty_like(chances)
    groups = 0
    for half_suit in range(len(belief.holding)):
        first = groups
        for card in cards_of(half_suit):
            if belief.possible[card] == 0:
                continue
            group = first
            while group < groups and possible[group] != belief.possible[card]:
                group += 1
            if group == groups:
                half_suits[group] = half_suit
                possible[group] = belief.possible[card]
                public[group] = chances[card]
                groups += 1
            cards[group] |= 1 << card
    return Groups(cards[:groups], half_suits[:groups], possible[:groups], public[:groups])


@compiled
def new_asks(belief: Belief, groups: Groups) -> Asks:
    """Buffers with room for all asks of any hand."""
    most = len(groups.cards) * (belief.state[PLAYERS] // 2)
    return Asks(
        np.zeros((most, FEATURES)),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
    )


@compiled
def find_known(belief: Belief, groups: Groups, seat: int) -> Known:
    """What everyone knows when the seat asks, whatever its hand."""
    half_suits = len(belief.holding)
    shown = np.zeros(half_suits)
    others = np.zeros((half_suits, 2))
    located = np.zeros((half_suits, 2))
    for half_suit in range(half_suits):
        for other in range(belief.state[PLAYERS]):
            if belief.holding[half_suit] >> other & 1:
                if other == seat:
                    shown[half_suit] = 1.0
                else:
                    others[half_suit, (other ^ seat) & 1] += 0.5
    for group in range(len(groups.cards)):
        half_suit = groups.half_suit[group]
        if groups.possible[group] == 1 << seat:
            shown[half_suit] = 1.0
        for other in range(belief.state[PLAYERS]):
            if groups.possible[group] == 1 << other:
                located[half_suit, (other ^ seat) & 1] += count_of(groups.cards[group]) / 6.0
    return Known(shown, others, located)


@compiled
def _believe_groups(
    belief: Belief, groups: Groups, seat: int, hand: int, left: Ints, chances: Floats2
) -> None:
    """Fill how many cards of each group are not in the hand, and what the seat believes of one.

    chances: groups × seats; 0 for groups that are wholly in the hand.
    """
    seats = belief.state[PLAYERS]
    chances[:] = 0.0
    room = belief.state[HAND_SIZES : HAND_SIZES + seats].astype(np.float64)
    scale = np.zeros(seats)
    for group in range(len(left)):
        left[group] = count_of(groups.cards[group] & ~hand)
        others = 1.0 - groups.public[group, seat]
        if others <= 0.0:
            left[group] = 0
        if left[group] == 0:
            continue
        may = groups.possible[group] & ~(1 << seat)
        for other in range(seats):
            if may == 1 << other:
                chances[group, other] = 1.0
                room[other] -= left[group]
            elif may & (may - 1) and other != seat:
                chances[group, other] = groups.public[group, other] / others
                scale[other] += left[group] * chances[group, other]
    for other in range(seats):
        scale[other] = max(room[other], 0.01) / scale[other] if scale[other] > 0.0 else 1.0
    for group in range(len(left)):
        may = groups.possible[group] & ~(1 << seat)
        if left[group] == 0 or may & (may - 1) == 0:
            continue
        total = 0.0
        for other in range(seats):
            chances[group, other] *= scale[other]
            total += chances[group, other]
        for other in range(seats):
            chances[group, other] /= total


@compiled
def _find_threats(
    belief: Belief,
    seat: int,
    held: Floats2,
    located: Floats2,
    ours: Floats,
    danger: Floats,
    hunts: Floats,
) -> None:
    """Fill for each opponent what it may take.

    danger: the asker's team's located cards, in sixths, in half-suits it should hold some of.
    hunts: what the team expects to hold of half-suits it has shown, in twelfths.
    """
    for target in range(1 - (seat & 1), belief.state[PLAYERS], 2):
        for half_suit in range(len(ours)):
            danger[target] += min(held[half_suit, target], 1.0) * located[half_suit, 0]
            if belief.holding[half_suit] >> target & 1:
                hunts[target] += ours[half_suit] / 12.0


@compiled
def describe_asks(
    belief: Belief, groups: Groups, known: Known, seat: int, hand: int, asks: Asks
) -> int:
    """Fill ``asks`` with those that the seat could make with the hand (a mask); returns how many.

    Asks for cards of one group of one target are one row.
    """
    seats, half_suits = belief.state[PLAYERS], len(belief.holding)
    left = np.empty(len(groups.cards), np.int64)
    chances = np.empty((len(left), seats))
    held = np.zeros((half_suits, seats))
    ours = np.zeros(half_suits)
    best = np.zeros(half_suits)
    danger = np.zeros(seats)
    hunts = np.zeros(seats)
    _believe_groups(belief, groups, seat, hand, left, chances)
    for half_suit in range(half_suits):
        ours[half_suit] = SIZE[held_of(hand, half_suit)]
    for group in range(len(left)):
        half_suit = groups.half_suit[group]
        for other in range(seats):
            held[half_suit, other] += left[group] * chances[group, other]
            if (other ^ seat) & 1 == 0:
                ours[half_suit] += left[group] * chances[group, other]
            elif left[group] and held_of(hand, half_suit):
                best[half_suit] = max(best[half_suit], chances[group, other])
    _find_threats(belief, seat, held, known.located, ours, danger, hunts)
    best_of_all = best.max()
    rows = 0
    for group in range(len(left)):
        half_suit = groups.half_suit[group]
        mine = SIZE[held_of(hand, half_suit)]
        if mine == 0 or left[group] == 0:
            continue
        for target in range(1 - (seat & 1), seats, 2):
            hand_size = belief.state[HAND_SIZES + target]
            if hand_size == 0:
                continue
            hit = chances[group, target]
            row = asks.features[rows]
            row[HIT] = hit
            row[HIT_SQUARED] = hit * hit
            row[DEAD] = hit == 0.0
            row[SURE] = hit == 1.0
            row[MINE] = mine / 6.0
            row[OURS] = ours[half_suit] / 6.0
            row[OURS_SQUARED] = ours[half_suit] * ours[half_suit] / 36.0
            row[SHOWN] = known.shown[half_suit]
            row[PUBLIC] = groups.public[group, target]
            row[TARGET_HAND] = hand_size / 8.0
            row[BELOW_BEST] = hit - best_of_all
            row[BEST] = hit >= best_of_all - 1e-9
            row[BELOW_HALF_SUIT] = hit - best[half_suit]
            row[LOCATED_OURS] = known.located[half_suit, 0]
            row[LOCATED_THEIRS] = known.located[half_suit, 1]
            row[MATES_SHOWN] = known.others[half_suit, 0]
            row[FOES_SHOWN] = known.others[half_suit, 1]
            row[TARGET_SHOWN] = belief.holding[half_suit] >> target & 1
            row[DANGER] = danger[target]
            row[HUNTS] = hunts[target]
            row[TARGET_HOLDS] = held[half_suit, target] / 3.0
            asks.group[rows] = group
            asks.target[rows] = target
            asks.cards[rows] = left[group]
            rows += 1
    return rows


@compiled
def _compute_utilities(choice_model: ChoiceModel, features: Floats2, utilities: Floats2) -> None:
    """Fill the utility of each ask in each style: rows × features to rows × styles."""
    width = len(choice_model.bias)
    styles = utilities.shape[1]
    layer = np.empty(width)
    utilities[:] = 0.0
    for row in range(len(features)):
        layer[:] = choice_model.bias
        for feature in range(features.shape[1]):
            value = features[row, feature]
            if value != 0.0:
                for i in range(width):
                    layer[i] += value * choice_model.hidden[feature, i]
                for style in range(styles):
                    utilities[row, style] += value * choice_model.straight[feature, style]
        for i in range(width):
            if layer[i] > 0.0:
                for style in range(styles):
                    utilities[row, style] += layer[i] * choice_model.outward[i, style]


@compiled
def ask_likelihoods(
    belief: Belief,
    seat: int,
    hands: Ints,
    target: int,
    card: int,
    choice_model: ChoiceModel,
    likelihoods: Floats2,
) -> None:
    """How likely the seat makes this ask with each of the hands (masks), in each style.

    Fills ``likelihoods`` (`EVERY_STYLE` × hands).
    """
    groups = group_cards(belief, seat & 1)
    styles = choice_model.straight.shape[1]
    known = find_known(belief, groups, seat)
    asks = new_asks(belief, groups)
    utilities = np.empty((len(asks.group), styles))
    asked = -1
    for group in range(len(groups.cards)):
        if groups.cards[group] >> card & 1:
            asked = group
    targets = 0
    for other in range(1 - (seat & 1), belief.state[PLAYERS], 2):
        targets += belief.state[HAND_SIZES + other] > 0
    likelihoods[:] = 0.0
    for i in range(len(hands)):
        hand = hands[i]
        same = 0
        while hands[same] != hand:
            same += 1
        if same < i:
            likelihoods[:, i] = likelihoods[:, same]
            continue
        rows = describe_asks(belief, groups, known, seat, hand, asks)
        made = -1
        for row in range(rows):
            if asks.group[row] == asked and asks.target[row] == target:
                made = row
        if hand >> card & 1 and belief.state[BLUFF_ASKS]:
            likelihoods[BLUFF, i] = 1.0 / count_of(hand) / targets
        if made < 0 or hand >> card & 1:
            continue
        _compute_utilities(choice_model, asks.features[:rows], utilities)
        for style in range(styles):
            total = 0.0
            for row in range(rows):
                lead = utilities[row, style] - utilities[made, style]
                total += asks.cards[row] * np.exp(lead)
            likelihoods[style, i] = 1.0 / total
        likelihoods[PLAIN, i] = _plain_likelihood(belief, hand, card, targets)
        likelihoods[ANY, i] = 1.0 / _count_askable(belief, hand) / targets


@compiled
def _count_askable(belief: Belief, hand: int) -> int:
    """How many cards may be asked for with the hand."""
    count = 0
    for half_suit in range(len(belief.holding)):
        held = SIZE[held_of(hand, half_suit)]
        if held:
            count += SIX - held
    return count


@compiled
def _plain_likelihood(belief: Belief, hand: int, card: int, targets: int) -> float:
    """The chance of an ask for the card by lengths alone; targets: how many may be asked."""
    squares = 0.0
    for half_suit in range(len(belief.holding)):
        held = SIZE[held_of(hand, half_suit)]
        if held < SIX:
            squares += held * held
    held = SIZE[held_of(hand, card // SIX)]
    return float(held * held / squares / (SIX - held) / targets)
