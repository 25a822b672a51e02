"""Slow, plain deduction over a `Problem`, the reference for the engines.

Nothing here is shared with the engines. Two independent methods check each other too: a recursive
enumeration that lays one half-suit after another, and a dynamic program over "how many cards each
seat has received so far", exact in Python integers of any size.

`random_problem` makes positions with a known true deal, tight and loose, with facts of every kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import factorial

import numpy as np

from solver.problem import (
    OWN_HAND,
    Fact,
    Holds,
    HoldsExactly,
    HoldsOneOf,
    Lacks,
    NotLayout,
    Problem,
)

Deal = tuple[int, ...]
"""The seat that every card was dealt to, in card order."""


def is_true(fact: Fact, deal: Sequence[int]) -> bool:
    """Whether the fact is true of the deal."""
    match fact:
        case Holds(seat, card):
            return deal[card] == seat
        case Lacks(seat, card):
            return deal[card] != seat
        case HoldsOneOf(seat, cards):
            return any(deal[card] == seat for card in cards)
        case HoldsExactly(seat, cards, count):
            return sum(deal[card] == seat for card in cards) == count
        case NotLayout(half_suit, holders):
            return any(deal[half_suit * 6 + i] != holder for i, holder in enumerate(holders))


def all_deals(problem: Problem) -> Iterator[Deal]:
    """Every deal that makes all facts true, in lexicographic order of seats by card.

    Lays one half-suit after another in every way that its own facts allow; a branch ends when the
    half-suits still to come must give some seat too many cards, or cannot give it enough.
    """
    seats = range(problem.seats)
    layouts = [_layouts(problem, half_suit) for half_suit in range(problem.half_suits)]
    if not all(layouts):
        return
    least, most = [(0,) * problem.seats], [(0,) * problem.seats]
    for ways in reversed(layouts):
        counts = [[layout.count(seat) for layout in ways] for seat in seats]
        least.append(tuple(least[-1][seat] + min(counts[seat]) for seat in seats))
        most.append(tuple(most[-1][seat] + max(counts[seat]) for seat in seats))

    def lay(half_suit: int, places: tuple[int, ...]) -> Iterator[Deal]:
        to_come = problem.half_suits - half_suit
        if any(not least[to_come][s] <= places[s] <= most[to_come][s] for s in seats):
            return
        if to_come == 0:
            yield ()
            return
        for layout in layouts[half_suit]:
            left = tuple(places[seat] - layout.count(seat) for seat in seats)
            for rest in lay(half_suit + 1, left):
                yield layout + rest

    yield from lay(0, problem.hand_sizes)


def count_deals(problem: Problem) -> int:
    """The number of deals that make all facts true."""
    return sum(layout_counts(problem, 0).values())


def layout_counts(problem: Problem, half_suit: int) -> dict[tuple[int, ...], int]:
    """For every possible layout of the half-suit (six seats in card order): how many deals have it.

    In lexicographic order; layouts that no deal has are left out.
    """
    sizes = _pack(problem.hand_sizes)
    outside = _ways_outside(problem, half_suit)
    counts = {}
    for layout in _layouts(problem, half_suit):
        ways = outside.get(sizes - _received(layout), 0)
        if ways:
            counts[layout] = ways
    return counts


def card_marginals(problem: Problem) -> list[dict[int, Fraction]]:
    """For every card, the exact probability of each seat that can have been dealt it."""
    marginals: list[dict[int, Fraction]] = []
    for half_suit in range(problem.half_suits):
        counts = layout_counts(problem, half_suit)
        total = sum(counts.values())
        for position in range(6):
            weights: Counter[int] = Counter()
            for layout, count in counts.items():
                weights[layout[position]] += count
            marginals.append({s: Fraction(w, total) for s, w in sorted(weights.items())})
    return marginals


def random_problem(
    rng: np.random.Generator,
    players: int = 6,
    deck: int = 48,
    events: int = 60,
    own_hand: int | None = None,
) -> tuple[Problem, Deal]:
    """A problem and the deal that all its facts are true of.

    Events 1, 2, … are mostly asks with their answers, of random seats for random cards; some lay a
    half-suit open, some only tell how many of its cards each seat had and a layout that is wrong.
    ``own_hand`` is the seat whose hand is known as event 0; None: nobody's.
    """
    size = deck // players
    deal = tuple(int(seat) for seat in rng.permutation(np.repeat(np.arange(players), size)))
    problem = Problem(deck // 6, (size,) * players)
    if own_hand is not None:
        for card in range(deck):
            known = Holds if deal[card] == own_hand else Lacks
            problem.add(OWN_HAND, known(own_hand, card))
    for event in range(1, events + 1):
        half_suit = int(rng.integers(deck // 6))
        if rng.random() < 0.95:
            facts = _random_ask(rng, deal, players, half_suit)
        else:
            facts = _random_showing(rng, deal, players, half_suit)
        for fact in facts:
            problem.add(event, fact)
    return problem, deal


def _random_ask(rng: np.random.Generator, deal: Deal, players: int, half_suit: int) -> list[Fact]:
    cards = range(half_suit * 6, half_suit * 6 + 6)
    asker = deal[rng.choice(cards)]
    card = int(rng.choice(cards))
    target = (asker + 1 + 2 * int(rng.integers(players // 2))) % players
    facts: list[Fact] = [HoldsOneOf(asker, tuple(c for c in cards if c != card))]
    if not is_true(facts[0], deal):
        facts = [HoldsOneOf(asker, tuple(cards))]
    elif deal[card] != asker:
        facts.append(Lacks(asker, card))
    facts.append(Holds(target, card) if deal[card] == target else Lacks(target, card))
    return facts


def _random_showing(
    rng: np.random.Generator, deal: Deal, players: int, half_suit: int
) -> list[Fact]:
    cards = tuple(range(half_suit * 6, half_suit * 6 + 6))
    layout = deal[cards[0] : cards[-1] + 1]
    if rng.random() < 0.3:
        return [Holds(seat, card) for card, seat in zip(cards, layout, strict=True)]
    facts: list[Fact] = []
    wrong = tuple(int(seat) for seat in rng.permutation(layout))
    if wrong != layout:
        facts.append(NotLayout(half_suit, wrong))
    some = tuple(sorted(int(c) for c in rng.choice(cards, rng.integers(2, 7), replace=False)))
    return facts + [
        HoldsExactly(seat, some, sum(deal[card] == seat for card in some))
        for seat in range(players)
    ]


def _ways_outside(problem: Problem, half_suit: int) -> dict[int, int]:
    """In how many ways the other half-suits give each seat just so many cards (packed numbers).

    Half-suits interact only through hand sizes, so the distribution of counts of each of them is
    enough. Cards in no fact about several cards are free: those with the same possible seats form
    one group, whose distribution is multinomial.
    """
    allowed = _allowed(problem)
    tied = {
        cards[0] // 6
        for _, fact in problem.facts
        if not isinstance(fact, Holds | Lacks) and (cards := _cards_of(fact))
    }
    distributions = []
    groups: Counter[tuple[int, ...]] = Counter()
    for other in set(range(problem.half_suits)) - {half_suit}:
        if other in tied:
            distributions.append(Counter(map(_received, _layouts(problem, other))))
        else:
            groups.update(allowed[other * 6 : other * 6 + 6])
    for seats, size in groups.items():
        distributions.append(
            _ways_to_share(size, [problem.hand_sizes[seat] for seat in seats], seats)
        )

    guards = _pack([16] * problem.seats)
    room = _pack(problem.hand_sizes) + guards
    ways = {0: 1}
    for distribution in sorted(distributions, key=len):
        further: Counter[int] = Counter()
        for received, count in ways.items():
            for more, factor in distribution.items():
                if (room - received - more) & guards == guards:  # nobody has too many
                    further[received + more] += count * factor
        ways = further
    return ways


def _ways_to_share(size: int, most: Sequence[int], seats: Sequence[int]) -> Counter[int]:
    """In how many ways so many different cards go to the seats, at most ``most`` to each."""
    ways_of: Counter[int] = Counter()
    for counts in product(*(range(min(size, m) + 1) for m in most[1:])):
        first = size - sum(counts)
        if 0 <= first <= most[0]:
            ways = factorial(size) // factorial(first)
            for count in counts:
                ways //= factorial(count)
            ways_of[sum(n << 5 * s for s, n in zip(seats, (first, *counts), strict=True))] = ways
    return ways_of


def _layouts(problem: Problem, half_suit: int) -> list[tuple[int, ...]]:
    """The layouts that the facts about this half-suit allow, in lexicographic order."""
    first = half_suit * 6
    facts = [
        fact for _, fact in problem.facts if all(card // 6 == half_suit for card in _cards_of(fact))
    ]
    before = (-1,) * first
    return [
        layout
        for layout in product(*_allowed(problem)[first : first + 6])
        if all(is_true(fact, before + layout) for fact in facts)
    ]


def _allowed(problem: Problem) -> list[tuple[int, ...]]:
    """For every card, the seats that no single `Holds` or `Lacks` rules out."""
    allowed = [set(range(problem.seats)) for _ in range(problem.cards)]
    for _, fact in problem.facts:
        if isinstance(fact, Holds):
            allowed[fact.card] &= {fact.seat}
        elif isinstance(fact, Lacks):
            allowed[fact.card] -= {fact.seat}
    return [tuple(sorted(seats)) for seats in allowed]


def _cards_of(fact: Fact) -> tuple[int, ...]:
    match fact:
        case Holds(_, card) | Lacks(_, card):
            return (card,)
        case NotLayout(half_suit, _):
            return tuple(range(half_suit * 6, half_suit * 6 + 6))
        case HoldsOneOf(_, cards) | HoldsExactly(_, cards, _):
            return cards


def _received(layout: Sequence[int]) -> int:
    """How many of the cards each seat has, packed: five bits a seat."""
    return sum(1 << 5 * seat for seat in layout)


def _pack(numbers: Sequence[int]) -> int:
    return sum(number << 5 * seat for seat, number in enumerate(numbers))
