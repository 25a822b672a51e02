"""Violations in words: for each code of `literature_ai.game.state`, what is wrong and the cure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, CardNames
from literature_ai.errors import shown
from literature_ai.game import state as st


class Violation(NamedTuple):
    """A rule broken."""

    rule: str
    """A short stable name, for programs."""
    what: str
    """What is wrong."""
    cure: str
    """What would be right."""


_WORDS = {
    st.GAME_OVER: ("end", "the game is over", "{end}"),
    st.NOT_ON_TURN: ("turn", "{who} is not on turn", "it is the turn of {turn}"),
    st.NO_SUCH_SEAT: ("seat", "there is no {to}", "the seats are {seats}"),
    st.NO_SUCH_CARD: ("card", "there is no {card}", "the deck has {cards} cards"),
    st.NO_SUCH_HALF_SUIT: ("half-suit", "there is no {half_suit}", "in play are {in_play}"),
    st.CLAIMED_ALREADY: (
        "in-play",
        "{half_suit} has been claimed and is out of play",
        "in play are {in_play}",
    ),
    st.ASKER_WITHOUT_CARDS: (
        "ask-without-cards",
        "{who} has no cards and cannot ask",
        "{without_cards}",
    ),
    st.ASKED_OWN_TEAM: ("ask-opponent", "{who} and {to} are not opponents", "ask one of {others}"),
    st.ASKED_WITHOUT_CARDS: (
        "ask-empty-hand",
        "{to} has no cards and cannot be asked",
        "ask one of {others}",
    ),
    st.ASKED_OWN_CARD: (
        "bluff-asks",
        "{who} asks for {card}, which {who} holds",
        "only the rule bluff-asks allows that",
    ),
    st.NO_OTHER_CARD: (
        "ask-half-suit",
        "{who} holds no other card of {half_suit} and cannot ask for {card}",
        "ask in a half-suit of which a card is in hand",
    ),
    st.NO_CARD_OF_HALF_SUIT: (
        "ask-half-suit",
        "{who} holds no card of {half_suit} and cannot ask for {card}",
        "ask in a half-suit of which a card is in hand",
    ),
    st.CLAIM_OFF_TURN: (
        "claim-any-time",
        "{who} claims off turn",
        "it is the turn of {turn}; only the rule claim-any-time lets others claim",
    ),
    st.CLAIMANT_WITHOUT_CARDS: (
        "claim-without-cards",
        "{who} has no cards and cannot claim",
        "{cardless}",
    ),
    st.CLAIM_NAMES_OPPONENT: (
        "split-claims",
        "{who} names an opponent in a claim",
        "a claim names {own_team}; only the rule split-claims allows other holders",
    ),
    st.LOST_NOT_SIX: (
        "lost-six",
        "the cards that the hands lost do not add up to six",
        "a claim takes the six cards of its half-suit out of play",
    ),
    st.LOST_MORE_THAN_HELD: (
        "lost-more",
        "a hand loses more cards than it has",
        "the hands are now {sizes}",
    ),
    st.PASS_WITH_CARDS: (
        "pass-turn",
        "{who} has cards and cannot pass the turn",
        "ask or claim; only the rule pass-turn allows a pass",
    ),
    st.PASS_TO_NO_TEAMMATE: (
        "pass-teammate",
        "{who} passes the turn to {to}, who is not a teammate",
        "pass to one of {mates}",
    ),
    st.PASS_TO_NO_OPPONENT: (
        "choose-claimant",
        "{who} passes the turn to {to}, whose team has no cards left",
        "name one of {others}, who claims what is left",
    ),
    st.PASS_TO_EMPTY_HAND: (
        "pass-empty-hand",
        "{to} has no cards and cannot take the turn",
        "pass to one of {takers}",
    ),
    st.PASS_OF_CLAIMANT: (
        "choose-claimant",
        "{who} must claim what is left and cannot pass the turn",
        "claim one of {in_play}; only the rule pass-turn allows a pass",
    ),
    st.NOT_TIMED: (
        "turn-seconds",
        "the game is not timed",
        "only the rule turn-seconds=N makes a player lose the turn",
    ),
}


def in_words(
    state: Sequence[int],
    code: int,
    names: CardNames,
    who: int = -1,
    to: int = -1,
    card: int = -1,
    half_suit: int = -1,
) -> Violation:
    """The violation with this code, with the names of those who take part in it.

    ``names`` are those of the cards in the deck. ``who`` acts and ``to`` is the target; -1 stands
    for what the action does not have.
    """
    seats = range(state[st.PLAYERS])
    opponents = [s for s in seats if (s ^ who) & 1 and state[st.HAND_SIZES + s]]
    mates = [s for s in seats if not (s ^ who) & 1 and s != who and state[st.HAND_SIZES + s]]
    words = {
        "who": _name(SEAT_NAMES, seats, who, "seat"),
        "to": _name(SEAT_NAMES, seats, to, "seat"),
        "turn": SEAT_NAMES[state[st.TURN]],
        "card": _name(names, range(6 * state[st.HALF_SUITS]), card, "card"),
        "half_suit": _name(
            HALF_SUIT_NAMES,
            range(state[st.HALF_SUITS]),
            card // 6 if half_suit < 0 <= card else half_suit,
            "half-suit",
        ),
        "seats": _names(seats),
        "cards": str(6 * state[st.HALF_SUITS]),
        "in_play": " ".join(
            name for h, name in enumerate(HALF_SUIT_NAMES) if state[st.IN_PLAY] >> h & 1
        ),
        "others": _names(opponents),
        "mates": _names(mates),
        "takers": _names(mates if mates or not state[st.CHOOSE_CLAIMANT] else opponents),
        "without_cards": _without_cards(state),
        "cardless": _cardless(state, who, opponents),
        "end": _after_the_end(state),
        "own_team": _names([s for s in seats if not (s ^ who) & 1]),
        "sizes": " ".join(f"{SEAT_NAMES[s]}:{state[st.HAND_SIZES + s]}" for s in seats),
    }
    rule, what, cure = _WORDS[code]
    return Violation(rule, what.format_map(words), cure.format_map(words))


def _after_the_end(state: Sequence[int]) -> str:
    """That nothing follows the end of the game, and which rule would have let it go on."""
    if state[st.ENDED_BY] == st.BY_MAJORITY:
        return "only the rule play-out lets it go on after a majority"
    if state[st.ENDED_BY] == st.BY_MAX_EVENTS:
        return f"only a max-events above {state[st.MAX_EVENTS]} lets it go on"
    return "nothing may follow its last event"


def _without_cards(state: Sequence[int]) -> str:
    """What the seat on turn must do when it has no cards."""
    if st.must_claim_the_rest(state):
        return "they must claim what is left"
    mates = range(state[st.TURN] & 1, state[st.PLAYERS], 2)
    if any(state[st.HAND_SIZES + mate] for mate in mates):
        return "the turn must be passed to a teammate who has cards"
    return "they must name an opponent who has cards, who claims what is left"


def _cardless(state: Sequence[int], who: int, opponents: Sequence[int]) -> str:
    """Which rules would let the seat claim without cards."""
    said = "only the rules claim-any-time and cardless-claims together allow that"
    alone = who == state[st.TURN] and not opponents
    return f"{said}, or choose-claimant alone" if alone else said


def _names(seats: Sequence[int]) -> str:
    return " ".join(SEAT_NAMES[seat] for seat in seats) or "nobody (no such player has cards)"


def _name(names: Sequence[str], known: range, number: int, kind: str) -> str:
    return names[number] if number in known else f"{kind} {shown(number)}"
