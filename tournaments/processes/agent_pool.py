"""Creates the agents of games and keeps external programs running between them."""

from __future__ import annotations

import traceback

from literature_ai.agents.base import Agent
from literature_ai.bots.external import ExternalAgent
from literature_ai.bots.registry import Spec, parse_team
from literature_ai.cards import Seat
from literature_ai.errors import BotError, LiteratureError
from tournaments.plan import Half, Plan
from tournaments.results import FailureKind

MAX_TEXT = 4000
"""The last characters of a traceback, which are kept."""


class AgentFailure(Exception):
    """An agent raised, or answered with something other than a legal action."""

    def __init__(self, seat: Seat, kind: FailureKind, text: str) -> None:
        super().__init__(text)
        self.seat = seat
        self.kind = kind
        self.text = text[-MAX_TEXT:]

    @classmethod
    def from_exception(cls, seat: Seat, error: BaseException) -> AgentFailure:
        """The failure of the agent at the seat whose code raised the error."""
        if isinstance(error, BotError):
            return cls(seat, error.kind, "\n".join([error.diagnostics, str(error)]).strip())
        try:
            text = "".join(traceback.format_exception(error))
        except BaseException:
            text = f"{type(error).__name__}, which cannot be shown"
        return cls(seat, "error", text)


class AgentPool:
    """The agents of a plan: classes make a new agent each game, programs serve game after game."""

    def __init__(self, plan: Plan) -> None:
        """Raise LiteratureError when an agent of the plan cannot be loaded here."""
        self.plan = plan
        self._specs = [parse_team(team, plan.rules.players // 2) for team in plan.teams]
        self._programs: dict[tuple[str, Seat], ExternalAgent] = {}

    def warm_up(self) -> None:
        """Call ``warm_up`` of each agent class that has it, so that it compiles what it needs.

        Raises LiteratureError when one of them fails.
        """
        for spec in {spec for team in self._specs for spec in team}:
            warm_up = getattr(spec.agent, "warm_up", None)
            try:
                if warm_up is not None:
                    warm_up()
            except Exception as error:
                reason = " ".join(f"{type(error).__name__}: {error}".split())
                raise LiteratureError(f"{spec.text!r} cannot warm up: {reason}") from error

    def has_programs(self, half: Half) -> bool:
        """Whether an external program takes part."""
        return any(
            issubclass(spec.agent, ExternalAgent)
            for team in half.matchup
            for spec in self._specs[team]
        )

    def agent(self, half: Half, seat: Seat) -> Agent:
        """The agent of that seat, ready for `Agent.start`."""
        spec = self._spec(half, seat)
        if not issubclass(spec.agent, ExternalAgent):
            return spec.make()
        key = spec.text, seat
        if key not in self._programs:
            program = spec.make()
            assert isinstance(program, ExternalAgent)
            program.answer_seconds = self.plan.seconds_to_move
            self._programs[key] = program
        return self._programs[key]

    def process_groups(self) -> list[int]:
        """The process groups of the running programs."""
        groups = (program.process_group for program in self._programs.values())
        return [group for group in groups if group is not None]

    def close(self) -> None:
        """End the programs, all at the same time."""
        for program in self._programs.values():
            program.say_goodbye()
        for program in self._programs.values():
            program.close()

    def _spec(self, half: Half, seat: Seat) -> Spec:
        return self._specs[half.matchup[half.team_at(seat)]][seat // 2]
