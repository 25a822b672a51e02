"""How long the command line and a worker take to begin."""

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

from literature_ai.game import Game
from literature_ai.record import Record, write
from literature_ai.rules import RuleSet

WORKER = """
from tournaments.pairing import Plan
from tournaments.keeper import _answer, Keeper
assert _answer(Keeper(), {"warm_up": Plan(("greedy", "greedy"), 1).to_json()}) == {}
"""


def run(command: list[str], environment: Mapping[str, str] = os.environ) -> tuple[float, float]:
    """Processor seconds and seconds on the clock of a command that succeeds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    clock = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock


def start_up() -> Iterator[Row]:
    """A first hint (compiling), a later one, `--help`, a worker: each in a process of its own."""
    literature = [sys.executable, "-m", "literature_ai"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "game.lit")
        game = Game.deal(RuleSet(), seed=1)
        for _ in range(20):
            game.apply(game.legal_asks()[0])
        file.write_text(write([Record.of(game, "1", [])]), encoding="utf-8")
        hint = [*literature, "hint", str(file), "--seat", "A1", "--json"]
        fresh = {**os.environ, "NUMBA_CACHE_DIR": folder}
        first = run(hint, fresh)
        run(hint)
        figures = [
            ("first hint ever (compiling)", first, 20.0, "< 20 s"),
            ("hint", min(run(hint) for _ in range(3)), 1.2, "< 1.2 s"),
            ("--help", min(run([*literature, "--help"]) for _ in range(3)), 0.2, "< 0.2 s"),
            (
                "worker ready (greedy)",
                min(run([sys.executable, "-c", WORKER]) for _ in range(3)),
                1.0,
                "< 1 s",
            ),
        ]
    for name, (cpu, clock), limit, target in figures:
        yield Row(
            f"start-up: {name}",
            cpu,
            "s",
            "the figure asked for",
            limit,
            target=target,
            note=f"processor seconds; {clock:.2f} s by the clock, at whatever load",
        )
