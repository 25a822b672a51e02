"""Base of the agents that use `Knowledge`: certain claims, forced claims and passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from literature_ai.agents.base import Agent
from literature_ai.cards import team_of
from literature_ai.events import Action, Ask, Claim, Event, Pass
from literature_ai.inference.knowledge import Knowledge
from literature_ai.rules import RuleSet

if TYPE_CHECKING:
    import numpy as np

    from literature_ai.game.view import View

T = TypeVar("T")


class KnowledgeAgent(Agent):
    """Claims what is certain, on and off turn; a subclass chooses the ask.

    Without a legal ask it claims the most probable layout. Without cards it passes to the teammate
    with the most cards; when it must name an opponent who claims what is left, to the one with the
    fewest, who knows least.
    """

    knowledge: Knowledge
    rng: np.random.Generator

    @classmethod
    def warm_up(cls) -> None:
        """Compile what the agent uses, so that worker processes need not."""
        import numpy as np

        from literature_ai.game.game import Game

        agent = cls()
        game = Game.deal(RuleSet(), seed=0, start=0)
        agent.start(game.view(0), np.random.default_rng(0))
        agent.observe(game.apply(agent.act(game.view(0))))
        agent.knowledge.claims()

    def start(self, view: View, rng: np.random.Generator) -> None:
        self.knowledge = Knowledge(view.rules, view.seat, view.dealt)
        self.rng = rng
        for event in view.events:
            self.observe(event)

    def observe(self, event: Event) -> None:
        self.knowledge.observe(event)

    def act(self, view: View) -> Action:
        claim = self.claim(view)
        if claim is not None:
            return claim
        if len(view.legal_asks):
            return self.choose(view)
        if not view.hand and view.legal_passes:
            sign = 1 if team_of(view.legal_passes[0]) == team_of(view.seat) else -1
            return Pass(max(view.legal_passes, key=lambda seat: sign * view.hand_sizes[seat]))
        # Nobody can be asked. Under pass-turn it could pass, but its team might do so for ever.
        best = self.knowledge.claims()[0]
        return Claim(best.half_suit, best.holders)

    def claim(self, view: View) -> Claim | None:
        return next(iter(self.knowledge.certain_claims()), None) if view.may_claim else None

    def choose(self, view: View) -> Ask:
        """One of the legal asks, of which there is at least one."""
        raise NotImplementedError

    def any_of(self, items: Sequence[T]) -> T:
        """A uniformly random item."""
        return items[int(self.rng.integers(len(items)))]
