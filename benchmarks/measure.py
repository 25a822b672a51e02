"""Rows of benchmark results, and timing functions.

Times are processor seconds of this process (`time.process_time`), not wall-clock time, and so
depend little on the load of the machine. What remains (shared caches and cores) affects both
programs alike, because they run alternately in the same process.
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
    """One figure and its yardstick."""

    figure: str
    ours: float
    unit: str
    yardstick: str
    """What it is compared with: another program, or a required figure."""
    theirs: float | None
    """The figure of the yardstick in the same unit; None when it is not installed."""
    smaller_is_better: bool = True
    target: str = ""
    """The required value or ratio, as text."""
    note: str = ""
    mebibytes: float = 0.0
    """Peak resident memory of the process that measured the figure, in MiB (about 200 of it are
    libraries and compiler)."""

    @property
    def ratio(self) -> float | None:
        """The factor by which ours is better; below 1 when it is worse."""
        if self.theirs is None or not self.ours or not self.theirs:
            return None
        return self.theirs / self.ours if self.smaller_is_better else self.ours / self.theirs

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"ratio": self.ratio}


def seconds(function: Callable[[], T]) -> tuple[float, T]:
    """The processor seconds of one call, and its result."""
    began = time.process_time()
    result = function()
    return time.process_time() - began, result


def best(function: Callable[[], object], times: int = 3) -> float:
    """The minimum of the processor seconds of several calls."""
    return min(seconds(function)[0] for _ in range(times))


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def absent(figure: str, package: str, unit: str = "ms") -> Row:
    """The row of a peer that is not installed."""
    return Row(figure, 0.0, unit, f"{package}: absent (pip install '.[bench]')", None)
