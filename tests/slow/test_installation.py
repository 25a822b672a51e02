"""The package installs and works in fresh environments, with what pip finds by itself."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def fresh(folder: Path) -> dict[str, str]:
    """The environment variables for a process that knows nothing of this one's packages."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "VIRTUAL_ENV", "PYTEST", "NUMBA", "COV"))
    }
    return kept | {"HOME": str(folder)}


def run(command: str, folder: Path) -> str:
    """The output of a command that must succeed, in the folder and knowing nothing else."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=fresh(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_it_installs_into_a_fresh_environment(kind: str, tmp_path: Path) -> None:
    """A wheel and an sdist install with their dependencies, and every command can be listed and
    one be run."""
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (package,) = (*tmp_path.glob("*.whl"), *tmp_path.glob("*.tar.gz"))
    venv.create(tmp_path / "env", with_pip=True)
    run(f"env/bin/pip install --quiet '{package.name}[completion]'", tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    assert "tournament" in run("env/bin/literature --help", tmp_path)
    assert "Best asks" in run("env/bin/literature hint examples/table.lit", tmp_path)
    assert "_shtab_literature" in run("env/bin/literature --print-completion bash", tmp_path)
    played = run("env/bin/literature tournament random examples/bot.py:Bot --pairs 1", tmp_path)
    assert "1 pair of games" in played


def image_commands() -> Iterator[str]:
    """The commands that the Dockerfile runs, in order."""
    text = DOCKERFILE.replace("\\\n", " ")
    yield from re.findall(r"^RUN (.+)$", text, re.MULTILINE)


def docker_works() -> bool:
    """Whether images can be built here."""
    if shutil.which("docker") is None:
        return False
    return subprocess.run(["docker", "info"], capture_output=True, check=False).returncode == 0


def test_the_image_is_built(tmp_path: Path) -> None:
    """The image is built; without Docker its steps succeed in a clean copy of the tree, but for
    those that install packages of Debian, whose programs must be here."""
    if docker_works():
        subprocess.run(["docker", "build", "--quiet", str(ROOT)], check=True)
        return
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    names = shutil.ignore_patterns(*(Path(line).name for line in ignored))
    tree = tmp_path / "literature"
    shutil.copytree(ROOT, tree, ignore=names)
    packages, *commands = image_commands()
    assert packages.startswith("apt-get update")
    for program in ("make", "perl", "python3"):
        assert program in packages
        assert shutil.which(program)
    assert len(commands) == 2
    for command in commands:
        run(command, tree)
