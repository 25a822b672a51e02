"""Wild games, and everything that `Knowledge` says in them compared with `plain_counter`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from helpers import random_rules, random_step
from plain_counter import Group, PlainCounter, TooLooseError, share

from literature_ai.cards import team_of
from literature_ai.errors import LiteratureError
from literature_ai.game.game import Game
from literature_ai.inference.knowledge import Knowledge

IN_A_GAME = 10
"""Positions of one game at most."""
EXPONENTS = 50
"""Weights of subsets go down to 2 to the minus this, about 1e-15."""


def wild_deal(rng: np.random.Generator) -> Game:
    """A game of random rules whose deal is uniform, or skewed: half-suits lie together, in a hand
    or in a team."""
    rules = random_rules(rng)
    cards = np.arange(rules.cards)
    place = rng.permutation(rules.half_suits)[cards // 6] * rng.choice((0.0, 0.3, 1.0, 3.0))
    deck = cards[np.argsort(place + rng.random(rules.cards), kind="stable")]
    hands = deck.reshape(rules.players, rules.hand_size).tolist()
    if rng.integers(2):  # neighbours in the deck are teammates
        hands = [hands[s // 2 + s % 2 * (rules.players // 2)] for s in range(rules.players)]
    return Game(rules, hands, int(rng.integers(rules.players)))


def fuzz(rng: np.random.Generator, positions: int) -> int:
    """Check so many positions of wild games, as a seat or everyone sees them; return how many."""
    checked = 0
    while checked < positions:
        game = wild_deal(rng)
        claim = float(rng.choice((0.02, 0.1, 0.4)))
        seat = None if rng.random() < 0.15 else int(rng.integers(game.rules.players))
        hand = () if seat is None else game.hand(seat)
        known = Knowledge(game.rules, seat, None if seat is None else hand)
        plain = PlainCounter(game.rules, seat, hand)
        until = min(positions, checked + IN_A_GAME)
        while not game.over and checked < until:
            event = random_step(game, rng, claim)
            known.observe(event)
            plain.observe(event)
            if rng.random() < 0.3:
                try:
                    check(known, plain, rng)
                except TooLooseError:
                    continue
                checked += 1
    return checked


def check(known: Knowledge, plain: PlainCounter, rng: np.random.Generator) -> None:
    """Compare deals, posterior, certainty, claims, layouts, held and samples. Raises
    `plain_counter.TooLooseError` when there is too much to count."""
    groups = plain.groups()
    deals = groups[0].total()
    assert known.deals() == deals
    check_posterior(known, plain, groups, known.posterior(), 1e-11)
    for team in (0, 1):
        check_claims(known, plain, groups, team, groups)
    check_held(known, plain, groups)
    check_layouts(known, groups, int(rng.integers(len(groups))))
    check_samples(known.sample(rng, 10), plain, groups)
    check_weights(known, plain, groups, rng)


def check_posterior(
    known: Knowledge,
    plain: PlainCounter,
    groups: list[Group],
    posterior: npt.NDArray[np.float64],
    accuracy: float,
) -> None:
    """Each card at each seat; 0 and 1 exactly, and the certain cards, without weights."""
    players = plain.rules.players
    expected = np.zeros((plain.rules.cards, players))
    for h in plain.in_play:
        total = groups[h].total()
        for card, row in enumerate(groups[h].marginals(players)):
            expected[6 * h + card] = [share(part, total) for part in row]
    assert np.abs(expected - posterior).max() <= accuracy
    if accuracy < 1e-10:
        assert ((expected == 0.0) == (posterior == 0.0)).all()
        assert ((expected == 1.0) == (posterior == 1.0)).all()
        cards, seats = (expected == 1.0).nonzero()
        assert dict(zip(cards.tolist(), seats.tolist(), strict=True)) == known.certain()


def check_claims(
    known: Knowledge,
    plain: PlainCounter,
    groups: list[Group],
    team: int,
    unweighted: list[Group],
    weights: npt.NDArray[np.float64] | None = None,
) -> None:
    """The best claims of a team, their probability, what is held, and the flag."""
    rules = plain.rules
    allowed = [rules.split_claims or team_of(seat) == team for seat in range(rules.players)]
    found = {claim.half_suit: claim for claim in known.claims(team, weights)}
    accuracy = 1e-11 if weights is None else 1e-9
    certain = []
    for h in sorted(plain.in_play):
        total = groups[h].total()
        best, held = groups[h].best(allowed)
        alone = len(unweighted[h].now) == 1
        if not best:
            assert h not in found
            continue
        if weights is not None and h not in found:
            assert best / total < 1e-200
            continue
        claim = found.pop(h)
        assert abs(share(best, total) - claim.probability) <= accuracy
        assert abs(share(held, total) - claim.held) <= accuracy
        assert alone == claim.certain
        named = (groups[h].now == np.array(claim.holders)).all(axis=1)
        assert share(groups[h].total(named), total) >= claim.probability - accuracy
        if weights is None:
            assert (best == total) == (claim.probability == 1.0) == claim.certain
            assert (held == total) == (claim.held == 1.0)
        if alone:
            certain.append((h, claim.holders))
    assert not found
    assert certain == [(claim.half_suit, claim.holders) for claim in known.certain_claims(team)]


def check_held(known: Knowledge, plain: PlainCounter, groups: list[Group]) -> None:
    """The probability that a team holds all six cards; 0 and 1 exactly, and 0 out of play."""
    held = known.held()
    for team in (0, 1):
        inside = [team_of(seat) == team for seat in range(plain.rules.players)]
        for h, group in enumerate(groups):
            part = group.best(inside)[1] if h in plain.in_play else 0
            chance = share(part, group.total())
            assert abs(chance - held[team, h]) <= 1e-11
            assert (chance in (0.0, 1.0)) == (held[team, h] in (0.0, 1.0))


def check_layouts(known: Knowledge, groups: list[Group], h: int) -> None:
    """All layouts of a half-suit as dealt, and their probabilities."""
    group = groups[h]
    total = group.total()
    layouts, chances = known.counting.layouts(h)
    found = dict(zip(map(tuple, layouts.tolist()), chances.tolist(), strict=True))
    each = zip(map(tuple, group.dealt.tolist()), group.entry.tolist(), strict=True)
    expected = {layout: share(group.ways[entry], total) for layout, entry in each}
    assert expected.keys() == found.keys()
    assert all(abs(expected[layout] - found[layout]) <= 1e-11 for layout in expected)


def check_samples(deals: npt.NDArray[np.int8], plain: PlainCounter, groups: list[Group]) -> None:
    """Every sample is a deal that fits."""
    for h, group in enumerate(groups):
        possible = set(map(tuple, group.dealt.tolist()))
        assert set(map(tuple, deals[:, 6 * h : 6 * h + 6].tolist())) <= possible
    for seat, size in enumerate(plain.sizes):
        assert ((deals == seat).sum(axis=1) == size).all()


def check_weights(
    known: Knowledge, plain: PlainCounter, groups: list[Group], rng: np.random.Generator
) -> None:
    """With weights over many powers of ten, some of them 0 in every second call: posterior, claims
    and samples, or the error that the weights leave no deal."""
    shape = plain.rules.half_suits, plain.rules.players, 64
    exponents = rng.integers(0, EXPONENTS, shape)
    if rng.integers(2):
        exponents[rng.random(shape) < rng.choice((0.05, 0.3))] = -1
    weights = np.where(exponents < 0, 0.0, 2.0**-exponents)
    weighted = plain.groups(exponents)
    if any(group.total() == 0 for group in weighted):
        for query in (known.posterior, known.claims, lambda weights: known.sample(rng, 1, weights)):
            with pytest.raises(LiteratureError, match="the weights rule out every deal"):
                query(weights=weights)
        return
    check_posterior(known, plain, weighted, known.posterior(weights), 1e-9)
    check_claims(known, plain, weighted, int(rng.integers(2)), groups, weights)
    check_samples(known.sample(rng, 10, weights), plain, weighted)
    steep = np.maximum(rng.random(shape) ** rng.choice((3, 12)), 1e-15)
    check_samples(known.sample(rng, 10, steep), plain, groups)
