"""Reviews in words and as JSON: faults of decisions, claims made late, verdicts on half-suits."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from literature_ai.analysis.game_values import GameValues
from literature_ai.analysis.review import (
    Decision,
    Provable,
    Review,
    ReviewedAsk,
    ReviewedClaim,
    Timeline,
)
from literature_ai.analysis.value_text import game_as_json
from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, TEAM_NAMES, CardNames, Seat
from literature_ai.events import Ask, Asked, Claim, Claimed, Event, Passed, TimedOut
from literature_ai.records.notation import format_event
from literature_ai.wording import by_card, layout, percent, sentence, wanted

POOR = 0.25
"""An ask is reported as poor when its chance is this much below the best."""


class Kind(enum.Enum):
    """The kinds of faults."""

    DEAD_ASK = "dead ask"
    HOPELESS_ASK = "hopeless ask"
    POOR_ASK = "poor ask"
    LUCKY_CLAIM = "lucky claim"
    WRONG_CLAIM = "wrong claim"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Moment:
    """A fault of a decision."""

    event: int
    seat: Seat
    kind: Kind
    text: str


def moments(review: Review, seat: Seat | None = None) -> list[Moment]:
    """The faults of all decisions, or of those of one seat, in the order of events."""
    names = review.record.rules.card_names
    return [
        Moment(decision.event, decision.seat, kind, f"{sentence(decision.made, names)}; {why}")
        for decision in review.decisions
        if seat is None or decision.seat == seat
        for kind, why in _faults(decision, names)
    ]


def _faults(decision: Decision, names: CardNames) -> Iterator[tuple[Kind, str]]:
    match decision.judged:
        case ReviewedAsk() as ask:
            better = f"{wanted(ask.best, names)} had {percent(ask.best_chance)} %"
            # When every legal ask was hopeless, none of them is a fault.
            if ask.dead and ask.best_chance:
                yield Kind.DEAD_ASK, f"everyone knew it would miss; {better}"
            elif ask.hopeless and ask.best_chance:
                yield Kind.HOPELESS_ASK, f"they knew it would miss; {better}"
            elif ask.best_chance - ask.chance >= POOR:
                yield Kind.POOR_ASK, f"its chance was {percent(ask.chance)} %; {better}"
        case ReviewedClaim() as claim if claim.lucky:
            forced = "forced, and " if claim.forced else ""
            yield Kind.LUCKY_CLAIM, f"{forced}only {percent(claim.chance)} % sure"
        case ReviewedClaim() as claim if claim.avoidable:
            yield Kind.WRONG_CLAIM, _wrong(claim, names)
        case None if isinstance(decision.made, TimedOut):
            yield Kind.TIMEOUT, "the turn was lost"


def _wrong(claim: ReviewedClaim, names: CardNames) -> str:
    if not claim.own_view:
        return "everyone knew it was wrong"
    said = f"{percent(claim.chance)} % sure" if claim.chance else "they knew it was wrong"
    if claim.best is not None and claim.best != claim.claim and claim.best_chance > claim.chance:
        name = HALF_SUIT_NAMES[claim.best.half_suit]
        where = layout(claim.best.half_suit, claim.best.holders, names)
        said += f"; {name} as {where} had {percent(claim.best_chance)} %"
    return said if claim.forced else f"{said}; no claim was needed"


def faults_as_json(review: Review) -> list[dict[str, Any]]:
    """The faults of all decisions, for pages: ``event``, ``seat``, ``kind`` and ``said``."""
    return [
        {
            "event": moment.event,
            "seat": SEAT_NAMES[moment.seat],
            "kind": moment.kind.value,
            "said": moment.text,
        }
        for moment in moments(review)
    ]


def missed_claims(review: Review, seat: Seat | None = None) -> list[Provable]:
    """The claims that were provable for a while before they were made, if ever; longest first."""
    late = [
        provable
        for provable in review.provable
        if provable.waited and (seat is None or seat in provable.provers)
    ]
    return sorted(late, key=lambda provable: -provable.waited)


def missed(provable: Provable, names: CardNames) -> str:
    """A provable claim in a sentence; ``names`` are those of the cards."""
    half_suit = provable.claim.half_suit
    *others, last = (SEAT_NAMES[seat] for seat in provable.provers)
    who = f"{', '.join(others)} and {last}" if others else last
    since = f"from event {provable.since}" if provable.since else "from the deal"
    said = f"{HALF_SUIT_NAMES[half_suit]} ({layout(half_suit, provable.claim.holders, names)})"
    said += f": {who} could prove it {since}; {_fate(provable)}"
    if provable.passed_up:
        turns = len(provable.passed_up)
        said += f"; passed up on {turns} turn{'s' * (turns > 1)}"
    return said


def _fate(provable: Provable) -> str:
    events = f"{provable.waited} event{'s' * (provable.waited > 1)}"
    if provable.until is None:
        return f"nobody claimed it in the {events} that followed"
    assert provable.claimant is not None
    verdict = "" if provable.right else ", wrongly"
    who = SEAT_NAMES[provable.claimant]
    return f"{who} claimed it in event {provable.until}{verdict}, with {events} in between"


def views(review: Review) -> str:
    """By whose knowledge the decisions are judged."""
    known = [SEAT_NAMES[seat] for seat, own in enumerate(review.own_views) if own]
    if all(review.own_views):
        return "Each decision is judged by what its player knew at that moment."
    if not known:
        return "No hand is known: all decisions are judged by public knowledge."
    return (
        f"Only the hand{'s' * (len(known) > 1)} of {' '.join(known)}"
        f" {'are' if len(known) > 1 else 'is'} known: the decisions of the other players are judged"
        " by public knowledge, and their claims not at all."
    )


def verdict(review: Review, half_suit: int) -> str:
    """Who claimed a half-suit, when, and who scored it."""
    timeline = review.timelines[half_suit]
    if timeline.claimed is None:
        return "not claimed"
    event = review.record.events[timeline.claimed - 1]
    assert isinstance(event, Claimed)
    point = "nobody scores" if timeline.scored is None else f"{TEAM_NAMES[timeline.scored]} scores"
    how = "claims" if event.right else "is wrong"
    return f"{SEAT_NAMES[event.claimant]} {how}, event {timeline.claimed}: {point}"


def accuracy(value: float | None) -> str:
    """An accuracy in percent; only a perfect one is rounded to 100."""
    if value is None:
        return "–"
    return "100" if value > 100 - 1e-9 else f"{min(value, 99.9):.1f}"


def review_as_json(
    found: Review, seat: Seat | None = None, values: GameValues | None = None
) -> dict[str, Any]:
    """The review as ``literature review --json`` prints it."""
    rules, names = found.record.rules, found.record.rules.card_names
    return {
        "game": found.record.id,
        "players": rules.players,
        "deck": rules.deck,
        "rules": rules.words(),
        "events": len(found.record.events),
        "summary": [
            {
                "seat": SEAT_NAMES[s.seat],
                "name": s.name,
                "view": _view(s.own_view),
                "accuracy": s.accuracy,
                "judged": s.judged,
                "asks": s.asks,
                "hits": s.hits,
                "best_asks": s.best_asks,
                "hopeless_asks": s.hopeless_asks,
                "dead_asks": s.dead_asks,
                "claims_right": s.claims_right,
                "claims_wrong": s.claims_wrong,
                "lucky_claims": s.lucky_claims,
                "avoidable_claims": s.avoidable_claims,
                "passed_up": s.passed_up,
                "timeouts": s.timeouts,
            }
            for s in found.summaries
            if seat is None or s.seat == seat
        ],
        "decisions": [
            _decision_as_json(decision, names)
            for decision in found.decisions
            if seat is None or decision.seat == seat
        ],
        "provable": [
            {
                "team": TEAM_NAMES[provable.team],
                **_claim_as_json(provable.claim, names),
                "since": provable.since,
                "provers": [SEAT_NAMES[s] for s in provable.provers],
                "until": provable.until,
                "claimant": None if provable.claimant is None else SEAT_NAMES[provable.claimant],
                "right": provable.right,
                "waited": provable.waited,
                "passed_up": list(provable.passed_up),
            }
            for provable in found.provable
            if seat is None or seat in provable.provers
        ],
        "timelines": [_timeline_as_json(timeline) for timeline in found.timelines],
        "engine": None if values is None else _values_as_json(values, rules.players),
    }


def _values_as_json(values: GameValues, players: int) -> dict[str, Any]:
    head = {"budget": values.budget, "seed": values.seed, "stopped": values.stopped}
    return {**head, **game_as_json(values.moments, players)}


def _decision_as_json(decision: Decision, names: CardNames) -> dict[str, Any]:
    return {
        "event": decision.event,
        "seat": SEAT_NAMES[decision.seat],
        "view": _view(decision.own_view),
        "text": format_event(decision.made, names),
        "type": _type(decision.made),
        "located": decision.located,
        "provable": [_claim_as_json(claim, names) for claim in decision.provable],
        "worth": decision.worth,
        **_judged_as_json(decision.judged, names),
    }


def _judged_as_json(judged: ReviewedAsk | ReviewedClaim | None, names: CardNames) -> dict[str, Any]:
    match judged:
        case ReviewedAsk() as ask:
            return {
                **_ask_as_json(ask.ask, names),
                "hit": ask.hit,
                "chance": ask.chance,
                "best": {**_ask_as_json(ask.best, names), "chance": ask.best_chance},
                "hopeless": ask.hopeless,
                "dead": ask.dead,
            }
        case ReviewedClaim() as claim:
            best = claim.best
            return {
                **_claim_as_json(claim.claim, names),
                "right": claim.right,
                "chance": claim.chance,
                "best": None
                if best is None
                else {**_claim_as_json(best, names), "chance": claim.best_chance},
                "forced": claim.forced,
                "lucky": claim.lucky,
                "avoidable": claim.avoidable,
            }
    return {}


def _timeline_as_json(timeline: Timeline) -> dict[str, Any]:
    return {
        "half_suit": HALF_SUIT_NAMES[timeline.half_suit],
        "A": list(timeline.held[0]),
        "B": list(timeline.held[1]),
        "claimed": timeline.claimed,
        "scored": None if timeline.scored is None else TEAM_NAMES[timeline.scored],
    }


def _ask_as_json(ask: Ask, names: CardNames) -> dict[str, str]:
    return {"target": SEAT_NAMES[ask.target], "card": names[ask.card]}


def _claim_as_json(claim: Claim, names: CardNames) -> dict[str, Any]:
    return {
        "half_suit": HALF_SUIT_NAMES[claim.half_suit],
        "holders": by_card(claim.half_suit, claim.holders, names),
    }


def _type(event: Event) -> str:
    match event:
        case Asked():
            return "ask"
        case Claimed():
            return "claim"
        case Passed():
            return "pass"
    return "timeout"


def _view(own: bool) -> str:
    return "own" if own else "public"
