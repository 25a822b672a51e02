"""Makes puzzles from their names, and keeps those that were made last."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from literature_ai.errors import LiteratureError
from literature_ai.puzzles.asks import find_ask
from literature_ai.puzzles.claims import find_claim
from literature_ai.puzzles.games import played
from literature_ai.puzzles.misses import find_miss
from literature_ai.puzzles.naming import RULES, PuzzleName
from literature_ai.puzzles.puzzle import Puzzle
from literature_ai.records.record import Record

if TYPE_CHECKING:
    import numpy as np

_MOST_GAMES = 500


def make(name: PuzzleName) -> Puzzle:
    """The puzzle of this name: games are played until one has such a position."""
    import numpy as np

    rng = np.random.default_rng(np.random.SeedSequence(name.seed))
    certain = bool(rng.integers(2))
    for _ in range(_MOST_GAMES):
        puzzle = _found(played(RULES[name.rules], rng), name, rng, certain)
        if puzzle is not None:
            return puzzle
    raise LiteratureError(f"no puzzle {name} was found; take another number")


def _found(
    record: Record, name: PuzzleName, rng: np.random.Generator, certain: bool
) -> Puzzle | None:
    """A puzzle of the game; None when it has none. certain: whether it is of a claim that is."""
    match name.kind:
        case "claim":
            return find_claim(record, name.level, rng, certain=certain)
        case "miss":
            return find_miss(record, name.level, rng)
    return find_ask(record, name.level, rng)


class Puzzles:
    """Makes puzzles, for any number of threads, and keeps the last ones."""

    def __init__(self, most: int = 300) -> None:
        """``most``: puzzles that are kept."""
        self._most = most
        self._kept: OrderedDict[PuzzleName, Puzzle] = OrderedDict()
        self._making: dict[PuzzleName, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, name: PuzzleName) -> Puzzle:
        """The puzzle, made only once if several threads ask for it at the same time."""
        with self._lock:
            making = self._making.setdefault(name, threading.Lock())
        with making:
            with self._lock:
                puzzle = self._kept.get(name)
                if puzzle is not None:
                    self._kept.move_to_end(name)
                    return puzzle
            try:
                puzzle = make(name)
                with self._lock:
                    self._kept[name] = puzzle
                    while len(self._kept) > self._most:
                        self._kept.popitem(last=False)
                return puzzle
            finally:
                with self._lock:
                    self._making.pop(name, None)
