"""Start-up time of the command line and of a tournament worker."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from measure import Row

from literature_ai.game.game import Game
from literature_ai.records.lit import write
from literature_ai.records.record import Record
from literature_ai.rules import RuleSet

TIMES = 5
WORKER = """
from tournaments.plan import Plan
from tournaments.processes.supervisor import Supervisor
supervisor = Supervisor("fork")
supervisor.warm_up(Plan(("greedy", "greedy"), 1))
supervisor.close()
"""


def run(command: list[str], environment: Mapping[str, str] = os.environ) -> tuple[float, float]:
    """The processor seconds and wall-clock seconds of a command, which must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    clock = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock


def start_up() -> Iterator[Row]:
    """A first hint (compiling), a later one, `--help`, a worker: each in a new process."""
    literature = [sys.executable, "-m", "literature_ai"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "game.lit")
        game = Game.deal(RuleSet(), seed=1)
        for _ in range(20):
            game.apply(game.legal_asks()[0])
        file.write_text(write([Record.of(game, "1", [])]), encoding="utf-8")
        hint = [*literature, "hint", str(file), "--seat", "A1", "--json"]
        first, first_clock = run(hint, {**os.environ, "NUMBA_CACHE_DIR": folder})
        later = [
            ("a hint", best_clock(hint), 1.2),
            ("--help", best_clock([*literature, "--help"]), 0.2),
            ("a worker for greedy", best_clock([sys.executable, "-c", WORKER]), 1.0),
        ]
    yield Row(
        "start-up: first hint ever (compiling)",
        first_clock,
        "s",
        "the figure asked for",
        10.0,
        target="< 10 s",
        note=f"by the clock, at whatever load; {first:.1f} processor seconds of two processes",
    )
    for name, clock, limit in later:
        yield Row(
            f"start-up: {name}",
            clock,
            "s",
            "the figure asked for",
            limit,
            target=f"< {limit:g} s",
            note=f"by the clock, best of {TIMES}, at whatever load",
        )


def best_clock(command: list[str]) -> float:
    """The minimum wall-clock seconds of several runs with one thread, as workers have."""
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return min(run(command, one_thread)[1] for _ in range(TIMES))
