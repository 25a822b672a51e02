"""The rules of Literature as plain functions over one flat sequence of ints.

A *table* holds the public state of one game: who is on turn, how many cards each seat has, the
score, which half-suits are in play, how many events there were, and the rules it is played by.
The constants below are the places in it. Functions named ``check_…`` say which rule an action
breaks (`OK` when none); functions named ``after_…`` change the table once it has happened.

What only the hands can tell is asked of bit masks: bit ``c`` of a hand stands for card ``c``.

This is the only implementation of the rules. It is written in the subset of Python that numba's
nopython mode compiles (ints, indexing, loops), so the same functions run as they are on lists, one
game at a time, and compiled on rows of numpy arrays, many games at a time.

>>> from literature_ai.rules import RuleSet
>>> table = new_table(RuleSet(), 0)
>>> check_ask(table, 0, 2, 0) == ASKED_OWN_TEAM
True
>>> check_ask(table, 0, 1, 0) == OK
True
>>> after_ask(table, 0, 1, False)
>>> table[TURN]
1
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any

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
TIMED = 11
TURN = 12
"""The seat on turn; of the last one when the game is over."""
EVENTS = 13
IN_PLAY = 14
"""Bit ``h`` is set while half-suit ``h`` has not been claimed."""
SCORE = 15
"""Half-suits of team A; those of team B are in the next place."""
ENDED_BY = 17
"""0 while the game goes on, then one of the three ends below."""
HAND_SIZES = 18
"""Cards of seat 0; those of the other seats follow, up to eight."""
TABLE_SIZE = HAND_SIZES + 8

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
PASS_TO_EMPTY_HAND = 20
NOT_TIMED = 21

_LOWEST_OF_EACH = 0b000001_000001_000001_000001_000001_000001_000001_000001_000001
_SIX = 0b111111


def new_table(rules: RuleSet, start: int) -> list[int]:
    """The table at the start of a game: `TABLE_SIZE` ints."""
    table = [0] * TABLE_SIZE
    table[PLAYERS] = rules.players
    table[HALF_SUITS] = rules.half_suits
    table[MAJORITY] = rules.majority
    table[MAX_EVENTS] = rules.max_events
    table[SPLIT_CLAIMS] = int(rules.split_claims)
    table[CLAIM_ANY_TIME] = int(rules.claim_any_time)
    table[CARDLESS_CLAIMS] = int(rules.cardless_claims)
    table[PASS_TURN] = int(rules.pass_turn)
    table[WRONG_CANCELS] = int(rules.wrong_cancels)
    table[BLUFF_ASKS] = int(rules.bluff_asks)
    table[PLAY_OUT] = int(rules.play_out)
    table[TIMED] = int(rules.turn_seconds is not None)
    table[TURN] = start
    table[IN_PLAY] = (1 << rules.half_suits) - 1
    for seat in range(rules.players):
        table[HAND_SIZES + seat] = rules.hand_size
    return table


def check_ask(table: Sequence[int], asker: int, target: int, card: int) -> int:
    """Which rule an ask breaks, as far as everyone can see; `check_asker` knows the rest."""
    if table[ENDED_BY]:
        return GAME_OVER
    if asker != table[TURN]:
        return NOT_ON_TURN
    if target < 0 or target >= table[PLAYERS]:
        return NO_SUCH_SEAT
    if card < 0 or card >= table[HALF_SUITS] * 6:
        return NO_SUCH_CARD
    if not table[HAND_SIZES + asker]:
        return ASKER_WITHOUT_CARDS
    if (asker ^ target) & 1 == 0:
        return ASKED_OWN_TEAM
    if not table[HAND_SIZES + target]:
        return ASKED_WITHOUT_CARDS
    if not table[IN_PLAY] >> card // 6 & 1:
        return CLAIMED_ALREADY
    return OK


def check_asker(table: Sequence[int], held: int, possible: int, card: int) -> int:
    """Which rule an ask for the card breaks, going by the hand of the asker.

    ``held`` are the cards that he has for sure and ``possible`` those that he may have; both are
    the hand when it is known. The answer is `OK` unless the rule is broken for sure.
    """
    six = _SIX << card // 6 * 6
    if table[BLUFF_ASKS]:
        return OK if possible & six else NO_CARD_OF_HALF_SUIT
    asked = 1 << card
    if held & asked:
        return ASKED_OWN_CARD
    return OK if possible & six & ~asked else NO_OTHER_CARD


def askable(table: Sequence[int], hand: int) -> int:
    """The cards, as a mask, that a player with this hand may ask for."""
    pairs = hand | hand >> 1
    half_suits = (pairs | pairs >> 2 | pairs >> 4) & _LOWEST_OF_EACH
    if table[BLUFF_ASKS]:
        return half_suits * _SIX
    return half_suits * _SIX ^ hand


def may_claim(table: Sequence[int], seat: int) -> bool:
    """Whether the seat may claim right now, on or off turn."""
    return check_claimant(table, seat) == OK


def check_claimant(table: Sequence[int], claimant: int) -> int:
    """Which rule a claim by this seat breaks, whatever it says."""
    if table[ENDED_BY]:
        return GAME_OVER
    if claimant != table[TURN] and not table[CLAIM_ANY_TIME]:
        return CLAIM_OFF_TURN
    if not table[HAND_SIZES + claimant] and not (table[CLAIM_ANY_TIME] and table[CARDLESS_CLAIMS]):
        return CLAIMANT_WITHOUT_CARDS
    return OK


def check_claim(table: Sequence[int], claimant: int, half_suit: int, holders: Sequence[int]) -> int:
    """Which rule a claim breaks that names these six holders."""
    broken = check_claimant(table, claimant)
    if broken != OK:
        return broken
    if half_suit < 0 or half_suit >= table[HALF_SUITS]:
        return NO_SUCH_HALF_SUIT
    if not table[IN_PLAY] >> half_suit & 1:
        return CLAIMED_ALREADY
    for i in range(6):
        if holders[i] < 0 or holders[i] >= table[PLAYERS]:
            return NO_SUCH_SEAT
        if (holders[i] ^ claimant) & 1 and not table[SPLIT_CLAIMS]:
            return CLAIM_NAMES_OPPONENT
    return OK


def check_lost(table: Sequence[int], lost: Sequence[int]) -> int:
    """Which rule it breaks that the seats lose so many cards each to a claim."""
    total = 0
    for seat in range(table[PLAYERS]):
        total += lost[seat]
        if lost[seat] < 0 or lost[seat] > table[HAND_SIZES + seat]:
            return LOST_MORE_THAN_HELD
    return OK if total == 6 else LOST_NOT_SIX


def may_pass(table: Sequence[int]) -> bool:
    """Whether the seat on turn may pass, if there is a teammate to pass to."""
    return table[PASS_TURN] != 0 or not table[HAND_SIZES + table[TURN]]


def check_pass(table: Sequence[int], giver: int, to: int) -> int:
    """Which rule passing the turn breaks."""
    if table[ENDED_BY]:
        return GAME_OVER
    if giver != table[TURN]:
        return NOT_ON_TURN
    if to < 0 or to >= table[PLAYERS]:
        return NO_SUCH_SEAT
    if not may_pass(table):
        return PASS_WITH_CARDS
    if to == giver or (to ^ giver) & 1:
        return PASS_TO_NO_TEAMMATE
    if not table[HAND_SIZES + to]:
        return PASS_TO_EMPTY_HAND
    return OK


def check_time_out(table: Sequence[int], seat: int) -> int:
    """Which rule it breaks that the seat loses the turn to the clock."""
    if table[ENDED_BY]:
        return GAME_OVER
    if not table[TIMED]:
        return NOT_TIMED
    if seat != table[TURN]:
        return NOT_ON_TURN
    return OK


def after_ask(table: MutableSequence[int], asker: int, target: int, hit: bool) -> None:
    """The card moves and the asker goes on, or the turn goes to the player asked."""
    if hit:
        table[HAND_SIZES + asker] += 1
        table[HAND_SIZES + target] -= 1
    else:
        table[TURN] = target
    table[EVENTS] += 1
    if table[EVENTS] >= table[MAX_EVENTS]:
        table[ENDED_BY] = BY_MAX_EVENTS


def lay_open(
    table: Sequence[int],
    hands: MutableSequence[int],
    half_suit: int,
    shown: MutableSequence[int],
    lost: MutableSequence[int],
) -> None:
    """Take the half-suit out of the hands (masks).

    Writes who held its six cards, in card order, to ``shown``, and how many each seat lost to
    ``lost``.
    """
    for seat in range(table[PLAYERS]):
        found = hands[seat] >> half_suit * 6 & _SIX
        hands[seat] ^= found << half_suit * 6
        lost[seat] = 0
        for i in range(6):
            if found >> i & 1:
                shown[i] = seat
                lost[seat] += 1


def after_claim(
    table: MutableSequence[int], claimant: int, half_suit: int, right: bool, lost: Sequence[int]
) -> None:
    """The half-suit leaves play and scores; the turn stays, or moves on from an empty team."""
    team = claimant & 1
    inside = 0
    for seat in range(table[PLAYERS]):
        table[HAND_SIZES + seat] -= lost[seat]
        if seat & 1 == team:
            inside += lost[seat]
    table[IN_PLAY] ^= 1 << half_suit
    if right:
        table[SCORE + team] += 1
    elif not (table[WRONG_CANCELS] and inside == 6):
        table[SCORE + 1 - team] += 1
    table[EVENTS] += 1

    has_majority = table[SCORE] >= table[MAJORITY] or table[SCORE + 1] >= table[MAJORITY]
    if has_majority and not table[PLAY_OUT]:
        table[ENDED_BY] = BY_MAJORITY
    elif not table[IN_PLAY]:
        table[ENDED_BY] = BY_LAST_CLAIM
    elif table[EVENTS] >= table[MAX_EVENTS]:
        table[ENDED_BY] = BY_MAX_EVENTS
    elif not _team_has_cards(table, table[TURN] & 1):
        table[TURN] = next_with_cards(table, table[TURN], 1)


def after_pass(table: MutableSequence[int], to: int) -> None:
    """The turn goes to the teammate."""
    table[TURN] = to
    table[EVENTS] += 1
    if table[EVENTS] >= table[MAX_EVENTS]:
        table[ENDED_BY] = BY_MAX_EVENTS


def after_time_out(table: MutableSequence[int]) -> None:
    """The turn goes to the next opponent with cards, else to the next teammate with cards.

    Who is the only one left with cards keeps it.
    """
    seat = table[TURN]
    to = next_with_cards(table, seat, 1)
    if to < 0:
        to = next_with_cards(table, seat, 0)
    after_pass(table, to if to >= 0 else seat)


def next_with_cards(table: Sequence[int], seat: int, other_team: int) -> int:
    """The next player clockwise with cards in the other team (1) or in the own one (0), or -1.

    The seat itself comes last in its own team.
    """
    for step in range(2 - other_team, table[PLAYERS] + 1, 2):
        to = (seat + step) % table[PLAYERS]
        if table[HAND_SIZES + to]:
            return to
    return -1


def _team_has_cards(table: Sequence[int], team: int) -> bool:
    for seat in range(team, table[PLAYERS], 2):  # noqa: SIM110 (numba compiles no generators)
        if table[HAND_SIZES + seat]:
            return True
    return False


def compiled(*more: FunctionType) -> SimpleNamespace:
    """The functions of this module as numba compiles them, by name (all but `new_table`).

    They take numpy int64 arrays where the ones above take lists. ``more`` are functions of other
    modules, in the order in which they need each other, that call the ones above by their bare
    names; they are compiled with them. Each is compiled when it is first called, and kept on disk.
    """
    from hashlib import sha256
    from pathlib import Path

    from numba import njit

    # numba compiles anew when the file of a function changes, but all of them depend on this file.
    version = sha256(Path(__file__).read_bytes()).hexdigest()[:8]
    names: dict[str, Any] = {}
    rules = [f for f in globals().values() if isinstance(f, FunctionType)]
    for function in (*rules, *more):
        if function in (new_table, compiled):
            continue
        known = function.__globals__.items()
        names.update({name: value for name, value in known if type(value) is not FunctionType})
        # In a namespace of their own the functions find one another compiled.
        twin = FunctionType(function.__code__, names)
        twin.__qualname__ = f"{function.__name__}-{version}"
        names[function.__name__] = njit(cache=True, error_model="numpy")(twin)
    return SimpleNamespace(**names)
