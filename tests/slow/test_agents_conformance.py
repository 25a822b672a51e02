"""Every agent of the package keeps to the rules and to its seed, under every rule switch."""

from __future__ import annotations

import pytest

from literature_ai.agents.conformance import ConformanceTests
from literature_ai.agents.registry import BUILT_IN

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True, params=BUILT_IN)
def _agent(request):
    """One agent after the other."""
    spec = request.param
    # Its budget is what makes it slow, and changes nothing about what it may do.
    request.cls.spec = "champion:budget=12" if spec == "champion" else spec


class TestBuiltIn(ConformanceTests):
    """The agents that have a name."""
