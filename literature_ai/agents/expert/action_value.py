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

from literature_ai.agents.expert.belief import (
    ALL_SEATS,
    SEAT_OF,
    SEATS,
    SIX,
    TEAM_SEATS,
    Belief,
    Rows,
    cards_of,
    count_of,
    held_of,
    new_rows,
    with_own_beliefs,
)
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
    """What the asks of a position have in common: arrays that are written over."""

    ours: Floats
    """For each half-suit: the cards that the team expects to hold."""
    mine: Floats
    """For each half-suit: the cards that the asker holds."""
    shown: Bools
    """For each half-suit: whether everyone knows that the asker holds some."""
    located: Floats
    """For each half-suit: the cards of the team that everyone can locate."""
    some: Floats2
    """Half-suits × `SEATS`: the chance that an opponent holds some card."""
    rivals: Floats
    """For each half-suit: the greatest of these chances."""
    danger: Floats
    """For each opponent of `SEATS`: the team's located cards that it can expect to take."""
    hunts: Floats
    """For each opponent of `SEATS`: what the team expects to hold of half-suits it has shown, in
    sixths."""


@compiled
def new_prospects(half_suits: int) -> Prospects:
    """Room for the prospects of a position."""
    return Prospects(
        np.empty(half_suits),
        np.empty(half_suits),
        np.empty(half_suits, np.bool_),
        np.empty(half_suits),
        np.empty((half_suits, SEATS)),
        np.empty(half_suits),
        np.empty(SEATS),
        np.empty(SEATS),
    )


@compiled
def find_prospects(
    belief: Belief, seat: int, hand: int, own: Rows, public: Rows, count: int, prospects: Prospects
) -> None:
    """Fill in the prospects of the seat; own, public, count: the rows, with what the seat and
    everyone believe."""
    team, seats = seat & 1, belief.state[PLAYERS]
    ours, mine, shown, located, some, rivals, danger, hunts = prospects
    for half_suit in range(len(ours)):
        ours[half_suit] = mine[half_suit] = located[half_suit] = rivals[half_suit] = 0.0
        shown[half_suit] = belief.holding[half_suit] >> seat & 1 != 0
    for target in range(1 - team, seats, 2):
        danger[target] = hunts[target] = 0.0
    last = 0
    while last < count:
        first = last
        half_suit = own.half_suit[first]
        none = some[half_suit]
        for target in range(1 - team, seats, 2):
            none[target] = 1.0
        held = count_of(held_of(hand, half_suit))
        expected, known = float(held), 0.0
        mine[half_suit] = expected
        while last < count and own.half_suit[last] == half_suit:
            left = own.left[last]
            chances, seen = own.chances[last], public.chances[last]
            owned = count_of(own.cards[last] & hand) if held else 0
            if owned:
                known += owned * seen[seat] * seen[seat]
                if seen[seat] >= 1.0:
                    shown[half_suit] = True
            if left:
                for mate in range(team, seats, 2):
                    share = left * chances[mate]
                    expected += share
                    known += share * seen[mate] * seen[mate]
                for target in range(1 - team, seats, 2):
                    rest = 1.0 - chances[target]
                    for _ in range(left):
                        none[target] *= rest
            last += 1
        ours[half_suit], located[half_suit] = expected, known
        holding, sixths = belief.holding[half_suit], expected / SIX
        for target in range(1 - team, seats, 2):
            chance = 1.0 - none[target]
            some[half_suit, target] = chance
            rivals[half_suit] = max(rivals[half_suit], chance)
            if expected > 0.0:
                danger[target] += chance * known
                if holding >> target & 1:
                    hunts[target] += sixths


@compiled
def best_chances(
    belief: Belief, seat: int, hand: int, own: Rows, count: int
) -> tuple[float, int, float]:
    """The best chance of a hit, the row of the card, and the best chance with another card."""
    best = second = 0.0
    best_row = -1
    for row in range(count):
        if own.left[row] == 0 or held_of(hand, own.half_suit[row]) == 0:
            continue
        chance = 0.0
        for target in range(1 - (seat & 1), belief.state[PLAYERS], 2):
            if belief.state[HAND_SIZES + target]:
                chance = max(chance, own.chances[row, target])
        if chance > best:
            second = chance if own.left[row] > 1 else best
            best = chance
            best_row = row
        else:
            second = max(second, chance)
    return best, best_row, second


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


class Buffers(NamedTuple):
    """What the choice of an ask is made with, written over again and again."""

    own: Rows
    """What the seat on turn believes."""
    public: Rows
    """What everyone believes of the same rows."""
    used: Ints
    """How many rows there are: one number."""
    values: Floats2
    """Rows × `SEATS`: the action values of its asks; -inf for no ask."""
    prospects: Prospects
    holders: Ints
    """The six holders that a claim names."""


@compiled
def new_buffers(cards: int) -> Buffers:
    """Buffers for a deck of that many cards."""
    own = new_rows(cards)
    return Buffers(
        own,
        with_own_beliefs(own),
        np.zeros(1, np.int64),
        np.empty((cards, SEATS)),
        new_prospects(cards // SIX),
        np.zeros(SIX, np.int64),
    )


@compiled
def value_rows(
    belief: Belief, seat: int, hand: int, buffers: Buffers, count: int, weights: ActionWeights
) -> float:
    """Fill ``buffers.values`` with the values of the seat's asks; returns the best chance of a hit.

    Asks for own cards (``bluff-asks``) are never considered. count: of the rows.
    """
    own, public, prospects, values = (
        buffers.own,
        buffers.public,
        buffers.prospects,
        buffers.values,
    )
    find_prospects(belief, seat, hand, own, public, count, prospects)
    best, best_row, second = best_chances(belief, seat, hand, own, count)
    for row in range(count):
        half_suit = own.half_suit[row]
        for target in range(SEATS):
            values[row, target] = -np.inf
        if own.left[row] == 0 or prospects.mine[half_suit] == 0.0:
            continue
        other = second if row == best_row else best
        for target in range(1 - (seat & 1), belief.state[PLAYERS], 2):
            hand_size = belief.state[HAND_SIZES + target]
            if hand_size == 0:
                continue
            hit, seen = own.chances[row, target], public.chances[row, target]
            value = action_value(
                weights, prospects, half_suit, target, hand_size, hit, other, 1.0 - seen
            )
            if hit == 0.0:
                known = seen == 0.0 and public.chances[row, seat] == 0.0
                value -= POINTLESS_PENALTY if known else DEAD_PENALTY
            values[row, target] = value
    return best


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

    ``own``: what the seat believes; ``public``: what everyone believes (both cards × seats). They
    need not come from the belief, so each card is a row of its own.
    """
    buffers = new_buffers(len(own))
    count = card_rows(belief, hand, own, public, buffers)
    value_rows(belief, seat, hand, buffers, count, weights)
    values[:] = -np.inf
    row = 0
    for card in range(len(own)):
        if belief.possible[card]:
            for target in range(own.shape[1]):
                values[card, target] = buffers.values[row, target]
            row += 1


@compiled
def card_rows(belief: Belief, hand: int, own: Floats2, public: Floats2, buffers: Buffers) -> int:
    """Fill in a row for each card in play, and how many that makes; own, public: cards × seats."""
    mine, seen = buffers.own, buffers.public
    count = 0
    for card in range(len(own)):
        if belief.possible[card] == 0:
            continue
        mine.half_suit[count] = card // SIX
        mine.cards[count] = 1 << card
        mine.possible[count] = belief.possible[card]
        mine.left[count] = 1 - (hand >> card & 1)
        for other in range(own.shape[1]):
            mine.chances[count, other] = own[card, other]
            seen.chances[count, other] = public[card, other]
        count += 1
    return count


@compiled
def best_ask(values: Floats2, count: int, dice: Ints) -> tuple[int, int]:
    """The ask of the greatest value: target and row, or -1 and -1 when there is none.

    ``dice``: one number, the state of a linear congruential generator that decides between equals.
    """
    best = -np.inf
    best_target = best_row = -1
    for row in range(count):
        for target in range(SEATS):
            if values[row, target] > best - 1e-6:
                value = values[row, target] + 1e-6 * throw(dice)
                if value > best:
                    best = value
                    best_row = row
                    best_target = target
    return best_target, best_row


@compiled
def throw(dice: Ints) -> float:
    """The next number of the generator, from 0 to 1."""
    dice[0] = (dice[0] * 1103515245 + 12345) & 0x7FFFFFFF
    return float((dice[0] >> 8) / 0x800000)


@compiled
def first_card(cards: int) -> int:
    """The lowest card of a mask that is not empty."""
    card = 0
    while cards >> card & 1 == 0:
        card += 1
    return card


@compiled
def any_card(cards: int, dice: Ints) -> int:
    """One of the cards of a mask, all equally likely; dice: as in `best_ask`."""
    for _ in range(int(throw(dice) * count_of(cards))):
        cards &= cards - 1
    return first_card(cards)


@compiled
def sure_ask(seat: int, hand: int, own: Rows, count: int) -> tuple[int, int]:
    """A card that an opponent holds for certain: target and card, or -1 and -1.

    Of the half-suit of which most cards are located in the own team. own, count: the rows, located
    by the seat (`literature_ai.agents.expert.belief.locate_rows`).
    """
    best_target = best_card = most = -1
    team = TEAM_SEATS << (seat & 1)
    last = 0
    while last < count:
        first = last
        half_suit = own.half_suit[first]
        held = held_of(hand, half_suit)
        ours = count_of(held)
        found = -1
        while last < count and own.half_suit[last] == half_suit:
            places = own.places[last]
            if places & (places - 1) == 0 and own.left[last]:
                if places & team:
                    ours += own.left[last]
                elif found < 0:
                    found = last
            last += 1
        if found >= 0 and held and ours > most:
            most = ours
            best_target = SEAT_OF[own.places[found]]
            best_card = first_card(own.cards[found] & ~hand)
    return best_target, best_card


@compiled
def may_name(belief: Belief, claimant: int) -> int:
    """The seats that a claim may name, as a mask: the own team, or all under ``split-claims``."""
    return ALL_SEATS if belief.state[SPLIT_CLAIMS] else TEAM_SEATS << (claimant & 1)


@compiled
def certain_claim(
    belief: Belief, seat: int, hand: int, own: Rows, count: int, holders: Ints
) -> int:
    """A half-suit whose six cards are located where the seat may name them, or -1.

    Fills ``holders`` with their seats. own, count: as in `sure_ask`.
    """
    named = may_name(belief, seat)
    last = 0
    while last < count:
        first = last
        half_suit = own.half_suit[first]
        certain = True
        while last < count and own.half_suit[last] == half_suit:
            places = own.places[last]
            if own.left[last] and (places & (places - 1) or places & named == 0):
                certain = False
            last += 1
        if certain:
            for row in range(first, last):
                for card in cards_of(half_suit):
                    if hand >> card & 1:
                        holders[card - half_suit * SIX] = seat
                    elif own.cards[row] >> card & 1:
                        holders[card - half_suit * SIX] = SEAT_OF[own.places[row]]
            return int(half_suit)
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
