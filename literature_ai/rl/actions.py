"""The actions of the environments as numbers, relative to the seat that acts.

With ``P`` players, ``C`` cards, ``H`` half-suits and ``M`` seats that a claim may name (``P / 2``,
or ``P`` under ``split-claims``) the actions are, in this order:

==================  ===========  ===========================================================
asks                ``C·P/2``    ``card · P/2 + k``: ask the k-th opponent clockwise
passes              ``P/2 − 1``  to the k-th teammate clockwise
opponents' passes   ``P/2``      under ``choose-claimant`` only: to the k-th opponent clockwise
decline             ``1``        an offer to claim between two actions
claims              ``H``        claim this half-suit; its six cards are placed next
places              ``M``        the next card is with the m-th seat that may be named
==================  ===========  ===========================================================

The seats that may be named are counted clockwise from the seat that acts, which is number 0. A
claim is seven actions of one seat in a row; its cards are placed in card order.

>>> from literature_ai.rules import RuleSet
>>> space = ActionSpace(RuleSet())
>>> space.size, space.claims.start, space.places.start
(158, 147, 155)
>>> from literature_ai.events import Ask, Claim
>>> space.encode(0, Ask(target=3, card=5))
(16,)
>>> space.encode(2, Claim(half_suit=1, holders=(2, 2, 2, 4, 4, 0)))
(148, 155, 155, 155, 156, 156, 157)
>>> space.text(0, 16)
'ask B2 7S'
"""

from __future__ import annotations

from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, Card, HalfSuit, Seat
from literature_ai.errors import LiteratureError
from literature_ai.events import Action, Ask, Claim, Pass
from literature_ai.rules import RuleSet


class ActionSpace:
    """The numbers of the actions under these rules."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.opponents = rules.players // 2
        """The number of opponents, and of seats in a team."""
        self.nameable = rules.players if rules.split_claims else self.opponents
        """The number of seats that a claim may name."""
        asks = rules.cards * self.opponents
        passes = self.opponents - 1 + self.opponents * rules.choose_claimant
        self.asks = range(asks)
        self.passes = range(asks, asks + passes)
        self.decline = self.passes.stop
        """The number that declines an offer to claim."""
        self.claims = range(self.decline + 1, self.decline + 1 + rules.half_suits)
        self.places = range(self.claims.stop, self.claims.stop + self.nameable)
        self.size = self.places.stop
        """The number of actions."""

    def opponent(self, seat: Seat, k: int) -> Seat:
        """The k-th opponent of the seat, clockwise, from 0."""
        return (seat + 1 + 2 * k) % self.rules.players

    def teammate(self, seat: Seat, k: int) -> Seat:
        """The k-th teammate of the seat, clockwise, from 0."""
        return (seat + 2 + 2 * k) % self.rules.players

    def encode(self, seat: Seat, action: Action | None) -> tuple[int, ...]:
        """The numbers of an action of the seat: seven for a claim, else one; None declines."""
        players = self.rules.players
        match action:
            case None:
                return (self.decline,)
            case Ask(target, card):
                return (card * self.opponents + (target - seat - 1) % players // 2,)
            case Pass(to) if (to - seat) % 2 == 0:
                return (self.passes.start + (to - seat - 2) % players // 2,)
            case Pass(to):
                first = self.passes.start + self.opponents - 1
                return (first + (to - seat - 1) % players // 2,)
            case Claim(half_suit, holders):
                step = 1 if self.rules.split_claims else 2
                places = [self.places.start + (to - seat) % players // step for to in holders]
                return (self.claims[half_suit], *places)

    def decode(self, seat: Seat, number: int) -> Ask | Pass | None:
        """The ask or pass of the seat with this number, or None when it declines.

        Raises `LiteratureError` for a number that means none of these; see `half_suit` and `named`.
        """
        if number in self.asks:
            card, k = divmod(number, self.opponents)
            return Ask(self.opponent(seat, k), card)
        if number in self.passes:
            k = number - self.passes.start
            if k < self.opponents - 1:
                return Pass(self.teammate(seat, k))
            return Pass(self.opponent(seat, k - self.opponents + 1))
        if number == self.decline:
            return None
        raise LiteratureError(f"action {number} is no ask, no pass and does not decline")

    def half_suit(self, number: int) -> HalfSuit:
        """The half-suit that the action begins to claim."""
        return number - self.claims.start

    def named(self, seat: Seat, number: int) -> Seat:
        """The seat that a place of a claim names."""
        step = 1 if self.rules.split_claims else 2
        return (seat + step * (number - self.places.start)) % self.rules.players

    def text(self, seat: Seat, number: int, card: Card | None = None) -> str:
        """The action in words; ``card`` is the one that is placed next, if it is known.

        Raises `LiteratureError` for a number outside the space.
        """
        if number in self.claims:
            return f"claim {HALF_SUIT_NAMES[self.half_suit(number)]}"
        if number in self.places:
            what = "next card" if card is None else self.rules.card_names[card]
            return f"{what} {SEAT_NAMES[self.named(seat, number)]}"
        match self.decode(seat, number):
            case Ask(target, asked):
                return f"ask {SEAT_NAMES[target]} {self.rules.card_names[asked]}"
            case Pass(to):
                return f"pass {SEAT_NAMES[to]}"
            case None:
                return "decline"
