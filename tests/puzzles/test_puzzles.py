"""Puzzles: their names, the daily set, and that every answer is graded as the engines say."""

from __future__ import annotations

import datetime
import json
import threading

import pytest
from puzzle_checks import check_puzzle

from literature_ai.errors import LiteratureError
from literature_ai.puzzles import making
from literature_ai.puzzles.making import Puzzles, make
from literature_ai.puzzles.naming import PuzzleName, daily


@pytest.mark.parametrize(
    "name",
    [
        *("claim-6-easy-1", "claim-6-hard-2", "claim-4-medium-3", "claim-8-easy-4"),
        *("claim-split-medium-5", "miss-6-hard-6", "miss-4-easy-7", "claim-us54-easy-8"),
        *("miss-us54-easy-9", "ask-6-easy-10", "ask-4-hard-11"),
    ],
)
def test_answers_are_graded_as_the_engines_say(name):
    """Knowledge and engine, started anew, agree with every verdict."""
    check_puzzle(PuzzleName.parse(name))


def test_a_name_is_one_puzzle():
    """The same name gives the same position, question and verdicts; another number another one."""
    one, same = (make(PuzzleName.parse("miss-4-easy-1")) for _ in range(2))
    other = make(PuzzleName.parse("miss-4-easy-2"))
    assert json.dumps(one.as_json()) == json.dumps(same.as_json()) != json.dumps(other.as_json())


def test_the_question_tells_of_no_other_hand():
    """What is sent of a puzzle names as held only the cards of its own seat."""
    puzzle = make(PuzzleName.parse("claim-4-easy-1"))
    sent = puzzle.as_json()
    names = puzzle.view.rules.card_names
    assert [names[card] for card in puzzle.view.hand] == sent["hand"]
    assert set(sent["own"]) <= set(sent["hand"])
    known = {
        "rules",
        "players",
        "viewer",
        "start",
        "dealt",
        "events",
        "hand",
        "hand_sizes",
        "score",
    }
    assert known | {"in_play", "turn", "half_suit", "cards", "seats", "own"} == set(sent)


@pytest.mark.parametrize(
    "text",
    [
        *("claim-6-easy", "claim-6-easy-x", "claim-6-easy-1-2", "deal-6-easy-1", "claim-7-easy-1"),
        *("claim-6-simple-1", f"claim-6-easy-{10**9}", "claim-6-easy--1", "", "-" * 5000),
    ],
)
def test_names_that_are_none(text):
    """A wrong name is refused in one line."""
    with pytest.raises(LiteratureError) as refused:
        PuzzleName.parse(text)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200


def test_the_daily_set():
    """Every day has five puzzles of all kinds, the last of them hard, and no two days share one."""
    days = [str(datetime.date(2026, 1, 1) + datetime.timedelta(n)) for n in range(400)]
    sets = [daily(day) for day in days]
    assert daily("2026-03-05") == daily("2026-03-05")
    assert 400 * 5 == len({name for names in sets for name in names})
    for names in sets:
        assert {"claim", "miss", "ask"} == {name.kind for name in names}
        assert ["easy", "easy", "medium", "medium", "hard"] == [name.level for name in names]
    for wrong in ("2026-13-01", "today", "", "2026-02-30"):
        with pytest.raises(LiteratureError):
            daily(wrong)


def test_puzzles_are_made_once(monkeypatch):
    """Threads that want the same puzzle get one that is made once, and only so many are kept."""
    made: list[PuzzleName] = []
    puzzle = make(PuzzleName.parse("miss-4-easy-1"))

    def count(name):
        made.append(name)
        return puzzle

    monkeypatch.setattr(making, "make", count)
    puzzles = Puzzles(most=2)
    names = [PuzzleName("miss", "4", "easy", number) for number in range(3)]
    threads = [threading.Thread(target=puzzles.get, args=(names[0],)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert names[:1] == made
    for name in (*names, names[0]):
        puzzles.get(name)
    assert [names[0], names[1], names[2], names[0]] == made
