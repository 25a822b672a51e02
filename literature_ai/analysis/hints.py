"""What to claim and whom to ask, from a record as one seat sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from literature_ai.cards import (
    CARD_NAMES,
    HALF_SUIT_NAMES,
    SEAT_NAMES,
    Card,
    Seat,
    cards_of,
    half_suit_of,
)
from literature_ai.errors import LiteratureError, RecordError
from literature_ai.events import Ask
from literature_ai.game.position import Position
from literature_ai.inference.knowledge import BestClaim, Knowledge
from literature_ai.records.lit import Record
from literature_ai.records.notation import by_card, line
from solver.problem import OWN_HAND, ContradictionError, Holds

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
    """All that can be said to one seat at one moment."""

    record: Record
    seat: Seat
    position: Position
    knowledge: Knowledge
    """What the seat knows."""
    deals: int
    """How many deals fit all events and the own hand."""
    locations: npt.NDArray[np.float64]
    """Where each card is now: cards × seats, probabilities; zeros for cards out of play."""
    claims: tuple[BestClaim, ...]
    """The best layout of each half-suit that the team may hold, likeliest first."""
    because: dict[int, tuple[int, ...]]
    """For each half-suit that is certain: the events that prove it (0: the own hand)."""
    asks: tuple[LikelyAsk, ...]
    """Every ask that would be legal on turn, likeliest first."""


def seat_to_advise(record: Record, seat: Seat | None, file: str) -> Seat:
    """The seat, or the only one whose hand the record has.

    Raises LiteratureError when the record has no hand for it, or when there is no only one.
    """
    known = [SEAT_NAMES[s] for s, hand in enumerate(record.hands) if hand is not None]
    if seat is None and len(known) == 1:
        return SEAT_NAMES.index(known[0])
    if seat is None:
        which = f"one of {' '.join(known)}" if known else "none: add one, as in 'hand A1 2S …'"
        raise LiteratureError(
            f"{file}: say whose hint it is with --seat; the hands in game {record.id} are {which}"
        )
    if seat >= record.rules.players:
        raise LiteratureError(
            f"{file}: game {record.id} has no seat {SEAT_NAMES[seat]};"
            f" its seats are {' '.join(SEAT_NAMES[: record.rules.players])}"
        )
    if record.hands[seat] is None:
        name = SEAT_NAMES[seat]
        cure = f"ask for {' or '.join(known)}, or a" if known else "a"
        raise LiteratureError(
            f"{file}: game {record.id} has no hand of {name}; {cure}dd it,"
            f" as in 'hand {name} 2S …' with its {record.rules.hand_size} cards as dealt"
        )
    return seat


def knowledge_of(record: Record, seat: Seat | None, file: str) -> Knowledge:
    """What the seat knows after the last event of the record; None: what everyone knows.

    Raises `RecordError`, naming the last event of a smallest set that cannot all be true, when no
    deal fits.
    """
    hand = None if seat is None else record.hands[seat]
    knowledge = Knowledge(record.rules, seat, hand)
    try:
        for event in record.events:
            knowledge.observe(event)
        knowledge.check()
    except ContradictionError as error:
        raise contradictory(record, seat, file, error) from error
    return knowledge


def check_deal_exists(record: Record, file: str) -> None:
    """Raise `RecordError` when no deal fits all events and all the hands that the record has.

    What the reader checks line by line is enough where every hand is known; what only follows from
    several lines together is found here, by SAT.
    """
    from solver.explanation import contradiction

    known = [seat for seat, hand in enumerate(record.hands) if hand is not None]
    if len(known) == len(record.hands):
        return
    knowledge = Knowledge(record.rules)
    for seat in known:
        for card in record.hands[seat] or ():
            knowledge.problem.add(OWN_HAND, Holds(seat, card))
    try:
        for event in record.events:
            knowledge.observe(event)
        if not knowledge.sat.possible({}):
            raise contradiction(knowledge.problem)
    except ContradictionError as error:
        raise contradictory(record, None, file, error) from error


def contradictory(
    record: Record, seat: Seat | None, file: str, error: ContradictionError
) -> RecordError:
    """The error in terms of the record's lines."""
    last = max(error.events)
    others = [
        ("a hand" if seat is None else f"the hand of {SEAT_NAMES[seat]}")
        if event == OWN_HAND
        else f"line {record.lines[event - 1]} ({line(record.events[event - 1])})"
        for event in error.events
        if event != last
    ]
    cure = "correct it" + (f", or {' or '.join(others)}" if others else "")
    return RecordError(
        file, record.lines[last - 1], line(record.events[last - 1]), str(error), cure
    )


def hint(record: Record, seat: Seat, file: str = "<text>") -> Hint:
    """Everything at once, exactly. Raises as `knowledge_of` does."""
    knowledge = knowledge_of(record, seat, file)
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
    hand = [card for card in range(record.rules.cards) if locations[card, seat] == 1.0]
    asks = [
        LikelyAsk(ask, float(locations[ask.card, ask.target]))
        for ask in position.asks_of(seat, hand)
    ]
    asks.sort(key=lambda likely: (-likely.probability, likely.ask.card, likely.ask.target))
    deals = knowledge.deals()
    return Hint(record, seat, position, knowledge, deals, locations, claims, because, tuple(asks))


def as_json(hint: Hint) -> dict[str, Any]:
    """The hint as ``literature hint --json`` prints it."""
    return {
        "game": hint.record.id,
        "seat": SEAT_NAMES[hint.seat],
        "players": hint.record.rules.players,
        "turn": None if hint.position.turn is None else SEAT_NAMES[hint.position.turn],
        "events": len(hint.record.events),
        "deals": str(hint.deals),
        "locations": {
            CARD_NAMES[card]: _by_seat(row)
            for card, row in enumerate(hint.locations.tolist())
            if any(row)
        },
        "claims": [
            {
                "half_suit": HALF_SUIT_NAMES[claim.half_suit],
                "holders": by_card(claim.half_suit, claim.holders),
                "probability": claim.probability,
                "certain": claim.certain,
                "because": list(hint.because.get(claim.half_suit, ())),
            }
            for claim in hint.claims
        ],
        "asks": [
            {
                "target": SEAT_NAMES[likely.ask.target],
                "card": CARD_NAMES[likely.ask.card],
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


def _by_seat(row: list[float]) -> dict[str, float]:
    return {SEAT_NAMES[seat]: chance for seat, chance in enumerate(row) if chance}
