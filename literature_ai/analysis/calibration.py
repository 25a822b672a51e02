"""Calibration: from the values of rollouts to expected results of real games.

The state value that rollouts reach was fitted to games between the players of rollouts. Real games
differ, and a mean over what somebody believes is not a mean over what is so. Therefore values are
mapped by a logistic function without a constant, so that what one team gains the other loses,

    score = 1 / (1 + exp(-(early + later × claimed) × artanh(result)))

where ``claimed`` is the share of the half-suits that have been claimed: the fewer are left, the
more a value means. What rollouts add to the lead of half-suits is multiplied by a factor.
``benchmarks/calibration.py`` fits the three numbers, by logistic regression and least squares, to
games of `expert` and `champion`, and checks them on other games (``benchmarks/CALIBRATION.md``).
The games have six players and the usual rules; nothing was fitted to others.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["seat", "everyone", "open"]
"""Who looks at the position: one seat, everyone, or somebody who sees all cards."""


class Fit(NamedTuple):
    """The numbers of a kind."""

    early: float
    later: float
    margin: float
    """The factor of the half-suits to come."""

    def slope(self, claimed: float) -> float:
        """The factor of artanh(result) when that share of the half-suits has been claimed."""
        return self.early + self.later * claimed


FITS: dict[Kind, Fit] = {
    "seat": Fit(1.103, 1.189, 0.403),
    "everyone": Fit(0.976, 1.509, 0.410),
    "open": Fit(1.056, 1.429, 0.342),
}


def score_of(result: float, kind: Kind, claimed: float) -> float:
    """The expected result, 0 to 1, of a position whose mean state value (-1 to 1) that is."""
    if abs(result) >= 1.0:
        return 1.0 if result > 0 else 0.0
    return 1.0 / (1.0 + math.exp(-FITS[kind].slope(claimed) * math.atanh(result)))


def slope_of(result: float, kind: Kind, claimed: float) -> float:
    """By how much the score changes with the mean state value there."""
    if abs(result) >= 1.0:
        return 0.0
    score = score_of(result, kind, claimed)
    return FITS[kind].slope(claimed) * score * (1.0 - score) / (1.0 - result * result)


def margin_of(margin: float, kind: Kind, lead: float) -> float:
    """The expected difference of half-suits at the end, from that of rollouts and the lead now."""
    return lead + FITS[kind].margin * (margin - lead)
