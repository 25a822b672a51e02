"""Puzzles under every set of rules, of every kind and level."""

from __future__ import annotations

import pytest
from puzzle_checks import check_puzzle

from literature_ai.puzzles.naming import KINDS, LEVELS, RULES, PuzzleName

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("kind", KINDS)
def test_answers_are_graded_as_the_engines_say(kind, rules, level):
    """Knowledge and engine, started anew, agree with every verdict."""
    for number in range(100, 106):
        check_puzzle(PuzzleName(kind, rules, level, number))
