"""Reading asks by putting oneself in the asker's place: with which hands would he have asked that?

Players choose their asks, so an ask is evidence beyond its legality: with each hand that he may
have, a player would have made quite definite asks. So hands are imagined, a model of how players
choose (`choice`) says how likely each would have asked that, and hands that would have done
otherwise lose weight.

Nothing is imagined before it is needed. An ask waits *unread* until the seat has to decide; then
one set of deals, drawn by exact counting from all that is known by then, serves for all asks that
wait. That is cheaper than imagining hands at every ask, and better: no hand is imagined that later
events have shown to be impossible.

The weights that exact counting takes belong to one half-suit at a time, so the likelihood, which
belongs to the whole hand, is projected on each half-suit: the weight of a subset is multiplied by
the mean likelihood of the drawn hands that have it. Few drawn hands make a noisy mean, which is
therefore shrunk towards the mean of those with as many cards of the half-suit, and that towards the
mean of all: little in the half-suit that was asked for, where an ask says most, and more in others.

Nor is it known how each side plays. Its players may choose in any of the fitted styles or plainly
where they hold most; the better a style foretells their asks, the more it counts from then on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from literature_ai.agents.expert.belief import SIX, Belief, Floats, Ints, copy_belief
from literature_ai.agents.expert.choice_model import ChoiceModel, ask_likelihoods
from literature_ai.cards import Seat, half_suit_of, team_of
from literature_ai.events import Asked, Claimed, Event
from solver.compilation import compiled
from solver.kernels import SIZE

FIRST_SHARES = ((0.9, 0.05, 0.05), (0.45, 0.45, 0.1))
"""How much each style of `literature_ai.agents.expert.choice_model` is believed of the own side,
and of the other side, before the first ask; the plain one last."""
LEAST_SHARE = 0.03
DOUBTS = np.array([[2.0, 8.0], [8.0, 32.0]])
"""The number of imagined hands that count as knowing nothing. Of the half-suit asked for, and of
another; for the number of cards that are held of it, and for which ones."""

LEAST = 1e-6
"""Of a weight, so that no surprise makes a possible deal impossible."""


class Unread(NamedTuple):
    """An ask that waits to be read, with all that is needed to put oneself in the asker's place."""

    asked: Asked
    before: Belief
    """What everyone knew before it."""
    unmoved: int
    """The cards that had not moved by then, as a mask."""
    moved_in: int
    """The cards that the asker had by open moves, as a mask."""


class OpponentModel:
    """What the asks of others say of the deal, to one seat's eye."""

    def __init__(self, half_suits: int, seats: int, seat: Seat, choice: ChoiceModel) -> None:
        """``seat``: whose eye it is. ``choice``: how players choose their asks."""
        self.weights = np.ones((half_suits, seats, 64))
        """Of the deals, as exact counting takes them (`solver.counting`)."""
        self._unread: list[Unread] = []
        self._seat = seat
        self._unmoved = (1 << half_suits * SIX) - 1
        self._moved_in = [0] * seats
        self._choice = choice
        self._shares = np.array(FIRST_SHARES)

    def observe(self, event: Event, before: Belief) -> None:
        """Take in the next event; ``before`` is what everyone knew until then.

        An ask whose answer everyone knew says little, and is not kept for reading.
        """
        if isinstance(event, Asked):
            asker, card = event.asker, event.card
            if asker != self._seat and before.may[card] != 1 << event.target:
                moved_in = self._moved_in[asker]
                self._unread.append(Unread(event, copy_belief(before), self._unmoved, moved_in))
            if event.hit:
                self._move(1 << card)
                self._moved_in[asker] |= 1 << card
        elif isinstance(event, Claimed):
            self._move(63 << event.half_suit * SIX)

    def _move(self, cards: int) -> None:
        self._unmoved &= ~cards
        self._moved_in = [held & ~cards for held in self._moved_in]

    def read(self, deals: npt.NDArray[np.int8]) -> Floats:
        """Change the weights by what has not been read, judged with these deals (count × cards).

        Returns how much likelier each deal has become, up to a common factor.
        """
        before = self.weights.copy()
        for unread in self._unread:
            self._read(unread, masks_of(deals, unread.asked.asker))
        gain = np.ones(len(deals))
        for seat in {unread.asked.asker for unread in self._unread}:
            raise_by(gain, masks_of(deals, seat), self.weights[:, seat] / before[:, seat])
        self._unread.clear()
        return gain

    def _read(self, unread: Unread, dealt: Ints) -> None:
        asker, target, card = unread.asked.asker, unread.asked.target, unread.asked.card
        found = np.empty((self._shares.shape[1], len(dealt)))
        hands = dealt & unread.unmoved | unread.moved_in
        ask_likelihoods(unread.before, asker, hands, target, card, self._choice, found)
        shares = self._shares[int(team_of(asker) != team_of(self._seat))]
        likelihoods = shares @ found
        shares *= found.mean(axis=1) / max(likelihoods.mean(), 1e-12)
        np.maximum(shares, LEAST_SHARE, out=shares)
        shares /= shares.sum()
        project(dealt, likelihoods, half_suit_of(card), DOUBTS, self.weights[:, asker])


@compiled
def masks_of(deals: npt.NDArray[np.int8], seat: int) -> Ints:
    """The seat's hand in each of the deals (count × cards), as a mask."""
    masks = np.zeros(len(deals), np.int64)
    for d in range(deals.shape[0]):
        for card in range(deals.shape[1]):
            if deals[d, card] == seat:
                masks[d] |= 1 << card
    return masks


@compiled
def raise_by(gain: Floats, dealt: Ints, factors: Floats) -> None:
    """Multiply ``gain`` by the factors (half-suits × 64) of what was dealt (masks)."""
    for d in range(len(dealt)):
        for h in range(len(factors)):
            gain[d] *= factors[h, dealt[d] >> h * SIX & 63]


@compiled
def project(dealt: Ints, likelihoods: Floats, asked: int, doubts: Floats, weights: Floats) -> None:
    """Multiply the asker's weights by what the likelihoods say of each subset.

    dealt: for each drawn deal, the cards the asker was dealt (a mask). likelihoods: one a deal;
    changed. asked: the half-suit. doubts: as `DOUBTS`. weights: half-suits × 64, changed in place.
    """
    count, total = np.empty(64), np.empty(64)
    number, of_number = np.empty(SIX + 1), np.empty(SIX + 1)
    for i in range(len(weights)):
        h = asked if i == 0 else (i if i > asked else i - 1)
        doubt = doubts[min(i, 1)]
        count[:] = 0.0
        total[:] = 0.0
        number[:] = 0.0
        of_number[:] = 0.0
        mean = likelihoods.mean()
        if mean <= 0.0:
            return
        for d in range(len(dealt)):
            subset = dealt[d] >> h * SIX & 63
            count[subset] += 1.0
            total[subset] += likelihoods[d]
        for subset in range(64):
            number[SIZE[subset]] += count[subset]
            of_number[SIZE[subset]] += total[subset]
        for n in range(SIX + 1):
            of_number[n] = (of_number[n] + doubt[0] * mean) / (number[n] + doubt[0])
        for subset in range(64):
            mean_here = of_number[SIZE[subset]]
            factor = (total[subset] + doubt[1] * mean_here) / (count[subset] + doubt[1]) / mean
            weights[h, subset] *= factor
            total[subset] = factor
        for d in range(len(dealt)):
            likelihoods[d] /= total[dealt[d] >> h * SIX & 63]
        top = weights[h].max()
        for subset in range(64):
            weights[h, subset] = max(weights[h, subset] / top, LEAST)
