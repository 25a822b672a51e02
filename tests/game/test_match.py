"""Matches: the changing starter, the count of wins, the seeds by position."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from literature_ai.errors import LiteratureError
from literature_ai.game.match import Match
from literature_ai.game.position import Outcome, Termination
from literature_ai.rules import RuleSet

A_WINS = Outcome((5, 1), 0, Termination.MAJORITY)
B_WINS = Outcome((2, 5), 1, Termination.MAJORITY)
DRAW = Outcome((4, 4), None, Termination.ALL_CLAIMED)
STOPPED = Outcome((1, 3), 1, Termination.MAX_EVENTS)


def starters(seed: int, outcomes: list[Outcome], players: int = 6) -> list[int]:
    """The seats that start the games of a match with these outcomes, and the one after."""
    match = Match(RuleSet(players=players), seed, wins=99)
    seats = []
    for outcome in outcomes:
        seats.append(match.next_game().start)
        match.add(outcome)
    return [*seats, match.next_game().start]


@pytest.mark.parametrize("seed", range(8))
def test_the_losing_team_starts_the_next_game(seed: int) -> None:
    """The losing team starts, whichever started the last game; a capped game is scored as it
    stands."""
    outcomes = [A_WINS, B_WINS, B_WINS, A_WINS, STOPPED, A_WINS]
    teams = [start % 2 for start in starters(seed, outcomes)]
    assert teams[1:] == [1, 0, 0, 1, 0, 1]


@pytest.mark.parametrize("seed", range(8))
def test_after_a_draw_the_other_team_starts(seed: int) -> None:
    """After a draw the team starts that did not start the drawn game."""
    teams = [start % 2 for start in starters(seed, [DRAW, DRAW, A_WINS, DRAW, DRAW])]
    first = teams[0]
    assert teams == [first, 1 - first, first, 1, 0, 1]


@pytest.mark.parametrize("players", [4, 6, 8])
def test_the_starting_seat_of_a_team_is_drawn(players: int) -> None:
    """Over many matches every seat starts first games, and every one of the team later ones."""
    seats = [starters(seed, [A_WINS], players) for seed in range(120)]
    assert {first for first, _ in seats} == set(range(players))
    assert {second for _, second in seats} == set(range(1, players, 2))


def test_a_game_depends_on_seed_number_and_starting_team_only() -> None:
    """The deal of game n is the same however the games before it went."""
    matches = [Match(RuleSet(), 5, wins=99) for _ in range(2)]
    deals: list[list[object]] = [[], []]
    for _ in range(6):
        for match, seen, outcome in zip(matches, deals, (A_WINS, DRAW), strict=True):
            game = match.next_game()
            assert game.dealt == match.next_game().dealt
            seen.append(game.dealt)
            match.add(outcome)
    assert deals[0] == deals[1]
    assert len(set(deals[0])) == 6


def test_a_seed_sequence_is_a_seed() -> None:
    """A number and the SeedSequence of it give the same match; a spawned one another."""
    root = np.random.SeedSequence(5)
    first = Match(RuleSet(), 5).next_game()
    assert Match(RuleSet(), root).next_game().dealt == first.dealt
    assert Match(RuleSet(), root.spawn(1)[0]).next_game().dealt != first.dealt


def test_it_ends_with_the_wins() -> None:
    """The first team with so many wins has won; draws count for nobody."""
    match = Match(RuleSet(), 1, wins=2)
    for outcome, over in [(DRAW, False), (B_WINS, False), (A_WINS, False), (STOPPED, True)]:
        match.next_game()
        match.add(outcome)
        assert over == match.over
    assert (match.wins, match.winner, match.unfinished) == ((1, 2), 1, False)


def test_one_win_or_one_game_can_be_enough() -> None:
    """A match can be of one win or of one game."""
    for match in (Match(RuleSet(), 1, wins=1), Match(RuleSet(), 1, wins=2, max_games=1)):
        match.next_game()
        match.add(A_WINS)
        assert (match.over, match.winner) == (True, 0)


def test_five_wins_by_default() -> None:
    """A match is up to five wins by default."""
    match = Match(RuleSet(), 1)
    while not match.over:
        match.next_game()
        match.add(A_WINS)
    assert (match.wins, len(match.outcomes), match.winner) == ((5, 0), 5, 0)


def test_draws_without_end_are_stopped() -> None:
    """After the cap on games the match is scored as it stands."""
    match = Match(RuleSet(), 1, wins=3, max_games=4)
    for outcome in (DRAW, A_WINS, DRAW, DRAW):
        assert not match.over
        match.next_game()
        match.add(outcome)
    assert (match.over, match.unfinished, match.wins, match.winner) == (True, True, (1, 0), 0)


def test_an_outcome_needs_its_game() -> None:
    """No outcome before its game was dealt; no match without a win to play for."""
    match = Match(RuleSet(), 1)
    with pytest.raises(LiteratureError, match="no game has been dealt"):
        match.add(DRAW)
    with pytest.raises(LiteratureError, match="at least one"):
        Match(RuleSet(), 1, wins=0)


@pytest.mark.parametrize(
    "copier", [copy.copy, copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))]
)
@pytest.mark.parametrize("seed", [5, np.random.SeedSequence(5, spawn_key=(3,))], ids=str)
def test_a_copy_goes_on_on_its_own(seed: Any, copier: Any) -> None:
    """A copied or unpickled match deals the same next games and leaves the original alone."""
    match = Match(RuleSet(), seed, wins=3)
    match.next_game()
    match.add(DRAW)
    match.next_game()
    twin = copier(match)
    for outcome in (A_WINS, B_WINS):
        twin.add(outcome)
        twin.next_game()
    assert (match.wins, len(match.outcomes)) == ((0, 0), 1)
    for outcome in (A_WINS, B_WINS):
        match.add(outcome)
        game = match.next_game()
    again = twin.next_game()
    assert (game.dealt, game.start, match.wins) == (again.dealt, again.start, twin.wins)


def test_it_can_be_read() -> None:
    """`repr` shows the games won, and `print` each outcome."""
    match = Match(RuleSet(), 1, wins=2)
    assert repr(match) == "<Match: A 0 - B 0 after 0 games, up to 2 wins>"
    match.next_game()
    match.add(STOPPED)
    assert str(match).split("\n") == [
        "6 players, usual rules",
        "A 0 - B 1 after 1 game, up to 2 wins",
        "1. A 1 - B 3, max events",
    ]
