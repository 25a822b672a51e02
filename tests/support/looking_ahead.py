"""What must hold of every number of the look-ahead: the event observed, and the question asked
again."""

from __future__ import annotations

from copy import copy

import pytest

from literature_ai.analysis.consequences import (
    LIKELY_LAYOUT,
    Answer,
    AskConsequences,
    Consequences,
    Reply,
    consequences_of,
)
from literature_ai.analysis.hints import Hint, hint
from literature_ai.cards import Card, HalfSuit, Seat, cards_of, half_suit_of, team_of
from literature_ai.events import Ask, Asked, Claim
from literature_ai.game.game import Game
from literature_ai.inference.knowledge import BestClaim, Knowledge
from literature_ai.inference.recorded import Viewpoint
from literature_ai.records.record import Record


def knowledge(game: Game, who: Seat | None, *more: Asked) -> Knowledge:
    """What the seat, or everyone, knows of the game, and of these events after it."""
    known = Knowledge(game.rules, who, None if who is None else game.dealt[who])
    for event in (*game.events, *more):
        known.observe(event)
    return known


def check_look_ahead(game: Game, who: Seat, asks: int) -> Consequences:
    """Check the look-ahead of a seat; ``asks``: how many of the best asks are examined."""
    advice = hint(Viewpoint.of(Record.of(game, "1"), who))
    found = consequences_of(advice, asks=asks)
    me, everyone = knowledge(game, who), knowledge(game, None)
    check_decisive(me, found, advice)
    legal = [likely.ask for likely in advice.asks]
    assert found.dead == {a for a in legal if everyone.probability({a.card: a.target}) == 0.0}
    # Early in a game of 8 not all of them are examined.
    assert bool(found.asks) == bool(advice.asks)
    assert len(found.asks) == min(asks, len(advice.asks)) or game.rules.players == 8
    for prospect, likely in zip(found.asks, advice.asks[:asks], strict=False):
        assert prospect.ask == likely.ask
        check_ask(game, who, me, everyone, prospect)
    check_dangers(game, 1 - team_of(who), me, everyone, found)
    return found


def check_decisive(me: Knowledge, found: Consequences, advice: Hint) -> None:
    """Each answer to each ask, tried out, makes just those half-suits certain that it is said to
    make."""
    assert me.seat is not None
    best = {claim.half_suit: claim for claim in me.claims()}
    certain = {claim.half_suit: claim.holders for claim in me.certain_claims()}
    held = me.held()
    team = team_of(me.seat)
    for half in found.half_suits:
        h = half.half_suit
        assert half.certain == (h in certain)
        assert half.best == (best[h].probability if h in best else 0.0)
        assert (half.held, half.held_against) == (held[team, h], held[1 - team, h])
    settled = {}
    for likely in advice.asks:
        ask = likely.ask
        hits = me.probability({ask.card: ask.target})
        for hit, chance in ((True, hits), (False, 1.0 - hits)):
            if chance > 0.0:
                after = copy(me)
                after.observe(Asked(me.seat, ask.target, ask.card, hit))
                for claim in after.certain_claims():
                    if claim.half_suit not in certain:
                        settled[ask, hit, claim] = pytest.approx(chance, abs=1e-11)
    said = {(s.ask, s.hit, s.claim): s.probability for h in found.half_suits for s in h.decisive}
    assert settled == said
    assert all(s.claim.half_suit == h.half_suit for h in found.half_suits for s in h.decisive)


def check_ask(
    game: Game, who: Seat, me: Knowledge, everyone: Knowledge, prospect: AskConsequences
) -> None:
    """Both answers to the ask have just the consequences that are stated."""
    ask = prospect.ask
    assert pytest.approx(me.probability({ask.card: ask.target}), abs=1e-11) == prospect.probability
    assert prospect.shows == (chance_of_none(everyone, who, half_suit_of(ask.card)) > 0.0)
    for hit, answer in ((True, prospect.if_hit), (False, prospect.if_miss)):
        possible = me.probability({ask.card: ask.target}) != float(not hit)
        assert possible == (answer is not None)
        if answer is not None:
            event = Asked(who, ask.target, ask.card, hit)
            mine, theirs = knowledge(game, who, event), knowledge(game, None, event)
            team, but = team_of(who), ask.card if hit else None
            expected = Answer(
                new_places(me, mine, but),
                new_claims(me, mine, team),
                new_places(everyone, theirs, but),
                new_claims(everyone, theirs, 1 - team),
            )
            assert expected == answer
            if not hit:
                check_reply(game, mine, theirs, ask.target, prospect.reply)
    assert prospect.reply is None or prospect.if_miss is not None


def new_places(before: Knowledge, after: Knowledge, but: Card | None) -> dict[Card, Seat]:
    """The cards that are certain only after, without one of them."""
    known = before.certain().items()
    return {c: s for c, s in after.certain().items() if (c, s) not in known and c != but}


def new_claims(before: Knowledge, after: Knowledge, team: int) -> tuple[Claim, ...]:
    """The claims of half-suits that are certain only after."""
    known = [claim.half_suit for claim in before.certain_claims(team)]
    return tuple(claim for claim in after.certain_claims(team) if claim.half_suit not in known)


def chance_of_none(known: Knowledge, seat: Seat, half_suit: HalfSuit) -> float:
    """The probability that the seat has no card of the half-suit."""
    return known.probability({}, lacks=dict.fromkeys(cards_of(half_suit), seat))


def check_reply(
    game: Game, mine: Knowledge, theirs: Knowledge, player: Seat, reply: Reply | None
) -> None:
    """No other ask of the player is better, and its three numbers are right."""
    worth: dict[Ask, float] = {}
    for half_suit in game.in_play:
        some = 1.0 - chance_of_none(mine, player, half_suit)
        for card in cards_of(half_suit):
            allowed = some - (0.0 if game.rules.bluff_asks else mine.probability({card: player}))
            for seat in range(1 - team_of(player), game.rules.players, 2):
                if game.hand_sizes[seat]:
                    public = theirs.probability({card: seat})
                    worth[Ask(seat, card)] = public * allowed
                    if reply is not None and reply.ask == Ask(seat, card):
                        right = (public, allowed, mine.probability({card: seat}))
                        said = (reply.public, reply.allowed, reply.probability)
                        assert pytest.approx(right, abs=1e-11) == said
    best = max(worth.values(), default=0.0)
    assert pytest.approx(0.0 if reply is None else worth[reply.ask], abs=1e-8) == best


def check_dangers(
    game: Game, team: int, me: Knowledge, everyone: Knowledge, found: Consequences
) -> None:
    """The dangers are the best claims of the opponents; who is said to prove one can."""
    best = {claim.half_suit: claim for claim in me.claims(team)}
    proven = [claim.half_suit for claim in everyone.certain_claims(team)]
    for danger in found.dangers:
        claim = best.pop(danger.half_suit)
        assert (claim.holders, claim.probability) == (danger.holders, danger.probability)
        assert me.held()[team, danger.half_suit] == danger.held
        assert danger.proven == (danger.half_suit in proven)
        assert provers(game, team, everyone, claim) == danger.provers
        assert danger.held or danger.provers
        for prover in danger.provers:
            assert team_of(prover) == team
            assert game.hand(prover) or game.may_claim(prover)
            if all(card in game.hand(s) for card, s in places(danger.half_suit, claim.holders)):
                claims = knowledge(game, prover).certain_claims()
                assert Claim(danger.half_suit, danger.holders) in claims
    for half_suit, claim in best.items():
        assert me.held()[team, half_suit] == 0.0
        assert provers(game, team, everyone, claim) == ()


def provers(game: Game, team: int, everyone: Knowledge, claim: BestClaim) -> tuple[Seat, ...]:
    """Who of the team may claim and can prove the claim if the cards lie so, when that is likely:
    what everyone knows, once told which cards of the half-suit they have, makes it certain."""
    found = []
    for seat in range(team, game.rules.players, 2):
        if claim.probability >= LIKELY_LAYOUT and (game.hand(seat) or game.may_claim(seat)):
            where = places(claim.half_suit, claim.holders)
            told = everyone.assuming(
                holds={card: s for card, s in where if s == seat},
                lacks={card: seat for card, s in where if s != seat},
            )
            if Claim(claim.half_suit, claim.holders) in told.certain_claims(team):
                found.append(seat)
    return tuple(found)


def places(half_suit: HalfSuit, holders: tuple[Seat, ...]) -> list[tuple[Card, Seat]]:
    """The cards of a half-suit with their holders."""
    return list(zip(cards_of(half_suit), holders, strict=True))
