"""Is this claim certain? A half-suit that the own team may hold; in half of the puzzles, it does.

The answer is a layout of its six cards, ``{"holders": {"2S": "A1", …}}``, or that no claim is
certain yet, ``{"certain": false}``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from literature_ai.cards import (
    HALF_SUIT_NAMES,
    HALF_SUIT_SIZE,
    SEAT_NAMES,
    HalfSuit,
    Seat,
    cards_of,
    half_suit_of,
    team_of,
)
from literature_ai.errors import LiteratureError
from literature_ai.game.view import View
from literature_ai.inference.knowledge import BestClaim, Knowledge
from literature_ai.inference.proof import prove
from literature_ai.puzzles.games import view_at, walk
from literature_ai.puzzles.puzzle import Puzzle, Verdict, level_of
from literature_ai.records.record import Record
from literature_ai.wording import by_card, layout, percent

if TYPE_CHECKING:
    import numpy as np

_LIKELY = {"easy": (0.2, 0.45), "medium": (0.45, 0.7), "hard": (0.7, 1.0)}
"""How likely the best layout is where none is certain, by level."""
_OPEN = 2
"""The most cards whose place is not certain there."""
_LATER = 6
"""A certain claim is asked for within so many events."""
_TRIES = 12


class ClaimPuzzle(Puzzle):
    """Whether the seat can be certain of a claim of the half-suit."""

    def __init__(self, view: View, knowledge: Knowledge, best: BestClaim) -> None:
        """``best``: what the seat, which knows so much, could best claim of the half-suit."""
        self.view = view
        self.half_suit = best.half_suit
        self.knowledge = knowledge
        self.best = best

    def question(self) -> dict[str, Any]:
        """The half-suit, its cards, the seats that a claim may name, and the own cards."""
        rules, seat = self.view.rules, self.view.seat
        names = rules.card_names
        seats = (
            range(rules.players) if rules.split_claims else range(team_of(seat), rules.players, 2)
        )
        own = [card for card in self.view.hand if half_suit_of(card) == self.half_suit]
        return {
            "half_suit": HALF_SUIT_NAMES[self.half_suit],
            "cards": [names[card] for card in cards_of(self.half_suit)],
            "seats": [SEAT_NAMES[s] for s in seats],
            "own": [names[card] for card in own],
        }

    def grade(self, answer: Mapping[str, Any]) -> Verdict:
        """Right is the one layout that is certain, or, where none is, to say so.

        The solution has ``certain``, ``holders`` (the likeliest layout), its ``probability``, and
        ``open``: where each card may be whose place is not certain.
        """
        claimed = None if answer.get("certain") is False else self._holders(answer.get("holders"))
        best = self.best
        solution = {
            "certain": best.certain,
            "holders": by_card(self.half_suit, best.holders, self.view.rules.card_names),
            "probability": best.probability,
            "open": self._open(),
        }
        if best.certain:
            places = dict(zip(cards_of(self.half_suit), best.holders, strict=True))
            proof = prove(self.knowledge, self.view.events, places)
            return Verdict(
                claimed == best.holders, self._if_certain(claimed), proof.steps, solution
            )
        return Verdict(claimed is None, self._if_open(claimed), (), solution)

    def _if_certain(self, claimed: tuple[Seat, ...] | None) -> str:
        proved = f"{HALF_SUIT_NAMES[self.half_suit]} is {self._layout(self.best.holders)}"
        if claimed is None:
            return f"It can be proved: {proved}."
        if claimed == self.best.holders:
            return f"Yes: {proved}."
        return f"That cannot be: {self._wrong_card(claimed)}. It can be proved: {proved}."

    def _wrong_card(self, claimed: tuple[Seat, ...]) -> str:
        """A card of the claim that is elsewhere."""
        names = self.view.rules.card_names
        return next(
            f"{names[card]} is with {SEAT_NAMES[right]}, not {SEAT_NAMES[seat]}"
            for card, seat, right in zip(
                cards_of(self.half_suit), claimed, self.best.holders, strict=True
            )
            if seat != right
        )

    def _if_open(self, claimed: tuple[Seat, ...] | None) -> str:
        best = self.best
        likely = f"the best layout, {self._layout(best.holders)}, has {percent(best.probability)} %"
        if claimed is None:
            return f"Yes, nothing is certain yet: {likely}."
        places = dict(zip(cards_of(self.half_suit), claimed, strict=True))
        chance = self.knowledge.probability(places)
        if claimed == best.holders:
            return f"That is the best guess, and no more: it has {percent(chance)} %."
        return f"That is not certain: it has {percent(chance)} %; {likely}."

    def _open(self) -> dict[str, dict[str, float]]:
        names, posterior = self.view.rules.card_names, self.knowledge.posterior()
        return {
            names[card]: {
                SEAT_NAMES[seat]: chance
                for seat, chance in enumerate(posterior[card].tolist())
                if chance
            }
            for card in cards_of(self.half_suit)
            if posterior[card].max() < 1.0
        }

    def _layout(self, holders: tuple[Seat, ...]) -> str:
        return layout(self.half_suit, holders, self.view.rules.card_names)

    def _holders(self, given: object) -> tuple[Seat, ...]:
        """The layout of an answer. Raises LiteratureError when it is none of the half-suit."""
        if not isinstance(given, Mapping):
            raise LiteratureError("the answer must name a seat for each card, or say 'not certain'")
        places = {self.card_in(card): self.seat_in(seat) for card, seat in given.items()}
        if set(places) != set(cards_of(self.half_suit)):
            name = HALF_SUIT_NAMES[self.half_suit]
            raise LiteratureError(
                f"the answer must name a seat for each of the six cards of {name}"
            )
        return tuple(places[card] for card in cards_of(self.half_suit))


def find_claim(
    record: Record, level: str, rng: np.random.Generator, *, certain: bool
) -> ClaimPuzzle | None:
    """A puzzle of the level from the game, with a claim that is certain or with none; None when the
    game has no such."""
    for seat in rng.permutation(record.rules.players).tolist():
        moments = list(_certain(record, seat) if certain else _uncertain(record, seat))
        for place in rng.permutation(len(moments))[:_TRIES].tolist():
            first, last, half_suit = moments[place]
            view = view_at(record, seat, int(rng.integers(first, last + 1)))
            knowledge = Knowledge.of(view)
            for best in knowledge.claims():
                if best.half_suit == half_suit and view.hand:
                    puzzle = ClaimPuzzle(view, knowledge, best)
                    if _is_of(puzzle, level):
                        return puzzle
    return None


def _is_of(puzzle: ClaimPuzzle, level: str) -> bool:
    """Whether the puzzle is worth asking, and of this level."""
    knowledge, best = puzzle.knowledge, puzzle.best
    if not best.certain:
        low, high = _LIKELY[level]
        return low <= best.probability < high
    deduced = [
        card
        for card in cards_of(puzzle.half_suit)
        if knowledge.place_now(card) is None and card not in puzzle.view.dealt
    ]
    places = dict(zip(cards_of(puzzle.half_suit), best.holders, strict=True))
    return bool(deduced) and level == level_of(prove(knowledge, puzzle.view.events, places))


def _certain(record: Record, seat: Seat) -> Iterator[tuple[int, int, HalfSuit]]:
    """The half-suits that the seat could prove: from which number of events to which one."""
    since: dict[HalfSuit, int] = {}
    for events, _, knowledge in walk(record, seat):
        now = {claim.half_suit for claim in knowledge.certain_claims()}
        for half_suit in sorted(since.keys() - now):
            first = since.pop(half_suit)
            yield first, min(events - 1, first + _LATER), half_suit
        for half_suit in now - since.keys():
            since[half_suit] = events
    for half_suit, first in since.items():
        yield first, min(len(record.events) - 1, first + _LATER), half_suit


def _uncertain(record: Record, seat: Seat) -> Iterator[tuple[int, int, HalfSuit]]:
    """The moments when the team may hold a half-suit, and few of its cards can be elsewhere."""
    rules = record.rules
    ours = [rules.split_claims or team_of(s) == team_of(seat) for s in range(rules.players)]
    for events, _, knowledge in walk(record, seat):
        posterior = knowledge.posterior()
        for half_suit in knowledge.in_play:
            rows = posterior[half_suit * HALF_SUIT_SIZE : (half_suit + 1) * HALF_SUIT_SIZE]
            open_cards = int((rows.max(axis=1) < 1.0).sum())
            if 1 <= open_cards <= _OPEN and (rows[:, ours].sum(axis=1) > 0.0).all():
                yield events, events, half_suit
