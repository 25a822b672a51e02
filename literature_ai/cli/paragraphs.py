"""Text for the terminal, wrapped with an indent and without blanks at the ends of lines."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

PIPED_WIDTH = 100


def console() -> Console:
    """As wide as the terminal; of a fixed width and without colour when the output is none."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else PIPED_WIDTH)


def show(console: Console, text: Text, indent: int = 0, hanging: int = 0) -> None:
    """Print the text; lines after the first are indented ``hanging`` columns more."""
    from rich.text import Text

    margin = indent
    while True:
        lines = text.wrap(console, console.width - margin)
        for line in lines:
            line.rstrip()
        first, *rest = lines
        console.print(Text(" " * margin) + first)
        if not rest:
            return
        text = Text(" ").join(rest)
        margin = indent + hanging
