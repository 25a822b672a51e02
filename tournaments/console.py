"""The figures of a tournament as tables for people."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

PIPED_WIDTH = 140


def show(figures: dict[str, Any]) -> None:
    """Print the tables of a `tournaments.summary.summary`."""
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else PIPED_WIDTH, highlight=False)
    for part in _parts(figures):
        console.print(part)


def _parts(figures: dict[str, Any]) -> Iterator[RenderableType]:
    yield _title(figures)
    yield ""
    yield _results(figures)
    yield ""
    yield _matchups(figures)
    yield ""
    yield _behaviour(figures)
    if figures["examined_every"] > 1:
        yield f"dead asks and claim delay: of one pair in {figures['examined_every']}"
    if "sprt" in figures:
        yield sprt_in_words(figures["sprt"])
    failed = sum(sum(agent["failures"].values()) for agent in figures["agents"])
    if failed:
        from rich.text import Text

        yield Text(f"{_count(failed, 'game')} ended by a failure of an agent", style="bold red")


def _title(figures: dict[str, Any]) -> str:
    rate = figures["games_per_second"]
    unit = "match" if "match_wins" in figures else "game"
    parts = [
        f"{pairs_in_words(figures)} of {unit}{'e' * (unit == 'match')}s",
        f"{figures['players']} players",
        figures["rules"],
        f"up to {figures['match_wins']} wins" if "match_wins" in figures else "",
        f"seed {figures['seed']}",
        f"{figures['seconds']:.1f} s" + (f" ({rate:.1f} games a second)" if rate else ""),
    ]
    return ", ".join(part for part in parts if part)


def pairs_in_words(figures: dict[str, Any]) -> str:
    """How many pairs were played, and how many were to be where these are not as many."""
    played = sum(matchup["pairs"] for matchup in figures["matchups"])
    planned = len(figures["matchups"]) * figures["pairs"]
    return _count(played, "pair") if played == planned else f"{played} of {planned} pairs"


def _results(figures: dict[str, Any]) -> Table:
    table = _table("agent", "Elo", "95 %", "score", "won", "drawn", "lost", "half-suits", "fails")
    agents = figures["agents"]
    if len(agents) > 2:
        agents = sorted(agents, key=lambda agent: -(agent["elo"] or 0))
    for agent in agents:
        table.add_row(
            short_spec(agent["spec"]),
            elo_in_words(agent["elo"]),
            _interval(agent),
            percent(agent["score"]),
            *(str(agent[key]) for key in ("wins", "draws", "losses")),
            f"{agent['half_suits_for']}-{agent['half_suits_against']}",
            str(sum(agent["failures"].values()) or ""),
        )
    return table


def _matchups(figures: dict[str, Any]) -> Table:
    table = _table("agents", "pairs", "score", "Elo", "95 %", "0 ½ 1 1½ 2", "better", "half-suits")
    for each in figures["matchups"]:
        better = each["likelihood_of_superiority"]
        lead, error = each["half_suit_difference"], each["half_suit_difference_se"]
        table.add_row(
            f"{short_spec(each['a'])} - {short_spec(each['b'])}",
            str(each["pairs"]),
            percent(each["score"]),
            elo_in_words(each["elo"]),
            _interval(each),
            " ".join(map(str, each["pentanomial"])),
            percent(better),
            "" if lead is None else f"{lead:+.2f}" + ("" if error is None else f" ± {error:.2f}"),
        )
    return table


def _behaviour(figures: dict[str, Any]) -> Table:
    table = _table(
        "agent", "hits", "dead asks", "claims right", "wrong", "delay", "ms", "unfinished", "fails"
    )
    for agent in figures["agents"]:
        table.add_row(
            short_spec(agent["spec"]),
            percent(agent["hit_rate"]),
            percent(agent["dead_asks"]),
            str(agent["claims_right"]),
            str(agent["claims_wrong"]),
            "" if agent["claim_delay"] is None else f"{agent['claim_delay']:.1f}",
            "" if agent["ms_per_decision"] is None else f"{agent['ms_per_decision']:.3g}",
            str(agent["unfinished"]),
            ", ".join(f"{n} {kind}" for kind, n in agent["failures"].items()),
        )
    return table


def sprt_in_words(test: dict[str, Any]) -> str:
    """What has become of the sequential test."""
    verdict = f"{test['accepted']} accepted" if test["accepted"] else "not decided"
    return (
        f"SPRT of normalized Elo {test['elo0']:g} against {test['elo1']:g}: {verdict} "
        f"(LLR {test['llr']:.2f}, bounds {test['llr_low']:.2f} and {test['llr_high']:.2f})"
    )


def _table(first: str, *columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(first, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right")
    return table


def short_spec(spec: str) -> str:
    """The spec without the folders of its files."""
    return re.sub(r"[^\s,:\"]*/(?=[^\s,:/\"]+\.py:)", "", spec)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def elo_in_words(elo: float | None) -> str:
    """The Elo with its sign; nothing if there is none."""
    return "" if elo is None else f"{elo:+.0f}"


def _interval(figures: dict[str, Any]) -> str:
    if figures["elo_low"] is None:
        return ""
    return f"{figures['elo_low']:+.0f} … {figures['elo_high']:+.0f}"


def percent(part: float | None) -> str:
    """The part in per cent; nothing if there is none."""
    return "" if part is None else f"{100 * part:.1f} %"
