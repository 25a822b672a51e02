"""`champion`: `expert` with a lookahead.

For the few asks that `expert` thinks best it imagines the game going on: deals are drawn exactly
from its beliefs, every ask meets the same deals, and in each imagined game every seat acts on what
it itself can know (`playout`). It makes the ask after which its team stands best on average. The
more imagined games, the better it plays; their number is its budget, so that play does not depend
on the speed of the machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from literature_ai.agents.expert import Expert, fitted
from literature_ai.agents.parameters import Between
from literature_ai.cards import half_suit_of
from literature_ai.events import Ask, Asked, Event

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from literature_ai.game import View

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

PER_WORTH = 0.05
"""Results (1 for a win, -1 for a loss) a unit of what `expert` calls worth."""


class Champion(Expert):
    """Tries the best few asks of `expert` in imagined games; ``budget`` is their number."""

    def __init__(
        self,
        budget: Annotated[int, Between(0)] = 0,
        hands: Annotated[int, Between(0)] = 200,
        warmth: Annotated[float, Between(0.01)] = 0.15,
        doubt: Annotated[float, Between(0)] = 4.0,
        plain: Annotated[float, Between(0, 1)] = 0.1,
        candidates: Annotated[int, Between(2)] = 6,
        steps: Annotated[int, Between(1)] = 12,
        trust: Annotated[float, Between(0)] = 0.03,
    ) -> None:
        """``candidates``: how many asks are tried. ``steps``: how many events ahead."""
        self.budget = budget
        self.hands = hands
        self.warmth = warmth
        self.doubt = doubt
        self.plain = plain
        self.candidates = candidates
        self.steps = steps
        self.trust = trust

    def start(self, view: View, rng: np.random.Generator) -> None:
        import numpy as np

        from literature_ai.agents.outlook import FEATURES

        super().start(view, rng)
        self._beta = np.array([fitted()["outlook"][feature] for feature in FEATURES])

    def observe(self, event: Event) -> None:
        import numpy as np

        if not self.hands or not self._tells_something(event):
            super().observe(event)
            return
        assert isinstance(event, Asked)
        from literature_ai.agents.insight import ask_likelihoods, project
        from literature_ai.agents.reading import CARDS_IN
        from literature_ai.agents.sketch import copied

        asker, asked = event.asker, half_suit_of(event.card)
        before = copied(self.sketch)
        rows = self.reading.weights[:, asker].copy()
        now = self.knowledge._moved_to
        unmoved = sum(1 << card for card in range(self.knowledge.rules.cards) if card not in now)
        moved_in = sum(1 << card for card, place in now.items() if place == asker)
        super().observe(event)
        self.reading.weights[:, asker] = rows
        drawn = self.knowledge.sample(self.rng, self.hands, self.reading.weights)
        bits = np.int64(1) << np.arange(drawn.shape[1], dtype=np.int64)
        dealt = np.where(drawn == asker, bits, 0).sum(axis=1)
        hands = dealt & unmoved | moved_in
        likelihoods = np.empty(len(hands))
        ask_likelihoods(
            before, asker, hands, event.target, event.card, self._theta, self.warmth, likelihoods
        )
        held = CARDS_IN[hands >> asked * 6 & 63]
        likelihoods += self.plain * held**1.2 / 50
        weights = np.ascontiguousarray(self.reading.weights[:, asker])
        project(dealt, likelihoods, asked, self.doubt, weights)
        self.reading.weights[:, asker] = weights

    def _tells_something(self, event: Event) -> bool:
        """Whether it is an ask by someone else whose answer was not known before."""
        return (
            isinstance(event, Asked)
            and event.asker != self.knowledge.seat
            and self.sketch.may[event.card] != 1 << event.target
        )

    def _choose(self, view: View, worth: Floats) -> Ask:
        if not self.budget:
            return super()._choose(view, worth)
        import numpy as np

        from literature_ai.agents.playout import compare

        cards, targets = np.unravel_index(
            np.argsort(-worth, axis=None, kind="stable")[: self.candidates], worth.shape
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
            self.steps,
            self._beta,
            int(self.rng.integers(1 << 30)),
            values,
        )
        hits = np.stack([deals[:, t] >> c & 1 for t, c in asks.tolist()], axis=1).astype(bool)
        chances = self.beliefs[asks[:, 1], asks[:, 0]]
        best = int(
            np.argmax(combine(values, hits, chances, worth[asks[:, 1], asks[:, 0]], self.trust))
        )
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
