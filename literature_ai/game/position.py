"""What everyone can see of a game: whose turn it is, hand sizes, score, events, outcome.

A `Position` needs no hands; it follows the events of a game that is played elsewhere.

>>> from literature_ai.events import Asked
>>> from literature_ai.rules import RuleSet
>>> position = Position(RuleSet(), start=0)
>>> position.follow(Asked(0, 1, 3, hit=False))
>>> position.turn
1
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from literature_ai.cards import Card, HalfSuit, Seat, Team, cards_of
from literature_ai.errors import DealError, IllegalActionError, shown
from literature_ai.events import (
    Action,
    Ask,
    Asked,
    Claim,
    Claimed,
    Event,
    Pass,
    Passed,
    TimedOut,
)
from literature_ai.game import state as st
from literature_ai.game.asks import NO_ASKS, LegalAsks
from literature_ai.game.masks import Hand, cards_in, half_suits_in, mask_of
from literature_ai.game.text import game_line, game_text, score_text, size_text
from literature_ai.game.view import View
from literature_ai.game.violations import Violation, in_words
from literature_ai.rules import RuleSet

_OPPONENTS = {
    players: tuple(tuple(range(1 - seat % 2, players, 2)) for seat in range(players))
    for players in (4, 6, 8)
}
"""By number of players and seat: the seats of the other team."""


class Termination(enum.Enum):
    """Why a game is over."""

    MAJORITY = st.BY_MAJORITY
    ALL_CLAIMED = st.BY_LAST_CLAIM
    MAX_EVENTS = st.BY_MAX_EVENTS


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    score: tuple[int, int]
    """Half-suits of team A and of team B."""
    winner: Team | None
    """The team with the higher score; None for a draw."""
    termination: Termination

    @property
    def unfinished(self) -> bool:
        """Whether the cap on events ended the game, which is scored as it stood."""
        return self.termination is Termination.MAX_EVENTS

    def __str__(self) -> str:
        """Score and termination: ``A 5 - B 2, majority``."""
        return f"{score_text(self.score)}, {self.termination.name.lower().replace('_', ' ')}"


class PublicGame:
    """The public part of a game so far: what `Position` and `Game` have in common."""

    __slots__ = ("_events", "_seen", "_state", "rules", "start")

    def __init__(self, rules: RuleSet, start: Seat) -> None:
        if start not in range(rules.players):
            raise DealError(
                f"no seat {shown(start)} can start: the seats are 0 to {rules.players - 1}"
            )
        self.rules = rules
        self.start = int(start)
        self._state = st.new_state(rules, self.start)
        self._events: list[Event] = []
        self._seen: tuple[Event, ...] = ()

    def __copy__(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.rules, twin.start = self.rules, self.start
        twin._state = self._state.copy()
        twin._events, twin._seen = self._events.copy(), self._seen
        return twin

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {game_line(self)}>"

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # Rules and events are immutable, so that a copy can share them.
        return self.__copy__()

    @property
    def events(self) -> tuple[Event, ...]:
        """The events so far; event number ``n`` is ``events[n - 1]``."""
        if len(self._seen) != len(self._events):
            self._seen = tuple(self._events)
        return self._seen

    @property
    def state(self) -> Sequence[int]:
        """The public state as ints (`literature_ai.game.state`), to be read only."""
        return self._state

    @property
    def over(self) -> bool:
        return self._state[st.ENDED_BY] != 0

    @property
    def turn(self) -> Seat | None:
        """The seat on turn; None when the game is over."""
        state = self._state
        return None if state[st.ENDED_BY] else state[st.TURN]

    @property
    def score(self) -> tuple[int, int]:
        """Half-suits of team A and of team B."""
        return self._state[st.SCORE], self._state[st.SCORE + 1]

    @property
    def in_play(self) -> tuple[HalfSuit, ...]:
        """The half-suits that have not been claimed."""
        return half_suits_in(self._state[st.IN_PLAY])

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Cards in each hand now."""
        return tuple(self._state[st.HAND_SIZES : st.HAND_SIZES + self.rules.players])

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None until it has."""
        if not self.over:
            return None
        a, b = self.score
        winner = None if a == b else int(b > a)
        return Outcome((a, b), winner, Termination(self._state[st.ENDED_BY]))

    def nothing_follows(self) -> Violation:
        """The rule that any event after the end breaks."""
        return in_words(self._state, st.GAME_OVER, self.rules.card_names)

    def may_claim(self, seat: Seat) -> bool:
        """Whether the seat may claim right now, on or off turn."""
        return st.may_claim(self._state, seat)

    def legal_passes(self) -> tuple[Seat, ...]:
        """The seats to which the seat on turn may pass: teammates, or opponents when it must name
        one (``choose-claimant``)."""
        state = self._state
        if not st.may_pass(state):
            return ()
        seat, seats = state[st.TURN], range(state[st.PLAYERS])
        return tuple([to for to in seats if st.check_pass(state, seat, to) == st.OK])

    def _stranger(self, holders: Sequence[Seat]) -> int:
        """The first holder who is no seat of the game; -1 when all are."""
        return next((seat for seat in holders if seat not in range(self.rules.players)), -1)

    def _asks_of(self, seat: Seat, hand: Hand) -> LegalAsks:
        state = self._state
        first, players = st.HAND_SIZES, state[st.PLAYERS]
        targets = _OPPONENTS[players][seat]
        if 0 in state[first : first + players]:
            targets = tuple([to for to in targets if state[first + to]])
        return LegalAsks(st.askable(state, hand), targets)

    def _view(self, seat: Seat, dealt: tuple[Card, ...], hand: Hand) -> View:
        state = self._state
        turn = None if state[st.ENDED_BY] else state[st.TURN]
        on_turn = turn == seat
        return View(
            self.rules,
            seat,
            dealt,
            self.start,
            cards_in(hand),
            self.hand_sizes,
            turn,
            (state[st.SCORE], state[st.SCORE + 1]),
            half_suits_in(state[st.IN_PLAY]),
            self.events,
            self._asks_of(seat, hand) if on_turn else NO_ASKS,
            self.legal_passes() if on_turn else (),
            st.may_claim(state, seat),
        )


class Position(PublicGame):
    """The public part of a game whose hands need not be known; it follows the events."""

    __slots__ = ()

    def __init__(self, rules: RuleSet, start: Seat) -> None:
        """The position before the first event. Raises `DealError` for a start at no seat."""
        super().__init__(rules, start)

    def __str__(self) -> str:
        """Rules, score, turn, hand sizes and last events, in lines."""
        return game_text(self, [size_text(size) for size in self.hand_sizes])

    def _repr_svg_(self) -> str:
        """The table without hands, for notebooks."""
        from literature_ai import svg

        return svg.table(self)

    def asks_of(self, seat: Seat, cards: Sequence[Card]) -> LegalAsks:
        """The legal asks of the seat, if it held these cards and were on turn.

        Raises `DealError` when some of them are no cards of the deck.
        """
        return self._asks_of(seat, self._mask(cards))

    def view(self, seat: Seat, dealt: Sequence[Card]) -> View:
        """The view of the seat, if it was dealt these cards.

        Raises `DealError` when some of them are no cards of the deck.
        """
        hand = self._mask(dealt)
        for event in self._events:
            match event:
                case Asked(asker, target, card, True):
                    if seat == asker:
                        hand |= 1 << card
                    elif seat == target:
                        hand &= ~(1 << card)
                case Claimed(_, half_suit):
                    hand &= ~mask_of(cards_of(half_suit))
        return self._view(seat, tuple(sorted(dealt)), hand)

    def violation(self, event: Event) -> Violation | None:
        """The rule that the event would break as the next one, as far as everyone can see."""
        state, names = self._state, self.rules.card_names
        match event:
            case Asked(asker, target, card):
                code = st.check_ask(state, asker, target, card)
                return in_words(state, code, names, asker, target, card) if code else None
            case Claimed(claimant, half_suit, holders):
                code = st.check_claim(state, claimant, half_suit, holders)
                if not code:
                    code = st.check_lost(state, event.losses(self.rules.players))
                if not code:
                    return None
                nowhere = self._stranger(holders)
                return in_words(state, code, names, claimant, nowhere, half_suit=half_suit)
            case Passed(giver, to):
                code = st.check_pass(state, giver, to)
                return in_words(state, code, names, giver, to) if code else None
            case TimedOut(seat):
                code = st.check_time_out(state, seat)
                return in_words(state, code, names, seat) if code else None

    def violation_of(self, action: Action, seat: Seat, hand: Sequence[Card]) -> Violation | None:
        """The rule that the action of the seat would break, if it held these cards.

        Raises `DealError` when some of them are no cards of the deck.
        """
        state, names = self._state, self.rules.card_names
        match action:
            case Ask(target, card):
                held = self._mask(hand)
                code = st.check_ask(state, seat, target, card)
                code = code or st.check_asker(state, held, held, card)
                return in_words(state, code, names, seat, target, card) if code else None
            case Claim(half_suit, holders):
                code = st.check_claim(state, seat, half_suit, holders)
                if not code:
                    return None
                nowhere = self._stranger(holders)
                return in_words(state, code, names, seat, nowhere, half_suit=half_suit)
            case Pass(to):
                code = st.check_pass(state, seat, to)
                return in_words(state, code, names, seat, to) if code else None

    def follow(self, event: Event) -> None:
        """Follow the game by its next event.

        Raises `IllegalActionError`, and changes nothing, when everyone can see that it breaks a
        rule.
        """
        broken = self.violation(event)
        if broken is not None:
            raise illegal(broken)
        match event:
            case Asked(asker, target, _, hit):
                st.apply_ask(self._state, asker, target, hit)
            case Claimed(claimant, half_suit, _, right):
                st.apply_claim(
                    self._state, claimant, half_suit, right, event.losses(self.rules.players)
                )
            case Passed(_, to):
                st.apply_pass(self._state, to)
            case TimedOut():
                st.apply_time_out(self._state)
        self._events.append(event)

    def _mask(self, cards: Sequence[Card]) -> Hand:
        for card in cards:
            if card not in range(self.rules.cards):
                raise DealError(
                    f"there is no card {shown(card)}: cards are 0 to {self.rules.cards - 1}"
                )
        return mask_of(cards)


def illegal(broken: Violation) -> IllegalActionError:
    """The error for this violation."""
    return IllegalActionError(broken.rule, f"{broken.what}; {broken.cure}")
