r"""Text from outside (bots, files, arguments), made safe to show.

A terminal obeys control characters: they can move the cursor, change colours or hide what stands
before them, and so can marks that turn the direction of writing. Lone surrogates cannot be encoded
at all. Here each of them becomes an escape sequence of Python, which shows that it is there.

>>> print(plain("one\x1b[2Jtwo\r\n"))
one\x1b[2Jtwo\r\n
>>> print(plain_lines("one\x07\ntwo"))
one\x07
two
"""

from __future__ import annotations

import re

_UNSAFE = (
    "\x00-\x1f\x7f-\x9f"  # control characters
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks of writing direction
    "\u2028\u2029"  # separators of lines and paragraphs
    "\ud800-\udfff"  # surrogates
)
_ANY = re.compile(f"[{_UNSAFE}]")
_INSIDE_LINES = re.compile(f"(?![\n\t])[{_UNSAFE}]")


def plain(text: str) -> str:
    """The text in one line, each character that a terminal would obey or refuse escaped."""
    return _ANY.sub(_escaped, text)


def plain_lines(text: str) -> str:
    """The text escaped as by `plain`, but with its line feeds and tabs."""
    return _INSIDE_LINES.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")
