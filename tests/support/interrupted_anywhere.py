"""Interrupts `tournaments.run` at one line after the other, and prints the function of each.

The tasks do not play: each goes on until it is told to end, as one does whose agent hangs. So a run
that forgets a task, or a lock, never ends, and what is printed last is where it was interrupted.
"""

from __future__ import annotations

import signal
import sys
import tempfile
import threading
from pathlib import Path
from queue import SimpleQueue
from types import FrameType
from typing import Any

from literature_ai.rules import RuleSet
from tournaments import Plan, Store, runner

WATCHED = ("runner.py", "threading.py", "thread.py", "_base.py", "interrupts.py", "weakref.py")
"""The files whose lines count."""


class Interrupter:
    """Interrupts a run at its line with this number, or where it waits if that comes before."""

    def __init__(self, number: int) -> None:
        self.left = number

    def run(self, store: Store) -> None:
        """Run it. Raises KeyboardInterrupt, unless that is lost."""

        class Results(SimpleQueue[Any]):
            def get(_, block: bool = True, timeout: float | None = None) -> Any:
                if self.left:
                    self._interrupt()
                return super().get(block, timeout)

        runner.SimpleQueue = Results  # type: ignore[misc]
        sys.settrace(self._trace)
        try:
            runner.run(store, workers=1)
        finally:
            sys.settrace(None)

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        if Path(frame.f_code.co_filename).name not in WATCHED:
            return None
        if event == "line":
            self.left -= 1
            if not self.left:
                print(frame.f_code.co_name, flush=True)
                self._interrupt()
        return self._trace

    def _interrupt(self) -> None:
        sys.settrace(None)
        signal.raise_signal(signal.SIGINT)


def main() -> None:
    """Interrupt runs until one has fewer lines than that."""
    told_to_end = threading.Event()

    def play_task(task: Any) -> dict[str, Any]:
        told_to_end.wait()
        return {"refused": "the tournament was stopped"}

    runner.play_task, runner.close_all = play_task, told_to_end.set
    plan = Plan(("random", "greedy"), 4, RuleSet(max_events=60), examine_every=0)
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.create_or_resume(Path(folder) / "store.db", plan) as store,
    ):
        number, left = 0, 0
        while not left:
            number += 1
            told_to_end.clear()
            interrupter = Interrupter(number)
            try:
                interrupter.run(store)
                print("not interrupted")
            except KeyboardInterrupt:
                left = interrupter.left


if __name__ == "__main__":
    main()
