"""A bot in twenty lines: it asks where a likely card brings it nearest to a whole half-suit.

$ literature tournament greedy examples/bot.py:Bot --pairs 20
$ literature agents --check examples/bot.py:Bot
"""

from collections import Counter

from literature_ai import Agent, Claim, Knowledge, Pass


class Bot(Agent):
    """Likes cards that it probably gets, of half-suits that it has much of."""

    def start(self, view, rng):
        self.knowledge = Knowledge.of(view)

    def observe(self, event):
        self.knowledge.observe(event)

    def claim(self, view):
        return next(iter(self.knowledge.certain_claims()), None) if view.may_claim else None

    def act(self, view):
        if claim := self.claim(view):
            return claim
        if view.legal_asks:
            held = Counter(card // 6 for card in view.hand)
            chance = self.knowledge.posterior()
            return max(
                view.legal_asks, key=lambda ask: chance[ask.card, ask.target] * held[ask.card // 6]
            )
        if not view.hand:
            return Pass(view.legal_passes[0])
        best = self.knowledge.claims()[0]
        return Claim(best.half_suit, best.holders)
