"""Intervals and tests keep their promises in thousands of simulated tournaments."""

import numpy as np
import pytest

from tournaments import statistics

pytestmark = pytest.mark.slow

SIMULATIONS = 2_000


@pytest.mark.parametrize("chances", [(0.1, 0.2, 0.4, 0.2, 0.1), (0.02, 0.08, 0.3, 0.35, 0.25)])
def test_elo_interval_covers_the_truth(chances):
    """The 95 % interval of 200 pairs holds the true Elo in 95 % ± 1.5 % of tournaments."""
    rng = np.random.default_rng(11)
    truth = statistics.elo(statistics.score(chances))
    covered = 0
    for counts in rng.multinomial(200, chances, size=SIMULATIONS):
        low, high = statistics.elo_interval(counts.tolist())
        covered += low <= truth <= high
    assert pytest.approx(0.95, abs=0.015) == covered / SIMULATIONS


def test_rating_intervals_cover_the_truth():
    """Bootstrapped Bradley-Terry intervals of 100 deals hold the true ratings as often."""
    rng = np.random.default_rng(12)
    true = (90.0, 10.0, -100.0)
    matchups = [
        (i, j, statistics.expected_score(true[i] - true[j])) for i, j in [(0, 1), (0, 2), (1, 2)]
    ]
    covered = 0
    for _ in range(SIMULATIONS):
        points = {(i, j): rng.binomial(2, p, size=100).tolist() for i, j, p in matchups}
        deals = ([(i, j, points[i, j][d]) for i, j, _ in matchups] for d in range(100))
        rated = statistics.ratings(3, deals, rng, resamples=100)
        covered += sum(r.low <= t <= r.high for r, t in zip(rated, true, strict=True))
    assert pytest.approx(0.95, abs=0.015) == covered / SIMULATIONS / 3


@pytest.mark.parametrize(("true_elo", "wrong"), [(0.0, "elo1"), (40.0, "elo0")])
def test_sprt_error_rates_stay_within_alpha_and_beta(true_elo, wrong):
    """Under either hypothesis the other one is accepted in at most 5 % of tests.

    Pairs are drawn from the distribution nearest to a usual one whose lead is the hypothesis's;
    2,000 tests leave a standard error of half a per cent, hence the bound.
    """
    rng = np.random.default_rng(13)
    t = np.sqrt(2) * true_elo / statistics._NORMALIZED_ELO_PER_T
    chances = statistics._likeliest_with_t([0.06, 0.22, 0.44, 0.22, 0.06], t)
    test, errors = statistics.Sprt(0, 40), 0
    for _ in range(SIMULATIONS):
        counts = np.zeros(5, dtype=int)
        while (decision := test.decide(counts.tolist())) is None:
            counts += rng.multinomial(10, chances)
        errors += decision == wrong
    assert errors / SIMULATIONS < 0.05 + 0.01
