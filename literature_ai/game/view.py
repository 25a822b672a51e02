"""What one seat may know of a game at one moment."""

from __future__ import annotations

from typing import Any, NamedTuple

from literature_ai.cards import Card, HalfSuit, Seat, seat_name
from literature_ai.events import Event
from literature_ai.game.asks import LegalAsks
from literature_ai.game.text import game_line, game_text, hand_text, size_text
from literature_ai.rules import RuleSet


class View(NamedTuple):
    """All that one seat may know at one moment; it holds no reference to the game."""

    rules: RuleSet
    seat: Seat
    dealt: tuple[Card, ...]
    """The cards that the seat was dealt, in order."""
    start: Seat
    """The seat that started the game."""
    hand: tuple[Card, ...]
    """The seat's own cards now, in order."""
    hand_sizes: tuple[int, ...]
    """Cards in each hand now."""
    turn: Seat | None
    """Who is on turn; None when the game is over."""
    score: tuple[int, int]
    """Half-suits of team A and of team B."""
    in_play: tuple[HalfSuit, ...]
    events: tuple[Event, ...]
    """Everything that has happened; event number ``n`` is ``events[n - 1]``."""
    legal_asks: LegalAsks
    """The seat's asks; none when it is not on turn."""
    legal_passes: tuple[Seat, ...]
    """The seats to which the seat may pass the turn, teammates or, when it must name one,
    opponents; none when it is not on turn."""
    may_claim: bool
    """Whether the seat may claim right now, on or off turn."""

    def __repr__(self) -> str:
        return f"<View of {seat_name(self.seat)}: {game_line(self)}>"

    def __str__(self) -> str:
        """Rules, score, turn, the own hand, the sizes of the others and last events, in lines."""
        hands = [size_text(size) for size in self.hand_sizes]
        hands[self.seat] = hand_text(self.hand, self.rules.card_names)
        return game_text(self, hands)

    def _repr_svg_(self) -> str:
        """The table as the seat sees it, for notebooks."""
        from literature_ai import svg

        return svg.table(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> View:
        return self
