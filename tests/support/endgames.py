"""Endgames: positions with few half-suits left, for tests that know the best answer."""

from __future__ import annotations

from collections.abc import Sequence

import helpers as h

from literature_ai.cards import (
    HALF_SUIT_NAMES,
    Card,
    HalfSuit,
    Seat,
    cards_of,
    half_suit_of,
    parse_half_suit,
    team_of,
)
from literature_ai.events import Claim
from literature_ai.game.game import Game
from literature_ai.rules import RuleSet


def endgame(
    rules: str, start: str, hands: Sequence[str], score: tuple[int, int], *actions: str
) -> Game:
    """A game in which only the half-suits in ``hands`` are left, with this score.

    Every seat has the cards that its words name. ``start`` has claimed all other half-suits, in
    the open, to make the score, and is on turn; then come asks, ``B1 5S``, and right claims,
    ``LS``, each by whoever is on turn.
    """
    parsed = RuleSet.parse(rules, len(hands))
    first = h.seat(start)
    rest = [list(h.cards(words)) for words in hands]
    gone = _gone(parsed, rest)
    assert sum(score) == len(gone), "each half-suit that is gone has been scored"
    own = gone[: score[team_of(first)]]
    dealt = _deal(parsed, rest, own, gone[len(own) :], team_of(first))
    game = Game(parsed, dealt, first)
    for half_suit in gone:
        truth = h.holders_now(game, half_suit)
        mates = [seat for seat in range(parsed.players) if team_of(seat) == team_of(first)]
        wrong = tuple(mates[0] if holder != mates[0] else mates[1] for holder in truth)
        game.apply(Claim(half_suit, truth if half_suit in own else wrong))
    for words in actions:
        if words in HALF_SUIT_NAMES:
            half_suit = parse_half_suit(words)
            game.apply(Claim(half_suit, h.holders_now(game, half_suit)))
        else:
            game.apply(h.ask(*words.split()))
    return game


def _gone(rules: RuleSet, rest: Sequence[Sequence[Card]]) -> list[HalfSuit]:
    left = {half_suit_of(card) for hand in rest for card in hand}
    assert sum(map(len, rest)) == 6 * len(left), "all cards of the half-suits left have a place"
    return [half_suit for half_suit in range(rules.half_suits) if half_suit not in left]


def _deal(
    rules: RuleSet,
    rest: Sequence[Sequence[Card]],
    own: Sequence[HalfSuit],
    others: Sequence[HalfSuit],
    team: int,
) -> list[list[Card]]:
    """The hands as dealt: the half-suits ``own`` wholly inside the team."""
    dealt = [list(hand) for hand in rest]

    def fill(cards: Sequence[Card], seats: Sequence[Seat]) -> None:
        for card in cards:
            seat = max(seats, key=lambda s: rules.hand_size - len(dealt[s]))
            assert len(dealt[seat]) < rules.hand_size, "the team has no room for that score"
            dealt[seat].append(card)

    fill([c for half in own for c in cards_of(half)], range(team, rules.players, 2))
    fill([c for half in others for c in cards_of(half)], range(rules.players))
    return dealt
