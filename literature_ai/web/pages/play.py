"""Play: a table, as the person at one of its seats has it.

Every path has the id of a table and the token of a seat; whoever has no token learns nothing, not
even whether there is such a table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from literature_ai.cards import SEAT_NAMES, Seat
from literature_ai.errors import LiteratureError
from literature_ai.records.lit import write
from literature_ai.records.record import Record
from literature_ai.sessions.seen import EVERYONE
from literature_ai.web.site import answer, body_of, page, site_of, text_in
from literature_ai.web.state.tables import Table

_PATH = "/play/{table}/{token}"
_LONGEST = 300
_ENGINE_BUDGET = 200
_NO_SEAT = "This link opens no seat here. Ask for yours whoever has made the table."


async def _seat(request: Request) -> tuple[Table, Seat]:
    """The table and the seat that the link opens.

    Raises HTTPException, with the status 404, when it opens none.
    """
    table = await site_of(request).tables.find(request.path_params["table"])
    seat = None if table is None else table.seat_of(request.path_params["token"])
    if table is None or seat is None:
        raise HTTPException(404, _NO_SEAT)
    return table, seat


async def _page(request: Request) -> Response:
    table, seat = await _seat(request)
    return page(
        "play.html",
        current="/",
        seat=SEAT_NAMES[seat],
        base=f"/play/{table.id}/{table.settings.tokens[seat]}",
    )


async def _state(request: Request) -> Response:
    table, seat = await _seat(request)
    return answer(table.state(seat)[1])


async def _events(request: Request) -> Response:
    table, seat = await _seat(request)
    return table.channel.response(lambda: table.state(seat))


async def _act(request: Request) -> Response:
    """In: ``events``, the number that the person has seen, and ``action``: one as records have it,
    or null to decline an offer."""
    table, seat = await _seat(request)
    data = await body_of(request)
    events = data.get("events")
    if type(events) is not int:
        raise LiteratureError("'events' must be the number of events that you have seen")
    action = None if data.get("action") is None else text_in(data, "action")
    if action is not None and len(action) > _LONGEST:
        raise LiteratureError("the action is too long")
    await table.act(seat, events, action)
    return answer({})


async def _undo(request: Request) -> Response:
    table, seat = await _seat(request)
    await body_of(request)
    await table.undo(seat)
    return answer({})


async def _resign(request: Request) -> Response:
    table, seat = await _seat(request)
    await body_of(request)
    await table.resign(seat)
    return answer({})


async def _wait(request: Request) -> Response:
    """In: ``on``, whether to ask for no claims before the next turn."""
    table, seat = await _seat(request)
    data = await body_of(request)
    if not isinstance(data.get("on"), bool):
        raise LiteratureError("'on' must be true or false")
    await table.wait(seat, data["on"])
    return answer({})


async def _pace(request: Request) -> Response:
    table, _ = await _seat(request)
    await table.set_pace((await body_of(request)).get("pace"))
    return answer({})


async def _hint(request: Request) -> Response:
    """The exact hint of the seat, as ``literature hint --json`` prints it."""

    def found(record: Record, seat: Seat) -> dict[str, Any]:
        from literature_ai.analysis.hints import as_json, hint
        from literature_ai.inference.recorded import Viewpoint

        return as_json(hint(Viewpoint.of(record, seat)))

    return await _coached(request, found)


async def _engine(request: Request) -> Response:
    """What the engine says to the seat, as ``literature analyze --json`` prints it."""

    def found(record: Record, seat: Seat) -> dict[str, Any]:
        from literature_ai.analysis.engine import analyze
        from literature_ai.analysis.value_text import analysis_as_json

        analysis = analyze(record, seat, budget=_ENGINE_BUDGET)
        return analysis_as_json(analysis, record.rules.card_names)

    return await _coached(request, found)


async def _coached(request: Request, advise: Callable[[Record, Seat], dict[str, Any]]) -> Response:
    """Advice for the seat from what it has seen. Raises LiteratureError without a coach."""
    table, seat = await _seat(request)
    await body_of(request)
    site = site_of(request)
    if not table.session.coach:
        raise LiteratureError("hints are for tables with a coach")
    record = await table.look(lambda: table.session.record_for(seat))
    await site.warm_up.ready()
    return answer(await site.work(advise, record, seat))


async def _record(request: Request) -> Response:
    """The game as a record: with all hands when it is over, before that with those of the seat."""
    table, seat = await _seat(request)
    record = await table.look(
        lambda: table.session.record_for(EVERYONE if table.session.over else seat)
    )
    name = f'attachment; filename="{table.id}.lit"'
    return PlainTextResponse(write([record]), headers={"Content-Disposition": name})


def _post(name: str, handler: Callable[[Request], Awaitable[Response]]) -> Route:
    return Route(f"{_PATH}/{name}", handler, methods=["POST"])


routes = [
    Route(_PATH, _page),
    Route(f"{_PATH}/state", _state),
    Route(f"{_PATH}/events", _events),
    Route(f"{_PATH}/record", _record),
    _post("act", _act),
    _post("undo", _undo),
    _post("resign", _resign),
    _post("wait", _wait),
    _post("pace", _pace),
    _post("hint", _hint),
    _post("engine", _engine),
]
