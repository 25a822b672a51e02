"""`oracle`: sees all cards. Not a fair player but an upper bound on the achievable score.

It takes part only on request: the class has ``sees_all_cards = True``, and only a driver that
allows such classes calls ``see_deal(dealt)`` before ``start``. An oracle that was not shown the
deal refuses to play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from literature_ai.agents.base import Agent
from literature_ai.cards import Card, Seat, cards_of, half_suit_of, team_of
from literature_ai.errors import LiteratureError
from literature_ai.events import Action, Ask, Asked, Claim, Claimed, Event, Pass

if TYPE_CHECKING:
    import numpy as np

    from literature_ai.game.view import View


class Oracle(Agent):
    """Sees all cards: takes every card it can, and claims at once. Not for rankings."""

    sees_all_cards = True

    def __init__(self) -> None:
        self._holder: dict[Card, Seat] = {}

    def see_deal(self, dealt: Sequence[Sequence[Card]]) -> None:
        """Show it the hands as dealt, one a seat."""
        self._holder = {card: seat for seat, hand in enumerate(dealt) for card in hand}

    def start(self, view: View, rng: np.random.Generator) -> None:
        """Raise `LiteratureError` when it was not shown the deal."""
        if not self._holder:
            raise LiteratureError("the oracle plays by all cards, and was not shown the deal")
        for event in view.events:
            self.observe(event)

    def observe(self, event: Event) -> None:
        if isinstance(event, Asked) and event.hit:
            self._holder[event.card] = event.asker
        elif isinstance(event, Claimed):
            for card in cards_of(event.half_suit):
                del self._holder[card]

    def act(self, view: View) -> Action:
        claim = self.claim(view)
        if claim is not None:
            return claim
        if len(view.legal_asks):
            return self._ask(view)
        if view.legal_passes and not view.hand:
            return Pass(max(view.legal_passes, key=self._takeable))
        return self._lost_claim(view)

    def claim(self, view: View) -> Claim | None:
        if not view.may_claim:
            return None
        for half_suit in view.in_play:
            holders = self._holders(half_suit)
            if view.rules.split_claims or all(
                team_of(seat) == team_of(view.seat) for seat in holders
            ):
                return Claim(half_suit, holders)
        return None

    def _ask(self, view: View) -> Action:
        """A hit if there is one; else a pass, or the miss that lets the opponents take least."""
        asks = view.legal_asks
        hit = next((ask for ask in asks if self._holder[ask.card] == ask.target), None)
        if hit is not None:
            return hit
        mate = max(view.legal_passes, key=self._takeable, default=None)
        if mate is not None and self._takeable(mate):
            return Pass(mate)
        return Ask(min(asks.targets, key=self._takeable), asks.cards[0])

    def _takeable(self, seat: Seat) -> int:
        """The number of cards of the other team that the seat could take in one turn."""
        touched = {half_suit_of(card) for card, holder in self._holder.items() if holder == seat}
        return sum(
            team_of(holder) != team_of(seat) and half_suit_of(card) in touched
            for card, holder in self._holder.items()
        )

    def _lost_claim(self, view: View) -> Claim:
        """A claim that must be wrong: the opponents hold every card that is left."""
        half_suit = view.in_play[0]
        return Claim(half_suit, (view.seat,) * 6)

    def _holders(self, half_suit: int) -> tuple[Seat, ...]:
        return tuple(self._holder[card] for card in cards_of(half_suit))
