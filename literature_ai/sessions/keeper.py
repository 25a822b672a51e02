"""Keeps the file of a session up to date, and puts in words what comes of that."""

from __future__ import annotations

import os
from pathlib import Path

from literature_ai.errors import FileError, LiteratureError
from literature_ai.sessions.storage import Storage


class Keeper:
    """Writes the text of a session to its file; what cannot be written is said, never raised."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.saved = True
        """Whether the file holds everything."""

    def keep(self, text: str) -> str:
        """Make the file hold the text; what is to be said about that."""
        try:
            said = self.storage.save(text)
            self.saved = True
        except FileError as error:
            self.saved = False
            said = f"NOT SAVED: {error}; 'save FILE' saves it elsewhere."
        return said

    def finish(self, text: str) -> str:
        """Make the file hold the text at the end, and release it; what is to be said."""
        said = self.keep(text)
        if self.saved:
            try:
                self.storage.finish(text)
            except (FileError, BrokenPipeError) as error:
                self.saved = False
                why = error if isinstance(error, FileError) else "its reader has gone"
                said = f"NOT SAVED in {self.storage.path}: {why}; 'save FILE' saves it elsewhere."
        return said

    def save_as(self, name: str, text: str) -> str:
        """Save a copy in a new file, or, if its own cannot be written, go on in that; what is to
        be said.

        Raises `LiteratureError` when there is such a file or it cannot be written.
        """
        if os.path.lexists(name):
            raise LiteratureError(f"{name} exists already; name another file")
        copy = Storage(Path(name))
        copy.save(text)
        said = self.keep(text)
        if self.saved:
            copy.release()
            said = f"the session goes on in {self.storage.path}. {said}".strip()
            return f"Saved a copy in {copy.path}; {said}"
        self.storage.release()
        self.storage, self.saved = copy, True
        return f"Saved in {copy.path}, where the session goes on."
