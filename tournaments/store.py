"""The store of a tournament: one SQLite file that holds the results and allows to resume.

Each pair is written in one transaction when both halves are finished. However the program ends, the
pairs in the store are complete, and only games in progress are lost. With the write-ahead log
commits are cheap, and others can read while the store is written. The writer holds a lock on the
file, which the system releases when it ends.

Tables: ``run`` (the plan, versions), ``pairs`` (points of the first team in each half, and its lead
in half-suits), ``games``, ``counters`` (sums over the games of a pair, per team), ``failures``,
``records`` (compressed texts, if wanted). A pair with a void game is in ``voids`` only. Each
row ends in its checksum. All are checked when the file is opened, because a disk or a copy may
damage it in a way that SQLite does not notice.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import sqlite3
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self, cast

from literature_ai import __version__
from literature_ai.bots.registry import split_team
from literature_ai.cards import seat_name
from literature_ai.errors import LiteratureError, StreamError
from literature_ai.terminal_text import plain
from tournaments.plan import HALVES, Matchup, Plan
from tournaments.results import Failure, GameResult, cause, is_void, no_counters, points

_APPLICATION = 0x4C495441  # "LITA"
_LAYOUT = 2
"""The version of the tables; incremented when they change."""
COUNTERS = tuple(no_counters())
_LOCKED_BYTE = (1 << 31) - 1
"""SQLite locks bytes just after the first GiB."""

_GAME = "a INTEGER, b INTEGER, pair INTEGER, half INTEGER, number INTEGER"
_KEY_OF_GAME = "PRIMARY KEY (a, b, pair, half, number)"
_COLUMNS = {
    "run": "key TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER",
    "pairs": """a INTEGER, b INTEGER, pair INTEGER,
        first REAL, second REAL, difference INTEGER, games INTEGER, checksum INTEGER,
        PRIMARY KEY (a, b, pair)""",
    "games": f"""{_GAME}, score_a INTEGER, score_b INTEGER, winner INTEGER, unfinished INTEGER,
        events INTEGER, checksum INTEGER, {_KEY_OF_GAME}""",
    "counters": f"""a INTEGER, b INTEGER, pair INTEGER, team INTEGER,
        {" INTEGER, ".join(COUNTERS)} INTEGER, checksum INTEGER, PRIMARY KEY (a, b, pair, team)""",
    "failures": f"""{_GAME}, team INTEGER, kind TEXT, seat INTEGER, event INTEGER, text TEXT,
        checksum INTEGER, {_KEY_OF_GAME}""",
    "voids": f"""{_GAME}, seat INTEGER, event INTEGER, text TEXT, checksum INTEGER,
        {_KEY_OF_GAME}""",
    "records": f"{_GAME}, record BLOB, checksum INTEGER, {_KEY_OF_GAME}",
}
_TABLES = {
    table: f"CREATE TABLE {table} ({columns}) WITHOUT ROWID" for table, columns in _COLUMNS.items()
}


class StoreError(LiteratureError):
    """A store that cannot be used, or that belongs to another tournament."""


class FullError(StoreError, StreamError):
    """A store that cannot be written because the disk is full or fails."""


@dataclass(frozen=True, slots=True)
class Header:
    """The description of the tournament in a store."""

    plan: Plan
    folder: str
    """The folder that paths of agents are relative to."""
    with_records: bool
    version: str
    """The version of this package."""
    versions: dict[str, str]
    """The versions of Python and of the packages that results depend on."""
    agents: dict[str, str]
    """The file of each agent that has one, with its fingerprint."""


def _header_of(plan: Plan, with_records: bool) -> Header:
    """The header of a tournament that is started here and now."""
    versions = {"Python": platform.python_version()}
    versions |= {name: version(name) for name in ("numpy", "numba")}
    return Header(plan, os.getcwd(), with_records, __version__, versions, _fingerprints(plan))


def _fingerprints(plan: Plan) -> dict[str, str]:
    specs = {spec for team in plan.teams for spec in split_team(team)}
    files = {spec.partition(".py:")[0] + ".py" for spec in specs if ".py:" in spec}
    return {
        file: hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]
        for file in sorted(files)
        if os.path.isfile(file)
    }


class Store:
    """The store of a tournament. Use it as a context manager, or `close` it."""

    def __init__(self, path: str | os.PathLike[str], connection: sqlite3.Connection) -> None:
        self.path = os.fspath(path)
        self._connection = connection
        self._lock: int | None = None
        self.header = self._read_header()

    @classmethod
    def create_or_resume(
        cls, path: str | os.PathLike[str], plan: Plan, with_records: bool = False
    ) -> Self:
        """Open the store of a tournament for writing; create it if it does not exist.

        The plan may have more pairs than that of the existing store. Paths of agents are relative
        to the current folder. With ``with_records`` full records are kept.

        Raises `StoreError` when the file is no store, holds another tournament, was made by another
        version, is open elsewhere or cannot be written. The file is then left unchanged.
        """
        header = _header_of(plan, with_records)
        with contextlib.ExitStack() as undo:
            lock = _locked(path)
            undo.callback(os.close, lock)
            with _explained(path):
                connection = sqlite3.connect(path, isolation_level=None)
                undo.callback(connection.close)
                if _is_empty(connection):
                    _create(connection, replace(header, plan=header.plan.settled()))
                _check_file(path, connection)
            store = cls(path, connection)
            store._continue_as(header)
            store._lock = lock
            undo.pop_all()
        return store

    @classmethod
    def resume(cls, path: str | os.PathLike[str]) -> Self:
        """Open an existing store for writing. Raises `StoreError` as `create_or_resume` does."""
        with cls.read(path) as store:
            header = store.header
        return cls.create_or_resume(path, header.plan, header.with_records)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Open an existing store for reading; it may be written at the same time."""
        if not os.path.isfile(path):
            what = "this is a folder" if os.path.isdir(path) else "there is no such file"
            raise StoreError(f"{os.fspath(path)}: {what}")
        with contextlib.ExitStack() as undo:
            with _explained(path):
                connection = sqlite3.connect(
                    f"{Path(path).absolute().as_uri()}?mode=ro", uri=True, isolation_level=None
                )
                undo.callback(connection.close)
                _check_file(path, connection)
            store = cls(path, connection)
            undo.pop_all()
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and release its lock."""
        self._connection.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def add(self, matchup: Matchup, pair: int, halves: Sequence[Sequence[GameResult]]) -> None:
        """Write a pair in one transaction; a pair that exists already is left unchanged.

        Of a pair with a void game only that is kept: it counts for nobody.

        Raises `StoreError` when that fails; the store is then unchanged.
        """
        position = (*matchup, pair)
        if any(map(is_void, halves)):
            self._add_void(position, halves)
            return
        with _explained(self.path), self._transaction() as connection:
            difference = sum(g["score"][0] - g["score"][1] for games in halves for g in games)
            played = "SELECT 1 FROM pairs WHERE a = ? AND b = ? AND pair = ?"
            if any(connection.execute(played, position)):
                return
            games_played = sum(map(len, halves))
            self._insert("pairs", *position, *map(points, halves), difference, games_played)
            for half, games in zip(HALVES, halves, strict=True):
                for number, game in enumerate(games):
                    self._add_game((*position, half, number), game)
            for team in (0, 1):
                counted = [
                    cast(Mapping[str, int], g["counters"][team]) for games in halves for g in games
                ]
                sums = [sum(counts[name] for counts in counted) for name in COUNTERS]
                self._insert("counters", *position, team, *sums)

    def _add_void(self, position: tuple[int, ...], halves: Sequence[Sequence[GameResult]]) -> None:
        with _explained(self.path), self._transaction():
            for half, games in zip(HALVES, halves, strict=True):
                for number, game in enumerate(games):
                    if is_void([game]):
                        why = cast(Failure, game["failure"])
                        where = why["seat"], why["event"], why["text"]
                        self._insert("voids", *position, half, number, *where)

    def _add_game(self, position: tuple[int, ...], game: GameResult) -> None:
        result = game["winner"], int(game["unfinished"]), game["events"]
        self._insert("games", *position, *game["score"], *result)
        if failure := game["failure"]:
            team = failure["seat"] % 2 ^ position[3]
            why = failure["kind"], failure["seat"], failure["event"], failure["text"]
            self._insert("failures", *position, team, *why)
        if game["record"] is not None and self.header.with_records:
            self._insert("records", *position, zlib.compress(game["record"].encode(), 9))

    def _insert(self, table: str, *values: object) -> None:
        _insert(self._connection, table, *values)

    def query(self, question: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """The rows of an SQL query. Raises `StoreError` when the file is damaged."""
        # To sqlite3 numbered placeholders are named ones; Python 3.14 insists on that.
        named = {str(number): value for number, value in enumerate(values, start=1)}
        with _explained(self.path):
            yield from self._connection.execute(question, named if "?1" in question else values)

    def counted_pairs(self) -> int:
        """The number of the first pair that does not count: plan or test ended before it."""
        decision = self.decision()
        return int(decision["pairs"]) if decision else self.header.plan.pairs

    def records(self) -> Iterator[str]:
        """The records of all games that count, deal by deal.

        That of a forfeited game ends in a comment that says who forfeited and why.
        """
        for record, kind, seat, event, text in self.query(
            "SELECT record, kind, seat, event, text FROM records "
            "LEFT JOIN failures USING (a, b, pair, half, number) "
            "WHERE pair < ? ORDER BY pair, a, b, half, number",
            self.counted_pairs(),
        ):
            lines = zlib.decompress(record).decode()
            if kind is not None:
                why = plain(cause(text))
                lines += f"# {seat_name(seat)} forfeited after event {event} ({kind}): {why}\n"
            yield lines

    def played(self, matchup: Matchup) -> bytearray:
        """For each pair, 1 if the matchup has played it, else 0; it ends with the last played."""
        played = bytearray()
        for (pair,) in self.query(
            "SELECT pair FROM pairs WHERE a = ? AND b = ? "
            "UNION SELECT pair FROM voids WHERE a = ? AND b = ? ORDER BY pair",
            *matchup,
            *matchup,
        ):
            played.extend(bytes(pair - len(played)))
            played.append(True)
        return played

    def pairs_played(self) -> int:
        """The number of pairs played, over all matchups, void ones included."""
        ((count,),) = self.query(
            """SELECT (SELECT count(*) FROM pairs)
                + (SELECT count(*) FROM (SELECT DISTINCT a, b, pair FROM voids))"""
        )
        return int(count)

    def add_seconds(self, seconds: float) -> None:
        """Add the duration of a run."""
        with _explained(self.path), self._transaction():
            self._insert("run", "seconds", str(self.seconds() + seconds))

    def seconds(self) -> float:
        """The duration of all runs."""
        rows = list(self.query("SELECT value FROM run WHERE key = 'seconds'"))
        return float(rows[0][0]) if rows else 0.0

    def decide(self, accepted: str, pairs: int) -> None:
        """Record which hypothesis the sequential test has accepted, and after how many pairs."""
        with _explained(self.path), self._transaction():
            self._insert("run", "decision", json.dumps({"accepted": accepted, "pairs": pairs}))

    def decision(self) -> dict[str, Any] | None:
        """What `decide` has recorded: ``accepted`` and ``pairs``; None while undecided."""
        rows = list(self.query("SELECT value FROM run WHERE key = 'decision'"))
        return json.loads(rows[0][0]) if rows else None

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def _read_header(self) -> Header:
        (text,) = next(self.query("SELECT value FROM run WHERE key = 'header'"))
        header = json.loads(text)
        return Header(**{**header, "plan": Plan.from_json(header["plan"])})

    def _continue_as(self, wanted: Header) -> None:
        """Write the wanted plan. Raises `StoreError` when it is of another tournament."""
        mine = self.header
        for what, here, there in _code_differences(mine, wanted):
            raise StoreError(
                f"{self.path} was begun with other code: {what} {here}, not {there}; "
                "go back to that, or name another store"
            )
        for what, here, there in _differences(mine, wanted):
            raise StoreError(
                f"{self.path} holds another tournament: {what} {here}, not {there}; "
                "name another store, or resume this one with `literature resume`"
            )
        self.header = replace(mine, plan=replace(mine.plan, pairs=wanted.plan.pairs))
        with _explained(self.path), self._transaction() as connection:
            _write_header(connection, self.header)


def _code_differences(mine: Header, wanted: Header) -> Iterator[tuple[str, object, object]]:
    """Differences in code, which forbid to resume: what differs, here, there."""
    if mine.version != wanted.version:
        yield "it was made by version", mine.version, wanted.version
    for file, fingerprint in mine.agents.items():
        if wanted.agents.get(file, fingerprint) != fingerprint:
            yield f"the code of {file} was", fingerprint, wanted.agents[file]


def _differences(mine: Header, wanted: Header) -> Iterator[tuple[str, object, object]]:
    """Differences in plan, which make it another tournament: what differs, here, there."""
    a, b = mine.plan, wanted.plan
    for what, here, there in (
        ("its agents are", " ".join(a.teams), " ".join(b.teams)),
        ("its seed is", a.seed, b.seed),
        ("its players are", a.rules.players, b.rules.players),
        ("its rules are", a.rules.words() or "the usual ones", b.rules.words() or "the usual ones"),
        ("its matches are up to", a.match_wins, b.match_wins),
        ("gauntlet is", a.gauntlet, b.gauntlet),
        ("its move limit is", a.seconds_to_move, b.seconds_to_move),
        ("open cards are", a.open_cards, b.open_cards),
        ("its sprt is", a.sprt, b.sprt),
        ("it examines one pair in", a.examine_every, b.examine_every or a.examine_every),
        ("records are kept:", mine.with_records, mine.with_records or wanted.with_records),
    ):
        if here != there:
            yield what, here, there
    if b.pairs < a.pairs:
        yield "it has pairs:", a.pairs, b.pairs


def _is_empty(connection: sqlite3.Connection) -> bool:
    ((tables,),) = connection.execute("SELECT count(*) FROM sqlite_master")
    return not tables


def _create(connection: sqlite3.Connection, header: Header) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("BEGIN IMMEDIATE")
    for statement in _TABLES.values():
        connection.execute(statement)
    _write_header(connection, header)
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {_LAYOUT}")
    connection.execute("COMMIT")


def _write_header(connection: sqlite3.Connection, header: Header) -> None:
    text = json.dumps({**asdict(header), "plan": header.plan.to_json()})
    _insert(connection, "run", "header", text)


def _insert(connection: sqlite3.Connection, table: str, *values: object) -> None:
    """Insert a row with its checksum, in place of one with the same key."""
    marks = ", ".join("?" * (1 + len(values)))
    row = *values, _checksum(table, values)
    connection.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", row)


def _checksum(table: str, values: Sequence[object]) -> int:
    return zlib.crc32(repr((table, *values)).encode())


def _check_file(path: str | os.PathLike[str], connection: sqlite3.Connection) -> None:
    ((application,),) = connection.execute("PRAGMA application_id")
    if application != _APPLICATION:
        raise StoreError(f"{os.fspath(path)} is not the store of a tournament; name another file")
    ((layout,),) = connection.execute("PRAGMA user_version")
    if layout != _LAYOUT:
        raise StoreError(
            f"{os.fspath(path)} has the layout {layout} of another version of this program, "
            f"which reads layout {_LAYOUT}; use that version, or name another store"
        )
    ((fault,),) = connection.execute("PRAGMA quick_check(1)")
    if fault != "ok":
        reason = " ".join(fault.split())
        raise _damaged(path, reason)
    connection.execute("BEGIN")
    try:
        for damage in _damages(connection):
            raise _damaged(path, damage)
    finally:
        connection.execute("ROLLBACK")
    connection.execute("PRAGMA synchronous = NORMAL")


def _damaged(path: str | os.PathLike[str], reason: str) -> StoreError:
    return StoreError(f"{os.fspath(path)} is damaged ({reason}); restore it, or start anew")


def _damages(connection: sqlite3.Connection) -> Iterator[str]:
    """What is wrong with tables, rows and their numbers, in words."""
    tables = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    if tables != _TABLES:
        yield "its tables are not those of a store"
        return
    for table in _TABLES:
        for *values, checksum in connection.execute(f"SELECT * FROM {table}"):
            if checksum != _checksum(table, values):
                yield f"a row of {table} does not have its checksum"
    ((header,),) = connection.execute("SELECT count(*) FROM run WHERE key = 'header'")
    if not header:
        yield "it has no header"
    ((pairs, games),) = connection.execute("SELECT count(*), ifnull(sum(games), 0) FROM pairs")
    for table, expected in (("games", games), ("counters", 2 * pairs)):
        ((found,),) = connection.execute(f"SELECT count(*) FROM {table}")
        if found != expected:
            yield f"{table} has {found} rows in place of {expected}"


@contextlib.contextmanager
def _explained(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn errors of SQLite into `StoreError` with a cause and a cure, in one line."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if "full" in str(error) or "disk I/O" in str(error):
            cure = "make room on the disk, then resume with `literature resume`"
            raise FullError(
                f"{os.fspath(path)} cannot be used: {_one_line(error)}; {cure}"
            ) from error
        if "locked" in str(error):
            cure = "another program is using it; wait for it, or name another store"
        elif "decode" in str(error):
            raise _damaged(path, "text that is no UTF-8") from error
        else:
            cure = "check the folder and its permissions"
        raise StoreError(f"{os.fspath(path)} cannot be used: {_one_line(error)}; {cure}") from error
    except (sqlite3.Error, UnicodeError, MemoryError, OverflowError) as error:
        raise StoreError(
            f"{os.fspath(path)} is not the store of a tournament, or is damaged: "
            f"{_one_line(error)}; restore it, or name another file"
        ) from error


def _one_line(error: Exception) -> str:
    return plain(" ".join(str(error).split()))


def _locked(path: str | os.PathLike[str]) -> int:
    """A descriptor with an exclusive lock on the file, held by its one writer.

    The lock is of another kind (flock) than those of SQLite (fcntl), so the two do not interfere;
    on Windows it covers a byte far beyond the end. The system releases it when the process ends.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
    except OSError as error:
        raise StoreError(f"{os.fspath(path)} cannot be written: {error.strerror}") from error
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise StoreError(
            f"{os.fspath(path)} is being written by another tournament; "
            "wait for it, or name another store"
        ) from None
    return descriptor
