"""No command but tournaments with foreign programs needs more of a system than all have."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from processes import LITERATURE
from tournament_helpers import ASKER, FIRST, misbehaving

POOR = """
import os, signal, sys
for module, names in (
    (os, ["fork", "forkpty", "register_at_fork", "waitid", "sched_getaffinity", "getppid"]),
    (signal, ["SIGALRM", "setitimer", "alarm", "pthread_kill", "sigwait"]),
):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
for module in ("resource", "pty", "grp"):
    sys.modules[module] = None
"""
"""What macOS or Windows do not have, for every interpreter that starts."""


@pytest.fixture
def poor_system(tmp_path):
    """The environment of a system without fork, waitid and SIGALRM."""
    (tmp_path / "sitecustomize.py").write_text(POOR)
    return {**os.environ, "PYTHONPATH": str(tmp_path)}


def run(words, environment):
    """Exit code, output and error output of a command there."""
    done = subprocess.run(
        [*LITERATURE, *words], env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def test_tournaments_are_played_without_fork(poor_system):
    """Players start as fresh interpreters, also those of bots that hang, and nothing is said."""
    words = ["tournament", ASKER, FIRST, misbehaving("Sleeps"), "--gauntlet", "--pairs", "1"]
    words += ["--rules", "max-events=40", "--move-limit", "1", "--json", "--quiet"]
    code, out, err = run(words, poor_system)
    assert (code, err) == (1, "")
    assert [a["failures"] for a in json.loads(out)["agents"]] == [{}, {}, {"timeout": 2}]


def test_a_check_has_its_limit_without_sigalrm(poor_system, tmp_path):
    """A bot that hangs is a breach of `agents --check`, as it is where there are such signals."""
    (tmp_path / "bot.py").write_text(
        "from literature_ai import Agent\n"
        "class Bot(Agent):\n"
        "    def __init__(self):\n"
        "        while True: pass\n"
    )
    code = (
        "from literature_ai.bots.conformance import check\n"
        "from literature_ai.rules import RuleSet\n"
        f"found = check({str(tmp_path / 'bot.py:Bot')!r}, [RuleSet(max_events=20)], seconds=0.1)\n"
        "print([breach.what for breach in found.breaches])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=poor_system, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "['timeout: no answer within 0.1 seconds']\n"


def test_every_module_can_be_imported_there(poor_system):
    """No import of the packages needs what is missing."""
    code = (
        "import importlib, pkgutil\n"
        "for package in ('solver', 'literature_ai', 'tournaments'):\n"
        "    package = importlib.import_module(package)\n"
        "    for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "        module.name.endswith('__main__') or importlib.import_module(module.name)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=poor_system, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
