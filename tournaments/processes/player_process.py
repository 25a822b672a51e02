"""The launcher and the players of a worker, from the worker's side."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

from literature_ai.bots.external import BYE_SECONDS
from literature_ai.bots.processes import Connection, Lost, ended, kill, messages, start
from literature_ai.errors import LiteratureError
from tournaments.processes.watchdog import NO_CALL, Watchdog

StartMethod: TypeAlias = Literal["fork", "spawn"]

GOODBYE_SECONDS = 2 * BYE_SECONDS
"""How long a player may take to end its programs."""
_LAUNCHER = "from tournaments.processes.launcher import main\nmain()"
_START_SECONDS = 10.0
_TASK_SECONDS = 30.0
_WARM_UP_SECONDS = 600.0
_END_SECONDS = 5.0
"""How long a launcher may take to notice that a player has ended."""
_LAST_WORDS_SECONDS = 1.0
"""How long a player that has closed its connection may take to end by itself."""


class Stopped(Exception):
    """The worker has been told to stop."""


class Broken(Lost):
    """A player has failed outside of an agent's method; the message is a traceback."""


class LauncherProcess:
    """A launcher. Every method raises `Lost` when it is no longer usable."""

    def __init__(self, method: StartMethod) -> None:
        try:
            self._process, end = start(
                _LAUNCHER,
                method,
                # There is a player per processor already.
                environment={"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **os.environ},
            )
        except OSError as error:
            raise Lost(f"cannot be started: {error}") from error
        self.connection = Connection(end)
        self.lost = False
        self._endings: dict[int, str] = {}
        """How the players ended that have ended."""

    def warm_up(self, specs: Sequence[str]) -> None:
        """Let the agents of this package compile what they need."""
        self._ask({"warm_up": [*specs]}, _WARM_UP_SECONDS)

    def start_player(self, folder: str, watchdog: str) -> tuple[int, socket.socket]:
        """The id of a new player in that folder and the end of its connection.

        Raises LiteratureError when there is no such folder.
        """
        mine, theirs = socket.socketpair()
        with theirs:
            try:
                answer = self._ask({"start": watchdog, "folder": folder}, _START_SECONDS, theirs)
            except BaseException:
                mine.close()
                raise
        if "refused" in answer:
            mine.close()
            raise LiteratureError(answer["refused"])
        return answer["started"], mine

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message that has no answer."""
        with self._marking_loss():
            self.connection.send(message)

    def how_ended(self, player: int, seconds: float) -> str | None:
        """How a player has ended, in words; None when it has not within so many seconds."""
        deadline = time.monotonic() + seconds
        while player not in self._endings and not self.lost:
            left = deadline - time.monotonic()
            if left <= 0 and not self.connection.waits(0):
                return None
            with contextlib.suppress(Lost), self._marking_loss():
                if self.connection.waits(max(left, 0)):
                    self._read()
        return self._endings.get(player)

    def kill(self) -> None:
        """Kill it, from any thread: who waits for it then finds it lost."""
        self._process.kill()

    def close(self) -> None:
        """End it."""
        self.lost = True
        self.connection.close()
        ended(self._process, _END_SECONDS)

    def _ask(
        self, message: dict[str, Any], seconds: float, end: socket.socket | None = None
    ) -> dict[str, Any]:
        with self._marking_loss():
            self.connection.send(message, end, self._process.pid)
            deadline = time.monotonic() + seconds
            while (left := deadline - time.monotonic()) > 0:
                if self.connection.waits(left) and (answer := self._read()):
                    if "broken" in answer:
                        raise RuntimeError(f"in the launcher:\n{answer['broken']}")
                    return answer
            raise Lost(f"did not answer within {seconds:g} seconds")

    def _read(self) -> dict[str, Any] | None:
        """Follow what has arrived; an answer if one is among it."""
        answer = None
        for message in self.connection.read():
            if "ended" in message:
                self._endings[message["ended"]] = message["how"]
            else:
                answer = message
        return answer

    @contextlib.contextmanager
    def _marking_loss(self) -> Iterator[None]:
        try:
            yield
        except Lost:
            self.lost = True
            raise


class PlayerProcess:
    """A player. What it runs is foreign code, so nothing that it sends is taken on trust."""

    def __init__(self, launcher: LauncherProcess, folder: str) -> None:
        """Start it. Raises `Lost` when it cannot be, and LiteratureError as the launcher does."""
        self.usable = True
        """Whether it can be sent a task."""
        self._launcher = launcher
        self._groups: set[int] = set()
        try:
            self.watchdog = Watchdog.create()
        except OSError as error:
            raise Lost(f"has no room for its watchdog: {error}") from error
        try:
            self._id, end = launcher.start_player(folder, self.watchdog.path)
        except BaseException:
            self.watchdog.close()
            raise
        self._connection = Connection(end)

    def messages(
        self, task: dict[str, Any], stopped: Callable[[], bool]
    ) -> Iterator[dict[str, Any]]:
        """Send a task; its messages up to the one that it is done.

        Raises `Late` when it is late, `Lost` when it dies or makes no sense, and `Stopped`
        when the function says so.
        """
        self.usable = False
        self.watchdog.begin(round(_TASK_SECONDS * 1e9), NO_CALL)
        self._connection.send(task)

        def has_ended() -> bool:
            if stopped():
                raise Stopped
            return self._launcher.how_ended(self._id, 0) is not None

        for message in messages(self._connection, self.watchdog, has_ended):
            if "broken" in message:
                raise Broken(str(message["broken"]))
            if "groups" in message:
                self._add_groups(message["groups"])
                continue
            yield message
            if "done" in message:
                self.usable = True
                return

    def say_goodbye(self) -> None:
        """Tell it that there are no more tasks. Call `kill` afterwards."""
        with contextlib.suppress(OSError):
            self._connection.socket.shutdown(socket.SHUT_WR)

    def wait_for_goodbye(self) -> None:
        """Give it time to end by itself."""
        self._connection.waits(GOODBYE_SECONDS)

    def how_ended(self) -> str | None:
        """How it has ended by itself, in words; None if it has not, even after a moment."""
        return self._launcher.how_ended(self._id, _LAST_WORDS_SECONDS)

    def kill(self) -> None:
        """Kill it and all programs that it has started."""
        if self._launcher.how_ended(self._id, 0) is None:
            kill(self._id)
        for group in self._groups:
            kill(group)
        self._launcher.how_ended(self._id, _END_SECONDS)
        self._connection.close()
        self.watchdog.close()

    def _add_groups(self, groups: Any) -> None:
        valid = isinstance(groups, list) and all(type(each) is int and each > 1 for each in groups)
        if not valid:
            raise Lost("wrote what is no message")
        if not self._groups.issuperset(groups):
            self._groups.update(groups)
            with contextlib.suppress(Lost):
                self._launcher.tell({"groups": groups})
