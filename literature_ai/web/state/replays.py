"""Records to replay, with what has been worked out about them: moments, reviews, values."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import Any

from literature_ai.cards import SEAT_NAMES, parse_seat
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

_REVIEWS = 32
"""The reviews that stay in memory."""


class Replays:
    """The records of a server."""

    def __init__(self, folder: Path, tables: Path) -> None:
        """``folder`` keeps them; ``tables`` is the folder of the tables of the server."""
        self.kept = KeptRecords(folder)
        self.valuing = Valuing()
        self._tables = tables
        self._reviews: OrderedDict[tuple[str, int], dict[str, Any]] = OrderedDict()

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
