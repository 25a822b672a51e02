"""Certainty by SAT: which deals are possible, and what is true in all of them.

One incremental minicard solver (clauses and native cardinality constraints) reads the facts of a
`Problem` as they are added. A *witness* is one deal that satisfies all facts; it proves that each
of its 48 pairs of card and seat is possible. Witnesses are cached, and a later fact invalidates
only some of them. After one more event, the backbone therefore needs few calls of the solver:

- a pair in a valid witness is possible;
- a pair that was impossible stays impossible, because facts are never removed;
- for each other pair, the solver searches for a new witness close to one that was just invalidated
  (by setting its phases), which usually confirms most pairs of the old one. If there is none, the
  pair is impossible.

A search may still take exponentially long. The conflicts of one query are therefore limited: beyond
the limit the exact counts of `solver.counting` give the rest of the answer, and `Sat.counted` says
so. With ``conflicts=None`` the search is unlimited, and the answers are those of SAT alone.

>>> from solver.problem import HoldsOneOf, Lacks
>>> problem = Problem(half_suits=2, hand_sizes=(3, 3, 3, 3))
>>> sat = Sat(problem)
>>> for card in (1, 2, 3, 4):
...     problem.add(1, Lacks(0, card))
>>> problem.add(2, HoldsOneOf(0, (1, 2, 3, 4, 5)))
>>> sat.certain(card=5, seat=0)
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from pysat.solvers import Minicard

from solver.counting import Counting
from solver.encoding import Encoding, add_exactly
from solver.errors import ContradictionError
from solver.problem import ASSUMED, CARDS_PER_HALF_SUIT, Holds, HoldsExactly, Problem

_NOTHING: Mapping[int, int] = MappingProxyType({})
_MOST_WITNESSES = 64
"""More would make reading a fact slower and save no calls of the solver."""
CONFLICTS = 20_000
"""The conflicts of one query (a tenth of a second) after which counting answers."""


class _TooHard(Exception):
    """The search has used up the conflicts of its query."""


class Sat:
    """Queries about the possible deals of one problem.

    Facts may be added between two queries. Methods other than `witness` and `possible` raise
    `ContradictionError` when no deal satisfies all facts.

    conflicts: how many one query may take before counting answers; None: any number.
    """

    def __init__(self, problem: Problem, conflicts: int | None = CONFLICTS) -> None:
        self.counted = 0
        """How often counting was asked, since the search had become too long."""
        self._conflicts = conflicts
        self._conflicts_left = 0
        self._exact: list[list[HoldsExactly]] = [[] for _ in range(problem.seats)]
        self._problem = problem
        self._facts_read = 0
        self._encoding = Encoding(problem)
        self._solver = Minicard()
        self._encoding.add_rules(self._solver)
        self._all_false = [-variable for variable in range(1, self._encoding.variables + 1)]
        # Deals and sets of (card, seat) pairs are ints: bit v stands for the encoding's variable v.
        # The value of a deal is the list of its 48 variables, the form that the solver reads.
        self._witnesses: dict[int, list[int]] = {}
        self._invalid: dict[int, list[int]] = {}
        self._pairs = (1 << self._encoding.variables + 1) - 2
        self._impossible = 0

    def witness(self, assumed: Mapping[int, int] = _NOTHING) -> tuple[int, ...] | None:
        """The seat of every card in some deal that satisfies all facts, or None if there is none.

        With ``assumed`` (card → seat), a deal in which those cards are at those seats.
        """
        self._begin()
        try:
            return self._witness(assumed)
        except _TooHard:
            return self._counting(assumed).witness()

    def _witness(self, assumed: Mapping[int, int]) -> tuple[int, ...] | None:
        assumptions = [self._encoding.variable(card, seat) for card, seat in assumed.items()]
        pairs = _bits(assumptions)
        if pairs & self._impossible:
            return None
        for deal, variables in self._witnesses.items():
            if deal & pairs == pairs:
                return self._encoding.deal(variables)
        deal = self._find(assumptions)
        return self._encoding.deal(self._witnesses[deal]) if deal else None

    def possible(self, assumed: Mapping[int, int]) -> bool:
        """Whether some deal has all these cards at these seats (card → seat)."""
        return self.witness(assumed) is not None

    def certain(self, card: int, seat: int) -> bool:
        """Whether the card must have been dealt to the seat."""
        self._begin()
        variable = self._encoding.variable(card, seat)
        try:
            self._require_a_witness()
            if any(not deal >> variable & 1 for deal in self._witnesses):
                return False
            return not self._find([-variable])
        except _TooHard:
            return bool(self._counted_posterior()[card][seat] == 1.0)

    def backbone(self) -> list[int]:
        """For every card, the set of seats that can have been dealt it: bit ``s`` is seat ``s``.

        Sound and complete: a seat is in the set exactly when it has the card in some deal that
        satisfies all facts. The holder of a card is certain when one bit is set.
        """
        self._begin()
        try:
            self._require_a_witness()
            self._search_backbone()
        except _TooHard:
            self._count_backbone()
        self._invalid.clear()
        seats = self._encoding.seats
        possible = (self._pairs & ~self._impossible) >> 1
        return [
            possible >> shift & (1 << seats) - 1
            for shift in range(0, self._encoding.variables, seats)
        ]

    def _search_backbone(self) -> None:
        """Complete the set of impossible pairs by searching for witnesses."""
        unknown = self._pairs & ~self._impossible
        for deal in self._witnesses:
            unknown &= ~deal
        while unknown:
            near = max(self._invalid, key=lambda deal: (deal & unknown).bit_count(), default=0)
            wanted = near & unknown
            if wanted:
                self._solver.set_phases(self._all_false + self._invalid[near])
            else:
                wanted = unknown
                self._solver.set_phases(self._all_false + _variables(unknown))
            variable = wanted.bit_length() - 1
            deal = self._find([variable])
            if not deal:
                deal = 1 << variable
                self._impossible |= deal
                self._solver.add_clause([-variable])
            unknown &= ~deal

    def _count_backbone(self) -> None:
        """Complete the set of impossible pairs by counting."""
        for card, row in enumerate(self._counted_posterior()):
            for seat, chance in enumerate(row):
                variable = self._encoding.variable(card, seat)
                if not chance and not self._impossible >> variable & 1:
                    self._impossible |= 1 << variable
                    self._solver.add_clause([-variable])

    def deals(self, limit: int | None = None) -> Iterator[tuple[int, ...]]:
        """All possible deals, as the seat of every card, in lexicographic order.

        At most ``limit`` of them. Facts that are added while iterating are ignored.
        """
        return islice(self._assignments(range(self._problem.cards), Counting.in_order), limit)

    def layouts(self, half_suit: int) -> Iterator[tuple[int, ...]]:
        """All possible layouts of one half-suit, six seats in card order, in lexicographic order.

        Facts that are added while iterating are ignored.
        """
        first = half_suit * CARDS_PER_HALF_SUIT

        def counted(counting: Counting) -> Iterator[tuple[int, ...]]:
            return counting.layouts_in_order(half_suit)

        return self._assignments(range(first, first + CARDS_PER_HALF_SUIT), counted)

    def _assignments(
        self, cards: Sequence[int], counted: Callable[[Counting], Iterator[tuple[int, ...]]]
    ) -> Iterator[tuple[int, ...]]:
        """All ways in which the cards can have been dealt, in lexicographic order.

        A depth-first search in which every choice is an assumption, so no blocking clauses are
        added. A choice that the last witness already makes needs no call of the solver. What
        follows a choice that is too hard to examine is listed by ``counted``.
        """
        sat = Sat(self._problem.copy(), self._conflicts)
        seats = sat.backbone()
        in_doubt = [card for card in cards if seats[card].bit_count() > 1]

        def place(
            depth: int, assumed: dict[int, int], deal: Sequence[int]
        ) -> Iterator[tuple[int, ...]]:
            if depth == len(in_doubt):
                yield tuple(deal[card] for card in cards)
                return
            card = in_doubt[depth]
            for seat in range(self._problem.seats):
                if not seats[card] >> seat & 1:
                    continue
                choice = assumed | {card: seat}
                try:
                    found = deal if deal[card] == seat else sat._witness(choice)
                except _TooHard:
                    self.counted += 1
                    yield from counted(sat._counting(choice))
                    continue
                if found:
                    yield from place(depth + 1, choice, found)

        any_deal = sat.witness()
        assert any_deal is not None
        self.counted += sat.counted
        yield from place(0, {}, any_deal)

    def _begin(self) -> None:
        """Begin a query: read the facts added since the last one, and allow so many conflicts."""
        if self._conflicts is not None:
            self._conflicts_left = self._conflicts
        facts = self._problem.facts
        exact = set()
        for _, fact in facts[self._facts_read :]:
            if isinstance(fact, HoldsExactly):
                self._exact[fact.seat].append(fact)
                exact.add(fact.seat)
            for clause in self._encoding.clauses(fact):
                self._solver.add_clause(clause)
            variables, low, high = self._encoding.bounds(fact)
            pairs = _bits(variables)
            if high == 0:
                self._impossible |= pairs
            for deal in [
                deal for deal in self._witnesses if not low <= (deal & pairs).bit_count() <= high
            ]:
                self._invalid[deal] = self._witnesses.pop(deal)
        for seat in sorted(exact):
            add_exactly(self._solver, *self._encoding.rest_of_hand(seat, self._exact[seat]))
        self._facts_read = len(facts)

    def _require_a_witness(self) -> None:
        if not self._witnesses and not self._find([]):
            from solver.explanation import contradiction

            raise contradiction(self._problem)

    def _find(self, assumptions: list[int]) -> int:
        """A new witness under the assumed literals, or 0 when there is none.

        Raises `_TooHard` when the query has no conflicts left before that is known.
        """
        if not self._solved(assumptions):
            return 0
        variables = [literal for literal in self._solver.get_model() if literal > 0]
        deal = _bits(variables)
        if len(self._witnesses) == _MOST_WITNESSES:
            del self._witnesses[next(iter(self._witnesses))]  # the oldest
        self._witnesses[deal] = variables
        return deal

    def _solved(self, assumptions: list[int]) -> bool:
        solver = self._solver
        if self._conflicts is None:
            return bool(solver.solve(assumptions))
        if self._conflicts_left <= 0:
            raise _TooHard
        before = solver.accum_stats()["conflicts"]
        solver.conf_budget(self._conflicts_left)
        found: bool | None = solver.solve_limited(assumptions)
        self._conflicts_left -= solver.accum_stats()["conflicts"] - before
        if found is None:
            self._conflicts_left = 0
            raise _TooHard
        return found

    def _counting(self, assumed: Mapping[int, int] = _NOTHING) -> Counting:
        """The counting engine, with cards (card → seat) that are assumed to be at these seats."""
        self.counted += 1
        problem = self._problem.copy()
        problem.facts += [(ASSUMED, Holds(seat, card)) for card, seat in assumed.items()]
        return Counting(problem)

    def _counted_posterior(self) -> list[list[float]]:
        try:
            posterior: list[list[float]] = self._counting().posterior().tolist()
        except ContradictionError:
            from solver.explanation import contradiction

            raise contradiction(self._problem) from None
        return posterior


def _bits(variables: Sequence[int]) -> int:
    return sum([1 << variable for variable in variables])


def _variables(bits: int) -> list[int]:
    return [variable for variable in range(bits.bit_length()) if bits >> variable & 1]
