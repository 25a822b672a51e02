"""Approximate beliefs for rollouts: card marginals by iterative proportional fitting.

Exact counting takes about a millisecond. A search needs the beliefs of every seat at every step of
hundreds of rollouts, so it needs them about 1000 times cheaper. A `Belief` keeps, of all that
happened in the open:

- the state of the game, on which the rules work (`literature_ai.game.state`);
- for each card, the seats that may hold it, as far as single events tell;
- for each half-suit, the seats that must hold some card of it that is not located;
- for each half-suit and seat, how much likelier than by chance the seat is to hold a card of it,
  because it chose to ask for it.

`believe` computes probabilities from that for one viewer. It fits cards × seats to both margins:
each card is somewhere, each hand has its size (iterative proportional fitting, Deming and Stephan
1940). The result differs by a few percent from exact counting
(`literature_ai.inference.knowledge`), but a card that it calls located is located for certain.

Hands are bit masks: bit ``c`` stands for card ``c``. Sets of seats are bit masks too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from literature_ai.cards import HALF_SUIT_SIZE, Seat
from literature_ai.game.compiled_state import apply_ask, apply_claim
from literature_ai.game.state import BLUFF_ASKS, HAND_SIZES, PLAYERS, new_state
from literature_ai.rules import RuleSet
from solver.compilation import compiled
from solver.kernels.arrays import Floats, Floats2, Floats3, Ints

if TYPE_CHECKING:
    Row: TypeAlias = Any
else:
    Row = Ints
"""An array of int64 that the rules take for a sequence of ints: a state, hands, or counts."""

SIX = HALF_SUIT_SIZE
ALL_SIX = (1 << SIX) - 1
"""All cards of a half-suit, as a mask of its six cards."""
NOBODY = -1
"""The viewer without a hand: what everyone knows."""

OWN_SIDE, OTHER_SIDE = 0, 1
SURE, FIRST, AGAIN, ELSEWHERE = 0, 1, 2, 3
"""Places in the ask factors of one reader, sides × 4: the factors on an asker's odds of holding a
card. For the half-suit asked for: the ask was sure (everyone knew that the target had the card); it
was open, and the asker was not known to hold any of the half-suit; it was open, and they were.
Last, for all half-suits of which they are not known to hold any, when an open ask was for another
one."""
ASK_FACTORS = (2, 4)
"""The shape of the ask factors of one reader."""

_ROUNDS = 3
"""Rounds of fitting; more change no decision measurably."""
_LEAST_ROOM = 0.01
"""The room of a hand that is full, where a card must be weighed all the same."""
_LEAST_SOME = 0.05
"""The least chance to hold some card of a half-suit, where a seat is known to hold some."""
_MOST = 0.9999
"""The greatest probability of a card that is not located."""


class Belief(NamedTuple):
    """What has been seen of a game, in arrays that the functions below change in place."""

    possible: Ints
    """For each card: the seats that may hold it; 0 when it is out of play."""
    holding: Ints
    """For each half-suit: the seats known to hold some card of it that is not located."""
    odds: Floats3
    """Readers × half-suits × seats: the factor on the odds of each card. The readers are the two
    teams, which may read the same ask differently."""
    state: Row
    """The state of the game (`literature_ai.game.state`)."""


def new_belief(rules: RuleSet, start: Seat) -> Belief:
    """The belief at the start of a game."""
    return start_belief(np.array(new_state(rules, start), np.int64), rules.half_suits)


@compiled
def start_belief(state: Row, half_suits: int) -> Belief:
    """The belief at the start of a game, from its state, which is not copied."""
    seats = state[PLAYERS]
    return Belief(
        np.full(half_suits * SIX, (1 << seats) - 1, np.int64),
        np.zeros(half_suits, np.int64),
        np.ones((2, half_suits, seats)),
        state,
    )


@compiled
def copy_belief(belief: Belief) -> Belief:
    """A belief that goes on independently."""
    return Belief(
        belief.possible.copy(), belief.holding.copy(), belief.odds.copy(), belief.state.copy()
    )


@compiled
def cards_of(half_suit: int) -> range:
    """The six cards of a half-suit, in card order."""
    return range(half_suit * SIX, half_suit * SIX + SIX)


@compiled
def held_of(hand: int, half_suit: int) -> int:
    """The cards of the half-suit in a hand, as a mask of its six cards."""
    return hand >> half_suit * SIX & ALL_SIX


@compiled
def known_to_hold(belief: Belief, seat: int, half_suit: int) -> bool:
    """Whether everyone knows that the seat holds some card of the half-suit."""
    holds = bool(belief.holding[half_suit] >> seat & 1)
    for card in cards_of(half_suit):
        if belief.possible[card] == 1 << seat:
            holds = True
    return holds


@compiled
def observe_ask(
    belief: Belief, asker: int, target: int, card: int, hit: bool, ask_factors: Floats3
) -> None:
    """Follow an ask.

    ask_factors: for each team, how it reads asks (2 × `ASK_FACTORS`).
    """
    half_suit = card // SIX
    own, theirs = 1 << asker, 1 << target
    sure = belief.possible[card] == theirs
    holds = known_to_hold(belief, asker, half_suit)
    for reader in range(2):
        factors = ask_factors[reader, OWN_SIDE if reader == asker & 1 else OTHER_SIDE]
        if sure:
            belief.odds[reader, half_suit, asker] *= factors[SURE]
        else:
            belief.odds[reader, half_suit, asker] *= factors[AGAIN if holds else FIRST]
            for other in range(len(belief.holding)):
                if other != half_suit and belief.holding[other] & own == 0:
                    belief.odds[reader, other, asker] *= factors[ELSEWHERE]
    if not holds:
        belief.holding[half_suit] |= own
    if hit:
        if not sure:
            belief.holding[half_suit] &= ~theirs
        belief.possible[card] = own
    else:
        belief.possible[card] &= ~theirs if belief.state[BLUFF_ASKS] else ~(own | theirs)
    apply_ask(belief.state, asker, target, hit)


@compiled
def observe_claim(belief: Belief, claimant: int, half_suit: int, right: bool, lost: Row) -> None:
    """Follow a claim; lost: for each seat, the number of cards it cost."""
    for card in cards_of(half_suit):
        belief.possible[card] = 0
    belief.holding[half_suit] = 0
    apply_claim(belief.state, claimant, half_suit, right, lost)


@compiled
def locate(belief: Belief, viewer: int, hand: int, places: Ints, room: Floats) -> None:
    """Fill ``places`` with the seats that may hold each card, to the viewer, as far as is plain.

    A card is located when one seat is left. Fills ``room`` with the cards of each hand that are not
    located. ``hand``: the viewer's own cards; 0 for `NOBODY`.
    """
    cards = len(belief.possible)
    seats = belief.state[PLAYERS]
    own = 0 if viewer < 0 else 1 << viewer
    for card in range(cards):
        may = belief.possible[card]
        if own:
            if hand >> card & 1:
                may = own
            elif may & ~own:
                may &= ~own
        places[card] = may
    # Full hands take no more cards; that may locate others.
    for _ in range(4):
        full = 0
        for seat in range(seats):
            room[seat] = belief.state[HAND_SIZES + seat]
        for card in range(cards):
            may = places[card]
            if may and may & (may - 1) == 0:
                for seat in range(seats):
                    if may >> seat & 1:
                        room[seat] -= 1
        for seat in range(seats):
            if room[seat] <= 0:
                full |= 1 << seat
        changed = False
        for card in range(cards):
            may = places[card]
            if may & (may - 1) and may & full and may & ~full:
                places[card] = may & ~full
                if places[card] & (places[card] - 1) == 0:
                    changed = True
        if not changed:
            break


@compiled
def believe(belief: Belief, reader: int, viewer: int, hand: int, chances: Floats2) -> None:
    """Fill ``chances`` (cards × seats) with the viewer's probabilities of where each card is.

    ``reader``: the team whose reading of asks counts. ``hand``: as in `locate`. A probability is 1
    only for a card that is located, as far as `locate` can tell.
    """
    cards = len(belief.possible)
    seats = belief.state[PLAYERS]
    places = np.empty(cards, np.int64)
    room = np.empty(seats)
    filled = np.empty(seats)
    open_cards = np.empty(cards, np.int64)
    locate(belief, viewer, hand, places, room)
    count = 0
    chances[:] = 0.0
    for card in range(cards):
        may = places[card]
        if may == 0:
            continue
        if may & (may - 1) == 0:
            for seat in range(seats):
                if may >> seat & 1:
                    chances[card, seat] = 1.0
            continue
        open_cards[count] = card
        count += 1
        half_suit = card // SIX
        for seat in range(seats):
            if may >> seat & 1:
                odds = belief.odds[reader, half_suit, seat]
                chances[card, seat] = odds * max(room[seat], _LEAST_ROOM)
    open_cards = open_cards[:count]
    for turn in range(_ROUNDS):
        _fit(open_cards, room, filled, chances)
        if turn < _ROUNDS - 1:
            _raise_known_holders(belief, places, chances)
    for open_card in open_cards:
        total = 0.0
        for seat in range(seats):
            total += chances[open_card, seat]
        for seat in range(seats):
            chances[open_card, seat] = min(chances[open_card, seat] / total, _MOST)


@compiled
def _fit(open_cards: Ints, room: Floats, filled: Floats, chances: Floats2) -> None:
    """Scale the chances of the open cards to one a card, then to the room of each hand.

    filled: a buffer, one a seat.
    """
    seats = len(room)
    for seat in range(seats):
        filled[seat] = 0.0
    for card in open_cards:
        total = 0.0
        for seat in range(seats):
            total += chances[card, seat]
        for seat in range(seats):
            chances[card, seat] /= total
            filled[seat] += chances[card, seat]
    for seat in range(seats):
        filled[seat] = room[seat] / filled[seat] if filled[seat] > 0.0 else 1.0
    for card in open_cards:
        for seat in range(seats):
            chances[card, seat] *= filled[seat]


@compiled
def _raise_known_holders(belief: Belief, places: Ints, chances: Floats2) -> None:
    """Raise the chances of seats known to hold some card of a half-suit.

    P(card | at least one) = P(card) / P(at least one), as if cards were independent.
    """
    for half_suit in range(len(belief.holding)):
        if belief.holding[half_suit] == 0:
            continue
        for seat in range(belief.state[PLAYERS]):
            if not belief.holding[half_suit] >> seat & 1:
                continue
            none = 1.0
            located = False
            for card in cards_of(half_suit):
                may = places[card]
                if may & (may - 1):
                    none *= 1.0 - min(chances[card, seat], 1.0)
                elif may == 1 << seat and belief.possible[card] & (belief.possible[card] - 1):
                    located = True
            if located or none >= 1.0:
                continue
            some = max(1.0 - none, _LEAST_SOME)
            for card in cards_of(half_suit):
                may = places[card]
                if may & (may - 1):
                    chances[card, seat] = chances[card, seat] / some
