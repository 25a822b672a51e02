"""`greedy`: asks for the card with the highest chance of a hit.

All deals that fit the events are equally likely: the chances come from exact counting, without a
model of how opponents choose their asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from literature_ai.agents.knowledge_agent import KnowledgeAgent
from literature_ai.events import Action, Ask

if TYPE_CHECKING:
    from literature_ai.game.view import View


class Greedy(KnowledgeAgent):
    """Asks the most probable card by exact counting; claims what is certain."""

    @classmethod
    def act_many(cls, agents: Sequence[Greedy], views: Sequence[View]) -> list[Action]:
        """Decide in many games, counting for all first: a tenth faster than one after the other."""
        for agent in agents:
            agent.knowledge.posterior()
        return [agent.act(view) for agent, view in zip(agents, views, strict=True)]

    def choose(self, view: View) -> Ask:
        from literature_ai.agents.likeliest import likeliest

        asks = view.legal_asks
        posterior = self.knowledge.posterior()
        best = likeliest(posterior, asks.card_bits, asks.target_bits)
        card, target = divmod(int(self.any_of(best.tolist())), posterior.shape[1])
        return Ask(target, card)
