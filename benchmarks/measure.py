"""What a benchmark tells, and how it is timed.

Times are processor seconds of this process (`time.process_time`), not of the clock on the wall, so
a busy machine disturbs them little; what still does (shared caches and cores) disturbs ours and the
yardstick alike, for both run in turn in the same process.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Row:
    """One figure beside its yardstick."""

    figure: str
    ours: float
    unit: str
    yardstick: str
    """What it is measured against: another program, or a figure to reach."""
    theirs: float | None
    """In the same unit; None when the yardstick is not there."""
    smaller_is_better: bool = True
    target: str = ""
    """What was asked for."""
    note: str = ""
    mebibytes: float = 0.0
    """Peak resident memory of the process that measured the figure (libraries and compiler
    included: about 200 before it does anything)."""

    @property
    def ratio(self) -> float | None:
        """How many times better ours is."""
        if self.theirs is None or not self.ours or not self.theirs:
            return None
        return self.theirs / self.ours if self.smaller_is_better else self.ours / self.theirs

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"ratio": self.ratio}


def seconds(function: Callable[[], T]) -> tuple[float, T]:
    """Processor seconds of one call, and what it returned."""
    began = time.process_time()
    result = function()
    return time.process_time() - began, result


def best(function: Callable[[], object], times: int = 3) -> float:
    """The least processor seconds of so many calls."""
    return min(seconds(function)[0] for _ in range(times))


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def absent(figure: str, package: str, unit: str = "ms") -> Row:
    """The row of a peer that is not installed."""
    return Row(figure, 0.0, unit, f"{package}: absent (pip install '.[bench]')", None)
