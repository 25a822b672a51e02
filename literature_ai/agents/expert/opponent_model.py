"""Opponent model: weighs each possible hand by the chance that its holder would make this ask.

Players choose their asks, so an ask is evidence beyond its legality. Deals are sampled from all
that is known, the choice model (`literature_ai.agents.expert.choice_model`) gives the likelihood of
the ask for the asker's hand in each of them, and hands that would rather have asked something else
lose weight.

Sampling is lazy: asks are queued, and read when the seat next decides. Then one set of deals
serves all asks of the queue. That is cheaper than sampling at every ask, and better: no hand is
drawn that later events have shown to be impossible.

Exact counting takes weights of one half-suit at a time, while the likelihood belongs to the whole
hand. So it is projected on each half-suit: the weight of a subset is multiplied by the mean
likelihood of the sampled hands that hold it. Few samples make a noisy mean, which is therefore
shrunk towards the mean of those with as many cards of the half-suit, and that towards the mean of
all: little in the half-suit that was asked for, where an ask says most, and more in others.

The style of each player is inferred too. They may choose in any of the fitted styles, in the plain
one, or in none that is known; under ``bluff-asks`` they may bluff. The better a style predicts
their asks, the greater its share becomes. What one player does says something of
their teammates too (`KINSHIP`). All asks of the queue are judged before the first is read, so that
styles are known as well as they can be.

An ask in no known style says nothing of the hand, beyond that it was legal. And the likelihoods of
players who follow no fitted style are heeded less (`LEAST_HEED`): whatever else they go by makes
their asks alike, so that they are no independent evidence.
"""

from __future__ import annotations

import numpy as np

from literature_ai.agents.expert.belief import (
    ALL_SIX,
    SIX,
    Belief,
    copy_belief,
    held_of,
)
from literature_ai.agents.expert.choice_model import (
    ANY,
    BLUFF,
    EVERY_STYLE,
    STYLES,
    ChoiceModel,
    ask_likelihoods,
)
from literature_ai.agents.expert.convention import Codes, Made, Said
from literature_ai.cards import HalfSuit, Seat, half_suit_of, team_of
from literature_ai.events import Asked, Claimed, Event
from literature_ai.rules import RuleSet
from solver.compilation import compiled
from solver.kernels.arrays import Bytes2, Floats, Floats2, Ints
from solver.kernels.families import SIZE

FIRST_SHARES = (0.25, 0.15, 0.1, 0.2, 0.03, 0.25, 0.02)
"""The probability of each style of `literature_ai.agents.expert.choice_model` before the first ask
of a player of the other side. `ANY` stands for no known style."""
OWN_SHARE = 0.75
"""The probability that a player of the own side plays as the reader does, in the same style; what
is left is shared like those of the other side."""
LEAST_SHARE = 0.01
KINSHIP = (0.6, 0.0)
"""How much an ask counts for what is believed of the style of a teammate of the asker, and of an
opponent: nothing, for teams differ."""
LEAST_HEED = 0.4
"""The power to which the likelihoods of players are raised who follow no fitted style; those of who
follows one for certain are taken as they are."""
SPEAKER_HEED = 0.5
"""The same, as a factor on that power, for players who are known to speak by a convention: among
alike asks they choose by what they say."""
PRIOR_COUNTS = np.array([[2.0, 8.0], [8.0, 32.0]])
"""How many sampled hands the prior of a mean likelihood counts for. Rows: in the half-suit asked
for, and in others. Columns: for the number of cards held, and for which ones."""

LEAST_WEIGHT = 1e-6
"""So that no surprise makes a possible deal impossible."""


class OpponentModel:
    """What the asks of others say of the deal, for one seat."""

    def __init__(
        self,
        rules: RuleSet,
        seat: Seat | None,
        choice_model: ChoiceModel,
        codes: Codes = (None, None),
        style: str = STYLES[0],
    ) -> None:
        """The model of ``seat``, before the first event.

        None: of somebody who sees no hand, to whom all players are of the other side. codes: of
        the teams whose conventions the seat knows; they follow the events with it. style: the
        one of the fitted styles in which the seat asks.
        """
        self.weights = np.ones((rules.half_suits, rules.players, 1 << SIX))
        """Half-suits × seats × subsets: of the deals, as exact counting takes them
        (`solver.counting`)."""
        self._queue: list[Made] = []
        self._heard: list[Said] = []
        self._seat = seat
        self._unmoved = (1 << rules.cards) - 1
        self._moved_in = [0] * rules.players
        self._choice_model = choice_model
        self._codes = codes
        self._possible = np.ones(EVERY_STYLE)
        self._possible[BLUFF] = rules.bluff_asks
        shares = np.tile(FIRST_SHARES, (rules.players, 1))
        if seat is not None:
            own = shares[team_of(seat) :: 2]
            own *= 1.0 - OWN_SHARE
            own[:, STYLES.index(style)] += OWN_SHARE
        self.shares = self._scaled(shares)
        """Seats × styles: the probability of each style, for each player."""

    def observe(self, event: Event, before: Belief) -> None:
        """Follow the next event; ``before`` is what everyone knew until then.

        An ask whose answer everyone knew says little, and is not read.
        """
        if isinstance(event, Asked):
            asker, card = event.asker, event.card
            if asker != self._seat:
                code, made = self._codes[team_of(asker)], self.made(event, before)
                if before.possible[card] != 1 << event.target:
                    self._queue.append(made)
                said = code.hear(made) if code else None
                if said is not None and said.certain:
                    self._heed(said, half_suit_of(card), 1.0)
                elif said is not None:
                    self._heard.append(said)
            if event.hit:
                self._move(1 << card)
                self._moved_in[asker] |= 1 << card
        elif isinstance(event, Claimed):
            self._move(ALL_SIX << event.half_suit * SIX)
        for code in filter(None, self._codes):
            code.observe(event)

    def made(self, asked: Asked, before: Belief) -> Made:
        """The next event, an ask; ``before`` is what everyone knew until then."""
        return Made(asked, copy_belief(before), self._unmoved, self._moved_in[asked.asker])

    def _move(self, cards: int) -> None:
        self._unmoved &= ~cards
        self._moved_in = [held & ~cards for held in self._moved_in]

    def _heed(self, said: Said, half_suit: HalfSuit, chance: float) -> None:
        """Change the weights by what was said, if with this chance it was of the half-suit."""
        weights = self.weights[half_suit, said.made.asked.asker]
        weights *= said.factors(half_suit, chance)
        np.maximum(weights / weights.max(), LEAST_WEIGHT, out=weights)

    def read(self, deals: Bytes2) -> Floats:
        """Change the weights by the asks of the queue, judged with these deals (deals × cards).

        Returns how much likelier each deal has become, up to a common factor.
        """
        before = self.weights.copy()
        judged = [(queued, *self._judge(queued, deals)) for queued in self._queue]
        for queued, dealt, by_style in judged:
            self._read(queued, dealt, by_style)
        for said in self._heard:
            for half_suit, chance in said.half_suits(deals):
                self._heed(said, half_suit, chance)
        gains = np.ones(len(deals))
        made = [*self._queue, *(said.made for said in self._heard)]
        for seat in {each.asked.asker for each in made}:
            multiply(gains, masks_of(deals, seat), self.weights[:, seat] / before[:, seat])
        self._queue.clear()
        self._heard.clear()
        return gains

    def _judge(self, made: Made, deals: Bytes2) -> tuple[Ints, Floats2]:
        """Learn of styles from an ask.

        Returns the cards that the asker was dealt in each deal, as masks, and how likely the ask is
        with them in each style (styles × deals).
        """
        asker, target, card = made.asked.asker, made.asked.target, made.asked.card
        dealt = masks_of(deals, asker)
        by_style = np.empty((EVERY_STYLE, len(dealt)))
        hands = dealt & made.unmoved | made.moved_in
        ask_likelihoods(made.before, asker, hands, target, card, self._choice_model, by_style)
        by_style[ANY] = np.where(by_style[ANY] > 0.0, by_style[ANY].mean(), 0.0)
        gains = np.maximum(by_style.mean(axis=1), 1e-9)
        kinship = [
            1.0 if seat == asker else KINSHIP[int(team_of(seat) != team_of(asker))]
            for seat in range(len(self.shares))
        ]
        self.shares = self._scaled(self.shares * gains ** np.array(kinship)[:, None])
        return dealt, by_style

    def _scaled(self, shares: Floats2) -> Floats2:
        """The shares of each seat, to the sum of 1, none too small of those that are possible."""
        shares = shares * self._possible
        shares /= shares.sum(axis=1, keepdims=True)
        shares = np.maximum(shares, LEAST_SHARE * self._possible)
        scaled: Floats2 = shares / shares.sum(axis=1, keepdims=True)
        return scaled

    def _read(self, made: Made, dealt: Ints, by_style: Floats2) -> None:
        """Change the weights of the asker; dealt, by_style: as from `_judge`."""
        asker, card = made.asked.asker, made.asked.card
        shares = self.shares[asker]
        heed = LEAST_HEED + (1.0 - LEAST_HEED) * shares[: len(STYLES)].sum()
        if self._codes[team_of(asker)] is not None:
            heed *= SPEAKER_HEED
        likelihoods = (shares @ by_style) ** heed
        weights = self.weights[:, asker].copy()
        project(dealt, likelihoods, half_suit_of(card), PRIOR_COUNTS, weights)
        self.weights[:, asker] = weights


@compiled
def masks_of(deals: Bytes2, seat: int) -> Ints:
    """The seat's hand in each of the deals (deals × cards), as a mask."""
    masks = np.zeros(len(deals), np.int64)
    for deal in range(deals.shape[0]):
        for card in range(deals.shape[1]):
            if deals[deal, card] == seat:
                masks[deal] |= 1 << card
    return masks


@compiled
def multiply(gains: Floats, dealt: Ints, factors: Floats2) -> None:
    """Multiply each gain by the factors (half-suits × subsets) of what was dealt (masks)."""
    for deal in range(len(dealt)):
        for half_suit in range(len(factors)):
            gains[deal] *= factors[half_suit, held_of(dealt[deal], half_suit)]


@compiled
def project(
    dealt: Ints, likelihoods: Floats, asked: int, prior_counts: Floats2, weights: Floats2
) -> None:
    """Multiply the asker's weights by the mean likelihood of each subset of each half-suit.

    The half-suit asked for comes first; what it explains is divided out of the likelihoods before
    the others. dealt: in each deal, the cards the asker was dealt, as a mask. likelihoods: one a
    deal; changed. asked: the half-suit. prior_counts: as `PRIOR_COUNTS`. weights: half-suits ×
    subsets; changed.
    """
    for i in range(len(weights)):
        half_suit = asked if i == 0 else (i if i > asked else i - 1)
        mean = likelihoods.mean()
        if mean <= 0.0:
            return
        factors = _mean_likelihoods(dealt, likelihoods, mean, half_suit, prior_counts[min(i, 1)])
        for subset in range(len(factors)):
            factors[subset] /= mean
            weights[half_suit, subset] *= factors[subset]
        for deal in range(len(dealt)):
            likelihoods[deal] /= factors[held_of(dealt[deal], half_suit)]
        most = weights[half_suit].max()
        for subset in range(len(factors)):
            weights[half_suit, subset] = max(weights[half_suit, subset] / most, LEAST_WEIGHT)


@compiled
def _mean_likelihoods(
    dealt: Ints, likelihoods: Floats, mean: float, half_suit: int, prior_counts: Floats
) -> Floats:
    """For each subset of the half-suit, the mean likelihood of the deals with it, shrunk.

    mean: of the likelihoods. prior_counts: a row of `PRIOR_COUNTS`.
    """
    count, total = np.zeros(1 << SIX), np.zeros(1 << SIX)
    count_of_size, mean_of_size = np.zeros(SIX + 1), np.zeros(SIX + 1)
    for deal in range(len(dealt)):
        subset = held_of(dealt[deal], half_suit)
        count[subset] += 1.0
        total[subset] += likelihoods[deal]
    for subset in range(len(count)):
        count_of_size[SIZE[subset]] += count[subset]
        mean_of_size[SIZE[subset]] += total[subset]
    for size in range(SIX + 1):
        mean_of_size[size] = (mean_of_size[size] + prior_counts[0] * mean) / (
            count_of_size[size] + prior_counts[0]
        )
    for subset in range(len(count)):
        total[subset] = (total[subset] + prior_counts[1] * mean_of_size[SIZE[subset]]) / (
            count[subset] + prior_counts[1]
        )
    return total
