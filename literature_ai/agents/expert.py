"""`expert`: the ask that is worth most, by exact beliefs that read every ask as evidence.

Three ideas carry it:

- a deal is the likelier, the better it explains what everybody asked for (`reading`); exact
  counting under these weights tells where each card is;
- an ask is worth more than its chance of a hit (`judgement`): it also builds up half-suits, shows
  something, and, when it misses, hands the turn to someone;
- it claims as soon as a claim is certain, never before, unless the rules force it.

The numbers in all this were fitted to play by ``benchmarks/fit_expert.py``; they lie in
``expert.json`` with the record of how they came about.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from literature_ai.agents.knowing import KnowingAgent
from literature_ai.cards import cards_of, team_of
from literature_ai.events import Action, Ask, Asked, Claim, Claimed, Event, Pass, Passed
from literature_ai.knowledge import NOWHERE

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from literature_ai.game import View

    Floats = npt.NDArray[np.float64]

POINTLESS = 10_000.0
"""As in `literature_ai.agents.judgement`, which must not be imported before it is needed."""
SURE_ENOUGH = 0.3
"""Of a layout, to claim it when there is nothing left to ask that means anything."""
PASS_BELOW = 0.5
"""Of the best chance of a hit, to rather pass to a teammate who has something to take."""
DATA = Path(__file__).with_name("expert.json")


@cache
def fitted() -> dict[str, Any]:
    """What was fitted: ``worth``, ``readings`` and ``outlook``, with their record."""
    found: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return found


class Expert(KnowingAgent):
    """Asks what is worth most by exact beliefs that read asks as evidence; claims when certain."""

    @classmethod
    def warm_up(cls) -> None:
        """Compile what the agent will use, so that worker processes find it ready."""
        import numpy as np

        from literature_ai.game import Game
        from literature_ai.rules import RuleSet

        agent = cls()
        game = Game.deal(RuleSet(), seed=0, start=0)
        agent.start(game.view(0), np.random.default_rng(0))
        agent.observe(game.apply(agent.act(game.view(0))))
        agent.knowledge.claims(weights=agent.reading.weights)

    def start(self, view: View, rng: np.random.Generator) -> None:
        import numpy as np

        from literature_ai.agents import sketch
        from literature_ai.agents.judgement import TERMS
        from literature_ai.agents.reading import Reading, likelihoods

        data = fitted()
        self._team = team_of(view.seat)
        self._theta = np.array([data["worth"].get(term, 0.0) for term in TERMS])
        readings = np.array(data["readings"])
        self.reading = Reading(view.rules, view.seat, likelihoods(readings))
        self._readings = np.array([readings, readings])
        sizes = (view.rules.hand_size,) * view.rules.players
        self.sketch = sketch.new_sketch(view.rules.half_suits, sizes, 0, view.rules.bluff_asks)
        self._beliefs: Floats | None = None
        super().start(view, rng)
        # A game may be joined late; what has been observed by now is in all three memories.

    def observe(self, event: Event) -> None:
        import numpy as np

        from literature_ai.agents import sketch

        self._beliefs = None
        self.reading.observe(event)
        match event:
            case Asked(asker, target, card, hit):
                sketch.note_ask(self.sketch, asker, target, card, hit, self._readings)
            case Claimed():
                lost = event.lost
                if lost is None:
                    shown = event.shown or event.holders
                    lost = tuple(shown.count(s) for s in range(len(self.sketch.sizes)))
                sketch.note_claim(self.sketch, event.half_suit, np.array(lost, np.int64))
                if event.right:
                    self.sketch.table[sketch.SCORE + team_of(event.claimant)] += 1
        super().observe(event)

    @property
    def beliefs(self) -> Floats:
        """Where each card is now: cards × seats, by exact counting under the reading's weights."""
        if self._beliefs is None:
            self._beliefs = self.knowledge.posterior(self.reading.weights)
        return self._beliefs

    def act(self, view: View) -> Action:
        claim = self.claim(view)
        if claim is not None:
            return claim
        mate = max(view.legal_passes, key=self._prospects, default=None)
        if mate is not None and (not view.hand or self._rather_pass(view, mate)):
            return Pass(mate)
        worth = self._worth(view) if len(view.legal_asks) else None
        if worth is not None and worth.max() > -POINTLESS / 2:
            return self._choose(view, worth)
        best = self.knowledge.claims(weights=self.reading.weights)
        if best and (worth is None or best[0].probability > SURE_ENOUGH):
            return Claim(best[0].half_suit, best[0].holders)
        return self.any_of(view.legal_asks)

    def claim(self, view: View) -> Claim | None:
        """A claim that cannot be wrong, if there is one."""
        if not view.may_claim:
            return None
        anyone = view.rules.split_claims
        ours = [anyone or team_of(seat) == self._team for seat in range(view.rules.players)]
        for half_suit in view.in_play:
            if not all(self._may_be_ours(card, ours) for card in cards_of(half_suit)):
                continue
            rows = self.beliefs[half_suit * 6 : half_suit * 6 + 6]
            if (rows.max(axis=1) == 1.0).all():
                holders = tuple(rows.argmax(axis=1).tolist())
                if all(ours[seat] for seat in holders):
                    return Claim(half_suit, holders)
        return None

    def _may_be_ours(self, card: int, ours: list[bool]) -> bool:
        """Whether the card may be with a seat that a claim may name: a quick look, no proof."""
        place = self.knowledge.place_now(card)
        return place is None or (place != NOWHERE and ours[place])

    def _choose(self, view: View, worth: Floats) -> Ask:
        """The ask to make; ``worth`` (cards × seats) is -inf for what may not be asked."""
        from literature_ai.agents.judgement import best_ask

        target, card = best_ask(worth, self.rng.integers(1 << 30, size=1))
        return Ask(int(target), int(card))

    def _worth(self, view: View) -> Floats:
        """What each ask is worth: cards × seats, -inf for what may not be asked."""
        import numpy as np

        from literature_ai.agents.judgement import judge
        from literature_ai.game import mask_of

        worth = np.empty_like(self.beliefs)
        hand = mask_of(view.hand)
        judge(self.sketch, view.seat, hand, self.beliefs, self._public(), self._theta, worth)
        return worth

    def _public(self) -> Floats:
        """What everyone believes, roughly: cards × seats."""
        import numpy as np

        from literature_ai.agents.sketch import NOBODY, believe

        public = np.empty_like(self.beliefs)
        believe(self.sketch, self._team, NOBODY, 0, public)
        return public

    def _prospects(self, seat: int) -> float:
        """How many cards the teammate could take for sure; if equal, how many he has."""
        theirs = self._public()[:, 1 - self._team :: 2].max(axis=1)
        total = 0.0
        for half_suit in self.knowledge.in_play:
            cards = slice(half_suit * 6, half_suit * 6 + 6)
            some = 1.0 - (1.0 - self.beliefs[cards, seat]).prod()
            total += some * (theirs[cards] ** 2).sum()
        return float(total + 0.01 * self.sketch.sizes[seat])

    def _rather_pass(self, view: View, mate: int) -> bool:
        """Whether to pass under ``pass-turn``: never twice running, or it could go on for ever."""
        if view.events and isinstance(view.events[-1], Passed):
            return False
        if not len(view.legal_asks):
            return True
        asks = view.legal_asks
        best = max(self.beliefs[card, target] for card in asks.cards for target in asks.targets)
        return bool(best < PASS_BELOW and self._prospects(mate) > 1.0)
