"""What commands do when their output is full, closed, or no longer read, and with odd terminals."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from outputs import RECORD, SETTINGS, check, folder_with_store
from terminal import Terminal

from literature_ai.cli import commands
from literature_ai.cli import main as cli
from literature_ai.cli.streams import _in_ascii
from literature_ai.errors import FileError, StreamError
from literature_ai.output_files import write_file

QUICK = {
    "--help": ["--help"],
    "--version": ["--version"],
    "hint --help": ["hint", "--help"],
    "replay": ["replay", RECORD],
    "replay --json": ["replay", RECORD, "--json"],
    "agents": ["agents"],
    "import --help": ["import", "--help"],
    "bot --help": ["bot", "--help"],
    "serve --help": ["serve", "--help"],
    "report": ["report", "store.db"],
}
"""Commands that answer at once; `tests/slow` has all others."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the store of a tournament."""
    return folder_with_store(tmp_path_factory.mktemp("store"))


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("name", QUICK)
def test_streams_that_do_not_serve(name: str, setting: str, folder: Path) -> None:
    """A full disk or closed output is one line and exit code 1; a pipe closed early is quiet, with
    one exit code for all commands; a closed input or error output disturbs nobody."""
    check(QUICK[name], setting, folder)


@pytest.mark.parametrize("words", [["replay", "-"], ["assist"]])
def test_a_closed_input(words: list[str], folder: Path) -> None:
    """Commands that read the standard input say in one line that it is closed; exit code 1."""
    check(words, "no input", folder, reads_input=True)


class TestFiles:
    """Files that commands write."""

    @pytest.fixture(params=["--games-out", "--html"])
    def write(self, request, folder, capsys):
        """A command that writes a file, run with the path; its exit code and error output."""
        words = ["report", str(folder / "store.db")]
        if request.param == "--html":
            words = ["review", RECORD]

        def run(path: Path | str) -> tuple[int, str]:
            code = cli.main([*words, request.param, str(path)])
            return code, capsys.readouterr().err

        return run

    @pytest.mark.parametrize("target", ["old", "missing"])
    def test_a_link_is_written_through(self, write, target: str, tmp_path: Path) -> None:
        """A symbolic link stays one; the file that it points to is written, or made."""
        (tmp_path / "old").write_text("old")
        (tmp_path / "old").chmod(0o640)
        (tmp_path / "link").symlink_to(target)
        assert write(tmp_path / "link") == (0, "")
        assert os.readlink(tmp_path / "link") == target
        assert "game" in (tmp_path / target).read_text()
        assert (tmp_path / "old").stat().st_mode & 0o777 == 0o640
        assert {*os.listdir(tmp_path)} == {"old", "link", target}

    def test_a_fifo_is_written_to(self, write, tmp_path: Path) -> None:
        """A FIFO has the whole output for its reader, and is not replaced."""
        fifo = tmp_path / "fifo"
        os.mkfifo(fifo)
        read: list[str] = []
        reader = threading.Thread(target=lambda: read.append(fifo.read_text()))
        reader.start()
        assert write(fifo) == (0, "")
        reader.join()
        assert "game" in read[0]
        assert fifo.is_fifo()

    def test_a_full_device(self, write) -> None:
        """It is one line and exit code 1, and the device is still one."""
        assert write("/dev/full") == (
            1,
            "literature: cannot write /dev/full: no space left on device\n",
        )
        assert Path("/dev/full").is_char_device()

    @pytest.mark.parametrize(
        ("path", "said"),
        [
            ("no/x", "cannot write no/x: there is no folder no"),
            (".", "cannot write .: is a directory"),
            ("loop", "cannot write loop: too many levels of symbolic links"),
            ("a\x1b[2Jb/x", r"cannot write a\x1b[2Jb/x: there is no folder a\x1b[2Jb"),
        ],
    )
    def test_a_wrong_path(
        self, write, path: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It is one line that names the path, or the folder that is missing; exit code 2."""
        monkeypatch.chdir(tmp_path)
        Path("loop").symlink_to("loop")
        assert write(path) == (2, f"literature: {said}\n")

    def test_a_full_disk_leaves_the_old_file(self, tmp_path: Path) -> None:
        """A file that cannot be written whole stays as it was, and no draft is left."""
        path = tmp_path / "x"
        path.write_text("old")
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
        try:
            with pytest.raises(StreamError, match=r"cannot write .*: file too large"):
                write_file(path, "x" * 100_000)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert path.read_text() == "old"
        assert os.listdir(tmp_path) == ["x"]

    def test_the_pages_of_a_report(self, folder: Path, tmp_path: Path) -> None:
        """Each file of a report is written through links, and to FIFOs and devices, as well."""
        report = tmp_path / "report"
        report.mkdir()
        (tmp_path / "page").write_text("old")
        (report / "index.html").symlink_to("../page")
        (report / "ratings.png").symlink_to("/dev/full")
        words = ["report", str(folder / "store.db"), "--report", str(report)]
        assert cli.main(words) == 1
        assert (report / "ratings.png").is_symlink()
        assert "<html" in (tmp_path / "page").read_text()

    def test_a_reader_that_goes_away(self, tmp_path: Path) -> None:
        """The reader of a FIFO that goes early is quiet, as that of a pipe."""
        fifo = tmp_path / "fifo"
        os.mkfifo(fifo)
        reader = threading.Thread(target=lambda: open(fifo, "rb").close())
        reader.start()
        with pytest.raises(BrokenPipeError):
            write_file(fifo, "x" * 1_000_000)
        reader.join()

    def test_the_name_may_not_have_a_nul(self) -> None:
        """It comes from a file of options, for no command line can have it."""
        with pytest.raises(FileError, match="no name of a file has a NUL in it"):
            write_file("a\0b", "")


NAMES = ("[/b]", "[bold red]x", ":smile:", "[bot]", "\\[b]")


class TestText:
    """Text of users, narrow terminals, and terminals that know only ASCII."""

    @pytest.mark.parametrize("name", NAMES)
    def test_names_are_no_markup(
        self, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Text of users is never read as markup: it is shown as it is."""
        record = tmp_path / "game.lit"
        text = Path(RECORD).read_text()
        record.write_text(text.replace("start ", f"seat B1 {name}\nstart ", 1))
        for command in (["replay"], ["review"], ["hint", "--seat", "B1"]):
            assert cli.main([command[0], str(record), *command[1:]]) == 0
            shown = capsys.readouterr().out
            assert (name in shown) == (command[0] != "hint")

    def test_control_characters_are_shown(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Control characters in names of files, in arguments and in the words of bots are shown and
        not obeyed."""
        evil = "\x1b[2J\u202eevil\udcff"
        shown = r"\x1b[2J\u202eevil\udcff"
        bot = tmp_path / "bot.py"
        words = repr("Ring\x07 the bell.")
        bot.write_text(f"from literature_ai import Agent\n\nclass Bot(Agent):\n    {words}\n")
        for words in (
            ["replay", evil],
            ["review", RECORD, "--game", evil],
            ["agents", evil],
            ["agents", "--check", evil],
            [evil],
        ):
            assert cli.main(words) == 2
            said = capsys.readouterr().err
            assert said.count("\n") == 1
            assert shown in said or repr(evil)[1:-1] in said
            assert said.isascii()
        assert cli.main(["review", RECORD, "--html", str(tmp_path / "a\x07b.html")]) == 0
        assert r"a\x07b.html" in capsys.readouterr().out
        assert cli.main(["agents", f"{bot}:Bot"]) == 0
        assert capsys.readouterr().out.startswith(r"Ring\x07 the bell.")

    def test_levels_stay_apart_in_ascii(self) -> None:
        """ASCII-only output keeps its levels apart, and shows a question mark for all others."""
        levels = "·▁▂▃▄▅▆▇█"
        shown = levels.encode("ascii", _handler())
        assert len({*shown}) == len(levels) == len(shown)
        assert "Żółć".encode("ascii", _handler()) == b"????"

    @pytest.mark.parametrize("command", ["replay", "hint", "review", "report"])
    def test_a_narrow_terminal(self, command: str, folder: Path, tmp_path: Path) -> None:
        """On 40 columns no line is longer, and every number that a wide terminal shows is there:
        digits are never cut."""
        file = str(folder / "store.db") if command == "report" else RECORD
        words = [command, file, *["--seat", "B1"] * (command == "hint")]
        numbers = []
        for columns in (40, 200):
            with Terminal(*words, folder=tmp_path, kind="dumb", columns=columns) as terminal:
                shown = terminal.rest()
                assert terminal.ended() == 0
            assert max(len(line) for line in shown.split("\n")) <= columns
            numbers.append(Counter(re.findall(r"\d+(?:[.,]\d+)*", shown)))
        assert numbers[0] >= numbers[1]


def _handler() -> str:
    import codecs

    codecs.register_error("of this test", _in_ascii)
    return "of this test"


def test_every_command_is_tried() -> None:
    """The quick commands here and the others in the slow tests are all that there are."""
    from all_commands import COMMANDS

    tried = {words[0] for words in [*QUICK.values(), *COMMANDS.values()]}
    assert tried >= commands.available().keys()


def test_programs_that_are_started_have_an_error_output() -> None:
    """Where the error output is closed, programs that a command starts find one that goes nowhere,
    so that no file of theirs takes its place."""
    program = (
        "import subprocess, sys; from literature_ai.cli.streams import prepare; prepare();"
        "sys.exit(subprocess.call([sys.executable, '-c', 'import os; os.write(2, b\"lost\")']))"
    )
    shell = ["sh", "-c", 'exec "$@" 2>&-', "sh", sys.executable, "-c", program]

    assert 0 == subprocess.run(shell, check=False).returncode
