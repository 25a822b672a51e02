"""Search: compares the asks of the greatest action value by rollouts on sampled deals.

Deals are drawn from the beliefs of the seat on turn, each candidate is asked on each of them, and
the game goes on for a few open asks (`literature_ai.agents.expert.rollout`). Then
`literature_ai.agents.expert.state_value` tells the expected result.

That sees what no formula over single asks does, but it errs in two ways: the mean over a few deals
is noisy, and the state value is only roughly right, so that even very many rollouts do not settle
which ask is best. Therefore rollouts correct the action values and never replace them.

A rollout of one open ask is rough, but has little noise; one of many sees more, with more noise. A
search with several horizons corrects in turn: the shortest corrects the action values, and each
longer one what came of that.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from literature_ai.agents.expert.belief import Belief, Floats, Ints
from literature_ai.agents.expert.rollout import Policies, compare
from literature_ai.agents.expert.state_value import StateFeatures
from literature_ai.events import Ask

Bools = npt.NDArray[np.bool_]

RESULTS_PER_VALUE = 0.05
"""Results (1 for a win, -1 for a loss) a unit of action value."""


class Settings(NamedTuple):
    """How a search goes."""

    horizons: tuple[int, ...]
    """The open asks of a rollout after which to take the state value, in rising order."""
    prior_error: float
    """The standard deviation, in results, of the error in the prior lead of one ask over
    another."""
    rollout_error: float
    """The same for the mean of rollouts, however many there are."""


class Candidates(NamedTuple):
    """The asks that are compared, best first."""

    asks: Ints
    """Rows of target and card."""
    values: Floats
    """Their action values."""
    chances: Floats
    """Their exact chances of a hit."""


def candidates_of(values: Floats, beliefs: Floats, most: int) -> Candidates:
    """At most so many asks of the greatest action value.

    values: cards × seats, -inf for what may not be asked. beliefs: cards × seats, exact.
    """
    cards, targets = np.unravel_index(
        np.argsort(-values, axis=None, kind="stable")[:most], values.shape
    )
    legal = values[cards, targets] > -np.inf
    cards, targets = cards[legal], targets[legal]
    asks = np.stack([targets, cards], axis=1)
    return Candidates(asks, values[cards, targets], beliefs[cards, targets])


def search(
    belief: Belief,
    hands: Ints,
    candidates: Candidates,
    policies: Policies,
    weights: StateFeatures,
    settings: Settings,
    rng: np.random.Generator,
) -> Ask:
    """The best of the asks, by rollouts.

    hands: deals × seats, the hands now, as masks. weights: of the state value.
    """
    asks, chances = candidates.asks, candidates.chances
    horizons = np.array(settings.horizons)
    values = np.empty((len(horizons), len(hands), len(asks)))
    seed = int(rng.integers(1 << 30))
    compare(belief, hands, asks, policies, horizons, weights, seed, values)
    hits = hands[:, asks[:, 0]] >> asks[:, 1] & 1 == 1
    leads = RESULTS_PER_VALUE * (candidates.values - candidates.values[0])
    for reached in values:
        leads = correct(leads, reached, hits, chances, settings)
    target, card = asks[np.argmax(leads)].tolist()
    return Ask(target, card)


def correct(
    prior: Floats, values: Floats, hits: Bools, chances: Floats, settings: Settings
) -> Floats:
    """The leads of asks over the first one, in results, corrected by the values of rollouts.

    prior: the leads before. values, hits: deals × asks. chances: of a hit, exact; so hits and
    misses are averaged apart and weighed by it (post-stratification). Each lead is shrunk towards
    the prior by the variance of its errors: the more rollouts, the less of the prior is left, but
    always some.
    """
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
    # Two means were taken from the same values; with fewer than three no error can be estimated.
    noise = ((rest - rest[:, :1]) ** 2).sum(axis=0) / n / (n - 2) if n > 2 else np.inf
    prior_variance = settings.prior_error**2
    share = prior_variance / (prior_variance + settings.rollout_error**2 + noise)
    return np.asarray(prior + share * (leads - prior))
