"""Stateful test: no sequence of legal and illegal actions corrupts a game."""

from __future__ import annotations

from hostile import AnyPlay
from hypothesis import HealthCheck, settings

TestAnyPlay = AnyPlay.TestCase
TestAnyPlay.settings = settings(
    derandomize=True,
    deadline=None,
    max_examples=40,
    stateful_step_count=40,
    suppress_health_check=list(HealthCheck),
)
