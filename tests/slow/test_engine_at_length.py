"""The engine over whole games, under every rule and for every viewer."""

from __future__ import annotations

import helpers as h
import numpy as np
import pytest

from literature_ai.agents.champion import Champion
from literature_ai.analysis.engine import analyze
from literature_ai.records.record import Record

pytestmark = pytest.mark.slow

BUDGET = 16


@pytest.mark.parametrize("number", range(len(h.EVERY_RULE)))
def test_whole_games(number: int) -> None:
    """At every fifth event, each seat and everyone have a value, the seat on turn has the move of
    `champion` for its choice, and every continuation follows the rules."""
    game = h.random_game(h.EVERY_RULE[number], np.random.default_rng(number), 120)
    record = Record.of(game, "1")
    for count in range(0, len(record.events), 5):
        then = record.at(count)
        turn = then.position().turn
        assert turn is not None
        for seat in (*range(game.rules.players), None):
            found = analyze(then, seat, BUDGET, seed=count)
            assert 0 <= found.value.score <= 1
            for candidate in found.candidates:
                position = then.position()
                for event in candidate.line:
                    position.follow(event)
            if seat == turn:
                view = then.game().view(turn)
                champion = Champion(budget=BUDGET)
                champion.start(view, np.random.default_rng(count))
                assert champion.act(view) == found.choice
