"""How well a team used what it could know, told from the whole game afterwards.

A *dead* ask is one whose miss everyone could consequences_of from the events before it. A right
claim comes with a *delay*: the number of events between the moment it became provable, for some
seat of the team that made it, and the claim.

Both are exact (`literature_ai.inference.knowledge`, by SAT) and cost tens of milliseconds a game,
so tournaments take them from some of their games only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from literature_ai.cards import Card, HalfSuit, Seat, Team, cards_of, team_of
from literature_ai.events import Asked, Claimed
from literature_ai.game.game import Game
from literature_ai.inference.knowledge import Knowledge


@dataclass(slots=True)
class Behaviour:
    """What one team did in one game."""

    asks: int = 0
    dead_asks: int = 0
    timely_claims: int = 0
    """Right claims of what a seat of the team could prove."""
    claim_delay: int = 0
    """Their delays, summed."""


def behaviour(game: Game) -> tuple[Behaviour, Behaviour]:
    """How team A and team B behaved."""
    teams = (Behaviour(), Behaviour())
    for asker, dead in _asks(game):
        teams[team_of(asker)].asks += 1
        teams[team_of(asker)].dead_asks += dead
    for team, delay in _delays(game):
        teams[team].timely_claims += 1
        teams[team].claim_delay += delay
    return teams


def _asks(game: Game) -> Iterator[tuple[Seat, bool]]:
    """Who asked, and whether everyone could consequences_of a miss."""
    everyone = Knowledge(game.rules)
    for event in game.events:
        if isinstance(event, Asked):
            yield event.asker, not event.hit and _is_elsewhere(everyone, event)
        everyone.observe(event)


def _is_elsewhere(everyone: Knowledge, ask: Asked) -> bool:
    place = everyone.place_now(ask.card)
    if place is not None:
        return place != ask.target
    return not everyone.sat.possible({ask.card: ask.target})


def _delays(game: Game) -> Iterator[tuple[Team, int]]:
    """For each right claim that was provable: whose it was, and for how many events it had been."""
    seats = [Knowledge(game.rules, seat, hand) for seat, hand in enumerate(game.dealt)]
    holder = {card: seat for seat, hand in enumerate(game.dealt) for card in hand}
    since: dict[tuple[Team, HalfSuit], int] = {}
    for number, event in enumerate(game.events):
        for half_suit in seats[0].in_play:
            for team in (0, 1):
                if (team, half_suit) not in since and _is_provable(half_suit, seats, team, holder):
                    since[team, half_suit] = number
        if isinstance(event, Claimed) and event.right:
            team = team_of(event.claimant)
            if (team, event.half_suit) in since:
                yield team, number - since[team, event.half_suit]
        if isinstance(event, Asked) and event.hit:
            holder[event.card] = event.asker
        for knowledge in seats:
            knowledge.observe(event)


def _is_provable(
    half_suit: HalfSuit, seats: list[Knowledge], team: Team, holder: dict[Card, Seat]
) -> bool:
    """Whether some seat of the team can prove where the half-suit is, and may claim it so."""
    cards = cards_of(half_suit)
    if not seats[0].rules.split_claims and any(team_of(holder[card]) != team for card in cards):
        return False
    return any(
        all(
            knowledge.place_now(card) is not None or knowledge.sat.certain(card, holder[card])
            for card in cards
        )
        for knowledge in seats[team::2]
    )
