"""Text and tables for the terminal, of any width: numbers are never cut.

Text of others, such as names, is shown as it is and never read as markup.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Column, Table
    from rich.text import Text

PIPED_WIDTH = 100
_LEAST_OF_WORDS = 12
"""A column of words may be made so narrow, and is folded then."""
_UNBOUNDED = 100_000
NOTHING = "·"
"""A cell where nothing is; only a table has a place for it."""


def console(piped_width: int = PIPED_WIDTH) -> Console:
    """As wide as the terminal; of a fixed width and without colour when the output is none."""
    import rich.console

    class PlainConsole(rich.console.Console):
        def on_broken_pipe(self) -> None:
            raise  # the BrokenPipeError; rich itself would end the command with exit code 1

    width = columns() or piped_width
    # Without a height rich takes every terminal that it does not know to have 80 columns.
    return PlainConsole(width=width, height=25, highlight=False, markup=False, emoji=False)


def columns() -> int:
    """The width of the terminal; 0 when the output is none."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


def say(text: str, hanging: int = 4) -> None:
    """Print lines of text; a terminal gets those that are too long for it broken between words."""
    width = columns()
    for line in text.split("\n"):
        if not width or len(line) <= width:
            print(line)
            continue
        indent = " " * (len(line) - len(line.lstrip()) + hanging)
        for part in textwrap.wrap(
            line, width, subsequent_indent=indent, break_on_hyphens=False, drop_whitespace=True
        ):
            print(part)


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


def show_table(console: Console, table: Table) -> None:
    """Print the table; where it is too wide, a heading and a paragraph for each of its rows.

    Columns aligned to the left have words, which may be folded; all others are shown whole.
    """
    from rich.measure import Measurement

    unbounded = console.options.update(width=_UNBOUNDED)
    least = Measurement.get(console, unbounded, table).maximum
    for column in table.columns:
        if column.justify == "left" and not column.no_wrap:
            least -= max(_width(column, table.show_header) - _LEAST_OF_WORDS, 0)
        else:
            column.no_wrap = True
    if least <= console.width:
        console.print(table)
        return
    for row in zip(*(column.cells for column in table.columns), strict=True):
        for line in _stacked(console, table.columns, row):
            console.print(line)


def _width(column: Column, with_header: bool) -> int:
    cells = [*column.cells, *[column.header] * with_header]
    return max((_text(cell).cell_len for cell in cells), default=0)


def _text(cell: RenderableType) -> Text:
    from rich.text import Text

    return cell if isinstance(cell, Text) else Text(str(cell))


def _stacked(
    console: Console, columns: Sequence[Column], row: Sequence[RenderableType]
) -> Iterator[Text]:
    """The row as a heading, its first cell, and lines that are full of ``header: value``."""
    from rich.text import Text

    heading, *cells = (_text(cell) for cell in row)
    line = Text("")
    line.append_text(heading)
    for column, cell in zip(columns[1:], cells, strict=True):
        if cell.plain in ("", NOTHING):
            continue
        header = _text(column.header).plain
        entry = Text().append(f"{header}: " if header else "", style="dim").append_text(cell)
        if line.plain and line.cell_len + 2 + entry.cell_len > console.width:
            yield line
            line = Text("  ")
            line.append_text(entry)
        else:
            line.append_text(Text("  ")).append_text(entry)
    yield line
