"""The rules of Literature as plain functions over one flat sequence of ints.

A *state* holds the public state of one game: who is on turn, how many cards each seat has, the
score, which half-suits are in play, how many events there were, and the rules of the game. The
constants below are the indices into it. Functions named ``check_…`` return which rule an action
breaks (`OK` when none); functions named ``apply_…`` change the state when it happens.

Where hands matter, they are bit masks: bit ``c`` of a hand stands for card ``c``.

This is the only implementation of the rules. It is written in the subset of Python that numba's
nopython mode compiles (ints, indexing, loops), so the same functions run as they are on lists, one
game at a time, and compiled on rows of numpy arrays, many games at a time.

>>> from literature_ai.rules import RuleSet
>>> state = new_state(RuleSet(), 0)
>>> check_ask(state, 0, 2, 0) == ASKED_OWN_TEAM
True
>>> check_ask(state, 0, 1, 0) == OK
True
>>> apply_ask(state, 0, 1, False)
>>> state[TURN]
1
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from literature_ai.rules import RuleSet

PLAYERS = 0
HALF_SUITS = 1
MAJORITY = 2
MAX_EVENTS = 3
SPLIT_CLAIMS = 4
CLAIM_ANY_TIME = 5
CARDLESS_CLAIMS = 6
PASS_TURN = 7
WRONG_CANCELS = 8
BLUFF_ASKS = 9
PLAY_OUT = 10
WRONG_LOSES_TURN = 11
CLAIM_TAKES_TURN = 12
CHOOSE_CLAIMANT = 13
TIMED = 14
TURN = 15
"""The seat on turn; of the last one when the game is over."""
EVENTS = 16
IN_PLAY = 17
"""Bit ``h`` is set while half-suit ``h`` has not been claimed."""
SCORE = 18
"""Half-suits of team A; those of team B are in the next place."""
ENDED_BY = 20
"""0 while the game is in progress, then one of the three ends below."""
HAND_SIZES = 21
"""Cards of seat 0; those of the other seats follow, up to eight."""
STATE_SIZE = HAND_SIZES + 8

BY_MAJORITY = 1
BY_LAST_CLAIM = 2
BY_MAX_EVENTS = 3

OK = 0
GAME_OVER = 1
NOT_ON_TURN = 2
NO_SUCH_SEAT = 3
NO_SUCH_CARD = 4
NO_SUCH_HALF_SUIT = 5
CLAIMED_ALREADY = 6
ASKER_WITHOUT_CARDS = 7
ASKED_OWN_TEAM = 8
ASKED_WITHOUT_CARDS = 9
ASKED_OWN_CARD = 10
NO_OTHER_CARD = 11
NO_CARD_OF_HALF_SUIT = 12
CLAIM_OFF_TURN = 13
CLAIMANT_WITHOUT_CARDS = 14
CLAIM_NAMES_OPPONENT = 15
LOST_NOT_SIX = 16
LOST_MORE_THAN_HELD = 17
PASS_WITH_CARDS = 18
PASS_TO_NO_TEAMMATE = 19
PASS_TO_NO_OPPONENT = 20
PASS_TO_EMPTY_HAND = 21
PASS_OF_CLAIMANT = 22
NOT_TIMED = 23

_LOWEST_OF_EACH = 0b000001_000001_000001_000001_000001_000001_000001_000001_000001
_SIX = 0b111111


def new_state(rules: RuleSet, start: int) -> list[int]:
    """The state at the start of a game: `STATE_SIZE` ints."""
    state = [0] * STATE_SIZE
    state[PLAYERS] = rules.players
    state[HALF_SUITS] = rules.half_suits
    state[MAJORITY] = rules.majority
    state[MAX_EVENTS] = rules.max_events
    state[SPLIT_CLAIMS] = int(rules.split_claims)
    state[CLAIM_ANY_TIME] = int(rules.claim_any_time)
    state[CARDLESS_CLAIMS] = int(rules.cardless_claims)
    state[PASS_TURN] = int(rules.pass_turn)
    state[WRONG_CANCELS] = int(rules.wrong_cancels)
    state[BLUFF_ASKS] = int(rules.bluff_asks)
    state[PLAY_OUT] = int(rules.play_out)
    state[WRONG_LOSES_TURN] = int(rules.wrong_loses_turn)
    state[CLAIM_TAKES_TURN] = int(rules.claim_takes_turn)
    state[CHOOSE_CLAIMANT] = int(rules.choose_claimant)
    state[TIMED] = int(rules.turn_seconds is not None)
    state[TURN] = start
    state[IN_PLAY] = (1 << rules.half_suits) - 1
    for seat in range(rules.players):
        state[HAND_SIZES + seat] = rules.hand_size
    return state


def check_ask(state: Sequence[int], asker: int, target: int, card: int) -> int:
    """Which rule an ask breaks, as far as everyone can see; `check_asker` checks the hand."""
    if state[ENDED_BY]:
        return GAME_OVER
    if asker != state[TURN]:
        return NOT_ON_TURN
    if target < 0 or target >= state[PLAYERS]:
        return NO_SUCH_SEAT
    if card < 0 or card >= state[HALF_SUITS] * 6:
        return NO_SUCH_CARD
    if not state[HAND_SIZES + asker]:
        return ASKER_WITHOUT_CARDS
    if (asker ^ target) & 1 == 0:
        return ASKED_OWN_TEAM
    if not state[HAND_SIZES + target]:
        return ASKED_WITHOUT_CARDS
    if not state[IN_PLAY] >> card // 6 & 1:
        return CLAIMED_ALREADY
    return OK


def check_asker(state: Sequence[int], held: int, possible: int, card: int) -> int:
    """Which rule an ask for the card breaks, going by the hand of the asker.

    ``held`` are the cards that they certainly have and ``possible`` those that they may have; both
    are the hand when it is known. The result is `OK` unless the rule is certainly broken.
    """
    six = _SIX << card // 6 * 6
    if state[BLUFF_ASKS]:
        return OK if possible & six else NO_CARD_OF_HALF_SUIT
    asked = 1 << card
    if held & asked:
        return ASKED_OWN_CARD
    return OK if possible & six & ~asked else NO_OTHER_CARD


def askable(state: Sequence[int], hand: int) -> int:
    """The cards, as a mask, that a player with this hand may ask for."""
    pairs = hand | hand >> 1
    half_suits = (pairs | pairs >> 2 | pairs >> 4) & _LOWEST_OF_EACH
    if state[BLUFF_ASKS]:
        return half_suits * _SIX
    return half_suits * _SIX ^ hand


def may_claim(state: Sequence[int], seat: int) -> bool:
    """Whether the seat may claim right now, on or off turn."""
    return check_claimant(state, seat) == OK


def check_claimant(state: Sequence[int], claimant: int) -> int:
    """Which rule any claim by this seat breaks."""
    if state[ENDED_BY]:
        return GAME_OVER
    if claimant != state[TURN] and not state[CLAIM_ANY_TIME]:
        return CLAIM_OFF_TURN
    if state[HAND_SIZES + claimant] or (state[CLAIM_ANY_TIME] and state[CARDLESS_CLAIMS]):
        return OK
    if claimant == state[TURN] and must_claim_the_rest(state):
        return OK
    return CLAIMANT_WITHOUT_CARDS


def must_claim_the_rest(state: Sequence[int]) -> bool:
    """Whether, under ``choose-claimant``, the seat on turn claims all that is left."""
    return state[CHOOSE_CLAIMANT] != 0 and not _team_has_cards(state, 1 - (state[TURN] & 1))


def check_claim(state: Sequence[int], claimant: int, half_suit: int, holders: Sequence[int]) -> int:
    """Which rule a claim with these six holders breaks."""
    broken = check_claimant(state, claimant)
    if broken != OK:
        return broken
    if half_suit < 0 or half_suit >= state[HALF_SUITS]:
        return NO_SUCH_HALF_SUIT
    if not state[IN_PLAY] >> half_suit & 1:
        return CLAIMED_ALREADY
    for i in range(6):
        if holders[i] < 0 or holders[i] >= state[PLAYERS]:
            return NO_SUCH_SEAT
        if (holders[i] ^ claimant) & 1 and not state[SPLIT_CLAIMS]:
            return CLAIM_NAMES_OPPONENT
    return OK


def check_lost(state: Sequence[int], lost: Sequence[int]) -> int:
    """Which rule it breaks when the seats lose so many cards each to a claim."""
    total = 0
    for seat in range(state[PLAYERS]):
        total += lost[seat]
        if lost[seat] < 0 or lost[seat] > state[HAND_SIZES + seat]:
            return LOST_MORE_THAN_HELD
    return OK if total == 6 else LOST_NOT_SIX


def may_pass(state: Sequence[int]) -> bool:
    """Whether the seat on turn may pass, if there is somebody to pass to."""
    if state[PASS_TURN]:
        return True
    return not state[HAND_SIZES + state[TURN]] and not must_claim_the_rest(state)


def check_pass(state: Sequence[int], giver: int, to: int) -> int:
    """Which rule a pass breaks."""
    if state[ENDED_BY]:
        return GAME_OVER
    if giver != state[TURN]:
        return NOT_ON_TURN
    if to < 0 or to >= state[PLAYERS]:
        return NO_SUCH_SEAT
    if not may_pass(state):
        return PASS_WITH_CARDS if state[HAND_SIZES + giver] else PASS_OF_CLAIMANT
    if state[CHOOSE_CLAIMANT] and not _team_has_cards(state, giver & 1):
        if (to ^ giver) & 1 == 0:
            return PASS_TO_NO_OPPONENT
    elif to == giver or (to ^ giver) & 1:
        return PASS_TO_NO_TEAMMATE
    if not state[HAND_SIZES + to]:
        return PASS_TO_EMPTY_HAND
    return OK


def check_time_out(state: Sequence[int], seat: int) -> int:
    """Which rule it breaks when the seat times out."""
    if state[ENDED_BY]:
        return GAME_OVER
    if not state[TIMED]:
        return NOT_TIMED
    if seat != state[TURN]:
        return NOT_ON_TURN
    return OK


def apply_ask(state: MutableSequence[int], asker: int, target: int, hit: bool) -> None:
    """A hit moves the card and keeps the turn; a miss gives the turn to the target."""
    if hit:
        state[HAND_SIZES + asker] += 1
        state[HAND_SIZES + target] -= 1
    else:
        state[TURN] = target
    state[EVENTS] += 1
    if state[EVENTS] >= state[MAX_EVENTS]:
        state[ENDED_BY] = BY_MAX_EVENTS


def lay_open(
    state: Sequence[int],
    hands: MutableSequence[int],
    half_suit: int,
    shown: MutableSequence[int],
    lost: MutableSequence[int],
) -> None:
    """Take the half-suit out of the hands (masks).

    Writes who held its six cards, in card order, to ``shown``, and how many each seat lost to
    ``lost``.
    """
    for seat in range(state[PLAYERS]):
        found = hands[seat] >> half_suit * 6 & _SIX
        hands[seat] ^= found << half_suit * 6
        lost[seat] = 0
        for i in range(6):
            if found >> i & 1:
                shown[i] = seat
                lost[seat] += 1


def apply_claim(
    state: MutableSequence[int], claimant: int, half_suit: int, right: bool, lost: Sequence[int]
) -> None:
    """The half-suit leaves play and scores, and the turn may move."""
    team = claimant & 1
    inside = 0
    for seat in range(state[PLAYERS]):
        state[HAND_SIZES + seat] -= lost[seat]
        if seat & 1 == team:
            inside += lost[seat]
    state[IN_PLAY] ^= 1 << half_suit
    if right:
        state[SCORE + team] += 1
    elif not (state[WRONG_CANCELS] and inside == 6):
        state[SCORE + 1 - team] += 1
    state[EVENTS] += 1

    has_majority = state[SCORE] >= state[MAJORITY] or state[SCORE + 1] >= state[MAJORITY]
    if has_majority and not state[PLAY_OUT]:
        state[ENDED_BY] = BY_MAJORITY
    elif not state[IN_PLAY]:
        state[ENDED_BY] = BY_LAST_CLAIM
    elif state[EVENTS] >= state[MAX_EVENTS]:
        state[ENDED_BY] = BY_MAX_EVENTS
    else:
        _move_turn_after_claim(state, claimant, right)


def _move_turn_after_claim(state: MutableSequence[int], claimant: int, right: bool) -> None:
    """A claim moves the turn by two rules, and it leaves a team that has no cards left."""
    loses_to = next_with_cards(state, claimant, 1) if state[WRONG_LOSES_TURN] and not right else -1
    if loses_to >= 0:
        state[TURN] = loses_to
    elif state[CLAIM_TAKES_TURN] and state[HAND_SIZES + claimant]:
        state[TURN] = claimant
    if not state[CHOOSE_CLAIMANT] and not _team_has_cards(state, state[TURN] & 1):
        state[TURN] = next_with_cards(state, state[TURN], 1)


def apply_pass(state: MutableSequence[int], to: int) -> None:
    """The turn goes to the seat."""
    state[TURN] = to
    state[EVENTS] += 1
    if state[EVENTS] >= state[MAX_EVENTS]:
        state[ENDED_BY] = BY_MAX_EVENTS


def apply_time_out(state: MutableSequence[int]) -> None:
    """The turn goes to the next opponent with cards, else to the next teammate with cards.

    The only player with cards keeps it.
    """
    seat = state[TURN]
    to = next_with_cards(state, seat, 1)
    if to < 0:
        to = next_with_cards(state, seat, 0)
    apply_pass(state, to if to >= 0 else seat)


def next_with_cards(state: Sequence[int], seat: int, other_team: int) -> int:
    """The next player clockwise with cards in the other team (1) or in the own one (0), or -1.

    The seat itself comes last in its own team.
    """
    for step in range(2 - other_team, state[PLAYERS] + 1, 2):
        to = (seat + step) % state[PLAYERS]
        if state[HAND_SIZES + to]:
            return to
    return -1


def _team_has_cards(state: Sequence[int], team: int) -> bool:
    for seat in range(team, state[PLAYERS], 2):  # noqa: SIM110 (numba compiles no generators)
        if state[HAND_SIZES + seat]:
            return True
    return False
