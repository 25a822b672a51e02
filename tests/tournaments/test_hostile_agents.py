"""A bot can never end the tournament, every wait has a bound, and nobody is blamed for another."""

from __future__ import annotations

import json

import pytest
from tournament_helpers import ASKER, BOTS, HOSTILE_KINDS, hostile, play_hostile_plan

from literature_ai.cli.main import main


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The store's failures and void games, and the summary."""
    return play_hostile_plan(tmp_path_factory.mktemp("hostile") / "store")


@pytest.mark.parametrize(("team", "name"), [*enumerate(HOSTILE_KINDS, start=1)])
def test_a_hostile_agent_loses_that_game_and_nothing_else(played, team, name):
    """It forfeits in its way, or plays on; its opponent never forfeits."""
    failures, voids, summary = played
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
