"""What must hold of everything that is known in a game whose hands the test can see."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import reference
from helpers import random_step

from literature_ai.cards import Seat, cards_of
from literature_ai.game.game import Game
from literature_ai.inference.knowledge import Knowledge
from literature_ai.rules import RuleSet


def watched(
    rules: RuleSet, rng: np.random.Generator, viewpoints: list[Seat | None]
) -> Iterator[tuple[Game, list[Knowledge]]]:
    """Play a random game; after the deal and after every event: the game and what is known."""
    game = Game.deal(rules, rng=rng)
    known = [
        Knowledge(rules, seat, None if seat is None else game.hand(seat)) for seat in viewpoints
    ]
    yield game, known
    while not game.over:
        event = random_step(game, rng)
        for knowledge in known:
            knowledge.observe(event)
        yield game, known


class TrueDeal:
    """Checks that no fact, from whatever viewpoint, is false of the deal."""

    def __init__(self, game: Game) -> None:
        self.seats = [0] * game.rules.cards
        for seat, hand in enumerate(game.dealt):
            for card in hand:
                self.seats[card] = seat
        self.checked: dict[int, int] = {}

    def never_excluded(self, knowledge: Knowledge) -> bool:
        """Whether all facts that came since the last call are true."""
        facts = knowledge.problem.facts
        new = facts[self.checked.get(id(knowledge), 0) :]
        self.checked[id(knowledge)] = len(facts)
        return all(reference.is_true(fact, self.seats) for _, fact in new)


def true_places(game: Game) -> list[tuple[int, Seat]]:
    """Where the cards in play really are."""
    return [(card, seat) for seat in range(game.rules.players) for card in game.hand(seat)]


def engines_agree(knowledge: Knowledge) -> bool:
    """Whether SAT, without help from counting, allows a card at a seat just where counting gives it
    a chance."""
    posterior = knowledge.posterior()
    possible = (posterior > 0) @ (1 << np.arange(posterior.shape[1]))
    certain = {c: s.bit_length() - 1 for c, s in enumerate(possible.tolist()) if s.bit_count() == 1}
    agree = possible.tolist() == knowledge.possible_seats() and certain == knowledge.certain()
    return agree and not knowledge.sat.counted


def claims_are_sound(game: Game, knowledge: Knowledge) -> bool:
    """Whether the claims said to be certain are true."""
    return all(
        holder == next(s for s in range(game.rules.players) if card in game.hand(s))
        for claim in knowledge.certain_claims()
        for card, holder in zip(cards_of(claim.half_suit), claim.holders, strict=True)
    )
