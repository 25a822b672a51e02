"""``literature import``."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from foreign_logs import in_braces, in_messages
from helpers import random_game

from literature_ai.cli.main import main
from literature_ai.records.lit import read, read_games
from literature_ai.rules import RuleSet

NAMES = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay")
RULES = RuleSet.parse("claim-any-time bluff-asks")


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A brace log of a game, three times, in which people bluff and claim off turn."""
    rng = np.random.default_rng(12)
    file = tmp_path / "club.log"
    file.write_text(3 * in_braces(random_game(RULES, rng), NAMES))
    return file


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """What a bot got in a game."""
    rng = np.random.default_rng(4)
    file = tmp_path / "bot.jsonl"
    file.write_text("\n".join(in_messages(random_game(RuleSet(), rng), rng, [2])))
    return file


def test_several_files_become_one_record(
    club: Path, bot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The games of all files are numbered and written to one record, formats told apart; what was
    guessed is said, and stands above each game."""
    out = tmp_path / "out.lit"
    out.write_text("old")
    assert main(["import", str(club), str(bot), "-o", str(out)]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    words = "claim-any-time bluff-asks"
    assert captured.err == (
        f"literature: 3 games: 6 players, {words}; guessed {words}\n"
        "literature: 1 game: 6 players, usual rules; no switch guessed\n"
    )
    records = read_games(out)
    assert [record.id for record in records] == ["1", "2", "3", "4"]
    assert [record.names for record in records] == [NAMES] * 3 + [(None,) * 6]
    comments = [line for line in out.read_text().split("\n") if line.startswith("#")]
    assert comments[0].startswith(f"# {club}:7; guessed {words}; implied pass")
    assert comments[3] == f"# {bot}:4"
    assert sorted(tmp_path.iterdir()) == sorted([club, bot, out])
    assert main(["import", str(club), str(bot)]) == 0
    assert capsys.readouterr().out == out.read_text()


def test_json(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One object, one game a line, with what the log did not say and the record itself."""
    assert main(["import", str(club), "--json"]) == 0
    text = capsys.readouterr().out
    games = json.loads(text)["games"]
    assert [json.loads(line.rstrip(",")) for line in text.split("\n")[1:-2]] == games
    assert [game["id"] for game in games] == ["1", "2", "3"]
    first = games[0]
    (record,) = read(first["record"])
    assert (first["file"], first["line"], first["players"]) == (str(club), 7, 6)
    assert first["rules"].split() == first["guessed"] == RULES.words().split()
    assert first["names"] == dict(zip(["A1", "B1", "A2", "B2", "A3", "B3"], NAMES, strict=True))
    assert all(
        str(record).split("\n")[-len(record.events) - 1 :][n - 1].startswith("pass")
        for n in first["implied"]
    )


def test_standard_input(
    bot: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``-`` reads the log from standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(bot.read_bytes())))
    assert main(["import", "-"]) == 0
    assert capsys.readouterr().out.startswith("# <stdin>:4\ngame 1\n")


def test_nothing_is_half_done(
    club: Path, bot: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of logs with one wrong line nothing is written: one line, exit code 2, and the file of -o is
    as it was."""
    bot.write_text(bot.read_text() + '\n"ask A1 A2 2S hit"\n')
    out = tmp_path / "out.lit"
    out.write_text("old")
    for more in (["-o", str(out)], [], ["--json"]):
        assert main(["import", str(club), str(bot), *more]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith(f"literature: {bot}:")
        assert captured.err.count("\n") == 1
        assert out.read_text() == "old"
        assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["{dir}/none.log"], "cannot read {dir}/none.log: no such file or directory"),
        (["{dir}/club.log", "--format", "pgn"], "invalid choice: 'pgn'"),
        (["{dir}/club.log", "--format", "jsonl"], "{dir}/club.log:1:"),
        (["{dir}/bot.jsonl", "--format", "braces"], "{dir}/bot.jsonl:1:"),
        (["{dir}/club.log", "-o", "{dir}/club.log"], "{dir}/club.log is one of the logs; name"),
        (["{dir}/club.log", "-o", "{dir}/none/out.lit"], "cannot write {dir}/none/out.lit: "),
        (["{dir}/image.png"], "{dir}/image.png:1: this is not UTF-8; a log is a UTF-8 text"),
        (["{dir}/deals.log"], "no deal makes "),
    ],
)
def test_bad_input(
    argv: list[str],
    message: str,
    club: Path,
    bot: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line that says what is wrong, exit code 2, nothing on the standard output."""
    before = club.read_text()
    (tmp_path / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n\0")
    (tmp_path / "deals.log").write_text(CLASH)
    assert main(["import", *(word.format(dir=tmp_path) for word in argv)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert message.format(dir=tmp_path) in captured.err
    assert club.read_text() == before


HAND = '["2S", "3S", "4S", "5S", "6S", "9H", "TD", "JD"]'
CLASH = f"""\
{{"op": "new_game", "seat": "A1", "hand": {HAND}, "rules": {{}}}}
"ask B1 A1 2S hit"
"ask B1 A1 3S hit"
"ask B1 A2 9S miss"
"ask A2 B2 2H miss"
"ask B2 A1 4S hit"
"""
