"""Actions, which players choose, and events, their public results.

All of them are immutable; ``holders`` and ``shown`` are six seats in card order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self, TypeAlias

from literature_ai.cards import Card, HalfSuit, Seat


class _Immutable:
    """A base of immutable objects: a copy, deep or not, is the object itself; pickles are small."""

    __slots__: tuple[str, ...] = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), tuple([getattr(self, name) for name in self.__slots__])


@dataclass(frozen=True, slots=True)
class Ask(_Immutable):
    """Ask an opponent for a card."""

    target: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Claim(_Immutable):
    """Claim a half-suit: ``holders`` are the seats of its six cards, in card order."""

    half_suit: HalfSuit
    holders: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Pass(_Immutable):
    """Pass the turn to a teammate, or to an opponent who must claim what is left."""

    to: Seat


Action: TypeAlias = Ask | Claim | Pass


@dataclass(frozen=True, slots=True)
class Asked(_Immutable):
    """An ask and its answer."""

    asker: Seat
    target: Seat
    card: Card
    hit: bool


@dataclass(frozen=True, slots=True)
class Claimed(_Immutable):
    """A claim, and whether it was right."""

    claimant: Seat
    half_suit: HalfSuit
    holders: tuple[Seat, ...]
    right: bool
    shown: tuple[Seat, ...] | None
    """Who held the six cards; None when the rule ``wrong-hides`` keeps it secret."""
    lost: tuple[int, ...] | None = None
    """How many of the six cards each seat lost; None unless ``shown`` is None."""

    def losses(self, players: int) -> tuple[int, ...]:
        """How many of the six cards each seat lost, whether or not they were shown."""
        if self.lost is not None:
            return self.lost
        assert self.shown is not None, "a claim shows the cards or tells how many each seat lost"
        return tuple(map(self.shown.count, range(players)))


@dataclass(frozen=True, slots=True)
class Passed(_Immutable):
    """The turn was passed."""

    giver: Seat
    to: Seat


@dataclass(frozen=True, slots=True)
class TimedOut(_Immutable):
    """The seat on turn did not act in time and lost the turn."""

    seat: Seat


Event: TypeAlias = Asked | Claimed | Passed | TimedOut


def actor_of(event: Event) -> Seat:
    """The seat whose decision led to the event."""
    match event:
        case Asked(seat) | Claimed(seat) | Passed(seat) | TimedOut(seat):
            return seat


def action_of(event: Event) -> Action | TimedOut:
    """The decision that led to the event; a timeout is its own."""
    match event:
        case Asked(_, target, card):
            return Ask(target, card)
        case Claimed(_, half_suit, holders):
            return Claim(half_suit, holders)
        case Passed(_, to):
            return Pass(to)
        case TimedOut():
            return event
