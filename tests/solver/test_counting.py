"""Tests of `solver.counting` against a slow exact reference that shares no code with it."""

import math
import subprocess
import sys
from fractions import Fraction
from itertools import islice, product

import numpy as np
import pytest
import reference

from solver.counting import Counting
from solver.errors import ContradictionError, LiteratureError
from solver.problem import Holds, HoldsExactly, HoldsOneOf, Lacks, NotLayout, Problem

SIZES = [(4, 48), (6, 48), (6, 54), (8, 48)]


def some_problem(case: int) -> tuple[Problem, tuple[int, ...], np.random.Generator]:
    """A random problem from any stage of a game, its true deal, and the generator."""
    rng = np.random.default_rng([1, case])
    players, deck = SIZES[case % 4]
    # The reference is slow for many players with little information.
    least = {4: 0, 6: 60, 8: 100}[players]
    own_hand = None if case % 3 == 0 else int(rng.integers(players))
    problem, deal = reference.random_problem(
        rng, players, deck, int(rng.integers(least, 150)), own_hand
    )
    return problem, deal, rng


# The reference is slow for eight players: all but one of these cases are slow tests.
CASES = [
    pytest.param(case, marks=[pytest.mark.slow] if case % 4 == 3 and case != 7 else [])
    for case in range(24)
]


@pytest.mark.parametrize("case", CASES)
def test_agrees_with_exact_arithmetic(case):
    """Counts are equal, and probabilities within 1e-11 with 0 and 1 exact, for 4 to 8 players."""
    problem, _, rng = some_problem(case)
    counting = Counting(problem)
    deals = reference.count_deals(problem)
    assert deals == counting.deals()
    assert counting.total_weight(np.empty((0, 0, 0))) == pytest.approx(deals, rel=1e-11)
    posterior = counting.posterior()
    for card, chances in enumerate(reference.card_marginals(problem)):
        for seat in range(problem.seats):
            expected = chances.get(seat, Fraction(0))
            assert float(expected) == pytest.approx(posterior[card, seat], abs=1e-11)
            assert (expected in (0, 1)) == (posterior[card, seat] in (0.0, 1.0))
    half_suit = int(rng.integers(problem.half_suits))
    counts = reference.layout_counts(problem, half_suit)
    layouts, chances = counting.layouts(half_suit)
    found = dict(zip(map(tuple, layouts.tolist()), chances.tolist(), strict=True))
    assert {layout for layout, count in counts.items() if count} == found.keys()
    for layout, chance in found.items():
        assert float(Fraction(counts[layout], deals)) == pytest.approx(chance, abs=1e-11)
    assert sorted(chances.tolist(), reverse=True) == pytest.approx(chances.tolist(), abs=1e-11)


@pytest.mark.parametrize("case", CASES)
def test_best_layouts(case):
    """The best layout, its probability, certainty and the chance to hold all six are right."""
    problem, _, rng = some_problem(case)
    allowed = np.zeros((problem.cards, problem.seats), np.bool_)
    allowed[:, case % 2 :: 2 if case % 5 else 1] = True
    claims = Counting(problem).claims(allowed)
    deals = reference.count_deals(problem)
    for half_suit in rng.choice(problem.half_suits, 3, replace=False).tolist():
        counts = reference.layout_counts(problem, half_suit)
        named = {
            layout: count
            for layout, count in counts.items()
            if count and all(allowed[6 * half_suit + i, s] for i, s in enumerate(layout))
        }
        best = max(named.values(), default=0)
        assert float(Fraction(best, deals)) == pytest.approx(claims.best[half_suit], abs=1e-11)
        assert float(Fraction(sum(named.values()), deals)) == pytest.approx(
            claims.held[half_suit], abs=1e-11
        )
        if best:
            assert best == named[tuple(claims.layout[half_suit].tolist())]
            assert (best == deals) == (claims.best[half_suit] == 1.0)
            assert (sum(named.values()) == deals) == (claims.held[half_suit] == 1.0)
        else:
            assert [-1] * 6 == claims.layout[half_suit].tolist()
            assert 0.0 == claims.best[half_suit] == claims.held[half_suit]


@pytest.mark.parametrize("case", range(12))
def test_true_deal_is_possible_and_samples_fit(case):
    """The true deal has positive probability, and every sample satisfies all facts."""
    problem, deal, rng = some_problem(case)
    counting = Counting(problem)
    posterior = counting.posterior()
    assert all(posterior[card, seat] > 0 for card, seat in enumerate(deal))
    for sampled in counting.sample(rng, 50).tolist():
        assert all(reference.is_true(fact, sampled) for _, fact in problem.facts)
        assert problem.hand_sizes == tuple(sampled.count(s) for s in range(problem.seats))


@pytest.mark.parametrize(
    "case", [*range(8), *(pytest.param(case, marks=pytest.mark.slow) for case in range(8, 16))]
)
def test_interchangeable_cards(case):
    """Listing one layout for all that are equivalent gives the same results as listing all, early
    in a game, without weights, with symmetric and with asymmetric weights."""
    rng = np.random.default_rng([3, case])
    players, deck = SIZES[case % 4]
    own_hand = None if case % 5 == 0 else int(rng.integers(players))
    problem, _ = reference.random_problem(rng, players, deck, int(rng.integers(3, 40)), own_hand)
    counting = Counting(problem)
    by_number = rng.random((problem.half_suits, players, 7))
    size = np.array([subset.bit_count() for subset in range(64)])
    unlike = by_number[:, :, size] * (1 + (np.arange(64) >> case % 6 & 1))
    for weights in (None, by_number[:, :, size], unlike):
        posterior = counting.posterior(weights)
        for half_suit in rng.permutation(problem.half_suits)[:2].tolist():
            layouts, chances = counting.layouts(half_suit, weights)
            listed = [[chances[row == seat].sum() for seat in range(players)] for row in layouts.T]
            cards = slice(6 * half_suit, 6 * half_suit + 6)
            assert np.array(listed) == pytest.approx(posterior[cards], abs=1e-11)
    team = np.zeros((problem.cards, players), np.bool_)
    team[:, ::2] = True
    assert counting.claims(team).held == pytest.approx(counting.held(team[None])[0], abs=1e-11)


def few_deals(rng: np.random.Generator) -> tuple[Problem, list[tuple[int, ...]]]:
    """A problem with at most 500 deals, and all of them."""
    while True:
        players, deck = SIZES[int(rng.integers(4))]
        problem, _ = reference.random_problem(rng, players, deck, 150, int(rng.integers(players)))
        if reference.count_deals(problem) <= 500:
            return problem, list(reference.all_deals(problem))


@pytest.mark.parametrize("case", range(20))
def test_weights(case):
    """With random weights, some of them 0, results equal the weighted sum over all deals, and
    weights that leave no deal get an error that says so."""
    rng = np.random.default_rng([2, case])
    problem, deals = few_deals(rng)
    weights = rng.random((problem.half_suits, problem.seats, 64)) ** 3
    weights[rng.random(weights.shape) < rng.choice((0.01, 0.2))] = 0.0
    weights[:, rng.random(problem.seats) < 0.3] = 2.0
    expected = np.zeros((problem.cards, problem.seats))
    total = 0.0
    for deal in deals:
        weight = 1.0
        for half_suit, seat in product(range(problem.half_suits), range(problem.seats)):
            six = deal[6 * half_suit : 6 * half_suit + 6]
            weight *= weights[half_suit, seat, sum((s == seat) << i for i, s in enumerate(six))]
        total += weight
        expected[range(problem.cards), deal] += weight
    counting = Counting(problem)
    assert total == pytest.approx(counting.total_weight(weights), rel=1e-9)
    if total == 0.0:
        with pytest.raises(LiteratureError, match="the weights rule out every deal"):
            counting.posterior(weights)
        return
    assert expected / total == pytest.approx(counting.posterior(weights), abs=1e-11)
    assert len(deals) == counting.deals(), "weights change no later result"


def two_each() -> Problem:
    """Four seats with three cards each; seats 0 and 1 have two of the first half-suit, which
    follows from the hand sizes alone."""
    problem = Problem(2, (3,) * 4)
    for seat in (0, 1):
        problem.add(1, HoldsExactly(seat, tuple(range(6, 12)), 1))
    return problem


@pytest.mark.parametrize("least", [1e-15, 1e-20, 1e-100])
def test_samples_fit_however_small_their_weight(least):
    """Every sample fits the facts, also when layouts that do not fit weigh 10 to the 15 and more
    times as much as those that do."""
    problem = two_each()
    weights = np.ones((2, 4, 64))
    for subset in range(64):
        if subset.bit_count() == 2:
            weights[0, :2, subset] = least
    for deal in Counting(problem).sample(np.random.default_rng(7), 500, weights).tolist():
        assert all(reference.is_true(fact, deal) for _, fact in problem.facts)
        assert (3,) * 4 == tuple(deal.count(seat) for seat in range(4))


@pytest.mark.parametrize("case", range(8))
@pytest.mark.parametrize("power", [3, 12])
def test_weighted_samples_fit(case, power):
    """With powers of uniform weights, down to 1e-15, every sample fits the facts."""
    problem, _, rng = some_problem(case)
    weights = np.maximum(rng.random((problem.half_suits, problem.seats, 64)) ** power, 1e-15)
    for deal in Counting(problem).sample(rng, 50, weights).tolist():
        assert all(reference.is_true(fact, deal) for _, fact in problem.facts)
        assert problem.hand_sizes == tuple(deal.count(seat) for seat in range(problem.seats))


@pytest.mark.parametrize("factor", [1e-300, 5e-324, 1e300])
def test_only_ratios_of_weights_count(factor):
    """A common factor of all weights changes nothing but their sum, be it the smallest float."""
    problem, _, rng = some_problem(6)
    counting = Counting(problem)
    ratios = rng.integers(1, 4, (problem.half_suits, problem.seats, 64)).astype(float)
    expected = counting.posterior(ratios)
    assert expected == pytest.approx(counting.posterior(ratios * factor), abs=1e-12)
    for deal in counting.sample(rng, 50, ratios * factor).tolist():
        assert all(reference.is_true(fact, deal) for _, fact in problem.facts)


@pytest.mark.parametrize(
    ("weight", "reason"),
    [(0.0, "the weights rule out every deal"), (1e-300, "the weights are too far apart")],
)
def test_weights_that_leave_no_deal(weight, reason):
    """All-zero weights, and those under which no deal is possible, get an error that says so; it
    is not that the facts contradict each other."""
    problem = two_each()
    weights = np.zeros((2, 4, 64)) if weight == 0.0 else np.ones((2, 4, 64))
    for subset in range(64):
        if subset.bit_count() == 2:
            weights[0, :2, subset] = weight
    counting = Counting(problem)
    for query in (
        counting.posterior,
        lambda weights: counting.layouts(0, weights),
        lambda weights: counting.claims(np.ones((12, 4), np.bool_), weights),
        lambda weights: counting.sample(np.random.default_rng(0), 1, weights),
    ):
        with pytest.raises(LiteratureError, match=reason) as error:
            query(weights)
        assert not isinstance(error.value, ContradictionError)
    assert counting.deals() > 0


def test_weights_where_little_is_known():
    """Weights by number of cards held agree with the hypergeometric formula."""
    problem = Problem(8, (8,) * 6)
    weights = np.ones((8, 6, 64))
    weights[0, 0] = [subset.bit_count() for subset in range(64)]
    chance = Counting(problem).posterior(weights)[0, 0]
    ways = [math.comb(6, n) * math.comb(42, 8 - n) * n for n in range(7)]
    expected = sum(w * n / 6 for n, w in enumerate(ways)) / sum(ways)
    assert expected == pytest.approx(chance, abs=1e-12)


@pytest.mark.parametrize(("players", "deck"), SIZES)
def test_nothing_known(players, deck):
    """Without facts the number of deals is the multinomial coefficient, in all digits."""
    size = deck // players
    problem = Problem(deck // 6, (size,) * players)
    assert math.factorial(deck) // math.factorial(size) ** players == Counting(problem).deals()


CLASHES = {
    "card with two owners": [Holds(0, 0), Holds(1, 0)],
    "card with no owner": [Lacks(seat, 7) for seat in range(6)],
    "one of none": [HoldsOneOf(0, ())],
    "three of two": [HoldsExactly(0, (0, 1), 3)],
    "hand too large": [Holds(0, card) for card in range(9)],
    "hand too small": [Lacks(0, card) for card in range(41)],
    "only layout ruled out": [*[Holds(1, c) for c in range(6)], NotLayout(0, (1,) * 6)],
    "only by counting": [HoldsExactly(s, tuple(range(6)), 0) for s in range(5)]
    + [HoldsExactly(5, tuple(range(6, 12)), 3)],
}


@pytest.mark.parametrize("facts", CLASHES.values(), ids=CLASHES.keys())
def test_contradictions(facts):
    """Contradictory facts count 0 deals, and every other query raises `ContradictionError`."""
    problem = Problem(8, (8,) * 6)
    for fact in facts:
        problem.add(1, fact)
    counting = Counting(problem)
    assert 0 == counting.deals()
    assert 0.0 == counting.total_weight(np.empty((0, 0, 0)))
    allowed = np.ones((48, 6), np.bool_)
    for query in (
        counting.posterior,
        lambda: counting.layouts(0),
        lambda: counting.claims(allowed),
        lambda: counting.sample(np.random.default_rng(0), 1),
    ):
        with pytest.raises(ContradictionError):
            query()


def test_layout_ruled_out():
    """An excluded layout has no deals; other layouts with its counts are unchanged."""
    problem = Problem(8, (8,) * 6)
    six = tuple(range(6))
    for seat, count in enumerate((3, 0, 2, 0, 1, 0)):
        problem.add(1, HoldsExactly(seat, six, count))
    ways = reference.count_deals(problem)
    counting = Counting(problem)
    assert ways == counting.deals()
    problem.add(1, NotLayout(0, (0, 0, 0, 2, 2, 4)))
    assert ways * 59 // 60 == counting.deals()
    layouts, chances = counting.layouts(0)
    assert 59 == len(layouts)
    assert np.full(59, 1 / 59) == pytest.approx(chances, abs=1e-12)


def test_facts_between_queries():
    """Facts added after a query are used by the next, as if all had been added at once."""
    rng = np.random.default_rng(3)
    whole, _ = reference.random_problem(rng, 6, 48, 60, 2)
    growing = Problem(whole.half_suits, whole.hand_sizes)
    counting = Counting(growing)
    for i, (event, fact) in enumerate(whole.facts):
        growing.add(event, fact)
        if i % 7 == 0:
            counting.posterior()
    assert Counting(whole).deals() == counting.deals()
    assert Counting(whole).posterior() == pytest.approx(counting.posterior(), abs=1e-12)


def test_same_seed_same_samples():
    """Samples depend only on the seed of the generator."""
    problem, _, _ = some_problem(1)
    first = Counting(problem).sample(np.random.default_rng(5), 20)
    again = Counting(problem).sample(np.random.default_rng(5), 20)
    assert first.tolist() == again.tolist()


@pytest.mark.parametrize("case", range(4))
def test_samples_have_the_right_frequencies(case):
    """With few deals, a chi-square test (5 sigma) finds their samples equally frequent."""
    rng = np.random.default_rng([4, case])
    problem, deals = few_deals(rng)
    drawn = 200 * len(deals)
    counts = dict.fromkeys(deals, 0)
    for deal in Counting(problem).sample(rng, drawn).tolist():
        counts[tuple(deal)] += 1
    squares = sum((count - 200) ** 2 / 200 for count in counts.values())
    freedom = len(deals) - 1
    assert squares < freedom + 5 * math.sqrt(2 * freedom) + 5


def test_without_numba():
    """The engine gives the same answers when numba is not installed."""
    program = (
        "import sys; sys.modules['numba'] = None\n"
        "from solver.problem import *\n"
        "from solver.counting import Counting\n"
        "problem = Problem(8, (8,) * 6)\n"
        "problem.add(1, HoldsOneOf(0, (0, 1, 2, 3, 4))); problem.add(1, Lacks(0, 5))\n"
        "problem.add(1, Lacks(1, 5))\n"
        "counting = Counting(problem)\n"
        "print(counting.deals(), counting.posterior()[0, 0].hex())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    problem = Problem(8, (8,) * 6)
    for fact in (HoldsOneOf(0, (0, 1, 2, 3, 4)), Lacks(0, 5), Lacks(1, 5)):
        problem.add(1, fact)
    counting = Counting(problem)
    deals, chance = done.stdout.split()
    assert counting.deals() == int(deals)
    assert counting.posterior()[0, 0] == pytest.approx(float.fromhex(chance), abs=1e-15)


@pytest.mark.parametrize(("players", "deck"), [(4, 48), (6, 48), (8, 48), (6, 54)])
def test_deals_in_order(players, deck):
    """`in_order` gives every deal once, in lexicographic order, as plain enumeration does; it gives
    none, and there is no witness, when the facts contradict each other."""
    problem, true_deal = reference.random_problem(
        np.random.default_rng(players + deck), players, deck, 130
    )
    counting = Counting(problem)
    expected = list(islice(reference.all_deals(problem), 300))
    witness = counting.witness()

    assert expected == list(islice(counting.in_order(), 300))
    assert witness == counting.witness()
    assert all(reference.is_true(fact, witness) for _, fact in problem.facts)
    problem.add(131, Lacks(true_deal[0], 0))
    problem.add(131, Holds(true_deal[0], 0))
    assert counting.witness() is None
    assert [] == list(counting.in_order())


@pytest.mark.parametrize(
    ("seed", "players", "deck"),
    [(5, 4, 48), (4, 6, 48), (4, 8, 48), (5, 6, 54)],
)
def test_all_deals_are_listed(seed, players, deck):
    """Late in a game, with layouts ruled out, `in_order` lists as many deals as are counted, in
    several batches, and they are those of plain enumeration."""
    problem, deal = reference.random_problem(
        np.random.default_rng([seed, players, deck]), players, deck, 150
    )
    counting = Counting(problem)
    for half_suit in range(problem.half_suits):
        layouts = [tuple(layout) for layout in counting.layouts(half_suit)[0].tolist()]
        other = [layout for layout in layouts if layout != deal[6 * half_suit :][:6]]
        if len(other) > 3:
            problem.add(151, NotLayout(half_suit, other[0]))
    listed = list(counting.in_order())

    assert counting.deals() == len(listed) > 85
    assert list(reference.all_deals(problem)) == listed
