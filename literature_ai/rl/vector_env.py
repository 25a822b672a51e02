"""Many games at once as a vector environment of Gymnasium: one call steps all of them.

>>> import numpy as np
>>> env = batch_env(1000)
>>> observations, info = env.reset(seed=7)
>>> observations.shape, info["action_mask"].shape
((1000, 551), (1000, 158))
>>> actions = env.random_actions(np.random.default_rng(1))
>>> observations, rewards, terminations, truncations, info = env.step(actions)
>>> info["seat"].shape
(1000,)

Needs the extra ``rl``.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from literature_ai.errors import LiteratureError, shown
from literature_ai.game.batch import Batch
from literature_ai.game.state import BY_MAX_EVENTS, ENDED_BY, OK, SCORE
from literature_ai.rl import kernels
from literature_ai.rl.encoder import encoder_of
from literature_ai.rl.options import ILLEGAL_REWARD, Options
from literature_ai.rules import RuleSet

_OPTIONS = ("reward",)


def batch_env(games: int, rules: RuleSet | str = "canadian", **options: Any) -> BatchEnv:
    """``games`` games by these rules; ``reward`` is an option as in `Options`."""
    return BatchEnv(games, rules, **options)


class BatchEnv(gymnasium.vector.VectorEnv[npt.NDArray[np.float32], Any, npt.NDArray[np.int64]]):
    """Games in which each decision, of whatever seat, is a step: for self-play.

    Observations (games × numbers, float32) are those of the seats whose decisions are next, which
    are ``info["seat"]``; ``info["action_mask"]`` (games × actions, int8) has their legal actions.
    Both arrays are overwritten by the next step. A game that ends is dealt anew in the same step
    (autoreset mode "same step"): its rewards are those of the end, and its observation is the first
    of the new game.
    """

    metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(self, games: int, rules: RuleSet | str = "canadian", **options: Any) -> None:
        """Raises `LiteratureError` for a number of games below 1, rules or an option that there
        is not."""
        for name in options:
            if name not in _OPTIONS:
                raise LiteratureError(
                    f"{name!r} is no option of many games at once; there is only 'reward'"
                )
        if type(games) is not int or games < 1:
            raise LiteratureError(
                f"games is {shown(games)}; it must be a number of games, at least 1"
            )
        self.options = Options.of(rules, **options)
        encoder = encoder_of(self.options)
        self.num_envs = games
        self.single_observation_space = encoder.observation_space()["observation"]
        self.single_action_space = gymnasium.spaces.Discrete(encoder.space.size)
        self.observation_space = gymnasium.vector.utils.batch_space(
            self.single_observation_space, games
        )
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, games)
        self._passes = len(encoder.space.passes)
        self._observations = np.zeros((games, encoder.layout.size), np.float32)
        self._masks = np.zeros((games, encoder.space.size), np.int8)
        self._codes = np.zeros(games, np.int64)
        self._decisions = np.zeros((games, kernels.DECISION_SIZE), np.int64)
        self.batch: Batch | None = None
        """The games; None before the first `reset`."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Deal all games anew; the same seed gives the same games."""
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        self.batch = Batch.deal(self.options.rules, self.num_envs, seed)
        self._begin(np.arange(self.num_envs))
        return self._observations, self._seen()

    def step(  # type: ignore[override]
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[
        npt.NDArray[np.float32],
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Take one action in each game.

        Returns observations, rewards (of the seat that acted: not 0 at an end only), whether each
        game ended, whether the cap on events ended it, and info, which also has ``rewards`` (games
        × teams). An illegal action ends its game: -1 for the seat that acted, 0 for all others.

        Raises `LiteratureError` unless there is one action a game.
        """
        batch = self._dealt()
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != (self.num_envs,):
            raise LiteratureError(
                f"{chosen.shape} actions for {self.num_envs} games: one a game is needed"
            )
        acted = self._decisions[:, kernels.SEAT].copy()
        kernels.step_games(
            batch.states, batch.hands, self._decisions, chosen, self._passes, self._codes
        )
        illegal = self._codes != OK
        ended_by = batch.states[:, ENDED_BY]
        over = ended_by != 0
        by_team = np.zeros((self.num_envs, 2))
        ended = np.flatnonzero(over | illegal)
        if len(ended):
            margin = (batch.states[ended, SCORE] - batch.states[ended, SCORE + 1]).astype(float)
            if self.options.reward == "margin":
                by_team[ended, 0] = margin / self.options.rules.half_suits
            else:
                by_team[ended, 0] = np.sign(margin)
            by_team[ended, 1] = 0.0 - by_team[ended, 0]
            by_team[illegal] = 0.0
        truncations = (ended_by == BY_MAX_EVENTS) & ~illegal
        terminations = (over & ~truncations) | illegal
        rewards = by_team[np.arange(self.num_envs), acted & 1]
        rewards[illegal] = ILLEGAL_REWARD
        if len(ended):
            batch.reset(over | illegal)
            self._begin(ended)
        return self._observations, rewards, terminations, truncations, self._seen(by_team)

    def random_actions(self, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """A uniformly random legal action for each game."""
        actions = np.empty(self.num_envs, np.int64)
        kernels.draw_actions(self._masks, rng, actions)
        return actions

    def _begin(self, which: npt.NDArray[np.int64]) -> None:
        """Find the first decision of these games."""
        self._decisions[which] = 0
        kernels.first_decisions(self._dealt().states, self._decisions, which)

    def _seen(self, rewards: npt.NDArray[np.float64] | None = None) -> dict[str, Any]:
        """Write observations and masks; the info of a step."""
        batch = self._dealt()
        kernels.write_games(
            batch.states,
            batch.hands,
            self._decisions,
            self._passes,
            self._observations,
            self._masks,
        )
        info = {"action_mask": self._masks, "seat": self._decisions[:, kernels.SEAT].copy()}
        return info if rewards is None else info | {"rewards": rewards}

    def _dealt(self) -> Batch:
        if self.batch is None:
            raise LiteratureError("there are no games yet: call reset first")
        return self.batch
