"""Which ask is best? Four asks of the seat on turn, of which one is better than the others.

They are graded by what the engine says that each gives away (`literature_ai.analysis.engine`), with
the error of that. The answer is one of them, ``{"target": "B2", "card": "3D"}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from literature_ai.analysis.engine import Analysis, Candidate, analyze
from literature_ai.analysis.game_values import SURE, mistake_of
from literature_ai.cards import SEAT_NAMES
from literature_ai.errors import LiteratureError
from literature_ai.events import Ask
from literature_ai.game.view import View
from literature_ai.puzzles.games import view_at
from literature_ai.puzzles.puzzle import Puzzle, Verdict
from literature_ai.records.record import Record
from literature_ai.wording import percent, wanted

if TYPE_CHECKING:
    import numpy as np

BUDGET = 1000
"""The rollouts of the analysis that grades."""
_SCREENING = 120
"""The rollouts that tell whether a position is worth that."""
LEAST_LOSS = {"easy": 0.08, "medium": 0.04, "hard": 0.02}
"""What each other ask loses at least, by level."""
OPTIONS = 4
_TRIES = 8


class AskPuzzle(Puzzle):
    """Which of the options, all of them candidates of the analysis, is best."""

    def __init__(self, view: View, analysis: Analysis, options: tuple[Ask, ...]) -> None:
        self.view = view
        self.analysis = analysis
        self.options = options

    def question(self) -> dict[str, Any]:
        """The asks to choose from, in the order of the cards."""
        names = self.view.rules.card_names
        return {
            "options": [
                {"target": SEAT_NAMES[ask.target], "card": names[ask.card]} for ask in self.options
            ]
        }

    def grade(self, answer: Mapping[str, Any]) -> Verdict:
        """Right is the choice of the engine.

        The solution has ``loss``, ``loss_se`` and ``mistake`` of the answer, and the ``options``,
        the best one first, each with ``target``, ``card``, ``hit``, ``score``, ``loss`` and
        ``loss_se``.
        """
        ask = Ask(self.seat_in(answer.get("target")), self.card_in(answer.get("card")))
        if ask not in self.options:
            raise LiteratureError("that ask is none of the four to choose from")
        found = [self.analysis.candidate(option) for option in self.options]
        found.sort(key=lambda candidate: (candidate.loss, candidate.action != self.analysis.choice))
        chosen = self.analysis.candidate(ask)
        mistake = mistake_of(chosen.loss, chosen.loss_se)
        solution = {
            "loss": chosen.loss,
            "loss_se": chosen.loss_se,
            "mistake": mistake.value if mistake else None,
            "options": [self._option(candidate) for candidate in found],
        }
        return Verdict(ask == self.analysis.choice, self._said(chosen), (), solution)

    def _option(self, candidate: Candidate) -> dict[str, Any]:
        assert isinstance(candidate.action, Ask)
        return {
            "target": SEAT_NAMES[candidate.action.target],
            "card": self.view.rules.card_names[candidate.action.card],
            "hit": candidate.chance,
            "score": candidate.score,
            "loss": candidate.loss,
            "loss_se": candidate.loss_se,
        }

    def _said(self, chosen: Candidate) -> str:
        best = self.analysis.choice
        assert isinstance(best, Ask)
        names = self.view.rules.card_names
        worth = f"{percent(self.analysis.value.score)} %"
        said = f"The best ask is for {wanted(best, names)}: {self.analysis.reason}."
        if chosen.action == best:
            return f"Yes, worth {worth}. {said}"
        lost = f"{100 * chosen.loss:.1f} ± {100 * chosen.loss_se:.1f} %"
        return f"That gives {lost} of {worth} away. {said}"


def find_ask(record: Record, level: str, rng: np.random.Generator) -> AskPuzzle | None:
    """A puzzle of the level from the game; None when it has none."""
    seed = int(rng.integers(2**31))
    for place in rng.permutation(len(record.events))[:_TRIES].tolist():
        turn = record.at(place).position().turn
        assert turn is not None
        view = view_at(record, turn, place)
        if len(view.legal_asks) < OPTIONS or not _options(
            analyze(view, budget=_SCREENING, seed=seed), level, 0.5
        ):
            continue
        analysis = analyze(view, budget=BUDGET, seed=seed)
        options = _options(analysis, level)
        if options:
            return AskPuzzle(view, analysis, options)
    return None


def _options(analysis: Analysis, level: str, share: float = 1.0) -> tuple[Ask, ...]:
    """The choice, and three asks that are worse beyond doubt; none when there are not so many.

    The choice of a hard puzzle is not the likeliest of them to hit. share: of the least loss.
    """
    choice = analysis.choice
    if not isinstance(choice, Ask):
        return ()
    worse = [
        candidate
        for candidate in analysis.candidates
        if isinstance(candidate.action, Ask)
        and candidate.action != choice
        and candidate.loss >= share * LEAST_LOSS[level]
        and candidate.loss > SURE * share * candidate.loss_se
    ]
    # Those likeliest to hit are the most tempting.
    worse.sort(key=lambda candidate: (-(candidate.chance or 0.0), candidate.loss))
    found = [analysis.candidate(choice), *worse[: OPTIONS - 1]]
    if len(found) < OPTIONS:
        return ()
    likeliest = max(candidate.chance or 0.0 for candidate in found)
    if level == "hard" and found[0].chance == likeliest:
        return ()
    asks = [candidate.action for candidate in found if isinstance(candidate.action, Ask)]
    return tuple(sorted(asks, key=lambda ask: (ask.card, ask.target)))
