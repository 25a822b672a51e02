"""The conformance check finds every kind of breach, blames nobody else, and says what it saw."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from literature_ai.bots.conformance import RULES, SITUATIONS, ConformanceTests, check
from literature_ai.cli.main import main
from literature_ai.errors import SpecError
from literature_ai.rules import SWITCHES, RuleSet

BOTS = Path(__file__).parents[1] / "support" / "bots"
BRIEF = (
    RuleSet(max_events=60),
    RuleSet(max_events=60, claim_any_time=True),
    RuleSet(max_events=60, turn_seconds=30),
)


class TestAsker(ConformanceTests):
    """An agent that keeps all promises passes."""

    spec = f"{BOTS}/simple.py:Asker"
    rules = BRIEF


class TestTogether(ConformanceTests):
    """So does one that decides in many games at once."""

    spec = f"{BOTS}/simple.py:Together"
    rules = BRIEF


@pytest.mark.parametrize(
    ("name", "breach", "where"),
    [
        ("Gambler", "plays differently when given the same seed again", "6 players, max-events=60"),
        ("Rememberer", "plays differently when given the same seed again", "seed 0"),
        ("Gossip", "plays differently when another game is played at the same time", "seed 0"),
        ("Fickle", "decides differently in act_many than in act", "6 players, max-events=60"),
        ("Cheat", "illegal: ", "deciding on event 1"),
        ("Slow", "timeout: no answer within 0.2 seconds", "deciding on event 1"),
        ("Meddler", "illegal: ", "seed 0, A2 deciding on event 1"),
        ("Blind", "error: LookupError: whose fault was that?", "turn-seconds=30"),
    ],
)
def test_each_breach_is_found_and_placed(name, breach, where):
    """What an agent does wrong is told with the rules, the seed and the event, if there is one."""
    found = check(f"{BOTS}/unfit.py:{name}", BRIEF, seconds=0.2)
    assert found.breaches[0].what.startswith(breach)
    assert where in found.breaches[0].where
    kinds = {told.what.partition(":")[0] for told in found.breaches}
    assert len(kinds) == 1 or name in ("Gambler", "Rememberer")


def test_an_error_comes_with_its_traceback():
    """The details of a breach show where in the agent it happened."""
    found = check(f"{BOTS}/unfit.py:Blind", BRIEF)
    (breach,) = found.breaches
    assert "unfit.py" in breach.details
    assert "in observe" in breach.details
    assert breach.times > 1


def test_every_switch_and_every_size_is_played():
    """The rules of a check have each switch by itself, 4, 6 and 8 players, and both decks."""
    for switch in SWITCHES:
        assert any(getattr(rules, switch) for rules in RULES)
    assert {rules.players for rules in RULES} == {4, 6, 8}
    assert {rules.deck for rules in RULES} == {48, 54}
    assert any(rules.turn_seconds for rules in RULES)


def test_what_was_reached_and_what_was_not_add_up():
    """Every situation either came up or is named as not reached."""
    found = check(f"{BOTS}/simple.py:Asker", [RuleSet(max_events=30)])
    assert set(found.reached) | set(found.not_reached) == set(SITUATIONS)
    assert found.reached["max events"] == found.games == 5
    assert found.reached["miss"] + found.reached["hit"] <= found.decisions
    assert "timeout" in found.not_reached


def test_no_agent_no_check():
    """A spec that names nothing is an error, not a breach."""
    with pytest.raises(SpecError):
        check("nobody")


def test_the_command_reports_breaches_and_exits_with_1(capsys, monkeypatch):
    """`literature agents --check` names the breach and what it saw; exit code 1."""
    monkeypatch.setattr("literature_ai.cli.agents.RULES", BRIEF)
    assert main(["agents", "--check", f"{BOTS}/unfit.py:Blind", "--quiet"]) == 1
    shown = capsys.readouterr().out
    assert "LookupError: whose fault was that?" in shown
    assert "turn-seconds=30" in shown
    assert "not reached" in shown


def test_the_command_is_content_with_a_sound_agent(capsys, monkeypatch):
    """Without a breach it says so; exit code 0; as JSON, too."""
    monkeypatch.setattr("literature_ai.cli.agents.RULES", BRIEF)
    spec = f"{BOTS}/simple.py:First"
    assert main(["agents", "--check", spec, "--json", "--quiet"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["breaches"] == []
    assert told["reached"]["miss"] > 0
    assert set(told["not_reached"]) == set(SITUATIONS) - set(told["reached"])


def test_the_list_names_every_agent(capsys):
    """`literature agents` has a line for each; `literature agents NAME` tells its parameters."""
    assert main(["agents"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert {"random", "certain", "greedy"} <= {line.split()[0] for line in lines}
    assert all(len(line.split()) > 3 for line in lines)
    assert main(["agents", "greedy"]) == 0
    assert "exact counting" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["Gambler", "Slow"])
def test_the_suite_fails_for_an_unfit_agent(name):
    """A test class that derives from the suite fails when its agent does, and says why."""
    suite = ConformanceTests()
    suite.spec = f"{BOTS}/unfit.py:{name}"
    suite.rules = BRIEF[:1]
    suite.seconds = 0.2
    with pytest.raises(AssertionError, match="6 players, max-events=60, seed 0"):
        suite.test_it_keeps_to_the_rules_and_to_its_seed()


HOSTILE = {
    "AnswersWithCodeThatRaises": "error: LookupError: no number here",
    "AnswersWithCodeThatLoops": "timeout: no answer within 1 seconds",
    "AnswersWithoutParts": "error: AttributeError",
    "AnswersWithoutEnd": "illegal: ",
    "AnswersWithoutClass": "error: LookupError: no class here",
    "AnswersInManyDigits": "illegal: holder is a number of 16610 bits",
    "AnswersThatTimeIsOut": "protocol: answered TimedOut",
    "RaisesWhatCannotBeWritten": "error: RuntimeError: \\ud800",
    "RaisesWhatIsShownForEver": "timeout: ",
    "HasNoAttributes": "error: KeyError: 'sees_all_cards'",
    "LiesTogether": "protocol: act_many answered 0 actions to 2 views",
    "LoopsTogetherAfterwards": "timeout: ",
    "IsSomethingElse": "error: SpecError",
    "Forks": None,
    "ClosesDescriptors": "crash: its process ended with exit code 1",
    "WritesToEveryDescriptor": "crash: its process wrote what is no message",
    "DiesLater": "crash: its process was killed by SIGALRM",
    "StopsItself": "timeout: ",
    "StopsItsParent": None,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_agent_can_end_the_check(name):
    """Whatever an agent answers, raises or does to its process is a breach, and the check ends."""
    found = check(f"{BOTS}/hostile.py:{name}", BRIEF[:1], seconds=1)
    breaches = [breach.what for breach in found.breaches]
    if HOSTILE[name] is None:
        assert breaches == []
    else:
        assert any(what.startswith(HOSTILE[name]) for what in breaches)


def test_an_agent_that_kills_its_parent_ends_no_check():
    """The process beside it is gone sooner or later: that is a crash or nothing."""
    found = check(f"{BOTS}/hostile.py:KillsItsParent", BRIEF[:1], seconds=5)
    assert all(breach.what.startswith("crash: ") for breach in found.breaches)


def test_an_agent_whose_module_ends_the_process_is_no_agent(tmp_path):
    """An import that exits is told in one line; so is one that ends the process."""
    for name, how, told in (
        ("exits", "sys.exit(0)", "SystemExit: 0"),
        ("ends", "os._exit(0)", "ended with exit code 0"),
    ):
        # A file for each: two versions of one, of the same size and second, share their bytecode.
        (tmp_path / f"{name}.py").write_text(f"import os, sys\n{how}\n")
        with pytest.raises(SpecError, match=told):
            check(f"{tmp_path}/{name}.py:Bot")
