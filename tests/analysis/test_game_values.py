"""Games by values: losses, sizes of mistakes, accuracies, and the curves over a game."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import helpers as h
import numpy as np
import pytest

from literature_ai.analysis.engine import Value, analyze, value_with_open_cards
from literature_ai.analysis.game_values import (
    LEAST_LOSS,
    STEEPNESS,
    SURE,
    JudgedDecision,
    Mistake,
    Moment,
    accuracy,
    mistakes,
    moments_of,
    score_of_a,
)
from literature_ai.analysis.value_store import ValueStore
from literature_ai.analysis.value_text import moment_as_json, moment_from_json
from literature_ai.errors import FileError, LiteratureError
from literature_ai.game.game import Game
from literature_ai.records.notation import format_event, parse_action
from literature_ai.records.record import Record
from literature_ai.rules import RuleSet

BUDGET = 8


def judged(loss: float, loss_se: float = 0.0, seat: int = 0) -> JudgedDecision:
    """A decision with that loss."""
    return JudgedDecision(1, seat, "ask A1 B1 2S", 0.5, loss, loss_se, "ask A1 B1 3S", "why")


def test_a_mistake_is_large_enough_and_beyond_the_error() -> None:
    """The size of a mistake is told by its loss, and a loss within the error is none."""
    for size, least in LEAST_LOSS.items():
        assert size == judged(least).mistake
        assert size == judged(least, least / SURE - 1e-9).mistake
        assert judged(least, least / SURE).mistake is None
        assert size != judged(least - 1e-9).mistake
    assert judged(0.0).mistake is None
    assert [Mistake.LARGE, Mistake.MIDDLE, Mistake.SMALL] == list(LEAST_LOSS)


def test_accuracy_is_the_mean_of_what_is_left() -> None:
    """100 × the mean of exp(-steepness × loss); 100 without a loss, and none of no decision."""
    assert accuracy([]) is None
    assert 100.0 == accuracy([judged(0.0), judged(0.0, 0.5)])
    mean = (1 + math.exp(-STEEPNESS * 0.1)) / 2
    assert 100 * mean == pytest.approx(accuracy([judged(0.0), judged(0.1)]))


@pytest.mark.parametrize("number", [1, *range(3, len(h.EVERY_RULE), 9)])
def test_moments_of_a_game(number: int) -> None:
    """Under every kind of rule each moment has the value of its position, the last one that of the
    result; each decision of a known hand is judged with what was done and the best instead."""
    game = h.random_game(h.EVERY_RULE[number], np.random.default_rng(number), 14, claim=0.2)
    record = Record.of(game, "1")
    moments = list(moments_of(record, budget=BUDGET))
    assert list(range(len(record.events) + 1)) == [moment.events for moment in moments]
    for moment in moments[:-1]:
        then = record.at(moment.events)
        assert value_with_open_cards(then, BUDGET) == moment.table
        decision = moment.decision
        assert decision is not None
        assert (moment.events + 1, True) == (decision.event, decision.loss >= 0)
        event = format_event(record.events[moment.events], record.rules.card_names)
        assert event.startswith(decision.made)
        assert decision.best is None or parse_action(decision.best, then.position())
    assert moments[-1].decision is None


def test_the_result_is_the_last_value() -> None:
    """After the end the value is the result itself: 1, ½ or 0, and the half-suits ahead."""
    for seed in range(3):
        game = h.random_game(RuleSet(players=4), np.random.default_rng(seed))
        record = Record.of(game, "1")
        (moment,) = moments_of(record, seat=1, budget=BUDGET, first=len(record.events))
        a, b = game.score
        assert Value((a > b) + (a == b) / 2, 0.0, a - b, 0.0) == moment.table
        assert moment.table.of_opponents() == moment.own
        assert moment.table.score == score_of_a(moment, 1)


def test_unknown_hands_are_not_judged() -> None:
    """Where a hand is not known its decisions are not judged, and the value is the public's."""
    game = h.random_game(RuleSet(), np.random.default_rng(1), 8, claim=0.0)
    record = Record.of(game, "1")
    half = replace(record, hands=(*record.hands[:3], None, None, None))
    moments = list(moments_of(half, budget=BUDGET))
    for moment, event in zip(moments, record.events, strict=False):
        seat = event.asker  # type: ignore[union-attr]
        assert (moment.decision is None) == (seat > 2)
        assert analyze(half.at(moment.events), None, BUDGET).value == moment.table
    with pytest.raises(LiteratureError, match="no hand of B3"):
        list(moments_of(half, seat=5, budget=BUDGET))


def test_every_moment_stands_alone() -> None:
    """A moment is the same wherever the work began, and on any number of workers."""
    game = h.random_game(RuleSet(), np.random.default_rng(1), 6, claim=0.0)
    record = Record.of(game, "1")
    moments = list(moments_of(record, 2, 40))
    assert moments[4:] == list(moments_of(record, 2, 40, first=4, workers=2))
    assert all((moment.decision is None) or moment.decision.seat == 2 for moment in moments)
    assert mistakes(moments, 3) == []


def test_a_random_player_is_less_accurate_than_champion() -> None:
    """By the losses of the engine, asks at random are worth less than those that it chooses."""
    game = h.random_game(RuleSet(), np.random.default_rng(7), 24, claim=0.0)
    decisions = [moment.decision for moment in moments_of(Record.of(game, "1"), budget=200)]
    found = accuracy(each for each in decisions if each is not None)
    assert found is not None
    assert found < 94


def moment() -> Moment:
    """A moment with everything."""
    return Moment(3, Value(0.25, 0.1, -1.5, 0.2), Value(0.5, 0.0, 0.0, 0.1), judged(0.07, 0.01, 3))


def test_moments_as_json_and_back() -> None:
    """A moment survives JSON; one without own view or decision too."""
    for each in (moment(), replace(moment(), own=None), replace(moment(), decision=None)):
        assert each == moment_from_json(json.loads(json.dumps(moment_as_json(each))))


def test_a_store_goes_on(tmp_path: Path) -> None:
    """A store gives back what it kept; a line cut off is dropped; another game's is refused."""
    record = Record.of(Game.deal(RuleSet(), seed=1, start=0), "1")
    file = tmp_path / "values"
    store = ValueStore(str(file), record, None, 8, 0)
    assert [] == store.moments
    store.keep(moment())
    store.keep(moment())
    assert [moment()] * 2 == ValueStore(str(file), record, None, 8, 0).moments
    file.write_text(file.read_text()[:-5])
    assert [moment()] == ValueStore(str(file), record, None, 8, 0).moments
    for other in ((record, 1, 8, 0), (record, None, 9, 0), (record, None, 8, 1)):
        with pytest.raises(FileError, match="is of another"):
            ValueStore(str(file), *other)
    changed = Record.of(Game.deal(RuleSet(), seed=2, start=0), "1")
    with pytest.raises(FileError, match="another version of the record"):
        ValueStore(str(file), changed, None, 8, 0)
    file.write_text(file.read_text() + "{}\n")
    with pytest.raises(FileError, match="line 3 is no moment of a game"):
        ValueStore(str(file), record, None, 8, 0)
