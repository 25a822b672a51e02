"""A game of Literature: the deal, what is legal, what happens, and how it ends.

A `Game` has all the hands: it knows the answers, so it takes actions and makes the events. A
`Position` is what everyone at the state sees of a game; it takes the events. A `View` is what one
seat sees. All of them leave the rules to `literature_ai.game.state`.

>>> from literature_ai.events import Ask
>>> from literature_ai.rules import RuleSet
>>> game = Game.deal(RuleSet(), seed=7, start=0)
>>> game.legal_asks()[0]
Ask(target=1, card=3)
>>> game.apply(Ask(target=1, card=3))
Asked(asker=0, target=1, card=3, hit=False)
>>> game.turn, game.hand_sizes
(1, (8, 8, 8, 8, 8, 8))
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias, overload

from literature_ai.cards import (
    CARD_NAMES,
    HALF_SUIT_SIZE,
    MAX_SEATS,
    SEAT_NAMES,
    Card,
    HalfSuit,
    Seat,
    Team,
    cards_of,
)
from literature_ai.errors import DealError, IllegalActionError
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
from literature_ai.game.violations import Violation, in_words
from literature_ai.rules import RuleSet

if TYPE_CHECKING:
    import numpy as np

Hand: TypeAlias = int
"""Cards as a bit mask: bit ``c`` stands for card ``c``."""

_ASKS = tuple(
    tuple(Ask(target, card) for target in range(MAX_SEATS)) for card in range(len(CARD_NAMES))
)
_CHUNK = 9
_LOWEST_CHUNK = (1 << _CHUNK) - 1
_CARDS_IN_CHUNK = tuple(
    tuple(bit for bit in range(_CHUNK) if chunk >> bit & 1) for chunk in range(1 << _CHUNK)
)
_CARDS_IN_CHUNKS = tuple(
    tuple(tuple(first + bit for bit in bits) for bits in _CARDS_IN_CHUNK)
    for first in range(0, len(CARD_NAMES), _CHUNK)
)
"""For each chunk of nine cards, and each mask of them: the cards."""
# Events are frozen and there are only a few thousand asks: each is made once.
_asked = cache(Asked)


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


class LegalAsks(Sequence[Ask]):
    """The asks a seat may make, in the order of cards and then of seats.

    The asks are those of every askable card with every opponent who has cards, so none of them is
    looked up before it is wanted.
    """

    __slots__ = ("_cards", "_length", "_targets")

    def __init__(self, cards: Hand, targets: tuple[Seat, ...]) -> None:
        self._cards = cards
        self._targets = targets
        self._length = cards.bit_count() * len(targets)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, i: int) -> Ask: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[Ask, ...]: ...
    def __getitem__(self, i: int | slice) -> Ask | tuple[Ask, ...]:
        if isinstance(i, slice):
            return tuple(self)[i]
        i = index(i)
        if i < 0:
            i += self._length
        if not 0 <= i < self._length:
            raise IndexError("no such ask")
        targets = self._targets
        n, which = divmod(i, len(targets))
        # The n-th of the askable cards.
        mask, first = self._cards, 0
        while n >= (count := (mask & _LOWEST_CHUNK).bit_count()):
            n -= count
            mask >>= _CHUNK
            first += _CHUNK
        return _ASKS[first + _CARDS_IN_CHUNK[mask & _LOWEST_CHUNK][n]][targets[which]]

    def __iter__(self) -> Iterator[Ask]:
        for card in cards_in(self._cards):
            asks = _ASKS[card]
            for target in self._targets:
                yield asks[target]

    def __contains__(self, ask: object) -> bool:
        return (
            isinstance(ask, Ask)
            and ask.target in self._targets
            and 0 <= ask.card < len(CARD_NAMES)
            and bool(self._cards >> ask.card & 1)
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LegalAsks):
            return NotImplemented
        return tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{len(self)} legal asks>"

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that may be asked for; empty when nobody can be asked."""
        return cards_in(self._cards) if self._targets else ()

    @property
    def targets(self) -> tuple[Seat, ...]:
        """The opponents who may be asked; empty when there is nothing to ask for."""
        return self._targets if self._cards else ()

    @property
    def card_bits(self) -> int:
        """The cards that may be asked for as a bit mask: bit ``c`` for card ``c``."""
        return self._cards if self._targets else 0

    @property
    def target_bits(self) -> int:
        """The opponents who may be asked as a bit mask: bit ``s`` for seat ``s``."""
        return mask_of(self.targets)


_NO_ASKS = LegalAsks(0, ())


class View(NamedTuple):
    """All that one seat may know, at one moment; it leads nowhere else."""

    rules: RuleSet
    seat: Seat
    dealt: tuple[Card, ...]
    """The cards that the seat was dealt, in order."""
    hand: tuple[Card, ...]
    """The seat's own cards now, in order."""
    hand_sizes: tuple[int, ...]
    """Cards in each hand now."""
    turn: Seat | None
    """Who is on turn; None when the game is over."""
    score: tuple[int, int]
    """Half-suits of team A and of team B."""
    in_play: tuple[HalfSuit, ...]
    events: tuple[Event, ...]
    """Everything that has happened; event number ``n`` is ``events[n - 1]``."""
    legal_asks: LegalAsks
    """The seat's asks; none when it is not on turn."""
    legal_passes: tuple[Seat, ...]
    """The teammates to whom the seat may pass the turn; none when it is not on turn."""
    may_claim: bool
    """Whether the seat may claim right now, on or off turn."""


class PublicState:
    """What everyone at the state sees of a game so far: the common part of the two below."""

    __slots__ = ("_events", "_seen", "_state", "rules", "start")

    def __init__(self, rules: RuleSet, start: Seat) -> None:
        if start not in range(rules.players):
            raise DealError(f"no seat {start!r} can start: the seats are 0 to {rules.players - 1}")
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
        return _CARDS_IN_CHUNK[self._state[st.IN_PLAY]]

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

    def may_claim(self, seat: Seat) -> bool:
        """Whether the seat may claim right now, on or off turn."""
        return st.may_claim(self._state, seat)

    def legal_passes(self) -> tuple[Seat, ...]:
        """The teammates to whom the seat on turn may pass."""
        state = self._state
        if not st.may_pass(state):
            return ()
        seat, players = state[st.TURN], state[st.PLAYERS]
        mates = range(seat & 1, players, 2)
        return tuple([to for to in mates if st.check_pass(state, seat, to) == st.OK])

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
            cards_in(hand),
            self.hand_sizes,
            turn,
            (state[st.SCORE], state[st.SCORE + 1]),
            _CARDS_IN_CHUNK[state[st.IN_PLAY]],
            self.events,
            self._asks_of(seat, hand) if on_turn else _NO_ASKS,
            self.legal_passes() if on_turn else (),
            st.may_claim(state, seat),
        )


class Position(PublicState):
    """A game whose hands need not be known; it follows the events."""

    __slots__ = ()

    def __init__(self, rules: RuleSet, start: Seat) -> None:
        """The position before the first event. Raises `DealError` for a start at no seat."""
        super().__init__(rules, start)

    def asks_of(self, seat: Seat, cards: Sequence[Card]) -> LegalAsks:
        """The legal asks of the seat, holding these cards, if it were on turn."""
        return self._asks_of(seat, mask_of(cards))

    def view(self, seat: Seat, dealt: Sequence[Card]) -> View:
        """What the seat sees that was dealt these cards."""
        hand = mask_of(dealt)
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
        """The rule that the event breaks as the next one, as far as everyone can see."""
        state = self._state
        match event:
            case Asked(asker, target, card):
                code = st.check_ask(state, asker, target, card)
                return in_words(state, code, asker, target, card) if code else None
            case Claimed(claimant, half_suit, holders):
                code = st.check_claim(state, claimant, half_suit, holders)
                if not code:
                    code = st.check_lost(state, self._lost(event))
                return in_words(state, code, claimant, half_suit=half_suit) if code else None
            case Passed(giver, to):
                code = st.check_pass(state, giver, to)
                return in_words(state, code, giver, to) if code else None
            case TimedOut(seat):
                code = st.check_time_out(state, seat)
                return in_words(state, code, seat) if code else None

    def follow(self, event: Event) -> None:
        """Take the next event.

        Raises `IllegalActionError`, and changes nothing, when everyone can see that it breaks a
        rule.
        """
        broken = self.violation(event)
        if broken is not None:
            raise _illegal(broken)
        match event:
            case Asked(asker, target, _, hit):
                st.apply_ask(self._state, asker, target, hit)
            case Claimed(claimant, half_suit, _, right):
                st.apply_claim(self._state, claimant, half_suit, right, self._lost(event))
            case Passed(_, to):
                st.apply_pass(self._state, to)
            case TimedOut():
                st.apply_time_out(self._state)
        self._events.append(event)

    def _lost(self, event: Claimed) -> tuple[int, ...]:
        """How many cards each seat lost to the claim."""
        if event.lost is not None:
            return event.lost
        assert event.shown is not None, "a claim shows the cards or tells how many each seat lost"
        return tuple(event.shown.count(seat) for seat in range(self.rules.players))


class Game(PublicState):
    """A game with all its hands: takes actions, knows the answers, makes the events."""

    __slots__ = ("_hands", "dealt")

    def __init__(self, rules: RuleSet, hands: Sequence[Sequence[Card]], start: Seat) -> None:
        """A game at its start, with the hands as dealt, one a seat.

        Raises `DealError` when the hands are not a deal of the deck or the start is at no seat.
        """
        super().__init__(rules, start)
        self.dealt = _checked_deal(rules, hands)
        """The cards each seat was dealt, in order."""
        self._hands = [mask_of(hand) for hand in self.dealt]

    @classmethod
    def deal(
        cls,
        rules: RuleSet,
        *,
        seed: int | np.random.SeedSequence | None = None,
        rng: np.random.Generator | None = None,
        start: Seat | None = None,
    ) -> Game:
        """Shuffle and deal one card at a time; draw who starts, unless ``start`` says so.

        The deal is the same whether or not ``start`` is given.

        Raises `DealError` unless exactly one of ``seed`` and ``rng`` is given.
        """
        if (seed is None) == (rng is None):
            raise DealError("a deal needs either a seed or a generator: give one of the two")
        if rng is None:
            import numpy as np

            rng = np.random.default_rng(seed)
        deck = rng.permutation(rules.cards).tolist()
        if start is None:
            start = int(rng.integers(rules.players))
        return cls(rules, [deck[seat :: rules.players] for seat in range(rules.players)], start)

    def __copy__(self) -> Self:
        twin = super().__copy__()
        twin.dealt, twin._hands = self.dealt, self._hands.copy()
        return twin

    def __repr__(self) -> str:
        a, b = self.score
        on_turn = "over" if self.turn is None else f"{SEAT_NAMES[self.turn]} on turn"
        return (
            f"<Game: {self.rules.players} players, event {len(self._events)}, {a}-{b}, {on_turn}>"
        )

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        """The cards of the seat now, in order."""
        return cards_in(self._hands[seat])

    def legal_asks(self) -> LegalAsks:
        """The asks of the seat on turn; none when the game is over."""
        state = self._state
        if state[st.ENDED_BY]:
            return _NO_ASKS
        seat = state[st.TURN]
        return self._asks_of(seat, self._hands[seat])

    @property
    def must_claim(self) -> bool:
        """Whether the seat on turn can do nothing but claim."""
        return not self.over and not self.legal_asks() and not self.legal_passes()

    def view(self, seat: Seat) -> View:
        """What the seat sees now."""
        return self._view(seat, self.dealt[seat], self._hands[seat])

    def apply(self, action: Action, seat: Seat | None = None) -> Event:
        """Do what the seat (by default the one on turn) decided, and tell what came of it.

        Raises `IllegalActionError`, and changes nothing, when the rules forbid it or when the
        action is none at all.
        """
        if seat is None:
            seat = self._state[st.TURN]
        elif type(seat) is not int or not 0 <= seat < self.rules.players:
            seat = self._seat(seat)
        if isinstance(action, Ask):
            return self._ask(seat, action.target, action.card)
        if isinstance(action, Claim):
            return self._claim(seat, action.half_suit, action.holders)
        if isinstance(action, Pass):
            return self._pass(seat, action.to)
        raise IllegalActionError(
            "action", f"{_shown(action)} is no action; it must be an Ask, a Claim or a Pass"
        )

    def time_out(self) -> TimedOut:
        """The seat on turn did not act in time. Raises `IllegalActionError` in an untimed game."""
        state = self._state
        seat = state[st.TURN]
        code = st.check_time_out(state, seat)
        if code:
            raise _illegal(in_words(state, code, seat))
        st.apply_time_out(state)
        event = TimedOut(seat)
        self._events.append(event)
        return event

    def _ask(self, seat: Seat, target: Seat, card: Card) -> Event:
        if type(target) is not int or type(card) is not int:
            target, card = _int(target, "target"), _int(card, "card")
        state, hands = self._state, self._hands
        hand = hands[seat]
        code = st.check_ask(state, seat, target, card) or st.check_asker(state, hand, hand, card)
        if code:
            raise _illegal(in_words(state, code, seat, target, card))
        moved = hands[target] & 1 << card
        if moved:
            hands[target] ^= moved
            hands[seat] = hand | moved
        st.apply_ask(state, seat, target, moved != 0)
        event = _asked(seat, target, card, moved != 0)
        self._events.append(event)
        return event

    def _claim(self, seat: Seat, half_suit: HalfSuit, holders: Sequence[Seat]) -> Event:
        half_suit = _int(half_suit, "half_suit")
        holders = _six(holders)
        state = self._state
        code = st.check_claim(state, seat, half_suit, holders)
        if code:
            nowhere = next((s for s in holders if s not in range(self.rules.players)), -1)
            raise _illegal(in_words(state, code, seat, nowhere, half_suit=half_suit))
        located, counts = [0] * HALF_SUIT_SIZE, [0] * self.rules.players
        st.lay_open(state, self._hands, half_suit, located, counts)
        shown: tuple[Seat, ...] | None = tuple(located)
        lost: tuple[int, ...] | None = None
        right = shown == holders
        if self.rules.wrong_hides and not right:
            shown, lost = None, tuple(counts)
        st.apply_claim(state, seat, half_suit, right, counts)
        event = Claimed(seat, half_suit, holders, right, shown, lost)
        self._events.append(event)
        return event

    def _pass(self, seat: Seat, to: Seat) -> Event:
        to = _int(to, "to")
        state = self._state
        code = st.check_pass(state, seat, to)
        if code:
            raise _illegal(in_words(state, code, seat, to))
        st.apply_pass(state, to)
        event = Passed(seat, to)
        self._events.append(event)
        return event

    def _seat(self, seat: object) -> Seat:
        number = _int(seat, "seat")
        if number not in range(self.rules.players):
            raise _illegal(in_words(self._state, st.NO_SUCH_SEAT, to=number))
        return number


def mask_of(cards: Sequence[Card]) -> Hand:
    """The cards as a bit mask."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_in(mask: Hand) -> tuple[Card, ...]:
    """The cards of a bit mask, in order."""
    cards: tuple[Card, ...] = ()
    for chunks in _CARDS_IN_CHUNKS:
        cards += chunks[mask & _LOWEST_CHUNK]
        mask >>= _CHUNK
    return cards


_OPPONENTS = {
    players: tuple(tuple(range(1 - seat % 2, players, 2)) for seat in range(players))
    for players in (4, 6, 8)
}


def _checked_deal(rules: RuleSet, hands: Sequence[Sequence[Card]]) -> tuple[tuple[Card, ...], ...]:
    if len(hands) != rules.players:
        raise DealError(f"there are {len(hands)} hands; {rules.players} players need one each")
    dealt = tuple(
        tuple(sorted(_card(rules, seat, card) for card in hand)) for seat, hand in enumerate(hands)
    )
    holder: dict[Card, Seat] = {}
    for seat, hand in enumerate(dealt):
        if len(hand) != rules.hand_size:
            raise DealError(
                f"the hand of {SEAT_NAMES[seat]} has {len(hand)} cards; "
                f"each of {rules.players} players is dealt {rules.hand_size}"
            )
        for card in hand:
            if card in holder:
                raise DealError(
                    f"{CARD_NAMES[card]} is in the hands of {SEAT_NAMES[holder[card]]} and "
                    f"{SEAT_NAMES[seat]}; each card is dealt once"
                )
            holder[card] = seat
    return dealt


def _card(rules: RuleSet, seat: Seat, card: object) -> Card:
    """The card as a plain int."""
    try:
        number = int(index(card))  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if number not in range(rules.cards):
        raise DealError(
            f"{SEAT_NAMES[seat]} holds card {_shown(card)}; the cards are 0 to {rules.cards - 1}"
        )
    return number


def _illegal(broken: Violation) -> IllegalActionError:
    return IllegalActionError(broken.rule, f"{broken.what}; {broken.cure}")


def _int(number: Any, what: str) -> int:
    """The number as a plain int, so that no event ever holds one of numpy's."""
    try:
        return int(index(number))
    except TypeError:
        raise IllegalActionError(
            "number", f"{what} is {_shown(number)}; it must be an int"
        ) from None


def _six(holders: Any) -> tuple[Seat, ...]:
    """The six holders of a claim as plain ints."""
    try:
        six = tuple(holders) if len(holders) == HALF_SUIT_SIZE else ()
    except TypeError:
        six = ()
    if not six:
        raise IllegalActionError(
            "six-holders",
            f"{_shown(holders)} does not name six holders; "
            "a claim names a seat for each card of its half-suit, in card order",
        )
    return tuple([_int(holder, "holder") for holder in six])


def _shown(value: object) -> str:
    """The value in at most 60 characters."""
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 60 else text[:57] + "…"
