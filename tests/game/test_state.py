"""The functions of `literature_ai.game.state`, as they are and as numba compiles them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers import EVERY_RULE, random_game

from literature_ai.events import Asked, Claimed, Event, Passed
from literature_ai.game import compiled_state, state
from literature_ai.game.masks import mask_of
from literature_ai.game.violations import in_words
from literature_ai.rules import RuleSet


def run(functions: Any, rows: Any, hands: Any, event: Event) -> list[int]:
    """Take one event with these functions; return all that the checks said about it."""
    said: list[int] = []
    match event:
        case Asked(asker, target, card, hit):
            hand = int(hands[asker])
            said += [
                functions.check_ask(rows, asker, target, card),
                functions.check_asker(rows, hand, hand, card),
                functions.askable(rows, hand),
            ]
            if hit:
                hands[target] ^= 1 << card
                hands[asker] ^= 1 << card
            functions.apply_ask(rows, asker, target, hit)
        case Claimed(claimant, half_suit, holders, right):
            shown, lost = np.zeros(6, np.int64), np.zeros(8, np.int64)
            functions.lay_open(rows, hands, half_suit, shown, lost)
            said += [
                functions.check_claim(rows, claimant, half_suit, np.array(holders)),
                functions.check_lost(rows, lost),
                *shown.tolist(),
                *lost.tolist(),
            ]
            functions.apply_claim(rows, claimant, half_suit, right, lost)
        case Passed(giver, to):
            said.append(functions.check_pass(rows, giver, to))
            functions.apply_pass(rows, to)
        case _:
            said.append(functions.check_time_out(rows, event.seat))
            functions.apply_time_out(rows)
    players = rows[state.PLAYERS]
    said += [functions.may_claim(rows, seat) for seat in range(players)]
    said += [functions.check_ask(rows, a, b, 7) for a in range(players) for b in range(players)]
    said += [functions.check_pass(rows, rows[state.TURN], to) for to in range(-1, 9)]
    return [int(number) for number in said]


def test_compiled_and_plain_functions_agree() -> None:
    """On every event of random games under every rule, checks and changes are the same."""
    rng = np.random.default_rng(5)
    for rules in EVERY_RULE:
        game = random_game(rules, rng)
        plain = state.new_state(rules, game.start)
        rows = np.array(state.new_state(rules, game.start))
        masks = [mask_of(hand) for hand in game.dealt]
        hands = np.array(masks)
        for event in game.events:
            assert run(state, plain, masks, event) == run(compiled_state, rows, hands, event)
            assert plain == rows.tolist()
            assert masks == hands.tolist()
        assert plain[state.ENDED_BY] != 0


def test_every_code_has_its_words() -> None:
    """Each code is told without a gap, and no two of them alike."""
    codes = {
        name: value
        for name, value in vars(state).items()
        if name.isupper() and not name.startswith("_")
    }
    first, last = codes["GAME_OVER"], codes["NOT_TIMED"]
    row = state.new_state(RuleSet(), 0)
    told = [
        in_words(row, code, RuleSet().card_names, 0, 1, 2, 0) for code in range(first, last + 1)
    ]
    assert len(set(told)) == len(told) == 23
    assert not [words for words in told if "{" in words.what + words.cure]


@pytest.mark.parametrize("bluff", [False, True])
def test_askable_cards_are_those_check_asker_allows(bluff: bool) -> None:
    """The mask of askable cards agrees with the rule for each single card."""
    row = state.new_state(RuleSet(deck=54, bluff_asks=bluff), 0)
    rng = np.random.default_rng(3)
    for _ in range(300):
        hand = mask_of(rng.choice(54, size=rng.integers(0, 20), replace=False).tolist())
        allowed = [card for card in range(54) if state.check_asker(row, hand, hand, card) == 0]
        assert state.askable(row, hand) == mask_of(allowed)


def test_a_rule_is_broken_for_sure_or_not_at_all() -> None:
    """Of a hand that is known in part, `check_asker` says only what holds for every such hand."""
    row = state.new_state(RuleSet(), 0)
    rng = np.random.default_rng(4)
    for _ in range(300):
        possible = rng.choice(18, size=6, replace=False)
        held = mask_of(possible[:2].tolist())
        rest = [1 << int(card) for card in possible[2:]]
        hands = [held + sum(rest[i] for i in range(4) if n >> i & 1) for n in range(16)]
        for card in range(18):
            broken = [state.check_asker(row, hand, hand, card) != 0 for hand in hands]
            said = state.check_asker(row, held, mask_of(possible.tolist()), card) != 0
            assert said == all(broken)
