"""The short lines that people type at the table, spelled out as lines of a record.

What a word is says what it means, so the order hardly matters and what is clear can be left out:
the asker is the player on turn, a pass goes to the only teammate who can take it, and in a claim
the half-suit says the suit. The reader of records then reads the line and checks it.

>>> from literature_ai.rules import RuleSet
>>> position = Position(RuleSet(), start=0)
>>> spelled_out("b2 3d y", position)
'ask A1 B2 3D hit'
>>> spelled_out("c ls a1:2,3 a2:4 a3 y", position)
'claim A1 LS A1:2S,3S A2:4S A3:5S,6S,7S right'
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence

from literature_ai.cards import (
    CARD_NAMES,
    HALF_SUIT_NAMES,
    SEAT_NAMES,
    Card,
    HalfSuit,
    Seat,
    cards_of,
    parse,
    parse_half_suit,
    parse_seat,
)
from literature_ai.errors import LiteratureError, UnknownNameError
from literature_ai.game.position import Position

STATEMENTS = {
    "ask": "ask",
    "claim": "claim",
    "c": "claim",
    "pass": "pass",
    "p": "pass",
    "timeout": "timeout",
    "result": "result",
}
"""First words of a line that tells an event (or the result), and what they stand for."""

_ANSWERS = {
    **dict.fromkeys(("y", "yes", "+", "hit", "h"), "hit"),
    **dict.fromkeys(("n", "no", "-", "miss", "m"), "miss"),
}
_VERDICTS = {
    **dict.fromkeys(("y", "yes", "+", "right", "r"), "right"),
    **dict.fromkeys(("n", "no", "-", "wrong", "w"), "wrong"),
}
_ASK = "write an ask as in 'b2 3d y' or 'a1 b2 3d n'"
_CLAIM = "write a claim as in 'c a1 ls a1:2,3 a2:4,5 a3:6,7 y'"


class Misread(LiteratureError):
    """A line that says nothing that can be understood: what is wrong, and what would be right."""


def spelled_out(text: str, position: Position, commands: Iterable[str] = ()) -> str:
    """The line as a record has it, with everything that the position makes clear.

    ``commands`` are other words that a line may start with, for the advice. Raises `Misread`.
    """
    words = text.split()
    statement = STATEMENTS.get(words[0].lower())
    match statement:
        case "claim":
            return _claim(words[1:], position)
        case "pass":
            return _pass(words[1:], position)
        case "timeout":
            return _timeout(words[1:], position)
        case "result":
            return " ".join(words)
    asking = " ".join(words if statement is None else words[1:]).replace(",", " ").split()
    if statement is None:
        _expect_ask(asking, position, commands)
    return _ask(asking, position)


def seat_of(word: str) -> Seat | None:
    """The seat that the word names at a table of any size, if it names one."""
    return _parsed(parse_seat, word)


def card_of(word: str) -> Card | None:
    """The card that the word names, if it names one."""
    return _parsed(parse, word)


def half_suit_of(word: str) -> HalfSuit | None:
    """The half-suit that the word names, if it names one."""
    return _parsed(parse_half_suit, word)


def _parsed(parser: object, word: str) -> int | None:
    assert callable(parser)
    try:
        number: int = parser(word)
    except UnknownNameError:
        return None
    return number


def _expect_ask(words: Sequence[str], position: Position, commands: Iterable[str]) -> None:
    """Refuse a line that starts with no word of an ask, for it was perhaps meant as a command."""
    first = words[0] if words else ""
    players = position.rules.players
    if seat_of(first) is not None or card_of(first) is not None or first.lower() in _ANSWERS:
        return
    near = difflib.get_close_matches(first.lower(), [*STATEMENTS, *commands], n=1)
    advice = f"did you mean {near[0]!r}?" if near else f"{_ASK}, or type help"
    raise Misread(f"{_unknown(first, players)}; {advice}")


def _unknown(word: str, players: int) -> str:
    """What is wrong with a word that means nothing in an ask."""
    if len(word) in (2, 3) and card_of(word[1:] + word[:1]) is not None:
        return f"{word!r} has the suit first; write the rank first, as in {word[1:] + word[0]!r}"
    if re.fullmatch(r"[a-bA-B]\d+", word):
        return f"{word!r} is no seat here; the seats are {' '.join(SEAT_NAMES[:players])}"
    return f"{word!r} is no seat, no card, no answer and no command"


def _ask(words: Sequence[str], position: Position) -> str:
    seats: list[str] = []
    cards: list[str] = []
    answers: list[str] = []
    for word in words:
        if word.lower() in _ANSWERS:
            answers.append(_ANSWERS[word.lower()])
        elif (seat := seat_of(word)) is not None:
            seats.append(SEAT_NAMES[seat])
        elif (card := card_of(word)) is not None:
            cards.append(CARD_NAMES[card])
        else:
            raise Misread(f"{_unknown(word, position.rules.players)}; {_ASK}")
    if len(seats) == 1 and position.turn is not None:
        seats.insert(0, SEAT_NAMES[position.turn])
        if seats[0] == seats[1]:
            raise Misread(f"{seats[0]} is on turn, but who was asked is missing; {_ASK}")
    _expect_one(seats, 2, "who was asked is missing", "more than two seats are named")
    _expect_one(cards, 1, "the card is missing", "more than one card is named")
    _expect_one(answers, 1, "the answer is missing", "more than one answer is given")
    return " ".join(["ask", *seats, *cards, *answers])


def _expect_one(found: Sequence[str], count: int, missing: str, surplus: str) -> None:
    if len(found) != count:
        raise Misread(f"{missing if len(found) < count else surplus}; {_ASK}")


def _claim(words: Sequence[str], position: Position) -> str:
    # Blanks may stand around the colons and commas of a layout.
    words = re.sub(r"\s*([:,])\s*", r"\1", " ".join(words)).split()
    claimant = seat_of(words[0]) if words else None
    if claimant is not None:
        words = words[1:]
    elif position.rules.claim_any_time:
        raise Misread(f"anyone may claim at any time, so say who claims; {_CLAIM}")
    elif position.turn is None:
        raise Misread("the game is over; nothing may follow its last event")
    else:
        claimant = position.turn
    if not words:
        raise Misread(f"the half-suit is missing; {_CLAIM}")
    half_suit = half_suit_of(words[0])
    if half_suit is None:
        names = " ".join(HALF_SUIT_NAMES[: position.rules.half_suits])
        raise Misread(f"{words[0]!r} is no half-suit; write one of {names}")
    verdicts = [i for i, word in enumerate(words) if word.lower() in _VERDICTS]
    if not verdicts:
        raise Misread(f"the verdict is missing; write y (right) or n (wrong): {_CLAIM}")
    at = verdicts[0]
    if at == 1:
        raise Misread(f"who holds the cards is missing; {_CLAIM}")
    verdict = _VERDICTS[words[at].lower()]
    after = words[at + 1 :]
    if verdict == "wrong" and not position.rules.wrong_hides:
        after = _layout(after, half_suit)
    spelled = [SEAT_NAMES[claimant], HALF_SUIT_NAMES[half_suit], *_layout(words[1:at], half_suit)]
    return " ".join(["claim", *spelled, verdict, *after])


def _layout(words: Sequence[str], half_suit: HalfSuit) -> list[str]:
    """``a1:2,3 a2`` as ``A1:2S,3S A2:4S,5S,6S,7S``; what cannot be understood stays as it is."""
    suit = HALF_SUIT_NAMES[half_suit][1] if half_suit < 8 else ""
    spelled = []
    named: set[str] = set()
    for word in words:
        seat, colon, cards = word.partition(":")
        if colon:
            full = [_card_in(card, suit) for card in cards.split(",")]
            named.update(full)
            spelled.append(f"{seat.upper()}:{','.join(full)}")
        else:
            spelled.append(word)
    for i, word in enumerate(spelled):
        if seat_of(word) is not None:
            rest = [CARD_NAMES[card] for card in cards_of(half_suit)]
            rest = [card for card in rest if card not in named]
            if not rest:
                raise Misread(f"no card is left for {word.upper()}; leave it out")
            spelled[i] = f"{word.upper()}:{','.join(rest)}"
            named.update(rest)
    return spelled


def _card_in(word: str, suit: str) -> str:
    """The name of the card, its suit added if it is left out."""
    for full in (word, word + suit):
        card = card_of(full) if full else None
        if card is not None:
            return CARD_NAMES[card]
    return word


def _pass(words: Sequence[str], position: Position) -> str:
    if len(words) == 2:
        return " ".join(["pass", *words])
    if position.turn is None:
        raise Misread("the game is over; nothing may follow its last event")
    giver = SEAT_NAMES[position.turn]
    if words[1:]:
        raise Misread("a pass has too many words; write it as in 'p a2'")
    if words:
        return f"pass {giver} {words[0]}"
    takers = [SEAT_NAMES[seat] for seat in position.legal_passes()]
    if len(takers) > 1:
        raise Misread(
            f"{giver} may pass to {' or '.join(takers)}; say to whom, as in 'p {takers[0].lower()}'"
        )
    mates = range(position.turn % 2, position.rules.players, 2)
    mate = takers[0] if takers else SEAT_NAMES[next(s for s in mates if s != position.turn)]
    return f"pass {giver} {mate}"


def _timeout(words: Sequence[str], position: Position) -> str:
    if words or position.turn is None:
        return " ".join(["timeout", *words])
    return f"timeout {SEAT_NAMES[position.turn]}"
