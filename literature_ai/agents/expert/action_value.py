"""Action values: how much an ask is worth, by one formula over beliefs; and claims and passes.

A hit brings a card and keeps the turn; a miss hands the turn to the target. So

    value = P(hit) × (1 + progress + next) - P(miss) × (risk of the target's turn + reveal)

- *progress*: the more of the half-suit the team expects to hold, the more a card is worth;
- *next*: the turn that is kept is worth the best other chance of a hit;
- *risk*: what the target can take from the team: its cards that everyone can locate, in half-suits
  that the target may hold some of, and simply the number of the target's cards;
- *reveal*: the first ask for a half-suit shows everyone that the asker holds some of it.

The weights of the parts (`ActionWeights`) are fitted to play.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from literature_ai.agents.expert.belief import SIX, Belief, cards_of, held_of
from literature_ai.game.compiled_state import check_pass
from literature_ai.game.state import HAND_SIZES, IN_PLAY, OK, PLAYERS, SPLIT_CLAIMS, TURN
from solver.compilation import compiled
from solver.kernels.arrays import Bools, Floats, Floats2, Ints

DEAD_PENALTY, POINTLESS_PENALTY = 100.0, 10_000.0
"""Subtracted from the value of an ask that must miss: when it still tells the team something (that
the asker lacks the card, that the target does), and when everyone knew that as well."""
GUESS_ABOVE = 0.3
"""The probability of a layout above which it is claimed rather than making a pointless ask."""
PASS_BELOW = 0.5
"""The best chance of a hit below which, under ``pass-turn``, a pass to a teammate is considered."""
PASS_ABOVE = 1.0
"""The `pass_value` of that teammate above which it is made."""


TEAM_SEATS, ALL_SEATS = 0b0101_0101, 0b1111_1111
"""The seats of team A, and all seats, as masks; those of team B are the first shifted by one."""


class ActionWeights(NamedTuple):
    """The weights of the action value: what a hit gains, and what a miss costs."""

    progress: float
    """Gain: a card of the half-suit that the team expects to hold."""
    progress_squared: float
    target_hand: float
    """Cost: eight cards in the target's hand."""
    danger: float
    """Cost: a card of the team that everyone can locate, in a half-suit the target may hold."""
    reveal: float
    """Cost: the asker was not known to hold any of the half-suit."""
    next: float
    """Gain: the best chance of a hit with another card."""
    concealed: float
    """Cost: a card of the half-suit in the asker's hand, which was not known to hold any."""
    clash: float
    """Cost: a card of the half-suit in the asker's hand, if the target holds some of it too."""
    inform: float
    """Gain of a miss: a card of the half-suit that teammates hold, if all learn something."""
    target_hunts: float
    """Cost: six cards that the team expects to hold, of a half-suit the target has shown."""
    exposed: float
    """Loss of a hit: the chance that an opponent holds some of the half-suit."""
    finish: float
    """Gain: a card beyond four that the team expects to hold."""


class Prospects(NamedTuple):
    """What the asks of a position have in common."""

    ours: Floats
    """For each half-suit: the cards that the team expects to hold."""
    mine: Floats
    """For each half-suit: the cards that the asker holds."""
    shown: Bools
    """For each half-suit: whether everyone knows that the asker holds some."""
    some: Floats2
    """Half-suits × seats: the chance that the seat holds some card."""
    rivals: Floats
    """For each half-suit: the greatest of these chances of an opponent."""
    danger: Floats
    """For each seat: the team's located cards that it can expect to take."""
    hunts: Floats
    """For each seat: what the team expects to hold of half-suits the seat has shown, in sixths."""


@compiled
def find_prospects(
    belief: Belief, seat: int, hand: int, own: Floats2, public: Floats2
) -> Prospects:
    """The prospects of the seat; own, public: as in `action_values`."""
    state = belief.state
    seats = state[PLAYERS]
    half_suits = len(belief.holding)
    team = seat & 1
    ours = np.zeros(half_suits)
    mine = np.zeros(half_suits)
    shown = np.zeros(half_suits, np.bool_)
    located = np.zeros(half_suits)
    some = np.zeros((half_suits, seats))
    rivals = np.zeros(half_suits)
    danger = np.zeros(seats)
    hunts = np.zeros(seats)
    for half_suit in range(half_suits):
        if not state[IN_PLAY] >> half_suit & 1:
            continue
        shown[half_suit] = belief.holding[half_suit] >> seat & 1 != 0
        for other in range(seats):
            none = 1.0
            for card in cards_of(half_suit):
                none *= 1.0 - own[card, other]
            some[half_suit, other] = 1.0 - none
        for card in cards_of(half_suit):
            if hand >> card & 1:
                mine[half_suit] += 1.0
                if public[card, seat] >= 1.0:
                    shown[half_suit] = True
            for mate in range(team, seats, 2):
                ours[half_suit] += own[card, mate]
                located[half_suit] += own[card, mate] * public[card, mate] * public[card, mate]
        for target in range(1 - team, seats, 2):
            rivals[half_suit] = max(rivals[half_suit], some[half_suit, target])
    for target in range(1 - team, seats, 2):
        for half_suit in range(half_suits):
            if ours[half_suit] > 0.0:
                danger[target] += some[half_suit, target] * located[half_suit]
                if belief.holding[half_suit] >> target & 1:
                    hunts[target] += ours[half_suit] / SIX
    return Prospects(ours, mine, shown, some, rivals, danger, hunts)


@compiled
def best_chances(belief: Belief, seat: int, hand: int, own: Floats2) -> tuple[float, int, float]:
    """The best chance of a hit, the card, and the best chance with another card."""
    best = second = 0.0
    best_card = -1
    for half_suit in range(len(belief.holding)):
        held = held_of(hand, half_suit)
        if held == 0:
            continue
        for card in cards_of(half_suit):
            if hand >> card & 1:
                continue
            for target in range(1 - (seat & 1), belief.state[PLAYERS], 2):
                chance = own[card, target]
                if belief.state[HAND_SIZES + target] and chance > second:
                    if chance > best:
                        if best_card != card:
                            second = best
                        best = chance
                        best_card = card
                    elif card != best_card:
                        second = chance
    return best, best_card, second


@compiled
def action_value(
    weights: ActionWeights,
    prospects: Prospects,
    half_suit: int,
    target: int,
    hand_size: int,
    hit: float,
    other: float,
    news: float,
) -> float:
    """The value of one ask.

    hand_size: of the target. hit: the chance of a hit. other: the best chance of a hit with another
    card. news: how unlikely everyone finds it that the target has the card.
    """
    ours, mine = prospects.ours[half_suit], prospects.mine[half_suit]
    gain = 1.0 + weights.progress * ours + weights.progress_squared * ours * ours
    gain += (
        weights.next * other
        - weights.exposed * prospects.rivals[half_suit]
        + weights.finish * max(0.0, ours - 4.0)
    )
    loss = weights.target_hand * hand_size / 8.0 + weights.danger * prospects.danger[target]
    loss += weights.target_hunts * prospects.hunts[target]
    loss += weights.clash * prospects.some[half_suit, target] * mine - weights.inform * news * (
        ours - mine
    )
    if not prospects.shown[half_suit]:
        loss += weights.reveal + weights.concealed * mine
    return float(hit * gain - (1.0 - hit) * loss)


@compiled
def action_values(
    belief: Belief,
    seat: int,
    hand: int,
    own: Floats2,
    public: Floats2,
    weights: ActionWeights,
    values: Floats2,
) -> None:
    """Fill ``values`` (cards × seats) with the values of the seat's asks; -inf for no ask.

    Asks for own cards (``bluff-asks``) are never considered. ``own``: what the seat believes;
    ``public``: what everyone believes (both cards × seats).
    """
    values[:] = -np.inf
    prospects = find_prospects(belief, seat, hand, own, public)
    best, best_card, second = best_chances(belief, seat, hand, own)
    for half_suit in range(len(belief.holding)):
        if prospects.mine[half_suit] == 0.0:
            continue
        for card in cards_of(half_suit):
            if hand >> card & 1:
                continue
            other = second if card == best_card else best
            for target in range(1 - (seat & 1), belief.state[PLAYERS], 2):
                hand_size = belief.state[HAND_SIZES + target]
                if hand_size == 0:
                    continue
                hit = own[card, target]
                news = 1.0 - public[card, target]
                value = action_value(
                    weights, prospects, half_suit, target, hand_size, hit, other, news
                )
                if hit == 0.0:
                    known = public[card, target] == 0.0 and public[card, seat] == 0.0
                    value -= POINTLESS_PENALTY if known else DEAD_PENALTY
                values[card, target] = value


@compiled
def best_ask(values: Floats2, dice: Ints) -> tuple[int, int]:
    """The ask of the greatest value: target and card, or -1 and -1 when there is none.

    ``dice``: one number, the state of a linear congruential generator that decides between equals.
    """
    best = -np.inf
    best_target = best_card = -1
    for card in range(values.shape[0]):
        for target in range(values.shape[1]):
            if values[card, target] > -np.inf:
                dice[0] = (dice[0] * 1103515245 + 12345) & 0x7FFFFFFF
                value = values[card, target] + 1e-6 * (dice[0] >> 8) / 0x7FFFFF
                if value > best:
                    best = value
                    best_card = card
                    best_target = target
    return best_target, best_card


@compiled
def only_seat(seats: int) -> int:
    """The seat of a mask with one bit."""
    seat = 0
    while seats >> seat > 1:
        seat += 1
    return seat


@compiled
def sure_ask(belief: Belief, seat: int, hand: int, places: Ints) -> tuple[int, int]:
    """A card that an opponent holds for certain: target and card, or -1 and -1.

    Of the half-suit of which most cards are located in the own team. places: as from
    `literature_ai.agents.expert.belief.locate`.
    """
    best_target = best_card = most = -1
    team = TEAM_SEATS << (seat & 1)
    for half_suit in range(len(belief.holding)):
        if not held_of(hand, half_suit):
            continue
        ours = 0
        first_target = first_card = -1
        for card in cards_of(half_suit):
            place = places[card]
            if place & (place - 1):
                continue
            if place & team:
                ours += 1
            elif first_card < 0:
                first_target = only_seat(place)
                first_card = card
        if first_target >= 0 and ours > most:
            most = ours
            best_target = first_target
            best_card = first_card
    return best_target, best_card


@compiled
def may_name(belief: Belief, claimant: int) -> int:
    """The seats that a claim may name, as a mask: the own team, or all under ``split-claims``."""
    return ALL_SEATS if belief.state[SPLIT_CLAIMS] else TEAM_SEATS << (claimant & 1)


@compiled
def certain_claim(belief: Belief, seat: int, places: Ints, holders: Ints) -> int:
    """A half-suit whose six cards are located where the seat may name them, or -1.

    Fills ``holders`` with their seats. places: as in `sure_ask`.
    """
    named = may_name(belief, seat)
    for half_suit in range(len(belief.holding)):
        if not belief.state[IN_PLAY] >> half_suit & 1:
            continue
        found = 0
        for card in cards_of(half_suit):
            place = places[card]
            if place & (place - 1) or place & named == 0:
                break
            found += 1
        if found == SIX:
            for card in cards_of(half_suit):
                holders[card - half_suit * SIX] = only_seat(places[card])
            return half_suit
    return -1


@compiled
def best_guess(belief: Belief, seat: int, own: Floats2, holders: Ints) -> tuple[int, float]:
    """The half-suit with the likeliest layout that the seat may claim, and its probability.

    Fills ``holders`` with that layout. Cards are treated as if they were independent. own: what the
    seat believes, cards × seats.
    """
    named = may_name(belief, seat)
    best = -1.0
    best_half_suit = -1
    for half_suit in range(len(belief.holding)):
        if not belief.state[IN_PLAY] >> half_suit & 1:
            continue
        chance = 1.0
        for card in cards_of(half_suit):
            likeliest = 0.0
            for other in range(belief.state[PLAYERS]):
                if named >> other & 1:
                    likeliest = max(likeliest, own[card, other])
            chance *= likeliest
        if chance > best:
            best = chance
            best_half_suit = half_suit
    for card in cards_of(best_half_suit):
        likeliest = -1.0
        for other in range(belief.state[PLAYERS]):
            if named >> other & 1 and own[card, other] > likeliest:
                likeliest = own[card, other]
                holders[card - best_half_suit * SIX] = other
    return best_half_suit, best


@compiled
def pass_value(belief: Belief, mate: int, own: Floats2, public: Floats2) -> float:
    """The number of cards that a teammate could take for sure; hand sizes decide between equals.

    own: what the seat that passes believes; public: what everyone believes (cards × seats).
    """
    state = belief.state
    value = 0.0
    for half_suit in range(len(belief.holding)):
        if not state[IN_PLAY] >> half_suit & 1:
            continue
        none = 1.0
        located = 0.0
        for card in cards_of(half_suit):
            none *= 1.0 - own[card, mate]
            likeliest = 0.0
            for target in range(1 - (mate & 1), state[PLAYERS], 2):
                likeliest = max(likeliest, public[card, target])
            located += likeliest * likeliest
        value += (1.0 - none) * located
    return value + 0.01 * float(state[HAND_SIZES + mate])


@compiled
def hidden_cards(belief: Belief, seat: int, own: Floats2, public: Floats2) -> float:
    """The number of cards that the seat can expect to have and nobody else to know of.

    own: what the seat that passes believes; public: what everyone believes (cards × seats).
    """
    hidden = 0.0
    for card in range(len(belief.possible)):
        if public[card, seat] < 1.0:
            hidden += own[card, seat]
    return hidden


@compiled
def best_pass(belief: Belief, own: Floats2, public: Floats2) -> tuple[int, float]:
    """The seat to which the seat on turn may best pass, and how good that is; or -1 and 0.

    A teammate is worth the `pass_value`. An opponent, who must claim what is left, is the better
    the fewer `hidden_cards` tell them where the rest is.
    """
    state = belief.state
    seat = state[TURN]
    best_to = -1
    best = 0.0
    for to in range(state[PLAYERS]):
        if check_pass(state, seat, to) == OK:
            if (to ^ seat) & 1:
                value = -hidden_cards(belief, to, own, public)
            else:
                value = pass_value(belief, to, own, public)
            if best_to < 0 or value > best:
                best_to = to
                best = value
    return best_to, best
