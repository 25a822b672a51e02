"""Ctrl-C, which must end a command quietly at any moment.

Python raises KeyboardInterrupt wherever the program happens to be. In the middle of an import some
packages turn it into another error, and in a destructor it is printed and forgotten. Therefore it
is held back until an import is over, and sent again when it was lost.
"""

from __future__ import annotations

import _thread
import signal
import sys
import time
from types import FrameType

INTERRUPTED = 130
"""The exit code after Ctrl-C."""
_PAUSE = 0.02
_LONGEST = 3.0
"""Seconds for which an import is let go on."""


class Interrupts:
    """The handler of Ctrl-C."""

    def __init__(self) -> None:
        self.seen = False
        self._waited = 0.0

    def install(self) -> None:
        """Handle Ctrl-C from now on, unless it is ignored or handled otherwise already."""
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self.handle)
            sys.unraisablehook = self.unraisable

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt, but not within an import."""
        self.seen = True
        if _imports(frame) and self._waited < _LONGEST:
            self._waited += _PAUSE
            _send_later()
            return
        self._waited = 0.0
        raise KeyboardInterrupt

    def finish(self) -> None:
        """Let Ctrl-C end the process at once: nothing is left to be done."""
        if signal.getsignal(signal.SIGINT) == self.handle:
            signal.signal(signal.SIGINT, signal.SIG_DFL)

    def unraisable(self, told: sys.UnraisableHookArgs, /) -> None:
        """Take note of an error that cannot be raised, in a destructor for one."""
        if isinstance(told.exc_value, KeyboardInterrupt):
            _send_later()
        elif not self.seen:
            # After an interrupt, what was only half made often cannot be unmade.
            sys.__unraisablehook__(told)


def _send_later() -> None:
    """Send the signal to this thread, which is the main one, once more after a pause."""

    main = _thread.get_ident()

    def send() -> None:
        time.sleep(_PAUSE)
        if hasattr(signal, "pthread_kill"):
            # Unlike the other way this wakes a thread that has begun to wait for input meanwhile.
            signal.pthread_kill(main, signal.SIGINT)
        else:
            _thread.interrupt_main()

    _thread.start_new_thread(send, ())


def _imports(frame: FrameType | None) -> bool:
    """Whether an import is under way in this frame or one that called it."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
