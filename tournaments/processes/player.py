"""The player process: plays the games of a task, many at once, with the agents' own code.

Many games are in progress at a time, so that decisions can be batched: an agent class that has

    @classmethod
    def act_many(cls, agents: Sequence[Self], views: Sequence[View]) -> Sequence[Action]

decides for all games that wait for it in one call, one view per agent, and returns one action for
each, the same that ``act`` would. Two agents of one game are never in the same call.

An agent fails when it raises, answers with something other than an action, or breaks a rule: its
team forfeits the game with all half-suits in play. An agent that does not return, or that ends the
process, is handled by `tournaments.processes.supervisor` with the help of the `Watchdog`.
"""

from __future__ import annotations

import json
import os
import socket
import traceback
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from literature_ai.errors import LiteratureError
from tournaments.plan import Half, Plan
from tournaments.processes.agent_pool import AgentPool
from tournaments.processes.seated_game import SeatedGame
from tournaments.processes.series import Series
from tournaments.processes.watchdog import Watchdog

LOADING_SECONDS = 120.0
"""The time limit for loading the agents."""


class Player:
    """Plays series to their end, many games at once, and reports as it goes, in plain data:

    - ``{"playing": number}``: a game of that series has begun;
    - ``{"groups": [id, …]}``: the process groups of the programs that run;
    - ``{"game": number, "result": …}``: a game of that series has ended;
    - ``{"finished": number}``: that was its last game;
    - ``{"isolate": [number, …]}``: a call that decided for many games has failed. These games are
      abandoned; played again one at a time, they show which agent is at fault.

    Results do not depend on how many games are played at once. Games with programs are played one
    at a time.
    """

    def __init__(
        self, pool: AgentPool, watchdog: Watchdog, report: Callable[[Any], None], with_records: bool
    ) -> None:
        self._pool = pool
        self._watchdog = watchdog
        self._report = report
        self._with_records = with_records
        self._playing: dict[SeatedGame, Series] = {}

    def play(self, series: Iterable[Series], batch_size: int) -> None:
        """Play all series, at most ``batch_size`` games at a time."""
        left = deque(series)
        while left or self._playing:
            while left and self._has_room_for(left[0], batch_size):
                self._begin(left.popleft())
            self._decide_jointly()
            for game in [game for game in self._playing if game.over]:
                self._finish(game)

    def _has_room_for(self, series: Series, batch_size: int) -> bool:
        return len(self._playing) < (1 if self._pool.has_programs(series.half) else batch_size)

    def _begin(self, series: Series) -> None:
        """Begin the next game of the series, if there is one."""
        game = series.next_game(self._pool.plan)
        if game is None:
            self._report({"finished": series.number})
            return
        self._report({"playing": series.number})
        seated = SeatedGame(series, game, self._pool, self._watchdog)
        seated.start()
        if groups := self._pool.process_groups():
            self._report({"groups": groups})
        self._playing[seated] = series

    def _finish(self, game: SeatedGame) -> None:
        series = self._playing.pop(game)
        result = game.result(self._with_records)
        series.results.append(result)
        self._report({"game": series.number, "result": result})
        self._begin(series)

    def _decide_jointly(self) -> None:
        """Call each agent class once for all games that wait for it."""
        waiting: dict[Any, list[SeatedGame]] = {}
        for game in self._playing:
            if game.waiting is not None:
                waiting.setdefault(type(game.agent_on_turn), []).append(game)
        for agent, games in waiting.items():
            began = games[0].begin_joint_call(len(games))
            try:
                actions = agent.act_many(
                    [game.agent_on_turn for game in games], [game.waiting for game in games]
                )
                if len(actions) != len(games):
                    raise ValueError(f"{len(actions)} actions for {len(games)} views")
            except BaseException as error:
                self._handle_failed_call(games, error)
                continue
            finally:
                nanoseconds = (self._watchdog.end_call() - began) // len(games)
            for game, action in zip(games, actions, strict=True):
                game.decide(action, nanoseconds)

    def _handle_failed_call(self, games: list[SeatedGame], error: BaseException) -> None:
        if len(games) == 1:
            games[0].fail(error)
            return
        self._report({"isolate": [self._playing.pop(game).number for game in games]})


def serve(supervisor: socket.socket, watchdog: Watchdog) -> None:
    """Play the tasks that come from the supervisor until it closes the connection.

    Each task is answered with the reports of `Player`, after ``{"loaded": True}`` for the first,
    and ended by one of ``{"done": True}``, ``{"refused": reason}`` and ``{"broken": traceback}``.
    """

    def report(message: dict[str, Any]) -> None:
        supervisor.sendall(json.dumps(message).encode() + b"\n")

    pool: AgentPool | None = None
    for line in supervisor.makefile("rb"):
        task = json.loads(line)
        try:
            if pool is None:
                pool = _load_agents(task, watchdog)
                report({"loaded": True})
            series = [
                Series(number, Half((a, b), pair, half), results)
                for number, (a, b), pair, half, results in task["halves"]
            ]
            Player(pool, watchdog, report, task["with_records"]).play(series, task["batch_size"])
        except (LiteratureError, OSError) as error:
            report({"refused": str(error)})
        except Exception:
            report({"broken": traceback.format_exc()})
        else:
            report({"done": True})
    if pool is not None:
        pool.close()


def _load_agents(task: dict[str, Any], watchdog: Watchdog) -> AgentPool:
    """The agents of the task, loaded and warmed up."""
    watchdog.begin_call(0, 0, round(LOADING_SECONDS * 1e9))
    try:
        os.chdir(task["folder"])
        pool = AgentPool(Plan.from_json(task["plan"]))
        pool.warm_up()
    finally:
        watchdog.end_call()
    return pool
