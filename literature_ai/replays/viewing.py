"""A moment of a recorded game as a viewer knows it: a seat, the public, or everyone.

A seat knows what its hand and the events tell; the public knows the events; for everyone all cards
lie open, where the record has them. What a viewer does not know is in none of their answers.

`moment_as_json` has the names of ``literature hint --json`` for what is the same: ``game``,
``players``, ``turn``, ``events``, ``deals``, ``locations``, ``claims`` and, of a seat, ``seat`` and
``asks``. Beside these: ``viewer``, ``hands`` {seat: cards} as far as the viewer sees them,
``hand_sizes``, ``score``, ``in_play``, and ``ended_by`` as ``literature replay --json`` has it. The
``claims`` of the public and of everyone are those that are certain, each with its ``team`` or the
``provers``, the seats that can prove it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from literature_ai.analysis.consequences import claim_as_json
from literature_ai.analysis.hints import as_json, hint
from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, TEAM_NAMES, Card, Seat, parse_seat
from literature_ai.errors import UnknownNameError
from literature_ai.events import Claim
from literature_ai.inference.knowledge import Knowledge
from literature_ai.inference.recorded import knowledge_of, viewpoint_of
from literature_ai.records.as_json import ended_by_of, record_as_json
from literature_ai.records.record import Record
from literature_ai.sessions.seen import EVERYONE, PUBLIC, Viewer


def viewers_of(record: Record) -> list[str]:
    """The names of the viewers that the record allows, those who see most first."""
    known = [SEAT_NAMES[seat] for seat, hand in enumerate(record.hands) if hand is not None]
    return [*([EVERYONE] * (None not in record.hands)), *known, PUBLIC]


def viewer_named(name: str, record: Record) -> Viewer:
    """The viewer of this name; without one, who sees most. Raises `UnknownNameError` for others."""
    viewers = viewers_of(record)
    name = name or viewers[0]
    if name not in viewers:
        raise UnknownNameError(
            f"nobody can look at game {record.id} as {name!r}; its viewers are {' '.join(viewers)}"
        )
    if name in (PUBLIC, EVERYONE):
        return PUBLIC if name == PUBLIC else EVERYONE
    return parse_seat(name, record.rules.players)


def seen_by(record: Record, viewer: Viewer) -> Record:
    """The record with the hands that the viewer sees."""
    hands = tuple(
        hand if viewer in (EVERYONE, seat) else None for seat, hand in enumerate(record.hands)
    )
    return replace(record, hands=hands)


def game_as_json(record: Record, viewer: Viewer) -> dict[str, Any]:
    """The whole game as the viewer sees it, as ``literature replay --json`` has it, with the names
    of the ``viewers``, the ``viewer`` and the ``half_suits`` {name: cards}."""
    names = record.rules.card_names
    return {
        **record_as_json(seen_by(record, viewer)),
        "viewers": viewers_of(record),
        "viewer": viewer if isinstance(viewer, str) else SEAT_NAMES[viewer],
        "half_suits": {
            HALF_SUIT_NAMES[h]: list(names[6 * h : 6 * h + 6])
            for h in range(record.rules.half_suits)
        },
    }


def moment_as_json(then: Record, viewer: Viewer, file: str) -> dict[str, Any]:
    """The last position of the record as the viewer knows it.

    Raises `RecordError` when no deal fits; ``file`` is named in it.
    """
    position, names = then.position(), then.rules.card_names
    hands = _hands(then, viewer)
    if isinstance(viewer, int):
        said = as_json(hint(viewpoint_of(then, viewer, file)))
    else:
        said = {
            "game": then.id,
            "seat": None,
            "players": then.rules.players,
            "turn": None if position.turn is None else SEAT_NAMES[position.turn],
            "events": len(then.events),
        }
        said |= _public(then, file) if viewer == PUBLIC else _open(then, hands, file)
    if then.ended:
        said["turn"] = None
    return {
        **said,
        "viewer": viewer if isinstance(viewer, str) else SEAT_NAMES[viewer],
        "hands": {SEAT_NAMES[s]: [names[card] for card in hand] for s, hand in hands.items()},
        "hand_sizes": dict(zip(SEAT_NAMES, position.hand_sizes, strict=False)),
        "score": dict(zip(TEAM_NAMES, position.score, strict=True)),
        "in_play": [HALF_SUIT_NAMES[half_suit] for half_suit in position.in_play],
        "ended_by": ended_by_of(then, position),
    }


def locations_of(knowledge: Knowledge) -> dict[str, dict[str, float]]:
    """Where each card in play may be, as ``literature hint --json`` has it."""
    names = knowledge.rules.card_names
    return {
        names[card]: {SEAT_NAMES[seat]: chance for seat, chance in enumerate(row) if chance}
        for card, row in enumerate(knowledge.posterior().tolist())
        if any(row)
    }


def _hands(then: Record, viewer: Viewer) -> dict[Seat, list[Card]]:
    """The cards that the seats seen by the viewer have now."""
    seats = [s for s, hand in enumerate(seen_by(then, viewer).hands) if hand is not None]
    if viewer == EVERYONE:
        game = then.game()
        return {seat: list(game.hand(seat)) for seat in seats}
    hands = {}
    for seat in seats:
        # A seat sees where its own cards go, so their places are certain.
        certain = Knowledge(then.rules, seat, then.hands[seat])
        for event in then.events:
            certain.observe(event)
        column = certain.posterior()[:, seat]
        hands[seat] = [card for card, chance in enumerate(column.tolist()) if chance == 1.0]
    return hands


def _public(then: Record, file: str) -> dict[str, Any]:
    knowledge = knowledge_of(then, None, file)
    teams = range(len(TEAM_NAMES))
    return {
        "deals": str(knowledge.deals()),
        "locations": locations_of(knowledge),
        "claims": [
            {"team": TEAM_NAMES[team], **_certain(claim, then)}
            for team in teams
            for claim in knowledge.certain_claims(team)
        ],
    }


def _open(then: Record, hands: dict[Seat, list[Card]], file: str) -> dict[str, Any]:
    names = then.rules.card_names
    provers: dict[Claim, list[Seat]] = {}
    for seat in hands:
        for claim in knowledge_of(then, seat, file).certain_claims():
            provers.setdefault(claim, []).append(seat)
    places = {card: seat for seat, hand in hands.items() for card in hand}
    return {
        "deals": "1",
        "locations": {names[card]: {SEAT_NAMES[places[card]]: 1.0} for card in sorted(places)},
        "claims": [
            {"provers": _seat_names(seats), **_certain(claim, then)}
            for claim, seats in provers.items()
        ],
    }


def _certain(claim: Claim, then: Record) -> dict[str, Any]:
    return {
        **claim_as_json(claim, then.rules.card_names),
        "probability": 1.0,
        "certain": True,
    }


def _seat_names(seats: Sequence[Seat]) -> list[str]:
    return [SEAT_NAMES[seat] for seat in seats]
