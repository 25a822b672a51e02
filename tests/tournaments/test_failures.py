"""Agents that fail in every way forfeit their games, and no other game is affected."""

from __future__ import annotations

import json
import os

import pytest
from tournament_helpers import ASKER, FAILURE_KINDS, misbehaving, play_failing_plan

from literature_ai.cli.main import main
from literature_ai.rules import RuleSet
from tournaments.plan import Plan
from tournaments.runner import StrictError, run
from tournaments.store import Store


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """Games, failures and summary with the default executor."""
    return play_failing_plan(tmp_path_factory.mktemp("failures") / "store")


def test_each_agent_fails_in_its_way_and_only_it(reference):
    """The right kind is recorded for the right team, in every game of it, and no other team."""
    _, failures, summary = reference
    expected = {
        (team, half): kind
        for team, kind in enumerate(FAILURE_KINDS.values(), start=1)
        for half in (0, 1)
        if kind is not None
    }
    assert {place: kind for place, (kind, *_) in failures.items()} == expected
    assert all(seat % 2 != half for (_, half), (_, seat, _, _) in failures.items())
    assert [agent["failures"] for agent in summary["agents"]] == [
        {},
        *({} if kind is None else {kind: 2} for kind in FAILURE_KINDS.values()),
    ]


def test_a_failure_forfeits_all_half_suits_in_play(reference):
    """The other team wins and gets all half-suits in play; no game is missing."""
    games, failures, _ = reference
    assert len(games) == 2 * len(FAILURE_KINDS)
    for _, b, half, score_a, score_b, winner, events in games:
        if (b, half) in failures:
            assert winner == 0
            assert score_a + score_b == 8
            assert events == failures[b, half][2]


def test_the_traceback_is_kept(reference):
    """The stored text of a failure says what went wrong."""
    _, failures, _ = reference
    texts = {
        name: failures.get((team, 0), [""])[-1] for team, name in enumerate(FAILURE_KINDS, start=1)
    }
    assert "RuntimeError: no idea" in texts["Raises"]
    assert "def misbehave" not in texts["Raises"]
    assert "misbehaving.py" in texts["Raises"]
    assert "1 and 2" in texts["RaisesWhatCannotBeUnpickled"]
    assert "answered None; it must be an Ask, a Claim or a Pass" in texts["AnswersNone"]
    assert "no answer within 1.5 seconds" in texts["Sleeps"]
    assert "its process ended with exit code 3" in texts["Exits"]
    assert "killed by SIGSEGV" in texts["Segfaults"]
    assert all(len(text) < 5000 for text in texts.values())


def test_the_command_goes_on_and_exits_with_1(capsys):
    """A failing agent does not stop a tournament; the exit code is 1."""
    code = main(
        [
            *(
                "tournament",
                ASKER,
                misbehaving("Raises"),
                "--pairs",
                "2",
                "--rules",
                "max-events=60",
            ),
            *("--workers", "1", "--json"),
        ]
    )
    summary = json.loads(capsys.readouterr().out)
    assert code == 1
    assert summary["agents"][1]["failures"] == {"error": 4}
    assert summary["matchups"][0]["pentanomial"] == [0, 0, 0, 0, 2]


def test_the_table_says_how_many_games_failed(capsys):
    """The printed tables have the number of failures and their kinds."""
    main(
        [
            *(
                "tournament",
                ASKER,
                misbehaving("AnswersNone"),
                "--pairs",
                "1",
                "--rules",
                "max-events=60",
            ),
            *("--workers", "1", "--quiet"),
        ]
    )
    shown = capsys.readouterr().out
    assert "2 games ended by a failure of an agent" in shown
    assert "2 protocol" in shown


def test_strict_stops_at_the_first_failure(tmp_path):
    """A strict run stops and says which agent failed, and how."""
    plan = Plan((ASKER, misbehaving("Raises")), 50, RuleSet(max_events=60), examine_every=0)
    with Store.create_or_resume(tmp_path / "store", plan) as store:
        with pytest.raises(StrictError, match=r"(?s)misbehaving.py:Raises failed as .*: no idea"):
            run(store, workers=1, strict=True)
        assert 1 <= store.pairs_played() < 50


def test_an_agent_that_cannot_be_loaded_where_it_plays_stops_the_tournament(tmp_path, capsys):
    """A file that kills the process that imports it is one line of error and exit code 2."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "import os\n"
        "from literature_ai.agents.base import Agent\n"
        f"if os.getpid() != {os.getpid()}: os._exit(5)\n"
        "class Bot(Agent): pass\n"
    )
    assert main(["tournament", ASKER, f"{bot}:Bot", "--pairs", "1", "--quiet"]) == 2
    stderr = capsys.readouterr().err
    assert "cannot be loaded: the process that tried ended with exit code 5" in stderr
    assert stderr.count("\n") == 1


def test_an_agent_that_cannot_warm_up_stops_the_tournament(tmp_path, capsys):
    """A `warm_up` that raises is one line of error and exit code 2."""
    bot = tmp_path / "bot.py"
    bot.write_text(
        "from literature_ai.agents.base import Agent\n"
        "class Bot(Agent):\n"
        "    @classmethod\n"
        "    def warm_up(cls):\n"
        "        raise RuntimeError('too cold')\n"
    )
    assert main(["tournament", ASKER, f"{bot}:Bot", "--pairs", "1", "--quiet"]) == 2
    stderr = capsys.readouterr().err
    assert f"'{bot}:Bot' cannot warm up: RuntimeError: too cold" in stderr
    assert stderr.count("\n") == 1
