"""The games of one half of a pair: what comes next, and the results and records of those played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from literature_ai.bots.registry import split_team
from literature_ai.cards import Team, team_of
from literature_ai.events import Asked, Claimed
from literature_ai.game.game import Game
from literature_ai.game.position import Outcome, Termination
from literature_ai.records.lit import write
from literature_ai.records.record import Record
from tournaments.plan import Half, Plan
from tournaments.processes.moves import Move, apply_moves
from tournaments.results import Counters, Failure, GameResult, is_void, no_counters


@dataclass(frozen=True, slots=True)
class Rerun:
    """How the next game of a series is played again to find out whose code makes it fail."""

    side: Team | None = None
    """The side whose agents play, while ``moves`` tell what the other does; None: both play."""
    moves: Sequence[Move] = ()
    """What is decided, whatever the agents that play answer. A real answer counts after that."""
    until: int | None = None
    """Stop after so many events, before the agents observe the last one. None: go on to the end of
    the game, after the last move with a stand-in for a side that does not play."""


@dataclass(slots=True)
class Series:
    """One half of a pair in progress: a single game, or the games of a match."""

    number: int
    """The place of the half in its task."""
    half: Half
    results: list[GameResult] = field(default_factory=list)
    rerun: Rerun | None = None

    def next_game(self, plan: Plan) -> Game | None:
        """The game that follows; None when the half is finished, or void with a game of it."""
        if is_void(self.results):
            return None
        return self.half.next_game(plan, [self._outcome(result) for result in self.results])

    def _outcome(self, result: GameResult) -> Outcome:
        # `team_at` maps sides to teams and, being its own inverse, teams to sides.
        a, b = (result["score"][self.half.team_at(side)] for side in (0, 1))
        winner = result["winner"]
        side = None if winner is None else self.half.team_at(winner)
        return Outcome((a, b), side, Termination.ALL_CLAIMED)

    def finished(
        self, plan: Plan, game: Game, counters: tuple[Counters, Counters], with_record: bool
    ) -> GameResult:
        """The result of a game that was played to its end."""
        outcome = game.outcome
        assert outcome is not None
        return {
            "score": self._by_team(outcome.score),
            "winner": self._team(outcome.winner),
            "unfinished": outcome.unfinished,
            "events": len(game.events),
            "failure": None,
            "counters": counters,
            "record": self.record(plan, game) if with_record else None,
        }

    def forfeited(
        self,
        plan: Plan,
        moves: Sequence[Move],
        failure: Failure,
        counters: tuple[Counters, Counters] | None,
        with_record: bool,
    ) -> GameResult:
        """The result of the next game, in which an agent failed after these moves.

        Its team loses all half-suits still in play. If the failure is of the kind ``void``, nobody
        wins. ``counters`` are those of the player; without them only events are counted.
        """
        game = self.next_game(plan)
        assert game is not None
        apply_moves(game, moves)
        side = team_of(failure["seat"])
        void = failure["kind"] == "void"
        score = list(game.score)
        if not void:
            score[1 - side] += len(game.in_play)
        return {
            "score": self._by_team((score[0], score[1])),
            "winner": None if void else self._team(1 - side),
            "unfinished": False,
            "events": len(game.events),
            "failure": failure,
            "counters": counters or self.counters(game),
            "record": self.record(plan, game) if with_record else None,
        }

    def counters(self, game: Game) -> tuple[Counters, Counters]:
        """What both teams have done in the game, as far as its events tell."""
        counters = (no_counters(), no_counters())
        for event in game.events:
            if isinstance(event, Asked):
                team = counters[self.half.team_at(event.asker)]
                team["asks"] += 1
                team["hits"] += event.hit
            elif isinstance(event, Claimed):
                team = counters[self.half.team_at(event.claimant)]
                team["claims_right" if event.right else "claims_wrong"] += 1
        return counters

    def record(self, plan: Plan, game: Game) -> str:
        """The full record of the game that follows the results so far, as text."""
        half = self.half
        a, b = half.matchup
        id = f"{a + 1}v{b + 1}.{half.pair + 1}.{half.half + 1}"
        if self.results:
            id += f".{len(self.results) + 1}"
        specs = [split_team(plan.teams[team]) for team in half.matchup]
        names = []
        for seat in range(plan.rules.players):
            team = specs[half.team_at(seat)]
            spec = team[seat // 2 % len(team)]
            plain = "".join(c if c.isprintable() and c != "#" else " " for c in spec)
            names.append(" ".join(plain.split()))
        return write([Record.of(game, id, names, ended=True)])

    def _by_team(self, by_side: tuple[int, int]) -> tuple[int, int]:
        return by_side[self.half.team_at(0)], by_side[self.half.team_at(1)]

    def _team(self, side: Team | None) -> Literal[0, 1] | None:
        if side is None:
            return None
        return 1 if self.half.team_at(side) else 0
