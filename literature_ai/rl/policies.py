"""Agents as policies of the environments, and policies as agents of tournaments.

`as_policy` lets any agent act where numbers are expected; `PolicyAgent` lets whatever maps
observations to numbers sit in tournaments.

>>> from literature_ai.game.game import Game
>>> from literature_ai.rl.episode import Episode
>>> from literature_ai.rl.options import Options
>>> episode = Episode(Game.deal(Options().rules, seed=7, start=0), Options())
>>> policy = as_policy("random", seed=1)
>>> while episode.seat is not None:
...     episode.step(policy(episode))
>>> episode.turns.game.over
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from literature_ai.agents.base import Agent
from literature_ai.bots.registry import Spec, parse_spec
from literature_ai.cards import HALF_SUIT_SIZE, HalfSuit, Seat
from literature_ai.errors import LiteratureError, shown
from literature_ai.events import Action, Claim, Event
from literature_ai.game.masks import mask_of
from literature_ai.game.position import Position
from literature_ai.game.view import View
from literature_ai.inference.knowledge import Knowledge
from literature_ai.rl.encoder import Observation, Viewer, encoder_of
from literature_ai.rl.episode import Episode
from literature_ai.rl.options import Options
from literature_ai.rl.rows import PublicRows


def as_policy(spec: str, seed: int | np.random.SeedSequence | None = None) -> AgentPolicy:
    """The agent that the spec names, as a policy. Raises `SpecError` when there is none."""
    return AgentPolicy(parse_spec(spec), np.random.default_rng(seed))


class AgentPolicy:
    """An agent as a policy: called with an episode, it gives the number of its next action.

    The episode may be in progress. Each seat it acts for gets an agent of its own; one policy may
    act in several episodes. It is called for each decision of a seat, in turn, and the action it
    gives is taken.
    """

    def __init__(self, spec: Spec, rng: np.random.Generator) -> None:
        self.spec = spec
        self._rng = rng
        self._players: WeakKeyDictionary[Episode, dict[Seat, SeatedAgent]] = WeakKeyDictionary()

    def __call__(self, env: Any) -> int:
        """The action of the seat whose decision it is.

        ``env`` is an `Episode`, an environment of PettingZoo or a state of OpenSpiel.

        Raises `LiteratureError` when the game is over, or when the agent claims and the environment
        makes the claims by itself.
        """
        episode = env if isinstance(env, Episode) else getattr(env, "unwrapped", env).episode
        seat = episode.seat
        if seat is None:
            raise LiteratureError("the game is over: there is nothing to decide")
        players = self._players.setdefault(episode, {})
        if seat not in players:
            (rng,) = self._rng.spawn(1)
            players[seat] = SeatedAgent(self.spec.make(), seat, rng)
        return players[seat].number(episode)


class SeatedAgent:
    """An agent that acts for one seat of one episode."""

    def __init__(self, agent: Agent, seat: Seat, rng: np.random.Generator) -> None:
        self.agent = agent
        self.seat = seat
        self._rng = rng
        self._observed = -1
        self._rest: list[int] = []
        """The numbers of a claim that are still to be given."""

    def decide(self, episode: Episode) -> Action | None:
        """The agent's action, a claim as a whole; None declines."""
        view = episode.view(self.seat)
        if self._observed < 0:
            self.agent.start(view, self._rng)
            self._observed = len(view.events)
        self.catch_up(view)
        return self.agent.claim(view) if episode.off_turn else self.agent.act(view)

    def catch_up(self, view: View) -> None:
        """Let the agent observe the events up to the view."""
        for event in view.events[self._observed :]:
            self.agent.observe(event)
        self._observed = len(view.events)

    def number(self, episode: Episode) -> int:
        """The number of the agent's next action."""
        if not self._rest:
            action = self.decide(episode)
            if isinstance(action, Claim) and episode.options.claims == "certain":
                raise LiteratureError(
                    "the agent claims; with claims='certain' only the environment does"
                )
            self._rest = list(episode.encoder.space.encode(self.seat, action))
        return self._rest.pop(0)


Policy: TypeAlias = Callable[[Observation, np.random.Generator], int]
"""From what a seat sees, and a generator for its choices, to the number of an action."""


class PolicyAgent(Agent):
    """Plays by a policy that was made for the environments.

    A class for tournaments derives from it and passes its policy on::

        class Mine(PolicyAgent):
            def __init__(self) -> None:
                super().__init__(load("weights.npz"), belief=True)

    The options are those that the policy was trained with (`literature_ai.rl.options.Options`),
    apart from the rules, which are those of the game.
    """

    def __init__(self, policy: Policy, **options: Any) -> None:
        self.policy = policy
        self._options = options
        Options.of("canadian", **options)

    def start(self, view: View, rng: np.random.Generator) -> None:
        self.rng = rng
        self.seat = view.seat
        self.options = Options.of(view.rules, **self._options)
        self.encoder = encoder_of(self.options)
        self.position = Position(view.rules, view.start)
        self.rows = PublicRows(view.rules, self.position.state)
        self.known = Knowledge(view.rules, view.seat, view.dealt)
        self.events: list[Event] = []
        for event in view.events:
            self.observe(event)

    def observe(self, event: Event) -> None:
        self.position.follow(event)
        self.rows.follow(event, self.position.state)
        self.events.append(event)

    def act(self, view: View) -> Action:
        if self.options.claims == "certain":
            claim = self._claim_by_itself(view)
            if claim is not None:
                return claim
        action = self._decide(view, off_turn=False)
        if action is None:
            raise LiteratureError("the policy declines on turn, where it must act")
        return action

    def claim(self, view: View) -> Claim | None:
        if self.options.claims == "certain":
            return next(iter(self._knowledge().certain_claims()), None)
        action = self._decide(view, off_turn=True)
        if action is None or isinstance(action, Claim):
            return action
        raise LiteratureError(f"the policy decides on {shown(action)}, where it may only claim")

    def _decide(self, view: View, off_turn: bool) -> Action | None:
        """What the policy decides on, asked card by card when it is a claim."""
        space, hand = self.encoder.space, mask_of(view.hand)
        viewer = Viewer(self.seat, hand, lambda seat: self._knowledge())
        half_suit: HalfSuit | None = None
        placed: list[Seat] = []
        while True:
            self.rows.decide(self.seat, off_turn, half_suit, placed)
            seen = self.encoder.observe(self.rows, viewer, self.events)
            number = int(self.policy(seen, self.rng))
            if not (0 <= number < space.size and seen["action_mask"][number]):
                raise LiteratureError(f"the policy gives {number}, which its mask forbids")
            if half_suit is not None:
                placed.append(space.named(self.seat, number))
                if len(placed) == HALF_SUIT_SIZE:
                    return Claim(half_suit, tuple(placed))
            elif number in space.claims:
                half_suit = space.half_suit(number)
            else:
                return space.decode(self.seat, number)

    def _claim_by_itself(self, view: View) -> Claim | None:
        """The claim that environments make by themselves with the option ``claims="certain"``."""
        known = self._knowledge()
        if view.may_claim and (certain := known.certain_claims()):
            return certain[0]
        if view.legal_asks or view.legal_passes:
            return None
        best = known.claims()[0]
        return Claim(best.half_suit, best.holders)

    def _knowledge(self) -> Knowledge:
        for event in self.events[self.known.events :]:
            self.known.observe(event)
        return self.known
