"""The records that a server keeps for replays: texts in a folder, each under a random id."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from pathlib import Path
from threading import Lock

from literature_ai.errors import FileError, LiteratureError
from literature_ai.inference.recorded import check_deal_exists
from literature_ai.records.lit import read
from literature_ai.records.record import Record
from literature_ai.records.text import text_of
from literature_ai.sessions.private import PrivateFolder

MOST_TEXT = 1 << 20
"""The characters of a text that is kept."""
MOST_GAMES = 500
"""The games of a text."""
MOST_KEPT = 2000
_LISTED = 40
_READ = 16
"""The texts whose records stay in memory."""
FILE = "record"
"""What messages call the text, for its file name, if it had one, is not known here."""


class KeptRecords:
    """Texts with records, opened by people who share the id that they get."""

    def __init__(self, folder: Path) -> None:
        self.folder = PrivateFolder(folder, "record", MOST_KEPT, forgets=True)
        self._read: OrderedDict[str, list[Record]] = OrderedDict()
        self._lock = Lock()

    def add(self, text: str) -> str:
        """Keep the text of one game or several; its id.

        Raises `RecordError`, with the number of the line, when a record is wrong or fits no deal,
        and `FileError` when there is no game in it, too much of it, or it cannot be written.
        """
        if len(text) > MOST_TEXT:
            raise FileError(f"the text is too long; at most {MOST_TEXT >> 20} MB are opened here")
        records = _records(text)
        id = self.folder.add(text)
        self._remember(id, records)
        return id

    def games(self, id: str) -> list[Record]:
        """The games under the id. Raises `UnknownIdError` when nothing is kept there."""
        with self._lock:
            if id in self._read:
                self._read.move_to_end(id)
                return self._read[id]
        records = _records(self.folder.text(id))
        self._remember(id, records)
        return records

    def game(self, id: str, number: int) -> Record:
        """The game of this number, from 1, under the id.

        Raises as `games` does, and LiteratureError when there are not so many.
        """
        games = self.games(id)
        if not 1 <= number <= len(games):
            raise LiteratureError(f"there is no game {number}; this record has 1 to {len(games)}")
        return games[number - 1]

    def _remember(self, id: str, records: list[Record]) -> None:
        with self._lock:
            self._read[id] = records
            while len(self._read) > _READ:
                self._read.popitem(last=False)


def finished_in(folder: Path) -> dict[str, Record]:
    """The games in the files of a folder that are over, the latest first, by the names of files.

    Among the latest `_LISTED` files; what cannot be read is left out.
    """
    files = {path: path.stat().st_mtime_ns for path in folder.glob("*.lit")}
    found = {}
    for path in sorted(files, key=lambda path: -files[path])[:_LISTED]:
        with contextlib.suppress(LiteratureError):
            for record in read(text_of(path), path.name):
                if record.ended:
                    found[path.stem] = record
    return found


def _records(text: str) -> list[Record]:
    records = read(text, FILE)
    if not records:
        raise FileError("the text holds no game; a record starts with a line such as 'game 1'")
    if len(records) > MOST_GAMES:
        raise FileError(
            f"the text holds {len(records)} games; at most {MOST_GAMES} are opened here"
        )
    for record in records:
        check_deal_exists(record, FILE)
    return records
