"""Board: the helper at a real table."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from literature_ai.web.site import page


async def _page(request: Request) -> Response:
    return page("board.html", current="/board")


routes = [Route("/board", _page)]
