"""Continuation: how a game most likely goes on after a move, as rollouts see it.

On each of many deals, the seat on turn has a move by the policies of rollouts. The most common one,
with its answer, is taken to happen; the deals on which it would not are left out; and so on. What
everyone has seen is then the same on all deals that are left.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from literature_ai.agents.expert.belief import SIX, Belief, copy_belief
from literature_ai.agents.expert.rollout import (
    ASK,
    CLAIM,
    MOVE_SIZE,
    PASS,
    TIME_OUT,
    Move,
    Policies,
    apply_move,
    next_moves,
)
from literature_ai.cards import Seat
from literature_ai.events import Action, Ask, Asked, Claim, Claimed, Event, Pass, Passed, TimedOut
from literature_ai.game.state import ENDED_BY, TURN
from solver.kernels.arrays import Ints, Ints2

LENGTH = 5
"""The events of a line."""
_LEAST = 2
"""A line ends when fewer deals are left."""


def move_of(action: Action | TimedOut | None, claimant: Seat = -1) -> Ints:
    """The row of `MOVE_SIZE` numbers that stands for the action of the seat on turn.

    None: what it does by itself. claimant: who claims, if it is not the seat on turn.
    """
    row = np.zeros(MOVE_SIZE, np.int64)
    match action:
        case Ask(target, card):
            row[:3] = ASK, target, card
        case Pass(to):
            row[:3] = PASS, to, -1
        case Claim(half_suit, holders):
            row[:3] = CLAIM, claimant, half_suit
            row[3:] = holders
        case TimedOut():
            row[0] = TIME_OUT
    return row


def likeliest_line(
    belief: Belief, hands: Ints2, move: Ints, policies: Policies, hides: bool
) -> tuple[Event, ...]:
    """The likeliest events, from a move on; at most `LENGTH`.

    hands: deals × seats, as masks. move: a row of `MOVE_SIZE`, as from `move_of`. hides: whether a
    wrong claim hides the cards (``wrong-hides``).
    """
    belief, hands = copy_belief(belief), hands.copy()
    moves = np.tile(move, (len(hands), 1))
    line: list[Event] = []
    while True:
        seat = int(belief.state[TURN])
        events = [
            _event(seat, move, deal, hides)
            for move, deal in zip(moves.tolist(), hands.tolist(), strict=True)
        ]
        # Of events that are equally common, the first deal decides.
        likeliest = Counter(events).most_common(1)[0][0]
        line.append(likeliest)
        left = np.array([event == likeliest for event in events])
        moves, hands = moves[left], hands[left]
        after = belief
        for move, deal in zip(moves, hands, strict=True):
            after = copy_belief(belief)
            kind, to, what = move[:3].tolist()
            apply_move(after, deal, Move(kind, to, what), move[3:], policies.ask_factors)
        belief = after
        if len(line) == LENGTH or belief.state[ENDED_BY] or len(hands) < _LEAST:
            return tuple(line)
        moves = np.empty((len(hands), MOVE_SIZE), np.int64)
        may_pass = not isinstance(line[-1], Passed)
        next_moves(belief, hands, policies, may_pass, 1, moves)


def _event(seat: int, move: list[int], hands: list[int], hides: bool) -> Event:
    """The event that a move leads to with these hands (masks)."""
    kind, to, what, *named = move
    if kind == ASK:
        return Asked(seat, to, what, bool(hands[to] >> what & 1))
    if kind == PASS:
        return Passed(seat, to)
    if kind == TIME_OUT:
        return TimedOut(seat)
    claimant = seat if to < 0 else to
    holders = tuple(named)
    first = what * SIX
    shown = tuple(
        next(s for s, hand in enumerate(hands) if hand >> card & 1)
        for card in range(first, first + SIX)
    )
    if shown != holders and hides:
        return Claimed(
            claimant, what, holders, False, None, tuple(map(shown.count, range(len(hands))))
        )
    return Claimed(claimant, what, holders, shown == holders, shown)
