"""The environments in their frameworks, by the frameworks' own tests, and against each other."""

from __future__ import annotations

import copy
import math
import random
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from helpers import EVERY_RULE_SOME_SLOW

from literature_ai.errors import IllegalActionError, LiteratureError
from literature_ai.game.game import Game
from literature_ai.rl import Episode, Options, aec_env, as_policy, batch_env
from literature_ai.rules import PRESETS, RuleSet

gymnasium = pytest.importorskip("gymnasium")
pettingzoo_test = pytest.importorskip("pettingzoo.test")
pyspiel = pytest.importorskip("pyspiel")

OPTIONS = (
    {},
    {"claims": "certain", "reward": "margin"},
    {"belief": True, "history": 5, "places": "possible"},
)
PLAYTHROUGH = Path(__file__).with_name("playthrough.txt")


@pytest.mark.parametrize("preset", PRESETS)
class TestPettingZoo:
    """PettingZoo's own tests pass under every preset."""

    @pytest.mark.filterwarnings("ignore:Observation space for each agent probably")
    @pytest.mark.filterwarnings("ignore:We recommend agents to be named")
    @pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
    @pytest.mark.parametrize("options", OPTIONS, ids=str)
    def test_api(self, preset: str, options: dict[str, object]) -> None:
        """The API test passes, with all options."""
        pettingzoo_test.api_test(aec_env(rules=preset, **options), num_cycles=60)

    def test_seed(self, preset: str) -> None:
        """The same seed gives the same game, whatever was played before."""
        pettingzoo_test.seed_test(lambda: aec_env(rules=preset), num_cycles=60)

    def test_render(self, preset: str) -> None:
        """Both render modes work."""
        from pettingzoo.test.render_test import render_test

        render_test(lambda render_mode=None: aec_env(rules=preset, render_mode=render_mode))


def test_pettingzoo_rewards_and_ends() -> None:
    """At the end every seat gets its team's reward and terminates; a cap on events truncates; an
    illegal action ends the game with -1 for the seat that took it."""
    env = aec_env(rules="play-out")
    env.reset(seed=3)
    policy, rewards = as_policy("certain", seed=1), {}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, _ = env.last()
        if terminated:
            rewards[agent] = reward
        assert not truncated
        env.step(None if terminated else policy(env))
    a, b = env.unwrapped.episode.turns.game.score
    assert rewards == {seat: np.sign(a - b) * (1 - 2 * (seat[0] == "B")) for seat in rewards}
    assert len(rewards) == 6

    env = aec_env(rules="max-events=4")
    env.reset(seed=3)
    for _ in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        assert not terminated
        env.step(None if truncated else int(seen["action_mask"][:144].nonzero()[0][0]))
    assert len(env.unwrapped.episode.turns.game.events) == 4

    env.reset(seed=3)
    first = env.agent_selection
    env.step(157)
    assert "a claim begins with its half-suit" in env.infos[first]["illegal"]
    assert all(env.terminations.values())
    assert env.rewards == {seat: -1.0 * (seat == first) for seat in env.possible_agents}


def test_two_environments_do_not_disturb_each_other() -> None:
    """Two seeded environments that are stepped in turn play the games that each plays alone."""

    def step(env: object, policy: object) -> None:
        env.step(policy(env))

    def play(seeds: tuple[int, ...]) -> list[object]:
        envs, policies = [], []
        for seed in seeds:
            envs.append(aec_env())
            envs[-1].reset(seed=seed)
            policies.append(as_policy("random", seed))
        for _ in range(40):
            for env, policy in zip(envs, policies, strict=True):
                step(env, policy)
        return [env.unwrapped.episode.turns.game.events for env in envs]

    assert play((1, 2)) == play((1,)) + play((2,))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_gymnasium_check(preset: str, options: dict[str, object]) -> None:
    """Gymnasium's own check passes under every preset, with all options."""
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make(
        "literature_ai.rl:Literature-v0",
        rules=preset,
        partners="certain",
        opponents="random",
        **options,
    )
    with warnings.catch_warnings():
        # It warns that the environment was made with options, and that spaces are Dict.
        warnings.simplefilter("ignore")
        check_env(env.unwrapped, skip_render_check=True)


def test_gymnasium_seat() -> None:
    """One seat among agents: it is asked only for its own decisions, the others play as their
    specs, the same seed gives the same game, and the reward is that of its team."""
    import literature_ai.rl  # registers the environment

    def play(seed: int) -> tuple[object, float]:
        env = gymnasium.make(
            "Literature-v0", seat="B2", partners="greedy", opponents="certain", render_mode="ansi"
        )
        _, info = env.reset(seed=seed)
        rng, reward, over = np.random.default_rng(seed), 0.0, False
        while not over:
            assert reward == 0.0
            episode = env.unwrapped.episode
            assert episode.seat == 3
            assert "B2" in env.render()
            legal = np.flatnonzero(info["action_mask"])
            action = legal[int(rng.integers(len(legal)))]
            _, reward, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        a, b = episode.turns.game.score
        assert reward == np.sign(b - a)
        return episode.turns.game.events, reward

    assert literature_ai.rl
    assert play(5) == play(5)
    assert play(5) != play(6)


def test_gymnasium_illegal_action() -> None:
    """An illegal action ends the game with -1, and info says why."""
    env = gymnasium.make("literature_ai.rl:Literature-v0", partners="random", opponents="random")
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(157)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert "a claim begins with its half-suit" in info["illegal"]


def test_bad_arguments() -> None:
    """Wrong seats, specs, rules and options raise a line that says what would be right."""
    for arguments, message in (
        ({"seat": "C1"}, "'C1' is no seat here: write one of A1 B1"),
        ({"partners": "expret"}, "did you mean 'expert'"),
        ({"rules": "ponies"}, "'ponies' is no rule"),
        ({"beleif": True}, "there is no option 'beleif'"),
    ):
        with pytest.raises(LiteratureError, match=message):
            gymnasium.make("literature_ai.rl:Literature-v0", **arguments)
    with pytest.raises(LiteratureError, match="games is 0; it must be a number of games"):
        batch_env(0)
    with pytest.raises(LiteratureError, match="there are no games yet: call reset first"):
        batch_env(1).step(np.zeros(1))
    env = batch_env(2)
    env.reset(seed=1)
    with pytest.raises(LiteratureError, match=r"\(3,\) actions for 2 games"):
        env.step(np.zeros(3))


@pytest.mark.parametrize("rules", EVERY_RULE_SOME_SLOW, ids=str)
def test_batch_is_the_same_game(rules: RuleSet) -> None:
    """Many games at once see, allow and reward just what an episode of each does, through ends and
    new deals, also after illegal actions."""
    games = 5
    env = batch_env(games, rules=rules)
    observations, info = env.reset(seed=11)
    batch, rng = env.batch, np.random.default_rng(12)
    assert batch is not None

    def deal(i: int) -> Episode:
        return Episode(Game.deal(rules, seed=batch.seed_of(i)), Options(rules))

    episodes = [deal(i) for i in range(games)]
    for _ in range(150):
        for i, episode in enumerate(episodes):
            assert info["seat"][i] == episode.seat
            seen = episode.observe(episode.seat)
            assert np.array_equal(observations[i], seen["observation"])
            assert np.array_equal(info["action_mask"][i], seen["action_mask"])
        actions = env.random_actions(rng)
        if rng.random() < 0.1:
            actions[int(rng.integers(games))] = int(rng.integers(-2, env.single_action_space.n + 2))
        acted = info["seat"]
        observations, rewards, terminations, truncations, info = env.step(actions)
        for i, episode in enumerate(episodes):
            try:
                episode.step(actions[i])
                expected = episode.rewards()
                reward = expected[acted[i] % 2]
                ended, truncated = episode.seat is None, episode.truncated
            except LiteratureError:
                expected, reward, ended, truncated = (0.0, 0.0), -1.0, True, False
            assert tuple(info["rewards"][i]) == expected
            assert rewards[i] == reward
            assert terminations[i] == (ended and not truncated)
            assert truncations[i] == truncated
            if ended:
                episodes[i] = deal(i)


def test_batch_is_a_vector_environment() -> None:
    """Gymnasium's own vector wrappers take it, and its spaces hold what it returns."""
    env = batch_env(3, reward="margin")
    observations, info = env.reset(seed=1)
    assert env.observation_space.contains(observations)
    statistics = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    statistics.reset(seed=1)
    finished = 0
    rng = np.random.default_rng(2)
    for _ in range(400):
        _, _, terminations, _, info = statistics.step(env.random_actions(rng))
        finished += int(terminations.sum())
        assert ("episode" in info) == bool(terminations.any())
    assert finished


GAMES = (
    "python_literature",
    "python_literature(rules=us54)",
    "python_literature(rules=russian pass-turn)",
    "python_literature(players=4,rules=split-claims bluff-asks,reward=margin)",
    "python_literature(rules=pagat,places=possible)",
    "python_literature(players=4,rules=max-events:40 wrong-hides claim-any-time)",
)


@pytest.fixture(autouse=True)
def _registered() -> None:
    import literature_ai.rl.openspiel_game  # registers the game  # noqa: F401


@pytest.mark.parametrize("text", GAMES)
def test_openspiel_random_sim(text: str) -> None:
    """OpenSpiel's random simulation passes, with the serialization of every state."""
    random.seed(1)
    game = pyspiel.load_game(text)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    assert str(pyspiel.load_game(str(game))) == str(game)


@pytest.mark.parametrize("text", GAMES)
def test_openspiel_resamples_exactly(text: str) -> None:
    """A resampled state is one that the player cannot tell from the true one: the same information
    state, observation and legal actions, with the other hands another deal."""
    game, rng = pyspiel.load_game(text), np.random.default_rng(3)
    source = random.Random(4)
    state, decisions, other = game.new_initial_state(), 0, 0
    while not state.is_terminal() and decisions < 60:
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert math.isclose(sum(p for _, p in outcomes), 1)
            state.apply_action(outcomes[int(rng.integers(len(outcomes)))][0])
            continue
        decisions += 1
        for player in {state.current_player(), int(rng.integers(game.num_players()))}:
            twin = state.resample_from_infostate(player, source.random)
            known = state.information_state_string(player)
            assert twin.information_state_string(player) == known
            assert twin.observation_tensor(player) == state.observation_tensor(player)
            other += twin.holders != state.holders
        player = state.current_player()
        twin = state.resample_from_infostate(player, source.random)
        assert twin.current_player() == player
        assert twin.legal_actions() == state.legal_actions()
        legal = state.legal_actions()
        state.apply_action(legal[int(rng.integers(len(legal)))])
    assert other


def test_openspiel_resamples_uniformly() -> None:
    """Resampled deals put each card where the posterior of the player says, as often."""
    game, rng = pyspiel.load_game("python_literature(players=4)"), np.random.default_rng(5)
    source, state = random.Random(6), game.new_initial_state()
    for _ in range(48 + 1 + 12):
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(actions, p=weights)))
        else:
            asks = [a for a in state.legal_actions() if a in state.episode.encoder.space.asks]
            state.apply_action(asks[int(rng.integers(len(asks)))])
    player, draws = state.current_player(), 400
    posterior = state.episode.knowledge(player).posterior()
    found = np.zeros_like(posterior)
    for _ in range(draws):
        twin = state.resample_from_infostate(player, source.random)
        for seat in range(4):
            found[list(twin.episode.turns.game.hand(seat)), seat] += 1
    error = np.abs(found / draws - posterior)
    assert (error <= 4.5 * np.sqrt(posterior * (1 - posterior) / draws) + 1e-9).all()


def test_openspiel_api() -> None:
    """The tests of OpenSpiel's API that need no full game tree pass."""
    import unittest

    from open_spiel.integration_tests import api_test

    class Partial(api_test.EnforceAPIOnPartialTreeBase):
        game_name = "python_literature"
        game = pyspiel.load_game("python_literature(players=4,rules=max-events:12)")

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Partial).run(result)
    assert result.testsRun >= 5
    assert not result.errors + result.failures


def test_openspiel_playthrough() -> None:
    """A recorded game still has the same states, information states and legal actions."""
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    flags.FLAGS.mark_as_parsed()
    recorded, now = generate_playthrough.replay(str(PLAYTHROUGH))
    kept = ("#", "IsTerminal", "InformationStateString", "Observation", "LegalActions", "Returns")
    pair = [[x for x in text.splitlines() if x.startswith(kept)] for text in (recorded, now)]
    assert pair[0] == pair[1]
    assert len(pair[0]) > 500


def test_openspiel_search() -> None:
    """IS-MCTS works as it is, and its actions are legal."""
    from open_spiel.python.algorithms import ismcts, mcts

    game = pyspiel.load_game("python_literature(players=4,rules=max-events:30)")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, uct_c=1.0, max_simulations=8)
    state, rng = game.new_initial_state(), np.random.default_rng(2)
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        state.apply_action(outcomes[int(rng.integers(len(outcomes)))][0])
    for _ in range(3):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


def test_openspiel_agents_act() -> None:
    """Agents act in OpenSpiel's states, also in copies of them."""
    game, rng = pyspiel.load_game("python_literature"), np.random.default_rng(1)
    state, policy = game.new_initial_state(), as_policy("greedy", 2)
    while state.is_chance_node():
        actions, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(actions, p=weights)))
    for _ in range(20):
        if state.is_terminal():
            break
        copied = copy.deepcopy(state)
        assert as_policy("greedy", 3)(copied) in copied.legal_actions()
        state.apply_action(policy(state))


def test_openspiel_refuses() -> None:
    """An illegal action raises and wrong parameters are named."""
    game = pyspiel.load_game("python_literature(players=4)")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    with pytest.raises((IllegalActionError, pyspiel.SpielError)):
        state.apply_action(game.num_distinct_actions() - 1)
    with pytest.raises(LiteratureError, match="'ponies' is no rule"):
        pyspiel.load_game("python_literature", {"rules": "ponies"})


@pytest.mark.parametrize(
    ("package", "code", "extra"),
    [
        ("pettingzoo", "from literature_ai.rl import aec_env", "literature-ai[rl]"),
        ("pyspiel", "import literature_ai.rl.openspiel_game", "literature-ai[rl-openspiel]"),
    ],
)
def test_a_missing_framework_is_named_with_its_extra(package: str, code: str, extra: str) -> None:
    """Without a framework, what needs it says which extra brings it."""
    without = f"import sys; sys.modules[{package!r}] = None; {code}"
    run = subprocess.run([sys.executable, "-c", without], capture_output=True, text=True)
    assert run.stderr.splitlines()[-1].endswith(f"pip install '{extra}'")
