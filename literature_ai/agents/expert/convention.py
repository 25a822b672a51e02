"""Conventions: a free choice among alike asks tells teammates what the asker holds.

Often several asks are about as good: cards of which the same is known, opponents of whom the same
is known. A team that agrees on a *key* beforehand, as bridge partners agree on a bidding system,
can let that choice say something.

*Speaking.* The key and all events so far seed a hash u(b, S), as good as a random number in [0, 1)
for each ask b and each set S of cards of a half-suit. Of all asks whose chance of a hit is within
`Alike.near` of that of the ask it would make, the asker makes the one with the greatest u(b, S),
where S is what they hold of the half-suit spoken of. So n alike asks tell up to log2(n) bits of S.
(Choosing by the greatest hash is called rendezvous hashing: D. Thaler and C. Ravishankar, 1998.)
A team with a convention makes no ask that only they know to miss, where another ask may hit; what
everyone knows to miss says nothing.

*Hearing.* Whoever has the key can compute u, but does not know which asks the asker found alike:
that depends on their hand. Let p(b) be the chance that ask b was among them when ask a was made.
With S held, every alike ask has a smaller u than a, so by Bayes the weight of S is multiplied by

    P(a | S) ∝ Π (1 - p(b) [u(b, S) > u(a, S)])

over the other asks b that are legal with S. Where b is for another half-suit and speaks of that
one, its u is unknown and uniform: its factor is 1 - p(b) (1 - u(a, S)). That makes a weight for
each (seat, half-suit, subset), as exact counting takes them (`solver.counting`), so given P(a | S)
the posterior is exact. p depends on what everyone believes of the two asks; the numbers in `Alike`
are frequencies in games (``benchmarks/alike.py``). `LEAST_FACTOR` bounds what one ask can say, for
whoever chose for another reason.

*Who else hears.* Opponents with the key hear as teammates do, and use it better: a card that they
know of they can take at once. In the mode ``open`` an ask speaks of its own half-suit. That is
strong while the key is secret, and ruinous when it is not. In the mode ``safe`` an ask speaks only
of a half-suit that the team holds all of, as the asker believes by at least `SAFE_ABOVE`: no
opponent can ask for any of it. Whether the asker believed that is not known, so with a chance c
that they did, which a hearer takes from their own sampled deals, the factor is

    1 - c + c P(a | S) / E[P(a | S)]

with the mean over all keys. Opponents who hold a card of the half-suit know that nothing was said.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from literature_ai.agents.expert.belief import (
    ALL_SIX,
    NOBODY,
    SIX,
    TEAM_SEATS,
    Belief,
    believe,
    cards_of,
    held_of,
)
from literature_ai.cards import HalfSuit, Seat, half_suit_of, team_of
from literature_ai.events import Ask, Asked, Claimed, Event, Passed
from literature_ai.game.state import HAND_SIZES, PLAYERS
from solver.compilation import compiled
from solver.kernels.arrays import Bytes2, Floats, Floats2, Ints2

Mode: TypeAlias = Literal["open", "safe"]

GAPS = np.array([-0.3, -0.2, -0.15, -0.1, -0.05, -0.02, 0.02, 0.05, 0.1])
"""Bounds of the gap between two chances of a hit, as everyone sees them: that of an ask that was
not made, less that of the one made."""


class Alike(NamedTuple):
    """Which asks an asker finds about as good, and how often an ask turns out to be one of them."""

    near: float
    """How much less the chance of a hit may be than that of the best ask."""
    group: float
    """How often an ask was alike: for a card that the same seats may hold, with the same chance."""
    same: Floats
    """The same for others for the half-suit of the ask made; for each interval of the gap."""
    elsewhere: Floats
    """The same for those for another half-suit of which the asker holds some."""


ALIKE: dict[Mode, Alike] = {
    "open": Alike(
        near=0.15,
        group=0.88,
        same=np.array([0.01, 0.02, 0.11, 0.2, 0.4, 0.55, 0.7, 0.79, 0.8, 0.8]),
        elsewhere=np.array([0.005, 0.03, 0.06, 0.15, 0.3, 0.55, 0.85, 0.8, 0.7, 0.7]),
    ),
    "safe": Alike(
        near=0.05,
        group=0.83,
        same=np.array([0.005, 0.01, 0.02, 0.05, 0.1, 0.4, 0.45, 0.7, 0.7, 0.7]),
        elsewhere=np.array([0.001, 0.003, 0.007, 0.02, 0.14, 0.6, 0.85, 0.7, 0.8, 0.85]),
    ),
}
SURE, UNSURE = 0.98, 0.005
"""When everyone knew that the ask hits: how often another sure one was alike, and any other."""
SAFE_ABOVE = 0.8
"""In the mode ``safe``: how likely the team holds all of a half-suit that an asker speaks of."""
HEARD_ABOVE = 0.5
"""How likely that is, to a hearer who thinks that it may have been spoken of."""
SPOKEN_OF = 0.4
"""The chance that it was, if the hearer is certain that the team holds all of it."""
CLAIM_ABOVE = 0.9
"""The probability of a layout above which a team with a convention claims it: what was said is
likely, and never certain."""
LEAST_FACTOR = 0.005
"""The least factor on the weight of a subset by one ask, against the greatest."""

_SAME_CHANCE = 0.01
_BITS = 0xFFFFFFFF


class Convention(NamedTuple):
    """What a team has agreed on."""

    key: str
    mode: Mode = "open"


class Made(NamedTuple):
    """An ask, with what the asker's hand is judged by."""

    asked: Asked
    before: Belief
    """What everyone knew before it."""
    unmoved: int
    """The cards that had not moved by then, as a mask."""
    moved_in: int
    """The cards that the asker had by open moves, as a mask."""


class Code:
    """The code of a team that has a convention, in one game; it changes with every event."""

    def __init__(self, convention: Convention) -> None:
        self.mode = convention.mode
        text = "\n".join(convention).encode()
        self._state = int.from_bytes(blake2b(text, digest_size=4).digest(), "big")

    def observe(self, event: Event) -> None:
        """Follow the next event."""
        match event:
            case Asked(asker, target, card, hit):
                numbers = [1, asker, target, card, int(hit)]
            case Claimed(claimant, half_suit):
                numbers = [2, claimant, half_suit]
            case Passed(giver, to):
                numbers = [3, giver, to]
            case _:
                numbers = [4]
        for number in numbers:
            self._state = int(mixed(self._state, number))

    def choose(
        self, before: Belief, seat: Seat, hand: int, best: Ask, chances: Floats2, deals: Ints2
    ) -> Ask:
        """The ask that says what the seat holds, of those that are about as good as the best one.

        before: what everyone knows. hand: a mask. chances: cards × seats, as the seat believes.
        deals: sampled, deals × seats, the hands now, as masks.
        """
        told = -1
        if self.mode == "safe":
            told = safe_half_suit(before, seat, hand, deals)
            if told < 0:
                return best
        found, most = best, -1
        for ask in alike_asks(before, seat, hand, best, chances, ALIKE[self.mode].near):
            half_suit = half_suit_of(ask.card) if told < 0 else told
            held = int(held_of(hand, half_suit))
            drawn = int(draw(self._state, ask.target, ask.card, half_suit, held))
            if drawn > most:
                found, most = ask, drawn
        return found

    def hear(self, made: Made) -> Said | None:
        """What an ask says, made before the code follows it; None if everyone knew it misses."""
        speaks = made.before.possible[made.asked.card] >> made.asked.target & 1
        return Said(made, self.mode, self._state) if speaks else None


class Said(NamedTuple):
    """An ask by which a team with a convention may have said something."""

    made: Made
    mode: Mode
    state: int
    """Of the hash."""

    @property
    def certain(self) -> bool:
        """Whether it speaks of its own half-suit for certain."""
        return self.mode == "open"

    def half_suits(self, deals: Bytes2) -> Iterator[tuple[HalfSuit, float]]:
        """The half-suits that it may speak of, each with the chance that it does.

        deals: sampled, deals × cards, as dealt; not looked at when it is `certain`.
        """
        if self.certain:
            yield half_suit_of(self.made.asked.card), 1.0
            return
        before, team = self.made.before, team_of(self.made.asked.asker)
        for half_suit in range(len(before.holding)):
            if before.possible[half_suit * SIX]:
                inside = share_inside(deals, before, self.made.unmoved, half_suit, team)
                if inside >= HEARD_ABOVE:
                    yield half_suit, SPOKEN_OF * inside

    def factors(self, half_suit: HalfSuit, chance: float) -> Floats:
        """The factors on the weights of subsets, if it spoke of the half-suit with this chance."""
        asked, before, unmoved, moved_in = self.made
        public = np.empty((len(before.possible), before.state[PLAYERS]))
        shares, likelihoods = np.empty_like(public), np.empty(1 << SIX)
        believe(before, team_of(asked.asker), NOBODY, 0, public)
        alike = ALIKE[self.mode]
        fill_shares(before, public, asked.asker, asked.target, asked.card, alike, shares)
        fill_likelihoods(
            asked.target,
            asked.card,
            half_suit,
            not self.certain,
            shares,
            held_of(unmoved, half_suit),
            held_of(moved_in, half_suit),
            self.state,
            likelihoods,
        )
        if chance == 1.0:
            return likelihoods
        return 1.0 - chance + chance * likelihoods / mean_likelihood(shares)


Codes: TypeAlias = tuple[Code | None, Code | None]
"""The codes of the two teams, where they are known."""
Conventions: TypeAlias = tuple[Convention | None, Convention | None]


def codes_of(conventions: Conventions) -> Codes:
    """The codes of the two teams at the start of a game."""
    first, second = (None if each is None else Code(each) for each in conventions)
    return first, second


def safe_half_suit(before: Belief, seat: Seat, hand: int, deals: Ints2) -> HalfSuit:
    """The half-suit that the mode ``safe`` speaks of, or -1.

    Of those that the team most likely holds all of, the one of which everyone can locate the fewest
    cards. The arguments are as for `Code.choose`.
    """
    found, most = -1, 0
    theirs = np.bitwise_or.reduce(deals[:, 1 - team_of(seat) :: 2], axis=1)
    for half_suit in range(len(before.holding)):
        possible = before.possible[half_suit * SIX : half_suit * SIX + SIX]
        hidden = np.count_nonzero((possible & possible - 1 != 0) & (possible >> seat & 1 == 1))
        if hidden > most and held_of(hand, half_suit):
            inside = np.mean(theirs >> half_suit * SIX & ALL_SIX == 0)
            if inside >= SAFE_ABOVE:
                found, most = half_suit, int(hidden)
    return found


def alike_asks(
    before: Belief, seat: Seat, hand: int, best: Ask, chances: Floats2, near: float
) -> Iterator[Ask]:
    """The asks that are about as good as the best one, which is among them.

    Nobody speaks by an ask that everyone knows to miss. What is sure is alike only to what is sure.
    near: as in `Alike`. The other arguments are as for `Code.choose`.
    """
    if not before.possible[best.card] >> best.target & 1:
        yield best
        return
    least = chances[best.card, best.target]
    if least < 1.0:
        least = max(least - near, min(least, 1e-9))
    for card in range(len(before.possible)):
        if hand >> card & 1 or not held_of(hand, half_suit_of(card)):
            continue
        for target in range(1 - team_of(seat), before.state[PLAYERS], 2):
            if (
                before.possible[card] >> target & 1
                and before.state[HAND_SIZES + target]
                and chances[card, target] >= least
            ):
                yield Ask(target, card)


@compiled
def mixed(state: int, number: int) -> int:
    """The state of a hash after one more number; both below 2**32."""
    x = state ^ number
    for _ in range(2):
        x = ((x >> 16) ^ x) * 0x45D9F3B & _BITS
    return (x >> 16) ^ x


@compiled
def draw(state: int, target: int, card: int, half_suit: int, held: int) -> int:
    """The hash u of an ask and a set of cards of a half-suit (a mask of six), times 2**32."""
    return mixed(mixed(state, card * 8 + target), half_suit << SIX | held)


@compiled
def interval(gap: float) -> int:
    """Which of the intervals between `GAPS` a gap is in."""
    i = 0
    while i < len(GAPS) and gap >= GAPS[i]:
        i += 1
    return i


@compiled
def fill_shares(
    before: Belief,
    public: Floats2,
    asker: int,
    target: int,
    card: int,
    alike: Alike,
    shares: Floats2,
) -> None:
    """Fill in the chance p of each other ask to have been alike to the one made (cards × seats).

    It is 0 for what may not be asked. For the half-suit of the ask it holds for hands without the
    card; for another one it includes the chance that the asker holds some of it, and not the card.
    public: cards × seats, what everyone believes.
    """
    shares[:] = 0.0
    sure = before.possible[card] == 1 << target
    made = public[card, target] / (1.0 - public[card, asker])
    for half_suit in range(len(before.holding)):
        holds = 1.0
        if not before.holding[half_suit] >> asker & 1:
            for other in cards_of(half_suit):
                holds *= 1.0 - public[other, asker]
            holds = 1.0 - holds
        for other in cards_of(half_suit):
            lacks = 1.0 - public[other, asker]
            if lacks <= 0.0:
                continue
            for to in range(1 - (asker & 1), before.state[PLAYERS], 2):
                if (
                    not before.possible[other] >> to & 1
                    or before.state[HAND_SIZES + to] == 0
                    or (other == card and to == target)
                ):
                    continue
                gap = public[other, to] / lacks - made
                if sure or before.possible[other] == 1 << to:
                    both = sure and before.possible[other] == 1 << to
                    share = SURE if both else UNSURE
                elif half_suit != card // SIX:
                    share = float(alike.elsewhere[interval(gap)])
                elif before.possible[other] == before.possible[card] and abs(gap) < _SAME_CHANCE:
                    share = alike.group
                else:
                    share = float(alike.same[interval(gap)])
                if half_suit != card // SIX:
                    share *= holds * lacks
                shares[other, to] = share


@compiled
def fill_likelihoods(
    target: int,
    card: int,
    told: int,
    one: bool,
    shares: Floats2,
    unmoved: int,
    moved_in: int,
    state: int,
    likelihoods: Floats,
) -> None:
    """Fill in how likely the ask is with each subset of a half-suit dealt, up to a common factor.

    told: the half-suit. one: whether all asks speak of it, or each of its own one. shares: as from
    `fill_shares`. unmoved, moved_in: of the half-suit, the cards that had not moved, and those that
    the asker had by open moves; masks of six cards. state: of the hash.
    """
    by_held = np.full(1 << SIX, -1.0)
    for dealt in range(1 << SIX):
        held = dealt & unmoved | moved_in
        if by_held[held] < 0.0:
            own = draw(state, target, card, told, held)
            above = 1.0 - own / (_BITS + 1.0)
            likelihood = 1.0
            for other in range(shares.shape[0]):
                if other // SIX == told and held >> other - told * SIX & 1:
                    continue
                for to in range(shares.shape[1]):
                    share = shares[other, to]
                    if share == 0.0:
                        continue
                    if not one and other // SIX != told:
                        likelihood *= 1.0 - share * above
                    elif draw(state, to, other, told, held) > own:
                        likelihood *= 1.0 - share
            by_held[held] = max(likelihood, LEAST_FACTOR)
        likelihoods[dealt] = by_held[held]


@compiled
def mean_likelihood(shares: Floats2) -> float:
    """The mean over all keys of what `fill_likelihoods` has for one subset.

    The integral over u of Π (1 - p (1 - u)), by the midpoint rule. shares: p, cards × seats.
    """
    steps = 64
    total = 0.0
    for step in range(steps):
        above = (step + 0.5) / steps
        likelihood = 1.0
        for card in range(shares.shape[0]):
            for to in range(shares.shape[1]):
                likelihood *= 1.0 - shares[card, to] * above
        total += likelihood
    return total / steps


@compiled
def share_inside(deals: Bytes2, before: Belief, unmoved: int, half_suit: int, team: int) -> float:
    """In which share of the deals (deals × cards, as dealt) the team held all of a half-suit.

    before: what everyone knew then. unmoved: the cards that had not moved, as a mask.
    """
    ours = TEAM_SEATS << team
    inside = 0
    for deal in range(len(deals)):
        all_ours = 1
        for card in cards_of(half_suit):
            place = 1 << deals[deal, card] if unmoved >> card & 1 else before.possible[card]
            if place & ours == 0:
                all_ours = 0
                break
        inside += all_ours
    return inside / len(deals)
