"""axe-core on every page, in both colour schemes, on a phone and on a desk."""

from __future__ import annotations

import pytest
from browser import (
    SCHEMES,
    SIZES,
    Pages,
    Scheme,
    axe_findings,
    needs_browser,
    overflow,
    small_targets,
)

from literature_ai.web.site import NAVIGATION

pytestmark = [pytest.mark.slow, needs_browser]
GAME = "a=greedy&b=certain&players=6&rules=&seed=5"
FURTHER = {
    "/watch?" + GAME + "&viewer=everyone&event=40": ".hand",
    "/train?puzzle=claim-8-easy-1": ".holder",
    "/train?puzzle=miss-us54-easy-1": ".card-row",
    "/train?puzzle=ask-6-easy-1": ".choices.large",
}
"""Addresses of more than the beginning of a page, and what is there when it is shown."""


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", [*NAVIGATION, *FURTHER])
def test_nothing_is_found(pages: Pages, path: str, size: str, scheme: Scheme) -> None:
    """axe-core finds nothing, nothing sticks out, and what is to be tapped is large enough."""
    shown = FURTHER.get(path, "main :is(button, input, textarea, select)")
    with pages.open(path, SIZES[size], scheme) as page:
        page.wait_for_selector(shown, state="attached")
        for summary in page.locator("main summary").all():
            if summary.is_visible() and summary.locator("..").get_attribute("open") is None:
                summary.click()
        assert [] == axe_findings(page)
        assert overflow(page) <= 0
        assert size == "desk" or [] == small_targets(page)
