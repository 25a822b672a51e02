"""A table session as text: the record of its game, and above it a comment with all the rest.

The comment is one line, `MARK` and a JSON object, so any program that reads records reads the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from literature_ai.cards import SEAT_NAMES, Seat, parse_seat
from literature_ai.errors import FileError, LiteratureError
from literature_ai.events import Action, Claim
from literature_ai.records.lit import read
from literature_ai.records.lit import write as write_records
from literature_ai.records.notation import format_action, parse_action
from literature_ai.records.record import Record, choose
from literature_ai.sessions.seats import (
    FAILURES,
    Occupant,
    Person,
    Replacement,
    occupant_as_json,
    occupant_from_json,
)

MARK = "# literature play "


@dataclass(frozen=True, slots=True)
class Saved:
    """All of a table session."""

    record: Record
    seed: int
    occupants: tuple[Occupant, ...]
    coach: bool
    replacements: tuple[Replacement, ...] = ()
    resigned: Seat | None = None
    declined: int = 0
    """The number of offers declined since the last event."""
    intended: Action | None = None
    """What the seat on turn will do when nobody claims before."""


def write(saved: Saved) -> str:
    """The text."""
    record = saved.record
    names = SEAT_NAMES[: record.rules.players]
    data: dict[str, Any] = {
        "seed": saved.seed,
        "coach": saved.coach,
        "seats": dict(zip(names, map(occupant_as_json, saved.occupants), strict=True)),
        "replaced": [
            {**asdict(each), "seat": SEAT_NAMES[each.seat]} for each in saved.replacements
        ],
        "resigned": None if saved.resigned is None else SEAT_NAMES[saved.resigned],
        "declined": saved.declined,
        "intended": None,
    }
    turn = record.position().turn
    if saved.intended is not None and turn is not None:
        data["intended"] = format_action(saved.intended, turn, record.rules.card_names)
    return f"{MARK}{json.dumps(data)}\n{write_records([record])}"


def parse(text: str, file: str) -> Saved:
    """The session that the text is of.

    Raises `RecordError` when its record is wrong, and `FileError` when the comment is missing,
    wrong, or contradicts the record.
    """
    data = _comment(text, file)
    records = read(text, file)
    record = choose(records, None, file) if records else None
    if record is None or None in record.hands:
        raise FileError(f"{file} does not have all hands of a game; play needs every hand")
    try:
        saved = _from_json(data, record)
    except (LiteratureError, LookupError, TypeError) as error:
        why = str(error) if isinstance(error, LiteratureError) else f"{error} is missing or wrong"
        raise contradiction(file, why) from None
    over = record.game().over
    if record.ended != (over or saved.resigned is not None) and not over:
        raise contradiction(file, "the game has a result, but nobody has resigned")
    return saved


def contradiction(file: str, why: str) -> FileError:
    """The error for a comment that is wrong or contradicts the record below it."""
    return FileError(
        f"{file}: the line {MARK.strip()!r} does not fit: {why}; put it as it was, or start anew"
    )


def _comment(text: str, file: str) -> Mapping[str, Any]:
    line = next((line for line in text.splitlines() if line.startswith(MARK)), None)
    if line is None:
        raise FileError(
            f"{file} was not written by literature play: it has no line {MARK.strip()!r};"
            " 'literature replay' and 'literature review' read any record"
        )
    try:
        data = json.loads(line.removeprefix(MARK))
    except (ValueError, RecursionError):
        raise contradiction(file, "it is no JSON") from None
    if not isinstance(data, dict):
        raise contradiction(file, "it is no JSON object")
    return data


def _from_json(data: Mapping[str, Any], record: Record) -> Saved:
    """Raises LiteratureError, LookupError or TypeError when something is missing or wrong."""
    players = record.rules.players
    seats = data["seats"]
    if set(seats) != set(SEAT_NAMES[:players]):
        raise LiteratureError("seats must name each seat of the game")
    occupants = tuple(occupant_from_json(seats[name]) for name in SEAT_NAMES[:players])
    seed, coach, declined = data["seed"], data["coach"], data["declined"]
    if type(seed) is not int or seed < 0 or type(declined) is not int or declined < 0:
        raise LiteratureError("seed and declined must be whole numbers of 0 or more")
    if type(coach) is not bool:
        raise LiteratureError("coach must be true or false")
    resigned = None if data["resigned"] is None else parse_seat(str(data["resigned"]), players)
    if resigned is not None and not isinstance(occupants[resigned], Person):
        raise LiteratureError(f"no person sits at {SEAT_NAMES[resigned]}, which has resigned")
    intended = None
    if data["intended"] is not None:
        position = record.position()
        seat, intended = parse_action(str(data["intended"]), position)
        if seat != position.turn or isinstance(intended, Claim):
            raise LiteratureError("intended must be an ask or a pass of the player on turn")
        record.game().apply(intended, seat)
    replaced = tuple(_replacement(each, players) for each in data["replaced"])
    return Saved(record, seed, occupants, coach, replaced, resigned, declined, intended)


def _replacement(data: Mapping[str, Any], players: int) -> Replacement:
    texts = [data[key] for key in ("was", "by", "kind", "detail")]
    if not all(isinstance(text, str) for text in texts) or data["kind"] not in FAILURES:
        raise LiteratureError("replaced names a failure that there is not")
    if type(data["events"]) is not int:
        raise LiteratureError("replaced must say after how many events")
    return Replacement(parse_seat(str(data["seat"]), players), data["events"], *texts)
