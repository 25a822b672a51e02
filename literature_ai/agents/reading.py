"""How asks are read: what a player asks for is evidence of what he holds.

The rules say only that the asker holds some card of the half-suit. But players ask where they hold
much, so each ask makes some hands likelier than others. `Reading` multiplies, at every ask, the
weight of each subset that the asker may have been dealt by the likelihood of the ask, a function of
how many cards of the half-suit he would have held at that moment. Such weights are all that
`literature_ai.knowledge` needs to stay exact (`solver.counting` describes the array).

An ask is of one of three kinds, told apart by what everyone knew before it: *sure* (the target was
known to have the card: whoever has one card of the half-suit asks), *first* (for a half-suit that
the asker had not shown that he holds) and *again*. What the asker passed over in favour of an
unsure ask counts too: half-suits that he has not shown become a little less likely to be long.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from literature_ai.cards import Card, HalfSuit, Seat, cards_of, half_suit_of, team_of
from literature_ai.events import Asked, Claimed, Event
from literature_ai.rules import RuleSet

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

KINDS = ("sure", "first", "again", "passed_over")
_LEAST = 1e-6
_LOG_ONE_MORE = math.log(1.7)
CARDS_IN = np.array([subset.bit_count() for subset in range(64)])


def likelihoods(readings: Floats) -> Floats:
    """Own side and other side × kinds × 0 to 6 cards held: how likely is such an ask.

    readings: the factor on the odds of one card for each side and kind, as `sketch` uses them; they
    were fitted where one to two cards are usual, and a likelihood that goes on growing by the same
    factor would overdo it for five or six, so for unsure asks it is a power of the number held.
    """
    held = np.arange(7.0)
    table = np.asarray(readings).reshape(2, len(KINDS), 1) ** held
    for kind in (KINDS.index("first"), KINDS.index("again")):
        power = np.log(np.asarray(readings).reshape(2, len(KINDS))[:, kind]) / _LOG_ONE_MORE
        table[:, kind] = np.maximum(held, 1.0) ** power[:, None]
    return np.asarray(table)


class Reading:
    """The weights of the deals to one seat's eye; ``weights`` is half-suits × seats × 64."""

    def __init__(self, rules: RuleSet, seat: Seat, likelihoods: Floats) -> None:
        """``likelihoods``: as the function of that name makes them."""
        self.weights = np.ones((rules.half_suits, rules.players, 64))
        self._team = team_of(seat)
        self._bluffs = rules.bluff_asks
        self._likelihoods = likelihoods
        self._may = [(1 << rules.players) - 1] * rules.cards
        self._moved_to: dict[Card, Seat] = {}
        self._shown: set[tuple[HalfSuit, Seat]] = set()
        self._in_play = set(range(rules.half_suits))

    def observe(self, event: Event) -> None:
        """Take in the next event."""
        if isinstance(event, Asked):
            self._observe_ask(event)
        elif isinstance(event, Claimed):
            self._in_play.remove(event.half_suit)

    def _observe_ask(self, event: Asked) -> None:
        asker, card = event.asker, event.card
        half_suit = half_suit_of(card)
        likelihood = self._likelihoods[0 if team_of(asker) == self._team else 1]
        if self._may[card] == 1 << event.target:
            self._weigh(half_suit, asker, likelihood[0])
        else:
            again = (half_suit, asker) in self._shown
            self._weigh(half_suit, asker, likelihood[2 if again else 1])
            for other in self._in_play:
                if other != half_suit and (other, asker) not in self._shown:
                    self._weigh(other, asker, likelihood[3])
        self._shown.add((half_suit, asker))
        if event.hit:
            self._moved_to[card] = asker
            self._may[card] = 1 << asker
        else:
            self._may[card] &= ~(1 << event.target)
            if not self._bluffs:
                self._may[card] &= ~(1 << asker)

    def _weigh(self, half_suit: HalfSuit, seat: Seat, likelihood: Floats) -> None:
        unmoved = moved_in = 0
        for i, card in enumerate(cards_of(half_suit)):
            place = self._moved_to.get(card)
            if place is None:
                unmoved |= 1 << i
            elif place == seat:
                moved_in += 1
        held = CARDS_IN[np.arange(64) & unmoved] + moved_in
        row = self.weights[half_suit, seat]
        row *= likelihood[held]
        # Only ratios count; the product of all rows must stay clear of the ends of a float.
        row /= row.max()
        np.maximum(row, _LEAST, out=row)
