"""What a player decides (actions), and what everyone at the table sees of it (events)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from literature_ai.cards import Card, HalfSuit, Seat


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask an opponent for a card."""

    target: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Claim:
    """Claim a half-suit: ``holders`` are the seats of its six cards, in card order."""

    half_suit: HalfSuit
    holders: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """Hand the turn to a teammate."""

    to: Seat


Action: TypeAlias = Ask | Claim | Pass


@dataclass(frozen=True, slots=True)
class Asked:
    """An ask and its answer."""

    asker: Seat
    target: Seat
    card: Card
    hit: bool


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim and its verdict."""

    claimant: Seat
    half_suit: HalfSuit
    holders: tuple[Seat, ...]
    right: bool
    shown: tuple[Seat, ...] | None
    """Who really held the six cards, in card order; None when the rule ``wrong-hides`` hid it."""
    lost: tuple[int, ...] | None = None
    """How many of the six each seat lost, one number a seat; None where ``shown`` tells it."""


@dataclass(frozen=True, slots=True)
class Passed:
    """The turn was handed to a teammate."""

    giver: Seat
    to: Seat


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The seat on turn did not act in time and lost the turn."""

    seat: Seat


Event: TypeAlias = Asked | Claimed | Passed | TimedOut
