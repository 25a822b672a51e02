"""Boards: sessions that requests enter lines into, saved after each and found again."""

from __future__ import annotations

from pathlib import Path

import pytest

from literature_ai.analysis.consequences import consequences_of, with_consequences
from literature_ai.analysis.hints import as_json, hint
from literature_ai.assist.boards import Board, Boards, StaleError
from literature_ai.assist.session import Session
from literature_ai.errors import LiteratureError
from literature_ai.inference.recorded import viewpoint_of
from literature_ai.records.lit import read
from literature_ai.records.notation import format_event
from literature_ai.sessions.private import UnknownIdError

RECORD = (Path(__file__).parents[2] / "examples" / "table.lit").read_text("utf-8")


@pytest.fixture
def boards(tmp_path):
    made = Boards(tmp_path)
    yield made
    made.close()


def enter(board: Board, *lines: str) -> dict:
    """The state after the lines."""
    return board.enter(lines, board.version)


def set_up(board: Board) -> None:
    """Answer the questions as the record of the example has it."""
    (record,) = read(RECORD)
    names = record.rules.card_names
    hand = " ".join(names[card] for card in record.hands[0])
    for line in ("6", "none", "a1", hand, "a2"):
        assert enter(board, line)["reply"]["ok"]


def test_same_advice_as_hint(boards):
    """A board that a record was entered into says what ``literature hint --json`` says of it."""
    (record,) = read(RECORD)
    with boards.using(boards.new()) as board:
        set_up(board)
        for event in record.events:
            state = enter(board, format_event(event))
            assert state["reply"]["ok"], state["reply"]
        said = hint(viewpoint_of(record, 0, "x"))
        expected = {**as_json(said), "game": "1"}
        assert expected == state["hint"]
        full = board.full_advice(engine=False)
        assert with_consequences(said, consequences_of(said)) == {**full["hint"], "game": "kitchen"}
        assert board.version == full["version"]


def test_every_entry_is_in_the_file(boards, tmp_path):
    """After each line, in the set-up and in a change too, other boards of the folder find the
    same state; the file is one that ``literature assist`` goes on with."""
    id = boards.new()
    with boards.using(id) as board:
        set_up(board)
        for line in ("b3 tc n", "a1 tc n", "b3 js n", "edit 2"):
            state = enter(board, line)
            assert state["reply"]["ok"], state
            assert "" == state["reply"]["saved"]
            text = (tmp_path / f"{id}.lit").read_text("utf-8")
            assert board.session.text == text == Session.resumed(text, "x").text
    boards.close()
    again = Boards(tmp_path)
    with again.using(id) as board:
        assert {**board.as_json(), "reply": None} == {**state, "reply": None}
        assert 2 == state["change"]["number"]
    again.close()


def test_contradiction_names_the_events_in_doubt(boards):
    """A line that cannot be true is explained as the session does, and the doubted events named,
    0 for the own hand; nothing changes."""
    with boards.using(boards.new()) as board:
        set_up(board)
        enter(board, "b3 tc n", "a1 tc n")
        before = board.as_json()
        state = enter(board, "b3 2s n")
        assert not enter(board, "b1 3s n", "a1 5s n")["reply"]["ok"]
        assert state["reply"]["ok"] is False
        assert "Not taken" in state["reply"]["text"]
    with boards.using(boards.new()) as board:
        set_up(board)
        assert enter(board, "b3 tc n")["reply"]["ok"]
        assert "B3" == board.as_json()["turn"]
        refused = enter(board, "a1 2s n")["reply"]
        assert (False, [0]) == (refused["ok"], refused["doubted"])
        assert before["log"][:1] == board.as_json()["log"]


def test_stale_lines_are_not_entered(boards):
    """Lines for a state that is no more, of a second phone or sent twice, change nothing."""
    with boards.using(boards.new()) as board:
        version = board.version
        board.enter(["6"], version)
        with pytest.raises(StaleError):
            board.enter(["6"], version)
        assert "rules" == board.as_json()["question"]
        with pytest.raises(LiteratureError, match="1 to 20 lines"):
            enter(board)


def test_record_with_several_hands(boards):
    """A board from a record with several hands knows one of them only."""
    hand = "hand B1 4S 7S JS 9S 3C 4C 5C 6C"
    both = RECORD.split("ask A1 B3 JS")[0].replace("start A2", f"{hand}\nstart A2")
    with pytest.raises(LiteratureError, match="A1 B1"):
        boards.new(both)
    with boards.using(boards.new(both, "b1")) as board:
        (record,) = read(board.session.text)
        assert [1] == [seat for seat, known in enumerate(record.hands) if known]


def test_unknown_ids(boards):
    """No other name opens a board."""
    for id in ("", "a" * 22, "../../etc/passwd"):
        with pytest.raises(UnknownIdError), boards.using(id):
            pass
