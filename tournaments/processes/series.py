"""The games of one half of a pair: what comes next, and the results and records of those played."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from literature_ai.bots.registry import split_team
from literature_ai.cards import Team, team_of
from literature_ai.game.game import Game
from literature_ai.game.position import Outcome, Termination
from literature_ai.records.lit import write
from literature_ai.records.record import Record
from tournaments.plan import Half, Plan
from tournaments.processes.watchdog import Checkpoint
from tournaments.results import Counters, Failure, FailureKind, GameResult, no_counters


@dataclass(slots=True)
class Series:
    """One half of a pair in progress: a single game, or the games of a match."""

    number: int
    """The place of the half in its task."""
    half: Half
    results: list[GameResult] = field(default_factory=list)

    def next_game(self, plan: Plan) -> Game | None:
        """The game that follows; None when the half is finished."""
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
        game: Game,
        failure: Failure,
        counters: tuple[Counters, Counters],
        with_record: bool,
    ) -> GameResult:
        """The result of a game that ended by the failure of an agent."""
        side = team_of(failure["seat"])
        score = _forfeit_score(side, game.score, len(game.in_play))
        return {
            "score": self._by_team(score),
            "winner": self._team(1 - side),
            "unfinished": False,
            "events": len(game.events),
            "failure": failure,
            "counters": counters,
            "record": self.record(plan, game) if with_record else None,
        }

    def forfeited_at(
        self, plan: Plan, last: Checkpoint, kind: FailureKind, text: str, with_record: bool
    ) -> GameResult:
        """The result of a game that ended with its player process, at the checkpoint.

        The events are lost; the record has only the deal.
        """
        game = self.next_game(plan)
        assert game is not None
        side = team_of(last.seat)
        return {
            "score": self._by_team(_forfeit_score(side, last.score, last.in_play)),
            "winner": self._team(1 - side),
            "unfinished": False,
            "events": last.events,
            "failure": {"kind": kind, "seat": last.seat, "event": last.events, "text": text},
            "counters": (no_counters(), no_counters()),
            "record": self.record(plan, game) if with_record else None,
        }

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


def _forfeit_score(side: Team, score: tuple[int, int], in_play: int) -> tuple[int, int]:
    """The score of sides A and B when a side loses all half-suits still in play."""
    a, b = score
    return (a, b + in_play) if side == 0 else (a + in_play, b)
