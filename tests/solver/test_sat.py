"""Tests of `solver.sat` against two independent references: plain counting, and CaDiCaL."""

from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from cnf_reference import CnfReference
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference import (
    all_deals,
    card_marginals,
    count_deals,
    is_true,
    layout_counts,
    random_problem,
)

from literature_ai.inference.recorded import Viewpoint
from literature_ai.records.lit import read_games
from solver.counting import Counting
from solver.errors import ContradictionError
from solver.problem import Holds, HoldsExactly, HoldsOneOf, Lacks, NotLayout, Problem
from solver.sat import Sat

REPRO = Path(__file__).parents[1] / "cases" / "repro"
unlimited = partial(Sat, conflicts=None)
"""The answers of SAT alone, whatever they take."""

SIZES = [(4, 48), (6, 48), (8, 48), (6, 54)]


@st.composite
def positions(draw, fewest_events):
    """A problem and its true deal."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    players, deck = draw(st.sampled_from(SIZES))
    events = draw(st.integers(fewest_events, 240))
    return random_problem(rng, players, deck, events, draw(st.sampled_from([None, 0, 3])))


def possible_by_cadical(problem):
    """For every card, the seats (as bits) that it has in some deal that CaDiCaL finds."""
    cnf = CnfReference(problem)
    every = [cnf.event(event) for event, _ in problem.facts]
    return [
        sum(
            1 << seat
            for seat in range(problem.seats)
            if cnf.deal(problem, [*every, cnf.dealt(card, seat)])
        )
        for card in range(problem.cards)
    ]


@settings(max_examples=10, deadline=None, derandomize=True)
@given(positions(fewest_events=120))
def test_backbone_is_what_counting_finds_possible(position):
    """A seat is in the backbone exactly when its exact probability is not 0."""
    problem, _ = position

    expected = [sum(1 << seat for seat in seats) for seats in card_marginals(problem)]

    assert expected == unlimited(problem).backbone()


@settings(max_examples=8, deadline=None, derandomize=True)
@given(positions(fewest_events=0))
def test_backbone_of_loose_positions(position):
    """CaDiCaL with totalizers finds the same backbone, also early in a game."""
    problem, _ = position

    assert possible_by_cadical(problem) == unlimited(problem).backbone()


@pytest.mark.parametrize(("players", "deck"), SIZES)
def test_backbone_after_every_event(players, deck):
    """An incremental solver gives the same backbone after every event as a new one."""
    whole, _ = random_problem(np.random.default_rng(players + deck), players, deck, 120, own_hand=0)
    problem = Problem(whole.half_suits, whole.hand_sizes)
    following = unlimited(problem)
    for position, (event, fact) in enumerate(whole.facts):
        problem.add(event, fact)
        if position + 1 == len(whole.facts) or whole.facts[position + 1][0] != event:
            assert unlimited(problem.copy()).backbone() == following.backbone()


@settings(max_examples=20, deadline=None, derandomize=True)
@given(positions(fewest_events=110))
def test_deals_are_all_deals_in_order(position):
    """`deals` gives every deal once, in lexicographic order, as plain enumeration does."""
    problem, true_deal = position
    expected = list(islice(all_deals(problem), 300))

    assert expected == list(unlimited(problem).deals(limit=300))
    assert len(expected) == 300 or true_deal in expected


def test_deals_as_many_as_counted():
    """The number of enumerated deals equals the count of the dynamic program."""
    problem, _ = random_problem(np.random.default_rng(14), 6, 48, 120)  # 3,666 deals

    assert count_deals(problem) == sum(1 for _ in unlimited(problem).deals())


@settings(max_examples=13, deadline=None, derandomize=True)
@given(positions(fewest_events=80), st.integers(0, 7))
def test_layouts_of_a_half_suit(position, half_suit):
    """`layouts` gives exactly the layouts with deals, in lexicographic order."""
    problem, _ = position

    assert list(layout_counts(problem, half_suit)) == list(unlimited(problem).layouts(half_suit))


@settings(max_examples=20, deadline=None, derandomize=True)
@given(positions(fewest_events=120), st.data())
def test_cards_possible_together(position, data):
    """`possible` and `witness` agree with enumeration for any few cards together."""
    problem, _ = position
    deals = list(islice(all_deals(problem), 2001))
    assume(len(deals) <= 2000)
    sat = unlimited(problem)
    cards = data.draw(st.lists(st.integers(0, problem.cards - 1), max_size=6, unique=True))
    assumed = {card: data.draw(st.sampled_from(deals))[card] for card in cards}

    together = [deal for deal in deals if all(deal[c] == s for c, s in assumed.items())]
    witness = sat.witness(assumed)

    assert bool(together) == sat.possible(assumed)
    assert witness in together if together else witness is None


def test_possible_alone_but_not_together():
    """Two cards that the seat may hold each, but not both, are jointly impossible."""
    problem = Problem(half_suits=2, hand_sizes=(3, 3, 3, 3))
    problem.add(1, HoldsExactly(2, (0, 1, 2), 1))
    sat = unlimited(problem)

    assert sat.possible({0: 2})
    assert sat.possible({1: 2})
    assert not sat.possible({0: 2, 1: 2})


@settings(max_examples=15, deadline=None, derandomize=True)
@given(positions(fewest_events=0))
def test_witness_makes_every_fact_true(position):
    """A witness is a complete deal with full hands that satisfies all facts."""
    problem, _ = position

    deal = unlimited(problem).witness()

    assert list(problem.hand_sizes) == [deal.count(seat) for seat in range(problem.seats)]
    assert all(is_true(fact, deal) for _, fact in problem.facts)


@settings(max_examples=5, deadline=None, derandomize=True)
@given(positions(fewest_events=120), st.booleans())
def test_certain_is_the_backbone_asked_card_by_card(position, backbone_first):
    """`certain` agrees with counting for every card and seat."""
    problem, _ = position
    sat = unlimited(problem)
    if backbone_first:
        sat.backbone()
    marginals = card_marginals(problem)

    expected = [
        [marginals[c] == {s: 1} for s in range(problem.seats)] for c in range(problem.cards)
    ]
    actual = [[sat.certain(c, s) for s in range(problem.seats)] for c in range(problem.cards)]

    assert expected == actual


def test_counting_decides_where_propagation_does_not():
    """Four cards that only two hands of two can hold exclude all other cards from these hands."""
    problem = Problem(half_suits=2, hand_sizes=(2, 2, 4, 4))
    for card in range(4):
        problem.add(1, Lacks(2, card))
        problem.add(1, Lacks(3, card))
    expected = [0b0011] * 4 + [0b1100] * 8

    assert expected == unlimited(problem).backbone()


def test_queries_between_facts():
    """Answers take account of facts added since the last query."""
    problem = Problem(half_suits=2, hand_sizes=(3, 3, 3, 3))
    sat = unlimited(problem)
    anywhere = [0b1111] * 12
    assert anywhere == sat.backbone()

    problem.add(1, Holds(1, 7))
    problem.add(2, NotLayout(0, (0, 0, 0, 2, 2, 2)))

    assert sat.certain(card=7, seat=1)
    assert not sat.possible(dict(enumerate((0, 0, 0, 2, 2, 2))))
    assert [0b0010 if card == 7 else 0b1111 for card in range(12)] == sat.backbone()


def test_enumeration_ignores_later_facts():
    """Facts added while iterating do not change the iteration, and later queries use them."""
    problem = Problem(half_suits=2, hand_sizes=(6, 2, 2, 2))
    problem.facts += [(1, Holds(0, card)) for card in range(5)]
    sat = unlimited(problem)
    expected = list(all_deals(problem))

    deals = sat.deals()
    before = [next(deals) for _ in range(3)]
    problem.add(2, Holds(0, 11))

    assert expected == before + list(deals)
    assert sat.certain(card=11, seat=0)


@pytest.mark.parametrize(
    "facts",
    [
        [(4, HoldsOneOf(2, ()))],
        [(4, HoldsExactly(1, (0, 1), 3))],
        [(2, Holds(0, 7)), (4, Holds(1, 7))],
        [(event, Holds(2, event)) for event in range(1, 5)],
        [(event, Lacks(event % 4, 3)) for event in range(1, 5)],
    ],
    ids=["one of none", "three of two", "two seats", "too many cards", "nobody"],
)
def test_contradiction_names_the_events(facts):
    """With contradictory facts there is no witness, and other queries raise the smallest clash."""
    problem = Problem(half_suits=2, hand_sizes=(3, 3, 3, 3))
    problem.add(0, Lacks(0, 0))
    sat = unlimited(problem)
    assert sat.possible({})
    problem.facts += facts

    assert sat.witness() is None
    assert not sat.possible({5: 1})
    for query in (
        sat.backbone,
        lambda: sat.certain(0, 1),
        lambda: next(sat.deals()),
        lambda: next(sat.layouts(0)),
    ):
        with pytest.raises(ContradictionError) as caught:
            query()
        assert tuple(event for event, _ in facts) == caught.value.events


@pytest.mark.parametrize("name", ["sat-hang", "sat-us54", "sat-plain"])
def test_early_wrong_claims_are_not_hard(name):
    """After a few early wrong claims, hidden or not, SAT needs few conflicts and no counting to
    find what is possible, and lists the deals that the counts list."""
    (record,) = read_games(REPRO / f"{name}.lit")
    seat = next(seat for seat, hand in enumerate(record.hands) if hand is not None)
    known = Viewpoint.of(record, seat).knowledge
    sat, counting = Sat(known.problem), Counting(known.problem)
    expected = (counting.posterior() > 0) @ (1 << np.arange(record.rules.players))

    assert expected.tolist() == sat.backbone()
    assert sat._solver.accum_stats()["conflicts"] < 2000
    assert list(islice(counting.in_order(), 20)) == list(sat.deals(20))
    assert sat.counted == 0


@settings(max_examples=10, deadline=None, derandomize=True)
@given(positions(fewest_events=90), st.integers(0, 7))
def test_counting_answers_what_the_search_leaves(position, half_suit):
    """A search that may not have any conflict gives the same answers, by counting."""
    problem, true_deal = position
    sat, alone = Sat(problem, conflicts=0), unlimited(problem)

    assert alone.backbone() == sat.backbone()
    assert list(alone.deals(30)) == list(sat.deals(30))
    assert list(alone.layouts(half_suit)) == list(sat.layouts(half_suit))
    assert sat.counted > 0 == alone.counted
    fresh = Sat(problem, conflicts=0)
    for card, seat in enumerate(true_deal[:12]):
        assert alone.certain(card, seat) == fresh.certain(card, seat)
        witness = fresh.witness({card: seat})
        assert witness is not None
        assert witness[card] == seat
        assert all(is_true(fact, witness) for _, fact in problem.facts)
        elsewhere = {card: (seat + 1) % problem.seats}
        assert alone.possible(elsewhere) == fresh.possible(elsewhere)


def test_counting_finds_the_contradiction_that_the_search_leaves():
    """Without any conflict allowed, contradictory facts still raise the smallest clash."""
    problem = Problem(half_suits=2, hand_sizes=(3, 3, 3, 3))
    problem.facts += [(event, Holds(2, event)) for event in range(1, 5)]
    sat = Sat(problem, conflicts=0)

    assert sat.witness() is None
    for query in (sat.backbone, lambda: sat.certain(0, 1), lambda: next(sat.deals())):
        with pytest.raises(ContradictionError) as caught:
            query()
        assert (1, 2, 3, 4) == caught.value.events


def test_an_exact_count_leaves_the_rest_of_the_hand():
    """Hands whose six cards of a hidden half-suit are counted have only the rest for the others."""
    problem = Problem(half_suits=2, hand_sizes=(3, 3, 3, 3))
    for seat, count in enumerate((3, 2, 1, 0)):
        problem.add(1, HoldsExactly(seat, tuple(range(6)), count))
    sat = unlimited(problem)

    assert [0b0111] * 6 + [0b1110] * 6 == sat.backbone()
    assert sat._solver.accum_stats()["conflicts"] == 0
