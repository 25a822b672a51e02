"""Rollouts keep to the rules: what they do, a game does."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import helpers as h
import numpy as np
import pytest
from experts import believed, play_on, stored_policies

from literature_ai.agents.expert.action_value import new_buffers
from literature_ai.agents.expert.belief import Belief, Ints, copy_belief
from literature_ai.agents.expert.rollout import (
    CLAIM,
    NOTHING,
    PASS,
    apply_move,
    plain_move,
    valued_move,
)
from literature_ai.events import Action, Ask, Claim, Claimed, Event, Pass, Passed
from literature_ai.game.game import Game
from literature_ai.game.state import ENDED_BY
from literature_ai.rules import RuleSet

OPEN_ASKS = 8


def actions(belief: Belief, hands: Ints, open_asks: int) -> Iterator[Action]:
    """The actions of a rollout one by one; each is applied to the belief after it was yielded."""
    dice, passed = np.ones(1, np.int64), False
    buffers = new_buffers(len(belief.possible))
    while not belief.state[ENDED_BY]:
        move = plain_move(belief, hands, buffers)
        if move.kind == NOTHING:
            if open_asks == 0:
                return
            move = valued_move(belief, hands, stored_policies(), not passed, dice, buffers)
            open_asks -= move.kind != PASS
        passed = move.kind == PASS
        if passed:
            yield Pass(int(move.to))
        elif move.kind == CLAIM:
            yield Claim(int(move.what), tuple(buffers.holders.tolist()))
        else:
            yield Ask(int(move.to), int(move.what))
        apply_move(belief, hands, move, buffers.holders, stored_policies().ask_factors)


def replayed(game: Game, open_asks: int) -> list[Event]:
    """Play the game on as a rollout does; the events. Checks after each that state and hands agree,
    and at last that the rollout itself ends there."""
    belief, hands = believed(game)
    whole, whole_hands = copy_belief(belief), hands.copy()
    play_on(whole, whole_hands, open_asks)
    events: list[Event] = []

    def check() -> None:
        assert game._state == belief.state.tolist()
        assert game._hands == hands.tolist()

    for action in actions(belief, hands, open_asks):
        check()
        events.append(game.apply(action))
    check()
    assert belief.state.tolist() == whole.state.tolist()
    assert hands.tolist() == whole_hands.tolist()
    return events


@pytest.mark.parametrize("number", h.NUMBERS_SOME_SLOW)
def test_games_take_the_actions_of_rollouts(number: int) -> None:
    """From any position, under every rule, what a rollout does is legal, and leads to the state and
    the hands that a game has after the same actions."""
    rng = np.random.default_rng(number)
    for until in (0, 10, 25, 45):
        game = h.random_game(h.EVERY_RULE[number], rng, until, claim=0.15)
        if not game.over:
            replayed(game, OPEN_ASKS)


def whole_games(words: str, games: int = 6) -> Iterator[tuple[Game, list[Event]]]:
    """Games played by rollouts from the deal to the end, with their events."""
    for seed in range(games):
        game = Game.deal(RuleSet.parse(words), seed=seed)
        yield game, replayed(game, game.rules.max_events)


def test_rollouts_play_out() -> None:
    """Under ``play-out`` a rollout goes on after a majority until every half-suit is claimed."""
    assert all(game.over and not game.in_play for game, _ in whole_games("play-out"))
    assert any(game.in_play for game, _ in whole_games(""))


def test_rollouts_end_at_the_cap() -> None:
    """A rollout ends where the cap on events ends the game."""
    for game, events in whole_games("max-events=30"):
        assert game.over
        assert 30 == len(events)


def test_rollouts_claim_across_teams() -> None:
    """Under ``split-claims`` rollouts name opponents; else never."""

    def split(events: list[Event]) -> bool:
        claims = [event for event in events if isinstance(event, Claimed)]
        return any((claim.claimant ^ seat) & 1 for claim in claims for seat in claim.holders)

    assert any(split(events) for _, events in whole_games("split-claims"))
    assert not any(split(events) for _, events in whole_games(""))


def test_rollouts_pass_the_turn() -> None:
    """Under ``pass-turn`` a seat with cards may pass, but not after a pass; else it never does."""

    def passes(words: str) -> int:
        found = 0
        for seed in range(12):
            game = h.random_game(RuleSet.parse(words), np.random.default_rng(seed), 40, claim=0)
            twin = copy.copy(game)
            last: Event | None = None
            for event in replayed(game, OPEN_ASKS):
                if isinstance(event, Passed) and twin.hand(event.giver):
                    assert not isinstance(last, Passed)
                    found += 1
                twin.apply(action_of(event))
                last = event
        return found

    assert passes("pass-turn") > 0
    assert 0 == passes("")


def test_rollouts_name_who_claims_the_rest() -> None:
    """Under ``choose-claimant`` a seat whose team has no cards names an opponent, who
    claims on without cards; else neither ever happens."""

    def found(words: str) -> tuple[bool, bool]:
        named = cardless = False
        for game, events in whole_games(words, 20):
            twin = Game(game.rules, game.dealt, game.start)
            for event in events:
                if isinstance(event, Passed):
                    named |= (event.giver ^ event.to) & 1 == 1
                elif isinstance(event, Claimed):
                    cardless |= not twin.hand(event.claimant)
                twin.apply(action_of(event))
        return named, cardless

    assert (True, True) == found("choose-claimant play-out")
    assert (False, False) == found("play-out")


def action_of(event: Event) -> Action:
    """What was decided that came out so."""
    match event:
        case Claimed(_, half_suit, holders):
            return Claim(half_suit, holders)
        case Passed(_, to):
            return Pass(to)
    return Ask(event.target, event.card)


def test_a_wrong_claim_scores_by_the_rules() -> None:
    """A wrong claim of what the team holds scores for nobody under ``wrong-cancels``."""
    for words, score in (("wrong-cancels", (0, 0)), ("", (0, 1))):
        game = Game(RuleSet.parse(words), [range(seat * 8, seat * 8 + 8) for seat in range(6)], 0)
        belief, hands = believed(game)
        buffers = new_buffers(48)
        move = plain_move(belief, hands, buffers)
        assert NOTHING != move.kind
        wrong = np.array([2, 0, 0, 0, 0, 0])
        apply_move(belief, hands, move, wrong, stored_policies().ask_factors)
        game.apply(Claim(int(move.what), tuple(wrong.tolist())))
        assert score == game.score
        assert game._state == belief.state.tolist()
