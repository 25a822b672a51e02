"""Time to find the smallest set of events that proves a claim.

On the games of `positions`: each claim that is certain for the player on turn is explained once, at
the first decision where it is certain. Times are processor times.

    python benchmarks/explanations.py [--games 100] [--players 6]
"""

from __future__ import annotations

import argparse
import statistics
import time

from positions import decisions

from literature_ai.cards import cards_of
from literature_ai.rules import RuleSet


def measure(rules: RuleSet, games: int) -> list[tuple[float, int, int]]:
    """For every claim: processor milliseconds, events in the proof, events in the game so far."""
    proofs = []
    for seed in range(games):
        explained = set()
        for game, knowledge in decisions(rules, seed):
            for claim in knowledge.certain_claims():
                if (knowledge.seat, claim.half_suit) not in explained:
                    explained.add((knowledge.seat, claim.half_suit))
                    layout = dict(zip(cards_of(claim.half_suit), claim.holders, strict=True))
                    start = time.process_time()
                    proof = knowledge.explain_layout(layout)
                    took = 1000 * (time.process_time() - start)
                    proofs.append((took, len(proof), len(game.events)))
    return proofs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--players", type=int, choices=(4, 6, 8), default=6)
    args = parser.parse_args()
    times, sizes, events = zip(*measure(RuleSet(players=args.players), args.games), strict=True)
    print(f"{args.players} players, {args.games} games, {len(times)} claims")
    print(f"processor milliseconds: median {statistics.median(times):.2f},", end=" ")
    print(f"95 % {statistics.quantiles(times, n=20)[-1]:.2f}, worst {max(times):.2f}")
    print(
        f"events in the proof: median {statistics.median(sizes):.0f}, most {max(sizes)};", end=" "
    )
    print(f"in the game so far: median {statistics.median(events):.0f}")


if __name__ == "__main__":
    main()
