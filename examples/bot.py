"""A bot in twenty lines: it asks for a likely card of a half-suit that it has much of.

$ literature tournament greedy examples/bot.py:Bot --pairs 20
$ literature agents --check examples/bot.py:Bot
"""

from collections import Counter

from literature_ai import Agent, Claim, Knowledge, Pass, half_suit_of


class Bot(Agent):
    """Weighs the chance of a hit by the cards that it holds of the half-suit."""

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
            held = Counter(map(half_suit_of, view.hand))
            chance = self.knowledge.posterior()
            return max(
                view.legal_asks,
                key=lambda ask: chance[ask.card, ask.target] * held[half_suit_of(ask.card)],
            )
        if not view.hand:
            return Pass(view.legal_passes[0])
        best = self.knowledge.claims()[0]
        return Claim(best.half_suit, best.holders)
