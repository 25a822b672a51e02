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
import sys
from collections.abc import Iterable
from pathlib import Path

from literature_ai.errors import FileError, StreamError
from literature_ai.output_files import write_file
from literature_ai.records.reader import Reader
from literature_ai.records.record import Record

STANDARD_INPUT = "-"


def read_games(path: str | os.PathLike[str]) -> list[Record]:
    """The records in a file; ``-`` is the standard input.

    Raises `FileError` when it is no text file or holds no game, and `RecordError` for its first
    departure from the grammar or the rules.
    """
    name, text = text_of(path)
    records = read(text, name)
    if not records:
        raise FileError(f"{name} holds no game; a record starts with a line such as 'game 1'")
    return records


def write_games(records: Iterable[Record], path: str | os.PathLike[str]) -> None:
    """Write the records to a file. Raises as `literature_ai.output_files.output_file` does."""
    write_file(path, write(records))


def read(text: str, file: str = "<text>") -> list[Record]:
    """The records in a text. Raises `RecordError` for the first line that is wrong."""
    reader = Reader(file)
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        reader.read_line(number, line)
    return reader.finish()


def write(records: Iterable[Record]) -> str:
    """The canonical text of the records."""
    return "".join(f"{record}\n" for record in records)


def text_of(path: str | os.PathLike[str]) -> tuple[str, str]:
    """The name and the text of a file; ``-`` is the standard input.

    Raises `FileError` when it is no text file.
    """
    name = os.fspath(path)
    try:
        if name == STANDARD_INPUT:
            if sys.stdin is None:
                raise StreamError("the standard input is closed")
            name, data = "<stdin>", sys.stdin.buffer.read()
        else:
            data = Path(name).read_bytes()
    except OSError as error:
        raise FileError(f"cannot read {name}: {_reason(error)}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise FileError(f"{name}:{number}: this is not UTF-8; a record is a UTF-8 text") from None
    if "\0" in text:
        raise FileError(f"{name} is a binary file; a record is a UTF-8 text")
    return name, text


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
