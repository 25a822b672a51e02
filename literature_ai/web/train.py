"""Train: positions from real games, graded exactly."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from literature_ai.web.site import page


async def _page(request: Request) -> Response:
    return page("train.html", current="/train")


routes = [Route("/train", _page)]
