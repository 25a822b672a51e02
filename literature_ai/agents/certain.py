"""`certain`: pure logic. It uses everything that can be proved, and no probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from literature_ai.agents.knowledge_agent import KnowledgeAgent
from literature_ai.events import Ask

if TYPE_CHECKING:
    from literature_ai.game.view import View


class Certain(KnowledgeAgent):
    """Takes the cards it can prove, avoids asks that must miss; claims what is certain.

    For each ask the SAT engine decides whether the target must, may or cannot have the card. The
    agent makes a random ask of the best available kind.
    """

    def choose(self, view: View) -> Ask:
        seats_of = self.knowledge.possible_seats()
        kinds: tuple[list[Ask], list[Ask], list[Ask]] = ([], [], [])
        for ask in view.legal_asks:
            seats = seats_of[ask.card]
            if not seats >> ask.target & 1:
                kinds[2].append(ask)
            elif seats == 1 << ask.target:
                kinds[0].append(ask)
            else:
                kinds[1].append(ask)
        return self.any_of(next(kind for kind in kinds if kind))
