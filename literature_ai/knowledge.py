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
from solver.counting import Counting
from solver.problem import (
    OWN_HAND,
    ContradictionError,
    Fact,
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

NOWHERE = -1
"""The place of a card that has left play."""


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
        self.rules = rules
        self.seat = seat
        self.problem = Problem(rules.half_suits, (rules.hand_size,) * rules.players)
        self.events = 0
        """The number of events observed."""
        self.in_play: list[HalfSuit] = list(range(rules.half_suits))
        self._moved_to: dict[Card, Seat] = {}
        self._moved_by: dict[Card, int] = {}
        self._dealt_to: dict[Card, Seat] = {}
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
        for card in range(self.rules.cards):
            self.problem.add(OWN_HAND, Holds(seat, card) if card in cards else Lacks(seat, card))

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
        asker, target, asked = event.asker, event.target, event.card
        moved_to = self._moved_to
        bluffs = self.rules.bluff_asks
        half_suit = cards_of(half_suit_of(asked))
        if not any(moved_to.get(card) == asker for card in half_suit):
            unmoved = (card for card in half_suit if card not in moved_to)
            self._add(HoldsOneOf(asker, tuple(c for c in unmoved if bluffs or c != asked)))
        place = moved_to.get(asked)
        if place is None:
            if not bluffs or event.hit:
                self._add(Lacks(asker, asked))
            self._add(Holds(target, asked) if event.hit else Lacks(target, asked))
            if event.hit:
                self._dealt_to[asked] = target
        elif (place == target) != event.hit or (place == asker and not bluffs):
            raise ContradictionError(
                f"{seat_name(place)} has had {name(asked)} since event {self._moved_by[asked]},"
                f" so event {self.events} cannot be true",
                (self._moved_by[asked], self.events),
            )
        if event.hit:
            moved_to[asked] = asker
            self._moved_by[asked] = self.events

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

    def _locate(self, card: Card, seat: Seat) -> None:
        place = self._moved_to.get(card)
        if place is None:
            self._add(Holds(seat, card))
        elif place != seat:
            raise ContradictionError(
                f"{seat_name(place)} has had {name(card)} since event {self._moved_by[card]},"
                f" so event {self.events} cannot have shown it at {seat_name(seat)}",
                (self._moved_by[card], self.events),
            )

    def _observe_hidden_claim(self, event: Claimed) -> None:
        cards = cards_of(event.half_suit)
        moved_to = self._moved_to
        unmoved = tuple(card for card in cards if card not in moved_to)
        if event.lost is not None:
            for seat, lost in enumerate(event.lost):
                in_the_open = sum(moved_to.get(card) == seat for card in cards)
                self._add(HoldsExactly(seat, unmoved, lost - in_the_open))
        claimed = dict(zip(cards, event.holders, strict=True))
        if all(moved_to.get(card, seat) == seat for card, seat in claimed.items()):
            self._add(
                NotLayout(
                    event.half_suit,
                    tuple(self._dealt_to.get(card, seat) for card, seat in claimed.items()),
                )
            )

    def _add(self, fact: Fact) -> None:
        self.problem.add(self.events, fact)

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
            table = self._counting.posterior(weights)
        except ContradictionError as error:
            raise self._contradiction() from error
        for card, seat in self._moved_to.items():
            table[card] = 0.0
            if seat != NOWHERE:
                table[card, seat] = 1.0
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
        certain = (table == 1.0).any(axis=1).reshape(-1, HALF_SUIT_SIZE).all(axis=1)
        claims = []
        for half_suit in self.in_play:
            if certain[half_suit]:
                rows = table[half_suit * HALF_SUIT_SIZE : (half_suit + 1) * HALF_SUIT_SIZE]
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
        import numpy as np

        if team is None:
            team = None if self.seat is None else team_of(self.seat)
        ours = self._may_name(team)
        allowed = np.tile(np.array(ours), (self.rules.cards, 1))
        for card, seat in self._moved_to.items():
            allowed[card] = seat != NOWHERE and ours[seat]
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
        """A set of events that proves that all these cards are at these seats now, in order.

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
        proof = smallest_proof(self.problem, dealt) if dealt else ()
        return tuple(sorted(moves.union(proof)))

    def _contradiction(self) -> ContradictionError:
        from solver.explanation import contradiction

        return contradiction(self.problem)
