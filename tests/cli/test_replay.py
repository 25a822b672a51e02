"""``literature replay``."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers import EVERY_RULE, random_game

from literature_ai.cli import streaming
from literature_ai.cli.main import main
from literature_ai.records.lit import read, write
from literature_ai.records.record import Record
from literature_ai.rules import RuleSet

GAME = """\
game 17
players 4
rules wrong-hides turn-seconds=30
seat A1 bayes [bold]
hand A1 2S 4S 6S TS QS AS 2H 3H 4H 5H 6H 7H
hand B1 3S 5S 7S 9S JS KS 9H TH JH QH KH AH
start A1
ask A1 B1 3S hit
ask A1 B2 5S miss
claim B2 LC B1:2C,3C B2:4C,5C,6C,7C wrong A2:6
"""
BAD = GAME.replace("hit", "miss")
MORE = "timeout B2\nclaim A1 LH A1:2H,3H,4H,5H,6H,7H right\nresult 2-0 unfinished\n"


def shown(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(["replay", *argv]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def parsed(capsys: pytest.CaptureFixture[str], *argv: str) -> Any:
    return json.loads(shown(capsys, *argv, "--json"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.lit"
    path.write_text(GAME)
    return path


class TestText:
    """What people see."""

    def test_a_game_in_progress(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """Hands that are known, numbered events in plain words, the running score, who is next."""
        lines = [line.rstrip() for line in shown(capsys, str(file)).split("\n")]
        claim = "B2 claims LC as B1:2C,3C B2:4C,5C,6C,7C: wrong, cards lost A2:6"
        assert lines == [
            "game 17: 4 players, wrong-hides turn-seconds=30",
            "A1  bayes [bold]  2S 4S 6S TS QS AS 2H 3H 4H 5H 6H 7H  starts",
            "B1                3S 5S 7S 9S JS KS 9H TH JH QH KH AH",
            "A2                hand not known",
            "B2                hand not known",
            f"#  event{' ' * (len(claim) - 5)}  A-B",
            f"1  {'A1 asks B1 for 3S: hit':{len(claim)}}  0-0",
            f"2  {'A1 asks B2 for 5S: miss':{len(claim)}}  0-0",
            f"3  {claim}  1-0",
            "in progress, 1-0: B2 is on turn",
            "",
        ]

    @pytest.mark.parametrize(
        ("end", "conclusion"),
        [
            (MORE, "result 2-0: unfinished, team A leads (broken off)"),
            ("result 1-0 unfinished\n", "result 1-0: unfinished, team A leads (broken off)"),
            ("timeout B2\n", "in progress, 1-0: A1 is on turn"),
        ],
    )
    def test_how_it_ends(
        self, end: str, conclusion: str, file: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The last line of a replay is the state of the game."""
        file.write_text(GAME + end)
        assert shown(capsys, str(file)).split("\n")[-2] == conclusion

    @pytest.mark.parametrize(
        ("words", "seed", "conclusion"),
        [
            ("", 1, "team A wins (majority)"),
            ("play-out", 3, "team A wins (all claimed)"),
            ("max-events=3", 1, "unfinished, level (max events)"),
        ],
    )
    def test_how_whole_games_end(
        self,
        words: str,
        seed: int,
        conclusion: str,
        file: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """Games end by a majority, with the last claim, or at the cap on events."""
        game = random_game(RuleSet.parse(words), np.random.default_rng(seed))
        file.write_text(write([Record.of(game, "1")]))
        assert shown(capsys, str(file)).rstrip().endswith(conclusion)

    def test_every_rule_can_be_shown(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """A game under each rule is shown with one line for each event."""
        rng = np.random.default_rng(3)
        games = [random_game(rules, rng) for rules in EVERY_RULE]
        file.write_text(write(Record.of(game, str(i)) for i, game in enumerate(games)))
        lines = shown(capsys, str(file)).split("\n")
        around = ("title", "heading of events", "conclusion", "blank line between games")
        expected = sum(len(game.events) + game.rules.players + len(around) for game in games)
        assert len(lines) == expected
        assert not [line for line in lines if "\x1b" in line]

    def test_games_are_chosen_by_id(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """All games of a file are shown, or the one that is named."""
        file.write_text(GAME + GAME.replace("17", "18"))
        assert shown(capsys, str(file)).count("in progress") == 2
        one = shown(capsys, str(file), "--game", "18")
        assert one.startswith("game 18")
        assert one.count("in progress") == 1


class TestJson:
    """What programs see."""

    def test_the_whole_answer(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """The JSON has every key that the help names, for every kind of event."""
        file.write_text(GAME + MORE.replace("claim A1", "pass A1 A2\nclaim A2"))
        file.write_text(file.read_text().replace("rules", "rules pass-turn"))
        answer = parsed(capsys, str(file))
        assert answer["file"] == str(file)
        (game,) = answer["games"]
        events = game.pop("events")
        hand_a1, hand_b1 = (line.split()[2:] for line in GAME.split("\n")[4:6])
        assert game == {
            "id": "17",
            "players": 4,
            "deck": 48,
            "rules": "pass-turn wrong-hides turn-seconds=30",
            "start": "A1",
            "seats": {
                "A1": {"name": "bayes [bold]", "hand": hand_a1},
                "B1": {"name": None, "hand": hand_b1},
                "A2": {"name": None, "hand": None},
                "B2": {"name": None, "hand": None},
            },
            "score": {"A": 2, "B": 0},
            "turn": None,
            "winner": "A",
            "ended_by": "broken_off",
            "unfinished": True,
        }
        assert events[0] == {
            "number": 1,
            "line": 8,
            "text": "ask A1 B1 3S hit",
            "type": "ask",
            "asker": "A1",
            "target": "B1",
            "card": "3S",
            "hit": True,
            "turn": "A1",
            "score": {"A": 0, "B": 0},
            "hand_sizes": {"A1": 13, "B1": 11, "A2": 12, "B2": 12},
        }
        assert events[2] == {
            "number": 3,
            "line": 10,
            "text": "claim B2 LC B1:2C,3C B2:4C,5C,6C,7C wrong A2:6",
            "type": "claim",
            "claimant": "B2",
            "half_suit": "LC",
            "holders": {"2C": "B1", "3C": "B1", "4C": "B2", "5C": "B2", "6C": "B2", "7C": "B2"},
            "right": False,
            "shown": None,
            "lost": {"A1": 0, "B1": 0, "A2": 6, "B2": 0},
            "turn": "B2",
            "score": {"A": 1, "B": 0},
            "hand_sizes": {"A1": 13, "B1": 11, "A2": 6, "B2": 12},
        }
        assert [(e["type"], e["turn"]) for e in events[3:]] == [
            ("timeout", "A1"),
            ("pass", "A2"),
            ("claim", "A2"),
        ]
        assert (events[3]["seat"], events[4]["giver"], events[4]["to"]) == ("B2", "A1", "A2")
        assert events[5]["shown"] == events[5]["holders"] == dict.fromkeys(hand_a1[6:], "A1")
        assert events[5]["lost"] is None

    def test_a_finished_game(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """In the JSON of a finished game nobody is on turn, and end and winner are given."""
        record = Record.of(random_game(RuleSet(), np.random.default_rng(1)), "1")
        file.write_text(write([record]))
        (game,) = parsed(capsys, str(file))["games"]
        assert (game["ended_by"], game["turn"], game["unfinished"]) == ("majority", None, False)
        assert game["winner"] == ("A" if record.score[0] > record.score[1] else "B")
        assert game["events"][-1]["turn"] is None
        assert [event["text"] for event in game["events"]] == [
            line for line in write([record]).split("\n") if line[:4] in ("ask ", "clai", "pass")
        ]


class TestManyGames:
    """Files of any length are shown while they are read."""

    @pytest.mark.parametrize("more", [[], ["--json"]])
    def test_output_comes_as_it_goes(
        self,
        more: list[str],
        file: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """A game is shown once so many games after it are read, so that what is wrong far below
        comes after the output of what is above, with exit code 2; of a short file that is wrong
        nothing is shown."""
        games = [GAME.replace("17", str(number)) for number in range(10)]
        file.write_text("".join(games) + BAD)
        assert main(["replay", str(file), *more]) == 2
        assert capsys.readouterr().out == ""
        monkeypatch.setattr(streaming, "GAMES_AHEAD", 3)
        assert main(["replay", str(file), *more]) == 2
        captured = capsys.readouterr()
        assert captured.out.count("A1 asks B1 for 3S" if not more else '"id"') == 7
        assert captured.err.count("\n") == 1
        file.write_text("".join(games))
        whole = shown(capsys, str(file), *more)
        assert whole.startswith(captured.out)
        if more:
            lines = whole.rstrip().split("\n")
            assert [game["id"] for game in json.loads(whole)["games"]] == list("0123456789")
            assert [json.loads(line.rstrip(","))["id"] for line in lines[1:-1]] == list(
                "0123456789"
            )

    def test_a_game_of_many_is_found(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """A message about a game that is not there lists 20 of the ids."""
        file.write_text("".join(GAME.replace("17", str(number)) for number in range(30)))
        assert shown(capsys, str(file), "--game", "29").startswith("game 29")
        assert main(["replay", str(file), "--game", "30"]) == 2
        ids = " ".join(map(str, range(20)))
        message = f"literature: {file} holds no game 30; it holds {ids} … (30 in all)\n"
        assert capsys.readouterr().err == message


class TestInput:
    """Where the record comes from, and what is wrong with it."""

    def test_standard_input(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """``-`` reads the record from standard input."""
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GAME.encode())))
        assert shown(capsys, "-").startswith("game 17")

    def test_a_bad_record_from_standard_input(self) -> None:
        """A bad record from standard input is one line of error that names the input, also in a
        process."""
        command = [sys.executable, "-m", "literature_ai", "replay", "-"]
        done = subprocess.run(command, input=BAD, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            "literature: <stdin>:8: 'ask A1 B1 3S miss': B1 has 3S: B1 was dealt it; "
            "write hit, or correct what came before\n"
        )

    @pytest.mark.parametrize(
        ("argv", "error"),
        [
            (["{dir}/none.lit"], "cannot read {dir}/none.lit: no such file or directory"),
            (["{dir}"], "cannot read {dir}: is a directory"),
            (
                ["{dir}/empty.lit"],
                "{dir}/empty.lit holds no game; a record starts with a line such as 'game 1'",
            ),
            (["{dir}/image.png"], "{dir}/image.png:1: this is not UTF-8; a record is a UTF-8 text"),
            (["{dir}/binary"], "{dir}/binary is a binary file; a record is a UTF-8 text"),
            (
                ["{dir}/game.lit", "--game", "18"],
                "{dir}/game.lit holds no game 18; it holds 17",
            ),
            (
                ["{dir}/bad.lit"],
                "{dir}/bad.lit:8: 'ask A1 B1 3S miss': B1 has 3S: B1 was dealt it; "
                "write hit, or correct what came before",
            ),
        ],
        ids=["missing", "folder", "empty", "image", "binary", "unknown id", "bad"],
    )
    def test_bad_input(
        self,
        argv: list[str],
        error: str,
        file: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """One line on the standard error, exit code 2, nothing on the standard output."""
        folder = file.parent
        (folder / "empty.lit").write_bytes(b"")
        (folder / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n\0")
        (folder / "binary").write_bytes(b"game\0")
        (folder / "bad.lit").write_text(BAD)
        for more in ([], ["--json"]):
            assert main(["replay", *(word.format(dir=folder) for word in argv), *more]) == 2
            captured = capsys.readouterr()
            assert captured.out == ""
            assert captured.err == f"literature: {error.format(dir=folder)}\n"

    def test_a_strange_name_does_not_stop_it(self, file: Path) -> None:
        """Characters that the terminal cannot show are replaced."""
        file.write_text(GAME.replace("bayes", "Żółć"), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "literature_ai", "replay", str(file)],
            capture_output=True,
            env={"PYTHONIOENCODING": "ascii"},
            check=True,
        )
        assert b"A1  ???? [bold]" in done.stdout
        assert read(file.read_text(encoding="utf-8"))[0].names[0] == "Żółć [bold]"
