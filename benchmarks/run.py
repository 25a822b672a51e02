"""Run the speed benchmarks: print a table, and write `results.json` and a plot.

    make bench                                       # all of them, a few minutes
    python benchmarks/run.py posterior deals         # only these; nothing is written

The groups run one after the other, each in its own process, so that peak memory is measured for
each group. `README.md` says what is measured.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import resource
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from measure import Row
from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parent
GROUPS = {
    "posterior": "deduction:posterior",
    "one-more-event": "deduction:one_more_event",
    "eight-players": "deduction:eight_players",
    "deals": "deduction:deals",
    "samples": "deduction:samples",
    "certainty": "deduction:certainty",
    "game": "playing:games_alone",
    "batch": "playing:games_together",
    "tournament": "playing:tournaments",
    "environments": "environments:environments",
    "start-up": "startup:start_up",
    "literature": "peers:literature_player",
    "counters": "peers:counters",
    "enumerator": "peers:enumerator",
}
PACKAGES = (
    "numpy",
    "numba",
    "python-sat",
    "literature",
    "open-spiel",
    "pettingzoo",
    "pyganak",
    "pyapproxmc",
)


def measure(group: str) -> list[dict[str, Any]]:
    """The rows of a group, measured in this process."""
    module, function = GROUPS[group].split(":")
    rows: list[Row] = list(getattr(importlib.import_module(module), function)())
    who = max(resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN, key=_peak)
    return [replace(row, mebibytes=round(_peak(who), 1)).to_json() for row in rows]


def _peak(who: int) -> float:
    """Peak resident memory of this process, or of its largest child, in MiB."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(who).ru_maxrss * unit / 2**20


def in_a_process(group: str) -> list[dict[str, Any]]:
    """The rows of a group, measured in a new process."""
    command = [sys.executable, __file__, "--measure", group]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{group} failed")
    rows: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return rows


def machine() -> dict[str, Any]:
    """The versions, the machine and its load."""
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = None
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count(),
        "load": os.getloadavg(),
        "versions": versions,
    }


def show(rows: list[dict[str, Any]]) -> None:
    """Print the rows as a table."""
    table = Table(show_lines=True)
    for name in ("figure", "ours", "yardstick", "theirs", "ratio", "asked for", "MiB", "notes"):
        right = name in ("ours", "theirs", "ratio", "MiB")
        table.add_column(name, justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(
            row["figure"],
            _number(row["ours"], row["unit"]),
            row["yardstick"],
            _number(row["theirs"], row["unit"]),
            "" if row["ratio"] is None else f"{row['ratio']:,.1f} ×",
            row["target"],
            f"{row['mebibytes']:.0f}",
            row["note"],
        )
    Console(width=max(Console().width, 150)).print(table)


def _number(value: float | None, unit: str) -> str:
    if not value:
        return ""
    return f"{value:,.0f}{unit}" if value >= 1000 else f"{value:.3g} {unit}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)}")
    parser.add_argument("--measure", choices=GROUPS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if unknown := set(args.groups) - set(GROUPS):
        parser.error(f"no such group: {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}")
    if args.measure:
        print(json.dumps(measure(args.measure)))
        return
    rows: list[dict[str, Any]] = []
    for group in args.groups or GROUPS:
        print(f"{group} …", file=sys.stderr, flush=True)
        rows += in_a_process(group)
    show(rows)
    if not args.groups:
        from plots import draw

        print("plots …", file=sys.stderr, flush=True)
        results = {
            "command": "make bench",
            **machine(),
            "figures": rows,
            "plots": draw(HERE / "cost.png"),
        }
        text = json.dumps(results, indent=1, ensure_ascii=False)
        (HERE / "results.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
