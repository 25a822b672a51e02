"""The words that Tab offers: every line made of them is a legal move, and every ask can be made."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from helpers import EVERY_RULE_SOME_SLOW, random_step

from literature_ai.cards import SEAT_NAMES
from literature_ai.game.game import Game
from literature_ai.game.position import Position
from literature_ai.records.notation import EVENT_WORDS, parse_action, starts_event
from literature_ai.rules import RuleSet
from literature_ai.terminal_play.commands import COMMANDS
from literature_ai.terminal_play.completion import completions

WORDS = list(COMMANDS)


@pytest.mark.parametrize("rules", EVERY_RULE_SOME_SLOW, ids=lambda r: f"{r.players} {r.words()}")
def test_tab_offers_legal_moves_only(rules: RuleSet) -> None:
    """Under each rule, on turn and off: a line of words that Tab offers, to the last one, is a move
    that the rules allow; and every kind of move that they allow is offered."""
    rng = np.random.default_rng(41)
    game = Game.deal(rules, rng=rng)
    position = Position(rules, game.start)
    while not game.over and len(game.events) < 60:
        for seat in {game.turn, int(rng.integers(rules.players))}:
            view = game.view(seat)
            offered = [word for word in completions(view, "", WORDS) if word not in COMMANDS]
            assert ("claim" in offered) == view.may_claim
            assert ("pass" in offered) == bool(view.legal_passes)
            targets = [SEAT_NAMES[s] for s in view.legal_asks.targets] if view.legal_asks else []
            assert [word for word in offered if word not in EVENT_WORDS] == targets
            for first in offered:
                assert starts_event(first)
                line = first
                while words := completions(view, f"{line} ", WORDS):
                    line += f" {rng.choice(words)}"
                who, action = parse_action(line, position, seat)
                assert who == seat
                copy.copy(game).apply(action, seat)
        position.follow(random_step(game, rng))


def test_what_is_begun_is_completed() -> None:
    """In either order of an ask, with its first word or without; after a move is whole, and after
    what makes none, nothing is offered."""
    game = Game.deal(RuleSet(), seed=7, start=0)
    view = game.view(0)
    cards = [view.rules.card_names[card] for card in view.legal_asks.cards]
    assert completions(view, "b", WORDS) == ["B1", "B2", "B3"]
    assert completions(view, "cl", WORDS) == ["claim"]
    assert completions(view, "b2 ", WORDS) == cards
    assert completions(view, "ask b2 5", WORDS) == [name for name in cards if name[0] == "5"]
    assert completions(view, f"{cards[0]} b", WORDS) == ["B1", "B2", "B3"]
    assert completions(view, "coach o", WORDS) == ["on", "off"]
    assert completions(view, "help lo", WORDS) == ["log"]
    for line in (f"b2 {cards[0]} ", "a2 ", "pass ", "xyz ", "claim ls a1 a1 a1 a1 a1 a1 ", "log "):
        assert completions(view, line, WORDS) == []
    other = game.view(1)
    assert completions(other, "", WORDS) == WORDS
    assert completions(other, "claim ", WORDS) == []
