"""The slowest query of each kind at random positions, with the record of the position.

Games are random: every size and rule set (a sixth of them ``us54``), hands even or lopsided, and
many claims, most of them wrong, so that half-suits leave play early and teams are starved. Each
position is seen by a random seat or by everyone. Times are processor times.

    python benchmarks/worst_case.py [--positions 5000] [--seed 1] [--records DIR]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

from literature_ai.analysis.consequences import consequences_of
from literature_ai.analysis.hints import hint
from literature_ai.assist import replies
from literature_ai.assist.checking import with_line
from literature_ai.cards import SEAT_NAMES, cards_of
from literature_ai.cli.compiling import ADVICE, DEALS, IN_ORDER, LAYOUTS, SAMPLE, compile_for
from literature_ai.errors import LiteratureError
from literature_ai.events import Asked, Claim, Event, Pass
from literature_ai.game.game import Game
from literature_ai.inference.knowledge import Knowledge
from literature_ai.inference.proof import disprove, prove
from literature_ai.inference.recorded import Viewpoint
from literature_ai.records.lit import write
from literature_ai.records.notation import format_event
from literature_ai.records.record import Record
from literature_ai.rules import SWITCHES, RuleSet

SIZES = (RuleSet(players=4), RuleSet(), RuleSet(players=8), RuleSet(deck=54))
LISTED = 20
SAMPLED = 1000
PROVEN = 2
"""How many certain, and how many impossible, places are explained at each position."""


@dataclass(frozen=True)
class Position:
    """A game so far, what happened next, and who looks at it (None: everyone)."""

    game: Game
    event: Event | None
    seat: int | None

    def knowledge(self) -> Knowledge:
        """What is known, with engines that have not been asked anything."""
        hand = None if self.seat is None else self.game.dealt[self.seat]
        knowledge = Knowledge(self.game.rules, self.seat, hand)
        for event in self.game.events:
            knowledge.observe(event)
        return knowledge


@dataclass
class Slowest:
    """The times of one kind of query, and where it was slowest."""

    count: int = 0
    seconds: float = 0.0
    worst: float = 0.0
    at: int = -1


def random_position(rng: np.random.Generator) -> Position:
    """A position of a random game."""
    rules = _random_rules(rng)
    game = Game(rules, _random_hands(rules, rng), int(rng.integers(rules.players)))
    claim, wrong, hit = rng.choice([0.03, 0.1, 0.3]), rng.choice([0.5, 1.0]), rng.choice([0.0, 0.5])
    events = int(rng.choice([15, 40, 100, 400]) * rng.random())
    before, event = copy(game), None
    while not game.over and len(game.events) <= events:
        before = copy(game)
        event = _step(game, rng, claim, wrong, hit)
    seat = int(rng.integers(rules.players + 1))
    return Position(before, event, None if seat == rules.players else seat)


def _random_rules(rng: np.random.Generator) -> RuleSet:
    if rng.random() < 1 / 6:
        return RuleSet.parse("us54")
    size, often = SIZES[rng.integers(len(SIZES))], rng.choice([0.0, 0.2, 0.5])
    return replace(size, **{switch: bool(rng.random() < often) for switch in SWITCHES})


def _random_hands(rules: RuleSet, rng: np.random.Generator) -> list[list[int]]:
    """Hands in which the cards of a half-suit are more or less together."""
    together = rng.choice([0.0, 0.0, 1.0, 3.0])
    place = rng.permutation(rules.half_suits)[np.arange(rules.cards) // 6] * together
    deck = np.argsort(place + 3 * rng.random(rules.cards)).reshape(rules.players, -1)
    hands: list[list[int]] = deck[rng.permutation(rules.players)].tolist()
    return hands


def _step(game: Game, rng: np.random.Generator, claim: float, wrong: float, hit: float) -> Event:
    """Something legal: a claim with probability ``claim``, else mostly an ask."""
    asks, passes = game.legal_asks(), game.legal_passes()
    claimants = [seat for seat in range(game.rules.players) if game.may_claim(seat)]
    if claimants and (rng.random() < claim or not (asks or passes)):
        seat = game.turn if game.turn in claimants else claimants[rng.integers(len(claimants))]
        assert seat is not None
        return game.apply(_random_claim(game, seat, rng, wrong), seat)
    if passes and (not asks or rng.random() < 0.1):
        return game.apply(Pass(passes[rng.integers(len(passes))]))
    hits = [ask for ask in asks if ask.card in game.hand(ask.target)]
    chosen = hits if hits and rng.random() < hit else asks
    return game.apply(chosen[rng.integers(len(chosen))])


def _random_claim(game: Game, seat: int, rng: np.random.Generator, wrong: float) -> Claim:
    players = range(game.rules.players)
    allowed = [s for s in players if game.rules.split_claims or s % 2 == seat % 2]
    half_suit = game.in_play[rng.integers(len(game.in_play))]
    holders = tuple(
        next(s for s in players if card in game.hand(s)) for card in cards_of(half_suit)
    )
    if not set(holders) <= set(allowed) or rng.random() < wrong:
        holders = tuple(allowed[i] for i in rng.integers(len(allowed), size=6))
    return Claim(half_suit, holders)


def queries(
    position: Position, rng: np.random.Generator
) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every kind of query with its name, each asked of knowledge that is new."""
    known = position.knowledge()
    half_suits = known.in_play or (0,)
    half_suit = half_suits[rng.integers(len(half_suits))]
    yield "sat: backbone", lambda: known.sat.backbone()
    yield "sat: first deal", lambda: list(position.knowledge().sat.deals(1))
    yield f"sat: {LISTED} deals", lambda: list(position.knowledge().sat.deals(LISTED))
    layouts = position.knowledge().sat.layouts(half_suit)
    yield f"sat: {LISTED} layouts", lambda: list(islice(layouts, LISTED))
    yield "counting: deals", known.deals
    yield "counting: posterior", known.posterior
    yield "counting: claims", known.claims
    yield "counting: held", known.held
    yield "counting: layouts", lambda: known.counting.layouts(half_suit)
    yield "counting: first deal", lambda: next(position.knowledge().counting.in_order())
    yield f"counting: {SAMPLED} samples", lambda: known.sample(np.random.default_rng(1), SAMPLED)
    deal = known.now(known.sample(rng, 1))[0].tolist()
    layout = {card: deal[card] for card in cards_of(half_suit)}
    if half_suit in known.in_play:
        yield "counting: probability", lambda: known.probability(layout)
    yield from _explanations(position, known, rng)
    if position.seat is not None:
        yield from _advice(position, position.seat)


def _explanations(
    position: Position, known: Knowledge, rng: np.random.Generator
) -> Iterator[tuple[str, Callable[[], object]]]:
    events = position.game.events
    for claim in known.certain_claims():
        layout = dict(zip(cards_of(claim.half_suit), claim.holders, strict=True))
        yield "explanation: claim", lambda layout=layout: prove(known, events, layout)
    dealt = known.counting.posterior()
    open_cards = [card for h in known.in_play for card in cards_of(h)]
    certain = [card for card in open_cards if dealt[card].max() == 1.0]
    for card in rng.permutation(certain)[:PROVEN].tolist():
        layout = {card: known.certain()[card]}
        yield "explanation: certain card", lambda layout=layout: prove(known, events, layout)
    places = [(c, s) for c in open_cards for s in range(dealt.shape[1]) if not dealt[c, s]]
    unmoved = [(c, s) for c, s in places if known.place_now(c) is None]
    for i in rng.permutation(len(unmoved))[:PROVEN].tolist():
        yield "explanation: not there", lambda at=unmoved[i]: disprove(known, events, *at)


def _advice(position: Position, seat: int) -> Iterator[tuple[str, Callable[[], object]]]:
    hands = tuple(hand if s == seat else None for s, hand in enumerate(position.game.dealt))
    record = replace(Record.of(position.game, "worst", ended=False), hands=hands)
    yield "hint", lambda: consequences_of(hint(Viewpoint.of(record, seat)))
    before = Viewpoint.of(record, seat)
    event = position.event
    if event is not None:
        yield "assist: a line", lambda: _line(before, event)
    if isinstance(event, Asked):
        false = replace(event, hit=not event.hit)
        yield "assist: a false line", lambda: _line(before, false)


def _line(before: Viewpoint, event: Event) -> str:
    try:
        after = with_line(before, format_event(event))
    except LiteratureError as error:
        return str(error)
    return "over" if after.record.position().turn is None else replies.advice(after)


def measure(positions: int, seed: int) -> tuple[dict[str, Slowest], int]:
    """The times of every kind of query, and how often SAT left the answer to counting."""
    slowest: dict[str, Slowest] = {}
    counted = 0
    for number in range(positions):
        rng = np.random.default_rng([seed, number])
        position = random_position(rng)
        for name, query in queries(position, rng):
            start = time.process_time()
            query()
            took = time.process_time() - start
            kind = slowest.setdefault(name, Slowest())
            kind.count += 1
            kind.seconds += took
            if took >= kind.worst:
                kind.worst, kind.at = took, number
        sat = position.knowledge().sat
        sat.backbone()
        counted += sat.counted > 0
    return slowest, counted


def text_of(seed: int, number: int) -> str:
    """The record of a position, with a comment that says who looks at it."""
    position = random_position(np.random.default_rng([seed, number]))
    seat = "everyone" if position.seat is None else SEAT_NAMES[position.seat]
    game = write([Record.of(position.game, str(number), ended=False)])
    return f"# as {seat} sees it\n{game}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--positions", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--records", type=Path, help="a folder for the records of the worst cases")
    args = parser.parse_args()
    compile_for(*ADVICE, DEALS, IN_ORDER, LAYOUTS, SAMPLE)
    slowest, counted = measure(args.positions, args.seed)
    print(f"{args.positions} positions, seed {args.seed}; processor milliseconds")
    print(f"SAT left its answer to counting at {counted} of them")
    print(f"{'':26}{'queries':>9}{'mean':>9}{'worst':>9}  position")
    for name, kind in slowest.items():
        mean = 1000 * kind.seconds / kind.count
        print(f"{name:26}{kind.count:9}{mean:9.2f}{1000 * kind.worst:9.0f}  {kind.at}")
    for number in sorted({kind.at for kind in slowest.values()}):
        if args.records:
            args.records.mkdir(parents=True, exist_ok=True)
            (args.records / f"{number}.lit").write_text(text_of(args.seed, number))
    worst = max(slowest.values(), key=lambda kind: kind.worst)
    print(f"\nthe slowest of all:\n{text_of(args.seed, worst.at)}")


if __name__ == "__main__":
    main()
