"""How much work the counting engine does, in operations and not in seconds: it may only get less.

The positions are fixed. A change that undoes one of the ways down (folding, merging seats, the
pool, the order of half-suits, pruning) multiplies some of these numbers; noise of the machine
changes none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from literature_ai.game import Game
from literature_ai.knowledge import Knowledge
from literature_ai.rules import RuleSet
from solver import kernels


class Work(NamedTuple):
    """What one posterior costs."""

    layouts: int
    """Layouts of half-suits listed."""
    states: int
    """States of the forward pass."""
    transitions: int
    """States times count vectors: the innermost steps of the forward pass, and of the backward."""


def work(knowledge: Knowledge) -> Work:
    """What a posterior of all that is known costs."""
    families, news, hand_sizes, weights, excluded = knowledge.counting._arguments(None)
    kernels.narrow(families, news)
    tables = kernels.build(families, hand_sizes, weights, excluded, True)
    states = kernels.forward(tables)
    transitions = 0
    for level, leaf in enumerate(tables.order):
        here = states.levels_from[level + 1] - states.levels_from[level]
        transitions += here * (tables.entries_from[leaf + 1] - tables.entries_from[leaf])
    return Work(len(tables.layout_code), int(states.levels_from[-1]), int(transitions))


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
        Work(31, 6, 5),
        Work(425, 282, 1679),
        Work(432, 248, 1758),
        Work(379, 182, 1192),
        Work(144, 107, 464),
        Work(45, 39, 133),
    ],
    6: [
        Work(31, 6, 5),
        Work(70, 20, 58),
        Work(2875, 1191, 19138),
        Work(7069, 3220, 43471),
        Work(300, 407, 2600),
        Work(105, 71, 309),
    ],
    8: [
        Work(31, 6, 5),
        Work(3584, 507, 9450),
        Work(6971, 3114, 121670),
        Work(31073, 15501, 841115),
        Work(13524, 4714, 102213),
        Work(1705, 1517, 19097),
    ],
}
"""For each number of players: the work at each moment, when it was last made less."""


@pytest.mark.parametrize("players", MOST)
def test_a_posterior_takes_no_more_operations_than_before(players: int) -> None:
    """At six moments of a fixed game, nothing is counted more often than it was."""
    for found, most in zip(follow(players, 3, MOMENTS), MOST[players], strict=True):
        assert found == Work(*map(min, found, most))


def test_before_the_first_ask_nothing_is_counted() -> None:
    """Whoever knows his own hand only has one pool of cards and one place for all others."""
    knowledge = Knowledge(RuleSet(), 0, tuple(range(0, 48, 6)))
    assert Work(0, 1, 0) == work(knowledge)
