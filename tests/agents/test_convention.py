"""Conventions: what is said by a choice among alike asks, and what is heard of it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from endgames import endgame
from reference import all_deals
from seated import agent_at

from literature_ai.agents.expert.agent import Expert
from literature_ai.agents.expert.belief import NOBODY, SIX, Belief, believe, copy_belief
from literature_ai.agents.expert.convention import (
    ALIKE,
    LEAST_FACTOR,
    SPOKEN_OF,
    Code,
    Convention,
    Made,
    Said,
    alike_asks,
    draw,
    fill_likelihoods,
    fill_shares,
    mean_likelihood,
    mixed,
    safe_half_suit,
)
from literature_ai.bots.registry import parse_spec
from literature_ai.cards import half_suit_of
from literature_ai.errors import SpecError
from literature_ai.events import Ask, Asked
from literature_ai.game.game import Game
from literature_ai.game.masks import mask_of
from literature_ai.game.turns import play, steps
from literature_ai.rules import RuleSet

STATE = 123_456_789
NO_DEALS = np.empty((0, 6), np.int64)


def shares_of(before: Belief, asked: Asked) -> np.ndarray:
    """The chances of the other asks to have been alike, cards × seats."""
    public = np.empty((len(before.possible), 4))
    believe(before, asked.asker % 2, NOBODY, 0, public)
    shares = np.empty_like(public)
    fill_shares(before, public, asked.asker, asked.target, asked.card, ALIKE["open"], shares)
    return shares


def plain_likelihood(shares: np.ndarray, asked: Asked, state: int, held: int) -> float:
    """The chance that the ask has the greatest hash of all that are alike, by adding up over all
    sets of asks for the half-suit that may have been."""
    told = half_suit_of(asked.card)
    own = draw(state, asked.target, asked.card, told, held)
    others = [
        (card, to)
        for card, to in np.argwhere(shares > 0.0).tolist()
        if half_suit_of(card) == told and not held >> card % SIX & 1
    ]
    total = 0.0
    for alike in product((False, True), repeat=len(others)):
        chance, greatest = 1.0, True
        for is_alike, (card, to) in zip(alike, others, strict=True):
            chance *= shares[card, to] if is_alike else 1.0 - shares[card, to]
            greatest &= not is_alike or draw(state, to, card, told, held) < own
        total += chance * greatest
    # An ask for another half-suit has a hash that is uniform to the hearer.
    u = own / 2**32
    for card, to in np.argwhere(shares > 0.0).tolist():
        if half_suit_of(card) != told:
            total *= (1.0 - shares[card, to]) + shares[card, to] * u
    return max(total, LEAST_FACTOR)


HANDS = ("2S 3S 2H", "4S 3H 4H", "5S 6S 5H", "7S 6H 7H")
"""Of A1, B1, A2 and B2, in the game of `small_game`."""
LEFT = [*range(6), *range(12, 18)]
"""The cards of its half-suits: low spades and low hearts."""


def small_game() -> Game:
    """Four players with two half-suits left, and A1 on turn."""
    return endgame("", "A1", HANDS, (3, 3))


def hearer(game: Game, seat: int) -> Expert:
    """An `expert` in the seat who knows the key of team A."""
    agent = agent_at(f"expert:{'reads' if seat % 2 else 'convention'}=K", game, seat)
    assert isinstance(agent, Expert)
    return agent


@pytest.mark.parametrize("asked", [Asked(0, 1, 2, hit=True), Asked(0, 3, 4, hit=False)])
def test_the_likelihood_is_that_of_the_greatest_hash(asked: Asked) -> None:
    """For each hand the likelihood is the sum over all sets of asks that may have been alike."""
    shares = shares_of(hearer(small_game(), 2).belief, asked)
    assert np.count_nonzero(shares) > 8
    found = np.empty(64)
    fill_likelihoods(asked.target, asked.card, 0, False, shares, 63, 0, STATE, found)
    hands = [held for held in range(1, 64) if not held >> asked.card & 1]
    for held in hands:
        assert found[held] == pytest.approx(plain_likelihood(shares, asked, STATE, held))
    assert found[hands].max() > 2 * found[hands].min()


@pytest.mark.parametrize("seat", [2, 1, 3])
def test_the_posterior_is_exact(seat: int) -> None:
    """A teammate, and an opponent who knows the key, believe what Bayes says over all deals that
    they think possible, one by one."""
    game = small_game()
    agent = hearer(game, seat)
    code = agent.observer.codes[0]
    assert code is not None
    before, state = copy_belief(agent.belief), code._state
    chances, hand = np.full((48, 4), 0.2), mask_of(game.hand(0))
    asked = game.apply(code.choose(before, 0, hand, Ask(1, 2), chances, NO_DEALS))
    assert isinstance(asked, Asked)
    shares, first = shares_of(before, asked), half_suit_of(asked.card) * SIX
    agent.observe(asked)
    beliefs = agent.knowledge.posterior(agent.opponent_model.weights)
    total, by_card = 0.0, np.zeros_like(beliefs)
    likelihoods: dict[int, float] = {}
    for deal in all_deals(agent.knowledge.problem):
        held = sum((deal[first + i] == 0) << i for i in range(SIX))
        if held not in likelihoods:
            likelihoods[held] = plain_likelihood(shares, asked, state, held)
        total += likelihoods[held]
        for card in LEFT:
            now = 0 if asked.hit and card == asked.card else deal[card]
            by_card[card, now] += likelihoods[held]
    assert beliefs[LEFT] == pytest.approx(by_card[LEFT] / total)
    assert np.abs(beliefs - agent.knowledge.posterior()).max() > 0.05


def test_what_is_said_is_understood() -> None:
    """If it is known which asks are alike, just the hands that choose the ask keep their weight."""
    alike = [(1, 3), (3, 3), (1, 4), (3, 4), (1, 5), (3, 5)]
    chosen = {held: max(alike, key=lambda ask: draw(STATE, *ask, 0, held)) for held in range(1, 8)}
    assert len(set(chosen.values())) > 2
    for target, card in set(chosen.values()):
        shares = np.zeros((48, 4))
        for to, other in alike:
            shares[other, to] = (to, other) != (target, card)
        found = np.empty(64)
        fill_likelihoods(target, card, 0, False, shares, 63, 0, STATE, found)
        for held, ask in chosen.items():
            assert found[held] == (1.0 if ask == (target, card) else LEAST_FACTOR)


def test_the_mean_likelihood_is_that_over_keys() -> None:
    """Over many keys the likelihood of one hand has the mean that a hearer divides by."""
    shares = shares_of(hearer(small_game(), 2).belief, Asked(0, 1, 2, hit=True))
    shares[1] = 0.0
    shares /= 3  # so that `LEAST_FACTOR` is out of reach
    found, total = np.empty(64), 0.0
    for number in range(1000):
        fill_likelihoods(1, 2, 0, True, shares, 63, 0, mixed(number, 7), found)
        total += found[0b000010]
    assert total / 1000 == pytest.approx(mean_likelihood(shares), rel=0.1)


def test_the_key_and_the_past_make_the_code() -> None:
    """The same key and the same events choose the same asks; another key chooses others."""
    game = Game.deal(RuleSet(), seed=5, start=0)
    before = hearer(game, 0).belief
    hand, best = mask_of(game.hand(0)), next(iter(game.legal_asks()))
    chances = np.full((48, 6), 0.2)
    events = [Asked(0, 1, card, hit=False) for card in range(12)]

    def chosen(convention: Convention) -> list[Ask]:
        code, asks = Code(convention), []
        for event in events:
            asks.append(code.choose(before, 0, hand, best, chances, NO_DEALS))
            code.observe(event)
        return asks

    asks = chosen(Convention("one"))
    assert asks == chosen(Convention("one"))
    assert asks != chosen(Convention("two"))
    assert len(set(asks)) > 6
    assert set(asks) <= set(alike_asks(before, 0, hand, best, chances, ALIKE["open"].near))


def test_only_what_is_about_as_good_is_alike() -> None:
    """Asks far worse, and asks that everyone knows to miss, are not alike; sure ones only to sure
    ones."""
    game = Game.deal(RuleSet(), seed=5, start=0)
    before, hand = hearer(game, 0).belief, mask_of(game.hand(0))
    asks = list(game.legal_asks())
    chances = np.full((48, 6), 0.2)
    near, far, sure, dead = asks[1], asks[2], asks[3], asks[4]
    chances[near.card, near.target], chances[far.card, far.target] = 0.11, 0.09
    before.possible[dead.card] &= ~(1 << dead.target)
    alike = set(alike_asks(before, 0, hand, asks[0], chances, 0.1))
    assert alike == set(asks) - {far, dead}
    chances[sure.card, sure.target] = 1.0
    assert {sure} == set(alike_asks(before, 0, hand, sure, chances, 0.1))
    assert {dead} == set(alike_asks(before, 0, hand, dead, chances, 0.1))


def test_safe_asks_speak_of_what_the_team_holds() -> None:
    """In the mode ``safe`` an asker speaks of a half-suit that the opponents hold none of in most
    of their deals, and of nothing when there is none."""
    game = small_game()
    before, hand = hearer(game, 0).belief, mask_of(game.hand(0))
    inside, outside = (0b000011, 63 << 12, 0b111100, 0), (0b000011, 63 << 12, 0b011100, 0b100000)
    for often, told in ((9, 0), (5, -1)):
        deals = np.array([inside] * often + [outside] * (10 - often))
        assert told == safe_half_suit(before, 0, hand, deals)


def test_safe_asks_tell_nothing_to_who_holds_a_card() -> None:
    """In the mode ``safe`` who holds a card of a half-suit knows that nothing was said of it; who
    is sure that the speaker's team holds it thinks that something may have been."""
    game = small_game()
    made = Made(Asked(0, 1, 12, hit=False), hearer(game, 2).belief, 63 << 12 | 63, 0)
    said = Said(made, "safe", STATE)
    inside, outside = np.zeros((20, 48), np.int8), np.zeros((20, 48), np.int8)
    inside[:, 12:18] = outside[:, 3:18] = 1
    assert [(0, SPOKEN_OF)] == list(said.half_suits(inside))
    assert [] == list(said.half_suits(outside))
    factors = said.factors(0, SPOKEN_OF)
    assert factors.min() >= 1.0 - SPOKEN_OF
    assert factors.max() > 1.2


def test_without_a_key_nothing_is_said_or_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game without keys makes no code, neither for `expert` nor for `champion`."""

    def refuse(_: Convention) -> None:
        raise AssertionError("there is no convention")

    monkeypatch.setattr("literature_ai.agents.expert.convention.Code", refuse)
    game = Game.deal(RuleSet(max_events=12), seed=2)
    specs = ("expert", "champion:budget=6,lookahead=1")
    play(game, [parse_spec(specs[s % 2]).make() for s in range(6)], np.random.default_rng(1))
    assert len(game.events) == 12


def test_teammates_believe_more_of_the_truth() -> None:
    """In games of a team with a convention, who knows the key gives the true holders of cards a
    greater probability than who does not, and with another key a smaller one."""
    totals = dict.fromkeys(("K", "none", "other"), 0.0)
    for seed in range(2):
        game = Game.deal(RuleSet(max_events=40), seed=seed)
        hearers = [agent_at(f"expert:convention={key}", game, 2) for key in totals]
        agents = [parse_spec("expert:convention=K").make() for _ in range(6)]
        for event in steps(game, agents, np.random.default_rng(seed)):
            for each in hearers:
                each.observe(event)
        for seat in range(6):
            for card in game.hand(seat):
                for key, each in zip(totals, hearers, strict=True):
                    assert isinstance(each, Expert)
                    totals[key] += np.log(each.beliefs[card, seat])
    assert totals["K"] > totals["none"] > totals["other"]


def test_a_mode_that_there_is_not_is_refused() -> None:
    """The parameters are checked."""
    for name in ("expert", "champion"):
        with pytest.raises(SpecError, match="convention_mode cannot be 'loud': open or safe"):
            parse_spec(f"{name}:convention=K,convention_mode=loud")
