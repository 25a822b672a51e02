"""A table: a game between persons and bots, from the deal to its end or to a resignation.

A `TableSession` knows who sits where and drives the game by `literature_ai.game.turns`. A face, a
terminal or a page, calls `advance` until it returns None: each call lets the bots do one thing.
Then the game is over, or a person decides, and the face calls `answer`. After every change
`on_change` is called, and `text` is all of the session as the text of a record;
`TableSession.resumed` goes on from it, and nothing differs from a session that was never broken
off.

>>> from literature_ai.events import Ask
>>> from literature_ai.rules import RuleSet
>>> from literature_ai.sessions.seats import Bot, Person
>>> seats = [Person(), *[Bot("random")] * 3]
>>> session = TableSession("1", RuleSet(players=4), seats, seed=2)
>>> while session.advance() is not None:
...     pass
>>> session.decision
Decision(seat=0, off_turn=False)
>>> event = session.answer(0, session.view(0).legal_asks[0])
>>> event.asker, TableSession.resumed(session.text, "table.lit").text == session.text
(0, True)
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from literature_ai.cards import SEAT_NAMES, Seat, Team, team_of
from literature_ai.errors import IllegalActionError, LiteratureError
from literature_ai.events import Action, Claim, Event, TimedOut, actor_of
from literature_ai.game.game import Game
from literature_ai.game.position import Outcome
from literature_ai.game.turns import Answer, Decision, Turns
from literature_ai.game.view import View
from literature_ai.records.record import Record
from literature_ai.rules import RuleSet
from literature_ai.sessions import saved, seen
from literature_ai.sessions.bots import SeatedBots, detail_of, kind_of, substitute_for
from literature_ai.sessions.seats import Bot, Occupant, Person, Replacement, name_of
from solver.errors import is_interrupt

Step: TypeAlias = Event | Replacement
"""What the bots do in one call of `TableSession.advance`."""


class TableSession:
    """A game at a table, with all its hands; `seen_by` is what a viewer may see of it."""

    def __init__(
        self,
        id: str,
        rules: RuleSet,
        occupants: Sequence[Occupant],
        *,
        seed: int,
        coach: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Deal a game with this id. ``occupants`` sit at the seats in their order.

        All random numbers come from the ``seed``. ``coach``: hints may be given, and a person may
        take actions back. ``clock`` gives seconds, for timed games.

        Raises LiteratureError unless there is one occupant a seat and the seed is not negative.
        """
        if len(occupants) != rules.players:
            raise LiteratureError(f"{len(occupants)} occupants for {rules.players} seats")
        if seed < 0:
            raise LiteratureError(f"the seed {seed} is negative; it must be 0 or more")
        self.id = id
        self.seed = seed
        self.coach = coach
        self.occupants = list(occupants)
        """Who sits at each seat."""
        self.replacements: list[Replacement] = []
        """The bots that failed, in order."""
        self.resigned: Seat | None = None
        """The person who gave the game up for their team."""
        self.on_change: Callable[[], None] = lambda: None
        """Called after every change, before anybody can see it: to save `text`."""
        self._turns = Turns(Game.deal(rules, seed=seed))
        self._declined = 0
        """The number of offers declined since the last event."""
        self._intended: Action | None = None
        """What the person on turn will do when nobody claims before."""
        self._asked_at: float | None = None
        """When the decision that a person has to make was put to them."""
        self._bots = SeatedBots(seed)
        self._clock = clock

    @classmethod
    def resumed(
        cls,
        text: str,
        file: str,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> TableSession:
        """The session that a saved text is of. The time of a decision begins anew.

        Raises `RecordError` when its record is wrong, and `FileError` when it is not the text of a
        session, or its parts contradict each other. ``file`` is the name for these messages.
        """
        kept = saved.parse(text, file)
        record = kept.record
        session = cls(
            record.id,
            record.rules,
            kept.occupants,
            seed=kept.seed,
            coach=kept.coach,
            clock=clock,
        )
        session.replacements = list(kept.replacements)
        session.resigned = kept.resigned
        session._turns = Turns(record.game())
        for _ in range(kept.declined):
            if session._turns.decision is None or not session._turns.decision.off_turn:
                raise saved.contradiction(file, f"{kept.declined} offers cannot be declined")
            session._turns.answer(None)
        session._declined = kept.declined
        session._intended = kept.intended
        return session

    @property
    def text(self) -> str:
        """The whole session as the text of a record, with a comment above it."""
        return saved.write(
            saved.Saved(
                self.record,
                self.seed,
                tuple(self.occupants),
                self.coach,
                tuple(self.replacements),
                self.resigned,
                self._declined,
                self._intended,
            )
        )

    @property
    def record(self) -> Record:
        """The record of the game, with every hand; a game that was resigned has ended."""
        names = [name_of(occupant) for occupant in self.occupants]
        return Record.of(self._game, self.id, names, ended=self.over)

    def record_for(self, viewer: seen.Viewer) -> Record:
        """The record with the hands that the viewer may see. Raises as `seen_by` does."""
        seats = seen.hands_open_to(viewer, self.rules.players, over=self.over)
        return self.record.with_hands_of(seats)

    @property
    def rules(self) -> RuleSet:
        return self._game.rules

    @property
    def events(self) -> tuple[Event, ...]:
        return self._game.events

    @property
    def over(self) -> bool:
        return self._game.over or self.resigned is not None

    @property
    def outcome(self) -> Outcome | None:
        """How the rules ended the game; None until they have, and of a game that was resigned."""
        return self._game.outcome

    @property
    def winner(self) -> Team | None:
        """The team that has won, by the score or because the other one resigned; None for a draw,
        and as long as the game goes on."""
        if self.resigned is not None:
            return 1 - team_of(self.resigned)
        return None if self.outcome is None else self.outcome.winner

    @property
    def persons(self) -> tuple[Seat, ...]:
        """The seats of persons."""
        return tuple(s for s, occupant in enumerate(self.occupants) if isinstance(occupant, Person))

    @property
    def decision(self) -> Decision | None:
        """The decision that the game waits for; None when it is over."""
        return None if self.over else self._turns.decision

    @property
    def seconds_left(self) -> float | None:
        """The time that the person who decides still has; None when it is not limited."""
        limit = self.rules.turn_seconds
        if limit is None or self._asked_at is None:
            return None
        return limit - (self._clock() - self._asked_at)

    def view(self, seat: Seat) -> View:
        """The view of the seat now."""
        return self._game.view(seat)

    def seen_by(self, viewer: seen.Viewer) -> dict[str, Any]:
        """All that the viewer may see, in plain JSON types; `literature_ai.sessions.seen` says
        what it is.

        Raises LiteratureError when there is no such viewer, or it is everyone and the game is not
        over.
        """
        return seen.seen_by(self, self._game, viewer)

    def advance(self) -> Step | None:
        """Let the bots do one thing: its event, or the replacement of a bot that failed.

        None when the game is over, or waits for a person (whose time begins) or for a seat where
        nobody sits.
        """
        declined = self._declined
        while (decision := self.decision) is not None:
            if self._intended is not None and not decision.off_turn:
                return self._apply(self._intended)
            occupant = self.occupants[decision.seat]
            if not isinstance(occupant, Bot):
                if self._asked_at is None:
                    self._asked_at = self._clock()
                if self._declined != declined:
                    self.on_change()
                return None
            step = self._decided(occupant, decision)
            if step is not None:
                return step
        return None

    def answer(self, seat: Seat, action: Action | None) -> Event | None:
        """Apply what the person of the seat decides; the event, or None when there is none yet.

        None declines an offer to claim. The person on turn may answer their offer with their ask or
        pass: it is made when nobody claims before. An answer that comes too late is a timeout.

        Raises `IllegalActionError`, and changes nothing, when the rules forbid the action or the
        seat has nothing to decide.
        """
        decision = self._decision_of(seat)
        if self._is_late():
            return self._apply(TimedOut(seat))
        if decision.off_turn and action is not None and not isinstance(action, Claim):
            if seat != self._game.turn:
                raise IllegalActionError(
                    "turn",
                    f"{SEAT_NAMES[seat]} is not on turn and may only claim;"
                    f" it is the turn of {SEAT_NAMES[self._game.turn or 0]}",
                )
            self.check(seat, action)
            self._intended = action
            return self._apply(None)
        return self._apply(action)

    def check(self, seat: Seat, action: Action) -> None:
        """Raise `IllegalActionError` if the rules forbid the seat this action now."""
        copy.copy(self._game).apply(action, seat)

    def time_out(self) -> Event | None:
        """Let the person who decides lose the turn, or the offer, if their time is over.

        None when it is not over, or there was an offer only.
        """
        decision = self.decision
        if decision is None or not self._is_late():
            return None
        return self._apply(TimedOut(decision.seat))

    def restart_clock(self) -> None:
        """Let the time of the decision begin now, for a face that could not show it before."""
        if self._asked_at is not None:
            self._asked_at = self._clock()

    def resign(self, seat: Seat) -> None:
        """Give the game up for the team of the person.

        Raises LiteratureError when the game is over or no person sits there.
        """
        self._need_person(seat)
        if self.over:
            raise LiteratureError("the game is over; nothing is left to be given up")
        self.resigned, self._intended = seat, None
        self.on_change()

    def undo(self, seat: Seat) -> tuple[Event, ...]:
        """Go back to before the person's last action (or timeout); the events taken back.

        Raises LiteratureError when the coach is off, no person sits there, or they have done
        nothing yet.
        """
        self._need_person(seat)
        if not self.coach:
            raise LiteratureError("only with the coach may an action be taken back")
        if self.resigned is not None:
            self.resigned = None
            self.on_change()
            return ()
        events = self.events
        mine = [number for number, event in enumerate(events) if actor_of(event) == seat]
        if not mine:
            raise LiteratureError(f"{SEAT_NAMES[seat]} has done nothing yet")
        kept = replace(self.record, events=events[: mine[-1]], ended=False, unfinished=False)
        self._turns = Turns(kept.game())
        self._forget_round()
        self.on_change()
        return events[mine[-1] :]

    def set_coach(self, on: bool) -> None:
        """Switch the coach on or off."""
        self.coach = on
        self.on_change()

    def sit(self, seat: Seat, occupant: Occupant) -> None:
        """Let somebody else, or nobody, sit at the seat from now on.

        Raises `UnknownNameError` for no seat.
        """
        self._need_seat(seat)
        self._bots.dismiss(seat)
        self.occupants[seat] = occupant
        decision = self.decision
        if decision is not None and decision.seat == seat:
            self._asked_at, self._intended = None, None
        self.on_change()

    def close(self) -> None:
        """End the programs of bots."""
        self._bots.close()

    @property
    def _game(self) -> Game:
        return self._turns.game

    def _decision_of(self, seat: Seat) -> Decision:
        """The decision, if it is that of the person at the seat. Raises `IllegalActionError`."""
        decision = self.decision
        if decision is None:
            raise IllegalActionError("end", f"the game is over; {self._game_over()}")
        if decision.seat != seat:
            name, other = (SEAT_NAMES[s] for s in (seat, decision.seat))
            raise IllegalActionError("turn", f"{name} has nothing to decide; {other} decides now")
        if not isinstance(self.occupants[seat], Person):
            raise IllegalActionError("turn", f"no person sits at {SEAT_NAMES[seat]}; wait for them")
        return decision

    def _game_over(self) -> str:
        if self.resigned is not None:
            return f"{SEAT_NAMES[self.resigned]} has resigned"
        return self._game.nothing_follows().cure

    def _decided(self, bot: Bot, decision: Decision) -> Step | None:
        """What the bot does with its decision; None when it declines an offer."""
        began, limit = self._clock(), self.rules.turn_seconds
        try:
            answer: Answer = self._bots.decide(bot.spec, decision, self._game)
            if limit is not None and self._clock() - began > limit:
                answer = TimedOut(decision.seat)
            event = self._turns.answer(answer)
        except (Exception, SystemExit) as error:
            if is_interrupt(error):
                raise KeyboardInterrupt from error
            return self._replaced(bot, decision.seat, error)
        self._count(event)
        if event is not None:
            self.on_change()
        return event

    def _replaced(self, bot: Bot, seat: Seat, error: BaseException) -> Replacement:
        """Let another bot sit there for one that failed; raise the error if there is none left."""
        by = substitute_for(bot.spec)
        if by is None:
            raise error
        replacement = Replacement(
            seat, len(self.events), bot.spec, by, kind_of(error), detail_of(error)
        )
        self._bots.dismiss(seat)
        self.occupants[seat] = Bot(by)
        self.replacements.append(replacement)
        self.on_change()
        return replacement

    def _apply(self, answer: Answer) -> Event | None:
        """Apply a person's answer. Raises `IllegalActionError`, and changes nothing."""
        event = self._turns.answer(answer)
        self._count(event)
        self.on_change()
        return event

    def _count(self, event: Event | None) -> None:
        """Count an offer that was declined, or begin a new round after an event."""
        self._asked_at = None
        if event is None:
            self._declined += 1
        else:
            self._forget_round()

    def _forget_round(self) -> None:
        """Forget what belonged to the offers since the last event."""
        self._declined, self._intended, self._asked_at = 0, None, None

    def _is_late(self) -> bool:
        left = self.seconds_left
        return left is not None and left < 0

    def _need_seat(self, seat: Seat) -> None:
        seen.need_seat(seat, self.rules.players)

    def _need_person(self, seat: Seat) -> None:
        self._need_seat(seat)
        if not isinstance(self.occupants[seat], Person):
            raise LiteratureError(f"no person sits at {SEAT_NAMES[seat]}")
