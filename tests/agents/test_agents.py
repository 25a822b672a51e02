"""The agents of the package: what each does, and the rules that all of them obey."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import helpers as h
import numpy as np
import pytest
from seated import SPECS, agent_at, seat_all, taken, whole

from literature_ai.agents.base import Agent
from literature_ai.agents.novice import Novice
from literature_ai.agents.oracle import Oracle
from literature_ai.bots.registry import parse_spec
from literature_ai.errors import LiteratureError
from literature_ai.events import Ask, Claimed, Event, Passed
from literature_ai.game.game import Game
from literature_ai.game.turns import play, steps
from literature_ai.rules import RuleSet


def played(specs: Sequence[str], rules: RuleSet, seed: int) -> tuple[Event, ...]:
    """The events of a game between such agents."""
    game = Game.deal(rules, seed=seed)
    for _ in steps(game, seat_all(specs, game, seed), None):
        pass
    return game.events


@pytest.mark.parametrize("number", h.NUMBERS_SOME_SLOW)
def test_no_agent_breaks_any_rule(number: int) -> None:
    """In games between all agents, under every switch, nobody acts illegally."""
    rules = replace(h.EVERY_RULE[number], max_events=30)
    specs = [SPECS[(number + i) % len(SPECS)] for i in range(len(SPECS))]
    assert played(specs, rules, number)


@pytest.mark.parametrize("spec", SPECS)
def test_same_seed_same_play(spec: str) -> None:
    """An agent that plays the same game twice makes the same decisions."""
    rules = RuleSet(max_events=30)
    assert played([spec], rules, 3) == played([spec], rules, 3)


@pytest.mark.parametrize("number", h.NUMBERS_SOME_SLOW)
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
    """Two games played alternately, event by event, are the same as each played alone."""
    rules = RuleSet(max_events=20)
    games = [Game.deal(rules, seed=seed) for seed in (1, 2)]
    running = [
        steps(game, seat_all([spec], game, s), None) for s, game in enumerate(games, start=1)
    ]
    for _ in zip(*running, strict=False):
        pass
    for each in running:
        list(each)
    assert [played([spec], rules, seed) for seed in (1, 2)] == [game.events for game in games]


@pytest.mark.parametrize("spec", ["certain", "greedy", "expert"])
def test_games_come_to_an_end(spec: str) -> None:
    """Agents that use probabilities do not repeat asks endlessly."""
    for seed in range(3):
        game = Game.deal(RuleSet(), seed=seed)
        for _ in steps(game, seat_all([spec], game, seed), None):
            pass
        outcome = game.outcome
        assert outcome is not None
        assert not outcome.unfinished


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
    """An agent that has claimed its last card passes to a teammate, even if it may still claim."""
    game = whole(words)
    game.apply(h.claim("HS", "A1"))
    assert agent_at(spec, game, 0).act(game.view(0)) in {h.give(to) for to in ("A2", "A3", "A4")}


@pytest.mark.parametrize("spec", [*SPECS, "oracle"])
def test_it_names_an_opponent_who_claims_the_rest(spec: str) -> None:
    """Under choose-claimant an agent whose team has no card left names an opponent with cards, and
    the one named claims all that is left, also without cards."""
    rules = RuleSet.parse("choose-claimant play-out", 8)
    game = h.game_of(rules, "A1", "LS", "HS", "LH", "HH", "LD", "HD", "LC", "HC")
    for half_suit, holder, to in (("LS", "A1", "A2"), ("LH", "A2", "A3"), ("LD", "A3", "A4")):
        game.apply(h.claim(half_suit, holder))
        game.apply(h.give(to))
    game.apply(h.claim("LC", "A4"))
    agents = seat_all([spec], Game(rules, game.dealt, game.start), 0)
    for event in game.events:
        for agent in agents:
            agent.observe(event)
    play_on = steps(game, agents, None)
    named = next(play_on)
    assert isinstance(named, Passed)
    assert named.to in (1, 3, 5, 7)
    claims = list(play_on)
    assert [named.to] * 4 == [event.claimant for event in claims if isinstance(event, Claimed)]
    assert game.over


def test_the_opponent_named_is_the_one_who_knows_least() -> None:
    """Of two opponents the one with fewer cards is named; expert counts those that nobody knows."""
    rules = RuleSet.parse("choose-claimant play-out claim-any-time", 4)
    game = h.game_of(rules, "A1", "LS HS", "LH HH", "LD HD", "LC HC")
    for half_suit, holder in (("LS", "A1"), ("HS", "A1"), ("LD", "A2"), ("HD", "A2"), ("LC", "B2")):
        game.apply(h.claim(half_suit, holder), h.seat(holder))
    for spec in ("random", "certain", "greedy", "expert"):
        assert h.give("B2") == agent_at(spec, game, 0).act(game.view(0))


def test_novice_forgets() -> None:
    """A novice ignores events older than its memory."""
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
        for _ in steps(game, agents, None):
            pass
        outcome = game.outcome
        assert outcome is not None
        assert specs.index("oracle") == outcome.winner


def test_oracle_needs_to_be_shown_the_deal() -> None:
    """An oracle that was seated like any other agent refuses to play."""
    game = Game.deal(RuleSet(), seed=5)
    with pytest.raises(LiteratureError, match="was not shown"):
        Oracle().start(game.view(0), np.random.default_rng(0))
