"""A quick agent that does everything that the rules allow, and tables with persons who do too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from literature_ai.agents.base import Agent
from literature_ai.bots.registry import BUILT_IN
from literature_ai.cards import cards_of
from literature_ai.events import Action, Claim, Pass
from literature_ai.game.view import View
from literature_ai.rules import RuleSet
from literature_ai.sessions.seats import Bot, Occupant, Person
from literature_ai.sessions.table import TableSession

LIVELY = "lively"
"""Its spec, where `let_in` has been called."""
LIVELY_AS_PROGRAM = f"{Path(__file__)}:Lively"
"""Its spec anywhere else, as that of any agent in a file."""


def let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the agent run within this process, as those of the package do."""
    monkeypatch.setitem(BUILT_IN, LIVELY, "lively:Lively")


class Lively(Agent):
    """Asks, claims and passes at random, on turn and off."""

    def start(self, view: View, rng: np.random.Generator) -> None:
        self.rng = rng

    def act(self, view: View) -> Action:
        return lively_act(view, self.rng)

    def claim(self, view: View) -> Claim | None:
        return lively_claim(view, self.rng, 0.04)


def lively_act(view: View, rng: np.random.Generator) -> Action:
    """Any legal action of the seat on turn."""
    claim = lively_claim(view, rng, 0.15 if view.legal_asks or view.legal_passes else 1.0)
    if claim is not None:
        return claim
    if view.legal_passes and (not len(view.legal_asks) or rng.random() < 0.2):
        return Pass(view.legal_passes[int(rng.integers(len(view.legal_passes)))])
    return view.legal_asks[int(rng.integers(len(view.legal_asks)))]


def lively_claim(view: View, rng: np.random.Generator, chance: float) -> Claim | None:
    """A claim with that chance, where the seat may claim, of what it holds itself as it is."""
    if not view.may_claim or rng.random() >= chance:
        return None
    half_suit = view.in_play[int(rng.integers(len(view.in_play)))]
    mates = range(view.seat % 2, view.rules.players, 2)
    holders = [
        view.seat if card in view.hand else mates[int(rng.integers(len(mates)))]
        for card in cards_of(half_suit)
    ]
    return Claim(half_suit, tuple(holders))


def seats_with(rules: RuleSet, persons: str, bot: str = LIVELY) -> list[Occupant]:
    """Persons at these seats, bots at all others."""
    seats: list[Occupant] = [Bot(bot)] * rules.players
    for name in persons.split():
        seats["AB".index(name[0]) + 2 * (int(name[1]) - 1)] = Person(f"player {name}")
    return seats


def decide(session: TableSession, seed: int = 0) -> None:
    """Let the person who decides do something that depends on the position alone."""
    decision = session.decision
    assert decision is not None
    view = session.view(decision.seat)
    rng = np.random.default_rng((seed, len(view.events), decision.seat, decision.off_turn))
    if decision.off_turn and decision.seat == view.turn and rng.random() < 0.5:
        session.answer(decision.seat, lively_act(view, rng))
    elif decision.off_turn:
        session.answer(decision.seat, lively_claim(view, rng, 0.1))
    else:
        session.answer(decision.seat, lively_act(view, rng))


def play_on(
    session: TableSession,
    until: int = 1000,
    after: Callable[[TableSession], TableSession] = lambda session: session,
) -> TableSession:
    """Go on until the game is over or has so many events. What ``after`` makes of the session after
    each step goes on in its place."""
    while not session.over and len(session.events) < until:
        if session.advance() is None and session.decision is not None:
            decide(session)
        session = after(session)
    return session
