"""The application that ``literature serve`` runs: the pages, and what guards them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from literature_ai.errors import LiteratureError
from literature_ai.terminal_text import plain_lines
from literature_ai.web.access import Access, Gate
from literature_ai.web.limits import Limits
from literature_ai.web.pages import board, home, play, replay, train, watch
from literature_ai.web.site import Site, answer, page, site_of

_PAGES = (home, play, board, replay, watch, train)


def make_app(site: Site, access: Access) -> Starlette:
    """The application of a site, for those whom ``access`` lets in."""
    routes: list[Route | Mount] = [route for module in _PAGES for route in module.routes]
    routes += [
        Route("/warm-up", _warm_up),
        Mount("/static", _Static(directory=str(files("literature_ai.web") / "static"))),
    ]

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await site.close()

    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(Gate, access=access), Middleware(Limits)],
        exception_handlers={LiteratureError: _refused, HTTPException: _failed},
    )
    app.state.site = site
    app.state.access = access
    return app


class _Static(StaticFiles):
    """The files of this package that pages load; each use asks whether they have changed."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"].append((b"cache-control", b"no-cache"))
            await send(message)

        await super().__call__(scope, receive, send_on)


async def _warm_up(request: Request) -> Response:
    return answer(site_of(request).warm_up.as_json())


async def _refused(request: Request, error: Exception) -> Response:
    """The answer to what was wrong in words of the game: one line that the page shows."""
    return _said(request, plain_lines(str(error)), 400)


async def _failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _said(request, error.detail, error.status_code)


def _said(request: Request, said: str, status: int) -> Response:
    if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
        return page("error.html", current="", status=status, said=said)
    return answer({"error": said}, status)
