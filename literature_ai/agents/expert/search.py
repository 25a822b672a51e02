"""Looking ahead: what imagined games say of a few asks, next to what a formula says.

Deals are drawn from the beliefs of the seat on turn, each candidate is asked on each of them, and
the game goes on for a few open asks (`literature_ai.agents.expert.rollout`): every seat of an
imagined game acts on what it itself can know. Then the `literature_ai.agents.expert.state_value`
tells how it stands.

That sees what no formula over single asks does, but it errs in two ways: the mean over a few deals
is noisy, and the state_value is only roughly right, so that even very many games do not settle
which ask is best. Therefore what was imagined only corrects the formula, and never replaces it.

A look after one ask is rough, but little noise is in it; one after many asks sees more, but chance
has moved it more. Whoever has the time for both lets the first correct the formula, and the second
correct the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Bools = npt.NDArray[np.bool_]
    Floats = npt.NDArray[np.float64]

PER_WORTH = 0.05
"""Results (1 for a win, -1 for a loss) a unit of what `action value` calls worth."""


def combine(
    values: Floats, hits: Bools, chances: Floats, prior: Floats, trust: float, blur: float
) -> Floats:
    """How much more each ask is worth than the first one, after what was imagined.

    values, hits: deals × asks. prior: what was thought of the leads before. The chance of a hit is
    known exactly, so hits and misses are averaged apart and weighed by it (post-stratification).
    The means still err, and so does what looks at the end of a game, so each lead is shrunk towards
    the prior: the more was imagined, the less of it is left, never nothing.

    trust: the standard deviation, in results, of what the prior errs by. blur: that of what
    imagined games err by, however many there are.
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
    heed = trust**2 / (trust**2 + blur**2 + error)
    return np.asarray(prior + heed * (leads - prior))
