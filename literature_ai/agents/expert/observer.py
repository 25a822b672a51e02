"""Observer: what one seat, or everyone, has seen of a game, and where it believes the cards to be.

`expert` decides by what an observer in its seat has seen, and the engine
(`literature_ai.analysis.engine`) values positions by the same.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from literature_ai.agents.expert.belief import (
    NOBODY,
    believe,
    known_to_hold,
    new_belief,
    observe_ask,
    observe_claim,
)
from literature_ai.agents.expert.choice_model import STYLES
from literature_ai.agents.expert.convention import Conventions, codes_of
from literature_ai.agents.expert.deals import SampledDeals
from literature_ai.agents.expert.opponent_model import OpponentModel
from literature_ai.agents.expert.rollout import Policies
from literature_ai.agents.expert.weights import Weights
from literature_ai.cards import Seat, Team, half_suit_of
from literature_ai.events import Asked, Claimed, Event, Passed, TimedOut
from literature_ai.game.compiled_state import apply_pass, apply_time_out
from literature_ai.inference.knowledge import Knowledge
from solver.kernels.arrays import Floats2


class Observer:
    """Follows a game, for the seat of the knowledge, or for everyone."""

    def __init__(
        self,
        knowledge: Knowledge,
        start: Seat,
        weights: Weights,
        rng: np.random.Generator,
        deals: int,
        least: int = 1,
        conventions: Conventions = (None, None),
        style: str = STYLES[0],
    ) -> None:
        """The observer before the first event.

        knowledge: at that time, or of the moment up to which `catch_up` is going to be told the
        events. start: who is on turn. deals, least: as `SampledDeals` takes them.
        conventions: of the two teams, where the observer knows them. style: as `OpponentModel`
        takes it.
        """
        rules, seat = knowledge.rules, knowledge.seat
        self.knowledge = knowledge
        self.belief = new_belief(rules, start)
        """What happened in the open."""
        self.codes = codes_of(conventions)
        self.opponent_model = OpponentModel(rules, seat, weights.choice_model, self.codes, style)
        self.deals = SampledDeals(knowledge, self.opponent_model, rng, deals, least)
        self.waits = 0
        """How many asks in a row, up to the last event, told nobody anything."""
        self.policies = Policies(
            (weights.action_value, weights.action_value), np.stack([weights.ask_factors] * 2)
        )
        """How all players act in rollouts."""

    def observe(self, event: Event) -> None:
        """Follow the next event."""
        self.deals.observe(event)
        self._see(event)
        self.knowledge.observe(event)

    def catch_up(self, events: Iterable[Event]) -> None:
        """Follow the events that the knowledge has observed before."""
        for event in events:
            self._see(event)

    def _see(self, event: Event) -> None:
        waits = isinstance(event, Asked) and self.tells_nothing(event)
        self.waits = self.waits + 1 if waits else 0
        self.opponent_model.observe(event, self.belief)
        self._update_belief(event)

    def tells_nothing(self, ask: Asked) -> bool:
        """Whether everyone knows beforehand, from single events, all that the next ask tells."""
        possible = int(self.belief.possible[ask.card])
        known = known_to_hold(self.belief, ask.asker, half_suit_of(ask.card))
        return not ask.hit and known and not possible & (1 << ask.asker | 1 << ask.target)

    def _update_belief(self, event: Event) -> None:
        match event:
            case Asked(asker, target, card, hit):
                factors = self.policies.ask_factors
                observe_ask(self.belief, asker, target, card, hit, factors)
            case Claimed(claimant, half_suit, _, right):
                lost = np.array(event.losses(self.knowledge.rules.players), np.int64)
                observe_claim(self.belief, claimant, half_suit, right, lost)
            case Passed(_, to):
                apply_pass(self.belief.state, to)
            case TimedOut():
                apply_time_out(self.belief.state)

    def public_beliefs(self, reader: Team) -> Floats2:
        """What everyone believes, approximately: cards × seats. reader: whose reading of asks."""
        rules = self.knowledge.rules
        public = np.empty((rules.cards, rules.players))
        believe(self.belief, reader, NOBODY, 0, public)
        return public
