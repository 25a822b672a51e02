"""What `import literature_ai` offers: the same objects whatever else is imported."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

import literature_ai as lit

ROOT = Path(__file__).parents[2]
PROMISED = (
    "Agent Game View Knowledge RuleSet BestClaim Between parse_card card_name cards_of "
    "half_suit_of team_of parse_event format_event parse_spec play steps read_games write_games"
)


def stub_imports() -> dict[str, tuple[str, str]]:
    """For each name that the stub offers: its module, and what it is called there."""
    text = (ROOT / "literature_ai" / "__init__.pyi").read_text(encoding="utf-8")
    statements = ast.parse(text).body
    imported = {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in statements
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    # A stub offers a renamed import only by assigning it: ``card_name = _card_name``.
    renamed = {
        ast.unparse(node.targets[0]): imported[ast.unparse(node.value)]
        for node in statements
        if isinstance(node, ast.Assign)
    }
    return {name: home for name, home in imported.items() if name[0] != "_"} | renamed


def submodules() -> list[str]:
    """Every module below the package, `__main__` apart."""
    walk = pkgutil.walk_packages(lit.__path__, "literature_ai.")
    return [module.name for module in walk if not module.name.endswith("__main__")]


def test_what_bots_and_notebooks_need_is_there() -> None:
    """Every name that is promised to authors of bots is in ``__all__``."""
    assert set(PROMISED.split()) <= set(lit.__all__)


def test_type_checkers_see_what_is_offered() -> None:
    """The stub has exactly the names of ``__all__``, each from the module that it comes from."""
    offered = stub_imports()
    assert lit.__all__ == sorted(offered)
    for name, (module, attribute) in offered.items():
        assert getattr(lit, name) is getattr(importlib.import_module(module), attribute)


def test_no_module_is_called_like_something_offered() -> None:
    """Importing a module sets its name in the package, so none may have a name of ``__all__``."""
    assert not set(lit.__all__) & {module.name for module in pkgutil.iter_modules(lit.__path__)}


@pytest.mark.parametrize("seed", range(3))
def test_names_mean_the_same_whatever_was_imported(seed: int) -> None:
    """With all modules imported in any order, before or after, each name is the same object."""
    modules = submodules()
    random.Random(seed).shuffle(modules)
    half = len(lit.__all__) // 2
    before, after = lit.__all__[:half], lit.__all__[half:]
    if seed % 2:
        before, after = after, before
    code = f"""
import importlib
import literature_ai as lit
early = {{name: getattr(lit, name) for name in {before!r}}}
for module in {modules!r}:
    importlib.import_module(module)
late = {{name: getattr(lit, name) for name in {after!r}}}
assert all(getattr(lit, name) is each for name, each in (early | late).items())
for name, (module, attribute) in {stub_imports()!r}.items():
    assert getattr(lit, name) is getattr(importlib.import_module(module), attribute), name
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("file", ["README.md", "CONTRIBUTING.md", "examples/bot.py"])
def test_guides_and_examples_import_from_the_top(file: str) -> None:
    """What they import comes from ``literature_ai`` itself, and every ``lit.name`` is offered."""
    text = (ROOT / file).read_text(encoding="utf-8")
    assert not re.findall(r"^(?:>>> )?(?:from|import) literature_ai\.\S+", text, re.MULTILINE)
    assert set(re.findall(r"\blit\.(?!py\b)(\w+)", text)) <= {*lit.__all__, "__version__"}
    for names in re.findall(r"from literature_ai import (.+)", text):
        assert {name.strip() for name in names.split(",")} <= set(lit.__all__)
