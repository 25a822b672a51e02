"""Bounds of what a client may ask of the server: sizes and rates of requests."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 2_000_000
"""Of the body of a request; the longest is a file of records."""
MOST_ADDRESS = 2_000
"""Of the path and query of a request."""
_MOST_CLIENTS = 1000
"""So many clients are told apart; the one not heard of for longest is forgotten."""


class TooMuchError(Exception):
    """The body of a request is longer than it may be."""


class Bucket:
    """Lets so many through at once, and then so many a second."""

    def __init__(
        self, burst: float, per_second: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst, self._per_second, self._clock = burst, per_second, clock
        self._left, self._at = burst, clock()

    def take(self) -> bool:
        """Whether one more may pass."""
        now = self._clock()
        self._left = min(self._left + (now - self._at) * self._per_second, self._burst)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def give_back(self) -> None:
        """Do not count the last one."""
        self._left = min(self._left + 1, self._burst)


class Limits:
    """Middleware that refuses what is too large (413, 414) or too much (429)."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        reads: tuple[float, float] = (600, 100),
        writes: tuple[float, float] = (80, 20),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``reads`` and ``writes``: requests at once and a second, for each client."""
        self._app = app
        self._rates = {True: reads, False: writes}
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, bool], Bucket] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if len(scope["path"]) + len(scope["query_string"]) > MOST_ADDRESS:
            await PlainTextResponse("The address is too long.", 414)(scope, receive, send)
            return
        if not self._bucket(scope).take():
            said = "Too many requests; wait a moment."
            await PlainTextResponse(said, 429, {"Retry-After": "2"})(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or len(length) > 12 or int(length) > MOST_BYTES:
            await _too_long(scope, receive, send)
            return
        received, begun = 0, False

        async def receive_some() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > MOST_BYTES:
                raise TooMuchError
            return message

        async def send_on(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive_some, send_on)
        except TooMuchError:
            if not begun:
                await _too_long(scope, receive, send)

    def _bucket(self, scope: Scope) -> Bucket:
        client = scope.get("client")
        reading = scope["method"] in ("GET", "HEAD")
        key = (client[0] if client else "", reading)
        if key not in self._buckets:
            self._buckets[key] = Bucket(*self._rates[reading], self._clock)
        self._buckets.move_to_end(key)
        while len(self._buckets) > 2 * _MOST_CLIENTS:
            self._buckets.popitem(last=False)
        return self._buckets[key]


async def _too_long(scope: Scope, receive: Receive, send: Send) -> None:
    said = f"The request is too long; at most {MOST_BYTES} bytes are taken."
    # What is left of the body is not read, so the connection cannot be used again.
    await PlainTextResponse(said, 413, {"Connection": "close"})(scope, receive, send)
