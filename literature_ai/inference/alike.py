"""Cards that are alike: nothing that is known changes when they change places.

Early in a game most cards of a half-suit have not been mentioned, and asks of one seat for any of
them have the same consequences but for the names of the cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from literature_ai.cards import Card, Seat, cards_of, half_suit_of
from literature_ai.inference.knowledge import Knowledge
from solver.problem import Fact, Holds, HoldsExactly, HoldsOneOf, Lacks


def are_alike(known: Knowledge, one: Card, other: Card) -> bool:
    """Whether two cards of a half-suit may be exchanged in all that is known."""
    if half_suit_of(one) != half_suit_of(other):
        return False
    if known.place_now(one) is not None or known.place_now(other) is not None:
        return False
    facts = set(_of_half_suit(known, cards_of(half_suit_of(one))))
    return facts == {_exchanged(fact, one, other) for fact in facts}


def exchanged(card: Card, one: Card, other: Card) -> Card:
    """The card, where one is called the other and the other one."""
    return {one: other, other: one}.get(card, card)


def exchanged_holders(holders: Sequence[Seat], one: Card, other: Card) -> tuple[Seat, ...]:
    """The holders of the half-suit of both cards, in card order, after the exchange."""
    return tuple(
        holders[exchanged(card, one, other) % len(holders)] for card in cards_of(half_suit_of(one))
    )


def _of_half_suit(known: Knowledge, cards: Sequence[Card]) -> Iterator[Fact]:
    """The facts about these cards, each with its cards in order."""
    for _, fact in known.problem.facts:
        if isinstance(fact, Holds | Lacks):
            if fact.card in cards:
                yield fact
        elif isinstance(fact, HoldsOneOf | HoldsExactly):
            if any(card in cards for card in fact.cards):
                yield replace(fact, cards=tuple(sorted(fact.cards)))
        elif fact.half_suit == half_suit_of(cards[0]):
            yield fact


def _exchanged(fact: Fact, one: Card, other: Card) -> Fact:
    if isinstance(fact, Holds | Lacks):
        return replace(fact, card=exchanged(fact.card, one, other))
    if isinstance(fact, HoldsOneOf | HoldsExactly):
        cards = sorted(exchanged(card, one, other) for card in fact.cards)
        return replace(fact, cards=tuple(cards))
    return replace(fact, holders=exchanged_holders(fact.holders, one, other))
