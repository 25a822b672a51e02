"""Dead asks and claim delays, against the counting engine event by event."""

from __future__ import annotations

import numpy as np
import pytest

from literature_ai.analysis.metrics import team_metrics
from literature_ai.bots.registry import parse_spec
from literature_ai.cards import cards_of, team_of
from literature_ai.events import Ask, Asked, Claim, Claimed
from literature_ai.game.game import Game
from literature_ai.game.turns import play
from literature_ai.inference.knowledge import Knowledge
from literature_ai.rules import RuleSet


def played(rules: RuleSet, seed: int) -> Game:
    """A game between agents some of which claim late and make dead asks."""
    game = Game.deal(rules, seed=seed)
    specs = ["greedy", "random", "random", "certain", "random", "random", "random", "random"]
    agents = [parse_spec(spec).make() for spec in specs[: rules.players]]
    play(game, agents, np.random.default_rng(seed))
    return game


@pytest.mark.parametrize(
    "words", ["max-events=120", "russian max-events=80", "us54", "split-claims"]
)
def test_dead_asks_are_those_the_public_gives_no_chance(words):
    """An ask is dead exactly when the public posterior of the card at the target is 0."""
    game = played(RuleSet.parse(words), seed=3)
    everyone, expected = Knowledge(game.rules), [0, 0]
    for event in game.events:
        if isinstance(event, Asked):
            chance = everyone.posterior()[event.card, event.target]
            expected[team_of(event.asker)] += chance == 0
        everyone.observe(event)
    assert sum(expected) > 0
    assert [team.dead_asks for team in team_metrics(game)] == expected


@pytest.mark.parametrize("words", ["max-events=120", "claim-any-time wrong-hides", "split-claims"])
def test_delays_count_from_the_first_proof(words):
    """A delay begins when a seat's exact posterior first holds the whole half-suit as certain."""
    game = played(RuleSet.parse(words), seed=5)
    expected = [[0, 0], [0, 0]]
    for number, event in enumerate(game.events):
        if isinstance(event, Claimed) and event.right:
            team = team_of(event.claimant)
            proofs = [
                first_proof(game, seat, event.half_suit, number)
                for seat in range(team, game.rules.players, 2)
            ]
            if known := [proof for proof in proofs if proof is not None]:
                expected[team][0] += 1
                expected[team][1] += number - min(known)
    assert sum(claims for claims, _ in expected) > 0
    actual = [[team.timely_claims, team.claim_delay] for team in team_metrics(game)]
    assert actual == expected


def first_proof(game: Game, seat: int, half_suit: int, until: int) -> int | None:
    """After how many events the seat could prove the half-suit to be its team's to claim."""
    knowledge = Knowledge(game.rules, seat, game.dealt[seat])
    cards = list(cards_of(half_suit))
    for number in range(until + 1):
        certain = knowledge.posterior()[cards] == 1
        ours = certain if game.rules.split_claims else certain[:, seat % 2 :: 2]
        if ours.any(axis=1).all():
            return number
        knowledge.observe(game.events[number])
    return None


def test_a_claim_at_once_has_no_delay():
    """A half-suit that is dealt to one hand and claimed by it at once has a delay of 0."""
    hands = [[*cards_of(seat), *range(36 + 2 * seat, 38 + 2 * seat)] for seat in range(6)]
    game = Game(RuleSet(), hands, start=0)
    game.apply(Claim(0, (0,) * 6))
    (ours, theirs) = team_metrics(game)
    assert (ours.timely_claims, ours.claim_delay, theirs.timely_claims) == (1, 0, 0)


def test_an_ask_that_was_just_denied_is_dead():
    """Repeating an ask that has just missed is dead."""
    hands = [list(range(seat, 48, 6)) for seat in range(6)]
    game = Game(RuleSet(), hands, start=0)
    for target, card in ((1, 2), (0, 3), (1, 2)):
        game.apply(Ask(target, card))
    ours, theirs = team_metrics(game)
    assert (ours.asks, ours.dead_asks, theirs.asks, theirs.dead_asks) == (2, 1, 1, 0)
