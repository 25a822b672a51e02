"""The names of cards come from the deck that is played with, never from the usual one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CARDS = "literature_ai.cards"
TAKES_NAMES = {"card_name", "parse_card", "format_event"}
"""Functions that name cards by the usual deck when they are given no other."""
ABOUT_NO_DECK = {
    "literature_ai/cards.py",
    "literature_ai/assist/completion.py",
    "literature_ai/bots/external.py",
    "literature_ai/game/asks.py",
    "literature_ai/game/masks.py",
    "literature_ai/records/notation.py",
}
"""Modules that may use the usual names: as a default, or to know how many cards there can be."""
MODULES = sorted(
    str(path.relative_to(ROOT))
    for package in ("literature_ai", "tournaments", "solver")
    for path in (ROOT / package).rglob("*.py")
)


def imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """What the module imports from `literature_ai.cards`: the name there, and the name here."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == CARDS:
            yield from ((alias.name, alias.asname or alias.name) for alias in node.names)


@pytest.mark.parametrize("module", MODULES)
def test_names_of_cards_follow_the_deck(module: str) -> None:
    """No module names cards by the usual deck: it reads `RuleSet.card_names`, and passes it on."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    names = dict(imported(tree))
    assert "CARD_NAMES" not in names or module in ABOUT_NO_DECK
    functions = TAKES_NAMES | {names[own] for own in ("name", "parse") if own in names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            given = len(node.args) + len(node.keywords)
            assert node.func.id not in functions or given > 1, f"line {node.lineno}"
