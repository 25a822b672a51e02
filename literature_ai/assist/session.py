"""The session itself: a state, and what each line typed makes of it.

The state is immutable. A line gives the next state and a reply, or a refusal that says what to
change; a refused line leaves everything as it was. What `Session.text` returns is all of the state
in the form of a record: the lines of an unfinished entry (the set-up, or a change of earlier events
that is not through) stand below it as comments, and `Session.resumed` takes them up again.

>>> session = Session("kitchen")
>>> for line in ["4", "none", "a1", "2s 3s 4s 9s ts js 2h 3h 9h 2d 9d 2c", "a1"]:
...     reply = session.take(line)
>>> print(session.take("b1 5s n").text)
  1. A1 asks B1 for 5S: miss
  If the turn comes to you: 5S of B2 50.0 %, QS of B1 34.3 %, KS of B1 34.3 %
  B1 is on turn; A 0 - B 0.
>>> print(session.take("a1 4s n").text)
Not taken: event 2 cannot be true with your hand: did A1 really say no to 4S?
  (Yes would fit.)
A1 has 4S: A1 was dealt it; write hit, or correct what came before.
Type event 2 as it was, or correct first what was wrong before: hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from literature_ai.analysis.hints import knowledge_of, seat_to_advise
from literature_ai.assist import replies
from literature_ai.assist.checking import (
    Refused,
    first_misfit,
    with_events,
    with_line,
)
from literature_ai.assist.completion import words_of_game, words_of_setup
from literature_ai.assist.setup import Setup, cards_named, rules_of
from literature_ai.assist.shorthand import card_of, half_suit_of, spelled_out
from literature_ai.cards import (
    CARD_NAMES,
    HALF_SUIT_NAMES,
    SEAT_NAMES,
    HalfSuit,
    Seat,
    parse_half_suit,
    parse_seat,
)
from literature_ai.errors import FileError, LiteratureError
from literature_ai.events import Event
from literature_ai.records.lit import Record, choose, read, write
from literature_ai.records.notation import sentence

_UNFINISHED = "# An entry is not finished; literature assist takes it up again from these lines:"
_TYPED = "#> "


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a line: lines of 80 columns at most."""

    text: str
    ok: bool = True
    """Whether the line was taken; if not, nothing has changed."""


@dataclass(frozen=True, slots=True)
class _Change:
    """A change of earlier events under way: the next line is the event after those kept."""

    kept: tuple[Event, ...]
    rest: tuple[Event, ...]
    """What follows the event asked for, still to be held against it."""


@dataclass(frozen=True, slots=True)
class _State:
    setups: tuple[Setup, ...]
    """The set-up after each answer; the last one counts."""
    record: Record | None = None
    """The game, once it is set up."""
    seat: Seat = 0
    change: _Change | None = None
    typed: tuple[str, ...] = ()
    """The lines taken since the state was last a record and nothing else."""


_Step = tuple[_State, str]


class Session:
    """A game entered line by line."""

    def __init__(self, id: str = "1") -> None:
        """A session before its first question. ``id`` is that of the game in the record."""
        self._state = _State((Setup(id),))

    @classmethod
    def resumed(cls, text: str, file: str, seat: Seat | None = None) -> Session:
        """The session that a saved text is of; ``seat`` is needed if it has several hands.

        Raises `RecordError` when the text is wrong or fits no deal, `FileError` when there is no
        game in it, and LiteratureError when there are several, or several hands.
        """
        body, _, unfinished = text.partition(_UNFINISHED)
        lines = [line[len(_TYPED) :] for line in unfinished.split("\n") if line.startswith(_TYPED)]
        records = read(body, file)
        session = cls()
        if records:
            record = choose(records, None, file)
            own = seat_to_advise(record, seat, file)
            knowledge_of(record, own, file)
            session._state = _State((), _closed(record), own)
        elif lines:
            session = cls(lines.pop(0))
        else:
            raise FileError(f"{file} holds no game; a record starts with a line such as 'game 1'")
        for line in lines:
            session.take(line)
        return session

    @property
    def text(self) -> str:
        """The whole state as the text of a record."""
        state = self._state
        saved = "" if state.record is None else write([state.record])
        lines = state.typed if state.record else (state.setups[0].id, *state.typed)
        if not lines:
            return saved
        return "\n".join([f"{saved}{_UNFINISHED}", *(_TYPED + line for line in lines)]) + "\n"

    @property
    def is_finished(self) -> bool:
        """Whether no entry is unfinished."""
        return not self._state.typed and self._state.record is not None

    @property
    def prompt(self) -> str:
        """What to show before the next line is typed."""
        state = self._state
        if state.record is None:
            return state.setups[-1].prompt
        if state.change is not None:
            return f"event {len(state.change.kept) + 1} as it was> "
        turn = state.record.position().turn
        if turn is None or state.record.ended:
            return "game over> "
        you = " (you)" if turn == state.seat else ""
        return f"{len(state.record.events) + 1} {SEAT_NAMES[turn]}{you}> "

    def greeting(self) -> str:
        """What to say before the first line is typed."""
        state = self._state
        if state.record is None:
            return replies.wrapped(state.setups[-1].explanation())
        count = len(state.record.events)
        events = "1 event" if count == 1 else f"{count} events"
        lines = [f"Game {state.record.id}, you are {SEAT_NAMES[state.seat]}, {events}."]
        if count:
            lines.append(replies.log(state.record, 3))
        lines.append(self._asked_for(state) or replies.advice(state.record, state.seat))
        return replies.wrapped("\n".join(lines))

    def take(self, line: str) -> Reply:
        """Take a line: the next state, or, when it is refused, the same state as before."""
        typed = " ".join(line.split())
        line = typed.split("#", 1)[0].rstrip()
        if typed and not line:
            return Reply("")  # a comment
        try:
            state, text = self._step(line)
        except LiteratureError as error:
            text = f"Not taken: {error}"
            text += "" if text[-1] in ".?)" else "."
            return Reply(replies.wrapped(text), ok=False)
        self._state = state
        return Reply(replies.wrapped(text))

    def _step(self, line: str) -> _Step:
        state = self._state
        words = line.split()
        if state.record is None:
            return self._set_up(state, line, words)
        if not words:
            return state, "" if state.change is None else self._asked_for(state)
        word = _ALIASES.get(words[0].lower(), words[0].lower())
        command = COMMANDS.get(word)
        if command is None:
            return self._event(state, line)
        if state.change is not None and command.changes and word not in ("drop", "cancel"):
            raise Refused(f"an event is being changed. {self._asked_for(state)}")
        return command.run(self, state, words[1:])

    def _set_up(self, state: _State, line: str, words: Sequence[str]) -> _Step:
        setup = state.setups[-1]
        word = words[0].lower() if words else ""
        if word in ("help", "?", "h"):
            return state, f"{setup.explanation()}\nback goes back one answer, quit ends."
        if word in ("back", "undo", "u"):
            if len(state.setups) == 1:
                raise Refused("this is the first question")
            earlier = replace(state, setups=state.setups[:-1], typed=state.typed[:-1])
            return earlier, earlier.setups[-1].explanation()
        answered = setup.answered(line)
        if answered.question:
            again = answered.question == setup.question
            text = "" if again else answered.explanation()
            if again:
                cards = " ".join(CARD_NAMES[card] for card in answered.hand)
                text = f"So far: {cards}"
            typed = (*state.typed, line)
            return replace(state, setups=(*state.setups, answered), typed=typed), text
        assert answered.seat is not None
        record = answered.record()
        text = (
            f"Now one line an event, as in {_example(answered.seat, record)}; help tells more.\n"
            f"{replies.advice(record, answered.seat)}"
        )
        return _State((), record, answered.seat), text

    def _event(self, state: _State, line: str) -> _Step:
        assert state.record is not None
        change = state.change or _Change(state.record.events, ())
        if state.change is None and state.record.ended:
            raise Refused("the game is over; undo takes the last line back")
        before = with_events(state.record, change.kept)
        spelled = spelled_out(line, before.position(), COMMANDS)
        after = with_line(before, state.seat, spelled)
        if after.ended and change.rest:
            raise Refused("a result stands after the last event only")
        return self._fit(state, after, change.rest, line)

    def _fit(self, state: _State, start: Record, rest: tuple[Event, ...], line: str) -> _Step:
        """Let the rest follow on the start, which is known to be right."""
        assert state.record is not None
        count = len(start.events)
        changing = state.change is not None or bool(rest)
        whole = start if not rest else with_events(start, (*start.events, *rest))
        misfit = first_misfit(whole, state.seat) if rest else None
        if misfit is not None:
            kept, wrong = whole.events[: misfit.number - 1], whole.events[misfit.number - 1]
            change = _Change(kept, whole.events[misfit.number :])
            text = (
                f"Event {misfit.number} no longer fits ({sentence(wrong)}):\n{_capital(misfit.why)}"
            )
            then = replace(state, change=change, typed=(*state.typed, line))
            return then, f"{text}\n{self._asked_for(then)}"
        record = _closed(whole)
        lines = []
        if changing:
            lines = [f"Changed: {len(record.events)} events, and all of them fit."]
        elif start.ended:
            lines = ["Result noted."]
        else:
            lines = [f"{count:3}. {sentence(record.events[-1])}"]
        lines.append(replies.advice(record, state.seat))
        return _State((), record, state.seat), "\n".join(lines)

    def _asked_for(self, state: _State) -> str:
        """What the change under way waits for; empty when there is none."""
        if state.change is None:
            return ""
        number = len(state.change.kept) + 1
        drop = "drop to leave it out"
        if state.change.rest:
            drop += ", drop all to leave out what follows too"
        return f"Type event {number} as it was, {drop}, or cancel to leave everything as it is."

    def _help(self, state: _State, words: Sequence[str]) -> _Step:
        if words:
            word = _ALIASES.get(words[0].lower(), words[0].lower())
            if word not in COMMANDS:
                raise Refused(f"{words[0]!r} is no command; help alone lists them")
            return state, f"{COMMANDS[word].usage}: {COMMANDS[word].meaning}"
        width = max(len(command.usage) for command in COMMANDS.values())
        listed = (f"  {c.usage:{width}}  {c.meaning}" for c in COMMANDS.values())
        return state, "\n".join([_HELP, *listed])

    def _table(self, state: _State, words: Sequence[str]) -> _Step:
        record, seat = self._game(state)
        half_suits = [_half_suit(word, record) for word in words]
        return state, replies.table(record, seat, half_suits)

    def _asks(self, state: _State, words: Sequence[str]) -> _Step:
        return state, replies.asks(*self._game(state))

    def _claims(self, state: _State, words: Sequence[str]) -> _Step:
        return state, replies.claims(*self._game(state))

    def _deals(self, state: _State, words: Sequence[str]) -> _Step:
        return state, replies.deals(*self._game(state))

    def _show_state(self, state: _State, words: Sequence[str]) -> _Step:
        return state, replies.state(*self._game(state))

    def _log(self, state: _State, words: Sequence[str]) -> _Step:
        record, _ = self._game(state)
        if not words:
            return state, replies.log(record)
        return state, replies.log(record, _number(words, max(len(record.events), 1), "log 10"))

    def _why(self, state: _State, words: Sequence[str]) -> _Step:
        record, seat = self._game(state)
        if not 1 <= len(words) <= 2:
            raise Refused("say what you ask about, as in 'why 5s', 'why 5s b2' or 'why ls'")
        if half_suit_of(words[0]) is not None:
            if len(words) == 2:
                raise Refused("a half-suit stands alone, as in 'why ls'; a card may have a seat")
            return state, replies.why_half_suit(record, seat, _half_suit(words[0], record))
        if card_of(words[0]) is None:
            raise Refused(
                f"{words[0]!r} is no card and no half-suit; write it as in 'why 5s' or 'why ls'"
            )
        (card,) = cards_named([words[0]], record.rules)
        at = parse_seat(words[1], record.rules.players) if len(words) == 2 else None
        return state, replies.why_card(record, seat, card, at)

    def _undo(self, state: _State, words: Sequence[str]) -> _Step:
        record, seat = self._game(state)
        broken_off = record.ended and record.position().outcome is None
        steps = len(record.events) + broken_off
        if not steps:
            raise Refused("there is no event to take back; hand, start, rules and seat change more")
        number = _number(words, steps, "undo 2") if words else 1
        count = steps - number
        gone = [f"Took back {n}. {sentence(record.events[n - 1])}" for n in _down(record, count)]
        if broken_off:
            gone.insert(0, "Took back the result")
        shorter = _closed(with_events(record, record.events[:count]))
        text = "\n".join([*gone, replies.advice(shorter, seat)])
        return _State((), shorter, seat), text

    def _edit(self, state: _State, words: Sequence[str]) -> _Step:
        return self._change(state, words, "edit", skips=1)

    def _insert(self, state: _State, words: Sequence[str]) -> _Step:
        return self._change(state, words, "insert", skips=0)

    def _change(self, state: _State, words: Sequence[str], word: str, skips: int) -> _Step:
        """Ask for an event in the place of an earlier one, or before it."""
        record, _ = self._game(state)
        number = self._event_number(record, words, word)
        kept, rest = record.events[: number - 1], record.events[number - 1 + skips :]
        begun = replace(state, change=_Change(kept, rest), typed=(f"{word} {number}",))
        if len(words) > 1:
            line = " ".join(words[1:])
            if words[1].lower() in COMMANDS:
                raise Refused(f"{words[1]!r} is no event; write it as in '{word} 12 b2 3d y'")
            return self._event(begun, line)
        was = f"Event {number} is: {sentence(record.events[number - 1])}\n"
        return begun, was + self._asked_for(begun)

    def _delete(self, state: _State, words: Sequence[str]) -> _Step:
        record, _ = self._game(state)
        number = self._event_number(record, words, "delete")
        if len(words) > 1:
            raise Refused("one event is deleted at a time, as in 'delete 12'")
        rest = record.events[number:]
        change = _Change(record.events[: number - 1], rest)
        start = with_events(record, change.kept)
        return self._fit(replace(state, change=change), start, rest, f"delete {number}")

    def _event_number(self, record: Record, words: Sequence[str], word: str) -> int:
        if not record.events:
            raise Refused("there is no event yet")
        if not words:
            raise Refused(f"say which event, as in '{word} {len(record.events)}'; log lists them")
        return _number(words[:1], len(record.events), f"{word} {len(record.events)}")

    def _drop(self, state: _State, words: Sequence[str]) -> _Step:
        change = self._changing(state)
        record, _ = self._game(state)
        if words and words != ["all"]:
            raise Refused("write drop, or drop all")
        rest = () if words else change.rest
        return self._fit(state, with_events(record, change.kept), rest, " ".join(["drop", *words]))

    def _cancel(self, state: _State, words: Sequence[str]) -> _Step:
        self._changing(state)
        record, seat = self._game(state)
        return _State((), record, seat), f"Left as it was.\n{replies.advice(record, seat)}"

    def _changing(self, state: _State) -> _Change:
        if state.change is None:
            raise Refused("no event is being changed; 'edit 12' starts to change event 12")
        return state.change

    def _set_hand(self, state: _State, words: Sequence[str]) -> _Step:
        record, seat = self._game(state)
        hand = cards_named(list(words), record.rules)
        size = record.rules.hand_size
        if len(hand) != size:
            raise Refused(f"{_cards(len(hand))} named; name all {size}, as in 'hand 2s 10d ...'")
        hands = (*record.hands[:seat], hand, *record.hands[seat + 1 :])
        return self._set(state, replace(record, hands=hands), seat, "hand")

    def _set_seat(self, state: _State, words: Sequence[str]) -> _Step:
        record, seat = self._game(state)
        to = self._one_seat(record, words, "seat a2")
        hands = list(record.hands)
        hands[seat], hands[to] = hands[to], hands[seat]
        return self._set(state, replace(record, hands=tuple(hands)), to, "seat")

    def _set_start(self, state: _State, words: Sequence[str]) -> _Step:
        record, seat = self._game(state)
        start = self._one_seat(record, words, "start b1")
        return self._set(state, replace(record, start=start), seat, "first turn")

    def _set_rules(self, state: _State, words: Sequence[str]) -> _Step:
        record, seat = self._game(state)
        if not words:
            raise Refused("name all rules, as in 'rules pass-turn', or 'rules none'")
        rules = rules_of([w for word in words for w in word.split(",")], record.rules.players)
        return self._set(state, replace(record, rules=rules), seat, "rules")

    def _one_seat(self, record: Record, words: Sequence[str], example: str) -> Seat:
        if len(words) != 1:
            raise Refused(f"one seat is wanted, as in '{example}'")
        return parse_seat(words[0], record.rules.players)

    def _set(self, state: _State, record: Record, seat: Seat, what: str) -> _Step:
        """Put another heading above the same events."""
        record = with_events(record, record.events)
        misfit = first_misfit(record, seat)
        if misfit is not None and misfit.number:
            wrong = sentence(record.events[misfit.number - 1])
            what = f"with that {what} event {misfit.number} would not fit ({wrong})"
            raise Refused(f"{what}:\n{_capital(misfit.why)}")
        if misfit is not None:
            raise Refused(misfit.why)
        record = _closed(record)
        return _State((), record, seat), f"The {what} is changed.\n{replies.advice(record, seat)}"

    def _terminal(self, state: _State, words: Sequence[str]) -> _Step:
        raise Refused("only a session at a terminal or a pipe can do that")

    def _game(self, state: _State) -> tuple[Record, Seat]:
        assert state.record is not None
        return state.record, state.seat

    def completions(self, line: str) -> list[str]:
        """The words that may stand at the end of the line, whose last word is begun or empty."""
        *words, begun = line.split(" ")
        before = [word for word in words if word]
        state = self._state
        if state.record is None:
            offered = words_of_setup(state.setups[-1], before)
        else:
            kept = state.record.events if state.change is None else state.change.kept
            position = with_events(state.record, kept).position()
            offered = words_of_game(position, before, list(COMMANDS))
        return [word for word in offered if word.lower().startswith(begun.lower())]


def _closed(record: Record) -> Record:
    """The record as it is read, with its result when the rules have ended the game."""
    if record.ended:
        return record
    position = record.position()
    outcome = position.outcome
    ended = outcome is not None
    unfinished = outcome is not None and outcome.unfinished
    return replace(record, score=position.score, ended=ended, unfinished=unfinished, lines=())


def _down(record: Record, count: int) -> range:
    """The numbers of the events after the first ``count``, backwards."""
    return range(len(record.events), count, -1)


def _number(words: Sequence[str], most: int, example: str) -> int:
    if len(words) != 1 or not words[0].isdecimal() or not 1 <= int(words[0]) <= most:
        limit = "only 1 is possible" if most == 1 else f"a number from 1 to {most} is possible"
        raise Refused(f"{' '.join(words)!r} does not fit here; {limit}, as in '{example}'")
    return int(words[0])


def _half_suit(word: str, record: Record) -> HalfSuit:
    half_suit = parse_half_suit(word)
    if half_suit >= record.rules.half_suits:
        raise Refused(f"{HALF_SUIT_NAMES[half_suit]} is not in the deck of {record.rules.cards}")
    return half_suit


def _cards(number: int) -> str:
    return "1 card is" if number == 1 else f"{number} cards are"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:] + "." * (text[-1] not in ".?)")


def _example(seat: Seat, record: Record) -> str:
    return f"'{SEAT_NAMES[1 - seat % 2].lower()} 3d y'"


@dataclass(frozen=True, slots=True)
class _Command:
    usage: str
    meaning: str
    run: Callable[[Session, _State, Sequence[str]], _Step]
    changes: bool = False
    """Whether it changes the game, so that it must wait for the end of a change under way."""


COMMANDS: dict[str, _Command] = {
    "table": _Command("table [LS ...]", "where each card is, in percent", Session._table),
    "asks": _Command("asks", "all your asks, likeliest first", Session._asks),
    "claims": _Command("claims", "what your team may claim, likeliest first", Session._claims),
    "why": _Command("why 5S | 5S B2 | LS", "the events that prove it", Session._why),
    "deals": _Command("deals", "how many deals fit", Session._deals),
    "state": _Command("state", "everything about the game", Session._show_state),
    "log": _Command("log [N]", "the events with their numbers, or the last N", Session._log),
    "undo": _Command("undo [N]", "take back the last event, or the last N", Session._undo, True),
    "edit": _Command("edit 12", "enter event 12 again", Session._edit, True),
    "insert": _Command("insert 12", "enter an event forgotten before 12", Session._insert, True),
    "delete": _Command("delete 12", "leave event 12 out", Session._delete, True),
    "drop": _Command("drop [all]", "in a change: leave this event out", Session._drop, True),
    "cancel": _Command("cancel", "in a change: leave all as it was", Session._cancel, True),
    "hand": _Command("hand 2S ...", "enter your cards as dealt again", Session._set_hand, True),
    "seat": _Command("seat A2", "you sit elsewhere", Session._set_seat, True),
    "start": _Command("start B1", "somebody else had the first turn", Session._set_start, True),
    "rules": _Command("rules ...", "other house rules", Session._set_rules, True),
    "save": _Command("save FILE", "save a copy in another file", Session._terminal),
    "load": _Command("load FILE", "go on with another file", Session._terminal),
    "quit": _Command("quit", "end; everything is saved", Session._terminal),
    "help": _Command("help [WORD]", "this", Session._help),
}
"""The commands by name. The last but one are the terminal's, which sees them first."""

_ALIASES = {"h": "help", "?": "help", "t": "table", "w": "why", "u": "undo", "q": "quit"}

_HELP = """\
One line an event; what is clear can be left out, small letters will do:
  b2 3d y           the player on turn asks B2 for 3D: yes (n: no)
  a1 b2 3d n        the same with the asker
  c a1 ls a1:2,3 a2:4,5 a3:6,7 y     A1 claims low spades, right
  c a1 ls a1:2,3 a2 n a1:2 b1:3 a2   wrong; then who really held the cards
                    (a seat alone holds the rest; under wrong-hides: a1:2 b1:4,
                    how many cards each hand lost)
  p a2              the turn is passed to A2
  timeout           the player on turn ran out of time
  result 3-2 unfinished              the game is broken off
Lines as a .lit file has them are read too. Commands:"""
