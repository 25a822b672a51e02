"""A session: its state, and how each entered line changes it.

The state is immutable. A line gives the next state and a reply, or a refusal that says what to
change; a refused line leaves everything as it was. `Session.text` is all of the state in the form
of a record: the lines of an unfinished entry (the set-up, or a change of earlier events that is not
through) stand below it as comments, and `Session.resumed` enters them again.

>>> session = Session("kitchen")
>>> for line in ["4", "none", "a1", "2s 3s 4s 9s ts js 2h 3h 9h 2d 9d 2c", "a1"]:
...     reply = session.enter(line)
>>> print(session.enter("b1 5s n").text)
  1. A1 asks B1 for 5S: miss
  If the turn comes to you: 5S of B2 50.0 %, QS of B1 34.3 %, KS of B1 34.3 %
  B1 is on turn; A 0 - B 0.
>>> print(session.enter("a1 4s n").text)
Not taken: event 2 cannot be true with your hand: did A1 really say no to 4S?
  (Yes would fit.)
A1 has 4S: A1 was dealt it; write hit, or correct what came before.
Type event 2 as it was, or correct first what was wrong before: hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from literature_ai.assist import replies
from literature_ai.assist.changes import asked_for, enter_event
from literature_ai.assist.checking import LineError, with_events
from literature_ai.assist.commands import ALIASES, COMMANDS
from literature_ai.assist.completion import words_of_game, words_of_setup
from literature_ai.assist.setup import Setup
from literature_ai.assist.state import WIDTH, Change, State, Step, closed
from literature_ai.cards import SEAT_NAMES
from literature_ai.errors import FileError, LiteratureError
from literature_ai.inference.recorded import Viewpoint, seat_to_advise, viewpoint_of
from literature_ai.records.lit import read, write
from literature_ai.records.record import choose
from literature_ai.records.text import lines_of

_UNFINISHED = "# An entry is not finished; literature assist takes it up again from these lines:"
_TYPED = "#> "


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a line, in lines no longer than the `Session.width`."""

    text: str
    ok: bool = True
    """Whether the line was accepted; if not, nothing has changed."""
    doubted: tuple[int, ...] = ()
    """The earlier events that may be wrong where a line was refused; 0 is the own hand."""


class Session:
    """A game entered line by line."""

    def __init__(self, id: str = "1") -> None:
        """A session before its first question. ``id`` is that of the game in the record."""
        self._state = State((Setup(id),))
        self.width = WIDTH
        """The columns that a reply may take."""

    @classmethod
    def resumed(cls, text: str, file: str, seat: str | None = None) -> Session:
        """The session that a saved text is of; ``seat`` names yours if it has several hands.

        Raises `RecordError` when the text is wrong or fits no deal, `FileError` when there is no
        game in it, and LiteratureError when there are several, or several hands.
        """
        text = "\n".join(line for _, line in lines_of(text))
        body, _, unfinished = text.partition(_UNFINISHED)
        lines = [line[len(_TYPED) :] for line in unfinished.split("\n") if line.startswith(_TYPED)]
        records = read(body, file)
        session = cls()
        if records:
            record = choose(records, None, file)
            viewpoint = viewpoint_of(record, seat_to_advise(record, seat, file), file)
            session._state = State(viewpoint=closed(viewpoint))
        elif lines:
            session = cls(lines.pop(0))
        else:
            raise FileError(f"{file} holds no game; a record starts with a line such as 'game 1'")
        for line in lines:
            session.enter(line)
        return session

    def with_own_hand(self) -> Session:
        """The same session without the hands of others that its record may have."""
        session, viewpoint = Session(), self._state.viewpoint
        session._state, session.width = self._state, self.width
        if viewpoint is not None:
            own = replace(viewpoint, record=viewpoint.record.with_hands_of((viewpoint.seat,)))
            session._state = replace(self._state, viewpoint=own)
        return session

    @property
    def text(self) -> str:
        """The whole state as the text of a record."""
        state = self._state
        if state.viewpoint is None:
            saved, lines = "", (state.setups[0].id, *state.typed)
        else:
            saved, lines = write([state.viewpoint.record]), state.typed
        if not lines:
            return saved
        return "\n".join([f"{saved}{_UNFINISHED}", *(_TYPED + line for line in lines)]) + "\n"

    @property
    def is_finished(self) -> bool:
        """Whether no entry is unfinished."""
        return not self._state.typed and self._state.viewpoint is not None

    @property
    def prompt(self) -> str:
        """What to show before the next line is typed."""
        state = self._state
        if state.viewpoint is None:
            return state.setups[-1].prompt
        if state.change is not None:
            return f"event {len(state.change.kept) + 1} as it was> "
        record = state.viewpoint.record
        turn = record.position().turn
        if turn is None or record.ended:
            return "game over> "
        you = " (you)" if turn == state.viewpoint.seat else ""
        return f"{len(record.events) + 1} {SEAT_NAMES[turn]}{you}> "

    @property
    def setup(self) -> Setup | None:
        """The answers about the set-up so far; None once the game is set up."""
        return None if self._state.viewpoint is not None else self._state.setups[-1]

    @property
    def entered(self) -> Viewpoint | None:
        """The game as it is saved, also while an event is being changed."""
        return self._state.viewpoint

    @property
    def change(self) -> Change | None:
        """The change of earlier events that is under way."""
        return self._state.change

    @property
    def asked_for(self) -> str:
        """What to do about a change that is under way, in a sentence; empty when there is none."""
        return "" if self._state.viewpoint is None else asked_for(self._state)

    @property
    def viewpoint(self) -> Viewpoint | None:
        """The game as the player sees it; None until it is set up, and while an event is being
        changed."""
        return None if self._state.change is not None else self._state.viewpoint

    def greeting(self) -> str:
        """What to say before the first line is typed."""
        state = self._state
        if state.viewpoint is None:
            return replies.wrapped(state.setups[-1].explanation(), self.width)
        record = state.viewpoint.record
        count = len(record.events)
        events = "1 event" if count == 1 else f"{count} events"
        lines = [f"Game {record.id}, you are {SEAT_NAMES[state.viewpoint.seat]}, {events}."]
        if count:
            lines.append(replies.log(record, 3))
        lines.append(asked_for(state) or replies.advice(state.viewpoint))
        return replies.wrapped("\n".join(lines), self.width)

    def enter(self, line: str) -> Reply:
        """Enter a line: the next state, or, when it is refused, the same state as before."""
        typed = " ".join(line.split())
        line = typed.split("#", 1)[0].rstrip()
        if typed and not line:
            return Reply("")  # a comment
        try:
            state, text = _step(replace(self._state, width=self.width), line)
        except LiteratureError as error:
            text = f"Not taken: {error}"
            text += "" if text[-1] in ".?)" else "."
            doubted = error.doubted if isinstance(error, LineError) else ()
            return Reply(replies.wrapped(text, self.width), False, doubted)
        self._state = state
        return Reply(replies.wrapped(text, self.width))

    def completions(self, line: str) -> list[str]:
        """The words that may stand at the end of the line, whose last word is begun or empty."""
        *words, begun = line.split(" ")
        before = [word for word in words if word]
        state = self._state
        if state.viewpoint is None:
            offered = words_of_setup(state.setups[-1], before)
        else:
            record = state.viewpoint.record
            kept = record.events if state.change is None else state.change.kept
            position = with_events(record, kept).position()
            offered = words_of_game(position, before, list(COMMANDS))
        return [word for word in offered if word.lower().startswith(begun.lower())]


def _step(state: State, line: str) -> Step:
    words = line.split()
    if state.viewpoint is None:
        return _set_up(state, line, words)
    if not words:
        return state, asked_for(state)
    word = ALIASES.get(words[0].lower(), words[0].lower())
    command = COMMANDS.get(word)
    if command is None:
        return enter_event(state, line, COMMANDS)
    if state.change is not None and command.changes and word not in ("drop", "cancel"):
        raise LineError(f"an event is being changed. {asked_for(state)}")
    return command.run(state, words[1:])


def _set_up(state: State, line: str, words: Sequence[str]) -> Step:
    """Answer the next question of the set-up."""
    setup = state.setups[-1]
    word = words[0].lower() if words else ""
    if word in ("help", "?", "h"):
        return state, f"{setup.explanation()}\nback goes back one answer, quit ends."
    if word in ("back", "undo", "u"):
        if len(state.setups) == 1:
            raise LineError("this is the first question")
        earlier = replace(state, setups=state.setups[:-1], typed=state.typed[:-1])
        return earlier, earlier.setups[-1].explanation()
    answered = setup.answered(line)
    if answered.question:
        text = answered.explanation()
        if answered.question == setup.question:
            text = f"So far: {answered.hand_text()}"
        typed = (*state.typed, line)
        return replace(state, setups=(*state.setups, answered), typed=typed), text
    assert answered.seat is not None
    viewpoint = Viewpoint.of(answered.record(), answered.seat)
    example = f"'{SEAT_NAMES[1 - answered.seat % 2].lower()} 3d y'"
    text = f"Now one line an event, as in {example}; help tells more."
    return State(viewpoint=viewpoint), f"{text}\n{replies.advice(viewpoint)}"
