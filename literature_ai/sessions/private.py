"""A folder of files that are reached by random ids alone, which it makes itself."""

from __future__ import annotations

import contextlib
import re
import secrets
from pathlib import Path

from literature_ai.errors import FileError, LiteratureError
from literature_ai.output_files import explained, write_file
from literature_ai.records.text import text_of

_ID = re.compile(r"[A-Za-z0-9_-]{22}")


class UnknownIdError(LiteratureError):
    """An id under which nothing is kept."""


class PrivateFolder:
    """Files of one kind. Who does not know the id of one cannot find it, nor name another file."""

    def __init__(self, path: Path, kind: str, most: int, *, forgets: bool = False) -> None:
        """kind: what one is called in messages. most: the files that there may be. forgets: whether
        a new file may take the place of the one that was not used for longest."""
        self._folder = path
        self._kind = kind
        self._most = most
        self._forgets = forgets

    def new_id(self) -> str:
        """An id of 128 random bits for a new file. Raises `FileError` when there is no room."""
        with explained(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            kept = list(self._folder.glob("*.lit"))
            if len(kept) >= self._most and self._forgets:
                oldest = min(kept, key=lambda path: path.stat().st_mtime)
                for file in self._folder.glob(f"{oldest.stem}.*"):
                    file.unlink(missing_ok=True)
            elif len(kept) >= self._most:
                raise FileError(
                    f"this server keeps {len(kept)} {self._kind}s, which is all it may;"
                    f" delete some in {self._folder.name} where it runs"
                )
        return secrets.token_urlsafe(16)

    def path(self, id: str, suffix: str = ".lit") -> Path:
        """The file of the id, whether there is one or not. Raises `UnknownIdError` for no id."""
        if not _ID.fullmatch(id):
            raise self._unknown()
        return self._folder / f"{id}{suffix}"

    def add(self, text: str) -> str:
        """Keep the text; its id. Raises `FileError` when it cannot be written."""
        id = self.new_id()
        write_file(self.path(id), text)
        return id

    def text(self, id: str) -> str:
        """What is kept under the id. Raises `UnknownIdError` when nothing is."""
        path = self.path(id)
        if not path.exists():
            raise self._unknown()
        with contextlib.suppress(OSError):
            path.touch()
        return text_of(path)

    def _unknown(self) -> UnknownIdError:
        return UnknownIdError(f"there is no such {self._kind} on this server; check the address")
