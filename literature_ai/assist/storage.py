"""The file of a session, written after every line so that no input is lost."""

from __future__ import annotations

import contextlib
import datetime
import os
from pathlib import Path

from literature_ai.errors import FileError, LiteratureError
from literature_ai.records.record import Record
from literature_ai.records.text import text_of
from literature_ai.rules import RuleSet


class Storage:
    """The file of a session, which always has its text."""

    def __init__(self, path: Path) -> None:
        """Read the file, if there is one. Raises `FileError` when it is no text file."""
        # What a link points to is replaced, not the link.
        self.path = path
        self._real = Path(os.path.realpath(path))
        self.text = text_of(path) if self._real.exists() else ""
        """What the file holds."""
        self.foreign = False
        """Whether the file was not written by a session: it may have comments, which get lost."""

    @property
    def id(self) -> str:
        """A word for the game: the name of the file, if that is one."""
        word = "-".join(self.path.stem.split())
        try:
            Record(word, RuleSet(), 0, (), (), (), (0, 0))
        except LiteratureError:
            return "1"
        return word

    def save(self, text: str) -> None:
        """Make the file hold the text. Raises `FileError` when that fails.

        A foreign file is kept first, under its name and ``~``. The file is replaced as a whole,
        after the text is on the disk: at any moment it is either the old or the new one.
        """
        if text == self.text:
            return
        try:
            if self.foreign:
                _replace(self._real.with_name(self._real.name + "~"), self.text)
                self.foreign = False
            _replace(self._real, text)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise FileError(f"cannot write {self.path}: {reason}") from None
        self.text = text


def unused_path(day: datetime.date) -> Path:
    """A file of that day in the current folder that does not exist yet."""
    path, number = Path(f"literature-{day}.lit"), 2
    while path.exists():
        path, number = Path(f"literature-{day}-{number}.lit"), number + 1
    return path


def _replace(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}.tmp")
    try:
        with open(draft, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            os.chmod(draft, path.stat().st_mode & 0o777)
        os.replace(draft, path)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
    # The name, too, must reach the disk; not every system lets a folder be opened for that.
    with contextlib.suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
