"""`literature_ai.game.batch` against `literature_ai.game.game`: many games at once are the same
games."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from helpers import EVERY_RULE, EVERY_RULE_SOME_SLOW, SIZES, holders_now

from literature_ai.cards import cards_of
from literature_ai.errors import IllegalActionError, LiteratureError
from literature_ai.events import Action, Ask, Asked, Claim, Claimed, Pass, TimedOut
from literature_ai.game import batch as b
from literature_ai.game.batch import Batch, decode, encode
from literature_ai.game.game import Game
from literature_ai.game.masks import mask_of
from literature_ai.game.violations import in_words
from literature_ai.rules import RuleSet

GAMES = 8


def games_of(batch: Batch) -> list[Game]:
    """The games of a batch that was just dealt."""
    return [Game.deal(batch.rules, seed=batch.seed_of(i)) for i in range(len(batch))]


def assert_same(batch: Batch, games: list[Game]) -> None:
    """Every property of the batch equals that of its games."""
    over = [game.over for game in games]
    assert batch.done.tolist() == over
    assert batch.scores.tolist() == [list(game.score) for game in games]
    assert batch.hand_sizes.tolist() == [list(game.hand_sizes) for game in games]
    assert batch.events.tolist() == [len(game.events) for game in games]
    seats = range(batch.rules.players)
    hands = [[mask_of(game.hand(seat)) for seat in seats] for game in games]
    assert batch.hands[:, : len(seats)].tolist() == hands
    for game, turn in zip(games, batch.turns.tolist(), strict=True):
        assert game.turn in (turn, None)


def anything(game: Game, rng: np.random.Generator) -> int:
    """An encoded action of any kind, often against the rules."""
    players = game.rules.players
    somebody = int(rng.integers(9))
    kind = rng.random()
    if kind < 0.1:
        return encode(TimedOut(0))
    if kind < 0.3:
        return encode(Pass(somebody))
    if kind < 0.6:
        return encode(Ask(somebody % 8, int(rng.integers(60))))
    half_suit = int(rng.integers(10))
    if kind < 0.8 and half_suit in game.in_play:
        return encode(Claim(half_suit, holders_now(game, half_suit)), somebody % players)
    holders = rng.integers(players, size=6) // 2 * 2 + somebody % 2
    return encode(Claim(half_suit, tuple((holders % 8).tolist())), somebody % 8)


def apply(game: Game, code: int) -> tuple[str | None, bool]:
    """Do to the game what the code says: the rule that it breaks, if any, and whether it hit."""
    seat, action = decode(code, game.turn or 0)
    try:
        event = game.time_out() if isinstance(action, TimedOut) else game.apply(known(action), seat)
    except IllegalActionError as error:
        return error.rule, False
    if isinstance(event, Asked):
        return None, event.hit
    return None, isinstance(event, Claimed) and event.right


def known(action: Action | TimedOut | None) -> Action:
    """The action, which is one."""
    assert isinstance(action, Ask | Claim | Pass)
    return action


@pytest.mark.parametrize(
    "rules", EVERY_RULE_SOME_SLOW, ids=lambda rules: f"{rules.players} {rules.words()}"
)
def test_a_batch_plays_the_same_games(rules: RuleSet) -> None:
    """Under every rule, legal and illegal actions of all kinds do the same as in `Game`."""
    rng = np.random.default_rng(EVERY_RULE.index(rules))
    batch = Batch.deal(replace(rules, max_events=150), GAMES, seed=5)
    games = games_of(batch)
    for _ in range(400):
        before = batch.states.copy()
        actions = batch.random_actions(rng)
        for i, game in enumerate(games):
            if not game.over and rng.random() < 0.3:
                actions[i] = anything(game, rng)
        step = batch.step(actions)
        for i, game in enumerate(games):
            if game.over:
                assert actions[i] == b.NOTHING
                continue
            seat = decode(int(actions[i]), game.turn or 0)[0]
            broken = None
            if step.codes[i]:
                told = in_words(
                    before[i].tolist(), int(step.codes[i]), rules.card_names, seat, 0, 0, 0
                )
                broken = told.rule
            assert apply(game, int(actions[i])) == (broken, step.hits[i])
        assert_same(batch, games)
        if batch.done.all():
            break
    assert batch.done.all()


@pytest.mark.parametrize("rules", SIZES, ids=lambda rules: f"{rules.players} {rules.words()}")
def test_whole_random_games_are_those_of_game(rules: RuleSet) -> None:
    """Random play to the end, one action after the other, gives 32 games that replay in `Game`;
    in one call, it gives the same."""
    stepped = Batch.deal(rules, 32, seed=6)
    games = games_of(stepped)
    rng = np.random.default_rng(7)
    while not stepped.done.all():
        actions = stepped.random_actions(rng)
        assert not stepped.step(actions).codes.any()
        for game, action in zip(games, actions.tolist(), strict=True):
            if action != b.NOTHING:
                apply(game, action)
    assert_same(stepped, games)

    alone = Batch.deal(rules, 1, seed=6)
    whole = Batch.deal(rules, 1, seed=6)
    rng, same = np.random.default_rng(8), np.random.default_rng(8)
    played = whole.play_randomly(rng)
    while not alone.done.all():
        alone.step(alone.random_actions(same))
    assert whole.states.tolist() == alone.states.tolist()
    assert played.tolist() == alone.events.tolist()


@pytest.mark.parametrize(
    "rules", EVERY_RULE_SOME_SLOW, ids=lambda rules: f"{rules.players} {rules.words()}"
)
def test_random_play_chooses_as_it_says(rules: RuleSet) -> None:
    """A seat that may claim and holds a whole half-suit claims it; else a legal ask is the one of
    `Game.legal_asks` that the same random number selects."""
    batch = Batch.deal(replace(rules, max_events=300), 1, seed=9)
    (game,) = games_of(batch)
    rng, same = np.random.default_rng(10), np.random.default_rng(10)
    while not game.over:
        (code,) = batch.random_actions(rng).tolist()
        claims = whole_half_suits(game)
        asks = game.legal_asks()
        turn = game.turn
        assert turn is not None
        if claims:
            assert decode(code, turn) == claims[0]
        elif asks:
            assert decode(code, turn) == (turn, asks[int(same.random() * len(asks))])
        else:
            same.bit_generator.state = rng.bit_generator.state
            assert decode(code, turn)[0] == turn
        batch.step([code])
        assert apply(game, code)[0] is None


def whole_half_suits(game: Game) -> list[tuple[int, Claim]]:
    """The claims that random play owes: who makes each, from the seat on turn clockwise."""
    players, turn = game.rules.players, game.turn or 0
    return [
        (seat, Claim(half_suit, (seat,) * 6))
        for seat in sorted(range(players), key=lambda seat: (seat - turn) % players)
        for half_suit in game.in_play
        if game.may_claim(seat) and set(cards_of(half_suit)) <= set(game.hand(seat))
    ]


@pytest.mark.parametrize("rules", SIZES, ids=lambda rules: f"{rules.players} {rules.words()}")
@pytest.mark.parametrize("bluff", [False, True])
def test_legal_asks_are_those_of_game(rules: RuleSet, bluff: bool) -> None:
    """At every moment of 8 games the array marks just the legal asks."""
    batch = Batch.deal(replace(rules, bluff_asks=bluff, max_events=200), GAMES, seed=11)
    games = games_of(batch)
    rng = np.random.default_rng(12)
    while not batch.done.all():
        legal = batch.legal_asks()
        for i, game in enumerate(games):
            expected = [encode(ask) for ask in game.legal_asks()]
            assert np.flatnonzero(legal[i]).tolist() == expected
        actions = batch.random_actions(rng)
        batch.step(actions)
        for game, action in zip(games, actions.tolist(), strict=True):
            if action != b.NOTHING:
                apply(game, action)
    assert not batch.legal_asks().any()


PLAY_UNDER_EVERY_RULE = """
from dataclasses import replace
import numpy as np
from helpers import EVERY_RULE
from literature_ai.game.batch import Batch
for rules in EVERY_RULE[::3]:
    batch = Batch.deal(replace(rules, max_events=60), 2, seed=13)
    batch.play_randomly(np.random.default_rng(14))
    print(batch.states.tolist(), batch.hands.tolist())
"""


def test_functions_do_the_same_without_numba() -> None:
    """Under every third rule set, plain functions play at random just as compiled ones do."""
    played = [
        subprocess.run(
            [sys.executable, "-c", PLAY_UNDER_EVERY_RULE],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **switch},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for switch in ({}, {"NUMBA_DISABLE_JIT": "1"})
    ]
    assert len(played[0].splitlines()) == len(EVERY_RULE[::3])
    assert played[0] == played[1]


def test_reset_deals_other_games_where_they_are_over() -> None:
    """Only games that are over begin again, with a deal that `seed_of` gives."""
    batch = Batch.deal(RuleSet(max_events=50), 4, seed=15)
    first = [game.dealt for game in games_of(batch)]
    on = np.array([0, 2])
    while not batch.done[1]:
        actions = batch.random_actions(np.random.default_rng(16))
        actions[on] = b.NOTHING
        batch.step(actions)
    batch.reset()
    games = games_of(batch)
    assert_same(batch, games)
    assert [0, 2] == [i for i in range(4) if games[i].dealt == first[i]]
    batch.reset(np.array([True, False, False, False]))
    assert_same(batch, games_of(batch))
    assert games_of(batch)[0].dealt != first[0]


def test_actions_read_back() -> None:
    """`decode` gives back what was encoded, for every ask and for claims, passes and the rest."""
    rng = np.random.default_rng(17)
    for code in range(b.ASKS):
        seat, action = decode(code, 3)
        assert (seat, encode(known(action))) == (3, code)
    for _ in range(200):
        claim = Claim(int(rng.integers(9)), tuple(rng.integers(8, size=6).tolist()))
        claimant = int(rng.integers(8))
        assert decode(encode(claim, claimant), 3) == (claimant, claim)
    assert [decode(encode(Pass(to)), 3) for to in range(8)] == [(3, Pass(to)) for to in range(8)]
    assert decode(encode(TimedOut(3)), 3) == (3, TimedOut(3))
    assert decode(encode(None), 3) == (3, None)


def test_a_step_needs_an_action_for_each_game() -> None:
    """Too few actions are refused, and no game changes."""
    batch = Batch.deal(RuleSet(), 3, seed=18)
    with pytest.raises(LiteratureError, match="one a game is needed"):
        batch.step([0, 0])
    assert_same(batch, games_of(batch))
