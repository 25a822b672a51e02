"""Long work of the engine at a terminal: progress, and Ctrl-C ends it with what there is."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

from literature_ai.cards import Seat

if TYPE_CHECKING:
    from literature_ai.analysis.game_values import Moment
    from literature_ai.records.record import Record


class Stop:
    """Turns the first Ctrl-C into a wish to stop; the second one interrupts as usual."""

    def __init__(self) -> None:
        self.wanted = False

    def __enter__(self) -> Stop:
        self._before = signal.signal(signal.SIGINT, self._interrupted)
        return self

    def __exit__(self, *error: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _interrupted(self, number: int, frame: object) -> None:
        self.wanted = True
        signal.signal(signal.SIGINT, self._before)

    def go_on(self, done: int, of: int) -> bool:
        return not self.wanted


def watched(
    record: Record,
    seat: Seat | None,
    budget: int,
    seed: int,
    workers: int,
    stop: Stop,
    first: int = 0,
) -> Iterator[Moment]:
    """The moments from ``first`` on, as `moments_of` finds them, until a stop is wanted; none that
    was cut short."""
    from tqdm import tqdm

    from literature_ai.analysis.game_values import moments_of

    moments = moments_of(record, seat, budget, seed, workers=workers, first=first, go_on=stop.go_on)
    total = len(record.events) + 1
    with tqdm(total=total, initial=first, unit="moment", leave=False, disable=None) as bar:
        while not stop.wanted:
            moment = next(moments, None)
            if moment is None or stop.wanted:
                return
            yield moment
            bar.update()
