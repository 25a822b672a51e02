"""Every agent of the package keeps to the rules and to its seed, under every rule switch."""

from __future__ import annotations

import pytest

from literature_ai.bots.conformance import ConformanceTests
from literature_ai.bots.registry import BUILT_IN

pytestmark = pytest.mark.slow

LITTLE_THOUGHT = {"champion": "champion:budget=12,lookahead=2"}
"""Specs with small budgets, which are faster and subject to the same rules."""


@pytest.fixture(autouse=True, params=BUILT_IN)
def _agent(request):
    """One agent after the other."""
    request.cls.spec = LITTLE_THOUGHT.get(request.param, request.param)


class TestBuiltIn(ConformanceTests):
    """The agents that have a name."""

    seconds = 300.0
    """A generous limit that only an endless call exceeds; speed is measured by the benchmarks."""
