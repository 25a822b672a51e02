"""`literature_ai.rl` without a framework: actions, masks, observations, episodes, policies."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest
from helpers import EVERY_RULE_SOME_SLOW, SIZES

from literature_ai.bots.registry import parse_spec
from literature_ai.cards import cards_of
from literature_ai.errors import LiteratureError
from literature_ai.events import Ask, Asked, Claim, Claimed, Event, Pass, Passed, TimedOut
from literature_ai.game.game import Game
from literature_ai.game.turns import play
from literature_ai.rl.actions import ActionSpace
from literature_ai.rl.encoder import encoder_of
from literature_ai.rl.episode import Episode
from literature_ai.rl.layout import Layout
from literature_ai.rl.options import Options
from literature_ai.rl.policies import PolicyAgent, as_policy
from literature_ai.rules import RuleSet

BOTS = Path(__file__).parents[1] / "support" / "bots"


def episode_of(rules: RuleSet, seed: int, **options: object) -> Episode:
    """A new episode."""
    return Episode(Game.deal(rules, seed=seed), Options(rules, **options))


def random_step(episode: Episode, rng: np.random.Generator) -> int:
    """Take a random legal action; which."""
    legal = episode.legal()
    action = legal[int(rng.integers(len(legal)))]
    episode.step(action)
    return action


def row_of(event: Event, viewer: int, layout: Layout) -> np.ndarray:
    """The features of an event, written part by part."""
    rules, row = layout.rules, np.zeros(layout.event_size, np.float32)
    part = {name: row[place] for name, place in layout.event_slices.items()}

    def mark(name: str, seat: int) -> None:
        part[name][(seat - viewer) % rules.players] = 1

    match event:
        case Asked(asker, target, card, hit):
            part["kind"][0] = part["card"][card] = 1
            mark("actor", asker)
            mark("other", target)
            part["success"][0] = hit
        case Claimed(claimant, half_suit, _, right):
            part["kind"][1] = part["half_suit"][half_suit] = 1
            mark("actor", claimant)
            part["success"][0] = right
        case Passed(giver, to):
            part["kind"][2] = 1
            mark("actor", giver)
            mark("other", to)
        case TimedOut(seat):
            part["kind"][3] = 1
            mark("actor", seat)
    return row


def observation_of(episode: Episode, viewer: int) -> np.ndarray:
    """What the viewer sees, written part by part from the game's own answers."""
    game, layout = episode.turns.game, episode.encoder.layout
    players, seen = game.rules.players, np.zeros(layout.size, np.float32)
    part = {name: seen[place] for name, place in layout.slices.items()}
    part["hand"][list(game.hand(viewer))] = 1
    around = [(viewer + k) % players for k in range(players)]
    part["hand_sizes"][:] = [game.hand_sizes[seat] / game.rules.hand_size for seat in around]
    part["in_play"][list(game.in_play)] = 1
    position = Game(game.rules, game.dealt, game.start)
    for event in game.events:
        before = position.score
        match event:
            case Asked(_, target, card):
                position.apply(Ask(target, card))
            case Claimed(claimant, half_suit, holders):
                position.apply(Claim(half_suit, holders), claimant)
                for team in (0, 1):
                    if position.score[team] > before[team]:
                        part["won" if team == viewer % 2 else "lost"][half_suit] = 1
            case Passed(_, to):
                position.apply(Pass(to))
            case TimedOut():
                position.time_out()
    own, other = game.score[viewer % 2], game.score[1 - viewer % 2]
    part["score"][:] = [own / game.rules.half_suits, other / game.rules.half_suits]
    if game.turn is not None:
        part["turn"][(game.turn - viewer) % players] = 1
    if episode.seat == viewer:
        part["off_turn"][0] = episode.off_turn
        if episode.claiming is not None:
            part["claiming"][episode.claiming] = 1
        nameable = [episode.encoder.space.named(viewer, p) for p in episode.encoder.space.places]
        placed = part["placed"].reshape(6, len(nameable))
        for i, seat in enumerate(episode.placed):
            placed[i, nameable.index(seat)] = 1
    rows = part["events"].reshape(players, layout.event_size)
    for row, event in zip(rows, reversed(game.events[-players:]), strict=False):
        row[:] = row_of(event, viewer, layout)
    return seen


def legal_numbers(episode: Episode) -> list[int]:
    """The legal actions, from what the view of the seat says."""
    space, seat = episode.encoder.space, episode.seat
    if seat is None:
        return []
    if episode.claiming is not None:
        return list(space.places)
    view = episode.view(seat)
    claims = [space.claims[half_suit] for half_suit in view.in_play if view.may_claim]
    if episode.off_turn:
        return sorted([space.decline, *claims])
    asks = [space.encode(seat, action)[0] for action in view.legal_asks]
    passes = [space.encode(seat, Pass(to))[0] for to in view.legal_passes]
    return sorted([*asks, *passes, *claims])


@pytest.mark.parametrize("rules", EVERY_RULE_SOME_SLOW, ids=str)
class TestEveryRule:
    """Masks and observations say what the rules say, under each of them."""

    def test_mask_and_observation(self, rules: RuleSet) -> None:
        """The mask is the legal actions of the view, and each part of an observation says what the
        game says, for every seat, at every decision of a random game."""
        episode, rng = episode_of(rules, seed=5), np.random.default_rng(6)
        for _ in range(120):
            assert list(episode.legal()) == legal_numbers(episode)
            viewer = int(rng.integers(rules.players))
            for seat in {viewer, episode.seat if episode.seat is not None else viewer}:
                seen = episode.observe(seat)
                assert np.array_equal(seen["observation"], observation_of(episode, seat))
                mask = seen["action_mask"]
                expected = legal_numbers(episode) if seat == episode.seat else []
                assert mask.nonzero()[0].tolist() == expected
            if episode.seat is None:
                break
            random_step(episode, rng)

    def test_numbers(self, rules: RuleSet) -> None:
        """Every number decodes to the action that encodes to it, for every seat."""
        space = ActionSpace(rules)
        for seat in range(rules.players):
            for number in (*space.asks, *space.passes, space.decline):
                assert space.encode(seat, space.decode(seat, number)) == (number,)
            for first in space.claims:
                places = (space.places[0], space.places[-1]) * 3
                holders = tuple(space.named(seat, place) for place in places)
                claim = Claim(space.half_suit(first), holders)
                assert space.encode(seat, claim) == (first, *places)

    def test_certain(self, rules: RuleSet) -> None:
        """With claims="certain" a learner is never offered a claim, no claim that is made while an
        ask is possible is wrong, and random play ends."""
        episode, rng = episode_of(rules, seed=8, claims="certain"), np.random.default_rng(9)
        seen = 0
        for _ in range(60):
            if episode.seat is None:
                break
            assert max(episode.legal()) < episode.encoder.space.decline
            random_step(episode, rng)
            game = episode.turns.game
            asked_last = isinstance(game.events[-1], Asked)
            for event in game.events[seen:]:
                if isinstance(event, Claimed) and asked_last:
                    assert event.right
            seen = len(game.events)


def test_size_of_the_action_space() -> None:
    """The numbers of actions are those of the definition: 158 for six players."""
    assert ActionSpace(RuleSet()).size == 144 + 2 + 1 + 8 + 3 == 158
    assert ActionSpace(RuleSet(players=4)).size == 96 + 1 + 1 + 8 + 2
    assert ActionSpace(RuleSet(players=8, split_claims=True)).size == 192 + 3 + 1 + 8 + 8
    assert ActionSpace(RuleSet(deck=54)).size == 162 + 2 + 1 + 9 + 3


@pytest.mark.parametrize("rules", SIZES, ids=str)
def test_observation_hides_what_a_seat_does_not_know(rules: RuleSet) -> None:
    """An observation, with belief and history, is the same in a deal that differs only in cards
    that the viewer cannot know."""
    episode = episode_of(rules, seed=3, belief=True, history=7)
    rng = np.random.default_rng(4)
    for _ in range(25):
        random_step(episode, rng)
    game = episode.turns.game
    for viewer in range(rules.players):
        deal = episode.knowledge(viewer).sample(rng, 1)[0]
        hands = [np.flatnonzero(deal == seat).tolist() for seat in range(rules.players)]
        twin = Episode(Game(rules, hands, game.start), episode.options)
        for event in game.events:
            match event:
                case Asked(_, target, card):
                    twin.answer(Ask(target, card))
                case Claimed(_, half_suit, holders):
                    twin.answer(Claim(half_suit, holders))
        first, second = episode.observe(viewer), twin.observe(viewer)
        if episode.claiming is not None and episode.seat == viewer:
            continue
        assert first.keys() == second.keys() == {"observation", "action_mask", "belief", "history"}
        for name, array in first.items():
            if name != "action_mask" or viewer != episode.seat or episode.claiming is None:
                assert np.array_equal(array, second[name]), name


def test_belief_is_the_posterior_and_history_the_last_events() -> None:
    """``belief`` has the exact posterior with the viewer first; ``history`` the last events, newest
    first, and zeros before the first."""
    rules = RuleSet()
    episode, rng = episode_of(rules, seed=1, belief=True, history=40), np.random.default_rng(2)
    for _ in range(20):
        random_step(episode, rng)
    for viewer in range(6):
        seen = episode.observe(viewer)
        posterior = episode.knowledge(viewer).posterior()
        for k in range(6):
            column = posterior[:, (viewer + k) % 6].astype(np.float32)
            assert np.array_equal(seen["belief"][:, k], column)
        events = episode.turns.game.events
        layout = episode.encoder.layout
        assert np.array_equal(
            seen["history"][: len(events)],
            np.array([row_of(event, viewer, layout) for event in reversed(events)]),
        )
        assert not seen["history"][len(events) :].any()


def test_places_possible() -> None:
    """With places="possible" no card of a claim can be placed with a seat that cannot have it, and
    no claim is offered whose cards cannot all be inside."""
    rules = RuleSet()
    rng = np.random.default_rng(3)
    episode = episode_of(rules, seed=2, places="possible")
    claims = 0
    while episode.seat is not None:
        seat, space = episode.seat, episode.encoder.space
        possible = episode.knowledge(seat).possible_seats()
        for number in episode.legal():
            if number in space.places:
                card = episode.next_card()
                assert card is not None
                assert possible[card] >> space.named(seat, number) & 1
                claims += 1
            elif number in space.claims and any(n in space.asks for n in episode.legal()):
                team = sum(1 << mate for mate in range(seat % 2, 6, 2))
                assert all(possible[c] & team for c in cards_of(space.half_suit(number)))
        random_step(episode, rng)
    assert claims


@pytest.mark.parametrize("reward", ["result", "margin"])
def test_rewards(reward: str) -> None:
    """Rewards are 0 before the end, then the result or the share of half-suits, and sum to 0."""
    for seed in range(6):
        episode = episode_of(RuleSet(play_out=seed % 2 == 0), seed, reward=reward)
        rng = np.random.default_rng(seed)
        while episode.seat is not None:
            assert episode.rewards() == (0.0, 0.0)
            random_step(episode, rng)
        a, b = episode.turns.game.score
        expected = (a - b) / 8 if reward == "margin" else float(np.sign(a - b))
        assert episode.rewards() == (expected, -expected)


def test_copies_are_independent() -> None:
    """A copy in the middle of a claim plays on like the original, and alone."""
    episode, rng = episode_of(RuleSet.parse("us54"), seed=4), np.random.default_rng(1)
    while not episode.placed:
        random_step(episode, rng)
    twin, before = copy.deepcopy(episode), repr(episode)
    actions = [random_step(twin, rng) for _ in range(30) if twin.seat is not None]
    assert repr(episode) == before
    for action in actions:
        episode.step(action)
    assert episode.turns.game.events == twin.turns.game.events


def test_illegal_actions_change_nothing() -> None:
    """Every number outside the mask raises, says why, and leaves the episode as it is."""
    for seed in range(3):
        episode, rng = episode_of(RuleSet.parse("us54"), seed), np.random.default_rng(seed)
        for _ in range(30):
            if episode.seat is None:
                break
            before = episode.observe(episode.seat)
            legal = episode.legal()
            for number in range(-1, episode.encoder.space.size + 1):
                if number not in legal:
                    with pytest.raises(LiteratureError, match=r"\w{3}"):
                        episode.step(number)
            after = episode.observe(episode.seat)
            assert all(np.array_equal(before[name], after[name]) for name in before)
            random_step(episode, rng)


def test_bad_options() -> None:
    """An option that there is not, or a value out of range, gets a line that says what is right."""
    with pytest.raises(LiteratureError, match="there is no option 'beliefs'; the options are"):
        Options.of("canadian", beliefs=True)
    with pytest.raises(LiteratureError, match="reward is 'win'; it must be 'result' or 'margin'"):
        Options.of(reward="win")
    with pytest.raises(LiteratureError, match="history is -1; it must be a number of events"):
        Options.of(history=-1)


def test_agents_as_policies_play_the_same_game() -> None:
    """An agent that draws nothing plays through `as_policy` just the game that it plays by itself,
    also with claims on and off turn."""
    spec = f"{BOTS / 'simple.py'}:First"
    for words in ("canadian", "us54", "russian pass-turn"):
        rules = RuleSet.parse(words)
        game = Game.deal(rules, seed=3)
        agents = [parse_spec(spec).make() for _ in range(rules.players)]
        play(game, agents, np.random.default_rng(1))
        episode, policy = episode_of(rules, 3), as_policy(spec)
        while episode.seat is not None:
            episode.step(policy(episode))
        assert episode.turns.game.events == game.events


class Recorded(PolicyAgent):
    """Takes a legal action by what it sees, and remembers all it has seen."""

    def __init__(self, **options: object) -> None:
        super().__init__(self.decide, **options)
        self.seen: list[dict[str, np.ndarray]] = []

    def decide(self, seen: dict[str, np.ndarray], rng: np.random.Generator) -> int:
        self.seen.append(seen)
        legal = np.flatnonzero(seen["action_mask"])
        return int(legal[int(seen["observation"].sum() * 7919) % len(legal)])


@pytest.mark.parametrize(
    ("words", "claims"),
    [
        ("canadian", "sequential"),
        ("us54", "sequential"),
        ("players-4", "certain"),
        ("pagat", "certain"),
        ("split-claims", "sequential"),
        pytest.param("canadian", "certain", marks=pytest.mark.slow),
        pytest.param("us54", "certain", marks=pytest.mark.slow),
        pytest.param("split-claims", "certain", marks=pytest.mark.slow),
    ],
)
def test_policies_as_agents_see_the_same(words: str, claims: str) -> None:
    """A policy plays, as an agent, just the game that it plays in an episode, and sees just the
    same arrays."""
    rules = RuleSet(players=4) if words == "players-4" else RuleSet.parse(words)
    options = {"claims": claims, "history": 3, "belief": claims == "certain"}
    game = Game.deal(rules, seed=9)
    agents = [Recorded(**options) for _ in range(rules.players)]
    play(game, agents, np.random.default_rng(1))
    episode = Episode(Game.deal(rules, seed=9), Options(rules, **options))
    seen: list[list[dict[str, np.ndarray]]] = [[] for _ in agents]
    while (seat := episode.seat) is not None:
        seen[seat].append(episode.observe(seat))
        episode.step(agents[seat].decide(seen[seat][-1], agents[seat].rng))
        agents[seat].seen.pop()
    assert episode.turns.game.events == game.events
    for agent, observations in zip(agents, seen, strict=True):
        assert len(agent.seen) == len(observations)
        for first, second in zip(agent.seen, observations, strict=True):
            assert all(np.array_equal(first[name], second[name]) for name in second)


def test_encoder_is_shared() -> None:
    """Episodes with the same options share one encoder."""
    options = Options(RuleSet())
    assert encoder_of(options) is encoder_of(Options(RuleSet()))
