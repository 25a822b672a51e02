"""Reasons in words: why a card was dealt to a seat or was not, with the events that show it.

``names`` are the names of the cards in the deck of the game (`RuleSet.card_names`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, Card, CardNames, Seat, half_suit_of
from literature_ai.events import Asked, Event
from literature_ai.wording import card_names
from solver.problem import ASSUMED, OWN_HAND, Holds, HoldsExactly, HoldsOneOf, Lacks

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_LONG = 12
"""A list of more known cards than this is shortened to their number and events."""


@dataclass(frozen=True, eq=False)
class Line:
    """Something concluded, with what it rests on."""

    text: str
    events: tuple[int, ...]
    """The events that the text cites, in order."""
    uses: tuple[Line, ...] = ()
    """The lines that it builds on."""
    counting: bool = False
    """Whether it is about how many cards there is room for."""
    supposed: tuple[Line, ...] = ()
    """The lines that follow from the supposition that the text makes, up to what cannot be …"""
    conclusion: str = ""
    """… and what follows from that."""


@dataclass(frozen=True, eq=False)
class Reason:
    """Why a card was dealt to a seat, or was not: shown by events, or by an earlier line."""

    short: str
    """Where it is clear which card is meant."""
    full: str
    events: tuple[int, ...] = ()
    line: Line | None = None

    def in_short(self) -> str:
        """The short form with its events."""
        return self.short + cite(self.events)

    def in_full(self) -> str:
        """The full form with its events."""
        return self.full + cite(self.events)


def shown(number: int, fact: Holds, events: Sequence[Event], names: CardNames) -> Reason:
    """Why the card was dealt to the seat, by the event of this number."""
    card, seat = names[fact.card], SEAT_NAMES[fact.seat]
    if number in (ASSUMED, OWN_HAND):
        return Reason(f"{seat} had it", f"{seat} had {card}", (number,))
    event = events[number - 1]
    if isinstance(event, Asked):
        taker = SEAT_NAMES[event.asker]
        said = f"{taker} got it from {seat}"
        return Reason(said, f"{taker} got {card} from {seat}", (number,))
    return Reason("a claim showed it", f"a claim showed {card} to be {seat}'s", (number,))


def denied(number: int, fact: Lacks, events: Sequence[Event], names: CardNames) -> Reason:
    """Why the card was not dealt to the seat, by the event of this number."""
    card, seat = names[fact.card], SEAT_NAMES[fact.seat]
    if number in (ASSUMED, OWN_HAND):
        return Reason(f"{seat} did not have it", f"{seat} did not have {card}", (number,))
    event = events[number - 1]
    if isinstance(event, Asked) and event.asker == fact.seat:
        return Reason(f"{seat} asked for it", f"{seat} asked for {card}", (number,))
    return Reason(f"{seat} said no", f"{seat} said no to {card}", (number,))


def told(
    number: int, fact: HoldsOneOf | HoldsExactly, events: Sequence[Event], names: CardNames
) -> str:
    """What the event of this number says of the seat."""
    seat, event = SEAT_NAMES[fact.seat], events[number - 1]
    suit = HALF_SUIT_NAMES[half_suit_of(fact.cards[0])] if fact.cards else ""
    if isinstance(fact, HoldsExactly):
        few = f"{_NUMBERS[fact.count]} of {card_names(fact.cards, names)}"
        return f"the claim of {suit} showed that {seat} had {few} ({number})"
    asked = f" for {names[event.card]}" if isinstance(event, Asked) else ""
    return f"{seat} asked{asked} and so had one of {card_names(fact.cards, names)} ({number})"


def dealt(card: Card, seat: Seat, line: Line, names: CardNames) -> Reason:
    """The reason that a line has shown the card to be dealt to the seat."""
    whose = f"{SEAT_NAMES[seat]}'s"
    return Reason(f"it was {whose}", f"{names[card]} was {whose}", line=line)


def not_dealt(card: Card, seat: Seat, line: Line, names: CardNames) -> Reason:
    """The reason that a line has shown the card not to be dealt to the seat."""
    name, who = names[card], SEAT_NAMES[seat]
    return Reason(f"it was not {who}'s", f"{name} was not {who}'s", line=line)


def list_known(cards: Sequence[Card], there: Mapping[Card, Reason], names: CardNames) -> str:
    """Cards whose place is known, each with the event that shows it; many by number only."""
    if len(cards) > _LONG:
        return f"{len(cards)} cards{cite(events_of(there[card] for card in cards))}"
    together: dict[tuple[int, ...], list[Card]] = {}
    for card in cards:
        together.setdefault(there[card].events, []).append(card)
    return ", ".join(card_names(some, names) + cite(events) for events, some in together.items())


def events_of(reasons: Iterable[Reason], more: Iterable[int] = ()) -> tuple[int, ...]:
    """The numbers of the events that the reasons cite, and of more, in order."""
    return tuple(sorted({event for reason in reasons for event in reason.events}.union(more)))


def cite(events: Sequence[int]) -> str:
    """The events in brackets: `` (own hand, 3, 17)``; empty when there are none."""
    special = {ASSUMED: "assumed", OWN_HAND: "own hand"}
    words = [special.get(event, str(event)) for event in events]
    return f" ({', '.join(words)})" if words else ""


def seat_names(seats: Sequence[Seat], before_last: str = "and") -> str:
    """``A1, B2 and B3``."""
    *others, last = (SEAT_NAMES[seat] for seat in seats)
    return f"{', '.join(others)} {before_last} {last}" if others else last


def number_word(count: int) -> str:
    """The number as a word, up to ten."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def counted(count: int, noun: str) -> str:
    """``three cards``."""
    return f"{number_word(count)} {noun}{'s' * (count != 1)}"
