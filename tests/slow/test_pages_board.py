"""The page Board in a browser: a whole game by taps on a phone, corrections, and what it says."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
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
from helpers import random_game

from literature_ai.analysis.hints import as_json, hint
from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, cards_of
from literature_ai.events import Asked, Claimed, Event, Passed
from literature_ai.inference.recorded import viewpoint_of
from literature_ai.records.lit import read, write
from literature_ai.records.record import Record
from literature_ai.rules import RuleSet

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.slow, needs_browser]


def own_record(rules: RuleSet, seed: int, until: int | None = None, claim: float = 0.04) -> Record:
    """A game with asks, right and wrong claims, as A1 sees it."""
    game = random_game(rules, np.random.default_rng(seed), until=until, claim=claim)
    record = Record.of(game, "1")
    (record,) = read(write([record]))
    return replace(record, hands=(record.hands[0], *[None] * (rules.players - 1)))


def tap(page: Page, key: str) -> None:
    """Tap the button that stands for this."""
    page.tap(f'[data-key="{key}"]')


def choose(page: Page, key: str) -> None:
    """Tap a choice, and wait until it is pressed, as somebody does who looks."""
    tap(page, key)
    page.wait_for_selector(f'[data-key="{key}"][aria-pressed="true"]')


def set_up(page: Page, record: Record) -> None:
    """Answer the questions of a new board."""
    names = record.rules.card_names
    page.tap("text=New board")
    tap(page, f"players {record.rules.players}")
    page.wait_for_selector("text=Which house rules?")
    for word in record.rules.words().split():
        page.check(f'label.rule:has(strong:text-is("{word}")) input')
    page.tap('button:text-is("Go on")')
    tap(page, "your seat A1")
    for card in record.hands[0] or ():
        tap(page, f"hand {names[card]}")
    tap(page, "hand done")
    tap(page, f"first turn {SEAT_NAMES[record.start]}")
    page.wait_for_selector("#entry-heading")


def tap_event(page: Page, event: Event, record: Record) -> None:
    """Enter what happened by taps: an ask takes three of them."""
    names = record.rules.card_names
    match event:
        case Asked(_, target, card, hit):
            choose(page, f"who is asked {SEAT_NAMES[target]}")
            choose(page, f"which card {names[card]}")
            tap(page, "hit" if hit else "miss")
        case Claimed(claimant, half_suit, holders, right, shown, lost):
            choose(page, "what happens claim")
            if page.query_selector(f'[data-key="who claims {SEAT_NAMES[claimant]}"]'):
                choose(page, f"who claims {SEAT_NAMES[claimant]}")
            choose(page, f"which half-suit {HALF_SUIT_NAMES[half_suit]}")
            for card, seat in zip(cards_of(half_suit), holders, strict=True):
                choose(page, f"said to hold: {names[card]} {SEAT_NAMES[seat]}")
            tap(page, "right" if right else "wrong")
            if not right:
                for card, seat in zip(cards_of(half_suit), shown or (), strict=not lost):
                    choose(page, f"really held: {names[card]} {SEAT_NAMES[seat]}")
                for seat, count in enumerate(lost or ()):
                    if count:
                        choose(page, f"cards lost by {SEAT_NAMES[seat]} {count}")
                tap(page, "wrong done")
        case Passed(_, to):
            if not page.query_selector(f'[data-key="to whom {SEAT_NAMES[to]}"]'):
                tap(page, "what happens pass")
            tap(page, f"to whom {SEAT_NAMES[to]}")
        case _:
            raise AssertionError(event)


def saved(page: Page) -> str:
    """The record that the page offers to save."""
    answer = page.request.get(f"{page.url}/board.lit")
    return answer.text()


def events_in_log(page: Page, count: int) -> None:
    """Wait until so many events are in the log."""
    page.wait_for_selector(f'[data-key="event {count}"]')


@pytest.mark.parametrize(
    "rules",
    [RuleSet(), RuleSet.parse("claim-any-time wrong-hides pass-turn", 4)],
    ids=["usual", "house-rules"],
)
def test_whole_game_by_taps(pages: Pages, rules: RuleSet, tmp_path: Path) -> None:
    """A whole game is entered by taps on a phone. The record is the one that was played, the page
    got the hint that ``literature hint --json`` gives for it, and it all survives a reload and a
    restart of the server."""
    record = own_record(rules, 5, claim=0.3)
    events = len(record.events)
    half = next(n for n in range(events // 2, events) if record.at(n).position().turn == 0)
    with pages.open("/board", PHONE, expected=("ERR_CONNECTION_REFUSED",)) as page:
        set_up(page, record)
        for number, event in enumerate(record.events, start=1):
            tap_event(page, event, record)
            if number < len(record.events):
                events_in_log(page, number)
            if number == half:
                pages.server.stop()
                pages.server.start()
                page.reload()
                events_in_log(page, half)
                state = json.loads(page.request.get(f"{page.url}/state").text())
                advice = json.loads(page.request.get(f"{page.url}/advice").text())
                said = as_json(hint(viewpoint_of(record.at(half), 0, "x")))
                assert said == state["hint"]
                file = tmp_path / "half.lit"
                file.write_text(saved(page), "utf-8")
                told = told_by_hint(file)
                assert advice["engine"]["choice"]
                for key, value in {**said, "engine": advice["engine"]}.items():
                    assert value == told[key], key
        page.wait_for_selector("text=Replay it")
        (entered,) = read(saved(page))
        assert record.events == entered.events
        assert record.hands == entered.hands
        assert overflow(page) == 0


def told_by_hint(file: Path) -> dict:
    """What the command says of the file, without what is looked ahead."""
    command = [sys.executable, "-m", "literature_ai", "hint", str(file), "--json"]
    said = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    said["asks"] = [
        {key: ask[key] for key in ("target", "card", "probability")} for ask in said["asks"]
    ]
    return said


def test_correction(pages: Pages) -> None:
    """An earlier event is entered again, one is left out and put back, and an entry that cannot be
    is refused with the event that it clashes with; at the end the record is as it was."""
    record = own_record(RuleSet(), 8, until=12)
    with pages.open("/board", PHONE) as page:
        set_up(page, record)
        for number, event in enumerate(record.events, start=1):
            tap_event(page, event, record)
            events_in_log(page, number)
        before = read(saved(page))[0].events
        assert record.events == before
        tap(page, "event 3")
        page.tap('dialog button:text-is("Enter it again")')
        page.wait_for_selector("text=Event 3 as it was")
        page.reload()
        page.wait_for_selector("text=Event 3 as it was")
        tap_event(page, record.events[2], record)
        events_in_log(page, len(before))
        assert before == read(saved(page))[0].events

        tap(page, "undo")
        page.wait_for_selector(f'[data-key="event {len(before)}"]', state="detached")
        last = record.events[-1]
        tap_event(page, last, record)
        events_in_log(page, len(before))

        tap(page, f"event {len(before)}")
        page.tap('dialog button:text-is("Leave it out")')
        page.wait_for_selector(f'[data-key="event {len(before)}"]', state="detached")
        moved = {e.card for e in before if isinstance(e, Asked) and e.hit}
        kept = next(card for card in record.hands[0] or () if card not in moved)
        tap(page, "who is asked A1")
        tap(page, f"which card {record.rules.card_names[kept]}")
        tap(page, "miss")
        page.wait_for_selector(".refusal")
        assert "cannot be true with your hand" in page.inner_text(".refusal")
        page.wait_for_selector('button:text-is("Correct my cards")')
        page.tap('.refusal button:text-is("Enter it again")')
        page.wait_for_selector(".refusal", state="detached")
        assert before[:-1] == read(saved(page))[0].events


def test_why(pages: Pages) -> None:
    """A cell of the map tells the proof of a certain place in words."""
    record = own_record(RuleSet(), 8, until=12)
    with pages.open("/board", PHONE) as page:
        page.tap("summary")
        text = write([record])
        page.set_input_files(
            "#saved", {"name": "a.lit", "mimeType": "text/plain", "buffer": text.encode()}
        )
        page.wait_for_selector("#entry-heading")
        page.tap('[data-key="summary map"]')
        held = record.rules.card_names[(record.hands[0] or ())[0]]
        chances = json.loads(page.request.get(f"{page.url}/state").text())["hint"]["locations"]
        (seat,) = chances[held]
        page.tap(f'[data-key="{held} {seat}"]')
        assert f"{seat} has" in page.inner_text("dialog")
        assert axe_findings(page) == []


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SIZES)
def test_every_state_is_accessible(pages: Pages, size: str, scheme: str) -> None:
    """Every question of the set-up, the game, a claim, a refusal and a correction have no finding
    of axe-core, are no wider than the window, and on a phone have targets to tap of 44 pixels."""
    record = own_record(RuleSet(), 8, until=12)
    names = record.rules.card_names

    def look() -> None:
        assert axe_findings(page) == []
        assert overflow(page) == 0
        if size == "phone":
            assert small_targets(page) == []

    def press(key: str) -> None:
        page.click(f'[data-key="{key}"]')

    with pages.open("/board", SIZES[size], scheme) as page:
        look()
        page.click("text=New board")
        page.wait_for_selector("text=How many players?")
        look()
        press("players 6")
        page.wait_for_selector("text=Which house rules?")
        look()
        page.click('button:text-is("Go on")')
        page.wait_for_selector("text=Where do you sit?")
        look()
        press("your seat A1")
        page.wait_for_selector("text=Which cards were you dealt?")
        for card in record.hands[0] or ():
            press(f"hand {names[card]}")
        look()
        press("hand done")
        page.wait_for_selector("text=Who has the first turn?")
        look()
        press(f"first turn {SEAT_NAMES[record.start]}")
        page.wait_for_selector("#entry-heading")
        for number, event in enumerate(record.events, start=1):
            assert isinstance(event, Asked)
            press(f"who is asked {SEAT_NAMES[event.target]}")
            press(f"which card {names[event.card]}")
            press("hit" if event.hit else "miss")
            events_in_log(page, number)
        look()
        if size == "phone":
            press("summary map")
        page.wait_for_selector("table.heat")
        look()
        press("what happens claim")
        press("which half-suit LS")
        look()
        press("event 2")
        page.wait_for_selector("dialog")
        look()
        page.click('dialog button:text-is("Enter it again")')
        page.wait_for_selector("text=Event 2 as it was")
        look()
        page.click('button:text-is("Cancel")')
        page.wait_for_selector('[data-key="summary more"]')
        press("summary more")
        press("cards")
        look()
