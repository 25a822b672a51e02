"""The reason of a choice, in a few words that are computed from the position.

A card *lies open* for a player when everyone can tell that an opponent of theirs has it, and that
they hold some card of its half-suit: on turn they can take it for sure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from literature_ai.cards import (
    HALF_SUIT_NAMES,
    SEAT_NAMES,
    HalfSuit,
    Seat,
    cards_of,
    half_suit_of,
    team_of,
)
from literature_ai.events import Action, Ask, Asked, Claim, Pass
from literature_ai.wording import percent, wanted

if TYPE_CHECKING:
    from literature_ai.agents.expert.observer import Observer
    from literature_ai.game.view import View
    from literature_ai.inference.knowledge import Knowledge

_MOST = 3
"""The reasons that are given."""
_MANY = 3
"""The cards of a half-suit known to be with the team from which on another one is progress."""
_EQUAL = 1e-9
"""Probabilities closer than this are taken to be the same."""


def reason_of(action: Action, view: View, observer: Observer) -> str:
    """Why the seat of the view, on turn, may want to do that: what is true of it, most telling
    first."""
    match action:
        case Ask():
            found = _of_ask(action, view, observer)
        case Claim():
            found = _of_claim(action, view, observer.knowledge)
        case Pass(to):
            found = _of_pass(to, view, observer)
    return "; ".join([text for text, _ in zip(found, range(_MOST), strict=False)])


def _of_claim(claim: Claim, view: View, knowledge: Knowledge) -> Iterator[str]:
    layout = dict(zip(cards_of(claim.half_suit), claim.holders, strict=True))
    chance = knowledge.probability(layout)
    if chance == 1.0:
        yield "certain"
        if view.score[team_of(view.seat)] + 1 == view.rules.majority:
            yield "wins the game"
    elif not len(view.legal_asks) and not view.legal_passes:
        yield f"a claim is forced, and this is right with {percent(chance)} %"
    else:
        yield f"no ask is known to be able to hit, and this is right with {percent(chance)} %"


def _of_pass(to: Seat, view: View, observer: Observer) -> Iterator[str]:
    if team_of(to) != team_of(view.seat):
        yield "your team has no cards left, so that an opponent must take the turn"
        return
    if not view.hand:
        yield "no cards are left to ask with"
    if len(view.legal_passes) == 1:
        yield f"only {SEAT_NAMES[to]} can take the turn"
        return
    taken = {mate: _lying_open(mate, observer) for mate in view.legal_passes}
    if taken[to] and taken[to] == max(taken.values()):
        verb = "lies" if taken[to] == 1 else "lie"
        yield f"{SEAT_NAMES[to]} can take {_cards(taken[to])} that {verb} open"
    elif view.hand_sizes[to] == max(view.hand_sizes[mate] for mate in view.legal_passes):
        yield f"{SEAT_NAMES[to]} has {_cards(view.hand_sizes[to])}, no teammate has more"


def _of_ask(ask: Ask, view: View, observer: Observer) -> Iterator[str]:
    posterior = observer.knowledge.posterior()
    chance = float(posterior[ask.card, ask.target])
    likeliest = max(view.legal_asks, key=lambda each: float(posterior[each.card, each.target]))
    best = float(posterior[likeliest.card, likeliest.target])
    if chance == 1.0:
        yield "sure to hit, which keeps the turn"
    elif chance == 0.0:
        yield f"known to miss: it leaves the turn to {SEAT_NAMES[ask.target]}"
        if observer.tells_nothing(Asked(view.seat, ask.target, ask.card, hit=False)):
            yield "it tells nobody anything"
    else:
        yield f"{percent(chance)} % to hit" + ", no ask is likelier" * (best - chance < _EQUAL)
    if chance:
        yield from _progress(ask, view, observer.knowledge)
    if chance < 1.0:
        if best - chance >= _EQUAL:
            yield from _against(likeliest, ask, view, observer)
        yield from _after_a_miss(ask, view, observer)


def _progress(ask: Ask, view: View, knowledge: Knowledge) -> Iterator[str]:
    """How far a hit would bring the half-suit."""
    half_suit = half_suit_of(ask.card)
    if completes(ask, view, knowledge):
        yield f"a hit makes {HALF_SUIT_NAMES[half_suit]} certain to claim"
        return
    posterior = knowledge.posterior()
    ours = sum(
        posterior[card, seat] == 1.0
        for card in cards_of(half_suit)
        for seat in range(team_of(view.seat), view.rules.players, 2)
    )
    if ours >= _MANY:
        name = HALF_SUIT_NAMES[half_suit]
        yield f"a hit makes {ours + 1} of 6 of {name} known to be with your team"


def _against(likeliest: Ask, ask: Ask, view: View, observer: Observer) -> Iterator[str]:
    """What speaks against the ask that is likeliest to hit."""
    half_suit = half_suit_of(likeliest.card)
    named = wanted(likeliest, view.rules.card_names)
    if half_suit != half_suit_of(ask.card) and not _has_shown(view.seat, half_suit, observer):
        if _has_shown(view.seat, half_suit_of(ask.card), observer):
            name = HALF_SUIT_NAMES[half_suit]
            yield f"the likeliest, {named}, would show that you hold some of {name}"
    elif _lying_open(likeliest.target, observer) > _lying_open(ask.target, observer):
        yield f"the likeliest, {named}, risks the turn to one for whom more cards lie open"


def _after_a_miss(ask: Ask, view: View, observer: Observer) -> Iterator[str]:
    """What a miss would give away, or not."""
    threats = {target: _lying_open(target, observer) for target in view.legal_asks.targets}
    if not threats[ask.target] and max(threats.values()):
        yield f"a miss gives the turn to {SEAT_NAMES[ask.target]}, for whom no card lies open"
    elif threats[ask.target] == min(threats.values()) < max(threats.values()):
        yield f"a miss gives the turn to {SEAT_NAMES[ask.target]}, for whom fewest cards lie open"
    half_suit = half_suit_of(ask.card)
    if _has_shown(view.seat, half_suit, observer):
        name = HALF_SUIT_NAMES[half_suit]
        yield f"it shows no new half-suit: everyone knows that you hold some of {name}"


def completes(ask: Ask, view: View, knowledge: Knowledge) -> bool:
    """Whether a hit would make the half-suit certain to claim, where it is not so already."""
    from copy import copy

    half_suit = half_suit_of(ask.card)
    if any(claim.half_suit == half_suit for claim in knowledge.certain_claims()):
        return False
    after = copy(knowledge)
    after.observe(Asked(view.seat, ask.target, ask.card, hit=True))
    return any(claim.half_suit == half_suit for claim in after.certain_claims())


def _lying_open(seat: Seat, observer: Observer) -> int:
    """The cards that lie open for the seat."""
    from literature_ai.agents.expert.belief import known_to_hold

    belief = observer.belief
    others = sum(1 << s for s in range(1 - team_of(seat), observer.knowledge.rules.players, 2))
    count = 0
    for half_suit in observer.knowledge.in_play:
        if known_to_hold(belief, seat, half_suit):
            places = [int(belief.possible[card]) for card in cards_of(half_suit)]
            count += sum(place & others != 0 and place & (place - 1) == 0 for place in places)
    return count


def _has_shown(seat: Seat, half_suit: HalfSuit, observer: Observer) -> bool:
    from literature_ai.agents.expert.belief import known_to_hold

    return bool(known_to_hold(observer.belief, seat, half_suit))


def _cards(count: int) -> str:
    return f"{count} card{'s' * (count != 1)}"
