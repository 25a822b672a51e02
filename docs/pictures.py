"""Makes the pictures of the README from the real pages: a table and a replay.

python docs/pictures.py        # writes docs/pictures/*.png; needs Chromium and the extra `test`
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from browser import Pages

HERE = Path(__file__).parent
MOST_BYTES = 200_000
PATIENCE = 900_000
"""Milliseconds."""
SEATS = {
    "A1": {"person": "you"},
    **{seat: {"bot": "greedy"} for seat in ("B1", "A2", "B2", "A3", "B3")},
}
GAME = "a=expert&b=greedy&players=6&rules=&seed=11&viewer=everyone"
EVENT = 46
LEAST_EVENTS = 12


def table(pages: Pages, path: Path) -> None:
    """A table at which the person is on turn and has chosen a card."""
    with pages.open("/", (1100, 900)) as page:
        new = {"players": 6, "rules": "", "seats": SEATS, "pace": 0}
        page.goto(page.request.post("/tables", data=new).json()["links"]["A1"])
        while True:
            page.locator("#now.yours").wait_for(timeout=PATIENCE)
            page.locator(".card.missing[aria-disabled=false]").nth(7).click()
            opponent = page.locator("button.seat[aria-disabled=false]").first
            opponent.wait_for()
            events = page.locator("#log li").count()
            if events >= LEAST_EVENTS:
                break
            opponent.click()
            page.locator("#log li").nth(events).wait_for(timeout=PATIENCE)
        page.screenshot(path=path)


def replay(pages: Pages, path: Path) -> None:
    """A whole game in the middle, with open cards and what the engine says of it."""
    with pages.open(f"/watch?{GAME}&event=0", (1100, 1000)) as page:
        page.get_by_role("button", name="To the end").click()
        page.get_by_role("button", name="Open in Replay").click(timeout=PATIENCE)
        page.wait_for_url("**/replay/*")
        page.goto(f"{page.url}?viewer=everyone&event={EVENT}")
        # The engine values every moment of the game.
        page.locator("#values svg").wait_for(timeout=PATIENCE)
        page.locator("#values progress").wait_for(state="detached", timeout=PATIENCE)
        page.screenshot(path=path)


def main() -> None:
    """Make both pictures, and check that they are small."""
    folder = HERE / "pictures"
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as served, Pages(Path(served), "--seed", "3") as pages:
        for name, make in (("table", table), ("replay", replay)):
            path = folder / f"{name}.png"
            make(pages, path)
            size = path.stat().st_size
            assert size < MOST_BYTES, f"{path} has {size} bytes; it may have {MOST_BYTES}"
            print(f"{path.relative_to(HERE.parent)}: {size} bytes")


if __name__ == "__main__":
    main()
