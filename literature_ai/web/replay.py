"""Replay: a recorded game, step by step, as each viewer knew it, and what else might have been.

A record is sent once and kept under an id that the server makes; whoever has the id may look at it.
All that is computed runs in threads.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from literature_ai.cards import SEAT_NAMES, parse_seat
from literature_ai.errors import LiteratureError
from literature_ai.records.as_json import ended_by_of
from literature_ai.records.lit import write
from literature_ai.records.record import Record
from literature_ai.replays.kept import FILE, KeptRecords, finished_in
from literature_ai.replays.valuing import Valuing
from literature_ai.replays.viewing import (
    game_as_json,
    moment_as_json,
    viewer_named,
    viewers_of,
    why_as_text,
)
from literature_ai.sessions.private import UnknownIdError
from literature_ai.web.site import Site, answer, body_of, page, site_of, text_in
from literature_ai.wording import whole_number

_REVIEWS = 32
"""The reviews that stay in memory."""


class Replays:
    """The records of a site, with what has been worked out about them."""

    def __init__(self, site: Site) -> None:
        self.kept = KeptRecords(site.folder / "replays")
        self.valuing = Valuing()
        self._tables = site.folder / "tables"
        self._reviews: OrderedDict[tuple[str, int], dict[str, Any]] = OrderedDict()
        site.at_end.append(self.valuing.close)

    def finished(self) -> dict[str, Any]:
        """The games of the tables of this server that are over, in a line each."""
        tables = [
            {"id": id, "said": _in_a_line(record)}
            for id, record in finished_in(self._tables).items()
        ]
        return {"tables": tables}

    def open_finished(self, table: str) -> dict[str, str]:
        """Keep the record of a table that is over; its id here. Raises `UnknownIdError`."""
        record = finished_in(self._tables).get(table)
        if record is None:
            raise UnknownIdError("that game is not in the list of this server any more")
        return {"id": self.kept.add(write([record]))}

    def games(self, id: str) -> dict[str, Any]:
        """The games under the id, a line each."""
        return {"games": [_in_short(record) for record in self.kept.games(id)]}

    def game(self, id: str, number: int, viewer: str) -> dict[str, Any]:
        """The game of this number as the viewer sees it."""
        record = self.kept.game(id, number)
        return game_as_json(record, viewer_named(viewer, record))

    def moment(self, id: str, number: int, events: int, viewer: str) -> dict[str, Any]:
        """The game after so many events, as the viewer knew it then."""
        record = self.kept.game(id, number)
        then = record if events == len(record.events) else record.at(events)
        return moment_as_json(then, viewer_named(viewer, record), FILE)

    def what_if(
        self, id: str, number: int, events: int, viewer: str, lines: list[str]
    ) -> dict[str, Any]:
        """What the last of the lines would prove, after so many events and the other lines."""
        from literature_ai.replays.what_if import as_json, suppose

        record = self.kept.game(id, number)
        return as_json(suppose(record.at(events), viewer_named(viewer, record), lines, FILE))

    def why(
        self, id: str, number: int, events: int, viewer: str, card: str, seat: str
    ) -> dict[str, str]:
        """Why a card, or a half-suit, is where it is, or is not at the seat."""
        record = self.kept.game(id, number)
        at = parse_seat(seat, record.rules.players) if seat else None
        then = record.at(events)
        return {"text": why_as_text(then, viewer_named(viewer, record), card, at, FILE)}

    def review(self, id: str, number: int) -> dict[str, Any]:
        """The review of the game, without the engine."""
        from literature_ai.analysis.review import review
        from literature_ai.analysis.review_text import (
            faults_as_json,
            missed,
            missed_claims,
            review_as_json,
            views,
        )

        key = id, number
        if key not in self._reviews:
            found = review(self.kept.game(id, number), FILE)
            names = found.record.rules.card_names
            self._reviews[key] = {
                **review_as_json(found),
                "faults": faults_as_json(found),
                "late": [missed(each, names) for each in missed_claims(found)],
                "views": views(found),
            }
            while len(self._reviews) > _REVIEWS:
                self._reviews.popitem(last=False)
        return self._reviews[key]

    def values(self, id: str, number: int) -> dict[str, Any]:
        """The engine's values as far as they have been found."""
        record = self.kept.game(id, number)
        return self.valuing.found(record, self.kept.folder.path(id, f".{number}.values"))


def _in_short(record: Record) -> dict[str, Any]:
    a, b = record.score
    return {
        "game": record.id,
        "players": record.rules.players,
        "rules": record.rules.words(),
        "names": {SEAT_NAMES[seat]: name for seat, name in enumerate(record.names) if name},
        "events": len(record.events),
        "score": {"A": a, "B": b},
        "ended_by": ended_by_of(record, record.position()),
        "viewers": viewers_of(record),
    }


def _in_a_line(record: Record) -> str:
    a, b = record.score
    names = ", ".join(name or SEAT_NAMES[seat] for seat, name in enumerate(record.names))
    return f"A {a} – B {b} after {len(record.events)} events: {names}"


def _replays(request: Request) -> Replays:
    state = request.app.state
    if not hasattr(state, "replays"):
        state.replays = Replays(site_of(request))
    replays: Replays = state.replays
    return replays


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
        await _found(request, _replays(request).kept.games, id)
    return page("replay.html", current="/replay")


async def _open(request: Request) -> Response:
    text = text_in(await body_of(request), "text")
    return answer({"id": await site_of(request).work(_replays(request).kept.add, text)})


async def _finished(request: Request) -> Response:
    return answer(await _found(request, _replays(request).finished))


async def _open_finished(request: Request) -> Response:
    table = text_in(await body_of(request), "id")
    return answer(await _found(request, _replays(request).open_finished, table))


async def _games(request: Request) -> Response:
    return answer(await _found(request, _replays(request).games, request.path_params["id"]))


async def _text(request: Request) -> Response:
    text = await _found(request, _replays(request).kept.folder.text, request.path_params["id"])
    return PlainTextResponse(text, headers={"Content-Disposition": "attachment; filename=game.lit"})


async def _game(request: Request) -> Response:
    number, viewer = _number(request, "game"), request.query_params.get("viewer", "")
    function = _replays(request).game
    return answer(await _found(request, function, request.path_params["id"], number, viewer))


async def _moment(request: Request) -> Response:
    where = _number(request, "game"), _number(request, "event")
    viewer = request.query_params.get("viewer", "")
    return await _computed(request, _replays(request).moment, *where, viewer)


async def _what_if(request: Request) -> Response:
    data = await body_of(request)
    lines = data.get("lines")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise LiteratureError("'lines' must be a list of texts")
    return await _asked(request, data, _replays(request).what_if, lines)


async def _why(request: Request) -> Response:
    data = await body_of(request)
    about = text_in(data, "card"), text_in(data, "seat", "")
    return await _asked(request, data, _replays(request).why, *about)


async def _asked(request: Request, data: Any, function: Callable[..., Any], *more: Any) -> Response:
    """The answer about a moment that a script has named by ``game``, ``event`` and ``viewer``."""
    numbers = data.get("game"), data.get("event")
    if not all(type(number) is int for number in numbers):
        raise LiteratureError("'game' and 'event' must be whole numbers")
    where = (*numbers, text_in(data, "viewer", ""))
    return await _computed(request, function, *where, *more)


async def _review(request: Request) -> Response:
    return await _computed(request, _replays(request).review, _number(request, "game"))


async def _values(request: Request) -> Response:
    return await _computed(request, _replays(request).values, _number(request, "game"))


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
