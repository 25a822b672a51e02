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
from literature_ai.web.site import Site, answer, body_of, page, site_of, text_in


class _Served:
    """The boards of a site."""

    def __init__(self, site: Site) -> None:
        self.boards = Boards(site.folder / "boards")
        site.at_end.append(self.boards.close)

    def new(self, text: str, seat: str | None) -> dict[str, str]:
        return {"id": self.boards.new(text, seat)}

    def state(self, id: str) -> dict[str, Any]:
        with self.boards.using(id) as board, board.lock:
            return board.as_json()

    def enter(self, id: str, lines: list[str], version: str) -> dict[str, Any]:
        with self.boards.using(id) as board, board.lock:
            try:
                return board.enter(lines, version)
            except StaleError as error:
                return {**board.as_json(), "error": str(error)}

    def advice(self, id: str) -> dict[str, Any]:
        with self.boards.using(id) as board:
            return board.full_advice(engine=True)

    def text(self, id: str) -> str:
        with self.boards.using(id) as board, board.lock:
            return board.session.text


def _served(request: Request) -> _Served:
    state = request.app.state
    if not hasattr(state, "boards"):
        state.boards = _Served(site_of(request))
    served: _Served = state.boards
    return served


async def _of(
    request: Request, function: Callable[..., Any], *arguments: Any, ready: bool = True
) -> Any:
    """What the function says of the board; an unknown id is a page that there is not.

    ready: whether it needs what the server compiles first.
    """
    if ready:
        await site_of(request).warm_up.ready()
    try:
        id = request.path_params["id"]
        return await site_of(request).work(function, id, *arguments)
    except UnknownIdError as error:
        raise HTTPException(404, str(error)) from None


async def _page(request: Request) -> Response:
    if "id" in request.path_params:
        await _of(request, _served(request).text, ready=False)
    return page("board.html", current="/board")


async def _new(request: Request) -> Response:
    data = await body_of(request)
    seat = text_in(data, "seat", "") or None
    made = await site_of(request).work(_served(request).new, text_in(data, "text", ""), seat)
    return answer(made)


async def _state(request: Request) -> Response:
    return answer(await _of(request, _served(request).state))


async def _lines(request: Request) -> Response:
    data = await body_of(request)
    lines = data.get("lines")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise LiteratureError("'lines' must be a list of texts")
    entered = await _of(request, _served(request).enter, lines, text_in(data, "version"))
    return answer(entered, 409 if "error" in entered else 200)


async def _advice(request: Request) -> Response:
    return answer(await _of(request, _served(request).advice))


async def _text(request: Request) -> Response:
    text = await _of(request, _served(request).text)
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
