"""Natural deduction over the facts of a deal, in steps that people follow.

An `Argument` starts from what the events say and applies the rules that players use:

- everyone else said no, asked for the card, or had no room for it, so it must be there;
- a player who asked had another card of the half-suit, and only one is left that it can be;
- counting: these players each had one of these cards, which leaves none for others; or these cards
  can only have been with those players, who then had no room for others;
- suppose the card had been somewhere else, and follow that until it cannot be.

Each conclusion is a `Line` of text with the lines that it rests on, so that only those that lead
to a wanted conclusion are shown. The rules are sound but not complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from itertools import combinations
from typing import NoReturn

from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, Card, CardNames, Seat, half_suit_of
from literature_ai.events import Event
from literature_ai.inference.reasons import (
    Line,
    Reason,
    cite,
    counted,
    dealt,
    denied,
    events_of,
    list_known,
    not_dealt,
    seat_names,
    shown,
    told,
)
from literature_ai.inference.room import Demand, Room, told_demands
from literature_ai.wording import card_names
from solver.problem import (
    Holds,
    HoldsExactly,
    HoldsOneOf,
    Lacks,
    NotLayout,
    Problem,
)


class Impossible(Exception):
    """The facts, or a supposition, are contradictory; ``lines`` are the argument."""

    def __init__(self, lines: list[Line]) -> None:
        super().__init__(lines[-1].text)
        self.lines = lines


class Argument:
    """Draws conclusions from the facts of a problem; ``events`` are those that the facts number."""

    def __init__(self, problem: Problem, events: Sequence[Event], names: CardNames) -> None:
        """``names`` are those of the cards in the deck.

        Raise `Impossible` when two facts contradict each other directly.
        """
        self.hand_sizes = problem.hand_sizes
        self.cards = problem.cards
        self.facts = problem.facts
        self.events = events
        self.names = names
        self.possible = [(1 << problem.seats) - 1] * problem.cards
        """For each card, the seats that it may have been dealt to, as bits."""
        self.placed: dict[Card, Seat] = {}
        self.there: dict[Card, Reason] = {}
        """Why a placed card was dealt where it was."""
        self.elsewhere: dict[tuple[Card, Seat], Reason] = {}
        """Why a card was not dealt to a seat."""
        self.lines: list[Line] = []
        """All conclusions so far, in order."""
        for number, fact in problem.facts:
            if isinstance(fact, Holds):
                self._place(fact.card, fact.seat, shown(number, fact, events, names))
        for number, fact in problem.facts:
            if isinstance(fact, Lacks):
                self._exclude(fact.card, fact.seat, denied(number, fact, events, names))

    def settle(self, settled: Callable[[], bool], doubts: Sequence[tuple[Card, Seat]]) -> bool:
        """Draw conclusions until ``settled()``; False when no more can be drawn.

        ``doubts`` are what to suppose first when no rule applies: cards, and seats that they were
        not dealt to. Raises `Impossible` when the facts cannot all be true.
        """
        while not settled():
            if not (self._advance() or self._suppose(doubts)):
                return False
        return True

    def leading_to(self, last: Iterable[Line | None]) -> list[Line]:
        """The lines that these rest on, themselves included, in the order they were drawn."""
        needed: set[int] = set()
        waiting = [line for line in last if line is not None]
        while waiting:
            line = waiting.pop()
            if id(line) not in needed:
                needed.add(id(line))
                waiting += line.uses
        return [line for line in self.lines if id(line) in needed]

    def _advance(self) -> bool:
        """Draw conclusions, the simplest kind first; False when there are no more."""
        return (
            self._only_seat_left()
            or self._no_choice_left()
            or self._number_reached()
            or self._last_of_a_wrong_claim()
            or self._shared_out()
            or self._no_room_left()
        )

    def _only_seat_left(self) -> bool:
        """A card that nobody else can have had."""
        for card, seats in enumerate(self.possible):
            if card in self.placed or seats & (seats - 1):
                continue
            reasons = [
                self.elsewhere[card, seat]
                for seat in range(len(self.hand_sizes))
                if not seats >> seat & 1
            ]
            said = "; ".join(dict.fromkeys(reason.in_short() for reason in reasons))
            name = self.names[card]
            if not seats:
                self._fail(f"Nobody could then have been dealt {name}: {said}.", reasons)
            seat = seats.bit_length() - 1
            line = self._conclude(f"{name} was dealt to {SEAT_NAMES[seat]}: {said}.", reasons)
            self._place(card, seat, dealt(card, seat, line=line, names=self.names))
            return True
        return False

    def _no_choice_left(self) -> bool:
        """A hand that must have had some of a few cards had them all when there are no more."""
        for demand in self.demands(range(len(self.hand_sizes))):
            if demand.need < len(demand.cards):
                continue
            reasons = [told(demand.number, demand.fact, self.events, self.names)]
            reasons += dict.fromkeys(reason.in_full() for reason in demand.reasons)
            said = "; ".join(reasons)
            if demand.need > len(demand.cards):
                text = f"That leaves too few cards: {said}."
                self._fail(text, demand.reasons, (demand.number,))
            seat = demand.seat
            were = "was" if len(demand.cards) == 1 else "were"
            these = card_names(demand.cards, self.names)
            text = f"{these} {were} dealt to {SEAT_NAMES[seat]}: {said}."
            line = self._conclude(text, demand.reasons, (demand.number,))
            for card in demand.cards:
                self._place(card, seat, dealt(card, seat, line=line, names=self.names))
            return True
        return False

    def _number_reached(self) -> bool:
        """A hand that had exactly so many of a few cards had no more of them."""
        for number, fact in self.facts:
            if not isinstance(fact, HoldsExactly):
                continue
            seat = fact.seat
            have = [card for card in fact.cards if self.placed.get(card) == seat]
            others = self.open_cards(seat, fact.cards)
            if len(have) < fact.count or (len(have) == fact.count and not others):
                continue
            reasons = [self.there[card] for card in have]
            said = told(number, fact, self.events, self.names)
            if have:
                said += f"; {SEAT_NAMES[seat]} had {list_known(have, self.there, self.names)}"
            if len(have) > fact.count:
                self._fail(f"That is too many: {said}.", reasons, (number,))
            none = card_names(others, self.names, " or ")
            text = f"{SEAT_NAMES[seat]} was not dealt {none}: {said}."
            line = self._conclude(text, reasons, (number,))
            for card in others:
                self._exclude(card, seat, not_dealt(card, seat, line=line, names=self.names))
            return True
        return False

    def _last_of_a_wrong_claim(self) -> bool:
        """A claim that was wrong although five of its cards lay as claimed."""
        for number, fact in self.facts:
            if not isinstance(fact, NotLayout):
                continue
            claimed = dict(enumerate(fact.holders, start=6 * fact.half_suit))
            right = [card for card, seat in claimed.items() if self.placed.get(card) == seat]
            if len(right) < len(claimed) - 1:
                continue
            said = f"the claim of {HALF_SUIT_NAMES[fact.half_suit]} was wrong ({number})"
            said += f", though {list_known(right, self.there, self.names)} lay as it said"
            reasons = [self.there[card] for card in right]
            if len(right) == len(claimed):
                self._fail(f"That makes the claim right, but {said}.", reasons, (number,))
            ((card, seat),) = (place for place in claimed.items() if place[0] not in right)
            if self.possible[card] >> seat & 1:
                text = f"{self.names[card]} was not dealt to {SEAT_NAMES[seat]}: {said}."
                line = self._conclude(text, reasons, (number,))
                self._exclude(card, seat, not_dealt(card, seat, line=line, names=self.names))
                return True
        return False

    def _shared_out(self) -> bool:
        """Seats that each must have had some of a few cards leave none of them to others."""
        everyone = range(len(self.hand_sizes))
        of_half_suit: dict[int, list[Demand]] = {}
        for demand in self.demands(everyone):
            of_half_suit.setdefault(half_suit_of(demand.cards[0]), []).append(demand)
        for demands in of_half_suit.values():
            for size in range(2, len(demands) + 1):
                for some in combinations(demands, size):
                    if len({demand.seat for demand in some}) == size and self._share(some):
                        return True
        return False

    def _share(self, demands: Sequence[Demand]) -> bool:
        shared = sorted({card for demand in demands for card in demand.cards})
        need = sum(demand.need for demand in demands)
        if need < len(shared):
            return False
        wanted = {(card, demand.seat) for demand in demands for card in demand.cards}
        ruled_out = [
            (card, seat)
            for card in shared
            for seat in range(len(self.hand_sizes))
            if self.possible[card] >> seat & 1 and (card, seat) not in wanted
        ]
        reasons = [reason for demand in demands for reason in demand.reasons]
        numbers = [demand.number for demand in demands]
        said = f"Counting: {told_demands(demands, self.names)}"
        if need > len(shared):
            self._fail(f"{said}: too few cards for so many.", reasons, numbers, counting=True)
        if not ruled_out:
            return False
        line = self._conclude(f"{said}, which leaves none.", reasons, numbers, counting=True)
        who = seat_names(sorted(demand.seat for demand in demands), "or")
        for card, seat in ruled_out:
            reason = Reason(f"it was with {who}", f"{self.names[card]} was with {who}", line=line)
            self._exclude(card, seat, reason)
        return True

    def _no_room_left(self) -> bool:
        """Seats whose hands are filled by known demands have no other cards; small sets of seats
        come first."""
        everyone = range(len(self.hand_sizes))
        sizes = sorted(range(1, len(everyone)), key=lambda size: min(size, len(everyone) - size))
        for size in sizes:
            for seats in combinations(everyone, size):
                if self._fill(seats):
                    return True
        return False

    def _fill(self, seats: tuple[Seat, ...]) -> bool:
        room = Room.of(self, seats)
        if room.taken < room.places:
            return False
        if room.taken > room.places:
            said = f"Counting: {room.told()}, but {room.takers()}."
            self._fail(said, room.reasons(), room.numbers(), counting=True)
        if not room.ruled_out:
            return False
        outside = [seat for seat in range(len(self.hand_sizes)) if seat not in seats]
        if len(outside) == 1 and not room.demands:
            self._need_the_rest(outside[0], room)
            return True
        who, hand = seat_names(seats), sum(self.hand_sizes[seat] for seat in seats)
        if room.places:
            short = f"{who} had no room for it"
            full = f"{who} had no room for {{}}"
            text = f"Counting: {room.told()}, and {room.takers()}."
        elif len(seats) == 1:
            short = full = f"{who}'s {counted(hand, 'card')} are all known"
            text = f"{short}: {list_known(room.known, self.there, self.names)}."
        else:
            short = full = f"the {counted(hand, 'card')} of {who} are all known"
            text = f"Counting: {short}: {list_known(room.known, self.there, self.names)}."
        counting = room.places > 0 or len(seats) > 1
        line = self._conclude(text, room.reasons(), room.numbers(), counting)
        for card, seat in room.ruled_out:
            reason = Reason(short, full.format(self.names[card]), line=line)
            self._exclude(card, seat, reason)
        return True

    def _need_the_rest(self, seat: Seat, others: Room) -> None:
        """The hands of all others are full, so the cards that they cannot have are this seat's."""
        rest = sorted({card for card, _ in others.ruled_out})
        own = [card for card, holder in self.placed.items() if holder == seat]
        besides = f" besides {list_known(own, self.there, self.names)}" if own else ""
        reasons = others.reasons() + [self.there[card] for card in own]
        text = f"Counting: {SEAT_NAMES[seat]} was dealt {counted(self.hand_sizes[seat], 'card')},"
        text += f" so {card_names(rest, self.names)} too{besides}:"
        text += " every other card was dealt to somebody else"
        line = self._conclude(f"{text}{cite(events_of(reasons))}.", reasons, counting=True)
        for card in rest:
            self._place(card, seat, dealt(card, seat, line=line, names=self.names))

    def demands(self, seats: Sequence[Seat]) -> list[Demand]:
        """What the seats must have been dealt besides known cards, tightest first."""
        demands = []
        for number, fact in self.facts:
            if not isinstance(fact, HoldsOneOf | HoldsExactly) or fact.seat not in seats:
                continue
            have = [card for card in fact.cards if self.placed.get(card) == fact.seat]
            need = (fact.count if isinstance(fact, HoldsExactly) else 1) - len(have)
            if need > 0:
                cards = self.open_cards(fact.seat, fact.cards)
                reasons = [self.there[card] for card in have]
                reasons += [
                    self.elsewhere[card, fact.seat]
                    for card in fact.cards
                    if card not in cards and card not in have
                ]
                demands.append(Demand(number, fact, need, cards, reasons))
        return sorted(demands, key=lambda demand: len(demand.cards) - demand.need)

    def _suppose(self, doubts: Sequence[tuple[Card, Seat]]) -> bool:
        """Proof by contradiction: suppose that a card was dealt to a seat and derive a
        contradiction. Of several such suppositions, the one with the shortest argument is kept.
        """
        everywhere = [
            (card, seat) for seat in range(len(self.hand_sizes)) for card in range(self.cards)
        ]
        for places in (doubts, everywhere):
            refuted = [
                (len(refutation), card, seat, refutation)
                for card, seat in places
                if card not in self.placed
                and self.possible[card] >> seat & 1
                and (refutation := self._refute(card, seat))
            ]
            if refuted:
                _, card, seat, refutation = min(refuted, key=lambda option: option[:3])
                self._conclude_refuted(card, seat, refutation)
                return True
        return False

    def _refute(self, card: Card, seat: Seat) -> list[Line]:
        """The lines from the supposition to a contradiction; none if there is no contradiction."""
        trial = copy(self)
        trial.possible = self.possible.copy()
        trial.placed = self.placed.copy()
        trial.there = self.there.copy()
        trial.elsewhere = self.elsewhere.copy()
        trial.lines = []
        supposed = Reason(
            f"it is supposed to be {SEAT_NAMES[seat]}'s",
            f"{self.names[card]} is supposed to be {SEAT_NAMES[seat]}'s",
        )
        try:
            trial._place(card, seat, supposed)
            while trial._advance():
                pass
        except Impossible as impossible:
            return impossible.lines
        return []

    def _conclude_refuted(self, card: Card, seat: Seat, refutation: list[Line]) -> None:
        name, who = self.names[card], SEAT_NAMES[seat]
        inner = set(map(id, refutation))
        line = Line(
            f"Suppose {name} had been dealt to {who}.",
            (),
            tuple(use for step in refutation for use in step.uses if id(use) not in inner),
            supposed=tuple(refutation),
            conclusion=f"That cannot be, so {name} was not dealt to {who}.",
        )
        self.lines.append(line)
        self._exclude(card, seat, not_dealt(card, seat, line=line, names=self.names))

    def _place(self, card: Card, seat: Seat, reason: Reason) -> None:
        if card in self.placed:
            if self.placed[card] != seat:
                self._contradict(self.there[card], reason)
            return
        self.placed[card] = seat
        self.there[card] = reason
        gone = Reason(
            f"it was {SEAT_NAMES[seat]}'s",
            f"{self.names[card]} was {SEAT_NAMES[seat]}'s",
            reason.events,
            reason.line,
        )
        for other in range(len(self.hand_sizes)):
            if other != seat:
                self._exclude(card, other, gone)

    def _exclude(self, card: Card, seat: Seat, reason: Reason) -> None:
        if self.placed.get(card) == seat:
            self._contradict(self.there[card], reason)
        if self.possible[card] >> seat & 1:
            self.possible[card] &= ~(1 << seat)
            self.elsewhere[card, seat] = reason

    def _contradict(self, one: Reason, other: Reason) -> NoReturn:
        both = f"{one.in_full()}, but {other.in_full()}"
        self._fail(f"Both cannot be: {both}.", [one, other])

    def _conclude(
        self,
        text: str,
        reasons: Iterable[Reason],
        numbers: Iterable[int] = (),
        counting: bool = False,
    ) -> Line:
        reasons = list(reasons)
        uses = {id(reason.line): reason.line for reason in reasons if reason.line is not None}
        line = Line(text, events_of(reasons, numbers), tuple(uses.values()), counting)
        self.lines.append(line)
        return line

    def _fail(
        self,
        text: str,
        reasons: Iterable[Reason],
        numbers: Iterable[int] = (),
        counting: bool = False,
    ) -> NoReturn:
        line = self._conclude(text, reasons, numbers, counting)
        raise Impossible(self.leading_to([line]))

    def open_cards(self, seat: Seat, cards: Iterable[Card]) -> list[Card]:
        """Those of the cards that may have been dealt to the seat, but need not."""
        return [
            card for card in cards if card not in self.placed and self.possible[card] >> seat & 1
        ]
