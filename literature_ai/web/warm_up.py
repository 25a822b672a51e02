"""Prepares a server: compiles the kernels in the background, once on a machine, and loads them."""

from __future__ import annotations

import threading
from typing import Any


class WarmUp:
    """How far the preparation is. Pages work meanwhile; bots, hints and reviews wait for it."""

    def __init__(self, *entries: str) -> None:
        """``entries``: the functions to compile, as `solver.precompilation` takes them."""
        self._entries = entries
        self._ready = threading.Event()
        self._done, self._of = 0, 0
        if not entries:
            self._ready.set()

    def start(self) -> None:
        """Begin, in a thread that does not keep the process alive."""
        threading.Thread(target=self._run, name="warm-up", daemon=True).start()

    def wait(self) -> None:
        """Return when everything is prepared."""
        self._ready.wait()

    def as_json(self) -> dict[str, Any]:
        """Whether it is ``ready``, and how many functions are ``done`` ``of`` how many (0: nothing
        has to be compiled)."""
        return {"ready": self._ready.is_set(), "done": self._done, "of": self._of}

    def _run(self) -> None:
        try:
            from solver.precompilation import compile_ahead, uncompiled

            missing = uncompiled(self._entries)
            if missing:
                compile_ahead(missing, self._progress)
        finally:
            # What could not be compiled ahead is when it is called.
            self._ready.set()

    def _progress(self, done: int, of: int) -> None:
        self._done, self._of = done, of
