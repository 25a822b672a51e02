"""Looking ahead: what imagined games say of a few asks, next to what a formula says.

Deals are drawn from the beliefs of the seat on turn, each candidate is asked on each of them, and
the game goes on for a few events (`literature_ai.agents.playout`): every seat of an imagined game
acts on what it itself can know. Then the `literature_ai.agents.outlook` tells how it stands.

That sees what no formula over single asks does, but it errs in two ways: the mean over a few deals
is noisy, and the outlook is only roughly right, so that even very many games do not settle which
ask is best. Therefore what was imagined only corrects the formula, and never replaces it.

A look after one event is rough, but little noise is in it; one after many events sees more, but
chance has moved it more. Whoever has the time for both lets the first correct the formula, and the
second correct the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    Floats = npt.NDArray[np.float64]

TRUST = 0.03
"""The standard deviation, in results, of what is thought beforehand of one ask's lead over another:
by `judgement`, and then by a shorter look."""
BLUR = 0.02
"""The standard deviation of what the outlook errs by, however many deals there are."""
PER_WORTH = 0.05
"""Results (1 for a win, -1 for a loss) a unit of what `judgement` calls worth."""


def combine(values: Floats, hits: Bools, chances: Floats, prior: Floats) -> Floats:
    """How much more each ask is worth than the first one, after what was imagined.

    values, hits: deals × asks. prior: what was thought of the leads before. The chance of a hit is
    known exactly, so hits and misses are averaged apart and weighed by it (post-stratification).
    The means still err, and the outlook does, so each lead is shrunk towards the prior, whose
    standard deviation is `TRUST`: the more was imagined, the less of it is left, never nothing.
    """
    import numpy as np

    n_hit, n = hits.sum(axis=0), len(values)
    strata = np.where(
        hits, chances / np.maximum(n_hit, 1), (1 - chances) / np.maximum(n - n_hit, 1)
    )
    strata /= strata.sum(axis=0)
    means = (strata * values).sum(axis=0)
    leads = means - means[0]
    mean_hit = np.where(hits, values, 0).sum(axis=0) / np.maximum(n_hit, 1)
    mean_miss = np.where(hits, 0, values).sum(axis=0) / np.maximum(n - n_hit, 1)
    rest = values - np.where(hits, mean_hit, mean_miss)
    # Two means were taken from the same values; with fewer than three nothing is left to tell.
    error = ((rest - rest[:, :1]) ** 2).sum(axis=0) / n / (n - 2) if n > 2 else np.inf
    heed = TRUST**2 / (TRUST**2 + BLUR**2 + error)
    return np.asarray(prior + heed * (leads - prior))
