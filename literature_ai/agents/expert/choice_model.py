"""Which ask a player makes: a model of choice, fitted to real play.

With a given hand a player could make perhaps fifty asks. Each has a utility, which a small network
computes from what he sees of it (`FEATURES`), and he makes it with a chance proportional to
exp(utility): a conditional logit (McFadden 1974) with one hidden layer. There is one utility for
each *style* of play that was fitted. Read backwards, that tells how likely each hand is to make the
ask that was made (`literature_ai.agents.expert.opponent_model`).

It runs for hundreds of thousands of hands a second, so it takes two short cuts. Cards of a
half-suit that the same seats may have are alike, and stand as one *group*. And what the player
believes is made of what everyone believes: his own cards are taken out, then all is scaled once to
the sizes of the hands and once to each card being somewhere. The network was fitted to what comes
of these short cuts, so they cost it little.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from literature_ai.agents.expert.belief import NOBODY, SIX, Belief, Floats, Ints, believe
from solver.compilation import compiled
from solver.kernels import SIZE

FEATURES = (
    "hit",
    "hit_squared",
    "dead",
    "sure",
    "mine",
    "ours",
    "ours_squared",
    "shown",
    "public",
    "target_hand",
    "below_best",
    "best",
    "below_half_suit",
    "located_ours",
    "located_theirs",
    "mates_shown",
    "foes_shown",
    "target_shown",
    "danger",
    "hunts",
    "target_holds",
)
"""Of an ask, to who makes it. The chance of a hit, and what everyone takes it for; how far it is
below the best of all asks, and of those for the half-suit. Of the half-suit: the cards held, those
the team expects to hold, whether everyone knows that the asker has some, what is located in each
team, and how many others have shown some. Of the target: the size of his hand, whether he has shown
some of the half-suit and how many he should have, and what he could take from the team."""

STYLES = ("expert", "greedy")
"""Whose asks the network was fitted to."""


class ChoiceModel(NamedTuple):
    """The network: utilities = relu(x · hidden + bias) · outward + x · straight."""

    hidden: Floats
    """Features × width."""
    bias: Floats
    outward: Floats
    """Width × styles."""
    straight: Floats
    """Features × styles."""


def choice_model_of(parts: Mapping[str, list[Any]]) -> ChoiceModel:
    """The network whose parts are given as lists, by name."""
    return ChoiceModel(*(np.array(parts[part]) for part in ChoiceModel._fields))


class Groups(NamedTuple):
    """The cards in play, in groups of which everyone knows the same."""

    cards: Ints
    """For each group, as a mask."""
    half_suit: Ints
    may: Ints
    """For each group: the seats that may have its cards, as bits."""
    public: Floats
    """Groups × seats: what everyone believes of each of its cards."""


@compiled
def group_cards(k: Belief, team: int) -> Groups:
    """The groups of the position, with beliefs as the team reads asks."""
    count = len(k.may)
    q = np.empty((count, len(k.sizes)))
    believe(k, team, NOBODY, 0, q)
    cards = np.zeros(count, np.int64)
    half_suit = np.empty(count, np.int64)
    may = np.empty(count, np.int64)
    public = np.empty_like(q)
    n = 0
    for h in range(len(k.touch)):
        first = n
        for c in range(h * SIX, h * SIX + SIX):
            if k.may[c] == 0:
                continue
            g = first
            while g < n and may[g] != k.may[c]:
                g += 1
            if g == n:
                half_suit[g] = h
                may[g] = k.may[c]
                public[g] = q[c]
                n += 1
            cards[g] |= 1 << c
    return Groups(cards[:n], half_suit[:n], may[:n], public[:n])


@compiled
def _size(mask: int) -> int:
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


@compiled
def _believe_groups(k: Belief, groups: Groups, seat: int, hand: int, left: Ints, p: Floats) -> None:
    """Fill how many cards of each group are not in the hand, and what the seat believes of one.

    p: groups × seats; nothing for groups that are wholly in the hand.
    """
    seats = len(k.sizes)
    p[:] = 0.0
    room = k.sizes.astype(np.float64)
    fill = np.zeros(seats)
    for g in range(len(left)):
        left[g] = _size(groups.cards[g] & ~hand)
        others = 1.0 - groups.public[g, seat]
        if others <= 0.0:
            left[g] = 0
        if left[g] == 0:
            continue
        may = groups.may[g] & ~(1 << seat)
        for s in range(seats):
            if may == 1 << s:
                p[g, s] = 1.0
                room[s] -= left[g]
            elif may & (may - 1) and s != seat:
                p[g, s] = groups.public[g, s] / others
                fill[s] += left[g] * p[g, s]
    for s in range(seats):
        fill[s] = max(room[s], 0.01) / fill[s] if fill[s] > 0.0 else 1.0
    for g in range(len(left)):
        may = groups.may[g] & ~(1 << seat)
        if left[g] == 0 or may & (may - 1) == 0:
            continue
        total = 0.0
        for s in range(seats):
            p[g, s] *= fill[s]
            total += p[g, s]
        for s in range(seats):
            p[g, s] /= total


@compiled
def describe_asks(
    k: Belief,
    groups: Groups,
    seat: int,
    hand: int,
    x: Floats,
    group: Ints,
    target: Ints,
    alike: Ints,
) -> int:
    """Describe the asks that the seat could make with the hand (a mask); returns how many rows.

    Fills for each row: its `FEATURES` (``x``, rows × features), the group of the card, the target,
    and how many cards of the group may be asked for, all with the same features.
    """
    seats = len(k.sizes)
    half_suits = len(k.touch)
    left = np.empty(len(groups.cards), np.int64)
    p = np.empty((len(left), seats))
    _believe_groups(k, groups, seat, hand, left, p)
    held = np.zeros((half_suits, seats))
    located = np.zeros((half_suits, 2))
    have_shown = np.zeros((half_suits, 2))
    ours = np.zeros(half_suits)
    top = np.zeros(half_suits)
    shown = np.zeros(half_suits)
    # Sides: 0 is the asker's, 1 the other.
    for h in range(half_suits):
        ours[h] = SIZE[hand >> h * SIX & 63]
        for s in range(seats):
            if k.touch[h] >> s & 1:
                if s == seat:
                    shown[h] = 1.0
                else:
                    have_shown[h, (s ^ seat) & 1] += 0.5
    for g in range(len(left)):
        h = groups.half_suit[g]
        if groups.may[g] == 1 << seat:
            shown[h] = 1.0
        for s in range(seats):
            side = (s ^ seat) & 1
            if groups.may[g] == 1 << s:
                located[h, side] += _size(groups.cards[g]) / 6.0
            held[h, s] += left[g] * p[g, s]
            if side == 0:
                ours[h] += left[g] * p[g, s]
            elif left[g] and hand >> h * SIX & 63:
                top[h] = max(top[h], p[g, s])
    best = top.max()
    danger = np.zeros(seats)
    hunts = np.zeros(seats)
    for s in range(1 - (seat & 1), seats, 2):
        for h in range(half_suits):
            danger[s] += min(held[h, s], 1.0) * located[h, 0]
            if k.touch[h] >> s & 1:
                hunts[s] += ours[h] / 12.0
    rows = 0
    for g in range(len(left)):
        h = groups.half_suit[g]
        mine = SIZE[hand >> h * SIX & 63]
        if mine == 0 or left[g] == 0:
            continue
        for s in range(1 - (seat & 1), seats, 2):
            if k.sizes[s] == 0:
                continue
            hit = p[g, s]
            f = x[rows]
            f[0] = hit
            f[1] = hit * hit
            f[2] = hit == 0.0
            f[3] = hit == 1.0
            f[4] = mine / 6.0
            f[5] = ours[h] / 6.0
            f[6] = ours[h] * ours[h] / 36.0
            f[7] = shown[h]
            f[8] = groups.public[g, s]
            f[9] = k.sizes[s] / 8.0
            f[10] = hit - best
            f[11] = hit >= best - 1e-9
            f[12] = hit - top[h]
            f[13] = located[h, 0]
            f[14] = located[h, 1]
            f[15] = have_shown[h, 0]
            f[16] = have_shown[h, 1]
            f[17] = k.touch[h] >> s & 1
            f[18] = danger[s]
            f[19] = hunts[s]
            f[20] = held[h, s] / 3.0
            group[rows] = g
            target[rows] = s
            alike[rows] = left[g]
            rows += 1
    return rows


@compiled
def _utilities(choice: ChoiceModel, x: Floats, out: Floats) -> None:
    """The utility of each ask in each style: rows × features to rows × styles."""
    width = len(choice.bias)
    a = np.empty(width)
    out[:] = 0.0
    for r in range(len(x)):
        a[:] = choice.bias
        for f in range(x.shape[1]):
            value = x[r, f]
            if value != 0.0:
                for j in range(width):
                    a[j] += value * choice.hidden[f, j]
                for t in range(out.shape[1]):
                    out[r, t] += value * choice.straight[f, t]
        for j in range(width):
            if a[j] > 0.0:
                for t in range(out.shape[1]):
                    out[r, t] += a[j] * choice.outward[j, t]


@compiled
def ask_likelihoods(
    k: Belief, seat: int, hands: Ints, target: int, card: int, choice: ChoiceModel, out: Floats
) -> None:
    """How likely the seat would make this ask with each of the hands (masks), in each style.

    Fills ``out`` (styles + 1 × hands) with chances. The last style is a plain one that was not
    fitted and looks at nothing but lengths: a half-suit with a chance proportional to the square of
    the cards held, then any ask for it.
    """
    seats = len(k.sizes)
    groups = group_cards(k, seat & 1)
    most = len(groups.cards) * (seats // 2)
    styles = choice.straight.shape[1]
    x = np.zeros((most, len(choice.hidden)))
    utility = np.empty((most, styles))
    group = np.empty(most, np.int64)
    targets = np.empty(most, np.int64)
    alike = np.empty(most, np.int64)
    asked = -1
    for g in range(len(groups.cards)):
        if groups.cards[g] >> card & 1:
            asked = g
    open_targets = 0
    for s in range(1 - (seat & 1), seats, 2):
        open_targets += k.sizes[s] > 0
    out[:] = 0.0
    for i in range(len(hands)):
        hand = hands[i]
        same = 0
        while hands[same] != hand:
            same += 1
        if same < i:
            out[:, i] = out[:, same]
            continue
        rows = describe_asks(k, groups, seat, hand, x, group, targets, alike)
        made = -1
        for r in range(rows):
            if group[r] == asked and targets[r] == target:
                made = r
        if made < 0 or hand >> card & 1:
            continue
        _utilities(choice, x[:rows], utility)
        for t in range(styles):
            total = 0.0
            for r in range(rows):
                total += alike[r] * np.exp(utility[r, t] - utility[made, t])
            out[t, i] = 1.0 / total
        squares = 0.0
        for h in range(len(k.touch)):
            n = SIZE[hand >> h * SIX & 63]
            if n < SIX:
                squares += n * n
        n = SIZE[hand >> card // SIX * SIX & 63]
        out[styles, i] = n * n / squares / (SIX - n) / open_targets
