"""List the agents that have a name, or explain one.

Everything else that can play is named by its place: package.module:Class, path/to/bot.py:Class,
"cmd:./bot --flag". Parameters follow a colon: greedy:claim_at=0.9.

examples:
  literature agents
  literature agents greedy                     # its parameters
  literature agents --check bots/mine.py:Mine  # does it play by the rules?
"""

from __future__ import annotations

import argparse
import inspect
import json
from typing import Any

from literature_ai.agents.parameters import parameters_of
from literature_ai.agents.registry import Spec, SpecError, available, parse_spec, summary


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", nargs="?", metavar="SPEC", help="explain this agent")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
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
