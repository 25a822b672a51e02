"""A moment of a recorded game as a viewer knows it: a seat, the public, or everyone.

A seat knows what its hand and the events tell; the public knows the events; for everyone all cards
lie open, where the record has them. What a viewer does not know is in none of their answers.

`moment_as_json` has the names of ``literature hint --json`` for what is the same: ``game``,
``players``, ``turn``, ``events``, ``deals``, ``locations``, ``claims`` and, of a seat, ``seat`` and
``asks``. Beside these: ``viewer``, ``hands`` {seat: cards} as far as the viewer sees them,
what `position_as_json` says, and ``ended_by`` as ``literature replay --json`` has it. The
``claims`` of the public and of everyone are those that are certain, each with its ``team`` or the
``provers``, the seats that can prove it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from literature_ai.analysis.consequences import claim_as_json
from literature_ai.analysis.hints import as_json, hint, locations_as_json
from literature_ai.assist.replies import why_card, why_half_suit
from literature_ai.cards import SEAT_NAMES, TEAM_NAMES, Card, Seat, parse_seat
from literature_ai.errors import LiteratureError, UnknownNameError
from literature_ai.events import Claim
from literature_ai.inference.knowledge import Knowledge
from literature_ai.inference.recorded import knowledge_of, viewpoint_of
from literature_ai.records.as_json import ended_by_of, position_as_json, record_as_json
from literature_ai.records.notation import card_of_deck, half_suit_named, half_suit_of_deck
from literature_ai.records.record import Record
from literature_ai.sessions.seen import EVERYONE, PUBLIC, Viewer, hands_open_to, viewer_name
from literature_ai.wording import by_half_suit, sentence


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
    return record.with_hands_of(hands_open_to(viewer, record.rules.players, over=True))


def game_as_json(record: Record, viewer: Viewer) -> dict[str, Any]:
    """The whole game as the viewer sees it, as ``literature replay --json`` has it, with the names
    of the ``viewers``, the ``viewer`` and the ``half_suits`` {name: cards}, and in each event
    ``said``, a sentence."""
    said = record_as_json(seen_by(record, viewer))
    for event, told in zip(record.events, said["events"], strict=True):
        told["said"] = sentence(event, record.rules.card_names)
    return {
        **said,
        "viewers": viewers_of(record),
        "viewer": viewer_name(viewer),
        "half_suits": by_half_suit(record.rules.card_names),
    }


def moment_as_json(then: Record, viewer: Viewer, file: str) -> dict[str, Any]:
    """The last position of the record as the viewer knows it.

    Raises `RecordError` when no deal fits; ``file`` is named in it.
    """
    position, names = then.position(), then.rules.card_names
    hands: dict[Seat, Sequence[Card]] = {}
    if isinstance(viewer, int):
        found = hint(viewpoint_of(then, viewer, file))
        hands[viewer], said = found.hand, as_json(found)
    else:
        if viewer == EVERYONE:
            game = then.game()
            hands = {seat: game.hand(seat) for seat in range(then.rules.players)}
        said = {
            "game": then.id,
            "seat": None,
            "players": then.rules.players,
            "events": len(then.events),
        }
        said |= _public(then, file) if viewer == PUBLIC else _open(then, hands, file)
    return {
        **said,
        **position_as_json(position, ended=then.ended),
        "viewer": viewer_name(viewer),
        "hands": {SEAT_NAMES[s]: [names[card] for card in hand] for s, hand in hands.items()},
        "ended_by": ended_by_of(then, position),
    }


def why_as_text(then: Record, viewer: Viewer, what: str, at: Seat | None, file: str) -> str:
    """Why a card, or all of a half-suit, are where they are, or the card is not at a seat: the
    proof from what the viewer knows, as ``literature assist`` tells it.

    Raises LiteratureError when there is no such card, or all cards lie open to the viewer.
    """
    if viewer == EVERYONE:
        raise LiteratureError("all cards lie open, so there is nothing to prove; look as a seat")
    knowledge = knowledge_of(then, None if viewer == PUBLIC else viewer, file)
    if half_suit_named(what) is not None:
        return why_half_suit(then, knowledge, half_suit_of_deck(what, then.rules))
    return why_card(then, knowledge, card_of_deck(what, then.rules), at)


def locations_of(knowledge: Knowledge) -> dict[str, dict[str, float]]:
    """Where each card in play may be, as ``literature hint --json`` has it."""
    return locations_as_json(knowledge.posterior(), knowledge.rules.card_names)


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


def _open(then: Record, hands: Mapping[Seat, Sequence[Card]], file: str) -> dict[str, Any]:
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
            {"provers": [SEAT_NAMES[s] for s in seats], **_certain(claim, then)}
            for claim, seats in provers.items()
        ],
    }


def _certain(claim: Claim, then: Record) -> dict[str, Any]:
    return {
        **claim_as_json(claim, then.rules.card_names),
        "probability": 1.0,
        "certain": True,
    }
