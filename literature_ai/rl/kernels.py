"""Compiled parts of the environments: masks, observations, and steps of many games.

Besides its state and its hands (`literature_ai.game.batch`) a game of an environment has a row of
ints, the *decision*: whose decision it waits for, the claim that is being built, who won which
half-suits, and the last events. The constants below are the indices into it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from literature_ai.game.batch import PASS, apply, ask, claim_without_holders, holder_in_claim
from literature_ai.game.compiled_state import (
    askable,
    check_claimant,
    check_pass,
)
from literature_ai.game.state import (
    CLAIM_ANY_TIME,
    CLAIMED_ALREADY,
    ENDED_BY,
    HALF_SUITS,
    HAND_SIZES,
    IN_PLAY,
    OK,
    PLAYERS,
    SCORE,
    SPLIT_CLAIMS,
    TURN,
)
from solver.compilation import compiled

Row: TypeAlias = Any
Rows: TypeAlias = Any
"""Arrays of one and of two dimensions."""

SEAT = 0
"""The seat whose decision it is; -1 when the game is over."""
OFF_TURN = 1
"""1 when it is an offer to claim between two actions."""
OFFERED = 2
"""How many seats, from the one on turn clockwise, have had their offer in this round."""
HALF_SUIT = 3
"""The half-suit of the claim that is being built, or -1."""
PLACED = 4
"""How many of its cards have been placed."""
HOLDERS = 5
"""Six seats: where they have been placed."""
WON = 11
"""The half-suits that team A has won, as a mask; those of team B are in the next place."""
RECENT = 13
"""The last events, as many as there are players, the newest first: `EVENT_FIELDS` ints each."""

NO_EVENT, ASK, CLAIMED, PASSED, TIMED_OUT = range(5)
EVENT_FIELDS = 6
"""Kind, actor, other seat, card, half-suit (each of these -1 if there is none), success (0, 1)."""
DECISION_SIZE = RECENT + 8 * EVENT_FIELDS

ILLEGAL = -1
"""The code of an action that the environment itself does not allow at this moment."""


@compiled
def event_size(players: int, half_suits: int) -> int:
    """The number of features of an event: kind, actor, other seat, card, half-suit, success."""
    return 4 + 2 * players + 7 * half_suits + 1


@compiled
def write_event(event: Row, viewer: int, players: int, half_suits: int, out: Row) -> None:
    """Write the features of an event, as the viewer sees it, into zeros."""
    if event[0] == NO_EVENT:
        return
    out[event[0] - 1] = 1.0
    if event[1] >= 0:
        out[4 + (event[1] - viewer) % players] = 1.0
    if event[2] >= 0:
        out[4 + players + (event[2] - viewer) % players] = 1.0
    first = 4 + 2 * players
    if event[3] >= 0:
        out[first + event[3]] = 1.0
    if event[4] >= 0:
        out[first + 6 * half_suits + event[4]] = 1.0
    out[first + 7 * half_suits] = event[5]


@compiled
def write_observation(state: Row, decision: Row, hand: int, viewer: int, out: Any) -> None:
    """Write the observation of the viewer, who has this hand (a mask); see `Layout`."""
    players, half_suits = state[PLAYERS], state[HALF_SUITS]
    cards = 6 * half_suits
    out[:] = 0.0
    for card in range(cards):
        if hand >> card & 1:
            out[card] = 1.0
    at = cards
    dealt = cards // players
    for k in range(players):
        out[at + k] = state[HAND_SIZES + (viewer + k) % players] / dealt
    at += players
    team = viewer & 1
    for half_suit in range(half_suits):
        out[at + half_suit] = state[IN_PLAY] >> half_suit & 1
        out[at + half_suits + half_suit] = decision[WON + team] >> half_suit & 1
        out[at + 2 * half_suits + half_suit] = decision[WON + 1 - team] >> half_suit & 1
    at += 3 * half_suits
    out[at] = state[SCORE + team] / half_suits
    out[at + 1] = state[SCORE + 1 - team] / half_suits
    at += 2
    if not state[ENDED_BY]:
        out[at + (state[TURN] - viewer) % players] = 1.0
    at += players
    step = 1 if state[SPLIT_CLAIMS] else 2
    nameable = players // step
    if decision[SEAT] == viewer:
        out[at] = decision[OFF_TURN]
        if decision[HALF_SUIT] >= 0:
            out[at + 1 + decision[HALF_SUIT]] = 1.0
            first = at + 1 + half_suits
            for i in range(decision[PLACED]):
                m = (decision[HOLDERS + i] - viewer) % players // step
                out[first + nameable * i + m] = 1.0
    at += 1 + half_suits + 6 * nameable
    size = event_size(players, half_suits)
    for i in range(players):
        event = decision[RECENT + EVENT_FIELDS * i : RECENT + EVENT_FIELDS * (i + 1)]
        write_event(event, viewer, players, half_suits, out[at : at + size])
        at += size


@compiled
def taker(players: int, seat: int, k: int) -> int:
    """Who gets the turn by the k-th pass of the seat: teammates clockwise, then opponents."""
    teammates = players // 2 - 1
    if k < teammates:
        return (seat + 2 + 2 * k) % players
    return (seat + 1 + 2 * (k - teammates)) % players


@compiled
def write_mask(state: Row, decision: Row, hand: int, passes: int, out: Any) -> None:
    """Write 1 for each legal action of the seat that decides, which has this hand, else 0.

    ``passes`` is the number of passes in the action space.
    """
    out[:] = 0
    seat = decision[SEAT]
    if seat < 0:
        return
    players, half_suits = state[PLAYERS], state[HALF_SUITS]
    opponents = players // 2
    first_pass = 6 * half_suits * opponents
    decline = first_pass + passes
    first_claim = decline + 1
    if decision[HALF_SUIT] >= 0:
        nameable = players if state[SPLIT_CLAIMS] else opponents
        first = first_claim + half_suits
        out[first : first + nameable] = 1
        return
    if decision[OFF_TURN]:
        out[decline] = 1
    else:
        if state[HAND_SIZES + seat]:
            cards = askable(state, hand)
            for card in range(6 * half_suits):
                if cards >> card & 1:
                    for k in range(opponents):
                        if state[HAND_SIZES + (seat + 1 + 2 * k) % players]:
                            out[card * opponents + k] = 1
        for k in range(passes):
            if check_pass(state, seat, taker(players, seat, k)) == OK:
                out[first_pass + k] = 1
    if check_claimant(state, seat) == OK:
        for half_suit in range(half_suits):
            if state[IN_PLAY] >> half_suit & 1:
                out[first_claim + half_suit] = 1


@compiled
def next_decision(state: Row, decision: Row, offered: int) -> None:
    """Find the decision after so many offers since the last event, as `literature_ai.game.turns`
    orders them."""
    turn, players = state[TURN], state[PLAYERS]
    decision[HALF_SUIT], decision[PLACED], decision[OFF_TURN] = -1, 0, 0
    if state[ENDED_BY]:
        decision[SEAT] = -1
        return
    if state[CLAIM_ANY_TIME]:
        for step in range(offered, players):
            seat = (turn + step) % players
            if check_claimant(state, seat) == OK:
                decision[SEAT], decision[OFF_TURN], decision[OFFERED] = seat, 1, step + 1
                return
    decision[SEAT] = turn


@compiled
def remember(decision: Row, players: int, event: Row) -> None:
    """Put an event before the others."""
    for i in range(EVENT_FIELDS * players - 1, EVENT_FIELDS - 1, -1):
        decision[RECENT + i] = decision[RECENT + i - EVENT_FIELDS]
    for i in range(EVENT_FIELDS):
        decision[RECENT + i] = event[i]


@compiled
def step_game(state: Row, hands: Row, decision: Row, action: int, passes: int) -> int:
    """Apply an action of the action space: which rule it breaks, `ILLEGAL`, or `OK`.

    A game whose action breaks one has not changed.
    """
    seat, players, half_suits = decision[SEAT], state[PLAYERS], state[HALF_SUITS]
    opponents = players // 2
    first_pass = 6 * half_suits * opponents
    decline = first_pass + passes
    first_place = decline + 1 + half_suits
    step = 1 if state[SPLIT_CLAIMS] else 2
    if seat < 0 or action < 0 or action >= first_place + players // step:
        return ILLEGAL
    if (action >= first_place) != (decision[HALF_SUIT] >= 0):
        return ILLEGAL
    if action < decline and decision[OFF_TURN]:
        return ILLEGAL
    if action == decline and not decision[OFF_TURN]:
        return ILLEGAL
    event: Any = np.full(EVENT_FIELDS, -1, np.int64)
    event[1], event[5] = seat, 0
    if action == decline:
        next_decision(state, decision, decision[OFFERED])
        return OK
    if action < first_pass:
        card, target = action // opponents, (seat + 1 + 2 * (action % opponents)) % players
        code, success = apply(state, hands, ask(target, card))
        event[0], event[2], event[3] = ASK, target, card
    elif action < decline:
        to = taker(players, seat, action - first_pass)
        code, success = apply(state, hands, PASS + to)
        event[0], event[2] = PASSED, to
    elif action < first_place:
        half_suit = action - decline - 1
        if check_claimant(state, seat) != OK:
            return ILLEGAL
        if not state[IN_PLAY] >> half_suit & 1:
            return CLAIMED_ALREADY
        decision[HALF_SUIT], decision[PLACED] = half_suit, 0
        return OK
    else:
        decision[HOLDERS + decision[PLACED]] = (seat + step * (action - first_place)) % players
        decision[PLACED] += 1
        if decision[PLACED] < 6:
            return OK
        half_suit = decision[HALF_SUIT]
        claim = claim_without_holders(half_suit, seat)
        for i in range(6):
            claim |= holder_in_claim(i, decision[HOLDERS + i])
        before_a, before_b = state[SCORE], state[SCORE + 1]
        code, success = apply(state, hands, claim)
        event[0], event[4] = CLAIMED, half_suit
        decision[WON] |= (state[SCORE] - before_a) << half_suit
        decision[WON + 1] |= (state[SCORE + 1] - before_b) << half_suit
    if code != OK:
        return code
    event[5] = success
    remember(decision, players, event)
    next_decision(state, decision, 0)
    return OK


@compiled
def step_games(
    states: Rows, hands: Rows, decisions: Rows, actions: Row, passes: int, codes: Row
) -> None:
    """`step_game` in each game."""
    for i in range(len(states)):
        codes[i] = step_game(states[i], hands[i], decisions[i], actions[i], passes)


@compiled
def write_games(
    states: Rows, hands: Rows, decisions: Rows, passes: int, observations: Rows, masks: Rows
) -> None:
    """Observation and mask of the seat that decides in each game; zeros where it is over."""
    for i in range(len(states)):
        seat = decisions[i, SEAT]
        if seat < 0:
            observations[i] = 0.0
            masks[i] = 0
        else:
            write_observation(states[i], decisions[i], hands[i, seat], seat, observations[i])
            write_mask(states[i], decisions[i], hands[i, seat], passes, masks[i])


@compiled
def draw_actions(masks: Rows, rng: np.random.Generator, actions: Row) -> None:
    """A uniformly random legal action for each game; -1 where there is none."""
    for i in range(len(masks)):
        legal = 0
        for action in range(masks.shape[1]):
            legal += masks[i, action]
        actions[i] = -1
        if legal:
            wanted = int(rng.random() * legal)
            for action in range(masks.shape[1]):
                wanted -= masks[i, action]
                if wanted < 0:
                    actions[i] = action
                    break


@compiled
def first_decisions(states: Rows, decisions: Rows, which: Row) -> None:
    """Find the first decision of these games."""
    for i in which:
        next_decision(states[i], decisions[i], 0)
