"""Files of many games: read and written in bounded memory; foreign logs of many rules."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from foreign_logs import in_braces, in_messages
from helpers import random_game, random_rules

from literature_ai.events import Passed
from literature_ai.records.foreign import braces, fitting, import_games
from literature_ai.records.lit import read
from literature_ai.records.record import Record
from literature_ai.records.text import lines_of
from literature_ai.rules import RuleSet

pytestmark = pytest.mark.slow

NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gil", "Hal")
MEASURED = """
import resource, sys
from literature_ai.cli.main import main
code = main(sys.argv[1:])
print(code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def memory(words: Sequence[str]) -> int:
    """The most memory, in KiB, that the command takes, which must succeed."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    code, peak = done.stderr.split()[-2:]
    assert code == "0", done.stderr
    return int(peak)


@pytest.mark.parametrize("command", [["replay"], ["replay", "--json"], ["replay", "--game", "7"]])
def test_records_of_many_games_take_no_more_memory(command: list[str], tmp_path: Path) -> None:
    """A record of ten times as many games takes no more memory to replay than one of some hundred,
    but for a tenth."""
    rng = np.random.default_rng(1)
    texts = [str(Record.of(random_game(RuleSet(players=4), rng, until=20), "ID")) for _ in range(9)]
    peaks = []
    for count in (300, 3000):
        file = tmp_path / f"{count}.lit"
        games = (texts[i % 9].replace("game ID", f"game {i}") for i in range(count))
        file.write_text("\n".join(games))
        peaks.append(memory([*command, str(file)]))
    assert peaks[1] < 1.1 * peaks[0]


def test_logs_of_many_games_take_no_more_memory(tmp_path: Path) -> None:
    """A log of ten times as many games takes no more memory to import, but for a tenth."""
    rng = np.random.default_rng(2)
    games = [in_braces(random_game(RuleSet(), rng, until=20), NAMES) for _ in range(9)]
    peaks = []
    for count in (300, 3000):
        file = tmp_path / f"{count}.log"
        file.write_text("".join(games[i % 9] for i in range(count)))
        peaks.append(memory(["import", str(file), "-o", str(tmp_path / "out.lit")]))
    assert peaks[1] < 1.1 * peaks[0]


def test_games_under_any_rules_come_back_from_foreign_logs(tmp_path: Path) -> None:
    """500 random games under random rules come back from brace logs, with the same asks and claims
    under no more switches, and from JSON lines, the same in everything."""
    rng = np.random.default_rng(3)
    log, messages = tmp_path / "game.log", tmp_path / "game.jsonl"
    for _ in range(500):
        rules = random_rules(rng)
        until = int(rng.integers(5, 300))
        game = random_game(rules, rng, until=until, claim=float(rng.choice([0.02, 0.1, 0.4])))
        messages.write_text("\n".join(in_messages(game, rng)))
        (fitted,) = import_games(messages)
        assert fitted.record == Record.of(game, "1")
        plain = replace(rules, wrong_hides=False, turn_seconds=None)
        game = random_game(plain, rng, until=until)
        log.write_text(in_braces(game, NAMES))
        (fitted,) = import_games(log)
        assert [fitted.record] == read(str(fitted.record))
        assert [e for e in fitted.record.events if not isinstance(e, Passed)] == [
            e for e in game.events if not isinstance(e, Passed)
        ]
        assert len(fitted.guessed) <= sum(getattr(plain, switch) for switch in fitting.GUESSED)


def test_the_guessed_switches_are_as_few_as_can_be() -> None:
    """For 60 games under random rules, no smaller set of switches makes the log legal."""
    rng = np.random.default_rng(4)
    for _ in range(60):
        rules = replace(random_rules(rng), wrong_hides=False, turn_seconds=None)
        (told,) = braces.games_in(lines_of(in_braces(random_game(rules, rng), NAMES)), "game.log")
        fitted = fitting.fitted(told, "1")
        for on in combinations(fitting.GUESSED, max(len(fitted.guessed) - 1, 0)):
            smaller = replace(told.rules, **dict.fromkeys(on, True))
            for start in told.starts if fitted.guessed else ():
                reading = fitting._read(told, smaller, start)
                assert reading.objection is not None, (on, fitted.guessed)
