"""Notes in shared memory: whose code runs, where in which game, and until when it may.

The process that plays writes them around every call of an agent; the process that watches over it
reads them when it has taken too long, or has died.
"""

from __future__ import annotations

import mmap
import time
from dataclasses import dataclass

from literature_ai.cards import Seat

_PLACE, _DEADLINE = range(2)
_TOGETHER = 1 << 3


@dataclass(frozen=True, slots=True)
class Place:
    """Where play is: enough to score a forfeit when the process that plays is gone."""

    number: int
    """Of the half that is played."""
    events: int
    in_play: int
    """Half-suits not yet claimed."""
    score: tuple[int, int]
    """Of side A and side B."""
    together: bool
    """Whether the call is for many games at once; then any of them may be to blame."""
    seat: Seat

    @classmethod
    def unpack(cls, packed: int) -> Place:
        """The inverse of `packed_place`, once the seat is added."""
        fields = []
        for bits in (3, 1, 4, 4, 4, 24):
            fields.append(packed & (1 << bits) - 1)
            packed >>= bits
        seat, together, b, a, in_play, events = fields
        return cls(packed, events, in_play, (a, b), bool(together), seat)


def packed_place(number: int, events: int, in_play: int, score: tuple[int, int]) -> int:
    """A place as one number, to which `Watchdog.begin` adds the seat."""
    return ((((number << 24 | events) << 4 | in_play) << 4 | score[0]) << 4 | score[1]) << 4


class Watchdog:
    """The notes. Created before the process that plays is forked off, which inherits them."""

    def __init__(self) -> None:
        self._cells = memoryview(mmap.mmap(-1, 16)).cast("q")

    def begin(self, place: int, seat: Seat, limit: int, together: bool = False) -> int:
        """An agent's code is about to run, for so many nanoseconds at most; the time now, in ns."""
        now = time.monotonic_ns()
        self._cells[_PLACE] = place | seat | (_TOGETHER if together else 0)
        self._cells[_DEADLINE] = now + limit
        return now

    def end(self) -> int:
        """The agent's code is back; the time now, in ns."""
        self._cells[_DEADLINE] = 0
        return time.monotonic_ns()

    def seconds_left(self) -> float | None:
        """Until the deadline of the call that runs, negative when over; None outside of calls."""
        deadline = self._cells[_DEADLINE]
        return (deadline - time.monotonic_ns()) / 1e9 if deadline else None

    def last_place(self) -> Place:
        """Where the last call of an agent was made."""
        return Place.unpack(self._cells[_PLACE])
