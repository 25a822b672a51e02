"""Proofs: the smallest set of events that shows where a card is, and the steps of the argument.

The solver finds the smallest set of events, but no steps. Those come from
`literature_ai.inference.argument`, which is given the facts of just these events; what it does not
reach becomes one step that counts all hands together, as the solver does.

A proof has only the steps that its conclusion needs. Together they cite every event of the set: if
one could be left out, the rest would be a smaller proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from literature_ai.cards import SEAT_NAMES, Card, CardNames, Seat
from literature_ai.events import Asked, Event
from literature_ai.inference.argument import Argument, Impossible
from literature_ai.inference.knowledge import Knowledge
from literature_ai.inference.reasons import Line, cite
from literature_ai.wording import card_names
from solver.errors import NotForcedError


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a proof."""

    text: str
    events: tuple[int, ...]
    """The events that it cites, in order; 0 is the own hand."""
    counting: bool
    """Whether it is about how many cards there is room for."""
    depth: int
    """0, or 1 when it follows from the supposition of an earlier step."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A smallest set of events and how they prove it, each step from those before it."""

    events: tuple[int, ...]
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return "\n".join("  " * step.depth + step.text for step in self.steps)


def prove(knowledge: Knowledge, events: Sequence[Event], layout: Mapping[Card, Seat]) -> Proof:
    """Why all these cards are at these seats now.

    ``events`` are all that the knowledge has observed. Raises `solver.errors.NotForcedError`
    when the layout is not certain.
    """
    names = knowledge.rules.card_names
    cited = knowledge.explain_layout(layout)
    unmoved = {c: s for c, s in layout.items() if knowledge.place_now(c) is None}
    argument = Argument(knowledge.problem.restricted(cited), events, names)
    seats = range(knowledge.problem.seats)
    doubts = [(card, seat) for card in unmoved for seat in seats if seat != unmoved[card]]
    if argument.settle(lambda: argument.placed.keys() >= unmoved.keys(), doubts):
        last = [argument.there[card].line for card in unmoved]
        steps = _steps([*argument.leading_to(last), *_shown_directly(argument, unmoved)])
    else:
        where = ", ".join(f"{names[c]} to {SEAT_NAMES[s]}" for c, s in unmoved.items())
        steps = _count_everything(f"every deal that fits gives {where}", cited)
    return Proof(cited, (*steps, *_moves(events, [c for c in layout if c not in unmoved], names)))


def disprove(knowledge: Knowledge, events: Sequence[Event], card: Card, seat: Seat) -> Proof:
    """Why the seat cannot have the card now.

    The card is one that is still in play, and ``events`` are all that the knowledge has observed.
    Raises `solver.errors.NotForcedError` when the seat may have it.
    """
    from solver.explanation import smallest_disproof

    names = knowledge.rules.card_names
    if knowledge.place_now(card) == seat:
        raise NotForcedError(f"{names[card]} is at {SEAT_NAMES[seat]}")
    if knowledge.place_now(card) is not None:
        steps = tuple(_moves(events, [card], names))
        return Proof(steps[0].events, steps)
    cited = smallest_disproof(knowledge.problem, {card: seat})
    argument = Argument(knowledge.problem.restricted(cited), events, names)
    name, who = names[card], SEAT_NAMES[seat]
    if argument.settle(lambda: (card, seat) in argument.elsewhere, [(card, seat)]):
        reason = argument.elsewhere[card, seat]
        steps = _steps(argument.leading_to([reason.line]))
        said = reason.in_full()
        so = Step(f"{who} was not dealt {name}: {said}.", reason.events, counting=False, depth=0)
        return Proof(cited, (*steps, so))
    return Proof(cited, _count_everything(f"no deal that fits gives {name} to {who}", cited))


def prove_clash(knowledge: Knowledge, events: Sequence[Event]) -> Proof:
    """Why the events that the knowledge has observed cannot all be true.

    Raises `solver.errors.NotForcedError` when they can.
    """
    from solver.explanation import smallest_clash

    names = knowledge.rules.card_names
    cited = smallest_clash(knowledge.problem)
    try:
        argument = Argument(knowledge.problem.restricted(cited), events, names)
        argument.settle(lambda: False, [])
    except Impossible as impossible:
        return Proof(cited, _steps(impossible.lines))
    return Proof(cited, _count_everything("no deal fits", cited))


def _steps(lines: Iterable[Line], depth: int = 0) -> tuple[Step, ...]:
    steps: list[Step] = []
    for line in lines:
        steps.append(Step(line.text, line.events, line.counting, depth))
        steps += _steps(line.supposed, depth + 1)
        if line.conclusion:
            steps.append(Step(line.conclusion, (), line.counting, depth))
    return tuple(steps)


def _shown_directly(argument: Argument, layout: Mapping[Card, Seat]) -> Iterator[Line]:
    """Lines for those of the cards that an event shows without any argument."""
    together: dict[tuple[Seat, tuple[int, ...]], list[Card]] = {}
    for card, seat in layout.items():
        if argument.there[card].line is None:
            together.setdefault((seat, argument.there[card].events), []).append(card)
    for (seat, events), cards in together.items():
        dealt = card_names(cards, argument.names)
        yield Line(f"{SEAT_NAMES[seat]} was dealt {dealt}{cite(events)}.", events)


def _count_everything(said: str, cited: tuple[int, ...]) -> tuple[Step, ...]:
    text = f"Counting all hands together, {said}{cite(cited)}."
    return (Step(text, cited, counting=True, depth=0),)


def _moves(events: Sequence[Event], cards: Iterable[Card], names: CardNames) -> Iterator[Step]:
    """For every seat that has got some of the cards in the open, the step that says so."""
    got: dict[Seat, list[tuple[int, str]]] = {}
    for card in cards:
        number, event = next(
            (number, event)
            for number, event in reversed(list(enumerate(events, start=1)))
            if isinstance(event, Asked) and event.card == card and event.hit
        )
        said = f"{names[card]} from {SEAT_NAMES[event.target]} ({number})"
        got.setdefault(event.asker, []).append((number, said))
    for seat, moves in sorted(got.items()):
        numbers, said_of = zip(*moves, strict=True)
        text = f"{SEAT_NAMES[seat]} got {', '.join(said_of)}."
        yield Step(text, tuple(sorted(numbers)), counting=False, depth=0)
