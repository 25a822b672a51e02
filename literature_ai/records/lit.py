"""Game records, ``.lit``: a text that people can type and programs can read.

A file holds any number of games, one statement a line. Reading checks every line against the
rules, and against the hands given, before anything is handed back; writing gives the canonical
form, which reads back as the same records. Events may be in any form that
`literature_ai.records.notation` knows.

>>> text = '''
... game 17
... hand A1 2S 3S 4S 9H TD JD QD KC    # the hand of one seat is enough
... start A1
... ask A1 B2 5s no
... a1 6s n
... '''
>>> (record,) = read(text)
>>> record.events[0]
Asked(asker=0, target=3, card=3, hit=False)
>>> print(write([record]), end="")
game 17
players 6
hand A1 2S 3S 4S 9H TD JD QD KC
start A1
ask A1 B2 5S miss
ask B2 A1 6S miss
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from literature_ai.errors import FileError
from literature_ai.output_files import write_file
from literature_ai.records.reader import records_in
from literature_ai.records.record import Record
from literature_ai.records.text import lines_in, lines_of, name_of


def read_games(path: str | os.PathLike[str]) -> list[Record]:
    """The records in a file; ``-`` is the standard input.

    Raises `FileError` when it is no text file or holds no game, and `RecordError` for its first
    departure from the grammar or the rules.
    """
    return list(iter_games(path))


def iter_games(path: str | os.PathLike[str]) -> Iterator[Record]:
    """The records in a file one after the other, each as soon as it is read and checked.

    However many there are, one at a time is kept. Raises as `read_games` does, but only when it
    comes to what is wrong.
    """
    name = name_of(path)
    empty = True
    for record in records_in(lines_in(path), name):
        empty = False
        yield record
    if empty:
        raise FileError(f"{name} holds no game; a record starts with a line such as 'game 1'")


def write_games(records: Iterable[Record], path: str | os.PathLike[str]) -> None:
    """Write the records to a file. Raises as `literature_ai.output_files.output_file` does."""
    write_file(path, write(records))


def read(text: str, file: str = "<text>") -> list[Record]:
    """The records in a text. Raises `RecordError` for the first line that is wrong."""
    return list(records_in(lines_of(text), file))


def write(records: Iterable[Record]) -> str:
    """The canonical text of the records."""
    return "".join(f"{record}\n" for record in records)
