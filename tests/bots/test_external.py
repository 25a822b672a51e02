"""Bots that are programs: what they are sent, how long they may take, and every way to fail."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from processes import survivors

from literature_ai.bots import external
from literature_ai.bots.conformance import ConformanceTests
from literature_ai.bots.external import ExternalAgent
from literature_ai.cards import parse, parse_half_suit
from literature_ai.errors import BotError
from literature_ai.events import Ask, Claim
from literature_ai.game.game import Game
from literature_ai.rules import RuleSet
from tournaments.plan import Plan
from tournaments.processes.worker import close_all
from tournaments.runner import run
from tournaments.store import Store

PROGRAM = Path(__file__).parents[1] / "support" / "bots" / "program.py"
EXAMPLES = Path(__file__).parents[2] / "examples"
KINDS = {
    "dies at once": ("crash", "exit code 1"),
    "says nothing": ("timeout", "no answer within 0.5 seconds"),
    "closes its output": ("crash", "the program closed its output"),
    "writes before it is asked": ("protocol", "before it was asked|answered 'ready"),
    "greets wrongly": ("protocol", 'answer hello with {"ok": true}'),
    "answers nonsense": ("protocol", "answered '3D from B2, please'; answer one JSON object"),
    "answers a list": ("protocol", r"answered '\[1, 2, 3\]'; answer one JSON object"),
    "answers another question": ("protocol", 'answer {"ask": …}'),
    "asks for no card": ("protocol", "'1X' is no card"),
    "claims half": ("protocol", "a claim names its half-suit and the holders of all six cards"),
    "gives up": ("error", "the program says: I give up"),
    "answers twice": ("protocol", "before it was asked"),
    "writes a gigabyte": ("protocol", "an answer longer than 65536 bytes"),
    "sleeps": ("timeout", "no answer within 0.5 seconds"),
    "starts a family": ("timeout", "no answer within 0.5 seconds"),
    "exits": ("crash", "ended with exit code 7"),
    "is killed": ("crash", "was killed by SIGKILL"),
}
"""How each of the ways of `bots/program.py` to misbehave is to be called, and in which words."""


@pytest.fixture
def program(monkeypatch):
    """Makes agents of the test program, with short bounds; ends them after the test."""
    made = []

    def make(how: str = "", seconds: float = 0.5) -> ExternalAgent:
        agent = ExternalAgent(shlex.join([sys.executable, str(PROGRAM), how]), seconds)
        made.append(agent)
        return agent

    monkeypatch.setattr(external, "HELLO_SECONDS", 0.5)
    yield make
    for agent in made:
        agent.close()


def patient(monkeypatch, agent):
    """Give a program time to start: interpreters are slow where many run at once."""
    monkeypatch.setattr(external, "HELLO_SECONDS", 30)
    agent.answer_seconds = 30
    return agent


def play_on(agent: ExternalAgent, decisions: int = 5) -> None:
    """Have the agent alone take decisions of a game in which it is always on turn."""
    game = Game.deal(RuleSet(), seed=1, start=0)
    agent.start(game.view(0), np.random.default_rng(1))
    for _ in range(decisions):
        agent.act(game.view(0))


@pytest.mark.parametrize("how", KINDS)
def test_every_way_to_fail_has_its_kind_and_words(program, monkeypatch, how):
    """Crash, timeout, protocol and error are told apart, in words that say what happened."""
    kind, words = KINDS[how]
    agent = program(how)
    if kind != "timeout":
        patient(monkeypatch, agent)
    with pytest.raises(BotError, match=words) as failed:
        play_on(agent)
    assert failed.value.kind == kind


def test_diagnostics_are_kept_but_not_all_of_them(program, monkeypatch):
    """What a program wrote on its standard error comes with its failure, 64 KiB at most."""
    with pytest.raises(BotError) as failed:
        play_on(patient(monkeypatch, program("exits")))
    assert failed.value.diagnostics == "leaving\n"
    agent = patient(monkeypatch, program("complains a gigabyte"))
    play_on(agent)
    assert len(agent.diagnostics) == 64 * 1024


def test_a_failing_program_is_ended_with_all_its_children(program, monkeypatch):
    """Nothing that a program has started outlives its failure."""
    agent = patient(monkeypatch, program("starts a family"))
    game = Game.deal(RuleSet(), seed=1, start=0)
    agent.start(game.view(0), np.random.default_rng(1))
    for _ in range(2):
        agent.act(game.view(0))
    agent.answer_seconds = 1
    with pytest.raises(BotError, match="no answer within 1 seconds"):
        agent.act(game.view(0))
    listing = subprocess.run(
        ["pgrep", "-g", str(agent.process_group)], check=False, capture_output=True, text=True
    )
    assert survivors([int(pid) for pid in listing.stdout.split()]) == []


def test_one_process_plays_many_games(program, monkeypatch):
    """The program is kept from game to game, and started anew for another deck."""
    agent = patient(monkeypatch, program())
    play_on(agent)
    first = agent.process_group
    play_on(agent)
    assert agent.process_group == first
    game = Game.deal(RuleSet(deck=54), seed=1, start=0)
    agent.start(game.view(0), np.random.default_rng(1))
    assert agent.process_group != first
    assert agent.name == "program 1"


def test_a_program_plays_on_after_a_failure(program, monkeypatch):
    """The next game begins with a new process."""
    agent = patient(monkeypatch, program("exits"))
    for _ in range(2):
        with pytest.raises(BotError, match="exit code 7"):
            play_on(agent)


def test_a_program_that_does_not_leave_is_ended(program, monkeypatch):
    """One second after the goodbye the process is gone, whatever it does."""
    agent = patient(monkeypatch, program("does not leave"))
    play_on(agent, 1)
    group = agent.process_group
    assert group is not None
    agent.close()
    assert survivors([group]) == []


def test_a_program_that_cannot_be_started_is_a_crash():
    """A command that does not exist is told with its name."""
    with pytest.raises(BotError, match="'/no/such/bot' does not start") as failed:
        play_on(ExternalAgent("/no/such/bot --fast"))
    assert failed.value.kind == "crash"


ECHO = """
import json, sys
log = open(sys.argv[1], "w")
answers = json.loads(sys.argv[2])
for line in sys.stdin:
    print(line, end="", file=log, flush=True)
    if answers:
        print(json.dumps(answers.pop(0)), flush=True)
"""


@pytest.mark.parametrize("left_out", [8, 7, 2])
def test_messages_are_those_of_the_protocol(left_out, tmp_path):
    """Every message has the fields promised, events come once, in the words of a record, and cards
    have the names of the deck, in messages and in answers."""
    rules = RuleSet(claim_any_time=True, left_out=left_out)

    def named(card):
        return rules.card_names[parse(card)]

    claim = {"half_suit": "LS", "holders": dict.fromkeys(rules.card_names[:6], "A1")}
    answers = [{"ok": True, "name": "echo"}, {"ok": True}]
    answers += [{"ask": {"target": "B1", "card": named("4S")}}, {"none": True}, {"claim": claim}]
    (tmp_path / "echo.py").write_text(ECHO)
    words = [sys.executable, f"{tmp_path}/echo.py", f"{tmp_path}/log", json.dumps(answers)]
    agent = ExternalAgent(shlex.join(words), 30)
    hands = [list(range(seat, 48, 6)) for seat in range(6)]
    game = Game(rules, hands, start=0)
    agent.start(game.view(0), np.random.default_rng(1))
    action = agent.act(game.view(0))
    assert action == Ask(1, parse("4S"))
    agent.observe(game.apply(action))
    agent.observe(game.apply(Ask(0, parse("2S"))))
    assert agent.claim(game.view(0)) is None
    assert agent.act(game.view(0)) == Claim(parse_half_suit("LS"), (0,) * 6)
    agent.close()
    hello, new_game, act, offer, again, bye = map(
        json.loads, (tmp_path / "log").read_text().splitlines()
    )
    assert hello["protocol"] == "literature-json-1"
    assert hello["seats"] == ["A1", "B1", "A2", "B2", "A3", "B3"]
    assert (hello["cards"], hello["half_suits"][:2]) == (list(rules.card_names), ["LS", "HS"])
    assert new_game["seat"] == "A1"
    assert new_game["hand"] == [
        named(card) for card in ("2S", "9S", "2H", "9H", "2D", "9D", "2C", "9C")
    ]
    assert (new_game["rules"]["claim_any_time"], new_game["rules"]["left_out"]) == (True, left_out)
    assert isinstance(new_game["seed"], int)
    view = act["view"]
    assert (act["op"], view["seat"], view["turn"], view["may_claim"]) == ("act", "A1", "A1", True)
    assert view["hand_sizes"] == dict.fromkeys(hello["seats"], 8)
    assert view["score"] == {"A": 0, "B": 0}
    assert view["in_play"] == hello["half_suits"]
    assert {"target": "B2", "card": named("3S")} in view["legal_asks"]
    assert (view["legal_passes"], view["new_events"]) == ([], [])
    assert offer["op"] == "claim?"
    assert offer["view"]["new_events"] == [
        f"ask A1 B1 {named('4S')} miss",
        f"ask B1 A1 {named('2S')} hit",
    ]
    assert again["view"]["new_events"] == []
    assert again["op"] == "act"
    assert bye == {"op": "bye"}


class TestPythonExample(ConformanceTests):
    """The example in Python keeps to the protocol, the rules and its seed."""

    spec = f"cmd:{sys.executable} {EXAMPLES}/protocol_bot.py"
    rules = tuple(RuleSet.parse(words) for words in ("max-events=60", "us54 max-events=60"))


@pytest.mark.skipif(
    subprocess.run([shutil.which("perl") or "false", "-MJSON::PP", "-e1"], check=False).returncode,
    reason="there is no Perl with JSON::PP here",
)
class TestPerlExample(ConformanceTests):
    """The example in another language does so too."""

    spec = f"cmd:perl {EXAMPLES}/protocol_bot.pl"
    rules = TestPythonExample.rules


def test_a_tournament_says_goodbye_to_its_programs(tmp_path):
    """When a run is over, the programs that played in it get their bye and leave by themselves."""
    (tmp_path / "polite.py").write_text(
        PROGRAM.read_text().replace(
            "import json\n", f"import json\nlog = open({str(tmp_path / 'log')!r}, 'a')\n", 1
        )
        + "\nprint('left', file=log, flush=True)\n"
    )
    command = f"cmd:{shlex.join([sys.executable, str(tmp_path / 'polite.py')])}"
    asker = f"{PROGRAM.parent}/simple.py:Asker"
    plan = Plan((command, asker), 1, RuleSet(max_events=20), examine_every=0)
    for number in range(2):
        with Store.create_or_resume(tmp_path / f"{number}.db", plan) as store:
            run(store, workers=1)
    # The second run replaces the player of the first one.
    assert (tmp_path / "log").read_text().split() == ["left"] * 6
    close_all()
    assert (tmp_path / "log").read_text().split() == ["left"] * 12
