"""``--isolated``: every agent a program of its own, which shares no memory with the game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from literature_ai.bots.registry import parse_spec
from literature_ai.cli.main import main
from literature_ai.events import Asked
from literature_ai.game.game import Game
from literature_ai.game.turns import steps
from literature_ai.rules import RuleSet

BOTS = Path(__file__).parents[1] / "support" / "bots"
SPIES = ("FindsHands", "ReadsFrames", "PatchesTheReferee")


def played(
    folder: Path, *words: str, capsys: pytest.CaptureFixture[str]
) -> tuple[str, dict[str, Any]]:
    """The records and the figures of a tournament, times apart."""
    out = folder / f"games{len(list(folder.iterdir()))}.lit"
    common = ["--pairs=1", "--seed=3", "--workers=1", "--quiet", "--json", "--games-out", str(out)]
    assert main(["tournament", *words, *common]) in (0, 1)
    figures = json.loads(capsys.readouterr().out)
    for name in ("seconds", "games_per_second"):
        del figures[name]
    for agent in figures["agents"]:
        del agent["ms_per_decision"]
    return out.read_text(), figures


@pytest.mark.parametrize("rules", ["max-events=60", pytest.param("us54", marks=pytest.mark.slow)])
def test_honest_agents_play_the_same(
    rules: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """For honest agents, named ones, files and programs, the results are the same bytes as without
    --isolated."""
    specs = (f"greedy,{BOTS}/simple.py:Asker,random", f"{BOTS}/simple.py:Together")
    plain = played(tmp_path, *specs, "--rules", rules, capsys=capsys)
    assert played(tmp_path, *specs, "--rules", rules, "--isolated", capsys=capsys) == plain


@pytest.mark.slow
@pytest.mark.parametrize("spy", SPIES)
def test_spies_find_nothing(spy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A bot that looks for hands in memory or in frames, or patches the rules, scores no better
    than the same bot without that; one that only looks plays just the same games."""
    records, scores = [], []
    for name in ("Honest", spy):
        specs = (f"{BOTS}/spies.py:{name}", f"{BOTS}/simple.py:Asker")
        games, figures = played(tmp_path, *specs, "--isolated", capsys=capsys)
        records.append(games.replace(f"spies.py:{name}", "spies.py:Bot"))
        scores.append(figures["agents"][0]["score"])
    assert scores[1] <= scores[0]
    if spy != "PatchesTheReferee":  # what it patches is its own copy, so that it fails
        assert records[0] == records[1]


@pytest.mark.parametrize("spy", SPIES[:2])
def test_spies_spy_where_they_can(spy: str) -> None:
    """In the process of the referee the same bots do find the hands, so that the test above tests
    something."""
    game, rng = Game.deal(RuleSet(), seed=5, start=0), np.random.default_rng(1)
    agents = [parse_spec(f"{BOTS}/spies.py:{spy}").make() for _ in range(6)]
    asked = []
    for event in steps(game, agents, rng):
        if isinstance(event, Asked):
            asked.append(event.hit)
        if len(asked) == 12:
            break
    assert all(asked)


def test_an_agent_that_cannot_start(capsys: pytest.CaptureFixture[str]) -> None:
    """An isolated agent that is missing, or all whose cards are shown, gets one line and code 2."""
    common = ["--pairs=1", "--isolated", "--quiet"]
    assert main(["tournament", "greedy", "gready", *common]) == 2
    assert "did you mean 'greedy'" in capsys.readouterr().err
    assert main(["tournament", "greedy", "oracle", "--open-cards", *common]) == 2
    assert "--isolated and --open-cards exclude each other" in capsys.readouterr().err


def test_an_isolated_agent_that_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An isolated agent that raises forfeits the game, and the cause is its own exception."""
    specs = (f"{BOTS}/misbehaving.py:Raises", "random")
    common = ["--pairs=1", "--seed=1", "--workers=1", "--quiet", "--json", "--isolated"]
    assert main(["tournament", *specs, *common, "--players=4"]) == 1
    figures = json.loads(capsys.readouterr().out)
    assert figures["agents"][0]["failures"] == {"error": 2}
    assert figures["agents"][1]["failures"] == {}
