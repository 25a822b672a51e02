"""The choice model: probabilities that sum to one and predict the asks of agents."""

from __future__ import annotations

import helpers as h
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from literature_ai.agents.expert.agent import Expert
from literature_ai.agents.expert.belief import Belief
from literature_ai.agents.expert.choice_model import (
    ANY,
    BLUFF,
    EVERY_STYLE,
    FEATURES,
    PLAIN,
    STYLES,
    ChoiceModel,
    ask_likelihoods,
    group_cards,
)
from literature_ai.agents.expert.weights import stored_weights
from literature_ai.bots.registry import parse_spec
from literature_ai.cards import team_of
from literature_ai.events import Asked
from literature_ai.game.game import Game
from literature_ai.game.masks import mask_of
from literature_ai.game.turns import play
from literature_ai.rules import RuleSet


def stored() -> ChoiceModel:
    """The network that the agents use."""
    return stored_weights().choice_model


def belief_of(game: Game) -> Belief:
    """The public belief of `expert` after the events."""
    expert = Expert()
    expert.start(Game(game.rules, game.dealt, game.start).view(0), np.random.default_rng(0))
    for event in game.events:
        expert.observe(event)
    return expert.belief


def chances(belief: Belief, seat: int, hand: int, target: int, card: int) -> np.ndarray:
    """The chance of the ask with the hand, in each style."""
    found = np.empty((EVERY_STYLE, 1))
    ask_likelihoods(belief, seat, np.array([hand]), target, card, stored(), found)
    return found[:, 0]


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    seed=st.integers(0, 10_000),
    until=st.integers(0, 60),
    players=st.sampled_from([6, 8]),
    bluffs=st.booleans(),
)
def test_the_chances_of_all_asks_add_up_to_one(
    seed: int, until: int, players: int, bluffs: bool
) -> None:
    """Each style divides its chances among the legal asks; groups of cards lose and repeat none.
    Bluffs are asks for own cards, which no other style makes."""
    rules = RuleSet(players=players, bluff_asks=bluffs)
    game = h.random_game(rules, np.random.default_rng(seed), until=until)
    if game.over or not len(game.legal_asks()):
        return
    belief, seat = belief_of(game), game.turn
    hand = mask_of(game.hand(seat))
    total = sum(chances(belief, seat, hand, ask.target, ask.card) for ask in game.legal_asks())
    others = np.delete(np.arange(EVERY_STYLE), BLUFF)
    if any(ask.card not in game.hand(seat) for ask in game.legal_asks()):
        assert total[others] == pytest.approx(np.ones(EVERY_STYLE - 1))
    assert total[BLUFF] == pytest.approx(float(bluffs))


def test_a_hand_that_may_not_ask_has_no_chance() -> None:
    """Nobody asks for a card they hold, or of a half-suit of which they hold none."""
    game = Game.deal(RuleSet(), seed=1, start=0)
    belief, hand = belief_of(game), game.hand(0)
    own = hand[0]
    assert (chances(belief, 0, mask_of(hand), 1, own) == 0.0).all()
    empty = mask_of(card for card in hand if card // 6 != own // 6)
    other = next(c for c in range(own // 6 * 6, own // 6 * 6 + 6) if c not in hand)
    assert (chances(belief, 0, empty, 1, other) == 0.0).all()


@settings(max_examples=25, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000), until=st.integers(0, 60))
def test_groups_hold_each_card_in_play_once(seed: int, until: int) -> None:
    """Cards of a group are of one half-suit, and the same seats may have them."""
    game = h.random_game(RuleSet(), np.random.default_rng(seed), until=until)
    belief = belief_of(game)
    groups = group_cards(belief, 0)
    found = [[c for c in range(48) if cards >> c & 1] for cards in groups.cards.tolist()]
    in_play = [c for c in range(48) if belief.possible[c]]
    assert in_play == sorted(card for cards in found for card in cards)
    for cards, half_suit, possible in zip(found, groups.half_suit, groups.possible, strict=True):
        assert {(c // 6, belief.possible[c]) for c in cards} == {(half_suit, possible)}


def test_the_fitted_styles_predict_their_own_players() -> None:
    """In games nothing was fitted to, each style finds its player's asks far likelier than chance
    and the plain style do, and likelier than other styles do; `expert` and `champion` ask alike."""
    # Who waits asks less predictably.
    teams = {"expert": -2.7, "greedy": -2.5}
    found: dict[str, list[np.ndarray]] = {style: [] for style in teams}
    for seed in range(3):
        game = Game.deal(RuleSet(), seed=seed)
        agents = [parse_spec(list(teams)[seat % 2]).make() for seat in range(6)]
        play(game, agents, np.random.default_rng(seed))
        told = Game.deal(RuleSet(), seed=seed)
        watcher = Expert()
        watcher.start(told.view(0), np.random.default_rng(0))
        hands = [mask_of(told.hand(seat)) for seat in range(6)]
        for event in game.events:
            if isinstance(event, Asked):
                if watcher.belief.possible[event.card] != 1 << event.target:
                    found[list(teams)[team_of(event.asker)]].append(
                        chances(
                            watcher.belief,
                            event.asker,
                            hands[event.asker],
                            event.target,
                            event.card,
                        )
                    )
                if event.hit:
                    hands[event.target] &= ~(1 << event.card)
                    hands[event.asker] |= 1 << event.card
            elif hasattr(event, "half_suit"):
                hands = [hand & ~(63 << 6 * event.half_suit) for hand in hands]
            watcher.observe(event)
    for style, worst in teams.items():
        assert len(found[style]) > 30
        own = STYLES.index(style)
        logs = np.log(np.array(found[style])[:, :BLUFF]).mean(axis=0)
        kin = {STYLES.index("expert"), STYLES.index("champion")}
        others = [t for t in range(BLUFF) if t != own and not {t, own} <= kin]
        assert logs[own] > logs[others].max() + 0.05
        assert logs[own] > logs[[PLAIN, ANY]].max() + 0.7
        assert logs[own] > worst


def test_the_stored_network_has_the_shape_of_the_model() -> None:
    """A row for each feature, a column for each style."""
    choice = stored()
    width = len(choice.bias)
    assert (FEATURES, width) == choice.hidden.shape
    assert (width, len(STYLES)) == choice.outward.shape
    assert (FEATURES, len(STYLES)) == choice.straight.shape
