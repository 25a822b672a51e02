"""What a viewer may see of a table: a seat, the public, or, when the game is over, everyone.

`seen_by` gives plain JSON types. Cards have the names of the deck, seats and half-suits theirs.

- ``game``, ``rules`` (as words), ``players``, ``viewer``, ``coach``, ``start``;
- ``seats``: by seat ``{"person": name}``, ``{"bot": spec}`` or null; ``replaced``: the bots that
  failed, each with ``seat``, ``events`` (after how many), ``was``, ``by`` and ``why`` in words;
- ``events`` as a record writes them, ``turn``, ``hand_sizes``, ``score`` by team, ``in_play``;
- ``decision``: null, or ``seat``, ``off_turn`` and ``seconds_left`` (null: not limited);
- ``result``: null, or ``winner`` (``"A"``, ``"B"``, null for a draw) and ``by``: ``"majority"``,
  ``"all claimed"``, ``"max events"``, or ``"resigned"`` with ``resigned``, the seat;
- of a seat also ``dealt`` and ``hand``, ``legal_asks`` (``target``, ``card``), ``legal_passes`` and
  ``may_claim``;
- of everyone also ``dealt`` and ``hands`` by seat, ``seed``, and in ``replaced`` the ``detail``.

The seed and the message of a bot that failed tell of hands, so nobody sees them before the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from literature_ai.bots.external import view_in_names
from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, TEAM_NAMES, Seat
from literature_ai.errors import LiteratureError, UnknownNameError, shown
from literature_ai.game.game import Game
from literature_ai.records.notation import format_event
from literature_ai.sessions.seats import FAILURES, Replacement, occupant_as_json

if TYPE_CHECKING:
    from literature_ai.sessions.table import TableSession

PUBLIC: Literal["public"] = "public"
EVERYONE: Literal["everyone"] = "everyone"
Viewer: TypeAlias = Seat | Literal["public", "everyone"]
"""Who looks: a seat; the public, which sees no hand; everyone, when the game is over."""


def seen_by(session: TableSession, game: Game, viewer: Viewer) -> dict[str, Any]:
    """What the viewer may see, and nothing else.

    Raises LiteratureError when there is no such viewer, or it is everyone and the game is not over.
    """
    rules, seats, over = game.rules, SEAT_NAMES[: game.rules.players], session.over
    open_hands = hands_open_to(viewer, rules.players, over=over)
    seen: dict[str, Any] = {
        "game": session.id,
        "rules": rules.words(),
        "players": rules.players,
        "viewer": viewer_name(viewer),
        "coach": session.coach,
        "start": SEAT_NAMES[game.start],
        "seats": dict(zip(seats, map(occupant_as_json, session.occupants), strict=True)),
        "replaced": [_replaced(each, viewer) for each in session.replacements],
        "events": [format_event(event, rules.card_names) for event in game.events],
        "turn": None if over or game.turn is None else SEAT_NAMES[game.turn],
        "hand_sizes": dict(zip(seats, game.hand_sizes, strict=True)),
        "score": dict(zip(TEAM_NAMES, game.score, strict=True)),
        "in_play": [HALF_SUIT_NAMES[half_suit] for half_suit in game.in_play],
        "decision": _decision(session),
        "result": _result(session, game) if over else None,
    }
    if viewer == EVERYONE:
        dealt = {seats[s]: _names(game, game.dealt[s]) for s in open_hands}
        hands = {seats[s]: _names(game, game.hand(s)) for s in open_hands}
        seen |= {"dealt": dealt, "hands": hands, "seed": session.seed}
    elif isinstance(viewer, int):
        own = view_in_names(game.view(viewer), [])
        seen |= {"dealt": _names(game, game.dealt[viewer]), "hand": own["hand"]}
        seen |= {
            "legal_asks": [] if over else own["legal_asks"],
            "legal_passes": [] if over else own["legal_passes"],
            "may_claim": own["may_claim"] and not over,
        }
    return seen


def viewer_name(viewer: Viewer) -> str:
    """The name of the viewer: that of the seat, ``public`` or ``everyone``."""
    return SEAT_NAMES[viewer] if isinstance(viewer, int) else viewer


def hands_open_to(viewer: Viewer, players: int, *, over: bool) -> range:
    """The seats whose hands the viewer may see. Raises as `seen_by` does."""
    if viewer == PUBLIC:
        return range(0)
    if viewer == EVERYONE:
        if not over:
            raise LiteratureError("everyone sees the hands when the game is over, not before")
        return range(players)
    need_seat(viewer, players)
    return range(viewer, viewer + 1)


def need_seat(seat: object, players: int) -> None:
    """Raise `UnknownNameError` unless the game has the seat."""
    if type(seat) is not int or seat not in range(players):
        raise UnknownNameError(f"there is no seat {shown(seat)}; seats are 0 to {players - 1}")


def _names(game: Game, cards: tuple[int, ...]) -> list[str]:
    return [game.rules.card_names[card] for card in cards]


def _replaced(each: Replacement, viewer: Viewer) -> dict[str, Any]:
    told = {
        "seat": SEAT_NAMES[each.seat],
        "events": each.events,
        "was": each.was,
        "by": each.by,
        "why": FAILURES[each.kind],
    }
    return {**told, "detail": each.detail} if viewer == EVERYONE else told


def _decision(session: TableSession) -> dict[str, Any] | None:
    decision = session.decision
    if decision is None:
        return None
    return {
        "seat": SEAT_NAMES[decision.seat],
        "off_turn": decision.off_turn,
        "seconds_left": session.seconds_left,
    }


def _result(session: TableSession, game: Game) -> dict[str, Any]:
    winner = session.winner
    result: dict[str, Any] = {"winner": None if winner is None else TEAM_NAMES[winner]}
    if session.resigned is not None:
        return {**result, "by": "resigned", "resigned": SEAT_NAMES[session.resigned]}
    assert game.outcome is not None
    return {**result, "by": game.outcome.termination.name.lower().replace("_", " ")}
