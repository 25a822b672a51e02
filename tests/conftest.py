"""What holds for all tests."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Let what tests start be interrupted, also where they run in the background: such a job
    ignores Ctrl-C, and its children would."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
