"""The plan of a tournament: the teams, the matchups, and the random numbers of every game.

The unit of a tournament is a *pair*: one deal played twice with the same starting seat, the two
teams exchanging seats. Each of the two games is a *half* of the pair. All matchups play the same
deals. In a tournament of matches a half is a series of games up to a number of wins, and both
halves play the same series of deals.

All random numbers derive from the seed of the tournament by position, never by order of play:

- game ``number`` of pair ``pair`` is dealt from the stream ``(0, pair, number)``;
- the agent at ``seat`` has the stream ``(1, pair, half, number, seat)``.
"""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterator
from dataclasses import asdict, astuple, dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from literature_ai.cards import Seat, team_of
from literature_ai.errors import LiteratureError
from literature_ai.game.game import Game
from literature_ai.game.match import Match
from literature_ai.game.position import Outcome
from literature_ai.rules import RuleSet
from tournaments.statistics import Sprt

if TYPE_CHECKING:
    import numpy as np

Matchup: TypeAlias = tuple[int, int]
"""Two teams by their index in the plan, the lower first."""

HALVES = (0, 1)
"""In half 0 the first team of a matchup sits on the even seats (side A), in half 1 on the odd."""
EXAMINED_PAIRS = 20
"""About how many pairs are examined for dead asks and claim delays by default."""
_DEALS, _PLAYERS, RATINGS = range(3)
_MOST_GAMES_IN_A_MATCH = 100
_MOST_PAIRS = 10**12
_MOST_SEED = 2**128 - 1
_MOST_SECONDS = 86_400
_MOST_ELO = 1000
_LEAST_RATE = 1e-6


class PlanError(LiteratureError):
    """A plan that makes no sense."""


def require_between(name: str, value: int, least: int, most: int) -> None:
    """Raise `PlanError` unless the number of that name is in the range."""
    if value < least:
        raise PlanError(f"{name} must be at least {least}, not {value}")
    if value > most:
        raise PlanError(f"{name} must be at most {most:,}, not {value:,}")


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything that determines the results. Raises `PlanError` if it makes no sense."""

    teams: tuple[str, ...]
    """The specs of the teams; the same spec may occur twice."""
    pairs: int
    """The number of pairs per matchup."""
    rules: RuleSet = RuleSet()  # noqa: RUF009 - rules are frozen
    seed: int = 0
    match_wins: int | None = None
    """Play matches up to this number of wins; None: single games."""
    gauntlet: bool = False
    """Only matchups of the first team with each other team."""
    move_limit: float | None = None
    """Seconds per decision; None: 10, in timed games 10 more than the rules allow."""
    open_cards: bool = False
    """Admit agents that see all cards, and show them the deal."""
    sprt: Sprt | None = None
    """Stop when this test is decided; for two teams."""
    examine_every: int | None = None
    """Examine pairs whose number is a multiple of this for dead asks and claim delays; 0: none;
    None: about `EXAMINED_PAIRS` of them, see `settled`."""

    def __post_init__(self) -> None:
        if len(self.teams) < 2:
            raise PlanError("a tournament needs at least two agents")
        for name, value, least, most in (
            ("pairs", self.pairs, 1, _MOST_PAIRS),
            ("seed", self.seed, 0, _MOST_SEED),
            ("match-wins", self.match_wins, 1, _MOST_GAMES_IN_A_MATCH),
            ("examine-every", self.examine_every, 0, _MOST_PAIRS),
        ):
            if value is not None:
                require_between(name, value, least, most)
        if self.sprt is not None:
            self._check_sprt(self.sprt)
        if self.move_limit is not None:
            if not self.move_limit > 0:
                raise PlanError(f"move-limit must be more than 0 seconds, not {self.move_limit:g}")
            if self.move_limit > _MOST_SECONDS:
                raise PlanError(
                    f"move-limit must be at most {_MOST_SECONDS} seconds, a day, "
                    f"not {self.move_limit:g}"
                )

    def _check_sprt(self, test: Sprt) -> None:
        if len(self.teams) != 2:
            raise PlanError(f"sprt compares two agents, not {len(self.teams)}")
        if not test.elo0 < test.elo1:
            raise PlanError("sprt needs its first Elo below its second, as in 0,10")
        if not -_MOST_ELO <= test.elo0 < test.elo1 <= _MOST_ELO:
            raise PlanError(f"sprt needs Elo from -{_MOST_ELO} to {_MOST_ELO}, as in 0,10")
        if not all(_LEAST_RATE <= rate < 0.5 for rate in (test.alpha, test.beta)):
            raise PlanError(
                f"sprt needs error rates between 0 and 0.5, at least {_LEAST_RATE:f}, "
                "as in 0,10,0.05,0.05"
            )

    @property
    def seconds_to_move(self) -> float:
        """The time limit of a decision."""
        if self.move_limit is not None:
            return self.move_limit
        return 10.0 + (self.rules.turn_seconds or 0)

    def matchups(self) -> list[Matchup]:
        """All matchups, in the order in which each deal is played."""
        everyone = itertools.combinations(range(len(self.teams)), 2)
        return [(a, b) for a, b in everyone if a == 0 or not self.gauntlet]

    def examines(self, pair: int) -> bool:
        """Whether the pair is examined for dead asks and claim delays."""
        return bool(self.examine_every) and pair % (self.examine_every or 1) == 0

    def settled(self) -> Plan:
        """The plan with ``examine_every`` fixed, so that more pairs can be added later."""
        if self.examine_every is not None:
            return self
        return replace(self, examine_every=max(self.pairs // EXAMINED_PAIRS, 1))

    def command(self) -> str:
        """The command line that runs this tournament."""
        words = ["literature", "tournament", *self.teams, "--pairs", str(self.pairs)]
        options = {
            "--players": self.rules.players,
            "--rules": self.rules.words() or None,
            "--seed": self.seed,
            "--match-wins": self.match_wins,
            "--move-limit": self.move_limit,
            "--examine-every": self.examine_every,
            "--sprt": self.sprt
            and ",".join(repr(x).removesuffix(".0") for x in astuple(self.sprt)),
        }
        for option, value in options.items():
            words += [] if value is None else [option, str(value)]
        words += ["--gauntlet"] * self.gauntlet + ["--open-cards"] * self.open_cards
        return shlex.join(words)

    def to_json(self) -> dict[str, Any]:
        """Plain data that `from_json` reads."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Plan:
        """The inverse of `to_json`."""
        test = data["sprt"] and Sprt(**data["sprt"])
        rules = RuleSet(**data["rules"])
        return cls(**{**data, "teams": tuple(data["teams"]), "rules": rules, "sprt": test})


@dataclass(frozen=True, slots=True)
class Half:
    """One half of a pair: a game or a match."""

    matchup: Matchup
    pair: int
    half: int

    def team_at(self, seat: Seat) -> int:
        """Which of the two teams of the matchup (0 or 1) has that seat."""
        return team_of(seat) ^ self.half

    def next_game(self, plan: Plan, outcomes: list[Outcome]) -> Game | None:
        """The game that follows games with these outcomes; None when the half is finished."""
        matches = plan.match_wins is not None
        match = Match(
            plan.rules,
            stream(plan.seed, _DEALS, self.pair),
            wins=plan.match_wins or 1,
            max_games=_MOST_GAMES_IN_A_MATCH if matches else 1,
        )
        game = match.next_game()
        for outcome in outcomes:
            match.add(outcome)
            if match.over:
                return None
            game = match.next_game()
        return game

    def generators(self, plan: Plan, number: int) -> Iterator[np.random.Generator]:
        """The random generators of the seats, in order, in game ``number`` of this half."""
        import numpy as np

        for seat in range(plan.rules.players):
            own = stream(plan.seed, _PLAYERS, self.pair, self.half, number, seat)
            yield np.random.Generator(np.random.PCG64(own))


def stream(seed: int, *position: int) -> np.random.SeedSequence:
    """The random stream of a tournament at a position."""
    import numpy as np

    return np.random.SeedSequence(seed, spawn_key=position)
