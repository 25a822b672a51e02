"""The lines of texts: how they end, where a byte order mark stands, and files of any length."""

from __future__ import annotations

import io
import itertools
import sys
from pathlib import Path

import pytest

from literature_ai.assist.session import Session
from literature_ai.cli.main import main
from literature_ai.errors import FileError
from literature_ai.records import text
from literature_ai.records.lit import iter_games, read, read_games
from literature_ai.records.text import lines_in, lines_of, text_of
from tournaments.cli.tournament import read_toml

GAME = """\
game 1
hand A1 2S 3S 4S 9H TD JD QD KC
start A1
ask A1 B2 5S hit
ask A1 B1 AD miss
"""
ENDS = ("\n", "\r\n", "\r")


@pytest.mark.parametrize("end", ENDS, ids=repr)
def test_a_line_ends_at_cr_lf_or_both(end: str, tmp_path: Path) -> None:
    """A line ends at CR, LF or both: texts, files and their numbers are the same whichever."""
    ended = GAME.replace("\n", end)
    file = tmp_path / "game.lit"
    file.write_bytes(ended.encode())
    assert read(GAME) == read(ended) == read_games(file)
    assert list(lines_of(GAME)) == list(lines_of(ended)) == list(lines_in(file))
    assert read(ended)[0].lines == (4, 5)
    assert text_of(file) == ended


@pytest.mark.parametrize("end", ENDS, ids=repr)
def test_byte_order_marks_in_the_middle(end: str, tmp_path: Path) -> None:
    """A BOM in the middle of a file joined by cat, with or without an end of the line before it,
    separates the games."""
    first, second = GAME.replace("\n", end), GAME.replace("game 1", "game 2").replace("\n", end)
    for joined in (f"\ufeff{first}\ufeff{second}", f"\ufeff{first.rstrip()}\ufeff{second}"):
        file = tmp_path / "both.lit"
        file.write_bytes(joined.encode())
        assert read(first) + read(second) == read(joined) == read_games(file)
    assert text_of(file) == joined[1:]


def test_suits_of_phones_are_suits() -> None:
    """Suits with U+FE0F or U+FE0E behind them are the suits, in hands, asks and claims."""
    for selector in ("\ufe0f", "\ufe0e"):
        signs = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
        cards = {
            f"{rank}{suit}": f"{rank.replace('T', '10')}{sign}{selector}"
            for rank in "2345679TJQKA"
            for suit, sign in signs.items()
        }
        claim = "claim B1 LS B1:6S,7S B2:2S,3S,4S B3:5S wrong A1:2S,3S,4S,5S A2:6S A3:7S\n"
        typed = (GAME + claim).replace("AD miss", f"♦{selector}A miss")
        for name, shown in cards.items():
            typed = typed.replace(name, shown)
        assert read(typed.replace("LS", f"L♠{selector}")) == read(GAME + claim)


def test_assist_reads_lines_of_every_kind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Input of assist may have a BOM, suits of phones, and lines that end at CR, LF or both."""
    typed = "6\nnone\na1\n2♠️ 3s 4s 9h td jd qd kc\na1\nb2 5♠️ y\r\n\ufeffb1 ad n\n"
    files = []
    for number, end in enumerate(ENDS):
        data = ("\ufeff" + typed.replace("\r\n", "\n").replace("\n", end)).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        file = tmp_path / f"{number}.lit"
        assert main(["assist", str(file)]) == 0, capsys.readouterr().err
        files.append(read_games(file)[0])
    assert [read(GAME)[0].events] * 3 == [record.events for record in files]


@pytest.mark.parametrize("end", ENDS, ids=repr)
def test_an_unfinished_entry_is_taken_up_whatever_ends_its_lines(end: str) -> None:
    """The lines of an unfinished entry are found in a file with any line ends."""
    session = Session("kitchen")
    for line in ("4", "none", "a1", "2s 3s"):
        assert session.enter(line).ok
    assert session.text == Session.resumed(session.text.replace("\n", end), "game.lit").text


@pytest.mark.parametrize("end", ENDS, ids=repr)
def test_toml_files_of_tournaments(end: str, tmp_path: Path) -> None:
    """A TOML file may have a BOM, and lines that end at CR, LF or both."""
    file = tmp_path / "league.toml"
    file.write_bytes(f'\ufeffagents = ["greedy", "random"]{end}pairs = 3{end}'.encode())
    given = read_toml(str(file))
    assert (given.agents, given.pairs) == (["greedy", "random"], 3)


def test_a_number_of_5000_digits_in_toml_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A number of 5,000 digits in a TOML file is refused in one line with exit code 2."""
    file = tmp_path / "league.toml"
    file.write_text(f'agents = ["greedy", "random"]\npairs = {"1" * 5000}\n')
    assert main(["tournament", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"game 1\rstart \xff\n", ":2: this is not UTF-8; a record is a UTF-8 text"),
        (b"game 1\n\xed\xa0\x80\n", ":2: this is not UTF-8; a record is a UTF-8 text"),
        (b"game 1\n\xff\xfe\0", ":2: this is not UTF-8; a record is a UTF-8 text"),
        (b"game 1\nstart A1\0\n", " is a binary file; a record is a UTF-8 text"),
        (b"game 1\nstart A1" + b" " * 200, ":2: the line is too long; a record has short lines"),
    ],
)
def test_what_is_no_text(
    data: bytes, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first line that is no text is named, however the lines above it end."""
    monkeypatch.setattr(text, "LONGEST_LINE", 100)
    file = tmp_path / "game.lit"
    file.write_bytes(data)
    with pytest.raises(FileError) as caught:
        list(lines_in(file))
    assert str(caught.value) == f"{file}{message}"


def test_games_come_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of any number of games is read in bounded memory: a game is handed out once the next
    one begins, and what has not been asked for is not read."""

    class Endless(io.RawIOBase):
        """A record without an end, which counts how much of it was read."""

        games = 0

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
            Endless.games += 1
            chunk = GAME.replace("game 1", f"game {Endless.games}").encode()
            buffer[: len(chunk)] = chunk
            return len(chunk)

    stdin = io.TextIOWrapper(io.BufferedReader(Endless()))
    monkeypatch.setattr(sys, "stdin", stdin)
    found = [record.id for record in itertools.islice(iter_games("-"), 500)]
    assert found == [str(number) for number in range(1, 501)]
    assert Endless.games < 1000
