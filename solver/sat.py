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

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from pysat.solvers import Minicard

from solver.encoding import Encoding
from solver.problem import CARDS_PER_HALF_SUIT, Problem

_NOTHING: Mapping[int, int] = MappingProxyType({})
_MOST_WITNESSES = 64
"""More would make reading a fact slower and save no calls of the solver."""


class Sat:
    """Queries about the possible deals of one problem.

    Facts may be added between two queries. Methods other than `witness` and `possible` raise
    `ContradictionError` when no deal satisfies all facts.
    """

    def __init__(self, problem: Problem) -> None:
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
        self._read_facts()
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
        self._require_a_witness()
        variable = self._encoding.variable(card, seat)
        if any(not deal >> variable & 1 for deal in self._witnesses):
            return False
        return not self._find([-variable])

    def backbone(self) -> list[int]:
        """For every card, the set of seats that can have been dealt it: bit ``s`` is seat ``s``.

        Sound and complete: a seat is in the set exactly when it has the card in some deal that
        satisfies all facts. The holder of a card is certain when one bit is set.
        """
        self._require_a_witness()
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
        self._invalid.clear()
        seats = self._encoding.seats
        possible = (self._pairs & ~self._impossible) >> 1
        return [
            possible >> shift & (1 << seats) - 1
            for shift in range(0, self._encoding.variables, seats)
        ]

    def deals(self, limit: int | None = None) -> Iterator[tuple[int, ...]]:
        """All possible deals, as the seat of every card, in lexicographic order.

        At most ``limit`` of them. Facts that are added while iterating are ignored.
        """
        return islice(self._assignments(range(self._problem.cards)), limit)

    def layouts(self, half_suit: int) -> Iterator[tuple[int, ...]]:
        """All possible layouts of one half-suit, six seats in card order, in lexicographic order.

        Facts that are added while iterating are ignored.
        """
        first = half_suit * CARDS_PER_HALF_SUIT
        return self._assignments(range(first, first + CARDS_PER_HALF_SUIT))

    def _assignments(self, cards: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """All ways in which the cards can have been dealt, in lexicographic order.

        A depth-first search in which every choice is an assumption, so no blocking clauses are
        added. A choice that the last witness already makes needs no call of the solver.
        """
        sat = Sat(self._problem.copy())
        seats = sat.backbone()
        in_doubt = [card for card in cards if seats[card].bit_count() > 1]

        def place(
            depth: int, assumed: dict[int, int], deal: Sequence[int]
        ) -> Iterator[Sequence[int]]:
            if depth == len(in_doubt):
                yield deal
                return
            card = in_doubt[depth]
            for seat in range(self._problem.seats):
                if not seats[card] >> seat & 1:
                    continue
                choice = assumed | {card: seat}
                found = deal if deal[card] == seat else sat.witness(choice)
                if found:
                    yield from place(depth + 1, choice, found)

        any_deal = sat.witness()
        assert any_deal is not None
        for deal in place(0, {}, any_deal):
            yield tuple(deal[card] for card in cards)

    def _read_facts(self) -> None:
        """Read the facts added since the last query."""
        facts = self._problem.facts
        for _, fact in facts[self._facts_read :]:
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
        self._facts_read = len(facts)

    def _require_a_witness(self) -> None:
        self._read_facts()
        if not self._witnesses and not self._find([]):
            from solver.explanation import contradiction

            raise contradiction(self._problem)

    def _find(self, assumptions: list[int]) -> int:
        """A new witness under the assumed literals, or 0 when there is none."""
        if not self._solver.solve(assumptions):
            return 0
        variables = [literal for literal in self._solver.get_model() if literal > 0]
        deal = _bits(variables)
        if len(self._witnesses) == _MOST_WITNESSES:
            del self._witnesses[next(iter(self._witnesses))]  # the oldest
        self._witnesses[deal] = variables
        return deal


def _bits(variables: Sequence[int]) -> int:
    return sum([1 << variable for variable in variables])


def _variables(bits: int) -> list[int]:
    return [variable for variable in range(bits.bit_length()) if bits >> variable & 1]
