"""What all pages of a server share: what it keeps, its threads for long work, and how pages answer.

A page module has ``routes``. Its handlers get the `Site` of a request by `site_of`, show a template
by `page`, read what a script has sent by `body_of`, answer it by `answer`, and let what takes long
run by `Site.work`. A `LiteratureError` becomes an answer with the status 400 whose line the page
shows.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from literature_ai.assist.boards import Boards
from literature_ai.errors import LiteratureError
from literature_ai.puzzles.making import Puzzles
from literature_ai.web.limits import Bucket
from literature_ai.web.render import render
from literature_ai.web.state.replays import Replays
from literature_ai.web.state.shows import Shows
from literature_ai.web.state.streams import Streams
from literature_ai.web.state.tables import Tables, unforeseeable_seeds
from literature_ai.web.warm_up import WarmUp

T = TypeVar("T")

NAVIGATION = {
    "/": "Play",
    "/board": "Board",
    "/replay": "Replay",
    "/watch": "Watch",
    "/train": "Train",
}
"""The pages that every page leads to, by their paths."""
_AT_ONCE = 2
"""Long computations that run at the same time; the rest waits."""
_MOST_WAITING = 40


class Site:
    """What the pages of one server have in common."""

    def __init__(
        self,
        folder: Path,
        warm_up: WarmUp | None = None,
        *,
        shared_at: str | None = None,
        seed: int | None = None,
    ) -> None:
        """``seed`` is that of the first new table, the next one has the number after it, and so on;
        None: nobody can foresee them."""
        self.folder = folder
        """Where the server keeps what is to last."""
        self.shared_at = shared_at
        """The address of the server for other machines, without a slash; None if they have none."""
        self.warm_up = warm_up or WarmUp()
        self.streams = Streams()
        seeds = unforeseeable_seeds() if seed is None else itertools.count(seed)
        self.tables = Tables(folder / "tables", self.streams, self.warm_up, seeds)
        self.shows = Shows()
        """The games of bots that are watched."""
        self.replays = Replays(folder / "replays", folder / "tables")
        self.boards = Boards(folder / "boards")
        self.puzzles = Puzzles()
        self.new_tables = Bucket(burst=20, per_second=0.5)
        """Bounds how fast tables are made."""
        self._waiting = 0
        self._limiter: anyio.CapacityLimiter | None = None

    async def close(self) -> None:
        """Save everything, and stop what still works."""
        for close in (self.replays.valuing.close, self.boards.close):
            await anyio.to_thread.run_sync(close)
        await self.tables.close()

    async def work(self, function: Callable[..., T], /, *arguments: Any) -> T:
        """What the function returns, computed in a thread; few of these run at the same time.

        Raises HTTPException, with the status 503, when too many wait already.
        """
        if self._waiting >= _MOST_WAITING:
            raise HTTPException(503, "The server is busy; try again in a moment.")
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(_AT_ONCE)
        self._waiting += 1
        try:
            return await anyio.to_thread.run_sync(function, *arguments, limiter=self._limiter)
        finally:
            self._waiting -= 1


def site_of(request: Request) -> Site:
    """The site that the request is for."""
    site: Site = request.app.state.site
    return site


def page(template: str, /, current: str, status: int = 200, **context: Any) -> Response:
    """A page made from a template in ``pages``; ``current`` is its path in the navigation."""
    text = render(f"pages/{template}", navigation=NAVIGATION, current=current, **context)
    return HTMLResponse(text, status)


def answer(data: Any, status: int = 200) -> Response:
    """An answer to a script of a page."""
    return Response(json.dumps(data), status, media_type="application/json")


async def body_of(request: Request) -> Mapping[str, Any]:
    """What a script has sent: a JSON object.

    Raises HTTPException, with the status 415 or 400, when it is anything else. No foreign page can
    send this type without asking first.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(415, "The body must be JSON (application/json).")
    try:
        data = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise HTTPException(400, "The body is no JSON.") from None
    if not isinstance(data, dict):
        raise HTTPException(400, "The body must be a JSON object.")
    return data


def text_in(data: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """The text with this name in what a script has sent. Raises LiteratureError for another."""
    value = data.get(name, default)
    if not isinstance(value, str):
        raise LiteratureError(f"{name!r} must be a text")
    return value
