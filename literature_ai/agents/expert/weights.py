"""The weights that `expert` and `champion` play by: fitted numbers, stored in ``weights.json``.

They were fitted by ``benchmarks/fit_expert.py`` and ``benchmarks/learn.py``; the file holds the
record of how.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from literature_ai.agents.expert.action_value import ActionWeights
from literature_ai.agents.expert.ask_model import AskModel, ask_model_of
from literature_ai.agents.expert.belief import ASK_FACTORS
from literature_ai.agents.expert.choice_model import ChoiceModel, choice_model_of
from literature_ai.agents.expert.state_value import StateFeatures
from solver.kernels.arrays import Floats2

PATH = Path(__file__).with_name("weights.json")


class Weights(NamedTuple):
    """All that is fitted, a part for each module."""

    action_value: ActionWeights
    ask_factors: Floats2
    """How an ask changes beliefs in rollouts (`ASK_FACTORS`)."""
    state_value: StateFeatures
    choice_model: ChoiceModel
    ask_model: AskModel


def weights_of(parts: Mapping[str, Any]) -> Weights:
    """The weights whose parts are given by name, as in the file."""
    return Weights(
        ActionWeights(**parts["action_value"]),
        np.array(parts["ask_factors"]).reshape(ASK_FACTORS),
        StateFeatures(**parts["state_value"]),
        choice_model_of(parts["choice_model"]),
        ask_model_of(parts["ask_model"]),
    )


@cache
def stored_weights() -> Weights:
    """The weights in the file."""
    return weights_of(json.loads(PATH.read_text(encoding="utf-8")))
