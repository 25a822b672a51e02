"""Public facts: which cards moved in the open, and what each event says of the deal.

`PublicFacts` is the part of all knowledge that does not depend on the seat. It is immutable; the
next event leads to another one, which is remembered. So a game in which every seat observes an
event reads it once and not once a seat.

An event adds facts about the deal (`solver.problem`), and only new ones: a card that moved in the
open is where everyone saw it go, so later events say nothing more about it.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, TypeVar

from literature_ai.cards import Card, HalfSuit, Seat, cards_of, half_suit_of, name, seat_name
from literature_ai.errors import LiteratureError, shown
from literature_ai.events import Asked, Claimed, Event, Passed, TimedOut
from literature_ai.rules import RuleSet
from solver.counting import GONE, UNMOVED
from solver.problem import Fact, Holds, HoldsExactly, HoldsOneOf, Lacks, NotLayout

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

T = TypeVar("T")

NOWHERE = GONE
"""The place of a card that is out of play."""

# There are few different facts, and each is made many times over, in every game.
holds, lacks, _one_of = cache(Holds), cache(Lacks), cache(HoldsOneOf)


@cache
def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    return tuple(other for other in cards if other != card)


class PublicFacts:
    """What everyone has seen up to an event. Immutable."""

    __slots__ = (
        "_dealt_to",
        "_in_the_open",
        "_next",
        "_unmoved",
        "clash",
        "clashes_with",
        "events",
        "in_play",
        "moved",
        "moved_by",
        "moved_to",
        "rules",
        "said",
    )

    rules: RuleSet
    events: int
    """How many there were."""
    in_play: tuple[HalfSuit, ...]
    moved_to: dict[Card, Seat]
    """Where the cards are that moved in the open; `NOWHERE` if they left play."""
    moved: npt.NDArray[np.int64]
    """The same as an array, for the counting engine."""
    moved_by: dict[Card, int]
    """The number of the event that moved the card last."""
    said: list[tuple[int, Fact]]
    """What the last event says of the deal, each fact with the event's number."""
    clash: str
    """Why the last event cannot have happened after what was seen before; empty when it can."""
    clashes_with: int
    """The event that it contradicts."""
    _dealt_to: dict[Card, Seat]
    _unmoved: tuple[tuple[Card, ...], ...]
    """For each half-suit: the cards that are where they were dealt."""
    _in_the_open: tuple[tuple[int, ...], ...]
    """For each half-suit and seat: how many cards the seat has that moved in the open."""
    _next: tuple[Event, PublicFacts] | None
    """The event that was observed last, and what it led to."""

    def __getstate__(self) -> tuple[None, dict[str, object]]:
        """Everything but what later events led to."""
        state = {attribute: getattr(self, attribute) for attribute in self.__slots__}
        return None, state | {"_next": None}

    def observed(self, event: Event) -> PublicFacts:
        """What everyone has seen after one more event. Raises LiteratureError for no event."""
        known = self._next
        if known is not None and known[0] is event:
            return known[1]
        after = PublicFacts.__new__(PublicFacts)
        after.rules = self.rules
        after.events = self.events + 1
        after.in_play = self.in_play
        after.moved_to, after.moved, after.moved_by = self.moved_to, self.moved, self.moved_by
        after.said = []
        after.clash, after.clashes_with = "", 0
        after._dealt_to = self._dealt_to
        after._unmoved, after._in_the_open = self._unmoved, self._in_the_open
        after._next = None
        if isinstance(event, Asked):
            after._see_ask(event)
        elif isinstance(event, Claimed):
            after._see_claim(event)
        elif not isinstance(event, Passed | TimedOut):
            raise LiteratureError(
                f"{shown(event)} is no event; it must be what `Game.apply` returns"
            )
        self._next = event, after
        return after

    def _say(self, fact: Fact) -> None:
        self.said.append((self.events, fact))

    def _see_ask(self, event: Asked) -> None:
        asker, target, asked, hit = event.asker, event.target, event.card, event.hit
        half_suit = half_suit_of(asked)
        bluffs = self.rules.bluff_asks
        if not self._in_the_open[half_suit][asker]:
            unmoved = self._unmoved[half_suit]
            self._say(_one_of(asker, unmoved if bluffs else _without(unmoved, asked)))
        place = self.moved_to.get(asked)
        if place is None:
            if hit or not bluffs:
                self._say(lacks(asker, asked))
            self._say(holds(target, asked) if hit else lacks(target, asked))
        elif (place == target) != hit or (place == asker and not bluffs):
            self._contradict(asked, f"so event {self.events} cannot be true")
            return
        if not hit:
            return
        in_the_open = list(self._in_the_open[half_suit])
        if place is None:
            self._dealt_to = {**self._dealt_to, asked: target}
            unmoved = _without(self._unmoved[half_suit], asked)
            self._unmoved = _replaced(self._unmoved, half_suit, unmoved)
        else:
            in_the_open[target] -= 1
        in_the_open[asker] += 1
        self._in_the_open = _replaced(self._in_the_open, half_suit, tuple(in_the_open))
        self.moved = self.moved.copy()
        self.moved[asked] = asker
        self.moved_to = {**self.moved_to, asked: asker}
        self.moved_by = {**self.moved_by, asked: self.events}

    def _see_claim(self, event: Claimed) -> None:
        half_suit = event.half_suit
        cards = cards_of(half_suit)
        shown = event.shown or (event.holders if event.right else None)
        if shown is not None:
            for card, seat in zip(cards, shown, strict=True):
                place = self.moved_to.get(card)
                if place is None:
                    self._say(holds(seat, card))
                elif place != seat:
                    shows = f"so event {self.events} cannot have shown it at {seat_name(seat)}"
                    self._contradict(card, shows)
                    return
        else:
            self._see_hidden_claim(event)
        self.in_play = tuple(other for other in self.in_play if other != half_suit)
        self.moved = self.moved.copy()
        self.moved[list(cards)] = NOWHERE
        self.moved_to = {**self.moved_to, **dict.fromkeys(cards, NOWHERE)}
        self.moved_by = {**self.moved_by, **dict.fromkeys(cards, self.events)}

    def _see_hidden_claim(self, event: Claimed) -> None:
        half_suit = event.half_suit
        unmoved = self._unmoved[half_suit]
        for seat, lost in enumerate(event.lost or ()):
            rest = lost - self._in_the_open[half_suit][seat]
            self._say(HoldsExactly(seat, unmoved, rest))
        claimed = dict(zip(cards_of(half_suit), event.holders, strict=True))
        if all(self.moved_to.get(card, seat) == seat for card, seat in claimed.items()):
            dealt = tuple(self._dealt_to.get(card, seat) for card, seat in claimed.items())
            self._say(NotLayout(half_suit, dealt))

    def _contradict(self, card: Card, so: str) -> None:
        """The event contradicts what everyone saw of the card."""
        place, since = self.moved_to[card], self.moved_by[card]
        seen = "has been out of play" if place == NOWHERE else f"has been with {seat_name(place)}"
        self.clash = f"{name(card, self.rules.card_names)} {seen} since event {since}, {so}"
        self.clashes_with = since


@lru_cache(maxsize=32)
def facts_before_play(rules: RuleSet) -> PublicFacts:
    """What everyone has seen before the first event."""
    import numpy as np

    seen = PublicFacts.__new__(PublicFacts)
    seen.rules = rules
    seen.events = 0
    seen.in_play = tuple(range(rules.half_suits))
    seen.moved_to, seen.moved_by, seen._dealt_to = {}, {}, {}
    seen.moved = np.full(rules.cards, UNMOVED, np.int64)
    seen.said = []
    seen.clash, seen.clashes_with = "", 0
    seen._unmoved = tuple(tuple(cards_of(half_suit)) for half_suit in seen.in_play)
    seen._in_the_open = ((0,) * rules.players,) * rules.half_suits
    seen._next = None
    return seen


def _replaced(items: tuple[T, ...], i: int, item: T) -> tuple[T, ...]:
    return (*items[:i], item, *items[i + 1 :])
