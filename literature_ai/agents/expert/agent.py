"""`expert`: the ask that is worth most, by exact beliefs that read every ask as evidence.

Four ideas carry it:

- a deal is the likelier, the better it explains what everybody asked for (`opponent_model`), by a
model of
  how players choose their asks (`choice`); exact counting under these weights tells where each
  card is;
- an ask is worth more than its chance of a hit (`action value`): it also builds up half-suits,
shows
  something, and, when it misses, hands the turn to someone;
- the few asks that are worth most by that formula are tried on imagined deals, until whoever is
  then on turn has made one open ask and taken what it led to (`lookahead`), which sees what no
  formula does: who can take what next;
- it takes what everyone can see it can take, and claims as soon as a claim is certain, never
  before, unless the rules force it.

The numbers of `action value`, `choice`, `belief` and `state_value` were fitted to play by
``benchmarks/fit_expert.py``; they lie in ``weights.json`` with the record of how they came about.
The few of `opponent_model` and `lookahead` were chosen by hand, after the trials that
``benchmarks/STRENGTH.md`` tells of.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from literature_ai.agents.knowledge_agent import KnowledgeAgent
from literature_ai.cards import HalfSuit, Team, cards_of, team_of
from literature_ai.events import Action, Ask, Asked, Claim, Claimed, Event, Pass, Passed
from literature_ai.inference.knowledge import NOWHERE
from literature_ai.rules import RuleSet

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from literature_ai.game.view import View

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]
    Deals = npt.NDArray[np.int8]

POINTLESS = 10_000.0
"""As in `literature_ai.agents.expert.action_value`, which must not be imported before it is
needed."""
SURE_ENOUGH = 0.3
"""Of a layout, to claim it when there is nothing left to ask that means anything."""
PASS_BELOW = 0.5
"""Of the best chance of a hit, to rather pass to a teammate who has something to take."""
DATA = Path(__file__).with_name("weights.json")


@cache
def fitted() -> dict[str, Any]:
    """What was fitted: ``worth``, ``readings``, ``state_value`` and ``choice``, with their
    record."""
    found: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return found


class Expert(KnowledgeAgent):
    """Asks what is worth most by exact beliefs that read asks as evidence; claims when certain."""

    deals = 100
    """Deals imagined before a decision, to read with them what the others asked."""
    games = 48
    """Continuations imagined before an ask, of all candidates together."""
    horizons: tuple[int, ...] = (1,)
    """After how many open asks of theirs to see how it stands, in rising order."""
    candidates = 4
    """Asks that are compared."""
    trust, blur = 0.03, 0.02
    """What is thought beforehand of one ask's lead over another errs by the first, and what is
    imagined by the second, however much it is: standard deviations in results (1 for a win)."""

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

        from literature_ai.agents.expert import belief as belief
        from literature_ai.agents.expert.action_value import TERMS
        from literature_ai.agents.expert.choice_model import choice_model_of
        from literature_ai.agents.expert.opponent_model import OpponentModel
        from literature_ai.agents.expert.state_value import FEATURES

        data = fitted()
        self._team = team_of(view.seat)
        self._theta = np.array([data["action_value"].get(term, 0.0) for term in TERMS])
        self._readings = np.array([data["ask_factors"], data["ask_factors"]])
        self._beta = np.array([data["state_value"][feature] for feature in FEATURES])
        rules = view.rules
        choice = choice_model_of(data["choice_model"])
        self.opponent_model = OpponentModel(rules.half_suits, rules.players, view.seat, choice)
        sizes = (rules.hand_size,) * rules.players
        self.belief = belief.new_belief(rules.half_suits, sizes, 0, rules.bluff_asks)
        anyone = rules.split_claims
        self._claimable = [anyone or team_of(s) == self._team for s in range(rules.players)]
        """For each seat, whether a claim may name it."""
        self._beliefs: Floats | None = None
        self._imagined: Deals | None = None
        super().start(view, rng)

    def observe(self, event: Event) -> None:
        import numpy as np

        from literature_ai.agents.expert import belief as belief

        self._beliefs = None
        self._imagined = self._still_possible(event)
        self.opponent_model.observe(event, self.belief)
        match event:
            case Asked(asker, target, card, hit):
                belief.observe_ask(self.belief, asker, target, card, hit, self._readings)
            case Claimed():
                lost = event.lost
                if lost is None:
                    shown = event.shown or event.holders
                    lost = tuple(shown.count(s) for s in range(len(self.belief.sizes)))
                belief.observe_claim(self.belief, event.half_suit, np.array(lost, np.int64))
                scorer = _scorer(event, lost, self.knowledge.rules)
                if scorer is not None:
                    self.belief.table[belief.SCORE + scorer] += 1
        super().observe(event)

    @property
    def beliefs(self) -> Floats:
        """Where each card is now: cards × seats, by exact counting under `opponent_model`'s
        weights."""
        if self._beliefs is None:
            self._think()
        assert self._beliefs is not None
        return self._beliefs

    def _still_possible(self, event: Event) -> Deals | None:
        """Of the deals imagined before, those that an event of the own turn leaves.

        Deals drawn before a card was got, of which those are kept where it was there, are as good
        as drawn after it. Of what others do few deals would be left, and there is more to read.
        """
        deals, seat = self._imagined, self.knowledge.seat
        match event:
            case Asked(asker, target, card, True) if deals is not None and asker == seat:
                if self.knowledge.place_now(card) is None:
                    deals = deals[deals[:, card] == target]
                return deals if len(deals) * self.candidates >= self.games else None
            case Claimed(right=True) if event.claimant == seat:
                return deals
        return None

    def _think(self) -> None:
        """Imagine deals, read with them what was asked, and see where the cards are then."""
        import numpy as np

        if self._imagined is None:
            deals = self.knowledge.sample(self.rng, self.deals, self.opponent_model.weights)
            # Drawn before anything was read; drawn once more by how much likelier that makes them,
            # they are deals from the beliefs as they are then.
            ends = np.cumsum(self.opponent_model.read(deals))
            spots = (np.arange(self.deals) + self.rng.random()) * (ends[-1] / self.deals)
            self._imagined = deals[np.minimum(np.searchsorted(ends, spots), self.deals - 1)]
        self._beliefs = self.knowledge.posterior(self.opponent_model.weights)

    def act(self, view: View) -> Action:
        action = self._in_the_open(view) if view.may_claim else None
        if action is not None:
            return action
        claim = self._sound_claim(view) if view.may_claim else None
        if claim is not None:
            return claim
        mate = max(view.legal_passes, key=self._prospects, default=None)
        if mate is not None and (not view.hand or self._rather_pass(view, mate)):
            return Pass(mate)
        worth = self._worth(view) if len(view.legal_asks) else None
        if worth is not None and worth.max() > -POINTLESS / 2:
            return self._choose(view, worth)
        best = self.knowledge.claims(weights=self.opponent_model.weights)
        if best and (worth is None or best[0].probability > SURE_ENOUGH):
            return Claim(best[0].half_suit, best[0].holders)
        return self.any_of(view.legal_asks)

    def claim(self, view: View) -> Claim | None:
        """A claim that cannot be wrong, if there is one."""
        # What is certain is so under all weights; the uniform posterior is kept for the next call.
        return super().claim(view) if any(map(self._may_be_claimed, view.in_play)) else None

    def _in_the_open(self, view: View) -> Claim | Ask | None:
        """What needs no thought: a claim, or an ask that must hit, that the belief can prove.

        A card that is there for the taking keeps the turn, so it is taken before anything else.
        """
        import numpy as np

        from literature_ai.agents.expert.action_value import certain_claim, sure_ask
        from literature_ai.agents.expert.belief import SIX, locate
        from literature_ai.game.masks import mask_of

        hand = mask_of(view.hand)
        masks = np.empty(view.rules.cards, np.int64)
        locate(self.belief, view.seat, hand, masks, np.empty(view.rules.players))
        holders = np.zeros(SIX, np.int64)
        half_suit = certain_claim(self.belief, view.seat, masks, holders)
        if half_suit >= 0:
            return Claim(int(half_suit), tuple(holders.tolist()))
        target, card = sure_ask(self.belief, view.seat, hand, masks)
        return Ask(int(target), int(card)) if target >= 0 else None

    def _sound_claim(self, view: View) -> Claim | None:
        """A claim that is certain by the beliefs, which a decision needs anyway; or None."""
        for half_suit in view.in_play:
            if not self._may_be_claimed(half_suit):
                continue
            rows = self.beliefs[half_suit * 6 : half_suit * 6 + 6]
            if (rows.max(axis=1) == 1.0).all():
                holders = tuple(rows.argmax(axis=1).tolist())
                if all(self._claimable[seat] for seat in holders):
                    return Claim(half_suit, holders)
        return None

    def _may_be_claimed(self, half_suit: HalfSuit) -> bool:
        """Whether no card of it is in the open where a claim may not name it: no proof yet."""
        places = map(self.knowledge.place_now, cards_of(half_suit))
        return all(
            place is None or (place != NOWHERE and self._claimable[place]) for place in places
        )

    def _choose(self, view: View, worth: Floats) -> Ask:
        """The ask to make; ``worth`` (cards × seats) is -inf for what may not be asked."""
        import numpy as np

        from literature_ai.agents.expert.belief import TURN
        from literature_ai.agents.expert.rollout import compare
        from literature_ai.agents.expert.search import PER_WORTH, combine

        cards, targets = np.unravel_index(
            np.argsort(-worth, axis=None, kind="stable")[: self.candidates], worth.shape
        )
        open_ = worth[cards, targets] > -np.inf
        asks = np.stack([targets, cards], axis=1)[open_]
        chances = self.beliefs[asks[:, 1], asks[:, 0]]
        if len(asks) == 1 or chances[0] == 1.0 or not self.horizons:
            return Ask(int(asks[0, 0]), int(asks[0, 1]))
        hands = self._imagined_hands(max(1, self.games // len(asks)))
        values = np.empty((len(self.horizons), len(hands), len(asks)))
        self.belief.table[TURN] = view.seat
        compare(
            self.belief,
            hands,
            asks,
            np.array([self._theta, self._theta]),
            self._readings,
            np.array(self.horizons),
            self._beta,
            int(self.rng.integers(1 << 30)),
            values,
        )
        hits = hands[:, asks[:, 0]] >> asks[:, 1] & 1 == 1
        leads = PER_WORTH * (worth[asks[:, 1], asks[:, 0]] - worth[asks[0, 1], asks[0, 0]])
        for seen in values:
            leads = combine(seen, hits, chances, leads, self.trust, self.blur)
        best = int(np.argmax(leads))
        return Ask(int(asks[best, 0]), int(asks[best, 1]))

    def _imagined_hands(self, count: int) -> Ints:
        """Of the imagined deals, so many: the hands as they are now, as masks, count × seats."""
        import numpy as np

        from literature_ai.agents.expert.opponent_model import masks_of

        assert self._imagined is not None
        now = self.knowledge.now(self._imagined[:: max(1, len(self._imagined) // count)][:count])
        return np.stack([masks_of(now, s) for s in range(self.knowledge.rules.players)], axis=1)

    def _worth(self, view: View) -> Floats:
        """What each ask is worth: cards × seats, -inf for what may not be asked."""
        import numpy as np

        from literature_ai.agents.expert.action_value import action_values
        from literature_ai.game.masks import mask_of

        worth = np.empty_like(self.beliefs)
        hand = mask_of(view.hand)
        action_values(
            self.belief, view.seat, hand, self.beliefs, self._public(), self._theta, worth
        )
        return worth

    def _public(self) -> Floats:
        """What everyone believes, roughly: cards × seats."""
        import numpy as np

        from literature_ai.agents.expert.belief import NOBODY, believe

        public = np.empty_like(self.beliefs)
        believe(self.belief, self._team, NOBODY, 0, public)
        return public

    def _prospects(self, seat: int) -> float:
        """How many cards the teammate could take for sure; if equal, how many he has."""
        theirs = self._public()[:, 1 - self._team :: 2].max(axis=1)
        total = 0.0
        for half_suit in self.knowledge.in_play:
            cards = slice(half_suit * 6, half_suit * 6 + 6)
            some = 1.0 - (1.0 - self.beliefs[cards, seat]).prod()
            total += some * (theirs[cards] ** 2).sum()
        return float(total + 0.01 * self.belief.sizes[seat])

    def _rather_pass(self, view: View, mate: int) -> bool:
        """Whether to pass under ``pass-turn``: never twice running, or it could go on for ever."""
        if view.events and isinstance(view.events[-1], Passed):
            return False
        if not len(view.legal_asks):
            return True
        asks = view.legal_asks
        best = max(self.beliefs[card, target] for card in asks.cards for target in asks.targets)
        return bool(best < PASS_BELOW and self._prospects(mate) > 1.0)


def _scorer(event: Claimed, lost: Sequence[int], rules: RuleSet) -> Team | None:
    """The team that a claim scores for; ``lost``: cards that it cost each seat."""
    team = team_of(event.claimant)
    if event.right:
        return team
    inside = sum(lost[team::2]) == sum(lost)
    return None if rules.wrong_cancels and inside else 1 - team
