"""The state of a session between two lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from literature_ai.assist.setup import Setup
from literature_ai.events import Event
from literature_ai.inference.recorded import Viewpoint
from literature_ai.records.record import Record

WIDTH = 79
"""The columns that a reply takes at most, where a terminal has room for them."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of earlier events under way: the next line is the event after those kept."""

    kept: tuple[Event, ...]
    rest: tuple[Event, ...]
    """What follows the event asked for, still to be held against it."""


@dataclass(frozen=True, slots=True)
class State:
    """All of a session; immutable."""

    setups: tuple[Setup, ...] = ()
    """Before the game is set up: the set-up after each answer; the last one counts."""
    viewpoint: Viewpoint | None = None
    """The game as the player sees it, once it is set up."""
    change: Change | None = None
    typed: tuple[str, ...] = ()
    """The lines entered since the state was last a record and nothing else."""
    width: int = WIDTH
    """The columns that a reply may take."""

    @property
    def game(self) -> Viewpoint:
        """The viewpoint of a game that is set up."""
        assert self.viewpoint is not None
        return self.viewpoint


Step: TypeAlias = tuple[State, str]
"""The next state, and the reply."""


def closed(viewpoint: Viewpoint) -> Viewpoint:
    """The viewpoint with the score of its events, and with a result when the rules have ended the
    game."""
    record = viewpoint.record
    if record.ended:
        return viewpoint
    return replace(viewpoint, record=_closed(record))


def _closed(record: Record) -> Record:
    position = record.position()
    outcome = position.outcome
    unfinished = outcome is not None and outcome.unfinished
    return replace(
        record,
        score=position.score,
        ended=outcome is not None,
        unfinished=unfinished,
        lines=(),
    )
