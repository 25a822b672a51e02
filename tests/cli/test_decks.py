"""The decks without sevens and without twos: the usual game with other names everywhere."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers import random_game

from literature_ai.assist.session import Session
from literature_ai.bots.external import view_in_names
from literature_ai.cards import DECKS, SEAT_NAMES
from literature_ai.cli.main import main
from literature_ai.game.game import Game
from literature_ai.inference.knowledge import Knowledge
from literature_ai.records.lit import read, read_games, write, write_games
from literature_ai.records.record import Record
from literature_ai.rules import RuleSet

WORDS = ("without-7s", "without-2s")
RULES = RuleSet(max_events=200)
CARD = re.compile(r"\b([2-9TJQKA][SHDC])\b")


def renamed(text: str, word: str) -> str:
    """A text about the usual deck as it reads with the deck of this word."""
    names = dict(zip(DECKS[""], DECKS[word], strict=True))
    return CARD.sub(lambda found: names[found[1]], text)


def played(rules: RuleSet, until: int = 60) -> Game:
    """The same game under any deck."""
    return random_game(rules, np.random.default_rng(3), until=until, claim=0.08)


def without_rules(text: str) -> str:
    """The text without the words of the rules, the one thing that tells the decks apart."""
    text = re.sub(r"rules (max-events=200|without-[72]s max-events=200)\n", "", text)
    return re.sub(r"without-[72]s ", "", text)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A file with the same game for each deck, by its word."""
    paths = {}
    for word in ("", *WORDS):
        game = played(replace(RuleSet.parse(word), max_events=200))
        paths[word] = tmp_path / "game.lit" if not word else tmp_path / word / "game.lit"
        paths[word].parent.mkdir(exist_ok=True)
        write_games([Record.of(game, "17")], paths[word])
    return paths


def out(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(list(argv)) in (0, 1)
    captured = capsys.readouterr()
    return captured.out + captured.err


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize(
    "command",
    [
        "replay",
        "replay --json",
        "hint --seat A1",
        "hint --seat A1 --json",
        "hint --seat A1 --explain HC",
        "deals --seat A1 --list 2",
        "deals --seat A1 --sample 2 --json",
        "review",
        "review --json",
    ],
)
def test_every_output_follows_the_deck(
    command: str, word: str, files: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command says of the same game the same, with the names of the deck."""
    name, *options = command.split()
    usual = out(capsys, name, str(files[""]), *options)
    said = out(capsys, name, str(files[word]), *options)
    usual = usual.replace(str(files[""]), "FILE")
    assert CARD.search(usual)
    assert without_rules(said.replace(str(files[word]), "FILE")) == without_rules(
        renamed(usual, word)
    )


@pytest.mark.parametrize("word", WORDS)
def test_the_page_of_a_review_follows_the_deck(
    word: str, files: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page of a review has the names of the deck."""
    pages = []
    for file in (files[""], files[word]):
        out(capsys, "review", str(file), "--html", str(tmp_path / "page.html"))
        pages.append((tmp_path / "page.html").read_text(encoding="utf-8"))
    usual, said = pages
    assert CARD.search(usual)
    said = re.sub(r"(, )?without-[72]s max-events=200", r"\1max-events=200", said)
    assert said == renamed(usual, word)


@pytest.mark.parametrize("word", WORDS)
def test_what_is_printed_follows_the_deck(word: str) -> None:
    """Games, views, knowledge, records and the views of programs have the names of the deck."""

    def said(rules: RuleSet) -> str:
        game = played(rules)
        view = game.view(0)
        parts = [game, view, Knowledge.of(view), Record.of(game, "17"), view_in_names(view, [])]
        return without_rules("\n".join(map(str, parts)))

    rules = replace(RuleSet.parse(word), max_events=200)
    assert said(rules) == renamed(said(RULES), word)


@pytest.mark.parametrize("word", WORDS)
def test_assist_follows_the_deck(word: str) -> None:
    """A session takes and says the names of the deck: hand, events, tables, proofs, completions,
    refusals."""

    def session(rules: RuleSet) -> str:
        game = played(rules, until=25)
        record = str(Record.of(game, "17"))
        hand = next(line for line in record.splitlines() if line.startswith("hand A1"))
        talk = Session("kitchen")
        lines = ["6", rules.words(), "A1", hand.removeprefix("hand A1 "), SEAT_NAMES[game.start]]
        lines += [line for line in record.splitlines() if line.split()[0] in ("ask", "claim")]
        asked = hand.split()[2]
        lines += ["table", "asks", "claims", f"why {asked}", "why hc", "deals", "state", "log"]
        lines += [f"c a1 hc a1:{asked} y", "edit 3", "cancel", "undo 3"]
        said = [talk.enter(line).text for line in lines]
        assert sum("Not taken" in text for text in said) == 1, "but the last claim all is taken"
        return "\n".join([*said, *talk.completions("why "), talk.text])

    rules = replace(RuleSet.parse(word), max_events=200)
    assert without_rules(session(rules)) == without_rules(renamed(session(RULES), word))


@pytest.mark.parametrize("word", WORDS)
def test_records_keep_the_deck(word: str, files: dict[str, Path]) -> None:
    """A record says its deck, reads back as the same game, and its hands are of that deck."""
    (record,) = read_games(files[word])
    assert f"rules {word} max-events=200" in str(record).splitlines()
    assert read(write([record]))[0] == record
    assert record.events == read_games(files[""])[0].events
