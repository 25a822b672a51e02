"""The game as a PettingZoo environment: one agent a seat, in turn.

>>> env = aec_env(rules="canadian")
>>> env.reset(seed=7)
>>> env.agents
['A1', 'B1', 'A2', 'B2', 'A3', 'B3']
>>> observation, reward, terminated, truncated, info = env.last()
>>> env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))

Needs the extra ``rl``.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from literature_ai.cards import SEAT_NAMES
from literature_ai.errors import LiteratureError
from literature_ai.game.game import Game
from literature_ai.rl.encoder import Observation, encoder_of
from literature_ai.rl.episode import Episode
from literature_ai.rl.options import ILLEGAL_REWARD, Options
from literature_ai.rules import RuleSet


def aec_env(
    rules: RuleSet | str = "canadian", render_mode: str | None = None, **options: Any
) -> AECEnv:
    """The environment, in PettingZoo's wrapper that enforces the order of calls.

    The options are those of `literature_ai.rl.options.Options`. An illegal action ends the game
    with a reward of -1 for the seat that took it, as in PettingZoo's own card games, and
    ``infos[agent]["illegal"]`` says why.
    """
    return wrappers.OrderEnforcingWrapper(raw_env(rules, render_mode, **options))


class raw_env(AECEnv, EzPickle):  # type: ignore[misc]
    """The environment without the wrapper."""

    metadata = {  # noqa: RUF012 (as PettingZoo declares it)
        "name": "literature_v0",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: RuleSet | str = "canadian",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        EzPickle.__init__(self, rules, render_mode, **options)
        super().__init__()
        self.options = Options.of(rules, **options)
        self.render_mode = render_mode
        self.possible_agents = list(SEAT_NAMES[: self.options.rules.players])
        self._seats = {name: seat for seat, name in enumerate(self.possible_agents)}
        self._observation_space = encoder_of(self.options).observation_space()
        self._action_space = gymnasium.spaces.Discrete(encoder_of(self.options).space.size)
        self._rng = np.random.default_rng()
        self.episode: Episode | None = None
        """The game; None before the first `reset`."""

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        return self._observation_space

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game. With a seed the games from now on are those of the seed."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self.episode = Episode(Game.deal(self.options.rules, rng=self._rng), self.options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Observation:
        assert self.episode is not None, "reset comes first"
        return self.episode.observe(self._seats[agent])

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert self.episode is not None
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        try:
            self.episode.step(action)
        except LiteratureError as error:
            self.infos[agent]["illegal"] = str(error)
            self._end(dict.fromkeys(self.agents, 0.0) | {agent: ILLEGAL_REWARD}, truncated=False)
        else:
            self._select()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The table with all hands and the last events, as text; "human" prints it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode: 'ansi' or 'human'")
            return None
        assert self.episode is not None, "reset comes first"
        text = str(self.episode.turns.game)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def close(self) -> None:
        """Nothing to close."""

    def _select(self) -> None:
        """Select the seat whose decision it is; at the end, reward everyone."""
        episode = self.episode
        assert episode is not None
        if episode.seat is not None:
            self.agent_selection = self.possible_agents[episode.seat]
            return
        by_team = episode.rewards()
        rewards = {agent: by_team[seat % 2] for seat, agent in enumerate(self.agents)}
        self._end(rewards, episode.truncated)

    def _end(self, rewards: dict[str, float], truncated: bool) -> None:
        """End the game for everyone, with these rewards."""
        self.rewards = rewards
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.terminations = dict.fromkeys(self.agents, not truncated)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]
