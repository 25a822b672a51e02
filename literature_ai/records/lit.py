"""Game records, ``.lit``: a text that people can type and programs can read.

A file holds any number of games, one statement a line. Reading checks every line against the
rules, and against the hands given, before anything is handed back; writing gives the canonical
form, which reads back as the same records.

>>> text = '''
... game 17
... hand A1 2S 3S 4S 9H TD JD QD KC    # the hand of one seat is enough
... start A1
... ask A1 B2 5s no
... '''
>>> (record,) = read(text)
>>> record.events
(Asked(asker=0, target=3, card=3, hit=False),)
>>> print(write([record]), end="")
game 17
players 6
hand A1 2S 3S 4S 9H TD JD QD KC
start A1
ask A1 B2 5S miss
"""

from __future__ import annotations

import difflib
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from literature_ai import cards as c
from literature_ai.cards import Card, Seat
from literature_ai.errors import (
    FileError,
    ImpossibleEventError,
    LiteratureError,
    RecordError,
    RulesError,
    UnknownNameError,
)
from literature_ai.events import Ask, Asked, Claim, Claimed, Event, Pass, Passed, TimedOut
from literature_ai.game.game import Game
from literature_ai.game.position import Position
from literature_ai.records.consistency import Consistency
from literature_ai.records.notation import line
from literature_ai.rules import RuleSet

STANDARD_INPUT = "-"
_HITS = {"hit": True, "yes": True, "+": True, "miss": False, "no": False, "-": False}


@dataclass(frozen=True, slots=True)
class Record:
    """One game as it is written down, from the deal to wherever it got."""

    id: str
    """Any word."""
    rules: RuleSet
    start: Seat
    """Who has the first turn."""
    hands: tuple[tuple[Card, ...] | None, ...]
    """The cards each seat was dealt, in order; None where that is not known."""
    names: tuple[str | None, ...]
    """Who sits there; None where that is not said."""
    events: tuple[Event, ...]
    """Event number ``n`` is ``events[n - 1]``."""
    score: tuple[int, int]
    """Half-suits of team A and of team B after the last event."""
    ended: bool = False
    """Whether a result closes the record; without one the game is in progress."""
    unfinished: bool = False
    """Whether that result is of a game that the rules had not ended."""
    lines: tuple[int, ...] = field(default=(), compare=False)
    """Line numbers of the events in the file they were read from."""

    def __post_init__(self) -> None:
        """Raise LiteratureError for an id or a name that no line of a record can hold."""
        if self.id.split() != [self.id] or not _is_plain(self.id):
            raise LiteratureError(f"{self.id!r} cannot be the id of a game; it must be one word")
        for name in self.names:
            if name is not None and (
                not name or name != " ".join(name.split()) or not _is_plain(name)
            ):
                raise LiteratureError(
                    f"{name!r} cannot be the name of a seat; "
                    "it must be words with single blanks between them and no '#'"
                )

    @classmethod
    def of(
        cls, game: Game, id: str, names: Sequence[str | None] = (), *, ended: bool | None = None
    ) -> Record:
        """The full record of a game.

        It has a result when the game is over, or as ``ended`` says: a game broken off, by a forfeit
        say, has ended unfinished.
        """
        ended = game.over if ended is None else ended
        return cls(
            id,
            game.rules,
            game.start,
            game.dealt,
            tuple(names) or (None,) * game.rules.players,
            game.events,
            game.score,
            ended,
            ended and (game.outcome is None or game.outcome.unfinished),
        )

    def game(self) -> Game:
        """The game, played again. Raises LiteratureError unless every hand is known."""
        hands = [hand for hand in self.hands if hand is not None]
        if len(hands) < len(self.hands):
            missing = " ".join(c.SEAT_NAMES[s] for s, hand in enumerate(self.hands) if hand is None)
            raise LiteratureError(
                f"game {self.id} cannot be played again without the hands of {missing}"
            )
        game = Game(self.rules, hands, self.start)
        for number, event in enumerate(self.events, start=1):
            if _again(game, event) != event:
                raise LiteratureError(f"event {number} of game {self.id} does not fit its hands")
        return game

    def position(self) -> Position:
        """What everyone at the table sees after the last event."""
        position = Position(self.rules, self.start)
        for event in self.events:
            position.follow(event)
        return position


def read_games(path: str | os.PathLike[str]) -> list[Record]:
    """The records in a file; ``-`` is the standard input.

    Raises `FileError` when it is no text file or holds no game, and `RecordError` for its first
    departure from the grammar or the rules.
    """
    name, text = text_of(path)
    records = read(text, name)
    if not records:
        raise FileError(f"{name} holds no game; a record starts with a line such as 'game 1'")
    return records


def text_of(path: str | os.PathLike[str]) -> tuple[str, str]:
    """The name and the text of a file; ``-`` is the standard input.

    Raises `FileError` when it is no text file.
    """
    name = os.fspath(path)
    try:
        if name == STANDARD_INPUT:
            name, data = "<stdin>", sys.stdin.buffer.read()
        else:
            data = Path(name).read_bytes()
    except OSError as error:
        raise FileError(f"cannot read {name}: {_reason(error)}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise FileError(f"{name}:{number}: this is not UTF-8; a record is a UTF-8 text") from None
    if "\0" in text:
        raise FileError(f"{name} is a binary file; a record is a UTF-8 text")
    return name, text


def write_games(records: Iterable[Record], path: str | os.PathLike[str]) -> None:
    """Write the records to a file. Raises `FileError` when that fails."""
    text = write(records)
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise FileError(f"cannot write {os.fspath(path)}: {_reason(error)}") from None


def choose(records: Sequence[Record], id: str | None, file: str) -> Record:
    """The record with this id, or the only one there is.

    Raises LiteratureError naming the ids when there is no such record, or more than one.
    """
    chosen = [record for record in records if id is None or record.id.casefold() == id.casefold()]
    if len(chosen) == 1:
        return chosen[0]
    known = [record.id for record in records]
    listed = " ".join(known[:20]) + (f" … ({len(known)} in all)" if len(known) > 20 else "")
    if id is None:
        raise LiteratureError(f"{file} holds several games; choose one of {listed}")
    if chosen:
        raise LiteratureError(f"{file} holds {len(chosen)} games {id}; give each its own id")
    raise LiteratureError(f"{file} holds no game {id}; it holds {listed}")


def write(records: Iterable[Record]) -> str:
    """The canonical text of the records."""
    return "".join(f"{text}\n" for record in records for text in _lines(record))


def read(text: str, file: str = "<text>") -> list[Record]:
    """The records in a text. Raises `RecordError` for the first line that is wrong."""
    reader = _Reader(file)
    for number, line_text in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        reader.take(number, line_text)
    return reader.finish()


def _lines(record: Record) -> Iterable[str]:
    yield f"game {record.id}"
    yield f"players {record.rules.players}"
    if words := record.rules.words():
        yield f"rules {words}"
    for seat, name in enumerate(record.names):
        if name is not None:
            yield f"seat {c.SEAT_NAMES[seat]} {name}"
    for seat, hand in enumerate(record.hands):
        if hand is not None:
            yield f"hand {c.SEAT_NAMES[seat]} {' '.join(c.CARD_NAMES[card] for card in hand)}"
    yield f"start {c.SEAT_NAMES[record.start]}"
    yield from map(line, record.events)
    if record.ended:
        a, b = record.score
        yield f"result {a}-{b}" + (" unfinished" if record.unfinished else "")


def _again(game: Game, event: Event) -> Event:
    """Do in the game what the event says was done."""
    match event:
        case Asked(asker, target, card):
            return game.apply(Ask(target, card), asker)
        case Claimed(claimant, half_suit, holders):
            return game.apply(Claim(half_suit, holders), claimant)
        case Passed(giver, to):
            return game.apply(Pass(to), giver)
        case TimedOut():
            return game.time_out()


def _is_plain(text: str) -> bool:
    """Whether a record can hold the text and a terminal can show it."""
    return text.isprintable() and "#" not in text


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


@dataclass(frozen=True, slots=True)
class _Statement:
    """One line: its number, its whole text, and its words without the comment."""

    number: int
    text: str
    words: list[str]


class _Reader:
    """Takes the lines of a file one by one."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.records: list[Record] = []
        self.game: _GameReader | None = None

    def take(self, number: int, text: str) -> None:
        words = text.split("#", 1)[0].split()
        if not words:
            return
        statement = _Statement(number, text, words)
        if words[0].lower() == "game":
            self.finish()
            self.game = _GameReader(self.file, statement)
        elif self.game is None:
            raise RecordError(
                self.file,
                number,
                text,
                "this stands before the first game",
                "start the record with a line such as 'game 1'",
            )
        else:
            self.game.take(statement)

    def finish(self) -> list[Record]:
        if self.game is not None:
            self.records.append(self.game.record())
            self.game = None
        return self.records


class _GameReader:
    """Takes the statements of one game and checks each against what stands above it."""

    def __init__(self, file: str, opening: _Statement) -> None:
        self.file = file
        self.at = opening
        """The statement being read, for the messages."""
        self._need_words(2, "game 17")
        self._need_plain(opening.words[1])
        self.opening = opening
        self.id = opening.words[1]
        self.heading: list[_Statement] = []
        self.position: Position | None = None
        self.consistency: Consistency
        self.hands: list[tuple[Card, ...] | None]
        self.names: list[str | None]
        self.lines: list[int] = []
        self.ended = False
        self.unfinished = False

    def take(self, statement: _Statement) -> None:
        self.at = statement
        word = statement.words[0].lower()
        if word not in _HEADINGS and word not in _EVENTS and word != "result":
            near = difflib.get_close_matches(word, _STATEMENTS, n=1)
            self._fail(
                f"{statement.words[0]!r} is no statement",
                f"did you mean {near[0]!r}?" if near else f"write one of {' '.join(_STATEMENTS)}",
            )
        if self.ended:
            self._fail("the game has its result already", "start the next game with a game line")
        if word in _HEADINGS:
            if self.position is not None:
                self._fail(
                    f"a {word} line stands after the first event",
                    "write it above the first event",
                )
            self.heading.append(statement)
            return
        position = self._begin()
        self.at = statement
        if word == "result":
            self._result(position)
        else:
            self._event(position, _EVENTS[word](self))

    def record(self) -> Record:
        self.at = self.opening
        position = self._begin()
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
        raise RecordError(self.file, self.at.number, self.at.text, what, cure)

    def _fail_as(self, error: LiteratureError) -> NoReturn:
        """Fail with a message of the form ``what: cure``."""
        what, _, cure = str(error).partition(": ")
        self._fail(what, cure or "correct this line")

    def _need_words(self, count: int, example: str) -> None:
        words = self.at.words
        if len(words) != count:
            short = len(words) < count
            self._fail(
                f"the line has too {'few' if short else 'many'} words",
                f"write it as in '{example}'",
            )

    def _need_plain(self, text: str) -> None:
        if not _is_plain(text):
            self._fail(f"{text!r} has characters that cannot be shown", "leave them out")

    def _begin(self) -> Position:
        """The position in which the first event happens, made when it comes."""
        if self.position is not None:
            return self.position
        noticed_at = self.at
        rules = self._rules()
        self.hands = [None] * rules.players
        self.names = [None] * rules.players
        start: Seat | None = None
        dealt: dict[Card, Seat] = {}
        for statement in self.heading:
            self.at = statement
            match statement.words[0].lower():
                case "seat":
                    self._seat_name(rules)
                case "hand":
                    self._hand(rules, dealt)
                case "start":
                    if start is not None:
                        self._fail("start stands twice", "leave one of the two lines out")
                    self._need_words(2, "start A1")
                    start = self._seat(rules, statement.words[1])
        self.at = noticed_at
        if start is None:
            self._fail(
                f"game {self.id} does not say who starts",
                "write a line such as 'start A1' above its first event",
            )
        self.position = Position(rules, start)
        self.consistency = Consistency(rules, self.hands)
        return self.position

    def _rules(self) -> RuleSet:
        players: int | None = None
        words: str | None = None
        rules = RuleSet()
        for statement in self.heading:
            self.at = statement
            match statement.words[0].lower():
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
                self._fail_as(error)
        return rules

    def _seat_name(self, rules: RuleSet) -> None:
        words = self.at.words
        if len(words) < 3:
            self._fail("the line has too few words", "write it as in 'seat A1 bayes'")
        seat = self._seat(rules, words[1])
        if self.names[seat] is not None:
            self._fail(f"seat {c.SEAT_NAMES[seat]} stands twice", "leave one of the two lines out")
        name = " ".join(words[2:])
        self._need_plain(name)
        self.names[seat] = name

    def _hand(self, rules: RuleSet, dealt: dict[Card, Seat]) -> None:
        words = self.at.words
        if len(words) < 2:
            self._fail("the line has too few words", "write it as in 'hand A1 2S 3S …'")
        seat = self._seat(rules, words[1])
        if self.hands[seat] is not None:
            self._fail(
                f"the hand of {c.SEAT_NAMES[seat]} stands twice", "leave one of the two lines out"
            )
        for word in words[2:]:
            card = self._card(rules, word)
            if card in dealt:
                self._fail(
                    f"{c.CARD_NAMES[card]} is in the hand of {c.SEAT_NAMES[dealt[card]]} already",
                    "name each card once",
                )
            dealt[card] = seat
        hand = tuple(sorted(card for card, holder in dealt.items() if holder == seat))
        if len(hand) != rules.hand_size:
            self._fail(
                f"the hand has {len(hand)} card{'s' * (len(hand) != 1)}",
                f"name the {rules.hand_size} cards that each of {rules.players} players is dealt",
            )
        self.hands[seat] = hand

    def _seat(self, rules: RuleSet, word: str) -> Seat:
        try:
            return c.parse_seat(word, rules.players)
        except UnknownNameError as error:
            self._fail_as(error)

    def _card(self, rules: RuleSet, word: str) -> Card:
        try:
            card = c.parse(word)
        except UnknownNameError as error:
            self._fail_as(error)
        if card >= rules.cards:
            self._fail(
                f"{c.CARD_NAMES[card]} is not in the deck of {rules.cards}",
                "the rule deck-54 adds the eights and the jokers",
            )
        return card

    def _event(self, position: Position, event: Event) -> None:
        broken = position.violation(event)
        # Hands that are known tell better than their sizes what is wrong with a verdict.
        if broken is None or broken.rule == "lost-more":
            contradiction = self.consistency.contradiction(event)
            if contradiction is None and broken is None:
                position.follow(event)
                contradiction = self.consistency.follow(event, position.hand_sizes)
            if contradiction is not None:
                self._cannot_be(event, *contradiction)
        if broken is not None:
            self._cannot_be(event, broken.what, broken.cure, broken.rule)
        self.lines.append(self.at.number)

    def _cannot_be(self, event: Event, what: str, cure: str, rule: str = "") -> NoReturn:
        at = self.at
        raise ImpossibleEventError(self.file, at.number, at.text, what, cure, event, rule)

    def _ask(self) -> Asked:
        self._need_words(5, "ask A1 B2 3D hit")
        rules = self._playing.rules
        _, asker, target, card, answer = self.at.words
        if answer.lower() not in _HITS:
            self._fail(f"{answer!r} is no answer", "write hit or miss")
        return Asked(
            self._seat(rules, asker),
            self._seat(rules, target),
            self._card(rules, card),
            _HITS[answer.lower()],
        )

    def _claim(self) -> Claimed:
        rules = self._playing.rules
        words = self.at.words
        lowered = [word.lower() for word in words]
        verdicts = [i for i, word in enumerate(lowered) if word in ("right", "wrong")]
        if len(verdicts) != 1:
            self._fail(
                f"the claim has {'no' if not verdicts else 'more than one'} verdict",
                "write right, or wrong and who held the cards, after the claim",
            )
        verdict = verdicts[0]
        if verdict < 3:
            self._fail("the line has too few words", f"write it as in '{_CLAIM_EXAMPLE}'")
        claimant = self._seat(rules, words[1])
        try:
            half_suit = c.parse_half_suit(words[2])
        except UnknownNameError as error:
            self._fail_as(error)
        if half_suit >= rules.half_suits:
            self._fail(
                f"{c.HALF_SUIT_NAMES[half_suit]} is not in the deck of {rules.cards}",
                "the rule deck-54 adds the eights and the jokers",
            )
        holders = self._layout(rules, half_suit, words[3:verdict])
        after = words[verdict + 1 :]
        if lowered[verdict] == "right":
            if after:
                self._fail("something follows right", "write nothing after it")
            return Claimed(claimant, half_suit, holders, True, holders)
        if rules.wrong_hides:
            lost = self._lost(rules, half_suit, after)
            return Claimed(claimant, half_suit, holders, False, None, lost)
        if not after:
            self._fail(
                "the wrong claim does not show who held the cards",
                "write them after wrong, as in 'wrong A1:9S B1:TS B3:JS,QS,KS,AS'",
            )
        shown = self._layout(rules, half_suit, after)
        if shown == holders:
            self._fail("the cards were where the claim says", "write right")
        return Claimed(claimant, half_suit, holders, False, shown)

    def _layout(self, rules: RuleSet, half_suit: int, words: Sequence[str]) -> tuple[Seat, ...]:
        """The holders of the six cards, said as in ``B1:2S,3S B2:4S …``."""
        holders: dict[Card, Seat] = {}
        said: set[Seat] = set()
        for word in words:
            seat_word, colon, cards = word.partition(":")
            if not colon or not cards:
                self._fail(f"{word!r} says nothing about cards", "write it as in 'B1:2S,3S'")
            seat = self._seat(rules, seat_word)
            if seat in said:
                self._fail(
                    f"{c.SEAT_NAMES[seat]} stands twice", "write each seat once, with all its cards"
                )
            said.add(seat)
            for name in cards.split(","):
                card = self._card(rules, name)
                if card not in c.cards_of(half_suit):
                    self._fail(
                        f"{c.CARD_NAMES[card]} is not in {c.HALF_SUIT_NAMES[half_suit]}",
                        f"its cards are {_names(c.cards_of(half_suit))}",
                    )
                if card in holders:
                    self._fail(f"{c.CARD_NAMES[card]} is named twice", "name each card once")
                holders[card] = seat
        missing = [card for card in c.cards_of(half_suit) if card not in holders]
        if missing:
            self._fail(
                f"the holder of {_names(missing)} is not said", "name one for each of the six cards"
            )
        return tuple(holders[card] for card in c.cards_of(half_suit))

    def _lost(self, rules: RuleSet, half_suit: int, words: Sequence[str]) -> tuple[int, ...]:
        """How many cards each seat lost, said as in ``A1:1 B1:1 B3:4``."""
        if not words:
            located = None if None in self.hands else self.consistency.lost(half_suit)
            if located is None:
                self._fail(
                    "without all hands the wrong claim must say how many cards each seat lost",
                    "write the counts after wrong, as in 'wrong A1:1 B1:1 B3:4'",
                )
            return located
        lost = [-1] * rules.players
        for word in words:
            seat_word, _, count = word.partition(":")
            if count not in tuple("0123456"):
                self._fail(
                    f"{word!r} is no count of cards, which is all that wrong-hides shows",
                    "write it as in 'B3:4'",
                )
            seat = self._seat(rules, seat_word)
            if lost[seat] >= 0:
                self._fail(f"{c.SEAT_NAMES[seat]} stands twice", "write each seat once")
            lost[seat] = int(count)
        return tuple(max(count, 0) for count in lost)

    def _pass(self) -> Passed:
        self._need_words(3, "pass B3 B1")
        rules = self._playing.rules
        return Passed(self._seat(rules, self.at.words[1]), self._seat(rules, self.at.words[2]))

    def _timeout(self) -> TimedOut:
        self._need_words(2, "timeout B1")
        return TimedOut(self._seat(self._playing.rules, self.at.words[1]))

    @property
    def _playing(self) -> Position:
        assert self.position is not None
        return self.position

    def _result(self, position: Position) -> None:
        words = [word.lower() for word in self.at.words]
        a, b = position.score
        outcome = position.outcome
        unfinished = outcome is None or outcome.unfinished
        cure = f"write result {a}-{b}" + (" unfinished" if unfinished else "")
        if len(words) not in (2, 3) or words[2:] not in ([], ["unfinished"]):
            self._fail("a result is a score and perhaps the word unfinished", cure)
        if words[1] != f"{a}-{b}":
            self._fail(f"the events give the score {a}-{b}, not {words[1]!r}", cure)
        if unfinished and len(words) == 2:
            ended = "max-events ended" if outcome is not None else "the rules had not ended"
            self._fail(f"{ended} the game", cure)
        if not unfinished and len(words) == 3:
            self._fail("the game is finished", cure)
        self.ended, self.unfinished = True, unfinished


_CLAIM_EXAMPLE = "claim B3 LS B1:2S,3S,4S B2:5S B3:6S,7S right"
_HEADINGS = ("players", "rules", "seat", "hand", "start")
_EVENTS: dict[str, Callable[[_GameReader], Event]] = {
    "ask": _GameReader._ask,
    "claim": _GameReader._claim,
    "pass": _GameReader._pass,
    "timeout": _GameReader._timeout,
}
_STATEMENTS = ("game", *_HEADINGS, *_EVENTS, "result")


def _names(cards: Iterable[Card]) -> str:
    return " ".join(c.CARD_NAMES[card] for card in cards)
