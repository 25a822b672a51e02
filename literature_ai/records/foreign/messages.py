"""JSON lines: events as bots get them.

A line is a message of the protocol that `literature_ai.bots.external` describes, or the part of one
that has events, or a single event:

- ``{"op": "new_game", "seat": "A1", "hand": [...], "rules": {...}, ...}`` starts a game, unless it
  seats another player of the game that has just been started: the log may have the messages to
  several bots, and then tells several hands;
- ``{"op": "act", "view": {"seat": "A1", "new_events": [...], ...}}``, ``{"op": "claim?", ...}``, or
  the view alone: the events since the last message to this seat;
- ``"ask A1 B2 3D hit"``: an event in the words of a record.

What bots answer, ``hello`` and ``bye`` may stand between them. A log without ``new_game`` names no
rules and no hand, and has as few players as the seats need that it names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from literature_ai.cards import SEAT_NAMES, Card, Seat
from literature_ai.errors import NotationError, RulesError
from literature_ai.events import Claimed, Event, actor_of
from literature_ai.game.position import Position
from literature_ai.records.consistency import hand_objection
from literature_ai.records.foreign.told import Line, Told, card_name_of, deck_of
from literature_ai.records.notation import card_of_deck, parse_event, seat_in_game
from literature_ai.rules import RuleSet

_ANSWERS = ("ok", "ask", "claim", "pass", "none", "error")
"""Keys of the answers of bots."""
_HIDDEN = re.compile(r"\bwrong(\s+[AB][1-4]:\d)+\s*$", re.IGNORECASE)
"""The end of a wrong claim that does not show who held the cards."""
_FORMS = (
    'write messages as bots get them, as in {"op": "new_game", ...} and {"op": "act", "view": '
    '{"new_events": ["ask A1 B2 3D hit"], ...}}'
)


class _Game:
    """What the messages of a game say."""

    def __init__(self, line: Line | None = None, rules: RuleSet | None = None) -> None:
        self.line = line
        """Of the first message."""
        self.rules = rules
        """None when the log does not name them."""
        self.hands: dict[Seat, tuple[Card, ...]] = {}
        self.dealt: dict[Card, Seat] = {}
        self.said: list[tuple[Line, str]] = []
        """The events."""
        self.heard: dict[str, int] = {}
        """How many of the events each seat has been told."""
        self.start: str | None = None
        """Who was on turn before the first event, where a message says so."""
        self.begun = False
        """Whether there was a message beyond those that start the game."""
        self.seats: set[str] = set()
        """The seats that messages name."""

    def seat(self, line: Line, message: dict[str, Any]) -> bool:
        """Take in a ``new_game``; False when it starts another game."""
        rules = _rules(line, message.get("rules"))
        seat = _seat(line, message.get("seat"), rules)
        words = message.get("hand")
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            line.fail("the hand is no list of cards", _FORMS)
        try:
            hand = [card_of_deck(word, rules) for word in words]
        except NotationError as error:
            line.fail(error.what, error.cure)
        if self.rules is not None and (
            self.begun
            or rules != self.rules
            or seat in self.hands
            or not self.dealt.keys().isdisjoint(hand)
        ):
            return False
        objection = hand_objection(rules, seat, hand, self.dealt)
        if objection is not None:
            line.fail(objection.what, objection.cure)
        self.line, self.rules = self.line or line, rules
        self.hands[seat] = tuple(sorted(hand))
        return True

    def view(self, line: Line, view: dict[str, Any]) -> None:
        """Take in the events that a view tells its seat."""
        events = view.get("new_events")
        if not isinstance(events, list) or not all(isinstance(event, str) for event in events):
            line.fail("new_events is no list of events", _FORMS)
        seat = str(view.get("seat", ""))
        self.begun = True
        self.line = self.line or line
        self.seats |= set(view.get("hand_sizes") or ())
        at = self.heard.get(seat, 0)
        if not events and not at and self.start is None and isinstance(view.get("turn"), str):
            self.start = view["turn"]
        for event in events:
            self._hear(line, event, at)
            at += 1
        self.heard[seat] = at

    def event(self, line: Line, event: str) -> None:
        """Take in an event that stands alone."""
        self.begun = True
        self.line = self.line or line
        self.said.append((line, event))

    def _hear(self, line: Line, event: str, at: int) -> None:
        if at == len(self.said):
            self.said.append((Line(line.file, line.number, event), event))
        elif self.said[at][1] != event:
            line.fail(
                f"event {at + 1} is {event!r} here, but was {self.said[at][1]!r} in line "
                f"{self.said[at][0].number}",
                "give each game its own log",
            )


def games_in(lines: Iterable[tuple[int, str]], file: str) -> Iterator[Told]:
    """The games of a log in JSON lines. Raises `RecordError` for a line that is no message."""
    game = _Game()
    for number, text in lines:
        line = Line(file, number, text)
        message = _object(line)
        match message:
            case str():
                game.event(line, message)
            case {"op": "new_game"}:
                if not game.seat(line, message):
                    yield _told(game)
                    game = _Game()
                    game.seat(line, message)
            case {"op": "act" | "claim?", "view": dict(view)} | ({"new_events": _} as view):
                game.view(line, view)
            case {"op": "hello" | "bye"}:
                pass
            case {"op": _}:
                line.fail(f"there is no message {message['op']!r}", _FORMS)
            case dict() if any(key in message for key in _ANSWERS):
                pass
            case _:
                line.fail("this is no message and no event", _FORMS)
    if game.line is not None:
        yield _told(game)


def _object(line: Line) -> Any:
    try:
        return json.loads(line.text)
    except (ValueError, RecursionError):
        line.fail("this is no JSON", "write one message a line")


def _rules(line: Line, given: object) -> RuleSet:
    """The rules with these attributes; what is left out is the default."""
    defaults = {field.name: field.default for field in fields(RuleSet)}
    if not isinstance(given, dict):
        line.fail("the rules are no object", _FORMS)
    for name, value in given.items():
        if name not in defaults:
            line.fail(f"there is no rule {name!r}", f"the rules are {', '.join(defaults)}")
        default = defaults[name]
        optional = default is None and (value is None or type(value) is int)
        if type(value) is not type(default) and not optional:
            line.fail(f"the rule {name} cannot be {value!r}", f"the usual value is {default!r}")
    try:
        return RuleSet(**given)
    except RulesError as error:
        what, _, cure = str(error).partition(": ")
        line.fail(what, cure)


def _seat(line: Line, word: object, rules: RuleSet) -> Seat:
    try:
        return seat_in_game(str(word), rules)
    except NotationError as error:
        line.fail(error.what, error.cure)


def _told(game: _Game) -> Told:
    assert game.line is not None
    guessed: tuple[str, ...] = ()
    rules = game.rules
    if rules is None:
        rules, guessed = _guessed(game, game.line)
    events: list[tuple[Line, Event]] = []
    for line, text in game.said:
        try:
            events.append((line, parse_event(text, Position(rules, 0))))
        except NotationError as error:
            line.fail(error.what, error.cure)
    on_turn = [actor_of(event) for _, event in events if not isinstance(event, Claimed)]
    starts = [actor_of(event) for _, event in events[:1]] + on_turn[:1]
    if game.start is not None:
        starts = [_seat(game.line, game.start, rules)]
    return Told(
        rules,
        tuple(game.hands.get(seat) for seat in range(rules.players)),
        tuple(events),
        tuple(dict.fromkeys(starts)),
        (None,) * rules.players,
        rules_known=game.rules is not None,
        guessed=guessed,
    )


def _guessed(game: _Game, line: Line) -> tuple[RuleSet, tuple[str, ...]]:
    """The rules that the words of the events need, and those of them that are switches."""
    words = [word.upper() for _, text in game.said for word in re.split(r"[\s:,]+", text)]
    seats = (game.seats | set(words)).intersection(SEAT_NAMES)
    players = next(n for n in (4, 6, 8) if seats <= set(SEAT_NAMES[:n]))
    base = deck_of((_cards(text) for _, text in game.said), players, line)
    switches = []
    if any(_HIDDEN.search(text) for _, text in game.said):
        switches.append("wrong-hides")
    if any(text.lower().startswith("timeout") for _, text in game.said):
        switches.append("turn-seconds=30")
    return RuleSet.parse(" ".join([base.words(), *switches]), players), tuple(switches)


def _cards(text: str) -> set[str]:
    """The names of the cards in an ask or a claim."""
    names = (card_name_of(word) for word in re.split(r"[\s:,]+", text))
    return {name for name in names if name is not None}
