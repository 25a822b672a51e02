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


@pytest.mark.parametrize("rule", c.DECKS)
def test_every_deck_names_its_cards(rule: str) -> None:
    """Names of a deck are all different, are parsed back by it, and are names of a pack of 54."""
    names = c.DECKS[rule]
    assert len(names) == len(set(names)) == (54 if rule == "deck-54" else 48)
    assert [c.parse(card_name, names) for card_name in names] == list(range(len(names)))
    assert set(names) <= set(c.DECKS["deck-54"])
    assert all(c.is_card(card_name.lower()) for card_name in names)


@pytest.mark.parametrize(
    ("text", "rule", "message"),
    [
        (
            "7s",
            "without-7s",
            "7S is not in this deck (without-7s): it is in the usual deck, deck-54 and without-2s",
        ),
        (
            "♥2",
            "without-2s",
            "2H is not in this deck (without-2s): it is in the usual deck, deck-54 and without-7s",
        ),
        (
            "8c",
            "",
            "8C is not in this deck (the usual 48 cards): it is in deck-54, without-7s and"
            " without-2s",
        ),
        ("rj", "without-2s", "RJ is not in this deck (without-2s): it is in deck-54 alone"),
    ],
)
def test_a_card_of_another_deck_is_told_its_deck(text: str, rule: str, message: str) -> None:
    """A card that is not in the deck is refused with the decks that have it."""
    with pytest.raises(UnknownNameError) as caught:
        c.parse(text, c.DECKS[rule])
    assert message == str(caught.value)


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
