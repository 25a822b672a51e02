"""Play in a real browser: a whole game by taps on a phone, claims, two browsers, reloads, kills."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser import (
    PHONE,
    SCHEMES,
    SIZES,
    Pages,
    axe_findings,
    needs_browser,
    overflow,
    small_targets,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.slow, needs_browser]

_READY = "async () => (await (await fetch('/warm-up')).json()).ready"
_TO_COMPILE = 600


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[Pages]:
    """A server with no tables, whose first has a known deal, where everything is compiled, and a
    browser."""
    with Pages(tmp_path, "--seed", "1") as pages:
        with pages.open("/") as page:
            page.wait_for_function(_READY, timeout=1000 * _TO_COMPILE)
        yield pages


def make_table(page: Page, *, players: int = 4, bots: str = "greedy", **more: Any) -> None:
    """Fill in the form of another table, at no pace, and send it."""
    page.locator("#another > summary").click()
    page.select_option("[name=players]", str(players))
    page.select_option("#partners", bots)
    page.select_option("#opponents", bots)
    page.select_option("[name=pace]", "0")
    page.fill("[name=max-events]", str(more.get("most", 200)))
    if more.get("coach"):
        page.check("[name=coach]")
    for rule in more.get("rules", ()):
        if not page.locator(f"[name={rule}]").is_visible():
            page.get_by_text("House rules").click()
        page.check(f"[name={rule}]")
    for seat in more.get("persons", ()):
        page.select_option(f"[data-seat={seat}]", "person")
    page.get_by_role("button", name="Make this table").click()


def count(page: Page) -> int:
    """The number of events that the page shows."""
    return page.locator("#log li").count()


def wait_for_turn(page: Page) -> bool:
    """Wait until the person decides; False when the game is over."""
    page.wait_for_selector("#now.yours, #end:not([hidden])")
    return page.locator("#end").is_hidden()


def tap_claim(page: Page, half_suit: int = 0) -> None:
    """Claim a half-suit by taps: what is not filled in goes to the first seat that may hold it."""
    page.get_by_role("button", name="Claim …").tap()
    dialog = page.locator("#claim")
    dialog.locator(".choices button").nth(half_suit).tap()
    for row in dialog.locator(".holder").all():
        if row.locator("[aria-pressed=true]").count() == 0:
            row.locator("button:not([disabled])").first.tap()
    dialog.locator(".foot .first").tap()
    dialog.wait_for(state="hidden")


def tap_something(page: Page, turn: int) -> None:
    """Do by taps whatever the page offers: decline, ask, now and then claim, or pass."""
    before = page.locator("#now").inner_text(), count(page)
    asks = page.locator("#hand button[aria-disabled=false]")
    if page.get_by_role("button", name="No claim").count():
        page.get_by_role("button", name="No claim").tap()
    elif asks.count() and turn % 6 != 5:
        asks.nth(turn % asks.count()).tap()
        targets = page.locator("button.seat[aria-disabled=false]")
        targets.first.wait_for()
        targets.nth(turn % targets.count()).tap()
    elif page.get_by_role("button", name=re.compile("^Pass to")).count():
        page.get_by_role("button", name=re.compile("^Pass to")).first.tap()
    else:
        tap_claim(page)
    page.wait_for_function(
        "([said, events]) => document.querySelector('#now').innerText !== said"
        " || document.querySelectorAll('#log li').length !== events",
        arg=list(before),
    )


def play_by_taps(page: Page, most: int = 400) -> int:
    """Play to the end by taps; how often something was done."""
    for turn in range(most):
        if not wait_for_turn(page):
            return turn
        tap_something(page, turn)
    raise AssertionError("the game does not end")


def test_a_whole_game_by_taps_on_a_phone(pages: Pages, tmp_path: Path) -> None:
    """One tap deals a game of six; by taps alone it comes to its end, without a sideways scroll,
    and the end shows every card once."""
    with pages.open("/") as page:
        page.locator("#start").tap()
        page.wait_for_selector("#hand .card")
        page.select_option("#pace", "0")
        assert wait_for_turn(page)
        assert overflow(page) <= 0
        assert small_targets(page) == []
        assert axe_findings(page) == []
        assert play_by_taps(page) > 3
        assert overflow(page) <= 0
        assert axe_findings(page) == []
        assert page.locator("#end .card").count() == 48
        assert page.locator("#log li").count() > 10
    (record,) = (tmp_path / "tables").glob("*.lit")
    assert "result" in record.read_text()


@pytest.mark.parametrize("rules", [["claim-any-time"], ["split-claims", "pass-turn"]], ids=str)
def test_house_rules_by_taps(pages: Pages, rules: list[str]) -> None:
    """Offers between turns, claims that name opponents, and passes can all be tapped."""
    with pages.open("/") as page:
        make_table(page, rules=rules, bots="certain", most=40)
        page.wait_for_selector("#hand")
        assert play_by_taps(page) > 3


def test_the_coach_fills_in_what_is_certain_and_takes_back(pages: Pages) -> None:
    """Hints are shown, cards whose place is certain are given in a claim, and a move is undone."""
    with pages.open("/") as page:
        make_table(page, coach=True, bots="random")
        for _ in range(60):
            assert wait_for_turn(page)
            page.get_by_role("button", name="Hint").tap()
            page.wait_for_selector("#hints h3")
            if page.locator("#hints li", has_text="certain").count():
                break
            before = count(page)
            page.locator("#hints button").first.tap()
            page.wait_for_function(
                "events => document.querySelectorAll('#log li').length > events", arg=before
            )
        page.wait_for_selector("#hints [role=status]:not(:has-text('plays the game on'))")
        assert axe_findings(page) == []
        claimed = page.locator("#hints li", has_text="certain").first.inner_text().split(":")[0]
        page.get_by_role("button", name="Claim …").tap()
        page.get_by_role("button", name=claimed, exact=True).tap()
        page.wait_for_selector("#claim .foot .first:not([disabled])")
        assert page.locator("#claim .holder [aria-pressed=true]").count() == 6
        page.locator("#claim .foot .first").tap()
        page.wait_for_selector("#log li:has-text('A1 claims'):has-text(': right')")
        events = count(page)
        wait_for_turn(page)
        page.get_by_role("button", name="Undo").tap()
        page.wait_for_function(
            "events => document.querySelectorAll('#log li').length < events", arg=events
        )
        assert page.locator("#log li", has_text="A1 claims").count() == 0


def test_two_browsers_at_one_table_and_reloads(pages: Pages) -> None:
    """Two persons play by their own links, each sees their own hand alone, what one does comes to
    the other, and a reload shows the same."""
    with pages.open("/") as first:
        make_table(first, persons=["B1"], bots="certain")
        first.wait_for_selector("#links li")
        links = [each.get_attribute("href") for each in first.locator("#links a").all()]
        assert len(links) == 2
        assert axe_findings(first) == []
        first.goto(links[0])
        with pages.open(links[1]) as second:
            for page in (first, second):
                page.wait_for_selector("#hand .held")
            hands = [
                {each.inner_text() for each in page.locator("#hand .held .spoken").all()}
                for page in (first, second)
            ]
            assert not hands[0] & hands[1]
            for turn in range(12):
                for page, other in ((first, second), (second, first)):
                    page.wait_for_selector("#now.yours, #end:not([hidden]), #now:not(.yours)")
                    if page.locator("#now.yours").count():
                        tap_something(page, turn)
                        shown = page.locator("#log li").nth(0).inner_text()
                        other.wait_for_selector("#log li")
                        assert other.locator("#log li").nth(0).inner_text() == shown
            before = second.locator("#log li").nth(0).inner_text()
            second.reload()
            second.wait_for_selector("#log li")
            assert second.locator("#log li").nth(0).inner_text() == before


def test_a_killed_server_comes_back_with_the_game(pages: Pages) -> None:
    """The server is killed in the middle of a game and started again: the open page goes on by
    itself where it was, and so does the link in a new one."""
    expected = ("Failed to load resource", "ERR_CONNECTION", "net::ERR")
    with pages.open("/", expected=expected) as page:
        make_table(page)
        for turn in range(4):
            assert wait_for_turn(page)
            tap_something(page, turn)
        assert wait_for_turn(page)
        told = page.locator("#log").inner_text()
        pages.server.stop(signal.SIGKILL)
        page.wait_for_selector("#notice:has-text('cannot be heard')")
        pages.server.start()
        page.wait_for_selector("#notice:empty", state="attached")
        assert page.locator("#log").inner_text() == told
        with pages.open(page.url) as again:
            assert wait_for_turn(again)
            assert again.locator("#log").inner_text() == told
        play_by_taps(page)


def test_a_foreign_token_opens_nothing(pages: Pages) -> None:
    """A link with another token is a page that says so, and shows no table."""
    with pages.open("/") as page:
        make_table(page)
        page.wait_for_selector("#hand")
        wrong = page.url[:-4] + "AAAA"
    with pages.open(wrong, expected=["404"]) as page:
        assert "opens no seat" in page.locator("main").inner_text()
        assert page.locator("#game").count() == 0


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES)
def test_pages_are_fit_for_everyone(pages: Pages, size: str, scheme: Any) -> None:
    """Home, form, table, claim and end: nothing that axe-core finds, no sideways scroll, in both
    sizes and colour schemes; all of it by keyboard."""
    with pages.open("/", SIZES[size], scheme) as page:
        assert axe_findings(page) == []
        page.locator("#another > summary").press("Enter")
        page.get_by_text("House rules").press("Enter")
        assert axe_findings(page) == []
        assert overflow(page) <= 0
        page.select_option("#partners", "greedy")
        page.select_option("#opponents", "greedy")
        page.select_option("[name=pace]", "0")
        page.get_by_role("button", name="Make this table").press("Enter")
        page.wait_for_selector("#hand .card")
        assert wait_for_turn(page)
        assert axe_findings(page) == []
        page.locator("#hand button[aria-disabled=false]").first.press("Enter")
        page.locator("button.seat[aria-disabled=false]").first.focus()
        assert axe_findings(page) == []
        page.get_by_role("button", name="Claim …").press("Enter")
        page.locator(".choices button").first.press("Enter")
        assert axe_findings(page) == []
        page.keyboard.press("Escape")
        page.locator("#resign").press("Enter")
        page.locator("#resigning button[value=yes]").press("Enter")
        page.wait_for_selector("#end:not([hidden])")
        assert axe_findings(page) == []
        assert overflow(page) <= 0
        if SIZES[size] == PHONE:
            assert small_targets(page) == []
