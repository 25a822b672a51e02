"""SAT encoding of a `Problem`: clauses and cardinality constraints.

The variables are "seat s was dealt card c". Every fact bounds how many of some variables are true:
`Holds` one of one, `Lacks` none of one, `HoldsOneOf` at least one, `HoldsExactly` a given number,
`NotLayout` at most five of six. A fact is about at most six cards, so its bounds become clauses:
"at least ``low`` of ``n``" holds when every ``n - low + 1`` of them include a true one. Hand sizes
are about all cards and remain cardinality constraints, which minicard propagates natively.

A `HoldsExactly` settles how much of a hand the other cards fill, but clauses about six cards and a
constraint about a whole hand do not propagate that: the solver would have to enumerate the ways to
place the six. So the rest of the hand gets a constraint of its own, either directly
(`rest_of_hand`) or, where the fact can be switched off, through *counters* (`add_counters`). Proofs
that took millions of conflicts take hundreds.

>>> encoding = Encoding(Problem(half_suits=8, hand_sizes=(8,) * 6))
>>> encoding.clauses(HoldsOneOf(0, (0, 1, 2)))
((1, 7, 13),)
>>> encoding.clauses(HoldsExactly(0, (0, 1, 2), 1))
((1, 7, 13), (-1, -7), (-1, -13), (-7, -13))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    """The variables of a problem, and its rules and facts as constraints on them.

    Variables are numbered from 1, by card and then by seat.
    """

    def __init__(self, problem: Problem) -> None:
        self.seats = problem.seats
        self.cards = problem.cards
        self.hand_sizes = problem.hand_sizes
        self.variables = self.seats * self.cards
        """The number of variables; auxiliary variables of a solver are numbered above."""

    def variable(self, card: int, seat: int) -> int:
        """The variable "the seat was dealt the card"."""
        return card * self.seats + seat + 1

    def of_card(self, card: int) -> range:
        """The variables of one card, in seat order."""
        return range(card * self.seats + 1, (card + 1) * self.seats + 1)

    def deal(self, model: Sequence[int]) -> tuple[int, ...]:
        """The seat of every card, given the true literals of a model in ascending order."""
        return tuple((literal - 1) % self.seats for literal in model[: self.cards])

    def bounds(self, fact: Fact) -> tuple[tuple[int, ...], int, int]:
        """The fact as (variables, low, high): between low and high of the variables are true."""
        return _bounds(fact, self.seats)

    def clauses(self, fact: Fact) -> tuple[tuple[int, ...], ...]:
        """The clauses of the fact; one empty clause when the fact cannot be true."""
        return _clauses(fact, self.seats)

    def add_rules(self, solver: Any) -> None:
        """Add the rules of the deal to a solver with native cardinality constraints.

        Every card has exactly one seat, every seat exactly as many cards as its hand has.
        """
        for card in range(self.cards):
            places = list(self.of_card(card))
            solver.add_clause(places)
            solver.add_atmost(places, 1)
        for seat, size in enumerate(self.hand_sizes):
            hand = [self.variable(card, seat) for card in range(self.cards)]
            add_exactly(solver, hand, size)

    def rest_of_hand(self, seat: int, exact: Iterable[HoldsExactly]) -> tuple[list[int], int]:
        """The part of a hand that these facts about the seat leave: (variables, how many are true).

        A fact that shares cards with one before it is left out. The number is negative, or larger
        than that of the variables, when the facts cannot be true.
        """
        counted: set[int] = set()
        left = self.hand_sizes[seat]
        for fact in exact:
            if counted.isdisjoint(fact.cards):
                counted.update(fact.cards)
                left -= fact.count
        cards = [card for card in range(self.cards) if card not in counted]
        return [self.variable(card, seat) for card in cards], left

    def add_counters(
        self, solver: Any, exact: Iterable[HoldsExactly], first: int
    ) -> tuple[dict[HoldsExactly, list[int]], int]:
        """Add counters of the cards that these facts are about, and hand sizes in terms of them.

        The ``i``-th variable of a counter (from 0) is true when the seat was dealt more than ``i``
        of the cards. Nothing here depends on whether a fact is true. Auxiliary variables are
        numbered from ``first``. Returns the counters, and the next free variable.
        """
        counters: dict[HoldsExactly, list[int]] = {}
        hands: dict[int, list[HoldsExactly]] = {}
        for fact in exact:
            others = hands.setdefault(fact.seat, [])
            if all(set(other.cards).isdisjoint(fact.cards) for other in others):
                others.append(fact)
                size = len(fact.cards)
                counters[fact] = counter = list(range(first, first + size))
                first += size
                places = [self.variable(card, fact.seat) for card in fact.cards]
                for i, more in enumerate(counter):
                    for some in combinations(places, i + 1):
                        solver.add_clause([more, *(-place for place in some)])
                    for some in combinations(places, size - i):
                        solver.add_clause([-more, *some])
        for seat, facts in hands.items():
            rest, _ = self.rest_of_hand(seat, facts)
            counted = [variable for fact in facts for variable in counters[fact]]
            add_exactly(solver, rest + counted, self.hand_sizes[seat])
        return counters, first

    def add_hands_of_several(self, solver: Any, first: int) -> None:
        """Add redundant constraints: the total hand size of every half of the seats.

        They follow from `add_rules`, but a solver that counts one hand at a time proves a
        pigeonhole conflict such as "nine cards for three seats with eight places left" only by case
        analysis: hard proofs took 10 to 100 times as many conflicts. The auxiliary variables, "the
        card was dealt to one of these seats", are numbered from ``first``.
        """
        for group in combinations(range(self.seats), self.seats // 2):
            if 0 not in group and 2 * len(group) == self.seats:
                continue  # the complement gives the same constraint
            together = []
            for card in range(self.cards):
                with_group = first
                first += 1
                together.append(with_group)
                inside = [self.variable(card, seat) for seat in group]
                outside = [place for place in self.of_card(card) if place not in inside]
                solver.add_clause([-with_group, *inside])
                solver.add_clause([with_group, *outside])
            add_exactly(solver, together, sum(self.hand_sizes[seat] for seat in group))


def add_exactly(solver: Any, variables: list[int], count: int) -> None:
    """Add the constraint that exactly ``count`` of the variables are true, possible or not."""
    if not 0 <= count <= len(variables):
        solver.add_clause([])
        return
    solver.add_atmost(variables, count)
    solver.add_atmost([-variable for variable in variables], len(variables) - count)


# Cached: the same facts occur in every game, and once for each seat.
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
