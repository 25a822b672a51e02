"""Misbehaving agents fail alike with every executor of the standard library."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from tournament_helpers import play_failing_plan

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_failures_are_the_same_with_a_standard_pool(tmp_path, pool):
    """Pools of threads, which cannot be killed, and of processes survive every failure."""
    games, failures, _ = play_failing_plan(tmp_path / "here")
    with pool(2) as executor:
        again, failed, _ = play_failing_plan(tmp_path / "there", executor=executor)
    assert again == games
    assert {k: v[:3] for k, v in failed.items()} == {k: v[:3] for k, v in failures.items()}
