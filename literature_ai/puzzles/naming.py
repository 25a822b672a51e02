"""Names of puzzles: the kind, the rules, the level and a number, as in ``claim-6-easy-17``.

>>> PuzzleName.parse("claim-6-easy-17")
PuzzleName(kind='claim', rules='6', level='easy', number=17)
>>> str(PuzzleName("ask", "us54", "hard", 3))
'ask-us54-hard-3'
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass

from literature_ai.errors import LiteratureError
from literature_ai.rules import RuleSet
from literature_ai.wording import shortened, whole_number

KINDS = {
    "claim": "Is this claim certain?",
    "miss": "What does this miss prove?",
    "ask": "Which ask is best?",
}
"""The kinds, with the question that each asks."""
LEVELS = ("easy", "medium", "hard")
RULES = {
    "6": RuleSet(),
    "4": RuleSet(players=4),
    "8": RuleSet(players=8),
    "us54": RuleSet.parse("us54"),
    "pagat": RuleSet.parse("pagat"),
    "split": RuleSet.parse("split-claims"),
}
"""The rules that puzzles are played by: the number of players under the usual rules, or words."""
MOST_NUMBER = 10**9
_DAILY = (("miss", "easy"), ("claim", "easy"), ("ask", "medium"), ("claim", "medium"))
_DAILY_LAST = ("miss", "claim", "ask")
"""The fifth puzzle of a day is a hard one, of these kinds in turn."""


@dataclass(frozen=True, slots=True)
class PuzzleName:
    """The name of a puzzle. Raises LiteratureError for a kind, rules, a level or a number that do
    not exist."""

    kind: str
    rules: str
    level: str
    number: int

    def __post_init__(self) -> None:
        for what, word, words in (
            ("kind", self.kind, KINDS),
            ("rules", self.rules, RULES),
            ("level", self.level, LEVELS),
        ):
            _need(what, word, words)
        if self.number not in range(MOST_NUMBER):
            raise LiteratureError(f"the number of a puzzle is less than {MOST_NUMBER}")

    def __str__(self) -> str:
        return f"{self.kind}-{self.rules}-{self.level}-{self.number}"

    @classmethod
    def parse(cls, text: str) -> PuzzleName:
        """The inverse of `str`. Raises LiteratureError."""
        words = text.split("-")
        number = whole_number(words[-1])
        if len(words) != 4 or number is None:
            raise LiteratureError(
                f"{shortened(text)!r} is no name of a puzzle; one is 'claim-6-easy-17'"
            )
        return cls(words[0], words[1], words[2], number)

    @property
    def seed(self) -> tuple[int, ...]:
        """What all random numbers of the puzzle come from."""
        return (
            list(KINDS).index(self.kind),
            list(RULES).index(self.rules),
            LEVELS.index(self.level),
            self.number,
        )


def daily(date: str) -> tuple[PuzzleName, ...]:
    """The puzzles of a day (``2026-12-01``), the same for everyone, from easy to hard.

    Raises LiteratureError for what is no day.
    """
    try:
        day = datetime.date.fromisoformat(date)
    except ValueError:
        raise LiteratureError(f"{shortened(date)!r} is no day; write it as in 2026-12-01") from None
    number = day.toordinal()
    last = (_DAILY_LAST[number % len(_DAILY_LAST)], "hard")
    return tuple(
        PuzzleName(kind, "6", level, number * 10 + place)
        for place, (kind, level) in enumerate((*_DAILY, last))
    )


def _need(what: str, word: str, words: Iterable[str]) -> None:
    if word not in words:
        raise LiteratureError(f"{shortened(word)!r} is no {what} of puzzles: {', '.join(words)}")
