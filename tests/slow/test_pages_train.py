"""Train by taps on a phone-sized page, with the network off: answers, verdicts, streaks, days."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browser import DESK, PHONE, Pages, axe_findings, needs_browser, overflow, small_targets

from literature_ai.cards import SEAT_NAMES, cards_of
from literature_ai.puzzles.asks import AskPuzzle
from literature_ai.puzzles.claims import ClaimPuzzle
from literature_ai.puzzles.making import make
from literature_ai.puzzles.misses import MissPuzzle
from literature_ai.puzzles.naming import PuzzleName

pytestmark = [pytest.mark.slow, needs_browser]


def tap_answer(page: Any, name: str, *, right: bool) -> None:
    """Tap the right answer to the puzzle, or one that is wrong."""
    puzzle = make(PuzzleName.parse(name))
    names = puzzle.view.rules.card_names
    match puzzle:
        case ClaimPuzzle():
            if puzzle.best.certain != right:
                page.get_by_role("button", name="Not certain yet").click()
                return
            for card, seat in zip(cards_of(puzzle.half_suit), puzzle.best.holders, strict=True):
                row = page.locator(".holder").nth(card % 6)
                row.get_by_role("button", name=SEAT_NAMES[seat]).click()
        case MissPuzzle():
            card, seat = next(iter(puzzle.proved.items()))
            others = set(range(puzzle.view.rules.players)) - {seat, puzzle.view.seat}
            page.locator(f'[data-key="Card {names[card]}"]').click()
            given = seat if right else min(others)
            page.locator(f'[data-key="Seat {SEAT_NAMES[given]}"]').click()
        case AskPuzzle():
            places = range(len(puzzle.options))
            hits = [puzzle.options[i] == puzzle.analysis.choice for i in places]
            page.locator(f'[data-key="Asks {hits.index(right)}"]').click()
    page.locator('[data-key="answer"]').click()


def verdict(page: Any) -> str:
    """The heading of the verdict, once it is there."""
    return str(page.locator("#verdict-heading").inner_text())


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize(
    "name",
    ["claim-6-easy-1", "claim-4-hard-2", "claim-split-easy-3", "miss-8-easy-4", "ask-6-easy-5"],
)
def test_answers_by_taps(pages: Pages, name: str, right: bool) -> None:
    """The page says whether the answer is right, and why; everything can be tapped."""
    with pages.open(f"/train?puzzle={name}", PHONE) as page:
        page.locator(".fan").wait_for()
        assert [] == axe_findings(page) + small_targets(page)
        tap_answer(page, name, right=right)
        assert verdict(page) == ("✓ Right" if right else "✗ Not right")
        assert [] == axe_findings(page) + small_targets(page)
        assert overflow(page) <= 0
        assert page.evaluate("document.activeElement.id") == "verdict"


def test_proofs_point_into_the_log(pages: Pages) -> None:
    """After the verdict the log shows the events of the proof, and all of them on demand."""
    with pages.open("/train?puzzle=miss-6-medium-2", DESK) as page:
        page.locator(".fan").wait_for()
        events = page.locator(".log li").count()
        tap_answer(page, "miss-6-medium-2", right=True)
        proof = page.locator(".proof").inner_text()
        cited = {n for found in re.findall(r"\(([\d, ]+)\)", proof) for n in found.split(", ")}
        assert set(page.locator(".log .number").all_inner_texts()) == cited
        assert 0 < len(cited) < events
        page.get_by_role("button", name="all", exact=True).click()
        assert page.locator(".log li").count() == events
        assert page.locator(".log .cited").count() == len(cited)


def test_streaks_stay_in_the_browser(pages: Pages) -> None:
    """Right answers in a row are counted, a wrong one ends that; a page that is opened again still
    knows, another browser does not, and only the first answer to a puzzle counts."""
    with pages.open("/train?puzzle=miss-4-easy-1", PHONE) as page:
        for number, right, said in (
            (1, True, "1 right"),
            (2, True, "2 right"),
            (3, False, "0 right"),
        ):
            name = f"miss-4-easy-{number}"
            page.goto(f"/train?puzzle={name}")
            page.locator(".fan").wait_for()
            tap_answer(page, name, right=right)
            verdict(page)
            assert page.locator("#streak").inner_text().startswith(said)
        page.reload()
        page.locator(".fan").wait_for()
        assert page.locator("#streak").inner_text() == "0 right in a row; your best is 2."
        tap_answer(page, "miss-4-easy-3", right=True)
        verdict(page)
        assert page.locator("#streak").inner_text().startswith("0 right")
        assert page.context.cookies() == []
    with pages.open("/train?puzzle=miss-4-easy-1", PHONE) as page:
        page.locator(".fan").wait_for()
        assert page.locator("#streak").inner_text() == ""


def test_the_set_of_a_day(pages: Pages) -> None:
    """Today's five are played one after another and marked, also later; then there is practice."""
    with pages.open("/train", PHONE) as page:
        for number in range(5):
            page.locator(".fan").wait_for()
            name = page.locator(".day [aria-pressed=true]").get_attribute("data-key")
            assert name is not None
            assert page.url.endswith(f"?puzzle={name}")
            tap_answer(page, name, right=number != 3)
            verdict(page)
            assert page.locator(".day .solved, .day .failed").count() == number + 1
            if number < 4:
                page.locator('[data-key="next"]').click()
                page.locator("#verdict").wait_for(state="detached")
        assert ["1 ✓", "2 ✓", "3 ✓", "4 ✗", "5 ✓"] == page.locator(".day button").all_inner_texts()
        page.reload()
        page.locator(".day .failed").wait_for()
        assert page.locator(".day .solved").count() == 4
        page.get_by_role("button", name="Practice").click()
        page.locator("#wanted").wait_for()


def test_practice_by_keyboard(pages: Pages) -> None:
    """Everything is reached by Tab and pressed by Enter: settings, an answer, the next puzzle."""
    with pages.open("/train?puzzle=claim-4-easy-1", DESK) as page:
        page.locator(".fan").wait_for()
        page.locator("#wanted summary").focus()
        page.keyboard.press("Enter")
        page.locator("#form select[name=kind]").focus()
        page.keyboard.type("Is this")
        page.wait_for_function("() => !location.search.endsWith('-1')")
        page.get_by_role("button", name="Not certain yet").focus()
        page.keyboard.press("Enter")
        assert verdict(page)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.dataset.key") == "next"
        page.keyboard.press("Enter")
        page.locator("#verdict").wait_for(state="detached")
        assert page.locator(".holder").count() == 6


def test_a_wrong_link(pages: Pages) -> None:
    """A link to no puzzle says so in a line."""
    with pages.open("/train?puzzle=claim-5-easy-1", PHONE, expected=["400"]) as page:
        page.locator("#notice").filter(has_text="is no rules of puzzles").wait_for()
