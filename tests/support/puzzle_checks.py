"""Checks of puzzles against the engines, started anew from what the seat of the puzzle sees."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from literature_ai.analysis.engine import analyze
from literature_ai.analysis.game_values import SURE
from literature_ai.cards import SEAT_NAMES, cards_of, team_of
from literature_ai.errors import LiteratureError
from literature_ai.events import Ask
from literature_ai.inference.knowledge import Knowledge
from literature_ai.puzzles.asks import BUDGET, LEAST_LOSS, AskPuzzle
from literature_ai.puzzles.claims import ClaimPuzzle
from literature_ai.puzzles.making import make
from literature_ai.puzzles.misses import MissPuzzle
from literature_ai.puzzles.naming import PuzzleName

NO_ANSWERS: list[dict[str, Any]] = [
    {},
    {"certain": True},
    {"holders": {"2S": "A1"}},
    {"holders": "A1"},
    {"card": "5S"},
    {"card": "1S", "seat": "A1", "target": "A1"},
    {"card": "5S", "seat": "C1", "target": 7},
    {"card": None, "seat": None},
]


def check_puzzle(name: PuzzleName) -> None:
    """The puzzle is a fair one, and every answer is graded as the engines say."""
    puzzle = make(name)
    json.dumps(puzzle.as_json())
    for wrong in NO_ANSWERS:
        with pytest.raises(LiteratureError):
            puzzle.grade(wrong)
    match puzzle:
        case ClaimPuzzle():
            _check_claim(puzzle)
        case MissPuzzle():
            _check_miss(puzzle)
        case AskPuzzle():
            _check_ask(puzzle, name.level)


def _check_claim(puzzle: ClaimPuzzle) -> None:
    view, names = puzzle.view, puzzle.view.rules.card_names
    knowledge = Knowledge.of(view)
    cards = cards_of(puzzle.half_suit)
    # By SAT; the puzzle goes by counting.
    possible = [knowledge.possible_seats()[card] for card in cards]
    single = all(seats.bit_count() == 1 for seats in possible)
    holders = [seats.bit_length() - 1 for seats in possible]
    ours = [view.rules.split_claims or team_of(s) == team_of(view.seat) for s in holders]
    certain = single and all(ours)
    verdict = puzzle.grade({"certain": False})
    assert verdict.right != certain
    assert bool(verdict.because) == certain
    assert verdict.solution["certain"] == certain
    rng = np.random.default_rng(len(view.events))
    seats = view.rules.players
    layouts = [tuple(rng.integers(seats, size=6).tolist()) for _ in range(20)]
    layouts += [puzzle.best.holders, tuple(holders)]
    for layout in layouts:
        answer = {names[c]: SEAT_NAMES[s % seats] for c, s in zip(cards, layout, strict=True)}
        places = {c: s % seats for c, s in zip(cards, layout, strict=True)}
        right = knowledge.probability(places) == 1.0
        assert puzzle.grade({"holders": answer}).right == (right and all(ours))


def _check_miss(puzzle: MissPuzzle) -> None:
    view, names = puzzle.view, puzzle.view.rules.card_names
    before = Knowledge.of(view._replace(events=view.events[:-1])).possible_seats()
    after = Knowledge.of(view).possible_seats()
    asked = puzzle.as_json()["unknown"]
    unknown = [card for card, seats in enumerate(before) if seats.bit_count() > 1]
    assert [names[card] for card in unknown] == [name for cards in asked.values() for name in cards]
    right = 0
    for card in unknown:
        for seat in range(view.rules.players):
            verdict = puzzle.grade({"card": names[card], "seat": SEAT_NAMES[seat]})
            assert verdict.right == (after[card] == 1 << seat)
            assert verdict.because
            assert len(view.events) in {n for step in verdict.because for n in step.events}
            right += verdict.right
    assert puzzle.as_json()["proves"] == right > 0


def _check_ask(puzzle: AskPuzzle, level: str) -> None:
    view, names = puzzle.view, puzzle.view.rules.card_names
    analysis = analyze(view, budget=BUDGET, seed=puzzle.analysis.seed)
    right = 0
    for option in puzzle.as_json()["options"]:
        verdict = puzzle.grade(option)
        ask = Ask(SEAT_NAMES.index(option["target"]), names.index(option["card"]))
        assert ask in view.legal_asks
        found = analysis.candidate(ask)
        assert (found.loss, found.loss_se) == (
            verdict.solution["loss"],
            verdict.solution["loss_se"],
        )
        assert verdict.right == (ask == analysis.choice)
        assert verdict.right or found.loss > SURE * found.loss_se
        assert verdict.right or found.loss >= LEAST_LOSS[level]
        best = verdict.solution["options"][0]
        assert Ask(SEAT_NAMES.index(best["target"]), names.index(best["card"])) == analysis.choice
        right += verdict.right
    assert right == 1
