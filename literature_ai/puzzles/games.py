"""The games that puzzles come from: our agents play them, on seeds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from literature_ai.bots.registry import parse_spec
from literature_ai.cards import Seat
from literature_ai.events import Event
from literature_ai.game.game import Game
from literature_ai.game.turns import play
from literature_ai.game.view import View
from literature_ai.inference.knowledge import Knowledge
from literature_ai.records.record import Record
from literature_ai.rules import RuleSet

if TYPE_CHECKING:
    import numpy as np

_TEAMS = (
    ("greedy", "expert"),
    ("expert", "greedy"),
    ("expert", "expert"),
    ("greedy", "novice"),
    ("novice", "greedy"),
)
_MOST_SEED = 2**62


def played(rules: RuleSet, rng: np.random.Generator) -> Record:
    """A whole game, from a deal, between teams that are drawn."""
    game = Game.deal(rules, seed=int(rng.integers(_MOST_SEED)))
    teams = _TEAMS[rng.integers(len(_TEAMS))]
    play(game, [parse_spec(teams[s % 2]).make() for s in range(rules.players)], rng)
    return Record.of(game, "puzzle")


def view_at(record: Record, seat: Seat, events: int) -> View:
    """What the seat sees after so many events."""
    dealt = record.hands[seat]
    assert dealt is not None
    return record.at(events).position().view(seat, dealt)


def walk(record: Record, seat: Seat) -> Iterator[tuple[int, Event, Knowledge]]:
    """The number of each event but the last, the event, and what the seat knows after it.

    The knowledge is one object that learns on.
    """
    knowledge = Knowledge(record.rules, seat, record.hands[seat])
    for number, event in enumerate(record.events[:-1], start=1):
        knowledge.observe(event)
        yield number, event, knowledge
