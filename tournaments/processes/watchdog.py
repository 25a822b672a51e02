"""The watchdog of a player: which call of an agent is in progress, and in which game.

The checkpoint says enough of the game to score a forfeit without the player, when it is lost in
that call (`tournaments.processes.supervisor`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from literature_ai.bots import deadline
from literature_ai.cards import Seat

_BATCHED = 1 << 3
_FIELD_BITS = (3, 1, 24)
"""Of the packed form, from the lowest: seat, batched, events. The series takes the rest."""

NO_CALL = (1 << 63) - 1
"""A place that is no call of an agent: its series does not exist."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The place of an agent call."""

    series: int
    """The number of the series that the game belongs to."""
    events: int
    """The number of events of the game before the call."""
    batched: bool
    """Whether the call decides for many games, so that any of them may be at fault."""
    seat: Seat

    @classmethod
    def unpack(cls, packed: int) -> Self:
        """The inverse of `pack_checkpoint` with the seat added."""
        fields = []
        for bits in _FIELD_BITS:
            fields.append(packed & (1 << bits) - 1)
            packed >>= bits
        seat, batched, events = fields
        return cls(packed, events, bool(batched), seat)


def pack_checkpoint(series: int, events: int) -> int:
    """A checkpoint as one integer, in which `Watchdog.begin_call` sets the seat."""
    return (series << 24 | events) << 4


class Watchdog(deadline.Watchdog):
    """The shared record of the agent call in progress."""

    def begin_call(self, checkpoint: int, seat: Seat, limit: int, batched: bool = False) -> int:
        """Record that an agent's code is called with a limit in ns; return the time now, in ns."""
        return self.begin(limit, checkpoint | seat | (_BATCHED if batched else 0))

    def last_call(self) -> Checkpoint:
        """The checkpoint of the latest agent call."""
        return Checkpoint.unpack(self.place)
