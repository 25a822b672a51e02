"""How the bots at a table decide: each decision by itself, so that a game can go on from anywhere.

A bot is started anew for every decision, from its view with all events so far and with random
numbers that come from the seed of the table, the seat and the number of events. What it does is
therefore the same whether the game went on without a break, was taken up again from its file, or
came back to this position after an undo.

The agents of this package run in this process. All others run in one of their own, as
``literature bot SPEC`` or as the program that they are, with a limit on every answer: whatever they
do, the table lives on.
"""

from __future__ import annotations

import shlex

from literature_ai.agents.base import Agent
from literature_ai.bots.answers import in_one_line
from literature_ai.bots.external import ExternalAgent
from literature_ai.bots.processes import program_of
from literature_ai.bots.registry import BUILT_IN, parse_spec
from literature_ai.cards import Seat
from literature_ai.errors import BotError, IllegalActionError, SpecError
from literature_ai.events import Action
from literature_ai.game.game import Game
from literature_ai.game.turns import Decision

SUBSTITUTES = ("greedy", "random")
"""Who plays on for a bot that failed, and who for that one."""


class SeatedBots:
    """The agents of a table, made when they are first needed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._agents: dict[Seat, tuple[str, Agent]] = {}

    def decide(self, spec: str, decision: Decision, game: Game) -> Action | None:
        """What the bot answers to the decision, unchecked. Raises whatever the bot raises, and
        `SpecError` when the spec names none."""
        import numpy as np

        seat = decision.seat
        view = game.view(seat)
        agent = self._agent(seat, spec)
        if getattr(agent, "sees_all_cards", False):
            # Such an agent, the oracle, sits only where somebody asked for it by name.
            agent.see_deal(game.dealt)  # type: ignore[attr-defined]
        key = (seat, len(game.events), int(decision.off_turn))
        agent.start(view, np.random.default_rng(np.random.SeedSequence(self._seed, spawn_key=key)))
        return agent.claim(view) if decision.off_turn else agent.act(view)

    def _agent(self, seat: Seat, spec: str) -> Agent:
        made_of, agent = self._agents.get(seat, ("", None))
        if agent is None or made_of != spec:
            self.dismiss(seat)
            agent = _made(spec)
            self._agents[seat] = spec, agent
        return agent

    def dismiss(self, seat: Seat) -> None:
        """Let the agent of the seat go, and end its program if it is one."""
        _, agent = self._agents.pop(seat, ("", None))
        close = getattr(agent, "close", None)
        if close is not None:
            close()

    def close(self) -> None:
        """Let all agents go."""
        for seat in list(self._agents):
            self.dismiss(seat)


def _made(spec: str) -> Agent:
    """The agent of the spec, as a program unless it is one of this package. Raises `SpecError`."""
    agent = parse_spec(spec).make()
    if spec.strip().partition(":")[0] in BUILT_IN or isinstance(agent, ExternalAgent):
        return agent
    return ExternalAgent(shlex.join(program_of(spec)))


def kind_of(error: BaseException) -> str:
    """How a bot has failed that raised the error: a key of `literature_ai.sessions.seats.FAILURES`.

    An `IllegalActionError` is that of the game, for an answer against the rules.
    """
    if isinstance(error, BotError):
        return error.kind
    if isinstance(error, SpecError):
        return "start"
    return "illegal" if isinstance(error, IllegalActionError) else "error"


def detail_of(error: BaseException) -> str:
    """What the error says, in one line of at most 500 characters."""
    return in_one_line(error)[:500]


def substitute_for(spec: str) -> str | None:
    """The spec of the bot that plays on for one that failed; None after the last one."""
    later = SUBSTITUTES.index(spec) + 1 if spec in SUBSTITUTES else 0
    return next(iter(SUBSTITUTES[later:]), None)
