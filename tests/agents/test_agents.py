"""The agents of the package: what each does, and what all of them keep to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import helpers as h
import numpy as np
import pytest

from literature_ai.agents.base import Agent
from literature_ai.agents.expert.action_value import TERMS, certain_claim, sure_ask
from literature_ai.agents.expert.agent import Expert, fitted
from literature_ai.agents.expert.belief import (
    IN_PLAY,
    NOBODY,
    READINGS,
    SCORE,
    TURN,
    believe,
    locate,
    new_belief,
    observe_ask,
)
from literature_ai.agents.expert.choice_model import ask_likelihoods, choice_model_of
from literature_ai.agents.expert.opponent_model import DOUBTS, project
from literature_ai.agents.expert.rollout import rollout
from literature_ai.agents.expert.search import combine
from literature_ai.agents.expert.state_value import FEATURES, state_value
from literature_ai.agents.novice import Novice
from literature_ai.agents.oracle import Oracle
from literature_ai.bots.registry import parse_spec
from literature_ai.errors import LiteratureError
from literature_ai.events import Ask, Asked, Event
from literature_ai.game.game import Game, mask_of
from literature_ai.game.turns import decisions, play
from literature_ai.rules import RuleSet

SPECS = (
    "random",
    "novice",
    "certain",
    "greedy",
    "expert",
    "champion:budget=12,lookahead=4",
)


def seat_all(specs: Sequence[str], game: Game, seed: int) -> list[Agent]:
    """The agents of a game, started, one a seat, from as many specs as there are."""
    agents = [parse_spec(specs[s % len(specs)]).make() for s in range(game.rules.players)]
    for s, agent in enumerate(agents):
        if isinstance(agent, Oracle):
            agent.see_deal(game.dealt)
        agent.start(game.view(s), np.random.default_rng((seed, s)))
    return agents


def steps(game: Game, agents: Sequence[Agent]) -> Iterator[Event]:
    """Play the game, yielding after each event."""
    deciding = decisions(game)
    decision = next(deciding, None)
    while decision is not None:
        seen = len(game.events)
        agent, view = agents[decision.seat], game.view(decision.seat)
        try:
            decision = deciding.send(agent.claim(view) if decision.off_turn else agent.act(view))
        except StopIteration:
            decision = None
        for event in game.events[seen:]:
            for each in agents:
                each.observe(event)
            yield event


def played(specs: Sequence[str], rules: RuleSet, seed: int) -> tuple[Event, ...]:
    """The events of a game between such agents."""
    game = Game.deal(rules, seed=seed)
    for _ in steps(game, seat_all(specs, game, seed)):
        pass
    return game.events


@pytest.mark.parametrize("number", range(len(h.EVERY_RULE)))
def test_no_agent_breaks_any_rule(number: int) -> None:
    """Games with all agents at one table, under every switch, meet no illegal action."""
    rules = replace(h.EVERY_RULE[number], max_events=30)
    specs = [SPECS[(number + i) % len(SPECS)] for i in range(len(SPECS))]
    assert played(specs, rules, number)


@pytest.mark.parametrize("spec", SPECS)
def test_same_seed_same_play(spec: str) -> None:
    """An agent that plays the same game twice does the same twice."""
    rules = RuleSet(max_events=30)
    assert played([spec], rules, 3) == played([spec], rules, 3)


@pytest.mark.parametrize("number", range(len(h.EVERY_RULE)))
def test_agents_take_over_games_in_progress(number: int) -> None:
    """Seated in the middle of a game, under every rule, each agent plays on from what it sees."""
    rules = replace(h.EVERY_RULE[number], max_events=60)
    rng = np.random.default_rng(number)
    game = h.random_game(rules, rng, until=40, claim=0.05)
    while game.over:
        game = h.random_game(rules, rng, until=20, claim=0.05)
    agents = [
        parse_spec(SPECS[(number + s) % len(SPECS)]).make() for s in range(game.rules.players)
    ]
    outcome = play(game, agents, rng)
    assert game.over
    assert outcome == game.outcome


@pytest.mark.parametrize("spec", SPECS)
def test_games_share_no_state(spec: str) -> None:
    """Two games played in turns, event by event, go as each goes alone."""
    rules = RuleSet(max_events=20)
    games = [Game.deal(rules, seed=seed) for seed in (1, 2)]
    running = [steps(game, seat_all([spec], game, s)) for s, game in enumerate(games, start=1)]
    for _ in zip(*running, strict=False):
        pass
    for each in running:
        list(each)
    assert [played([spec], rules, seed) for seed in (1, 2)] == [game.events for game in games]


@pytest.mark.parametrize("spec", ["certain", "greedy", "expert"])
def test_games_come_to_an_end(spec: str) -> None:
    """Players who know what they are doing do not ask in circles."""
    for seed in range(3):
        game = Game.deal(RuleSet(), seed=seed)
        for _ in steps(game, seat_all([spec], game, seed)):
            pass
        outcome = game.outcome
        assert outcome is not None
        assert not outcome.unfinished


def taken() -> Game:
    """B1 has just taken 2H from A1 in the open and lost the turn to A1, who may fetch it back."""
    game = h.game_of(
        RuleSet(),
        "B1",
        "9S TS JS QS KS 2H 3H 4H",
        "AS LS 5H",
        "6H 7H HH",
        "LD 9D TD",
        "JD QD KD AD 2C 3C 4C 5C",
        "6C 7C HC",
    )
    game.apply(h.ask("A1", "2H"))
    game.apply(h.ask("A1", "6H"))
    return game


def whole(words: str = "") -> Game:
    """Eight players, by rules in words. A1 holds just the high spades and is on turn; everyone
    knows that B1 has 3S, and of A1's teammates only A2 has shown low spades."""
    game = h.game_of(
        RuleSet.parse(words, 8),
        "B1",
        "HS",
        "2S 2H 2D 2C 9H 9D",
        "3S 4S 5S 6S 7S 3H",
        "4H 5H 6H 7H 3D 3C",
        "4D 5D 6D 7D TD JD",
        "QD KD AD 4C 5C 6C",
        "7C TH JH QH KH AH",
        "HC",
    )
    for target, card in (("A2", "3S"), ("A2", "TH"), ("B2", "2S"), ("A1", "2H")):
        game.apply(h.ask(target, card))
    assert game.turn == h.seat("A1")
    return game


def agent_at(spec: str, game: Game, seat: int) -> Agent:
    """An agent at that seat who has seen the game so far."""
    agent = parse_spec(spec).make()
    at_first = Game(game.rules, game.dealt, game.start)
    agent.start(at_first.view(seat), np.random.default_rng(0))
    for event in game.events:
        agent.observe(event)
    return agent


@pytest.mark.parametrize("spec", SPECS[1:])
def test_it_takes_what_it_can_prove(spec: str) -> None:
    """A card that went to an opponent in the open is fetched back."""
    game = taken()
    assert h.ask("B1", "2H") == agent_at(spec, game, 0).act(game.view(0))


@pytest.mark.parametrize("spec", SPECS)
def test_it_claims_what_it_holds(spec: str) -> None:
    """Who holds a whole half-suit claims it."""
    game = whole()
    assert h.claim("HS", "A1") == agent_at(spec, game, 0).act(game.view(0))


@pytest.mark.parametrize("words", ["", "claim-any-time cardless-claims"])
@pytest.mark.parametrize("spec", SPECS)
def test_it_passes_when_its_hand_is_empty(spec: str, words: str) -> None:
    """Who has claimed his last card gives the turn to a teammate, even where he may still claim."""
    game = whole(words)
    game.apply(h.claim("HS", "A1"))
    assert agent_at(spec, game, 0).act(game.view(0)) in {h.give(to) for to in ("A2", "A3", "A4")}


def test_expert_passes_to_whom_it_helps() -> None:
    """The turn goes to the teammate who can take a card for sure."""
    game = whole()
    game.apply(h.claim("HS", "A1"))
    assert h.give("A2") == agent_at("expert", game, 0).act(game.view(0))


def test_novice_forgets() -> None:
    """What happened longer ago than its memory reaches, a novice does not know."""
    game = taken()
    action = Novice(memory=1)
    action.start(game.view(0), np.random.default_rng(0))
    asked = action.act(game.view(0))
    assert isinstance(asked, Ask)
    assert h.cards("AS") == (asked.card,)


def test_oracle_wins_by_seeing() -> None:
    """The oracle takes every card it may, and beats greedy players on both sides of a deal."""
    for specs in (["oracle", "greedy"], ["greedy", "oracle"]):
        game = Game.deal(RuleSet(), seed=5)
        agents: list[Agent] = [
            Oracle() if specs[s % 2] == "oracle" else parse_spec("greedy").make() for s in range(6)
        ]
        for s, agent in enumerate(agents):
            if isinstance(agent, Oracle):
                agent.see_deal(game.dealt)
            agent.start(game.view(s), np.random.default_rng(s))
        for _ in steps(game, agents):
            pass
        outcome = game.outcome
        assert outcome is not None
        assert specs.index("oracle") == outcome.winner


def test_oracle_needs_to_be_shown_the_deal() -> None:
    """An oracle that was seated like any other agent refuses to play."""
    game = Game.deal(RuleSet(), seed=5)
    with pytest.raises(LiteratureError, match="was not shown"):
        Oracle().start(game.view(0), np.random.default_rng(0))


def test_an_ask_is_evidence_of_a_long_holding() -> None:
    """After an ask the asker is believed to hold more of the half-suit than its legality says."""
    game = taken()
    expert = agent_at("expert", game, 2)
    assert isinstance(expert, Expert)
    low_hearts = list(h.cards("LH"))
    weighed = expert.beliefs[low_hearts, 1].sum()
    assert weighed > expert.knowledge.posterior()[low_hearts, 1].sum() + 0.05


@pytest.mark.parametrize("number", range(len(h.EVERY_RULE)))
def test_expert_knows_the_score(number: int) -> None:
    """After right and wrong claims, under every rule, expert believes the true score."""
    rules = replace(h.EVERY_RULE[number], max_events=60)
    game = Game.deal(rules, seed=number)
    expert = agent_at("expert", game, 0)
    assert isinstance(expert, Expert)
    rng = np.random.default_rng(number)
    while not game.over:
        expert.observe(h.random_step(game, rng, claim=0.5))
        assert game.score == tuple(expert.belief.table[SCORE : SCORE + 2].tolist())


def test_weights_never_rule_out_what_is_possible() -> None:
    """However often a player asks, every subset keeps a weight above zero."""
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
    """Reading makes some deals likelier than others; nothing is left to read after that."""
    expert = agent_at("expert", taken(), 2)
    assert isinstance(expert, Expert)
    deals = expert.knowledge.sample(np.random.default_rng(0), 40)
    first, second = expert.opponent_model.read(deals), expert.opponent_model.read(deals)
    assert first.min() < 0.9 * first.max()
    assert (second == 1.0).all()


def test_after_a_hit_nothing_is_drawn_anew() -> None:
    """Who has just got a card thinks on with the deals where it was there, and draws none."""
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


def test_sketch_is_sound_and_close() -> None:
    """What the belief takes for sure is certain by exact counting; the rest is near, on average."""
    rng = np.random.default_rng(11)
    errors = []
    for seed in range(12):
        game = h.random_game(RuleSet(), rng, until=10 + 5 * seed)
        if game.over:
            continue
        for seat in range(6):
            expert = agent_at("expert", game, seat)
            assert isinstance(expert, Expert)
            expert.belief.tilt[:] = 1.0
            rough = np.empty((48, 6))
            believe(expert.belief, 0, seat, mask_of(game.hand(seat)), rough)
            exact = expert.knowledge.posterior()
            assert (exact[rough == 1.0] == 1.0).all()
            errors.append(np.abs(rough - exact)[exact.any(axis=1)].mean())
    assert np.mean(errors) < 0.03


def test_under_bluff_asks_the_asker_may_hold_the_card() -> None:
    """Where one may ask for one's own card, an ask does not show that one lacks it."""
    for bluffs in (False, True):
        belief = new_belief(8, (8,) * 6, 0, bluffs)
        observe_ask(belief, 0, 1, 3, False, np.ones((2, READINGS)))
        public = np.empty((48, 6))
        believe(belief, 0, NOBODY, 0, public)
        assert bluffs == (public[3, 0] > 0.0)


def test_insight_tells_hands_by_what_they_would_ask() -> None:
    """Hands that would rather have asked something else lose weight; those that would not, gain."""
    game = taken()
    expert = agent_at("expert", game, 1)
    assert isinstance(expert, Expert)
    long, short = h.cards("9S TS JS QS KS 2H 3H 4H"), h.cards("9S 2S 3S 2H 3H 4H 5H 6H")
    choice = choice_model_of(fitted()["choice_model"])
    dealt = np.array([mask_of(long), mask_of(short)], np.int64)
    found = np.empty((3, 2))
    ask_likelihoods(expert.belief, 0, dealt, 3, h.cards("AS")[0], choice, found)
    assert (found[:, 0] > found[:, 1]).all()
    weights = np.ones((8, 64))
    project(dealt, found[0], 1, DOUBTS, weights)
    assert weights[1, 0b011111] > weights[1, 0b000001]


def test_outlook_changes_its_sign_with_the_team() -> None:
    """What a position is worth to one team it costs the other."""
    game = h.random_game(RuleSet(), np.random.default_rng(3), until=30)
    expert = agent_at("expert", game, 0)
    assert isinstance(expert, Expert)
    hands = np.array([mask_of(game.hand(seat)) for seat in range(6)], np.int64)
    beta = np.array([fitted()["state_value"][feature] for feature in FEATURES])
    ours, theirs = (state_value(expert.belief, hands, team, beta) for team in (0, 1))
    assert ours == pytest.approx(-theirs)
    assert 0.0 < abs(ours) < 1.0


def test_imagined_games_stop_where_nothing_is_left_to_take() -> None:
    """Before an open ask: who is on turn sees no card to take for sure, and nothing to claim."""
    data = fitted()
    thetas = np.array([[data["action_value"][term] for term in TERMS]] * 2)
    readings = np.array([data["ask_factors"]] * 2)
    stopped = 0
    for seed in range(20):
        game = h.random_game(RuleSet(), np.random.default_rng(seed), until=20 + seed)
        expert = agent_at("expert", game, 0)
        assert isinstance(expert, Expert)
        k = expert.belief
        k.table[TURN] = game.turn
        hands = np.array([mask_of(game.hand(seat)) for seat in range(6)], np.int64)
        rollout(k, hands, thetas, readings, seed % 3, np.ones(1, np.int64))
        assert [hand.bit_count() for hand in hands.tolist()] == k.sizes.tolist()
        if max(k.table[SCORE], k.table[SCORE + 1]) > 4 or not k.table[IN_PLAY]:
            continue
        seat = int(k.table[TURN])
        masks = np.empty(48, np.int64)
        locate(k, seat, int(hands[seat]), masks, np.empty(6))
        assert -1 == certain_claim(k, seat, masks, np.zeros(6, np.int64))
        assert (-1, -1) == sure_ask(k, seat, int(hands[seat]), masks)
        stopped += 1
    assert stopped > 10


def test_little_evidence_leaves_the_prior_and_much_overrules_it() -> None:
    """What was imagined counts most when that was much; when little, what was thought before."""
    rng = np.random.default_rng(0)
    prior, chances = np.array([0.0, -0.05]), np.array([0.5, 0.5])
    leads = []
    for deals in (2, 20_000):
        hits = np.repeat([[True, True], [False, False]], deals // 2, axis=0)
        values = np.stack([np.zeros(deals), rng.normal(0.3, 1.0, deals)], axis=1)
        leads.append(combine(values, hits, chances, prior, 0.03, 0.02)[1])
    assert leads[0] == pytest.approx(-0.05)
    assert 0.15 < leads[1] < 0.3
