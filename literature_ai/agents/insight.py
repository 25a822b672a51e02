"""Reading an ask by putting oneself in the asker's place: with which hands would he have asked it?

`reading` judges an ask by one number, how many cards of the half-suit the asker holds. That leaves
most of the evidence unused: with each hand that he may have, `expert` would have made quite
definite asks. So hands are drawn from what is believed, each is asked what it would have done
(`judgement` on `sketch` beliefs), and hands that would have done otherwise lose weight.

The weights that exact counting takes belong to one half-suit at a time, so the likelihood, which
belongs to the whole hand, is projected on each half-suit: the weight of a subset is multiplied by
the mean likelihood of the drawn hands that have it. Few drawn hands make a noisy mean, which is
therefore shrunk towards the mean of those with as many cards of the half-suit, and that towards the
mean of all.
"""

from __future__ import annotations

import numpy as np

from literature_ai.agents.judgement import judge
from literature_ai.agents.sketch import NOBODY, SIX, Floats, Ints, Sketch, believe
from solver.kernels import njit

SIZE = np.array([subset.bit_count() for subset in range(64)])
LEAST = 1e-6
"""Of a weight, so that no surprise makes a possible deal impossible."""


@njit
def ask_likelihoods(
    k: Sketch,
    seat: int,
    hands: Ints,
    target: int,
    card: int,
    thetas: Floats,
    warmths: Floats,
    out: Floats,
) -> None:
    """How likely the seat would make this ask with each of the hands (masks), in each style.

    A style is a row of ``thetas``, the weights of `judge`, and its warmth: asks are made with
    chances proportional to exp(worth / warmth). The last style is a plain one, which looks at
    nothing but lengths: a half-suit with a chance proportional to the square of the cards held,
    then any ask for it. Fills ``out`` (styles × hands).
    """
    cards = len(k.may)
    seats = len(k.sizes)
    p = np.empty((cards, seats))
    q = np.empty((cards, seats))
    worth = np.empty((cards, seats))
    targets = 0
    for s in range(1 - (seat & 1), seats, 2):
        targets += k.sizes[s] > 0
    believe(k, seat & 1, NOBODY, 0, q)
    for i in range(len(hands)):
        hand = hands[i]
        out[:, i] = 0.0
        squares = 0.0
        for h in range(len(k.touch)):
            held = SIZE[hand >> h * SIX & 63]
            if held < SIX:
                squares += held * held
        held = SIZE[hand >> card // SIX * SIX & 63]
        if hand >> card & 1 or held == 0:
            continue
        out[len(thetas), i] = held * held / squares / (SIX - held) / targets
        believe(k, seat & 1, seat, hand, p)
        for style in range(len(thetas)):
            judge(k, seat, hand, p, q, thetas[style], worth)
            top = -np.inf
            for c in range(cards):
                for s in range(seats):
                    top = max(top, worth[c, s])
            total = 0.0
            for c in range(cards):
                for s in range(seats):
                    if worth[c, s] > -np.inf:
                        total += np.exp((worth[c, s] - top) / warmths[style])
            out[style, i] = np.exp((worth[card, target] - top) / warmths[style]) / total


@njit
def project(dealt: Ints, likelihoods: Floats, asked: int, doubt: float, weights: Floats) -> None:
    """Multiply the asker's weights by what the likelihoods say of each subset.

    dealt: for each drawn deal, the cards the asker was dealt (a mask). likelihoods: one a deal;
    changed. asked: the half-suit. doubt: the
    number of drawn hands that count as knowing nothing. weights: half-suits × 64, changed in place.
    """
    count, total = np.empty(64), np.empty(64)
    number, of_number = np.empty(SIX + 1), np.empty(SIX + 1)
    for i in range(len(weights)):
        h = asked if i == 0 else (i if i > asked else i - 1)
        count[:] = 0.0
        total[:] = 0.0
        number[:] = 0.0
        of_number[:] = 0.0
        mean = likelihoods.mean()
        if mean <= 0.0:
            return
        for d in range(len(dealt)):
            subset = dealt[d] >> h * SIX & 63
            count[subset] += 1.0
            total[subset] += likelihoods[d]
        for subset in range(64):
            number[SIZE[subset]] += count[subset]
            of_number[SIZE[subset]] += total[subset]
        for n in range(SIX + 1):
            of_number[n] = (of_number[n] + doubt * mean) / (number[n] + doubt)
        for subset in range(64):
            mean_here = of_number[SIZE[subset]]
            factor = (total[subset] + doubt * mean_here) / (count[subset] + doubt) / mean
            weights[h, subset] *= factor
            total[subset] = factor
        for d in range(len(dealt)):
            likelihoods[d] /= total[dealt[d] >> h * SIX & 63]
        top = weights[h].max()
        for subset in range(64):
            weights[h, subset] = max(weights[h, subset] / top, LEAST)
