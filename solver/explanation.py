"""Smallest explanations: a set of events of least size that forces a statement.

A set of events proves a statement exactly when every deal in which the statement is false violates
at least one of those events. A smallest proof is therefore a minimum *hitting set* of the sets of
events that such deals violate. There are too many deals to list, so the sets are generated on
demand (implicit hitting sets): compute a minimum hitting set of those found so far, and ask the SAT
solver for a deal that satisfies all its events and makes the statement false. If there is none, the
hitting set is a smallest proof; otherwise the events that the deal violates, reduced to as few as
possible, are a new set to be hit. Source: A. Ignatiev, A. Previti, M. Liffiton, J. Marques-Silva,
"Smallest MUS Extraction with Minimal Hitting Set Dualization", CP 2015. A subset-minimal set, from
which no event can be removed, can have 40 events where 6 suffice.

All facts of one event count as one, and so does the own hand (event 0). The rules of the deal are
always assumed and cost nothing.

>>> from solver.problem import HoldsOneOf, Lacks
>>> problem = Problem(half_suits=2, hand_sizes=(3, 3, 3, 3))
>>> problem.add(1, HoldsOneOf(0, (0, 1, 2)))
>>> problem.add(2, Lacks(0, 1))
>>> problem.add(3, HoldsOneOf(0, (0, 1)))
>>> smallest_proof(problem, {0: 0})
(2, 3)
>>> smallest_disproof(problem, {1: 0})
(2,)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pysat.examples.hitman import Hitman
from pysat.solvers import Minicard

from solver.counting import Counting
from solver.encoding import Encoding
from solver.errors import ContradictionError, NotForcedError
from solver.problem import ASSUMED, OWN_HAND, Fact, Holds, HoldsExactly, Lacks, Problem

EASY = 200
"""Conflicts of one search after which `Encoding.add_hands_of_several` is used."""
CONFLICTS = 20_000
"""Conflicts of one search (a tenth of a second) after which counting answers it."""


def smallest_proof(
    problem: Problem, layout: Mapping[int, int], given: Collection[int] = ()
) -> tuple[int, ...]:
    """A smallest set of events that forces every card of the layout (card → seat) to be there.

    Returns event numbers in ascending order. The ``given`` events are always part of the set, for
    example because the caller cites them anyway. Raises `NotForcedError` when some possible deal
    has one of the cards elsewhere.
    """
    elsewhere = [[Lacks(seat, card)] for card, seat in layout.items()]
    events = _smallest_clashing_with(problem, elsewhere, given)
    if events is None:
        raise NotForcedError(f"the facts do not force the cards to lie at {dict(layout)}")
    return events


def smallest_disproof(problem: Problem, layout: Mapping[int, int]) -> tuple[int, ...]:
    """A smallest set of events that rules out the layout (card → seat) as a whole.

    For a single card: why the seat was not dealt it. Returns event numbers in ascending order.
    Raises `NotForcedError` when some possible deal has all the cards at those seats.
    """
    there = [Holds(seat, card) for card, seat in layout.items()]
    events = _smallest_clashing_with(problem, [there])
    if events is None:
        raise NotForcedError(f"the facts allow that the cards lie at {dict(layout)}")
    return events


def smallest_clash(problem: Problem) -> tuple[int, ...]:
    """A smallest set of events that cannot all be true: event numbers in ascending order.

    Raises `NotForcedError` when some deal satisfies all facts.
    """
    return smallest_disproof(problem, {})


def contradiction(problem: Problem) -> ContradictionError:
    """The error that names a smallest set of events of the problem that cannot all be true.

    Raises `NotForcedError` when some deal satisfies all facts.
    """
    events = smallest_clash(problem)
    numbers = [str(event) for event in events if event not in (ASSUMED, OWN_HAND)]
    names = ["what is assumed"] if ASSUMED in events else []
    if OWN_HAND in events:
        names.append("the own hand")
    if len(numbers) > 1:
        names.append(f"events {', '.join(numbers[:-1])} and {numbers[-1]}")
    elif numbers:
        names.append(f"event {numbers[0]}")
    together = " together" if len(events) > 1 else ""
    return ContradictionError(f"no deal makes {' and '.join(names)} true{together}", events)


def _smallest_clashing_with(
    problem: Problem, cases: Sequence[Sequence[Fact]], given: Collection[int] = ()
) -> tuple[int, ...] | None:
    """A smallest set of events, including ``given``, that is inconsistent with each of the cases.

    A case is a list of facts; if there are several cases, each is a single fact. None when some
    deal satisfies all events and a case.
    """
    with (
        _Search(problem, cases, given) as search,
        Hitman(solver="minicard", htype="sorted") as hitting_sets,
    ):
        every = search.events
        if search.satisfied(every) is not None:
            return None
        proposal: list[int] = hitting_sets.get()
        while (kept := search.satisfied(proposal)) is not None:
            broken = []
            for event in sorted(set(every) - set(kept)):
                if search.satisfied([*kept, event]) is not None:
                    kept.append(event)
                else:
                    broken.append(event)
            hitting_sets.hit(broken)
            proposal = hitting_sets.get()
    return tuple(sorted({*proposal, *given}))


def _counted(fact: Fact, counters: Mapping[HoldsExactly, list[int]]) -> list[list[int]]:
    """What the fact says of its counter, if it has one, as clauses."""
    if not isinstance(fact, HoldsExactly):
        return []
    counter = counters.get(fact, [])
    return [[more] if i < fact.count else [-more] for i, more in enumerate(counter)]


class _Search:
    """Searches for deals that satisfy some of the events and a case.

    Searches that are hard get redundant constraints: without `Encoding.add_hands_of_several`, about
    one in a hundred takes over 10,000 conflicts; the others are too easy to be worth those clauses.
    What is still too hard is answered by counting.
    """

    def __init__(
        self, problem: Problem, cases: Sequence[Sequence[Fact]], given: Collection[int]
    ) -> None:
        self.events = sorted({event for event, _ in problem.facts})
        self._problem = problem
        self._cases = cases
        self._given = given
        self._encoding = encoding = Encoding(problem)
        self._solver = Minicard()
        self._has_group_sizes = False
        # One selector variable per event: assuming it enables all facts of the event.
        self._selectors = {e: encoding.variables + i for i, e in enumerate(self.events, start=1)}
        encoding.add_rules(self._solver)
        exact = [fact for _, fact in problem.facts if isinstance(fact, HoldsExactly)]
        counters, self._first_free = encoding.add_counters(
            self._solver, exact, encoding.variables + len(self.events) + 1
        )
        for event, fact in problem.facts:
            for said in (*encoding.clauses(fact), *_counted(fact, counters)):
                self._solver.add_clause([-self._selectors[event], *said])
        for event in given:
            if event in self._selectors:
                self._solver.add_clause([self._selectors[event]])
        self._solver.set_phases(list(self._selectors.values()))
        self._add_cases()

    def _add_cases(self) -> None:
        clauses = [
            clause for case in self._cases for f in case for clause in self._encoding.clauses(f)
        ]
        if len(self._cases) == 1:
            for clause in clauses:
                self._solver.add_clause(clause)
        else:
            self._solver.add_clause([literal for clause in clauses for literal in clause])

    def __enter__(self) -> _Search:
        return self

    def __exit__(self, *exception: object) -> None:
        self._solver.delete()

    def satisfied(self, events: Collection[int]) -> list[int] | None:
        """The events that some deal satisfies which satisfies these ones, the given ones and a
        case; None when there is no such deal."""
        found = self._solved([self._selectors[event] for event in events])
        if found is None:
            return self._satisfied_by_counting(events)
        if not found:
            return None
        model = self._solver.get_model()
        return [event for event, selector in self._selectors.items() if model[selector - 1] > 0]

    def _solved(self, assumptions: list[int]) -> bool | None:
        """Whether there is such a deal; None when that is too hard to say."""
        if not self._has_group_sizes:
            self._solver.conf_budget(EASY)
            easy: bool | None = self._solver.solve_limited(assumptions)
            if easy is not None:
                return easy
            self._has_group_sizes = True
            self._encoding.add_hands_of_several(self._solver, self._first_free)
        self._solver.conf_budget(CONFLICTS)
        hard: bool | None = self._solver.solve_limited(assumptions)
        return hard

    def _satisfied_by_counting(self, events: Collection[int]) -> list[int] | None:
        enabled = self._problem.restricted({*events, *self._given})
        for case in self._cases:
            problem = enabled.copy()
            problem.facts += [(ASSUMED, fact) for fact in case]
            deal = Counting(problem).witness()
            if deal is not None:
                broken = {e for e, fact in self._problem.facts if not self._is_true(fact, deal)}
                return [event for event in self.events if event not in broken]
        return None

    def _is_true(self, fact: Fact, deal: Sequence[int]) -> bool:
        variables, low, high = self._encoding.bounds(fact)
        true = {self._encoding.variable(card, seat) for card, seat in enumerate(deal)}
        return low <= len(true.intersection(variables)) <= high
