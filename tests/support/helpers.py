"""Games for tests: written in words, or played by random legal actions of every kind."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from literature_ai.cards import (
    HALF_SUIT_NAMES,
    Card,
    Seat,
    cards_of,
    parse,
    parse_half_suit,
    parse_seat,
)
from literature_ai.events import Ask, Claim, Event, Pass
from literature_ai.game.game import Game
from literature_ai.rules import SWITCHES, RuleSet

SIZES: tuple[RuleSet, ...] = (
    RuleSet(players=4),
    RuleSet(),
    RuleSet(players=8),
    RuleSet(deck=54),
)
"""Every number of players and both decks, without any switch."""

SUIT_EACH = """game 1
players 4
hand A1 2S 3S 4S 5S 6S 7S 9S TS JS QS KS AS
hand B1 2H 3H 4H 5H 6H 7H 9H TH JH QH KH AH
hand A2 2D 3D 4D 5D 6D 7D 9D TD JD QD KD AD
hand B2 2C 3C 4C 5C 6C 7C 9C TC JC QC KC AC
start B1
"""
"""The beginning of a record in which each player was dealt a suit, so all can claim two."""

EVERY_RULE: tuple[RuleSet, ...] = (
    *SIZES,
    *(replace(size, **{switch: True}) for size, switch in product(SIZES, SWITCHES)),
    *(replace(size, turn_seconds=30) for size in SIZES),
    *(replace(size, claim_any_time=True, cardless_claims=True) for size in SIZES),
    *(replace(size, split_claims=True, wrong_hides=True, bluff_asks=True) for size in SIZES),
    *(replace(size, turn_seconds=30, **dict.fromkeys(SWITCHES, True)) for size in SIZES),
    RuleSet.parse("us54"),
    RuleSet.parse("pagat"),
    *(replace(size, claim_any_time=True, claim_takes_turn=True) for size in SIZES),
    *(replace(size, left_out=rank) for size in SIZES[:3] for rank in (7, 2)),
    *(replace(size, choose_claimant=True, play_out=True, split_claims=True) for size in SIZES),
)
"""Every size alone, with each switch, and with some and all of them together."""


def slow_after(number: int) -> bool:
    """Whether the rules of this number are left to the slow tests: there each switch is tried with
    every size, in the others with one."""
    switches = number - len(SIZES)
    if 0 <= switches < len(SIZES) * len(SWITCHES):
        size, switch = divmod(switches, len(SWITCHES))
        return size != switch % len(SIZES)
    return number >= len(SIZES) and number % 3 != 0


EVERY_RULE_SOME_SLOW = [
    pytest.param(rules, marks=pytest.mark.slow) if slow_after(number) else rules
    for number, rules in enumerate(EVERY_RULE)
]
"""`EVERY_RULE` as parameters of a test that takes long: most of them are left to the slow tests."""
FEW = frozenset(
    number
    for number, rules in enumerate(EVERY_RULE)
    if rules in (*SIZES, RuleSet.parse("us54"), RuleSet.parse("pagat"))
    or all(getattr(rules, switch) for switch in SWITCHES)
)
"""The numbers of every size alone and with all switches, and of the presets: what a test that takes
very long tries, and leaves the other rules to the slow tests."""
NUMBERS_SOME_SLOW = [
    pytest.param(number, marks=pytest.mark.slow) if slow_after(number) else number
    for number in range(len(EVERY_RULE))
]
"""The same as numbers."""


def seat(name: str) -> Seat:
    """The seat of this name."""
    return parse_seat(name)


def ask(target: str, card: str) -> Ask:
    """An ask in words: ``ask("B1", "3D")``."""
    return Ask(parse_seat(target), parse(card))


def claim(half_suit: str, holders: str) -> Claim:
    """A claim in words, of one holder or of six: ``claim("LS", "A1 A1 A2 A2 A3 A3")``."""
    seats = tuple(parse_seat(name) for name in holders.split())
    return Claim(parse_half_suit(half_suit), seats * 6 if len(seats) == 1 else seats)


def give(to: str) -> Pass:
    """A pass in words."""
    return Pass(parse_seat(to))


def cards(words: str) -> tuple[Card, ...]:
    """Cards in words, in order; the name of a half-suit stands for its six cards."""
    found: list[Card] = []
    for word in words.split():
        if word in HALF_SUIT_NAMES:
            found += cards_of(parse_half_suit(word))
        else:
            found.append(parse(word))
    return tuple(sorted(found))


def game_of(rules: RuleSet, start: str, *hands: str) -> Game:
    """A game of these hands, in words and in the order of seats."""
    return Game(rules, [cards(hand) for hand in hands], parse_seat(start))


def random_rules(rng: np.random.Generator) -> RuleSet:
    """Rules drawn at random: a size, and each switch with an even chance."""
    size = SIZES[rng.integers(len(SIZES))]
    switches = {switch: bool(rng.integers(2)) for switch in SWITCHES}
    return replace(size, turn_seconds=30 if rng.integers(2) else None, **switches)


def random_game(
    rules: RuleSet, rng: np.random.Generator, until: int | None = None, claim: float = 0.1
) -> Game:
    """A game played by `random_step` to its end, or until so many events have happened.

    The higher ``claim`` (0 to 1), the more often somebody claims who need not.
    """
    game = Game.deal(rules, rng=rng)
    while not game.over and (until is None or len(game.events) < until):
        random_step(game, rng, claim)
    return game


def random_step(game: Game, rng: np.random.Generator, claim: float = 0.1) -> Event:
    """Do something legal: asks mostly (every third one sure to hit, if any is), sometimes a pass,
    a timeout, or a claim by anyone who may claim, right more often than not."""
    asks, passes = game.legal_asks(), game.legal_passes()
    claimants = [seat for seat in range(game.rules.players) if game.may_claim(seat)]
    chance = rng.random()
    if game.rules.turn_seconds and chance < 0.05:
        return game.time_out()
    if claimants and (chance > 1 - claim or not (asks or passes)):
        seat = claimants[rng.integers(len(claimants))]
        if not asks and not passes and not game.rules.claim_any_time:
            seat = claimants[0]
        return game.apply(random_claim(game, seat, rng), seat)
    if passes and (not asks or chance < 0.1):
        return game.apply(Pass(passes[rng.integers(len(passes))]))
    if rng.random() < 0.35:
        hits = [ask for ask in asks if ask.card in game.hand(ask.target)]
        if hits:
            return game.apply(hits[rng.integers(len(hits))])
    return game.apply(asks[rng.integers(len(asks))])


def random_claim(game: Game, seat: Seat, rng: np.random.Generator) -> Claim:
    """A legal claim of that seat: true if its rules let it be and a coin says so, else any."""
    rules = game.rules
    allowed = [s for s in range(rules.players) if rules.split_claims or s % 2 == seat % 2]
    truths = [holders_now(game, half_suit) for half_suit in game.in_play]
    right = [
        Claim(half_suit, truth)
        for half_suit, truth in zip(game.in_play, truths, strict=True)
        if set(truth) <= set(allowed)
    ]
    if right and rng.random() < 0.6:
        return right[rng.integers(len(right))]
    half_suit = game.in_play[rng.integers(len(game.in_play))]
    return Claim(half_suit, tuple(allowed[i] for i in rng.integers(len(allowed), size=6)))


def holders_now(game: Game, half_suit: int) -> tuple[Seat, ...]:
    """Who holds the six cards of a half-suit in play, in card order."""
    return tuple(
        next(seat for seat in range(game.rules.players) if card in game.hand(seat))
        for card in cards_of(half_suit)
    )
