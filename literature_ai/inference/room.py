"""Counting arguments: what seats must have been dealt, and how much room remains in their hands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from literature_ai.cards import SEAT_NAMES, Card, CardNames, Seat
from literature_ai.inference.reasons import (
    Reason,
    cite,
    counted,
    events_of,
    list_known,
    number_word,
    seat_names,
)
from literature_ai.wording import card_names
from solver.problem import HoldsExactly, HoldsOneOf

if TYPE_CHECKING:
    from literature_ai.inference.argument import Argument


@dataclass(frozen=True)
class Demand:
    """By the fact of the event of this number, its seat was dealt ``need`` of these open cards."""

    number: int
    fact: HoldsOneOf | HoldsExactly
    need: int
    cards: list[Card]
    reasons: list[Reason]
    """Why it is not about the other cards that the fact names."""

    @property
    def seat(self) -> Seat:
        """The seat that the fact is about."""
        return self.fact.seat


@dataclass(frozen=True)
class Room:
    """How many cards some seats had room for at the deal, and which cards fill it."""

    argument: Argument
    seats: tuple[Seat, ...]
    known: list[Card]
    """The cards that are known to have been theirs."""
    confined: list[Card]
    """The cards that must have been dealt to one of these seats, but to an unknown one."""
    demands: list[Demand]
    """Demands of these seats for further cards; no card counts for two demands of a seat."""

    @classmethod
    def of(cls, argument: Argument, seats: tuple[Seat, ...]) -> Room:
        """The room of these seats at the current point of the argument."""
        inside = sum(1 << seat for seat in seats)
        confined = [
            card
            for card, possible in enumerate(argument.possible)
            if card not in argument.placed and not possible & ~inside
        ]
        demands: list[Demand] = []
        counted = {(card, seat) for card in confined for seat in seats}
        for demand in argument.demands(seats):
            places = {(card, demand.seat) for card in demand.cards}
            if counted.isdisjoint(places):
                counted |= places
                demands.append(demand)
        known = [card for card, seat in argument.placed.items() if inside >> seat & 1]
        return cls(argument, seats, known, confined, demands)

    @property
    def names(self) -> CardNames:
        """The names of the cards."""
        return self.argument.names

    @property
    def places(self) -> int:
        """How many cards besides the known ones the seats were dealt."""
        return sum(self.argument.hand_sizes[seat] for seat in self.seats) - len(self.known)

    @property
    def taken(self) -> int:
        """How many of these places are filled by cards that must be there."""
        return len(self.confined) + sum(demand.need for demand in self.demands)

    @property
    def ruled_out(self) -> list[tuple[Card, Seat]]:
        """What the seats cannot have been dealt when all places are filled."""
        wanted = {(card, demand.seat) for demand in self.demands for card in demand.cards}
        return [
            (card, seat)
            for seat in self.seats
            for card in self.argument.open_cards(seat, range(self.argument.cards))
            if card not in self.confined and (card, seat) not in wanted
        ]

    def reasons(self) -> list[Reason]:
        """Why the cards are known or confined to the seats, and why the demands are as they are."""
        known = [self.argument.there[card] for card in self.known]
        return known + self._against_others() + [r for d in self.demands for r in d.reasons]

    def _against_others(self) -> list[Reason]:
        """Why nobody else was dealt the confined cards."""
        everyone = range(len(self.argument.hand_sizes))
        outside = [seat for seat in everyone if seat not in self.seats]
        return [self.argument.elsewhere[card, s] for card in self.confined for s in outside]

    def numbers(self) -> list[int]:
        """The events of the demands."""
        return [demand.number for demand in self.demands]

    def told(self) -> str:
        """How much room there was."""
        besides = (
            f" besides {list_known(self.known, self.argument.there, self.names)}"
            if self.known
            else ""
        )
        return f"{seat_names(self.seats)} had room for {counted(self.places, 'card')}{besides}"

    def takers(self) -> str:
        """Which cards fill the room, in words."""
        said = []
        if self.confined:
            because = cite(events_of(self._against_others()))
            said.append(
                f"{card_names(self.confined, self.names)} can only have been there{because}"
            )
        if self.demands:
            said.append(told_demands(self.demands, self.names))
        return " and ".join(said)


def told_demands(demands: Iterable[Demand], names: CardNames) -> str:
    """What each seat had, one after another."""
    said: dict[Seat, list[str]] = {}
    for demand in demands:
        because = cite(events_of(demand.reasons, [demand.number]))
        some = f"{number_word(demand.need)} of {card_names(demand.cards, names)}{because}"
        said.setdefault(demand.seat, []).append(some)
    return ", ".join(f"{SEAT_NAMES[seat]} had {' and '.join(some)}" for seat, some in said.items())
