"""Tournaments in TOML files, and errors of the command line."""

from __future__ import annotations

import json
import shlex
import tracemalloc

import pytest
from tournament_helpers import ASKER

from literature_ai.cli.main import Parser, main
from tournaments.cli.tournament import add_arguments, read_sprt
from tournaments.plan import Plan
from tournaments.statistics import Sprt


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
        ('agents = ["a", "b"]\npairs = "many"', "pairs: 'many' is no whole number"),
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
        ([ASKER, ASKER, "--pairs", "x"], "'x' is no whole number"),
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


LONG = "9" * 5000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--sprt -2e3,0", "sprt needs Elo from -1000 to 1000, as in 0,10"),
        ("--sprt -5,1e300", "sprt needs Elo from -1000 to 1000, as in 0,10"),
        ("--sprt nan,5", "--sprt 'nan,5': write ELO0,ELO1"),
        ("--sprt -inf,5", "--sprt '-inf,5': write ELO0,ELO1"),
        ("--sprt 0,5,1e-300,0.05", "sprt needs error rates between 0 and 0.5, at least 0.000001"),
        (f"--sprt 0,{LONG}", "--sprt '0,9999"),
        ("--move-limit inf", "--move-limit: 'inf' is no finite number"),
        ("--move-limit nan", "--move-limit: 'nan' is no finite number"),
        ("--move-limit -inf", "--move-limit: '-inf' is no finite number"),
        ("--move-limit -.5", "move-limit must be more than 0 seconds, not -0.5"),
        ("--move-limit 1e12", "move-limit must be at most 86400 seconds, a day, not 1e+12"),
        (f"--move-limit {LONG}", "--move-limit: '9999"),
        ("--rules turn-seconds=999999999999", "turn-seconds=999999999999 is too long: it must be"),
        (f"--rules turn-seconds={LONG}", "turn-seconds has 5000 digits"),
        ("--rules max-events=999999999999", "max-events=999999999999 is too many: it must be"),
        ("--pairs 10000000000000", "pairs must be at most 1,000,000,000,000"),
        (f"--pairs {LONG}", "--pairs: '9999"),
        ("--pairs -1", "pairs must be at least 1, not -1"),
        ("--pairs 1e3", "--pairs: '1e3' is no whole number"),
        ("--players -4", "-4 players cannot play: 4, 6 or 8 can"),
        (f"--players {LONG}", "--players: '9999"),
        (f"--seed {LONG}", "--seed: '9999"),
        (f"--seed {2**128}", f"seed must be at most {2**128 - 1:,}"),
        ("--match-wins 101", "match-wins must be at most 100, not 101"),
        ("--examine-every 10000000000000", "examine-every must be at most 1,000,000,000,000"),
        ("--workers 1001", "workers must be at most 1,000, not 1,001"),
        ("--batch-size 10001", "batch-size must be at most 10,000, not 10,001"),
    ],
)
def test_numbers_from_users_never_size_a_loop_unchecked(words, said, capsys, monkeypatch, tmp_path):
    """Bounds of any size, inf, nan and numbers of 5,000 digits: one clear, short line."""
    monkeypatch.chdir(tmp_path)
    error = error_of(["tournament", ASKER, ASKER, *words.split(), "--quiet"], capsys)
    assert said in error
    assert len(error) < 300
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("novice:memory=10000000000000000000000", "memory cannot be '1000"),
        (f"novice:memory={LONG}", "memory cannot be '9999"),
        ("champion:budget=100000000000", "budget cannot be '100000000000': whole number from 1"),
        ("champion:lookahead=100000000000", "lookahead cannot be '100000000000'"),
        ("novice:memory=inf", "memory cannot be 'inf'"),
    ],
)
def test_numbers_in_specs_are_bounded(spec, said, capsys):
    """Parameters of our agents that are too large are refused before anything is played."""
    assert said in error_of(["tournament", ASKER, spec, "--quiet"], capsys)


@pytest.mark.parametrize("words", [["--sprt", "-5,0"], ["--sprt=-5,0"], ["--sprt", "-.5,-.25"]])
def test_bounds_may_begin_with_a_minus(words, capsys):
    """`--sprt -5,0` is a test of these bounds, with a blank or an equals sign."""
    options = ["--pairs", "1", "--rules", "max-events=40", "--workers", "1", "--quiet", "--json"]
    assert main(["tournament", ASKER, ASKER, *options, *words]) == 0
    test = json.loads(capsys.readouterr().out)["sprt"]
    assert f"{test['elo0']:g},{test['elo1']:g}" in ("-5,0", "-0.5,-0.25")


def test_the_command_of_a_plan_is_read_back_as_that_plan():
    """Bounds with a minus and with many digits survive the command that reproduces a tournament."""
    plan = Plan(("a", "b"), 3, sprt=Sprt(-5.123456789, 0, 0.05, 0.01), move_limit=0.1)
    parser = Parser()
    add_arguments(parser)
    args = parser.parse_args(shlex.split(plan.command())[2:])
    assert plan.sprt == read_sprt(args.sprt)
    assert plan.move_limit == args.move_limit


def test_very_many_pairs_are_streamed(capsys):
    """`--pairs 100000000000` starts at once, with no list of that size, and ends with its test."""
    words = ["--pairs", "100000000000", "--sprt", "-900,-800", "--rules", "max-events=40"]
    words += ["--workers", "1", "--quiet", "--json", "--examine-every", "0"]
    tracemalloc.start()
    assert main(["tournament", ASKER, ASKER, *words]) == 0
    assert tracemalloc.get_traced_memory()[1] < 50e6
    tracemalloc.stop()
    assert json.loads(capsys.readouterr().out)["sprt"]["accepted"] == "elo1"


@pytest.mark.parametrize("command", ["tournament", "resume", "report"])
def test_every_command_explains_itself(command, capsys):
    """--help has an example of the command."""
    with pytest.raises(SystemExit) as left:
        main([command, "--help"])
    assert left.value.code == 0
    assert f"\n  literature {command} " in capsys.readouterr().out
