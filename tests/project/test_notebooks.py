"""The notebooks run from start to end, and show what they promise."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")

FOLDER = Path(__file__).parents[2] / "examples" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def executed(path: Path, monkeypatch: Any) -> list[dict[str, Any]]:
    """The outputs of all cells of a notebook, run in its folder."""
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(FOLDER.parents[1])]))
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": FOLDER}}
    )
    client.execute()
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


@pytest.mark.parametrize(
    ("name", "kind", "shown"),
    [("deduction", "image/svg+xml", "<svg"), ("comparison", "text/html", "pairs, 6 players")],
)
@pytest.mark.filterwarnings("default")  # of the libraries that run notebooks
def test_notebook_runs(name: str, kind: str, shown: str, monkeypatch: Any) -> None:
    """Every cell runs, and what draws itself is drawn."""
    outputs = executed(FOLDER / f"{name}.ipynb", monkeypatch)
    drawn = [output["data"][kind] for output in outputs if kind in output.get("data", {})]
    assert drawn
    assert all(shown in text for text in drawn)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_without_outputs(path: Path) -> None:
    """A notebook is stored as it is before it is run."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert code
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
