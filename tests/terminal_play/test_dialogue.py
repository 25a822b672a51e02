"""The conversation of `literature play`, with lines from a list in the place of a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from lively import LIVELY, let_in, seats_with

from literature_ai.cards import SEAT_NAMES, Seat
from literature_ai.errors import StreamError
from literature_ai.rules import RuleSet
from literature_ai.sessions.keeper import Keeper
from literature_ai.sessions.seats import Bot
from literature_ai.sessions.storage import Storage
from literature_ai.sessions.table import TableSession
from literature_ai.terminal_play.commands import Leaving
from literature_ai.terminal_play.dialogue import Dialogue

FOUR = RuleSet(players=4)
ANY_TIME = replace(FOUR, claim_any_time=True)


@pytest.fixture(autouse=True)
def lively(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick agent is one of the package here."""
    let_in(monkeypatch)


class Script:
    """A face that answers with lines, and keeps everything that it is shown."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.lines = lines
        self.shown: list[str] = []
        self.prompts: list[str] = []
        self.pauses = 0

    def say(self, text: str) -> None:
        self.shown += text.split("\n")

    def ask(self, seat: Seat, prompt: str, seconds: float | None) -> str:
        self.prompts.append(prompt)
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None

    def clear(self) -> None:
        self.shown.clear()

    def pause(self) -> None:
        self.pauses += 1


def session_of(rules: RuleSet, persons: str = "A1 B1 A2 B2") -> TableSession:
    """A new table whose first turn is that of A1, whatever the seed says."""
    session = TableSession("1", rules, seats_with(rules, persons), seed=5)
    start = SEAT_NAMES[session.record.start]
    text = session.text.replace(f"start {start}", "start A1")
    return TableSession.resumed(text, "g.lit")


def talk(session: TableSession, *lines: str, file: Path) -> Script:
    """What is shown until the lines are used up."""
    script = Script(iter(lines))
    with pytest.raises((EOFError, Leaving)):
        Dialogue(session, Keeper(Storage(file)), script).play()
    return script


def first_ask(session: TableSession) -> str:
    """A legal ask of A1, as it is typed."""
    ask = session.view(0).legal_asks[0]
    return f"{SEAT_NAMES[ask.target]} {session.rules.card_names[ask.card]}"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of the game."""
    return tmp_path / "g.lit"


def test_a_move_typed_at_the_offer_is_made_when_nobody_claims(file: Path) -> None:
    """Under claim-any-time the person on turn types their move at once; the others are asked for
    claims first, and then it is made."""
    session = session_of(ANY_TIME)
    talk(session, "", first_ask(session), "", "", "", "", "", "", file=file)
    assert len(session.events) == 1
    assert session.events[0].asker == 0
    assert file.read_text() == session.text


def test_an_offer_is_declined_by_enter_and_all_of_them_by_wait(file: Path) -> None:
    """Enter declines one offer; after `wait` there are none before the own next turn."""
    session = session_of(ANY_TIME, "A2")
    shown = talk(session, "", "", "wait", *["hand"] * 3, file=file)
    offers = [prompt for prompt in shown.prompts if "claim?" in prompt]
    assert shown.prompts[:3] == offers == [f"{n} A2 claim? (Enter: no)> " for n in (1, 2, 3)]
    assert session.view(2).turn == 2
    assert shown.pauses == len(session.events)


def test_off_turn_only_a_claim_is_taken(file: Path) -> None:
    """Who is offered a claim and types an ask is told that it is not their turn."""
    session = session_of(ANY_TIME, "A2")
    shown = talk(session, "b1 2d", "c ls a1", file=file)
    said = "Not taken: that would be an action of A1; A2 decides now: claim, or press Enter."
    assert said in shown.shown


def test_who_cannot_claim_is_told_before_the_questions(file: Path) -> None:
    """A claim card by card that the rules forbid is refused before its first question, and a claim
    of what is all in the own hand asks for nothing but whether it is meant."""
    text = session_of(FOUR, "A1").text
    for seat in range(4):
        hand = " ".join(FOUR.card_names[12 * seat : 12 * seat + 12])
        line = f"hand {SEAT_NAMES[seat]} "
        text = re.sub(f"(?m)^{line}.*$", line + hand, text)
    session = TableSession.resumed(text, "g.lit")
    shown = talk(session, "c zz", "c lc", "", "c ls", "y", "c hs", "y", "c", file=file)
    assert "Not taken: 'zz' is no half-suit; write one of LS HS LH HH LD HD LC HC." in shown.shown
    assert "Nothing is claimed." in shown.shown
    questions = [prompt for prompt in shown.prompts if "A1" not in prompt]
    assert questions == ["claim it? (y or n)> "] * 3
    assert any("Not taken: A1 has no cards and cannot claim" in line for line in shown.shown)
    assert len(session.events) == 2


def test_a_person_leaves_a_game_that_waits_for_nobody_known(file: Path) -> None:
    """Where nobody sits the game waits, and the dialogue ends."""
    session = session_of(FOUR)
    session.sit(0, None)
    script = Script(iter(()))
    with pytest.raises(Leaving, match="Nobody sits at A1, so the game waits"):
        Dialogue(session, Keeper(Storage(file)), script).play()
    session.sit(0, Bot(LIVELY))


def test_a_game_that_cannot_be_saved_says_so_once(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is said when it is noticed, not after every event; `save FILE` goes on there."""
    session = session_of(FOUR, "A1")
    full = True

    def save(self: Storage, text: str) -> str:
        if full and self.path == file:
            raise StreamError(f"cannot write {file}: no space left on device")
        return real(self, text)

    real = Storage.save
    monkeypatch.setattr(Storage, "save", save)
    second = file.with_name("second.lit")
    shown = talk(session, first_ask(session), f"save {second}", "hand", file=file)
    assert len([line for line in shown.shown if line.startswith("NOT SAVED: ")]) == 1
    assert f"Saved in {second}, where the session goes on." in shown.shown
    assert second.read_text() == session.text


def test_a_copy_is_saved_without_leaving_the_file(file: Path) -> None:
    """`save FILE` writes a copy that can be gone on with; one that exists is not overwritten."""
    session = session_of(FOUR, "A1")
    copy = file.with_name("copy.lit")
    shown = talk(session, f"save {copy}", f"save {copy}", file=file)
    assert f"Saved a copy in {copy}; the session goes on in {file}." in shown.shown
    assert f"Not taken: {copy} exists already; name another file." in shown.shown
    assert TableSession.resumed(copy.read_text(), str(copy)).text == session.text
