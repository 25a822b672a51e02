"""The lines of text files, read one at a time so that a file may be of any length.

A line ends at CR, LF or both. A byte order mark stands at the start of a file; files that were
joined have more of them, so that one in the middle ends a line too.

>>> list(lines_of("game 1\\r\\nstart A1\\rask\\n"))
[(1, 'game 1'), (2, 'start A1'), (3, 'ask')]
>>> list(lines_of("\\ufeffresult 5-3\\ufeffgame 2"))
[(1, 'result 5-3'), (1, 'game 2')]
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterable, Iterator
from typing import IO

from literature_ai.errors import FileError, StreamError

STANDARD_INPUT = "-"
LONGEST_LINE = 1 << 24
"""Characters of a line; no text that people or programs write here has so many."""
_BYTE_ORDER_MARK = "\ufeff"


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text, each with its number in the text, from 1, and without its end."""
    yield from _pieces(io.StringIO(text, newline=None))


def name_of(path: str | os.PathLike[str]) -> str:
    """What messages call the file: ``<stdin>`` for the standard input, which is ``-``."""
    name = os.fspath(path)
    return "<stdin>" if name == STANDARD_INPUT else name


def lines_in(path: str | os.PathLike[str], kind: str = "a record") -> Iterator[tuple[int, str]]:
    """The lines of a file as `lines_of` has those of a text; ``-`` is the standard input.

    ``kind`` says in messages what the file should be. Raises `FileError` when it cannot be read, or
    at the first line that is no UTF-8 text.
    """
    name = name_of(path)
    try:
        with _opened(path) as file:
            yield from _pieces(_checked(file, name, kind))
    except OSError as error:
        raise FileError(f"cannot read {name}: {reason(error)}") from None


def text_of(path: str | os.PathLike[str]) -> str:
    """The whole text of a file as it is, but for a byte order mark. Raises as `lines_in` does."""
    name = name_of(path)
    try:
        with _opened(path, newline="") as file:
            return "".join(_checked(file, name)).removeprefix(_BYTE_ORDER_MARK)
    except OSError as error:
        raise FileError(f"cannot read {name}: {reason(error)}") from None


def reason(error: OSError) -> str:
    """Why the system refused, for the end of a message."""
    return (error.strerror or str(error)).lower()


@contextlib.contextmanager
def _opened(path: str | os.PathLike[str], newline: str | None = None) -> Iterator[IO[str]]:
    """The file as text; bytes that are no UTF-8 become surrogates. ``newline`` as `open` has it."""
    if os.fspath(path) != STANDARD_INPUT:
        with open(path, encoding="utf-8", errors="surrogateescape", newline=newline) as file:
            yield file
        return
    if sys.stdin is None:
        raise StreamError("the standard input is closed")
    file = io.TextIOWrapper(sys.stdin.buffer, "utf-8", "surrogateescape", newline)
    try:
        yield file
    finally:
        file.detach()


def _checked(file: IO[str], name: str, kind: str = "a record") -> Iterator[str]:
    """The lines of an open file. Raises `FileError` for what is no text."""
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        try:
            line.encode()
        except UnicodeEncodeError:
            raise FileError(f"{name}:{number}: this is not UTF-8; {kind} is a UTF-8 text") from None
        if "\0" in line:
            raise FileError(f"{name} is a binary file; {kind} is a UTF-8 text")
        if len(line) == LONGEST_LINE:
            raise FileError(f"{name}:{number}: the line is too long; {kind} has short lines")
        yield line


def _pieces(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, start=1):
        for piece in line.rstrip("\n").split(_BYTE_ORDER_MARK):
            if piece or _BYTE_ORDER_MARK not in line:
                yield number, piece
