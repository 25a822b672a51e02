"""A belief of what is known: quick, rough beliefs about a game, in compiled loops.

Exact counting takes about a millisecond. A lookahead needs the beliefs of every player at every
step of hundreds of imagined games, so it needs something a thousand times cheaper. A `Belief`
keeps, of all that happened in the open:

- for each card, the seats that may have it (a bit mask), as far as single events say so;
- for each half-suit, the seats that must hold some card of it that nobody has located;
- for each half-suit and seat, a *tilt*: how much likelier than by chance the seat is to hold a card
  of it, because it chose to ask for it.

`believe` makes probabilities of it for one viewer by fitting a table of cards × seats to the two
kinds of margins: each card is somewhere, each hand has its size (iterative proportional fitting,
Deming and Stephan 1940). It errs by a few percent, against what `literature_ai.inference.knowledge`
computes.

Hands are bit masks: bit ``c`` stands for card ``c``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.compilation import compiled

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

SIX = 6
NOBODY = -1
"""The viewer who has no hand: what everyone knows."""
_ROUNDS = 3
"""Of fitting; more changes no decision that we could measure."""

READINGS = 8
"""What multiplies the asker's tilt: for an ask of the reader's own side, then for one of the other
side: a sure ask (everyone knew that the target had the card), an unsure one for a half-suit that he
had not shown, one that he had, and what an unsure ask does to half-suits he has not shown."""

TURN, IN_PLAY, SCORE, EVENTS, BLUFFS = 0, 1, 2, 4, 5
"""Places in `Belief.table`; the score of the other team is in the place after `SCORE`."""


class Belief(NamedTuple):
    """What the table has seen, in arrays that the functions below change in place."""

    may: Ints
    """For each card: the seats that may have it, as bits; 0 when it is out of play."""
    touch: Ints
    """For each half-suit: the seats that must hold a card of it that is not located, as bits."""
    tilt: Floats
    """Readers × half-suits × seats: the factor on the odds of each card. The two teams may read
    the same ask differently."""
    sizes: Ints
    """For each seat: the number of cards in its hand."""
    table: Ints
    """The seat on turn, half-suits in play (bits), the score of each team, the number of events,
    and whether one may ask for a card one holds."""


def new_belief(half_suits: int, sizes: tuple[int, ...], turn: int, bluffs: bool) -> Belief:
    """The belief of a game at its start."""
    seats = len(sizes)
    return Belief(
        np.full(half_suits * SIX, (1 << seats) - 1, np.int64),
        np.zeros(half_suits, np.int64),
        np.ones((2, half_suits, seats)),
        np.array(sizes, np.int64),
        np.array([turn, (1 << half_suits) - 1, 0, 0, 0, bluffs], np.int64),
    )


@compiled
def copy_belief(k: Belief) -> Belief:
    return Belief(k.may.copy(), k.touch.copy(), k.tilt.copy(), k.sizes.copy(), k.table.copy())


@compiled
def observe_ask(k: Belief, asker: int, target: int, card: int, hit: bool, readings: Floats) -> None:
    """Take in an ask. readings: for each team, how it reads asks (2 × `READINGS`)."""
    h = card // SIX
    me = 1 << asker
    them = 1 << target
    holds = k.touch[h] & me != 0
    for c in range(h * SIX, h * SIX + SIX):
        if k.may[c] == me:
            holds = True
    for reader in range(2):
        first = 0 if reader == asker & 1 else READINGS // 2
        if k.may[card] == them:
            k.tilt[reader, h, asker] *= readings[reader, first]
        else:
            k.tilt[reader, h, asker] *= readings[reader, first + (2 if holds else 1)]
            for other in range(len(k.touch)):
                if other != h and k.touch[other] & me == 0:
                    k.tilt[reader, other, asker] *= readings[reader, first + 3]
    if not holds:
        k.touch[h] |= me
    if hit:
        if k.may[card] != them:
            k.touch[h] &= ~them
        k.may[card] = me
        k.sizes[asker] += 1
        k.sizes[target] -= 1
    else:
        k.may[card] &= ~them if k.table[BLUFFS] else ~(me | them)
        k.table[TURN] = target
    k.table[EVENTS] += 1


@compiled
def observe_claim(k: Belief, half_suit: int, lost: Ints) -> None:
    """Take in a claim (without its score and what it does to the turn)."""
    for c in range(half_suit * SIX, half_suit * SIX + SIX):
        k.may[c] = 0
    k.touch[half_suit] = 0
    k.table[IN_PLAY] &= ~(1 << half_suit)
    for s in range(len(k.sizes)):
        k.sizes[s] -= lost[s]
    k.table[EVENTS] += 1


@compiled
def locate(k: Belief, viewer: int, hand: int, masks: Ints, room: Floats) -> None:
    """Fill ``masks`` with the seats that may have each card, to the viewer, as far as is plain.

    A card is located when one seat is left; ``room`` is what each hand holds besides located cards.
    ``hand``: the viewer's own cards; nothing for `NOBODY`.
    """
    cards = len(k.may)
    seats = len(k.sizes)
    own = 0 if viewer < 0 else 1 << viewer
    for c in range(cards):
        m = k.may[c]
        if own:
            if hand >> c & 1:
                m = own
            elif m & ~own:
                m &= ~own
        masks[c] = m
    # Full hands take no more cards; that may locate others.
    for _ in range(4):
        closed = 0
        for s in range(seats):
            room[s] = k.sizes[s]
        for c in range(cards):
            m = masks[c]
            if m and m & (m - 1) == 0:
                for s in range(seats):
                    if m >> s & 1:
                        room[s] -= 1
        for s in range(seats):
            if room[s] <= 0:
                closed |= 1 << s
        changed = False
        for c in range(cards):
            m = masks[c]
            if m & (m - 1) and m & closed and m & ~closed:
                masks[c] = m & ~closed
                if masks[c] & (masks[c] - 1) == 0:
                    changed = True
        if not changed:
            break


@compiled
def believe(k: Belief, reader: int, viewer: int, hand: int, p: Floats) -> None:
    """Fill ``p`` (cards × seats) with the probability, to the viewer, that the seat has the card.

    ``reader``: the team whose reading of asks counts. ``hand``: as in `locate`. A probability is 1
    only for a card that is located for sure, as far as the belief can tell.
    """
    cards = len(k.may)
    seats = len(k.sizes)
    masks = np.empty(cards, np.int64)
    room = np.empty(seats)
    fill = np.empty(seats)
    open_cards = np.empty(cards, np.int64)
    locate(k, viewer, hand, masks, room)
    count = 0
    p[:] = 0.0
    for c in range(cards):
        m = masks[c]
        if m == 0:
            continue
        if m & (m - 1) == 0:
            for s in range(seats):
                if m >> s & 1:
                    p[c, s] = 1.0
            continue
        open_cards[count] = c
        count += 1
        h = c // SIX
        for s in range(seats):
            if m >> s & 1:
                p[c, s] = k.tilt[reader, h, s] * max(room[s], 0.01)
    for turn in range(_ROUNDS):
        for s in range(seats):
            fill[s] = 0.0
        for i in range(count):
            c = open_cards[i]
            total = 0.0
            for s in range(seats):
                total += p[c, s]
            for s in range(seats):
                p[c, s] /= total
                fill[s] += p[c, s]
        for s in range(seats):
            fill[s] = room[s] / fill[s] if fill[s] > 0.0 else 1.0
        for i in range(count):
            c = open_cards[i]
            for s in range(seats):
                p[c, s] *= fill[s]
        if turn < _ROUNDS - 1:
            _heed_touch(k, masks, p)
    for i in range(count):
        c = open_cards[i]
        total = 0.0
        for s in range(seats):
            total += p[c, s]
        for s in range(seats):
            p[c, s] = min(p[c, s] / total, 0.9999)


@compiled
def _heed_touch(k: Belief, masks: Ints, p: Floats) -> None:
    """Raise what is believed of seats that hold some card: P(card) / P(at least one)."""
    for h in range(len(k.touch)):
        if k.touch[h] == 0:
            continue
        for s in range(len(k.sizes)):
            if not k.touch[h] >> s & 1:
                continue
            none = 1.0
            located = False
            for c in range(h * SIX, h * SIX + SIX):
                m = masks[c]
                if m & (m - 1):
                    none *= 1.0 - min(p[c, s], 1.0)
                elif m == 1 << s and k.may[c] & (k.may[c] - 1):
                    located = True
            if located or none >= 1.0:
                continue
            some = max(1.0 - none, 0.05)
            for c in range(h * SIX, h * SIX + SIX):
                m = masks[c]
                if m & (m - 1):
                    p[c, s] = p[c, s] / some
