"""Prints summaries of tournaments as tables on the terminal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from literature_ai.cli import terminal
from literature_ai.terminal_text import plain

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

PIPED_WIDTH = 140
"""The width in columns when the output is not a terminal."""


def print_summary(summary: dict[str, Any]) -> None:
    """Print the summary that `tournaments.summary.summarize` has computed."""
    from rich.table import Table

    console = terminal.console(PIPED_WIDTH)
    for part in _parts(summary):
        if isinstance(part, Table):
            terminal.show_table(console, part)
        else:
            console.print(part)


def _parts(summary: dict[str, Any]) -> Iterator[RenderableType]:
    yield _title(summary)
    yield ""
    yield _results(summary)
    yield ""
    yield _matchups(summary)
    yield ""
    yield _behaviour(summary)
    if summary["examined_every"] > 1:
        yield f"dead asks and claim delay: in one pair of {summary['examined_every']}"
    if "sprt" in summary:
        yield sprt_sentence(summary["sprt"])
    failed = sum(sum(agent["failures"].values()) for agent in summary["agents"])
    if failed:
        from rich.text import Text

        yield Text(f"{_count(failed, 'game')} ended by a failure of an agent", style="bold red")
        yield ""
        yield causes_table(summary["causes"], short_names(summary))
    void = sum(matchup["void"] for matchup in summary["matchups"])
    if void:
        from rich.text import Text

        yield Text(void_sentence(void), style="bold red")


def void_sentence(void: int) -> str:
    """The number of void games in a sentence."""
    return (
        f"{_count(void, 'game')} void: failed only with the code of both teams together; "
        "such pairs do not count"
    )


def _title(summary: dict[str, Any]) -> str:
    rate = summary["games_per_second"]
    unit = "match" if "match_wins" in summary else "game"
    parts = [
        f"{count_of_pairs(summary)} of {unit}{'e' * (unit == 'match')}s",
        f"{summary['players']} players",
        summary["rules"],
        f"up to {summary['match_wins']} wins" if "match_wins" in summary else "",
        f"seed {summary['seed']}",
        f"{summary['seconds']:.1f} s" + (f" ({rate:.1f} games a second)" if rate else ""),
    ]
    return ", ".join(part for part in parts if part)


def count_of_pairs(summary: dict[str, Any]) -> str:
    """The number of pairs played, and of pairs planned if that is another."""
    played = sum(matchup["pairs"] for matchup in summary["matchups"])
    planned = len(summary["matchups"]) * summary["pairs"]
    return _count(played, "pair") if played == planned else f"{played} of {planned} pairs"


def _results(summary: dict[str, Any]) -> Table:
    table = _table("agent", "Elo", "95 %", "score", "won", "drawn", "lost", "half-suits", "fails")
    agents, names = summary["agents"], short_names(summary)
    if len(agents) > 2:
        agents = sorted(agents, key=lambda agent: -(agent["elo"] or 0))
    for agent in agents:
        table.add_row(
            names[agent["spec"]],
            signed_elo(agent["elo"]),
            _interval(agent),
            percent(agent["score"]),
            *(str(agent[key]) for key in ("wins", "draws", "losses")),
            f"{agent['half_suits_for']}-{agent['half_suits_against']}",
            str(sum(agent["failures"].values()) or ""),
        )
    return table


def _matchups(summary: dict[str, Any]) -> Table:
    table = _table("agents", "pairs", "score", "Elo", "95 %", "0 ½ 1 1½ 2", "better", "half-suits")
    names = short_names(summary)
    for each in summary["matchups"]:
        better = each["likelihood_of_superiority"]
        lead, error = each["half_suit_difference"], each["half_suit_difference_se"]
        table.add_row(
            f"{names[each['a']]} - {names[each['b']]}",
            str(each["pairs"]),
            percent(each["score"]),
            signed_elo(each["elo"]),
            _interval(each),
            " ".join(map(str, each["pentanomial"])),
            percent(better),
            "" if lead is None else f"{lead:+.2f}" + ("" if error is None else f" ± {error:.2f}"),
        )
    return table


def _behaviour(summary: dict[str, Any]) -> Table:
    table = _table(
        "agent", "hits", "dead asks", "claims right", "wrong", "delay", "ms", "unfinished", "fails"
    )
    names = short_names(summary)
    for agent in summary["agents"]:
        table.add_row(
            names[agent["spec"]],
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


def causes_table(causes: Iterable[dict[str, Any]], names: dict[str, str]) -> Table:
    """Why games were forfeited, and in which one first; ``names`` has the short name of a spec."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("failed", overflow="fold")
    table.add_column("kind")
    table.add_column("games", justify="right")
    table.add_column("first in", overflow="fold")
    table.add_column("cause", overflow="fold")
    for each in causes:
        table.add_row(
            names[each["agent"]],
            each["kind"],
            str(each["games"]),
            f"pair {each['pair']}, {each['seat']} after event {each['event']}",
            plain(each["cause"]),
        )
    return table


def sprt_sentence(test: dict[str, Any]) -> str:
    """The state of the sequential test in a sentence."""
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


def short_names(summary: dict[str, Any]) -> dict[str, str]:
    """The specs of all agents of a summary, each with its name in tables, see `shortened`."""
    return shortened([agent["spec"] for agent in summary["agents"]])


def shortened(specs: Iterable[str]) -> dict[str, str]:
    """Each spec with a short name, safe to show: paths of files without their folders.

    As many of the last folders stay as tell different specs apart: ``v1/bot.py:Bot`` from
    ``v2/bot.py:Bot``.
    """
    folders = dict.fromkeys(specs, 0)
    while True:
        names = {spec: _without_folders(spec, kept) for spec, kept in folders.items()}
        times = Counter(names.values())
        alike = [spec for spec, name in names.items() if times[name] > 1 and name != spec]
        if not alike:
            return {spec: plain(name) for spec, name in names.items()}
        for spec in alike:
            folders[spec] += 1


def _without_folders(spec: str, kept: int) -> str:
    """The spec whose paths have lost their folders except the last ``kept``."""

    def shorter(path: re.Match[str]) -> str:
        parts = path[0].split("/")
        return "/".join(parts[-1 - kept :])

    return re.sub(r"[^\s,:\"]*/[^\s,:/\"]+\.py(?=:)", shorter, spec)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def signed_elo(elo: float | None) -> str:
    """The Elo difference with its sign; empty for None."""
    return "" if elo is None else f"{elo:+.0f}"


def _interval(row: dict[str, Any]) -> str:
    if row["elo_low"] is None:
        return ""
    return f"{row['elo_low']:+.0f} … {row['elo_high']:+.0f}"


def percent(part: float | None) -> str:
    """A fraction in percent; empty for None."""
    return "" if part is None else f"{100 * part:.1f} %"
