"""The wheel has everything that the installed package needs beside its modules."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("solver", "literature_ai", "tournaments")


def test_the_wheel_has_all_files_of_the_packages(tmp_path):
    """Templates, style sheet and data are in the wheel, and so are the entry points."""
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
        (metadata,) = [name for name in inside if name.endswith("/entry_points.txt")]
        entry_points = archive.read(metadata).decode()
    files = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {"literature_ai/web/static/style.css", "tournaments/templates/report.html"} <= files
    assert files - inside == set()
    assert "[literature_ai.commands]" in entry_points
