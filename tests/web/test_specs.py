"""The agents that a page may name."""

from __future__ import annotations

import pytest

from literature_ai.bots.registry import BUILT_IN
from literature_ai.errors import SpecError
from literature_ai.web.specs import agents_for_pages, spec_from_page, team_from_page


@pytest.mark.parametrize("spec", [*BUILT_IN, "champion:budget=50,lookahead=4", " greedy "])
def test_agents_of_the_package_are_taken(spec):
    """Every agent of the package may be named, with its parameters."""
    assert spec.strip() == spec_from_page(spec)


@pytest.mark.parametrize(
    "spec",
    [
        *("cmd:./bot", "cmd:true", "bot.py:Bot", "/tmp/bot.py", "greedy:bot.py", "os:system"),
        *("greedy:x=bot.py", "literature_ai.agents.greedy:Greedy", "greedy\ncmd:true", ""),
        *("champion:budget=2001", "champion:lookahead=33", "champion:budget=x", "nobody"),
        *("champion:depth=2", "g" * 1000, None, 7, ["greedy"]),
    ],
    ids=repr,
)
def test_nothing_else_is(spec, tmp_path, monkeypatch):
    """Programs, files, modules and parameters out of bounds are refused, and no file is run."""
    monkeypatch.chdir(tmp_path)
    for name in ("bot.py", "greedy:bot.py", "greedy:x=bot.py"):
        (tmp_path / name).write_text("raise SystemExit('it ran')")
    with pytest.raises(SpecError):
        spec_from_page(spec)


def test_a_team_is_one_spec_or_one_a_seat():
    """A team's specs are checked one by one, and counted."""
    assert ("greedy",) * 3 == team_from_page("greedy", 3)
    assert ("greedy", "champion:budget=5,lookahead=2") == team_from_page(
        "greedy,champion:budget=5,lookahead=2", 2
    )
    for wrong in ("greedy,greedy", "greedy,novice,cmd:true", "greedy,,greedy", None):
        with pytest.raises(SpecError):
            team_from_page(wrong, 3)


def test_the_choice_is_what_is_taken():
    """What a page offers to choose from can be chosen, and each says what it is."""
    offered = agents_for_pages()
    assert list(BUILT_IN) == [spec_from_page(each["spec"]) for each in offered]
    assert all(each["summary"] for each in offered)
