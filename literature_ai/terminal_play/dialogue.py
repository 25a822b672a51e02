"""The conversation of `literature play`: shows what happens, and asks persons for their moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from literature_ai.cards import SEAT_NAMES, Seat
from literature_ai.cli.prompts import TooLate
from literature_ai.errors import LiteratureError
from literature_ai.events import Action, Claim, actor_of
from literature_ai.game.turns import Decision
from literature_ai.records.notation import (
    EVENT_WORDS,
    did_you_mean,
    half_suit_named,
    half_suit_of_deck,
    parse_action,
    starts_event,
)
from literature_ai.sessions.keeper import Keeper
from literature_ai.sessions.seats import Replacement
from literature_ai.sessions.table import Step, TableSession
from literature_ai.terminal_play import screen
from literature_ai.terminal_play.claiming import Cancelled, claim_by_card
from literature_ai.terminal_play.commands import ALIASES, COMMANDS, Leaving, Player
from literature_ai.terminal_play.completion import completions


class Face(Protocol):
    """The terminal, or what stands for it."""

    def say(self, text: str) -> None:
        """Show lines of text."""

    def ask(self, seat: Seat, prompt: str, seconds: float | None) -> str:
        """The line that the person of the seat types.

        Raises EOFError at the end of the input, KeyboardInterrupt, and `TooLate` after so many
        seconds, where it can.
        """

    def clear(self) -> None:
        """Let nothing of what was shown be seen any more."""

    def pause(self) -> None:
        """Let the reader read on."""


class Dialogue:
    """A table session at one terminal, with its file."""

    def __init__(self, session: TableSession, keeper: Keeper, face: Face) -> None:
        self.session = session
        self.keeper = keeper
        self.face = face
        self.refused = False
        """Whether a line was not taken."""
        self._said = ""
        """What was last said about the file."""
        self._choices: Sequence[str] | None = None
        """The answers to the question that is open, if it is not for a move."""
        self._viewer: Seat | None = session.persons[0] if len(session.persons) == 1 else None
        """Whose hand may be on the screen."""
        self._shown: tuple[Seat, int] | None = None
        """The seat and the number of events when a hand was last shown unasked."""
        self._waiting: set[Seat] = set()
        """The persons who want no offers before their next turn."""
        session.on_change = self._keep

    def play(self) -> None:
        """Play until the game is over.

        Raises `Leaving`, EOFError and KeyboardInterrupt when a person leaves; `TooLate` never.
        """
        session = self.session
        self._keep()
        self.face.say(screen.greeting(session))
        if session.events:
            self._tell_last(4)
        while not session.over:
            step = session.advance()
            if step is not None:
                self._tell(step)
            elif (decision := session.decision) is not None:
                self._decide(decision)
        self.face.say(screen.conclusion(session))

    def completions(self, line: str) -> list[str]:
        """The words that may end the line so far."""
        if self._choices is not None:
            begun = line.split(" ")[-1].lower()
            return [word for word in self._choices if word.lower().startswith(begun)]
        decision = self.session.decision
        if decision is None:
            return []
        return completions(self.session.view(decision.seat), line, list(COMMANDS))

    def _keep(self) -> None:
        """Save the session; say what is new about that."""
        said = self.keeper.keep(self.session.text)
        if said and said != self._said:
            self.face.say(said)
        self._said = said

    def _tell(self, step: Step) -> None:
        """Show what a bot, or somebody who had decided before, has done."""
        self._say(step)
        if not isinstance(step, Replacement) and actor_of(step) not in self.session.persons:
            self.face.pause()

    def _say(self, step: Step) -> None:
        number = len(self.session.events)
        self.face.say(screen.told(step, number, self.session.rules.card_names))

    def _tell_last(self, count: int) -> None:
        """Show the last events again."""
        first = max(len(self.session.events) - count, 0)
        for number, event in enumerate(self.session.events[first:], first + 1):
            self.face.say(screen.told(event, number, self.session.rules.card_names))

    def _decide(self, decision: Decision) -> None:
        """Ask for one line of the person who decides, and do what it says."""
        session, seat = self.session, decision.seat
        if seat not in session.persons:
            raise Leaving(f"Nobody sits at {SEAT_NAMES[seat]}, so the game waits.")
        if seat == session.view(seat).turn:
            self._waiting.discard(seat)
        elif seat in self._waiting:
            session.answer(seat, None)
            return
        try:
            self._hand_over(seat)
            self._show_hand(decision)
            self._enter(decision, self._line(seat, self._prompt(decision)))
        except TooLate:
            event = session.time_out()
            if session.decision != decision or event is not None:
                self.face.say("Too late.")
            if event is not None:
                self._say(event)

    def _hand_over(self, seat: Seat) -> None:
        """Give the screen to another person: nothing of the last one's hand is left on it."""
        if seat == self._viewer:
            return
        self.face.clear()
        self._shown = None
        self._question(f"{SEAT_NAMES[seat]}, press Enter when only you look> ", (), seat)
        self._viewer = seat
        self._tell_last(max(self.session.rules.players, 4))
        self.session.restart_clock()

    def _show_hand(self, decision: Decision) -> None:
        """Show a person their hand once a turn, and before an offer once an event."""
        now = decision.seat, len(self.session.events)
        if self._shown != now and (self._shown is None or self._on_turn(decision)):
            self.face.say(screen.status(self.session.view(decision.seat)))
            self._shown = now

    def _on_turn(self, decision: Decision) -> bool:
        return decision.seat == self.session.view(decision.seat).turn

    def _prompt(self, decision: Decision) -> str:
        number, name = len(self.session.events) + 1, SEAT_NAMES[decision.seat]
        if self._on_turn(decision):
            return f"{number} {name}> "
        return f"{number} {name} claim? (Enter: no)> "

    def _line(self, seat: Seat, prompt: str) -> str:
        return self.face.ask(seat, prompt, self.session.seconds_left).split("#", 1)[0].strip()

    def _question(self, prompt: str, choices: Sequence[str], seat: Seat) -> str:
        """The answer to a question that is not for a move."""
        self._choices = choices
        try:
            return self._line(seat, prompt)
        finally:
            self._choices = None

    def _enter(self, decision: Decision, line: str) -> None:
        """Do what the line says, or say why not."""
        seat, words = decision.seat, line.split()
        try:
            if not words:
                self._pass_over(decision)
                return
            word = ALIASES.get(words[0].lower(), words[0].lower())
            if word in COMMANDS:
                said = COMMANDS[word].run(self._player(seat), words[1:])
                if said:
                    self.face.say(said)
                return
            event = self.session.answer(seat, self._action(seat, line, words))
            if event is not None:
                self._say(event)
        except Cancelled:
            self.face.say("Nothing is claimed.")
        except LiteratureError as error:
            self.refused = True
            end = "" if str(error)[-1:] in ".?)" else "."
            self.face.say(f"Not taken: {error}{end}")

    def _pass_over(self, decision: Decision) -> None:
        """An empty line: no claim before the turn goes on, or a look at the hand."""
        if decision.off_turn:
            self.session.answer(decision.seat, None)
        else:
            self.face.say(screen.status(self.session.view(decision.seat)))

    def _player(self, seat: Seat) -> Player:
        def ask(prompt: str, choices: Sequence[str]) -> str:
            return self._question(prompt, choices, seat)

        return Player(self.session, self.keeper, seat, ask, self._waiting)

    def _action(self, seat: Seat, line: str, words: Sequence[str]) -> Action:
        """The action that the line says. Raises LiteratureError."""
        view, position = self.session.view(seat), self.session.record.position()
        if not starts_event(words[0]):
            otherwise = "write an ask as in 'b1 3d', or type help"
            near = did_you_mean(words[0], [*EVENT_WORDS, *COMMANDS], otherwise)
            raise LiteratureError(f"{words[0]!r} is no seat, no card and no command; {near}")
        if EVENT_WORDS.get(words[0].lower()) == "claim" and len(words) < 3:
            if len(words) == 2 and half_suit_named(words[1]) is None:
                half_suit_of_deck(words[1], view.rules)
            half_suit = half_suit_of_deck(words[1], view.rules) if len(words) == 2 else None
            # What is sure to be refused is so before the questions.
            probe = half_suit if half_suit is not None else next(iter(view.in_play))
            self.session.check(seat, Claim(probe, (seat,) * 6))
            ask: Callable[[str, Sequence[str]], str] = self._player(seat).ask
            return claim_by_card(view, half_suit, ask, self.face.say)
        who, action = parse_action(line, position, seat)
        if who != seat:
            raise LiteratureError(
                f"that would be an action of {SEAT_NAMES[who]};"
                f" {SEAT_NAMES[seat]} decides now"
                + ("" if view.turn == seat else ": claim, or press Enter")
            )
        return action
