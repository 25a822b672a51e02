"""The bot of the tutorial: it beats `greedy` by four numbers that can be fitted to play.

$ literature tournament examples/tutorial_bot.py:Weighted greedy --pairs 20 --seed 1
$ python examples/tutorial_fit.py --generations 1 --population 4 --pairs 2
"""

from typing import Annotated

from literature_ai import Asked, Between, half_suit_of, team_of
from literature_ai.agents.knowledge_agent import KnowledgeAgent

Weight = Annotated[float, Between(-10, 10)]


class Likely(KnowledgeAgent):
    """Asks for the likeliest card; claims what is certain."""

    def choose(self, view):
        chance = self.knowledge.posterior()  # cards × seats
        return max(view.legal_asks, key=lambda ask: chance[ask.card, ask.target])


class Weighted(KnowledgeAgent):
    """Weighs the chance of a hit by what a hit is worth, a miss by who gets the turn."""

    def __init__(
        self,
        own: Weight = 0.0,
        team: Weight = 0.0,
        turn: Weight = 0.0,
        secret: Weight = 0.0,
    ):
        self.weights = own, team, turn, secret

    def start(self, view, rng):
        self.shown = set()  # half-suits that this seat is known to hold
        super().start(view, rng)

    def observe(self, event):
        super().observe(event)
        if isinstance(event, Asked) and event.asker == self.knowledge.seat:
            self.shown.add(half_suit_of(event.card))

    def choose(self, view):
        own, team, turn, secret = self.weights
        chance = self.knowledge.posterior()
        by_half_suit = chance.reshape(-1, 6, chance.shape[1]).sum(axis=1) / 6
        mine = by_half_suit[:, view.seat]
        ours = by_half_suit[:, team_of(view.seat) :: 2].sum(axis=1)

        def value(ask):
            hit = chance[ask.card, ask.target]
            half_suit = half_suit_of(ask.card)
            worth = 1 + own * mine[half_suit] + team * ours[half_suit]
            risk = turn * view.hand_sizes[ask.target] / view.rules.hand_size
            return hit * worth - (1 - hit) * risk - secret * (half_suit not in self.shown)

        return max(view.legal_asks, key=value)


class Fitted(Weighted):
    """`Weighted` with the weights that examples/tutorial_fit.py has found."""

    def __init__(self):
        super().__init__(own=0.77, team=-0.34, turn=0.66, secret=0.98)
