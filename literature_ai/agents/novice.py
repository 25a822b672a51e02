"""`novice`: a player with a short memory and three simple rules.

It uses its own hand and the last few events and ignores the rest, so its beliefs are correct but
incomplete. An opponent for beginners, and a lower bound for other agents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from literature_ai.agents.base import Agent
from literature_ai.bots.parameters import Between
from literature_ai.cards import HALF_SUIT_SIZE, Card, Seat, cards_of, half_suit_of, team_of
from literature_ai.events import Action, Ask, Asked, Claim, Pass

if TYPE_CHECKING:
    import numpy as np

    from literature_ai.game.view import View


class Novice(Agent):
    """Remembers the last events only; asks where it holds most; claims what it has seen.

    It asks for a card that it remembers with an opponent, else for a card of the half-suit it holds
    most of, from an opponent that it does not remember to lack it.
    """

    def __init__(self, memory: Annotated[int, Between(0, 1_000_000)] = 12) -> None:
        """``memory``: the number of last events that it remembers."""
        self.memory = memory

    def start(self, view: View, rng: np.random.Generator) -> None:
        self.rng = rng

    def act(self, view: View) -> Action:
        claim = self.claim(view)
        if claim is not None:
            return claim
        if len(view.legal_asks):
            return self._ask(view)
        if not view.hand and view.legal_passes:
            return Pass(view.legal_passes[int(self.rng.integers(len(view.legal_passes)))])
        return self._guess(view)

    def claim(self, view: View) -> Claim | None:
        if not view.may_claim:
            return None
        places, _ = self._remembered(view)
        for half_suit in view.in_play:
            holders = [places.get(card) for card in cards_of(half_suit)]
            ours = tuple(s for s in holders if s is not None and team_of(s) == team_of(view.seat))
            if len(ours) == HALF_SUIT_SIZE:
                return Claim(half_suit, ours)
        return None

    def _ask(self, view: View) -> Ask:
        places, lacking = self._remembered(view)
        asks = [ask for ask in view.legal_asks if ask.card not in view.hand] or view.legal_asks
        seen = [ask for ask in asks if places.get(ask.card) == ask.target]
        if not seen:
            held = [half_suit_of(card) for card in view.hand]
            asks = [ask for ask in asks if ask.card not in places] or asks
            asks = [ask for ask in asks if (ask.target, ask.card) not in lacking] or asks
            most = max(held.count(half_suit_of(ask.card)) for ask in asks)
            seen = [ask for ask in asks if held.count(half_suit_of(ask.card)) == most]
        return seen[int(self.rng.integers(len(seen)))]

    def _guess(self, view: View) -> Claim:
        """A claim of the half-suit with the most cards known in the team, the others at random
        teammates."""
        places, _ = self._remembered(view)
        team = team_of(view.seat)
        mates = [s for s in range(team, view.rules.players, 2) if s != view.seat]
        mates = [s for s in mates if view.hand_sizes[s]] or mates

        def placed(half_suit: int) -> int:
            return sum(places.get(card, 1 - team) % 2 == team for card in cards_of(half_suit))

        half_suit = max(view.in_play, key=placed)
        holders = []
        for card in cards_of(half_suit):
            place = places.get(card)
            if place is None or team_of(place) != team:
                place = mates[int(self.rng.integers(len(mates)))]
            holders.append(place)
        return Claim(half_suit, tuple(holders))

    def _remembered(self, view: View) -> tuple[dict[Card, Seat], set[tuple[Seat, Card]]]:
        """Where cards are, and which seat lacks which card, by the remembered events."""
        places: dict[Card, Seat] = {}
        lacking: set[tuple[Seat, Card]] = set()
        for event in view.events[len(view.events) - min(self.memory, len(view.events)) :]:
            if isinstance(event, Asked):
                if event.hit:
                    places[event.card] = event.asker
                    lacking.discard((event.asker, event.card))
                lacking.add((event.target, event.card))
        places.update(dict.fromkeys(view.hand, view.seat))
        return places, lacking
