"""Operation counts of the counting engine on fixed positions, as upper bounds.

Counts are independent of the machine. A change that disables an optimization (propagation, merging
of seats, the pool, the order of half-suits, pruning) multiplies some of them.
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
    """Operation counts of one posterior."""

    layouts: int
    """The number of layouts of half-suits listed."""
    states: int
    """The number of states of the forward pass."""
    transitions: int
    """States times count vectors: the innermost steps of the forward and of the backward pass."""


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
    """The operation counts of the posterior of this knowledge."""
    return Work(*_work(*knowledge.counting._arguments(None)))


def follow(players: int, seed: int, moments: tuple[int, ...]) -> list[Work]:
    """The work for seat 0 at these numbers of events.

    The asks of the game are random; with probability 1/3 a hit is chosen if there is one.
    """
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
        Work(51, 265, 1701),
        Work(58, 253, 1864),
        Work(61, 237, 1381),
        Work(36, 140, 574),
        Work(30, 46, 115),
    ],
    6: [
        Work(5, 6, 5),
        Work(14, 20, 60),
        Work(209, 1049, 19130),
        Work(411, 1689, 21483),
        Work(97, 395, 1999),
        Work(74, 73, 159),
    ],
    8: [
        Work(5, 6, 5),
        Work(190, 450, 9860),
        Work(667, 2114, 68890),
        Work(2138, 11580, 291880),
        Work(1931, 3471, 30900),
        Work(555, 927, 7778),
    ],
}
"""For each number of players: the upper bounds at each of `MOMENTS`."""


@pytest.mark.parametrize("players", MOST)
def test_a_posterior_takes_no_more_operations_than_before(players: int) -> None:
    """At six moments of a fixed game, no operation count exceeds its bound."""
    for found, most in zip(follow(players, 3, MOMENTS), MOST[players], strict=True):
        assert found == Work(*map(min, found, most))


def test_before_the_first_ask_nothing_is_counted() -> None:
    """With the own hand alone there is one pool of cards and one place for all other seats."""
    knowledge = Knowledge(RuleSet(), 0, tuple(range(0, 48, 6)))
    assert Work(0, 1, 0) == work(knowledge)
