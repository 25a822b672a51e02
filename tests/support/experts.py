"""What `expert` has seen of a game, for tests of its parts."""

from __future__ import annotations

import numpy as np
from seated import agent_at

from literature_ai.agents.expert.action_value import new_buffers
from literature_ai.agents.expert.agent import Expert
from literature_ai.agents.expert.belief import Belief, Ints
from literature_ai.agents.expert.rollout import Policies, rollout
from literature_ai.agents.expert.weights import stored_weights
from literature_ai.game.game import Game
from literature_ai.game.masks import mask_of


def believed(game: Game) -> tuple[Belief, Ints]:
    """What `expert` has seen of the game, and all hands as masks."""
    expert = agent_at("expert", game, 0)
    assert isinstance(expert, Expert)
    seats = range(game.rules.players)
    return expert.belief, np.array([mask_of(game.hand(seat)) for seat in seats], np.int64)


def stored_policies() -> Policies:
    """Both teams play by the stored weights."""
    weights = stored_weights()
    return Policies(
        (weights.action_value, weights.action_value), np.stack([weights.ask_factors] * 2)
    )


def play_on(belief: Belief, hands: Ints, open_asks: int) -> None:
    """Let all players play on by the stored weights, as `rollout` does."""
    buffers = new_buffers(len(belief.possible))
    rollout(belief, hands, stored_policies(), open_asks, np.ones(1, np.int64), buffers, False)
