"""Text of strangers is shown on the terminal, never obeyed by it."""

from __future__ import annotations

import unicodedata

import pytest

from literature_ai.terminal_text import plain, plain_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("one\ntwo\r\tthree", r"one\ntwo\r\tthree"),
        ("\x00\x07\x7f\x9b", r"\x00\x07\x7f\x9b"),
        ("txt.\u202egpj", r"txt.\u202egpj"),
        ("half \ud800", r"half \ud800"),
        (
            "[/b] \\ é ♥\ufe0f \U0001f468\u200d\U0001f469",
            "[/b] \\ é ♥\ufe0f \U0001f468\u200d\U0001f469",
        ),
    ],
)
def test_control_characters_are_shown_not_obeyed(text, shown):
    """Controls, marks of direction and lone surrogates are escaped; everything else stays."""
    assert shown == plain(text)


def test_no_character_that_a_terminal_obeys_remains():
    """Of all characters, none that is left is a control, a surrogate or a separator of lines."""
    text = plain("".join(map(chr, range(0x110000))))
    assert {unicodedata.category(c) for c in text}.isdisjoint({"Cc", "Cs", "Zl", "Zp"})
    assert len(text.splitlines()) == 1
    text.encode()


def test_lines_of_a_traceback_stay_lines():
    """`plain_lines` keeps line feeds and tabs and escapes the rest."""
    assert "one\n\ttwo\\x1b\\r" == plain_lines("one\n\ttwo\x1b\r")
