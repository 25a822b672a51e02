"""`expert`: makes the ask of the greatest value, by exact beliefs that read asks as evidence.

- Deals are weighed by how well they explain what everybody asked for (`opponent_model`, by a model
  of how players choose their asks, `choice_model`); exact counting under these weights tells where
  each card is (`deals`).
- An ask is worth more than its chance of a hit (`action_value`): it also builds up half-suits,
  shows something, and, when it misses, hands the turn to someone. What else deep search sees in
  asks, a small network has learned from it (`ask_model`).
- The few asks of the greatest value are compared by rollouts on sampled deals, up to the next open
  ask (`search`), which see what no formula does: who can take what next.
- Among them are asks that must miss: they leave the turn to an opponent of one's choice, who then
  has to ask. One that tells nobody anything (a *wait*) never answers another one, or players who
  wait might do so for ever.
- It takes what everyone can see it can take, and claims as soon as a claim is certain, never
  before, unless the rules force it.

The weights of `action_value`, `ask_model`, `choice_model`, `belief` and `state_value` are fitted to
play (`weights`). The few constants of `opponent_model` and `search` were chosen by hand, after the
trials in ``benchmarks/STRENGTH.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from literature_ai.agents.knowledge_agent import KnowledgeAgent
from literature_ai.cards import HALF_SUIT_SIZE, HalfSuit, cards_of, team_of
from literature_ai.events import Action, Ask, Claim, Event, Pass, Passed
from literature_ai.inference.knowledge import NOWHERE, Knowledge
from literature_ai.rules import RuleSet

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from literature_ai.agents.expert.belief import Belief
    from literature_ai.agents.expert.convention import Code, Mode
    from literature_ai.agents.expert.opponent_model import OpponentModel
    from literature_ai.agents.expert.search import Comparison, Simulations
    from literature_ai.agents.expert.weights import Weights
    from literature_ai.game.view import View

    Floats = npt.NDArray[np.float64]


MOST_WAITS = 20
"""How many asks in a row may tell nobody anything, where nobody has another: then somebody claims
the likeliest, or players who are stuck would go on for ever."""


class Decision(NamedTuple):
    """What to do on turn."""

    action: Action
    comparison: Comparison | None
    """The asks that were compared by rollouts; None when none were."""


class Compared(NamedTuple):
    """The best of several asks."""

    best: Ask
    comparison: Comparison | None
    """None when no rollout was needed."""


class Described(NamedTuple):
    """The legal asks of a position, by the formula of `action_value`."""

    penalized: Floats
    """Cards × seats: their action values, less the penalties of those that must miss; -inf for what
    may not be asked."""
    asks: npt.NDArray[np.int64]
    """Rows of target and card."""
    values: Floats
    """Their action values, without penalties."""
    features: Floats
    """Their features (`literature_ai.agents.expert.ask_model`)."""


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
    style = "expert"
    """The style of `literature_ai.agents.expert.choice_model` in which its team asks."""
    weights: Weights | None = None
    """What it plays by; None for the stored weights."""
    convention: tuple[str, Mode] | None = None
    """What the team has agreed on: key and mode (`literature_ai.agents.expert.convention`)."""
    reads: tuple[str, Mode] | None = None
    """What is known of the convention of the other team."""
    simulations: Simulations | None = None
    """What runs the rollouts; None: one thread, to the end."""

    def __init__(
        self,
        convention: str | None = None,
        convention_mode: Literal["open", "safe"] = "open",
        reads: str | None = None,
        reads_mode: Literal["open", "safe"] = "open",
    ) -> None:
        """``convention``: the key of the team's convention, with its ``convention_mode``; none: it
        has none.

        ``reads``: the key of the other team's convention, if it is known, with its ``reads_mode``.
        """
        self.convention = None if convention is None else (convention, convention_mode)
        self.reads = None if reads is None else (reads, reads_mode)

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

    def start(
        self, view: View, rng: np.random.Generator, knowledge: Knowledge | None = None
    ) -> None:
        """Begin a new game; knowledge: of the view, where it has been worked out before."""
        from literature_ai.agents.expert.convention import Convention
        from literature_ai.agents.expert.observer import Observer
        from literature_ai.agents.expert.search import Settings
        from literature_ai.agents.expert.weights import stored_weights

        rules, seat = view.rules, view.seat
        weights = self.weights or stored_weights()
        self._action_weights, self.state_weights = weights.action_value, weights.state_value
        self._ask_model = weights.ask_model
        self.settings = Settings(self.horizons, self.prior_error, self.rollout_error)
        self._claimable = [
            rules.split_claims or team_of(other) == team_of(seat) for other in range(rules.players)
        ]
        """For each seat, whether a claim may name it."""
        self.knowledge = Knowledge.of(view) if knowledge is None else knowledge
        self.rng = rng
        least = -(-self.rollouts // self.candidates)
        own, other = (each and Convention(*each) for each in (self.convention, self.reads))
        conventions = (own, other) if team_of(seat) == 0 else (other, own)
        self.observer = Observer(
            self.knowledge, view.start, weights, rng, self.deals, least, conventions, self.style
        )
        self._code = self.observer.codes[team_of(seat)]
        self.observer.catch_up(view.events)

    def observe(self, event: Event) -> None:
        self.observer.observe(event)

    @property
    def belief(self) -> Belief:
        """What happened in the open."""
        return self.observer.belief

    @property
    def opponent_model(self) -> OpponentModel:
        return self.observer.opponent_model

    @property
    def beliefs(self) -> Floats:
        """Where each card is now: cards × seats, by exact counting under the opponent model."""
        return self.observer.deals.posterior

    def act(self, view: View) -> Action:
        return self.decide(view).action

    def decide(
        self, view: View, named: Sequence[Ask] = (), *, thoroughly: bool = False
    ) -> Decision:
        """The action on turn, and the asks that were compared.

        named: legal asks that are compared too, whatever their action values. thoroughly: compare
        asks also where the action does not depend on it.
        """
        action = self._settled(view)
        if action is not None and not thoroughly:
            return Decision(action, None)
        values = self._action_values(view) if len(view.legal_asks) else None
        found: Compared | None = None
        if values is not None and (_is_pointed(values) or self._may_wait):
            found = self._compare(view, values, named, thoroughly)
            if self._code is not None:
                from literature_ai.game.masks import mask_of

                hand, best = mask_of(view.hand), found.best
                said = self._said(self._code, hand, best, self.beliefs)
                found = found._replace(best=said)
        action = action or (found.best if found else self._last_resort(view, values))
        return Decision(action, found.comparison if found else None)

    def _settled(self, view: View) -> Action | None:
        """A claim, an ask or a pass that needs no comparison of asks; or None."""
        action: Action | None = None
        if view.may_claim:
            if _is_last(view):
                action = self._certain_claim(view)
            action = action or self._plain_action(view) or self._certain_claim(view)
            action = action or self._told_claim()
        return action or self._pass(view)

    def _last_resort(self, view: View, values: Floats | None) -> Action:
        """What to do where no ask tells anything: the likeliest claim, or any ask.

        values: of the asks; None when there is none.
        """
        from literature_ai.agents.expert.action_value import GUESS_ABOVE

        guess = next(iter(self.knowledge.claims(weights=self.opponent_model.weights)), None)
        is_stuck = values is None or self.observer.waits >= MOST_WAITS
        if guess and (is_stuck or guess.probability > GUESS_ABOVE):
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

        from literature_ai.agents.expert.action_value import new_buffers
        from literature_ai.agents.expert.belief import believe
        from literature_ai.agents.expert.rollout import ASK, CLAIM, sure_move
        from literature_ai.game.masks import mask_of

        hand, buffers = mask_of(view.hand), new_buffers(view.rules.cards)
        kind, to, what = sure_move(self.belief, view.seat, hand, buffers)
        if kind == CLAIM:
            return Claim(int(what), tuple(buffers.holders.tolist()))
        if kind != ASK:
            return None
        ask = Ask(int(to), int(what))
        if self._code is None:
            return ask
        chances = np.empty((view.rules.cards, view.rules.players))
        believe(self.belief, team_of(view.seat), view.seat, hand, chances)
        return self._said(self._code, hand, ask, (chances == 1.0).astype(np.float64))

    def _certain_claim(self, view: View) -> Claim | None:
        """A claim that is certain; or None. The beliefs, which a decision needs anyway, say whether
        it is worth asking."""
        sure = self.beliefs.max(axis=1) == 1.0
        half_suits = filter(self._may_be_claimed, view.in_play)
        if not any(sure[list(cards_of(half_suit))].all() for half_suit in half_suits):
            return None
        return next(iter(self.knowledge.certain_claims()), None)

    def _said(self, code: Code, hand: int, best: Ask, chances: Floats) -> Ask:
        """Of the asks that are about as good as the best one, the one that the code says.

        hand: as a mask. chances: cards × seats, of a hit.
        """
        seat = self.knowledge.seat
        assert seat is not None
        deals = self.observer.deals.hands(self.deals)
        return code.choose(self.belief, seat, hand, best, chances, deals)

    def _told_claim(self) -> Claim | None:
        """With a convention, a claim that what teammates told makes likely enough; or None."""
        from literature_ai.agents.expert.convention import CLAIM_ABOVE

        if self._code is None:
            return None
        likeliest = self.beliefs.max(axis=1).reshape(-1, HALF_SUIT_SIZE)
        # Cards of a half-suit are far from independent, so the bound is a rough one.
        if likeliest.prod(axis=1).max() < CLAIM_ABOVE / 2:
            return None
        best = next(iter(self.knowledge.claims(weights=self.opponent_model.weights)), None)
        if best is None or best.probability < CLAIM_ABOVE:
            return None
        return Claim(best.half_suit, best.holders)

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

        to, prospects = best_pass(self.belief, self.beliefs.copy(), self._public())
        if view.hand:
            if view.events and isinstance(view.events[-1], Passed):
                return None
            asks = view.legal_asks
            chances = (self.beliefs[card, at] for card in asks.cards for at in asks.targets)
            if len(asks) and not (max(chances) < PASS_BELOW and prospects > PASS_ABOVE):
                return None
        return Pass(int(to))

    def _compare(
        self, view: View, values: Floats, named: Sequence[Ask], thoroughly: bool
    ) -> Compared:
        """The asks of the greatest value, and those named; values: as from `_action_values`.

        thoroughly: by rollouts also where the first is sure to be the best.
        """
        from literature_ai.agents.expert.search import (
            Simulations,
            candidates_of,
            search,
            with_named,
        )

        # Who speaks by a convention speaks by every ask that others think may hit.
        telling = self._code is None
        candidates = candidates_of(values, self.beliefs, self.candidates, telling, self._may_wait)
        first = Ask(*candidates.asks[0].tolist())
        is_best = candidates.chances[0] == 1.0 or not self.horizons
        candidates = with_named(candidates, values, self.beliefs, named)
        is_best = is_best or len(candidates.asks) == 1
        if is_best and not (thoroughly and self.horizons):
            return Compared(first, None)
        comparison = search(
            self.belief,
            self.observer.deals.hands(max(1, self.rollouts // len(candidates.asks))),
            candidates,
            self.observer.policies,
            self.state_weights,
            self.settings,
            self.rng,
            self.simulations or Simulations(),
        )
        if is_best:
            return Compared(first, comparison)
        found = candidates.asks[comparison.leads(self.settings).mean.argmax()]
        return Compared(Ask(*found.tolist()), comparison)

    def _action_values(self, view: View) -> Floats:
        """What each ask is worth: cards × seats, -inf for what may not be asked.

        By the ask model, in units of the action value, less the penalties of those that must miss.
        """
        from literature_ai.agents.expert.ask_model import worth_of
        from literature_ai.agents.expert.search import RESULTS_PER_VALUE

        described = self._described(view)
        values = described.penalized
        if len(described.asks):
            worth = worth_of(self._ask_model, described.values, described.features)
            targets, cards = described.asks.T
            penalties = values[cards, targets] - described.values
            values[cards, targets] = worth / RESULTS_PER_VALUE + penalties
        return values

    def _described(self, view: View) -> Described:
        """All legal asks, as the ask model takes them."""
        import numpy as np

        from literature_ai.agents.expert.action_value import action_values
        from literature_ai.agents.expert.ask_model import FEATURES, describe_asks
        from literature_ai.agents.expert.search import without_penalty
        from literature_ai.game.masks import mask_of

        # A copy, for compiled code of arrays that are read-only would be another version.
        own = self.beliefs.copy()
        penalized = np.empty_like(own)
        hand, public = mask_of(view.hand), self._public()
        weights = self._action_weights
        action_values(self.belief, view.seat, hand, own, public, weights, penalized)
        cards, targets = np.nonzero(penalized > -np.inf)
        asks = np.stack([targets, cards], axis=1)
        values = without_penalty(penalized[cards, targets])
        features = np.empty((len(asks), FEATURES))
        if len(asks):
            describe_asks(self.belief, view.seat, hand, own, public, asks, values, features)
        return Described(penalized, asks, values, features)

    @property
    def _may_wait(self) -> bool:
        """Whether an ask may tell nobody anything: the last one has told something."""
        return self.observer.waits == 0

    def _public(self) -> Floats:
        """What everyone believes, approximately: cards × seats."""
        seat = self.knowledge.seat
        assert seat is not None
        return self.observer.public_beliefs(team_of(seat))


def _is_last(view: View) -> bool:
    """Whether the next event is the last one of the game, whatever it is."""
    return len(view.events) + 1 >= view.rules.max_events


def _is_pointed(values: Floats) -> bool:
    """Whether some ask tells somebody something, by these action values."""
    from literature_ai.agents.expert.action_value import POINTLESS_PENALTY

    return bool(values.max() > -POINTLESS_PENALTY / 2)
