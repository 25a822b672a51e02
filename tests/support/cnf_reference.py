"""An independent SAT reference for the tests: a `Problem` as plain CNF for CaDiCaL.

It shares no code with `solver`: hand sizes and counts are encoded as totalizers, and the solver,
the cardinality constraints and the encoding of facts are different.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from pysat.card import CardEnc, EncType
from pysat.formula import IDPool
from pysat.solvers import Cadical153
from reference import is_true

from solver.problem import Holds, HoldsExactly, HoldsOneOf, Lacks, NotLayout, Problem


class CnfReference:
    """A solver in which the facts of each event are enabled by a selector variable."""

    def __init__(self, problem: Problem) -> None:
        self._pool = IDPool()
        self._solver = Cadical153()
        seats, cards = range(problem.seats), range(problem.cards)
        for card in cards:
            self._exactly([self.dealt(card, seat) for seat in seats], 1)
        for seat, size in enumerate(problem.hand_sizes):
            self._exactly([self.dealt(card, seat) for card in cards], size)
        for event, fact in problem.facts:
            off = -self.event(event)
            match fact:
                case Holds(seat, card):
                    self._solver.add_clause([off, self.dealt(card, seat)])
                case Lacks(seat, card):
                    self._solver.add_clause([off, -self.dealt(card, seat)])
                case HoldsOneOf(seat, some):
                    self._solver.add_clause([off, *(self.dealt(card, seat) for card in some)])
                case HoldsExactly(seat, some, count):
                    self._exactly([self.dealt(card, seat) for card in some], count, off)
                case NotLayout(half_suit, holders):
                    places = enumerate(holders, start=half_suit * 6)
                    self._solver.add_clause([off, *(-self.dealt(*place) for place in places)])

    def dealt(self, card: int, seat: int) -> int:
        """The variable "the card was dealt to the seat"."""
        return int(self._pool.id(("dealt", card, seat)))

    def event(self, event: int) -> int:
        """The selector variable of the event."""
        return int(self._pool.id(("event", event)))

    def add_clause(self, clause: Iterable[int]) -> None:
        self._solver.add_clause(list(clause))

    def deal(self, problem: Problem, assumptions: Iterable[int]) -> tuple[int, ...] | None:
        """The seat of every card in some deal under the assumptions, or None."""
        if not self._solver.solve(list(assumptions)):
            return None
        true = {literal for literal in self._solver.get_model() if literal > 0}
        return tuple(
            next(seat for seat in range(problem.seats) if self.dealt(card, seat) in true)
            for card in range(problem.cards)
        )

    def _exactly(self, variables: list[int], count: int, off: int | None = None) -> None:
        for bound in (CardEnc.atmost, CardEnc.atleast):
            cnf = bound(variables, count, vpool=self._pool, encoding=EncType.totalizer)
            for clause in cnf.clauses:
                self._solver.add_clause(clause if off is None else [off, *clause])


class SmallestSets:
    """Exhaustive search for smallest sets of events that are inconsistent with some clauses.

    ``clauses`` returns the clauses for a given `CnfReference`.
    """

    def __init__(
        self, problem: Problem, clauses: Callable[[CnfReference], Iterable[list[int]]]
    ) -> None:
        self._problem = problem
        self._cnf = CnfReference(problem)
        for clause in clauses(self._cnf):
            self._cnf.add_clause(clause)
        self._events = sorted({event for event, _ in problem.facts})

    def check(self, events: Collection[int]) -> None:
        """Assert that the events are inconsistent with the clauses, and that no smaller set is."""
        assert self._deal(events) is None
        assert not self._clash_exists(len(events) - 1)

    def needed(self) -> frozenset[int]:
        """The events that belong to every set that is inconsistent with the clauses."""
        return frozenset(
            event for event in self._events if self._deal(e for e in self._events if e != event)
        )

    def _clash_exists(self, size: int) -> bool:
        """Whether some set of at most ``size`` events is inconsistent with the clauses.

        A depth-first search that starts from the needed events. If a deal satisfies the chosen
        events, every inconsistent superset includes an event that this deal violates.
        """
        needed = self.needed()
        tried = set()

        def search(chosen: frozenset[int], left: int) -> bool:
            if chosen in tried:
                return False
            tried.add(chosen)
            broken = self._few_broken(chosen)
            if broken is None:
                return True
            return left > 0 and any(search(chosen | {event}, left - 1) for event in broken)

        return len(needed) <= size and search(needed, size - len(needed))

    def _few_broken(self, events: Collection[int]) -> set[int] | None:
        """The events violated by some deal that satisfies ``events``, greedily reduced.

        None when there is no such deal.
        """
        deal = self._deal(events)
        if deal is None:
            return None
        broken = self._broken_by(deal)
        for event in sorted(broken):
            if event in broken:
                kept = [e for e in self._events if e not in broken]
                better = self._deal([*kept, event])
                if better is not None:
                    broken = self._broken_by(better)
        return broken

    def _deal(self, events: Iterable[int]) -> tuple[int, ...] | None:
        return self._cnf.deal(self._problem, [self._cnf.event(event) for event in events])

    def _broken_by(self, deal: tuple[int, ...]) -> set[int]:
        return {event for event, fact in self._problem.facts if not is_true(fact, deal)}
