"""Every page in a real browser: it opens, says nothing on the console, stays on this machine."""

from __future__ import annotations

import pytest
from browser import PHONE, Pages, axe_findings, needs_browser, overflow

from literature_ai.web.site import NAVIGATION

pytestmark = needs_browser


@pytest.mark.parametrize("path", NAVIGATION)
def test_pages_open(pages: Pages, path: str) -> None:
    """The page has its heading and something to press, fits a phone, and axe-core finds nothing
    wrong with it."""
    with pages.open(path, PHONE) as page:
        page.wait_for_selector("main :is(button, input, textarea, select)", state="attached")
        assert page.locator("h1").count() == 1
        assert page.locator("nav [aria-current]").inner_text() == NAVIGATION[path]
        assert [] == axe_findings(page)
        assert overflow(page) <= 0


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        ("console.error('something broke')", "something broke"),
        ("setTimeout(() => { throw new Error('not there') })", "not there"),
        ("fetch('http://example.com/').catch(() => {})", "http://example.com"),
    ],
)
def test_troubles_are_noticed(pages: Pages, trouble: str, said: str) -> None:
    """Messages, errors and requests to elsewhere fail a test that opened the page."""

    def visit() -> None:
        with pages.open("/watch", PHONE) as page:
            page.evaluate(trouble)
            page.evaluate("new Promise((done) => setTimeout(done))")

    with pytest.raises(AssertionError, match=said):
        visit()


def test_findings_are_noticed(pages: Pages) -> None:
    """What is wrong with a page is found by axe-core, and what is too wide is measured."""
    with pages.open("/watch", PHONE) as page:
        page.evaluate("document.querySelector('main').append(document.createElement('button'))")
        page.evaluate("document.querySelector('h1').style.width = '500px'")
        assert any(found.startswith("button-name") for found in axe_findings(page))
        assert overflow(page) > 0


def test_a_table_opens_by_one_tap(pages: Pages) -> None:
    """The first page deals a game: the hand, six seats and the log are there, and axe-core finds
    nothing wrong."""
    with pages.open("/", PHONE) as page:
        page.locator("#start").tap()
        page.wait_for_selector("#hand .held")
        # A bot may have taken a card already.
        held, said = page.evaluate(
            """[document.querySelectorAll('#hand .held').length, [...document.querySelectorAll(
                '#seats .seat')].find((seat) => seat.textContent.includes('you')).textContent]"""
        )
        assert f"{held} cards" in said
        assert page.locator("#seats .seat").count() == 6
        assert [] == axe_findings(page)
        assert overflow(page) <= 0
