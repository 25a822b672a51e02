"""The package that is built describes itself rightly, and can be cited."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import pytest

import literature_ai

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A wheel and an sdist of this tree."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return sorted(folder.iterdir())


def test_twine_checks_them(built: list[Path]) -> None:
    """`twine check --strict` has nothing to say about the wheel and the sdist."""
    pytest.importorskip("twine")
    assert {".whl", ".gz"} == {file.suffix for file in built}
    done = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", *map(str, built)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.count("PASSED")) == (0, 2), done.stdout


def test_the_sdist_has_all_that_is_needed(built: list[Path]) -> None:
    """The sdist has packages, tests, examples, documentation, and what builds and cites them."""
    (sdist,) = (file for file in built if file.suffix == ".gz")
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    for folder in ("solver", "literature_ai", "tournaments", "tests", "examples", "docs"):
        files = {
            str(path.relative_to(ROOT))
            for path in (ROOT / folder).rglob("*")
            if path.is_file()
            and "__pycache__" not in path.parts
            and ROOT / "docs/api" not in path.parents
        }
        assert files
        assert files - inside == set()
    assert {"README.md", "LICENSE", "CITATION.cff", "Dockerfile", "Makefile"} <= inside
    assert not [name for name in inside if name.startswith((".venv", ".against", "build"))]


def test_every_python_it_is_for_is_named() -> None:
    """The classifiers name each Python from the oldest that is allowed to 3.14."""
    oldest = int(re.fullmatch(r">=3\.(\d+)", PROJECT["requires-python"])[1])  # type: ignore[index]
    named = {f"Programming Language :: Python :: 3.{minor}" for minor in range(oldest, 15)}
    assert named == {line for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)}


def test_the_citation_is_of_this_version() -> None:
    """CITATION.cff has version, licence and keywords of the package."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    entries = dict(re.findall(r"^([a-z-]+): (.+)$", text, re.MULTILINE))
    assert entries["cff-version"] == "1.2.0"
    assert entries["version"] == literature_ai.__version__ == PROJECT["version"]
    assert entries["license"] == PROJECT["license"]
    assert {"title", "message", "type"} <= entries.keys()


def test_the_image_runs_the_commands_of_the_readme() -> None:
    """The Dockerfile runs the commands that the README begins with, in order, on Debian slim."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(r"^FROM debian:\S+-slim$", text, re.MULTILINE)
    commands = re.findall(r"^\$ (make \S+)", readme.partition("\n## ")[0], re.MULTILINE)
    assert commands
    assert re.findall(r"^RUN (make .+)$", text, re.MULTILINE) == commands
