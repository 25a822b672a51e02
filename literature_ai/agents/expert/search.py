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

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from literature_ai.agents.expert.action_value import DEAD_PENALTY, POINTLESS_PENALTY
from literature_ai.agents.expert.belief import Belief
from literature_ai.agents.expert.rollout import (
    ASK,
    MOVE_SIZE,
    Policies,
    Trials,
    compare,
    new_trials,
)
from literature_ai.agents.expert.state_value import StateFeatures
from literature_ai.events import Ask
from solver.kernels.arrays import Bools2, Floats, Floats2, Ints2

RESULTS_PER_VALUE = 0.05
"""Results (1 for a win, -1 for a loss) a unit of action value."""
_AT_ONCE = 64
"""Rollouts between two moments at which a run can be stopped; a few milliseconds."""


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

    asks: Ints2
    """Rows of target and card."""
    values: Floats
    """Their action values."""
    chances: Floats
    """Their exact chances of a hit."""


def candidates_of(
    values: Floats2, beliefs: Floats2, most: int, telling: bool, waiting: bool
) -> Candidates:
    """The asks to compare: at most so many that may hit, and of those that must miss the best ones.

    values: cards × seats, less the penalties of asks that must miss, -inf for what may not be
    asked. beliefs: cards × seats, exact. telling: whether asks that must miss, but tell somebody
    something, are among them where others may hit. waiting: whether those are that tell nobody
    anything.

    An ask that must miss hands the turn to a seat of one's choice; of either kind, the best one to
    each seat is compared.
    """
    plain = without_penalty(values)
    misses = values < -DEAD_PENALTY / 2
    pointless = values < -POINTLESS_PENALTY / 2
    pairs = _best(np.where(misses, -np.inf, values), most)
    kinds = [misses & ~pointless] if telling or not pairs else []
    for kind in [*kinds, pointless] if waiting else kinds:
        some = np.where(kind, plain, -np.inf)
        for target in range(values.shape[1]):
            card = int(some[:, target].argmax())
            if some[card, target] > -np.inf:
                pairs.append((card, target))
    cards, targets = np.array(pairs, np.int64).reshape(-1, 2).T
    asks = np.stack([targets, cards], axis=1)
    return Candidates(asks, plain[cards, targets], beliefs[cards, targets])


def _best(values: Floats2, most: int) -> list[tuple[int, int]]:
    """At most so many places of the greatest values that are not -inf, best first."""
    order = np.argsort(-values, axis=None, kind="stable")[:most]
    places = zip(*(part.tolist() for part in np.unravel_index(order, values.shape)), strict=True)
    return [place for place in places if values[place] > -np.inf]


def with_named(
    candidates: Candidates, values: Floats2, beliefs: Floats2, named: Sequence[Ask]
) -> Candidates:
    """The candidates, and after them those named asks that have a value and are not among them.

    values, beliefs: as for `candidates_of`.
    """
    known = set(map(tuple, candidates.asks.tolist()))
    pairs = dict.fromkeys((ask.target, ask.card) for ask in named)
    more = [
        (to, card) for to, card in pairs if (to, card) not in known and values[card, to] > -np.inf
    ]
    if not more:
        return candidates
    targets, cards = np.array(more).T
    return Candidates(
        np.concatenate([candidates.asks, more]),
        np.concatenate([candidates.values, without_penalty(values[cards, targets])]),
        np.concatenate([candidates.chances, beliefs[cards, targets]]),
    )


def without_penalty(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The action values without what was subtracted from those of asks that must miss."""
    penalty = np.where(values < -DEAD_PENALTY / 2, DEAD_PENALTY, 0.0)
    return values + np.where(values < -POINTLESS_PENALTY / 2, POINTLESS_PENALTY, penalty)


class Simulations:
    """Runs rollouts, on one or more threads.

    What comes of a deal depends on its number alone, so the number of threads changes nothing.
    """

    def __init__(self, workers: int = 1, go_on: Callable[[int, int], bool] | None = None) -> None:
        """workers: threads. go_on: told now and then how many rollouts of a run are done, and of
        how many; when it says False the run ends with what there is."""
        self._workers = workers
        self._go_on = go_on
        self.stopped = False
        """Whether a run was ended early."""

    def run(
        self,
        belief: Belief,
        hands: Ints2,
        moves: Ints2,
        policies: Policies,
        horizons: Sequence[int],
        weights: StateFeatures,
        seed: int,
    ) -> Trials:
        """What comes of each move on each deal, as `compare` says; on the first ones, if stopped.

        hands: deals × seats, as masks. moves: rows of `MOVE_SIZE`. seed: of the first deal.
        """
        trials = new_trials(len(horizons), len(hands), len(moves))
        until = np.array(horizons)

        def run(first: int, last: int) -> None:
            part = new_trials(len(horizons), last - first, len(moves))
            some = hands[first:last]
            compare(belief, some, moves, policies, until, weights, seed + first, part)
            trials.values[:, first:last], trials.leads[first:last] = part

        if self._workers == 1 and self._go_on is None:
            run(0, len(hands))
            return trials
        step = max(1, _AT_ONCE // len(moves))
        starts = range(0, len(hands), step)
        done = 0
        with ThreadPoolExecutor(self._workers) as pool:
            for _ in pool.map(lambda first: run(first, min(first + step, len(hands))), starts):
                done = min(done + step, len(hands))
                if self._go_on and not self._go_on(done * len(moves), len(hands) * len(moves)):
                    self.stopped = True
                    pool.shutdown(cancel_futures=True)
                    break
        return Trials(trials.values[:, :done], trials.leads[:done])


class Leads(NamedTuple):
    """How far each ask is ahead of the first one, in results."""

    mean: Floats
    error: Floats
    """The standard errors of these means; 0 for the first."""


class Comparison(NamedTuple):
    """Asks, and what came of them by rollouts."""

    candidates: Candidates
    hands: Ints2
    """The deals of the rollouts: deals × seats, the hands as masks."""
    trials: Trials

    @property
    def hits(self) -> Bools2:
        """Deals × asks: whether the ask hits."""
        asks = self.candidates.asks
        found: Bools2 = self.hands[:, asks[:, 0]] >> asks[:, 1] & 1 == 1
        return found

    def leads(self, settings: Settings) -> Leads:
        """How far each ask is ahead of the first one."""
        asks, values, chances = self.candidates
        hits = self.hits
        leads = Leads(RESULTS_PER_VALUE * (values - values[0]), np.zeros(len(asks)))
        for reached in self.trials.values:
            leads = correct(leads.mean, reached, hits, chances, settings)
        return leads


def search(
    belief: Belief,
    hands: Ints2,
    candidates: Candidates,
    policies: Policies,
    weights: StateFeatures,
    settings: Settings,
    rng: np.random.Generator,
    simulations: Simulations,
) -> Comparison:
    """Compare the asks by rollouts.

    hands: deals × seats, the hands now, as masks. weights: of the state value.
    """
    moves = np.zeros((len(candidates.asks), MOVE_SIZE), np.int64)
    moves[:, 0], moves[:, 1:3] = ASK, candidates.asks
    seed = int(rng.integers(1 << 30))
    trials = simulations.run(belief, hands, moves, policies, settings.horizons, weights, seed)
    return Comparison(candidates, hands[: len(trials.leads)], trials)


def correct(
    prior: Floats, values: Floats2, hits: Bools2, chances: Floats, settings: Settings
) -> Leads:
    """The leads of asks over the first one, in results, corrected by the values of rollouts.

    prior: the leads before. values, hits: deals × asks. chances: of a hit, exact; so hits and
    misses are averaged apart and weighed by it (post-stratification). Each lead is shrunk towards
    the prior by the variance of its errors: the more rollouts, the less of the prior is left, but
    always some.
    """
    n = len(values)
    means, rest = stratified(values, hits, chances)
    leads = means - means[0]
    # Two means were taken from the same values; with fewer than three no error can be estimated.
    noise = np.full(len(chances), np.inf)
    if n > 2:
        noise = ((rest - rest[:, :1]) ** 2).sum(axis=0) / n / (n - 2)
    prior_variance = settings.prior_error**2
    share = prior_variance / (prior_variance + settings.rollout_error**2 + noise)
    error = settings.prior_error * np.sqrt(1 - share)
    error[0] = 0.0
    return Leads(prior + share * (leads - prior), error)


def stratified(values: Floats2, hits: Bools2, chances: Floats) -> tuple[Floats, Floats2]:
    """The means of the values of each ask, and what is left of each value when hits and misses have
    their means taken out. Arguments as for `correct`."""
    n_hit, n = hits.sum(axis=0), len(values)
    strata = np.where(
        hits, chances / np.maximum(n_hit, 1), (1 - chances) / np.maximum(n - n_hit, 1)
    )
    strata /= strata.sum(axis=0)
    means = (strata * values).sum(axis=0)
    mean_hit = np.where(hits, values, 0).sum(axis=0) / np.maximum(n_hit, 1)
    mean_miss = np.where(hits, 0, values).sum(axis=0) / np.maximum(n - n_hit, 1)
    return means, values - np.where(hits, mean_hit, mean_miss)
