"""Hints: what to claim and whom to ask, in a recorded game as one seat sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from literature_ai.cards import (
    HALF_SUIT_NAMES,
    SEAT_NAMES,
    Card,
    CardNames,
    Seat,
    cards_of,
    half_suit_of,
)
from literature_ai.events import Ask
from literature_ai.game.position import Position
from literature_ai.inference.knowledge import BestClaim
from literature_ai.inference.recorded import Viewpoint
from literature_ai.records.record import Record
from literature_ai.wording import by_card

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class LikelyAsk:
    """An ask and the probability that it hits."""

    ask: Ask
    probability: float


@dataclass(frozen=True, slots=True)
class Hint:
    """The complete advice for one seat at one moment."""

    viewpoint: Viewpoint
    """Whose hint it is, and what the seat and everyone know."""
    position: Position
    hand: tuple[Card, ...]
    """The cards that the seat has now."""
    deals: int
    """The number of deals consistent with all events and the own hand."""
    locations: npt.NDArray[np.float64]
    """Where each card is now: cards × seats, probabilities; zeros for cards out of play."""
    claims: tuple[BestClaim, ...]
    """The best layout of each half-suit that the team may hold, likeliest first."""
    because: dict[int, tuple[int, ...]]
    """For each half-suit that is certain: the events that prove it (0: the own hand)."""
    asks: tuple[LikelyAsk, ...]
    """Every ask that would be legal on turn, likeliest first."""

    @property
    def record(self) -> Record:
        """The game that the hint is about."""
        return self.viewpoint.record

    @property
    def seat(self) -> Seat:
        """Whose hint it is."""
        return self.viewpoint.seat


def hint(viewpoint: Viewpoint) -> Hint:
    """Compute the complete hint, exactly."""
    record, seat, knowledge = viewpoint.record, viewpoint.seat, viewpoint.knowledge
    locations = knowledge.posterior()
    position = record.position()
    claims = tuple(knowledge.claims())
    because = {
        claim.half_suit: knowledge.explain_layout(
            dict(zip(cards_of(claim.half_suit), claim.holders, strict=True))
        )
        for claim in claims
        if claim.certain
    }
    hand = tuple(card for card in range(record.rules.cards) if locations[card, seat] == 1.0)
    asks = [
        LikelyAsk(ask, float(locations[ask.card, ask.target]))
        for ask in position.asks_of(seat, hand)
    ]
    asks.sort(key=lambda likely: (-likely.probability, likely.ask.card, likely.ask.target))
    deals = knowledge.deals()
    return Hint(viewpoint, position, hand, deals, locations, claims, because, tuple(asks))


def as_json(hint: Hint) -> dict[str, Any]:
    """The hint as ``literature hint --json`` prints it."""
    names = hint.record.rules.card_names
    return {
        "game": hint.record.id,
        "seat": SEAT_NAMES[hint.seat],
        "players": hint.record.rules.players,
        "turn": None if hint.position.turn is None else SEAT_NAMES[hint.position.turn],
        "events": len(hint.record.events),
        "deals": str(hint.deals),
        "locations": locations_as_json(hint.locations, names),
        "claims": [
            {
                "half_suit": HALF_SUIT_NAMES[claim.half_suit],
                "holders": by_card(claim.half_suit, claim.holders, names),
                "probability": claim.probability,
                "certain": claim.certain,
                "because": list(hint.because.get(claim.half_suit, ())),
            }
            for claim in hint.claims
        ],
        "asks": [
            {
                "target": SEAT_NAMES[likely.ask.target],
                "card": names[likely.ask.card],
                "probability": likely.probability,
            }
            for likely in hint.asks
        ],
    }


def open_half_suits(hint: Hint) -> list[tuple[int, list[Card]]]:
    """Each half-suit in play with its cards."""
    cards = [card for card in range(hint.record.rules.cards) if hint.locations[card].any()]
    half_suits = sorted({half_suit_of(card) for card in cards})
    return [(h, list(cards_of(h))) for h in half_suits]


def locations_as_json(locations: npt.NDArray[np.float64], names: CardNames) -> dict[str, Any]:
    """Where each card in play may be, {card: {seat: probability}}, without the zeros.

    ``locations``: cards × seats, probabilities.
    """
    return {
        names[card]: {SEAT_NAMES[seat]: chance for seat, chance in enumerate(row) if chance}
        for card, row in enumerate(locations.tolist())
        if any(row)
    }
