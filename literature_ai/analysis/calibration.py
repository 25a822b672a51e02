"""Calibration: from the values of rollouts to expected results of real games.

The state value that rollouts reach was fitted to games between the players of rollouts. Real games
differ, and a mean over what somebody believes is not a mean over what is so. Therefore values are
mapped by a logistic function without a constant, so that what one team gains the other loses:

    score = 1 / (1 + exp(-slope × artanh(result)))

and what rollouts add to the lead of half-suits by a factor. ``benchmarks/calibration.py`` fits
both, by logistic regression and least squares, to games of `expert` and `champion`, and checks them
on other games (``benchmarks/CALIBRATION.md``). The games have six players and the usual rules;
nothing was fitted to others.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["seat", "everyone", "open"]
"""Who looks at the position: one seat, everyone, or somebody who sees all cards."""


class Fit(NamedTuple):
    """The two numbers of a kind."""

    slope: float
    """Of the score."""
    margin: float
    """The share of the half-suits to come that is kept."""


FITS: dict[Kind, Fit] = {
    "seat": Fit(1.48, 0.8),
    "everyone": Fit(1.48, 0.8),
    "open": Fit(1.33, 0.8),
}


def score_of(result: float, kind: Kind) -> float:
    """The expected result, 0 to 1, of a position whose mean state value (-1 to 1) that is.

    What is won or lost for certain stays so.
    """
    if abs(result) >= 1.0:
        return 1.0 if result > 0 else 0.0
    return 1.0 / (1.0 + math.exp(-FITS[kind].slope * math.atanh(result)))


def slope_of(result: float, kind: Kind) -> float:
    """By how much the score changes with the mean state value there."""
    score = score_of(result, kind)
    return FITS[kind].slope * score * (1.0 - score) / (1.0 - result * result) if score % 1 else 0.0


def margin_of(margin: float, kind: Kind, lead: float) -> float:
    """The expected difference of half-suits at the end, from that of rollouts and the lead now."""
    return lead + FITS[kind].margin * (margin - lead)
