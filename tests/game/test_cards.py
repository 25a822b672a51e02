"""Names of cards, half-suits and seats."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from literature_ai import cards as c
from literature_ai.errors import UnknownNameError


@pytest.mark.parametrize(
    ("name", "parse", "count"),
    [
        (c.name, c.parse, len(c.CARD_NAMES)),
        (c.half_suit_name, c.parse_half_suit, len(c.HALF_SUIT_NAMES)),
        (c.seat_name, c.parse_seat, len(c.SEAT_NAMES)),
    ],
    ids=["card", "half-suit", "seat"],
)
class TestNames:
    """What has a number has a name."""

    def test_a_name_is_parsed_back(
        self, name: Callable[[int], str], parse: Callable[[str], int], count: int
    ) -> None:
        """Every name stands for its number, with blanks around it and in lower case too."""
        for number in range(count):
            assert number == parse(name(number)) == parse(f" {name(number).lower()} ")

    def test_there_is_no_other(
        self, name: Callable[[int], str], parse: Callable[[str], int], count: int
    ) -> None:
        """Numbers out of range and texts that name nothing raise `UnknownNameError`."""
        for number in (-1, count):
            with pytest.raises(UnknownNameError, match=f"there is no .* {number}; .* 0 to"):
                name(number)
        for text in ("", "X", "A9", "1S", "XS", "2S3", "♠"):
            with pytest.raises(UnknownNameError, match="write"):
                parse(text)


def test_cards_have_other_spellings() -> None:
    """Ten in digits, suits as signs, and a sign before the rank name the same card."""
    for text in ("TD", "10d", "10♦", "T♢", "♦10", "♦T"):
        assert c.parse(text) == c.parse("TD")
    with pytest.raises(UnknownNameError):
        c.parse("D10")


def test_seats_end_with_the_players() -> None:
    """A seat must be one of the game's."""
    assert c.parse_seat("B2", 4) == 3
    with pytest.raises(UnknownNameError, match=r"write one of A1 B1 A2 B2$"):
        c.parse_seat("A3", 4)


def test_half_suits_have_six_cards_and_seats_a_team() -> None:
    """Cards are numbered by half-suit, seats alternate between the teams."""
    for half_suit in range(9):
        assert [half_suit] * 6 == [c.half_suit_of(card) for card in c.cards_of(half_suit)]
    assert [c.team_of(seat) for seat in range(8)] == [0, 1] * 4
