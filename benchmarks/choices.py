"""How players choose their asks: the games to learn it from, and the fit. Used by `fit_expert.py`.

`literature_ai.agents.expert.choice_model` says what is fitted. The network is fitted by maximum
likelihood to the asks of whole games, with the hands that the askers really had: Adam (Kingma and
Ba 2015) on batches of asks, the step falling to nothing along a cosine. Sure asks are left out, for
nothing is read from them either.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from literature_ai.agents.expert import belief as belief
from literature_ai.agents.expert.choice_model import (
    FEATURES,
    STYLES,
    ChoiceModel,
    describe_asks,
    group_cards,
)
from literature_ai.bots.registry import parse_spec
from literature_ai.cards import team_of
from literature_ai.events import Asked, Claimed
from literature_ai.game.game import Game
from literature_ai.game.masks import mask_of
from literature_ai.game.turns import play
from literature_ai.rules import RuleSet

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Singles = npt.NDArray[np.float32]

WIDTH = 12
EPOCHS = 30
BATCH = 256
STEP = 4e-3
DECAY = 1e-4
"""Of the weights towards nothing, a step."""


class Made(NamedTuple):
    """An ask that was made, among those that could have been."""

    x: Singles
    """Rows × features."""
    alike: Singles
    """The number of cards each row stands for."""
    row: int
    """The ask that was made."""
    style: int


class Asks(NamedTuple):
    """Many of them; rows that do not exist stand for no cards."""

    x: Singles
    """Asks × rows × features."""
    alike: Singles
    """Asks × rows."""
    row: Ints
    style: Ints


def nothing_known() -> ChoiceModel:
    """The network that finds all asks alike: where the first round of games begins."""
    n, styles = len(FEATURES), len(STYLES)
    return ChoiceModel(
        np.zeros((n, WIDTH)), np.zeros(WIDTH), np.zeros((WIDTH, styles)), np.zeros((n, styles))
    )


def asks_of(specs: tuple[str, str], seed: int, readings: Floats) -> list[Made]:
    """The asks, of which the answer was not known to all, of one game between two teams."""
    return list(_asks_of(specs, seed, readings))


def _asks_of(specs: tuple[str, str], seed: int, readings: Floats) -> Iterator[Made]:
    rules = RuleSet()
    game = Game.deal(rules, seed=seed)
    hands = [mask_of(game.hand(seat)) for seat in range(rules.players)]
    k = belief.new_belief(rules.half_suits, (rules.hand_size,) * rules.players, 0, rules.bluff_asks)
    agents = [parse_spec(specs[team_of(seat)]).make() for seat in range(rules.players)]
    play(game, agents, np.random.default_rng((seed, 1)))
    for event in game.events:
        if isinstance(event, Asked):
            spec = specs[team_of(event.asker)]
            if k.may[event.card] != 1 << event.target and spec in STYLES:
                yield _described(k, hands[event.asker], event, STYLES.index(spec))
            if event.hit:
                hands[event.target] &= ~(1 << event.card)
                hands[event.asker] |= 1 << event.card
            belief.observe_ask(k, event.asker, event.target, event.card, event.hit, readings)
        elif isinstance(event, Claimed):
            lost = [(hand >> 6 * event.half_suit & 63).bit_count() for hand in hands]
            hands = [hand & ~(63 << 6 * event.half_suit) for hand in hands]
            belief.observe_claim(k, event.half_suit, np.array(lost))


def _described(k: belief.Belief, hand: int, ask: Asked, style: int) -> Made:
    groups = group_cards(k, team_of(ask.asker))
    most = len(groups.cards) * (len(k.sizes) // 2)
    x = np.zeros((most, len(FEATURES)))
    group, target, alike = (np.zeros(most, np.int64) for _ in range(3))
    rows = describe_asks(k, groups, ask.asker, hand, x, group, target, alike)
    asked = groups.cards[group[:rows]] >> ask.card & 1 == 1
    row = int(np.flatnonzero(asked & (target[:rows] == ask.target))[0])
    return Made(x[:rows].astype(np.float32), alike[:rows].astype(np.float32), row, style)


def gather(found: list[Made]) -> Asks:
    """All asks in arrays of one length."""
    most = max(len(made.x) for made in found)
    x = np.zeros((len(found), most, len(FEATURES)), np.float32)
    alike = np.zeros((len(found), most), np.float32)
    for i, made in enumerate(found):
        x[i, : len(made.x)] = made.x
        alike[i, : len(made.x)] = made.alike
    return Asks(
        x, alike, np.array([made.row for made in found]), np.array([made.style for made in found])
    )


def log_likelihood(choice: ChoiceModel, asks: Asks) -> dict[str, float]:
    """The mean logarithm of the chance that the model gives the ask made, for each style."""
    parts = _parts(choice)
    found = np.empty(len(asks.row))
    for i in range(0, len(found), 2000):
        some = Asks(*(array[i : i + 2000] for array in asks))
        found[i : i + 2000] = np.log(_forward(parts, some)[2][np.arange(len(some.row)), some.row])
    # The chance of a row is shared by the cards it stands for.
    found -= np.log(asks.alike[np.arange(len(found)), asks.row])
    return {
        style: round(float(found[asks.style == t].mean()), 4)
        for t, style in enumerate(STYLES)
        if (asks.style == t).any()
    }


def fit(asks: Asks, rng: np.random.Generator) -> ChoiceModel:
    """The network under which the asks were likeliest."""
    n, styles = len(FEATURES), len(STYLES)
    parts = [
        (rng.standard_normal((n, WIDTH)) / np.sqrt(n)).astype(np.float32),
        np.zeros(WIDTH, np.float32),
        (0.1 * rng.standard_normal((WIDTH, styles))).astype(np.float32),
        np.zeros((n, styles), np.float32),
    ]
    first = [np.zeros_like(part) for part in parts]
    second = [np.zeros_like(part) for part in parts]
    steps = EPOCHS * (len(asks.row) // BATCH)
    step = 0
    for _ in range(EPOCHS):
        order = rng.permutation(len(asks.row))
        for i in range(0, len(order) - BATCH + 1, BATCH):
            some = Asks(*(array[order[i : i + BATCH]] for array in asks))
            step += 1
            size = STEP * (1 + np.cos(np.pi * step / steps)) / 2
            for j, slope in enumerate(_gradient(parts, some)):
                slope = slope + DECAY * parts[j]
                first[j] = 0.9 * first[j] + 0.1 * slope
                second[j] = 0.999 * second[j] + 0.001 * slope * slope
                change = first[j] / (1 - 0.9**step)
                change = change / (np.sqrt(second[j] / (1 - 0.999**step)) + 1e-8)
                parts[j] = (parts[j] - size * change).astype(np.float32)
    return ChoiceModel(*(part.astype(float).round(4) for part in parts))


def _parts(choice: ChoiceModel) -> list[Singles]:
    return [part.astype(np.float32) for part in choice]


def _forward(parts: list[Singles], asks: Asks) -> tuple[Singles, Singles, Singles]:
    """The hidden layer, the outward weights of each ask's style, and the chance of each row."""
    hidden, bias, outward, straight = parts
    layer = np.maximum(asks.x @ hidden + bias, 0)
    own = outward.T[asks.style]
    utility = np.einsum("arw,aw->ar", layer, own)
    utility += np.einsum("arf,af->ar", asks.x, straight.T[asks.style])
    utility += np.log(np.maximum(asks.alike, 1e-30))
    chances = np.exp(utility - utility.max(axis=1, keepdims=True))
    return layer, own, chances / chances.sum(axis=1, keepdims=True)


def _gradient(parts: list[Singles], asks: Asks) -> list[Singles]:
    """Of the mean negative log likelihood, for each part."""
    layer, own, slope = _forward(parts, asks)
    slope[np.arange(len(slope)), asks.row] -= 1
    slope /= len(slope)
    by_layer = np.einsum("ar,arw->aw", slope, layer)
    by_x = np.einsum("ar,arf->af", slope, asks.x)
    outward, straight = np.zeros_like(parts[2]), np.zeros_like(parts[3])
    for t in range(len(STYLES)):
        outward[:, t] = by_layer[asks.style == t].sum(axis=0)
        straight[:, t] = by_x[asks.style == t].sum(axis=0)
    inner = slope[:, :, None] * own[:, None, :] * (layer > 0)
    flat = inner.reshape(-1, inner.shape[2])
    return [
        asks.x.reshape(len(flat), -1).T @ flat,
        flat.sum(axis=0),
        outward,
        straight,
    ]
