"""Statistics of matchups: Elo, intervals, sequential tests and Bradley-Terry ratings.

Conventions. A matchup is seen from its first team. Its unit is the *pair*: one deal played twice
with the seats exchanged. A game gives 1 point for a win and ½ for a draw, so a pair gives 0, ½, 1,
1½ or 2. ``counts`` are the *pentanomial* counts: the number of pairs with 0, ½, 1, 1½ and 2 points.
A *score* is the mean number of points per game, from 0 to 1. The two games of a pair share a deal
and are not independent, but pairs are: every variance here is a variance between pairs. Intervals
are 95 % confidence intervals, which hold from two pairs on.

Elo differences are logistic: a difference of ``elo`` stands for a score of
``1 / (1 + 10 ** (-elo / 400))``. They are reported within ± `ELO_LIMIT`, which also stands for
scores of 0 and 1.

Sources: M. Van den Bergh, "A practical introduction to the GSPRT" and "Comments on Normalized Elo"
(both at cantate.be/Fishtest), cited below as [GSPRT] and [NElo].
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal, TypeAlias

from literature_ai.errors import LiteratureError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Counts: TypeAlias = Sequence[float]
Interval: TypeAlias = tuple[float, float]

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The scores of pairs with 0, ½, 1, 1½ and 2 points."""
ELO_LIMIT = 1200.0
"""The largest Elo difference reported; it stands for a score of 0.999."""
CONFIDENCE = 0.95

_NORMAL = NormalDist()
_TAIL = (1 - CONFIDENCE) / 2
_FAR, _NEAR = 0.65, 0.35
_MOST_FREEDOM = 1000
_ELO_PER_LOGIT = 400 / math.log(10)
_NORMALIZED_ELO_PER_T = 800 / math.log(10)
_MAX_T_STEP = 0.25
_MIN_PRIOR_POINTS = 1e-3


def pairs(counts: Counts) -> float:
    """The number of pairs."""
    return sum(counts)


def score(counts: Counts) -> float:
    """The mean number of points per game, from 0 to 1; ½ without pairs."""
    return _dot(counts, SCORES) / pairs(counts) if any(counts) else 0.5


def variance(counts: Counts) -> float:
    """The variance of the score of a pair: mean squared deviation; 0 without pairs."""
    if not any(counts):
        return 0.0
    mean = score(counts)
    return _dot(counts, [(s - mean) ** 2 for s in SCORES]) / pairs(counts)


def score_interval(counts: Counts) -> Interval:
    """The 95 % interval of the score, see `mean_interval`; 0 to 1 without pairs."""
    return mean_interval(SCORES, counts)


def mean_interval(values: Sequence[float], counts: Counts) -> Interval:
    """The 95 % interval of the mean of values from 0 to 1, each observed ``counts`` times.

    The Bayesian bootstrap (D. Rubin, Annals of Statistics 9, 1981): the probability of each value
    has the Dirichlet distribution of the counts. Few observations have not shown all that may
    happen, so one more is added: for the lower limit 0.65 of it at 0 and 0.35 at 1, for the upper
    limit the other way round. Half and half would make it Jeffreys's interval when all values are
    0 or 1; L. Brown, T. Cai and A. DasGupta ("Interval estimation for a binomial proportion",
    Statistical Science 16, 2001) show that this covers the truth in 95 % on average, but in less
    for some truths, and that the limit at 0 or 1 must be 0 or 1 itself when nothing else was
    observed. The whole observation at the far end is the bound of N. Gaffke (Mathematical Methods
    of Statistics 14, 2005), which covers it in 95 % at least, and mostly in 99 %. 0.65 is the
    least part with which no entry of the table in ``tests/slow/test_statistics_coverage.py`` is
    below 93 % from 5 pairs on.

    Some 100 observations are needed before the normal approximation is as good.
    """
    mirrored = [1 - value for value in values]
    return _lower_limit(values, counts), 1 - _lower_limit(mirrored, counts)


def _lower_limit(values: Sequence[float], counts: Counts) -> float:
    n = sum(counts)
    if n == 0:
        return 0.0
    all_at_one_end = any(
        count == n for value, count in zip(values, counts, strict=True) if value in (0, 1)
    )
    values = [0.0, *values, 1.0]
    weights = [_FAR, *counts, 0.0 if all_at_one_end else _NEAR]
    low, high = 0.0, _dot(counts, values[1:-1]) / n
    for _ in range(35):
        middle = (low + high) / 2
        if _chance_that_mean_exceeds(middle, values, weights) > 1 - _TAIL:
            low = middle
        else:
            high = middle
    return low


def _chance_that_mean_exceeds(
    bound: float, values: Sequence[float], weights: Sequence[float]
) -> float:
    """The probability that Σ p·value exceeds the bound, p Dirichlet with these parameters.

    The p are gamma variables over their sum, so this is the probability that Σ gamma·(value -
    bound) is positive. Its tail is approximated at the saddle point (R. Lugannani and S. Rice,
    Advances in Applied Probability 12, 1980), which is the x of the maximum likelihood distribution
    whose mean is the bound.
    """
    kept = [(v - bound, w) for v, w in zip(values, weights, strict=True) if w and v != bound]
    if all(v > 0 for v, _ in kept) or all(v < 0 for v, _ in kept):
        return float(bool(kept) and kept[0][0] > 0)
    deviations, weights = zip(*kept, strict=True)
    x = _balance(weights, deviations)
    stretched = [v / (1 + x * v) for v in deviations]
    distance = _dot(weights, [2 * math.log1p(x * v) for v in deviations])
    root = math.copysign(math.sqrt(max(distance, 0.0)), x)
    spread = _dot(weights, [v**2 for v in stretched])
    if abs(root) < 1e-4:
        correction = _dot(weights, [v**3 for v in stretched]) / (3 * spread**1.5)
    else:
        correction = 1 / root - 1 / (x * math.sqrt(spread))
    chance: float = _NORMAL.cdf(root) + _NORMAL.pdf(root) * correction
    return chance


def elo(score: float) -> float:
    """The logistic Elo difference of a score, within ± `ELO_LIMIT` (A. Elo, 1978)."""
    if not 0 < score < 1:
        return math.copysign(ELO_LIMIT, score - 0.5)
    return max(-ELO_LIMIT, min(ELO_LIMIT, _ELO_PER_LOGIT * math.log(score / (1 - score))))


def expected_score(elo: float) -> float:
    """The expected score of a logistic Elo difference; the inverse of `elo`."""
    return 1 / (1 + math.exp(-elo / _ELO_PER_LOGIT))


def elo_interval(counts: Counts) -> Interval:
    """The 95 % interval of the Elo difference: the Elo of the ends of `score_interval`."""
    low, high = score_interval(counts)
    return elo(low), elo(high)


def likelihood_of_superiority(counts: Counts) -> float:
    """The likelihood that the first team is better: the probability that its mean score exceeds ½.

    That of the Bayesian bootstrap with half an observation at either end, see `mean_interval`; ½
    without pairs. With many pairs it is Φ((score - ½) / standard error).
    """
    lost, *others, won = counts
    return _chance_that_mean_exceeds(0.5, SCORES, [lost + 0.5, *others, won + 0.5])


def normalized_elo(counts: Counts) -> float:
    """The normalized Elo difference: the score's distance from ½ in standard deviations of a game.

    [NElo]: 800 / ln 10 · t with t = (score - ½) / σ, where σ² is twice the variance of the score of
    a pair; it agrees with Elo when draws are rare. 0 for a score of ½, else infinite when all pairs
    have the same score.
    """
    lead, deviation = score(counts) - 0.5, math.sqrt(2 * variance(counts))
    if lead == 0:
        return 0.0
    return _NORMALIZED_ELO_PER_T * lead / deviation if deviation else math.copysign(math.inf, lead)


@dataclass(frozen=True, slots=True)
class Sprt:
    """Sequential probability ratio test of two normalized Elo differences, elo0 < elo1.

    ``alpha`` bounds the probability to accept ``elo1`` when ``elo0`` is true, ``beta`` that to
    accept ``elo0`` when ``elo1`` is true (A. Wald, Annals of Mathematical Statistics 16, 1945).
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> Interval:
        """The log-likelihood ratios at which ``elo0`` and ``elo1`` are accepted: Wald's bounds."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def decide(self, counts: Counts) -> Literal["elo0", "elo1"] | None:
        """The hypothesis that the counts accept; None while undecided."""
        low, high = self.bounds
        ratio = log_likelihood_ratio(counts, self.elo0, self.elo1)
        return "elo0" if ratio <= low else "elo1" if ratio >= high else None


def log_likelihood_ratio(counts: Counts, elo0: float, elo1: float) -> float:
    """The generalized log-likelihood ratio of ``elo1`` to ``elo0``, normalized Elo differences.

    [GSPRT]: each hypothesis is represented by its maximum likelihood distribution over the five
    scores of a pair. Counts of 0 are replaced by 0.001, so that no score is impossible. 0 without
    pairs.
    """
    if not any(counts):
        return 0.0
    filled = [n or 1e-3 for n in counts]
    total = sum(filled)
    frequencies = [n / total for n in filled]
    # The variance of the score of a pair is half that of a game.
    t0, t1 = (math.sqrt(2) * e / _NORMALIZED_ELO_PER_T for e in (elo0, elo1))
    likeliest0, likeliest1 = (_likeliest_with_t(frequencies, t) for t in (t0, t1))
    return sum(n * math.log(q / p) for n, p, q in zip(filled, likeliest0, likeliest1, strict=True))


def _likeliest_with_t(frequencies: Sequence[float], t: float) -> list[float]:
    """The maximum likelihood distribution with (mean - ½) / standard deviation = t.

    [NElo, section 4.1]: the constraint mean - ½ - t·deviation = 0 becomes linear in the
    probabilities when the deviation is linearized at the current estimate; iterate to a fixed
    point. Far from t = 0 the linearized constraint may be infeasible, so t is approached in steps,
    each starting from the solution of the last.
    """
    guess = [1 / len(SCORES)] * len(SCORES)
    steps = math.ceil(abs(t) / _MAX_T_STEP) or 1
    for step in range(1, steps + 1):
        tolerance = 1e-12 if step == steps else 1e-3
        for _ in range(100):
            last, guess = guess, _linearized_step(frequencies, t * step / steps, guess)
            if max(abs(p - q) for p, q in zip(guess, last, strict=True)) < tolerance:
                break
    return guess


def _linearized_step(frequencies: Sequence[float], t: float, guess: Sequence[float]) -> list[float]:
    """The maximum likelihood distribution under the constraint linearized at the guess."""
    mean = _dot(guess, SCORES)
    deviation = math.sqrt(_dot(guess, [(s - mean) ** 2 for s in SCORES]))
    values = [s - 0.5 - t * deviation * (1 + ((s - mean) / deviation) ** 2) / 2 for s in SCORES]
    return _likeliest_with_mean_zero(frequencies, values)


def _likeliest_with_mean_zero(frequencies: Sequence[float], values: Sequence[float]) -> list[float]:
    """The maximum likelihood distribution under which the values have mean 0.

    [GSPRT, section 2]: p = f / (1 + x·v), where x solves Σ f·v / (1 + x·v) = 0.
    """
    x = _balance(frequencies, values)
    return [f / (1 + x * v) for f, v in zip(frequencies, values, strict=True)]


def _balance(weights: Sequence[float], values: Sequence[float]) -> float:
    """The x with Σ w·v / (1 + x·v) = 0 and all 1 + x·v > 0; values of both signs are needed.

    The sum decreases between its poles. Newton's method finds x; where it leaves the bracket, the
    bracket is halved instead.
    """
    low, high = -1 / max(values), -1 / min(values)
    x = 0.0
    for _ in range(100):
        terms = [v / (1 + x * v) for v in values]
        slope = _dot(weights, terms)
        low, high = (x, high) if slope > 0 else (low, x)
        step = slope / _dot(weights, [term**2 for term in terms])
        if low < x + step < high:
            x += step
            if abs(step) <= 1e-11 * abs(x):
                break
        else:
            x = (low + high) / 2
            if x in (low, high):
                break
    return x


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its standard error."""

    mean: float
    error: float


def mean_of_pairs(n: int, total: float, total_of_squares: float) -> Estimate:
    """The mean of n observations, one per pair, and its standard error, from sums.

    The standard error is the root of the unbiased variance over n; nan for n < 2.
    """
    if n == 0:
        return Estimate(math.nan, math.nan)
    mean = total / n
    if n == 1:
        return Estimate(mean, math.nan)
    return Estimate(mean, math.sqrt(max(total_of_squares / n - mean * mean, 0.0) / (n - 1)))


def standard_errors(freedom: int) -> float:
    """How many standard errors a mean is from the ends of its 95 % interval: Student's t quantile.

    ``freedom`` is the number of observations less 1; infinite for 0. The distribution function is
    the finite sum of M. Abramowitz and I. Stegun ("Handbook of Mathematical Functions", 1964,
    26.7.3 and 26.7.4). More than 1000 degrees of freedom, which change no digit shown, count as
    1000.
    """
    if freedom < 1:
        return math.inf
    freedom = min(freedom, _MOST_FREEDOM)

    def chance_within(errors: float) -> float:
        angle = math.atan(errors / math.sqrt(freedom))
        sine, cosine = math.sin(angle), math.cos(angle)
        odd = freedom % 2
        term = cosine if odd else 1.0
        total = 0.0
        for k in range(2 + odd, freedom + 1, 2):
            total += term
            term *= cosine**2 * (k - 1) / k
        return 2 / math.pi * (angle + sine * total) if odd else sine * total

    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if chance_within(middle) < CONFIDENCE else (low, middle)
    return high


def ratio_of_sums(numerators: Sequence[float], denominators: Sequence[float]) -> Estimate:
    """A ratio of sums over pairs, such as hits per ask, with its standard error.

    The ratio estimator of W. Cochran ("Sampling Techniques", 1977, chapter 6), which allows for any
    dependence within a pair.
    """
    n, total = len(denominators), sum(denominators)
    if total == 0:
        return Estimate(math.nan, math.nan)
    rate = sum(numerators) / total
    if n < 2:
        return Estimate(rate, math.nan)
    squares = sum((a - rate * b) ** 2 for a, b in zip(numerators, denominators, strict=True))
    return Estimate(rate, math.sqrt(n / (n - 1) * squares) / total)


def correlation(n: int, xy: float, x: float, y: float, xx: float, yy: float) -> float | None:
    """Pearson's correlation from sums of xy, x, y, x² and y² over n pairs; None if undefined."""
    spread = (n * xx - x * x) * (n * yy - y * y)
    return (n * xy - x * y) / math.sqrt(spread) if spread > 1e-9 else None


@dataclass(frozen=True, slots=True)
class Rating:
    """An Elo rating with its 95 % interval."""

    elo: float
    low: float
    high: float


def require_ratings() -> None:
    """Raise LiteratureError unless the package for Bradley-Terry ratings is installed."""
    if find_spec("choix") is None:
        raise LiteratureError(
            "ratings of more than two agents need choix: pip install 'literature-ai[report]'"
        )


def bradley_terry(
    points: NDArray[np.float64], prior: NDArray[np.float64] | float = 0.5
) -> NDArray[np.float64]:
    """Bradley-Terry ratings in Elo with mean 0, from ``points[i, j]`` that team i has against j.

    The model of R. Bradley and M. Terry (Biometrika 39, 1952), fitted by iterative Luce spectral
    ranking (L. Maystre and M. Grossglauser, "Fast and Accurate Inference of Plackett-Luce Models",
    2015, the package ``choix``). ``prior`` points are added between every two teams, by default
    those of one drawn game, which keeps the ratings of unbeaten teams finite.

    Raises LiteratureError without choix.
    """
    require_ratings()
    import choix
    import numpy as np

    opponents = 1 - np.eye(len(points))
    strengths = choix.ilsr_pairwise_dense(points + prior * opponents, max_iter=1000)
    return np.asarray((strengths - strengths.mean()) * _ELO_PER_LOGIT)


def ratings(
    teams: int,
    deals: Iterable[Sequence[tuple[int, int, float]]],
    rng: np.random.Generator,
    resamples: int = 500,
) -> list[Rating]:
    """Bradley-Terry ratings of all teams, with intervals from a bootstrap over deals.

    ``deals`` has for each deal the pairs played on it: team i, team j, points of i out of 2. The
    pairs of a deal are resampled together, because they share its luck (percentile bootstrap,
    B. Efron, Annals of Statistics 7, 1979). The results of a team that lost all games do not vary
    between resamples; so the prior points are drawn, too, from the gamma distribution under which
    the posterior of a score is that of Jeffreys's prior (D. Rubin, "The Bayesian Bootstrap",
    Annals of Statistics 9, 1981). Deals with equal results are counted, not stored.

    A bootstrap of n deals has a variance too small by (n - 1) / n (T. Hesterberg, "What Teachers
    Should Know About the Bootstrap", American Statistician 69, 2015), and does not allow for the
    doubt about the variance itself. So intervals are widened by √((n + 1) / (n - 1)); the slow
    tests show what they cover. After one deal they are ± `ELO_LIMIT`.
    """
    import numpy as np

    kinds = Counter(tuple(deal) for deal in deals)
    points = np.zeros((len(kinds), teams, teams))
    for points_of_kind, kind in zip(points, kinds, strict=True):
        for i, j, points_of_i in kind:
            points_of_kind[i, j] += points_of_i
            points_of_kind[j, i] += 2 - points_of_i
    seen = np.array(list(kinds.values()))
    elos = bradley_terry(np.tensordot(seen, points, axes=1))
    drawn = rng.multinomial(seen.sum(), seen / seen.sum(), size=resamples)
    priors = np.maximum(rng.gamma(0.5, size=(resamples, teams, teams)), _MIN_PRIOR_POINTS)
    spread = np.array(
        [
            bradley_terry(np.tensordot(n, points, axes=1), prior)
            for n, prior in zip(drawn, priors, strict=True)
        ]
    )
    tail = 100 * _TAIL
    # The plotting position p (n + 1) has the nominal coverage for any number of resamples.
    lows, highs = np.percentile(spread, [tail, 100 - tail], axis=0, method="weibull")
    n = int(seen.sum())
    if n == 1:
        return [Rating(float(elo), -ELO_LIMIT, ELO_LIMIT) for elo in elos]
    widening = math.sqrt((n + 1) / (n - 1))
    return [
        Rating(
            float(elo), float(elo + widening * (low - elo)), float(elo + widening * (high - elo))
        )
        for elo, low, high in zip(elos, lows, highs, strict=True)
    ]
