"""A `Problem` as clauses and cardinality constraints over "seat s was dealt card c".

Every fact bounds how many of some such variables are true: `Holds` says one of one, `Lacks` none of
one, `HoldsOneOf` at least one, `HoldsExactly` a number, `NotLayout` at most five of six. As all of
them are about at most six cards, clauses say it: "at least ``low`` of ``n``" means that among any
``n - low + 1`` one is true. Only hand sizes count many cards; those stay cardinality constraints,
which minicard propagates natively.

>>> encoding = Encoding(Problem(half_suits=8, hand_sizes=(8,) * 6))
>>> encoding.clauses(HoldsOneOf(0, (0, 1, 2)))
((1, 7, 13),)
>>> encoding.clauses(HoldsExactly(0, (0, 1, 2), 1))
((1, 7, 13), (-1, -7), (-1, -13), (-7, -13))
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from solver.problem import (
    CARDS_PER_HALF_SUIT,
    Fact,
    Holds,
    HoldsExactly,
    HoldsOneOf,
    Lacks,
    NotLayout,
    Problem,
)


class Encoding:
    """The variables of a problem, and what its rules and facts say about them.

    Variables are numbered from 1, by card and then by seat.
    """

    def __init__(self, problem: Problem) -> None:
        self.seats = problem.seats
        self.cards = problem.cards
        self.hand_sizes = problem.hand_sizes
        self.variables = self.seats * self.cards
        """How many variables there are; further ones of a solver may start above."""

    def variable(self, card: int, seat: int) -> int:
        """The variable that says: the seat was dealt the card."""
        return card * self.seats + seat + 1

    def of_card(self, card: int) -> range:
        """The variables of one card, in seat order."""
        return range(card * self.seats + 1, (card + 1) * self.seats + 1)

    def deal(self, model: Sequence[int]) -> tuple[int, ...]:
        """The seat of every card, given the true literals of a model in ascending order."""
        return tuple((literal - 1) % self.seats for literal in model[: self.cards])

    def bounds(self, fact: Fact) -> tuple[tuple[int, ...], int, int]:
        """The fact as (variables, low, high): from low to high of the variables are true."""
        return _bounds(fact, self.seats)

    def clauses(self, fact: Fact) -> tuple[tuple[int, ...], ...]:
        """The clauses that say what the fact says; an empty one where it can never be true."""
        return _clauses(fact, self.seats)

    def add_rules(self, solver: Any) -> None:
        """Add the rules of the deal to a solver with native cardinality.

        Every card has exactly one seat, every seat exactly as many cards as its hand has.
        """
        for card in range(self.cards):
            places = list(self.of_card(card))
            solver.add_clause(places)
            solver.add_atmost(places, 1)
        for seat, size in enumerate(self.hand_sizes):
            hand = [self.variable(card, seat) for card in range(self.cards)]
            _add_exactly(solver, hand, size)

    def add_hands_of_several(self, solver: Any, first: int) -> None:
        """Add to a solver how many cards any half of the seats has together.

        This follows from `add_rules`, but a solver that counts one hand at a time finds "these nine
        cards lie with three seats that have eight places left" only by trying case after case: on
        hard proofs it took ten to a hundred times as many conflicts. New variables, "the card lies
        with one of these seats", are numbered from ``first``.
        """
        for group in combinations(range(self.seats), self.seats // 2):
            if 0 not in group and 2 * len(group) == self.seats:
                continue  # the other half says the same
            together = []
            for card in range(self.cards):
                with_group = first
                first += 1
                together.append(with_group)
                inside = [self.variable(card, seat) for seat in group]
                outside = [place for place in self.of_card(card) if place not in inside]
                solver.add_clause([-with_group, *inside])
                solver.add_clause([with_group, *outside])
            _add_exactly(solver, together, sum(self.hand_sizes[seat] for seat in group))


def _add_exactly(solver: Any, variables: list[int], count: int) -> None:
    solver.add_atmost(variables, count)
    solver.add_atmost([-variable for variable in variables], len(variables) - count)


# The same facts come up in every game, and for each seat of it.
@lru_cache(maxsize=1 << 14)
def _bounds(fact: Fact, seats: int) -> tuple[tuple[int, ...], int, int]:
    match fact:
        case Holds(seat, card):
            return (card * seats + seat + 1,), 1, 1
        case Lacks(seat, card):
            return (card * seats + seat + 1,), 0, 0
        case HoldsOneOf(seat, cards):
            return tuple([card * seats + seat + 1 for card in cards]), 1, len(cards)
        case HoldsExactly(seat, cards, count):
            return tuple([card * seats + seat + 1 for card in cards]), count, count
        case NotLayout(half_suit, holders):
            first = half_suit * CARDS_PER_HALF_SUIT
            places = [(first + i) * seats + seat + 1 for i, seat in enumerate(holders)]
            return tuple(places), 0, len(places) - 1


@lru_cache(maxsize=1 << 14)
def _clauses(fact: Fact, seats: int) -> tuple[tuple[int, ...], ...]:
    variables, low, high = _bounds(fact, seats)
    if not 0 <= high >= low <= len(variables):
        return ((),)
    negative = [-variable for variable in variables]
    return (
        *combinations(variables, len(variables) - low + 1),
        *combinations(negative, high + 1),
    )
