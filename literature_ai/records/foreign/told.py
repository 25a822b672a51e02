"""A game as the log of another program tells it."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from literature_ai.cards import (
    DECKS,
    HALF_SUIT_SIZE,
    SEAT_NAMES,
    Card,
    CardNames,
    Seat,
    half_suit_of,
    is_card,
    parse,
)
from literature_ai.errors import RecordError, RulesError, UnknownNameError
from literature_ai.events import Event
from literature_ai.records.notation import suit_last
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
    spelled = word if is_card(word) else suit_last(word)
    for names in DECKS.values():
        with contextlib.suppress(UnknownNameError):
            return names[parse(spelled, names)]
    return None


def deck_of(said: Iterable[set[str]], players: int, line: Line) -> RuleSet:
    """The rules, without any switch, for so many players and the deck of these cards.

    ``said`` are the names of cards in hands, asks and claims; those in a claim, six of them, make
    up a half-suit. Of several decks it is the smallest, and the usual one before others.

    Raises `RecordError` at the line when there is no such deck, or when it is not for so many
    players.
    """
    groups = list(said)
    named = set().union(*groups)
    decks = [word for word, names in sorted(DECKS.items(), key=_size) if named <= set(names)]
    if not decks:
        listed = ", ".join(word or "the usual one" for word in DECKS)
        line.fail("no deck has all the cards that the game names", f"the decks are {listed}")
    fitting = (word for word in decks if all(_half_suits(word, six) == 1 for six in groups))
    try:
        return RuleSet.parse(next(fitting, decks[0]), players)
    except RulesError as error:
        what, _, cure = str(error).partition(": ")
        line.fail(what, cure)


def _size(deck: tuple[str, CardNames]) -> int:
    return len(deck[1])


def _half_suits(deck: str, cards: set[str]) -> int:
    """In how many half-suits of the deck the six cards of a claim are; 1 if they are no six."""
    if len(cards) != HALF_SUIT_SIZE:
        return 1
    return len({half_suit_of(DECKS[deck].index(card)) for card in cards})
