"""Play at the terminal, with and against bots.

You sit at A1, or at --seat, and bots sit everywhere else. On your turn type a move such as 'b2 3d'
(ask B2 for 3D), 'c ls a1 a1 a2 a2 a3 a3' (claim low spades: who has each card, in order), 'c ls'
(the same card after card) or 'p a2' (pass the turn); Tab completes what is legal, and 'help' lists
the rest. With several seats, as in --seat A1,B1, the screen is cleared between their players.

Everything is saved at once, as a .lit record with all hands, in a new file of the current folder or
in that of --save. Ctrl-C or 'quit' leaves the table, and 'literature play FILE' goes on.

examples:
  literature play
  literature play --seat B2 --partners expert --opponents greedy,novice,random --coach
  literature play --players 4 --rules "claim-any-time play-out" --seed 7 --save kitchen.lit
  literature play kitchen.lit

exit code: 0; 1 if a line of a pipe was not taken, or the game could not be saved; 2 for wrong use
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import os
import secrets
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from literature_ai.cards import Seat, parse_seat, team_of
from literature_ai.cli.compiling import ENGINE, GAMES, compile_for
from literature_ai.cli.numbers import finite, whole
from literature_ai.cli.prompts import Asker, asker
from literature_ai.cli.streams import complain, require_input
from literature_ai.cli.terminal import say
from literature_ai.errors import FileError, LiteratureError
from literature_ai.output_files import require_writable
from literature_ai.records.text import STANDARD_INPUT
from literature_ai.rules import RuleSet
from literature_ai.sessions.keeper import Keeper
from literature_ai.sessions.storage import Storage, unused_path
from literature_ai.terminal_text import plain, plain_lines
from solver.errors import is_interrupt

if TYPE_CHECKING:
    from literature_ai.sessions.seats import Occupant
    from literature_ai.sessions.table import TableSession
    from literature_ai.terminal_play.dialogue import Dialogue

_PACE = 1.0
_LONGEST_PACE = 60.0
_OF_NEW_GAMES = ("seat", "players", "rules", "partners", "opponents", "seed", "save")
_CLEARED = "\x1b[H\x1b[2J\x1b[3J"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="the game to go on with")
    parser.add_argument("--seat", metavar="SEATS", help="yours, or those of all persons here (A1)")
    parser.add_argument("--players", type=int, choices=(4, 6, 8), help="how many play (6)")
    parser.add_argument("--rules", metavar="WORDS", help="house rules, as in a record")
    parser.add_argument(
        "--partners", metavar="SPECS", help="bots of your team: one spec, or one a seat (expert)"
    )
    parser.add_argument(
        "--opponents", metavar="SPECS", help="bots of the other team, likewise (expert)"
    )
    parser.add_argument("--seed", type=whole, metavar="N", help="of the deal and all bots (random)")
    parser.add_argument("--coach", action="store_true", help="allow hints, and taking moves back")
    parser.add_argument("--save", type=Path, metavar="FILE", help="where a new game is saved")
    parser.add_argument(
        "--pace", type=finite, metavar="S", help=f"seconds after what a bot does ({_PACE:g})"
    )


def run(args: argparse.Namespace) -> int:
    if args.pace is not None and not 0 <= args.pace <= _LONGEST_PACE:
        raise LiteratureError(f"--pace {args.pace:g} is impossible; write 0 to {_LONGEST_PACE:g}")
    if STANDARD_INPUT in (str(args.file), str(args.save)):
        raise LiteratureError("a game is saved after every event, so it needs a file, not '-'")
    require_input()
    storage, session = _resumed(args) if args.file is not None else _new(args)
    # A stray byte in a line is no reason to end the game.
    getattr(sys.stdin, "reconfigure", lambda **_: None)(errors="replace")
    interactive = sys.stdin.isatty()
    pace = args.pace if args.pace is not None else _PACE * interactive
    try:
        _load_bots(session)
        return _talk(session, Keeper(storage), pace, interactive=interactive)
    finally:
        session.close()
        storage.release()


def _new(args: argparse.Namespace) -> tuple[Storage, TableSession]:
    """A new game, and the file that it will have."""
    from literature_ai.sessions.table import TableSession

    rules = RuleSet.parse(args.rules or "", args.players)
    persons = _persons(args.seat or "A1", rules)
    occupants = _occupants(rules, persons, args.partners or "expert", args.opponents or "expert")
    if args.save is not None and args.save.is_file():
        raise LiteratureError(
            f"{args.save} exists already; 'literature play {args.save}' goes on with it,"
            " or name another file"
        )
    path = args.save or unused_path(datetime.date.today())
    require_writable(path)
    storage = Storage(path)
    seed = secrets.randbits(53) if args.seed is None else args.seed
    return storage, TableSession(storage.id, rules, occupants, seed=seed, coach=args.coach)


def _resumed(args: argparse.Namespace) -> tuple[Storage, TableSession]:
    """The game of a file."""
    from literature_ai.sessions.table import TableSession

    for name in _OF_NEW_GAMES:
        if getattr(args, name) is not None:
            raise LiteratureError(
                f"{args.file} is a game with its own seats and rules; leave out --{name},"
                " or leave out the file to begin a new game"
            )
    if not os.path.exists(args.file):
        raise FileError(
            f"there is no file {args.file}; 'literature play --save {args.file}' begins a game"
        )
    storage = Storage(args.file)
    try:
        session = TableSession.resumed(storage.text, str(args.file))
    except BaseException:
        storage.release()
        raise
    storage.foreign = session.text != storage.text
    session.coach = session.coach or args.coach
    return storage, session


def _persons(text: str, rules: RuleSet) -> list[Seat]:
    """The seats of persons. Raises LiteratureError."""
    words = text.replace(",", " ").split()
    seats = [parse_seat(word, rules.players) for word in words]
    if not seats:
        raise LiteratureError("--seat names no seat; write one, as in --seat A1")
    if len(set(seats)) < len(seats):
        raise LiteratureError(f"--seat {text!r} names a seat twice; name each once")
    return seats


def _occupants(
    rules: RuleSet, persons: Sequence[Seat], partners: str, opponents: str
) -> list[Occupant]:
    """Who sits where. Raises `SpecError` for a spec that names no agent."""
    from literature_ai.bots.registry import parse_team
    from literature_ai.sessions.seats import Bot, Person

    occupants: list[Occupant] = [Person()] * rules.players
    own = team_of(persons[0])
    for team, specs in ((own, partners), (1 - own, opponents)):
        seats = [seat for seat in range(team, rules.players, 2) if seat not in persons]
        if seats:
            for seat, spec in zip(seats, parse_team(specs, len(seats)), strict=True):
                spec.make()
                occupants[seat] = Bot(spec.text)
    return occupants


def _load_bots(session: TableSession) -> None:
    """Import and compile what the bots need, so that none of their moves waits for it."""
    from literature_ai.bots.registry import parse_spec
    from literature_ai.sessions.seats import Bot

    specs = {occupant.spec for occupant in session.occupants if isinstance(occupant, Bot)}
    if not specs or session.over:
        return
    if sys.stderr.isatty():
        print("literature: loading the bots ...", file=sys.stderr, flush=True)
    search = any(spec.partition(":")[0] in ("expert", "champion") for spec in specs)
    compile_for(*GAMES, *(ENGINE if search else ()))
    for spec in specs:
        # A bot that cannot be loaded any more is replaced when it has to decide.
        with contextlib.suppress(LiteratureError):
            parse_spec(spec).warm_up()


class _Terminal:
    """The face of the dialogue: the standard streams."""

    def __init__(self, pace: float) -> None:
        self.pace = pace
        self.dialogue: Dialogue | None = None
        self._askers: dict[Seat, Asker] = {}

    def say(self, text: str) -> None:
        say(plain_lines(text))
        sys.stdout.flush()

    def ask(self, seat: Seat, prompt: str, seconds: float | None) -> str:
        # Each person has their own lines to bring back with the arrow keys.
        if seat not in self._askers:
            self._askers[seat] = asker(self._completions)
        return self._askers[seat](prompt, None if seconds is None else max(seconds, 0.0))

    def clear(self) -> None:
        if sys.stdout.isatty():
            bare = os.environ.get("TERM", "dumb") == "dumb"
            print("\n" * 100 if bare else _CLEARED, end="", flush=True)

    def pause(self) -> None:
        time.sleep(self.pace)

    def _completions(self, line: str) -> Iterable[str]:
        return [] if self.dialogue is None else self.dialogue.completions(line)


def _talk(session: TableSession, keeper: Keeper, pace: float, *, interactive: bool) -> int:
    """Play until the game is over or somebody leaves; the exit code."""
    from literature_ai.terminal_play.commands import Leaving
    from literature_ai.terminal_play.dialogue import Dialogue

    face = _Terminal(pace)
    dialogue = Dialogue(session, keeper, face)
    face.dialogue = dialogue
    why = ""
    try:
        dialogue.play()
    except Leaving as reason:
        why = str(reason)
    except EOFError:
        print()
    except KeyboardInterrupt:
        print()
    except Exception as error:
        if not is_interrupt(error):
            raise
        print()
    _say_goodbye(session, keeper, why)
    if dialogue.refused and not interactive:
        complain("a line was not taken")
        return 1
    return 0 if keeper.saved else 1


def _say_goodbye(session: TableSession, keeper: Keeper, why: str) -> None:
    """Save, and say how to go on, or what to do with a game that is over."""
    said = keeper.finish(session.text)
    path = keeper.storage.path
    if keeper.saved and session.over:
        said = f"{said} Review it: literature review {path}".strip()
    elif keeper.saved:
        on = f"; 'literature play {path}' goes on" if keeper.storage.is_ordinary else ""
        said = f"{why} {said} Everything is saved{on}.".strip()
    say(plain(" ".join(said.split())))
