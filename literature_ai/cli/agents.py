"""List the named agents, explain one, or check that one keeps to the rules.

Other agents are specified by their location: package.module:Class, path/to/bot.py:Class,
"cmd:./bot --flag". Parameters follow a colon: champion:budget=50.

--check plays the agent with copies of itself under every rule switch, and reports when it raises,
exceeds the time limit, ends its process, answers with something other than an action, breaks a
rule, or plays differently with the same seed or next to another game. It also lists the situations
that these games reached, and those that they did not, which therefore remain unchecked.

examples:
  literature agents
  literature agents champion                   # its parameters
  literature agents --check bots/mine.py:Mine
  literature agents --check "cmd:./bot --flag" --games 10 --json

exit code: 0; 1 when --check found a breach; 2 for wrong use
"""

from __future__ import annotations

import argparse
import inspect
import json
from dataclasses import asdict
from typing import Any

from literature_ai.bots.conformance import (
    DECISION_SECONDS,
    RULES,
    SITUATIONS,
    Conformance,
    check,
)
from literature_ai.bots.parameters import parameters_of
from literature_ai.bots.registry import Spec, available, parse_spec, summary
from literature_ai.cli.numbers import finite, whole
from literature_ai.cli.terminal import say
from literature_ai.errors import LiteratureError, SpecError
from literature_ai.terminal_text import plain, plain_lines

_LINES_OF_DETAILS = 12
_MOST_GAMES = 1_000_000
_MOST_SECONDS = 86_400


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", nargs="?", metavar="SPEC", help="the agent to explain")
    parser.add_argument("--check", metavar="SPEC", help="the agent to check")
    parser.add_argument(
        "--games", type=whole, default=1, metavar="N", help="number of games per rule set (1)"
    )
    parser.add_argument("--seed", type=whole, default=0, metavar="S", help="seed of the games (0)")
    parser.add_argument(
        "--move-limit",
        type=finite,
        default=DECISION_SECONDS,
        metavar="SECONDS",
        help=f"time limit of a decision ({DECISION_SECONDS:g})",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    if args.check is not None:
        return _check(args)
    if args.spec is not None:
        _explain(parse_spec(args.spec), args.json)
        return 0
    lines: dict[str, str] = {}
    for name in available():
        try:
            lines[name] = summary(parse_spec(name).agent)
        except SpecError as error:
            # A broken entry point of another package must not hide the others.
            lines[name] = str(error)
    if args.json:
        print(json.dumps([{"name": name, "summary": line} for name, line in lines.items()]))
    else:
        width = max(map(len, lines))
        for name, line in lines.items():
            say(plain(f"{name:{width}}  {line}"), hanging=width + 2)
    return 0


def _explain(spec: Spec, as_json: bool) -> None:
    parameters = parameters_of(spec.agent)
    if as_json:
        description: dict[str, Any] = {"spec": spec.text, "summary": summary(spec.agent)}
        description["parameters"] = {p.name: p.describe() for p in parameters}
        print(json.dumps(description))
        return
    say(plain_lines(inspect.getdoc(spec.agent) or spec.text), hanging=0)
    for parameter in parameters:
        say(plain(f"  {parameter.describe()}"))


def _check(args: argparse.Namespace) -> int:
    from tqdm import tqdm

    if args.games < 1 or args.seed < 0 or not args.move_limit > 0:
        raise LiteratureError("--games and --move-limit must be above 0, and --seed not below")
    if args.games > _MOST_GAMES or args.move_limit > _MOST_SECONDS:
        raise LiteratureError(
            f"--games must be at most {_MOST_GAMES:,}, and --move-limit {_MOST_SECONDS}, a day"
        )
    # The delay lets the error of an agent that cannot be loaded stand alone.
    with tqdm(total=len(RULES) * args.games, unit="game", delay=0.001, disable=args.quiet) as bar:
        found = check(args.check, RULES, args.games, args.seed, args.move_limit, bar.update)
    if args.json:
        report = {name: getattr(found, name) for name in ("spec", "games", "decisions", "reached")}
        report["not_reached"] = found.not_reached
        report["breaches"] = [asdict(breach) for breach in found.breaches]
        print(json.dumps(report, indent=1))
    else:
        _print_check(found)
    return 1 if found.breaches else 0


def _print_check(found: Conformance) -> None:
    say(plain(f"{found.spec}: {found.games} games, {found.decisions} decisions"))
    for breach in found.breaches:
        times = "" if breach.times == 1 else f", {breach.times} times, first"
        say(f"\nbreach: {plain(breach.what)}")
        say(plain(f"  in {breach.where}{times}"))
        for line in breach.details.splitlines()[-_LINES_OF_DETAILS:]:
            say(plain(f"    {line}"))
    if not found.breaches:
        print("no breach of the rules")
    for title, situations in (
        ("reached", [name for name in SITUATIONS if found.reached[name]]),
        ("not reached", found.not_reached),
    ):
        print(f"\n{title}:")
        for name in situations:
            say(f"  {found.reached[name] or '':>7}  {SITUATIONS[name]}", hanging=9)
        if not situations:
            print("  nothing")
