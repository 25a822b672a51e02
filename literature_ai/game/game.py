"""A game of Literature with all its hands: it applies actions and emits events.

The rules are those of `literature_ai.game.state`; what everyone can see of a game is a
`literature_ai.game.position.Position`, what one seat sees a `literature_ai.game.view.View`.

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

from collections.abc import Sequence
from functools import cache
from operator import index
from typing import TYPE_CHECKING, Any, Self

from literature_ai.cards import HALF_SUIT_SIZE, SEAT_NAMES, Card, HalfSuit, Seat
from literature_ai.errors import DealError, IllegalActionError, shown
from literature_ai.events import Action, Ask, Asked, Claim, Claimed, Event, Pass, Passed, TimedOut
from literature_ai.game import state as st
from literature_ai.game.asks import NO_ASKS, LegalAsks
from literature_ai.game.masks import Hand, cards_in, mask_of
from literature_ai.game.position import PublicGame, illegal
from literature_ai.game.text import game_text, hand_text
from literature_ai.game.view import View
from literature_ai.game.violations import in_words
from literature_ai.rules import RuleSet

if TYPE_CHECKING:
    import numpy as np

# Events are frozen and there are only a few thousand asks: each is made once.
_asked = cache(Asked)


class Game(PublicGame):
    """A game with all its hands: it applies actions and emits events."""

    __slots__ = ("_hands", "dealt")

    def __init__(self, rules: RuleSet, hands: Sequence[Sequence[Card]], start: Seat) -> None:
        """A new game with these hands, one a seat; the seat ``start`` is on turn.

        Raises `DealError` when the hands are not a deal of the deck or there is no such seat.
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
        """Shuffle and deal one card at a time; draw the seat that starts, unless it is given.

        The deal is the same whether or not ``start`` is given.

        Raises `DealError` unless exactly one of ``seed`` and ``rng`` is given, and for a seed that
        is none.
        """
        if (seed is None) == (rng is None):
            raise DealError("a deal needs either a seed or a generator: give one of the two")
        if rng is None:
            import numpy as np

            try:
                rng = np.random.default_rng(seed)
            except (TypeError, ValueError) as error:
                raise DealError(
                    f"seed is {shown(seed)}; it must be a whole number from 0 on"
                ) from error
        deck = rng.permutation(rules.cards).tolist()
        if start is None:
            start = int(rng.integers(rules.players))
        return cls(rules, [deck[seat :: rules.players] for seat in range(rules.players)], start)

    def __copy__(self) -> Self:
        twin = super().__copy__()
        twin.dealt, twin._hands = self.dealt, self._hands.copy()
        return twin

    def __str__(self) -> str:
        """Rules, score, turn, hands and last events, in lines."""
        return game_text(
            self, [hand_text(cards_in(hand), self.rules.card_names) for hand in self._hands]
        )

    def _repr_svg_(self) -> str:
        """The table with all hands, for notebooks."""
        from literature_ai import svg

        return svg.table(self)

    def hand(self, seat: Seat) -> tuple[Card, ...]:
        """The cards of the seat now, in order."""
        return cards_in(self._hands[seat])

    def hand_mask(self, seat: Seat) -> Hand:
        """The cards of the seat now as a bit mask."""
        return self._hands[seat]

    def legal_asks(self) -> LegalAsks:
        """The asks of the seat on turn; none when the game is over."""
        state = self._state
        if state[st.ENDED_BY]:
            return NO_ASKS
        seat = state[st.TURN]
        return self._asks_of(seat, self._hands[seat])

    @property
    def must_claim(self) -> bool:
        """Whether a claim is the only legal action of the seat on turn."""
        return not self.over and not self.legal_asks() and not self.legal_passes()

    def view(self, seat: Seat) -> View:
        """The view of the seat now."""
        return self._view(seat, self.dealt[seat], self._hands[seat])

    def apply(self, action: Action, seat: Seat | None = None) -> Event:
        """Apply the action of the seat (by default the one on turn); the event that comes of it.

        Raises `IllegalActionError`, and changes nothing, when the rules forbid it or it is not an
        action at all.
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
            "action", f"{shown(action)} is no action; it must be an Ask, a Claim or a Pass"
        )

    def time_out(self) -> TimedOut:
        """Apply a timeout of the seat on turn. Raises `IllegalActionError` in an untimed game."""
        state = self._state
        seat = state[st.TURN]
        code = st.check_time_out(state, seat)
        if code:
            raise illegal(in_words(state, code, self.rules.card_names, seat))
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
            raise illegal(in_words(state, code, self.rules.card_names, seat, target, card))
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
            raise illegal(
                in_words(
                    state, code, self.rules.card_names, seat, self._stranger(holders), -1, half_suit
                )
            )
        located, counts = [0] * HALF_SUIT_SIZE, [0] * self.rules.players
        st.lay_open(state, self._hands, half_suit, located, counts)
        open_holders: tuple[Seat, ...] | None = tuple(located)
        lost: tuple[int, ...] | None = None
        right = open_holders == holders
        if self.rules.wrong_hides and not right:
            open_holders, lost = None, tuple(counts)
        st.apply_claim(state, seat, half_suit, right, counts)
        event = Claimed(seat, half_suit, holders, right, open_holders, lost)
        self._events.append(event)
        return event

    def _pass(self, seat: Seat, to: Seat) -> Event:
        to = _int(to, "to")
        state = self._state
        code = st.check_pass(state, seat, to)
        if code:
            raise illegal(in_words(state, code, self.rules.card_names, seat, to))
        st.apply_pass(state, to)
        event = Passed(seat, to)
        self._events.append(event)
        return event

    def _seat(self, seat: object) -> Seat:
        number = _int(seat, "seat")
        if number not in range(self.rules.players):
            raise illegal(in_words(self._state, st.NO_SUCH_SEAT, self.rules.card_names, to=number))
        return number


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
                    f"{rules.card_names[card]} is in the hands of {SEAT_NAMES[holder[card]]} and "
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
            f"{SEAT_NAMES[seat]} holds card {shown(card)}; the cards are 0 to {rules.cards - 1}"
        )
    return number


def _int(number: Any, what: str) -> int:
    """The number as a plain int, so that no event ever holds one of numpy's."""
    try:
        return int(index(number))
    except TypeError:
        raise IllegalActionError(
            "number", f"{what} is {shown(number)}; it must be an int"
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
            f"{shown(holders)} does not name six holders; "
            "a claim names a seat for each card of its half-suit, in card order",
        )
    return tuple([_int(holder, "holder") for holder in six])
