"""Reading an ask by putting oneself in the asker's place: with which hands would he have asked it?

`reading` judges an ask by one number, how many cards of the half-suit the asker holds. That leaves
most of the evidence unused: with each hand that he may have, `expert` would have made quite
definite asks. So hands are drawn from what is believed, each is asked what it would have done
(`judgement` on `sketch` beliefs), and hands that would have done otherwise lose weight.

The weights that exact counting takes belong to one half-suit at a time, so the likelihood, which
belongs to the whole hand, is projected on each half-suit: the weight of a subset is multiplied by
the mean likelihood of the drawn hands that have it. Few drawn hands make a noisy mean, which is
therefore shrunk towards the mean of all.
"""

from __future__ import annotations

import numpy as np

from literature_ai.agents.judgement import judge
from literature_ai.agents.sketch import NOBODY, SIX, Floats, Ints, Sketch, believe
from solver.kernels import njit

LEAST = 1e-6
"""Of a weight, so that no surprise makes a possible deal impossible."""


@njit
def ask_likelihoods(
    k: Sketch,
    seat: int,
    hands: Ints,
    target: int,
    card: int,
    theta: Floats,
    warmth: float,
    out: Floats,
) -> None:
    """How likely the seat would make this ask with each of the hands (masks).

    It takes asks with chances proportional to exp(worth / warmth); sums out over sure asks alone
    when it has any.
    """
    cards = len(k.may)
    seats = len(k.sizes)
    p = np.empty((cards, seats))
    q = np.empty((cards, seats))
    worth = np.empty((cards, seats))
    believe(k, seat & 1, NOBODY, 0, q)
    for i in range(len(hands)):
        hand = hands[i]
        believe(k, seat & 1, seat, hand, p)
        judge(k, seat, hand, p, q, theta, worth)
        top = -np.inf
        for c in range(cards):
            for s in range(seats):
                top = max(top, worth[c, s])
        total = 0.0
        for c in range(cards):
            for s in range(seats):
                total += np.exp((worth[c, s] - top) / warmth)
        out[i] = np.exp((worth[card, target] - top) / warmth) / total


@njit
def project(dealt: Ints, likelihoods: Floats, asked: int, doubt: float, weights: Floats) -> None:
    """Multiply the asker's weights by what the likelihoods say of each subset.

    dealt: for each drawn deal, the cards the asker was dealt (a mask). likelihoods: one a deal;
    changed. asked: the half-suit. doubt: the number of drawn hands that count as knowing nothing.
    weights: half-suits × 64, changed in place.
    """
    half_suits = len(weights)
    count = np.empty(64)
    total = np.empty(64)
    for i in range(half_suits):
        h = asked if i == 0 else (i if i > asked else i - 1)
        wary = doubt if i == 0 else 4.0 * doubt
        count[:] = 0.0
        total[:] = 0.0
        mean = likelihoods.mean()
        if mean <= 0.0:
            return
        for d in range(len(dealt)):
            subset = dealt[d] >> h * SIX & 63
            count[subset] += 1.0
            total[subset] += likelihoods[d]
        for subset in range(64):
            factor = (total[subset] + wary * mean) / (count[subset] + wary) / mean
            weights[h, subset] *= factor
            total[subset] = factor
        for d in range(len(dealt)):
            likelihoods[d] /= total[dealt[d] >> h * SIX & 63]
        top = weights[h].max()
        for subset in range(64):
            weights[h, subset] = max(weights[h, subset] / top, LEAST)
