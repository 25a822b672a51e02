"""Ctrl-C while tasks are handed out: it is heard only where nothing is half done.

Python raises KeyboardInterrupt wherever the main thread happens to be. Within `Executor.submit` it
leaves behind a task that plays and that nobody knows of, and within `concurrent.futures.wait` it
leaves locks that are never released.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import TypeVar

T = TypeVar("T")


class Interrupts:
    """Those of a block: they come through while it waits, and otherwise are kept."""

    def __init__(self) -> None:
        self._handler = signal.getsignal(signal.SIGINT)
        self._waits = False
        self._kept = False

    def wait(self, function: Callable[[], T]) -> T:
        """What the function returns; interrupted if there has been an interrupt, or is one now."""
        try:
            self._waits = True
            self.send_kept()
            return function()
        finally:
            self._waits = False

    def send_kept(self) -> None:
        """Send again what has been kept."""
        if self._kept:
            self._kept = False
            signal.raise_signal(signal.SIGINT)

    @contextlib.contextmanager
    def handled(self) -> Iterator[None]:
        """Handle interrupts in this block, if they would be raised: in the main thread alone, and
        unless they are ignored or end the process at once."""
        if threading.current_thread() is not threading.main_thread() or not callable(self._handler):
            yield
            return
        signal.signal(signal.SIGINT, self._handle)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, self._handler)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._waits and callable(self._handler):
            self._handler(number, frame)
        else:
            self._kept = True


@contextlib.contextmanager
def held_back() -> Iterator[Interrupts]:
    """Interrupts in this block come through at its end, or when it waits by `Interrupts.wait`."""
    interrupts = Interrupts()
    try:
        with interrupts.handled():
            yield interrupts
    finally:
        interrupts.send_kept()
