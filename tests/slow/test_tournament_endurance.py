"""Long tournaments: interrupted many times, constant in memory, the same on any executor."""

from __future__ import annotations

import itertools
import json
import re
import shlex
import signal
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from processes import descendants, ended, started, survivors, wait_for_pairs
from tournament_helpers import ASKER, FIRST, play_plan, untimed

from literature_ai.cli.main import main
from literature_ai.rules import RuleSet
from tournaments.plan import Plan

pytestmark = pytest.mark.slow

MEGABYTE = 1 << 20


def test_ten_interruptions_at_random_moments_change_nothing(tmp_path, capsys):
    """SIGINT and SIGKILL in turn, at ten random moments: the end is the same, to the byte."""
    command = [
        *("tournament", ASKER, FIRST, "--pairs", "1500", "--seed", "2", "--workers", "2"),
        *("--rules", "max-events=60", "--examine-every", "0", "--json"),
    ]
    whole = tmp_path / "whole.lit"
    assert main([*command, "--quiet", "--games-out", str(whole)]) == 0
    expected = untimed(json.loads(capsys.readouterr().out))
    store, games = str(tmp_path / "store.db"), tmp_path / "games.lit"
    words = [*command, "--store", store, "--games-out", str(games)]
    moments = np.sort(np.random.default_rng(8).choice(np.arange(10, 1200), 10, replace=False))
    for pairs, how in zip(moments, itertools.cycle((signal.SIGINT, signal.SIGKILL)), strict=False):
        process = started(*words)
        wait_for_pairs(process, int(pairs))
        kin = list(descendants(process.pid))
        process.send_signal(how)
        code, _, stderr = ended(process)
        assert code == (130 if how == signal.SIGINT else -signal.SIGKILL)
        assert survivors(kin) == []
        if how == signal.SIGINT:
            (resume,) = [line for line in stderr.splitlines() if line.startswith("to resume: ")]
            words = shlex.split(resume.removeprefix("to resume: literature "))
    assert main([*words, "--quiet"]) == 0
    assert untimed(json.loads(capsys.readouterr().out)) == expected
    assert games.read_bytes() == whole.read_bytes()


def peak_memory(pid: int) -> int:
    """The most memory that the process has had, in bytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    (kilobytes,) = re.findall(r"VmHWM:\s+(\d+) kB", status)
    return int(kilobytes) * 1024


def test_memory_is_flat(tmp_path):
    """From the thousandth to the ten-thousandth pair no process grows by more than a little."""
    store = tmp_path / "store.db"
    process = started(
        *("tournament", FIRST, FIRST, "--pairs", "10000", "--workers", "2"),
        *("--rules", "max-events=12", "--examine-every", "0", "--store", str(store)),
    )
    wait_for_pairs(process, 1000)
    kin = [process.pid, *descendants(process.pid)]
    early = [peak_memory(pid) for pid in kin]
    wait_for_pairs(process, 9500)
    late = [peak_memory(pid) for pid in kin]
    assert ended(process)[0] == 0
    assert max(late) < 500 * MEGABYTE
    assert max(b - a for a, b in zip(early, late, strict=True)) < 8 * MEGABYTE
    assert store.stat().st_size / 20_000 < 400


def test_real_agents_play_the_same_everywhere(tmp_path):
    """One to three workers, one or 64 games at once, threads or processes: the same bytes."""
    plan = Plan(("greedy", "certain", "random"), 4, RuleSet(max_events=120), seed=6)
    expected = play_plan(tmp_path / "reference", plan, True, workers=1, batch_size=1)
    for number, how in enumerate(
        ({"workers": 2}, {"workers": 3, "batch_size": 7}, {"workers": 1, "batch_size": 64})
    ):
        assert play_plan(tmp_path / f"store{number}", plan, True, **how) == expected
    for pool in (ThreadPoolExecutor, ProcessPoolExecutor):
        with pool(2) as executor:
            assert play_plan(tmp_path / pool.__name__, plan, True, executor=executor) == expected
