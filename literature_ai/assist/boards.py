"""The boards of a server: sessions that many requests enter lines into, each with its file."""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from literature_ai.assist.board import advice_as_json, board_as_json
from literature_ai.assist.session import Reply, Session
from literature_ai.cards import SEAT_NAMES
from literature_ai.errors import FileError, LiteratureError
from literature_ai.inference.recorded import Viewpoint
from literature_ai.records.lit import read
from literature_ai.sessions.keeper import Keeper
from literature_ai.sessions.private import PrivateFolder
from literature_ai.sessions.storage import Storage

MOST_BOARDS = 5000
MOST_TEXT = 1 << 18
"""The characters of a record that a board may start from."""
MOST_LINES = 20
LONGEST_LINE = 500
_OPEN = 64
"""The boards that stay in memory, with their files locked."""
_UNWRAPPED = 10_000
"""The width of replies: a page breaks lines itself."""


class StaleError(LiteratureError):
    """Lines meant for a state that is no more: somebody else has entered something."""


@dataclass(slots=True)
class Board:
    """A session with its file; `lock` is held by whoever uses it."""

    session: Session
    keeper: Keeper
    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0
    """The requests that have it in use."""
    advice: tuple[str, dict[str, Any]] | None = None
    """The last full advice, and the version that it is for."""

    @property
    def version(self) -> str:
        """A word that changes with the state."""
        return blake2b(self.session.text.encode(), digest_size=8).hexdigest()

    def as_json(self) -> dict[str, Any]:
        """The state, with its ``version``."""
        return {"version": self.version, **board_as_json(self.session)}

    def enter(self, lines: Sequence[str], version: str) -> dict[str, Any]:
        """Enter lines, up to the first that is refused, and save.

        The state afterwards, and in ``reply`` the ``text`` of the last reply, ``ok``, the
        ``doubted`` events, and ``saved``: what is to be said about the file, mostly nothing.

        Raises `StaleError` when the state is not of this version, and LiteratureError for what are
        no lines.
        """
        if not 1 <= len(lines) <= MOST_LINES or any(len(line) > LONGEST_LINE for line in lines):
            raise LiteratureError(
                f"1 to {MOST_LINES} lines of at most {LONGEST_LINE} characters are entered at once"
            )
        if version != self.version:
            raise StaleError("something else was entered meanwhile; look at the board again")
        reply = Reply("")
        for line in lines:
            reply = self.session.enter(line)
            if not reply.ok:
                break
        said = self.keeper.keep(self.session.text)
        answer = {
            "text": reply.text,
            "ok": reply.ok,
            "doubted": list(reply.doubted),
            "saved": said,
        }
        return {**self.as_json(), "reply": answer}

    def full_advice(self, *, engine: bool) -> dict[str, Any]:
        """The advice that takes longer, for the state of the ``version`` in it.

        Call it without the `lock`: lines can be entered while it is worked out.
        """
        with self.lock:
            version, viewpoint = self.version, self.session.viewpoint
            if self.advice is not None and self.advice[0] == version:
                return self.advice[1]
            if viewpoint is not None:  # a copy of its own, for this thread
                known = copy(viewpoint.knowledge), copy(viewpoint.everyone)
                viewpoint = Viewpoint(viewpoint.record, viewpoint.seat, *known)
        said = {"version": version, **advice_as_json(viewpoint, engine=engine)}
        self.advice = version, said
        return said


class Boards:
    """The boards in a folder, each under a random id."""

    def __init__(self, folder: Path) -> None:
        self._folder = PrivateFolder(folder, "board", MOST_BOARDS)
        self._open: OrderedDict[str, Board] = OrderedDict()
        self._lock = threading.Lock()

    def new(self, text: str = "", seat: str | None = None) -> str:
        """Start a board, from a record or from its first question; its id.

        seat: the own one, where the record has several hands. Raises as `Session.resumed`.
        """
        if len(text) > MOST_TEXT:
            raise FileError(f"the text is too long; at most {MOST_TEXT >> 10} kB are opened here")
        if not text.strip():
            return self._folder.add(Session().text)
        games = read(text, "record") if seat is None else []
        known = [SEAT_NAMES[s] for game in games for s, hand in enumerate(game.hands) if hand]
        if len(games) == 1 and len(known) > 1:
            raise LiteratureError(f"say which seat is yours; the record has {' '.join(known)}")
        session = Session.resumed(text, "record", seat)
        return self._folder.add(session.with_own_hand().text)

    @contextlib.contextmanager
    def using(self, id: str) -> Iterator[Board]:
        """The board of the id, which stays open meanwhile.

        Raises `UnknownIdError` when there is none, and as `Storage` and `Session.resumed` do.
        """
        with self._lock:
            board = self._opened(id)
            board.users += 1
        try:
            yield board
        finally:
            with self._lock:
                board.users -= 1

    def close(self) -> None:
        """Save all boards and release their files."""
        with self._lock:
            for board in self._open.values():
                with board.lock:
                    board.keeper.finish(board.session.text)
            self._open.clear()

    def _opened(self, id: str) -> Board:
        board = self._open.get(id)
        if board is None:
            text = self._folder.text(id)
            storage = Storage(self._folder.path(id))
            try:
                session = Session.resumed(text, "board")
            except LiteratureError:
                storage.release()
                raise
            session.width = _UNWRAPPED
            board = self._open[id] = Board(session, Keeper(storage))
        self._open.move_to_end(id)
        # Those that have not been used for longest are released.
        idle = [key for key, other in self._open.items() if not other.users and key != id]
        for key in idle[: max(len(self._open) - _OPEN, 0)]:
            released = self._open.pop(key)
            released.keeper.finish(released.session.text)
        return board
