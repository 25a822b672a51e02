"""The command line as a whole: help, errors, interrupts, and what it imports."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import literature_ai
from literature_ai.cli import main as cli
from literature_ai.cli import notice
from literature_ai.errors import LiteratureError
from solver import kernels
from solver.problem import ContradictionError

CASE = str(Path(__file__).parents[1] / "cases" / "case-03.lit")
HEAVY = ("numpy", "numba", "pysat", "rich", "matplotlib", "tqdm")


def in_a_new_process(code: str) -> list[str]:
    """Which of the heavy packages are imported after running the code."""
    report = f"import sys; print('\\n', *(m for m in {HEAVY!r} if m in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True
    )
    return done.stdout.split("\n")[-2].split()


class TestImports:
    """Nothing heavy is imported before it is needed."""

    def test_importing_the_package_imports_nothing_heavy(self) -> None:
        """Nor does looking at everything that it offers but what computes."""
        assert in_a_new_process("import literature_ai, solver, tournaments") == []
        computing = {"BestClaim", "Knowledge", "NotForcedError"}
        names = [n for n in literature_ai.__all__ if n not in computing]
        code = f"import literature_ai as lit; [getattr(lit, name) for name in {names!r}]"
        assert in_a_new_process(code) == []

    def test_help_imports_nothing_heavy(self) -> None:
        """So it answers at once."""
        code = (
            "from literature_ai.cli.main import main\n"
            "try: main(['--help'])\nexcept SystemExit: pass"
        )
        assert in_a_new_process(code) == []

    def test_json_needs_no_colours(self) -> None:
        """Only what people read imports rich."""
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
        """With the usual error."""
        with pytest.raises(AttributeError, match="has no attribute 'Poker'"):
            _ = literature_ai.Poker


class TestHelp:
    """What the command says of itself."""

    def test_it_lists_every_command(self, capsys: pytest.CaptureFixture[str]) -> None:
        """With one line each."""
        with pytest.raises(SystemExit) as caught:
            cli.main(["--help"])
        assert caught.value.code == 0
        shown = capsys.readouterr().out
        for name, (line, _) in cli.COMMANDS.items():
            assert f"  {name} " in shown
            assert line in shown

    @pytest.mark.parametrize("name", cli.COMMANDS)
    def test_each_command_helps_with_an_example(
        self, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Every command shows how it is called."""
        with pytest.raises(SystemExit) as caught:
            cli.main([name, "--help"])
        assert caught.value.code == 0
        shown = capsys.readouterr().out
        assert "example" in shown
        assert shown.count(f"literature {name}") >= 2

    def test_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        """The one of the package."""
        with pytest.raises(SystemExit) as caught:
            cli.main(["--version"])
        assert caught.value.code == 0
        assert capsys.readouterr().out == f"literature {literature_ai.__version__}\n"

    def test_without_a_command_it_is_wrong_use(self, capsys: pytest.CaptureFixture[str]) -> None:
        """The help goes to the standard error."""
        assert cli.main([]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "commands:" in captured.err

    def test_python_can_run_the_package(self) -> None:
        """``python -m literature_ai`` is the same command."""
        command = [sys.executable, "-m", "literature_ai", "--version"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout == f"literature {literature_ai.__version__}\n"


def command(monkeypatch: pytest.MonkeyPatch, run: object) -> None:
    """Put a command named `probe` into the table that runs this."""
    module = ModuleType("probe", "A command for tests.")
    module.add_arguments = lambda parser: None  # type: ignore[attr-defined]
    module.run = run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "probe", module)
    monkeypatch.setitem(cli.COMMANDS, "probe", ("a probe", "probe"))


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
        """It says what is wrong and where to look."""
        assert cli.main(argv) == 2
        captured = capsys.readouterr()
        assert (captured.out, captured.err) == ("", f"literature: {line}\n")

    def test_an_unknown_command_lists_the_known(self, capsys: pytest.CaptureFixture[str]) -> None:
        """When nothing is near."""
        assert cli.main(["xyzzy"]) == 2
        line = f"literature: 'xyzzy' is no command; the commands are {' '.join(cli.COMMANDS)}\n"
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
        """Errors of the library are one line."""
        command(monkeypatch, raiser(error))
        assert cli.main(["probe"]) == 2
        assert capsys.readouterr().err == "literature: too bad\n"

    def test_an_interrupt_is_quiet(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Ctrl-C, and what python-sat makes of it, end with 130 and no word."""

        class FromSat(Exception):
            pass

        monkeypatch.setitem(sys.modules, "pysolvers", SimpleNamespace(error=FromSat))  # type: ignore[arg-type]
        for error in (KeyboardInterrupt(), FromSat()):
            command(monkeypatch, raiser(error))
            assert cli.main(["probe"]) == 130
        assert capsys.readouterr().err == ""

    def test_a_mistake_of_the_program_is_not_hidden(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Any other exception comes out whole."""
        command(monkeypatch, raiser(ZeroDivisionError("oops")))
        with pytest.raises(ZeroDivisionError):
            cli.main(["probe"])

    def test_the_exit_code_is_that_of_the_command(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """1: it ran, and something failed."""
        command(monkeypatch, lambda args: 1)
        assert cli.main(["probe"]) == 1

    def test_a_closed_pipe_is_quiet(self) -> None:
        """Whoever stops reading the output gets no complaint."""
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


def test_compiling_before_processes_share_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """What must first be compiled is compiled at once: positions are counted, claims compared."""
    used = []
    for query in ("posterior", "claims"):
        whole = getattr(kernels, query)
        monkeypatch.setattr(kernels, query, lambda *a, q=query, f=whole: used.append(q) or f(*a))
    monkeypatch.setattr(notice, "say_if_compiling", lambda: False)
    notice.compile_now()
    assert [] == used
    monkeypatch.setattr(notice, "say_if_compiling", lambda: True)
    notice.compile_now()
    assert {"posterior", "claims"} == set(used)
