"""How much work the counting engine does, in operations and not in seconds: it may only get less.

The positions are fixed. A change that undoes one of the ways down (folding, merging seats, the
pool, the order of half-suits, pruning) multiplies some of these numbers; noise of the machine
changes none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from literature_ai.game.game import Game
from literature_ai.inference.knowledge import Knowledge
from literature_ai.rules import RuleSet
from solver.compilation import compiled
from solver.kernels.families import narrow
from solver.kernels.passes import entries_for, forward
from solver.kernels.reduction import build


class Work(NamedTuple):
    """What one posterior costs."""

    layouts: int
    """Layouts of half-suits listed."""
    states: int
    """States of the forward pass."""
    transitions: int
    """States times count vectors: the innermost steps of the forward pass, and of the backward."""


@compiled
def _work(families, news, hand_sizes, weights, excluded):
    narrow(families, news)
    reduced = build(families, hand_sizes, weights, excluded, True, True)
    states = forward(reduced)
    transitions = 0
    for level in range(len(reduced.order)):
        for p in range(states.levels_from[level], states.levels_from[level + 1]):
            begin, end = entries_for(reduced, level, states.state_index[p])
            transitions += end - begin
    return len(reduced.layout_code), states.levels_from[-1], transitions


def work(knowledge: Knowledge) -> Work:
    """What a posterior of all that is known costs."""
    return Work(*_work(*knowledge.counting._arguments(None)))


def follow(players: int, seed: int, moments: tuple[int, ...]) -> list[Work]:
    """The work at these numbers of events, for seat 0, in a game of random asks of which every
    third is a sure hit if there is any."""
    game = Game.deal(RuleSet(players=players), seed=seed)
    rng = np.random.default_rng(seed)
    knowledge = Knowledge(game.rules, 0, game.hand(0))
    found = []
    while len(game.events) < moments[-1]:
        asks = game.legal_asks()
        hits = [ask for ask in asks if ask.card in game.hand(ask.target)]
        chosen = hits if hits and rng.random() < 1 / 3 else asks
        knowledge.observe(game.apply(chosen[int(rng.random() * len(chosen))]))
        if len(game.events) in moments:
            found.append(work(knowledge))
    return found


MOMENTS = (1, 5, 10, 20, 40, 60)
MOST = {
    4: [
        Work(5, 6, 5),
        Work(51, 282, 1679),
        Work(58, 248, 1758),
        Work(61, 182, 1192),
        Work(36, 107, 464),
        Work(30, 43, 108),
    ],
    6: [
        Work(5, 6, 5),
        Work(14, 20, 58),
        Work(209, 1191, 19138),
        Work(411, 3220, 43471),
        Work(97, 547, 1737),
        Work(74, 146, 223),
    ],
    8: [
        Work(5, 6, 5),
        Work(190, 507, 9450),
        Work(667, 3114, 121670),
        Work(2138, 15531, 406000),
        Work(1931, 5573, 33389),
        Work(555, 1442, 6003),
    ],
}
"""For each number of players: the work at each moment, when it was last made less."""


@pytest.mark.parametrize("players", MOST)
def test_a_posterior_takes_no_more_operations_than_before(players: int) -> None:
    """At six moments of a fixed game, nothing is counted more often than it was."""
    for found, most in zip(follow(players, 3, MOMENTS), MOST[players], strict=True):
        assert found == Work(*map(min, found, most))


def test_before_the_first_ask_nothing_is_counted() -> None:
    """Whoever knows their own hand only has one pool of cards and one place for all others."""
    knowledge = Knowledge(RuleSet(), 0, tuple(range(0, 48, 6)))
    assert Work(0, 1, 0) == work(knowledge)
