"""What one seat, or everyone, can know of a game: events in, facts and probabilities out.

`Knowledge` keeps two things: the facts about the deal (`solver.Problem`, which only grows), and the
cards that moved in the open, whose place is known for good. Every other card is still where it was
dealt, so what holds of the deal holds of the table.

Certainty is sound and complete: a card is certain just when it is at the same seat in every deal
that fits all events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from literature_ai.cards import (
    HALF_SUIT_SIZE,
    Card,
    HalfSuit,
    Seat,
    Team,
    cards_of,
    half_suit_of,
    name,
    seat_name,
    team_of,
)
from literature_ai.errors import LiteratureError
from literature_ai.events import Asked, Claim, Claimed, Event
from literature_ai.rules import RuleSet
from solver.counting import GONE, UNMOVED, Counting
from solver.problem import (
    OWN_HAND,
    ContradictionError,
    Holds,
    HoldsExactly,
    HoldsOneOf,
    Lacks,
    NotLayout,
    Problem,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from solver.sat import Sat

    Weights = npt.NDArray[np.float64]

NOWHERE = GONE
"""The place of a card that has left play."""


_ALL_SIX = b"\1" * HALF_SUIT_SIZE
"""Six truths as numpy stores them."""

# There are few different facts, and each is made many times over: by six seats, in every game.
_holds, _lacks, _one_of = cache(Holds), cache(Lacks), cache(HoldsOneOf)


@cache
def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    return tuple(other for other in cards if other != card)


@dataclass(frozen=True, slots=True)
class BestClaim:
    """The most likely layout of a half-suit among the seats that a claim may name."""

    half_suit: HalfSuit
    holders: tuple[Seat, ...]
    """Who holds the six cards now, in card order."""
    probability: float
    """That this layout is right, exactly."""
    certain: bool
    held: float
    """The probability that those seats hold all six cards, in whatever layout."""


class Knowledge:
    """What a seat that was dealt ``hand`` knows; without a seat, what everyone knows.

    Raises LiteratureError when the hand does not fit the rules. Queries raise `ContradictionError`,
    with a smallest set of events that cannot all be true, when there is no deal left.
    """

    def __init__(
        self, rules: RuleSet, seat: Seat | None = None, hand: Iterable[Card] | None = None
    ) -> None:
        import numpy as np

        self.rules = rules
        self.seat = seat
        self.problem = Problem(rules.half_suits, (rules.hand_size,) * rules.players)
        self.events = 0
        """The number of events observed."""
        self.in_play: list[HalfSuit] = list(range(rules.half_suits))
        self._moved_to: dict[Card, Seat] = {}
        self._moved = np.full(rules.cards, UNMOVED, np.int64)
        """The same as an array, for the counting engine."""
        self._moved_by: dict[Card, int] = {}
        self._dealt_to: dict[Card, Seat] = {}
        self._unmoved = [tuple(cards_of(half_suit)) for half_suit in self.in_play]
        """For each half-suit: the cards that are where they were dealt."""
        self._in_the_open = [[0] * rules.half_suits for _ in range(rules.players)]
        """For each seat and half-suit: how many cards the seat has that moved in the open."""
        self._counting = Counting(self.problem)
        self._sat: Sat | None = None
        self._posterior: npt.NDArray[np.float64] | None = None
        if seat is not None:
            self._see_hand(seat, tuple(hand or ()))
        elif hand is not None:
            raise LiteratureError("a hand needs a seat that holds it")

    def _see_hand(self, seat: Seat, hand: Sequence[Card]) -> None:
        cards = set(hand)
        if not 0 <= seat < self.rules.players:
            raise LiteratureError(f"there is no seat {seat} at a table of {self.rules.players}")
        if len(cards) != len(hand) or not cards <= set(range(self.rules.cards)):
            raise LiteratureError(f"a hand of {self.rules.hand_size} different cards was expected")
        if len(hand) != self.rules.hand_size:
            raise LiteratureError(
                f"{seat_name(seat)} was dealt {self.rules.hand_size} cards, not {len(hand)}"
            )
        self.problem.facts += [
            (OWN_HAND, _holds(seat, card) if card in cards else _lacks(seat, card))
            for card in range(self.rules.cards)
        ]

    def copy(self) -> Knowledge:
        """The same knowledge, to see what would follow if an event happened."""
        twin = Knowledge.__new__(Knowledge)
        twin.rules, twin.seat, twin.events = self.rules, self.seat, self.events
        twin.problem = self.problem.copy()
        twin.in_play = self.in_play.copy()
        twin._moved_to = self._moved_to.copy()
        twin._moved = self._moved.copy()
        twin._moved_by = self._moved_by.copy()
        twin._dealt_to = self._dealt_to.copy()
        twin._unmoved = self._unmoved.copy()
        twin._in_the_open = [counts.copy() for counts in self._in_the_open]
        twin._counting = self._counting.copy(twin.problem)
        twin._sat = None
        twin._posterior = self._posterior
        return twin

    def observe(self, event: Event) -> None:
        """Take in the next event of the game.

        Raises `ContradictionError` when it contradicts what happened in the open, for example a
        "no" to a card that everyone saw going to that seat.
        """
        self.events += 1
        self._posterior = None
        if isinstance(event, Asked):
            self._observe_ask(event)
        elif isinstance(event, Claimed):
            self._observe_claim(event)

    def _observe_ask(self, event: Asked) -> None:
        asker, target, asked, hit = event.asker, event.target, event.card, event.hit
        half_suit = half_suit_of(asked)
        bluffs = self.rules.bluff_asks
        add = self.problem.add
        number = self.events
        if not self._in_the_open[asker][half_suit]:
            unmoved = self._unmoved[half_suit]
            add(number, _one_of(asker, unmoved if bluffs else _without(unmoved, asked)))
        place = self._moved_to.get(asked)
        if place is None:
            if hit or not bluffs:
                add(number, _lacks(asker, asked))
            add(number, _holds(target, asked) if hit else _lacks(target, asked))
        elif (place == target) != hit or (place == asker and not bluffs):
            raise self._clash(asked, f"so event {number} cannot be true")
        if hit:
            if place is None:
                self._dealt_to[asked] = target
                self._unmoved[half_suit] = _without(self._unmoved[half_suit], asked)
            else:
                self._in_the_open[target][half_suit] -= 1
            self._in_the_open[asker][half_suit] += 1
            self._moved_to[asked] = asker
            self._moved[asked] = asker
            self._moved_by[asked] = number

    def _clash(self, card: Card, so: str) -> ContradictionError:
        """The error for an event against what everyone saw of the card."""
        place, since = self._moved_to[card], self._moved_by[card]
        seen = "has been out of play" if place == NOWHERE else f"has been with {seat_name(place)}"
        return ContradictionError(
            f"{name(card)} {seen} since event {since}, {so}", (since, self.events)
        )

    def _observe_claim(self, event: Claimed) -> None:
        self.in_play.remove(event.half_suit)
        cards = cards_of(event.half_suit)
        shown = event.shown or (event.holders if event.right else None)
        if shown is not None:
            for card, seat in zip(cards, shown, strict=True):
                self._locate(card, seat)
        else:
            self._observe_hidden_claim(event)
        for card in cards:
            self._moved_to[card] = NOWHERE
            self._moved[card] = NOWHERE
            self._moved_by[card] = self.events

    def _locate(self, card: Card, seat: Seat) -> None:
        place = self._moved_to.get(card)
        if place is None:
            self.problem.add(self.events, _holds(seat, card))
        elif place != seat:
            raise self._clash(
                card, f"so event {self.events} cannot have shown it at {seat_name(seat)}"
            )

    def _observe_hidden_claim(self, event: Claimed) -> None:
        half_suit = event.half_suit
        unmoved = self._unmoved[half_suit]
        for seat, lost in enumerate(event.lost or ()):
            rest = lost - self._in_the_open[seat][half_suit]
            self.problem.add(self.events, HoldsExactly(seat, unmoved, rest))
        claimed = dict(zip(cards_of(half_suit), event.holders, strict=True))
        if all(self._moved_to.get(card, seat) == seat for card, seat in claimed.items()):
            dealt = tuple(self._dealt_to.get(card, seat) for card, seat in claimed.items())
            self.problem.add(self.events, NotLayout(half_suit, dealt))

    @property
    def sat(self) -> Sat:
        """The SAT engine over the same facts."""
        if self._sat is None:
            from solver.sat import Sat

            self._sat = Sat(self.problem)
        return self._sat

    @property
    def counting(self) -> Counting:
        """The counting engine over the same facts; it speaks of the deal, not of the table."""
        return self._counting

    def place_now(self, card: Card) -> Seat | None:
        """Where a card is that moved in the open, `NOWHERE` if it left play, else None."""
        return self._moved_to.get(card)

    def check(self) -> None:
        """Raise `ContradictionError`, naming the clash, when no deal fits all events."""
        self.deals()

    def deals(self) -> int:
        """The exact number of deals that fit all events."""
        number = self._counting.deals()
        if not number:
            raise self._contradiction()
        return number

    def posterior(self, weights: Weights | None = None) -> npt.NDArray[np.float64]:
        """Where each card is now: cards × seats, probabilities; no entry for cards out of play.

        ``weights`` makes some deals likelier than others (`solver.counting`). The array must not be
        changed.
        """
        if weights is None and self._posterior is not None:
            return self._posterior
        try:
            table = self._counting.posterior(weights, self._moved)
        except ContradictionError as error:
            raise self._contradiction() from error
        table.flags.writeable = False
        if weights is None:
            self._posterior = table
        return table

    def certain(self) -> dict[Card, Seat]:
        """The cards in play whose place is certain, and where they are."""
        cards, seats = (self.posterior() == 1.0).nonzero()
        return dict(zip(cards.tolist(), seats.tolist(), strict=True))

    def possible_seats(self) -> list[int]:
        """For each card: the seats that may have it now, as bits; 0 when it is out of play.

        Decided by SAT. `certain` says the same of cards with one possible seat, by counting.
        """
        seats = list(self.sat.backbone())
        for card, seat in self._moved_to.items():
            seats[card] = 0 if seat == NOWHERE else 1 << seat
        return seats

    def certain_claims(self, team: Team | None = None) -> list[Claim]:
        """The claims that cannot be wrong, of the seat's team unless another is named."""
        if team is None:
            team = None if self.seat is None else team_of(self.seat)
        ours = self._may_name(team)
        table = self.posterior()
        certain = (table.max(axis=1) == 1.0).tobytes()
        claims = []
        for half_suit in self.in_play:
            six = slice(half_suit * HALF_SUIT_SIZE, (half_suit + 1) * HALF_SUIT_SIZE)
            if certain[six] == _ALL_SIX:
                rows = table[six]
                holders = tuple(rows.argmax(axis=1).tolist())
                if all(ours[seat] for seat in holders):
                    claims.append(Claim(half_suit, holders))
        return claims

    def _may_name(self, team: Team | None) -> list[bool]:
        """For each seat, whether a claim of the team may name it; without a team, of either."""
        anyone = self.rules.split_claims or team is None
        return [anyone or team_of(seat) == team for seat in range(self.rules.players)]

    def claims(self, team: Team | None = None, weights: Weights | None = None) -> list[BestClaim]:
        """The best layout of each half-suit in play that may be claimed, likeliest first.

        ``team``: whose claims; default the seat's own. Under ``split-claims`` a claim may name
        anyone.
        """
        if team is None:
            team = None if self.seat is None else team_of(self.seat)
        allowed = self._allowed(self._may_name(team))
        try:
            found = self._counting.claims(allowed, weights)
        except ContradictionError as error:
            raise self._contradiction() from error
        best = []
        for half_suit in self.in_play:
            if found.best[half_suit] == 0.0:
                continue
            dealt = found.layout[half_suit].tolist()
            cards = cards_of(half_suit)
            best.append(
                BestClaim(
                    half_suit,
                    tuple(self._moved_to.get(c, s) for c, s in zip(cards, dealt, strict=True)),
                    float(found.best[half_suit]),
                    bool(found.certain[half_suit]),
                    float(found.held[half_suit]),
                )
            )
        return sorted(best, key=lambda claim: -claim.probability)

    def held(self) -> npt.NDArray[np.float64]:
        """The probability that a team holds all six cards: teams × half-suits; 0 out of play."""
        import numpy as np

        players = range(self.rules.players)
        teams = [self._allowed([team_of(seat) == team for seat in players]) for team in (0, 1)]
        try:
            return self._counting.held(np.array(teams))
        except ContradictionError as error:
            raise self._contradiction() from error

    def _allowed(self, seats: Sequence[bool]) -> npt.NDArray[np.bool_]:
        """Where each card must be, when only these seats are allowed to have any: cards × seats."""
        import numpy as np

        allowed = np.tile(np.array(seats), (self.rules.cards, 1))
        for card, seat in self._moved_to.items():
            allowed[card] = seat != NOWHERE and seats[seat]
        return allowed

    def sample(
        self, rng: np.random.Generator, count: int, weights: Weights | None = None
    ) -> npt.NDArray[np.int8]:
        """Independent exact samples: count × cards, the seat that each card was dealt to."""
        try:
            return self._counting.sample(rng, count, weights)
        except ContradictionError as error:
            raise self._contradiction() from error

    def now(self, deals: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        """Where the cards of such deals are now: the same shape, `NOWHERE` when out of play."""
        table = deals.copy()
        for card, seat in self._moved_to.items():
            table[..., card] = seat
        return table

    def explain(self, card: Card, seat: Seat) -> tuple[int, ...]:
        """The smallest set of events (0: the own hand) that proves where the card is now.

        Raises `solver.explanation.NotForcedError` when it is not certain to be there.
        """
        return self.explain_layout({card: seat})

    def explain_layout(self, layout: Mapping[Card, Seat]) -> tuple[int, ...]:
        """The smallest set of events that proves that all these cards are at these seats now.

        The last open move of a card belongs to it.

        Raises `solver.explanation.NotForcedError` when they are not certain to be there.
        """
        from solver.explanation import NotForcedError, smallest_proof

        dealt: dict[Card, Seat] = {}
        moves = set()
        for card, seat in layout.items():
            if card not in self._moved_to:
                dealt[card] = seat
            elif self._moved_to[card] == seat:
                moves.add(self._moved_by[card])
            else:
                raise NotForcedError(f"{name(card)} is not at {seat_name(seat)}")
        return smallest_proof(self.problem, dealt, given=moves)

    def _contradiction(self) -> ContradictionError:
        from solver.explanation import contradiction

        return contradiction(self.problem)
