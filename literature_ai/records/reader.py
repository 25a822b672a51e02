"""Reads the lines of a record file one by one, and checks each against those above it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NoReturn

from literature_ai.cards import SEAT_NAMES, Card, Seat
from literature_ai.errors import NotationError, RecordError, RulesError
from literature_ai.records.consistency import Consistency, hand_objection
from literature_ai.records.notation import (
    EVENT_WORDS,
    as_notation_error,
    card_of_deck,
    did_you_mean,
    parse_event,
    parse_result,
    seat_in_game,
    starts_event,
)
from literature_ai.records.record import Record, is_plain
from literature_ai.rules import RuleSet

_HEADINGS = ("players", "rules", "seat", "hand", "start")
_EVENTS = tuple(dict.fromkeys(EVENT_WORDS.values()))
_STATEMENTS = ("game", *_HEADINGS, *_EVENTS, "result")


@dataclass(frozen=True, slots=True)
class _Statement:
    """One line: its number, its whole text, and its words without the comment."""

    number: int
    text: str
    words: list[str]
    word: str
    """The first word, which says what kind of statement it is, in small letters."""


def records_in(lines: Iterable[tuple[int, str]], file: str) -> Iterator[Record]:
    """The records in numbered lines, each when its last line has been read.

    Raises `RecordError`, which names the ``file``, for the first line that departs from the grammar
    or the rules.
    """
    game: _GameReader | None = None
    for number, text in lines:
        words = text.split("#", 1)[0].split()
        if not words:
            continue
        statement = _Statement(number, text, words, words[0].lower())
        if statement.word == "game":
            if game is not None:
                yield game.record()
            game = _GameReader(file, statement)
        elif game is None:
            raise RecordError(
                file,
                number,
                text,
                "this stands before the first game",
                "start the record with a line such as 'game 1'",
            )
        else:
            game.read(statement)
    if game is not None:
        yield game.record()


class _GameReader:
    """Reads the statements of one game, and checks each against those above it."""

    def __init__(self, file: str, opening: _Statement) -> None:
        self.file = file
        self.at = opening
        """The statement being read, for the messages."""
        self._need_words(2, "game 17")
        self._need_plain(opening.words[1])
        self.opening = opening
        self.id = opening.words[1]
        self.heading: list[_Statement] = []
        self.consistency: Consistency | None = None
        """What has been read, from the first event on."""
        self.hands: list[tuple[Card, ...] | None]
        self.names: list[str | None]
        self.lines: list[int] = []
        self.ended = False
        self.unfinished = False

    def read(self, statement: _Statement) -> None:
        self.at = statement
        word = statement.word
        if word not in _HEADINGS and word != "result" and not starts_event(word):
            self._fail(
                f"{statement.words[0]!r} is no statement",
                did_you_mean(word, _STATEMENTS, f"write one of {' '.join(_STATEMENTS)}"),
            )
        if self.ended:
            self._fail("the game has its result already", "start the next game with a game line")
        if word in _HEADINGS:
            if self.consistency is not None:
                self._fail(
                    f"a {word} line stands after the first event",
                    "write it above the first event",
                )
            self.heading.append(statement)
            return
        consistency = self._begin()
        self.at = statement
        try:
            if word == "result":
                result = " ".join(statement.words[1:])
                self.unfinished = parse_result(result, consistency.position)
                self.ended = True
                return
            text = " ".join(statement.words)
            event = parse_event(text, consistency.position, consistency.lost)
        except NotationError as error:
            self._fail(error.what, error.cure)
        objection = consistency.follow(event)
        if objection is not None:
            self._fail(objection.what, objection.cure)
        self.lines.append(statement.number)

    def record(self) -> Record:
        self.at = self.opening
        position = self._begin().position
        return Record(
            self.id,
            position.rules,
            position.start,
            tuple(self.hands),
            tuple(self.names),
            position.events,
            position.score,
            self.ended,
            self.unfinished,
            tuple(self.lines),
        )

    def _fail(self, what: str, cure: str) -> NoReturn:
        raise RecordError(self.file, self.at.number, self.at.text, what, cure) from None

    def _need_words(self, count: int, example: str) -> None:
        words = self.at.words
        if len(words) != count:
            short = len(words) < count
            self._fail(
                f"the line has too {'few' if short else 'many'} words",
                f"write it as in '{example}'",
            )

    def _need_plain(self, text: str) -> None:
        if not is_plain(text):
            self._fail(f"{text!r} has characters that cannot be shown", "leave them out")

    def _begin(self) -> Consistency:
        """What the heading says, made when the first event or the end comes."""
        if self.consistency is not None:
            return self.consistency
        noticed_at = self.at
        rules = self._rules()
        self.hands = [None] * rules.players
        self.names = [None] * rules.players
        start: Seat | None = None
        dealt: dict[Card, Seat] = {}
        for statement in self.heading:
            self.at = statement
            try:
                match statement.word:
                    case "seat":
                        self._seat_name(rules)
                    case "hand":
                        self._hand(rules, dealt)
                    case "start":
                        if start is not None:
                            self._fail("start stands twice", "leave one of the two lines out")
                        self._need_words(2, "start A1")
                        start = seat_in_game(statement.words[1], rules)
            except NotationError as error:
                self._fail(error.what, error.cure)
        self.at = noticed_at
        if start is None:
            self._fail(
                f"game {self.id} does not say who starts",
                "write a line such as 'start A1' above its first event",
            )
        self.consistency = Consistency(rules, start, self.hands)
        return self.consistency

    def _rules(self) -> RuleSet:
        players: int | None = None
        words: str | None = None
        rules = RuleSet()
        for statement in self.heading:
            self.at = statement
            match statement.word:
                case "players":
                    if players is not None:
                        self._fail("players stands twice", "leave one of the two lines out")
                    self._need_words(2, "players 6")
                    number = statement.words[1]
                    if number not in ("4", "6", "8"):
                        self._fail(f"{number!r} is no number of players", "write 4, 6 or 8")
                    players = int(number)
                case "rules":
                    if words is not None:
                        self._fail("rules stands twice", "write all rules in one line")
                    words = " ".join(statement.words[1:])
                    if not words:
                        self._fail("no rule is named", "name rules, or leave the line out")
                case _:
                    continue
            try:
                rules = RuleSet.parse(words or "", players)
            except RulesError as error:
                wrong = as_notation_error(error)
                self._fail(wrong.what, wrong.cure)
        return rules

    def _seat_name(self, rules: RuleSet) -> None:
        words = self.at.words
        if len(words) < 3:
            self._fail("the line has too few words", "write it as in 'seat A1 bayes'")
        seat = seat_in_game(words[1], rules)
        if self.names[seat] is not None:
            self._fail(f"seat {SEAT_NAMES[seat]} stands twice", "leave one of the two lines out")
        name = " ".join(words[2:])
        self._need_plain(name)
        self.names[seat] = name

    def _hand(self, rules: RuleSet, dealt: dict[Card, Seat]) -> None:
        words = self.at.words
        if len(words) < 2:
            self._fail("the line has too few words", "write it as in 'hand A1 3S 4S …'")
        seat = seat_in_game(words[1], rules)
        if self.hands[seat] is not None:
            self._fail(
                f"the hand of {SEAT_NAMES[seat]} stands twice", "leave one of the two lines out"
            )
        named = " ".join(words[2:]).replace(",", " ").split()
        hand = [card_of_deck(word, rules) for word in named]
        objection = hand_objection(rules, seat, hand, dealt)
        if objection is not None:
            self._fail(objection.what, objection.cure)
        self.hands[seat] = tuple(sorted(hand))
