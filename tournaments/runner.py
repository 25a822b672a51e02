"""Runs a tournament: submits tasks to an executor and stores the pairs as they come back.

The executor decides where tasks run. The default is a pool of threads, each of which uses a
supervisor and its processes (`tournaments.processes.worker`): in effect a pool of processes that
survives the death of its members. Any other `concurrent.futures.Executor` works as well.

The result of a pair depends only on the plan, so neither the grouping of pairs into tasks nor the
order of their arrival matters. A sequential test is evaluated in the order of the pairs, not of
their arrival, and pairs beyond its decision do not count.
"""

from __future__ import annotations

import itertools
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, TypeAlias

from literature_ai.cards import seat_name
from literature_ai.errors import LiteratureError
from solver.precompilation import available_processors
from tournaments.plan import HALVES, Matchup
from tournaments.processes.interrupts import Interrupts, held_back
from tournaments.processes.player_process import StartMethod
from tournaments.processes.supervisor import Task
from tournaments.processes.worker import close_all, play_task
from tournaments.results import GameResult, is_void, points
from tournaments.statistics import SCORES
from tournaments.store import Store

PairId: TypeAlias = tuple[Matchup, int]
"""A matchup and the number of a pair."""

BATCH_SIZE = 64
_SECONDS_PER_TASK = 0.5
_MAX_PAIRS_PER_TASK = 500
_TASKS_PER_WORKER = 2
_ATTEMPTS = 3


class TournamentError(LiteratureError):
    """A tournament cannot continue."""


class StrictError(Exception):
    """An agent failed in a strict run."""


def run(
    store: Store,
    executor: Executor | None = None,
    workers: int | None = None,
    batch_size: int = BATCH_SIZE,
    strict: bool = False,
    progress: Callable[[int], object] = lambda pairs: None,
    start_method: StartMethod | None = None,
    isolated: bool = False,
) -> None:
    """Play the pairs of the tournament that its store does not have yet.

    ``workers`` tasks run at a time, by default one per processor; with an executor of your own,
    give its number of workers. A task plays ``batch_size`` games at a time, which affects speed
    only. ``progress`` is called with the number of pairs completed since its last call. Players are
    forked where that is safe, and elsewhere are fresh interpreters, as ``start_method`` ``spawn``
    has them everywhere. ``isolated`` seats every agent as a program of its own: the same results,
    slower, and no agent shares memory with the game or with another seat.

    Raises `StrictError` at the first failure of an agent if ``strict``; `TournamentError` when the
    executor breaks or an agent cannot be loaded by a worker; `StoreError` when the store cannot be
    written. The store is consistent after each of them, and after KeyboardInterrupt.
    """
    workers = workers or available_processors()
    options = _Options(workers, batch_size, strict, start_method, isolated)
    with held_back() as interrupts:
        if executor is not None:
            _Scheduler(store, executor, options, progress, interrupts).run()
            return
        pool = ThreadPoolExecutor(workers, thread_name_prefix="worker")
        scheduler = _Scheduler(store, pool, options, progress, interrupts)
        try:
            scheduler.run()
        finally:
            # Tasks still running are no longer wanted; one that is just starting may need a second
            # try.
            while running := [future for future in scheduler.in_flight if not future.done()]:
                close_all()
                wait_for(running, timeout=0.1)
            pool.shutdown()


@dataclass(frozen=True, slots=True)
class _Options:
    """How to play, see `run`."""

    workers: int
    batch_size: int
    strict: bool
    start_method: StartMethod | None
    isolated: bool


class _Scheduler:
    """Keeps the workers of an executor busy until a tournament is complete."""

    def __init__(
        self,
        store: Store,
        executor: Executor,
        options: _Options,
        progress: Callable[[int], object],
        interrupts: Interrupts,
    ) -> None:
        self.in_flight: dict[Future[dict[str, Any]], list[PairId]] = {}
        self._store = store
        self._plan = store.header.plan
        self._executor = executor
        self._options = options
        self._max_tasks = _TASKS_PER_WORKER * options.workers
        self._progress = progress
        self._interrupts = interrupts
        self._done: SimpleQueue[Future[dict[str, Any]]] = SimpleQueue()
        self._run_id = uuid.uuid4().hex
        self._pending = self._missing_pairs()
        self._retries: deque[list[PairId]] = deque()
        self._attempts: Counter[PairId] = Counter()
        self._seconds_per_pair = _SECONDS_PER_TASK
        self._pairs_left = len(self._plan.matchups()) * self._plan.pairs - store.pairs_played()
        self._test = _SequentialTest(store)

    def run(self) -> None:
        try:
            while not self._test.decided and self._submit_tasks():
                future = self._interrupts.wait(self._done.get)
                self._collect(future, self.in_flight.pop(future))
        finally:
            for future in self.in_flight:
                future.cancel()

    def _missing_pairs(self) -> Iterator[PairId]:
        """The pairs that have not been played, deal by deal."""
        played = {matchup: self._store.played(matchup) for matchup in self._plan.matchups()}
        for pair in range(self._plan.pairs):
            for matchup, have in played.items():
                if pair >= len(have) or not have[pair]:
                    yield matchup, pair

    def _submit_tasks(self) -> bool:
        """Submit tasks until all workers have enough; whether any task is in flight."""
        while len(self.in_flight) < self._max_tasks:
            pairs = self._retries.popleft() if self._retries else self._next_pairs()
            if not pairs:
                break
            task: Task = {
                "run": self._run_id,
                "plan": self._plan.to_json(),
                "folder": self._store.header.folder,
                "pairs": [(a, b, pair) for (a, b), pair in pairs],
                "batch_size": self._options.batch_size,
                "with_records": self._store.header.with_records,
                "start_method": self._options.start_method,
                "isolated": self._options.isolated,
            }
            try:
                future = self._executor.submit(play_task, task)
            except RuntimeError as error:
                raise TournamentError(f"the executor takes no more tasks: {error}") from error
            self.in_flight[future] = pairs
            future.add_done_callback(self._done.put)
        return bool(self.in_flight)

    def _next_pairs(self) -> list[PairId]:
        """As many pairs as fill a task, but no more than a worker's fair share of the rest."""
        full = min(int(_SECONDS_PER_TASK / self._seconds_per_pair), _MAX_PAIRS_PER_TASK)
        fair = -(-self._pairs_left // self._max_tasks)
        pairs = list(itertools.islice(self._pending, max(min(full, fair), 1)))
        self._pairs_left -= len(pairs)
        return pairs

    def _collect(self, future: Future[dict[str, Any]], pairs: list[PairId]) -> None:
        """Store the results of a task, or schedule it again when the executor has lost it."""
        try:
            answer = future.result()
        except (Exception, CancelledError) as error:
            # Neither agents nor supervisors cause exceptions here: the executor lost a worker.
            self._attempts.update(pairs)
            if max(self._attempts[pair] for pair in pairs) >= _ATTEMPTS:
                raise TournamentError(
                    f"the executor failed to play pair {pairs[0][1] + 1} {_ATTEMPTS} times: "
                    f"{type(error).__name__}: {error}"
                ) from error
            self._retries.append(pairs)
            return
        if "refused" in answer:
            raise TournamentError(answer["refused"])
        if "broken" in answer:
            raise RuntimeError(answer["broken"])
        self._seconds_per_pair = answer["seconds"] / len(pairs)
        halves = iter(answer["results"])
        for matchup, pair in pairs:
            self._add(matchup, pair, [next(halves) for _ in HALVES])
        self._progress(len(pairs))

    def _add(self, matchup: Matchup, pair: int, halves: list[list[GameResult]]) -> None:
        self._store.add(matchup, pair, halves)
        self._test.add(pair, None if any(map(is_void, halves)) else sum(map(points, halves)))
        if self._options.strict:
            for half, games in enumerate(halves):
                for failure in (game["failure"] for game in games if game["failure"]):
                    if failure["kind"] == "void":
                        raise StrictError(f"a game of pair {pair + 1} is void:\n{failure['text']}")
                    team = self._plan.teams[matchup[failure["seat"] % 2 ^ half]]
                    raise StrictError(
                        f"{team} failed as {seat_name(failure['seat'])} after event "
                        f"{failure['event']} of pair {pair + 1} ({failure['kind']}):\n"
                        f"{failure['text']}"
                    )


class _SequentialTest:
    """The sequential test of a tournament, if it has one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sprt = store.header.plan.sprt
        self._counts = [0] * len(SCORES)
        self._next_pair = 0
        """The first pair that is missing."""
        self._early: dict[int, float | None] = {}
        """The points of pairs that have arrived before their predecessors; None: it is void."""
        self.decided = store.decision() is not None
        if self._sprt is not None and not self.decided:
            for pair, first, second in store.query("SELECT pair, first, second FROM pairs"):
                self.add(pair, first + second)
            for (pair,) in store.query("SELECT DISTINCT pair FROM voids"):
                self.add(pair, None)

    def add(self, pair: int, points: float | None) -> None:
        """Add a pair, and evaluate the test on all pairs before the first that is missing."""
        if self._sprt is None:
            return
        self._early[pair] = points
        while not self.decided and self._next_pair in self._early:
            points = self._early.pop(self._next_pair)
            self._next_pair += 1
            if points is None:
                continue
            self._counts[int(2 * points)] += 1
            accepted = self._sprt.decide(self._counts)
            if accepted is not None:
                self.decided = True
                self._store.decide(accepted, pairs=self._next_pair)
