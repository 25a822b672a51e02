"""The result of one game, as plain data that is sent between processes and stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, TypedDict

from literature_ai.cards import Seat

_LONGEST_CAUSE = 200

FailureKind: TypeAlias = Literal["error", "illegal", "timeout", "crash", "protocol", "void"]


class Failure(TypedDict):
    """Why a game was forfeited."""

    kind: FailureKind
    """``error``: the agent raised; ``illegal``: its action broke a rule; ``timeout``: it exceeded
    the time limit; ``crash``: its process died; ``protocol``: its answer was no action; ``void``:
    the game failed, but with neither team's code alone, so it does not count."""
    seat: Seat
    """The seat that failed; of a void game, the seat whose code was running."""
    event: int
    """The number of events before the failure."""
    text: str
    """A traceback, or another description."""


class Counters(TypedDict):
    """What one team did in one game, as sums that can be added over games."""

    asks: int
    hits: int
    claims_right: int
    claims_wrong: int
    decisions: int
    """On turn only."""
    nanoseconds: int
    """Time in the agents' code."""
    examined_asks: int
    """The number of asks if the game was examined, else 0."""
    dead_asks: int
    """Examined asks whose miss was public knowledge."""
    timely_claims: int
    """Right claims of an examined game that were provable for the team."""
    claim_delay: int
    """Events between provable and claimed, summed over timely claims."""


class GameResult(TypedDict):
    """The result of one game. Of two numbers, the first is of the first team of the matchup."""

    score: tuple[int, int]
    winner: Literal[0, 1] | None
    unfinished: bool
    events: int
    failure: Failure | None
    counters: tuple[Counters, Counters]
    record: str | None


def no_counters() -> Counters:
    """Counters with all sums at 0."""
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


def cause(text: str) -> str:
    """The cause of a failure in one line: the end of its text, a traceback or standard error.

    That is the last line, with the line before where the message goes on over both, or where a
    program's last words on its standard error stand before what became of it.

    >>> cause("Traceback (most recent call last):\\n  File ...\\nValueError: no idea\\n")
    'ValueError: no idea'
    >>> cause("loading\\nout of memory\\nthe program ended with exit code 3")
    'out of memory | the program ended with exit code 3'
    """
    *others, last = [line.rstrip() for line in text.split("\n") if line.strip()] or [""]
    before = others[-1] if others else ""
    if before and not before[0].isspace() and not before.startswith("Traceback "):
        last = f"{before} | {last}"
    return last if len(last) <= _LONGEST_CAUSE else f"…{last[1 - _LONGEST_CAUSE :]}"


def is_void(games: Sequence[GameResult]) -> bool:
    """Whether one of the games of a half is void, and the half with it."""
    return any(game["failure"] and game["failure"]["kind"] == "void" for game in games)


def points(games: Sequence[GameResult]) -> float:
    """The points of the first team for a half: 1 if it won more games, ½ if as many, else 0."""
    winners = [game["winner"] for game in games]
    first, second = winners.count(0), winners.count(1)
    return 0.5 if first == second else float(first > second)
