"""Metrics of play derived from knowledge: dead asks and provable claims.

A *dead* ask is one whose miss is public knowledge: the events before it prove that the target does
not have the card. A claim is *provable* for a team from the moment that some seat of the team knows
for certain where the six cards of a half-suit are, and the rules let the team claim them there. The
*delay* of a right claim is the number of events between that moment and the claim.

Both are exact, decided by SAT, which takes some 10 ms a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from literature_ai.cards import Card, HalfSuit, Seat, Team, cards_of, team_of
from literature_ai.events import Ask, Asked, Claim, Claimed, Event
from literature_ai.game.game import Game
from literature_ai.inference.knowledge import Knowledge


@dataclass(slots=True)
class TeamMetrics:
    """Sums over the decisions of one team in one game."""

    asks: int = 0
    dead_asks: int = 0
    timely_claims: int = 0
    """Right claims that were provable for the team."""
    claim_delay: int = 0
    """The sum of their delays, in events."""


def team_metrics(game: Game) -> tuple[TeamMetrics, TeamMetrics]:
    """The metrics of team A and team B over the events of the game so far."""
    teams = (TeamMetrics(), TeamMetrics())
    public = Knowledge(game.rules)
    views = [Knowledge(game.rules, seat, hand) for seat, hand in enumerate(game.dealt)]
    provable = ProvableClaims(views, game.dealt)
    for number, event in enumerate(game.events):
        provable.update()
        if isinstance(event, Asked):
            team = teams[team_of(event.asker)]
            team.asks += 1
            team.dead_asks += not event.hit and is_dead(Ask(event.target, event.card), public)
        elif isinstance(event, Claimed) and event.right:
            side = team_of(event.claimant)
            if first := provable.first.get((side, event.half_suit)):
                teams[side].timely_claims += 1
                teams[side].claim_delay += number - first.since
        provable.observe(event)
        for knowledge in (public, *views):
            knowledge.observe(event)
    return teams


def is_dead(ask: Ask, public: Knowledge) -> bool:
    """Whether the public knowledge proves that the target does not have the card."""
    place = public.place_now(ask.card)
    if place is not None:
        return place != ask.target
    return not public.sat.possible({ask.card: ask.target})


@dataclass(frozen=True, slots=True)
class FirstProof:
    """The moment at which a claim became provable for a team."""

    claim: Claim
    since: int
    """The number of events before that moment."""
    provers: tuple[Seat, ...]
    """The seats of the team that could prove it then."""


class ProvableClaims:
    """Tracks, event by event, which claims have become provable for which team.

    ``views`` has the knowledge of each seat, which the caller keeps up to date; `update` is called
    at each position. ``hands`` are as dealt; where one is not known (None), the view of the seat is
    the public knowledge.
    """

    def __init__(self, views: Sequence[Knowledge], hands: Sequence[Iterable[Card] | None]) -> None:
        self.first: dict[tuple[Team, HalfSuit], FirstProof] = {}
        """By team and half-suit, in the order of the moments."""
        self._views = views
        self._holders = {card: seat for seat, hand in enumerate(hands) for card in hand or ()}

    def observe(self, event: Event) -> None:
        """Follow the next event, as the views do."""
        if isinstance(event, Asked) and event.hit:
            self._holders[event.card] = event.asker

    def update(self) -> None:
        """Look for claims that the views prove now and have not proved before."""
        for team in (0, 1):
            candidates = [h for h in self._views[0].in_play if self._is_candidate(h, team)]
            provers: dict[Claim, list[Seat]] = {}
            for seat in range(team, len(self._views), 2) if candidates else ():
                for half_suit in candidates:
                    claim = self._proved(self._views[seat], half_suit, team)
                    if claim is not None:
                        provers.setdefault(claim, []).append(seat)
            for claim, seats in provers.items():
                self.first[team, claim.half_suit] = FirstProof(
                    claim, self._views[0].events, tuple(seats)
                )

    def _is_candidate(self, half_suit: HalfSuit, team: Team) -> bool:
        """Whether the claim is not yet proved, and no known card makes it impossible to prove."""
        if (team, half_suit) in self.first:
            return False
        if self._views[0].rules.split_claims:
            return True
        for card in cards_of(half_suit):  # noqa: SIM110 - all() takes twice as long here
            if self._holders.get(card, team) % 2 != team:
                return False
        return True

    def _proved(self, view: Knowledge, half_suit: HalfSuit, team: Team) -> Claim | None:
        """The claim of the half-suit that the view proves and the rules allow the team, if any.

        Only the true layout can be certain. Where it is not known, neither can any other be than
        that of one deal, whichever, that fits the view.
        """
        cards = cards_of(half_suit)
        layout = tuple(self._holders.get(card, -1) for card in cards)
        if -1 in layout:
            deal = view.sat.witness() or ()
            places = ((view.place_now(card), card) for card in cards)
            layout = tuple(deal[card] if place is None else place for place, card in places)
            if not view.rules.split_claims and any(team_of(holder) != team for holder in layout):
                return None
        sat = view.sat
        for card, holder in zip(cards, layout, strict=True):
            if view.place_now(card) is None and not sat.certain(card, holder):
                return None
        return Claim(half_suit, layout)
