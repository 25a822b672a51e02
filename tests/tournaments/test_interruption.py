"""Interrupted tournaments lose no pair, leave no process, and resume to the same results."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import interrupted_anywhere
import pytest
from processes import children, descendants, ended, started, survivors, wait_for_pairs
from tournament_helpers import ASKER, FIRST, misbehaving, untimed

from literature_ai.cli.main import main
from literature_ai.rules import RuleSet
from tournaments import Plan, Store, run, summarize

AGENTS = [ASKER, FIRST]
COMMAND = [
    *("tournament", *AGENTS, "--pairs", "400", "--seed", "2", "--workers", "2"),
    *("--rules", "max-events=60", "--examine-every", "0"),
]


def output(words, capsys):
    """The summary that the command prints, without timings."""
    assert main([*words, "--json", "--quiet"]) == 0
    return untimed(json.loads(capsys.readouterr().out))


@pytest.fixture
def uninterrupted(tmp_path, capsys):
    """The summary and the games without an interruption."""
    games = tmp_path / "whole.lit"
    return output([*COMMAND, "--games-out", str(games)], capsys), games.read_bytes()


def test_killed_and_interrupted_tournaments_end_the_same(uninterrupted, tmp_path, capsys):
    """After a SIGKILL and two SIGINTs, each at another moment, the results are the same bytes."""
    store, games = str(tmp_path / "store.db"), tmp_path / "games.lit"
    words = [*COMMAND, "--store", store, "--games-out", str(games)]
    for how, pairs in ((signal.SIGKILL, 20), (signal.SIGINT, 60), (signal.SIGINT, 150)):
        process = started(*words)
        wait_for_pairs(process, pairs)
        kin = list(descendants(process.pid))
        process.send_signal(how)
        code, _, stderr = ended(process)
        assert survivors(kin) == []
        if how == signal.SIGINT:
            assert code == 130
            (resume,) = [line for line in stderr.splitlines() if line.startswith("to resume: ")]
            words = shlex.split(resume.removeprefix("to resume: literature "))
            assert words[:2] == ["resume", store]
    assert (output(words, capsys), games.read_bytes()) == uninterrupted


def test_without_a_store_an_interrupted_tournament_can_be_resumed_too(capsys):
    """Without --store, an interrupted tournament keeps its temporary store and names it."""
    process = started(*COMMAND)
    wait_for_pairs(process, 30)
    process.send_signal(signal.SIGINT)
    code, _, stderr = ended(process)
    assert code == 130
    (resume,) = [line for line in stderr.splitlines() if line.startswith("to resume: ")]
    words = shlex.split(resume.removeprefix("to resume: literature "))
    summary = output(words, capsys)
    assert summary["matchups"][0]["pairs"] == 400
    Path(words[1]).unlink()


def test_interrupting_does_not_wait_for_an_agent_that_hangs():
    """Ctrl-C ends a tournament whose agent loops for ever, and ends the agent."""
    agents = [AGENTS[0], misbehaving("LoopsDeafly")]
    process = started(
        *("tournament", *agents, "--pairs", "4", "--move-limit", "1000", "--workers", "1"),
        *("--rules", "max-events=60"),
    )
    wait_for_pairs(process, 0)
    kin = []
    while len(kin) < 2 and process.poll() is None:
        kin = list(descendants(process.pid))
    process.send_signal(signal.SIGINT)
    assert ended(process)[0] == 130
    assert survivors(kin) == []


def test_an_interrupt_is_heard_wherever_the_run_is():
    """At whatever line Ctrl-C comes while tasks are handed out and waited for, also within the
    thread pool, the run raises KeyboardInterrupt and no task of it goes on."""
    process = subprocess.Popen(
        [sys.executable, interrupted_anywhere.__file__],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    code, interrupted_in, said = ended(process)
    assert (code, said) == (0, "")
    assert "not interrupted" not in interrupted_in.splitlines()
    assert {"run", "_submit_tasks", "submit", "start", "wait"} <= set(interrupted_in.splitlines())


def test_a_resumed_tournament_that_is_complete_just_shows_its_results(tmp_path, capsys):
    """`resume` and `report` of a finished store print the same summary as the tournament did."""
    store = str(tmp_path / "store.db")
    words = ["tournament", *AGENTS, "--pairs", "3", "--workers", "1", "--rules", "max-events=60"]
    summary = output([*words, "--store", store], capsys)
    assert output(["resume", store], capsys) == summary
    assert main(["report", store, "--json"]) == 0
    assert untimed(json.loads(capsys.readouterr().out)) == summary


def test_killing_the_processes_that_play_changes_nothing(tmp_path):
    """Supervisors and players that are killed one by one are replaced, and nothing is lost."""
    plan = Plan(tuple(AGENTS), 300, RuleSet(max_events=60), seed=4, examine_every=0)
    with Store.create_or_resume(tmp_path / "calm.db", plan) as store:
        run(store, workers=2)
        expected = untimed(summarize(store))
    killed: list[int] = []

    def kill_one(pairs: int) -> None:
        # A supervisor, a player, a supervisor: fewer than would make it somebody's fault.
        supervisors = [pid for pid in children(os.getpid()) if pid not in killed]
        players = [player for supervisor in supervisors for player in children(supervisor)]
        victims = players if len(killed) == 1 else supervisors
        if victims and len(killed) < 3:
            killed.append(victims[0])
            os.kill(victims[0], signal.SIGKILL)

    with Store.create_or_resume(tmp_path / "stormy.db", plan) as store:
        run(store, workers=2, progress=kill_one)
        assert untimed(summarize(store)) == expected
    assert len(killed) == 3
    assert survivors(killed) == []
