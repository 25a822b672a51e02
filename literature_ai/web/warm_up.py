"""Prepares a server: compiles the kernels in the background, once on a machine, and loads them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

_LOOK_SECONDS = 0.05


class WarmUp:
    """How far the preparation is. Pages work meanwhile; bots, hints and reviews wait for it."""

    def __init__(self, entries: Sequence[str] = (), specs: Sequence[str] = ()) -> None:
        """``entries``: the functions to compile, as `solver.precompilation` takes them. ``specs``:
        the bots to load."""
        self._entries, self._specs = entries, specs
        self._ready = threading.Event()
        self._done, self._of = 0, 0
        if not entries and not specs:
            self._ready.set()

    def start(self) -> None:
        """Begin, in a thread that does not keep the process alive."""
        threading.Thread(target=self._run, name="warm-up", daemon=True).start()

    def wait(self) -> None:
        """As `ready`, for a thread."""
        self._ready.wait()

    async def ready(self) -> None:
        """Return when everything is prepared."""
        while not self._ready.is_set():
            await asyncio.sleep(_LOOK_SECONDS)

    def as_json(self) -> dict[str, Any]:
        """Whether it is ``ready``, and how many functions are ``done`` ``of`` how many (0: nothing
        has to be compiled)."""
        return {"ready": self._ready.is_set(), "done": self._done, "of": self._of}

    def _run(self) -> None:
        try:
            from literature_ai.bots.registry import parse_spec
            from solver.precompilation import compile_ahead, uncompiled

            missing = uncompiled(self._entries)
            if missing:
                compile_ahead(missing, self._progress)
            for spec in self._specs:
                parse_spec(spec).warm_up()
        finally:
            # What could not be compiled ahead is when it is called.
            self._ready.set()

    def _progress(self, done: int, of: int) -> None:
        self._done, self._of = done, of
