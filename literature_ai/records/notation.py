"""The notation of events: one grammar for record files, for what people type, and for programs.

`parse_event` reads an event in its long form, as records have it, or in a short form, in which
what the position makes clear is left out; `format_event` writes the long form.

========  ======================================  ==================================
event     long form                               short forms
========  ======================================  ==================================
ask       ``ask A1 B2 3D hit``                    ``A1 B2 3D y``, ``b2 3d y``
claim     ``claim A1 LS A1:2S,3S,4S A2:5S,6S,7S   ``c ls a1:2,3,4 a2 y``,
          right``                                 ``c ls a1 a1 a1 a2 a2 a2 y``
pass      ``pass B3 B1``                          ``p b1``, ``p``
timeout   ``timeout B1``                          ``timeout``
========  ======================================  ==================================

The words of an ask may come in any order; an ask, a claim, a pass or a timeout without its player
is of the player on turn (a claim only where nobody else may claim); in a claim the half-suit says
the suit, a seat alone holds the rest, and six seats alone hold the cards in their order. Cards
read as `literature_ai.cards.parse` has them, and case does not matter. `parse_action` reads an ask
or a claim whose answer or verdict is still to come.

>>> from literature_ai.game.position import Position
>>> from literature_ai.rules import RuleSet
>>> position = Position(RuleSet(), start=0)
>>> parse_event("b2 5s y", position)
Asked(asker=0, target=3, card=3, hit=True)
>>> format_event(parse_event("c ls a1:2,3 a2:4 a3 y", position), position.rules.card_names)
'claim A1 LS A1:2S,3S A2:4S A3:5S,6S,7S right'
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from literature_ai.cards import (
    CARD_NAMES,
    HALF_SUIT_NAMES,
    HALF_SUIT_SIZE,
    SEAT_NAMES,
    Card,
    CardNames,
    HalfSuit,
    Seat,
    cards_by_name,
    cards_of,
    is_card,
    not_in_deck,
    parse,
    parse_half_suit,
    parse_seat,
)
from literature_ai.errors import LiteratureError, NotationError, UnknownNameError
from literature_ai.events import (
    Action,
    Ask,
    Asked,
    Claim,
    Claimed,
    Event,
    Pass,
    Passed,
    TimedOut,
    action_of,
    actor_of,
)
from literature_ai.wording import card_names, counts, layout

if TYPE_CHECKING:
    from literature_ai.game.position import Position
    from literature_ai.rules import RuleSet

Lost: TypeAlias = Callable[[HalfSuit], Sequence[int] | None]
"""How many cards of a half-suit each seat has, where that is known."""

_YES_OR_NO = {"y": True, "yes": True, "+": True, "n": False, "no": False, "-": False}
ANSWERS = {**_YES_OR_NO, "hit": True, "h": True, "miss": False, "m": False}
"""The words of an answer to an ask, and whether it is a hit."""
VERDICTS = {**_YES_OR_NO, "right": True, "r": True, "wrong": False, "w": False}
"""The words of a verdict on a claim, and whether it was right."""
EVENT_WORDS = {
    "ask": "ask",
    "claim": "claim",
    "c": "claim",
    "pass": "pass",
    "p": "pass",
    "timeout": "timeout",
}
"""The first words of an event, and what they stand for; an ask needs none."""

_SEATS = {name.lower(): seat for seat, name in enumerate(SEAT_NAMES)}

_ASK = "write an ask as in 'b2 3d y' or 'a1 b2 3d n'"
_CLAIM = "write a claim as in 'c a1 ls a1:3,4 a2:5,6 a3 y'"
_CURES_OF_ACTIONS = {
    _ASK: "write an ask as in 'b2 3d'",
    _CLAIM: "write a claim as in 'c ls a1:3,4 a2:5,6 a3'",
}
_LAST_COMMA = re.compile(
    rf",(?=[ab]\d|(?:{'|'.join(map(re.escape, VERDICTS))})(?:\s|$)|$)", re.IGNORECASE
)
"""A comma before a seat, before the verdict or at the end."""


def parse_event(text: str, position: Position, lost: Lost | None = None) -> Event:
    """The event that the text says is the next in the position.

    Only the grammar is checked: `Position.violation` checks the rules, and
    `literature_ai.records.consistency` the hands.

    ``lost`` gives the counts for a hidden wrong claim (rule ``wrong-hides``) that leaves them out;
    without it they must be written.

    Raises `NotationError` when the text is no event.
    """
    words = text.split()
    if not words:
        raise NotationError("no event is named", _ASK)
    event = EVENT_WORDS.get(words[0].strip(",").lower())
    if event == "claim":
        return _claim(words[1:], position, lost)
    if "," in text:
        words = text.replace(",", " ").split() or [text]
    match event:
        case "pass":
            return _pass(words[1:], position)
        case "timeout":
            return _timeout(words[1:], position)
        case "ask":
            return _ask(words[1:], position)
    if _is_part_of_claim(words[0]):
        raise NotationError(f"{text.strip()!r} is only a part of a claim", _CLAIM)
    if not starts_event(words[0]):
        raise NotationError(
            f"{words[0]!r} is no event", did_you_mean(words[0], EVENT_WORDS, otherwise=_ASK)
        )
    return _ask(words, position)


def parse_action(text: str, position: Position, seat: Seat | None = None) -> tuple[Seat, Action]:
    """The player and the action that the text says: an event without its answer or verdict.

    ``seat`` is who types: a claim without its player is theirs.

    Raises `NotationError` as `parse_event` does, also for a text with an answer.

    >>> from literature_ai.game.position import Position
    >>> from literature_ai.rules import RuleSet
    >>> parse_action("b3 5s", Position(RuleSet(), start=0))
    (0, Ask(target=5, card=3))
    """
    words = text.split()
    kind = EVENT_WORDS.get(words[0].strip(",").lower(), "ask") if words else ""
    if kind in ("ask", "claim"):
        if words[-1].lower() in {**ANSWERS, **VERDICTS}:
            raise NotationError(
                f"{words[-1]!r} is an answer",
                "write the action alone, as in 'b3 5s' or 'c ls a1:3,4 a2'",
            )
        if kind == "claim" and seat is not None and not any(map(_is_seat_like, words[1:2])):
            words.insert(1, SEAT_NAMES[seat])
        words.append("y")
    try:
        event = parse_event(" ".join(words), position)
    except NotationError as error:
        raise NotationError(error.what, _CURES_OF_ACTIONS.get(error.cure, error.cure)) from None
    action = action_of(event)
    if isinstance(action, TimedOut):
        raise NotationError("a timeout is no action", "write an ask, a claim or a pass")
    return actor_of(event), action


def format_action(action: Action | TimedOut, seat: Seat, names: CardNames = CARD_NAMES) -> str:
    """The action of the seat: the long form of its event, without an answer or a verdict.

    ``names`` are the names of the cards in the deck of the game (`RuleSet.card_names`).

    >>> from literature_ai.rules import RuleSet
    >>> format_action(Ask(target=5, card=3), 0, RuleSet().card_names)
    'ask A1 B3 5S'
    """
    match action:
        case Ask(target, card):
            return f"ask {SEAT_NAMES[seat]} {SEAT_NAMES[target]} {names[card]}"
        case Claim(half_suit, holders):
            laid = layout(half_suit, holders, names)
            return f"claim {SEAT_NAMES[seat]} {HALF_SUIT_NAMES[half_suit]} {laid}"
        case Pass(to):
            return f"pass {SEAT_NAMES[seat]} {SEAT_NAMES[to]}"
        case TimedOut():
            return format_event(action, names)


def parse_result(text: str, position: Position) -> bool:
    """Whether the result, ``5-3`` or ``5-3 unfinished``, is that of an unfinished game.

    Raises `NotationError` when it is not the result of a game in this position.
    """
    words = text.lower().split()
    a, b = position.score
    outcome = position.outcome
    unfinished = outcome is None or outcome.unfinished
    cure = f"write result {a}-{b}" + (" unfinished" if unfinished else "")
    if len(words) not in (1, 2) or words[1:] not in ([], ["unfinished"]):
        raise NotationError("a result is a score and perhaps the word unfinished", cure)
    if words[0] != f"{a}-{b}":
        raise NotationError(f"the events give the score {a}-{b}, not {words[0]!r}", cure)
    if unfinished and len(words) == 1:
        ended = "max-events ended" if outcome is not None else "the rules had not ended"
        raise NotationError(f"{ended} the game", cure)
    if not unfinished and len(words) == 2:
        raise NotationError("the game is finished", cure)
    return unfinished


def starts_event(word: str) -> bool:
    """Whether an event may begin with the word."""
    word = word.strip(",").lower()
    if word in EVENT_WORDS or word in _SEATS or word in ANSWERS:
        return True
    if _is_seat_like(word) or _is_part_of_claim(word):
        return True
    return is_card(word) or suit_last(word) != ""


def did_you_mean(word: str, known: Iterable[str], otherwise: str) -> str:
    """The advice to write the nearest of the known words, if one is near."""
    near = difflib.get_close_matches(word.lower(), list(known), n=1)
    return f"did you mean {near[0]!r}?" if near else otherwise


def half_suit_named(word: str) -> HalfSuit | None:
    """The half-suit of any deck that the word names; None when it names none."""
    try:
        return parse_half_suit(word)
    except UnknownNameError:
        return None


def card_of_deck(word: str, rules: RuleSet) -> Card:
    """The card of the deck in play that the word names. Raises `NotationError` if it is none."""
    return _required(lambda text: parse(text, rules.card_names), word)


def half_suit_of_deck(word: str, rules: RuleSet) -> HalfSuit:
    """The half-suit of the deck that the word names. Raises `NotationError` if it is none."""
    half_suit = half_suit_named(word)
    if half_suit is None:
        names = " ".join(HALF_SUIT_NAMES[: rules.half_suits])
        raise NotationError(f"{word!r} is no half-suit", f"write one of {names}")
    if half_suit >= rules.half_suits:
        raise as_notation_error(
            UnknownNameError(not_in_deck(HALF_SUIT_NAMES[half_suit], rules.card_names))
        )
    return half_suit


def seat_in_game(word: str, rules: RuleSet) -> Seat:
    """The seat of the game that the word names. Raises `NotationError` if it is none."""
    return _required(lambda name: parse_seat(name, rules.players), word)


def as_notation_error(error: LiteratureError) -> NotationError:
    """The same error, of the form ``what: cure``, with its two parts."""
    what, _, cure = str(error).partition(": ")
    return NotationError(what, cure or "correct this line")


def _required(parser: Callable[[str], int], word: str) -> int:
    try:
        return parser(word)
    except UnknownNameError as error:
        raise as_notation_error(error) from None


def _is_seat_like(word: str) -> bool:
    """Whether the word is meant as a seat, be it one of the game or not."""
    return re.fullmatch(r"[a-zA-Z]\d+", word) is not None and not suit_last(word)


def _is_part_of_claim(word: str) -> bool:
    """Whether the word says who holds cards, as in ``B1:2S,3S``."""
    seat, colon, _ = word.partition(":")
    return bool(colon) and _is_seat_like(seat)


def suit_last(word: str) -> str:
    """A card with its suit first the other way round; empty when the word is none."""
    swapped = word[1:] + word[:1]
    swaps = len(word) in (2, 3) and not is_card(word) and is_card(swapped)
    return swapped if swaps else ""


def _on_turn(position: Position) -> Seat:
    if position.turn is None:
        broken = position.nothing_follows()
        raise NotationError(broken.what, broken.cure)
    return position.turn


def _ask(words: Sequence[str], position: Position) -> Asked:
    seats: list[Seat] = []
    cards: list[Card] = []
    answers: list[bool] = []
    others: list[str] = []
    rules = position.rules
    named = cards_by_name(rules.card_names)
    for word in words:
        lower = word.lower()
        if lower in ANSWERS:
            answers.append(ANSWERS[lower])
        elif lower in _SEATS and _SEATS[lower] < rules.players:
            seats.append(_SEATS[lower])
        elif (card := named.get(word.upper())) is not None:
            cards.append(card)
        elif _is_seat_like(word):
            seats.append(seat_in_game(word, rules))
        elif is_card(word):
            cards.append(card_of_deck(word, rules))
        else:
            others.append(word)
    if others:
        raise _no_word_of_ask(others, bool(seats), bool(cards), bool(answers), rules)
    if len(seats) == 1:
        asker = _on_turn(position)
        if seats == [asker]:
            raise NotationError(
                f"{SEAT_NAMES[asker]} is on turn, but who was asked is missing", _ASK
            )
        seats.insert(0, asker)
    _expect(seats, 2, "who was asked is missing", "more than two seats are named")
    _expect(cards, 1, "the card is missing", "more than one card is named")
    _expect(answers, 1, "the answer is missing", "more than one answer is given")
    return Asked(seats[0], seats[1], cards[0], answers[0])


def _expect(found: Sequence[object], count: int, missing: str, surplus: str) -> None:
    if len(found) != count:
        raise NotationError(missing if len(found) < count else surplus, _ASK)


def _no_word_of_ask(
    words: Sequence[str], seats: bool, cards: bool, answers: bool, rules: RuleSet
) -> NotationError:
    """What is wrong with words that mean nothing in an ask in which some parts were found."""
    word = words[0]
    if swapped := suit_last(word):
        return NotationError(
            f"{word!r} has the suit first", f"write the rank first, as in {swapped!r}"
        )
    if len(words) == 1 and seats + cards + answers == 2:
        # What is missing is what the word was meant to be.
        if not answers:
            return NotationError(f"{word!r} is no answer", "write y for a hit or n for a miss")
        try:
            card_of_deck(word, rules) if not cards else seat_in_game(word, rules)
        except NotationError as error:
            return error
    return NotationError(f"{word!r} is no seat, no card and no answer", _ASK)


def _claim(words: Sequence[str], position: Position, lost: Lost | None) -> Claimed:
    rules = position.rules
    words = _without_loose_signs(words)
    if words and _is_seat_like(words[0]):
        claimant, words = seat_in_game(words[0], rules), words[1:]
    elif rules.claim_any_time:
        raise NotationError("anyone may claim at any time, so say who claims", _CLAIM)
    else:
        claimant = _on_turn(position)
    if not words or words[0].lower() in VERDICTS:
        raise NotationError("the half-suit is missing", _CLAIM)
    half_suit = half_suit_of_deck(words[0], rules)
    verdicts = [i for i, word in enumerate(words) if word.lower() in VERDICTS]
    if len(verdicts) != 1:
        raise NotationError(
            "more than one verdict is given" if verdicts else "the verdict is missing",
            "write y (right), or n (wrong) and who held the cards, after the claim",
        )
    at = verdicts[0]
    if at == 1:
        raise NotationError("who holds the cards is missing", _CLAIM)
    holders = _parse_layout(words[1:at], half_suit, rules)
    after = words[at + 1 :]
    if VERDICTS[words[at].lower()]:
        if after:
            raise NotationError("something follows right", "write nothing after it")
        return Claimed(claimant, half_suit, holders, True, holders)
    if rules.wrong_hides:
        counts = _parse_counts(after, half_suit, rules, lost)
        return Claimed(claimant, half_suit, holders, False, None, counts)
    if not after:
        raise NotationError(
            "the wrong claim does not show who held the cards",
            "write them after wrong, as in 'wrong A1:9S B1:TS B3'",
        )
    shown = _parse_layout(after, half_suit, rules)
    if shown == holders:
        raise NotationError("the cards were where the claim says", "write right")
    return Claimed(claimant, half_suit, holders, False, shown)


def _without_loose_signs(words: Sequence[str]) -> list[str]:
    """The words of a claim, joined where blanks stand around colons and commas.

    A comma that ends the cards of a seat means nothing.
    """
    text = re.sub(r"\s*([:,])\s*", r"\1", " ".join(words))
    return _LAST_COMMA.sub(" ", text).split()


def _parse_layout(words: Sequence[str], half_suit: HalfSuit, rules: RuleSet) -> tuple[Seat, ...]:
    """The holders of the six cards: ``B1:2S,3S B2:4S B3``, or six seats in card order."""
    if len(words) == HALF_SUIT_SIZE and all(map(_is_seat_like, words)):
        return tuple(seat_in_game(word, rules) for word in words)
    holders: dict[Card, Seat] = {}
    seats: list[Seat] = []
    with_the_rest: list[Seat] = []
    for word in words:
        seat_word, colon, names = word.partition(":")
        if not colon and not _is_seat_like(word):
            raise NotationError(f"{word!r} does not say who holds it", "write it as in 'B1:3S,4S'")
        if colon and not names:
            raise NotationError(f"{word!r} says nothing about cards", "write it as in 'B1:3S,4S'")
        seat = seat_in_game(seat_word, rules)
        if seat in seats:
            raise NotationError(
                f"{SEAT_NAMES[seat]} stands twice", "write each seat once, with all its cards"
            )
        seats.append(seat)
        if not colon:
            with_the_rest.append(seat)
        for name in names.split(",") if colon else ():
            card = _card_of_half_suit(name, half_suit, rules)
            if card in holders:
                raise NotationError(
                    f"{rules.card_names[card]} is named twice", "name each card once"
                )
            holders[card] = seat
    for seat in with_the_rest:
        rest = [card for card in cards_of(half_suit) if card not in holders]
        if not rest:
            raise NotationError(f"no card is left for {SEAT_NAMES[seat]}", "leave it out")
        holders |= dict.fromkeys(rest, seat)
    missing = [card for card in cards_of(half_suit) if card not in holders]
    if missing:
        raise NotationError(
            f"the holder of {card_names(missing, rules.card_names)} is not said",
            "name one for each of the six cards",
        )
    return tuple(holders[card] for card in cards_of(half_suit))


def _card_of_half_suit(word: str, half_suit: HalfSuit, rules: RuleSet) -> Card:
    """The card that the word names, with its suit or, in a half-suit of one, without."""
    suit = HALF_SUIT_NAMES[half_suit][1] if half_suit < 8 else ""
    short = not is_card(word) and is_card(word + suit)
    card = card_of_deck(word + suit if short else word, rules)
    if card not in cards_of(half_suit):
        raise NotationError(
            f"{rules.card_names[card]} is not in {HALF_SUIT_NAMES[half_suit]}",
            f"its cards are {card_names(cards_of(half_suit), rules.card_names)}",
        )
    return card


def _parse_counts(
    words: Sequence[str], half_suit: HalfSuit, rules: RuleSet, lost: Lost | None
) -> tuple[int, ...]:
    """How many cards each seat lost, said as in ``A1:1 B1:1 B3:4``."""
    if not words:
        known = None if lost is None else lost(half_suit)
        if known is None:
            raise NotationError(
                "without all hands the wrong claim must say how many cards each seat lost",
                "write the counts after wrong, as in 'wrong A1:1 B1:1 B3:4'",
            )
        return tuple(known)
    counts = [-1] * rules.players
    for word in words:
        seat_word, _, count = word.partition(":")
        if count not in tuple("0123456"):
            raise NotationError(
                f"{word!r} is no count of cards, which is all that wrong-hides shows",
                "write it as in 'B3:4'",
            )
        seat = seat_in_game(seat_word, rules)
        if counts[seat] >= 0:
            raise NotationError(f"{SEAT_NAMES[seat]} stands twice", "write each seat once")
        counts[seat] = int(count)
    return tuple(max(count, 0) for count in counts)


def _pass(words: Sequence[str], position: Position) -> Passed:
    if len(words) > 2:
        raise NotationError("a pass has too many words", "write it as in 'p a2'")
    if len(words) == 2:
        giver, to = (seat_in_game(word, position.rules) for word in words)
        return Passed(giver, to)
    giver = _on_turn(position)
    if words:
        return Passed(giver, seat_in_game(words[0], position.rules))
    takers = [SEAT_NAMES[seat] for seat in position.legal_passes()]
    if len(takers) > 1:
        raise NotationError(
            f"{SEAT_NAMES[giver]} may pass to {' or '.join(takers)}",
            f"say to whom, as in 'p {takers[0].lower()}'",
        )
    mates = range(giver % 2, position.rules.players, 2)
    # A pass that is not allowed is refused for its reason, whichever teammate it goes to.
    return Passed(
        giver, SEAT_NAMES.index(takers[0]) if takers else next(s for s in mates if s != giver)
    )


def _timeout(words: Sequence[str], position: Position) -> TimedOut:
    if len(words) > 1:
        raise NotationError("the line has too many words", "write it as in 'timeout B1'")
    if words:
        return TimedOut(seat_in_game(words[0], position.rules))
    return TimedOut(_on_turn(position))


def format_event(event: Event, names: CardNames = CARD_NAMES) -> str:
    """The event in its long form, as a record has it.

    ``names`` are the names of the cards in the deck of the game (`RuleSet.card_names`).
    """
    match event:
        case Asked(asker, target, card, hit):
            answer = "hit" if hit else "miss"
            return f"ask {SEAT_NAMES[asker]} {SEAT_NAMES[target]} {names[card]} {answer}"
        case Claimed(claimant, half_suit, holders, right, shown, lost):
            said = f"claim {SEAT_NAMES[claimant]} {HALF_SUIT_NAMES[half_suit]} "
            said += layout(half_suit, holders, names)
            if right:
                return f"{said} right"
            truth = counts(lost or ()) if shown is None else layout(half_suit, shown, names)
            return f"{said} wrong {truth}".rstrip()
        case Passed(giver, to):
            return f"pass {SEAT_NAMES[giver]} {SEAT_NAMES[to]}"
        case TimedOut(seat):
            return f"timeout {SEAT_NAMES[seat]}"
