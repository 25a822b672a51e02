"""Thirty positions with a known best answer, six of a kind.

A position is given by its rules, who is on turn first, what is left in each hand, the score, and
the asks and claims that led to it (see `endgames`).
"""

from __future__ import annotations

from typing import NamedTuple

from endgames import endgame

from literature_ai.game.game import Game


class Position(NamedTuple):
    """A position, and its best answers."""

    kind: str
    rules: str
    start: str
    hands: tuple[str, ...]
    score: tuple[int, int]
    actions: tuple[str, ...]
    best: str
    """An action as `parse_action` reads it; an ask of a seat without a card: any ask of it."""

    def game(self) -> Game:
        """The game, with the seat on turn that has to answer."""
        return endgame(self.rules, self.start, self.hands, self.score, *self.actions)


SURE = "only one ask is sure to hit, and a hit keeps the turn"
NOW = "the claim is certain, and there may be no other chance to make it"
HARMLESS = "nothing is sure to hit, and only one opponent can take nothing on turn"
FORCED = "nobody can be asked, and one claim is likelier than all others"
MATE = "the hand is empty, and one teammate can take what everyone has seen"

POSITIONS = (
    Position(
        SURE,
        "",
        "B2",
        ("2S 3S 4S QD", "5S QS KS", "6S AS JD TD KD", "7S 9D AD 9S TS JS"),
        (3, 2),
        ("A1 4S", "A1 JD"),
        "b2 4s",
    ),
    Position(
        SURE,
        "",
        "B1",
        ("2S 3S 9H QH", "4S 5S TH", "6S 7S JH", "KH", "AH", ""),
        (3, 3),
        ("A1 9H", "A1 KH"),
        "b1 9h",
    ),
    Position(
        SURE,
        "",
        "B2",
        ("2S 3S", "4S", "5S", "6S 9D TD", "7S", "JD", "QD KD", "AD"),
        (3, 3),
        ("A1 2S", "A2 3S"),
        "b2 2s",
    ),
    Position(
        SURE,
        "",
        "A2",
        ("2S 3S 9H TH", "4S 5S JH QH", "6S KH", "7S AH"),
        (3, 3),
        ("B1 7S", "A1 6S"),
        "b2 7s",
    ),
    Position(
        SURE,
        "deck-54",
        "B2",
        ("8S 8H 2S 3S", "8D 4S", "8C 5S", "RJ 6S", "BJ", "7S"),
        (4, 3),
        ("A1 8S", "A1 8D"),
        "b2 8s",
    ),
    Position(
        SURE,
        "pass-turn",
        "A1",
        ("4S 5S TH", "2S 3S 9H QH", "KH", "6S 7S JH", "", "AH"),
        (3, 3),
        ("B1 9H", "B1 KH"),
        "a1 9h",
    ),
    Position(
        NOW,
        "",
        "B1",
        ("LS QS", "9S TS JS", "KS", "AS"),
        (4, 2),
        ("A1 KS",),
        "c ls a1",
    ),
    Position(
        NOW,
        "max-events=9",
        "B1",
        ("2S 3S 4S 5S 6S 9H", "7S TH", "JH", "QH", "KH", "AH"),
        (3, 3),
        ("A1 QH", "B1 7S"),
        "c ls a1",
    ),
    Position(
        NOW,
        "split-claims max-events=10",
        "B1",
        ("2S 3S 4S 5S 7S 9H", "6S TH JH", "QH", "KH AH"),
        (3, 3),
        ("A1 7S", "A1 QH", "B1 TH"),
        "c ls a1:2,3,4,5 b1",
    ),
    Position(
        NOW,
        "",
        "B1",
        ("2S 3S 4S 9H", "5S TH", "6S JH", "7S QH", "KH", "AH"),
        (4, 2),
        ("A2 9H", "B1 5S", "B2 7S", "B1 KH", "A1 QH"),
        "c ls a1:2,3,4 a2",
    ),
    Position(
        NOW,
        "us54",
        "A1",
        ("3S", "8S 8H 8D 8C RJ BJ 2S", "4S", "5S", "6S", "7S"),
        (3, 4),
        ("B1 5S",),
        "c b1 ej b1",
    ),
    Position(
        NOW,
        "",
        "B1",
        ("2S 3S 4S 5S 6S 9H", "7S TH", "JH", "QH", "", "KH", "", "AH"),
        (4, 2),
        ("A1 JH", "B1 7S"),
        "c ls a1",
    ),
    Position(
        HARMLESS,
        "",
        "A2",
        ("7S", "2S 3S 4S", "6S QS KS", "9S TS JS AS 5S"),
        (3, 3),
        ("B2 JS", "B2 TS", "B1 5S"),
        "a1",
    ),
    Position(
        HARMLESS,
        "",
        "B1",
        ("2S 3S 4S", "6S QS KS", "9S TS JS AS 5S", "7S"),
        (3, 3),
        ("A2 JS", "A2 TS", "A1 5S"),
        "b2",
    ),
    Position(
        HARMLESS,
        "wrong-cancels",
        "B1",
        ("2D 3D 4D", "6D QC KC", "9C TC JC AC 5D", "7D"),
        (3, 3),
        ("A2 JC", "A2 TC", "A1 5D"),
        "b2",
    ),
    Position(
        HARMLESS,
        "split-claims",
        "B1",
        ("2C 3C 4C", "6C QC", "9C TC JC KC AC 5C", "7C"),
        (3, 3),
        ("A2 KC", "A2 AC", "A2 TC", "A1 5C"),
        "b2",
    ),
    Position(
        HARMLESS,
        "",
        "B1",
        ("2H 3H 4H", "6H QD KD", "9D TD JD AD 5H", "7H"),
        (3, 3),
        ("A2 AD", "A2 JD", "A1 5H"),
        "b2",
    ),
    Position(
        HARMLESS,
        "deck-54",
        "B1",
        ("8S 8H 8D", "RJ QS", "9S TS JS KS AS 8C", "BJ", "", ""),
        (3, 4),
        ("A2 KS", "A2 AS", "A2 JS", "A1 8C"),
        "b2",
    ),
    Position(
        FORCED,
        "",
        "A1",
        ("2S 3S 4S 5S 6S", "", "7S 9H TH JH QH KH", "", "AH", ""),
        (2, 4),
        (),
        "c ls a1:2,3,4,5,6 a2",
    ),
    Position(
        FORCED,
        "",
        "A1",
        ("LS", "9S TS JS", "QS KS", "AS"),
        (2, 4),
        (),
        "c ls a1",
    ),
    Position(
        FORCED,
        "",
        "A1",
        ("2S 3S", "", "4S 5S 6S 7S", ""),
        (3, 4),
        (),
        "c ls a1:2,3 a2",
    ),
    Position(
        FORCED,
        "",
        "A1",
        ("LS 9H", "", "TH JH", "", "QH KH AH", ""),
        (2, 4),
        (),
        "c ls a1",
    ),
    Position(
        FORCED,
        "",
        "B1",
        ("", "2S 3S 4S 5S 6S", "", "7S 9H TH JH", "", "QH", "", "KH AH"),
        (4, 2),
        (),
        "c ls b1:2,3,4,5,6 b2",
    ),
    Position(
        FORCED,
        "wrong-cancels",
        "A1",
        ("2S 3S 4S 5S 6S", "", "7S 9H TH JH QH", "", "KH AH", ""),
        (2, 4),
        (),
        "c ls a1:2,3,4,5,6 a2",
    ),
    Position(
        MATE,
        "",
        "B1",
        ("LS", "9S 9H", "TS QS KS AS JS TH", "JH", "QH KH", "AH"),
        (3, 2),
        ("A2 TS", "A2 QS", "A2 KS", "A2 AS", "A2 QH", "B2 9S", "A1 TH", "LS"),
        "p a2",
    ),
    Position(
        MATE,
        "",
        "A2",
        ("AH", "LS", "9S 9H", "TS QS KS AS JS TH", "JH", "QH KH"),
        (2, 3),
        ("B2 TS", "B2 QS", "B2 KS", "B2 AS", "B2 QH", "A3 9S", "B1 TH", "LS"),
        "p b2",
    ),
    Position(
        MATE,
        "",
        "B1",
        ("LS", "9S 9H", "QH KH", "JH", "TS QS KS AS JS TH", "AH"),
        (3, 2),
        ("A3 TS", "A3 QS", "A3 KS", "A3 AS", "A3 QH", "B2 9S", "A1 TH", "LS"),
        "p a3",
    ),
    Position(
        MATE,
        "pass-turn",
        "B1",
        ("LH", "9D 9C", "TD QD KD AD JD TC", "JC", "QC KC", "AC"),
        (3, 2),
        ("A2 TD", "A2 QD", "A2 KD", "A2 AD", "A2 QC", "B2 9D", "A1 TC", "LH"),
        "p a2",
    ),
    Position(
        MATE,
        "",
        "B1",
        ("LS", "9S 9H", "QH", "JH", "TS QS KS AS JS", "AH", "KH TH", ""),
        (3, 2),
        ("A3 TS", "A3 QS", "A3 KS", "A3 AS", "A3 KH", "B2 9S", "A1 TH", "LS"),
        "p a3",
    ),
    Position(
        MATE,
        "deck-54",
        "B1",
        ("EJ", "9S 9H", "TS QS KS AS JS TH", "JH", "QH KH", "AH"),
        (3, 3),
        ("A2 TS", "A2 QS", "A2 KS", "A2 AS", "A2 QH", "B2 9S", "A1 TH", "EJ"),
        "p a2",
    ),
)
