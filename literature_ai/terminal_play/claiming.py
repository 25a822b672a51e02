"""A claim asked for card by card."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, HalfSuit, Seat, cards_of
from literature_ai.events import Claim
from literature_ai.game.view import View
from literature_ai.terminal_play.completion import holders_of
from literature_ai.wording import layout

Question = Callable[[str, Sequence[str]], str]
"""Asks with a prompt and the answers that are likely; the answer, stripped."""


class Cancelled(Exception):
    """The person has given up a claim that they had begun."""


def claim_by_card(
    view: View, half_suit: HalfSuit | None, ask: Question, say: Callable[[str], None]
) -> Claim:
    """The claim, after a question for the half-suit, unless it is given, and for each card that is
    neither in the own hand nor can be in one hand only. An empty answer gives the claim up.

    Raises `Cancelled`.
    """
    if half_suit is None:
        in_play = [HALF_SUIT_NAMES[h] for h in view.in_play]
        half_suit = HALF_SUIT_NAMES.index(_asked("half-suit", in_play, ask, say))
    holders: list[Seat] = []
    for card in cards_of(half_suit):
        seats = holders_of(view, card)
        if len(seats) > 1:
            names = [SEAT_NAMES[seat] for seat in seats]
            what = f"{view.rules.card_names[card]} is with"
            seats = [SEAT_NAMES.index(_asked(what, names, ask, say))]
        holders += seats
    said = layout(half_suit, holders, view.rules.card_names)
    say(f"{HALF_SUIT_NAMES[half_suit]}  {said}")
    if ask("claim it? (y or n)> ", ("y", "n")).lower() not in ("y", "yes", "+"):
        raise Cancelled
    return Claim(half_suit, tuple(holders))


def _asked(what: str, names: Sequence[str], ask: Question, say: Callable[[str], None]) -> str:
    """One of the names, asked for until the answer is one. Raises `Cancelled`."""
    while True:
        word = ask(f"{what} ({' '.join(names)})> ", names)
        if not word or word.lower() == "cancel":
            raise Cancelled
        if word.upper() in names:
            return word.upper()
        say(f"Not taken: {word!r} cannot be it; write one of {' '.join(names)}, or cancel.")
