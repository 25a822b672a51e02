"""Tests of `solver.explanation`: the sets suffice, and an exhaustive search finds none smaller."""

import numpy as np
import pytest
from cnf_reference import SmallestSets
from reference import random_problem

from solver.errors import NotForcedError
from solver.explanation import contradiction, smallest_clash, smallest_disproof, smallest_proof
from solver.problem import Holds, HoldsExactly, HoldsOneOf, Lacks, NotLayout, Problem
from solver.sat import Sat

SIZES = [(4, 48), (6, 48), (8, 48), (6, 54)]


def certain_layouts(problem):
    """For every half-suit, its certain cards (card → seat)."""
    backbone = Sat(problem).backbone()
    for first in range(0, problem.cards, 6):
        cards = [c for c in range(first, first + 6) if backbone[c].bit_count() == 1]
        if cards:
            yield {card: backbone[card].bit_length() - 1 for card in cards}


def elsewhere(layout):
    """The clauses refuted by a proof of the layout: some card is elsewhere."""
    return lambda cnf: [[-cnf.dealt(card, seat) for card, seat in layout.items()]]


def there(layout):
    """The clauses refuted by a disproof of the layout: every card is there."""
    return lambda cnf: [[cnf.dealt(card, seat)] for card, seat in layout.items()]


@pytest.mark.parametrize(("players", "deck"), SIZES)
def test_proofs_of_layouts_are_smallest(players, deck):
    """The certain cards of a half-suit are forced by the set, and by no smaller one."""
    for seed in range(3):
        rng = np.random.default_rng([seed, players, deck])
        problem, _ = random_problem(rng, players, deck, events=60, own_hand=0)
        for layout in certain_layouts(problem):
            SmallestSets(problem, elsewhere(layout)).check(smallest_proof(problem, layout))


@pytest.mark.parametrize(("players", "deck"), SIZES)
def test_disproofs_are_smallest(players, deck):
    """An impossible layout of one to three cards is ruled out by a smallest set."""
    rng = np.random.default_rng([players, deck])
    problem, _ = random_problem(rng, players, deck, events=70, own_hand=1)
    sat = Sat(problem)
    disproved = 0
    while disproved < 12:
        cards = rng.choice(deck, rng.integers(1, 4), replace=False)
        layout = {int(card): int(rng.integers(players)) for card in cards}
        if not sat.possible(layout):
            disproved += 1
            SmallestSets(problem, there(layout)).check(smallest_disproof(problem, layout))


@pytest.mark.parametrize(("players", "deck"), SIZES)
def test_clashes_are_smallest(players, deck):
    """When a false event makes the facts contradictory, the clash is a smallest one."""
    for seed in range(4):
        rng = np.random.default_rng([seed, players, deck])
        problem, deal = random_problem(rng, players, deck, events=60)
        sat = Sat(problem)
        for event in range(61, 200):
            card, half_suit = int(rng.integers(deck)), int(rng.integers(deck // 6))
            false_fact = [
                Lacks(deal[card], card),
                Holds((deal[card] + 1) % players, card),
                HoldsExactly(deal[card], tuple(range(half_suit * 6, half_suit * 6 + 6)), 6),
            ][event % 3]
            problem.add(event, false_fact)
            if sat.witness() is None:
                break
        clash = smallest_clash(problem)

        assert clash == contradiction(problem).events
        SmallestSets(problem, lambda cnf: []).check(clash)


def test_smallest_not_merely_minimal():
    """One event that suffices alone is preferred to a minimal set of two events."""
    problem = Problem(half_suits=2, hand_sizes=(4, 4, 4))
    problem.add(1, Lacks(0, 0))
    problem.add(2, Lacks(1, 0))
    problem.add(3, HoldsOneOf(2, (0, 5)))
    problem.add(4, Lacks(2, 5))

    assert smallest_proof(problem, {0: 2}) in [(1, 2), (3, 4)]
    problem.add(9, Holds(2, 0))
    assert smallest_proof(problem, {0: 2}) == (9,)


def test_own_hand_counts_as_one_event():
    """The eight cards of the own hand are one event, number 0, which comes first."""
    problem = Problem(half_suits=8, hand_sizes=(8,) * 6)
    for card in range(48):
        problem.add(0, (Holds if card < 8 else Lacks)(3, card))
    for seat in (0, 1, 2, 4):
        problem.add(10 + seat, Lacks(seat, 20))

    assert smallest_proof(problem, {20: 5, 2: 3}) == (0, 10, 11, 12, 14)


def test_given_events_are_used_first():
    """Given events are part of the set, and the proof that needs fewest others is found."""
    problem = Problem(half_suits=2, hand_sizes=(4, 4, 4))
    problem.add(1, Lacks(0, 0))
    problem.add(2, Lacks(1, 0))
    problem.add(3, HoldsOneOf(2, (0, 5)))
    problem.add(4, Lacks(2, 5))

    assert smallest_proof(problem, {0: 2}, given=[2, 77]) == (1, 2, 77)
    assert smallest_proof(problem, {0: 2}, given=[4]) == (3, 4)


def test_facts_of_one_event_count_once():
    """The three facts of an ask count as one event."""
    problem = Problem(half_suits=2, hand_sizes=(4, 4, 4))
    problem.add(7, HoldsOneOf(0, (1, 2, 3, 4, 5)))
    problem.add(7, Lacks(0, 0))
    problem.add(7, Lacks(1, 0))

    assert smallest_proof(problem, {0: 2}) == (7,)


def test_rules_of_the_deal_are_free():
    """A conclusion from the rules alone needs no event."""
    problem = Problem(half_suits=2, hand_sizes=(4, 4, 4))
    problem.add(1, Lacks(0, 0))

    assert smallest_proof(problem, {}) == ()
    assert smallest_disproof(problem, dict.fromkeys(range(5), 1)) == ()


def test_wrong_layout_is_an_event():
    """A wrong claim proves where a card is when its five other cards are known to be right."""
    problem = Problem(half_suits=2, hand_sizes=(6, 6))
    problem.add(1, NotLayout(0, (0, 0, 0, 1, 1, 1)))
    for card in range(5):
        problem.add(2 + card, Holds(card // 3, card))

    assert smallest_proof(problem, {5: 0}) == (1, 2, 3, 4, 5, 6)


def test_not_forced():
    """A statement that does not follow raises `NotForcedError`."""
    problem, deal = random_problem(np.random.default_rng(1), 6, 48, events=10)

    with pytest.raises(NotForcedError, match="do not force"):
        smallest_proof(problem, {0: deal[0]})
    with pytest.raises(NotForcedError, match="allow"):
        smallest_disproof(problem, dict(enumerate(deal)))
    with pytest.raises(NotForcedError):
        smallest_clash(problem)


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ([(5, HoldsOneOf(1, ()))], "no deal makes event 5 true"),
        ([(0, Holds(1, 3)), (0, Holds(2, 3))], "no deal makes the own hand true"),
        (
            [(0, Holds(1, 3)), (8, Holds(2, 3))],
            "no deal makes the own hand and event 8 true together",
        ),
        (
            [(e, Lacks(e - 5, 3)) for e in range(5, 9)],
            "no deal makes events 5, 6, 7 and 8 true together",
        ),
    ],
)
def test_contradiction_message(facts, message):
    """The message names the events of the clash, and the own hand."""
    problem = Problem(half_suits=2, hand_sizes=(3, 3, 3, 3))
    problem.facts += facts

    assert message == str(contradiction(problem))


@pytest.mark.parametrize(("players", "deck"), SIZES)
def test_counting_answers_what_search_cannot(players, deck, monkeypatch):
    """Proofs, disproofs and clashes have the same size when every search is left to counting."""
    rng = np.random.default_rng([7, players, deck])
    problem, _ = random_problem(rng, players, deck, events=60, own_hand=0)
    layout = next(iter(certain_layouts(problem)))
    card, seats = next((c, s) for c, s in enumerate(Sat(problem).backbone()) if s != 2**players - 1)
    seat = next(seat for seat in range(players) if not seats >> seat & 1)
    false = problem.copy()
    false.add(91, Holds(seat, card))

    def sizes():
        proofs = smallest_proof(problem, layout), smallest_disproof(problem, {card: seat})
        return [len(events) for events in (*proofs, smallest_clash(false))]

    by_search = sizes()
    monkeypatch.setattr("solver.explanation._Search._solved", lambda search, assumptions: None)

    assert by_search == sizes()
