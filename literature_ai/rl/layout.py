"""The layout of observations.

Seats are relative to the viewer, clockwise: the viewer is 0, so one policy serves all seats.

>>> from literature_ai.rules import RuleSet
>>> layout = Layout(RuleSet())
>>> layout.size
551
>>> layout.slices["hand"], layout.slices["turn"]
(slice(0, 48, None), slice(80, 86, None))
>>> layout.describe()["hand_sizes"]
'6: cards in each hand, as a share of the cards dealt to it'
"""

from __future__ import annotations

from functools import cached_property

from literature_ai.rules import RuleSet


class Layout:
    """The parts of an observation: a flat float32 array of ``size`` numbers.

    ``slices`` finds a part by name, in the order of `describe`. Each is flat; those of several
    dimensions are in C order.
    """

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        players, half_suits = rules.players, rules.half_suits
        nameable = players if rules.split_claims else players // 2
        self.event_size = 5 + 2 * players + rules.cards + half_suits
        """The number of features of one event; see `event_slices`."""
        self._parts = {
            "hand": (rules.cards, "1 for each card that the viewer holds"),
            "hand_sizes": (players, "cards in each hand, as a share of the cards dealt to it"),
            "in_play": (half_suits, "1 for each half-suit in play"),
            "won": (half_suits, "1 for each half-suit that the viewer's team has won"),
            "lost": (half_suits, "1 for each half-suit that the opponents have won"),
            "score": (2, "half-suits of the viewer's team and of the opponents, as a share of all"),
            "turn": (players, "1 for the seat on turn"),
            "off_turn": (1, "1 when the viewer is offered a claim between two actions"),
            "claiming": (half_suits, "1 for the half-suit that the viewer is claiming"),
            "placed": (
                6 * nameable,
                "1 for the seat of each card already placed: cards × seats that may be named",
            ),
            "events": (
                players * self.event_size,
                "the last events, newest first: players × features",
            ),
        }
        self.slices: dict[str, slice] = {}
        at = 0
        for name, (length, _) in self._parts.items():
            self.slices[name] = slice(at, at + length)
            at += length
        self.size = at
        """How many numbers an observation has."""

    def describe(self) -> dict[str, str]:
        """For each part: its length, and what it says."""
        return {name: f"{length}: {what}" for name, (length, what) in self._parts.items()}

    @cached_property
    def event_slices(self) -> dict[str, slice]:
        """The parts of one event; also of the rows that the option ``history`` gives."""
        players, half_suits = self.rules.players, self.rules.half_suits
        parts = {
            "kind": 4,  # ask, claim, pass, timeout
            "actor": players,
            "other": players,  # who was asked, or got the turn
            "card": self.rules.cards,
            "half_suit": half_suits,  # of a claim
            "success": 1,  # a hit, or a claim that was right
        }
        slices, at = {}, 0
        for name, length in parts.items():
            slices[name] = slice(at, at + length)
            at += length
        return slices
