"""Score an agent against a fixed panel on fixed deals, and compare versions.

The panel is random, certain, greedy and expert. Save the score card of a version with --json and
compare the next version with it: --compare says what became better or worse significantly.

examples:
  literature benchmark bots/mine.py:Mine
  literature benchmark bots/mine.py:Mine --pairs 500 --json > before.json
  literature benchmark bots/mine.py:Mine --pairs 500 --compare before.json

--json prints one object: "spec", "version", "pairs", "seed", "players", "rules", "seconds", and
  results     against each "opponent": score, score_low, score_high (95 %), elo, elo_low, elo_high,
              half_suit_difference (per game), half_suit_difference_se, points (per pair, 0 to 2)
  behaviour   hit_rate, dead_asks, wrong_claims (of all claims), claim_delay, ms_per_decision: each
              a "value" with its standard error "se"
  claims_right, claims_wrong, unfinished, failures {kind: games}, causes (of failures, each with its
              "kind", "cause", "games" and the first of them: "pair", "half", "seat", "event")
  comparison  with --compare: what, before, after, difference, se, verdict (better, worse, null)
exit code: 0; 1 when the agent failed in any game; 2 for wrong use; 130 when interrupted
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from literature_ai.cli import terminal
from literature_ai.cli.numbers import finite, whole
from literature_ai.errors import FileError
from literature_ai.rules import RuleSet
from literature_ai.terminal_text import plain, plain_lines
from tournaments.benchmark import PAIRS, benchmark_plan, compare, require_same_deals, score_card
from tournaments.cli.common import add_running_arguments, open_store, play
from tournaments.console import PIPED_WIDTH, causes_table, percent, shortened, signed_elo
from tournaments.runner import StrictError

if TYPE_CHECKING:
    from rich.console import Console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", metavar="SPEC", help="the agent to score")
    parser.add_argument(
        "--pairs", type=whole, default=PAIRS, metavar="N", help=f"pairs per opponent ({PAIRS})"
    )
    parser.add_argument("--players", type=whole, metavar="N", help="4, 6 or 8 (6)")
    parser.add_argument("--rules", default="", metavar="WORDS", help="presets and switches")
    parser.add_argument("--move-limit", type=finite, metavar="SECONDS", help="per decision (10)")
    parser.add_argument("--compare", metavar="OTHER.json", help="an earlier score card from --json")
    parser.add_argument("--store", metavar="FILE", help="keep all results in this file")
    parser.add_argument("--json", action="store_true", help="print JSON (described above)")
    add_running_arguments(parser)
    parser.set_defaults(games_out=None, report=None)


def run(args: argparse.Namespace) -> int:
    other = None if args.compare is None else _read(args.compare)
    plan = benchmark_plan(
        args.spec,
        args.pairs,
        rules=RuleSet.parse(args.rules, args.players),
        move_limit=args.move_limit,
    )
    if args.compare is not None:
        require_same_deals(plan, other, args.compare)
    with open_store(plan, args) as store:
        resume = ["literature", "benchmark", args.spec, "--pairs", str(args.pairs)]
        resume += ["--rules", args.rules] * bool(args.rules) + ["--store", store.path]
        for option in ("players", "move_limit", "compare"):
            if getattr(args, option) is not None:
                resume += [f"--{option.replace('_', '-')}", str(getattr(args, option))]
        try:
            play(store, args, resume)
        except StrictError as stopped:
            print(f"literature: stopped: {plain_lines(str(stopped))}", file=sys.stderr)
            return 1
        card = score_card(store)
    if other is not None:
        card["comparison"] = compare(card, other)
    if args.json:
        print(json.dumps(card, indent=1))
    else:
        _print_card(card)
    return 1 if card["failures"] else 0


def _read(file: str) -> Any:
    try:
        with open(file, encoding="utf-8-sig") as opened:
            return json.load(opened)
    except OSError as error:
        raise FileError(f"{file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise FileError(f"{file} is not JSON: {error}") from error


def _print_card(card: dict[str, Any]) -> None:
    console = terminal.console(PIPED_WIDTH)
    names = shortened([card["spec"], *(result["opponent"] for result in card["results"])])
    rules = f", {card['rules']}" if card["rules"] else ""
    console.print(
        f"{names[card['spec']]}: {card['pairs']} pairs against each of the panel, "
        f"{card['players']} players{rules}, {card['seconds']:.1f} s\n"
    )
    _print_results(console, card, names)
    _print_behaviour(console, card)
    if card["causes"]:
        console.print()
        terminal.show_table(console, causes_table(card["causes"], names))
    if "comparison" in card:
        _print_comparison(console, card["comparison"])


def _print_results(console: Console, card: dict[str, Any], names: dict[str, str]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("against")
    for title in ("score", "95 %", "Elo", "95 %", "half-suits per game"):
        table.add_column(title, justify="right")
    for result in card["results"]:
        lead, error = result["half_suit_difference"], result["half_suit_difference_se"]
        table.add_row(
            names[result["opponent"]],
            percent(result["score"]),
            f"{percent(result['score_low'])} … {percent(result['score_high'])}",
            signed_elo(result["elo"]),
            f"{signed_elo(result['elo_low'])} … {signed_elo(result['elo_high'])}",
            f"{lead:+.2f}" + ("" if error is None else f" ± {error:.2f}"),
        )
    terminal.show_table(console, table)


def _print_behaviour(console: Console, card: dict[str, Any]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column()
    for name, estimate in card["behaviour"].items():
        error = "" if estimate["se"] is None else f"± {_format(name, estimate['se'])}"
        table.add_row(name.replace("_", " "), _format(name, estimate["value"]), error)
    claims = f"{card['claims_right']} right, {card['claims_wrong']} wrong"
    table.add_row("claims", claims, "")
    table.add_row("unfinished", str(card["unfinished"]), "")
    failed = ", ".join(f"{number} {kind}" for kind, number in card["failures"].items())
    table.add_row("failures", failed or "none", "")
    console.print()
    terminal.show_table(console, table)


def _print_comparison(console: Console, changes: list[dict[str, Any]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("compared")
    for title in ("before", "now", "difference"):
        table.add_column(title, justify="right")
    table.add_column("")
    for change in changes:
        what = change["what"]
        error = "" if change["se"] is None else f" ± {_format(what, change['se'])}"
        sign = "+" if change["difference"] >= 0 else "−"
        table.add_row(
            plain(what.replace("_", " ")),
            _format(what, change["before"]),
            _format(what, change["after"]),
            f"{sign}{_format(what, abs(change['difference']))}{error}",
            change["verdict"] or ("" if change["difference"] == 0 else "not significant"),
            style={"better": "green", "worse": "red"}.get(change["verdict"] or ""),
        )
    console.print()
    terminal.show_table(console, table)


def _format(name: str, value: float | None) -> str:
    """A value in its unit: events, milliseconds, games, or percent."""
    if value is None:
        return "unknown"
    plain = name in ("claim_delay", "ms_per_decision", "failures")
    return f"{value:.3g}" if plain else f"{100 * value:.1f} %"
