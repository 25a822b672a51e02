"""Processes for foreign code: JSON messages, one a line, no endless wait, and a sure end.

Messages go over a socket that the process inherits. Nothing here needs more than all systems have,
except where a branch for Windows says otherwise.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from literature_ai.bots.deadline import Watchdog

LONGEST_MESSAGE = 1 << 28
"""In bytes. Whoever sends a longer one is beside itself."""
SEND_SECONDS = 30.0
"""How long the other side may take to read a message."""

_POLL_SECONDS = 0.25
"""How often a silent process is looked after."""


class Lost(Exception):
    """The other side is gone, or does not speak or listen any more. The message says which."""


class Late(Lost):
    """It has exceeded a time limit."""


class Connection:
    """One end of a socket. Every method raises `Lost` when the other end is no longer usable."""

    def __init__(self, end: socket.socket, takes_sockets: bool = False) -> None:
        self.socket = end
        self._takes_sockets = takes_sockets
        self._partial_line = b""
        self._descriptors: list[int] = []
        end.settimeout(SEND_SECONDS)

    def send(
        self, message: dict[str, Any], end: socket.socket | None = None, process: int = 0
    ) -> None:
        """Send a message, if asked with a socket to the process of that id."""
        try:
            if end is not None and sys.platform == "win32":
                message = {**message, "socket": base64.b64encode(end.share(process)).decode()}
            data = json.dumps(message).encode() + b"\n"
            if end is not None and sys.platform != "win32":
                socket.send_fds(self.socket, [data], [end.fileno()])
            else:
                self.socket.sendall(data)
        except OSError as error:
            raise Lost("does not read what it is sent") from error

    def read(self) -> Iterator[dict[str, Any]]:
        """The messages that have arrived; waits while there is none."""
        try:
            if self._takes_sockets and sys.platform != "win32":
                chunk, descriptors, _, _ = socket.recv_fds(self.socket, 1 << 16, 1)
                self._descriptors += descriptors
            else:
                chunk = self.socket.recv(1 << 16)
        except OSError:
            chunk = b""
        if not chunk:
            raise Lost("closed its connection")
        *lines, self._partial_line = (self._partial_line + chunk).split(b"\n")
        if len(self._partial_line) > LONGEST_MESSAGE:
            raise Lost("wrote what is no message")
        for line in lines:
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                message = None
            if not isinstance(message, dict):
                raise Lost("wrote what is no message")
            yield message

    def receive(self) -> dict[str, Any]:
        """The next message, from an end that sends one at a time; waits for it without a limit."""
        self.socket.settimeout(None)
        while True:
            for message in self.read():
                return message

    def socket_of(self, message: dict[str, Any]) -> socket.socket:
        """The socket that came with a message. Raises OSError."""
        if sys.platform == "win32":
            return socket.fromshare(base64.b64decode(message["socket"]))
        descriptor = self._descriptors.pop(0)
        os.set_inheritable(descriptor, False)
        return socket.socket(fileno=descriptor)

    def waits(self, seconds: float) -> bool:
        """Whether something arrives within so many seconds (or the other end is closed)."""
        try:
            return bool(select.select([self.socket], [], [], seconds)[0])
        except (OSError, ValueError):
            # It has been closed here; reading it will say so.
            return True

    def close(self) -> None:
        """Close this end."""
        self.socket.close()


def messages(
    connection: Connection, watchdog: Watchdog, has_ended: Callable[[], bool]
) -> Iterator[dict[str, Any]]:
    """What a process that runs foreign code sends, for as long as it keeps to its deadlines.

    ``has_ended`` is called again and again: a process that it has started may hold its end of the
    connection open. Raises `Late` when it is late, and `Lost` when it is lost otherwise.
    """
    while True:
        left = watchdog.seconds_left()
        late = left is not None and left < 0
        wait = _POLL_SECONDS if left is None else min(max(left, 0), _POLL_SECONDS)
        ended = has_ended()
        if connection.waits(0 if ended else wait):
            for message in connection.read():
                # The other side has it open by now. No file is left behind, whoever is killed.
                watchdog.remove()
                yield message
        elif ended:
            raise Lost("ended")
        elif late:
            raise Late("took too long")


def program_of(spec: str) -> list[str]:
    """The command that plays the agent as a program, ``literature bot SPEC``."""
    return [*_interpreter("from literature_ai.cli.main import main\nsys.exit(main())"), "bot", spec]


def _interpreter(code: str) -> list[str]:
    """The command that runs the code in an interpreter that finds modules where this one does."""
    return [sys.executable, "-c", f"import sys\nsys.path[:] = {sys.path!r}\n{code}"]


def start(
    code: str, *arguments: str, environment: Mapping[str, str] | None = None
) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """A fresh interpreter that runs the code, and the end of its connection.

    It finds modules where this one does, its `connection` makes the other end, and ``sys.argv[1:]``
    are the arguments. It runs in a session of its own, away from the keys of the terminal. Raises
    OSError when it cannot be started.
    """
    mine, theirs = socket.socketpair()
    with theirs:
        try:
            process = start_with(theirs, code, *arguments, environment=environment)
        except BaseException:
            mine.close()
            raise
    return process, mine


def start_with(
    theirs: socket.socket,
    code: str,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """As `start`, with the other end of a connection that exists."""
    words = [*_interpreter(code), *arguments]
    if sys.platform == "win32":
        process = subprocess.Popen(
            [*words, "-"],
            stdin=subprocess.PIPE,
            env=environment,
            creationflags=subprocess.CREATE_NEW_PROCESS_GROUP,
        )
        with cast(Any, process.stdin) as pipe:
            pipe.write(theirs.share(process.pid))
        return process
    return subprocess.Popen(
        [*words, str(theirs.fileno())],
        stdin=subprocess.DEVNULL,
        pass_fds=[theirs.fileno()],
        env=environment,
        start_new_session=True,
    )


def keep(code: str) -> str:
    """Code for `start` that runs the code in a child of the fresh interpreter, and ends as it does.

    Foreign code can stop or kill its parent: this one, for which nobody waits without a limit.
    """
    return code if sys.platform == "win32" else f"{_KEEPER}\nkeep({code!r})"


_KEEPER = """
def keep(code):
    import os, signal, subprocess
    words = [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}\\n{code}"]
    end = int(sys.argv[-1])
    child = subprocess.Popen([*words, *sys.argv[1:]], pass_fds=[end])
    os.close(end)
    ended = child.wait()
    if ended < 0:
        signal.signal(-ended, signal.SIG_DFL)
        os.kill(os.getpid(), -ended)
    os._exit(ended)
"""


def inherited() -> socket.socket:
    """The socket that this process was started with, the last of its arguments."""
    word = sys.argv.pop()
    if sys.platform == "win32":
        return socket.fromshare(sys.stdin.buffer.read())
    return socket.socket(fileno=int(word))


def detach() -> None:
    """Cut this process off from the standard input and outputs that it was started with."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)


def kill(process: int, group: bool = True) -> None:
    """Kill a process by its id, with the whole group that it leads; nothing if it has ended."""
    if sys.platform == "win32":
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGTERM)
        return
    # The process may have left its group.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, signal.SIGKILL)
    if group:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process, signal.SIGKILL)


def ended(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """The exit code of a process that has been told to end; it is killed after so many seconds.

    None if even that does not end it.
    """
    for _ in range(2):
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(seconds)
        kill(process.pid)
    return None
