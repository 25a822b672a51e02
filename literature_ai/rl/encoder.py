"""What a seat sees and may do, as arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from literature_ai.cards import HALF_SUIT_SIZE, Seat
from literature_ai.events import Event
from literature_ai.inference.knowledge import Knowledge
from literature_ai.rl import kernels
from literature_ai.rl.actions import ActionSpace
from literature_ai.rl.layout import Layout
from literature_ai.rl.options import Options
from literature_ai.rl.rows import PublicRows, event_row

if TYPE_CHECKING:
    from gymnasium import spaces

Observation: TypeAlias = dict[str, npt.NDArray[Any]]
"""``observation`` (float32, see `Layout`) and ``action_mask`` (int8, see
`literature_ai.rl.actions`); by option ``belief`` and ``history``."""


class Viewer(NamedTuple):
    """A seat that looks at a game."""

    seat: Seat
    hand: int
    """Its cards now, as a mask."""
    knowledge: Callable[[Seat], Knowledge]
    """What it knows, when that is needed."""


class Encoder:
    """Masks and observations under these options."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.space = ActionSpace(options.rules)
        self.layout = Layout(options.rules)

    def mask(self, rows: PublicRows, viewer: Viewer) -> npt.NDArray[np.int8]:
        """1 for each legal action of the viewer, whose decision it is, else 0."""
        space, mask = self.space, np.empty(self.space.size, np.int8)
        kernels.write_mask(rows.state, rows.decision, viewer.hand, len(space.passes), mask)
        if self.options.claims == "certain":
            mask[space.decline :] = 0
        elif self.options.places == "possible":
            self._restrict(mask, rows, viewer)
        return mask

    def observe(self, rows: PublicRows, viewer: Viewer, events: Sequence[Event]) -> Observation:
        """What the viewer sees; the mask is all 0 unless it is the viewer's decision."""
        observation = np.empty(self.layout.size, np.float32)
        kernels.write_observation(rows.state, rows.decision, viewer.hand, viewer.seat, observation)
        if rows.decision[kernels.SEAT] == viewer.seat:
            mask = self.mask(rows, viewer)
        else:
            mask = np.zeros(self.space.size, np.int8)
        seen: Observation = {"observation": observation, "action_mask": mask}
        if self.options.belief:
            seen["belief"] = belief(viewer.knowledge(viewer.seat), viewer.seat)
        if self.options.history:
            seen["history"] = history(events, viewer.seat, self.layout, self.options.history)
        return seen

    def observation_space(self) -> spaces.Dict:
        """What an observation holds, as a space of Gymnasium."""
        from gymnasium import spaces

        rules, layout, history = self.options.rules, self.layout, self.options.history
        parts: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(0.0, float(rules.players), (layout.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (self.space.size,), np.int8),
        }
        if self.options.belief:
            parts["belief"] = spaces.Box(0.0, 1.0, (rules.cards, rules.players), np.float32)
        if history:
            parts["history"] = spaces.Box(0.0, 1.0, (history, layout.event_size), np.float32)
        return spaces.Dict(parts)

    def _restrict(self, mask: npt.NDArray[np.int8], rows: PublicRows, viewer: Viewer) -> None:
        """Leave only the places, and claims, that are possible; all, if none is."""
        space, seat = self.space, viewer.seat
        possible = viewer.knowledge(seat).possible_seats()
        nameable = [space.named(seat, place) for place in space.places]
        half_suit = int(rows.decision[kernels.HALF_SUIT])
        if half_suit >= 0:
            card = half_suit * HALF_SUIT_SIZE + int(rows.decision[kernels.PLACED])
            places = [possible[card] >> named & 1 for named in nameable]
            if any(places):
                mask[space.places.start :] = places
            return
        anyone = sum(1 << named for named in nameable)
        may = [
            all(possible[HALF_SUIT_SIZE * h + i] & anyone for i in range(HALF_SUIT_SIZE))
            for h in range(space.rules.half_suits)
        ]
        claims = slice(space.claims.start, space.claims.stop)
        kept = mask[claims] * np.array(may, np.int8)
        if kept.any() or mask[: space.claims.start].any():
            mask[claims] = kept


@lru_cache(maxsize=64)
def encoder_of(options: Options) -> Encoder:
    """The encoder for these options; it has no state of its own."""
    return Encoder(options)


def belief(knowledge: Knowledge, viewer: Seat) -> npt.NDArray[np.float32]:
    """The exact probability that each card is with each seat: float32, cards × seats, the seats
    clockwise from the viewer; 0 for cards out of play."""
    return np.roll(knowledge.posterior(), -viewer, axis=1).astype(np.float32)


def history(
    events: Sequence[Event], viewer: Seat, layout: Layout, length: int
) -> npt.NDArray[np.float32]:
    """The last events, newest first: float32, ``length`` × features (`Layout.event_slices`).

    Rows before the first event are 0.
    """
    rules = layout.rules
    rows = np.zeros((length, layout.event_size), np.float32)
    last = events[max(0, len(events) - length) :]
    for row, event in zip(rows, reversed(last), strict=False):
        kernels.write_event(event_row(event), viewer, rules.players, rules.half_suits, row)
    return rows
