"""Helpers for tests that compare the figures of tournaments."""

from __future__ import annotations

from typing import Any

TIMINGS = ("seconds", "games_per_second", "ms_per_decision")


def untimed(figures: dict[str, Any]) -> dict[str, Any]:
    """The figures without what depends on how fast the machine is."""
    for part in (figures, *figures["agents"]):
        for name in TIMINGS:
            part.pop(name, None)
    return figures
