"""Holds a tournament: hands out tasks, takes in pairs, until all are played or a test is decided.

The executor decides where tasks run. By default it is a pool of threads, each of which has a
supervisor process play for it (`tournaments.worker`): that is a pool of processes which survives
the death of its members. Any other `concurrent.futures.Executor` will do.

What comes of a pair depends on the plan alone, so it matters neither how pairs are put together to
tasks nor in which order they come in. A sequential test is evaluated in the order of the pairs, not
of their arrival, and pairs beyond its decision do not count.
"""

from __future__ import annotations

import itertools
import os
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from typing import Any, TypeAlias

from literature_ai.cards import seat_name
from literature_ai.errors import LiteratureError
from tournaments.plan import HALVES, Matchup
from tournaments.results import GameResult, points
from tournaments.statistics import SCORES
from tournaments.store import Store
from tournaments.worker import Task, dismiss_all, play_task

Unit: TypeAlias = tuple[Matchup, int]
"""A matchup and the number of a pair."""

BATCH_SIZE = 64
_SECONDS_A_TASK = 0.5
_MOST_PAIRS_A_TASK = 500
_TASKS_A_WORKER = 2
_TRIES = 3


class TournamentError(LiteratureError):
    """A tournament that cannot go on."""


class Stopped(Exception):
    """An agent failed, and the tournament was to stop then."""


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def hold(
    store: Store,
    executor: Executor | None = None,
    workers: int | None = None,
    batch_size: int = BATCH_SIZE,
    strict: bool = False,
    progress: Callable[[int], object] = lambda pairs: None,
) -> None:
    """Play whatever the tournament in the store still lacks.

    So many ``workers`` are kept busy, by default one a processor; give the number that fits an
    executor of your own. ``batch_size`` games are played at a time in a task; it matters for speed
    only. ``progress`` is told how many pairs have come in, again and again.

    Raises `Stopped` at the first failure of an agent if ``strict``; `TournamentError` when the
    executor breaks or an agent cannot be had where it is to play; `StoreError` when the store
    cannot be written. The store is whole after each of them, and after KeyboardInterrupt.
    """
    workers = workers or processors()
    if executor is not None:
        _Course(store, executor, workers, batch_size, strict, progress).play()
        return
    pool = ThreadPoolExecutor(workers, thread_name_prefix="worker")
    course = _Course(store, pool, workers, batch_size, strict, progress)
    try:
        course.play()
    finally:
        # Those that still play do so for nothing. One just starting may need a second word.
        while playing := [future for future in course.in_flight if not future.done()]:
            dismiss_all()
            wait_for(playing, timeout=0.1)
        pool.shutdown()


class _Course:
    """The course of a tournament from what is in its store to its end."""

    def __init__(
        self,
        store: Store,
        executor: Executor,
        workers: int,
        batch_size: int,
        strict: bool,
        progress: Callable[[int], object],
    ) -> None:
        self.in_flight: dict[Future[dict[str, Any]], list[Unit]] = {}
        self._store = store
        self._plan = store.header.plan
        self._executor = executor
        self._workers = workers
        self._batch_size = batch_size
        self._strict = strict
        self._progress = progress
        self._run = uuid.uuid4().hex
        self._left = self._missing()
        self._again: deque[list[Unit]] = deque()
        self._tries: Counter[Unit] = Counter()
        self._seconds_a_pair = _SECONDS_A_TASK
        self._units_left = len(self._plan.matchups()) * self._plan.pairs - store.pairs_played()
        self._test = _SequentialTest(store)

    def play(self) -> None:
        try:
            while not self._test.decided and self._fill():
                done, _ = wait_for(self.in_flight, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(future, self.in_flight.pop(future))
        finally:
            for future in self.in_flight:
                future.cancel()

    def _missing(self) -> Iterator[Unit]:
        """The pairs not yet played, deal by deal."""
        played = {matchup: self._store.played(matchup) for matchup in self._plan.matchups()}
        for pair in range(self._plan.pairs):
            for matchup, have in played.items():
                if not have[pair]:
                    yield matchup, pair

    def _fill(self) -> bool:
        """Keep the workers busy; tell whether any is."""
        while len(self.in_flight) < _TASKS_A_WORKER * self._workers:
            units = self._again.popleft() if self._again else self._next_units()
            if not units:
                break
            task: Task = {
                "run": self._run,
                "plan": self._plan.to_json(),
                "folder": self._store.header.folder,
                "pairs": [(a, b, pair) for (a, b), pair in units],
                "batch_size": self._batch_size,
                "with_records": self._store.header.with_records,
            }
            try:
                self.in_flight[self._executor.submit(play_task, task)] = units
            except RuntimeError as error:
                raise TournamentError(f"the executor takes no more tasks: {error}") from error
        return bool(self.in_flight)

    def _next_units(self) -> list[Unit]:
        """As many pairs as are worth a task, but no more than a worker's fair share."""
        worth = min(int(_SECONDS_A_TASK / self._seconds_a_pair), _MOST_PAIRS_A_TASK)
        fair = -(-self._units_left // (_TASKS_A_WORKER * self._workers))
        units = list(itertools.islice(self._left, max(min(worth, fair), 1)))
        self._units_left -= len(units)
        return units

    def _take(self, future: Future[dict[str, Any]], units: list[Unit]) -> None:
        try:
            answer = future.result()
        except (Exception, CancelledError) as error:
            # Not what an agent or a supervisor may do: the executor has lost a worker.
            self._tries.update(units)
            if max(self._tries[unit] for unit in units) >= _TRIES:
                raise TournamentError(
                    f"the executor failed to play pair {units[0][1] + 1} {_TRIES} times: "
                    f"{type(error).__name__}: {error}"
                ) from error
            self._again.append(units)
            return
        if "refused" in answer:
            raise TournamentError(answer["refused"])
        if "broken" in answer:
            raise RuntimeError(answer["broken"])
        self._seconds_a_pair = answer["seconds"] / len(units)
        halves = iter(answer["results"])
        for matchup, pair in units:
            self._add(matchup, pair, [next(halves) for _ in HALVES])
        self._progress(len(units))

    def _add(self, matchup: Matchup, pair: int, halves: list[list[GameResult]]) -> None:
        self._store.add(matchup, pair, halves)
        self._test.add(pair, sum(map(points, halves)))
        if self._strict:
            for half, games in enumerate(halves):
                for failure in (game["failure"] for game in games if game["failure"]):
                    team = self._plan.teams[matchup[failure["seat"] % 2 ^ half]]
                    raise Stopped(
                        f"{team} failed as {seat_name(failure['seat'])} after event "
                        f"{failure['event']} of pair {pair + 1} ({failure['kind']}):\n"
                        f"{failure['text']}"
                    )


class _SequentialTest:
    """The test of a tournament that may end it early, if it has one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sprt = store.header.plan.sprt
        self._counts = [0] * len(SCORES)
        self._early: dict[int, float] = {}
        self.decided = store.decision() is not None
        if self._sprt is not None and not self.decided:
            for pair, first, second in store.query("SELECT pair, first, second FROM pairs"):
                self.add(pair, first + second)

    def add(self, pair: int, points: float) -> None:
        """Take a pair; those that come early wait until it is their turn."""
        if self._sprt is None:
            return
        self._early[pair] = points
        while not self.decided and sum(self._counts) in self._early:
            self._counts[int(2 * self._early.pop(sum(self._counts)))] += 1
            accepted = self._sprt.decide(self._counts)
            if accepted is not None:
                self.decided = True
                self._store.decide(accepted, pairs=sum(self._counts))
