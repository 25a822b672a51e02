"""What a session asks before the first event: players, rules, seat, hand and who starts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from literature_ai.cards import (
    HALF_SUIT_NAMES,
    SEAT_NAMES,
    Card,
    Seat,
    cards_of,
    not_in_deck,
    parse,
    parse_half_suit,
    parse_seat,
)
from literature_ai.errors import LiteratureError, UnknownNameError
from literature_ai.records.record import Record
from literature_ai.rule_words import MEANINGS
from literature_ai.rules import RuleSet
from literature_ai.wording import card_names, shortened, whole_number

RULE_WORDS = {word: said for word, said in MEANINGS.items() if word != "silent"}
"""The menu of rules, with what they mean; a preset that changes nothing is not offered."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The answers so far; the first that is missing is the next question."""

    id: str
    """Of the game, for its record."""
    players: int | None = None
    rules: RuleSet | None = None
    seat: Seat | None = None
    hand: tuple[Card, ...] = ()
    """May come in several lines."""
    start: Seat | None = None

    @property
    def question(self) -> str:
        """The name of the next question, which is the word a record uses; empty when done."""
        if self.players is None:
            return "players"
        if self.rules is None:
            return "rules"
        if self.seat is None:
            return "seat"
        if len(self.hand) < self.rules.hand_size:
            return "hand"
        return "start" if self.start is None else ""

    @property
    def prompt(self) -> str:
        """What to show before the answer is typed."""
        match self.question:
            case "players":
                return "players (4, 6 or 8; Enter: 6)> "
            case "rules":
                return "rules (words or numbers; Enter: none)> "
            case "seat":
                return f"your seat ({' '.join(self.seats)})> "
            case "hand":
                return f"your cards as dealt, {self._missing} to go> "
        return f"who starts ({' '.join(self.seats)})> "

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats."""
        return SEAT_NAMES[: self.players]

    @property
    def _missing(self) -> int:
        return (self.rules or RuleSet()).hand_size - len(self.hand)

    def explanation(self) -> str:
        """The next question at length."""
        match self.question:
            case "players":
                return "How many players are there? Teams A and B sit alternately."
            case "rules":
                menu = [
                    f"{number:3} {word:16} {meaning}"
                    for number, (word, meaning) in enumerate(RULE_WORDS.items(), start=1)
                ]
                return "\n".join(
                    [
                        "Which house rules are played? Several go in one line, as words or as",
                        "numbers of this list; numbers with a value as in turn-seconds=30.",
                        *menu,
                    ]
                )
            case "seat":
                return f"Where do you sit? The seats in turn are {' '.join(self.seats)}."
            case "hand":
                return (
                    f"Which cards were you dealt? Name {self._missing}, as in '3s 10d qh',"
                    " in one line or in several; ls or hd stands for a whole half-suit."
                )
            case "start":
                return "Who has the first turn?"
        return ""

    def hand_text(self) -> str:
        """The names of the cards so far."""
        return card_names(self.hand, (self.rules or RuleSet()).card_names)

    def answered(self, line: str) -> Setup:
        """The set-up with this answer to the question. Raises LiteratureError for a wrong one."""
        words = line.replace(",", " ").split()
        question = self.question
        if words and words[0].lower() == question:
            words = words[1:]
        if question == "players":
            return self._with_players(words or ["6"])
        if question == "rules":
            return replace(self, rules=rules_of(words, self.players))
        if question == "hand":
            return self._with_hand(words)
        if len(words) != 1:
            raise LiteratureError(f"one seat is wanted; write one of {' '.join(self.seats)}")
        seat = parse_seat(words[0], self.players or 6)
        return replace(self, seat=seat) if question == "seat" else replace(self, start=seat)

    def _with_players(self, words: list[str]) -> Setup:
        if len(words) != 1 or words[0] not in ("4", "6", "8"):
            raise LiteratureError(f"{' '.join(words)!r} is no number of players; write 4, 6 or 8")
        return replace(self, players=int(words[0]))

    def _with_hand(self, words: list[str]) -> Setup:
        assert self.rules is not None
        if words and words[0].upper() == SEAT_NAMES[self.seat or 0]:
            words = words[1:]
        if not words:
            raise LiteratureError("no card is named; name your cards, as in '3s 10d qh'")
        hand = cards_named(words, self.rules, self.hand)
        if len(hand) > self.rules.hand_size:
            raise LiteratureError(
                f"that makes {len(hand)} cards, but each player is dealt {self.rules.hand_size};"
                " type this line again, or back to drop the line before"
            )
        return replace(self, hand=hand)

    def record(self) -> Record:
        """The record of the game before its first event, when all is answered."""
        assert self.rules is not None
        assert self.seat is not None
        assert self.start is not None
        hands: list[tuple[Card, ...] | None] = [None] * self.rules.players
        hands[self.seat] = self.hand
        names = (None,) * self.rules.players
        return Record(self.id, self.rules, self.start, tuple(hands), names, (), (0, 0))


def rules_of(words: list[str], players: int | None) -> RuleSet:
    """The rules that words or numbers of the menu stand for.

    Raises `RulesError`, or LiteratureError for a number that is not in the menu.
    """
    menu = list(RULE_WORDS)
    spelled = []
    for word in words:
        number, equals, value = word.partition("=")
        if number.isdecimal():
            chosen = whole_number(number)
            if chosen is None or not 1 <= chosen <= len(menu):
                raise LiteratureError(
                    f"{shortened(word)!r} is not in the list, which has 1 to {len(menu)}"
                )
            word = menu[chosen - 1] + equals + value
        if word.lower() != "none":
            spelled.append(word)
    return RuleSet.parse(" ".join(spelled), players)


def cards_named(
    words: list[str], rules: RuleSet, before: tuple[Card, ...] = ()
) -> tuple[Card, ...]:
    """Those cards and the ones named, in order. Raises LiteratureError for what is no new card."""
    hand = list(before)
    for word in words:
        for card in _cards(word, rules):
            if card in hand:
                raise LiteratureError(
                    f"{rules.card_names[card]} is named twice; name each card once"
                )
            hand.append(card)
    return tuple(sorted(hand))


def _cards(word: str, rules: RuleSet) -> list[Card]:
    try:
        return [parse(word, rules.card_names)]
    except UnknownNameError as error:
        try:
            half_suit = parse_half_suit(word)
        except UnknownNameError:
            raise error from None
    if half_suit >= rules.half_suits:
        name = HALF_SUIT_NAMES[half_suit]
        raise LiteratureError(not_in_deck(name, rules.card_names))
    return list(cards_of(half_suit))
