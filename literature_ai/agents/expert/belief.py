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

Cards of one half-suit that the same seats may hold are alike: they have the same chances, and form
one row of `Rows`. A position has 10 to 25 rows, where it has up to 48 cards in play. A row has a
place for eight seats, whatever the number of players, so that the loops over seats have a fixed
length, and the processor does all seats at once.

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

TEAM_SEATS, ALL_SEATS = 0b0101_0101, 0b1111_1111
"""The seats of team A, and all seats, as masks; those of team B are the first shifted by one."""

SEATS = 8
"""The places for seats in a row: the most players there are."""
SEAT_OF = np.array([mask.bit_length() - 1 for mask in range(1 << SEATS)])
"""The last seat of each mask of seats, so the only one of a mask with one bit."""
IS_IN = (np.arange(1 << SEATS)[:, None] >> np.arange(SEATS) & 1).astype(np.float64)
"""Masks of seats × seats: 1 for a seat of the mask, else 0."""


class Belief(NamedTuple):
    """What has been seen of a game, in arrays that the functions below change in place."""

    possible: Ints
    """For each card: the seats that may hold it; 0 when it is out of play."""
    holding: Ints
    """For each half-suit: the seats known to hold some card of it that is not located."""
    odds: Floats3
    """Readers × half-suits × `SEATS`: the factor on the odds of each card. The readers are the two
    teams, which may read the same ask differently."""
    state: Row
    """The state of the game (`literature_ai.game.state`)."""


class Rows(NamedTuple):
    """Cards alike, a row each, and what one viewer believes of them.

    In order of half-suits. Arrays have room for a row a card; a number beside them says how many
    there are.
    """

    half_suit: Ints
    cards: Ints
    """The cards, as a mask."""
    possible: Ints
    """The seats that may hold them, as everyone sees it."""
    left: Ints
    """How many of the cards are not in the viewer's hand."""
    places: Ints
    """The seats that may hold those, to the viewer."""
    chances: Floats2
    """Rows × `SEATS`: the viewer's probabilities of where one of those is; 0 when none is left."""
    room: Floats
    """For each of `SEATS`: the cards of the hand that are not located."""
    filled: Floats
    """For each of `SEATS`: a buffer for what fills its hand, or for a factor."""
    none: Floats
    """For each of `SEATS`: a buffer for the chance to hold none of a half-suit, or for a factor."""


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
        np.ones((2, half_suits, SEATS)),
        state,
    )


@compiled
def copy_belief(belief: Belief) -> Belief:
    """A belief that goes on independently."""
    return Belief(
        belief.possible.copy(), belief.holding.copy(), belief.odds.copy(), belief.state.copy()
    )


@compiled
def overwrite_belief(belief: Belief, other: Belief) -> None:
    """Make the belief equal to another one of the same rules, without new arrays."""
    belief.possible[:] = other.possible
    belief.holding[:] = other.holding
    belief.odds[:] = other.odds
    belief.state[:] = other.state


@compiled
def cards_of(half_suit: int) -> range:
    """The six cards of a half-suit, in card order."""
    return range(half_suit * SIX, half_suit * SIX + SIX)


@compiled
def count_of(mask: int) -> int:
    """The number of bits in a mask: of cards, or of seats."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


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
def new_rows(cards: int) -> Rows:
    """Room for the rows of a position of that many cards."""
    return Rows(
        np.empty(cards, np.int64),
        np.empty(cards, np.int64),
        np.empty(cards, np.int64),
        np.empty(cards, np.int64),
        np.empty(cards, np.int64),
        np.zeros((cards, SEATS)),
        np.zeros(SEATS),
        np.empty(SEATS),
        np.empty(SEATS),
    )


@compiled
def with_own_beliefs(rows: Rows) -> Rows:
    """Rows of the same cards, for another viewer."""
    own = new_rows(len(rows.left))
    return Rows(
        rows.half_suit,
        rows.cards,
        rows.possible,
        own.left,
        own.places,
        own.chances,
        own.room,
        own.filled,
        own.none,
    )


@compiled
def find_rows(belief: Belief, rows: Rows) -> int:
    """Fill in which cards are alike, and how many rows that makes."""
    count = 0
    for half_suit in range(len(belief.holding)):
        first = count
        for card in cards_of(half_suit):
            possible = belief.possible[card]
            if possible == 0:
                continue
            row = first
            while row < count and rows.possible[row] != possible:
                row += 1
            if row == count:
                rows.half_suit[row] = half_suit
                rows.cards[row] = 0
                rows.possible[row] = possible
                count += 1
            rows.cards[row] |= 1 << card
    return count


@compiled
def locate_rows(belief: Belief, viewer: int, hand: int, rows: Rows, count: int) -> None:
    """Fill in what is left of each row, where it may be, and the room of the hands.

    A row is located when one seat is left. hand: the viewer's own cards; 0 for `NOBODY`. count: of
    the rows.
    """
    seats = belief.state[PLAYERS]
    own = 0 if viewer < 0 else 1 << viewer
    for seat in range(seats):
        rows.room[seat] = belief.state[HAND_SIZES + seat]
    if viewer >= 0:
        rows.room[viewer] -= count_of(hand)
    for row in range(count):
        left = count_of(rows.cards[row] & ~hand)
        rows.left[row] = left
        places = rows.possible[row]
        if places & ~own:
            places &= ~own
        rows.places[row] = places
        if places & (places - 1) == 0:
            rows.room[SEAT_OF[places]] -= left
    # Full hands take no more cards; that may locate others.
    for _ in range(4):
        full = 0
        for seat in range(seats):
            full |= (rows.room[seat] <= 0) << seat
        changed = False
        for row in range(count):
            places = rows.places[row]
            if places & (places - 1) and places & full and places & ~full and rows.left[row]:
                places &= ~full
                rows.places[row] = places
                if places & (places - 1) == 0:
                    rows.room[SEAT_OF[places]] -= rows.left[row]
                    changed = True
        if not changed:
            break


@compiled
def believe_rows(belief: Belief, reader: int, rows: Rows, count: int, rounds: int) -> None:
    """Fill in the chances of the rows, which have been located.

    reader: the team whose reading of asks counts. rounds: of fitting, at least one.
    """
    room, filled = rows.none, rows.filled
    for seat in range(SEATS):
        room[seat] = max(rows.room[seat], _LEAST_ROOM)
        filled[seat] = 0.0
    for row in range(count):
        chances, places = rows.chances[row], rows.places[row]
        is_place = IS_IN[places]
        if rows.left[row] == 0:
            for seat in range(SEATS):
                chances[seat] = 0.0
        elif places & (places - 1) == 0:
            for seat in range(SEATS):
                chances[seat] = is_place[seat]
        else:
            odds = belief.odds[reader, rows.half_suit[row]]
            for seat in range(SEATS):
                chances[seat] = odds[seat] * room[seat] * is_place[seat]
            _place(chances, rows.left[row], filled)
    for _ in range(rounds - 1):
        _scale_to_room(rows)
        _raise_known_holders(belief, rows, count)
    _scale_to_room(rows)
    for row in range(count):
        places = rows.places[row]
        if places & (places - 1) and rows.left[row]:
            chances = rows.chances[row]
            for seat in range(SEATS):
                chances[seat] *= filled[seat]
            scale = 1.0 / _sum(chances)
            for seat in range(SEATS):
                chances[seat] = min(chances[seat] * scale, _MOST)


@compiled
def _sum(row: Floats) -> float:
    """The sum of a row, in an order that a processor can do at once."""
    return float(((row[0] + row[4]) + (row[1] + row[5])) + ((row[2] + row[6]) + (row[3] + row[7])))


@compiled
def _place(chances: Floats, left: int, filled: Floats) -> None:
    """Scale the chances of a row to one a card, and add them to what fills the hands."""
    scale, cards = 1.0 / _sum(chances), float(left)
    for seat in range(SEATS):
        chances[seat] *= scale
        filled[seat] += chances[seat] * cards


@compiled
def _scale_to_room(rows: Rows) -> None:
    """Turn what fills each hand into the factor that makes it fit the room."""
    filled = rows.filled
    for seat in range(SEATS):
        filled[seat] = rows.room[seat] / filled[seat] if filled[seat] > 0.0 else 1.0


@compiled
def _raise_known_holders(belief: Belief, rows: Rows, count: int) -> None:
    """Scale by the factors of the hands, and raise the chances of known holders; then fill again.

    A seat known to hold some card of a half-suit: P(card | at least one) = P(card) / P(at least
    one), as if cards were independent.
    """
    none, filled = rows.none, rows.filled
    for row in range(count):
        if rows.places[row] & (rows.places[row] - 1):
            chances = rows.chances[row]
            for seat in range(SEATS):
                chances[seat] *= filled[seat]
    for seat in range(SEATS):
        filled[seat] = 0.0
    last = 0
    while last < count:
        first = last
        half_suit = rows.half_suit[first]
        holding = belief.holding[half_suit]
        for seat in range(SEATS):
            none[seat] = 1.0
        while last < count and rows.half_suit[last] == half_suit:
            left, places, possible = rows.left[last], rows.places[last], rows.possible[last]
            if left and places & (places - 1):
                chances = rows.chances[last]
                for _ in range(left if holding else 0):
                    for seat in range(SEATS):
                        none[seat] *= 1.0 - min(chances[seat], 1.0)
            elif left and possible & (possible - 1):
                # It holds this one: no reason to think that it holds another.
                holding &= ~places
            last += 1
        is_holder = IS_IN[holding]
        for seat in range(SEATS):
            # Where no chance is left to be raised, it does not matter by what.
            raised = 1.0 / max(1.0 - none[seat], _LEAST_SOME)
            none[seat] = 1.0 + is_holder[seat] * (raised - 1.0)
        for row in range(first, last):
            places = rows.places[row]
            if places & (places - 1) and rows.left[row]:
                chances = rows.chances[row]
                for seat in range(SEATS):
                    chances[seat] *= none[seat]
                _place(chances, rows.left[row], filled)


@compiled
def believe(belief: Belief, reader: int, viewer: int, hand: int, chances: Floats2) -> None:
    """Fill ``chances`` (cards × seats) with the viewer's probabilities of where each card is.

    ``reader``: the team whose reading of asks counts. ``hand``: as in `locate_rows`. A probability
    is 1 only for a card that is located, as far as `locate_rows` can tell.
    """
    rows = new_rows(len(chances))
    count = find_rows(belief, rows)
    locate_rows(belief, viewer, hand, rows, count)
    believe_rows(belief, reader, rows, count, _ROUNDS)
    chances[:] = spread_rows(rows, count, viewer, hand)[:, : chances.shape[1]]


@compiled
def spread_rows(rows: Rows, count: int, viewer: int, hand: int) -> Floats2:
    """The chances of each card (cards × `SEATS`); viewer, hand: as in `locate_rows`."""
    chances = np.zeros((len(rows.left), SEATS))
    for row in range(count):
        for card in cards_of(rows.half_suit[row]):
            if hand >> card & 1:
                chances[card, viewer] = 1.0
            elif rows.cards[row] >> card & 1:
                chances[card] = rows.chances[row]
    return chances
