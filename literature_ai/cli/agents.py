"""List the named agents, explain one, or check that one keeps to the rules.

Everything else that can play is named by its place: package.module:Class, path/to/bot.py:Class,
"cmd:./bot --flag". Parameters follow a colon: champion:budget=50.

--check has the agent play with copies of itself under every rule switch, and reports whatever it
must not do: raise, take too long, answer nonsense, act against the rules, or play otherwise when
given the same seed again or when another game is going on. It also tells what these games brought
about, and what they did not, which therefore remains unchecked.

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
from literature_ai.errors import LiteratureError, SpecError

_LINES_OF_DETAILS = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", nargs="?", metavar="SPEC", help="explain this agent")
    parser.add_argument("--check", metavar="SPEC", help="check this agent")
    parser.add_argument(
        "--games", type=int, default=1, metavar="N", help="checked under each of the rules (1)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the check (0)")
    parser.add_argument(
        "--move-limit",
        type=float,
        default=DECISION_SECONDS,
        metavar="SECONDS",
        help=f"that a decision may take in a check ({DECISION_SECONDS:g})",
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
            # An entry point of another package may be broken; that is no fault of the others.
            lines[name] = str(error)
    if args.json:
        print(json.dumps([{"name": name, "summary": line} for name, line in lines.items()]))
    else:
        width = max(map(len, lines))
        for name, line in lines.items():
            print(f"{name:{width}}  {line}")
    return 0


def _explain(spec: Spec, as_json: bool) -> None:
    parameters = parameters_of(spec.agent)
    if as_json:
        told: dict[str, Any] = {"spec": spec.text, "summary": summary(spec.agent)}
        told["parameters"] = {p.name: p.describe() for p in parameters}
        print(json.dumps(told))
        return
    print(inspect.getdoc(spec.agent) or spec.text)
    for parameter in parameters:
        print(f"  {parameter.describe()}")


def _check(args: argparse.Namespace) -> int:
    from tqdm import tqdm

    if args.games < 1 or args.seed < 0 or not args.move_limit > 0:
        raise LiteratureError("--games and --move-limit must be above 0, and --seed not below")
    with tqdm(total=len(RULES) * args.games, unit="game", disable=args.quiet) as bar:
        found = check(args.check, RULES, args.games, args.seed, args.move_limit, bar.update)
    if args.json:
        told = {name: getattr(found, name) for name in ("spec", "games", "decisions", "reached")}
        told["not_reached"] = found.not_reached
        told["breaches"] = [asdict(breach) for breach in found.breaches]
        print(json.dumps(told, indent=1))
    else:
        _show(found)
    return 1 if found.breaches else 0


def _show(found: Conformance) -> None:
    print(f"{found.spec}: {found.games} games, {found.decisions} decisions")
    for breach in found.breaches:
        times = "" if breach.times == 1 else f", {breach.times} times, first"
        print(f"\nbreach: {breach.what}\n  in {breach.where}{times}")
        for line in breach.details.splitlines()[-_LINES_OF_DETAILS:]:
            print(f"    {line}")
    if not found.breaches:
        print("no breach of the rules")
    for title, situations in (
        ("reached", [name for name in SITUATIONS if found.reached[name]]),
        ("not reached", found.not_reached),
    ):
        print(f"\n{title}:")
        for name in situations:
            print(f"  {found.reached[name] or '':>7}  {SITUATIONS[name]}")
        if not situations:
            print("  nothing")
