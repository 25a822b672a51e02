"""A record as JSON: what ``literature replay --json`` prints of a game, and pages get."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, TEAM_NAMES, CardNames
from literature_ai.events import Asked, Claimed, Event, Passed, TimedOut
from literature_ai.game.position import Position
from literature_ai.records.notation import format_event
from literature_ai.records.record import Record
from literature_ai.wording import by_card


def record_as_json(record: Record) -> dict[str, Any]:
    """The game; ``literature replay --help`` says what it is."""
    position = record.position()
    ended_by = ended_by_of(record, position)
    names = record.rules.card_names
    return {
        "id": record.id,
        "players": record.rules.players,
        "deck": record.rules.deck,
        "rules": record.rules.words(),
        "start": SEAT_NAMES[record.start],
        "seats": {
            SEAT_NAMES[seat]: {
                "name": name,
                "hand": None if hand is None else [names[card] for card in hand],
            }
            for seat, (name, hand) in enumerate(zip(record.names, record.hands, strict=True))
        },
        "events": [
            {
                "number": number,
                "line": file_line,
                "text": format_event(event, names),
                **_event_as_json(event, names),
                "turn": _seat(moving.turn),
                "score": _by_team(moving.score),
                "hand_sizes": _by_seat(moving.hand_sizes),
            }
            for (number, event, moving), file_line in zip(
                positions(record), record.lines, strict=True
            )
        ],
        "score": _by_team(record.score),
        "turn": None if ended_by else _seat(position.turn),
        "winner": winner(record) if ended_by else None,
        "ended_by": ended_by,
        "unfinished": record.unfinished or ended_by == "max_events",
    }


def positions(record: Record) -> Iterator[tuple[int, Event, Position]]:
    """Each event with its number and the position after it; the position is one that moves on."""
    position = Position(record.rules, record.start)
    for number, event in enumerate(record.events, start=1):
        position.follow(event)
        yield number, event, position


def winner(record: Record) -> str | None:
    """The name of the team that is ahead; None for a draw."""
    a, b = record.score
    return None if a == b else TEAM_NAMES[b > a]


def ended_by_of(record: Record, position: Position) -> str | None:
    """What ended the game, in a word; None while it is in progress."""
    outcome = position.outcome
    if outcome is not None:
        return outcome.termination.name.lower()
    return "broken_off" if record.ended else None


def _event_as_json(event: Event, names: CardNames) -> dict[str, Any]:
    match event:
        case Asked(asker, target, card, hit):
            return {
                "type": "ask",
                "asker": SEAT_NAMES[asker],
                "target": SEAT_NAMES[target],
                "card": names[card],
                "hit": hit,
            }
        case Claimed(claimant, half_suit, holders, right, shown, lost):
            return {
                "type": "claim",
                "claimant": SEAT_NAMES[claimant],
                "half_suit": HALF_SUIT_NAMES[half_suit],
                "holders": by_card(half_suit, holders, names),
                "right": right,
                "shown": None if shown is None else by_card(half_suit, shown, names),
                "lost": None if lost is None else _by_seat(lost),
            }
        case Passed(giver, to):
            return {"type": "pass", "giver": SEAT_NAMES[giver], "to": SEAT_NAMES[to]}
        case TimedOut(seat):
            return {"type": "timeout", "seat": SEAT_NAMES[seat]}


def _seat(seat: int | None) -> str | None:
    return None if seat is None else SEAT_NAMES[seat]


def _by_seat(numbers: Sequence[int]) -> dict[str, int]:
    return dict(zip(SEAT_NAMES, numbers, strict=False))


def _by_team(score: tuple[int, int]) -> dict[str, int]:
    return dict(zip(TEAM_NAMES, score, strict=True))


def position_as_json(position: Position, *, ended: bool = False) -> dict[str, Any]:
    """Where the game stands, and who may do what next: ``turn``, ``hand_sizes``, ``score``,
    ``in_play``, ``legal_passes`` and ``claimants``. ended: nothing follows, whatever the rules
    say."""
    seats = range(0 if ended else position.rules.players)
    return {
        "turn": None if ended else _seat(position.turn),
        "hand_sizes": _by_seat(position.hand_sizes),
        "score": _by_team(position.score),
        "in_play": [HALF_SUIT_NAMES[half_suit] for half_suit in position.in_play],
        "legal_passes": [] if ended else [SEAT_NAMES[seat] for seat in position.legal_passes()],
        "claimants": [SEAT_NAMES[seat] for seat in seats if position.may_claim(seat)],
    }
