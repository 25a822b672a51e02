"""What all drawings are made of: text, boxes and cards as SVG elements."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from literature_ai.cards import TEAM_NAMES
from literature_ai.terminal_text import plain

CARD_WIDTH, CARD_HEIGHT = 26, 36
INK, PALE, PAPER, LINE = "#1c2733", "#5b6b7b", "#fbfaf7", "#c9cfd6"
TEAM_COLOURS = ("#1f6fb2", "#b4451f")
"""Of teams A and B; their names always stand beside."""
RED, BLACK = "#b3261e", "#1c2733"
_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣", "J": "★"}
_FONT = "font-family='system-ui, sans-serif'"


class Canvas:
    """Collects elements; `svg` is the whole drawing.

    Sizes are in pixels; x goes to the right and y down.
    """

    def __init__(self, width: int, height: int, title: str) -> None:
        self.width, self.height, self.title = width, height, plain(title)
        self._elements: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: int = 13,
        fill: str = INK,
        anchor: str = "start",
        bold: bool = False,
    ) -> None:
        """A line of text on the base line ``y``."""
        weight = " font-weight='600'" if bold else ""
        self._elements.append(
            f"<text x='{x:g}' y='{y:g}' font-size='{size}' fill='{fill}' "
            f"text-anchor='{anchor}'{weight}>{escape(plain(text))}</text>"
        )

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str = PAPER,
        stroke: str = LINE,
        title: str = "",
    ) -> None:
        """A box with round corners; ``title`` is shown when one points at it."""
        shape = (
            f"<rect x='{x:g}' y='{y:g}' width='{width:g}' height='{height:g}' rx='5' "
            f"fill='{fill}' stroke='{stroke}'"
        )
        told = f"><title>{escape(plain(title))}</title></rect>" if title else "/>"
        self._elements.append(shape + told)

    def card(self, x: float, y: float, name: str) -> None:
        """The face of a card, by its name."""
        rank, suit = name[0].replace("T", "10"), name[1]
        red = suit in "HD" or name == "RJ"
        if suit == "J":
            rank = "R" if name == "RJ" else "B"
        self.box(x, y, CARD_WIDTH, CARD_HEIGHT, fill="#ffffff", title=name)
        # At the left edge, where it is seen when the next card lies on top.
        colour = RED if red else BLACK
        self.text(x + 3, y + 16, rank, size=12, fill=colour, bold=True)
        self.text(x + 3, y + 30, _SUITS[suit], size=13, fill=colour)

    def back(self, x: float, y: float) -> None:
        """The back of a card."""
        self.box(x, y, CARD_WIDTH, CARD_HEIGHT, fill="#dfe5ec", stroke="#aab4bf")

    def svg(self) -> str:
        """The drawing as a text of SVG, with its title for screen readers."""
        return (
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {self.width} {self.height}' "
            f"width='{self.width}' height='{self.height}' role='img' "
            f"aria-label={quoteattr(self.title)} {_FONT}>"
            f"<title>{escape(self.title)}</title>"
            f"<rect width='{self.width}' height='{self.height}' fill='{PAPER}'/>"
            f"{''.join(self._elements)}</svg>"
        )


def fanned(canvas: Canvas, x: float, y: float, names: Iterable[str | None], step: float) -> None:
    """Cards beside each other, each ``step`` to the right of the last; None is a back."""
    for i, name in enumerate(names):
        if name is None:
            canvas.back(x + i * step, y)
        else:
            canvas.card(x + i * step, y, name)


def team_colour(seat: int) -> str:
    """The colour of the team of the seat."""
    return TEAM_COLOURS[seat % len(TEAM_NAMES)]
