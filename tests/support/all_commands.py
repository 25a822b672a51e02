"""Every command that takes seconds, each with arguments that make it write something."""

from __future__ import annotations

from outputs import RECORD

_TABLE = ["--partners", "random", "--opponents", "random", "--seed", "3", "--save", "kitchen.lit"]

COMMANDS = {
    "play": ["play", "--players", "4", "--rules", "max-events=1", *_TABLE],
    "hint": ["hint", RECORD, "--seat", "B1"],
    "hint --json": ["hint", RECORD, "--seat", "B1", "--json"],
    "hint --explain": ["hint", RECORD, "--seat", "B1", "--explain", "3C"],
    "deals": ["deals", RECORD, "--sample", "3"],
    "deals --json": ["deals", RECORD, "--json"],
    "review": ["review", RECORD],
    "review --html": ["review", RECORD, "--html", "page.html"],
    "agents SPEC": ["agents", "champion"],
    "tournament": ["tournament", "random", "greedy", "--pairs", "1", "--workers", "1", "--quiet"],
    "benchmark": ["benchmark", "random", "--pairs", "1", "--workers", "1", "--quiet"],
    "resume": ["resume", "store.db", "--quiet"],
    "report --json": ["report", "store.db", "--json"],
    "assist": ["assist", "kitchen.lit"],
    "analyze": ["analyze", RECORD, "--seat", "B1", "--budget", "8"],
    "analyze --all": ["analyze", RECORD, "--all", "--budget", "8", "--store", "values"],
    "review --engine": ["review", RECORD, "--engine", "--budget", "8"],
}
