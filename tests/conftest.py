"""What holds for all tests."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from browser import Pages


def pytest_configure() -> None:
    """Let what tests start be interrupted, also where they run in the background: such a job
    ignores Ctrl-C, and its children would."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    """One server and one browser for a module."""
    from browser import Pages

    with Pages(tmp_path_factory.mktemp("served")) as pages:
        yield pages
