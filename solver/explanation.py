"""Why something is certain: the smallest set of events that forces it.

A set of events proves that something is true exactly when every deal in which it is false breaks
one of those events. So a smallest proof is a smallest *hitting set*: it must hit, for every deal in
which the thing is false, the events that this deal breaks. There are far too many such deals to
list, but a few of them decide. Propose a smallest set that hits the ones found so far, and ask the
solver for a deal that keeps to the whole proposal and still makes the thing false. If there is
none, the proposal is a proof, and none is smaller; otherwise the deal, made to break as few events
as possible, is one more to be hit (A. Ignatiev, A. Previti, M. Liffiton, J. Marques-Silva,
"Smallest MUS Extraction with Minimal Hitting Set Dualization", CP 2015). A set that is merely
minimal, so that no event can be left out, can have 40 events where 6 suffice.

Events are whole: all facts of one event count as one, the own hand (event 0) too. The rules of the
deal cost nothing.

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
from solver.problem import ASSUMED, OWN_HAND, Problem

_PATIENCE = 200
"""Conflicts of one search after which the solver is told more about counting."""


def smallest_proof(
    problem: Problem, layout: Mapping[int, int], given: Collection[int] = ()
) -> tuple[int, ...]:
    """A smallest set of events that forces every card of the layout (card → seat) to lie there.

    Event numbers in ascending order. The ``given`` events belong to the set whether or not they
    help; they are for what the caller proves besides. Raises `NotForcedError` when the facts leave
    room for a deal in which some of the cards lie elsewhere.
    """
    encoding = Encoding(problem)
    elsewhere = [-encoding.variable(card, seat) for card, seat in layout.items()]
    events = _smallest_clashing_with(problem, [elsewhere], given)
    if events is None:
        raise NotForcedError(f"the facts do not force the cards to lie at {dict(layout)}")
    return events


def smallest_disproof(problem: Problem, layout: Mapping[int, int]) -> tuple[int, ...]:
    """A smallest set of events that keeps the cards (card → seat) from all lying so together.

    With a single card: why that seat was not dealt it. Event numbers in ascending order. Raises
    `NotForcedError` when the facts leave room for a deal in which the cards all lie so.
    """
    encoding = Encoding(problem)
    there = [[encoding.variable(card, seat)] for card, seat in layout.items()]
    events = _smallest_clashing_with(problem, there)
    if events is None:
        raise NotForcedError(f"the facts allow that the cards lie at {dict(layout)}")
    return events


def smallest_clash(problem: Problem) -> tuple[int, ...]:
    """A smallest set of events that cannot all be true, numbers in ascending order.

    Raises `NotForcedError` when some deal makes all facts true.
    """
    return smallest_disproof(problem, {})


def contradiction(problem: Problem) -> ContradictionError:
    """The error that says which events of the problem cannot all be true."""
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
    """The smallest set of events, the given ones included, that no deal makes true together with
    the clauses.

    None when some deal makes all events and the clauses true.
    """
    encoding = Encoding(problem)
    events = sorted({event for event, _ in problem.facts})
    # A switch for every event: assuming it true makes all facts of the event count.
    switches = {event: encoding.variables + i for i, event in enumerate(events, start=1)}
    with (
        _Search(encoding, first_free=encoding.variables + len(events) + 1) as search,
        Hitman(solver="minicard", htype="sorted") as hitting_sets,
    ):
        for clause in clauses:
            search.solver.add_clause(clause)
        for event, fact in problem.facts:
            for said in encoding.clauses(fact):
                search.solver.add_clause([-switches[event], *said])
        for event in given:
            if event in switches:
                search.solver.add_clause([switches[event]])
        every = list(switches.values())
        search.solver.set_phases(every)
        if search.deal_exists(every):
            return None
        proposal: list[int] = hitting_sets.get()
        while search.deal_exists(proposal):
            model = search.solver.get_model()
            kept = [switch for switch in every if model[switch - 1] > 0]
            broken = []
            for switch in sorted(set(every) - set(kept)):
                if search.deal_exists([*kept, switch]):
                    kept.append(switch)
                else:
                    broken.append(switch)
            hitting_sets.hit(broken)
            proposal = hitting_sets.get()
    found = {events[switch - encoding.variables - 1] for switch in proposal}
    return tuple(sorted(found.union(given)))


class _Search:
    """Looks for deals under assumptions, and learns to count hands together when that gets hard.

    One search in a hundred would take 10,000 conflicts and more without `add_hands_of_several`;
    the others are too easy to be worth those clauses.
    """

    def __init__(self, encoding: Encoding, first_free: int) -> None:
        self.solver = Minicard()
        self._encoding = encoding
        self._first_free = first_free
        self._counts_together = False
        encoding.add_rules(self.solver)

    def __enter__(self) -> _Search:
        return self

    def __exit__(self, *exception: object) -> None:
        self.solver.delete()

    def deal_exists(self, assumptions: list[int]) -> bool:
        if not self._counts_together:
            self.solver.conf_budget(_PATIENCE)
            found: bool | None = self.solver.solve_limited(assumptions)
            if found is not None:
                return found
            self._counts_together = True
            self._encoding.add_hands_of_several(self.solver, self._first_free)
        answer: Any = self.solver.solve(assumptions)
        return bool(answer)
