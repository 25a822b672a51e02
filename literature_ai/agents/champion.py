"""`champion`: `expert` that imagines, in the place of others and ahead of time.

Two things are imagined, each as often as the ``budget`` says:

- at every ask of another player, hands that he may have, and what he would have asked with each
  (`insight`): hands that would have led to another ask lose weight. How much of this to believe is
  learned during the game: players of each side may choose like `expert`, by the chance of a hit
  alone, or plainly where they hold most, and the better a style foretells their asks, the more it
  counts;
- before an ask of its own, how the game goes on after each of the few asks that `expert` thinks
  best (`playout`). Deals are drawn exactly from its beliefs, all asks meet the same deals, every
  seat of an imagined game acts on what it itself can know, and after a few events the `outlook`
  tells how it stands.

The budget counts hands and games, not seconds, so play does not depend on the speed of the machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from literature_ai.agents.expert import Expert, fitted
from literature_ai.agents.parameters import Between
from literature_ai.cards import half_suit_of, team_of
from literature_ai.events import Ask, Asked, Event

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from literature_ai.agents.sketch import Sketch
    from literature_ai.game import View

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

STYLES = ((True, 0.1), (False, 0.05))
"""How players may choose their asks: by the fitted worth, or by the chance of a hit alone; and how
warm, that is, how far from always making the best one. A plain style comes third."""
FIRST_SHARES = ((0.8, 0.1, 0.1), (0.45, 0.45, 0.1))
"""How much each style is believed of the own side, and of the other side, before the first ask."""
LEAST_SHARE = 0.03
DOUBT = 4.0
"""The number of imagined hands that count as knowing nothing."""

CANDIDATES = 6
TRUST = 0.03
"""The standard deviation, in results, of what `expert` thinks of one ask's lead over another."""
PER_WORTH = 0.05
"""Results (1 for a win, -1 for a loss) a unit of what `expert` calls worth."""


class Champion(Expert):
    """Reads asks by imagining the asker's hands, chooses its own by imagining the game go on."""

    def __init__(
        self, budget: Annotated[int, Between(1)] = 200, lookahead: Annotated[int, Between(0)] = 12
    ) -> None:
        """``budget``: hands imagined at an ask, and games before one.

        ``lookahead``: how many events an imagined game goes on; 0 imagines none.
        """
        self.budget = budget
        self.lookahead = lookahead

    def start(self, view: View, rng: np.random.Generator) -> None:
        import numpy as np

        from literature_ai.agents.judgement import TERMS
        from literature_ai.agents.outlook import FEATURES

        self._styles = np.zeros((len(STYLES), len(TERMS)))
        for row, (data, _) in zip(self._styles, STYLES, strict=True):
            row[:] = [fitted()["worth"].get(term, 0.0) if data else 0.0 for term in TERMS]
        self._shares = np.array(FIRST_SHARES)
        super().start(view, rng)
        self._beta = np.array([fitted()["outlook"][feature] for feature in FEATURES])

    def observe(self, event: Event) -> None:
        from literature_ai.agents.sketch import copied

        if not isinstance(event, Asked) or not self._tells_something(event):
            super().observe(event)
            return
        before = copied(self.sketch)
        weights = self.reading.weights[:, event.asker].copy()
        places = [self.knowledge.place_now(card) for card in range(self.knowledge.rules.cards)]
        super().observe(event)
        self.reading.weights[:, event.asker] = self._imagined(event, before, places, weights)

    def _tells_something(self, event: Asked) -> bool:
        """Whether it is an ask by someone else whose answer was not known before."""
        unsure = self.sketch.may[event.card] != 1 << event.target
        return bool(unsure) and event.asker != self.knowledge.seat

    def _imagined(
        self, event: Asked, before: Sketch, places: list[int | None], weights: Floats
    ) -> Floats:
        """The asker's weights (half-suits × 64) after what he would have asked with other hands.

        ``before``, ``places``, ``weights``: how things were before the ask. Its answer is known by
        now, so that only hands are drawn with which all that happened could have happened.
        """
        import numpy as np

        from literature_ai.agents.insight import ask_likelihoods, project

        self.reading.weights[:, event.asker] = weights
        drawn = self.knowledge.sample(self.rng, self.budget, self.reading.weights)
        bits = np.int64(1) << np.arange(drawn.shape[1], dtype=np.int64)
        dealt = np.where(drawn == event.asker, bits, 0).sum(axis=1)
        unmoved = sum(1 << card for card, place in enumerate(places) if place is None)
        moved_in = sum(1 << card for card, place in enumerate(places) if place == event.asker)
        found = np.empty((len(STYLES) + 1, len(dealt)))
        ask_likelihoods(
            before,
            event.asker,
            dealt & unmoved | moved_in,
            event.target,
            event.card,
            self._styles,
            np.array([warmth for _, warmth in STYLES]),
            found,
        )
        shares = self._shares[int(team_of(event.asker) != self._team)]
        likelihoods = shares @ found
        shares *= found.mean(axis=1) / max(likelihoods.mean(), 1e-12)
        np.maximum(shares, LEAST_SHARE, out=shares)
        shares /= shares.sum()
        project(dealt, likelihoods, half_suit_of(event.card), DOUBT, weights)
        return weights

    def _choose(self, view: View, worth: Floats) -> Ask:
        if not self.lookahead:
            return super()._choose(view, worth)
        import numpy as np

        from literature_ai.agents.playout import compare

        cards, targets = np.unravel_index(
            np.argsort(-worth, axis=None, kind="stable")[:CANDIDATES], worth.shape
        )
        if worth[cards[0], targets[0]] == -np.inf or self.beliefs[cards[0], targets[0]] == 1.0:
            return super()._choose(view, worth)
        open_ = worth[cards, targets] > -np.inf
        asks = np.stack([targets, cards], axis=1)[open_]
        if len(asks) == 1:
            return Ask(int(targets[0]), int(cards[0]))
        deals = self._deals(max(1, self.budget // len(asks)))
        values = np.empty((len(deals), len(asks)))
        self.sketch.table[0] = view.seat
        compare(
            self.sketch,
            deals,
            asks,
            np.array([self._theta, self._theta]),
            self._readings,
            self.lookahead,
            self._beta,
            int(self.rng.integers(1 << 30)),
            values,
        )
        hits = np.stack([deals[:, t] >> c & 1 for t, c in asks.tolist()], axis=1).astype(bool)
        chances = self.beliefs[asks[:, 1], asks[:, 0]]
        best = int(np.argmax(combine(values, hits, chances, worth[asks[:, 1], asks[:, 0]], TRUST)))
        return Ask(int(asks[best, 0]), int(asks[best, 1]))

    def _deals(self, count: int) -> Ints:
        """Deals drawn from the beliefs: hands now, as masks, count × seats."""
        import numpy as np

        drawn = self.knowledge.sample(self.rng, count, self.reading.weights)
        now = self.knowledge.now(drawn)
        bits = np.int64(1) << np.arange(now.shape[1], dtype=np.int64)
        seats = self.knowledge.rules.players
        return np.stack([np.where(now == s, bits, 0).sum(axis=1) for s in range(seats)], axis=1)


def combine(
    values: Floats, hits: npt.NDArray[np.bool_], chances: Floats, worth: Floats, trust: float
) -> Floats:
    """What each ask is worth after what was imagined.

    values, hits: deals × asks. The chance of a hit is known exactly, so hits and misses are
    averaged apart and weighed by it (post-stratification). The means still err, so each ask's lead
    over the first one is shrunk towards what `expert` thinks it is, ``worth`` × `PER_WORTH`, with
    standard deviation ``trust``: the more was imagined, the less of that is left.
    """
    import numpy as np

    n_hit, n = hits.sum(axis=0), len(values)
    strata = np.where(
        hits, chances / np.maximum(n_hit, 1), (1 - chances) / np.maximum(n - n_hit, 1)
    )
    strata /= strata.sum(axis=0)
    means = (strata * values).sum(axis=0)
    leads = means - means[0]
    mean_hit = np.where(hits, values, 0).sum(axis=0) / np.maximum(n_hit, 1)
    mean_miss = np.where(hits, 0, values).sum(axis=0) / np.maximum(n - n_hit, 1)
    rest = values - np.where(hits, mean_hit, mean_miss)
    # Two means were taken from the same values; with fewer than three nothing is left to tell.
    error = ((rest - rest[:, :1]) ** 2).sum(axis=0) / n / (n - 2) if n > 2 else np.inf
    prior = PER_WORTH * (worth - worth[0])
    heed = trust**2 / (trust**2 + error)
    return np.asarray(prior + heed * (leads - prior))
