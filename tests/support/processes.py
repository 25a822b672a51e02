"""Helpers for tests that start the command line as a process and do things to it."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence

LITERATURE = (sys.executable, "-m", "literature_ai")
_PATIENCE = 30


def started(*words: str) -> subprocess.Popen[bytes]:
    """The command line, running; its progress is on ``stderr``."""
    return subprocess.Popen(
        [*LITERATURE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )


def wait_for_pairs(process: subprocess.Popen[bytes], pairs: int) -> None:
    """Read the progress bar until so many pairs have been played (or it has ended)."""
    assert process.stderr is not None
    seen = b""
    while chunk := os.read(process.stderr.fileno(), 4096):
        seen += chunk
        if any(int(n) >= pairs for n in re.findall(rb"(\d+)/\d+ \[", seen)):
            return


def children(pid: int) -> list[int]:
    """The processes that this one has started and that have not ended."""
    started = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as children:
                started += [int(word) for word in children.read().split()]
    except (FileNotFoundError, ProcessLookupError):
        return started
    return started


def descendants(pid: int) -> Iterator[int]:
    """The processes that this one has started, and those they have."""
    for child in children(pid):
        yield child
        yield from descendants(child)


def survivors(pids: Sequence[int]) -> list[int]:
    """Those of the processes that have not ended after a minute."""
    left = []
    for pid in pids:
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        if not select.select([descriptor], [], [], _PATIENCE)[0]:
            left.append(pid)
            os.kill(pid, signal.SIGKILL)
        os.close(descriptor)
    return left


def ended(process: subprocess.Popen[bytes]) -> tuple[int, str, str]:
    """The exit code and the rest of the output, once it has ended."""
    out, err = process.communicate(timeout=_PATIENCE)
    return process.returncode, out.decode(), err.decode()
