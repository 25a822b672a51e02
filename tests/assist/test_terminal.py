"""`literature assist` as people meet it: at a terminal, killed, and behind a pipe."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from processes import LITERATURE
from terminal import Terminal

from literature_ai.assist.session import Session
from literature_ai.records.lit import read_games

SET_UP = ("6", "none", "a1", "2s 5s 6s ts as 4h 9h qd", "a2")
RECORD = """\
game kitchen
players 6
hand A1 2S 5S 6S TS AS 4H 9H QD
start A2
ask A2 B3 TC miss
"""


def test_a_session_at_a_terminal(tmp_path: Path):
    """With mistakes, Tab, the arrow keys, Ctrl-C and Ctrl-D; everything is saved."""
    with Terminal("assist", "kitchen.lit", folder=tmp_path) as terminal:
        shown = terminal.until("players (4, 6 or 8; Enter: 6)>")
        assert "loading the engine" in shown
        assert "Every line is saved in kitchen.lit" in shown
        terminal.answer("7", "'7' is no number of players; write 4, 6 or 8.")
        terminal.until("Enter: 6)>")
        terminal.answer("", "rules (words or numbers; Enter: none)>")
        terminal.answer("", "your seat (A1 B1 A2 B2 A3 B3)>")
        terminal.answer("a1", "8 to go>")
        terminal.answer("2s 5s 6s ts as 4h 9h qx", "'qx' is no card")
        terminal.until("8 to go>")
        # The arrow brings the line back, where its last letter is put right.
        terminal.answer("\x1b[A\x7fd", "who starts")
        terminal.answer("a2", "1 A2>")
        terminal.answer("b3 tc n", "2 B3>")
        terminal.answer("a1 2s n", "did A1 really say no to 2S?")
        terminal.until("2 B3>")
        terminal.type("a1 tc\x03")
        terminal.type("wh\t")
        terminal.until("why")
        terminal.answer(" 2s", "A1 has 2S for certain:")
        terminal.until("2 B3>")
        terminal.answer("a2 kc n\x1b[200~\rundo\r\x1b[201~", "Took back 2.")
        terminal.until("2 B3>")
        assert RECORD == (tmp_path / "kitchen.lit").read_text()
        terminal.type("\x03")
        terminal.until("Ctrl-C again, Ctrl-D or quit ends the session.")
        terminal.until("2 B3>")
        terminal.type("\x04")
        terminal.until("Everything is saved; 'literature assist kitchen.lit' goes on.")
        assert 0 == terminal.ended()
    assert 1 == len(read_games(tmp_path / "kitchen.lit"))


def test_a_plain_terminal(tmp_path: Path):
    """A dumb terminal sees no escape sequence, and Ctrl-C twice ends the session."""
    with Terminal("assist", folder=tmp_path, kind="dumb", NO_COLOR="1") as terminal:
        shown = terminal.until("Enter: 6)> ")
        for answer, next_question in zip(
            SET_UP, ("none)> ", "B3)> ", "go> ", "B3)> ", "A2> "), strict=True
        ):
            shown += terminal.answer(answer, next_question)
        shown += terminal.answer("table", ". impossible\n1 A2> ")
        assert "\x1b" not in shown
        assert max(map(len, shown.split("\n"))) <= 80
        terminal.type("\x03")
        terminal.until("Ctrl-C again")
        terminal.until("1 A2> ")
        terminal.type("\x03")
        terminal.until("Everything is saved; 'literature assist literature-")
        assert 0 == terminal.ended()
    (file,) = tmp_path.iterdir()
    assert file.name.startswith("literature-20")


def test_a_session_killed_after_any_line_goes_on(tmp_path: Path):
    """SIGKILL after the reply to a line, even a refused or unfinished one, loses nothing."""
    file = tmp_path / "kitchen.lit"
    mirror = Session("kitchen")
    lines = iter(["6", "none", "a1", "2s 5s 6s ts", "x", "as 4h 9h qd", "a2", "b3 tc n"])
    for lines_of_a_life in (1, 3, 1, 2, 1):
        with Terminal("assist", "kitchen.lit", folder=tmp_path, kind="dumb") as terminal:
            terminal.until(mirror.prompt)
            for _ in range(lines_of_a_life):
                line = next(lines)
                mirror.enter(line)
                terminal.answer(line, f"\n{mirror.prompt}")
                assert mirror.text == file.read_text()
            terminal.kill()
        assert mirror.text == Session.resumed(file.read_text(), "kitchen.lit").text
    assert RECORD == file.read_text()


def test_a_second_session_on_one_file(tmp_path: Path):
    """It is one clear line of error with exit code 2, and `load` of that file is not taken."""
    (tmp_path / "kitchen.lit").write_text(RECORD)
    with Terminal("assist", "kitchen.lit", folder=tmp_path, kind="dumb") as terminal:
        terminal.until("2 B3> ")
        done = piped("a1 tc n", "kitchen.lit", folder=tmp_path)
        assert (2, "") == (done.returncode, done.stdout)
        assert done.stderr == (
            "literature: kitchen.lit is open in another session; end that one, or name another"
            " file\n"
        )
        done = piped("load kitchen.lit", "other.lit", folder=tmp_path)
        assert "Not taken: kitchen.lit is open in another session" in done.stderr
        terminal.answer("a1 tc n", "2. B3 asks A1 for TC: miss")
    assert "ask B3 A1 TC miss\n" in (tmp_path / "kitchen.lit").read_text()


def test_what_others_do_to_the_file_of_a_session(tmp_path: Path):
    """A file changed by an editor, or deleted, is noticed before the next write and said; both
    versions are kept; "Everything is saved" is true when it is said."""
    file, second, third = (tmp_path / f"kitchen{n}.lit" for n in ("", "-2", "-2-2"))
    file.write_text(RECORD)
    with Terminal("assist", "kitchen.lit", folder=tmp_path, kind="dumb") as terminal:
        terminal.until("2 B3> ")
        file.write_text("game theirs\n")
        terminal.answer("a1 tc n", "kitchen.lit was changed by another program and is left")
        terminal.until("3 A1 (you)> ")
        assert file.read_text() == "game theirs\n"
        assert second.read_text() == RECORD + "ask B3 A1 TC miss\n"
        second.unlink()
        terminal.type("\x03")
        terminal.until("kitchen-2.lit was deleted; it is written again. Everything is saved.")
        assert second.read_text() == RECORD + "ask B3 A1 TC miss\n"
        terminal.until("3 A1 (you)> ")
        second.write_text("")
        terminal.type("quit\r")
        shown = " ".join(terminal.rest().split())
        assert "kitchen-2.lit was changed by another program and is left as it is; the" in shown
        assert "Everything is saved; 'literature assist kitchen-2-2.lit' goes on." in shown
        assert 0 == terminal.ended()
    assert (second.read_text(), third.read_text()) == ("", RECORD + "ask B3 A1 TC miss\n")


def test_a_session_that_cannot_be_saved_does_not_end_at_once(tmp_path: Path):
    """It says so at every line and when it should end; `save` saves it elsewhere."""
    folder = tmp_path / "gone"
    folder.mkdir()
    (folder / "kitchen.lit").write_text(RECORD)
    with Terminal("assist", "gone/kitchen.lit", folder=tmp_path, kind="dumb") as terminal:
        terminal.until("2 B3> ")
        (folder / "kitchen.lit").unlink()
        folder.rmdir()
        terminal.answer("a1 tc n", "NOT SAVED: cannot write gone/kitchen.lit: no such file")
        terminal.until("3 A1 (you)> ")
        terminal.answer("quit", "quit again ends the session all the same.")
        terminal.answer("save here.lit", "Saved in here.lit, where the session goes on.")
        terminal.until("3 A1 (you)> ")
        terminal.answer("quit", "Everything is saved; 'literature assist here.lit' goes on.")
        assert 0 == terminal.ended()
    assert (tmp_path / "here.lit").read_text() == RECORD + "ask B3 A1 TC miss\n"


def test_a_narrow_terminal(tmp_path: Path):
    """On 40 columns no line is longer, and the table names the seats beside each card."""
    (tmp_path / "kitchen.lit").write_text(RECORD)
    with Terminal("assist", "kitchen.lit", folder=tmp_path, kind="dumb", columns=40) as terminal:
        shown = terminal.until("2 B3> ")
        shown += terminal.answer("table hs", "2 B3> ")
        shown += terminal.answer("help", "2 B3> ")
        assert "  TS  A1* 100\n" in shown
        assert max(map(len, shown.split("\n"))) <= 40


def piped(lines: str, *words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command with these lines on its standard input."""
    return subprocess.run(
        [*LITERATURE, "assist", *words], input=lines, capture_output=True, text=True, cwd=folder
    )


def test_a_pipe_with_mistakes(tmp_path: Path):
    """Bad lines are named on the error output with their numbers; the rest counts; exit code 1."""
    text = "\n".join(["# set-up", *SET_UP, "b3 tc maybe", "b3 tc n", "a1 2s n", "save copy.lit"])
    done = piped(text, "kitchen.lit", folder=tmp_path)
    assert 1 == done.returncode
    first, second = done.stderr.splitlines()
    assert first.startswith("literature: line 7: 'b3 tc maybe': Not taken: 'maybe' is no")
    assert second.startswith("literature: line 9: 'a1 2s n': Not taken: event 2 cannot be true")
    assert "1. A2 asks B3 for TC: miss\n" in done.stdout
    assert "> " not in done.stdout, "nobody is there to be prompted"
    assert RECORD == (tmp_path / "kitchen.lit").read_text()
    assert RECORD == (tmp_path / "copy.lit").read_text()


def test_a_pipe_without_mistakes(tmp_path: Path):
    """Exit code 0, and what it wrote is what `literature hint` reads."""
    done = piped("\n".join([*SET_UP, "b3 tc n", "quit", "rubbish"]), "kitchen.lit", folder=tmp_path)
    assert (0, "") == (done.returncode, done.stderr)
    hint = subprocess.run(
        [*LITERATURE, "hint", "kitchen.lit"], capture_output=True, text=True, cwd=tmp_path
    )
    assert 0 == hint.returncode
    assert "game kitchen as A1 sees it after 1 events: B3 is on turn" in hint.stdout


def test_a_pipe_that_stops_in_the_set_up(tmp_path: Path):
    """Is told so, and can go on later; `load` goes on with another file."""
    done = piped("6\nnone", "kitchen.lit", folder=tmp_path)
    assert (1, "literature: the last entry is not finished\n") == (done.returncode, done.stderr)
    rest = "\n".join(["nonsense", "load kitchen.lit", *SET_UP[2:], "b3 tc n", "save kitchen.lit"])
    done = piped(rest, "other.lit", folder=tmp_path)
    assert 1 == done.returncode
    assert "kitchen.lit exists already; name another file" in done.stderr
    assert RECORD == (tmp_path / "kitchen.lit").read_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"\xff\xfe", "kitchen.lit:1: this is not UTF-8; a record is a UTF-8 text"),
        (b"hello", "kitchen.lit:1: 'hello': this stands before the first game; start the record"),
        (RECORD.encode() * 2, "kitchen.lit holds several games; choose one of kitchen kitchen"),
    ],
)
def test_a_file_that_cannot_be_gone_on_with(text: bytes, message: str, tmp_path: Path):
    """An unusable file is one clear line of error, exit code 2, and is left unchanged."""
    (tmp_path / "kitchen.lit").write_bytes(text)
    done = piped("", "kitchen.lit", folder=tmp_path)
    assert 2 == done.returncode
    assert done.stderr.startswith(f"literature: {message}")
    assert 1 == done.stderr.count("\n")
    assert text == (tmp_path / "kitchen.lit").read_bytes()


def test_what_cannot_be_saved_is_said(tmp_path: Path):
    """If the file cannot be written, a message says so, and the exit code is 1."""
    done = piped("\n".join(SET_UP), "no-such-folder/kitchen.lit", folder=tmp_path)
    assert 1 == done.returncode
    said = "NOT SAVED: cannot write no-such-folder/kitchen.lit: no such file"
    assert said in done.stdout
    assert done.stderr.startswith(f"literature: {said}")
    assert 1 == done.stderr.count("\n")


def test_what_is_no_ordinary_file_gets_the_record_at_the_end(tmp_path: Path):
    """A FIFO or device is written to, never replaced; a full one is one line and exit code 1."""
    done = piped("\n".join([*SET_UP, "b3 tc n"]), "/dev/stderr", folder=tmp_path)
    assert (0, RECORD) == (done.returncode, done.stderr.replace("game stderr", "game kitchen"))
    done = piped("\n".join(SET_UP), "/dev/full", folder=tmp_path)
    assert (1, 1) == (done.returncode, done.stderr.count("\n"))
    assert "NOT SAVED in /dev/full: cannot write /dev/full: no space left" in done.stderr
    assert not (tmp_path / "kitchen.lit").exists()
