"""Consequences of an ask: what a hit or a miss would prove, and what opponents could then claim.

Each answer is observed by copies of the knowledge of the seat and of the public, so all results are
as exact as `Knowledge` itself. Opponents are assumed to know only what is public: they can prove
everything reported here, and possibly more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from literature_ai.analysis.hints import Hint, LikelyAsk, as_json
from literature_ai.analysis.metrics import is_dead
from literature_ai.cards import (
    HALF_SUIT_NAMES,
    SEAT_NAMES,
    Card,
    CardNames,
    HalfSuit,
    Seat,
    Team,
    cards_of,
    half_suit_of,
    team_of,
)
from literature_ai.events import Ask, Asked, Claim
from literature_ai.inference.alike import are_alike, exchanged, exchanged_holders
from literature_ai.inference.knowledge import BestClaim, Knowledge
from literature_ai.wording import by_card
from solver.errors import ContradictionError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from literature_ai.game.position import Position

ASKS_EXAMINED = 3
MOST_TRANSITIONS = 250_000_000
"""Of the posteriors after asks and answers (`solver.counting.Counting.transitions`): when so many
are spent, about a second, no further ask is examined."""
LIKELY_LAYOUT = 0.05
"""The least probability of a layout for which it is examined whether opponents can prove it."""
_EQUAL = 1e-9
"""Probabilities closer than this are treated as equal."""


@dataclass(frozen=True, slots=True)
class DecisiveAnswer:
    """An answer that would make a half-suit certain to claim."""

    ask: Ask
    hit: bool
    """The answer: a hit or a miss."""
    probability: float
    """Of that answer."""
    claim: Claim
    """What could then be claimed."""


@dataclass(frozen=True, slots=True)
class HalfSuitChances:
    """One half-suit in play, for the own team."""

    half_suit: HalfSuit
    certain: bool
    """Whether it can be claimed for certain."""
    best: float
    """The probability of the likeliest layout that may be claimed; 0 when there is none."""
    held: float
    """The probability that the own team holds all six cards."""
    held_against: float
    """The probability that the opponents do."""
    decisive: tuple[DecisiveAnswer, ...]
    """The answers to one ask, for whatever card, that would make it certain, likeliest first."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The consequences of one answer to an ask."""

    located: dict[Card, Seat]
    """The cards that would become certain for the seat; not the card asked for, if it hits."""
    claims: tuple[Claim, ...]
    """The claims that would become certain for the seat."""
    revealed: dict[Card, Seat]
    """The cards that would become certain for everyone; not the card asked for, if it hits."""
    exposed: tuple[Claim, ...]
    """The claims that every opponent could then prove, and cannot before."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The best ask of the player who would get the turn, according to public knowledge."""

    ask: Ask
    public: float
    """The probability of a hit according to public knowledge."""
    allowed: float
    """The probability, according to the seat, that the ask is legal for the player."""
    probability: float
    """The probability of a hit according to the seat."""


@dataclass(frozen=True, slots=True)
class AskConsequences:
    """The consequences of one ask."""

    ask: Ask
    probability: float
    """That it hits."""
    shows: bool
    """Whether it would publicly show for the first time that the seat has cards of the
    half-suit."""
    if_hit: Answer | None
    """None when it cannot hit."""
    if_miss: Answer | None
    """None when it cannot miss."""
    reply: Reply | None
    """The best ask of the target after a miss; None when it cannot miss or leaves nothing to ask
    for."""


@dataclass(frozen=True, slots=True)
class Danger:
    """A half-suit that the opponents may claim."""

    half_suit: HalfSuit
    holders: tuple[Seat, ...]
    """The most probable layout that they may claim, according to the seat."""
    probability: float
    """Of that layout."""
    held: float
    """That they hold all six cards."""
    proven: bool
    """Whether everyone can prove it already."""
    provers: tuple[Seat, ...]
    """The opponents who can prove it if the cards lie so: from what everyone knows and their own
    cards of this half-suit alone. Looked into when the layout is at least 5 % likely."""


@dataclass(frozen=True, slots=True)
class Consequences:
    """All consequences in the position of a hint."""

    half_suits: tuple[HalfSuitChances, ...]
    """One for each half-suit in play, in order."""
    dead: frozenset[Ask]
    """The legal asks of which everyone knows that they must miss."""
    asks: tuple[AskConsequences, ...]
    """The asks that have been examined, the best ones, in the order of the hint."""
    dangers: tuple[Danger, ...]
    """Those that everyone can prove first, then those that an opponent may prove, then the
    likeliest."""


def consequences_of(hint: Hint, asks: int | None = ASKS_EXAMINED) -> Consequences:
    """The consequences in the position of the hint.

    asks: the number of best asks to examine; None: all. Early in a game of 8, when hardly any place
    is known, those beyond the first are examined as far as `MOST_TRANSITIONS` allows: the same ones
    on every machine.
    """
    me, everyone = hint.viewpoint.knowledge, hint.viewpoint.everyone
    return Consequences(
        tuple(_half_suits(hint, me)),
        frozenset(x.ask for x in hint.asks if is_dead(x.ask, everyone)),
        tuple(_examined(hint, asks)),
        tuple(_dangers(me, everyone, 1 - team_of(hint.seat), hint.position)),
    )


def _half_suits(hint: Hint, me: Knowledge) -> Iterator[HalfSuitChances]:
    team = team_of(hint.seat)
    held = me.held()
    best = {claim.half_suit: claim for claim in hint.claims}
    decisive: dict[HalfSuit, list[DecisiveAnswer]] = {half_suit: [] for half_suit in me.in_play}
    for likely in hint.asks:
        for answer in _decisive_answers(me, likely, best):
            decisive[answer.claim.half_suit].append(answer)
    for half_suit in me.in_play:
        claim = best.get(half_suit)
        yield HalfSuitChances(
            half_suit,
            claim is not None and claim.certain,
            0.0 if claim is None else claim.probability,
            float(held[team, half_suit]),
            float(held[1 - team, half_suit]),
            tuple(sorted(decisive[half_suit], key=lambda answer: -answer.probability)),
        )


def _decisive_answers(
    me: Knowledge, likely: LikelyAsk, best: Mapping[HalfSuit, BestClaim]
) -> Iterator[DecisiveAnswer]:
    """The answers to the ask that leave one layout of a half-suit, be it that of the card or not.

    An answer that leaves one layout is at most as likely as it. So the answers that are likelier
    than the best layout of every open half-suit need no trial, except that a hit also brings the
    card to the seat: then each other card of its half-suit must be as likely to be in one place.
    """
    ask, chance = likely.ask, likely.probability
    asked = half_suit_of(ask.card)
    unsettled = [half_suit for half_suit in me.in_play if not _settled(best.get(half_suit))]
    likeliest = max((best[h].probability for h in unsettled if h in best), default=0.0)
    for hit, probability in ((False, 1.0 - chance), (True, chance)):
        if not 0.0 < probability:
            continue
        tried = probability <= likeliest + _EQUAL
        if hit and not tried and asked in unsettled:
            others = me.posterior()[[card for card in cards_of(asked) if card != ask.card]]
            if not me.rules.split_claims:
                others = others[:, team_of(me.seat or 0) :: 2]
            tried = others.max(axis=1).min() >= probability - _EQUAL
        if tried and not (hit and all(_stays_open(me, ask, h) for h in unsettled)):
            for claim in _after(me, ask, me.seat or 0, hit).certain_claims():
                if claim.half_suit in unsettled:
                    yield DecisiveAnswer(ask, hit, probability, claim)


def _stays_open(me: Knowledge, ask: Ask, half_suit: HalfSuit) -> bool:
    """Whether a hit leaves several places for another card of the half-suit.

    Decided by SAT on what is known now, which takes much less time than counting after the hit.
    """
    if me.place_now(ask.card) is not None:
        return False
    for card in cards_of(half_suit):
        seats = me.posterior()[card].nonzero()[0].tolist()
        if card != ask.card and len(seats) > 1:
            together = (me.sat.possible({ask.card: ask.target, card: seat}) for seat in seats)
            if any(together) and any(together):  # a second one after the first
                return True
    return False


def _settled(best: BestClaim | None) -> bool:
    return best is not None and best.certain


def _after(knowledge: Knowledge, ask: Ask, asker: Seat, hit: bool) -> Knowledge:
    """What would be known after the ask and this answer."""
    after = copy(knowledge)
    after.observe(Asked(asker, ask.target, ask.card, hit))
    return after


def _examined(hint: Hint, asks: int | None) -> list[AskConsequences]:
    me, everyone = hint.viewpoint.knowledge, hint.viewpoint.everyone
    examined: list[AskConsequences] = []
    spent = 0
    for likely in hint.asks[:asks]:
        ask = likely.ask
        twins = (
            found
            for found in examined
            if found.ask.target == ask.target
            and are_alike(me, found.ask.card, ask.card)
            and are_alike(everyone, found.ask.card, ask.card)
        )
        twin = next(twins, None)
        if twin is not None:
            examined.append(_for_another_card(twin, ask.card))
            continue
        if examined and spent >= MOST_TRANSITIONS:
            break
        found, transitions = _examine(likely, me, everyone, hint.position)
        examined.append(found)
        spent += transitions
    return examined


def _for_another_card(found: AskConsequences, card: Card) -> AskConsequences:
    """The consequences of the ask for a card that is alike to the one asked for."""
    asked = found.ask.card

    def places(seats: Mapping[Card, Seat]) -> dict[Card, Seat]:
        return dict(sorted((exchanged(c, asked, card), seat) for c, seat in seats.items()))

    def claims(some: Sequence[Claim]) -> tuple[Claim, ...]:
        return tuple(
            Claim(claim.half_suit, exchanged_holders(claim.holders, asked, card))
            if claim.half_suit == half_suit_of(card)
            else claim
            for claim in some
        )

    def answer(one: Answer | None) -> Answer | None:
        if one is None:
            return None
        return Answer(
            places(one.located), claims(one.claims), places(one.revealed), claims(one.exposed)
        )

    reply = found.reply
    if reply is not None:
        again = Ask(reply.ask.target, exchanged(reply.ask.card, asked, card))
        reply = replace(reply, ask=again)
    return replace(
        found,
        ask=Ask(found.ask.target, card),
        if_hit=answer(found.if_hit),
        if_miss=answer(found.if_miss),
        reply=reply,
    )


def _examine(
    likely: LikelyAsk, me: Knowledge, everyone: Knowledge, position: Position
) -> tuple[AskConsequences, int]:
    """The consequences of the ask, and how many transitions their posteriors took."""
    ask, chance = likely.ask, likely.probability
    seat = me.seat or 0
    half_suit = half_suit_of(ask.card)
    answers: dict[bool, Answer] = {}
    reply = None
    transitions = 0
    for hit, possible in ((True, chance > 0.0), (False, chance < 1.0)):
        if possible:
            mine, theirs = _after(me, ask, seat, hit), _after(everyone, ask, seat, hit)
            moved = ask.card if hit else None
            answers[hit] = answer_of((me, mine), (everyone, theirs), team_of(seat), moved)
            if not hit:
                reply = best_reply(mine, theirs, ask.target, position.hand_sizes)
            transitions += mine.counting.transitions + theirs.counting.transitions
    shows = _may_have_none(everyone, seat, half_suit)
    return (
        AskConsequences(ask, chance, shows, answers.get(True), answers.get(False), reply),
        transitions,
    )


def answer_of(
    own: tuple[Knowledge, Knowledge],
    public: tuple[Knowledge, Knowledge],
    team: Team,
    moved: Card | None,
) -> Answer:
    """What an event proves, to somebody and to everyone: their knowledge before it and after it.

    team: whose claims count; the exposed ones are those of the other team. moved: the card that the
    event puts into another hand, which is no news.
    """
    (me, mine), (everyone, theirs) = own, public
    return Answer(
        _new_places(me.certain(), mine.certain(), moved),
        _new_claims(me.certain_claims(team), mine.certain_claims(team)),
        _new_places(_certain(everyone), _certain(theirs), moved),
        _new_claims(_certain_claims(everyone, 1 - team), _certain_claims(theirs, 1 - team)),
    )


def _certain(everyone: Knowledge) -> dict[Card, Seat]:
    """The same as `Knowledge.certain`, by SAT.

    To count what the public thinks possible early in a game of 8 takes 100 times as long.
    """
    possible = everyone.possible_seats()
    return {c: seats.bit_length() - 1 for c, seats in enumerate(possible) if seats.bit_count() == 1}


def _certain_claims(everyone: Knowledge, team: Team) -> list[Claim]:
    """The same as `Knowledge.certain_claims`, by SAT."""
    certain = _certain(everyone)
    claims = []
    for half_suit in everyone.in_play:
        holders = tuple(certain[card] for card in cards_of(half_suit) if card in certain)
        ours = [everyone.rules.split_claims or team_of(seat) == team for seat in holders]
        if len(holders) == len(cards_of(half_suit)) and all(ours):
            claims.append(Claim(half_suit, holders))
    return claims


def _new_places(
    before: Mapping[Card, Seat], after: Mapping[Card, Seat], but: Card | None
) -> dict[Card, Seat]:
    return {c: s for c, s in after.items() if before.get(c) != s and c != but}


def _new_claims(before: Sequence[Claim], after: Sequence[Claim]) -> tuple[Claim, ...]:
    known = {claim.half_suit for claim in before}
    return tuple(claim for claim in after if claim.half_suit not in known)


def best_reply(
    me: Knowledge, everyone: Knowledge, player: Seat, hand_sizes: Sequence[int]
) -> Reply | None:
    """The best ask of the player who is then on turn: the largest product of the public probability
    of a hit and the probability, according to the seat, that the ask is legal."""
    ours = [s for s, size in enumerate(hand_sizes) if size and team_of(s) != team_of(player)]
    public, mine = everyone.posterior(), me.posterior()
    none: dict[HalfSuit, float] = {}
    best: Reply | None = None
    candidates = [
        (float(public[c, s]), c, s) for h in me.in_play for c in cards_of(h) for s in ours
    ]
    for chance, card, seat in sorted(candidates, key=lambda x: (-x[0], x[1], x[2])):
        if not chance or (best is not None and chance <= best.public * best.allowed):
            break
        half_suit = half_suit_of(card)
        if half_suit not in none:
            none[half_suit] = chance_of_none(me, player, half_suit)
        own = 0.0 if me.rules.bluff_asks else float(mine[card, player])
        allowed = max(1.0 - own - none[half_suit], 0.0)
        if best is None or chance * allowed > best.public * best.allowed + _EQUAL:
            best = Reply(Ask(seat, card), chance, allowed, float(mine[card, seat]))
    return None if best is None or best.allowed < _EQUAL else best


def chance_of_none(knowledge: Knowledge, seat: Seat, half_suit: HalfSuit) -> float:
    """The probability that the seat has no card of the half-suit, which is in play."""
    return knowledge.probability({}, lacks=dict.fromkeys(cards_of(half_suit), seat))


def _may_have_none(everyone: Knowledge, seat: Seat, half_suit: HalfSuit) -> bool:
    """Whether `chance_of_none` is above 0, by SAT."""
    try:
        without = everyone.assuming(lacks=dict.fromkeys(cards_of(half_suit), seat))
    except ContradictionError:
        return False
    return without.sat.possible({})


def _dangers(me: Knowledge, everyone: Knowledge, team: Team, position: Position) -> list[Danger]:
    held: npt.NDArray[np.float64] = me.held()[team]
    proven = {claim.half_suit for claim in _certain_claims(everyone, team)}
    claimants = [
        seat
        for seat in range(team, me.rules.players, 2)
        if position.hand_sizes[seat] or position.may_claim(seat)
    ]
    dangers = []
    for claim in me.claims(team):
        provers: tuple[Seat, ...] = ()
        if claim.probability >= LIKELY_LAYOUT:
            provers = tuple(
                seat
                for seat in claimants
                if can_prove(everyone, seat, claim.half_suit, claim.holders)
            )
        if held[claim.half_suit] or provers:
            dangers.append(
                Danger(
                    claim.half_suit,
                    claim.holders,
                    claim.probability,
                    float(held[claim.half_suit]),
                    claim.half_suit in proven,
                    provers,
                )
            )
    return sorted(dangers, key=lambda d: (not d.proven, -d.probability * bool(d.provers), -d.held))


def can_prove(
    everyone: Knowledge, seat: Seat, half_suit: HalfSuit, holders: Sequence[Seat]
) -> bool:
    """Whether the seat can prove the layout from what everyone knows and its own cards of it."""
    places = dict(zip(cards_of(half_suit), holders, strict=True))
    own = everyone.assuming(
        holds={card: holder for card, holder in places.items() if holder == seat},
        lacks={card: seat for card, holder in places.items() if holder != seat},
    )
    return places.items() <= _certain(own).items()


def with_consequences(hint: Hint, consequences: Consequences) -> dict[str, Any]:
    """Hint and consequences as ``literature hint --json`` prints them."""
    names = hint.record.rules.card_names
    examined = {ask.ask: ask for ask in consequences.asks}
    said = as_json(hint)
    said["half_suits"] = [
        {
            "half_suit": HALF_SUIT_NAMES[half_suit.half_suit],
            "certain": half_suit.certain,
            "best": half_suit.best,
            "held": half_suit.held,
            "held_against": half_suit.held_against,
            "settled_by": [
                {
                    **_ask_as_json(answer.ask, names),
                    "answer": "hit" if answer.hit else "miss",
                    "probability": answer.probability,
                    "holders": by_card(half_suit.half_suit, answer.claim.holders, names),
                }
                for answer in half_suit.decisive
            ],
        }
        for half_suit in consequences.half_suits
    ]
    for likely, entry in zip(hint.asks, said["asks"], strict=True):
        entry["dead"] = likely.ask in consequences.dead
        if likely.ask in examined:
            entry.update(_consequences_as_json(examined[likely.ask], names))
    said["dangers"] = [
        {
            "half_suit": HALF_SUIT_NAMES[danger.half_suit],
            "holders": by_card(danger.half_suit, danger.holders, names),
            "probability": danger.probability,
            "held": danger.held,
            "proven": danger.proven,
            "provers": [SEAT_NAMES[seat] for seat in danger.provers],
        }
        for danger in consequences.dangers
    ]
    return said


def _ask_as_json(ask: Ask, names: CardNames) -> dict[str, str]:
    return {"target": SEAT_NAMES[ask.target], "card": names[ask.card]}


def _consequences_as_json(ask: AskConsequences, names: CardNames) -> dict[str, Any]:
    reply = ask.reply
    return {
        "shows": ask.shows,
        "if_hit": None if ask.if_hit is None else answer_as_json(ask.if_hit, names),
        "if_miss": None if ask.if_miss is None else answer_as_json(ask.if_miss, names),
        "reply": None
        if reply is None
        else {
            **_ask_as_json(reply.ask, names),
            "public": reply.public,
            "allowed": reply.allowed,
            "probability": reply.probability,
        },
    }


def answer_as_json(answer: Answer, names: CardNames) -> dict[str, Any]:
    """What an answer proves, as ``literature hint --json`` prints it."""
    return {
        "located": _places(answer.located, names),
        "claims": [claim_as_json(claim, names) for claim in answer.claims],
        "revealed": _places(answer.revealed, names),
        "exposed": [claim_as_json(claim, names) for claim in answer.exposed],
    }


def _places(places: dict[Card, Seat], names: CardNames) -> dict[str, str]:
    return {names[card]: SEAT_NAMES[seat] for card, seat in places.items()}


def claim_as_json(claim: Claim, names: CardNames) -> dict[str, Any]:
    """The half-suit and the holders of its cards."""
    return {
        "half_suit": HALF_SUIT_NAMES[claim.half_suit],
        "holders": by_card(claim.half_suit, claim.holders, names),
    }
