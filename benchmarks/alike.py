"""What a convention can say: how many asks are alike, and how many bits teammates hear.

    python benchmarks/alike.py expert:convention=K --games 40

Six copies of an agent with a convention play each game. After each ask all others that everyone
thought possible are counted: how many there were, and how many the asker found about as good, by
the gap between the chances of a hit as everyone sees them. Those are the frequencies that
`literature_ai.agents.expert.convention.ALIKE` holds.

The bits that an ask tells the next teammate are log2 of how much likelier it makes what the asker
holds of the half-suit, to a teammate who draws deals from all that they know: by the key alone,
without what the ask says to everyone.
"""

from __future__ import annotations

import argparse

import numpy as np

from literature_ai.agents.expert import convention
from literature_ai.agents.expert.agent import Expert
from literature_ai.agents.expert.belief import ALL_SIX, NOBODY, SIX, Belief, believe, held_of
from literature_ai.agents.expert.opponent_model import masks_of
from literature_ai.bots.registry import parse_spec
from literature_ai.cards import Seat
from literature_ai.events import Ask, Asked
from literature_ai.game.game import Game
from literature_ai.game.masks import mask_of
from literature_ai.game.state import HAND_SIZES, PLAYERS
from literature_ai.game.turns import steps
from literature_ai.rules import RuleSet
from solver.kernels.arrays import Floats2, Ints2

SURE, UNSURE, GROUP, SAME, ELSEWHERE = range(5)
KINDS = (
    "sure, another sure one",
    "sure, not a sure one",
    "open, a card of the same group",
    "open, the same half-suit",
    "open, another half-suit",
)
COUNTS = np.zeros((len(KINDS), len(convention.GAPS) + 1, 2), np.int64)
"""Kinds × intervals of the gap × all, and those that were alike."""
NUMBERS: list[int] = []
"""How many asks were alike, at each ask that spoke."""


class CountingCode(convention.Code):
    """A code that counts what it chooses from."""

    def choose(
        self, before: Belief, seat: Seat, hand: int, best: Ask, chances: Floats2, deals: Ints2
    ) -> Ask:
        made = super().choose(before, seat, hand, best, chances, deals)
        if before.possible[made.card] >> made.target & 1:
            near = convention.ALIKE[self.mode].near
            alike = set(convention.alike_asks(before, seat, hand, best, chances, near))
            if self.mode == "open" or convention.safe_half_suit(before, seat, hand, deals) >= 0:
                NUMBERS.append(len(alike))
            count(before, seat, hand, made, alike)
        return made


def count(before: Belief, seat: Seat, hand: int, made: Ask, alike: set[Ask]) -> None:
    """Add the other asks to the counts."""
    public = np.empty((len(before.possible), before.state[PLAYERS]))
    believe(before, seat % 2, NOBODY, 0, public)
    sure = before.possible[made.card] == 1 << made.target
    chance = public[made.card, made.target] / (1.0 - public[made.card, seat])
    for card in range(len(public)):
        lacking = 1.0 - public[card, seat]
        if hand >> card & 1 or lacking <= 0.0 or not held_of(hand, card // SIX):
            continue
        for target in range(1 - seat % 2, public.shape[1], 2):
            ask = Ask(target, card)
            may = before.possible[card]
            if not may >> target & 1 or not before.state[HAND_SIZES + target] or ask == made:
                continue
            gap = public[card, target] / lacking - chance
            kind = SAME if card // SIX == made.card // SIX else ELSEWHERE
            if sure or may == 1 << target:
                kind = SURE if sure and may == 1 << target else UNSURE
            elif kind == SAME and may == before.possible[made.card] and abs(gap) < 0.01:
                kind = GROUP
            COUNTS[kind, convention.interval(gap)] += 1, ask in alike


def bits_of_game(spec: str, seed: int, players: int) -> list[float]:
    """Play a game; the bits that each ask told the next teammate."""
    game = Game.deal(RuleSet(players=players), seed=seed)
    rng = np.random.default_rng((seed, 2))
    agents = [parse_spec(spec).make() for _ in range(players)]
    hearers: list[Expert] = []
    for seat in range(players):
        hearer = parse_spec(spec).make()
        assert isinstance(hearer, Expert)
        hearer.start(game.view(seat), np.random.default_rng((seed, 3, seat)))
        hearers.append(hearer)
    bits: list[float] = []
    for event in steps(game, agents, np.random.default_rng((seed, 1))):
        if isinstance(event, Asked):
            hearer = hearers[(event.asker + 2) % players]
            made = hearer.opponent_model.made(event, hearer.belief)
            code = hearer.observer.codes[event.asker % 2]
            said = code.hear(made) if code else None
            if said is not None:
                bits += heard(said, hearer, mask_of(game.dealt[event.asker]), rng)
        for each in hearers:
            each.observe(event)
    return bits


def heard(
    said: convention.Said, hearer: Expert, truth: int, rng: np.random.Generator
) -> list[float]:
    """The bits that an ask tells of each half-suit that it may speak of; truth: the asker's cards
    as dealt, as a mask."""
    deals = hearer.knowledge.sample(rng, 400, hearer.opponent_model.weights)
    dealt = masks_of(deals, said.made.asked.asker)
    bits = []
    for half_suit, chance in said.half_suits(deals):
        factors = said.factors(half_suit, chance)
        mean = factors[dealt >> SIX * half_suit & ALL_SIX].mean()
        bits.append(float(np.log2(factors[truth >> SIX * half_suit & ALL_SIX] / mean)))
    return bits


def main() -> None:
    parser = argparse.ArgumentParser(description="How often other asks were alike.")
    parser.add_argument("agent", help="with a convention")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--players", type=int, default=6)
    parser.add_argument("--seed", type=int, default=2_000_000)
    arguments = parser.parse_args()

    convention.Code = CountingCode  # type: ignore[misc]
    bits: list[float] = []
    for seed in range(arguments.seed, arguments.seed + arguments.games):
        bits += bits_of_game(arguments.agent, seed, arguments.players)
    bounds = ["", *map(str, convention.GAPS), ""]
    print("| other ask | gap | asks | alike |\n|---|---|--:|--:|")
    for kind, rows in zip(KINDS, COUNTS, strict=True):
        for i, (asks, alike) in enumerate(rows):
            if asks:
                print(f"| {kind} | {bounds[i]} … {bounds[i + 1]} | {asks} | {alike / asks:.3f} |")
    a_game = len(NUMBERS) / arguments.games
    print(f"\n{a_game:.1f} asks a game speak, each chosen from {np.mean(NUMBERS):.1f} alike ones")
    print(f"log2 of that number: {np.log2(NUMBERS).mean():.2f} bits an ask")
    heard = np.array(bits) if bits else np.zeros(1)
    print(f"heard: {heard.mean():.2f} bits an ask, {heard.sum() / arguments.games:.1f} a game")


if __name__ == "__main__":
    main()
