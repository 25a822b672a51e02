"""Examples in docstrings and in the guide for contributors do what they say."""

from __future__ import annotations

import doctest
import importlib.util
import pkgutil
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import literature_ai
import solver
import tournaments
from literature_ai.game.game import Game
from literature_ai.game.turns import play
from literature_ai.rules import RuleSet

ROOT = Path(__file__).parents[2]
PACKAGES = (literature_ai, solver, tournaments)


def modules_with_examples() -> list[str]:
    """The names of all modules in whose text an example stands."""
    names = [package.__name__ for package in PACKAGES]
    for package in PACKAGES:
        walk = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        names += [module.name for module in walk]
    specs = [importlib.util.find_spec(name) for name in names]
    return [
        spec.name
        for spec in specs
        if spec is not None
        and spec.origin is not None
        and ">>> " in Path(spec.origin).read_text(encoding="utf-8")
    ]


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_in_docstrings(name: str) -> None:
    """Each example of the module prints what stands below it."""
    failed, tried = doctest.testmod(importlib.import_module(name))
    assert tried > 0
    assert failed == 0


def test_the_example_agent_plays() -> None:
    """The agent in CONTRIBUTING.md plays a whole game by the rules."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    found: dict[str, Any] = {}
    exec(code, found)
    game = Game.deal(RuleSet(max_events=200), seed=1)
    agents = [found["First"]() for _ in range(6)]
    assert play(game, agents, np.random.default_rng(1)) == game.outcome
