"""The public part of a game as rows of ints, which the compiled functions read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

import numpy as np
import numpy.typing as npt

from literature_ai.cards import HalfSuit, Seat
from literature_ai.events import Asked, Claimed, Event, Passed, TimedOut
from literature_ai.game.position import Position
from literature_ai.game.state import SCORE, STATE_SIZE
from literature_ai.rl import kernels
from literature_ai.rules import RuleSet


class PublicRows:
    """The public part of a game as the rows of ints that the kernels read.

    A copy (`copy.copy`) is independent.
    """

    def __init__(self, rules: RuleSet, state: Sequence[int]) -> None:
        """At the start of a game, which has this state."""
        self.state = np.zeros(STATE_SIZE, np.int64)
        """See `literature_ai.game.state`."""
        self.decision = np.zeros(kernels.DECISION_SIZE, np.int64)
        """See `literature_ai.rl.kernels`."""
        self._players = rules.players
        self.state[:] = state

    @classmethod
    def after(cls, rules: RuleSet, start: Seat, events: Iterable[Event]) -> Self:
        """After these events of a game that this seat started."""
        position = Position(rules, start)
        rows = cls(rules, position.state)
        for event in events:
            position.follow(event)
            rows.follow(event, position.state)
        return rows

    def __copy__(self) -> Self:
        twin = type(self).__new__(type(self))
        twin._players = self._players
        twin.state, twin.decision = self.state.copy(), self.decision.copy()
        return twin

    def follow(self, event: Event, state: Sequence[int]) -> None:
        """Follow the game by its next event, which led to this state."""
        if isinstance(event, Claimed):
            for team in (0, 1):
                won = state[SCORE + team] - int(self.state[SCORE + team])
                self.decision[kernels.WON + team] |= won << event.half_suit
        self.state[:] = state
        kernels.remember(self.decision, self._players, event_row(event))

    def decide(
        self, seat: Seat, off_turn: bool, claiming: HalfSuit | None, placed: Sequence[Seat]
    ) -> None:
        """Say whose decision it is (-1: nobody's), and how far their claim is."""
        decision = self.decision
        decision[kernels.SEAT] = seat
        decision[kernels.OFF_TURN] = off_turn
        decision[kernels.HALF_SUIT] = -1 if claiming is None else claiming
        decision[kernels.PLACED] = len(placed)
        if placed:
            decision[kernels.HOLDERS : kernels.HOLDERS + len(placed)] = placed


def event_row(event: Event) -> npt.NDArray[np.int64]:
    """The event as the ints that the kernels read."""
    match event:
        case Asked(asker, target, card, hit):
            row = (kernels.ASK, asker, target, card, -1, int(hit))
        case Claimed(claimant, half_suit, _, right):
            row = (kernels.CLAIMED, claimant, -1, -1, half_suit, int(right))
        case Passed(giver, to):
            row = (kernels.PASSED, giver, to, -1, -1, 0)
        case TimedOut(seat):
            row = (kernels.TIMED_OUT, seat, -1, -1, -1, 0)
    return np.array(row, np.int64)
