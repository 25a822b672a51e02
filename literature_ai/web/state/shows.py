"""Games of bots among themselves, to watch: each is found again by what it was started with.

A game is played on only as far as somebody wants to see it, so one that nobody watches any more
costs nothing. All random numbers come from its seed, so the same settings are the same game.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from literature_ai.errors import LiteratureError
from literature_ai.records.lit import read, write
from literature_ai.records.record import Record
from literature_ai.replays.viewing import game_as_json, viewer_named
from literature_ai.rules import RuleSet
from literature_ai.sessions.seats import Bot
from literature_ai.sessions.table import TableSession
from literature_ai.web.specs import team_from_page
from literature_ai.wording import whole_number

MOST_EVENTS = 2000
"""Longer games cannot be watched."""
_AHEAD = 25
"""So many events are played beyond those that are shown already."""
_PATIENCE = 0.7
"""Seconds after which what has been played is shown."""
_KEPT = 20
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Settings:
    """What a game is started with."""

    teams: tuple[tuple[str, ...], tuple[str, ...]]
    rules: RuleSet
    seed: int

    @classmethod
    def of(cls, words: Mapping[str, str]) -> Settings:
        """The settings that a page gives: teams ``a`` and ``b``, ``players``, ``rules``, ``seed``.

        Raises LiteratureError for what cannot be.
        """
        players, seed = (whole_number(words.get(name, "")) for name in ("players", "seed"))
        if players is None or seed is None:
            raise LiteratureError("players and seed must be whole numbers")
        text = words.get("rules", "")
        if len(text) > _LONGEST:
            raise LiteratureError(f"the rules are longer than {_LONGEST} letters")
        rules = RuleSet.parse(text, players)
        if rules.turn_seconds is not None:
            raise LiteratureError("games to watch know no clock; leave turn-seconds out")
        if rules.max_events > MOST_EVENTS:
            raise LiteratureError(f"games to watch have at most max-events={MOST_EVENTS}")
        a, b = (team_from_page(words.get(team, ""), players // 2) for team in ("a", "b"))
        return cls((a, b), rules, seed)


class Show:
    """One game of bots."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        players = settings.rules.players
        bots = [Bot(settings.teams[seat % 2][seat // 2]) for seat in range(players)]
        self._session = TableSession("watched", settings.rules, bots, seed=settings.seed)
        self._lock = threading.Lock()
        self._clock = clock

    def play(self, events: int) -> None:
        """Play on to some events beyond these, or as long as people wait, but at least one."""
        with self._lock:
            began = self._clock()
            while len(self._session.events) < events + _AHEAD and not self._session.over:
                self._session.advance()
                late = self._clock() - began > _PATIENCE
                if late and len(self._session.events) > events:
                    break

    @property
    def record(self) -> Record:
        """The game so far, with all hands."""
        with self._lock:
            record = self._session.record
        (read_again,) = read(write([record]))
        return read_again

    def as_json(self, viewer: str, after: int) -> dict[str, Any]:
        """The game as the viewer sees it, with the events after so many; ``over``: whether these
        are all.

        Raises `UnknownNameError` when there is no such viewer.
        """
        record = self.record
        game = game_as_json(record, viewer_named(viewer, record))
        game["events"] = game["events"][after:]
        return {**game, "after": after, "over": record.ended}


class Shows:
    """The games that are watched."""

    def __init__(self) -> None:
        self._shows: OrderedDict[Settings, Show] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, settings: Settings) -> Show:
        """The game with these settings, from its beginning or as far as it is."""
        with self._lock:
            if settings not in self._shows:
                self._shows[settings] = Show(settings)
            self._shows.move_to_end(settings)
            while len(self._shows) > _KEPT:
                self._shows.popitem(last=False)
            return self._shows[settings]
