"""Games, positions and views as text for people: what `str` and `print` show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from literature_ai.cards import (
    HALF_SUIT_NAMES,
    SEAT_NAMES,
    TEAM_NAMES,
    Card,
    CardNames,
    half_suit_of,
)

if TYPE_CHECKING:
    from literature_ai.game.position import PublicGame
    from literature_ai.game.view import View

SHOWN_EVENTS = 3
"""The number of last events that are shown."""


def game_text(seen: PublicGame | View, hands: Sequence[str]) -> str:
    """The game in lines: rules, score, one line a seat with these hands, and the last events."""
    from literature_ai.wording import sentence

    lines = [str(seen.rules), f"{score_text(seen.score)} after {_counted(len(seen.events))}"]
    if seen.turn is None:
        lines[-1] += f"; {_end(seen.score)}"
    else:
        lines[-1] += f"; {SEAT_NAMES[seen.turn]} is on turn"
    for seat, hand in enumerate(hands):
        lines.append(f"{'>' if seat == seen.turn else ' '} {SEAT_NAMES[seat]}  {hand}".rstrip())
    claimed = [h for h in range(seen.rules.half_suits) if h not in seen.in_play]
    if claimed:
        lines.append(f"claimed: {' '.join(HALF_SUIT_NAMES[h] for h in claimed)}")
    first = max(len(seen.events) - SHOWN_EVENTS, 0)
    for number, event in enumerate(seen.events[first:], first + 1):
        lines.append(f"{number}. {sentence(event, seen.rules.card_names)}")
    return "\n".join(lines)


def game_line(seen: PublicGame | View) -> str:
    """The game in a few words: its players, events, score, and who is on turn."""
    on_turn = "over" if seen.turn is None else f"{SEAT_NAMES[seen.turn]} on turn"
    score = "-".join(map(str, seen.score))
    return f"{seen.rules.players} players, {_counted(len(seen.events))}, {score}, {on_turn}"


def hand_text(cards: Iterable[Card], names: CardNames) -> str:
    """The names of the cards, with a wider gap between half-suits."""
    groups = groupby(cards, half_suit_of)
    return "  ".join(" ".join(names[card] for card in group) for _, group in groups)


def size_text(size: int) -> str:
    """A hand of which only the size is known."""
    return f"{size} card{'' if size == 1 else 's'}"


def score_text(score: tuple[int, int]) -> str:
    """The half-suits, or the games won, of both teams: ``A 3 - B 2``."""
    return " - ".join(f"{team} {points}" for team, points in zip(TEAM_NAMES, score, strict=True))


def _counted(events: int) -> str:
    return f"{events} event{'' if events == 1 else 's'}"


def _end(score: tuple[int, int]) -> str:
    a, b = score
    return "the game is a draw" if a == b else f"team {TEAM_NAMES[b > a]} has won"
