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

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from pysat.examples.hitman import Hitman
from pysat.solvers import Minicard

from solver.encoding import Encoding
from solver.errors import ContradictionError, NotForcedError
from solver.problem import ASSUMED, OWN_HAND, Fact, HoldsExactly, Problem

_CONFLICT_BUDGET = 200
"""Conflicts of one solver call after which `Encoding.add_hands_of_several` is used."""


def smallest_proof(
    problem: Problem, layout: Mapping[int, int], given: Collection[int] = ()
) -> tuple[int, ...]:
    """A smallest set of events that forces every card of the layout (card → seat) to be there.

    Returns event numbers in ascending order. The ``given`` events are always part of the set, for
    example because the caller cites them anyway. Raises `NotForcedError` when some possible deal
    has one of the cards elsewhere.
    """
    encoding = Encoding(problem)
    elsewhere = [-encoding.variable(card, seat) for card, seat in layout.items()]
    events = _smallest_clashing_with(problem, [elsewhere], given)
    if events is None:
        raise NotForcedError(f"the facts do not force the cards to lie at {dict(layout)}")
    return events


def smallest_disproof(problem: Problem, layout: Mapping[int, int]) -> tuple[int, ...]:
    """A smallest set of events that rules out the layout (card → seat) as a whole.

    For a single card: why the seat was not dealt it. Returns event numbers in ascending order.
    Raises `NotForcedError` when some possible deal has all the cards at those seats.
    """
    encoding = Encoding(problem)
    there = [[encoding.variable(card, seat)] for card, seat in layout.items()]
    events = _smallest_clashing_with(problem, there)
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
    problem: Problem, clauses: Iterable[list[int]], given: Collection[int] = ()
) -> tuple[int, ...] | None:
    """A smallest set of events, including ``given``, that is inconsistent with the clauses.

    None when some deal satisfies all events and the clauses.
    """
    encoding = Encoding(problem)
    events = sorted({event for event, _ in problem.facts})
    # One selector variable per event: assuming it enables all facts of the event.
    selectors = {event: encoding.variables + i for i, event in enumerate(events, start=1)}
    with (
        _Search(encoding, first_free=encoding.variables + len(events) + 1) as search,
        Hitman(solver="minicard", htype="sorted") as hitting_sets,
    ):
        for clause in clauses:
            search.solver.add_clause(clause)
        counters = search.add_counters([fact for _, fact in problem.facts])
        for event, fact in problem.facts:
            for said in (*encoding.clauses(fact), *_counted(fact, counters)):
                search.solver.add_clause([-selectors[event], *said])
        for event in given:
            if event in selectors:
                search.solver.add_clause([selectors[event]])
        every = list(selectors.values())
        search.solver.set_phases(every)
        if search.deal_exists(every):
            return None
        proposal: list[int] = hitting_sets.get()
        while search.deal_exists(proposal):
            model = search.solver.get_model()
            kept = [selector for selector in every if model[selector - 1] > 0]
            broken = []
            for selector in sorted(set(every) - set(kept)):
                if search.deal_exists([*kept, selector]):
                    kept.append(selector)
                else:
                    broken.append(selector)
            hitting_sets.hit(broken)
            proposal = hitting_sets.get()
    found = {events[selector - encoding.variables - 1] for selector in proposal}
    return tuple(sorted(found.union(given)))


def _counted(fact: Fact, counters: Mapping[HoldsExactly, list[int]]) -> list[list[int]]:
    """What the fact says of its counter, if it has one, as clauses."""
    if not isinstance(fact, HoldsExactly):
        return []
    counter = counters.get(fact, [])
    return [[more] if i < fact.count else [-more] for i, more in enumerate(counter)]


class _Search:
    """Searches for deals under assumptions; adds redundant constraints when a search is hard.

    Without `Encoding.add_hands_of_several`, about one search in a hundred takes over 10,000
    conflicts; the others are too easy to be worth those clauses.
    """

    def __init__(self, encoding: Encoding, first_free: int) -> None:
        self.solver = Minicard()
        self._encoding = encoding
        self._first_free = first_free
        self._has_group_sizes = False
        encoding.add_rules(self.solver)

    def __enter__(self) -> _Search:
        return self

    def __exit__(self, *exception: object) -> None:
        self.solver.delete()

    def add_counters(self, facts: Iterable[Fact]) -> dict[HoldsExactly, list[int]]:
        """The counters (`Encoding.add_counters`) of those facts that have one."""
        exact = [fact for fact in facts if isinstance(fact, HoldsExactly)]
        counters, self._first_free = self._encoding.add_counters(
            self.solver, exact, self._first_free
        )
        return counters

    def deal_exists(self, assumptions: list[int]) -> bool:
        if not self._has_group_sizes:
            self.solver.conf_budget(_CONFLICT_BUDGET)
            found: bool | None = self.solver.solve_limited(assumptions)
            if found is not None:
                return found
            self._has_group_sizes = True
            self._encoding.add_hands_of_several(self.solver, self._first_free)
        answer: Any = self.solver.solve(assumptions)
        return bool(answer)
