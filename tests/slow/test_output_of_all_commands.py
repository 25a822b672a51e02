"""All commands with output that is full, closed or no longer read."""

from __future__ import annotations

from pathlib import Path

import pytest
from all_commands import COMMANDS
from outputs import SETTINGS, check, folder_with_store, run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the store of a tournament."""
    return folder_with_store(tmp_path_factory.mktemp("store"))


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("name", COMMANDS)
def test_streams_that_do_not_serve(name: str, setting: str, folder: Path) -> None:
    """A full disk or closed output is one line and exit code 1 in all commands; a pipe closed early
    is quiet everywhere, with one exit code."""
    (folder / "kitchen.lit").unlink(missing_ok=True)
    check(COMMANDS[name], setting, folder, reads_input=name in ("assist", "play"))


def test_results_are_not_lost_with_the_output(folder: Path) -> None:
    """The results of a tournament whose output cannot be written are kept, and it is said where."""
    code, _, said = run(COMMANDS["tournament"], "full", folder)
    assert (code, said.count("\n")) == (1, 1)
    words = said.split("`")[1].split()
    assert words[:2] == ["literature", "report"]
    try:
        assert run(words[1:], "", folder)[0] == 0
    finally:
        for file in Path(words[2]).parent.glob(f"{Path(words[2]).name}*"):
            file.unlink()
