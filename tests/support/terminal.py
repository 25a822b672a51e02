"""A command at a pseudo-terminal: tests type to it and wait for what it shows."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path
from re import Pattern
from types import TracebackType

_PATIENCE = 60
_ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[a-zA-Z]|[=>])")
_LAUNCH = (
    "import fcntl, os, sys, termios\n"
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
    "os.execv(sys.executable, [sys.executable, '-m', 'literature_ai', *sys.argv[1:]])"
)


class Terminal:
    """The command line on a terminal, in a folder."""

    def __init__(
        self, *words: str, folder: Path, kind: str = "xterm", columns: int = 80, **environment: str
    ) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        # pytest-xdist sets the size in the environment, which would go before the terminal's.
        inherited = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
        own = {"TERM": kind, "PROMPT_TOOLKIT_NO_CPR": "1", "PYTHONIOENCODING": "utf-8"}
        # The terminal becomes the controlling one, so that Ctrl-C is what it is at a real one.
        self.process = subprocess.Popen(
            [sys.executable, "-c", _LAUNCH, *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env={**inherited, **own, **environment},
            start_new_session=True,
        )
        os.close(theirs)
        self._unread = b""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()
        os.close(self._ours)

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def until(self, shown: str) -> str:
        """What is shown next, without escapes, up to this text. Fails when it never comes."""
        while True:
            text = _ESCAPES.sub("", self._unread.decode(errors="replace")).replace("\r", "")
            before, found, after = text.partition(shown)
            if found:
                self._unread = after.encode()
                return before + found
            self._read_more(repr(shown), text)

    def _read_more(self, wanted: str, text: str) -> None:
        """Read what comes next. Fails when nothing does."""
        if not select.select([self._ours], [], [], _PATIENCE)[0]:
            raise AssertionError(f"{wanted} did not come, but {text!r}")
        try:
            chunk = os.read(self._ours, 4096)
        except OSError:  # the other side has closed the terminal
            chunk = b""
        if not chunk:
            raise AssertionError(f"it ended without {wanted}: {text!r}")
        self._unread += chunk

    def until_any(self, shown: Pattern[str]) -> str:
        """What is shown next, without escapes, up to the first match of the pattern."""
        while True:
            text = _ESCAPES.sub("", self._unread.decode(errors="replace")).replace("\r", "")
            found = shown.search(text)
            if found:
                self._unread = text[found.end() :].encode()
                return text[: found.end()]
            self._read_more(repr(shown.pattern), text)

    def rest(self) -> str:
        """Everything that is still shown until it ends, without escapes."""
        while True:
            try:
                chunk = os.read(self._ours, 4096)
            except OSError:
                chunk = b""
            if not chunk:
                return _ESCAPES.sub("", self._unread.decode()).replace("\r", "")
            self._unread += chunk

    def answer(self, line: str, shown: str) -> str:
        """Type the line with Enter, and wait for this text."""
        self.type(f"{line}\r")
        return self.until(shown)

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(_PATIENCE)

    def ended(self) -> int:
        """The exit code, once it has ended by itself."""
        return self.process.wait(_PATIENCE)
