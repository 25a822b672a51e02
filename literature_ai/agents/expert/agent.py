"""`expert`: makes the ask of the greatest value, by exact beliefs that read asks as evidence.

- Deals are weighed by how well they explain what everybody asked for (`opponent_model`, by a model
  of how players choose their asks, `choice_model`); exact counting under these weights tells where
  each card is (`deals`).
- An ask is worth more than its chance of a hit (`action_value`): it also builds up half-suits,
  shows something, and, when it misses, hands the turn to someone.
- The few asks of the greatest value are compared by rollouts on sampled deals, up to the next open
  ask (`search`), which see what no formula does: who can take what next.
- It takes what everyone can see it can take, and claims as soon as a claim is certain, never
  before, unless the rules force it.

The weights of `action_value`, `choice_model`, `belief` and `state_value` are fitted to play
(`weights`). The few constants of `opponent_model` and `search` were chosen by hand, after the
trials in ``benchmarks/STRENGTH.md``.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from literature_ai.agents.knowledge_agent import KnowledgeAgent
from literature_ai.cards import HalfSuit, Seat, cards_of, team_of
from literature_ai.errors import IllegalActionError
from literature_ai.events import Action, Ask, Asked, Claim, Claimed, Event, Pass, Passed, TimedOut
from literature_ai.game.position import Position
from literature_ai.inference.knowledge import NOWHERE, Knowledge
from literature_ai.rules import RuleSet

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from literature_ai.agents.expert.weights import Weights
    from literature_ai.game.view import View

    Floats = npt.NDArray[np.float64]


class Expert(KnowledgeAgent):
    """Asks what is worth most by exact beliefs that read asks as evidence; claims when certain."""

    deals = 100
    """Deals sampled before a decision, to read with them what the others asked."""
    rollouts = 48
    """Rollouts before an ask, of all candidates together."""
    horizons: tuple[int, ...] = (1,)
    """The open asks of a rollout after which to take the state value, in rising order."""
    candidates = 4
    """Asks that are compared."""
    prior_error, rollout_error = 0.03, 0.02
    """As in `literature_ai.agents.expert.search.Settings`."""
    weights: Weights | None = None
    """What it plays by; None for the stored weights."""

    @classmethod
    def warm_up(cls) -> None:
        """Compile what the agent will use, so that worker processes find it ready."""
        import numpy as np

        from literature_ai.game.game import Game

        game = Game.deal(RuleSet(), seed=0, start=0)
        miss = next(ask for ask in game.legal_asks() if ask.card not in game.hand(ask.target))
        game.apply(miss)
        agent = cls()
        agent.start(game.view(miss.target), np.random.default_rng(0))
        agent.act(game.view(miss.target))
        agent.knowledge.posterior()
        agent.knowledge.claims(weights=agent.opponent_model.weights)

    def start(self, view: View, rng: np.random.Generator) -> None:
        import numpy as np

        from literature_ai.agents.expert.belief import new_belief
        from literature_ai.agents.expert.deals import SampledDeals
        from literature_ai.agents.expert.opponent_model import OpponentModel
        from literature_ai.agents.expert.rollout import Policies
        from literature_ai.agents.expert.search import Settings
        from literature_ai.agents.expert.weights import stored_weights

        rules, seat = view.rules, view.seat
        weights = self.weights or stored_weights()
        self._action_weights, self._state_weights = weights.action_value, weights.state_value
        self._policies = Policies(
            (weights.action_value, weights.action_value), np.stack([weights.ask_factors] * 2)
        )
        self._settings = Settings(self.horizons, self.prior_error, self.rollout_error)
        self._claimable = [
            rules.split_claims or team_of(other) == team_of(seat) for other in range(rules.players)
        ]
        """For each seat, whether a claim may name it."""
        self.knowledge = Knowledge(rules, seat, view.dealt)
        self.rng = rng
        self.belief = new_belief(rules, _first_on_turn(view))
        self.opponent_model = OpponentModel(
            rules.half_suits, rules.players, seat, weights.choice_model
        )
        least = -(-self.rollouts // self.candidates)
        self._deals = SampledDeals(self.knowledge, self.opponent_model, rng, self.deals, least)
        for event in view.events:
            self.observe(event)

    def observe(self, event: Event) -> None:
        self._deals.observe(event)
        self.opponent_model.observe(event, self.belief)
        self._update_belief(event)
        self.knowledge.observe(event)

    def _update_belief(self, event: Event) -> None:
        import numpy as np

        from literature_ai.agents.expert.belief import observe_ask, observe_claim
        from literature_ai.game.compiled_state import apply_pass, apply_time_out

        match event:
            case Asked(asker, target, card, hit):
                factors = self._policies.ask_factors
                observe_ask(self.belief, asker, target, card, hit, factors)
            case Claimed(claimant, half_suit, _, right):
                lost = np.array(event.losses(self.knowledge.rules.players), np.int64)
                observe_claim(self.belief, claimant, half_suit, right, lost)
            case Passed(_, to):
                apply_pass(self.belief.state, to)
            case TimedOut():
                apply_time_out(self.belief.state)

    @property
    def beliefs(self) -> Floats:
        """Where each card is now: cards × seats, by exact counting under the opponent model."""
        return self._deals.posterior

    def act(self, view: View) -> Action:
        from literature_ai.agents.expert.action_value import GUESS_ABOVE, POINTLESS_PENALTY

        action: Action | None = None
        if view.may_claim:
            action = self._plain_action(view) or self._certain_claim(view)
        action = action or self._pass(view)
        if action is not None:
            return action
        values = self._action_values(view) if len(view.legal_asks) else None
        if values is not None and values.max() > -POINTLESS_PENALTY / 2:
            return self._choose(values)
        guess = next(iter(self.knowledge.claims(weights=self.opponent_model.weights)), None)
        if guess and (values is None or guess.probability > GUESS_ABOVE):
            return Claim(guess.half_suit, guess.holders)
        return self.any_of(view.legal_asks)

    def claim(self, view: View) -> Claim | None:
        """A claim that cannot be wrong, if there is one."""
        # What is certain is so under all weights; the uniform posterior is kept for the next call.
        return super().claim(view) if any(map(self._may_be_claimed, view.in_play)) else None

    def _plain_action(self, view: View) -> Claim | Ask | None:
        """What needs no thought: a claim, or an ask that must hit, that the belief can prove.

        A card that is there for the taking keeps the turn, so it is taken before anything else.
        """
        import numpy as np

        from literature_ai.agents.expert.action_value import certain_claim, sure_ask
        from literature_ai.agents.expert.belief import SIX, locate
        from literature_ai.game.masks import mask_of

        hand = mask_of(view.hand)
        places = np.empty(view.rules.cards, np.int64)
        locate(self.belief, view.seat, hand, places, np.empty(view.rules.players))
        holders = np.zeros(SIX, np.int64)
        half_suit = certain_claim(self.belief, view.seat, places, holders)
        if half_suit >= 0:
            return Claim(int(half_suit), tuple(holders.tolist()))
        target, card = sure_ask(self.belief, view.seat, hand, places)
        return Ask(int(target), int(card)) if target >= 0 else None

    def _certain_claim(self, view: View) -> Claim | None:
        """A claim that is certain; or None. The beliefs, which a decision needs anyway, say whether
        it is worth asking."""
        sure = self.beliefs.max(axis=1) == 1.0
        half_suits = filter(self._may_be_claimed, view.in_play)
        if not any(sure[list(cards_of(half_suit))].all() for half_suit in half_suits):
            return None
        return next(iter(self.knowledge.certain_claims()), None)

    def _may_be_claimed(self, half_suit: HalfSuit) -> bool:
        """Whether no card of it is in the open where a claim may not name it: no proof yet."""
        places = map(self.knowledge.place_now, cards_of(half_suit))
        return all(
            place is None or (place != NOWHERE and self._claimable[place]) for place in places
        )

    def _pass(self, view: View) -> Pass | None:
        """A pass that is forced, or under ``pass-turn`` better than any ask.

        Never twice running, or the turn could go round for ever.
        """
        if not view.legal_passes:
            return None
        from literature_ai.agents.expert.action_value import PASS_ABOVE, PASS_BELOW, best_pass

        to, prospects = best_pass(self.belief, self.beliefs, self._public())
        if view.hand:
            if view.events and isinstance(view.events[-1], Passed):
                return None
            asks = view.legal_asks
            chances = (self.beliefs[card, at] for card in asks.cards for at in asks.targets)
            if len(asks) and not (max(chances) < PASS_BELOW and prospects > PASS_ABOVE):
                return None
        return Pass(int(to))

    def _choose(self, values: Floats) -> Ask:
        """The best ask; values: cards × seats, -inf for what may not be asked."""
        from literature_ai.agents.expert.search import candidates_of, search

        candidates = candidates_of(values, self.beliefs, self.candidates)
        asks = candidates.asks
        if len(asks) == 1 or candidates.chances[0] == 1.0 or not self.horizons:
            return Ask(int(asks[0, 0]), int(asks[0, 1]))
        hands = self._deals.hands(max(1, self.rollouts // len(asks)))
        return search(
            self.belief,
            hands,
            candidates,
            self._policies,
            self._state_weights,
            self._settings,
            self.rng,
        )

    def _action_values(self, view: View) -> Floats:
        """What each ask is worth: cards × seats, -inf for what may not be asked."""
        import numpy as np

        from literature_ai.agents.expert.action_value import action_values
        from literature_ai.game.masks import mask_of

        values = np.empty_like(self.beliefs)
        hand, public = mask_of(view.hand), self._public()
        weights = self._action_weights
        action_values(self.belief, view.seat, hand, self.beliefs, public, weights, values)
        return values

    def _public(self) -> Floats:
        """What everyone believes, approximately: cards × seats."""
        import numpy as np

        from literature_ai.agents.expert.belief import NOBODY, believe

        public = np.empty_like(self.beliefs)
        seat = self.knowledge.seat
        assert seat is not None
        believe(self.belief, team_of(seat), NOBODY, 0, public)
        return public


def _first_on_turn(view: View) -> Seat:
    """Who was on turn at the start of the game, or could have been, as far as it matters.

    Claims alone may not tell: then it is one of the seats from which they bring the turn to who has
    it next.
    """
    claims = list(itertools.takewhile(lambda event: isinstance(event, Claimed), view.events))
    turn = view.turn
    if len(claims) < len(view.events):
        match view.events[len(claims)]:
            case Asked(seat) | Passed(seat) | TimedOut(seat):
                turn = seat
    for start in range(view.rules.players):
        position = Position(view.rules, start)
        try:
            for event in claims:
                position.follow(event)
        except IllegalActionError:
            continue
        if position.turn == turn:
            return start
    return turn or 0
