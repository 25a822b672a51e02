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
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

LONGEST_MESSAGE = 1 << 28
"""In bytes. Whoever sends a longer one is beside itself."""
SEND_SECONDS = 30.0
"""How long the other side may take to read a message."""


class Lost(Exception):
    """The other side is gone, or does not speak or listen any more. The message says which."""


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

    def socket_of(self, message: dict[str, Any]) -> socket.socket:
        """The socket that came with a message. Raises OSError."""
        if sys.platform == "win32":
            return socket.fromshare(base64.b64decode(message["socket"]))
        descriptor = self._descriptors.pop(0)
        os.set_inheritable(descriptor, False)
        return socket.socket(fileno=descriptor)

    def waits(self, seconds: float) -> bool:
        """Whether something arrives within so many seconds (or the other end is closed)."""
        return bool(readable([self], seconds))

    def close(self) -> None:
        """Close this end."""
        self.socket.close()


def readable(connections: Sequence[Connection], seconds: float) -> list[Connection]:
    """Those of the connections on which something has arrived, within so many seconds."""
    ends = {connection.socket: connection for connection in connections}
    try:
        return [ends[end] for end in select.select([*ends], [], [], seconds)[0]]
    except (OSError, ValueError):
        # One of them has been closed here; reading it will say so.
        return [*connections]


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
    code = f"import sys\nsys.path[:] = {sys.path!r}\n{code}"
    words = [sys.executable, "-c", code, *arguments]
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


def now() -> float:
    """The clock of all limits, in seconds."""
    return time.monotonic()
