"""`champion`: `expert` with time to think.

It plays by the same ideas and imagines more: more hands to read asks with, more asks to compare,
more and longer continuations of each. The budget counts hands and games, not seconds, so play does
not depend on the speed of the machine.
"""

from __future__ import annotations

from typing import Annotated

from literature_ai.agents.expert.agent import Expert
from literature_ai.bots.parameters import Between


class Champion(Expert):
    """Reads asks by imagining the asker's hands, chooses its own by imagining the game go on."""

    candidates = 8
    trust, blur = 0.05, 0.01
    """Games that go on longer err less, and leave less of what was thought before."""

    def __init__(
        self, budget: Annotated[int, Between(1)] = 500, lookahead: Annotated[int, Between(0)] = 8
    ) -> None:
        """``budget``: deals imagined before a decision, and games before an ask.

        ``lookahead``: after how many open asks an imagined game ends; 0 imagines none.
        """
        self.deals = budget
        self.games = budget
        self.horizons = tuple(sorted({1, min(3, lookahead), lookahead})) if lookahead else ()
