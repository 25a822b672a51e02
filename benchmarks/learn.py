"""Learn to play: label, fit, match, and keep what wins; round after round.

    python benchmarks/learn.py rounds lab --rounds 3 --workers 2  # start, or resume
    python benchmarks/learn.py read lab                           # only the choice model, anew
    python benchmarks/learn.py write lab                          # what was kept, into the package

A round begins with the weights that were kept, at first those of the package. It

1. plays games and labels decisions by deep search (`ask_labels.py`), of six players and, a tenth
   each, of eight and with the deck of 54;
2. fits the ask model to the labels of this round and all before;
3. plays games with the new ask model, of `expert`, of `champion`, of `expert` by the formula
   alone and of `expert` against `greedy`, and fits the choice model (`choices.py`) to their asks:
   who asks otherwise than before must be read otherwise;
4. plays `expert` by the new weights against `expert` by those that were kept, by SPRT of 20 against
   0 Elo. If the new ones win they are kept.

Each step leaves its result in the folder of the round, and a run resumes from there; so the labels
of a round may also be made elsewhere and put there. ``log.jsonl`` has a line for each round. All
seeds derive from ``--seed`` and the number of the round; the number of workers changes nothing.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import ask_labels
import choices
import numpy as np
from fit_expert import text_of
from fitted import Fitted, FittedChampion, Formula, spec, weights_in

from literature_ai.agents.expert.weights import PATH
from literature_ai.output_files import write_file
from literature_ai.rules import RuleSet
from tournaments import Plan, Store, run, summarize
from tournaments.statistics import Sprt

RULES = ((RuleSet(), 0.8), (RuleSet(players=8), 0.1), (RuleSet.parse("us54", 6), 0.1))
"""The rules that are learned from, and their shares of the games."""
TEACHERS = {"expert": 0.45, "champion": 0.1, "formula": 0.25, "greedy": 0.2}
"""The styles that the choice model is fitted to, and their shares of the games."""
SPRT = Sprt(0.0, 20.0)


class Round:
    """One round of learning, in its folder."""

    def __init__(self, args: argparse.Namespace, number: int) -> None:
        self.args, self.number = args, number
        self.root: Path = args.folder
        self.folder = self.root / f"round-{number:02}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.before = self.folder / "before.json"
        """The weights it begins with."""
        if not self.before.exists():
            shutil.copy(kept_in(self.root), self.before)

    def rng(self, what: int) -> np.random.Generator:
        return np.random.default_rng((self.args.seed, self.number, what))

    def play(self) -> None:
        """The whole round, as far as it is not done."""
        self.label()
        asks = self.made("ask_model.json", self.fit)
        self.made("asking.json", lambda: with_parts(self.before, asks))
        choice = self.made("choice_model.json", self.read)
        self.made("after.json", lambda: with_parts(self.folder / "asking.json", choice))
        match = self.made("match.json", self.match)
        kept = match["decision"] == "elo1"
        if kept:
            write_file(self.root / "kept.json", (self.folder / "after.json").read_text("utf-8"))
        line = {"round": self.number, **asks["record"], **choice["record"], **match, "kept": kept}
        with (self.root / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
        print(json.dumps(line), file=sys.stderr, flush=True)

    def made(self, name: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """What the file of that name holds, made if it is missing."""
        file = self.folder / name
        if not file.exists():
            write_file(file, json.dumps(make()))
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return found

    def label(self) -> None:
        folder = self.folder / "labels"
        first = int(self.rng(0).integers(1 << 30)) // 10_000 * 10_000
        for i, (rules, share) in enumerate(RULES):
            games = round(share * self.args.games)
            seed = first + 100_000 * i
            ask_labels.label_all(folder, rules, self.before, seed, games, self.args.workers)

    def fit(self) -> dict[str, Any]:
        folders = [self.root / f"round-{n:02}" / "labels" for n in range(1, self.number + 1)]
        learn, judge = ask_labels.load(folders)
        model = ask_labels.fit(learn, self.rng(1))
        record = {"decisions": len(learn.x), "judged": ask_labels.judged(model, judge)}
        return {
            "record": {"ask_model": record},
            "ask_model": {name: array.round(5).tolist() for name, array in model._asdict().items()},
        }

    def read(self) -> dict[str, Any]:
        """The choice model of who plays by the new ask model."""
        return read(self.folder / "asking.json", self.rng(2), self.args)

    def match(self) -> dict[str, Any]:
        new, old = self.folder / "after.json", self.before
        teams = (spec(Fitted, new), spec(Fitted, old))
        seed = int(self.rng(3).integers(1 << 30))
        plan = Plan(teams, self.args.pairs, seed=seed, sprt=SPRT, examine_every=0)
        with Store.create_or_resume(self.folder / "match.db", plan) as store:
            run(store, workers=self.args.workers)
            found = summarize(store)
            decision = store.decision()
        (matchup,) = found["matchups"]
        return {
            "match_seed": seed,
            "pairs": matchup["pairs"],
            "score": matchup["score"],
            "elo": [matchup["elo_low"], matchup["elo_high"]],
            "decision": decision and decision["accepted"],
        }


def kept_in(folder: Path) -> Path:
    """The weights that were kept; at first those of the package."""
    kept = folder / "kept.json"
    return kept if kept.exists() else PATH


def with_parts(weights: Path, found: dict[str, Any]) -> dict[str, Any]:
    """The weights of the file with what was found put in their place, and its record."""
    parts: dict[str, Any] = json.loads(weights.read_text(encoding="utf-8"))
    record = {**parts["record"], **found["record"]}
    return {**parts, **found, "record": record}


def read(weights: Path, rng: np.random.Generator, args: argparse.Namespace) -> dict[str, Any]:
    """The choice model fitted to the asks of the `TEACHERS`, who play by the weights."""
    own = {
        "expert": spec(Fitted, weights),
        "champion": spec(FittedChampion, weights),
        "formula": spec(Formula, weights),
    }
    jobs = []
    for style, share in TEACHERS.items():
        foe = choices.Teacher(own.get(style, style), style)
        team = foe if style != "greedy" else choices.Teacher(own["expert"], None)
        for rules, part in RULES:
            count = round(share * part * args.read_games)
            seeds = rng.integers(1 << 40, size=count).tolist()
            jobs += [((team, foe), rules, seed, weights) for seed in seeds]
    made: list[choices.Made] = []
    with ProcessPoolExecutor(args.workers) as pool:
        for done, some in enumerate(pool.map(asks_of, jobs, chunksize=4), 1):
            made += some
            if done % 100 == 0:
                print(f"read {done} of {len(jobs)} games", file=sys.stderr, flush=True)
    asks = choices.gather(made)
    kept = np.arange(len(made)) % 10 == 0
    learn, judge = (choices.Batch(*(each[part] for each in asks)) for part in (~kept, kept))
    found = choices.fit(learn, rng)
    record = {
        "games": args.read_games,
        "asks": len(made),
        "log_likelihood": choices.log_likelihood(found, judge),
    }
    return {
        "record": {"choice_model": record},
        "choice_model": {name: array.round(4).tolist() for name, array in found._asdict().items()},
    }


def asks_of(
    job: tuple[tuple[choices.Teacher, choices.Teacher], RuleSet, int, Path],
) -> list[choices.Made]:
    """The asks of one game; the teams, the rules, the seed, and the weights that read them."""
    teams, rules, seed, weights = job
    ask_factors = np.stack([weights_in(str(weights)).ask_factors] * 2)
    return choices.asks_of(teams, rules, seed, ask_factors)


def all_rounds(args: argparse.Namespace) -> None:
    for number in range(1, args.rounds + 1):
        log = args.folder / "log.jsonl"
        done = len(log.read_text(encoding="utf-8").splitlines()) if log.exists() else 0
        if number > done:
            Round(args, number).play()


def read_anew(args: argparse.Namespace) -> None:
    kept = kept_in(args.folder)
    found = read(kept, np.random.default_rng((args.seed, 0, 2)), args)
    args.folder.mkdir(parents=True, exist_ok=True)
    write_file(args.folder / "kept.json", json.dumps(with_parts(kept, found)))
    print(json.dumps(found["record"]), file=sys.stderr)


def write(args: argparse.Namespace) -> None:
    """Put what was kept into the package, with the log of the rounds."""
    log = args.folder / "log.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    weights = json.loads(kept_in(args.folder).read_text(encoding="utf-8"))
    weights["record"]["rounds"] = [json.loads(line) for line in lines]
    PATH.write_text(text_of(weights), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    tasks = parser.add_subparsers(required=True)
    folder, reading = (argparse.ArgumentParser(add_help=False) for _ in range(2))
    folder.add_argument("folder", type=Path, help="where everything is kept")
    reading.add_argument("--read-games", type=int, default=1000, help="to read, in each round")
    reading.add_argument("--workers", type=int, default=1)
    reading.add_argument("--seed", type=int, default=1)
    told = "play rounds; those that are done are not played again"
    task = tasks.add_parser("rounds", parents=[folder, reading], help=told)
    task.add_argument("--rounds", type=int, default=3)
    task.add_argument("--games", type=int, default=500, help="to label, in each round")
    task.add_argument("--pairs", type=int, default=2000, help="of the match, at most")
    task.set_defaults(task=all_rounds)
    told = "fit the choice model to those who play by what was kept"
    task = tasks.add_parser("read", parents=[folder, reading], help=told)
    task.set_defaults(task=read_anew)
    told = f"put what was kept into {PATH.name}"
    task = tasks.add_parser("write", parents=[folder], help=told)
    task.set_defaults(task=write)
    args = parser.parse_args()
    args.task(args)


if __name__ == "__main__":
    main()
