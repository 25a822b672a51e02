"""Profile of a tournament between two `greedy`: processor time by part, without nested parts.

    python benchmarks/tournament_profile.py [--pairs 60]

The games are played in this process, as a worker plays them. Each part is an instrumented function;
its time excludes that of the parts it calls. The instrumentation costs about a microsecond for each
call, so the sum is a little more than the time of a plain run, which is measured first.
"""

from __future__ import annotations

import argparse
import functools
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from literature_ai.agents.greedy import Greedy
from literature_ai.game.game import Game
from literature_ai.inference.knowledge import Knowledge
from solver.counting import Counting
from solver.kernels import posterior
from tournaments.plan import HALVES, Half, Plan
from tournaments.processes.agent_pool import AgentPool
from tournaments.processes.player import Player
from tournaments.processes.series import Series
from tournaments.processes.watchdog import Watchdog

PARTS: tuple[tuple[str, Any, str], ...] = (
    ("posterior kernel", posterior, "posterior"),
    ("new facts to families", Counting, "_news"),
    ("events to facts, six seats", Knowledge, "observe"),
    ("new knowledge of a hand", Knowledge, "__init__"),
    ("certain claims", Knowledge, "certain_claims"),
    ("posterior: the rest", Knowledge, "posterior"),
    ("choice of the ask", Greedy, "choose"),
    ("view of a seat", Game, "view"),
    ("rules: apply", Game, "apply"),
    ("deal", Game, "deal"),
)
OTHER = "turns, watchdog, counters"


class Clock:
    """Adds up the processor time of parts, each without the parts it calls."""

    def __init__(self) -> None:
        self.nanoseconds: dict[str, int] = defaultdict(int)
        self.calls: dict[str, int] = defaultdict(int)
        self._part = OTHER
        self._since = 0

    def start(self) -> None:
        self._since = time.process_time_ns()

    def switch(self, part: str) -> str:
        """Count time for the part from now on; return the part it was counted for before."""
        now = time.process_time_ns()
        self.nanoseconds[self._part] += now - self._since
        self._since = now
        before, self._part = self._part, part
        return before

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, instrumented as a part."""

        @functools.wraps(function)
        def call(*arguments: Any, **options: Any) -> Any:
            before = self.switch(part)
            self.calls[part] += 1
            try:
                return function(*arguments, **options)
            finally:
                self.switch(before)

        return call


def play(pairs: int) -> int:
    """Play the games of this number of pairs, 64 at a time, and return the number of events."""
    plan = Plan(("greedy", "greedy"), pairs, seed=1, examine_every=0)
    halves = [Half((0, 1), pair, half) for pair in range(pairs) for half in HALVES]
    events = 0

    def tell(message: dict[str, Any]) -> None:
        nonlocal events
        if "game" in message:
            events += message["result"]["events"]

    watchdog = Watchdog.create()
    player = Player(AgentPool(plan), watchdog, tell, with_records=False)
    player.play([Series(number, half) for number, half in enumerate(halves)], 64)
    watchdog.close()
    return events


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=60)
    pairs = parser.parse_args().pairs
    play(1)
    began = time.process_time()
    events = play(pairs)
    spent = time.process_time() - began
    games = 2 * pairs
    print(f"{games} games, {events / games:.0f} events a game: {games / spent:.0f} games a second")
    print(f"of the processor, {1e6 * spent / events:.0f} µs an event\n")

    clock = Clock()
    for part, owner, name in PARTS:
        setattr(owner, name, clock.timed(part, getattr(owner, name)))
    clock.start()
    play(pairs)
    clock.switch(OTHER)
    whole = sum(clock.nanoseconds.values())
    print(f"{'part':32}{'share':>7}{'ms a game':>11}{'µs a call':>11}{'calls a game':>14}")
    for part, nanoseconds in sorted(clock.nanoseconds.items(), key=lambda item: -item[1]):
        calls = clock.calls[part]
        each = f"{nanoseconds / calls / 1e3:11.1f}{calls / games:14.0f}" if calls else ""
        print(f"{part:32}{nanoseconds / whole:7.1%}{nanoseconds / games / 1e6:11.2f}{each}")


if __name__ == "__main__":
    main()
