"""Specs: the grammar of teams, the checks of parameters, and every way to name no agent."""

from __future__ import annotations

import importlib.metadata
from typing import Annotated, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from literature_ai.agents.base import Agent
from literature_ai.bots.external import ExternalAgent
from literature_ai.bots.parameters import Between, parameters_of
from literature_ai.bots.registry import (
    available,
    parse_spec,
    parse_team,
    split_team,
    summary,
)
from literature_ai.errors import SpecError

BOT = '''
from typing import Annotated, Literal
from literature_ai.agents.base import Agent
from literature_ai.bots.parameters import Between

class Bold(Agent):
    """Asks for anything."""

    def __init__(
        self,
        depth: Annotated[int, Between(1, 9)] = 3,
        style: Literal["calm", "bold"] = "bold",
        claim_at: Annotated[float, Between(0, 1)] | None = None,
        loud: bool = False,
    ) -> None:
        if depth == 7:
            raise ValueError("depth 7 does not go with the moon")
        self.settings = depth, style, claim_at, loud

class Needy(Agent):
    def __init__(self, name: str) -> None:
        self.name = name

class Bystander:
    pass
'''


@pytest.fixture
def bots(tmp_path, monkeypatch):
    """A folder with a file of bots, as the current one."""
    (tmp_path / "bots.py").write_text(BOT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refusal(text: str) -> str:
    """What is said of a spec that names no agent."""
    with pytest.raises(SpecError) as refused:
        parse_spec(text).make()
    return str(refused.value)


@pytest.mark.parametrize("name", ["random", "certain", "greedy"])
def test_every_name_stands_for_an_agent_with_a_summary(name):
    """The agents of the package can be made by name and say in a line what they do."""
    spec = parse_spec(name)
    assert isinstance(spec.make(), Agent)
    assert summary(spec.agent).endswith(".")


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("greedy", ["greedy"]),
        ("greedy, greedy ,random", ["greedy", "greedy", "random"]),
        ("a:x=1,y=2,b", ["a:x=1,y=2", "b"]),
        ("a:x=1 , y = 2,b:z=3", ["a:x=1,y = 2", "b:z=3"]),
        ("bots/b.py:Bold:x=1,y=2,pkg.mod:Cls:z=3", ["bots/b.py:Bold:x=1,y=2", "pkg.mod:Cls:z=3"]),
        ("cmd:./bot --a,b x=1", ["cmd:./bot --a,b x=1"]),
        ('"cmd:./bot --a,b",random,random', ["cmd:./bot --a,b", "random", "random"]),
        ('random,"cmd:./a b=1,c" , cmd:./d,e', ["random", "cmd:./a b=1,c", "cmd:./d,e"]),
    ],
)
def test_a_team_is_split_into_the_specs_of_its_seats(text, specs):
    """Commas separate seats, except inside parameters, quotes and commands."""
    assert split_team(text) == specs


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.lists(st.text(st.characters(codec="ascii", exclude_characters='"'), min_size=1)))
def test_quoted_specs_come_back_as_they_were(specs):
    """Whatever a spec holds, in double quotes it can stand in a team."""
    specs = [spec.strip() for spec in specs if spec.strip()]
    if specs:
        assert split_team(",".join(f'"{spec}"' for spec in specs)) == specs


@pytest.mark.parametrize("text", ["", "greedy,", ",greedy", "greedy,,random", '"greedy" random'])
def test_a_team_with_a_hole_is_refused(text):
    """An empty place, or something between a quote and the comma, is an error."""
    with pytest.raises(SpecError):
        split_team(text)


def test_one_spec_serves_all_seats_and_two_serve_no_team_of_three():
    """A team is one spec or as many as it has seats."""
    assert [spec.text for spec in parse_team("greedy", 3)] == ["greedy"] * 3
    assert [spec.text for spec in parse_team("greedy,random,greedy", 3)][1] == "random"
    with pytest.raises(SpecError, match="names 2 agents for a team of 3: name one, or 3"):
        parse_team("greedy,random", 3)


def test_parameters_reach_the_constructor_as_their_types(bots):
    """Ints, floats, choices, booleans and none are read by the annotations."""
    agent = parse_spec("bots.py:Bold:depth=9, claim_at=0.5,style=calm,loud=yes").make()
    assert agent.settings == (9, "calm", 0.5, True)
    assert parse_spec("bots.py:Bold").make().settings == (3, "bold", None, False)
    assert parse_spec("bots.py:Bold:claim_at=none").make().settings[2] is None


def test_a_class_in_an_importable_module_is_an_agent(bots):
    """The current folder can be imported from, and parameters follow the class."""
    assert parse_spec("bots:Bold:depth=4").make().settings[0] == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gredy", "there is no agent 'gredy'; did you mean 'greedy'?"),
        ("bots.py:Bold:dept=2", "no parameter 'dept'; did you mean 'depth'?"),
        ("bots.py:Bold:depth=10", "depth cannot be '10': whole number from 1 to 9"),
        ("bots.py:Bold:depth=two", "depth cannot be 'two': whole number from 1 to 9"),
        ("bots.py:Bold:style=wild", "style cannot be 'wild': calm or bold"),
        ("bots.py:Bold:claim_at=nan", "claim_at cannot be 'nan'"),
        ("bots.py:Bold:loud=maybe", "loud cannot be 'maybe': true or false"),
        ("bots.py:Bold:loud", "'loud' is no parameter; write name=value"),
        ("bots.py:Bold:depth=7", "depth 7 does not go with the moon"),
        ("bots.py:Needy", "the parameter 'name' is missing"),
        ("bots.py:Bald", "bots.py has no agent 'Bald'; did you mean 'Bold'?"),
        ("bots.py", "bots.py has an agent's name missing; its agents are: Bold, Needy"),
        ("bots.py:Bystander", "is no agent; derive it from literature_ai.Agent"),
        ("elsewhere.py:Bold", "there is no file elsewhere.py"),
        ("no.such.module:Bold", "there is no module 'no'"),
        ("broken.py:Bold", "cannot be imported: SyntaxError"),
        ("quits.py:Bold", "cannot be imported: SystemExit: 3"),
        ("lacks.py:Bold", "cannot be imported: ModuleNotFoundError: No module named 'nowhere'"),
        ("random:x=1", "there is no parameter 'x'; it takes none"),
        ("cmd:", "the command is missing; write cmd:./bot --flag"),
        ("cmd:'unclosed", "No closing quotation"),
    ],
)
def test_what_names_no_agent_is_refused_with_the_cure(bots, text, said):
    """Unknown names and parameters, values out of range, broken files: one line for each."""
    (bots / "broken.py").write_text("def (")
    (bots / "quits.py").write_text("raise SystemExit(3)")
    (bots / "lacks.py").write_text("import nowhere")
    told = refusal(text)
    assert said in told
    assert "\n" not in told


def test_a_command_is_an_agent_that_has_not_started_yet():
    """A cmd: spec makes an agent without running anything."""
    agent = parse_spec("cmd:/no/such/program --flag").make()
    assert isinstance(agent, ExternalAgent)
    assert agent.process_group is None


def test_entry_points_add_names_and_cannot_take_one(bots, monkeypatch):
    """Other packages register agents under new names; the own names stay."""
    group = "literature_ai.agents"
    points = [
        importlib.metadata.EntryPoint("bold", "bots:Bold", group),
        importlib.metadata.EntryPoint("greedy", "bots:Bold", group),
    ]
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: points)
    assert available()["bold"] == "bots:Bold"
    assert parse_spec("bold:depth=2").make().settings[0] == 2
    assert parse_spec("greedy").agent.__name__ == "Greedy"


def test_parameters_describe_themselves():
    """What an agent takes is told with default, type and range."""

    class Tuned(Agent):
        def __init__(
            self,
            n: Annotated[int, Between(low=1)] = 2,
            how: Literal["a", "b"] = "a",
            x: float | None = None,
        ) -> None: ...

    assert [parameter.describe() for parameter in parameters_of(Tuned)] == [
        "n=2 (whole number 1 or more)",
        "how=a (a or b)",
        "x=None (number, or none)",
    ]
