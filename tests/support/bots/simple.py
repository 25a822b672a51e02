"""Small agents for the tests of tournaments: fast, and with or without a common decision."""

from __future__ import annotations

import time

from literature_ai.agents.base import Agent
from literature_ai.cards import cards_of, team_of
from literature_ai.events import Ask, Claim, Pass


class Asker(Agent):
    """Asks at random; claims a half-suit that it holds alone; guesses when forced to claim."""

    def start(self, view, rng):
        self.rng = rng

    def act(self, view):
        claim = self.claim(view)
        if claim is not None:
            return claim
        asks = view.legal_asks
        if len(asks):
            return asks[int(self.rng.integers(len(asks)))]
        if not view.may_claim:
            return Pass(view.legal_passes[0])
        team = [seat for seat in range(view.rules.players) if team_of(seat) == team_of(view.seat)]
        holders = [
            view.seat if card in view.hand else team[int(self.rng.integers(len(team)))]
            for card in cards_of(view.in_play[0])
        ]
        return Claim(view.in_play[0], tuple(holders))

    def claim(self, view):
        if not view.may_claim:
            return None
        for half_suit in view.in_play:
            if all(card in view.hand for card in cards_of(half_suit)):
                return Claim(half_suit, (view.seat,) * 6)
        return None


class Together(Asker):
    """The same, deciding for many games in one call."""

    @classmethod
    def act_many(cls, agents, views):
        return [agent.act(view) for agent, view in zip(agents, views, strict=True)]


class First(Agent):
    """Makes the first legal ask there is, so that its games have the same course."""

    def act(self, view):
        if len(view.legal_asks):
            return Ask(view.legal_asks[0].target, view.legal_asks[0].card)
        if view.legal_passes:
            return Pass(view.legal_passes[0])
        return Claim(view.in_play[0], (view.seat,) * 6)


class Dawdler(Asker):
    """Thinks for more than a second on its third decision of a game."""

    def start(self, view, rng):
        super().start(view, rng)
        self.decisions = 0

    def act(self, view):
        self.decisions += 1
        if self.decisions == 3:
            time.sleep(1.1)
        return super().act(view)


class Seer(Asker):
    """Must be shown the deal, as only agents that see all cards are."""

    sees_all_cards = True

    def see_deal(self, dealt):
        self.dealt = dealt

    def act(self, view):
        assert view.hand == self.dealt[view.seat] or view.events
        return super().act(view)
