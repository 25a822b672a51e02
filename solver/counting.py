"""Exact counting of deals: numbers, probabilities and samples over one `Problem`.

Half-suits interact only through hand sizes, so a dynamic program over half-suits counts all deals
without listing them (see `solver.kernels`). Counts are exact integers. Probabilities are sums of
positive floats, accurate to about 12 digits; 0 and 1 are exact.

Weights, a float array of half-suits × seats × 64, make some deals likelier than others: the weight
of a deal is the product, over half-suits and seats, of the weight of the subset that the seat was
dealt (bit ``i`` of its index: the ``i``-th card of the half-suit). All ones is the uniform
distribution. Deals of zero weight are left out. So are those whose weight, beside that of others,
is less than the smallest float.

>>> from solver.problem import Holds, Problem
>>> problem = Problem(half_suits=8, hand_sizes=(8,) * 6)
>>> problem.add(0, Holds(seat=2, card=0))
>>> Counting(problem).posterior()[0].tolist()
[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from solver.errors import ContradictionError, LiteratureError
from solver.problem import CARDS_PER_HALF_SUIT, NotLayout, Problem

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from solver.kernels.claims import Claims

GONE = -1
"""In ``moved``: the card has left play."""
UNMOVED = -2
"""In ``moved``: the card is where it was dealt."""
_LARGEST_BATCH = 4096
"""Deals in order are listed so many at a time."""


class Counting:
    """Counts, probabilities and samples of the deals that satisfy all facts of a problem.

    Every call first reads the facts added since the last one. ``weights`` are as the module
    docstring says; an array of zero size means none. Unless noted, methods raise
    `ContradictionError` (without events; see `solver.explanation` for those) when there is no deal,
    and LiteratureError when there are deals but the weights leave none.
    """

    def __init__(self, problem: Problem) -> None:
        import numpy as np

        self.problem = problem
        self._hand_sizes = np.array(problem.hand_sizes, np.int64)
        self._families = np.full((problem.half_suits, problem.seats), -1, np.int64)
        self._excluded = np.empty((0, 1 + CARDS_PER_HALF_SUIT), np.int64)
        self._no_weights = np.empty((0, 0, 0))
        self._no_moves = np.empty(0, np.int64)
        self._no_news = np.empty((0, 3), np.int64)
        self._read = 0
        self.transitions = 0
        """The transitions of all posteriors so far: what they took, the same on every machine."""

    def copy(self, problem: Problem) -> Counting:
        """A copy of the engine for ``problem``, which must be a copy of its problem."""
        twin = Counting(problem)
        twin._families = self._families.copy()
        twin._excluded = self._excluded
        twin._read = self._read
        return twin

    def deals(self) -> int:
        """The exact number of deals; 0, without an error, when the facts are contradictory."""
        residues = _kernel("deals", "deals_residues")(
            self._families, self._news(), self._hand_sizes, self._excluded
        )
        number, modulus = 0, 1
        for residue, prime in zip(residues.tolist(), _kernel("deals", "PRIMES"), strict=True):
            number += modulus * ((residue - number) * pow(modulus, -1, prime) % prime)
            modulus *= prime
        return number

    def total_weight(self, weights: npt.NDArray[np.float64]) -> float:
        """The sum of the weights of all deals; 0, without an error, when there is none."""
        return float(
            _kernel("deals", "total_weight")(
                self._families, self._news(), self._hand_sizes, weights, self._excluded
            )
        )

    def posterior(
        self,
        weights: npt.NDArray[np.float64] | None = None,
        moved: npt.NDArray[np.int64] | None = None,
    ) -> npt.NDArray[np.float64]:
        """The probability that each card was dealt to each seat: floats, cards × seats.

        With ``moved``, an int for each card, the probability that the card is there now: ``moved``
        is the seat that the card was last seen to go to, `GONE` if it has left play, or `UNMOVED`
        if it is still where it was dealt.
        """
        return self.located(weights, moved)[0]

    def located(
        self,
        weights: npt.NDArray[np.float64] | None = None,
        moved: npt.NDArray[np.int64] | None = None,
    ) -> tuple[npt.NDArray[np.float64], int]:
        """The `posterior`, and a bit set of the half-suits all of whose cards are certain."""
        moves = self._no_moves if moved is None else moved
        chances, settled, transitions = _kernel("posterior", "posterior")(
            *self._arguments(weights), moves
        )
        self.transitions += transitions
        if not len(chances):
            raise self._no_deal(weights)
        return chances, settled

    def moved(
        self, posterior: npt.NDArray[np.float64], moved: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float64]:
        """A copy of a `posterior` with the cards moved as ``moved`` says; see there."""
        posterior = posterior.copy()
        _kernel("posterior", "move")(posterior, moved)
        return posterior

    def claims(
        self,
        allowed: npt.NDArray[np.bool_],
        weights: npt.NDArray[np.float64] | None = None,
    ) -> Claims:
        """The most probable layout of each half-suit among the seats allowed for each card.

        allowed: cards × seats; equal for all cards of a half-suit whose seat is not certain. The
        arrays of the result lack their first axis, since there is only one group.
        """
        found = _kernel("claims", "claims")(*self._arguments(weights), allowed[None], True)
        if not len(found.best):
            raise self._no_deal(weights)
        of_the_group: Claims = found._make([of_groups[0] for of_groups in found])
        return of_the_group

    def held(self, allowed: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """The probability that the allowed seats hold all six cards: groups × half-suits.

        allowed: groups × cards × seats, each as for `claims`.
        """
        chances: npt.NDArray[np.float64]
        chances = _kernel("claims", "claims")(*self._arguments(None), allowed, False).held
        if not len(chances):
            raise self._no_deal()
        return chances

    def layouts(
        self, half_suit: int, weights: npt.NDArray[np.float64] | None = None
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """All possible layouts of a half-suit, likeliest first: n × 6 seats, n probabilities."""
        import numpy as np

        found, chances = _kernel("distributions", "layouts")(*self._arguments(weights), half_suit)
        if not len(found):
            raise self._no_deal(weights)
        # Rounded, so that equally likely layouts come in lexicographic order despite float error.
        order = np.lexsort((*found.T[::-1], -np.round(chances, 12)))
        return found[order], chances[order]

    def witness(self) -> tuple[int, ...] | None:
        """The seat of every card in some deal, always the same one; None when there is none."""
        import numpy as np

        try:
            return tuple(self.sample(np.random.default_rng(0), 1)[0].tolist())
        except ContradictionError:
            return None

    def layouts_in_order(self, half_suit: int) -> Iterator[tuple[int, ...]]:
        """The possible layouts of a half-suit in lexicographic order; none when there is no deal.

        Facts that are added while iterating are ignored.
        """
        import numpy as np

        found = _kernel("distributions", "layouts")(*self._arguments(None), half_suit)[0]
        return (tuple(row) for row in found[np.lexsort(found.T[::-1])].tolist())

    def in_order(self) -> Iterator[tuple[int, ...]]:
        """All deals, as the seat of every card, in lexicographic order; none when there is none.

        A search that never fails, in batches that grow: one that begins anew costs what one deal
        does. Facts that are added while iterating are ignored.
        """
        return self.copy(self.problem.copy())._batches_in_order()

    def _batches_in_order(self) -> Iterator[tuple[int, ...]]:
        import numpy as np

        next_deals = _kernel("enumeration", "next_deals")
        after, size = np.empty(0, np.int64), 1
        while True:
            families, news, hand_sizes, _, excluded = self._arguments(None)
            found = next_deals(families, news, hand_sizes, excluded, after, size)
            yield from (tuple(deal) for deal in found.tolist())
            if len(found) < size:
                return
            after, size = found[-1], min(4 * size, _LARGEST_BATCH)

    def sample(
        self,
        rng: np.random.Generator,
        count: int,
        weights: npt.NDArray[np.float64] | None = None,
    ) -> npt.NDArray[np.int8]:
        """Independent samples of deals, with probability proportional to weight.

        Returns the seat of every card: count × cards.
        """
        deals: npt.NDArray[np.int8]
        deals = _kernel("samples", "sample")(*self._arguments(weights), rng, count)
        if len(deals) < count:
            raise self._no_deal(weights)
        return deals

    def _arguments(
        self, weights: npt.NDArray[np.float64] | None
    ) -> tuple[
        npt.NDArray[np.int64],
        npt.NDArray[np.int64],
        npt.NDArray[np.int64],
        npt.NDArray[np.float64],
        npt.NDArray[np.int64],
    ]:
        return (
            self._families,
            self._news(),
            self._hand_sizes,
            self._no_weights if weights is None else weights,
            self._excluded,
        )

    def _no_deal(self, weights: npt.NDArray[np.float64] | None = None) -> LiteratureError:
        """The error that there is no deal: because of the facts, else of the weights."""
        if weights is None or not weights.size or not self.deals():
            return ContradictionError("no deal makes all of this true")
        if self.total_weight((weights > 0.0).astype(float)) > 0.0:
            return LiteratureError(
                "the weights are too far apart: beside the largest of them, those of all deals that"
                " fit the facts are less than the smallest float"
            )
        return LiteratureError(
            "the weights rule out every deal that fits the facts; a deal needs a weight above 0 in"
            " each half-suit at each seat"
        )

    def _news(self) -> npt.NDArray[np.int64]:
        """The facts added since the last call: rows of half-suit, seat, family."""
        facts = self.problem.facts
        if self._read == len(facts):
            return self._no_news
        import numpy as np

        rows = []
        for _, fact in facts[self._read :]:
            if isinstance(fact, NotLayout):
                row = np.array([[fact.half_suit, *fact.holders]], np.int64)
                self._excluded = np.concatenate([self._excluded, row])
            else:
                rows.append(fact.family)
        self._read = len(facts)
        # A bytearray, since numba would compile another version for read-only arrays.
        return np.frombuffer(bytearray(b"".join(rows)), np.int64).reshape(-1, 3)


@cache
def _kernel(module: str, name: str) -> Any:
    """A compiled function (or constant) of `solver.kernels`, imported on first use.

    (An import statement would add a microsecond to each call, and a posterior takes ten.)
    """
    return getattr(import_module(f"solver.kernels.{module}"), name)
