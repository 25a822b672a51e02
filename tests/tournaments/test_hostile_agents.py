"""A bot can never end the tournament, every wait has a bound, and nobody is blamed for another."""

from __future__ import annotations

import json
from functools import cache

import pytest
from tournament_helpers import ASKER, BOTS, HOSTILE_KINDS, hostile, play_hostile_plan

from literature_ai.cli.main import main
from literature_ai.rules import RuleSet
from tournaments.plan import Plan
from tournaments.runner import StrictError, run
from tournaments.statistics import Sprt
from tournaments.store import Store
from tournaments.summary import summarize

SHORT = RuleSet(max_events=60)


QUICK = (
    "AnswersWithCodeThatLoops",
    "AnswersWithoutEnd",
    "RaisesWhatCannotBeWritten",
    "HasNoAttributes",
    "LiesTogether",
    "ExitsWhenMade",
    "Forks",
    "LowersTheRecursionLimit",
    "ClosesDescriptors",
    "KillsItsParent",
)
"""One of each kind; the others are left to the slow tests."""
OTHERS = tuple(name for name in HOSTILE_KINDS if name not in QUICK)


@pytest.fixture(scope="module")
def plays(tmp_path_factory):
    """Plays all of some agents, once: the store's failures and void games, and the summary."""
    return cache(lambda names: play_hostile_plan(tmp_path_factory.mktemp("hostile") / "s", names))


@pytest.mark.parametrize(
    "name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)]
)
def test_a_hostile_agent_loses_that_game_and_nothing_else(plays, name):
    """It forfeits in its way, or plays on; its opponent never forfeits."""
    names = QUICK if name in QUICK else OTHERS
    team = 1 + names.index(name)
    failures, voids, summary = plays(names)
    kinds = {failures.get((team, half), "fair") for half in (0, 1)}
    kinds -= {"fair"} if (team,) in voids else set()
    assert kinds <= set(HOSTILE_KINDS[name])
    assert summary["matchups"][team - 1]["pairs"] + ((team,) in voids) == 1
    assert summary["agents"][0]["failures"] == {}


@pytest.mark.parametrize("name", ["IsSomethingElse", "IsNotMade", "ExitsWhenMade"])
def test_an_agent_that_cannot_be_made_is_refused_before_the_start(capsys, name):
    """A constructor that raises, exits or returns something else: one line, exit code 2."""
    assert main(["tournament", ASKER, hostile(name), "--pairs", "1", "--quiet"]) == 2
    told = capsys.readouterr()
    assert name in told.err
    assert (told.out, told.err.count("\n")) == ("", 1)


def test_text_that_no_file_can_hold_is_told_escaped(capsys):
    """Lone surrogates in an error, of a class or of a program, end up in JSON and no traceback."""
    program = f"cmd:python3 {BOTS}/program.py 'gives up oddly'"
    words = [hostile("RaisesWhatCannotBeWritten"), program, "--pairs", "1", "--quiet", "--json"]
    assert main(["tournament", *words, "--rules", "max-events=40", "--workers", "1"]) == 1
    summary = json.loads(capsys.readouterr().out)
    assert sum(agent["failures"].get("error", 0) for agent in summary["agents"]) == 2


def test_a_game_that_fails_through_nobody_alone_is_void(tmp_path, capsys):
    """It counts in no statistic, but is counted in the store, the summary, JSON and the report."""
    store = str(tmp_path / "store.db")
    words = ["tournament", hostile("LeavesAMark"), hostile("FearsTheMark"), "--pairs", "2"]
    words += ["--rules", "max-events=60", "--workers", "1", "--quiet", "--store", store]
    assert main([*words, "--json"]) == 1
    summary = json.loads(capsys.readouterr().out)
    assert [agent["void"] for agent in summary["agents"]] == [4, 4]
    assert [agent["failures"] for agent in summary["agents"]] == [{}, {}]
    assert [agent["games"] for agent in summary["agents"]] == [0, 0]
    (matchup,) = summary["matchups"]
    assert (matchup["pairs"], matchup["void"], matchup["score"]) == (0, 4, None)
    assert main(["report", store]) == 0
    assert "4 games void" in capsys.readouterr().out
    with Store.read(store) as kept:
        texts = [text for (text,) in kept.query("SELECT text FROM voids")]
        assert kept.pairs_played() == 2
        assert all(kept.played((0, 1)))
    assert len(texts) == 4
    assert all("there is a mark" in text and "void: error at " in text for text in texts)


def test_a_void_game_stops_a_strict_run(tmp_path):
    """With strict it is told like a failure, without a name to blame."""
    plan = Plan((hostile("LeavesAMark"), hostile("FearsTheMark")), 1, SHORT, examine_every=0)
    with (
        Store.create_or_resume(tmp_path / "store", plan) as store,
        pytest.raises(StrictError, match=r"(?s)a game of pair 1 is void.*there is a mark"),
    ):
        run(store, workers=1, strict=True)


def test_a_sequential_test_skips_void_pairs(tmp_path):
    """All pairs are void: the test goes through them and stays undecided."""
    plan = Plan(
        (hostile("LeavesAMark"), hostile("FearsTheMark")), 3, SHORT, sprt=Sprt(-400, 0), seed=1
    )
    with Store.create_or_resume(tmp_path / "store", plan) as store:
        run(store, workers=2)
        assert summarize(store)["sprt"]["accepted"] is None
        assert store.pairs_played() == 3


def test_an_agent_without_attributes_takes_part(capsys):
    """An agent whose ``__getattr__`` raises KeyError plays its games: the command asks it for
    nothing."""
    spec = hostile("HasNoAttributes")
    words = ["tournament", spec, spec, "--pairs=1", "--seed=1", "--workers=1", "--quiet"]
    assert main([*words, "--rules=max-events=20"]) == 0
    assert "HasNoAttributes" in capsys.readouterr().out
