"""Imagined games: from a position with known cards on, each seat acting on its own beliefs.

Every seat sees only its hand and what happened in the open (`literature_ai.agents.expert.belief`),
and asks what it judges best (`literature_ai.agents.expert.action_value`). So an imagined player
never takes a card that it could not know of, which is what misleads a lookahead over open hands.

What is counted is *open* asks, those whose answer the asker does not know. A game that stops after
some of them first goes on while there is a card to take for sure or a half-suit to claim, for in
the middle of that nobody could say how it stands: a quiescence search, as chess programs call it.
"""

from __future__ import annotations

import numpy as np

from literature_ai.agents.expert.action_value import (
    POINTLESS,
    action_values,
    best_ask,
    best_guess,
    certain_claim,
    sure_ask,
)
from literature_ai.agents.expert.belief import (
    EVENTS,
    IN_PLAY,
    NOBODY,
    SCORE,
    SIX,
    TURN,
    Belief,
    Floats,
    Ints,
    believe,
    copy_belief,
    locate,
    observe_ask,
    observe_claim,
)
from literature_ai.agents.expert.state_value import describe, state_value
from solver.compilation import compiled

_LONGEST = 400
"""Events of an imagined game."""
_SURE_ENOUGH = 0.3
"""Of a layout, to claim it when there is nothing left to ask that means anything."""


@compiled
def claim(k: Belief, hands: Ints, seat: int, h: int, holders: Ints) -> None:
    """Let the seat claim the half-suit with these holders."""
    seats = len(k.sizes)
    lost = np.zeros(seats, np.int64)
    right = True
    for i in range(SIX):
        for s in range(seats):
            if hands[s] >> (h * SIX + i) & 1:
                lost[s] += 1
                right = right and holders[i] == s
    for s in range(seats):
        hands[s] &= ~(63 << h * SIX)
    observe_claim(k, h, lost)
    k.table[SCORE + (seat & 1 if right else 1 - (seat & 1))] += 1
    turn = k.table[TURN]
    for s in range(turn & 1, seats, 2):
        if k.sizes[s]:
            return
    for step in range(1, seats, 2):
        s = (turn + step) % seats
        if k.sizes[s]:
            k.table[TURN] = s
            return


@compiled
def rollout(
    k: Belief, hands: Ints, thetas: Floats, readings: Floats, asks: int, dice: Ints
) -> None:
    """Play on, changing the belief and the hands, until there is an open ask too many, or the end.

    thetas: for each team the weights of `action_values`. readings: for each team, how it reads
    asks.
    """
    seats = len(k.sizes)
    cards = len(k.may)
    half_suits = len(k.touch)
    majority = half_suits // 2 + 1
    p = np.empty((cards, seats))
    q = np.empty((cards, seats))
    worth = np.empty((cards, seats))
    masks = np.empty(cards, np.int64)
    room = np.empty(seats)
    holders = np.zeros(SIX, np.int64)
    last = k.table[EVENTS] + _LONGEST
    while k.table[EVENTS] < last:
        if k.table[SCORE] >= majority or k.table[SCORE + 1] >= majority or k.table[IN_PLAY] == 0:
            return
        seat = k.table[TURN]
        if k.sizes[seat] == 0:
            to = seat
            for s in range(seat & 1, seats, 2):
                if k.sizes[s] > k.sizes[to]:
                    to = s
            k.table[TURN] = to
            k.table[EVENTS] += 1
            continue
        locate(k, seat, hands[seat], masks, room)
        h = certain_claim(k, seat, masks, holders)
        if h >= 0:
            claim(k, hands, seat, h, holders)
            continue
        target, card = sure_ask(k, seat, hands[seat], masks)
        if target < 0:
            if asks == 0:
                return
            asks -= 1
            believe(k, seat & 1, seat, hands[seat], p)
            believe(k, seat & 1, NOBODY, 0, q)
            action_values(k, seat, hands[seat], p, q, thetas[seat & 1], worth)
            target, card = best_ask(worth, dice)
            if target < 0 or (p[card, target] == 0.0 and worth[card, target] < -POINTLESS / 2):
                h, chance = best_guess(k, seat, p, holders)
                if target < 0 or chance > _SURE_ENOUGH:
                    claim(k, hands, seat, h, holders)
                    continue
        hit = hands[target] >> card & 1 != 0
        if hit:
            hands[target] &= ~(1 << card)
            hands[seat] |= 1 << card
        observe_ask(k, seat, target, card, hit, readings)


@compiled
def compare(
    k: Belief,
    deals: Ints,
    asks: Ints,
    thetas: Floats,
    readings: Floats,
    horizons: Ints,
    beta: Floats,
    seed: int,
    values: Floats,
) -> None:
    """Try each ask on each deal and play on; fills ``values`` with the `state_value` on the way.

    deals: n × seats, the hands now, as masks. asks: rows of target and card. horizons: after how
    many more open asks to look, in rising order. values: horizons × deals × asks. All asks meet the
    same deals and the same dice.
    """
    seat = k.table[TURN]
    dice = np.empty(1, np.int64)
    for d in range(len(deals)):
        for a in range(len(asks)):
            dice[0] = seed + d
            target = asks[a, 0]
            card = asks[a, 1]
            hands = deals[d].copy()
            after = copy_belief(k)
            hit = hands[target] >> card & 1 != 0
            if hit:
                hands[target] &= ~(1 << card)
                hands[seat] |= 1 << card
            observe_ask(after, seat, target, card, hit, readings)
            for i in range(len(horizons)):
                more = horizons[i] - (horizons[i - 1] if i else 0)
                rollout(after, hands, thetas, readings, more, dice)
                values[i, d, a] = state_value(after, hands, seat & 1, beta)


@compiled
def match(
    thetas: Floats,
    readings: Floats,
    pairs: int,
    half_suits: int,
    seats: int,
    rng: np.random.Generator,
    scores: Floats,
    events: Ints,
) -> None:
    """Play pairs of games between two policies; fills the score of the first in each pair (0…2)."""
    cards = half_suits * SIX
    deck = np.arange(cards)
    dice = np.ones(1, np.int64)
    swapped = thetas[::-1].copy()
    read_swapped = readings[::-1].copy()
    for i in range(pairs):
        for j in range(cards - 1, 0, -1):
            at = int(rng.random() * (j + 1))
            deck[j], deck[at] = deck[at], deck[j]
        start = int(rng.random() * seats)
        scores[i] = 0.0
        for half in range(2):
            hands = np.zeros(seats, np.int64)
            k = deal_out(deck, half_suits, seats, start, hands)
            rollout(
                k,
                hands,
                thetas if half == 0 else swapped,
                readings if half == 0 else read_swapped,
                _LONGEST,
                dice,
            )
            difference = k.table[SCORE + half] - k.table[SCORE + 1 - half]
            if difference > 0:
                scores[i] += 1.0
            elif difference == 0:
                scores[i] += 0.5
            events[0] += k.table[EVENTS]


@compiled
def deal_out(deck: Ints, half_suits: int, seats: int, start: int, hands: Ints) -> Belief:
    """Deal the deck to the hands (masks); the belief of the game at its start."""
    hands[:] = 0
    for j in range(len(deck)):
        hands[j % seats] |= 1 << deck[j]
    k = Belief(
        np.full(len(deck), (1 << seats) - 1, np.int64),
        np.zeros(half_suits, np.int64),
        np.ones((2, half_suits, seats)),
        np.full(seats, len(deck) // seats, np.int64),
        np.zeros(6, np.int64),
    )
    k.table[TURN] = start
    k.table[IN_PLAY] = (1 << half_suits) - 1
    return k


@compiled
def collect(
    thetas: Floats,
    readings: Floats,
    games: int,
    half_suits: int,
    seats: int,
    rng: np.random.Generator,
    every: int,
    x: Floats,
    z: Floats,
) -> int:
    """Play games and describe positions on the way: features in ``x``, results in ``z``.

    every: how many open asks lie between two of them.
    """
    deck = np.arange(half_suits * SIX)
    dice = np.ones(1, np.int64)
    hands = np.zeros(seats, np.int64)
    majority = half_suits // 2 + 1
    n = 0
    for _ in range(games):
        for j in range(len(deck) - 1, 0, -1):
            at = int(rng.random() * (j + 1))
            deck[j], deck[at] = deck[at], deck[j]
        k = deal_out(deck, half_suits, seats, int(rng.random() * seats), hands)
        first = n
        team = 0
        rollout(k, hands, thetas, readings, int(rng.random() * every), dice)
        while True:
            over = k.table[IN_PLAY] == 0 or k.table[EVENTS] >= _LONGEST
            over = over or k.table[SCORE] >= majority or k.table[SCORE + 1] >= majority
            if over or n == len(z):
                break
            describe(k, hands, team, x[n])
            n += 1
            rollout(k, hands, thetas, readings, every, dice)
        result = float(np.sign(k.table[SCORE + team] - k.table[SCORE + 1 - team]))
        for i in range(first, n):
            z[i] = result
    return n
