"""Other programs on the same games.

A program that tracks knowledge by hand-written rules, general model counters on a CNF encoding of
the same positions, and a SAT solver that enumerates all deals.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from measure import Row, absent, median, seconds
from positions import decisions

from literature_ai.cards import CARD_NAMES, cards_of, half_suit_of
from literature_ai.events import Asked, Claimed
from literature_ai.game.game import Game
from literature_ai.inference.knowledge import Knowledge
from literature_ai.rules import RuleSet
from solver.counting import Counting
from solver.encoding import Encoding
from solver.problem import Problem

GAMES = 20
SEAT = 0
LATE = range(1_000, 100_000)
"""The numbers of deals that general model counters can count in reasonable time."""


def literature_player() -> Iterator[Row]:
    """`literature.player.Player` on the same events: speed, completeness and errors.

    It maintains "has", "lacks" or "might have" for every player and card, and a lower bound on the
    cards of each half-suit, by hand-written inference rules, for itself and for what every other
    player can know. It has no probabilities and counts no deals. Its half-suits are A–6 and 8–K,
    ours 2–7 and 9–A; the i-th card of a half-suit is mapped to the i-th.
    """
    try:
        from literature.player import Player
    except ImportError:
        yield absent("knowledge after one more event", "literature")
        return
    peer_seconds, our_seconds = [], []
    provable = found = wrong = unproved = raised = 0
    for seed in range(GAMES):
        *_, (game, _) = decisions(RuleSet(), seed)
        knowledge = Knowledge(game.rules, SEAT, game.dealt[SEAT])
        peer = Player(SEAT, [peer_card(card) for card in game.dealt[SEAT]], 6)
        players = Hands(game)
        for event in game.events:
            tell = players.telling(event, peer)
            try:
                peer_seconds.append(seconds(tell)[0])
            except Exception:
                raised += 1
                break
            players.follow(event, peer)

            def ours(knowledge=knowledge, event=event):
                knowledge.observe(event)
                return knowledge.posterior()

            time, posterior = seconds(ours)
            our_seconds.append(time)
            for card in range(48):
                if half_suit_of(card) not in knowledge.in_play or card in players.hands[SEAT]:
                    continue
                for seat in range(1, 6):
                    state = peer.knowledge[players.actor(seat)][peer_card(card)].name
                    truth = card in players.hands[seat]
                    sure = posterior[card, seat] == float(truth)
                    said = state != "MIGHT_POSSESS"
                    provable += sure
                    if said:
                        right = (state == "DOES_POSSESS") == truth
                        found += right and sure
                        wrong += not right
                        unproved += right and not sure
    yield Row(
        "knowledge after one more event",
        median(our_seconds) * 1e3,
        "ms",
        "literature 1.0.0 Player",
        median(peer_seconds) * 1e3,
        note=f"of {provable:,} provable facts (card here, card not there; own hand apart; counted "
        f"after each event) it finds {100 * found / provable:.1f} %, ours all; it asserts "
        f"{wrong:,} false ones and {unproved:,} true ones without proof, ours none; "
        f"raised in {raised} of {GAMES} games",
    )


class Hands:
    """The hands of a game, and its events in the types of the peer."""

    def __init__(self, game: Game) -> None:
        self.hands = [set(hand) for hand in game.dealt]

    def actor(self, seat: int) -> Any:
        from literature.actor import Actor

        return Actor(seat, {peer_card(card) for card in self.hands[seat]})

    def telling(self, event: Any, peer: Any) -> Any:
        """A call that passes the event to the peer, prepared so that only the call is timed."""
        from literature.move import Move

        if isinstance(event, Asked):
            move = Move(self.actor(event.asker), self.actor(event.target), peer_card(event.card))
            return lambda: peer.memorize_move(move, success=event.hit)
        if isinstance(event, Claimed):
            holders = zip(cards_of(event.half_suit), event.shown or (), strict=True)
            where = {peer_card(card): self.actor(seat) for card, seat in holders}
            return lambda: peer.memorize_claim(where)
        return lambda: None

    def follow(self, event: Any, peer: Any) -> None:
        """Apply the event to the hands, including the hand of the peer."""
        if isinstance(event, Asked) and event.hit:
            self.hands[event.target].remove(event.card)
            self.hands[event.asker].add(event.card)
            if event.target == SEAT:
                peer.loses(peer_card(event.card))
            elif event.asker == SEAT:
                peer.gains(peer_card(event.card))
        elif isinstance(event, Claimed):
            for hand in self.hands:
                hand.difference_update(cards_of(event.half_suit))


def peer_card(card: int) -> Any:
    """The card of the peer that ours is mapped to."""
    from literature.card import Card, Suit

    suit = {"S": Suit.SPADES, "H": Suit.HEARTS, "D": Suit.DIAMONDS, "C": Suit.CLUBS}
    high = half_suit_of(card) % 2
    return Card.Name(card % 6 + (8 if high else 1), suit[CARD_NAMES[card][-1]])


def late_positions(games: int) -> list[tuple[Problem, int]]:
    """For each game the first position with a number of deals in `LATE`, and that number."""
    found = []
    for seed in range(games):
        for _, knowledge in decisions(RuleSet(), seed):
            if (deals := knowledge.deals()) in LATE:
                found.append((knowledge.problem.copy(), deals))
                break
    return found


def clauses_of(problem: Problem) -> tuple[int, list[list[int]]]:
    """The problem as CNF: the number of variables "seat s was dealt card c", and the clauses.

    Hand sizes are encoded as sequential counters (python-sat) with auxiliary variables.
    """
    from pysat.card import CardEnc, EncType
    from pysat.formula import IDPool

    encoding = Encoding(problem)
    pool = IDPool(start_from=encoding.variables + 1)
    clauses = []
    for card in range(problem.cards):
        one = CardEnc.equals(list(encoding.of_card(card)), 1, encoding=EncType.pairwise)
        clauses += one.clauses
    for seat, size in enumerate(problem.hand_sizes):
        hand = [encoding.variable(card, seat) for card in range(problem.cards)]
        clauses += CardEnc.equals(hand, size, vpool=pool, encoding=EncType.seqcounter).clauses
    for _, fact in problem.facts:
        clauses += encoding.clauses(fact)
    return encoding.variables, clauses


def count_by_ganak(variables: int, clauses: list[list[int]]) -> int:
    import pyganak

    counter = pyganak.Counter()
    counter.add_clauses(clauses)
    counter.set_sampling_set(list(range(1, variables + 1)))
    return counter.count()


def count_by_approxmc(variables: int, clauses: list[list[int]]) -> int:
    import pyapproxmc

    counter = pyapproxmc.Counter(seed=1)
    counter.add_clauses(clauses)
    cells, hashes = counter.count(list(range(1, variables + 1)))
    return cells << hashes


def counters() -> Iterator[Row]:
    """The number of deals, against general model counters."""
    positions = late_positions(5)
    ours = [
        seconds(lambda problem=problem: Counting(problem).deals())[0] for problem, _ in positions
    ]
    late = f"{len(positions)} positions with {LATE.start:,} to {LATE.stop:,} deals"
    for package, count in (("pyganak", count_by_ganak), ("pyapproxmc", count_by_approxmc)):
        figure = f"number of deals, late ({package})"
        try:
            times, errors = [], []
            for problem, deals in positions:
                time, found = seconds(lambda count=count, p=problem: count(*clauses_of(p)))
                times.append(time)
                errors.append(found / deals - 1)
        except ImportError:
            yield absent(figure, package)
            continue
        agreed = (
            "agrees with ours everywhere, as it must: it is exact"
            if not any(errors)
            else f"approximate: off by up to {100 * max(map(abs, errors)):.1f} %"
        )
        assert package != "pyganak" or not any(errors)
        yield Row(
            figure,
            median(ours) * 1e3,
            "ms",
            f"{package} on CNF",
            median(times) * 1e3,
            note=f"{late}; {agreed}; encoding of the clauses included, as are our facts",
        )


def enumerator() -> Iterator[Row]:
    """Listing all deals by blocking clauses, against drawing as many samples."""
    from pysat.solvers import Minicard

    positions = [(problem, deals) for problem, deals in late_positions(GAMES) if deals < 20_000]
    rates, ours = [], []
    for problem, deals in positions[:4]:
        encoding = Encoding(problem)
        solver = Minicard()
        encoding.add_rules(solver)
        for _, fact in problem.facts:
            for clause in encoding.clauses(fact):
                solver.add_clause(clause)
        time, found = seconds(lambda solver=solver: sum(1 for _ in solver.enum_models()))
        assert found == deals
        rates.append(found / time)
        counting, rng = Counting(problem), np.random.default_rng(1)
        counting.sample(rng, 1)
        time, _ = seconds(lambda c=counting, r=rng, n=deals: c.sample(r, n))
        ours.append(deals / time)
    yield Row(
        "deals drawn (ours) or listed, late",
        median(ours),
        "/s",
        "minicard enum_models",
        median(rates),
        smaller_is_better=False,
        note=f"{len(rates)} positions; it lists each deal once, ours draws as many independently; "
        "their number agrees",
    )
