"""The page Replay in a browser: stepping, viewers, links, marks, and what if."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest
from browser import (
    DESK,
    PHONE,
    SCHEMES,
    SIZES,
    Pages,
    axe_findings,
    needs_browser,
    overflow,
    small_targets,
)
from helpers import random_game

from literature_ai.analysis.hints import as_json, hint
from literature_ai.cards import SEAT_NAMES
from literature_ai.events import Ask
from literature_ai.inference.recorded import knowledge_of, viewpoint_of
from literature_ai.records.lit import read, write
from literature_ai.records.record import Record
from literature_ai.rules import RuleSet

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

pytestmark = [pytest.mark.slow, needs_browser]


@pytest.fixture(scope="module")
def record() -> Record:
    """A game with every hand, broken off after thirty events."""
    game = random_game(RuleSet(), np.random.default_rng(11), until=30, claim=0.02)
    (record,) = read(write([Record.of(game, "first", ended=True)]))
    return record


def open_record(page: Page, *records: Record) -> None:
    """Choose a file with the records."""
    buffer = write(records).encode()
    page.set_input_files("#file", {"name": "a.lit", "mimeType": "text/plain", "buffer": buffer})
    page.wait_for_selector(".hands")


def at_event(page: Page, number: int) -> None:
    """Wait until the page shows the moment after so many events."""
    page.wait_for_selector(f'#hands[data-event="{number}"]')
    said = page.inner_text("#happened")
    assert said.startswith(f"{number}." if number else "The deal")
    assert f"&event={number}&" in page.url


def cells(page: Page) -> dict[str, dict[str, str]]:
    """The heat map as it is told to a screen reader: card, seat and percent."""
    found: dict[str, dict[str, str]] = {}
    for button in page.query_selector_all("#known button.cell"):
        card, seat = (button.get_attribute("data-key") or "").split()
        said = (button.get_attribute("aria-label") or "").partition(": ")[2]
        found.setdefault(card, {})[seat] = said.partition(" %")[0]
    return found


def test_stepping_through(pages: Pages, record: Record) -> None:
    """Keys, buttons, the slider and the log go through every event to the end and back, and each
    moment has a link that opens there."""
    with pages.open("/replay", DESK) as page:
        open_record(page, record)
        at_event(page, 0)
        for number in range(1, len(record.events) + 1):
            page.keyboard.press("ArrowRight")
            at_event(page, number)
        page.keyboard.press("ArrowRight")
        at_event(page, len(record.events))
        assert "The game is over" in page.inner_text("#status")
        page.keyboard.press("Home")
        at_event(page, 0)
        page.keyboard.press("End")
        at_event(page, len(record.events))
        page.click("#back")
        at_event(page, len(record.events) - 1)
        page.click('#events [data-event="7"]')
        at_event(page, 7)
        page.fill("#slider", "12")
        at_event(page, 12)
        page.select_option("#viewer", "B2")
        page.wait_for_selector("text=Where the cards were for B2")
        link = page.url.removeprefix(pages.server.address)
    with pages.open(link, DESK) as page:
        at_event(page, 12)
        page.wait_for_selector("text=Where the cards were for B2")
        page.keyboard.press("Home")
        at_event(page, 0)
        page.keyboard.press(" ")
        page.wait_for_selector('#play:has-text("Stop")')
        page.wait_for_selector('#hands[data-event="2"]')
        page.keyboard.press(" ")
        page.wait_for_selector('#play:has-text("Play")')


def test_heat_map_is_what_the_seat_knew(pages: Pages, record: Record) -> None:
    """The map of a seat tells, in words too, the exact chances of the hint at that moment, and the
    page gets no card of another hand."""
    with pages.open("/replay", DESK) as page:
        open_record(page, record)
        page.select_option("#viewer", "A1")
        page.fill("#slider", "20")
        page.wait_for_selector('#hands[data-viewer="A1"]')
        at_event(page, 20)
        said = as_json(hint(viewpoint_of(record.at(20), 0, "x")))
        told = cells(page)
        assert set(said["locations"]) == set(told)
        for card, row in said["locations"].items():
            for seat in SEAT_NAMES[:6]:
                chance = row.get(seat, 0.0)
                rounded = chance if chance in (0, 1) else min(max(round(100 * chance), 1), 99) / 100
                assert abs(int(told[card][seat]) / 100 - rounded) < 0.011, (card, seat)
        seen = page.query_selector_all("#hands .card")
        hand = [card for card, row in said["locations"].items() if row.get("A1") == 1.0]
        assert len(hand) == len(seen)


def test_what_is_not_known_yet(pages: Pages, record: Record) -> None:
    """While the server works out a moment, the page says so under "What if"; then it is there."""
    held: list[Route] = []
    with pages.open("/replay", DESK) as page:
        page.route("**/moment?**", lambda route: held.append(route), times=1)
        buffer = write([record]).encode()
        page.set_input_files("#file", {"name": "a.lit", "mimeType": "text/plain", "buffer": buffer})
        page.wait_for_selector("#if [role=status]:has-text('being worked out')")
        assert page.locator("#values").inner_text() != ""
        assert axe_findings(page) == []
        held[0].continue_()
        page.wait_for_selector("#if summary:has-text('try something else')")
        assert page.locator("#if [role=status]").count() == 0


def test_what_if(pages: Pages, record: Record) -> None:
    """Another ask tells what a hit would prove, as the server knows it; an answer that cannot be is
    explained; a second one follows on the first; back to the game forgets both."""
    count, ask, impossible = sure_and_open(record)
    names = record.rules.card_names
    seat = SEAT_NAMES[record.at(count).position().turn or 0]
    with pages.open("/replay", PHONE) as page:
        open_record(page, record)
        page.select_option("#viewer", seat)
        page.fill("#slider", str(count))
        at_event(page, count)
        page.wait_for_selector(f"text={seat} is on turn: try something else")
        page.tap(f'[data-key="whom to ask {SEAT_NAMES[impossible.target]}"]')
        page.tap(f'[data-key="for which card {names[impossible.card]}"]')
        page.tap('[data-key="try miss"]')
        page.wait_for_selector("#if .refusal")
        assert "that cannot be" in page.inner_text("#if .refusal")
        assert "for certain" in page.inner_text("#if .refusal")
        if page.query_selector(f'[data-key="whom to ask {SEAT_NAMES[ask.target]}"]'):
            page.tap(f'[data-key="whom to ask {SEAT_NAMES[impossible.target]}"]')
            page.tap(f'[data-key="whom to ask {SEAT_NAMES[ask.target]}"]')
        page.tap(f'[data-key="for which card {names[ask.card]}"]')
        page.tap('[data-key="try hit"]')
        page.wait_for_selector("#if .panel")
        said = page.inner_text("#if .panel")
        chance = knowledge_of(record.at(count), SEAT_NAMES.index(seat), "x").posterior()
        assert f"{max(round(100 * chance[ask.card, ask.target]), 1)} %" in said
        page.tap('[data-key="try"]')
        page.wait_for_selector('[data-key="try hit"]')
        page.tap('[data-key="over"]')
        page.wait_for_selector("#if .panel", state="detached")


def sure_and_open(record: Record) -> tuple[int, Ask, Ask]:
    """A moment at which one ask is sure to hit and another may do either: after how many events,
    the open one and the sure one."""
    for count in range(5, len(record.events)):
        then = record.at(count)
        seat = then.position().turn
        assert seat is not None
        chances = knowledge_of(then, seat, "x").posterior()
        asks = list(then.game().view(seat).legal_asks)
        sure = [each for each in asks if chances[each.card, each.target] == 1.0]
        either = [each for each in asks if 0.0 < chances[each.card, each.target] < 1.0]
        if sure and either:
            return count, either[0], sure[0]
    raise AssertionError("no ask is sure to hit")


def test_marks_and_values(pages: Pages, record: Record) -> None:
    """The engine values the game in the background; its graph has a point for each moment, and a
    mark goes to its event. A second look finds the values without work."""
    with pages.open("/replay", DESK) as page:
        open_record(page, record)
        page.wait_for_selector("#values svg polyline", state="attached")
        page.wait_for_selector("#values progress", state="detached", timeout=300_000)
        points = page.get_attribute("#values svg polyline", "points") or ""
        assert len(record.events) + 1 == len(points.split())
        mark = page.query_selector("#marks button")
        assert mark is not None
        event = int((mark.get_attribute("data-key") or "").split()[1])
        mark.click()
        at_event(page, event)
        path = page.url.partition("?")[0]
        values = json.loads(page.request.get(f"{path}/values?game=1").text())
        assert values["done"] == values["of"]
        pages.server.stop()
        pages.server.start()
        page.reload()
        page.wait_for_selector("#values svg polyline", state="attached")
        page.wait_for_selector("#values progress", state="detached", timeout=300_000)
        again = json.loads(page.request.get(f"{path}/values?game=1").text())
        assert values["moments"] == again["moments"]


def test_several_games_and_errors(pages: Pages, record: Record) -> None:
    """Of several games one is chosen; a wrong record is refused with the number of its line."""
    other = read(write([record]).replace("game first", "game second"))[0].at(4)
    with pages.open("/replay", DESK, expected=("400 (Bad Request)",)) as page:
        page.click("summary")
        page.fill("#text", write([record]).replace("result", "ask A1 A2 2S hit\nresult"))
        page.click("text=Open it")
        line = len(str(record).splitlines())
        page.wait_for_selector(f"#notice:has-text('record:{line}:')")
        page.fill("#text", write([record, other]))
        page.click("text=Open it")
        page.wait_for_selector("#game")
        page.select_option("#game", "2")
        page.wait_for_selector('#slider[max="4"]')
        assert "game=2" in page.url


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES)
def test_every_state_is_accessible(pages: Pages, record: Record, size: str, scheme: str) -> None:
    """The opening page, open cards, a seat's map, a claim and what a what-if proves have no finding
    of axe-core, are no wider than the window, and on a phone have targets to tap of 44 pixels."""

    def look() -> None:
        assert axe_findings(page) == []
        assert overflow(page) == 0
        if size == "phone":
            assert small_targets(page) == []

    with pages.open("/replay", SIZES[size], scheme) as page:
        look()
        open_record(page, record)
        page.fill("#slider", "20")
        at_event(page, 20)
        look()
        page.select_option("#viewer", "A1")
        page.wait_for_selector("text=Where the cards were for A1")
        if size == "phone":
            page.click('[data-key="map"]')
        look()
        page.click('[data-key="what claim"]')
        page.click('#if [data-key^="which half-suit"]')
        look()
        page.click('[data-key="what ask"]')
        page.click('#if [data-key^="whom to ask"]')
        page.click('#if [data-key^="for which card"]')
        page.click('[data-key="try miss"]')
        page.wait_for_selector("#if .panel, #if .refusal")
        look()
