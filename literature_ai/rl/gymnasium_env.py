"""The game as a Gymnasium environment for one seat; agents play the other seats.

>>> import gymnasium
>>> import literature_ai.rl
>>> env = gymnasium.make("Literature-v0", partners="certain", opponents="random")
>>> observation, info = env.reset(seed=7)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)

Needs the extra ``rl``.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from literature_ai.bots.registry import parse_spec
from literature_ai.cards import Seat, parse_seat
from literature_ai.errors import LiteratureError
from literature_ai.game.game import Game
from literature_ai.rl.encoder import Observation, encoder_of
from literature_ai.rl.episode import Episode
from literature_ai.rl.options import ILLEGAL_REWARD, Options
from literature_ai.rl.policies import SeatedAgent
from literature_ai.rules import RuleSet


class LiteratureEnv(gymnasium.Env[Observation, np.int64]):
    """One seat of a game; ``info["action_mask"]`` has the legal actions."""

    metadata = {"render_modes": ["human", "ansi"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        rules: RuleSet | str = "canadian",
        *,
        seat: str = "A1",
        partners: str = "expert",
        opponents: str = "greedy",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """``partners`` and ``opponents`` are specs; the options are those of
        `literature_ai.rl.options.Options`.

        Raises `LiteratureError` for a seat, a spec, rules or an option that there is not.
        """
        self.options = Options.of(rules, **options)
        self.seat: Seat = parse_seat(seat, self.options.rules.players)
        self._specs = (parse_spec(partners), parse_spec(opponents))
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise LiteratureError(f"render_mode is {render_mode!r}; it must be 'human' or 'ansi'")
        self.render_mode = render_mode
        encoder = encoder_of(self.options)
        self.observation_space = encoder.observation_space()  # type: ignore[assignment]
        self.action_space = gymnasium.spaces.Discrete(encoder.space.size)
        self.episode: Episode | None = None
        """The game; None before the first `reset`."""
        self._others: dict[Seat, SeatedAgent] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a new game, and play until it is the seat's decision."""
        super().reset(seed=seed)
        rng = self.np_random
        players = self.options.rules.players
        while True:
            game = Game.deal(self.options.rules, rng=rng)
            self.episode = Episode(game, self.options, learners=(self.seat,))
            self._others = {
                other: SeatedAgent(self._specs[(other - self.seat) % 2].make(), other, own)
                for other, own in zip(range(players), rng.spawn(players), strict=True)
                if other != self.seat
            }
            self._play_on()
            if self.episode.seat is not None:
                return self._seen()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Apply the action, and play until it is the seat's decision again, or the end.

        An illegal action ends the game with a reward of -1; ``info["illegal"]`` says why.
        """
        episode = self._started()
        try:
            episode.step(int(action))
        except LiteratureError as error:
            observation, info = self._seen()
            return observation, ILLEGAL_REWARD, True, False, info | {"illegal": str(error)}
        self._play_on()
        over, truncated = episode.seat is None, episode.truncated
        observation, info = self._seen()
        reward = episode.rewards()[self.seat % 2]
        if self.render_mode == "human":
            self.render()
        return observation, reward, over and not truncated, truncated, info

    def render(self) -> str | None:
        """What the seat sees, as text; "human" prints it."""
        text = str(self._started().view(self.seat))
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def _play_on(self) -> None:
        episode = self._started()
        while (seat := episode.seat) is not None and seat != self.seat:
            episode.answer(self._others[seat].decide(episode))

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        observation = self._started().observe(self.seat)
        return observation, {"action_mask": observation["action_mask"]}

    def _started(self) -> Episode:
        if self.episode is None:
            raise LiteratureError("there is no game yet: call reset first")
        return self.episode
