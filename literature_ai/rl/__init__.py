"""Environments for reinforcement learning: PettingZoo, Gymnasium, OpenSpiel.

- `aec_env` (PettingZoo), all seats; `LiteratureEnv` (Gymnasium, ``Literature-v0``), one seat among
  agents; `batch_env` (Gymnasium's vector environments), thousands of games for self-play: the extra
  ``rl``.
- `literature_ai.rl.openspiel_game`, ``python_literature`` for OpenSpiel: the extra
  ``rl-openspiel``.
- `Episode`, what they all wrap, needs no extra.
- `as_policy` lets agents act in environments, `PolicyAgent` lets policies play in tournaments.

All rules and all numbers of players, by the one implementation of the rules. `ActionSpace` and
`Layout` say what the numbers mean.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from literature_ai.rl.actions import ActionSpace as ActionSpace
    from literature_ai.rl.encoder import Observation as Observation
    from literature_ai.rl.episode import Episode as Episode
    from literature_ai.rl.gymnasium_env import LiteratureEnv as LiteratureEnv
    from literature_ai.rl.layout import Layout as Layout
    from literature_ai.rl.options import Options as Options
    from literature_ai.rl.pettingzoo_env import aec_env as aec_env
    from literature_ai.rl.policies import PolicyAgent as PolicyAgent
    from literature_ai.rl.policies import as_policy as as_policy
    from literature_ai.rl.vector_env import BatchEnv as BatchEnv
    from literature_ai.rl.vector_env import batch_env as batch_env

_HOME = {
    "ActionSpace": "actions",
    "BatchEnv": "vector_env",
    "Episode": "episode",
    "Layout": "layout",
    "LiteratureEnv": "gymnasium_env",
    "Observation": "encoder",
    "Options": "options",
    "PolicyAgent": "policies",
    "aec_env": "pettingzoo_env",
    "as_policy": "policies",
    "batch_env": "vector_env",
}
"""Each public name and its module, which is imported when the name is first used."""

__all__ = sorted(_HOME)

if find_spec("gymnasium"):
    import gymnasium

    gymnasium.register("Literature-v0", f"{__name__}.gymnasium_env:LiteratureEnv")


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value = getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name not in ("gymnasium", "pettingzoo"):
            raise
        missing = f"{name} needs {error.name}: pip install 'literature-ai[rl]'"
        raise ModuleNotFoundError(missing, name=error.name) from None
    globals()[name] = value
    return value
