"""How files are written: whole or not at all, and never in the place of what is no ordinary file.

An ordinary file, or one that does not exist yet, is replaced by a complete draft that lies beside
it; the target of a link is, not the link. Everything else that has a name, such as a FIFO, a
terminal or ``/dev/stdout``, is written to.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterator
from typing import BinaryIO

from literature_ai.errors import FileError, StreamError

_NO_FAULT_OF_THE_NAME = {
    getattr(errno, name, None)
    for name in ("ENOSPC", "EDQUOT", "EFBIG", "EIO", "EBADF", "EMFILE", "ENFILE", "ESTALE")
}


def write_file(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file; a text as UTF-8. Raises as `output_file` does."""
    with output_file(path) as file:
        file.write(content if isinstance(content, bytes) else content.encode())


@contextlib.contextmanager
def output_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to. An ordinary one stays as it was until all is written.

    Raises `FileError` when the file cannot be opened, `StreamError` when the disk is full or the
    like, and BrokenPipeError when it is a pipe whose reader has gone.
    """
    require_writable(path)
    with explained(path):
        real = os.path.realpath(path)
        if not is_ordinary(path):
            with _special(path) as file:
                yield file
        elif os.access(os.path.dirname(real), os.W_OK):
            yield from _replaced(real)
        else:
            with open(real, "wb") as file:
                yield file


def _replaced(real: str) -> Iterator[BinaryIO]:
    """A draft that takes the place of the file when all is written."""
    draft = draft_of(real)
    try:
        with open(draft, "xb") as file:
            yield file
            finish_draft(file, real)
        os.replace(draft, real)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(draft)


def draft_of(real: str) -> str:
    """A new name beside the file."""
    folder, name = os.path.split(real)
    return os.path.join(folder, f".{name[:40]}.{os.urandom(4).hex()}.tmp")


def finish_draft(file: BinaryIO, real: str) -> None:
    """Bring the draft to the disk, with the permissions of the file that it will replace."""
    file.flush()
    os.fsync(file.fileno())
    with contextlib.suppress(OSError):
        os.chmod(file.name, stat.S_IMODE(os.stat(real).st_mode))


def is_ordinary(path: str | os.PathLike[str]) -> bool:
    """Whether the file may be replaced: it is a regular file, or there is none.

    What the standard output goes to may not, for what the command prints goes there as well.
    """
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return True
    return stat.S_ISREG(found.st_mode) and _descriptor_of(found) is None


def _descriptor_of(found: os.stat_result) -> int | None:
    """The standard stream, 1 or 2, that goes to this file."""
    for descriptor in (1, 2):
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(descriptor), found):
                return descriptor
    return None


def _special(path: str | os.PathLike[str]) -> BinaryIO:
    """What is no ordinary file, opened; a standard stream goes on where it is."""
    descriptor = _descriptor_of(os.stat(path))
    if descriptor is None:
        return open(path, "wb")
    sys.stdout.flush()
    return os.fdopen(os.dup(descriptor), "wb")


def require_writable(path: str | os.PathLike[str]) -> None:
    """Raise `FileError` if the file cannot be opened for writing; nothing is changed."""
    name = os.fspath(path)
    if "\0" in name:
        raise FileError(f"cannot write {name!r}: no name of a file has a NUL in it")
    with explained(name):
        if os.path.isdir(name):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if os.path.exists(name):
            if not os.access(name, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            return
    folder = os.path.dirname(os.path.realpath(name) if os.path.islink(name) else name) or "."
    if not os.path.isdir(folder):
        raise FileError(f"cannot write {name}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise FileError(f"cannot write {name}: nothing may be written in the folder {folder}")


@contextlib.contextmanager
def explained(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn errors of the system on writing this file into `FileError` and `StreamError`."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        kind = StreamError if error.errno in _NO_FAULT_OF_THE_NAME else FileError
        reason = (error.strerror or str(error)).lower()
        raise kind(f"cannot write {os.fspath(path)}: {reason}") from None
