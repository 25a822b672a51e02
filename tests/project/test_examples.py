"""The examples do what their first lines say."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from literature_ai.bots.conformance import ConformanceTests
from literature_ai.cli.main import main
from literature_ai.rules import RuleSet

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    """The examples are run from the folder above them."""
    monkeypatch.chdir(ROOT)


class TestBot(ConformanceTests):
    """The bot in twenty lines keeps to the rules and to its seed."""

    spec = f"{ROOT}/examples/bot.py:Bot"
    rules = (RuleSet(), RuleSet.parse("us54"), RuleSet(players=4))


def test_the_bot_has_twenty_lines():
    """The class of the example is as short as promised, give or take the blank lines."""
    _, _, code = (ROOT / "examples/bot.py").read_text().partition("class Bot")
    assert 15 <= len([line for line in code.splitlines() if line.strip()]) <= 25


def test_the_league_is_played_from_its_file(capsys):
    """The TOML file holds a tournament, and options on the command line come first."""
    code = main(
        [
            *("tournament", "examples/league.toml", "--pairs", "1", "--rules", "max-events=60"),
            *("--examine-every", "0", "--workers", "1", "--json", "--quiet"),
        ]
    )
    figures = json.loads(capsys.readouterr().out)
    league = tomllib.loads((ROOT / "examples/league.toml").read_text())
    assert code == 0
    assert [agent["spec"] for agent in figures["agents"]] == league["agents"]
    assert (figures["pairs"], figures["seed"], figures["rules"]) == (1, 7, "max-events=60")
    assert len(figures["matchups"]) == 10


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("rl_pettingzoo.py --games 1", "game 1: random asks "),
        ("rl_search.py --simulations 2 --decisions 2 --seed 2", "after 2 events"),
        ("rl_training.py --games 40", "half-suits a game"),
    ],
)
def test_the_environments_are_used_as_shown(command, printed, tmp_path):
    """Each example for reinforcement learning runs, and prints what it promises."""
    script, *options = command.split()
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / script, *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, printed in done.stdout) == (0, True), done.stderr


def test_a_trained_policy_plays_in_tournaments(tmp_path, monkeypatch, capsys):
    """The weights that the example saves make an agent that plays by the rules."""
    monkeypatch.chdir(tmp_path)
    np.save("trained.npy", np.array([5.0, 0.3, 0.0]))
    spec = f"{ROOT}/examples/rl_training.py:Trained"
    code = main(
        ["tournament", spec, "random", "--players=4", "--pairs=1", "--seed=1", "--workers=1"]
    )
    printed = capsys.readouterr().out
    assert code == 0
    assert "rl_training.py:Trained" in printed
