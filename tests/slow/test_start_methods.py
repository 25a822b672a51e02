"""Where processes are not forked but started anew, every failure comes out the same."""

from __future__ import annotations

import pytest
from tournament_helpers import (
    ASKER,
    FIRST,
    HOSTILE_KINDS,
    TOGETHER,
    hostile,
    play_failing_plan,
    play_hostile_plan,
    play_plan,
)

from literature_ai.rules import RuleSet
from tournaments.plan import Plan
from tournaments.runner import run
from tournaments.store import Store
from tournaments.summary import summarize

pytestmark = pytest.mark.slow


def test_failures_are_the_same_in_fresh_interpreters(tmp_path):
    """The whole table of bots that misbehave, spawned and forked: the same games and failures."""
    games, failures, _ = play_failing_plan(tmp_path / "fork", start_method="fork")
    again, failed, _ = play_failing_plan(tmp_path / "spawn", start_method="spawn")
    assert again == games
    assert {k: v[:3] for k, v in failed.items()} == {k: v[:3] for k, v in failures.items()}


def test_hostile_agents_harm_nobody_in_fresh_interpreters(tmp_path):
    """No opponent of an agent that harms others forfeits, and no pair is missing."""
    failures, voids, summary = play_hostile_plan(tmp_path / "store", start_method="spawn")
    for team, kinds in enumerate(HOSTILE_KINDS.values(), start=1):
        assert {failures.get((team, half), "fair") for half in (0, 1)} <= {*kinds, "fair"}
        assert summary["matchups"][team - 1]["pairs"] + ((team,) in voids) == 1
    assert summary["agents"][0]["failures"] == {}


def test_an_endless_destructor_has_a_bound(tmp_path):
    """What an agent leaves to run between two calls is ended, and no game is lost by that."""
    plan = Plan((hostile("HasAnEndlessDestructor"), ASKER), 1, RuleSet(max_events=60), seed=2)
    with Store.create_or_resume(tmp_path / "store", plan) as store:
        run(store, workers=1)
        summary = summarize(store)
    assert summary["matchups"][0]["pairs"] == 1
    assert summary["agents"][1]["failures"] == {}


def test_honest_agents_play_the_same_in_fresh_interpreters(tmp_path):
    """Summary and records do not depend on how players start."""
    plan = Plan((ASKER, TOGETHER, FIRST), 6, RuleSet(max_events=60), seed=9, examine_every=3)
    expected = play_plan(tmp_path / "fork", plan, True, start_method="fork")
    assert play_plan(tmp_path / "spawn", plan, True, start_method="spawn") == expected
