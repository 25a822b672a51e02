"""Logs of other programs, read as records.

A module a format turns the lines of a log into games as they are told (`told.Told`); `fitting`
finds the fewest rules under which such a game is legal, and makes a record of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TypeAlias

from literature_ai.errors import FileError
from literature_ai.records.foreign import braces, messages
from literature_ai.records.foreign.fitting import Fitted, fitted
from literature_ai.records.foreign.told import Told
from literature_ai.records.text import lines_in, name_of

Format: TypeAlias = Callable[[Iterable[tuple[int, str]], str], Iterator[Told]]
"""What reads the games in numbered lines; the text is the name of the file, for messages."""

FORMATS: dict[str, Format] = {"braces": braces.games_in, "jsonl": messages.games_in}
"""The formats by name."""


def import_games(
    path: str | os.PathLike[str], format: str | None = None, first: int = 1
) -> Iterator[Fitted]:
    """The games in a log of another program, one after the other, numbered from ``first`` on.

    Without a format the first line tells which of `FORMATS` it is. Games without an event are left
    out, for nobody can tell who would start.

    Raises `FileError` when the file is no text or has no game, and `RecordError` for the first line
    that is none of the format, or that breaks the rules whichever are chosen.
    """
    name = name_of(path)
    lines = ((number, line) for number, line in lines_in(path, "a log") if line.strip())
    opening = next(lines, None)
    if opening is None:
        raise FileError(f"{name} is empty; a log has the hands and what was asked and claimed")
    if format is None:
        format = "jsonl" if opening[1].lstrip().startswith(("{", '"', "[")) else "braces"
    number = first
    for told in FORMATS[format](chain([opening], lines), name):
        if told.events:
            yield fitted(told, str(number))
            number += 1
    if number == first:
        raise FileError(f"{name} has no game with an ask or a claim")
