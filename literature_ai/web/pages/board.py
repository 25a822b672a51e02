"""Board: the helper at a real table.

A board is a session of ``literature assist`` under a random id; the script of the page sends the
lines that its taps stand for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from literature_ai.assist.boards import Boards, StaleError
from literature_ai.errors import LiteratureError
from literature_ai.sessions.private import UnknownIdError
from literature_ai.web.site import answer, body_of, page, site_of, text_in


def _state_of(boards: Boards, id: str) -> dict[str, Any]:
    with boards.using(id) as board, board.lock:
        return board.as_json()


def _entered(boards: Boards, id: str, lines: list[str], version: str) -> dict[str, Any]:
    with boards.using(id) as board, board.lock:
        try:
            return board.enter(lines, version)
        except StaleError as error:
            return {**board.as_json(), "error": str(error)}


def _advice_of(boards: Boards, id: str) -> dict[str, Any]:
    with boards.using(id) as board:
        return board.full_advice(engine=True)


def _text_of(boards: Boards, id: str) -> str:
    with boards.using(id) as board, board.lock:
        return board.session.text


async def _of(
    request: Request, function: Callable[..., Any], *arguments: Any, ready: bool = True
) -> Any:
    """What the function says of the board; an unknown id is a page that there is not.

    ready: whether it needs what the server compiles first.
    """
    site = site_of(request)
    if ready:
        await site.warm_up.ready()
    try:
        return await site.work(function, site.boards, request.path_params["id"], *arguments)
    except UnknownIdError as error:
        raise HTTPException(404, str(error)) from None


async def _page(request: Request) -> Response:
    if "id" in request.path_params:
        await _of(request, _text_of, ready=False)
    return page("board.html", current="/board")


async def _new(request: Request) -> Response:
    data = await body_of(request)
    seat = text_in(data, "seat", "") or None
    site = site_of(request)
    return answer({"id": await site.work(site.boards.new, text_in(data, "text", ""), seat)})


async def _state(request: Request) -> Response:
    return answer(await _of(request, _state_of))


async def _lines(request: Request) -> Response:
    data = await body_of(request)
    lines = data.get("lines")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise LiteratureError("'lines' must be a list of texts")
    entered = await _of(request, _entered, lines, text_in(data, "version"))
    return answer(entered, 409 if "error" in entered else 200)


async def _advice(request: Request) -> Response:
    return answer(await _of(request, _advice_of))


async def _text(request: Request) -> Response:
    text = await _of(request, _text_of)
    headers = {"Content-Disposition": "attachment; filename=board.lit"}
    return PlainTextResponse(text, headers=headers)


routes = [
    Route("/board", _page),
    Route("/board/boards", _new, methods=["POST"]),
    Route("/board/{id}", _page),
    Route("/board/{id}/state", _state),
    Route("/board/{id}/lines", _lines, methods=["POST"]),
    Route("/board/{id}/advice", _advice),
    Route("/board/{id}/board.lit", _text),
]
