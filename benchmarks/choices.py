"""Fit the choice model to the asks of whole games. Used by `learn.py`.

The network (`literature_ai.agents.expert.choice_model`) is fitted by maximum likelihood, given the
true hands of the askers: Adam (D. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization",
ICLR 2015) on batches of asks, with a step size that decays to 0 along a cosine. Asks that are
publicly known to hit are left out, because the opponent model ignores them as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from adam import Ints, Singles, descend

from literature_ai.agents.expert.belief import Belief, new_belief, observe_ask, observe_claim
from literature_ai.agents.expert.choice_model import (
    FEATURES,
    STYLES,
    ChoiceModel,
    describe_asks,
    find_known,
    group_cards,
    new_asks,
)
from literature_ai.bots.registry import parse_spec
from literature_ai.cards import team_of
from literature_ai.events import Asked, Claimed, Passed
from literature_ai.game.compiled_state import apply_pass
from literature_ai.game.game import Game
from literature_ai.game.masks import mask_of
from literature_ai.game.turns import play
from literature_ai.rules import RuleSet

Floats = npt.NDArray[np.float64]

WIDTH = 16
EPOCHS = 30
STEP = 4e-3
DECAY = 1e-4
"""Weight decay in each step."""


class Made(NamedTuple):
    """An observed ask, with the features of all legal asks."""

    x: Singles
    """Rows × features."""
    cards: Singles
    """The number of cards each row stands for."""
    row: int
    """The row of the observed ask."""
    style: int


class Batch(NamedTuple):
    """Many observed asks, padded to the same number of rows; padding has 0 cards."""

    x: Singles
    """Asks × rows × features."""
    cards: Singles
    """Asks × rows."""
    row: Ints
    style: Ints


class Teacher(NamedTuple):
    """Who asks, and in which of the `STYLES`; asks in no style are not learned from."""

    spec: str
    style: str | None


def asks_of(
    teams: tuple[Teacher, Teacher], rules: RuleSet, seed: int, ask_factors: Floats
) -> list[Made]:
    """The open asks of one game between two teams; ask_factors: as for `observe_ask`."""
    return list(_asks_of(teams, rules, seed, ask_factors))


def _asks_of(
    teams: tuple[Teacher, Teacher], rules: RuleSet, seed: int, ask_factors: Floats
) -> Iterator[Made]:
    game = Game.deal(rules, seed=seed)
    hands = [mask_of(game.hand(seat)) for seat in range(rules.players)]
    belief = new_belief(rules, game.start)
    agents = [parse_spec(teams[team_of(seat)].spec).make() for seat in range(rules.players)]
    play(game, agents, np.random.default_rng((seed, 1)))
    for event in game.events:
        if isinstance(event, Asked):
            style = teams[team_of(event.asker)].style
            if belief.possible[event.card] != 1 << event.target and style is not None:
                yield _described(belief, hands[event.asker], event, STYLES.index(style))
            if event.hit:
                hands[event.target] &= ~(1 << event.card)
                hands[event.asker] |= 1 << event.card
            observe_ask(belief, event.asker, event.target, event.card, event.hit, ask_factors)
        elif isinstance(event, Claimed):
            lost = [(hand >> 6 * event.half_suit & 63).bit_count() for hand in hands]
            hands = [hand & ~(63 << 6 * event.half_suit) for hand in hands]
            observe_claim(
                belief, event.claimant, event.half_suit, event.right, np.array(lost, np.int64)
            )
        elif isinstance(event, Passed):
            apply_pass(belief.state, event.to)


def _described(belief: Belief, hand: int, ask: Asked, style: int) -> Made:
    groups = group_cards(belief, team_of(ask.asker))
    known = find_known(belief, groups, ask.asker)
    asks = new_asks(belief, groups)
    rows = describe_asks(belief, groups, known, ask.asker, hand, asks)
    asked = groups.cards[asks.group[:rows]] >> ask.card & 1 == 1
    row = int(np.flatnonzero(asked & (asks.target[:rows] == ask.target))[0])
    features, cards = asks.features[:rows], asks.cards[:rows]
    return Made(features.astype(np.float32), cards.astype(np.float32), row, style)


def gather(found: list[Made]) -> Batch:
    """All asks in arrays with the same number of rows."""
    most = max(len(made.x) for made in found)
    x = np.zeros((len(found), most, FEATURES), np.float32)
    cards = np.zeros((len(found), most), np.float32)
    for i, made in enumerate(found):
        x[i, : len(made.x)] = made.x
        cards[i, : len(made.x)] = made.cards
    return Batch(
        x, cards, np.array([made.row for made in found]), np.array([made.style for made in found])
    )


def log_likelihood(choice: ChoiceModel, asks: Batch) -> dict[str, float]:
    """The mean log-likelihood of the observed asks under the model, in nats, for each style."""
    parts = _parts(choice)
    found = np.empty(len(asks.row))
    for i in range(0, len(found), 2000):
        some = Batch(*(array[i : i + 2000] for array in asks))
        found[i : i + 2000] = np.log(_forward(parts, some)[2][np.arange(len(some.row)), some.row])
    # The probability of a row is shared equally by the cards it stands for.
    found -= np.log(asks.cards[np.arange(len(found)), asks.row])
    return {
        style: round(float(found[asks.style == t].mean()), 4)
        for t, style in enumerate(STYLES)
        if (asks.style == t).any()
    }


def fit(asks: Batch, rng: np.random.Generator) -> ChoiceModel:
    """The network of maximum likelihood for the asks."""
    styles = len(STYLES)
    parts = [
        (rng.standard_normal((FEATURES, WIDTH)) / np.sqrt(FEATURES)).astype(np.float32),
        np.zeros(WIDTH, np.float32),
        (0.1 * rng.standard_normal((WIDTH, styles))).astype(np.float32),
        np.zeros((FEATURES, styles), np.float32),
    ]

    def slopes(parts: list[Singles], some: Ints) -> list[Singles]:
        found = _gradient(parts, Batch(*(array[some] for array in asks)))
        return [slope + DECAY * part for slope, part in zip(found, parts, strict=True)]

    fitted = descend(parts, slopes, len(asks.row), rng, EPOCHS, STEP)
    return ChoiceModel(*(part.astype(float).round(4) for part in fitted))


def _parts(choice: ChoiceModel) -> list[Singles]:
    return [part.astype(np.float32) for part in choice]


def _forward(parts: list[Singles], asks: Batch) -> tuple[Singles, Singles, Singles]:
    """The hidden layer, the output weights of each ask's style, and the probability of each row."""
    hidden, bias, outward, straight = parts
    layer = np.maximum(asks.x @ hidden + bias, 0)
    own = outward.T[asks.style]
    utility = np.einsum("arw,aw->ar", layer, own)
    utility += np.einsum("arf,af->ar", asks.x, straight.T[asks.style])
    utility += np.log(np.maximum(asks.cards, 1e-30))
    chances = np.exp(utility - utility.max(axis=1, keepdims=True))
    return layer, own, chances / chances.sum(axis=1, keepdims=True)


def _gradient(parts: list[Singles], asks: Batch) -> list[Singles]:
    """The gradient of the mean negative log-likelihood, for each part of the network."""
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
