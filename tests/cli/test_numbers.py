"""Numbers of users on the command line: bounded, or refused in one short line."""

from __future__ import annotations

from pathlib import Path

import pytest

from literature_ai.assist.session import Session
from literature_ai.cli.main import main, with_negative_values

CASE = str(next(Path(__file__).parents[1].joinpath("cases").glob("*.lit")))
LONG = "9" * 5000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["deals", CASE, "--sample", "99999999999"], "'99999999999' must be at most 1,000,000"),
        (["deals", CASE, "--list", "99999999999"], "'99999999999' must be at most 1,000,000"),
        (["deals", CASE, "--sample", "-1"], "'-1' is no whole number from 0 on"),
        (["deals", CASE, "--sample", LONG], "is no whole number of at most 40 digits"),
        (["deals", CASE, "--seed", LONG], "is no whole number of at most 40 digits"),
        (["deals", CASE, "--seed", "-5"], "'-5' is no whole number from 0 on"),
        (["agents", "--check", "random", "--games", "99999999999"], "must be at most 1,000,000"),
        (["agents", "--check", "random", "--games", LONG], "is no whole number"),
        (["agents", "--check", "random", "--seed", "-1"], "--seed not below"),
        (["agents", "--check", "random", "--move-limit", "inf"], "'inf' is no finite number"),
        (["agents", "--check", "random", "--move-limit", "1e9"], "--move-limit 86400, a day"),
    ],
)
def test_numbers_out_of_range_are_refused_in_one_short_line(words, said, capsys):
    """No command computes with, or prints, numbers that make no sense."""
    assert main(words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert len(error) < 300


@pytest.mark.parametrize(
    "lines",
    [
        [LONG],
        ["6", LONG],
        ["6", f"turn-seconds={LONG}"],
        ["6", f"16={LONG}"],
        ["6", "none", "a1", "2s 5s 6s ts as 4h 9h qd", "a1", "a1 b1 3s n", f"undo {LONG}"],
        ["6", "none", "a1", "2s 5s 6s ts as 4h 9h qd", "a1", "a1 b1 3s n", f"log {LONG}"],
    ],
)
def test_the_helper_at_the_table_refuses_thousands_of_digits(lines):
    """A number that Python cannot even convert is not taken, and the session goes on."""
    session = Session("kitchen")
    *before, last = [session.enter(line) for line in lines]
    assert all(reply.ok for reply in before)
    assert not last.ok
    assert last.text.startswith("Not taken: ")


@pytest.mark.parametrize(
    ("words", "joined"),
    [
        (["x", "--sprt", "-5,0"], ["x", "--sprt=-5,0"]),
        (["--limit", "-.5", "--seed", "-1"], ["--limit=-.5", "--seed=-1"]),
        (["--limit", "-inf"], ["--limit=-inf"]),
        (["--explain", "-5", "-6"], ["--explain=-5", "-6"]),
        (["--", "--sprt", "-5,0"], ["--", "--sprt", "-5,0"]),
        (["--json", "-", "-x"], ["--json", "-", "-x"]),
    ],
)
def test_a_number_with_a_minus_belongs_to_the_option_before_it(words, joined):
    """Numbers are joined to their option; other words, and all after ``--``, stay."""
    assert joined == with_negative_values(words)
