"""Creates the agents of games and keeps external programs running between them."""

from __future__ import annotations

import shlex
import subprocess

from literature_ai.agents.base import Agent
from literature_ai.bots.answers import failure_of, in_one_line, plain_text
from literature_ai.bots.external import ExternalAgent
from literature_ai.bots.processes import program_of
from literature_ai.bots.registry import COMMAND, Spec, parse_spec, parse_team, split_team
from literature_ai.cards import Seat
from literature_ai.errors import BotErrorKind, LiteratureError
from tournaments.plan import Half, Plan


class AgentFailure(Exception):
    """An agent raised, or answered with something other than a legal action."""

    def __init__(self, seat: Seat, kind: BotErrorKind, text: str) -> None:
        super().__init__(text)
        self.seat = seat
        self.kind: BotErrorKind = kind
        self.text = text

    @classmethod
    def from_exception(cls, seat: Seat, error: BaseException) -> AgentFailure:
        """The failure of the agent at the seat whose code raised the error."""
        return cls(seat, *failure_of(error))


class AgentPool:
    """The agents of a plan: classes make a new agent each game, programs serve game after game.

    A team is loaded when the first of its games begins, so that a process in which only one team
    plays runs no other code. ``isolated``: every agent is a program of its own, so that none of
    their code runs in this process.
    """

    def __init__(self, plan: Plan, isolated: bool = False) -> None:
        self.plan = plan
        self._isolated = isolated
        self._specs: dict[int, tuple[Spec, ...]] = {}
        self._programs: dict[tuple[str, Seat], ExternalAgent] = {}

    def loaded(self, team: int) -> bool:
        """Whether the team has been loaded."""
        return team in self._specs

    def find(self, team: int) -> None:
        """Import the agents of a team. Raises LiteratureError when one cannot be."""
        self._specs[team] = parse_team(self.plan.teams[team], self.plan.rules.players // 2)

    def load(self, team: int) -> None:
        """Import the agents of a team, and call ``warm_up`` of each class that has it.

        Raises LiteratureError when an agent cannot be found, imported or warmed up.
        """
        if self._isolated:
            self._specs[team] = self._programs_of(team)
            return
        specs = parse_team(self.plan.teams[team], self.plan.rules.players // 2)
        for spec in set(specs):
            try:
                spec.warm_up()
            except (Exception, SystemExit) as error:
                reason = in_one_line(error)
                raise LiteratureError(f"{spec.text!r} cannot warm up: {reason}") from error
        self._specs[team] = specs

    def _programs_of(self, team: int) -> tuple[Spec, ...]:
        """The agents of a team as programs, without importing any of them.

        Raises LiteratureError when one cannot be warmed up.
        """
        texts = split_team(self.plan.teams[team])
        specs = []
        for text in dict.fromkeys(texts):
            if text.startswith(COMMAND):
                specs.append(parse_spec(text))
                continue
            words = program_of(text)
            done = subprocess.run(
                [*words, "--warm-up"], capture_output=True, text=True, check=False, errors="replace"
            )
            if done.returncode:
                reason = plain_text((done.stderr.strip() or "it failed").splitlines()[-1])
                raise LiteratureError(f"{text!r} cannot warm up: {reason}")
            specs.append(Spec(text, ExternalAgent, (("command", shlex.join(words)),)))
        by_text = {spec.text: spec for spec in specs}
        seats = texts * (self.plan.rules.players // 2) if len(texts) == 1 else texts
        return tuple(by_text[text] for text in seats)

    def specs(self, team: int) -> tuple[Spec, ...]:
        """The specs of the seats of a team that has been loaded."""
        return self._specs[team]

    def has_programs(self, half: Half) -> bool:
        """Whether an external program takes part."""
        return self._isolated or any(
            spec.startswith(COMMAND)
            for team in half.matchup
            for spec in split_team(self.plan.teams[team])
        )

    def agent(self, half: Half, seat: Seat) -> Agent:
        """The agent of that seat, ready for `Agent.start`; its team has been loaded."""
        spec = self._specs[half.matchup[half.team_at(seat)]][seat // 2]
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
