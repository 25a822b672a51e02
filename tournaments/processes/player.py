"""The player process: plays the games of a task, many at once, with the agents' own code.

Many games are in progress at a time, so that decisions can be batched: an agent class that has

    @classmethod
    def act_many(cls, agents: Sequence[Self], views: Sequence[View]) -> Sequence[Action]

decides for all games that wait for it in one call, one view per agent, and returns one action for
each, the same that ``act`` would. Two agents of one game are never in the same call.

An agent fails when it raises, answers with something other than an action, or breaks a rule. The
player reports that and goes on with other games; `tournaments.processes.supervisor`, in another
process, finds out whose fault it was. It also handles agents that do not return, or that end the
process, with the help of the `Watchdog`.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from literature_ai.bots.answers import in_one_line, plain_text
from literature_ai.bots.external import ExternalAgent
from literature_ai.bots.processes import detach, inherited
from literature_ai.errors import LiteratureError
from tournaments.plan import Half, Plan
from tournaments.processes.agent_pool import AgentPool
from tournaments.processes.moves import Move, from_plain, to_plain
from tournaments.processes.seated_game import LOADING_SECONDS, RepeatedGame, SeatedGame, act_jointly
from tournaments.processes.series import Rerun, Series
from tournaments.processes.watchdog import Watchdog

Report = Callable[[dict[str, Any]], None]


class Player:
    """Plays series to their end, many games at once, and reports as it goes, in plain data:

    - ``{"playing": number}``: a game of that series has begun;
    - ``{"groups": [id, …]}``: the process groups of the programs that run;
    - ``{"game": number, "result": …}``: a game of that series has ended;
    - ``{"finished": number}``: that was its last game;
    - ``{"failed": number, "failure": …, "moves": …, "counters": …}``: an agent has failed in a game
      of that series after these moves. The series is abandoned;
    - ``{"isolate": [number, …]}``: a call that decided for many games has failed. These games are
      abandoned; played again one at a time, they show which agent is at fault;
    - of a `Rerun`, ``{"move": …}`` for every move, and ``{"stopped": number}`` when it has come to
      its end without a failure.

    Results do not depend on how many games are played at once. Games with programs are played one
    at a time.
    """

    def __init__(
        self, pool: AgentPool, watchdog: Watchdog, report: Report, with_records: bool
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
        if series.rerun is None:
            seated = SeatedGame(series, game, self._pool, self._watchdog)
        else:
            seated = RepeatedGame(series, game, self._pool, self._watchdog, self._report_move)
        seated.start()
        if groups := self._pool.process_groups():
            self._report({"groups": groups})
        self._playing[seated] = series

    def _finish(self, game: SeatedGame) -> None:
        series = self._playing.pop(game)
        if game.failure is not None:
            self._report(
                {
                    "failed": series.number,
                    "failure": game.failure,
                    "moves": [to_plain(move) for move in game.moves()],
                    "counters": game.counters(),
                }
            )
            return
        rerun = series.rerun
        if rerun and (rerun.side is not None or (isinstance(game, RepeatedGame) and game.stopped)):
            self._report({"stopped": series.number})
            return
        result = game.result(self._with_records)
        series.results.append(result)
        self._report({"game": series.number, "result": result})
        if rerun is None:
            self._begin(series)

    def _report_move(self, move: Move) -> None:
        self._report({"move": to_plain(move)})

    def _decide_jointly(self) -> None:
        """Call each agent class once for all games that wait for it."""
        waiting: dict[int, list[SeatedGame]] = {}
        for game in self._playing:
            if game.waiting is not None:
                # A hash of the class itself could be code of its metaclass.
                waiting.setdefault(id(type(game.agent_on_turn)), []).append(game)
        for games in waiting.values():
            began = games[0].begin_joint_call(len(games))
            agents = [game.agent_on_turn for game in games]
            views = [game.waiting for game in games if game.waiting is not None]
            try:
                actions = act_jointly(agents, views)
            except BaseException as error:
                self._handle_failed_call(games, error)
                continue
            finally:
                nanoseconds = (self._watchdog.end() - began) // len(games)
            for game, action in zip(games, actions, strict=True):
                game.decide(action, nanoseconds)

    def _handle_failed_call(self, games: list[SeatedGame], error: BaseException) -> None:
        if len(games) == 1:
            games[0].fail(error)
            return
        self._report({"isolate": [self._playing.pop(game).number for game in games]})


def serve(worker: socket.socket, watchdog: Watchdog) -> None:
    """Play the tasks that come from the worker until it closes the connection.

    Each task is answered with the reports of `Player` and ended by ``{"done": True}``, or by
    ``{"broken": traceback}`` when something else than an agent's method has failed: then the
    process must not be used any more. A task ``{"check": …}`` is answered by `_check`.
    """

    def report(message: dict[str, Any]) -> None:
        worker.sendall(json.dumps(message).encode() + b"\n")

    pool: AgentPool | None = None
    for line in worker.makefile("rb"):
        watchdog.end()
        try:
            task = json.loads(line)
            if pool is None:
                pool = AgentPool(Plan.from_json(task["plan"]), task.get("isolated", False))
            if "check" in task:
                _check(pool, watchdog, report, make=task["check"])
            else:
                _play(pool, watchdog, report, task)
        # Even an exit: a signal handler or a destructor of an agent may raise it.
        except BaseException:
            ending: dict[str, Any] = {"broken": plain_text(traceback.format_exc())}
        else:
            ending = {"done": True}
        # In this order, so that the worker finds no deadline of a player that has nothing to do.
        watchdog.expect(None)
        report(ending)
    if pool is not None:
        pool.close()


def _play(pool: AgentPool, watchdog: Watchdog, report: Report, task: dict[str, Any]) -> None:
    rerun: Rerun | None = None
    if task["rerun"] is not None:
        side, moves, until = task["rerun"]
        rerun = Rerun(side, [from_plain(move) for move in moves], until)
    series = [
        Series(number, Half((a, b), pair, half), results, rerun)
        for number, (a, b), pair, half, results in task["halves"]
    ]
    Player(pool, watchdog, report, task["with_records"]).play(series, task["batch_size"])


def _check(pool: AgentPool, watchdog: Watchdog, report: Report, make: bool) -> None:
    """Load every team, or only find it and make each of its agents once; report what it needs.

    Reports ``{"checking": team}`` first and then ``{"unusable": reason}``, or ``{"specs": …}``: for
    each spec its text, the program that it runs if any, and whether it sees all cards.
    """
    for team in range(len(pool.plan.teams)):
        report({"checking": team})
        watchdog.begin_call(0, 0, round(LOADING_SECONDS * 1e9))
        try:
            specs = []
            if make:
                pool.find(team)
            else:
                pool.load(team)
            for spec in dict.fromkeys(pool.specs(team)):
                agent = spec.make() if make else None
                words = agent.words if isinstance(agent, ExternalAgent) else None
                sees_all = bool(getattr(spec.agent, "sees_all_cards", False))
                program = words[0] if words else None
                specs.append((spec.text, program, sees_all))
        except LiteratureError as error:
            answer: dict[str, Any] = {"unusable": plain_text(str(error))}
        except BaseException as error:
            reason = plain_text(in_one_line(error))
            answer = {"unusable": f"{pool.plan.teams[team]!r} cannot be loaded: {reason}"}
        else:
            answer = {"specs": specs}
        finally:
            watchdog.end()
        report(answer)


def run(worker: socket.socket, watchdog: Watchdog) -> NoReturn:
    """The main function of the process, whose folder is set."""
    try:
        detach()
        # A game makes thousands of small objects and no cycles: the usual threshold of 700 cost a
        # tenth of the time.
        gc.set_threshold(50_000, 10, 10)
        serve(worker, watchdog)
        os._exit(0)
    finally:
        os._exit(1)


def main() -> None:
    """The main function of a fresh interpreter. Its arguments: the watchdog's path, the folder."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    worker = inherited()
    os.chdir(sys.argv[2])
    run(worker, Watchdog(sys.argv[1]))
