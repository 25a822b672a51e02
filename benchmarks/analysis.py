"""Time that the engine takes: the value of a position, a list of candidates, a whole review.

    python benchmarks/analysis.py

Processor seconds of one core, at the default budget, in games of `expert` against itself: medians
and greatest over positions of several games, after everything is compiled and loaded.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator

import numpy as np
from measure import median

from literature_ai.agents.expert.agent import Expert
from literature_ai.analysis.engine import analyze
from literature_ai.analysis.game_values import moments_of
from literature_ai.game.game import Game
from literature_ai.game.turns import play
from literature_ai.records.record import Record
from literature_ai.rules import RuleSet


def games(players: int, count: int) -> Iterator[Record]:
    """Games of `expert` against itself."""
    for seed in range(count):
        game = Game.deal(RuleSet(players=players), seed=seed)
        play(game, [Expert() for _ in range(players)], np.random.default_rng(seed))
        yield Record.of(game, str(seed))


def seconds(run: Callable[[], object]) -> float:
    before = time.process_time()
    run()
    return time.process_time() - before


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--every", type=int, default=7, help="events between two positions")
    arguments = parser.parse_args()
    print("| players | what | positions | median, s | greatest, s |\n|--:|---|--:|--:|--:|")
    for players in (4, 6, 8):
        records = list(games(players, arguments.games))
        analyze(records[0].at(0), 0)
        analyze(records[0].at(0), None)
        found: dict[str, list[float]] = {"value off turn": [], "candidates": [], "public value": []}
        for record in records:
            for count in range(0, len(record.events), arguments.every):
                then = record.at(count)
                turn = then.position().turn
                assert turn is not None
                off = (turn + 1) % players
                for what, seat in zip(found, (off, turn, None), strict=True):
                    found[what].append(seconds(lambda s=seat, t=then: analyze(t, s)))
        for what, times in found.items():
            print(f"| {players} | {what} | {len(times)} | {median(times):.3f} | {max(times):.3f} |")
        whole = seconds(lambda game=records[0]: list(moments_of(game, 0)))
        events = len(records[0].events)
        print(
            f"| {players} | review of {events} events, with one seat's view | 1 | {whole:.1f} | |"
        )


if __name__ == "__main__":
    main()
