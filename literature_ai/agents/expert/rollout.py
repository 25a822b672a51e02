"""Rollouts: play on from a position with known cards, each seat acting on its own beliefs.

Every seat sees only its hand and what happened in the open (`literature_ai.agents.expert.belief`),
and makes the ask of the greatest value (`literature_ai.agents.expert.action_value`). So no seat
takes a card that it could not know of, which is what misleads a search over open hands. What an
action does to the game is left to the rules (`literature_ai.game.state`), under every switch. No
seat claims off turn, asks for own cards, or times out.

What is counted is *open* asks, those whose answer the asker does not know. A rollout that stops
after some of them first goes on while there is a card to take for sure or a half-suit to claim, for
in the middle of that the position has no settled value: a quiescence search, as chess programs call
it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from literature_ai.agents.expert.action_value import (
    GUESS_ABOVE,
    PASS_ABOVE,
    PASS_BELOW,
    POINTLESS_PENALTY,
    ActionWeights,
    Buffers,
    any_card,
    best_ask,
    best_guess,
    best_pass,
    certain_claim,
    new_buffers,
    sure_ask,
    value_rows,
)
from literature_ai.agents.expert.belief import (
    NOBODY,
    SIX,
    Belief,
    Row,
    believe_rows,
    copy_belief,
    find_rows,
    locate_rows,
    observe_ask,
    observe_claim,
    overwrite_belief,
    spread_rows,
)
from literature_ai.agents.expert.state_value import StateFeatures, state_value
from literature_ai.game.compiled_state import (
    apply_pass,
    apply_time_out,
    check_pass,
    lay_open,
    may_pass,
)
from literature_ai.game.state import (
    ENDED_BY,
    EVENTS,
    HAND_SIZES,
    OK,
    PASS_TURN,
    PLAYERS,
    SCORE,
    TURN,
)
from solver.compilation import compiled
from solver.kernels.arrays import Floats2, Floats3, Ints, Ints2

LONGEST = 400
"""The events after which a rollout stops."""

OWN_ROUNDS, PUBLIC_ROUNDS = 2, 1
"""Rounds of fitting of what the seat on turn and everyone believe: players with three of each are
not stronger (``benchmarks/STRENGTH.md``)."""

NOTHING, ASK, CLAIM, PASS, TIME_OUT = 0, 1, 2, 3, 4
"""The kinds of a `Move`."""
MOVE_SIZE = 3 + SIX
"""The numbers of a move that is tried: kind, to, what, and the six holders that a claim names."""


class Policies(NamedTuple):
    """How the players of a rollout act, for each team."""

    weights: tuple[ActionWeights, ActionWeights]
    """How they value asks."""
    ask_factors: Floats3
    """How they read asks (2 × `literature_ai.agents.expert.belief.ASK_FACTORS`)."""


class Move(NamedTuple):
    """What the seat on turn does: one of the kinds above, and what it needs."""

    kind: int
    to: int
    """The target of an ask, or who a pass gives the turn to."""
    what: int
    """The card of an ask, or the half-suit of a claim."""


@compiled
def rollout(
    belief: Belief,
    hands: Row,
    policies: Policies,
    open_asks: int,
    dice: Ints,
    buffers: Buffers,
    settled: bool,
) -> None:
    """Play on, changing the belief and the hands (masks), up to an open ask too many or the end.

    open_asks: how many are made. dice: as in `literature_ai.agents.expert.action_value.best_ask`.
    settled: whether the last rollout with the buffers stopped here.
    """
    state = belief.state
    last = state[EVENTS] + LONGEST
    passed = False
    while not state[ENDED_BY] and state[EVENTS] < last:
        move = Move(NOTHING, -1, -1) if settled else plain_move(belief, hands, buffers)
        settled = False
        if move.kind == NOTHING:
            if open_asks == 0:
                return
            move = valued_move(belief, hands, policies, not passed, dice, buffers)
            if move.kind != PASS:
                open_asks -= 1
        passed = move.kind == PASS
        apply_move(belief, hands, move, buffers.holders, policies.ask_factors)


@compiled
def plain_move(belief: Belief, hands: Row, buffers: Buffers) -> Move:
    """The move that needs no thought: a forced pass, a certain claim, or a sure ask; or `NOTHING`.

    Fills ``buffers.holders`` for a claim.
    """
    state = belief.state
    seat = state[TURN]
    if state[HAND_SIZES + seat] == 0 and may_pass(state):
        return Move(PASS, taker(belief, seat), -1)
    return sure_move(belief, seat, hands[seat], buffers)


@compiled
def sure_move(belief: Belief, seat: int, hand: int, buffers: Buffers) -> Move:
    """A certain claim, or a sure ask, as far as the belief tells; or `NOTHING`.

    Fills ``buffers.holders`` for a claim.
    """
    own = buffers.own
    count = find_rows(belief, own)
    locate_rows(belief, seat, hand, own, count)
    buffers.used[0] = count
    half_suit = certain_claim(belief, seat, hand, own, count, buffers.holders)
    if half_suit >= 0:
        return Move(CLAIM, -1, half_suit)
    target, card = sure_ask(seat, hand, own, count)
    return Move(ASK, target, card) if target >= 0 else Move(NOTHING, -1, -1)


@compiled
def valued_move(
    belief: Belief, hands: Row, policies: Policies, passing: bool, dice: Ints, buffers: Buffers
) -> Move:
    """The move of the greatest value: an ask, or a claim or pass where asks are worth little.

    Fills ``buffers.holders`` for a claim. The rows of the buffers are those of `plain_move`, which
    goes before. passing: whether to think of passing; who was passed the
    turn does not pass it on, or it could go round for ever.
    """
    state = belief.state
    seat = state[TURN]
    team = seat & 1
    hand = hands[seat]
    own, public, values = buffers.own, buffers.public, buffers.values
    count = buffers.used[0]
    believe_rows(belief, team, own, count, OWN_ROUNDS)
    locate_rows(belief, NOBODY, 0, public, count)
    believe_rows(belief, team, public, count, PUBLIC_ROUNDS)
    chance = value_rows(belief, seat, hand, buffers, count, policies.weights[team])
    target, row = best_ask(values, count, dice)
    if state[PASS_TURN] and passing and (target < 0 or chance < PASS_BELOW):
        to, prospects = best_pass(
            belief, spread_rows(own, count, seat, hand), spread_rows(public, count, NOBODY, 0)
        )
        if to >= 0 and (target < 0 or prospects > PASS_ABOVE):
            return Move(PASS, to, -1)
    if target < 0 or (
        own.chances[row, target] == 0.0 and values[row, target] < -POINTLESS_PENALTY / 2
    ):
        mine = spread_rows(own, count, seat, hand)
        half_suit, chance = best_guess(belief, seat, mine, buffers.holders)
        if target < 0 or chance > GUESS_ABOVE:
            return Move(CLAIM, -1, half_suit)
    return Move(ASK, target, any_card(own.cards[row] & ~hand, dice))


@compiled
def taker(belief: Belief, seat: int) -> int:
    """To whom the seat passes a turn without cards: the teammate with the most cards, or, when it
    must name an opponent, the one with the fewest."""
    state = belief.state
    best_to = -1
    best = 0
    for to in range(state[PLAYERS]):
        if check_pass(state, seat, to) == OK:
            value = -state[HAND_SIZES + to] if (to ^ seat) & 1 else state[HAND_SIZES + to]
            if best_to < 0 or value > best:
                best_to = to
                best = value
    return best_to


@compiled
def apply_move(belief: Belief, hands: Row, move: Move, holders: Ints, ask_factors: Floats3) -> None:
    """Let the seat on turn move; holders: of a claim, which ``to`` makes unless it is negative."""
    state = belief.state
    seat = state[TURN]
    if move.kind == PASS:
        apply_pass(state, move.to)
    elif move.kind == TIME_OUT:
        apply_time_out(state)
    elif move.kind == ASK:
        moved = hands[move.to] & 1 << move.what
        hands[move.to] ^= moved
        hands[seat] |= moved
        observe_ask(belief, seat, move.to, move.what, moved != 0, ask_factors)
    else:
        located: Row = np.empty(SIX, np.int64)
        lost: Row = np.zeros(state[PLAYERS], np.int64)
        lay_open(state, hands, move.what, located, lost)
        right = located[0] == holders[0]
        for i in range(1, SIX):
            right = right and located[i] == holders[i]
        observe_claim(belief, seat if move.to < 0 else move.to, move.what, right, lost)


@compiled
def next_moves(
    belief: Belief, deals: Ints2, policies: Policies, may_pass: bool, seed: int, moves: Ints2
) -> None:
    """Fill in the move that the seat on turn makes on each deal.

    deals: deals × seats, the hands now, as masks. may_pass: as for `valued_move`. seed: of the
    dice, the same on all deals. moves: a row of `MOVE_SIZE` for each deal.
    """
    buffers = new_buffers(len(belief.possible))
    dice = np.empty(1, np.int64)
    for deal in range(len(deals)):
        dice[0] = seed
        hands = deals[deal]
        move = plain_move(belief, hands, buffers)
        if move.kind == NOTHING:
            move = valued_move(belief, hands, policies, may_pass, dice, buffers)
        moves[deal, 0] = move.kind
        moves[deal, 1] = move.to
        moves[deal, 2] = move.what
        moves[deal, 3:] = buffers.holders


class Trials(NamedTuple):
    """What came of moves that were tried on deals."""

    values: Floats3
    """Horizons × deals × moves: the state values reached, for the team on turn at first."""
    leads: Floats2
    """Deals × moves: the half-suits that this team was ahead by at the last horizon."""


def new_trials(horizons: int, deals: int, moves: int) -> Trials:
    """Arrays of these sizes, to be filled by `compare`."""
    return Trials(np.empty((horizons, deals, moves)), np.empty((deals, moves)))


@compiled
def compare(
    belief: Belief,
    deals: Ints2,
    moves: Ints2,
    policies: Policies,
    horizons: Ints,
    weights: StateFeatures,
    seed: int,
    trials: Trials,
) -> None:
    """Try each move of the seat on turn on each deal, and fill in what came of it.

    deals: deals × seats, the hands now, as masks. moves: rows of `MOVE_SIZE`. horizons: after how
    many open asks to take the state value, in rising order. weights: of the state value. All moves
    meet the same deals and the same dice, and those of a deal depend on its number alone: ``seed``
    is that of the first deal, the next has the next seed.
    """
    team = belief.state[TURN] & 1
    dice = np.empty(1, np.int64)
    buffers = new_buffers(len(belief.possible))
    after = copy_belief(belief)
    hands = np.empty(deals.shape[1], np.int64)
    for deal in range(len(deals)):
        for i in range(len(moves)):
            dice[0] = seed + deal
            hands[:] = deals[deal]
            overwrite_belief(after, belief)
            move = Move(moves[i, 0], moves[i, 1], moves[i, 2])
            if move.kind != NOTHING:
                apply_move(after, hands, move, moves[i, 3:], policies.ask_factors)
            for horizon in range(len(horizons)):
                more = horizons[horizon] - (horizons[horizon - 1] if horizon else 0)
                rollout(after, hands, policies, more, dice, buffers, horizon > 0)
                trials.values[horizon, deal, i] = state_value(after, hands, team, weights)
            state = after.state
            trials.leads[deal, i] = state[SCORE + team] - state[SCORE + 1 - team]
