"""Agents that play by the weights of a file, not by those of the package. Used by `learn.py`.

As a spec: ``benchmarks/fitted.py:Fitted:weights=FILE``.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from literature_ai.agents.champion import Champion
from literature_ai.agents.expert.action_value import DEAD_PENALTY
from literature_ai.agents.expert.agent import Expert
from literature_ai.agents.expert.weights import PATH, Weights, weights_of
from literature_ai.game.view import View


class Fitted(Expert):
    """`expert` by the weights in a file."""

    def __init__(self, weights: str | None = None) -> None:
        super().__init__()
        self.weights = weights_in(weights)


class FittedChampion(Champion):
    """`champion` by the weights in a file."""

    def __init__(self, weights: str | None = None) -> None:
        super().__init__()
        self.weights = weights_in(weights)


class Formula(Fitted):
    """`expert` by the formula of the action value alone, without asks that must miss."""

    style = "formula"

    def _action_values(self, view: View) -> npt.NDArray[np.float64]:
        values = self._described(view).penalized
        may_hit = values > -DEAD_PENALTY / 2
        return np.where(may_hit | (not may_hit.any()), values, -np.inf)


@cache
def weights_in(file: str | None) -> Weights:
    """The weights in a file; none: those of the package."""
    return weights_of(json.loads(Path(file or PATH).read_text(encoding="utf-8")))


def spec(agent: type[Expert], weights: Path) -> str:
    """The spec of an agent above with the weights of a file."""
    return f"{Path(__file__).resolve()}:{agent.__name__}:weights={weights.resolve()}"
