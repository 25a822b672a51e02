"""What comes of one game, as plain data that can cross processes and be stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, TypedDict

from literature_ai.cards import Seat

FailureKind: TypeAlias = Literal["error", "illegal", "timeout", "crash", "protocol"]


class Failure(TypedDict):
    """Why a game was forfeited."""

    kind: FailureKind
    """``error``: the agent raised; ``illegal``: it acted against the rules; ``timeout``: it did not
    come back; ``crash``: its process died; ``protocol``: it answered nonsense."""
    seat: Seat
    event: int
    """The number of events before it happened."""
    text: str
    """A traceback, or whatever else is known."""


class Counters(TypedDict):
    """What one team did in one game: sums, so that they can be added up."""

    asks: int
    hits: int
    claims_right: int
    claims_wrong: int
    decisions: int
    """On turn."""
    nanoseconds: int
    """In the agents' code, all of it."""
    examined_asks: int
    """The asks again if the game was examined, 0 if not."""
    dead_asks: int
    """Of the examined asks those whose miss was public knowledge."""
    timely_claims: int
    """Of an examined game the right claims of what a seat of the team could prove."""
    claim_delay: int
    """Events between provable and claimed, summed over those."""


class GameResult(TypedDict):
    """What came of one game; of two numbers the first belongs to the first team of the matchup."""

    score: tuple[int, int]
    winner: Literal[0, 1] | None
    unfinished: bool
    events: int
    failure: Failure | None
    counters: tuple[Counters, Counters]
    record: str | None


def no_counters() -> Counters:
    """Nothing done yet."""
    return {
        "asks": 0,
        "hits": 0,
        "claims_right": 0,
        "claims_wrong": 0,
        "decisions": 0,
        "nanoseconds": 0,
        "examined_asks": 0,
        "dead_asks": 0,
        "timely_claims": 0,
        "claim_delay": 0,
    }


def points(games: Sequence[GameResult]) -> float:
    """What the first team gets for a half: 1 if it won more of its games, ½ if as many."""
    winners = [game["winner"] for game in games]
    first, second = winners.count(0), winners.count(1)
    return 0.5 if first == second else float(first > second)
