"""How a position with all cards open will end, roughly: a learned value for imagined games.

Playing an imagined game to its end costs much and tells little: what was decided now drowns in what
chance decides later. So a lookahead stops after some open asks and asks for the *state_value*: a
linear function of features of the position, fitted to the results of games that `expert` played in
belief against itself. Every feature changes its sign with the team, so there is no constant. It is
only asked where the seat on turn sees nothing to take and nothing to claim.
"""

from __future__ import annotations

import numpy as np

from literature_ai.agents.expert.belief import IN_PLAY, SCORE, SIX, TURN, Belief, Floats, Ints
from solver.compilation import compiled

FEATURES = (
    "four",
    "five",
    "six",
    "claimable",
    "score",
    "turn",
    "mates_take",
    "at_risk",
    "shown",
    "one_located",
    "turn_cards",
)
"""For the team, less the same for the other: half-suits of which it holds four, five, six cards;
those that everyone sees it could claim; half-suits won; being on turn; cards that everyone can
place and teammates of the seat on turn could take; own cards that everyone can place while
opponents hold some of the half-suit; holdings shown; half-suits with such own cards; the cards of
the seat on turn."""


@compiled
def describe(k: Belief, hands: Ints, team: int, x: Floats) -> None:
    """Fill ``x`` with the `FEATURES` of the position for the team; hands are masks."""
    x[:] = 0.0
    seats = len(k.sizes)
    seat = k.table[TURN]
    for h in range(len(k.touch)):
        if not k.table[IN_PLAY] >> h & 1:
            continue
        count = 0
        placed = np.zeros(2)
        for c in range(h * SIX, h * SIX + SIX):
            for s in range(seats):
                if hands[s] >> c & 1:
                    if s & 1 == team:
                        count += 1
                    if k.may[c] == 1 << s:
                        placed[s & 1] += 1.0
        if count > 3:
            x[count - 4] += 1.0
        elif count < 3:
            x[2 - count] -= 1.0
        if count == SIX and placed[team] == SIX:
            x[3] += 1.0
        elif count == 0 and placed[1 - team] == SIX:
            x[3] -= 1.0
        for s in range(seats):
            sign = 1.0 if s & 1 == team else -1.0
            if k.touch[h] >> s & 1:
                x[8] += sign
            if hands[s] >> h * SIX & 63 and s != seat and s & 1 == seat & 1:
                x[6] += sign * placed[1 - (s & 1)]
        if 0 < count < SIX:
            x[7] += placed[team] - placed[1 - team]
            x[9] += min(placed[team], 1.0) - min(placed[1 - team], 1.0)
    x[4] = k.table[SCORE + team] - k.table[SCORE + 1 - team]
    x[5] = 1.0 if seat & 1 == team else -1.0
    x[10] = x[5] * k.sizes[seat] / 8.0


@compiled
def state_value(k: Belief, hands: Ints, team: int, beta: Floats) -> float:
    """The expected result for the team, from about -1 (lost) to 1 (won)."""
    half_suits = len(k.touch)
    mine = k.table[SCORE + team]
    theirs = k.table[SCORE + 1 - team]
    majority = half_suits // 2 + 1
    if mine >= majority or theirs >= majority or k.table[IN_PLAY] == 0:
        return 1.0 if mine > theirs else -1.0 if mine < theirs else 0.0
    x = np.empty(len(beta))
    describe(k, hands, team, x)
    value = 0.0
    for i in range(len(beta)):
        value += beta[i] * x[i]
    # A bend keeps certain wins from being valued beyond a win.
    return float(np.tanh(value))
