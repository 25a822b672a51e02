"""`champion`: `expert` with a larger budget.

It works as `expert` does, with more samples and rollouts: more deals to read asks with, more asks
to compare, more and longer rollouts of each. The budget counts deals and rollouts, not seconds, so
play does not depend on the speed of the machine.
"""

from __future__ import annotations

from typing import Annotated, Literal

from literature_ai.agents.expert.agent import Expert
from literature_ai.bots.parameters import Between

BUDGET = 800
"""The rollouts before an ask, unless another number is given."""


class Champion(Expert):
    """Reads asks with many sampled deals, and chooses its own by a deep search."""

    candidates = 8
    style = "champion"
    prior_error, rollout_error = 0.05, 0.01
    """As in `Expert`; the error of a rollout is smaller here because rollouts are longer."""

    def __init__(
        self,
        budget: Annotated[int, Between(1, 1_000_000)] = BUDGET,
        lookahead: Annotated[int, Between(0, 1000)] = 8,
        convention: str | None = None,
        convention_mode: Literal["open", "safe"] = "open",
        reads: str | None = None,
        reads_mode: Literal["open", "safe"] = "open",
    ) -> None:
        """``budget``: deals sampled before a decision, and rollouts before an ask.

        ``lookahead``: the open asks after which a rollout ends; 0 for no rollouts. The others are
        as in `Expert`.
        """
        super().__init__(convention, convention_mode, reads, reads_mode)
        self.deals = budget
        self.rollouts = budget
        self.horizons = tuple(sorted({1, min(3, lookahead), lookahead})) if lookahead else ()
