"""Play agents against each other and rate them, with confidence intervals.

All matchups play the same deals; each deal is played twice, with the seats exchanged. An agent is
named by its spec: a name (see `literature agents`), with parameters (champion:budget=50),
package.module:Class, path/to/bot.py:Class, or "cmd:./bot --flag". Give one spec per team, or one
per seat of the team, separated by commas (greedy,greedy,random). The same command gives the same
results, whatever the number of workers. In place of agents a TOML file may be given, which has the
agents and any of the options below as keys; options on the command line take precedence.

examples:
  literature tournament random certain greedy --pairs 20 --seed 1
  literature tournament greedy bots/mine.py:Mine --pairs 500 --store mine.db --report mine/
  literature tournament greedy mine.py:Mine --pairs 100000 --sprt 0,10
  literature tournament league.toml --workers 4

An interrupted tournament is resumed by `literature resume STORE`. An agent that raises, breaks a
rule, exceeds the time limit, crashes, or answers with something other than an action forfeits the
game.

--json prints one object, whose fields are described in `tournaments/summary.py`.
exit code: 0; 1 when an agent failed in any game; 2 for wrong use; 130 when interrupted
"""

from __future__ import annotations

import argparse
import difflib
import tomllib
from typing import Any, NoReturn

from literature_ai.cli.numbers import finite, whole
from literature_ai.errors import FileError, LiteratureError
from literature_ai.records.text import lines_in
from literature_ai.rules import RuleSet
from literature_ai.wording import shortened
from tournaments.cli.common import (
    add_output_arguments,
    add_running_arguments,
    open_store,
    play_and_print,
)
from tournaments.plan import Plan
from tournaments.statistics import Sprt

DEFAULT_PAIRS = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("agents", nargs="+", metavar="SPEC", help="the agents, or one TOML file")
    parser.add_argument(
        "--pairs", type=whole, metavar="N", help=f"pairs per matchup ({DEFAULT_PAIRS})"
    )
    parser.add_argument("--players", type=whole, metavar="N", help="4, 6 or 8 (6)")
    parser.add_argument("--rules", metavar="WORDS", help='presets and switches, such as "us54"')
    parser.add_argument("--seed", type=whole, metavar="S", help="seed of all random numbers (0)")
    parser.add_argument(
        "--match-wins",
        type=whole,
        metavar="N",
        help="play matches up to N wins",
    )
    parser.add_argument(
        "--gauntlet", action="store_true", default=None, help="only matchups of the first agent"
    )
    parser.add_argument(
        "--sprt",
        metavar="ELO0,ELO1[,ALPHA,BETA]",
        help="stop when a sequential test accepts a normalized Elo lead of ELO0 or ELO1",
    )
    parser.add_argument(
        "--move-limit",
        type=finite,
        metavar="SECONDS",
        help="time limit of a decision (10; in timed games 10 more than the rules allow)",
    )
    parser.add_argument(
        "--examine-every",
        type=whole,
        metavar="N",
        help="count dead asks and claim delay in one pair of N; 0: never (about 20 pairs)",
    )
    parser.add_argument(
        "--open-cards", action="store_true", default=None, help="admit agents that see all cards"
    )
    add_running_arguments(parser)
    add_output_arguments(parser)


def run(args: argparse.Namespace) -> int:
    if len(args.agents) == 1 and args.agents[0].endswith(".toml"):
        _merge(args, read_toml(args.agents[0]))
    pairs = DEFAULT_PAIRS if args.pairs is None else args.pairs
    plan = Plan(
        teams=tuple(args.agents),
        pairs=pairs,
        rules=RuleSet.parse(args.rules or "", args.players),
        seed=args.seed or 0,
        match_wins=args.match_wins,
        gauntlet=bool(args.gauntlet),
        open_cards=bool(args.open_cards),
        move_limit=args.move_limit,
        sprt=None if args.sprt is None else read_sprt(args.sprt),
        examine_every=args.examine_every,
    )
    with open_store(plan, args) as store:
        return play_and_print(store, args)


def read_sprt(text: str) -> Sprt:
    """The test with the parameters ``elo0,elo1[,alpha,beta]``. Raises LiteratureError."""
    try:
        numbers = [finite(number) for number in text.split(",")]
        if len(numbers) not in (2, 4):
            raise ValueError
    except (ValueError, argparse.ArgumentTypeError):
        raise LiteratureError(
            f"--sprt {shortened(text)!r}: write ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA, "
            "as in 0,10,0.05,0.05"
        ) from None
    return Sprt(*numbers)


def read_toml(file: str) -> argparse.Namespace:
    """The arguments in a TOML file. Raises `FileError` for errors in it."""
    text = "\n".join(line for _, line in lines_in(file, "TOML"))
    try:
        entries = tomllib.loads(text)
    except ValueError as error:
        raise FileError(f"{file} is not TOML: {error}") from error
    agents = entries.pop("agents", None)
    if not isinstance(agents, list) or not all(isinstance(spec, str) for spec in agents):
        raise FileError(f'{file}: name the agents, as in agents = ["random", "greedy"]')
    parser = _FileParser(file)
    add_arguments(parser)
    known = {action.dest.replace("_", "-"): action for action in parser._actions}
    for name in {"help", "agents"}:
        known.pop(name, None)
    words = []
    for key, value in entries.items():
        action = known.get(key.replace("_", "-"))
        if action is None:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"the keys are {', '.join(known)}"
            raise FileError(f"{file}: there is no key {key!r}; {hint}")
        words += _as_option(file, key, value, takes_value=action.nargs != 0)
    return parser.parse_args([*words, "--", *agents])


class _FileParser(argparse.ArgumentParser):
    """A parser whose errors name the file."""

    def __init__(self, file: str) -> None:
        super().__init__(prog=file)

    def error(self, message: str) -> NoReturn:
        raise FileError(f"{self.prog}: {message.replace('argument --', '')}")


def _as_option(file: str, key: str, value: Any, takes_value: bool) -> list[str]:
    """A key and its value as arguments of a command line."""
    option = f"--{key.replace('_', '-')}"
    if takes_value and isinstance(value, str | int | float) and not isinstance(value, bool):
        return [f"{option}={value}"]
    if takes_value and isinstance(value, list):
        return [f"{option}={','.join(map(str, value))}"]
    if not takes_value and isinstance(value, bool):
        return [option] if value else []
    raise FileError(
        f"{file}: {key} cannot be {value!r}; "
        + ("write a number or a text" if takes_value else "write true or false")
    )


def _merge(args: argparse.Namespace, given: argparse.Namespace) -> None:
    """Add the arguments of the file that are not on the command line."""
    args.agents = given.agents
    for name, value in vars(given).items():
        if getattr(args, name) is None:
            setattr(args, name, value)
