"""A game as the log of another program tells it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from literature_ai.cards import CARD_NAMES, SEAT_NAMES, Card, Seat
from literature_ai.errors import RecordError, RulesError
from literature_ai.events import Event
from literature_ai.records.notation import card_named, suit_last
from literature_ai.rules import RuleSet


class Line(NamedTuple):
    """A line of a log."""

    file: str
    number: int
    text: str

    def fail(self, what: str, cure: str) -> NoReturn:
        """Raise the `RecordError` that this line is wrong."""
        raise RecordError(self.file, self.number, self.text, what, cure) from None


@dataclass(frozen=True, slots=True)
class Told:
    """A game of a log: what it says, but for the rules, of which it may say little or nothing."""

    rules: RuleSet
    """The rules that the log names; if it names none, those without any switch."""
    hands: tuple[tuple[Card, ...] | None, ...]
    """As dealt; None where the log does not say."""
    events: tuple[tuple[Line, Event], ...]
    """What happened. A wrong claim may leave open who held the cards (``shown`` is None)."""
    starts: Sequence[Seat]
    """Who may have had the first turn, the likeliest first."""
    names: tuple[str | None, ...]
    """Who sits there; None where the log knows seats only."""
    rules_known: bool = False
    """Whether the log names its rules, so that none are to be guessed."""
    passes_implied: bool = False
    """Whether the log leaves out who passed the turn to whom."""
    guessed: tuple[str, ...] = field(default=())
    """Words of ``rules`` that are guessed already."""


_SPELLINGS = {"J1": "RJ", "J2": "BJ", "JOKER1": "RJ", "JOKER2": "BJ", "LJ": "RJ"}
"""Other names of the jokers, which only their names tell apart: numbers, little and big (BJ)."""


def renamed(text: str, names: Sequence[str | None]) -> str:
    """The text with the names of the players in place of those of the seats."""
    known = {SEAT_NAMES[seat]: name for seat, name in enumerate(names) if name is not None}
    return re.sub(r"\b[AB][1-4]\b", lambda found: known.get(found[0], found[0]), text)


def card_name_of(word: str) -> str | None:
    """The name of the card that the word means, with the suit first or last, of whatever deck.

    A ten may be written 10, T or 0. None when the word means no card.
    """
    word = _SPELLINGS.get(word.strip().upper(), word.strip())
    if "10" not in word:
        word = word.replace("0", "T")
    card = card_named(word)
    if card is None:
        card = card_named(suit_last(word))
    return None if card is None else CARD_NAMES[card]


def deck_of(names: Iterable[str], players: int, line: Line) -> RuleSet:
    """The rules, without any switch, for so many players and the deck that has all these cards.

    Raises `RecordError` at the line when the deck is not for so many players.
    """
    try:
        return RuleSet(players, 54 if _ONLY_IN_54.intersection(names) else 48)
    except RulesError as error:
        what, _, cure = str(error).partition(": ")
        line.fail(what, cure)


_ONLY_IN_54 = set(CARD_NAMES[48:])
