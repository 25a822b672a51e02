"""The watchdog: a record in shared memory of the agent call that a player has in progress.

The player writes it around each call of an agent's code. Its supervisor reads it to find calls that
exceed their time limit, and to tell which game was in play when a player died.
"""

from __future__ import annotations

import mmap
import time
from dataclasses import dataclass

from literature_ai.cards import Seat

_CHECKPOINT, _DEADLINE = range(2)
_BATCHED = 1 << 3
_FIELD_BITS = (3, 1, 4, 4, 4, 24)
"""Of the packed form, from the lowest: seat, batched, score of B, score of A, in play, events. The
number of the series takes the rest."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a game at an agent call: enough to score a forfeit without the player."""

    series: int
    """The number of the series that the game belongs to."""
    events: int
    in_play: int
    """The number of half-suits not yet claimed."""
    score: tuple[int, int]
    """Of side A and side B."""
    batched: bool
    """Whether the call decides for many games, so that any of them may be at fault."""
    seat: Seat

    @classmethod
    def unpack(cls, packed: int) -> Checkpoint:
        """The inverse of `pack_checkpoint` with the seat added."""
        fields = []
        for bits in _FIELD_BITS:
            fields.append(packed & (1 << bits) - 1)
            packed >>= bits
        seat, batched, b, a, in_play, events = fields
        return cls(packed, events, in_play, (a, b), bool(batched), seat)


def pack_checkpoint(series: int, events: int, in_play: int, score: tuple[int, int]) -> int:
    """A checkpoint as one integer, in which `Watchdog.begin_call` sets the seat."""
    return ((((series << 24 | events) << 4 | in_play) << 4 | score[0]) << 4 | score[1]) << 4


class Watchdog:
    """The shared record. Created before the player is forked, which inherits the memory."""

    def __init__(self) -> None:
        self._cells = memoryview(mmap.mmap(-1, 16)).cast("q")

    def begin_call(self, checkpoint: int, seat: Seat, limit: int, batched: bool = False) -> int:
        """Record that an agent's code is called with a limit in ns; return the time now, in ns."""
        now = time.monotonic_ns()
        self._cells[_CHECKPOINT] = checkpoint | seat | (_BATCHED if batched else 0)
        self._cells[_DEADLINE] = now + limit
        return now

    def end_call(self) -> int:
        """Record that the call has returned; return the time now, in ns."""
        self._cells[_DEADLINE] = 0
        return time.monotonic_ns()

    def seconds_left(self) -> float | None:
        """The time until the deadline of the call in progress, negative after it; None if none."""
        deadline = self._cells[_DEADLINE]
        return (deadline - time.monotonic_ns()) / 1e9 if deadline else None

    def last_call(self) -> Checkpoint:
        """The checkpoint of the latest agent call."""
        return Checkpoint.unpack(self._cells[_CHECKPOINT])
