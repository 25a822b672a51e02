"""Commands with standard streams that are full, closed, or that nobody reads."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from processes import LITERATURE
from tournament_helpers import game_result

from literature_ai.cli import compiling
from tournaments.plan import Plan
from tournaments.store import Store

CASES = Path(__file__).parents[1] / "cases"
RECORD = str(CASES / "case-03.lit")
SETTINGS = ("full", "closed", "left", "no input", "no errors")
"""What is wrong with the streams: the output is a full device, closed, or a pipe that its reader
has left; there is no input; there is no error output."""
NO_SPACE = "literature: cannot write the output: no space left on device"
_REDIRECTIONS = {"full": ">/dev/full", "closed": ">&-", "no input": "<&-", "no errors": "2>&-"}


TYPED = "4\nnone\na1\nls lh\nb1\n"
"""What commands find on their standard input: a session of `assist`."""


def run(words: Sequence[str], setting: str, folder: Path) -> tuple[int, str, str]:
    """The exit code, output and error output of the command in such a setting."""
    shell = ["sh", "-c", f'exec "$@" {_REDIRECTIONS.get(setting, "")}', "sh"]
    process = subprocess.Popen(
        [*shell, *LITERATURE, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(CASES.parents[1])},
    )
    if setting == "left":
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
    out, err = process.communicate(TYPED)
    return process.returncode, out or "", err


def check(words: Sequence[str], setting: str, folder: Path, *, reads_input: bool = False) -> None:
    """One line and exit code 1 where the streams do not serve; quiet with exit code 141 when the
    reader has gone; else the command succeeds. A traceback fails every one of these."""
    code, out, err = run(words, setting, folder)
    if setting == "full":
        assert (code, err.count("\n")) == (1, 1), err
        assert err.startswith(NO_SPACE)
    elif setting == "closed":
        assert (code, err) == (1, "literature: the standard output is closed\n")
    elif setting == "left":
        assert (code, err) == (141, "")
    elif setting == "no input" and reads_input:
        assert (code, out, err) == (1, "", "literature: the standard input is closed\n")
    else:
        assert (code, err) == (0, "")
        assert out


def folder_with_store(folder: Path) -> Path:
    """The folder, with ``store.db`` now: a tournament of two pairs, all played, with records. And
    everything is compiled."""
    compiling.compile_for(*compiling.ADVICE, *compiling.GAMES, *compiling.ENGINE, compiling.SAMPLE)
    plan = Plan(("random", "greedy"), 2)
    with Store.create_or_resume(folder / "store.db", plan, with_records=True) as store:
        for pair in range(2):
            store.add((0, 1), pair, [[game_result(record=f"game {pair}{half}\n")] for half in "ab"])
    return folder
