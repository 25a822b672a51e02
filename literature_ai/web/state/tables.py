"""The tables of a server: sessions with their files, the tokens of their seats, and their bots.

Each table has two files in the folder: a record with everything (`literature_ai.sessions.saved`),
written after every event, and the tokens of its seats. Both are named by an id that the server has
made; an id from a client is looked up, never made into a path.

All work on a session runs in threads, one at a time for a table. A task for each table lets its
bots act at its pace, so a bot that thinks for long, or hangs, holds up its own table only.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from starlette.exceptions import HTTPException

from literature_ai.cards import SEAT_NAMES, Seat
from literature_ai.errors import FileError, LiteratureError
from literature_ai.game.turns import Decision
from literature_ai.output_files import explained
from literature_ai.records.notation import parse_action
from literature_ai.rules import RuleSet
from literature_ai.sessions.keeper import Keeper
from literature_ai.sessions.seats import Occupant
from literature_ai.sessions.seen import EVERYONE, Viewer
from literature_ai.sessions.storage import Storage
from literature_ai.sessions.table import TableSession
from literature_ai.terminal_text import plain
from literature_ai.web.access import is_same, new_token
from literature_ai.web.state.streams import Channel, Streams
from literature_ai.web.warm_up import WarmUp
from literature_ai.wording import by_half_suit, sentence

T = TypeVar("T")

MOST_TABLES = 2000
"""That a server keeps in its folder."""
SLOWEST = 10.0
"""Seconds after what a bot does."""
_OPEN = 64
"""Tables that stay in memory while nobody looks at them."""
_QUEUE = 12
"""Requests that may wait for a table."""
_ID_BYTES = 6


@dataclass(slots=True)
class Settings:
    """What a server keeps of a table beside its session."""

    tokens: dict[Seat, str]
    """What opens the seats of persons."""
    pace: float
    """Seconds after what a bot does."""

    def as_text(self) -> str:
        tokens = {SEAT_NAMES[seat]: token for seat, token in self.tokens.items()}
        return json.dumps({"tokens": tokens, "pace": self.pace}, indent=1) + "\n"

    @classmethod
    def of_text(cls, text: str, file: str) -> Settings:
        """Raises `FileError` for a text that is not of settings."""
        try:
            data = json.loads(text)
            tokens = {SEAT_NAMES.index(name): str(t) for name, t in data["tokens"].items()}
            return cls(tokens, checked_pace(data["pace"]))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise FileError(
                f"{file} does not have the tokens of a table; delete it, and 'literature play'"
                " goes on with its game"
            ) from None


def checked_pace(pace: object) -> float:
    """The seconds after what a bot does. Raises LiteratureError for what is no pace."""
    if isinstance(pace, bool) or not isinstance(pace, int | float) or not 0 <= pace <= SLOWEST:
        raise LiteratureError(f"the pace must be a number of seconds from 0 to {SLOWEST:g}")
    return float(pace)


class Table:
    """A table of this server. Only the event loop uses it; the session is used in threads."""

    def __init__(
        self, id: str, session: TableSession, keeper: Keeper, settings: Settings, tables: Tables
    ) -> None:
        self.id = id
        self.session = session
        self.settings = settings
        self.channel = Channel(tables.streams)
        self.waiting: set[Seat] = set()
        """The persons who want no offers before their next turn."""
        self._keeper = keeper
        self._tables = tables
        self._lock = asyncio.Lock()
        self._queue = 0
        self._wake = asyncio.Event()
        self._wake.set()
        self._number = 0
        """Of the state that is shown."""
        self._shown: dict[Viewer, dict[str, Any]] = {}
        self._trouble = ""
        self._driver: asyncio.Task[None] | None = None
        session.on_change = self._keep
        self._keep()
        self._show()

    def seat_of(self, token: str) -> Seat | None:
        """The seat that the token opens; every token is compared, each in constant time."""
        found = None
        for seat, own in self.settings.tokens.items():
            if is_same(token, own) and seat in self.session.persons:
                found = seat
        return found

    def state(self, seat: Seat) -> tuple[int, dict[str, Any]]:
        """A number that changes with the state, and all that the page of the seat shows.

        ``seen`` is what `seen_by` gives for the seat, ``told`` its events as sentences, ``open``
        what it gives for everyone once the game is over, ``deck`` the cards of each half-suit.
        """
        shown = self._shown[seat]
        decision = shown["seen"]["decision"]
        if decision is not None:
            left = self.session.seconds_left
            shown = {
                **shown,
                "seen": {**shown["seen"], "decision": {**decision, "seconds_left": left}},
            }
        return self._number, {
            **shown,
            "pace": self.settings.pace,
            "waiting": seat in self.waiting,
            "saved": self._keeper.saved,
            "trouble": self._trouble,
        }

    def start(self) -> None:
        """Let the bots play."""
        if self._driver is None:
            self._driver = asyncio.create_task(self._drive(), name=f"table {self.id}")

    async def act(self, seat: Seat, events: int, text: str | None) -> None:
        """Do what the person of the seat has decided, after so many events: an action as records
        have it, or None to decline an offer.

        Raises LiteratureError, and changes nothing, when it cannot be done.
        """

        def do() -> None:
            session = self.session
            if len(session.events) != events:
                raise LiteratureError("the table has gone on meanwhile; look at it again")
            action = None
            if text is not None:
                who, action = parse_action(text, session.record.position(), seat)
                if who != seat:
                    raise LiteratureError(
                        f"that would be an action of {SEAT_NAMES[who]}; you are {SEAT_NAMES[seat]}"
                    )
            session.answer(seat, action)

        await self.change(do)

    async def undo(self, seat: Seat) -> None:
        """Take back the last action of the person. Raises LiteratureError when that cannot be."""
        await self.change(lambda: self.session.undo(seat))

    async def resign(self, seat: Seat) -> None:
        """Give the game up for the team. Raises LiteratureError when the game is over."""
        await self.change(lambda: self.session.resign(seat))

    async def wait(self, seat: Seat, on: bool) -> None:
        """Ask the person for claims between turns, or not before their next turn."""

        def do() -> None:
            (self.waiting.add if on else self.waiting.discard)(seat)
            decision = self.session.decision
            if decision is None or decision.seat != seat or self._on_turn(decision):
                return
            if on:
                self.session.answer(seat, None)

        await self.change(do)

    async def set_pace(self, pace: object) -> None:
        """Change the seconds after what a bot does. Raises LiteratureError for what is no pace."""
        self.settings.pace = checked_pace(pace)
        await self.change(lambda: self._tables.write_settings(self.id, self.settings))

    async def change(self, function: Callable[[], T]) -> T:
        """What the function returns, run in a thread while nothing else uses the session; then the
        table goes on.

        Raises HTTPException, with the status 503, when too many wait for the table.
        """
        found = await self._alone(function)
        self._wake.set()
        return found

    async def look(self, function: Callable[[], T]) -> T:
        """As `change`, for what changes nothing."""
        return await self._alone(function, changes=False)

    async def close(self) -> None:
        """Stop the bots and let the file go."""
        if self._driver is not None:
            self._driver.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._driver
        self.session.close()
        self._keeper.storage.release()

    @property
    def is_quiet(self) -> bool:
        """Whether nobody looks and nothing happens."""
        waits = self._driver is None or self._driver.done() or not self._wake.is_set()
        return waits and not self._lock.locked() and not self.channel.listeners

    async def _alone(self, function: Callable[[], T], *, changes: bool = True) -> T:
        if self._queue >= _QUEUE:
            raise HTTPException(503, "The table is busy; try again in a moment.")
        self._queue += 1
        try:
            async with self._lock:
                found = await self._tables.in_thread(function)
                if changes:
                    self._show()
        finally:
            self._queue -= 1
        if changes:
            self.channel.publish()
        return found

    def _show(self) -> None:
        """Make what each person may see, while nothing else uses the session."""
        session = self.session
        if session.decision is not None and self._on_turn(session.decision):
            self.waiting.discard(session.decision.seat)
        shared: dict[str, Any] = {
            "told": [sentence(event, session.rules.card_names) for event in session.events],
            "deck": by_half_suit(session.rules.card_names),
            "open": session.seen_by(EVERYONE) if session.over else None,
        }
        self._shown = {seat: {"seen": session.seen_by(seat), **shared} for seat in session.persons}
        self._number += 1

    def _on_turn(self, decision: Decision) -> bool:
        """Whether the decision is one of the seat on turn."""
        return decision.seat == self.session.view(decision.seat).turn

    def _keep(self) -> None:
        said = self._keeper.keep(self.session.text)
        if said:
            print(f"literature: table {self.id}: {plain(said)}", file=sys.stderr, flush=True)

    async def _drive(self) -> None:
        """Let the bots act whenever they have something to decide, until the game is over."""
        await self._tables.warm_up.ready()
        while True:
            self._wake.clear()
            try:
                while await self._step():
                    await asyncio.sleep(self.settings.pace)
            except Exception as error:
                # The last bot that could play on has failed.
                self._trouble = "A bot failed and no other can play on; the game waits."
                print(f"literature: table {self.id}: {error!r}", file=sys.stderr, flush=True)
                self._number += 1
                self.channel.publish()
            left = self.session.seconds_left
            try:
                await asyncio.wait_for(self._wake.wait(), None if left is None else left + 0.02)
            except TimeoutError:
                with contextlib.suppress(HTTPException):
                    await self._alone(self.session.time_out)
                self._wake.set()

    async def _step(self) -> bool:
        """Let the bots do one thing. Whether they did, so that others should see it first."""

        def do() -> bool:
            session = self.session
            while True:
                step = session.advance()
                if step is not None:
                    return True
                decision = session.decision
                if decision is None or decision.seat not in session.persons:
                    return False
                if decision.seat not in self.waiting or self._on_turn(decision):
                    return False
                session.answer(decision.seat, None)

        async with self._lock:
            acted = await self._tables.in_thread(do)
            self._show()
        self.channel.publish()
        return acted


def unforeseeable_seeds() -> Iterator[int]:
    """Seeds that nobody can know before."""
    while True:
        yield secrets.randbits(53)


@dataclass(slots=True)
class Tables:
    """All tables of a server, in a folder."""

    folder: Path
    streams: Streams
    warm_up: WarmUp
    seeds: Iterator[int]
    """Of new tables, one after the other."""
    _open: OrderedDict[str, Table] = field(default_factory=OrderedDict)
    _ids: set[str] | None = None
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    _limiter: anyio.CapacityLimiter | None = None

    async def new(
        self, rules: RuleSet, occupants: list[Occupant], *, coach: bool, pace: float
    ) -> Table:
        """A new table, with a token for each person. Raises LiteratureError when there is no room,
        and `FileError` when it cannot be saved."""
        async with self._opening:
            if len(await self._known()) >= MOST_TABLES:
                raise LiteratureError(
                    f"this server keeps {MOST_TABLES} tables, which is all it may; delete files of"
                    " old ones where it runs"
                )
            id, seed = secrets.token_hex(_ID_BYTES), next(self.seeds)

            def make() -> tuple[TableSession, Keeper, Settings]:
                session = TableSession(id, rules, occupants, seed=seed, coach=coach)
                settings = Settings({seat: new_token() for seat in session.persons}, pace)
                with explained(self.folder):
                    self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self.write_settings(id, settings)
                storage = Storage(self._record(id))
                storage.save(session.text)
                return session, Keeper(storage), settings

            session, keeper, settings = await self.in_thread(make)
            (await self._known()).add(id)
            return await self._opened(Table(id, session, keeper, settings, self))

    async def find(self, id: str) -> Table | None:
        """The table with this id, opened if it is not; None when there is none.

        Raises LiteratureError when its files are damaged or in use elsewhere.
        """
        if id in self._open:
            self._open.move_to_end(id)
            return self._open[id]
        if id not in await self._known():
            return None
        async with self._opening:
            if id in self._open:
                return self._open[id]

            def load() -> tuple[TableSession, Keeper, Settings]:
                file = self._settings(id)
                with explained(file.name):
                    settings = Settings.of_text(file.read_text("utf-8"), file.name)
                storage = Storage(self._record(id))
                try:
                    session = TableSession.resumed(storage.text, storage.path.name)
                except BaseException:
                    storage.release()
                    raise
                return session, Keeper(storage), settings

            session, keeper, settings = await self.in_thread(load)
            return await self._opened(Table(id, session, keeper, settings, self))

    async def close(self) -> None:
        """Let all tables go; their files have everything."""
        while self._open:
            _, table = self._open.popitem()
            await table.close()

    def write_settings(self, id: str, settings: Settings) -> None:
        """Keep the settings of a table, for nobody else to read. Raises `FileError`."""
        path = self._settings(id)
        draft = path.with_suffix(f".{secrets.token_hex(4)}.tmp")
        with explained(path):
            try:
                with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                    file.write(settings.as_text())
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(draft, path)
            finally:
                draft.unlink(missing_ok=True)

    async def in_thread(self, function: Callable[[], T]) -> T:
        """What the function returns, run in a thread of its own kind: there are more of these than
        tables that are likely to think at once."""
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(200)
        return await anyio.to_thread.run_sync(function, limiter=self._limiter)

    async def _opened(self, table: Table) -> Table:
        self._open[table.id] = table
        table.start()
        if len(self._open) > _OPEN:
            quiet = (each for each in self._open.values() if each.is_quiet and each is not table)
            if (oldest := next(quiet, None)) is not None:
                del self._open[oldest.id]
                await oldest.close()
        return table

    async def _known(self) -> set[str]:
        """The ids of all tables in the folder."""
        if self._ids is None:
            self._ids = await self.in_thread(
                lambda: {path.stem for path in self.folder.glob("*.json")}
            )
        return self._ids

    def _record(self, id: str) -> Path:
        return self.folder / f"{id}.lit"

    def _settings(self, id: str) -> Path:
        return self.folder / f"{id}.json"


def links_of(table: Table) -> Mapping[str, str]:
    """The path of each person's page, by the name of their seat."""
    return {
        SEAT_NAMES[seat]: f"/play/{table.id}/{token}"
        for seat, token in table.settings.tokens.items()
    }
