"""The engine's values of whole games, found in the background one game at a time, and kept."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from literature_ai.analysis.engine import BUDGET
from literature_ai.analysis.game_values import MARKS, Moment, mistakes, moments_of
from literature_ai.analysis.value_graph import svg
from literature_ai.analysis.value_store import ValueStore
from literature_ai.analysis.value_text import LEGEND, game_as_json, mistake_in_words
from literature_ai.cards import SEAT_NAMES
from literature_ai.errors import LiteratureError
from literature_ai.records.record import Record

MOST_WAITING = 8
"""The games that may wait for the engine."""
_REMEMBERED = 32


@dataclass(slots=True)
class _Job:
    """One game."""

    record: Record
    moments: list[Moment] = field(default_factory=list)
    failed: str = ""
    """Why it ended without all moments, in a line."""
    done: bool = False


class Valuing:
    """Values games in a thread of its own, and keeps what it finds in files.

    budget: the rollouts of each analysis.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self.budget = budget
        self._jobs: dict[Path, _Job] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="values")
        self._lock = Lock()
        self._closed = False

    def found(self, record: Record, path: Path) -> dict[str, Any]:
        """What has been found of the game so far; the first time, the work begins.

        ``done`` (moments), ``of``, ``failed`` (why it stopped, or null), ``graph`` (as SVG, empty
        without two moments), ``marks`` (of each mistake: event, mark, mistake, said), ``legend``,
        ``budget``, and accuracy, mistakes and moments as ``literature analyze --all --json`` has
        them. The file at ``path`` keeps the moments.

        Raises LiteratureError when too many games wait already.
        """
        job = self._job(record, path)
        moments = list(job.moments)
        return {
            "done": len(moments),
            "of": len(record.events) + 1,
            "failed": job.failed or None,
            "budget": self.budget,
            "graph": svg(moments, record, None, alone=False) if len(moments) > 1 else "",
            "marks": [
                {
                    "event": each.event,
                    "seat": SEAT_NAMES[each.seat],
                    "mark": MARKS[each.mistake],
                    "mistake": each.mistake.value,
                    "said": mistake_in_words(each),
                }
                for each in mistakes(moments)
                if each.mistake is not None
            ],
            "legend": LEGEND,
            **game_as_json(moments, record.rules.players),
        }

    def close(self) -> None:
        """Stop the work; what has been found is kept."""
        self._closed = True
        self._thread.shutdown(cancel_futures=True)

    def _job(self, record: Record, path: Path) -> _Job:
        with self._lock:
            job = self._jobs.get(path)
            if job is not None:
                if job.failed:  # It is said once; who looks again has it tried again.
                    del self._jobs[path]
                return job
            waiting = sum(not job.done for job in self._jobs.values())
            if waiting >= MOST_WAITING:
                raise LiteratureError(
                    f"the engine has {waiting} games to value already; try again in a minute"
                )
            done = [key for key, job in self._jobs.items() if job.done]
            for key in done[: max(len(self._jobs) - _REMEMBERED, 0)]:
                del self._jobs[key]
            job = self._jobs[path] = _Job(record)
            self._thread.submit(self._work, job, path)
            return job

    def _work(self, job: _Job, path: Path) -> None:
        try:
            store = ValueStore(str(path), job.record, None, self.budget, 0)
            job.moments += store.moments
            first = len(job.moments)
            for moment in moments_of(job.record, None, self.budget, first=first, go_on=self._go_on):
                if self._closed:
                    job.failed = "the server was stopped"
                    return
                store.keep(moment)
                job.moments.append(moment)
        except Exception as error:
            said = str(error).splitlines() or [type(error).__name__]
            job.failed = said[0] if isinstance(error, LiteratureError) else f"an error: {said[0]}"
        finally:
            job.done = True

    def _go_on(self, done: int, of: int) -> bool:
        return not self._closed
