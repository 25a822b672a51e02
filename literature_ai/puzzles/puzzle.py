"""What puzzles have in common: a view, a question, and a verdict on an answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from literature_ai.bots.external import view_in_names
from literature_ai.cards import SEAT_NAMES, Card, Seat, parse_seat
from literature_ai.errors import LiteratureError
from literature_ai.game.view import View
from literature_ai.inference.proof import Proof, Step
from literature_ai.records.notation import card_of_deck, format_event

EASY_PROOF, HARD_PROOF = 4, 8
"""The most events that the proofs of easy puzzles cite, and the fewest that those of hard ones
do."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What comes of an answer."""

    right: bool
    said: str
    """In a line or two."""
    because: tuple[Step, ...]
    """The proof, in steps; empty where there is none to give."""
    solution: Mapping[str, Any] = field(default_factory=dict)
    """In plain JSON types, as each kind says."""

    def as_json(self) -> dict[str, Any]:
        """In plain JSON types."""
        steps = [{"text": s.text, "events": list(s.events), "depth": s.depth} for s in self.because]
        return {"right": self.right, "said": self.said, "because": steps, **self.solution}


class Puzzle(ABC):
    """A position as one seat sees it, with a question."""

    view: View

    @abstractmethod
    def question(self) -> dict[str, Any]:
        """What is asked, in plain JSON types; it gives nothing of the solution away."""

    @abstractmethod
    def grade(self, answer: Mapping[str, Any]) -> Verdict:
        """The verdict on an answer in plain JSON types. Raises LiteratureError for what is none."""

    def as_json(self) -> dict[str, Any]:
        """The position, in the words of `literature_ai.sessions.seen`, and the question."""
        view = self.view
        names = view.rules.card_names
        seen = view_in_names(view, [])
        kept = ("hand", "hand_sizes", "score", "in_play", "turn")
        return {
            "rules": view.rules.words(),
            "players": view.rules.players,
            "viewer": seen["seat"],
            "start": SEAT_NAMES[view.start],
            "dealt": [names[card] for card in view.dealt],
            "events": [format_event(event, names) for event in view.events],
            **{key: seen[key] for key in kept},
            **self.question(),
        }

    def card_in(self, word: object) -> Card:
        """The card of the deck that an answer names. Raises LiteratureError for none."""
        if not isinstance(word, str):
            raise LiteratureError("the answer must name a card, as in '5S'")
        return card_of_deck(word, self.view.rules)

    def seat_in(self, word: object) -> Seat:
        """The seat that an answer names. Raises LiteratureError for none."""
        if not isinstance(word, str):
            raise LiteratureError("the answer must name a seat, as in 'B1'")
        return parse_seat(word, self.view.rules.players)


def level_of(proof: Proof) -> str:
    """How hard it is to find the proof."""
    events = sum(1 for event in proof.events if event > 0)
    counted = any(step.counting or step.depth for step in proof.steps)
    if events >= HARD_PROOF or counted:
        return "hard"
    return "easy" if events <= EASY_PROOF else "medium"
