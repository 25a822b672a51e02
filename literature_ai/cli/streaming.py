"""Output of files of any length, which begins before the file has been read to its end."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import TypeVar

GAMES_AHEAD = 100
"""Games that are read, and found right, before the first of them is shown."""

_Game = TypeVar("_Game")


def read_ahead(games: Iterable[_Game]) -> Iterator[_Game]:
    """The games, so late that nothing is shown of a file that is wrong in its first ones."""
    waiting: deque[_Game] = deque()
    for game in games:
        waiting.append(game)
        if len(waiting) > GAMES_AHEAD:
            yield waiting.popleft()
    yield from waiting
