"""`random`: random legal asks, certain claims. The baseline of every comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from literature_ai.agents.knowledge_agent import KnowledgeAgent
from literature_ai.events import Ask

if TYPE_CHECKING:
    from literature_ai.game.view import View


class Random(KnowledgeAgent):
    """Makes a uniformly random legal ask; claims what is certain."""

    def choose(self, view: View) -> Ask:
        return self.any_of(view.legal_asks)
