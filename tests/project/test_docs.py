"""The documentation does what it says: every command and snippet on it runs."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pages import ROOT, blocks, matches, put_on_path, run_page

from literature_ai.bots import external
from literature_ai.bots.registry import parse_spec
from literature_ai.bots.serve import Program
from literature_ai.cli import commands
from literature_ai.game.game import Game
from literature_ai.game.turns import play
from literature_ai.rules import PRESETS, SWITCHES, RuleSet

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
DISPLAYED = {"text", "json", "toml", "sh"}
"""Languages of blocks that are not run."""
SET_UP = {"pip", "make", "git", "docker", "sbatch", "dask", "eval", "literature"}
"""What ``sh`` blocks may have: steps that need a network, a cluster, or a shell of one's own."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_run(page: Path, tmp_path: Path, monkeypatch: Any, capsys: Any):
    """Every command on the page succeeds, prints what stands below it, and all Python runs."""
    folder = tmp_path / "here"
    folder.mkdir()
    for name in ("examples", "benchmarks"):
        shutil.copytree(ROOT / name, folder / name)
    monkeypatch.chdir(folder)
    put_on_path(tmp_path / "bin", monkeypatch)
    run_page(page, capsys)


def test_blocks_say_what_they_are():
    """Every block is run, or is of a language that is only shown; shell blocks set things up."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for language, body in blocks(text):
            assert language in {*DISPLAYED, "console", "python", "lit"}, (page.name, language)
            if language == "sh":
                first = {line.split()[0] for line in body.splitlines() if line.strip()}
                assert first <= SET_UP, (page.name, first)


def test_every_page_is_in_the_contents():
    """The index leads to every page."""
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^([a-z]+)$", index, re.MULTILINE))
    assert {page.stem for page in PAGES} - {"index"} == listed


def test_the_commands_are_described():
    """Every command of the command line stands on some page, in a block that is run."""
    ran = "".join(
        body
        for page in PAGES
        for language, body in blocks(page.read_text(encoding="utf-8"))
        if language == "console"
    )
    assert [] == [name for name in commands.available() if f"literature {name} " not in ran]


def test_the_rules_page_has_every_switch():
    """The page of the rules has a row for every switch, and names every preset."""
    page = (DOCS / "rules.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `([a-z0-9-]+)(?:=N)?` \|", page, re.MULTILINE))
    words = {name.replace("_", "-") for name in SWITCHES}
    words |= {"deck-54", "without-7s", "without-2s", "turn-seconds", "max-events"}
    assert words <= rows
    assert set(PRESETS) <= rows


class Overheard:
    """Stands for the process of a program, and keeps all messages with their answers."""

    alive, diagnostics, group = True, "", 0
    said: list[str] = []  # noqa: RUF012 (the test begins a list of its own)

    def __init__(self, words: list[str]) -> None:
        self.program = Program(parse_spec(words[0]))

    def exchange(self, message: str, seconds: float) -> bytes:
        answer = json.dumps(self.program.answer(json.loads(message)))
        self.said += [f"> {message}", f"< {answer}"]
        return answer.encode()

    def end(self) -> None:
        self.said.append('> {"op": "bye"}')


def test_transcripts_are_real(monkeypatch: Any):
    """The transcripts of the protocol are what a referee and an agent say to each other."""
    monkeypatch.setattr(external, "_Process", Overheard)
    for rules, block in zip(
        ("max-events=20", "claim-any-time"),
        re.findall(
            r"^```text\n(> .*?)^```$",
            (DOCS / "protocol.md").read_text(encoding="utf-8"),
            re.MULTILINE | re.DOTALL,
        ),
        strict=True,
    ):
        monkeypatch.setattr(Overheard, "said", [])
        game = Game.deal(RuleSet.parse(rules, 4), seed=5, start=0)
        agents: list[Any] = [parse_spec("greedy").make() for _ in range(4)]
        agents[1] = external.ExternalAgent("certain")
        play(game, agents, np.random.default_rng(5))
        agents[1].close()
        assert matches(block, "\n".join(Overheard.said)), "\n".join(Overheard.said)


def test_the_site_is_built_without_warnings(tmp_path: Path):
    """Sphinx builds all pages, and warns of nothing."""
    pytest.importorskip("sphinx")
    words = ["-W", "--keep-going", "-q", "-b", "html", "-d", str(tmp_path / "trees"), str(DOCS)]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *words, str(tmp_path / "site")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for page in PAGES:
        assert (tmp_path / "site" / f"{page.stem}.html").exists()


def test_the_extra_has_what_the_site_needs():
    """The extra `docs` names the theme and every extension that is not of Sphinx itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {re.split(r"[<>=\[]", word)[0] for word in project["optional-dependencies"]["docs"]}
    assert named == {"sphinx", "furo", "myst-parser"}
