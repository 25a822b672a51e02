"""The statistics of tournaments, against published values and against simulated truth."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments import statistics

LOST = [13, 37, 50, 25, 3]
LEVEL = [39, 8843, 26675, 9240, 44]
COUNTS = st.lists(st.integers(0, 500), min_size=5, max_size=5).filter(any)
PROVEN = settings(derandomize=True, max_examples=100, deadline=None)


def margin(counts):
    low, high = statistics.elo_interval(counts)
    return (high - low) / 2


@pytest.mark.parametrize(
    ("counts", "elo", "half_width", "excess"),
    [(LOST, -43.65779, 29.42716, 0.035), (LEVEL, 1.576763, 1.030314, 0.0025)],
)
def test_elo_agrees_with_the_published_values(counts, elo, half_width, excess):
    """Elo is fishtest's; the interval is wider than its normal approximation, less so with more
    pairs: 3.5 % with 128, 0.25 % with 44,841."""
    assert elo == pytest.approx(statistics.elo(statistics.score(counts)), rel=1e-6)
    assert half_width < margin(counts) < half_width * (1 + excess)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "ratio"),
    [(LOST, 0, 4, -0.549125), (LEVEL, 0.5, 2.5, 2.941675)],
)
def test_log_likelihood_ratio_equals_the_published_values(counts, elo0, elo1, ratio):
    """The generalized likelihood ratio agrees with fishtest's to the digits it prints."""
    assert ratio == pytest.approx(
        statistics.log_likelihood_ratio(counts, elo0, elo1), abs=1e-6, rel=0
    )


def test_likelihood_of_superiority_agrees_with_the_published_value():
    """Of 128 pairs it is within 0.0005 of fishtest's normal approximation."""
    assert pytest.approx(0.0016104, abs=5e-4) == statistics.likelihood_of_superiority(LOST)


@pytest.mark.parametrize(
    ("won", "least", "most"), [(1, 0.6, 0.9), (2, 0.8, 0.95), (5, 0.95, 0.999)]
)
def test_few_won_pairs_do_not_prove_superiority(won, least, most):
    """One pair won leaves doubt, five leave little."""
    assert least < statistics.likelihood_of_superiority([0, 0, 0, 0, won]) < most


@pytest.mark.parametrize("counts", [[0, 0, 0, 0, 2], [1, 0, 2, 0, 2], [0, 3, 9, 6, 2], LOST])
def test_limits_are_quantiles_of_the_bayesian_bootstrap(counts):
    """Both limits, found by a saddle point, are those of 200,000 drawn distributions."""
    rng = np.random.default_rng(21)
    low, high = statistics.score_interval(counts)
    for own, limit in ((counts, low), (counts[::-1], 1 - high)):
        all_at_one_end = max(own[0], own[4]) == sum(own)
        weights = np.array(own, dtype=float)
        weights[[0, 4]] += (0.65, 0.0 if all_at_one_end else 0.35)
        drawn = rng.gamma(weights, size=(200_000, 5))
        means = drawn @ statistics.SCORES / drawn.sum(axis=1)
        expected = 0.0 if own[0] == sum(own) else 0.025
        assert pytest.approx(expected, abs=0.002) == (means < limit).mean()


@pytest.mark.parametrize("pairs", [1, 2, 10, 10**6, 10**12])
@pytest.mark.parametrize("place", range(5))
def test_equal_pairs_leave_an_interval_with_doubt(pairs, place):
    """However many pairs end alike, the interval holds their score and is more than that."""
    counts = [0] * 5
    counts[place] = pairs
    low, high = statistics.score_interval(counts)
    assert 0 <= low <= statistics.SCORES[place] <= high <= 1
    assert low < high


def test_standard_errors_are_quantiles_of_student():
    """Known values of Student's t, from 1 degree of freedom to very many."""
    known = {1: 12.70620, 2: 4.302653, 3: 3.182446, 9: 2.262157, 10: 2.228139, 10**9: 1.959964}
    for freedom, errors in known.items():
        assert errors == pytest.approx(statistics.standard_errors(freedom), rel=2e-3)
    assert statistics.standard_errors(0) == math.inf


def test_sprt_bounds_equal_the_published_values():
    """With both error rates at 5 % a test ends at ±ln 19."""
    assert pytest.approx((-2.944439, 2.944439), abs=5e-7) == statistics.Sprt(0, 4).bounds


def test_sprt_accepts_the_hypothesis_that_the_counts_favour():
    """A clear lead accepts elo1, a clear deficit elo0, and a handful of pairs neither."""
    test = statistics.Sprt(0, 20)
    decisions = [
        test.decide(c) for c in ([5, 20, 60, 90, 60], [60, 90, 60, 20, 5], [1, 1, 2, 1, 1])
    ]
    assert decisions == ["elo1", "elo0", None]


@PROVEN
@given(COUNTS)
def test_mirrored_counts_give_mirrored_figures(counts):
    """Seen from the other team, every figure changes sign or is the complement."""
    mirrored = counts[::-1]
    low, high = statistics.elo_interval(counts)
    assert (-high, -low) == pytest.approx(statistics.elo_interval(mirrored))
    one, other = map(statistics.likelihood_of_superiority, (counts, mirrored))
    assert one + other == pytest.approx(1)
    assert -statistics.normalized_elo(counts) == pytest.approx(statistics.normalized_elo(mirrored))


@PROVEN
@given(COUNTS)
def test_interval_holds_the_score_and_is_never_a_point(counts):
    """The score lies in its interval, and pairs that all end the same way still leave doubt."""
    low, high = statistics.score_interval(counts)
    assert 0 <= low <= statistics.score(counts) <= high <= 1
    assert low < high


def test_likeliest_distribution_meets_its_condition():
    """The distribution behind the likelihood ratio has exactly the t-value asked for."""
    frequencies = [n / sum(LOST) for n in LOST]
    for t in (-0.7, 0.0, 0.1, 1.3):
        p = np.array(statistics._likeliest_with_t(frequencies, t))
        mean = p @ statistics.SCORES
        deviation = math.sqrt(p @ (np.array(statistics.SCORES) - mean) ** 2)
        assert (1.0, t) == pytest.approx((p.sum(), (mean - 0.5) / deviation))


@pytest.mark.parametrize("lead", [-700, -3, 0, 50, 900])
def test_expected_score_is_the_inverse_of_elo(lead):
    """Elo to score and back is the identity."""
    assert lead == pytest.approx(statistics.elo(statistics.expected_score(lead)))


def test_mean_of_pairs_is_the_usual_standard_error():
    """Mean and standard error from sums agree with numpy's from the data."""
    data = np.array([1.0, -2.5, 4.0, 0.0, 3.5])
    estimate = statistics.mean_of_pairs(5, data.sum(), (data**2).sum())
    assert (data.mean(), data.std(ddof=1) / math.sqrt(5)) == pytest.approx(
        (estimate.mean, estimate.error)
    )


def test_correlation_agrees_with_numpy_and_is_none_without_spread():
    """Pearson's coefficient from sums is numpy's; a constant has none."""
    x, y = np.array([0, 1, 1, 0.5, 0, 1]), np.array([1, 1, 0, 0.5, 0, 0.5])
    from_sums = statistics.correlation(6, x @ y, x.sum(), y.sum(), x @ x, y @ y)
    assert np.corrcoef(x, y)[0, 1] == pytest.approx(from_sums)
    assert statistics.correlation(3, 3, 3, 3, 3, 3) is None


def test_ratio_of_sums_equals_the_plain_proportion_when_pairs_are_alike():
    """With one trial a pair the standard error is the binomial one (with n - 1)."""
    hits = [1.0] * 30 + [0.0] * 70
    estimate = statistics.ratio_of_sums(hits, [1.0] * 100)
    assert (0.3, math.sqrt(0.3 * 0.7 / 99)) == pytest.approx((estimate.mean, estimate.error))


def test_bradley_terry_recovers_an_exact_model():
    """Points drawn up from known ratings without noise give those ratings back."""
    true = np.array([150.0, 20.0, -170.0])
    games = 1e6
    points = np.array(
        [
            [
                games * statistics.expected_score(a - b) if i != j else 0.0
                for j, b in enumerate(true)
            ]
            for i, a in enumerate(true)
        ]
    )
    assert true == pytest.approx(statistics.bradley_terry(points), abs=0.01)


def test_ratings_of_an_unbeaten_team_are_finite_and_ordered():
    """A team that won everything is rated highest, by a finite margin."""
    deals = [[(0, 1, 2.0), (0, 2, 2.0), (1, 2, p)] for p in (2.0, 1.0, 1.5, 1.0, 0.5, 2.0)]
    rated = statistics.ratings(3, deals, np.random.default_rng(5), resamples=200)
    assert sorted(range(3), key=lambda i: -rated[i].elo) == [0, 1, 2]
    assert all(abs(r.elo) < statistics.ELO_LIMIT and r.low <= r.elo <= r.high for r in rated)


def test_one_deal_rates_nobody():
    """After a single deal every interval spans the whole range."""
    deals = [[(0, 1, 2.0), (0, 2, 1.5), (1, 2, 1.0)]]
    for rated in statistics.ratings(3, deals, np.random.default_rng(7), resamples=20):
        assert (-statistics.ELO_LIMIT, statistics.ELO_LIMIT) == (rated.low, rated.high)


def test_an_unbeaten_team_is_rated_with_doubt():
    """Twelve wins out of twelve leave an interval of hundreds of Elo, not of none."""
    deals = [[(0, 1, 2.0), (0, 2, 2.0), (1, 2, 1.0)]] * 6
    first, *_ = statistics.ratings(3, deals, np.random.default_rng(6), resamples=200)
    assert first.low < first.elo < first.high
    assert first.high - first.low > 200
