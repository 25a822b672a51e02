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
    name,
    seat_name,
    team_of,
)
from literature_ai.errors import LiteratureError
from literature_ai.events import Claim, Claimed, Event
from literature_ai.inference.public import NOWHERE as NOWHERE
from literature_ai.inference.public import facts_before_play, holds, lacks
from literature_ai.rules import RuleSet
from solver.counting import Counting
from solver.problem import (
    OWN_HAND,
    ContradictionError,
    Fact,
    Holds,
    HoldsOneOf,
    Lacks,
    Problem,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from literature_ai.game.view import View
    from solver.sat import Sat

    Weights = npt.NDArray[np.float64]


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

    It starts at the deal and takes the events in with `observe`; `of` starts from what a seat sees.

    Raises LiteratureError when the hand does not fit the rules. Queries raise `ContradictionError`,
    with a smallest set of events that cannot all be true, when there is no deal left.
    """

    def __init__(
        self, rules: RuleSet, seat: Seat | None = None, hand: Iterable[Card] | None = None
    ) -> None:
        self.rules = rules
        self.seat = seat
        self.problem = Problem(rules.half_suits, (rules.hand_size,) * rules.players)
        self._seen = facts_before_play(rules)
        self._counting = Counting(self.problem)
        self._sat: Sat | None = None
        self._uniform: tuple[npt.NDArray[np.float64], int] | None = None
        if seat is not None:
            self._see_hand(seat, tuple(hand or ()))
        elif hand is not None:
            raise LiteratureError("a hand needs a seat that holds it")

    @classmethod
    def of(cls, view: View) -> Knowledge:
        """What a seat knows that sees this, at any moment of a game."""
        knowledge = cls(view.rules, view.seat, view.dealt)
        for event in view.events:
            knowledge.observe(event)
        return knowledge

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
            (OWN_HAND, holds(seat, card) if card in cards else lacks(seat, card))
            for card in range(self.rules.cards)
        ]

    def copy(self) -> Knowledge:
        """The same knowledge, to see what would follow if an event happened."""
        twin = Knowledge.__new__(Knowledge)
        twin.rules, twin.seat = self.rules, self.seat
        twin.problem = self.problem.copy()
        twin._seen = self._seen
        twin._counting = self._counting.copy(twin.problem)
        twin._sat = None
        twin._uniform = self._uniform
        return twin

    @property
    def events(self) -> int:
        """The number of events observed."""
        return self._seen.events

    @property
    def in_play(self) -> tuple[HalfSuit, ...]:
        """The half-suits that have not been claimed."""
        return self._seen.in_play

    def observe(self, event: Event) -> None:
        """Take in the next event of the game.

        Raises `ContradictionError` when it contradicts what happened in the open, for example a
        "no" to a card that everyone saw going to that seat.
        """
        self._seen = seen = self._seen.after(event)
        self.problem.facts += seen.said
        if self._uniform is not None:
            self._uniform = self._uniform_after(event)
        if seen.clash:
            raise ContradictionError(seen.clash, (seen.clashes_with, seen.events))

    def _uniform_after(self, event: Event) -> tuple[npt.NDArray[np.float64], int] | None:
        """The uniform posterior after an event that was certain to happen so, else None.

        Such an event (a sure card is taken, say) leaves all deals as likely as they were.
        """
        assert self._uniform is not None
        table, settled = self._uniform
        if self._seen.clash or not all(_is_certain(fact, table) for _, fact in self._seen.said):
            return None
        if isinstance(event, Claimed):
            settled &= ~(1 << event.half_suit)
        table = self._counting.moved(table, self._seen.moved)
        table.flags.writeable = False
        return table, settled

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
        return self._seen.moved_to.get(card)

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
        return self._located(weights)[0]

    def _located(self, weights: Weights | None = None) -> tuple[npt.NDArray[np.float64], int]:
        """The posterior, and as bits the half-suits whose cards are all certain to be somewhere."""
        if weights is None and self._uniform is not None:
            return self._uniform
        try:
            located = self._counting.located(weights, self._seen.moved)
        except ContradictionError as error:
            raise self._contradiction() from error
        located[0].flags.writeable = False
        if weights is None:
            self._uniform = located
        return located

    def certain(self) -> dict[Card, Seat]:
        """The cards in play whose place is certain, and where they are."""
        cards, seats = (self.posterior() == 1.0).nonzero()
        return dict(zip(cards.tolist(), seats.tolist(), strict=True))

    def possible_seats(self) -> list[int]:
        """For each card: the seats that may have it now, as bits; 0 when it is out of play.

        Decided by SAT. `certain` says the same of cards with one possible seat, by counting.
        """
        seats = list(self.sat.backbone())
        for card, seat in self._seen.moved_to.items():
            seats[card] = 0 if seat == NOWHERE else 1 << seat
        return seats

    def certain_claims(self, team: Team | None = None) -> list[Claim]:
        """The claims that cannot be wrong, of the seat's team unless another is named."""
        if team is None:
            team = None if self.seat is None else team_of(self.seat)
        ours = self._may_name(team)
        table, settled = self._located()
        claims = []
        for half_suit in self.in_play if settled else ():
            if settled >> half_suit & 1:
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
                    tuple(self._seen.moved_to.get(c, s) for c, s in zip(cards, dealt, strict=True)),
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
        for card, seat in self._seen.moved_to.items():
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
        for card, seat in self._seen.moved_to.items():
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
            if card not in self._seen.moved_to:
                dealt[card] = seat
            elif self._seen.moved_to[card] == seat:
                moves.add(self._seen.moved_by[card])
            else:
                raise NotForcedError(f"{name(card)} is not at {seat_name(seat)}")
        return smallest_proof(self.problem, dealt, given=moves)

    def _contradiction(self) -> ContradictionError:
        from solver.explanation import contradiction

        return contradiction(self.problem)


def _is_certain(fact: Fact, table: npt.NDArray[np.float64]) -> bool:
    """Whether the posterior shows that the fact, about cards that have not moved, must be true."""
    if isinstance(fact, Lacks):
        return bool(table[fact.card, fact.seat] == 0.0)
    if isinstance(fact, Holds):
        return bool(table[fact.card, fact.seat] == 1.0)
    if isinstance(fact, HoldsOneOf):
        return any(table[card, fact.seat] == 1.0 for card in fact.cards)
    return False
