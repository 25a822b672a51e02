"""What an ask is worth: one formula, from beliefs to a number for each ask.

A hit brings a card and keeps the turn; a miss hands the turn to the player asked. So

    worth = P(hit) × (1 + progress + next) − P(miss) × (risk of the target's turn) − reveal

- *progress*: the more of the half-suit the own team expects to hold, the more a card is worth;
- *next*: the turn that is kept is worth the best other chance there is;
- *risk*: what the target can take from us: cards of ours that everyone can place, in half-suits
  that he may hold, and simply how many cards he has;
- *reveal*: asking first shows a holding, for everyone to fetch.

The weights of the parts are a vector of `TERMS` numbers, fitted to play.
"""

from __future__ import annotations

import numpy as np

from literature_ai.agents.expert.belief import IN_PLAY, SIX, Belief, Floats, Ints
from solver.compilation import compiled

DEAD, POINTLESS = 100.0, 10_000.0
"""Taken off the worth of an ask that must miss: when it still tells the team something (that the
asker lacks the card, that the target does), and when everyone knew that as well."""

TERMS = (
    "progress",
    "progress_squared",
    "target_hand",
    "danger",
    "reveal",
    "next",
    "concealed",
    "clash",
    "inform",
    "target_hunts",
    "exposed",
    "finish",
)


@compiled
def action_value(
    theta: Floats,
    hit: float,
    ours: float,
    mine: float,
    shown: bool,
    rivals: float,
    some: float,
    size: float,
    danger: float,
    hunts: float,
    other: float,
    news: float,
) -> float:
    """What one ask is worth.

    hit: its chance. ours, mine: cards of the half-suit that the team, and the asker, expect to
    hold. shown: whether everyone knows that the asker holds some. rivals: the greatest chance of an
    opponent to hold some. Of the target: some (his chance to), size (of his hand), danger and hunts
    (what he can take from the team). other: the best chance of a hit elsewhere. news: how sure it
    is to everyone that he has not got the card.
    """
    miss = 1.0 - hit
    gain = 1.0 + theta[0] * ours + theta[1] * ours * ours
    gain += theta[5] * other - theta[10] * rivals + theta[11] * max(0.0, ours - 4.0)
    loss = theta[2] * size / 8.0 + theta[3] * danger + theta[9] * hunts
    loss += theta[7] * some * mine - theta[8] * news * (ours - mine)
    if not shown:
        loss += theta[4] + theta[6] * mine
    return float(hit * gain - miss * loss)


@compiled
def action_values(
    k: Belief, seat: int, hand: int, p: Floats, q: Floats, theta: Floats, worth: Floats
) -> None:
    """Fill ``worth`` (cards × seats) for the asks of the seat; -inf for what may not be asked.

    ``p``: what the seat believes; ``q``: what everyone believes (both cards × seats).
    """
    seats = len(k.sizes)
    half_suits = len(k.touch)
    team = seat & 1
    worth[:] = -np.inf
    ours = np.zeros(half_suits)
    known_mine = np.zeros(half_suits, np.bool_)
    mine = np.zeros(half_suits)
    located = np.zeros(half_suits)
    some = np.zeros((half_suits, seats))
    best = 0.0
    second = 0.0
    best_card = -1
    for h in range(half_suits):
        if not k.table[IN_PLAY] >> h & 1:
            continue
        known_mine[h] = k.touch[h] >> seat & 1 != 0
        for s in range(seats):
            none = 1.0
            for c in range(h * SIX, h * SIX + SIX):
                none *= 1.0 - p[c, s]
            some[h, s] = 1.0 - none
        for c in range(h * SIX, h * SIX + SIX):
            if hand >> c & 1:
                mine[h] += 1.0
                if q[c, seat] >= 1.0:
                    known_mine[h] = True
            for s in range(team, seats, 2):
                ours[h] += p[c, s]
                located[h] += p[c, s] * q[c, s] * q[c, s]
    danger = np.zeros(seats)
    hunts = np.zeros(seats)
    for s in range(1 - team, seats, 2):
        for h in range(half_suits):
            if ours[h] > 0.0:
                danger[s] += some[h, s] * located[h]
                if k.touch[h] >> s & 1:
                    hunts[s] += ours[h] / SIX
    for h in range(half_suits):
        if mine[h] == 0.0:
            continue
        for c in range(h * SIX, h * SIX + SIX):
            if hand >> c & 1:
                continue
            for s in range(1 - team, seats, 2):
                if k.sizes[s] and p[c, s] > second:
                    if p[c, s] > best:
                        if best_card != c:
                            second = best
                        best = p[c, s]
                        best_card = c
                    elif c != best_card:
                        second = p[c, s]
    for h in range(half_suits):
        if mine[h] == 0.0:
            continue
        rivals = 0.0
        for s in range(1 - team, seats, 2):
            rivals = max(rivals, some[h, s])
        for c in range(h * SIX, h * SIX + SIX):
            if hand >> c & 1:
                continue
            for s in range(1 - team, seats, 2):
                if k.sizes[s] == 0:
                    continue
                hit = p[c, s]
                value = action_value(
                    theta,
                    hit,
                    ours[h],
                    mine[h],
                    known_mine[h],
                    rivals,
                    some[h, s],
                    k.sizes[s],
                    danger[s],
                    hunts[s],
                    second if c == best_card else best,
                    1.0 - q[c, s],
                )
                if hit == 0.0:
                    value -= POINTLESS if q[c, s] == 0.0 and q[c, seat] == 0.0 else DEAD
                worth[c, s] = value


@compiled
def best_ask(worth: Floats, dice: Ints) -> tuple[int, int]:
    """The ask that is worth most: target and card, or -1 and -1 when there is none.

    ``dice``: one number, which decides between equals and is changed by being used.
    """
    top = -np.inf
    card = -1
    target = -1
    for c in range(worth.shape[0]):
        for s in range(worth.shape[1]):
            if worth[c, s] > -np.inf:
                dice[0] = (dice[0] * 1103515245 + 12345) & 0x7FFFFFFF
                value = worth[c, s] + 1e-6 * (dice[0] >> 8) / 0x7FFFFF
                if value > top:
                    top = value
                    card = c
                    target = s
    return target, card


@compiled
def sure_ask(k: Belief, seat: int, hand: int, masks: Ints) -> tuple[int, int]:
    """A card that an opponent has for sure: target and card, or -1 and -1.

    Of the half-suit of which most is located in the own team. masks: as of `belief.locate`.
    """
    target = -1
    card = -1
    most = -1
    for h in range(len(k.touch)):
        if not hand >> h * SIX & 63:
            continue
        ours = 0
        there = -1
        taken = -1
        for c in range(h * SIX, h * SIX + SIX):
            for s in range(len(k.sizes)):
                if masks[c] == 1 << s:
                    if (s ^ seat) & 1 == 0:
                        ours += 1
                    elif there < 0:
                        there = s
                        taken = c
        if there >= 0 and ours > most:
            most = ours
            target = there
            card = taken
    return target, card


@compiled
def certain_claim(k: Belief, seat: int, masks: Ints, holders: Ints) -> int:
    """A half-suit whose six cards are all located in the own team, or -1; masks: as above."""
    for h in range(len(k.touch)):
        if not k.table[IN_PLAY] >> h & 1:
            continue
        found = 0
        for c in range(h * SIX, h * SIX + SIX):
            for s in range(seat & 1, len(k.sizes), 2):
                if masks[c] == 1 << s:
                    holders[c - h * SIX] = s
                    found += 1
        if found == SIX:
            return h
    return -1


@compiled
def best_guess(k: Belief, seat: int, p: Floats, holders: Ints) -> tuple[int, float]:
    """The half-suit with the likeliest layout within the team, and its probability.

    Cards are taken one by one, as if where one is said nothing of the others.
    """
    top = -1.0
    chosen = -1
    for h in range(len(k.touch)):
        if not k.table[IN_PLAY] >> h & 1:
            continue
        chance = 1.0
        for c in range(h * SIX, h * SIX + SIX):
            likeliest = 0.0
            for s in range(seat & 1, len(k.sizes), 2):
                likeliest = max(likeliest, p[c, s])
            chance *= likeliest
        if chance > top:
            top = chance
            chosen = h
    for c in range(chosen * SIX, chosen * SIX + SIX):
        likeliest = -1.0
        for s in range(seat & 1, len(k.sizes), 2):
            if p[c, s] > likeliest:
                likeliest = p[c, s]
                holders[c - chosen * SIX] = s
    return chosen, top
