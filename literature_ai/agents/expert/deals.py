"""Sampled deals: drawn by exact counting under the opponent model, for one decision at a time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from literature_ai.agents.expert.opponent_model import OpponentModel, masks_of
from literature_ai.events import Asked, Claimed, Event
from literature_ai.inference.knowledge import Knowledge
from solver.kernels.arrays import Floats2, Ints2


class SampledDeals:
    """Deals that fit all that a seat knows, and the posterior they were read with.

    Sampling is lazy: nothing is drawn until `posterior` or `hands` is asked for. The deals serve on
    as long as the seat keeps the turn.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        opponent_model: OpponentModel,
        rng: np.random.Generator,
        count: int,
        least: int,
    ) -> None:
        """count: the deals to draw. least: how many must be left to serve on."""
        self._knowledge = knowledge
        self._opponent_model = opponent_model
        self._rng = rng
        self._count = count
        self._least = least
        self._deals: npt.NDArray[np.int8] | None = None
        self._posterior: Floats2 | None = None

    def observe(self, event: Event) -> None:
        """Follow the next event, before the knowledge does."""
        self._posterior = None
        self._deals = self._left(event)

    def _left(self, event: Event) -> npt.NDArray[np.int8] | None:
        """The deals that an event of the seat's own turn leaves; None to draw new ones.

        Deals drawn before a card was got, of which those are kept where it was there, are as good
        as drawn after it. The actions of others leave few deals, and give asks to read.
        """
        deals, seat = self._deals, self._knowledge.seat
        match event:
            case Asked(asker, target, card, True) if deals is not None and asker == seat:
                if self._knowledge.place_now(card) is None:
                    deals = deals[deals[:, card] == target]
                return deals if len(deals) >= self._least else None
            case Claimed(right=True) if event.claimant == seat:
                return deals
        return None

    @property
    def posterior(self) -> Floats2:
        """Where each card is now: cards × seats, by exact counting under the opponent model."""
        if self._posterior is None:
            self._draw()
            self._posterior = self._knowledge.posterior(self._opponent_model.weights)
        return self._posterior

    def hands(self, most: int) -> Ints2:
        """The hands as they are now, as masks, in at most so many of the deals: deals × seats."""
        deals = self._draw()
        now = self._knowledge.now(deals[:: max(1, len(deals) // most)][:most])
        seats = range(self._knowledge.rules.players)
        return np.stack([masks_of(now, seat) for seat in seats], axis=1)

    def _draw(self) -> npt.NDArray[np.int8]:
        """Draw deals, unless there are any, and read with them what the others asked."""
        if self._deals is None:
            count, weights = self._count, self._opponent_model.weights
            deals = self._knowledge.sample(self._rng, count, weights)
            # Drawn before the asks were read; drawn again by how much likelier that makes them
            # (systematic resampling), they are deals from the posterior.
            ends = np.cumsum(self._opponent_model.read(deals))
            spots = (np.arange(count) + self._rng.random()) * (ends[-1] / count)
            self._deals = deals[np.minimum(np.searchsorted(ends, spots), count - 1)]
        return self._deals
