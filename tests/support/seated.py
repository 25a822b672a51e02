"""Agents seated in games whose hands the test knows."""

from __future__ import annotations

from collections.abc import Sequence

import helpers as h
import numpy as np

from literature_ai.agents.base import Agent
from literature_ai.agents.oracle import Oracle
from literature_ai.bots.registry import parse_spec
from literature_ai.game.game import Game
from literature_ai.rules import RuleSet

SPECS = (
    "random",
    "novice",
    "certain",
    "greedy",
    "expert",
    "champion:budget=12,lookahead=4",
)
"""Every agent of the package that plays by its view alone."""


def seat_all(specs: Sequence[str], game: Game, seed: int) -> list[Agent]:
    """The agents of a game, started, one a seat, from as many specs as there are."""
    agents = [parse_spec(specs[s % len(specs)]).make() for s in range(game.rules.players)]
    for s, agent in enumerate(agents):
        if isinstance(agent, Oracle):
            agent.see_deal(game.dealt)
        agent.start(game.view(s), np.random.default_rng((seed, s)))
    return agents


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
