"""Watch: bots among themselves."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from literature_ai.web.site import page


async def _page(request: Request) -> Response:
    return page("watch.html", current="/watch")


routes = [Route("/watch", _page)]
