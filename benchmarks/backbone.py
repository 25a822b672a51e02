"""Time of the full backbone after one more event, against a plain loop over minicard.

The backbone is computed after every event of the games of `positions`, for one seat. The plain loop
is one incremental solver with the same clauses that is queried once for every pair of card and seat
not yet known to be impossible. Both run alternately in this process and must agree. Times are
processor times, which depend little on the load of the machine.

    python benchmarks/backbone.py [--games 20] [--players 6]
"""

from __future__ import annotations

import argparse
import statistics
import time

from positions import decisions
from pysat.solvers import Minicard

from literature_ai.inference.knowledge import Knowledge
from literature_ai.rules import RuleSet
from solver.encoding import Encoding
from solver.problem import Problem
from solver.sat import Sat

SEAT = 0


class PlainLoop:
    """One solver, with one query for every pair that is not known to be impossible."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._encoding = Encoding(problem)
        self._solver = Minicard()
        self._encoding.add_rules(self._solver)
        self._facts_read = 0
        self._seats = [(1 << problem.seats) - 1] * problem.cards

    def backbone(self) -> list[int]:
        """For every card, the seats that can have been dealt it, as bits."""
        for _, fact in self._problem.facts[self._facts_read :]:
            for clause in self._encoding.clauses(fact):
                self._solver.add_clause(clause)
        self._facts_read = len(self._problem.facts)
        for card in range(self._problem.cards):
            for seat in range(self._problem.seats):
                variable = self._encoding.variable(card, seat)
                if self._seats[card] >> seat & 1 and not self._solver.solve([variable]):
                    self._seats[card] &= ~(1 << seat)
        return self._seats


def measure(rules: RuleSet, games: int) -> tuple[list[float], list[float]]:
    """Processor milliseconds of each backbone after one more event: ours, and the plain loop's."""
    ours, plain = [], []
    for seed in range(games):
        *_, (game, _) = decisions(rules, seed)
        knowledge = Knowledge(rules, SEAT, game.dealt[SEAT])
        engines = Sat(knowledge.problem), PlainLoop(knowledge.problem)
        for engine in engines:
            engine.backbone()
        for event in game.events:
            knowledge.observe(event)
            answers = []
            for engine, times in zip(engines, (ours, plain), strict=True):
                start = time.process_time()
                answers.append(engine.backbone())
                times.append(1000 * (time.process_time() - start))
            assert answers[0] == answers[1]
    return ours, plain


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--players", type=int, choices=(4, 6, 8), default=6)
    args = parser.parse_args()
    ours, plain = measure(RuleSet(players=args.players), args.games)
    print(f"{args.players} players, {args.games} games, {len(ours)} events; processor milliseconds")
    print(f"{'':12}{'median':>9}{'mean':>9}{'99 %':>9}{'worst':>9}")
    for name, times in (("solver.sat", ours), ("plain loop", plain)):
        percentile = statistics.quantiles(times, n=100)[98]
        row = statistics.median(times), statistics.mean(times), percentile, max(times)
        print(f"{name:12}" + "".join(f"{value:9.3f}" for value in row))
    print(f"ratio of medians {statistics.median(plain) / statistics.median(ours):.1f}")


if __name__ == "__main__":
    main()
