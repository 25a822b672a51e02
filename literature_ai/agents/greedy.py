"""`greedy`: asks for the card it is most likely to get.

All deals that fit the events count as equally likely, so this is exact counting without any idea of
how people choose their asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from literature_ai.agents.knowing import KnowingAgent
from literature_ai.events import Ask

if TYPE_CHECKING:
    from literature_ai.game import View

_EQUAL = 1e-9
"""Probabilities closer than this are taken to be the same."""


class Greedy(KnowingAgent):
    """Asks the most probable card by exact counting; claims what is certain."""

    def choose(self, view: View) -> Ask:
        cards, targets = view.legal_asks.cards, view.legal_asks.targets
        table = self.knowledge.posterior()
        chances = table.take(cards, axis=0).take(targets, axis=1).ravel()
        best = (chances >= chances.max() - _EQUAL).nonzero()[0]
        card, target = divmod(int(self.any_of(best)), len(targets))
        return Ask(targets[target], cards[card])
