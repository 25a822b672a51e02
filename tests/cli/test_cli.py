"""The command line as a whole: help, errors, interrupts, and what it imports."""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import literature_ai
from literature_ai.cli import commands
from literature_ai.cli import main as cli
from literature_ai.errors import LiteratureError
from solver.errors import ContradictionError

CASE = str(Path(__file__).parents[1] / "cases" / "case-03.lit")
ROOT = Path(__file__).parents[2]
HEAVY = ("numpy", "numba", "pysat", "rich", "matplotlib", "tqdm", "jinja2")


def in_a_new_process(code: str) -> list[str]:
    """Which of the heavy packages are imported after running the code."""
    report = f"import sys; print('\\n', *(m for m in {HEAVY!r} if m in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True
    )
    return done.stdout.split("\n")[-2].split()


class TestImports:
    """Heavy packages are imported only when needed."""

    def test_importing_the_package_imports_nothing_heavy(self) -> None:
        """Importing the packages and accessing all names but those that compute imports nothing
        heavy."""
        assert in_a_new_process("import literature_ai, solver, tournaments") == []
        computing = {"BestClaim", "Knowledge"}
        names = [n for n in literature_ai.__all__ if n not in computing]
        code = f"import literature_ai as lit; [getattr(lit, name) for name in {names!r}]"
        assert in_a_new_process(code) == []

    def test_help_imports_nothing_heavy(self) -> None:
        """Listing the commands imports no heavy package, and no module of a command."""
        code = (
            "from literature_ai.cli.main import main\n"
            "try: main(['--help'])\nexcept SystemExit: pass"
        )
        assert in_a_new_process(code) == []
        check = "import sys\nassert 'tournaments' not in sys.modules"
        assert in_a_new_process(f"{code}\n{check}") == []

    def test_json_needs_no_colours(self) -> None:
        """Only output for people imports rich."""
        code = f"from literature_ai.cli.main import main; main(['replay', {CASE!r}{{}}])"
        assert "rich" not in in_a_new_process(code.format(", '--json'"))
        assert "rich" in in_a_new_process(code.format(""))

    def test_everything_offered_is_there(self) -> None:
        """Each name of ``__all__`` is found, listed, and the same as in its own module."""
        for name in literature_ai.__all__:
            assert getattr(literature_ai, name) is not None
            assert name in dir(literature_ai)
        assert literature_ai.parse_card("3D") == 25
        assert literature_ai.card_name(25) == "3D"
        assert sorted(literature_ai.__all__) == literature_ai.__all__

    def test_what_is_not_offered_is_not_there(self) -> None:
        """A name that the package does not offer raises the usual AttributeError."""
        with pytest.raises(AttributeError, match="has no attribute 'Poker'"):
            _ = literature_ai.Poker


class TestHelp:
    """What the command says of itself."""

    def test_it_lists_every_command(self, capsys: pytest.CaptureFixture[str]) -> None:
        """The first line of each command's docstring, in a line of at most 90 characters."""
        with pytest.raises(SystemExit) as caught:
            cli.main(["--help"])
        assert caught.value.code == 0
        shown = capsys.readouterr().out.splitlines()
        listed = shown[shown.index("commands:") + 1 :]
        found = commands.available()
        for line, (name, module) in zip(listed, found.items(), strict=False):
            (about, *_) = str(importlib.import_module(module).__doc__).splitlines()
            assert line.split(maxsplit=1) == [name, about]
        assert max(map(len, shown)) <= 90
        assert [*found][:3] == ["play", "hint", "assist"], "the order is that of the table"
        assert {"tournament", "benchmark", "resume", "report"} <= found.keys()

    @pytest.mark.parametrize("name", commands.available())
    def test_each_command_helps_with_an_example(
        self, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The help of every command has an example."""
        with pytest.raises(SystemExit) as caught:
            cli.main([name, "--help"])
        assert caught.value.code == 0
        shown = capsys.readouterr().out
        assert "example" in shown
        assert shown.count(f"literature {name}") >= 2

    def test_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        """``--version`` prints the version of the package."""
        with pytest.raises(SystemExit) as caught:
            cli.main(["--version"])
        assert caught.value.code == 0
        assert capsys.readouterr().out == f"literature {literature_ai.__version__}\n"

    def test_without_a_command_it_is_wrong_use(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Without a command the help goes to standard error, with exit code 2."""
        assert cli.main([]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "commands:" in captured.err

    def test_python_can_run_the_package(self) -> None:
        """``python -m literature_ai`` is the same command."""
        command = [sys.executable, "-m", "literature_ai", "--version"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout == f"literature {literature_ai.__version__}\n"


class TestCommandsOfOtherPackages:
    """Entry points in the group `literature_ai.commands` become commands."""

    LADDER = (
        '"""Climb the ladder.\n\nexample:\n  literature ladder 3\n"""\n'
        "def add_arguments(parser): parser.add_argument('rungs', type=int)\n"
        "def run(args): print('rung', args.rungs); return 1\n"
    )

    @pytest.fixture
    def packages(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """An installed distribution with one command that works and three that do not."""
        package = tmp_path / "ladders"
        package.mkdir()
        (package / "__init__.py").write_text("import sys; sys.ladders_imported = True\n")
        (package / "command.py").write_text(self.LADDER)
        (package / "raising.py").write_text('"""Raise."""\nraise RuntimeError("rotten\\nrung")\n')
        (package / "empty.py").write_text("")
        metadata = tmp_path / "ladders-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: ladders\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(
            "[literature_ai.commands]\n"
            "ladder = ladders.command\nabsent = ladders.nowhere.command\n"
            "raising = ladders.raising\nempty = ladders.empty\nhint = ladders.command\n"
        )
        monkeypatch.syspath_prepend(tmp_path)
        for name in ("ladders", "ladders.command", "ladders.raising", "ladders.empty"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        return tmp_path

    def test_they_are_found_as_the_library_finds_them(self, packages: Path) -> None:
        """The commands of installed packages are those that `importlib.metadata` tells of."""
        points = entry_points(group=commands.ENTRY_POINTS)
        told = {point.name: point.value for point in points}
        assert {"ladder", "absent", "raising", "empty"} <= told.keys()
        assert commands.available() == {**told, **commands.available(), **commands.BUILT_IN}
        assert commands.available().keys() == told.keys() | commands.BUILT_IN.keys()

    def test_an_entry_point_is_a_command(
        self, packages: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """It is run with its arguments, listed with its line, and shows its own help."""
        with pytest.raises(SystemExit):
            cli.main(["--help"])
        assert "  ladder      Climb the ladder.\n" in capsys.readouterr().out
        assert not hasattr(sys, "ladders_imported"), "listing commands imports none of them"
        assert cli.main(["ladder", "3"]) == 1
        assert capsys.readouterr().out == "rung 3\n"
        del sys.ladders_imported  # type: ignore[attr-defined]
        assert cli.main(["ladder", "x"]) == 2
        assert "see literature ladder --help" in capsys.readouterr().err

    def test_a_broken_entry_point_is_one_line(
        self, packages: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """A broken command is named in the help and when it is run, and all others still work."""
        with pytest.raises(SystemExit):
            cli.main(["--help"])
        shown = capsys.readouterr().out
        assert "  absent      cannot be used: there is no module ladders.nowhere.command\n" in shown
        for name, said in (
            ("absent", "ladders.nowhere.command: ModuleNotFoundError: No module named"),
            ("raising", "ladders.raising: RuntimeError: rotten rung"),
            ("empty", "ladders.empty has no add_arguments()"),
        ):
            assert cli.main([name]) == 2
            error = capsys.readouterr().err
            assert error.startswith(f"literature: the command {name!r} cannot be used: {said}")
            assert error.count("\n") == 1
        assert cli.main(["replay", CASE, "--json"]) == 0

    def test_no_entry_point_replaces_a_command_of_this_package(self, packages: Path) -> None:
        """An installed entry point named `hint` does not replace the command of this package."""
        assert commands.available()["hint"] == "literature_ai.cli.hint"

    def test_a_source_tree_needs_no_installation(self) -> None:
        """The entry points of a source tree are commands even if it was never installed."""
        for words, said in (
            (["--help"], "\n  tournament  Play agents"),
            (["report", "--help"], "usage: literature report"),
        ):
            done = subprocess.run(
                [sys.executable, "-S", "-m", "literature_ai", *words],
                capture_output=True,
                text=True,
                check=True,
                cwd=ROOT,
            )
            assert said in done.stdout

    def test_a_foreign_source_tree_declares_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A `pyproject.toml` that happens to lie beside the installed package is ignored."""
        foreign = (
            '[project]\nname = "x"\n[project.entry-points."literature_ai.commands"]\ny = "y"\n'
        )
        (tmp_path / "pyproject.toml").write_text(foreign)
        monkeypatch.setattr(commands, "_SOURCE_TREE", tmp_path)
        assert "y" not in commands.available()


def command(monkeypatch: pytest.MonkeyPatch, run: object) -> None:
    """Add a command `probe` that runs this."""
    module = ModuleType("probe", "A command for tests.")
    module.add_arguments = lambda parser: None  # type: ignore[attr-defined]
    module.run = run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "probe", module)
    monkeypatch.setitem(commands.BUILT_IN, "probe", "probe")


def raiser(error: BaseException) -> object:
    def run(args: argparse.Namespace) -> int:
        raise error

    return run


class TestErrors:
    """Every error a user can make is one line and exit code 2."""

    @pytest.mark.parametrize(
        ("argv", "line"),
        [
            (["replya"], "'replya' is no command; did you mean 'replay'?"),
            (["--jsno"], "unrecognized arguments: --jsno (see literature --help)"),
            (
                ["replay"],
                "the following arguments are required: FILE (see literature replay --help)",
            ),
            (
                ["replay", "x", "--jsno"],
                "unrecognized arguments: --jsno (see literature replay --help)",
            ),
        ],
    )
    def test_wrong_use(
        self, argv: list[str], line: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Wrong use is an error that says what is wrong and where to look."""
        assert cli.main(argv) == 2
        captured = capsys.readouterr()
        assert (captured.out, captured.err) == ("", f"literature: {line}\n")

    def test_an_unknown_command_lists_the_known(self, capsys: pytest.CaptureFixture[str]) -> None:
        """An unknown command without a near match lists all commands."""
        assert cli.main(["xyzzy"]) == 2
        names = " ".join(commands.available())
        line = f"literature: 'xyzzy' is no command; the commands are {names}\n"
        assert capsys.readouterr().err == line

    @pytest.mark.parametrize(
        "error", [LiteratureError("too bad"), ContradictionError("too bad", (3, 5))]
    )
    def test_bad_input(
        self,
        error: Exception,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """Errors of the library are printed as one line."""
        command(monkeypatch, raiser(error))
        assert cli.main(["probe"]) == 2
        assert capsys.readouterr().err == "literature: too bad\n"

    def test_an_interrupt_is_quiet(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Ctrl-C, also as python-sat and numba report it, ends with exit code 130 and no output."""

        class FromSat(Exception):
            pass

        from_numba = SystemError("returned a result with an exception set")
        from_numba.__cause__ = KeyboardInterrupt()
        monkeypatch.setitem(sys.modules, "pysolvers", SimpleNamespace(error=FromSat))  # type: ignore[arg-type]
        for error in (KeyboardInterrupt(), FromSat(), from_numba):
            command(monkeypatch, raiser(error))
            assert cli.main(["probe"]) == 130
        assert capsys.readouterr().err == ""

    def test_a_mistake_of_the_program_is_not_hidden(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Any other exception is raised with its traceback."""
        command(monkeypatch, raiser(ZeroDivisionError("oops")))
        with pytest.raises(ZeroDivisionError):
            cli.main(["probe"])

    def test_the_exit_code_is_that_of_the_command(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The exit code is that of the command: 1 when it ran and something failed."""
        command(monkeypatch, lambda args: 1)
        assert cli.main(["probe"]) == 1

    def test_a_closed_pipe_is_quiet(self) -> None:
        """A reader that closes the pipe causes no error message."""
        code = (
            f"import sys; sys.argv = ['literature', 'replay', '--json', {CASE!r}]\n"
            "from literature_ai.cli import main as cli, replay\n"
            "run = replay.run\n"
            "replay.run = lambda args: [run(args) for _ in range(40)][0]\n"
            "sys.exit(cli.main())"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        process.stderr.close()
        assert process.wait() == 141
