"""Streams of server-sent events: the newest state at once, and again after every change.

A message has the whole state, so whoever connects again has missed nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import StreamingResponse

MOST_STREAMS = 300
"""Of one server, at the same time."""
_PULSE = 15.0
"""Seconds after which a silent stream says that it lives, so that dead connections are noticed."""


class Streams:
    """All open streams of a server."""

    def __init__(self) -> None:
        self._open: set[asyncio.Event] = set()
        self.closing = False

    def close(self) -> None:
        """End all streams; a signal handler may call it."""
        self.closing = True
        for event in list(self._open):
            event.set()

    def add(self, event: asyncio.Event) -> None:
        """Count one more. Raises HTTPException, with the status 503, when there are too many."""
        if len(self._open) >= MOST_STREAMS:
            raise HTTPException(503, "Too many pages are open; close some.")
        self._open.add(event)

    def remove(self, event: asyncio.Event) -> None:
        self._open.discard(event)


class Channel:
    """The changes of one thing, for all who listen to it."""

    def __init__(self, streams: Streams) -> None:
        self._streams = streams
        self._listeners: set[asyncio.Event] = set()

    @property
    def listeners(self) -> int:
        """How many listen now."""
        return len(self._listeners)

    def publish(self) -> None:
        """Let all listeners get the state anew. Only the event loop may call it."""
        for event in self._listeners:
            event.set()

    def response(self, state: Callable[[], tuple[int, Any]]) -> StreamingResponse:
        """A stream of states: ``state`` gives a number that changes with it, and the state.

        Raises HTTPException, with the status 503, when there are too many streams.
        """
        changed = asyncio.Event()
        self._streams.add(changed)
        self._listeners.add(changed)
        return StreamingResponse(
            self._messages(changed, state),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    async def _messages(
        self, changed: asyncio.Event, state: Callable[[], tuple[int, Any]]
    ) -> AsyncIterator[str]:
        try:
            sent: int | None = None
            while not self._streams.closing:
                changed.clear()
                number, data = state()
                if number != sent:
                    sent = number
                    yield f"id: {number}\ndata: {json.dumps(data)}\n\n"
                try:
                    await asyncio.wait_for(changed.wait(), _PULSE)
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            self._listeners.discard(changed)
            self._streams.remove(changed)
