"""Many games at once on arrays: a million actions a second and more.

A `Batch` holds the games as rows: a state (see `literature_ai.game.state`) and eight hands (bit
masks) for each. The rules are the functions of `literature_ai.game.state`, compiled; without numba
the same functions run as they are, slowly.

An action is one int, so that the actions of all games are one array; `encode` makes it and
`decode` takes it apart. An ask is ``8 * card + target``, so the asks are the numbers below `ASKS`;
the others have bits above. `NOTHING` leaves a game as it is.

>>> import numpy as np
>>> from literature_ai.rules import RuleSet
>>> batch = Batch.deal(RuleSet(), games=1000, seed=1)
>>> step = batch.step(batch.random_actions(np.random.default_rng(2)))
>>> step.codes.any(), step.hits.shape
(np.False_, (1000,))
>>> int(batch.play_randomly(np.random.default_rng(3)).sum()) > 100_000, batch.done.all()
(True, np.True_)
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from literature_ai.cards import HALF_SUIT_SIZE, MAX_SEATS, Seat
from literature_ai.errors import LiteratureError
from literature_ai.events import Action, Ask, Claim, Pass, TimedOut
from literature_ai.game.compiled_state import (
    apply_ask,
    apply_claim,
    apply_pass,
    apply_time_out,
    askable,
    check_ask,
    check_asker,
    check_claim,
    check_claimant,
    check_pass,
    check_time_out,
    lay_open,
    may_pass,
)
from literature_ai.game.state import (
    CLAIM_ANY_TIME,
    ENDED_BY,
    EVENTS,
    HAND_SIZES,
    IN_PLAY,
    NO_SUCH_SEAT,
    OK,
    PLAYERS,
    SCORE,
    STATE_SIZE,
    TURN,
    new_state,
)
from literature_ai.rules import RuleSet
from solver.compilation import compiled

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Row: TypeAlias = MutableSequence[int]
Rows: TypeAlias = Any
"""Numpy's arrays, of which each row is a `Row`; mypy knows no such type."""

ASKS = 54 * MAX_SEATS
"""Asks are the encoded actions below this number."""
PASS = 1 << 9
"""Plus the seat to which the turn is passed."""
TIME_OUT = 1 << 10
CLAIM = 1 << 11
"""Plus half-suit, claimant, and the six holders in card order, from the twelfth bit up."""
NOTHING = -1
"""The encoded action that leaves a game as it is."""

# Places in an encoded ask or claim (the number of bits below), and masks of what stands there.
_CARD = 3
_CLAIMED = 12
_CLAIMANT = 16
_HOLDERS = 19
_SEAT_BITS = 3
_SEAT = 7
_HALF_SUIT = 15
_PAIRS, _QUADS, _BYTES = 0x55555555555555, 0x33333333333333, 0x0F0F0F0F0F0F0F
_LOWEST_OF_EACH = 0b000001_000001_000001_000001_000001_000001_000001_000001_000001


class Step(NamedTuple):
    """The result of one action in each game."""

    codes: Ints
    """Which rule each action breaks (see `literature_ai.game.state`); `OK`, 0, for none. A game
    whose action breaks one has not changed."""
    hits: Bools
    """Whether each ask was a hit, or the claim right."""


class Batch:
    """Many games by the same rules, one a row.

    ``states`` (games × `STATE_SIZE`) and ``hands`` (games × 8, bit masks of cards) are the whole
    state. They may be read at any time, and copied; `step` and the others change them in place.
    """

    def __init__(self, rules: RuleSet, games: int, seed: int) -> None:
        """As `deal` does it."""
        self.rules = rules
        self.states = np.empty((games, STATE_SIZE), np.int64)
        self.hands = np.zeros((games, MAX_SEATS), np.int64)
        self._seed = seed
        self._deals = np.zeros(games, np.int64)
        self._deal(range(games))

    @classmethod
    def deal(cls, rules: RuleSet, games: int, seed: int) -> Batch:
        """So many games at their start, each as ``Game.deal(rules, seed=batch.seed_of(i))``."""
        return cls(rules, games, seed)

    def seed_of(self, i: int) -> np.random.SeedSequence:
        """The seed of the deal of game ``i``: another one after each `reset`."""
        return np.random.SeedSequence(self._seed, spawn_key=(i, int(self._deals[i])))

    def __len__(self) -> int:
        return len(self.states)

    @property
    def done(self) -> Bools:
        """For each game: whether it is over."""
        over: Bools = self.states[:, ENDED_BY] != 0
        return over

    @property
    def turns(self) -> Ints:
        """For each game: the seat on turn; of the last one when it is over."""
        return self.states[:, TURN]

    @property
    def scores(self) -> Ints:
        """Games × teams: half-suits."""
        return self.states[:, SCORE : SCORE + 2]

    @property
    def events(self) -> Ints:
        """For each game: the number of events so far."""
        return self.states[:, EVENTS]

    @property
    def hand_sizes(self) -> Ints:
        """Games × seats: cards in each hand."""
        return self.states[:, HAND_SIZES : HAND_SIZES + self.rules.players]

    def legal_asks(self) -> Bools:
        """Games × `ASKS`: the asks that the seat on turn may make; none when the game is over."""
        cards, targets = np.zeros(len(self), np.int64), np.zeros(len(self), np.int64)
        all_asks(self.states, self.hands, cards, targets)
        asked = cards[:, None] >> np.arange(ASKS // MAX_SEATS) & 1 == 1
        seats = targets[:, None] >> np.arange(MAX_SEATS) & 1 == 1
        legal: Bools = (asked[:, :, None] & seats[:, None, :]).reshape(len(self), ASKS)
        return legal

    def step(self, actions: npt.ArrayLike) -> Step:
        """Apply one encoded action in each game; `NOTHING` where it is to wait."""
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != (len(self),):
            raise LiteratureError(
                f"{chosen.shape} actions for {len(self)} games: one a game is needed"
            )
        step = Step(np.zeros(len(self), np.int64), np.zeros(len(self), np.bool_))
        all_apply(self.states, self.hands, chosen, step.codes, step.hits)
        return step

    def random_actions(self, rng: np.random.Generator) -> Ints:
        """An action for each game, `NOTHING` for those that are over.

        A seat that may claim and holds a whole half-suit claims it, the first clockwise from the
        seat on turn. Otherwise the seat on turn makes a uniformly random legal ask; if it has none,
        it claims a random half-suit naming random teammates; if it has no cards it passes to a
        random one of the seats that it may pass to, or claims if it may not pass.
        """
        actions = np.empty(len(self), np.int64)
        all_choose(self.states, self.hands, rng, actions)
        return actions

    def play_randomly(self, rng: np.random.Generator) -> Ints:
        """Play every game to its end by `random_actions`; how many actions each one took.

        The games are played one after the other.
        """
        before = self.events.copy()
        all_play(self.states, self.hands, rng)
        played: Ints = self.events - before
        return played

    def reset(self, which: Bools | None = None) -> None:
        """Deal anew where ``which`` says so; by default, where the game is over."""
        again = np.flatnonzero(self.done if which is None else which)
        self._deals[again] += 1
        self._deal(again.tolist())

    def _deal(self, which: range | list[int]) -> None:
        players, cards = self.rules.players, self.rules.cards
        first = np.array(new_state(self.rules, 0), np.int64)
        self.states[which] = first
        decks = np.empty((len(which), cards), np.int64)
        for row, i in enumerate(which):
            # As in Game.deal.
            rng = np.random.default_rng(self.seed_of(i))
            decks[row] = rng.permutation(cards)
            self.states[i, TURN] = rng.integers(players)
        for seat in range(players):
            self.hands[which, seat] = (1 << decks[:, seat::players]).sum(axis=1)


def encode(action: Action | TimedOut | None, seat: Seat = 0) -> int:
    """The action as an int; ``seat`` is who claims. None stands for `NOTHING`."""
    match action:
        case None:
            return NOTHING
        case Ask(target, card):
            return card * MAX_SEATS + target
        case Pass(to):
            return PASS + to
        case TimedOut():
            return TIME_OUT
        case Claim(half_suit, holders):
            code = CLAIM | half_suit << _CLAIMED | seat << _CLAIMANT
            for i, holder in enumerate(holders):
                code |= holder << (_HOLDERS + _SEAT_BITS * i)
            return code


def decode(code: int, on_turn: Seat) -> tuple[Seat, Action | TimedOut | None]:
    """The seat that acts, and what it does, given who is on turn."""
    if code < 0:
        return on_turn, None
    if code < PASS:
        return on_turn, Ask(code & _SEAT, code >> _CARD)
    if code < TIME_OUT:
        return on_turn, Pass(code - PASS)
    if code < CLAIM:
        return on_turn, TimedOut(on_turn)
    holders = tuple(code >> (_HOLDERS + _SEAT_BITS * i) & _SEAT for i in range(HALF_SUIT_SIZE))
    return code >> _CLAIMANT & _SEAT, Claim(code >> _CLAIMED & _HALF_SUIT, holders)


@compiled
def count(mask: int) -> int:
    """The number of bits, below 2^56."""
    mask -= mask >> 1 & _PAIRS
    mask = (mask & _QUADS) + (mask >> 2 & _QUADS)
    mask = mask + (mask >> 4) & _BYTES
    mask += mask >> 8
    mask += mask >> 16
    return mask + (mask >> 32) & 63


@compiled
def nth(mask: int, n: int) -> int:
    """The position of the ``n``-th bit, from 0."""
    for _ in range(n):
        mask &= mask - 1
    return count((mask & -mask) - 1)


@compiled
def ask(target: int, card: int) -> int:
    """An ask, encoded."""
    return card << _CARD | target


@compiled
def claim_without_holders(half_suit: int, claimant: int) -> int:
    """The bits of an encoded claim that are the same whoever holds the cards."""
    return CLAIM | half_suit << _CLAIMED | claimant << _CLAIMANT


@compiled
def holder_in_claim(i: int, holder: int) -> int:
    """The bits of an encoded claim that say who holds its i-th card."""
    return holder << (_HOLDERS + _SEAT_BITS * i)


@compiled
def apply(state: Row, hands: Row, action: int) -> tuple[int, bool]:
    """Apply an encoded action: which rule it breaks, or `OK`; whether it was a hit, or right."""
    turn = state[TURN]
    if action < 0:
        return OK, False
    if action < PASS:
        target, card = action & _SEAT, action >> _CARD
        code = check_ask(state, turn, target, card)
        if code == OK:
            code = check_asker(state, hands[turn], hands[turn], card)
        if code != OK:
            return code, False
        moved = hands[target] & 1 << card
        hands[target] ^= moved
        hands[turn] |= moved
        apply_ask(state, turn, target, moved != 0)
        return OK, moved != 0
    if action < TIME_OUT:
        code = check_pass(state, turn, action - PASS)
        if code == OK:
            apply_pass(state, action - PASS)
        return code, False
    if action < CLAIM:
        code = check_time_out(state, turn)
        if code == OK:
            apply_time_out(state)
        return code, False
    half_suit, claimant = action >> _CLAIMED & _HALF_SUIT, action >> _CLAIMANT & _SEAT
    if claimant >= state[PLAYERS]:
        return NO_SUCH_SEAT, False
    holders: Any = np.empty(HALF_SUIT_SIZE, np.int64)
    for i in range(HALF_SUIT_SIZE):
        holders[i] = action >> (_HOLDERS + _SEAT_BITS * i) & _SEAT
    code = check_claim(state, claimant, half_suit, holders)
    if code != OK:
        return code, False
    shown: Any = np.empty(HALF_SUIT_SIZE, np.int64)
    lost: Any = np.zeros(MAX_SEATS, np.int64)
    lay_open(state, hands, half_suit, shown, lost)
    right = True
    for i in range(HALF_SUIT_SIZE):
        right = right and shown[i] == holders[i]
    apply_claim(state, claimant, half_suit, right, lost)
    return OK, right


@compiled
def choose(state: Row, hands: Row, rng: np.random.Generator) -> int:
    """A random action: see `Batch.random_actions`."""
    turn, players = state[TURN], state[PLAYERS]
    for step in range(players if state[CLAIM_ANY_TIME] else 1):
        seat = (turn + step) % players
        threes = hands[seat] & hands[seat] >> 1
        threes &= threes >> 1
        whole = threes & threes >> 3 & _LOWEST_OF_EACH
        if whole and check_claimant(state, seat) == OK:
            own = CLAIM | nth(whole, 0) // HALF_SUIT_SIZE << _CLAIMED | seat << _CLAIMANT
            for i in range(HALF_SUIT_SIZE):
                own |= seat << (_HOLDERS + _SEAT_BITS * i)
            return own
    if not state[HAND_SIZES + turn] and may_pass(state):
        return random_pass(state, rng)
    targets = 0
    for seat in range(1 - turn % 2, players, 2):
        if state[HAND_SIZES + seat]:
            targets |= 1 << seat
    cards = askable(state, hands[turn])
    several = count(targets)
    asks = count(cards) * several
    if not asks:
        return random_claim(state, rng)
    which = int(rng.random() * asks)
    return ask(nth(targets, which % several), nth(cards, which // several))


@compiled
def random_pass(state: Row, rng: np.random.Generator) -> int:
    """Pass to a random one of the seats to which the seat on turn may pass."""
    turn = state[TURN]
    takers = 0
    for seat in range(state[PLAYERS]):
        if check_pass(state, turn, seat) == OK:
            takers |= 1 << seat
    return PASS + nth(takers, int(rng.random() * count(takers)))


@compiled
def random_claim(state: Row, rng: np.random.Generator) -> int:
    """Claim a random half-suit, for random teammates."""
    turn = state[TURN]
    in_play = state[IN_PLAY]
    half_suit = nth(in_play, int(rng.random() * count(in_play)))
    action = claim_without_holders(half_suit, turn)
    for i in range(HALF_SUIT_SIZE):
        action |= holder_in_claim(i, 2 * int(rng.random() * (state[PLAYERS] // 2)) + (turn & 1))
    return action


@compiled
def all_asks(states: Rows, hands: Rows, cards: Ints, targets: Ints) -> None:
    """For each game in progress: the cards and the seats that may be asked, as masks."""
    for i in range(len(states)):
        turn = states[i, TURN]
        if states[i, ENDED_BY]:
            continue
        for seat in range(1 - turn % 2, states[i, PLAYERS], 2):
            if states[i, HAND_SIZES + seat]:
                targets[i] |= 1 << seat
        cards[i] = askable(states[i], hands[i, turn])


@compiled
def all_apply(states: Rows, hands: Rows, actions: Ints, codes: Ints, hits: Bools) -> None:
    """`apply` in each game."""
    for i in range(len(states)):
        codes[i], hits[i] = apply(states[i], hands[i], actions[i])


@compiled
def all_choose(states: Rows, hands: Rows, rng: np.random.Generator, actions: Ints) -> None:
    """`choose` in each game in progress."""
    for i in range(len(states)):
        actions[i] = NOTHING if states[i, ENDED_BY] else choose(states[i], hands[i], rng)


@compiled
def all_play(states: Rows, hands: Rows, rng: np.random.Generator) -> None:
    """Play each game to its end."""
    for i in range(len(states)):
        state, own = states[i], hands[i]
        while not state[ENDED_BY]:
            apply(state, own, choose(state, own, rng))
