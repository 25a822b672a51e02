"""Replay: a game that is over, step by step, and what else might have been."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from literature_ai.web.site import page


async def _page(request: Request) -> Response:
    return page("replay.html", current="/replay")


routes = [Route("/replay", _page)]
