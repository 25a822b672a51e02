"""The parts of `expert` and `champion`: beliefs, values, opponent model, search."""

from __future__ import annotations

import json
from dataclasses import replace

import helpers as h
import numpy as np
import pytest
from experts import believed, play_on
from seated import agent_at, seat_all, taken, whole

from literature_ai.agents.expert.action_value import (
    DEAD_PENALTY,
    GUESS_ABOVE,
    POINTLESS_PENALTY,
    new_buffers,
)
from literature_ai.agents.expert.agent import MOST_WAITS, Expert, _is_pointed
from literature_ai.agents.expert.ask_model import FEATURES, describe_asks, worth_of
from literature_ai.agents.expert.belief import (
    ASK_FACTORS,
    NOBODY,
    believe,
    new_belief,
    observe_ask,
)
from literature_ai.agents.expert.choice_model import ANY, EVERY_STYLE, STYLES, ask_likelihoods
from literature_ai.agents.expert.opponent_model import PRIOR_COUNTS, project
from literature_ai.agents.expert.rollout import NOTHING, sure_move
from literature_ai.agents.expert.search import Settings, candidates_of, correct
from literature_ai.agents.expert.state_value import state_value
from literature_ai.agents.expert.weights import PATH, stored_weights, weights_of
from literature_ai.events import Ask, Asked, Claim
from literature_ai.game.game import Game
from literature_ai.game.masks import mask_of
from literature_ai.game.state import ENDED_BY, HAND_SIZES, TURN
from literature_ai.rules import RuleSet


def test_expert_passes_to_whom_it_helps() -> None:
    """The turn goes to the teammate who can take a card for sure."""
    game = whole()
    game.apply(h.claim("HS", "A1"))
    assert h.give("A2") == agent_at("expert", game, 0).act(game.view(0))


def test_expert_finds_a_start_that_fits_the_claims() -> None:
    """Seated after claims off turn that moved the turn, expert knows who is on turn."""
    rules = RuleSet.parse("claim-any-time wrong-loses-turn claim-takes-turn", 8)
    for claimant, half_suit, holder in (("B2", "HH", "B1"), ("B2", "HS", "B1"), ("A3", "LS", "A1")):
        game = h.game_of(rules, "A1", "LS", "HS", "LH", "HH", "LD", "HD", "LC", "HC")
        game.apply(h.claim(half_suit, holder), h.seat(claimant))
        expert = Expert()
        expert.start(game.view(0), np.random.default_rng(0))
        assert game._state == expert.belief.state.tolist()


def test_an_ask_is_evidence_of_a_long_holding() -> None:
    """After an ask of a player who asks as `greedy` does, they are believed to hold more of the
    half-suit than its legality says."""
    game = taken()
    expert = agent_at("expert", game, 2)
    assert isinstance(expert, Expert)
    expert.opponent_model.shares[:] = np.eye(EVERY_STYLE)[STYLES.index("greedy")]
    low_hearts = list(h.cards("LH"))
    weighed = expert.beliefs[low_hearts, 1].sum()
    assert weighed > expert.knowledge.posterior()[low_hearts, 1].sum() + 0.05


@pytest.mark.parametrize("number", h.NUMBERS_SOME_SLOW)
def test_expert_knows_the_state(number: int) -> None:
    """After every event, under every rule, what expert believes is the true state of the game, and
    each card is where it may be."""
    rules = replace(h.EVERY_RULE[number], max_events=60)
    game = Game.deal(rules, seed=number)
    expert = agent_at("expert", game, 0)
    assert isinstance(expert, Expert)
    rng = np.random.default_rng(number)
    while not game.over:
        expert.observe(h.random_step(game, rng, claim=0.3))
        assert game._state == expert.belief.state.tolist()
        for seat in range(rules.players):
            assert all(expert.belief.possible[card] >> seat & 1 for card in game.hand(seat))


@pytest.mark.parametrize("number", h.NUMBERS_SOME_SLOW)
def test_expert_learns_the_state_from_a_view(number: int) -> None:
    """Seated in the middle of a game, under every rule, expert knows its state."""
    rng = np.random.default_rng(number)
    for until in (0, 1, 2, 7, 20):
        game = h.random_game(h.EVERY_RULE[number], rng, until, claim=0.2)
        expert = Expert()
        expert.start(game.view(1), rng)
        assert game._state == expert.belief.state.tolist()


def test_weights_never_rule_out_what_is_possible() -> None:
    """After any number of asks, every subset keeps a positive weight."""
    game = Game.deal(RuleSet(), seed=3, start=0)
    expert = agent_at("expert", game, 1)
    assert isinstance(expert, Expert)
    opponent_model, deals = (
        expert.opponent_model,
        expert.knowledge.sample(np.random.default_rng(0), 40),
    )
    card = next(card for card in range(48) if card not in game.hand(1) and card // 6 == 0)
    for _ in range(60):
        opponent_model.observe(Asked(0, 1, card, hit=False), expert.belief)
    opponent_model.read(deals)
    assert opponent_model.weights.min() > 0.0
    assert 1.0 == opponent_model.weights[:, 0].max()


def test_an_ask_is_read_once() -> None:
    """Reading the queued asks weights the deals, and empties the queue."""
    expert = agent_at("expert", taken(), 2)
    assert isinstance(expert, Expert)
    deals = expert.knowledge.sample(np.random.default_rng(0), 40)
    first, second = expert.opponent_model.read(deals), expert.opponent_model.read(deals)
    assert first.min() < 0.9 * first.max()
    assert (second == 1.0).all()


def test_after_a_hit_no_deal_is_sampled() -> None:
    """Who has just got a card keeps the sampled deals where it was there, and draws none."""
    game = Game.deal(RuleSet(), seed=3, start=0)
    champion = agent_at("champion", game, 0)
    assert isinstance(champion, Expert)
    asked = champion.act(game.view(0))
    assert isinstance(asked, Ask)
    champion.observe(Asked(0, asked.target, asked.card, hit=True))
    before = champion.rng.bit_generator.state
    assert 1.0 == champion.beliefs[asked.card, 0]
    assert before == champion.rng.bit_generator.state
    half_suit = range(asked.card // 6 * 6, asked.card // 6 * 6 + 6)
    other = next(card for card in half_suit if card not in {asked.card, *game.hand(0)})
    champion.observe(Asked(0, asked.target, other, hit=False))
    assert champion.beliefs.any()
    assert before != champion.rng.bit_generator.state


def test_belief_is_sound_and_close() -> None:
    """What the belief calls located is certain by exact counting; the rest is near, on average."""
    rng = np.random.default_rng(11)
    errors = []
    for seed in range(12):
        game = h.random_game(RuleSet(), rng, until=10 + 5 * seed)
        if game.over:
            continue
        for seat in range(6):
            expert = agent_at("expert", game, seat)
            assert isinstance(expert, Expert)
            expert.belief.odds[:] = 1.0
            rough = np.empty((48, 6))
            believe(expert.belief, 0, seat, mask_of(game.hand(seat)), rough)
            exact = expert.knowledge.posterior()
            assert (exact[rough == 1.0] == 1.0).all()
            errors.append(np.abs(rough - exact)[exact.any(axis=1)].mean())
    assert np.mean(errors) < 0.03


def test_under_bluff_asks_the_asker_may_hold_the_card() -> None:
    """Under ``bluff-asks`` an ask does not show that the asker lacks the card."""
    for bluffs in (False, True):
        belief = new_belief(RuleSet(bluff_asks=bluffs), 0)
        observe_ask(belief, 0, 1, 3, False, np.ones((2, *ASK_FACTORS)))
        public = np.empty((48, 6))
        believe(belief, 0, NOBODY, 0, public)
        assert bluffs == (public[3, 0] > 0.0)


def test_opponent_model_tells_hands_by_what_they_would_ask() -> None:
    """Hands that would rather have asked something else lose weight; those that would not, gain."""
    game = taken()
    expert = agent_at("expert", game, 1)
    assert isinstance(expert, Expert)
    long, short = h.cards("9S TS JS QS KS 2H 3H 4H"), h.cards("9S 2S 3S 2H 3H 4H 5H 6H")
    choice_model = stored_weights().choice_model
    dealt = np.array([mask_of(long), mask_of(short)], np.int64)
    found = np.empty((EVERY_STYLE, 2))
    ask_likelihoods(expert.belief, 0, dealt, 3, h.cards("AS")[0], choice_model, found)
    assert (found[:ANY, 0] > found[:ANY, 1]).all()
    weights = np.ones((8, 64))
    project(dealt, found[0], 1, PRIOR_COUNTS, weights)
    assert weights[1, 0b011111] > weights[1, 0b000001]


def test_state_value_changes_its_sign_with_the_team() -> None:
    """The state values of the two teams are opposite numbers."""
    belief, hands = believed(h.random_game(RuleSet(), np.random.default_rng(3), until=30))
    weights = stored_weights().state_value
    ours, theirs = (state_value(belief, hands, team, weights) for team in (0, 1))
    assert ours == pytest.approx(-theirs)
    assert 0.0 < abs(ours) < 1.0


@pytest.mark.parametrize("words", ["", "play-out", "wrong-cancels play-out", "max-events=40"])
def test_state_value_of_a_decided_game_is_its_result(words: str) -> None:
    """A win is 1 and a loss is -1, at the end or once a majority is reached; a draw is 0."""
    rng = np.random.default_rng(1)
    weights = stored_weights().state_value
    decided = 0
    for _ in range(6):
        game = Game.deal(RuleSet.parse(words), rng=rng)
        while not game.over:
            h.random_step(game, rng, claim=0.3)
            if game.over or max(game.score) > 4:
                belief, hands = believed(game)
                result = np.sign(game.score[0] - game.score[1])
                assert (result, -result) == (
                    state_value(belief, hands, 0, weights),
                    state_value(belief, hands, 1, weights),
                )
                decided += 1
    assert decided > 3


def test_rollouts_stop_where_nothing_is_left_to_take() -> None:
    """Before an open ask: who is on turn sees no card to take for sure, and nothing to claim."""
    stopped = 0
    for seed in range(20):
        game = h.random_game(RuleSet(), np.random.default_rng(seed), until=20 + seed)
        belief, hands = believed(game)
        play_on(belief, hands, seed % 3)
        sizes = belief.state[HAND_SIZES : HAND_SIZES + 6].tolist()
        assert [hand.bit_count() for hand in hands.tolist()] == sizes
        if belief.state[ENDED_BY]:
            continue
        seat = int(belief.state[TURN])
        assert NOTHING == sure_move(belief, seat, int(hands[seat]), new_buffers(48)).kind
        stopped += 1
    assert stopped > 10


def test_the_stored_weights_are_those_of_the_file() -> None:
    """Each stored weight is loaded into the field of its name."""
    parts = json.loads(PATH.read_text(encoding="utf-8"))
    weights = weights_of(parts)
    assert parts["action_value"] == weights.action_value._asdict()
    assert parts["state_value"] == weights.state_value._asdict()
    assert parts["ask_factors"] == weights.ask_factors.ravel().tolist()
    assert parts["choice_model"]["bias"] == weights.choice_model.bias.tolist()
    assert parts["ask_model"]["outward"] == weights.ask_model.outward.tolist()
    assert (FEATURES, len(weights.ask_model.bias)) == weights.ask_model.hidden.shape


@pytest.mark.parametrize("players", [6, 8])
def test_the_ask_model_sees_what_is_before_the_asker(players: int) -> None:
    """Each ask is described by its chance of a hit and the target's cards, and asks for cards of
    which everyone knows the same are worth the same."""
    alike = 0
    for seed in range(6):
        game = h.random_game(RuleSet(players=players), np.random.default_rng(seed), 10 + 5 * seed)
        belief, hands = believed(game)
        seat = game.turn
        own, public = np.empty((2, 48, players))
        believe(belief, seat & 1, seat, int(hands[seat]), own)
        believe(belief, seat & 1, NOBODY, 0, public)
        asks = np.array([[ask.target, ask.card] for ask in game.legal_asks()])
        features, values = np.empty((len(asks), FEATURES)), np.zeros(len(asks))
        describe_asks(belief, seat, int(hands[seat]), own, public, asks, values, features)
        assert np.isfinite(features).all()
        assert features[:, 0].tolist() == own[asks[:, 1], asks[:, 0]].tolist()
        assert [game.hand_sizes[target] / 8 for target in asks[:, 0]] == features[:, 10].tolist()
        worth = worth_of(stored_weights().ask_model, values, features)
        found: dict[tuple[int, int, int], float] = {}
        for (target, card), value in zip(asks.tolist(), worth.tolist(), strict=True):
            known = found.setdefault((card // 6, int(belief.possible[card]), target), value)
            assert known == pytest.approx(value)
            alike += known is not value
    assert alike > 20


def test_asks_that_must_miss_are_compared_too() -> None:
    """After the asks that may hit come the best to each seat of those that must miss, first those
    that tell something; those that tell nothing only when waiting is allowed."""
    values, beliefs = np.full((48, 6), -np.inf), np.zeros((48, 6))
    for card, target, value, chance in (
        (0, 1, 0.5, 0.2),
        (1, 3, 0.7, 0.4),
        (2, 1, 0.1 - DEAD_PENALTY, 0.0),
        (3, 1, 0.3 - DEAD_PENALTY, 0.0),
        (4, 5, 0.9 - POINTLESS_PENALTY, 0.0),
    ):
        values[card, target], beliefs[card, target] = value, chance
    for waiting in (False, True):
        found = candidates_of(values, beliefs, 8, True, waiting)
        expected = [[3, 1], [1, 0], [1, 3]] + [[5, 4]] * waiting
        assert expected == found.asks.tolist()
        assert found.values.tolist() == pytest.approx([0.7, 0.5, 0.3, 0.9][: len(expected)])
    assert [[3, 1], [1, 3]] == candidates_of(values, beliefs, 1, True, False).asks.tolist()
    assert [[3, 1], [1, 0]] == candidates_of(values, beliefs, 8, False, False).asks.tolist()


def test_nobody_waits_twice_running() -> None:
    """In games of `expert`, an ask that tells nobody anything follows another one only where every
    ask is such a one; and there are such asks, or the test says nothing."""
    waits = 0
    for seed in range(2):
        game = Game.deal(RuleSet(), seed=seed)
        agents = seat_all(("expert",), game, seed)
        while game.turn is not None and len(game.events) < 150:
            watcher = agents[0]
            assert isinstance(watcher, Expert)
            before, seat = watcher.observer.waits, game.turn
            view = game.view(seat)
            game.apply(agents[seat].act(view))
            for agent in agents:
                agent.observe(game.events[-1])
            if watcher.observer.waits:
                waits += 1
                player = agents[seat]
                assert isinstance(player, Expert)
                assert not before or not _is_pointed(player._action_values(view))
    assert waits > 3


def test_who_is_stuck_for_long_claims_the_likeliest() -> None:
    """Where no ask tells anything an unlikely claim waits, but not for ever."""
    game = h.random_game(RuleSet(), np.random.default_rng(1), until=10)
    assert game.turn is not None
    view, expert = game.view(game.turn), agent_at("expert", game, game.turn)
    assert isinstance(expert, Expert)
    values = expert._action_values(view)
    assert expert.knowledge.claims()[0].probability < GUESS_ABOVE
    for waits, kind in ((0, Ask), (MOST_WAITS - 1, Ask), (MOST_WAITS, Claim)):
        expert.observer.waits = waits
        assert isinstance(expert._last_resort(view, values), kind)


def test_little_evidence_leaves_the_prior_and_much_overrules_it() -> None:
    """Many rollouts outweigh the prior; few leave it as it was."""
    rng = np.random.default_rng(0)
    prior, chances = np.array([0.0, -0.05]), np.array([0.5, 0.5])
    leads = []
    for deals in (2, 20_000):
        hits = np.repeat([[True, True], [False, False]], deals // 2, axis=0)
        values = np.stack([np.zeros(deals), rng.normal(0.3, 1.0, deals)], axis=1)
        leads.append(correct(prior, values, hits, chances, Settings((1,), 0.03, 0.02)).mean[1])
    assert leads[0] == pytest.approx(-0.05)
    assert 0.15 < leads[1] < 0.3
