"""Events, asks and probabilities as people say them.

>>> from literature_ai.events import Asked
>>> sentence(Asked(0, 3, 15, hit=True))
'A1 asks B2 for 5H: hit'
>>> percent(0.25)
'25.0'
"""

from __future__ import annotations

from literature_ai.cards import CARD_NAMES, HALF_SUIT_NAMES, SEAT_NAMES
from literature_ai.events import Ask, Asked, Claimed, Event, Passed, TimedOut
from literature_ai.records.notation import counts, layout


def sentence(event: Event) -> str:
    """The event as a sentence."""
    match event:
        case Asked(asker, target, card, hit):
            answer = "hit" if hit else "miss"
            return f"{SEAT_NAMES[asker]} asks {SEAT_NAMES[target]} for {CARD_NAMES[card]}: {answer}"
        case Claimed(claimant, half_suit, holders, right, shown, lost):
            said = f"{SEAT_NAMES[claimant]} claims {HALF_SUIT_NAMES[half_suit]} as "
            said += layout(half_suit, holders)
            if right:
                return f"{said}: right"
            if shown is not None:
                return f"{said}: wrong, it was {layout(half_suit, shown)}"
            return f"{said}: wrong, cards lost {counts(lost or ())}"
        case Passed(giver, to):
            return f"{SEAT_NAMES[giver]} passes the turn to {SEAT_NAMES[to]}"
        case TimedOut(seat):
            return f"{SEAT_NAMES[seat]} runs out of time"


def wanted(ask: Ask) -> str:
    """What an ask is for: ``3D of B2``."""
    return f"{CARD_NAMES[ask.card]} of {SEAT_NAMES[ask.target]}"


def percent(chance: float) -> str:
    """The probability in percent; what is not certain does not look so.

    >>> percent(1.0), percent(0.99999), percent(0.25), percent(1e-9), percent(0.0)
    ('100', '99.9', '25.0', '0.1', '0')
    """
    if chance in (0.0, 1.0):
        return "100" if chance else "0"
    return f"{min(max(100 * chance, 0.1), 99.9):.1f}"
