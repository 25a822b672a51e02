"""The report in a real browser: nothing on the console, nothing from the network, no overflow."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tournament_helpers import ASKER, misbehaving

from literature_ai.cli.main import main

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="there is no Chromium here"),
]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The report of a small tournament with a failing agent."""
    folder = tmp_path_factory.mktemp("report")
    agents = ["greedy", ASKER, misbehaving("Raises")]
    words = ["--pairs", "3", "--rules", "max-events=100", "--quiet", "--report", str(folder)]
    assert main(["tournament", *agents, *words]) == 1
    return folder / "index.html"


def browse(page: Path, width: int, log: Path, *extra: str) -> tuple[str, str]:
    """The browser's standard output and error for the page at a width."""
    done = subprocess.run(
        [
            *(str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
            *("--enable-logging=stderr", f"--log-net-log={log}", f"--window-size={width},1000"),
            *extra,
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout, done.stderr


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_opens_cleanly(page, width, tmp_path):
    """No message on the console, and no request but for the file itself."""
    _, stderr = browse(page, width, tmp_path / "net.json", "--dump-dom")
    assert "CONSOLE" not in stderr
    requested = set(re.findall(r'"url":"([^"]+)"', (tmp_path / "net.json").read_text()))
    ours = {url for url in requested if "index.html" in url or "literature" in url}
    assert all(url.startswith(("file:", "data:")) for url in ours)
    assert "http" not in {url.partition(":")[0] for url in ours}


def measured(page: Path, width: int, folder: Path, script: str, *extra: str) -> list[Any]:
    """What the script finds on the page at a width."""
    probe = folder / "probe.html"
    found = f"<script>document.title = JSON.stringify([{script}])</script>"
    probe.write_text(page.read_text().replace("</body>", f"{found}</body>"))
    dom, _ = browse(probe, width, folder / "net.json", "--dump-dom", *extra)
    title = re.search(r"<title>(.*?)</title>", dom)
    assert title is not None
    return list(json.loads(title[1]))


@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_is_no_wider_than_the_window(page, width, tmp_path):
    """Only tables scroll sideways; the page itself fits."""
    needed, available = measured(
        page, width, tmp_path, "document.documentElement.scrollWidth, innerWidth"
    )
    assert needed <= available


def test_no_table_is_cut_on_a_wide_screen(page, tmp_path):
    """At 1280 pixels every table is seen as a whole."""
    widths = "...[...document.querySelectorAll('.wide')].map(e => [e.scrollWidth, e.clientWidth])"
    tables = measured(page, 1280, tmp_path, widths)
    assert len(tables) == 5
    assert all(needed <= available for needed, available in tables)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_page_follows_the_colours_of_the_screen(page, scheme, tmp_path):
    """On a dark screen the page is dark and its text light; on a light one the other way round."""
    colours = "getComputedStyle(document.documentElement)"
    ink, paper = (
        sum(map(int, re.findall(r"\d+", colour)))
        for colour in measured(
            page,
            390,
            tmp_path,
            f"{colours}.color, {colours}.backgroundColor",
            f"--blink-settings=preferredColorScheme={int(scheme == 'light')}",
        )
    )
    assert (ink > paper + 300) == (scheme == "dark")
    assert abs(ink - paper) > 500
