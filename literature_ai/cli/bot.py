"""Play as a program: speak the protocol for bots on standard input and output.

Any referee that knows the protocol can seat the agent, also another version of this package:

  literature tournament expert "cmd:/old/env/bin/literature bot expert"

Messages and answers are one JSON object a line; `literature agents --check "cmd:literature bot
random"` is a way to see them work. What the agent prints goes to standard error.

Compiling takes longer than a referee waits when it is done for the first time: --warm-up does it
beforehand, and ends.

examples:
  literature bot greedy
  literature bot expert --warm-up
  literature bot bots/mine.py:Mine

exit code: 0; 2 for wrong use
"""

from __future__ import annotations

import argparse
import os
import sys

from literature_ai.bots.registry import parse_spec


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", metavar="SPEC", help="the agent that plays")
    parser.add_argument(
        "--warm-up", action="store_true", help="compile what the agent needs, and end"
    )


def run(args: argparse.Namespace) -> int:
    spec = parse_spec(args.spec)
    spec.make()
    if args.warm_up:
        spec.warm_up()
        return 0
    from literature_ai.bots.serve import serve

    if sys.stdin.isatty():
        print(
            f"{args.spec} waits for messages of the protocol, one JSON object a line; "
            "seat it with cmd:literature bot …",
            file=sys.stderr,
        )
    # The protocol has standard output for itself: what the agent prints goes to standard error.
    with open(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        serve(spec, sys.stdin, answers)
    return 0
