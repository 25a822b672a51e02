"""What if: another ask, claim or pass at a moment of a recorded game, and what it would prove.

Somebody *learns* from it: the viewer, or, where all cards lie open, the player who acts. What they
know before and after is exact, so an answer that cannot be is found out, and explained by a
smallest set of events.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from literature_ai.analysis.consequences import (
    Answer,
    answer_as_json,
    answer_of,
    claim_as_json,
)
from literature_ai.cards import SEAT_NAMES, Seat, Team, cards_of, team_of
from literature_ai.errors import IllegalActionError, LiteratureError, NotationError
from literature_ai.events import Asked, Claim, Claimed, Event, TimedOut, action_of, actor_of
from literature_ai.inference.knowledge import BestClaim, Knowledge
from literature_ai.inference.proof import Proof, disprove, prove, prove_clash
from literature_ai.inference.recorded import knowledge_of
from literature_ai.records.as_json import position_as_json
from literature_ai.records.consistency import Consistency
from literature_ai.records.notation import format_event, parse_action, parse_event
from literature_ai.records.record import Record
from literature_ai.replays.viewing import locations_of, seen_by
from literature_ai.sessions.seen import EVERYONE, Viewer
from literature_ai.wording import layout, sentence
from solver.errors import ContradictionError

MOST_LINES = 50
"""The events that may be supposed one after another."""
_LIKELIER = 1e-9
"""A claim is likelier when its probability rises by more than this."""


@dataclass(frozen=True, slots=True)
class Likelier:
    """A claim that becomes likelier, without being certain."""

    claim: Claim
    """The likeliest layout then."""
    before: float
    """The probability of the half-suit's likeliest layout before."""
    after: float


@dataclass(frozen=True, slots=True)
class Impossible:
    """Why the event cannot be."""

    what: str
    proof: Proof | None
    """The steps; None where ``what`` says it all."""


@dataclass(frozen=True, slots=True)
class Supposition:
    """An event that did not happen, and what it would prove."""

    then: Record
    """The record before it, with what was supposed earlier."""
    event: Event
    learner: Seat | None
    """Who learns from it; None: everyone."""
    chance: float | None
    """The probability of the answer, as the learner knew it; None where there is none."""
    impossible: Impossible | None
    """Why it cannot be; None when it can."""
    answer: Answer | None
    """What it proves to the learner, and to everyone; None when it cannot be."""
    likelier: tuple[Likelier, ...]
    after: Knowledge | None
    """What the learner would know; None when it cannot be."""


def suppose(then: Record, viewer: Viewer, lines: Sequence[str], file: str) -> Supposition:
    """Suppose that these events come next; the last one is looked into.

    Each line is an event as a record has it. For everyone, who sees all cards, it may leave the
    answer or the verdict out.

    Raises LiteratureError when there is no line, or a line is no event that the rules allow, and
    for an event before the last that cannot be.
    """
    if not 1 <= len(lines) <= MOST_LINES:
        raise LiteratureError(f"{len(lines)} events are supposed; suppose 1 to {MOST_LINES}")
    if then.ended:
        raise LiteratureError("the game is over here; step back to suppose something else")
    then = seen_by(then, viewer)
    for line in lines[:-1]:
        found = _supposed(then, viewer, line, file)
        if found.impossible is not None:
            raise LiteratureError(f"{line!r} cannot be: {found.impossible.what}")
        then = _with(then, found.event)
    return _supposed(then, viewer, lines[-1], file)


def as_json(found: Supposition) -> dict[str, Any]:
    """The supposition in plain types.

    ``line`` (as a record has it), ``said`` (a sentence), ``learner`` (a seat; null: everyone),
    ``chance``, ``impossible``: null, or ``what``, ``steps`` (text, depth) and ``because`` (numbers
    of events). When it can be: ``deals``, ``locations`` and what becomes certain as ``if_hit`` has
    it in ``literature hint --json`` (located, claims, revealed, exposed); ``likelier`` (half_suit,
    holders, before, after); and `position_as_json` after it.
    """
    names = found.then.rules.card_names
    said: dict[str, Any] = {
        "line": format_event(found.event, names),
        "said": sentence(found.event, names),
        "learner": None if found.learner is None else SEAT_NAMES[found.learner],
        "chance": found.chance,
        "impossible": None,
    }
    if found.impossible is not None:
        proof = found.impossible.proof
        steps = [] if proof is None else proof.steps
        return {
            **said,
            "impossible": {
                "what": found.impossible.what,
                "steps": [{"text": step.text, "depth": step.depth} for step in steps],
                "because": [] if proof is None else list(proof.events),
            },
        }
    assert found.after is not None
    assert found.answer is not None
    position = _with(found.then, found.event).position()
    return {
        **said,
        "deals": str(found.after.deals()),
        "locations": locations_of(found.after),
        **answer_as_json(found.answer, names),
        "likelier": [
            {**claim_as_json(each.claim, names), "before": each.before, "after": each.after}
            for each in found.likelier
        ],
        **position_as_json(position),
    }


def _with(then: Record, event: Event) -> Record:
    return replace(then, events=(*then.events, event), lines=(*then.lines, 0))


def _supposed(then: Record, viewer: Viewer, line: str, file: str) -> Supposition:
    event = _event(then, viewer, line)
    if isinstance(event, TimedOut):
        raise LiteratureError("a lost turn proves nothing; suppose an ask, a claim or a pass")
    broken = then.position().violation(event)
    if broken is not None:
        raise IllegalActionError(broken.rule, f"{broken.what}; {broken.cure}")
    learner = actor_of(event) if viewer == EVERYONE else viewer if isinstance(viewer, int) else None
    objection = Consistency.of(then).follow(event)
    if objection is not None and objection.by_hand:
        raise IllegalActionError(objection.by_hand, f"{objection.what}; {objection.cure}")
    me, everyone = knowledge_of(then, learner, file), knowledge_of(then, None, file)
    chance = _chance(me, event)
    after, everyone_after = copy(me), copy(everyone)
    try:
        for knowledge in (after, everyone_after):
            knowledge.observe(event)
        after.check()
    except ContradictionError as error:
        why = _why_not(then, me, event, error)
        return Supposition(then, event, learner, chance, why, None, (), None)
    if objection is not None:
        why = Impossible(objection.what, None)
        return Supposition(then, event, learner, chance, why, None, (), None)
    team = team_of(actor_of(event) if learner is None else learner)
    moved = event.card if isinstance(event, Asked) and event.hit else None
    answer = answer_of((me, after), (everyone, everyone_after), team, moved)
    likelier = tuple(_likelier(me, after, team, answer))
    return Supposition(then, event, learner, chance, None, answer, likelier, after)


def _event(then: Record, viewer: Viewer, line: str) -> Event:
    """The event of the line; with open cards the game itself answers an action."""
    position = then.position()
    try:
        return parse_event(line, position, Consistency.of(then).lost)
    except NotationError as error:
        if viewer != EVERYONE:
            raise
        try:
            seat, action = parse_action(line, position)
        except NotationError:
            raise error from None
    return then.game().apply(action, seat)


def _chance(me: Knowledge, event: Event) -> float | None:
    """The probability that the ask is answered, or the claim right or wrong, as it is said."""
    match event:
        case Asked(_, target, card, hit):
            chance = me.probability({card: target})
            return chance if hit else 1.0 - chance
        case Claimed(_, half_suit, holders, right):
            chance = me.probability(dict(zip(cards_of(half_suit), holders, strict=True)))
            return chance if right else 1.0 - chance
    return None


def _likelier(me: Knowledge, after: Knowledge, team: Team, answer: Answer) -> list[Likelier]:
    """The claims that become likelier, the likeliest first, but for those that become certain."""
    settled = {claim.half_suit for claim in answer.claims}
    before = {claim.half_suit: claim.probability for claim in me.claims(team)}
    return [
        Likelier(_claim(claim), before.get(claim.half_suit, 0.0), claim.probability)
        for claim in after.claims(team)
        if claim.half_suit not in settled
        and claim.probability > before.get(claim.half_suit, 0.0) + _LIKELIER
    ]


def _claim(claim: BestClaim) -> Claim:
    return Claim(claim.half_suit, claim.holders)


def _why_not(then: Record, me: Knowledge, event: Event, error: ContradictionError) -> Impossible:
    """Why the event cannot be, with the shortest proof that there is for it."""
    names = then.rules.card_names
    if isinstance(event, Asked):
        card, target = event.card, event.target
        chance = float(me.posterior()[card, target])
        name, who = names[card], SEAT_NAMES[target]
        if event.hit and chance == 0.0:
            return Impossible(f"{who} cannot have {name}", disprove(me, then.events, card, target))
        if not event.hit and chance == 1.0:
            proof = prove(me, then.events, {card: target})
            return Impossible(f"{who} has {name} for certain", proof)
    elif isinstance(event, Claimed) and event.shown is not None:
        for card, seat in zip(cards_of(event.half_suit), event.shown, strict=True):
            if float(me.posterior()[card, seat]) == 0.0:
                what = f"{SEAT_NAMES[seat]} cannot have {names[card]}"
                return Impossible(what, disprove(me, then.events, card, seat))
    after = copy(me)
    with contextlib.suppress(ContradictionError):
        after.observe(event)
    what = f"no deal fits {_told(event, then)}"
    if len(error.events) < 3:
        return Impossible(f"{what}: {error}", None)
    return Impossible(what, prove_clash(after, (*then.events, event)))


def _told(event: Event, then: Record) -> str:
    names = then.rules.card_names
    action = action_of(event)
    if isinstance(action, Claim):
        return f"the claim {layout(action.half_suit, action.holders, names)}"
    return f"'{sentence(event, names)}'"
