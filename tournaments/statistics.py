"""What the results of a match are worth.

Conventions. A match is between two teams, seen from the first. Its unit is the *pair*: one deal
played twice with the seats exchanged. A game gives 1 point for a win, ½ for a draw; a pair gives 0,
½, 1, 1½ or 2. ``counts`` are the five *pentanomial* counts: how many pairs gave 0, ½, 1, 1½, 2
points. A *score* is points a game, from 0 to 1. The two games of a pair share a deal and are not
independent, pairs are; so every variance here is a variance between pairs. Intervals hold with a
probability of 95 %.

Elo is the logistic one: a score of ``1 / (1 + 10 ** (-elo / 400))``. A perfect score is an infinite
Elo; it is reported as that of `ELO_LIMIT`, and so are all scores beyond.

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
"""The score of a pair with 0, ½, 1, 1½, 2 points."""
ELO_LIMIT = 1200.0
"""Elo differences are reported between minus and plus this; it stands for a score of 0.999."""
CONFIDENCE = 0.95

_NORMAL = NormalDist()
_Z = _NORMAL.inv_cdf((1 + CONFIDENCE) / 2)
_ELO_PER_LOGIT = 400 / math.log(10)
_NORMALIZED_ELO_PER_T = 800 / math.log(10)
_LARGEST_STEP = 0.25
_LEAST_POINTS = 1e-3


def pairs(counts: Counts) -> float:
    return sum(counts)


def score(counts: Counts) -> float:
    """Points a game, from 0 to 1; ½ when nothing was played."""
    return _dot(counts, SCORES) / pairs(counts) if any(counts) else 0.5


def variance(counts: Counts) -> float:
    """The variance of the score of one pair, with the number of pairs as the divisor."""
    if not any(counts):
        return 0.0
    mean = score(counts)
    return _dot(counts, [(s - mean) ** 2 for s in SCORES]) / pairs(counts)


def score_interval(counts: Counts) -> Interval:
    """The 95 % interval of the score: normal, or exact where every pair ended the same way.

    Then the sample variance is 0 and says nothing. The chance p of another such pair has the bound
    of C. Clopper and E. Pearson (Biometrika 26, 1934), and another one may have any score.
    """
    n = pairs(counts)
    if n == 0:
        return 0.0, 1.0
    for each, count in zip(SCORES, counts, strict=True):
        if count == n:
            p = ((1 - CONFIDENCE) / 2) ** (1 / n)
            return each * p, each * p + 1 - p
    mean, margin = score(counts), _Z * math.sqrt(variance(counts) / n)
    return max(mean - margin, 0.0), min(mean + margin, 1.0)


def elo(score: float) -> float:
    """The logistic Elo difference that a score stands for, within `ELO_LIMIT` (A. Elo, 1978)."""
    if not 0 < score < 1:
        return math.copysign(ELO_LIMIT, score - 0.5)
    return max(-ELO_LIMIT, min(ELO_LIMIT, _ELO_PER_LOGIT * math.log(score / (1 - score))))


def expected_score(elo: float) -> float:
    """The score that a logistic Elo difference stands for; the inverse of `elo`."""
    return 1 / (1 + math.exp(-elo / _ELO_PER_LOGIT))


def elo_interval(counts: Counts) -> Interval:
    """The 95 % interval of the Elo difference: that of the score, translated end by end."""
    low, high = score_interval(counts)
    return elo(low), elo(high)


def likelihood_of_superiority(counts: Counts) -> float:
    """The probability that the first team is the better one: Φ((score - ½) / standard error)."""
    mean, sample_variance = score(counts), variance(counts)
    if sample_variance == 0:
        return 0.5 + math.copysign(0.5, mean - 0.5) * (mean != 0.5)
    return _NORMAL.cdf((mean - 0.5) / math.sqrt(sample_variance / pairs(counts)))


def normalized_elo(counts: Counts) -> float:
    """The lead in standard deviations of one game, scaled to agree with Elo when draws are rare.

    [NElo]: t = (score - ½) / σ with σ² = twice the variance of a pair's score. Zero without lead,
    infinite where no pair differs from the others.
    """
    lead, deviation = score(counts) - 0.5, math.sqrt(2 * variance(counts))
    if lead == 0:
        return 0.0
    return _NORMALIZED_ELO_PER_T * lead / deviation if deviation else math.copysign(math.inf, lead)


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential probability ratio test: is the lead ``elo1`` or more, or ``elo0`` or less?

    Both are normalized Elo. ``alpha`` bounds the chance to accept ``elo1`` when ``elo0`` is true,
    ``beta`` that to accept ``elo0`` when ``elo1`` is (A. Wald, Annals of Math. Stat. 16, 1945).
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> Interval:
        """The log-likelihood ratios at which ``elo0`` and ``elo1`` are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def decide(self, counts: Counts) -> Literal["elo0", "elo1"] | None:
        """Which hypothesis the counts accept; None: play on."""
        low, high = self.bounds
        ratio = log_likelihood_ratio(counts, self.elo0, self.elo1)
        return "elo0" if ratio <= low else "elo1" if ratio >= high else None


def log_likelihood_ratio(counts: Counts, elo0: float, elo1: float) -> float:
    """The generalized log-likelihood ratio of two normalized Elo differences, from pair counts.

    [GSPRT]: a hypothesis is represented by the distribution over the five pair scores that, among
    those with the hypothesis's t-value, makes the counts most likely. An empty count is taken as
    one thousandth of a pair, so that no outcome is impossible.
    """
    if not any(counts):
        return 0.0
    filled = [n or 1e-3 for n in counts]
    total = sum(filled)
    frequencies = [n / total for n in filled]
    # The variance of a pair's score is half that of a game's.
    t0, t1 = (math.sqrt(2) * e / _NORMALIZED_ELO_PER_T for e in (elo0, elo1))
    likeliest0, likeliest1 = (_likeliest_with_t(frequencies, t) for t in (t0, t1))
    return sum(n * math.log(q / p) for n, p, q in zip(filled, likeliest0, likeliest1, strict=True))


def _likeliest_with_t(frequencies: Sequence[float], t: float) -> list[float]:
    """The distribution that makes the frequencies likeliest with (mean - ½) / deviation = t.

    [NElo, section 4.1]: the condition mean - ½ - t·deviation = 0 is linear in the probabilities
    once the deviation is replaced by its tangent at the last guess; iterate. Far from 0 a tangent
    may be met by no distribution at all, so t is approached in steps, each from the last solution.
    """
    guess = [1 / len(SCORES)] * len(SCORES)
    steps = math.ceil(abs(t) / _LARGEST_STEP) or 1
    for step in range(1, steps + 1):
        for _ in range(100):
            last, guess = guess, _on_tangent(frequencies, t * step / steps, guess)
            if max(abs(p - q) for p, q in zip(guess, last, strict=True)) < 1e-12:
                break
    return guess


def _on_tangent(frequencies: Sequence[float], t: float, guess: Sequence[float]) -> list[float]:
    mean = _dot(guess, SCORES)
    deviation = math.sqrt(_dot(guess, [(s - mean) ** 2 for s in SCORES]))
    condition = [s - 0.5 - t * deviation * (1 + ((s - mean) / deviation) ** 2) / 2 for s in SCORES]
    return _likeliest_with_mean_zero(frequencies, condition)


def _likeliest_with_mean_zero(frequencies: Sequence[float], values: Sequence[float]) -> list[float]:
    """The distribution that makes the frequencies likeliest among those with mean value 0.

    [GSPRT, section 2]: it is f / (1 + x·v), where x solves Σ f·v / (1 + x·v) = 0, a function that
    falls from one pole to the other.
    """
    low, high = -1 / max(values), -1 / min(values)
    for _ in range(200):
        x = (low + high) / 2
        if not low < x < high:
            break
        slope = sum(f * v / (1 + x * v) for f, v in zip(frequencies, values, strict=True))
        low, high = (x, high) if slope > 0 else (low, x)
    return [f / (1 + x * v) for f, v in zip(frequencies, values, strict=True)]


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its standard error."""

    mean: float
    error: float


def mean_of_pairs(n: int, total: float, total_of_squares: float) -> Estimate:
    """The mean of one number a pair and its standard error, from their sum and sum of squares.

    The usual unbiased variance over n; with fewer than two pairs the error is unknown (nan).
    """
    if n == 0:
        return Estimate(math.nan, math.nan)
    mean = total / n
    if n == 1:
        return Estimate(mean, math.nan)
    return Estimate(mean, math.sqrt(max(total_of_squares / n - mean * mean, 0.0) / (n - 1)))


def ratio_of_sums(numerators: Sequence[float], denominators: Sequence[float]) -> Estimate:
    """A rate such as hits per ask, where each pair gives a numerator and a denominator.

    The standard error is that of the ratio estimator (W. Cochran, "Sampling Techniques", 1977,
    chapter 6): what happens inside a pair may depend on each other, pairs do not.
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
    """Pearson's correlation from the sums of xy, x, y, x², y² over n pairs; None if undefined."""
    spread = (n * xx - x * x) * (n * yy - y * y)
    return (n * xy - x * y) / math.sqrt(spread) if spread > 1e-9 else None


@dataclass(frozen=True, slots=True)
class Rating:
    """An Elo rating and its 95 % interval; the ratings of a tournament have mean 0."""

    elo: float
    low: float
    high: float


def require_ratings() -> None:
    """Raise LiteratureError unless the package that computes ratings is there."""
    if find_spec("choix") is None:
        raise LiteratureError(
            "ratings of more than two agents need choix: pip install 'literature-ai[report]'"
        )


def bradley_terry(
    points: NDArray[np.float64], imagined: NDArray[np.float64] | float = 0.5
) -> NDArray[np.float64]:
    """Ratings in Elo with mean 0 from ``points[i, j]``, what team i scored against team j.

    R. Bradley and M. Terry (Biometrika 39, 1952), the maximum of the likelihood found by spectral
    ranking (L. Maystre and M. Grossglauser, "Fast and Accurate Inference of Plackett-Luce
    Models", 2015, the package ``choix``). Every two teams are given ``imagined`` points besides,
    by default those of one drawn game, so that an unbeaten team has a finite rating, and one that
    has not met another team, too.
    Raises LiteratureError without choix.
    """
    require_ratings()
    import choix
    import numpy as np

    others = 1 - np.eye(len(points))
    strengths = choix.ilsr_pairwise_dense(points + imagined * others, max_iter=1000)
    return np.asarray((strengths - strengths.mean()) * _ELO_PER_LOGIT)


def ratings(
    teams: int,
    deals: Iterable[Sequence[tuple[int, int, float]]],
    rng: np.random.Generator,
    resamples: int = 500,
) -> list[Rating]:
    """Bradley-Terry ratings of all teams, with intervals from a bootstrap over deals.

    ``deals`` gives for each deal what every pair of games on it came to: team i, team j, points of
    i out of 2. All pairs on one deal are drawn together, for they share its luck (B. Efron,
    Annals of Statistics 7, 1979, the percentile method). Where a team lost every game, drawing
    deals again shows no doubt; so the imagined points are drawn too, from the gamma distribution
    that makes a score's posterior that of H. Jeffreys's prior (D. Rubin, "The Bayesian
    Bootstrap", 1981). Deals with equal results count as one kind, so memory does not grow with
    their number.
    """
    import numpy as np

    kinds = Counter(tuple(deal) for deal in deals)
    tables = np.zeros((len(kinds), teams, teams))
    for table, kind in zip(tables, kinds, strict=True):
        for i, j, points in kind:
            table[i, j] += points
            table[j, i] += 2 - points
    seen = np.array(list(kinds.values()))
    elos = bradley_terry(np.tensordot(seen, tables, axes=1))
    drawn = rng.multinomial(seen.sum(), seen / seen.sum(), size=resamples)
    imagined = np.maximum(rng.gamma(0.5, size=(resamples, teams, teams)), _LEAST_POINTS)
    spread = np.array(
        [
            bradley_terry(np.tensordot(n, tables, axes=1), extra)
            for n, extra in zip(drawn, imagined, strict=True)
        ]
    )
    tail = 100 * (1 - CONFIDENCE) / 2
    # The plotting position p (n + 1) covers what it should with any number of resamples.
    lows, highs = np.percentile(spread, [tail, 100 - tail], axis=0, method="weibull")
    return [
        Rating(float(elo), float(low), float(high))
        for elo, low, high in zip(elos, lows, highs, strict=True)
    ]
