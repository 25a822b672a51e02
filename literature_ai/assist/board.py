"""A session in plain types, for a page on which a game is entered by taps instead of lines.

`board_as_json` is the state. Before the game is set up it has ``question`` (``players``, ``rules``,
``seat``, ``hand`` or ``start``), ``explanation``, and the answers so far: ``players``, ``rules``,
``seat``, ``hand``; with ``rule_words`` {word: meaning} and ``half_suits`` {name: cards}. Afterwards
``question`` is null, and there are ``game``, ``players``, ``rules``, ``seat``, ``dealt``,
``half_suits``, ``start``, ``log`` (sentences), ``ended`` (null, or how), ``change`` (null, or
``number``, ``rest`` and ``said``), and of the position for the next event (in a change the one
before the event asked for) ``turn``, ``hand_sizes``, ``score``, ``in_play``, ``legal_passes`` and
``claimants``. ``hint`` is what ``literature hint --json`` says, without consequences, and
``proven_against`` the claims of the other team that everyone can prove; both are null in a change.

`advice_as_json` is the rest of the advice, which takes longer: ``hint`` with the consequences, and
``engine`` as ``literature hint --json`` prints it, with ``engine_said``, the same in a sentence.
"""

from __future__ import annotations

from typing import Any

from literature_ai.analysis.consequences import claim_as_json, consequences_of, with_consequences
from literature_ai.analysis.hints import as_json, hint
from literature_ai.assist import replies
from literature_ai.assist.checking import with_events
from literature_ai.assist.session import Session
from literature_ai.assist.setup import RULE_WORDS, Setup
from literature_ai.cards import SEAT_NAMES, team_of
from literature_ai.inference.recorded import Viewpoint
from literature_ai.records.as_json import position_as_json
from literature_ai.rules import RuleSet
from literature_ai.wording import by_half_suit, sentence


def board_as_json(session: Session) -> dict[str, Any]:
    """The state of the session."""
    if session.setup is not None:
        return _setup_as_json(session.setup)
    viewpoint = session.entered
    assert viewpoint is not None
    return {**_game_as_json(viewpoint, session), **_advice(session.viewpoint)}


def advice_as_json(viewpoint: Viewpoint | None, *, engine: bool) -> dict[str, Any]:
    """The advice with all that takes longer; nulls in a change and when the game is over.

    engine: whether the engine is asked, which it is on the own turn alone.
    """
    nothing: dict[str, Any] = {"hint": None, "engine": None, "engine_said": None}
    if viewpoint is None or viewpoint.record.ended:
        return nothing
    said = hint(viewpoint)
    full = with_consequences(said, consequences_of(said))
    if not engine or said.position.turn != viewpoint.seat:
        return {**nothing, "hint": full}
    from literature_ai.analysis.engine import analyze
    from literature_ai.analysis.value_text import choice_in_words, summary_as_json

    names = viewpoint.record.rules.card_names
    found = analyze(viewpoint.record, viewpoint.seat, knowledge=viewpoint.knowledge)
    return {
        "hint": full,
        "engine": summary_as_json(found, names),
        "engine_said": choice_in_words(found, names),
    }


def _setup_as_json(setup: Setup) -> dict[str, Any]:
    rules = setup.rules or RuleSet()
    names = rules.card_names
    return {
        "question": setup.question,
        "explanation": setup.explanation(),
        "players": setup.players,
        "seats": list(setup.seats),
        "rules": None if setup.rules is None else setup.rules.words(),
        "seat": None if setup.seat is None else SEAT_NAMES[setup.seat],
        "hand": [names[card] for card in setup.hand],
        "hand_size": rules.hand_size,
        "half_suits": by_half_suit(names),
        "rule_words": RULE_WORDS,
    }


def _game_as_json(viewpoint: Viewpoint, session: Session) -> dict[str, Any]:
    record, seat = viewpoint.record, viewpoint.seat
    rules, names, change = record.rules, record.rules.card_names, session.change
    position = (record if change is None else with_events(record, change.kept)).position()
    ended = change is None and record.ended
    return {
        "question": None,
        "game": record.id,
        "players": rules.players,
        "rules": rules.words(),
        "rule_words": RULE_WORDS,
        "seat": SEAT_NAMES[seat],
        "dealt": [names[card] for card in record.hands[seat] or ()],
        "hand_size": rules.hand_size,
        "half_suits": by_half_suit(names),
        "start": SEAT_NAMES[record.start],
        "log": [sentence(event, names) for event in record.events],
        "ended": replies.conclusion(record).strip() if ended else None,
        "change": None
        if change is None
        else {
            "number": len(change.kept) + 1,
            "rest": len(change.rest),
            "said": session.asked_for,
        },
        **position_as_json(position, ended=ended),
    }


def _advice(viewpoint: Viewpoint | None) -> dict[str, Any]:
    if viewpoint is None or viewpoint.record.ended:
        return {"hint": None, "proven_against": None}
    names = viewpoint.record.rules.card_names
    opponents = 1 - team_of(viewpoint.seat)
    proven = replies.proven_to_all(viewpoint.everyone, opponents)
    return {
        "hint": as_json(hint(viewpoint)),
        "proven_against": [claim_as_json(claim, names) for claim in proven],
    }
