"""Replay: a recorded game, step by step, as each viewer knew it, and what else might have been.

A record is sent once and kept under an id that the server makes; whoever has the id may look at it.
All that is computed runs in threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from literature_ai.errors import LiteratureError
from literature_ai.sessions.private import UnknownIdError
from literature_ai.web.site import answer, body_of, page, site_of, text_in
from literature_ai.wording import whole_number


async def _found(request: Request, function: Callable[..., Any], *arguments: Any) -> Any:
    """What the function finds, in a thread; an unknown id is a page that there is not."""
    try:
        return await site_of(request).work(function, *arguments)
    except UnknownIdError as error:
        raise HTTPException(404, str(error)) from None


async def _computed(request: Request, function: Callable[..., Any], *arguments: Any) -> Response:
    """The answer with what the function finds, once what it calls is compiled."""
    await site_of(request).warm_up.ready()
    return answer(await _found(request, function, request.path_params["id"], *arguments))


async def _page(request: Request) -> Response:
    id = request.path_params.get("id")
    if id is not None:
        await _found(request, site_of(request).replays.kept.games, id)
    return page("replay.html", current="/replay")


async def _open(request: Request) -> Response:
    text = text_in(await body_of(request), "text")
    return answer({"id": await site_of(request).work(site_of(request).replays.kept.add, text)})


async def _finished(request: Request) -> Response:
    return answer(await _found(request, site_of(request).replays.finished))


async def _open_finished(request: Request) -> Response:
    table = text_in(await body_of(request), "id")
    return answer(await _found(request, site_of(request).replays.open_finished, table))


async def _games(request: Request) -> Response:
    return answer(await _found(request, site_of(request).replays.games, request.path_params["id"]))


async def _text(request: Request) -> Response:
    text = await _found(
        request, site_of(request).replays.kept.folder.text, request.path_params["id"]
    )
    return PlainTextResponse(text, headers={"Content-Disposition": "attachment; filename=game.lit"})


async def _game(request: Request) -> Response:
    number, viewer = _number(request, "game"), request.query_params.get("viewer", "")
    function = site_of(request).replays.game
    return answer(await _found(request, function, request.path_params["id"], number, viewer))


async def _moment(request: Request) -> Response:
    where = _number(request, "game"), _number(request, "event")
    viewer = request.query_params.get("viewer", "")
    return await _computed(request, site_of(request).replays.moment, *where, viewer)


async def _what_if(request: Request) -> Response:
    data = await body_of(request)
    lines = data.get("lines")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise LiteratureError("'lines' must be a list of texts")
    return await _asked(request, data, site_of(request).replays.what_if, lines)


async def _why(request: Request) -> Response:
    data = await body_of(request)
    about = text_in(data, "card"), text_in(data, "seat", "")
    return await _asked(request, data, site_of(request).replays.why, *about)


async def _asked(request: Request, data: Any, function: Callable[..., Any], *more: Any) -> Response:
    """The answer about a moment that a script has named by ``game``, ``event`` and ``viewer``."""
    numbers = data.get("game"), data.get("event")
    if not all(type(number) is int for number in numbers):
        raise LiteratureError("'game' and 'event' must be whole numbers")
    where = (*numbers, text_in(data, "viewer", ""))
    return await _computed(request, function, *where, *more)


async def _review(request: Request) -> Response:
    return await _computed(request, site_of(request).replays.review, _number(request, "game"))


async def _values(request: Request) -> Response:
    return await _computed(request, site_of(request).replays.values, _number(request, "game"))


def _number(request: Request, name: str) -> int:
    number = whole_number(request.query_params.get(name, ""))
    if number is None:
        raise LiteratureError(f"{name!r} must be a whole number")
    return number


routes = [
    Route("/replay", _page),
    Route("/replay/records", _open, methods=["POST"]),
    Route("/replay/finished", _finished, methods=["GET"]),
    Route("/replay/finished", _open_finished, methods=["POST"]),
    Route("/replay/{id}", _page),
    Route("/replay/{id}/games", _games),
    Route("/replay/{id}/game", _game),
    Route("/replay/{id}/moment", _moment),
    Route("/replay/{id}/what-if", _what_if, methods=["POST"]),
    Route("/replay/{id}/why", _why, methods=["POST"]),
    Route("/replay/{id}/review", _review),
    Route("/replay/{id}/values", _values),
    Route("/replay/{id}/game.lit", _text),
]
