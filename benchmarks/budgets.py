"""Whether a larger budget chooses better: what choices give away by the judgement of a deep search.

    python benchmarks/budgets.py rows.jsonl champion-202.lit --positions 100 --budgets 500 4000

The positions are decisions of recorded games, one a game at most, in which `champion` has to
compare asks: nothing to claim, nothing sure to hit. It chooses with each budget. Choices that
differ are judged as in ``STRENGTH.md``: each is made on the same 1,500 deals, drawn anew, and
played on for 14 open asks; the state value then is the truth of the players of rollouts. Printed is
how much more the choices of each budget are worth than those of the first, in expected results (1
for a win), with the standard error over positions. The file keeps a line for each position, and the
run goes on from there.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from literature_ai.agents.champion import Champion
from literature_ai.agents.expert.continuation import move_of
from literature_ai.agents.expert.search import Simulations
from literature_ai.analysis.calibration import score_of
from literature_ai.events import Action, Asked
from literature_ai.game.view import View
from literature_ai.records.lit import read_games
from literature_ai.records.record import Record

DEALS, DEPTH = 1500, 14
JUDGE_SEED = 1_000_003


def champion_at(view: View, budget: int, seed: int) -> Champion:
    champion = Champion(budget=budget)
    champion.start(view, np.random.default_rng(seed))
    return champion


def open_decisions(records: Sequence[Record], seed: int) -> Iterator[View]:
    """The view of the player on turn at an open decision of each game, drawn at random."""
    for number, record in enumerate(records):
        rng = np.random.default_rng((seed, number))
        for at in rng.permutation(len(record.events)).tolist():
            event = record.events[at]
            if not isinstance(event, Asked):
                continue
            position, hand = record.at(at).position(), record.hands[event.asker]
            assert hand is not None
            view = position.view(event.asker, hand)
            if champion_at(view, 16, 0).decide(view).comparison is not None:
                yield view
                break


def worth(view: View, choices: Sequence[Action]) -> list[float]:
    """The expected result after each choice, by the deep search."""
    judge = champion_at(view, DEALS, JUDGE_SEED)
    observer = judge.observer
    moves = np.stack([move_of(choice) for choice in choices])
    trials = Simulations().run(
        observer.belief,
        observer.deals.hands(DEALS),
        moves,
        observer.policies,
        (DEPTH,),
        judge.state_weights,
        JUDGE_SEED,
    )
    claimed = 1 - len(view.in_play) / view.rules.half_suits
    return [score_of(float(value), "seat", claimed) for value in trials.values[0].mean(axis=0)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", help="a file of JSON lines, added to")
    parser.add_argument("games", nargs="+", help=".lit files with all hands")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--budgets", type=int, nargs="+", default=[500, 4000])
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    path = Path(args.rows)
    rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    records = [record for file in args.games for record in read_games(file)]
    views = islice(open_decisions(records, args.seed), len(rows), args.positions)
    with path.open("a", encoding="utf-8") as file:
        for view in views:
            chosen = [champion_at(view, budget, args.seed).act(view) for budget in args.budgets]
            found = worth(view, chosen) if len(set(chosen)) > 1 else [0.0] * len(chosen)
            rows.append([score - found[0] for score in found])
            file.write(json.dumps(rows[-1]) + "\n")
            file.flush()
            print(f"{len(rows)} positions", file=sys.stderr, flush=True)
    gains = np.array(rows)
    for budget, gain in zip(args.budgets, gains.T, strict=True):
        error = gain.std(ddof=1) / math.sqrt(len(gain))
        print(
            f"budget {budget}: {len(gain)} positions, {(gain > 0).sum()} better,"
            f" {(gain < 0).sum()} worse, gain {gain.mean():.4f} ± {error:.4f}"
        )


if __name__ == "__main__":
    main()
