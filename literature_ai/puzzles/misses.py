"""Which card does this miss prove? The last event is a miss, after which the seat knows more.

The answer is a card and its seat, ``{"card": "5S", "seat": "B1"}``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, Card, Seat, cards_of
from literature_ai.errors import LiteratureError
from literature_ai.events import Asked
from literature_ai.game.view import View
from literature_ai.inference.knowledge import Knowledge
from literature_ai.inference.proof import prove
from literature_ai.puzzles.games import view_at, walk
from literature_ai.puzzles.naming import LEVELS
from literature_ai.puzzles.puzzle import Puzzle, Verdict, level_of
from literature_ai.records.record import Record
from literature_ai.wording import percent

if TYPE_CHECKING:
    import numpy as np

_MOST_PROVED = 3
"""A miss that proves more cards gives itself away."""
_TRIES = 12


class MissPuzzle(Puzzle):
    """What the seat can know since the last event."""

    def __init__(self, view: View) -> None:
        self.view = view
        before = Knowledge.of(view._replace(events=view.events[:-1]))
        self.known = before.certain()
        """Where cards were certain to be before the miss."""
        self.knowledge = Knowledge.of(view)
        self.proved = new_places(self.known, self.knowledge.certain())

    def question(self) -> dict[str, Any]:
        """The cards in play that were not certain before the miss, by half-suit, and the number of
        those that it proves."""
        names = self.view.rules.card_names
        unknown = {
            HALF_SUIT_NAMES[half_suit]: [
                names[card] for card in cards_of(half_suit) if card not in self.known
            ]
            for half_suit in self.view.in_play
        }
        return {
            "unknown": {half_suit: cards for half_suit, cards in unknown.items() if cards},
            "proves": len(self.proved),
        }

    def grade(self, answer: Mapping[str, Any]) -> Verdict:
        """Right is each card that the miss proves, at its seat.

        The solution has ``proved``: the seats of all such cards.
        """
        card, seat = self.card_in(answer.get("card")), self.seat_in(answer.get("seat"))
        if card in self.known or not self.knowledge.posterior()[card].any():
            name = self.view.rules.card_names[card]
            raise LiteratureError(f"{name} is none of the cards that were open before the miss")
        right = self.proved.get(card) == seat
        names = self.view.rules.card_names
        shown = card if card in self.proved else min(self.proved)
        proof = prove(self.knowledge, self.view.events, {shown: self.proved[shown]})
        proved = {names[c]: SEAT_NAMES[s] for c, s in self.proved.items()}
        return Verdict(right, self._said(card, seat), proof.steps, {"proved": proved})

    def _said(self, card: Card, seat: Seat) -> str:
        names = self.view.rules.card_names
        places = [f"{names[c]} is with {SEAT_NAMES[s]}" for c, s in self.proved.items()]
        proved = f"The miss proves that {' and '.join(places)}."
        if self.proved.get(card) == seat:
            return f"Yes. {proved}"
        chance = float(self.knowledge.posterior()[card, seat])
        where = f"{names[card]} with {SEAT_NAMES[seat]}"
        if not chance:
            return f"{where} is not possible. {proved}"
        return f"{where} has {percent(chance)} %, which is no proof. {proved}"


def new_places(before: Mapping[Card, Seat], after: Mapping[Card, Seat]) -> dict[Card, Seat]:
    """The cards that are certain to be somewhere and were not before."""
    return {card: seat for card, seat in after.items() if card not in before}


def find_miss(record: Record, level: str, rng: np.random.Generator) -> MissPuzzle | None:
    """A puzzle of the level from the game; None when it has none."""
    for seat in rng.permutation(record.rules.players).tolist():
        telling = list(_telling(record, seat))
        for place in rng.permutation(len(telling))[:_TRIES].tolist():
            puzzle = MissPuzzle(view_at(record, seat, telling[place]))
            if puzzle.view.hand and level == _level(puzzle):
                return puzzle
    return None


def _telling(record: Record, seat: Seat) -> Iterator[int]:
    """The numbers of the misses that prove something to the seat."""
    before: dict[Card, Seat] = {}
    for number, event, knowledge in walk(record, seat):
        now = knowledge.certain()
        proved = len(new_places(before, now))
        if isinstance(event, Asked) and not event.hit and 1 <= proved <= _MOST_PROVED:
            yield number
        before = now


def _level(puzzle: MissPuzzle) -> str:
    """That of the easiest of the cards that are proved."""
    events = puzzle.view.events
    found = (level_of(prove(puzzle.knowledge, events, {c: s})) for c, s in puzzle.proved.items())
    return min(found, key=LEVELS.index)
