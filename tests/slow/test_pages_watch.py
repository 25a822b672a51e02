"""Watch by taps on a phone-sized page, with the network off: pace, views, links, the record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser import DESK, PHONE, Pages, axe_findings, needs_browser, overflow, small_targets

from literature_ai.records.lit import read

pytestmark = [pytest.mark.slow, needs_browser]
GAME = "a=greedy&b=certain&players=4&rules=&seed=5"


def start(page: Any, **fields: str) -> None:
    """Fill in the form and let them play, then pause."""
    for name, value in {"seed": "5", **fields}.items():
        if name == "players":
            page.select_option("[name=players]", value)
        else:
            page.fill(f"[name={name}]", value)
    page.get_by_role("button", name="Let them play").click()
    page.locator(".hand").first.wait_for()
    page.get_by_role("button", name="Pause").click()


def event(page: Any) -> int:
    """The number of the event that is shown."""
    return int(page.url.rpartition("event=")[2])


def test_a_game_by_taps(pages: Pages, tmp_path: Path) -> None:
    """A game is started, stepped, played to its end, saved, and is what the page has shown."""
    with pages.open("/watch", PHONE) as page:
        start(page, a="greedy", b="certain", players="4")
        assert [] == axe_findings(page) + small_targets(page)
        assert overflow(page) <= 0
        before = event(page)
        for _ in range(5):
            page.get_by_role("button", name="One event on").click()
        page.get_by_role("button", name="One event back").click()
        assert event(page) == before + 4
        assert page.locator(".log li").count() == before + 4
        page.get_by_role("button", name="To the end").click()
        with page.expect_download() as download:
            page.get_by_role("link", name="Save the record").click()
        (record,) = read(Path(download.value.path()).read_text(encoding="utf-8"))
        assert record.ended
        assert page.locator(".log li").count() == len(record.events)
        assert "The game is over" in page.locator(".happened").inner_text()
        a, b = record.score
        assert page.locator(".score").inner_text() == f"A {a} – B {b}"
        assert [] == axe_findings(page)


def test_it_plays_at_its_pace(pages: Pages) -> None:
    """Playing goes on by itself until it is paused, and starts over after the end."""
    with pages.open(f"/watch?{GAME}", PHONE) as page:
        page.locator(".hand").first.wait_for()
        assert event(page) == 0
        page.get_by_role("button", name="fast").click()
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_function("() => document.querySelectorAll('.log li').length > 4")
        page.get_by_role("button", name="Pause").click()
        paused = event(page)
        assert paused > 4
        page.get_by_role("button", name="To the end").click()
        page.get_by_text("The game is over").wait_for()
        page.get_by_role("button", name="Play", exact=True).click()
        page.wait_for_function("() => document.querySelectorAll('.log li').length < 4")


def test_one_looks_as_a_seat(pages: Pages) -> None:
    """As a seat one sees its hand alone, as the public none; the hands are those of the game."""
    with pages.open(f"/watch?{GAME}&viewer=everyone&event=30", DESK) as page:
        page.locator(".hand").first.wait_for()
        everything = page.locator(".hand").all_inner_texts()
        assert page.locator(".hand .fan").count() == 4
        page.select_option("#viewer", "A2")
        page.wait_for_function("() => document.querySelectorAll('.hand .fan').length === 1")
        assert page.locator(".hand").nth(2).inner_text() == everything[2]
        assert event(page) == 30
        page.select_option("#viewer", "public")
        page.wait_for_function("() => document.querySelectorAll('.hand .fan').length === 0")
        assert [] == axe_findings(page)


def test_hands_are_followed(pages: Pages) -> None:
    """After every event each hand on the page has as many cards as the seat has."""
    with pages.open(f"/watch?{GAME}&viewer=everyone&event=0", DESK) as page:
        page.get_by_role("button", name="To the end").click()
        page.get_by_text("The game is over").wait_for()
        for _ in range(event(page)):
            page.get_by_role("button", name="One event back").click()
            for hand in page.locator(".hand").all():
                assert f", {hand.locator('.card').count()} card" in hand.inner_text()
        assert event(page) == 0


def test_a_link_leads_to_a_moment(pages: Pages) -> None:
    """The address of the page is a link to game, event and viewer, also for another server."""
    with pages.open(f"/watch?{GAME}&viewer=B1&event=17", PHONE) as page:
        page.locator(".hand").first.wait_for()
        assert page.locator(".log li").count() == 17
        said = page.locator(".happened").inner_text()
    pages.server.stop()
    pages.server.start()
    with pages.open(f"/watch?{GAME}&viewer=B1&event=17", PHONE) as page:
        page.locator(".hand").first.wait_for()
        assert page.locator(".happened").inner_text() == said
        assert page.locator("#viewer").input_value() == "B1"


def test_keys(pages: Pages) -> None:
    """Arrows step, Home and End go to the ends, Space plays."""
    with pages.open(f"/watch?{GAME}&viewer=public&event=3", DESK) as page:
        page.locator(".hand").first.wait_for()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        page.wait_for_function("() => location.search.endsWith('event=4')")
        page.keyboard.press("End")
        page.get_by_text("The game is over").wait_for()
        page.keyboard.press("Home")
        page.wait_for_function("() => location.search.endsWith('event=0')")


def test_the_record_opens_in_replay(pages: Pages) -> None:
    """The game that was watched can be stepped through in Replay."""
    with pages.open(f"/watch?{GAME}&viewer=everyone&event=0", PHONE) as page:
        page.get_by_role("button", name="To the end").click()
        page.get_by_role("button", name="Open in Replay").click()
        page.wait_for_url("**/replay/*")
        page.locator("main button").first.wait_for()


def test_what_cannot_play_is_said(pages: Pages) -> None:
    """A bot that pages do not start, or rules that contradict each other, are refused in a line."""
    with pages.open("/watch", PHONE, expected=["400"]) as page:
        page.fill("[name=a]", "cmd:./bot")
        page.get_by_role("button", name="Let them play").click()
        page.locator("#notice").filter(has_text="cannot play here").wait_for()
        assert page.locator("#setup").get_attribute("open") is not None
