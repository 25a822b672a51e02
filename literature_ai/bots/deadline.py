"""A record in shared memory of the call of foreign code that a process has in progress.

The process writes it around each call. Another process, which runs no foreign code, reads it to
find out whether the first one is late, and what it was doing when it died. Between two calls the
process has a deadline, too: a destructor or a signal handler of foreign code may run at any time.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import sys
import tempfile
from os import getpid
from sys import getrecursionlimit
from time import monotonic_ns
from typing import Self

OWN_SECONDS = 15.0
"""The time limit of what the process does between two calls of foreign code."""
_DEADLINE, _PLACE = range(2)
_HEAD = 16
_SIZE = 1024


class Watchdog:
    """The shared record. One process creates it, another opens it by its path."""

    def __init__(self, path: str) -> None:
        """Open the record that another process has created. Raises OSError."""
        self.path = path
        with open(path, "r+b") as file:
            self._memory = mmap.mmap(file.fileno(), _SIZE)
        whole = memoryview(self._memory)
        self._cells = whole[:_HEAD].cast("q")
        whole.release()
        self._process = getpid()
        self._removed = False
        self._recursion_limit = getrecursionlimit()

    @classmethod
    def create(cls) -> Self:
        """A new record. Raises OSError when there is no room for it."""
        descriptor, path = tempfile.mkstemp(prefix="literature-", suffix=".watchdog")
        try:
            os.write(descriptor, bytes(_SIZE))
        finally:
            os.close(descriptor)
        return cls(path)

    def begin(self, limit: int, place: int = 0) -> int:
        """Record a call with a time limit in ns, and its place; return the time now, in ns."""
        if getrecursionlimit() < self._recursion_limit:
            sys.setrecursionlimit(self._recursion_limit)
        now = monotonic_ns()
        cells = self._cells
        cells[_PLACE] = place
        cells[_DEADLINE] = now + limit
        return now

    def end(self) -> int:
        """Record that the call has returned; return the time now, in ns.

        What it may have left behind is undone: a process that it has forked off ends here, and a
        recursion limit that is too low to go on is raised again.
        """
        if getpid() != self._process:
            os._exit(0)
        if getrecursionlimit() < self._recursion_limit:
            sys.setrecursionlimit(self._recursion_limit)
        now = monotonic_ns()
        self._cells[_DEADLINE] = now + _OWN_LIMIT
        return now

    def expect(self, seconds: float | None) -> None:
        """Set the time limit of what comes next other than a call; None: there is none."""
        self._cells[_DEADLINE] = 0 if seconds is None else monotonic_ns() + round(seconds * 1e9)

    def note(self, text: str) -> None:
        """Keep a text, up to a thousand bytes of it."""
        data = text.encode("utf-8", "backslashreplace")[: _SIZE - _HEAD - 2]
        self._memory[_HEAD : _HEAD + 2] = len(data).to_bytes(2, "little")
        self._memory[_HEAD + 2 : _HEAD + 2 + len(data)] = data

    @property
    def noted(self) -> str:
        """The text kept last."""
        start = _HEAD + 2
        length = int.from_bytes(self._memory[_HEAD:start], "little")
        return self._memory[start : start + length].decode("utf-8", "replace")

    @property
    def place(self) -> int:
        """The place of the latest call."""
        return self._cells[_PLACE]

    def seconds_left(self) -> float | None:
        """The time until the deadline, negative after it; None if there is none."""
        deadline = self._cells[_DEADLINE]
        return (deadline - monotonic_ns()) / 1e9 if deadline else None

    def remove(self) -> None:
        """Remove the file, where the system allows that while processes still use it."""
        if not self._removed:
            with contextlib.suppress(OSError):
                os.unlink(self.path)
                self._removed = True

    def close(self) -> None:
        """Let go of the memory, and remove the file."""
        self._cells.release()
        self._memory.close()
        self.remove()


_OWN_LIMIT = round(OWN_SECONDS * 1e9)
