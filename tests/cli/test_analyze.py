"""`literature analyze`, the engine in `hint`, `assist` and `review`: what they print and refuse."""

from __future__ import annotations

import json
import shlex
import signal
import sys
import xml.dom.minidom
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from helpers import random_game

from literature_ai.analysis.engine import analyze
from literature_ai.cards import CARD_NAMES, SEAT_NAMES
from literature_ai.cli.main import main
from literature_ai.cli.stopping import Stop
from literature_ai.game.game import Game
from literature_ai.records.lit import write_games
from literature_ai.records.record import Record
from literature_ai.rules import RuleSet


def record_of(events: int) -> Record:
    """A game of random actions with all hands, after so many events."""
    game = random_game(RuleSet(), np.random.default_rng(4), events, claim=0.0)
    return Record.of(game, "7")


def write(folder: Path, record: Record) -> str:
    """A file with the record."""
    file = folder / "game.lit"
    write_games([record], file)
    return str(file)


@pytest.fixture
def few(tmp_path: Path) -> str:
    """A file with a game of eight events."""
    return write(tmp_path, record_of(8))


def out(capsys: pytest.CaptureFixture[str], *argv: str, status: int = 0) -> str:
    """What the command prints; it ends with the status."""
    assert status == main([*argv])
    return capsys.readouterr().out


def test_json_is_the_analysis(few: str, capsys: pytest.CaptureFixture[str]) -> None:
    """--json has what `analyze` found, each action as a line of a record without its answer."""
    record = record_of(8)
    turn = record.position().turn
    assert turn is not None
    argv = [
        "--seat",
        SEAT_NAMES[turn],
        "--budget",
        "16",
        "--seed",
        "3",
        "--json",
    ]
    said = json.loads(out(capsys, "analyze", few, *argv))
    found = analyze(record, turn, 16, 3)
    keys = "game seat team turn events budget seed stopped value choice reason candidates"
    assert keys.split() == list(said)
    assert ("7", 8, 16, 3, False) == tuple(
        said[key] for key in ("game", "events", "budget", "seed", "stopped")
    )
    assert found.value.score == said["value"]["score"]
    assert said["choice"] == said["candidates"][0]["action"]
    assert said["choice"].startswith(f"ask {said['turn']} ")
    assert [each.loss for each in found.candidates] == [each["loss"] for each in said["candidates"]]
    assert said["candidates"][0]["line"][0].startswith(said["choice"])
    again = out(capsys, "analyze", few, *argv, "--workers", "2")
    assert said == json.loads(again), "the same on any number of workers"


def test_words(few: str, capsys: pytest.CaptureFixture[str]) -> None:
    """For people: the value, the choice with its reason, and every candidate with how the game
    would go on, in lines of at most 100 columns."""
    seat = SEAT_NAMES[record_of(8).position().turn or 0]
    text = out(capsys, "analyze", few, "--seat", seat, "--budget", "16")
    parts = ["game 7 as", "Value for team", "Choice: ask for", "score after it", "choice"]
    assert sorted(parts, key=text.index) == parts
    assert max(map(len, text.splitlines())) <= 100
    assert "as everyone sees it" in out(capsys, "analyze", few, "--seat", "public", "--budget", "4")


def test_at_is_that_moment(few: str, capsys: pytest.CaptureFixture[str]) -> None:
    """--at N is the position after event N, as if the record ended there."""
    said = json.loads(
        out(capsys, "analyze", few, "--seat", "A1", "--at", "5", "--budget", "8", "--json")
    )
    assert analyze(record_of(8).at(5), 0, 8).value.score == said["value"]["score"]
    assert 5 == said["events"]


def test_named_candidates(few: str, capsys: pytest.CaptureFixture[str]) -> None:
    """--candidates adds actions in the short forms of a record."""
    record = record_of(8)
    turn = record.position().turn
    assert turn is not None
    hand = record.game().view(turn)
    last = hand.legal_asks[-1]
    named = f"{SEAT_NAMES[last.target]} {CARD_NAMES[last.card]}"
    argv = ["analyze", few, "--seat", SEAT_NAMES[turn], "--budget", "8", "--json"]
    said = json.loads(out(capsys, *argv, "--candidates", f"{named.lower()}; "))
    assert f"ask {SEAT_NAMES[turn]} {named}" in [each["action"] for each in said["candidates"]]


def test_every_decision_is_judged_and_kept(
    few: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """--all has a line for each decision; --store keeps each moment, and from a store cut off
    anywhere the same command goes on to the same result; --plot draws the game."""
    store, plot = str(tmp_path / "values"), str(tmp_path / "graph.svg")
    argv = ["analyze", few, "--all", "--budget", "8"]
    plain = out(capsys, *argv)
    assert 8 == sum(line[:4].strip().isdigit() for line in plain.splitlines())
    assert "Accuracy: " in plain
    whole = json.loads(out(capsys, *argv, "--json"))
    assert list(range(9)) == [moment["events"] for moment in whole["moments"]]
    assert plain == out(capsys, *argv, "--store", store, "--plot", plot)
    kept = Path(store).read_text()
    assert 10 == kept.count("\n")
    for cut in (len(kept) // 3, len(kept) - 2):
        Path(store).write_text(kept[:cut])
        assert whole == json.loads(out(capsys, *argv, "--store", store, "--json"))
        assert kept == Path(store).read_text()
    drawn = xml.dom.minidom.parse(plot)
    (line,) = drawn.getElementsByTagName("polyline")
    assert 9 == len(line.getAttribute("points").split())


def test_a_seat_has_its_own_view(
    few: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """--all --seat judges that seat alone, and has the value for its team by what it knew."""
    argv = ["analyze", few, "--all", "--seat", "B1", "--budget", "8", "--json"]
    said = json.loads(out(capsys, *argv))
    seats = {moment["decision"]["seat"] for moment in said["moments"] if moment["decision"]}
    assert seats <= {"B1"}
    assert all(moment["own"] for moment in said["moments"])
    own = analyze(record_of(8).at(3), 1, 8).value.score
    assert own == said["moments"][3]["own"]["score"]


def test_png_needs_matplotlib(
    few: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without matplotlib a .png is refused before anything is computed, and an .svg is named."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    file = tmp_path / "graph.png"
    assert 2 == main(["analyze", few, "--all", "--plot", str(file)])
    printed = capsys.readouterr()
    assert "" == printed.out
    assert "needs matplotlib" in printed.err
    assert "svg" in printed.err
    assert not file.exists()


def test_interrupted(
    few: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C shows what has been found so far, with exit code 130; a second one breaks off."""
    calls = []

    def go_on(self: Stop, done: int, of: int) -> bool:
        calls.append(done)
        if len(calls) == 1:
            signal.raise_signal(signal.SIGINT)
        return not self.wanted

    monkeypatch.setattr(Stop, "go_on", go_on)
    argv = ["analyze", few, "--seat", "A1", "--budget", "4000", "--json"]
    said = json.loads(out(capsys, *argv, status=130))
    assert said["stopped"]
    assert 0 < said["value"]["score"] < 1
    calls.clear()
    said = json.loads(out(capsys, "analyze", few, "--all", "--budget", "8", "--json", status=130))
    assert (True, []) == (said["stopped"], said["moments"])
    with Stop() as stop:
        signal.raise_signal(signal.SIGINT)
        assert stop.wanted
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


BAD = {
    "budget": ("--seat A1 --budget 0", "--budget 0: it must be a whole number from 1"),
    "too much": ("--seat A1 --budget 3000000", "--budget 3000000: it must be at most 20000"),
    "seed": ("--seat A1 --seed -1", "--seed -1: it must be a whole number from 0"),
    "workers": ("--seat A1 --workers 0", "--workers 0: it must be a whole number from 1"),
    "no number": ("--seat A1 --budget many", "invalid int value: 'many'"),
    "no seat": ("--budget 8", "the hands in game 7 are one of A1 B1 A2 B2 A3 B3"),
    "unknown seat": ("--seat C1", "'C1' is no seat here"),
    "after the end": ("--seat A1 --at 9", "there is no moment after 9 events: game 7 has 8"),
    "before the deal": ("--seat A1 --at -1", "there is no moment after -1 events"),
    "off turn": ("--seat {off} --candidates 'b1 2s'", "is not on turn"),
    "no card": ("--seat {on} --candidates 'b9 xx'", "--candidates: 'b9 xx'"),
    "an answer": ("--seat {on} --candidates 'b1 2s y'", "without an answer"),
    "public candidates": ("--seat public --candidates '{mate} 2s'", "for everyone"),
    "own team": ("--seat {on} --candidates '{mate} 2s'", "are not opponents"),
    "store alone": ("--seat A1 --store x", "--store needs --all"),
    "plot alone": ("--seat A1 --plot x.svg", "--plot needs --all"),
    "plot name": ("--all --plot x.pdf", "x.pdf is no name for a graph"),
    "all at": ("--all --at 3", "--at is one position"),
    "all candidates": ("--all --candidates 'b1 2s'", "--candidates are of one position"),
    "all public": ("--all --seat public", "leave out --seat public"),
    "other store": ("--all --store {file}", "is no store of 'literature analyze --all'"),
    "no folder": ("--all --store {file}/x", "cannot write"),
}


@pytest.mark.parametrize(("argv", "message"), BAD.values(), ids=BAD.keys())
def test_bad_input(argv: str, message: str, few: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Bad input is one clear line on the error output, nothing on the other, and exit code 2."""
    turn = record_of(8).position().turn or 0
    words = argv.format(
        on=SEAT_NAMES[turn],
        off=SEAT_NAMES[(turn + 1) % 6],
        mate=SEAT_NAMES[(turn + 2) % 6],
        file=few,
    )
    assert 2 == main(["analyze", few, *shlex.split(words)])
    printed = capsys.readouterr()
    assert "" == printed.out
    assert message in printed.err.splitlines()[-1]


def test_a_record_that_is_over_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The end of a game has no value to find, but a moment before it has; a store of another budget
    is refused, and so is a seat without a hand."""
    game = random_game(RuleSet(players=4), np.random.default_rng(2))
    file = write(tmp_path, Record.of(game, "9"))
    last = len(game.events)
    assert 2 == main(["analyze", file, "--seat", "A1"])
    assert f"game 9 is over after {last} events; look at an earlier" in capsys.readouterr().err
    assert 0 == main(["analyze", file, "--seat", "A1", "--at", str(last - 1), "--budget", "4"])
    record = replace(record_of(3), hands=(record_of(3).hands[0], *[None] * 5))
    file, store = write(tmp_path, record), str(tmp_path / "store")
    assert 2 == main(["analyze", file, "--seat", "B1"])
    assert "has no hand of B1" in capsys.readouterr().err
    assert 0 == main(["analyze", file, "--all", "--budget", "4", "--store", store])
    assert 2 == main(["analyze", file, "--all", "--budget", "5", "--store", store])
    assert "is of another budget (4, not 5)" in capsys.readouterr().err


def test_hint_names_the_choice(few: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`hint` has the engine's choice, value and reason, in words and JSON; --no-engine has none."""
    record = record_of(8)
    turn = record.position().turn
    assert turn is not None
    seat = SEAT_NAMES[turn]
    found = analyze(record, turn)
    text = " ".join(out(capsys, "hint", few, "--seat", seat).split())
    assert "Engine: ask for" in text
    assert found.reason in text
    said = json.loads(out(capsys, "hint", few, "--seat", seat, "--json"))["engine"]
    assert found.value.score == said["value"]["score"]
    assert found.reason == said["reason"]
    assert said["choice"].startswith(f"ask {seat} ")
    assert "Engine" not in out(capsys, "hint", few, "--seat", seat, "--no-engine")
    said = json.loads(out(capsys, "hint", few, "--seat", seat, "--no-engine", "--json"))
    assert said["engine"] is None


def test_assist_names_the_choice_on_the_own_turn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`assist` shows the engine's choice whenever the player comes on turn, and only then."""
    game = Game.deal(RuleSet(), seed=3, start=1)
    hands = [game.dealt[0], *[None] * 5]
    empty = Record("1", game.rules, 1, tuple(hands), (None,) * 6, (), (0, 0))
    card = next(c for c in range(48) if c not in game.dealt[0])
    for more, times in (([], 1), (["--no-engine"], 0)):
        file = write(tmp_path, empty)
        monkeypatch.setattr("sys.stdin", StringIO(f"b1 a1 {CARD_NAMES[card]} n\ntable\n"))
        text = out(capsys, "assist", file, *more)
        assert times == text.count("Engine: ask for")


def test_assist_saves_before_it_thinks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line is in the file before the engine is asked, so that no interrupt can lose it."""
    game = Game.deal(RuleSet(), seed=3, start=1)
    hands = (game.dealt[0], *[None] * 5)
    file = write(tmp_path, Record("1", game.rules, 1, hands, (None,) * 6, (), (0, 0)))
    card = next(card for card in range(48) if card not in game.dealt[0])

    def interrupted(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("literature_ai.cli.assist._warm_up", lambda engine: None)
    monkeypatch.setattr("literature_ai.analysis.engine.analyze", interrupted)
    monkeypatch.setattr("sys.stdin", StringIO(f"b1 a1 {CARD_NAMES[card]} n\n"))
    assert 130 == main(["assist", file])
    assert f"ask B1 A1 {CARD_NAMES[card]} miss" in Path(file).read_text()


def test_review_by_value(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`review --engine` has accuracies, mistakes of three sizes with what was better, thresholds
    and the graph, in words, as JSON and on the page; without it nothing of that."""
    file = write(tmp_path, record_of(30))
    plain = out(capsys, "review", file)
    assert "By value" not in plain
    text = out(capsys, "review", file, "--engine", "--budget", "16", "--seat", "A2")
    assert text.startswith(out(capsys, "review", file, "--seat", "A2"))
    for part in ("By value, with a budget of 16", "accuracy: A2 ", "exp(-8", "A2's view"):
        assert part in text
    assert max(map(len, text.splitlines())) <= 100
    assert json.loads(out(capsys, "review", file, "--json"))["engine"] is None
    said = json.loads(out(capsys, "review", file, "--json", "--engine", "--budget", "16"))["engine"]
    assert 31 == len(said["moments"])
    assert {"inaccuracy", "mistake", "blunder"} == set(said["mistakes"])
    assert sum(said["mistakes"].values()), "random players make mistakes"
    page = tmp_path / "review.html"
    out(capsys, "review", file, "--engine", "--budget", "16", "--html", str(page))
    html = page.read_text(encoding="utf-8")
    xml.dom.minidom.parseString(html.replace("<!DOCTYPE html>", ""))
    assert sum(said["mistakes"].values()) == html.count("gave away")
    assert "better: " in html
    assert 2 == main(["review", file, "--budget", "5"])
    assert "--budget 5 needs --engine" in capsys.readouterr().err
