"""The pages of ``literature serve``: from a tap to the screen, from the start to the first page.

    python benchmarks/pages.py            # prints a table

The server and the browser share one core (`os.sched_setaffinity`). A tap is timed in the page, by
the clock, from the click until what it changes has been drawn: two frames of the browser after the
change, of about 16 ms each. Beside it stands the processor time that the server and the browser
spend on a tap; where the machine has other load, the clock waits for that too. No bot thinks
meanwhile: at the table all seats are persons, the game to watch is played ahead, and the engine has
valued the game to replay.

Needs Chromium, the extras ``web`` and ``test``, and kernels that are compiled.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from browser import PHONE, Pages, Server
from processes import descendants

TIMES = 10
STARTS = 5
MOST_VALUING = 300
"""Seconds that the engine may take for the game to replay."""
MOST_TAP, MOST_START = 0.1, 1.0
"""What is asked for, in seconds."""
GAME = Path(__file__).parents[1] / "examples" / "table.lit"
TAP = """async ([tap, changed]) => {
    const looks = () => document.querySelector(changed)?.outerHTML;
    const before = looks();
    const began = performance.now();
    document.querySelector(tap).click();
    await new Promise((done) => {
        if (looks() !== before) done();
        const observer = new MutationObserver(() => {
            if (looks() === before) return;
            observer.disconnect();
            done();
        });
        const all = {subtree: true, childList: true, characterData: true, attributes: true};
        observer.observe(document.body, all);
    });
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return (performance.now() - began) / 1000;
}"""
TICKS = os.sysconf("SC_CLK_TCK")

Tap = tuple[str, str]
"""What is tapped, and what looks different afterwards."""


def choose_a_card(page: Any) -> Iterator[Tap]:
    """Play: choose a card to ask for"""
    links = _table(page)
    page.goto(links[_turn(page, links)])
    page.wait_for_selector(".card.missing")
    while True:
        yield ".card.missing[aria-pressed=false]", "#hand"


def ask(page: Any) -> Iterator[Tap]:
    """Play: ask, until the answer stands in the log"""
    links = _table(page)
    while True:
        page.goto(links[_turn(page, links)])
        page.locator(".card.missing[aria-disabled=false]").first.click()
        page.wait_for_selector("button.seat[aria-disabled=false]")
        yield "button.seat[aria-disabled=false]", "#log"


def board(page: Any) -> Iterator[Tap]:
    """Board: answer a question of the set-up"""
    while True:
        page.goto("/board")
        page.get_by_role("button", name="New board").click()
        page.wait_for_selector('[data-key="players 6"]')
        yield '[data-key="players 6"]', "main"


def replay(page: Any) -> Iterator[Tap]:
    """Replay: one event on, with what a seat then knew"""
    while True:
        made = page.request.post("/replay/records", data={"text": GAME.read_text("utf-8")})
        page.goto(f"/replay/{made.json()['id']}?viewer=A1&event=0")
        page.wait_for_selector("#known > *")
        page.locator("#values svg").wait_for()
        page.locator("#values progress").wait_for(state="detached", timeout=1000 * MOST_VALUING)
        for _ in range(10):
            yield "#forward", "#happened"


def watch(page: Any) -> Iterator[Tap]:
    """Watch: one event on, with open cards"""
    page.goto("/watch?a=greedy&b=greedy&players=6&rules=&seed=7&viewer=everyone&event=0")
    page.get_by_role("button", name="To the end").click()
    page.get_by_role("button", name="Open in Replay").wait_for()
    page.get_by_role("button", name="To the beginning").click()
    while True:
        yield '[data-key="step"]', ".happened"


def choose_an_answer(page: Any) -> Iterator[Tap]:
    """Train: choose a card as the answer"""
    page.goto("/train?puzzle=miss-6-easy-1")
    page.wait_for_selector(".card-row button")
    while True:
        yield ".card-row button[aria-pressed=false]", ".answer"


def verdict(page: Any) -> Iterator[Tap]:
    """Train: answer, until the verdict and its proof are there"""
    for number in range(1000):
        page.goto(f"/train?puzzle=miss-4-easy-{number}")
        page.locator(".card-row button").first.click()
        page.locator(".answer .seats button").first.click()
        yield '[data-key="answer"]:not([disabled])', "#puzzle"


KINDS: tuple[Callable[[Any], Iterator[Tap]], ...] = (
    choose_a_card,
    ask,
    board,
    replay,
    watch,
    choose_an_answer,
    verdict,
)


def _table(page: Any) -> dict[str, str]:
    """The links of a new table where every seat is a person's."""
    seats = {name: {"person": name} for name in ("A1", "B1", "A2", "B2", "A3", "B3")}
    made = page.request.post("/tables", data={"players": 6, "rules": "", "seats": seats})
    links: dict[str, str] = made.json()["links"]
    return links


def _turn(page: Any, links: dict[str, str]) -> str:
    """The seat that is on turn at the table."""
    state = page.request.get(f"{links['A1']}/state").json()
    return str(state["seen"]["turn"])


def processor_seconds() -> float:
    """What the server and the browser have used since they were started."""
    used = 0
    for pid in descendants(os.getpid()):
        try:
            name, _, rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")
        except FileNotFoundError:
            continue
        if "chrom" in name or "python" in name or "literature" in name:
            fields = rest.split()
            used += int(fields[11]) + int(fields[12])
    return used / TICKS


def taps(pages: Pages, kind: Callable[[Any], Iterator[Tap]]) -> tuple[float, float]:
    """The median seconds of a tap, and the mean processor seconds, what is around it included."""
    clock, used = [], 0.0
    with pages.open("/", PHONE) as page:
        for what, changed in islice(kind(page), TIMES):
            before = processor_seconds()
            clock.append(page.evaluate(TAP, [what, changed]))
            used += processor_seconds() - before
    return statistics.median(clock), used / TIMES


def start(pages: Pages) -> tuple[float, float]:
    """The seconds from starting another server until its first page is there, by the clock and of
    the processor."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        other = [f"request to {server.address}/"]
        with pages.open("/", PHONE, expected=other) as page:
            began, used = time.monotonic(), processor_seconds()
            with server:
                page.goto(server.address)
                seconds, used = time.monotonic() - began, processor_seconds() - used
                page.goto(pages.server.address)
    return seconds, used


def main() -> None:
    """Measure everything and print the table."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    table = Table("figure", "median ms", "processor ms", "asked for")
    with tempfile.TemporaryDirectory() as folder, Pages(Path(folder)) as pages:
        with pages.open("/", PHONE) as page:
            while not page.request.get("/warm-up").json()["ready"]:
                page.wait_for_timeout(200)
        for kind in KINDS:
            clock, used = taps(pages, kind)
            said = kind.__doc__ or ""
            limit = f"< {1000 * MOST_TAP:.0f}"
            table.add_row(said, f"{1000 * clock:.0f}", f"{1000 * used:.0f}", limit)
            print(f"{said}: {1000 * clock:.0f} ms", file=sys.stderr)
        starts = zip(*(start(pages) for _ in range(STARTS)), strict=True)
        medians = [f"{1000 * statistics.median(each):.0f}" for each in starts]
    table.add_row("first page after the start", *medians, f"< {1000 * MOST_START:.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
