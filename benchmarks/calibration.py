"""How well the values of the engine fit the results of real games.

    for seed in 101 202; do for rival in expert champion; do
        literature tournament $rival expert --pairs 150 --seed $seed --games-out $rival-$seed.lit
    done; done
    python benchmarks/calibration.py collect fit.jsonl *-101.lit --budget 100 --all-kinds
    python benchmarks/calibration.py collect new.jsonl *-202.lit --positions 2000
    python benchmarks/calibration.py fit fit.jsonl
    python benchmarks/calibration.py report new.jsonl --fit fit.jsonl --plot calibration.png
    python benchmarks/calibration.py limit expert-101.lit

`collect` values positions after 10, 30, 50 and 70 events, each for one seat drawn at random, in a
random order, and goes on where it stopped; all hands must be known. `fit` prints the numbers of
`literature_ai.analysis.calibration`: of the score by logistic regression without a constant, of the
margin by least squares. `report` compares values with results in ten bins: the calibration error
(the mean distance between value and result of a bin, weighted by its size; Naeini, Cooper and
Hauskrecht 2015), and the Brier score (1950), the mean squared distance between value and result,
where a draw is 1/2. Beside it stand two baselines, fitted by the same regression to the games of
``--fit``: the difference of scores, and that with the difference of cards in hand.

`limit` tells how well any value could do: it plays games of `expert` on from their own deals with
the same players, several times, and compares the mean result with that of the game. Its Brier score
is freed of the noise of so few replays.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from literature_ai.agents.expert.agent import Expert
from literature_ai.analysis.calibration import FITS, Kind
from literature_ai.analysis.engine import BUDGET, Value, analyze, value_with_open_cards
from literature_ai.cards import team_of
from literature_ai.game.turns import play
from literature_ai.records.lit import read_games
from literature_ai.records.record import Record

Floats = npt.NDArray[np.float64]

STAGES = (10, 30, 50, 70)
BINS = 10
KINDS: tuple[Kind, ...] = ("seat", "everyone", "open")


def positions(records: Sequence[Record], seed: int) -> list[tuple[int, int, int]]:
    """The number of the game, the events and the seat of each position, in a random order."""
    rng = np.random.default_rng(seed)
    found = [
        (number, stage, int(rng.integers(record.rules.players)))
        for number, record in enumerate(records)
        for stage in STAGES
        if stage < len(record.events)
    ]
    return [found[i] for i in rng.permutation(len(found))]


def row_of(record: Record, stage: int, seat: int, budget: int, all_kinds: bool) -> dict[str, Any]:
    """A position with its values, for the team of the seat, and how its game ended."""
    then, team = record.at(stage), team_of(seat)
    position = then.position()
    sizes = position.hand_sizes
    values = {"seat": analyze(then, seat, budget).value}
    if all_kinds:
        for kind, value in (
            ("everyone", analyze(then, None, budget).value),
            ("open", value_with_open_cards(then, budget)),
        ):
            values[kind] = value if team == 0 else value.of_opponents()
    margin = record.score[team] - record.score[1 - team]
    lead = position.score[team] - position.score[1 - team]
    claimed = 1 - len(position.in_play) / record.rules.half_suits
    return {
        "stage": stage,
        "seat": seat,
        "lead": lead,
        "claimed": claimed,
        "cards": sum(sizes[team::2]) - sum(sizes[1 - team :: 2]),
        "margin": margin,
        "result": (margin > 0) + (margin == 0) / 2,
        "values": {kind: _raw(value, kind, lead, claimed) for kind, value in values.items()},
    }


def _raw(value: Value, kind: Kind, lead: int, claimed: float) -> dict[str, float]:
    """The value before it was made to fit real games."""
    score = min(max(value.score, 1e-9), 1 - 1e-9)
    logit = math.log(score / (1 - score))
    return {
        "depth": logit / FITS[kind].slope(claimed),
        "gain": (value.margin - lead) / FITS[kind].margin,
    }


def collect(args: argparse.Namespace) -> None:
    """Value positions, a line of JSON each, after those that the file has already."""
    records = list(chain.from_iterable(read_games(file) for file in args.games))
    path = Path(args.rows)
    done = len(path.read_text().splitlines()) if path.exists() else 0
    todo = positions(records, args.seed)[: args.positions]
    with path.open("a", encoding="utf-8") as file:
        for count, (number, stage, seat) in enumerate(todo[done:], start=done + 1):
            row = row_of(records[number], stage, seat, args.budget, args.all_kinds)
            file.write(json.dumps({"game": number, **row}) + "\n")
            file.flush()
            if count % 50 == 0:
                print(f"{count} of {len(todo)}", file=sys.stderr, flush=True)


def logistic(x: Floats, y: Floats) -> Floats:
    """The weights of a logistic regression without a constant, by Newton's method."""
    weights = np.zeros(x.shape[1])
    for _ in range(50):
        p = sigmoid(x @ weights)
        hessian = (x * (p * (1 - p))[:, None]).T @ x + 1e-6 * np.eye(len(weights))
        weights -= np.linalg.solve(hessian, x.T @ (p - y))
    return weights


def sigmoid(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-x)))


def column(rows: Sequence[dict[str, Any]], name: str) -> Floats:
    return np.array([row[name] for row in rows], float)


def raw_of(rows: Sequence[dict[str, Any]], kind: Kind, name: str) -> Floats:
    return np.array([row["values"][kind][name] for row in rows])


def fit(args: argparse.Namespace) -> None:
    """Print the numbers of `literature_ai.analysis.calibration.Fit` for each kind of viewer."""
    for kind in KINDS:
        rows = [row for row in read_rows(args.rows) if kind in row["values"]]
        if not rows:
            continue
        depth, result = raw_of(rows, kind, "depth"), column(rows, "result")
        gain, found = raw_of(rows, kind, "gain"), column(rows, "margin") - column(rows, "lead")
        claimed = column(rows, "claimed")
        early, later = logistic(np.stack([depth, depth * claimed], 1), result)
        factor = (gain @ found) / (gain @ gain)
        print(f"{kind}: {len(rows)} positions, Fit({early:.3f}, {later:.3f}, {factor:.3f})")


def read_rows(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def bins_of(values: Floats, results: Floats) -> list[dict[str, float]]:
    """For each bin that is not empty: how many values, their mean, and the mean result."""
    numbers = np.minimum((values * BINS).astype(int), BINS - 1)
    return [
        {
            "bin": number / BINS,
            "positions": int((numbers == number).sum()),
            "value": float(values[numbers == number].mean()),
            "result": float(results[numbers == number].mean()),
            "se": float(results[numbers == number].std() / math.sqrt((numbers == number).sum())),
        }
        for number in range(BINS)
        if (numbers == number).any()
    ]


def calibration_error(bins: Sequence[dict[str, float]]) -> float:
    total = sum(each["positions"] for each in bins)
    return sum(each["positions"] * abs(each["value"] - each["result"]) for each in bins) / total


def report(args: argparse.Namespace) -> None:
    """Print the tables, and draw the plot."""
    rows, others = read_rows(args.rows), read_rows(args.fit)
    results = column(rows, "result")
    scores = {}
    for kind in KINDS:
        if all(kind in row["values"] for row in rows):
            slopes = np.array([FITS[kind].slope(claimed) for claimed in column(rows, "claimed")])
            scores[kind] = sigmoid(slopes * raw_of(rows, kind, "depth"))
    for name, columns in (("score difference", ["lead"]), ("score and cards", ["lead", "cards"])):
        x, new = (np.stack([column(some, c) for c in columns], 1) for some in (others, rows))
        scores[name] = sigmoid(new @ logistic(x, column(others, "result")))
    stages = column(rows, "stage")
    print(f"{len(rows)} positions of {len({row['game'] for row in rows})} games\n")
    print("| values | Brier | after 10 | 30 | 50 | 70 events | calibration error |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, values in scores.items():
        squared = (values - results) ** 2
        by_stage = " | ".join(
            f"{squared[stages == stage].mean():.4f}" if (stages == stage).any() else "–"
            for stage in STAGES
        )
        error = calibration_error(bins_of(values, results))
        print(f"| {name} | {squared.mean():.4f} | {by_stage} | {error:.4f} |")
    bins = bins_of(scores["seat"], results)
    print("\n| value | positions | mean value | mean result | standard error |")
    print("|---|--:|--:|--:|--:|")
    for each in bins:
        print(
            f"| {each['bin']:.1f} – {each['bin'] + 0.1:.1f} | {each['positions']} |"
            f" {each['value']:.3f} | {each['result']:.3f} | {each['se']:.3f} |"
        )
    if args.plot:
        draw(args.plot, bins)


def limit(args: argparse.Namespace) -> None:
    """Print the Brier score of replays with the true deal and the true players."""
    rows = []
    for number, record in enumerate(read_games(args.games)[: 2 * args.count : 2]):
        for stage in STAGES:
            if stage >= len(record.events):
                continue
            replays = []
            for replay in range(args.replays):
                game = record.at(stage).game()
                players = [Expert() for _ in range(record.rules.players)]
                play(game, players, np.random.default_rng((number, stage, replay)))
                replays.append(result_of(game.score))
            mean, noise = np.mean(replays), np.var(replays, ddof=1) / len(replays)
            found = result_of(record.score)
            lead = np.subtract(*record.at(stage).score)
            rows.append((stage, (mean - found) ** 2 - noise, (sigmoid(0.6 * lead) - found) ** 2))
    table = np.array(rows)
    for stage in STAGES:
        some = table[table[:, 0] == stage]
        if len(some):
            print(
                f"after {stage} events, {len(some)} games: replays {some[:, 1].mean():.4f},"
                f" score difference {some[:, 2].mean():.4f}"
            )
    apart = table[:, 1] - table[:, 2]
    error = apart.std() / math.sqrt(len(apart))
    print(f"all: replays less score difference {apart.mean():.4f} ± {error:.4f}")


def result_of(score: tuple[int, int]) -> float:
    """1 for a win of team A, ½ for a draw, 0 for a loss."""
    return (score[0] > score[1]) + (score[0] == score[1]) / 2


def draw(file: str, bins: Sequence[dict[str, float]]) -> None:
    """Plot results against values, with two standard errors."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(4.4, 4), layout="constrained")
    axes.plot([0, 1], [0, 1], color="0.7")
    x, y = ([each[name] for each in bins] for name in ("value", "result"))
    axes.errorbar(x, y, yerr=[2 * each["se"] for each in bins], fmt="o-", capsize=3)
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="value said", ylabel="mean result")
    axes.grid(alpha=0.3)
    figure.savefig(file, dpi=80)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("collect")
    command.add_argument("rows", help="a file of JSON lines, added to")
    command.add_argument("games", nargs="+", help=".lit files")
    command.add_argument("--positions", type=int, default=None)
    command.add_argument("--budget", type=int, default=BUDGET)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--all-kinds", action="store_true", help="for everyone and open cards too")
    command.set_defaults(run=collect)
    command = commands.add_parser("fit")
    command.add_argument("rows")
    command.set_defaults(run=fit)
    command = commands.add_parser("report")
    command.add_argument("rows")
    command.add_argument("--fit", required=True, help="the rows that the baselines are fitted to")
    command.add_argument("--plot")
    command.set_defaults(run=report)
    command = commands.add_parser("limit")
    command.add_argument("games", help="a .lit file of games of expert against itself")
    command.add_argument("--count", type=int, default=45)
    command.add_argument("--replays", type=int, default=6)
    command.set_defaults(run=limit)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
