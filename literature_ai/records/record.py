"""`Record`: one game as it is written down, whole or in progress, with the hands that are known.

>>> from literature_ai.rules import RuleSet
>>> game = Game.deal(RuleSet(players=4), seed=1, start=0)
>>> record = Record.of(game, "17")
>>> record
<Record 17: 4 players, 4 hands, 0 events, 0-0, A1 is on turn>
>>> print(record)  # doctest: +ELLIPSIS
game 17
players 4
hand A1 ...
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from literature_ai.cards import SEAT_NAMES, Card, Seat
from literature_ai.errors import LiteratureError
from literature_ai.events import Event, TimedOut, action_of, actor_of
from literature_ai.game.game import Game
from literature_ai.game.position import Position
from literature_ai.records.notation import format_event
from literature_ai.rules import RuleSet
from literature_ai.wording import card_names

_IDS_NAMED = 20
"""Ids that the message about a game that is not there lists."""


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """The record of one game, from the deal to its last event.

    ``str()`` of it is its canonical text, without the line end of the last line.
    """

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

    def _repr_svg_(self) -> str:
        """The table after the last event, with the hands that are known, for notebooks."""
        from literature_ai import svg

        return svg.record(self)

    def __post_init__(self) -> None:
        """Raise LiteratureError for an id or a name that no line of a record can hold."""
        if self.id.split() != [self.id] or not is_plain(self.id):
            raise LiteratureError(f"{self.id!r} cannot be the id of a game; it must be one word")
        for name in self.names:
            if name is not None and (
                not name or name != " ".join(name.split()) or not is_plain(name)
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
            missing = " ".join(SEAT_NAMES[s] for s, hand in enumerate(self.hands) if hand is None)
            raise LiteratureError(
                f"game {self.id} cannot be played again without the hands of {missing}"
            )
        game = Game(self.rules, hands, self.start)
        for number, event in enumerate(self.events, start=1):
            if _repeated(game, event) != event:
                raise LiteratureError(f"event {number} of game {self.id} does not fit its hands")
        return game

    def position(self) -> Position:
        """What all players see after the last event."""
        position = Position(self.rules, self.start)
        for event in self.events:
            position.follow(event)
        return position

    def at(self, events: int) -> Record:
        """The record as it was after so many events, with the game in progress.

        Raises LiteratureError when there are not so many.
        """
        if events not in range(len(self.events) + 1):
            raise LiteratureError(
                f"there is no moment after {events} events: game {self.id} has {len(self.events)}"
            )
        lines = self.lines[:events]
        cut = replace(self, events=self.events[:events], ended=False, unfinished=False, lines=lines)
        return replace(cut, score=cut.position().score)

    def with_hands_of(self, seats: Container[Seat]) -> Record:
        """The record without the hands of all other seats."""
        hands = (hand if seat in seats else None for seat, hand in enumerate(self.hands))
        return replace(self, hands=tuple(hands))

    def __repr__(self) -> str:
        hands, events = sum(hand is not None for hand in self.hands), len(self.events)
        a, b = self.score
        turn = None if self.ended else self.position().turn
        end = "over" if turn is None else f"{SEAT_NAMES[turn]} is on turn"
        return (
            f"<Record {self.id}: {self.rules.players} players, {_number(hands, 'hand')},"
            f" {_number(events, 'event')}, {a}-{b}, {'broken off' if self.unfinished else end}>"
        )

    def __str__(self) -> str:
        return "\n".join(self._statements())

    def __copy__(self) -> Record:
        """The record itself, for nothing of it can change."""
        return self

    def __deepcopy__(self, memo: object) -> Record:
        """The record itself, for nothing of it can change."""
        return self

    def _statements(self) -> Iterator[str]:
        """The lines of the canonical text."""
        yield f"game {self.id}"
        yield f"players {self.rules.players}"
        if words := self.rules.words():
            yield f"rules {words}"
        for seat, name in enumerate(self.names):
            if name is not None:
                yield f"seat {SEAT_NAMES[seat]} {name}"
        for seat, hand in enumerate(self.hands):
            if hand is not None:
                yield f"hand {SEAT_NAMES[seat]} {card_names(hand, self.rules.card_names)}"
        yield f"start {SEAT_NAMES[self.start]}"
        for event in self.events:
            yield format_event(event, self.rules.card_names)
        if self.ended:
            a, b = self.score
            yield f"result {a}-{b}" + (" unfinished" if self.unfinished else "")


def choose(records: Iterable[Record], id: str | None, file: str) -> Record:
    """The record with this id, or the only one there is; of the others nothing is kept.

    Raises LiteratureError naming the ids when there is no such record, or more than one.
    """
    found: Record | None = None
    known: list[str] = []
    count = fitting = 0
    for record in records:
        count += 1
        if count <= _IDS_NAMED:
            known.append(record.id)
        if id is None or record.id.casefold() == id.casefold():
            fitting += 1
            found = record
    if found is not None and fitting == 1:
        return found
    listed = " ".join(known) + (f" … ({count} in all)" if count > len(known) else "")
    if id is None:
        raise LiteratureError(f"{file} holds several games; choose one of {listed}")
    if fitting:
        raise LiteratureError(f"{file} holds {fitting} games {id}; give each its own id")
    raise LiteratureError(f"{file} holds no game {id}; it holds {listed}")


def is_plain(text: str) -> bool:
    """Whether a record can hold the text and a terminal can show it."""
    return text.isprintable() and "#" not in text


def _repeated(game: Game, event: Event) -> Event:
    """Do in the game what the event says was done."""
    action = action_of(event)
    if isinstance(action, TimedOut):
        return game.time_out()
    return game.apply(action, actor_of(event))


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"
