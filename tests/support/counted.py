"""Counts how often knowledge is made, copied, and told of events."""

from __future__ import annotations

from collections import Counter

import pytest

from literature_ai.inference.knowledge import Knowledge


def count_knowledge(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """From now on: how many were made, copied, and how many events they observed in all."""
    counts: Counter[str] = Counter()

    def counting(name: str) -> None:
        original = getattr(Knowledge, name)

        def counted(*args: object, **keywords: object) -> object:
            counts[name.strip("_")] += 1
            return original(*args, **keywords)

        monkeypatch.setattr(Knowledge, name, counted)

    for name in ("__init__", "__copy__", "observe"):
        counting(name)
    return counts
