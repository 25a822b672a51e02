"""Tournaments in TOML files, and errors of the command line."""

from __future__ import annotations

import json

import pytest
from tournament_helpers import ASKER

from literature_ai.cli.main import main


def error_of(words, capsys):
    """The error of wrong use, which is one line with exit code 2."""
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    return error


def test_every_option_can_stand_in_the_file(tmp_path, capsys):
    """Keys with dashes or underscores, numbers, texts, lists and switches are taken."""
    file = tmp_path / "t.toml"
    file.write_text(
        f"""
        agents = ["{ASKER}", "{ASKER}"]
        pairs = 3
        players = 4
        rules = "max-events=40"
        seed = 5
        move-limit = 2.5
        examine_every = 0
        sprt = [-500, -400]
        gauntlet = true
        strict = true
        quiet = true
        workers = 1
        json = true
        """
    )
    assert main(["tournament", str(file)]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert (summary["players"], summary["seed"], summary["examined_every"]) == (4, 5, 0)
    assert summary["sprt"]["elo0"] == -500


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('agents = ["a", "b"]\npears = 3', "there is no key 'pears'; did you mean 'pairs'?"),
        ("pairs = 3", 'name the agents, as in agents = ["random", "greedy"]'),
        ('agents = ["a", 2]', "name the agents"),
        ('agents = ["a", "b"]\npairs = "many"', "pairs: invalid int value: 'many'"),
        ('agents = ["a", "b"]\npairs = true', "pairs cannot be True; write a number or a text"),
        ('agents = ["a", "b"]\nstrict = 1', "strict cannot be 1; write true or false"),
        ('agents = ["a", "b"\n', "is not TOML"),
    ],
)
def test_a_faulty_file_is_refused_with_its_name(tmp_path, capsys, text, said):
    """Unknown keys, values of the wrong kind, no TOML at all: file, fault and cure in a line."""
    file = tmp_path / "t.toml"
    file.write_text(text)
    error = error_of(["tournament", str(file)], capsys)
    assert said in error
    assert "t.toml" in error


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["none.toml"], "cannot read none.toml: no such file or directory"),
        ([ASKER], "needs at least two agents"),
        ([ASKER, "gredy"], "there is no agent 'gredy'; did you mean 'greedy'?"),
        ([ASKER, f"{ASKER},{ASKER}"], "names 2 agents for a team of 3: name one, or 3"),
        ([ASKER, ASKER, "--pairs", "x"], "invalid int value: 'x'"),
        ([ASKER, ASKER, "--pairs", "0"], "pairs must be at least 1, not 0"),
        ([ASKER, ASKER, "--rules", "pas-turn"], "did you mean 'pass-turn'?"),
        ([ASKER, ASKER, "--players", "5"], "5 players cannot play: 4, 6 or 8 can"),
        ([ASKER, ASKER, "--sprt", "0"], "--sprt '0': write ELO0,ELO1"),
        ([ASKER, ASKER, "--sprt", "5,0"], "sprt needs its first Elo below its second"),
        ([ASKER, ASKER, "--sprt", "0,5,0.6,0.1"], "sprt needs error rates between 0 and 0.5"),
        ([ASKER, ASKER, ASKER, "--sprt", "0,5"], "sprt compares two agents, not 3"),
        (
            [ASKER, ASKER, "--games-out", "/none/x.lit"],
            "cannot write /none/x.lit: there is no folder /none",
        ),
        ([ASKER, ASKER, "--store", "/none/x.db"], "/none/x.db cannot be written"),
        ([ASKER, ASKER, "--workers", "0"], "workers must be at least 1, not 0"),
        ([ASKER, ASKER, "--batch-size", "0"], "batch-size must be at least 1, not 0"),
        ([ASKER, ASKER, "--dask", "tcp://127.0.0.1:1"], "--dask tcp://127.0.0.1:1: there is no"),
        ([ASKER, "cmd:./nobot -x"], "'cmd:./nobot -x': there is no program './nobot'"),
        ([ASKER, "oracle"], "oracle sees all cards; it may only be seated with --open-cards"),
    ],
)
def test_wrong_use_is_one_line(words, said, capsys, monkeypatch, tmp_path):
    """With a wrong command line nothing is played, and one line says why."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tournaments.cli.common._DASK_SECONDS", 0.2)
    assert said in error_of(["tournament", *words, "--quiet"], capsys)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["tournament", "resume", "report"])
def test_every_command_explains_itself(command, capsys):
    """--help has an example of the command."""
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    assert left.value.code == 0
    assert f"\n  literature {command} " in capsys.readouterr().out
