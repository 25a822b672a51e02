"""The file of a session, written after every line so that no input is lost.

A session may not be alone with its file. It locks the file against other sessions, where the system
can. Before each writing it reads the file again: if somebody else has changed it, it is left to
them, and the session goes on in a new file beside it. Both versions are kept.
"""

from __future__ import annotations

import contextlib
import datetime
import os
from itertools import count
from pathlib import Path

from literature_ai.errors import FileError, LiteratureError
from literature_ai.output_files import (
    draft_of,
    explained,
    finish_draft,
    is_ordinary,
    require_writable,
    write_file,
)
from literature_ai.records.record import Record
from literature_ai.records.text import text_of
from literature_ai.rules import RuleSet


class Storage:
    """The file of a session, which always has its text.

    What is no ordinary file, a FIFO for one, cannot be written again and again: it gets the text
    when the session ends, from `finish`.
    """

    def __init__(self, path: Path) -> None:
        """Read the file, if there is one, and lock it.

        Raises `FileError` when it is no text file, or open in another session.
        """
        self.path = path
        self.is_ordinary = is_ordinary(path)
        """Whether the file is written after every line."""
        self.foreign = False
        """Whether the file was not written by a session: it may have comments, which get lost."""
        self.text = ""
        """What the file holds."""
        self._data: bytes | None = None
        """The bytes of the file as they were last read or written; None if there is no file."""
        self._lock: int | None = None
        """A descriptor of the file, which holds the lock; None if there is none."""
        if self.is_ordinary:
            try:
                self._read()
            except BaseException:
                self.release()
                raise

    def _read(self) -> None:
        try:
            self._lock = _locked(self._real)
        except BlockingIOError:
            raise FileError(
                f"{self.path} is open in another session; end that one, or name another file"
            ) from None
        with explained(self.path):
            self._data = _content(self._real)
        if self._data is not None:
            self.text = text_of(self.path)

    @property
    def id(self) -> str:
        """A word for the game: the name of the file, if that is one."""
        word = "-".join(self.path.stem.split())
        try:
            Record(word, RuleSet(), 0, (), (), (), (0, 0))
        except LiteratureError:
            return "1"
        return word

    @property
    def _real(self) -> Path:
        """What a link points to is replaced, not the link."""
        return Path(os.path.realpath(self.path))

    def save(self, text: str) -> str:
        """Make the file hold the text, and make sure that it does. Raises `FileError`.

        Returns what else was done, in sentences: a file that was not written by a session is kept
        under another name; one that somebody else has changed is left as it is, and `path` is
        another one from then on.
        """
        said: list[str] = []
        data = text.encode()
        with explained(self.path):
            while self.is_ordinary:
                now = _content(self._real)
                if now == data:
                    self._data, self.text = data, text
                    break
                if now == self._data:
                    said += self._write(data)
                elif now is None:
                    said.append(f"{self.path} was deleted; it is written again.")
                    self._data = None
                else:
                    said.append(self._move())
        return " ".join(said)

    def finish(self, text: str) -> None:
        """Write the text to what is no ordinary file, and release the lock of one that is."""
        if not self.is_ordinary:
            write_file(self.path, text)
        self.release()

    def release(self) -> None:
        """Let other sessions open the file."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _write(self, data: bytes) -> list[str]:
        """Replace the file as a whole, after the data is on the disk: at any moment it is either
        the old or the new one."""
        said = []
        if self.foreign and self._data is not None:
            kept = _backup_of(self.path)
            write_file(kept, self._data)
            said.append(f"{self.path} as it was is kept in {kept}.")
        # If the file has come into being since it was looked for, the next look will find it.
        with contextlib.suppress(FileExistsError):
            lock = _replace(self._real, data, new=self._data is None)
            self.release()
            self._lock, self._data, self.foreign = lock, data, False
        return said

    def _move(self) -> str:
        """Leave the file to whoever has changed it, and go on in a new one."""
        left = self.path
        self.release()
        self.path = _unused(left)
        self._data, self.foreign = None, False
        return (
            f"{left} was changed by another program and is left as it is;"
            f" the session goes on in {self.path}."
        )


def unused_path(day: datetime.date) -> Path:
    """A file of that day in the current folder that does not exist yet."""
    path = Path(f"literature-{day}.lit")
    return _unused(path) if os.path.lexists(path) else path


def _unused(path: Path) -> Path:
    """The file with the first number in its name that makes a new one."""
    names = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(name for name in names if not os.path.lexists(name))


def _backup_of(path: Path) -> Path:
    """A new file under the name of this one and a tilde."""
    names = (path.with_name(f"{path.name}~{number or ''}") for number in count())
    return next(name for name in names if not os.path.lexists(name))


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _replace(path: Path, data: bytes, *, new: bool) -> int | None:
    """Put a file with the data there, and return the descriptor that holds its lock.

    Raises FileExistsError when there is a file that should be ``new``.
    """
    if not new:
        require_writable(path)
    draft = Path(draft_of(str(path)))
    lock = None
    try:
        with open(draft, "xb") as file:
            file.write(data)
            finish_draft(file, str(path))
        lock = _locked(draft)
        if new:
            _name(draft, path)
        else:
            os.replace(draft, path)
    except OSError:
        if lock is not None:
            os.close(lock)
        raise
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()
    # The name, too, must reach the disk; not every system lets a folder be opened for that.
    with contextlib.suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    return lock


def _name(draft: Path, path: Path) -> None:
    """Give the draft a name that nothing has. Raises FileExistsError."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # This file system has no second names for files.
        if os.path.lexists(path):
            raise FileExistsError from None
        os.replace(draft, path)


def _locked(path: Path) -> int | None:
    """A descriptor of the file with a lock that the system releases when the process ends.

    None when there is no such file, or the system has no locks. Raises BlockingIOError when another
    session has the lock.
    """
    try:
        import fcntl
    except ImportError:
        return None
    while True:
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:  # Whoever reads or writes the file will say what is wrong.
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(descriptor), os.stat(path)):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise
        except FileNotFoundError:
            pass
        except OSError:
            os.close(descriptor)
            return None
        # Another session has replaced the file before the lock was there.
        os.close(descriptor)
