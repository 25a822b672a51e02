"""Whether the lines of a record agree with the rules and with each other, line by line.

With all hands given every answer and every verdict can be checked. With some of them, or none, each
line is held against what others say directly: a hand, a card that moved in the open, a no. What
only follows from several lines together is left to `literature_ai.inference.knowledge`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from literature_ai.cards import (
    HALF_SUIT_NAMES,
    HALF_SUIT_SIZE,
    SEAT_NAMES,
    Card,
    HalfSuit,
    Seat,
    cards_of,
)
from literature_ai.events import Asked, Claimed, Event
from literature_ai.game import state as st
from literature_ai.game.masks import cards_in, mask_of
from literature_ai.game.position import Position
from literature_ai.game.violations import in_words
from literature_ai.rules import RuleSet
from literature_ai.wording import card_names, counts, layout

if TYPE_CHECKING:
    from literature_ai.records.record import Record

_CURE = "correct this line or an earlier one"
_HALF_SUIT = (1 << HALF_SUIT_SIZE) - 1


class Objection(NamedTuple):
    """Why an event cannot be the next, or a hand no part of the deal."""

    what: str
    """What is wrong."""
    cure: str
    """What would be right."""
    rule: str = ""
    """The rule broken; empty when it is against the hands or against what was seen."""
    by_hand: str = ""
    """The rule broken going by the cards in hand."""


class Consistency:
    """A record up to an event: the position, and for every seat the cards that it certainly has
    now, and those that it may have."""

    def __init__(
        self, rules: RuleSet, start: Seat, hands: Sequence[tuple[Card, ...] | None]
    ) -> None:
        """At the deal; ``hands`` has None for a seat whose hand is not known."""
        self.position = Position(rules, start)
        self.rules = rules
        self._state = st.new_state(rules, 0)
        self._events = 0
        self._in_play = deck = (1 << rules.cards) - 1
        given = mask_of([card for hand in hands if hand is not None for card in hand])
        self._held = [0 if hand is None else mask_of(hand) for hand in hands]
        self._possible = [
            deck & ~given if hand is None else held
            for hand, held in zip(hands, self._held, strict=True)
        ]
        self._complete = None not in hands
        if hands.count(None) == 1:  # one hand missing: it is the rest of the deck
            self._held = self._possible.copy()
        self._had: dict[Card, tuple[Seat, str]] = {
            card: (seat, f"{SEAT_NAMES[seat]} was dealt it")
            for seat, held in enumerate(self._held)
            for card in cards_in(held)
        }
        """Who has a card that has been seen, and why."""
        self._lacked: dict[tuple[Seat, Card], str] = {}
        """Why a seat does not have a card whose holder has not been seen."""

    @classmethod
    def of(cls, record: Record) -> Consistency:
        """After the last event of a record that is consistent."""
        consistency = cls(record.rules, record.start, record.hands)
        for event in record.events:
            objection = consistency.follow(event)
            assert objection is None, objection
        return consistency

    def lost(self, half_suit: HalfSuit) -> tuple[int, ...] | None:
        """How many cards of the half-suit each seat has; None unless all hands are given."""
        if not self._complete:
            return None
        return tuple((held >> half_suit * 6 & _HALF_SUIT).bit_count() for held in self._held)

    def located(self, half_suit: HalfSuit) -> tuple[Seat, ...] | None:
        """Who has the six cards, in card order; None unless the holders of all are known."""
        had = [self._had[card][0] for card in cards_of(half_suit) if card in self._had]
        return tuple(had) if len(had) == HALF_SUIT_SIZE else None

    def follow(self, event: Event) -> Objection | None:
        """Follow the next event, or say why it cannot be the next.

        After an objection the object is of no further use.
        """
        broken = self.position.violation(event)
        # If a hand loses too many cards, the known hands give a better reason than its size.
        if broken is None or broken.rule == "lost-more":
            objection = self._contradiction(event)
            if objection is not None:
                return objection
        if broken is not None:
            return Objection(broken.what, broken.cure, broken.rule)
        self.position.follow(event)
        self._move_cards(event)
        return self._misplaced()

    def _contradiction(self, event: Event) -> Objection | None:
        """Why the event, legal as far as everyone can see, cannot be the next one."""
        match event:
            case Asked():
                return self._contradicts_ask(event)
            case Claimed():
                return self._contradicts_claim(event)
        return None

    def _move_cards(self, event: Event) -> None:
        self._events += 1
        match event:
            case Asked(asker, target, card, hit):
                if hit:
                    self._move(card, asker)
                else:
                    self._lack(target, card, f"{SEAT_NAMES[target]} said no")
                    if not self.rules.bluff_asks:
                        self._lack(asker, card, f"{SEAT_NAMES[asker]} asked for it")
            case Claimed(_, half_suit):
                six = _HALF_SUIT << half_suit * 6
                self._in_play &= ~six
                self._held = [held & ~six for held in self._held]
                self._possible = [possible & ~six for possible in self._possible]

    def _misplaced(self) -> Objection | None:
        """What does not fit the hands after the last event."""
        for seat, size in enumerate(self.position.hand_sizes):
            if self._held[seat].bit_count() > size:
                cards = "1 card" if size == 1 else f"{size} cards"
                left = f"{SEAT_NAMES[seat]} is left with {cards}"
                return Objection(f"{left} but still has {self._names(self._held[seat])}", _CURE)
        somewhere = 0
        for possible in self._possible:
            somewhere |= possible
        nowhere = self._in_play & ~somewhere
        if nowhere:
            return Objection(f"nobody can have {self._names(nowhere)} after this", _CURE)
        return None

    def _contradicts_ask(self, event: Asked) -> Objection | None:
        asker, target, card = event.asker, event.target, event.card
        code = st.check_asker(self._state, self._held[asker], self._possible[asker], card)
        if code:
            broken = in_words(self._state, code, self.rules.card_names, asker, target, card)
            return Objection(broken.what, broken.cure, by_hand=broken.rule)
        if event.hit and not self._possible[target] >> card & 1:
            return Objection(
                self._cannot_have(target, card), "write miss, or correct what came before"
            )
        if not event.hit and self._held[target] >> card & 1:
            return Objection(
                f"{SEAT_NAMES[target]} has {self.rules.card_names[card]}: {self._had[card][1]}",
                "write hit, or correct what came before",
            )
        return None

    def _contradicts_claim(self, event: Claimed) -> Objection | None:
        half_suit = event.half_suit
        cards = cards_of(half_suit)
        if event.shown is None:
            assert event.lost is not None
            fits = False
            for placed in self._layouts(half_suit, event.lost):
                if placed != event.holders:
                    return None
                fits = True
            return Objection(
                f"no wrong claim of {HALF_SUIT_NAMES[half_suit]} can have cost the hands so many "
                "cards each",
                "write right" if fits else self._true_verdict(event),
            )
        for seat, card in zip(event.shown, cards, strict=True):
            if not self._possible[seat] >> card & 1:
                return Objection(self._cannot_have(seat, card), self._true_verdict(event))
        return None

    def _true_verdict(self, event: Claimed) -> str:
        """What the verdict on the claim must be, where that is known."""
        holders = self.located(event.half_suit)
        if holders is None:
            return _CURE
        if holders == event.holders:
            return "write right"
        if self.rules.wrong_hides:
            words = counts([holders.count(seat) for seat in range(self.rules.players)])
        else:
            words = layout(event.half_suit, holders, self.rules.card_names)
        return f"write wrong {words}"

    def _layouts(self, half_suit: HalfSuit, lost: Sequence[int]) -> Iterator[tuple[Seat, ...]]:
        """The ways to place the six cards so that each seat has as many as it lost."""

        def place(placed: tuple[Seat, ...], left: tuple[int, ...]) -> Iterator[tuple[Seat, ...]]:
            if len(placed) == HALF_SUIT_SIZE:
                yield placed
                return
            card = half_suit * HALF_SUIT_SIZE + len(placed)
            for seat, count in enumerate(left):
                if count and self._possible[seat] >> card & 1:
                    rest = (*left[:seat], count - 1, *left[seat + 1 :])
                    yield from place((*placed, seat), rest)

        return place((), tuple(lost))

    def _cannot_have(self, seat: Seat, card: Card) -> str:
        if card in self._had:
            reason = self._had[card][1]
        else:
            reason = self._lacked.get((seat, card), f"{SEAT_NAMES[seat]} was not dealt it")
        return f"{SEAT_NAMES[seat]} cannot have {self.rules.card_names[card]}: {reason}"

    def _names(self, mask: int) -> str:
        return card_names(cards_in(mask), self.rules.card_names)

    def _move(self, card: Card, to: Seat) -> None:
        bit = 1 << card
        for seat in range(self.rules.players):
            self._held[seat] &= ~bit
            self._possible[seat] &= ~bit
        self._held[to] |= bit
        self._possible[to] |= bit
        self._had[card] = to, f"{SEAT_NAMES[to]} took it in event {self._events}"

    def _lack(self, seat: Seat, card: Card, reason: str) -> None:
        if self._possible[seat] >> card & 1:
            self._possible[seat] ^= 1 << card
            self._lacked[seat, card] = f"{reason} in event {self._events}"


def hand_objection(
    rules: RuleSet, seat: Seat, hand: Sequence[Card], dealt: dict[Card, Seat]
) -> Objection | None:
    """Why the seat cannot have been dealt the hand, beside the cards that were dealt already.

    The cards of the hand are added to ``dealt``.
    """
    for card in hand:
        if card in dealt:
            return Objection(
                f"{rules.card_names[card]} is in the hand of {SEAT_NAMES[dealt[card]]} already",
                "name each card once",
            )
        dealt[card] = seat
    if len(hand) != rules.hand_size:
        return Objection(
            f"the hand has {len(hand)} card{'s' * (len(hand) != 1)}",
            f"name the {rules.hand_size} cards that each of {rules.players} players is dealt",
        )
    if max(hand) >= rules.cards:
        return Objection(f"there is no card {max(hand)}", f"cards are 0 to {rules.cards - 1}")
    return None
