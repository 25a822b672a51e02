"""Help at a real table: enter each event in a short line and see what follows.

It asks for the players, the rules, your seat, your cards and who starts. Then enter lines such
as 'b2 3d y' (the player on turn asks B2 for 3D: yes) and shows, after each, the claims that are
certain, your best asks, and who is on turn; on your turn also the engine's choice, with the
expected result of your team and why. 'help' lists everything else: the table of all cards, the
reasons, taking back and changing events. Tab completes, the arrow keys bring lines back.

Every line is saved at once, as a .lit record, in FILE or in a new file of the current folder. With
a FILE that exists the session goes on where it stopped, however it stopped.

examples:
  literature assist
  literature assist kitchen.lit
  literature assist kitchen.lit --seat B2    (a record with several hands)
  literature assist new.lit < lines.txt      (no prompts; exit code 1 if a line was refused)
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from literature_ai.cards import parse_seat
from literature_ai.cli.compiling import ADVICE, ENGINE, compile_for
from literature_ai.cli.prompts import asker
from literature_ai.cli.streams import complain, require_input
from literature_ai.cli.terminal import columns, say
from literature_ai.errors import LiteratureError
from literature_ai.records.text import STANDARD_INPUT, lines_of
from literature_ai.sessions.keeper import Keeper
from literature_ai.sessions.storage import Storage, unused_path
from literature_ai.terminal_text import plain, plain_lines
from solver.errors import is_interrupt

if TYPE_CHECKING:
    from literature_ai.assist.session import Session
    from literature_ai.inference.recorded import Viewpoint


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="the .lit record to start or go on with"
    )
    parser.add_argument("--seat", metavar="SEAT", help="yours, if the record has several hands")
    parser.add_argument(
        "--no-engine", action="store_true", help="leave the engine's choice out on your turn"
    )


def run(args: argparse.Namespace) -> int:
    if args.file == Path(STANDARD_INPUT):
        raise LiteratureError("a session is saved after every line, so it needs a file, not '-'")
    require_input()
    storage = Storage(args.file or unused_path(datetime.date.today()))
    # A stray byte in a line is no reason to end the session.
    getattr(sys.stdin, "reconfigure", lambda **_: None)(errors="replace")
    interactive = sys.stdin.isatty()
    if interactive:
        print("literature: loading the engine ...", file=sys.stderr, flush=True)
    compile_for(*ADVICE, *(() if args.no_engine else ENGINE))
    _warm_up(engine=not args.no_engine)
    dialogue = _Dialogue(storage, args.seat, engine=not args.no_engine)
    return dialogue.talk() if interactive else dialogue.listen(sys.stdin)


def _warm_up(*, engine: bool) -> None:
    """Import and load everything now, so that no reply waits for it."""
    from literature_ai.analysis.engine import analyze
    from literature_ai.analysis.hints import hint
    from literature_ai.inference.recorded import Viewpoint
    from literature_ai.records.lit import read

    (record,) = read("game 1\nplayers 4\nhand A1 2S 3S 4S 5S 6S 7S 9S TS JS QS KS AS\nstart A1\n")
    hint(Viewpoint.of(record, 0))
    if engine:
        analyze(record, 0, budget=1)


_LAST_WORDS = ("quit", "q", "exit")
_AT_THE_END = "The record is written to {} when the session ends"


class _Dialogue:
    """A session with its file, at a terminal or a pipe."""

    def __init__(self, storage: Storage, seat: str | None, *, engine: bool) -> None:
        self.keeper = Keeper(storage)
        self.engine = engine
        self.session = _session(storage, seat)

    @property
    def storage(self) -> Storage:
        """The file of the session."""
        return self.keeper.storage

    @property
    def saved(self) -> bool:
        """Whether the file holds everything."""
        return self.keeper.saved

    def talk(self) -> int:
        """Prompt for lines at a terminal until the player ends the session."""
        ask = asker(lambda line: self.session.completions(line))
        said = "Every line is saved in {}" if self.storage.is_ordinary else _AT_THE_END
        say(plain(f"{said.format(self.storage.path)}; help shows what you can type."))
        say("\n".join(filter(None, (self.session.greeting(), self._choice(None)))))
        asked_to_end = False
        while True:
            try:
                line = ask(self.session.prompt)
                if _first_word(line) not in _LAST_WORDS:
                    asked_to_end = False
                    self._answer_all([piece for _, piece in lines_of(line)] or [""])
                    continue
            except EOFError:
                print()
            except KeyboardInterrupt:
                if not asked_to_end:
                    asked_to_end = True
                    say(f"\n{self._state()} Ctrl-C again, Ctrl-D or quit ends the session.")
                    continue
            say(self._finished())
            if self.saved or asked_to_end:
                return 0 if self.saved else 1
            asked_to_end = True
            print("Ctrl-C, Ctrl-D or quit again ends the session all the same.")

    def _state(self) -> str:
        """What is saved, in a sentence."""
        said = self._kept()
        if self.saved:
            everything = "Everything is saved." if self.storage.is_ordinary else f"{_AT_THE_END}."
            said = f"{said} {everything.format(self.storage.path)}".strip()
        return plain(said)

    def _answer_all(self, lines: Sequence[str]) -> None:
        """Reply to each line, for several can be pasted at once; stop at one that is refused."""
        for number, line in enumerate(lines, start=1):
            text, ok = self.answer(line)
            if text:
                say(text)
            if not ok and number < len(lines):
                print(f"The {len(lines) - number} lines after it are not taken either.")
                break

    def listen(self, lines: Iterable[str]) -> int:
        """Read lines from a pipe: replies on the output, refusals on the error output."""
        refused = False
        numbered = ((n, piece) for n, line in enumerate(lines, 1) for _, piece in lines_of(line))
        for number, line in numbered:
            if _first_word(line) in _LAST_WORDS:
                break
            text, ok = self.answer(line)
            if ok:
                print(text, end="\n" if text else "", flush=True)
            else:
                refused = True
                complain(f"line {number}: {line.strip()!r}: {' '.join(text.split())}")
        if not self.session.is_finished:
            complain("the last entry is not finished")
        said = plain(self.keeper.finish(self.session.text))
        if said:
            complain(said)
        return 1 if refused or not self.session.is_finished or not self.saved else 0

    def answer(self, line: str) -> tuple[str, bool]:
        """The reply to a line, and whether it was accepted. What it changed is saved."""
        words = line.split("#", 1)[0].split()
        word = words[0].lower() if words else ""
        try:
            if word in ("save", "load"):
                if len(words) != 2:
                    raise LiteratureError(f"one file is wanted, as in '{word} kitchen.lit'")
                if word == "load":
                    return self._load(words[1]), True
                return plain(self.keeper.save_as(words[1], self.session.text)), True
        except LiteratureError as error:
            return plain(f"Not taken: {str(error).rstrip('.')}."), False
        self.session.width = _width()
        before = self.session.viewpoint
        with _interrupts():
            reply = self.session.enter(line)
        # Saved first: the engine takes its time, and may be interrupted.
        said = self._kept()
        with _interrupts():
            choice = self._choice(before)
        return "\n".join(filter(None, (plain_lines(reply.text), choice, said))), reply.ok

    def _choice(self, before: Viewpoint | None) -> str:
        """The engine's choice where the player is on turn in a new position; before: the last."""
        now = self.session.viewpoint
        if not self.engine or now is None or now is before or now.record.ended:
            return ""
        if now.record.position().turn != now.seat:
            return ""
        from literature_ai.analysis.engine import analyze
        from literature_ai.analysis.value_text import choice_in_words
        from literature_ai.assist.replies import wrapped

        found = analyze(now.record, now.seat, knowledge=now.knowledge)
        said = choice_in_words(found, now.record.rules.card_names)
        return wrapped(f"  Engine: {said}", self.session.width)

    def _kept(self) -> str:
        """Make the file hold the session; what is to be said about that."""
        return plain(self.keeper.keep(self.session.text))

    def _load(self, name: str) -> str:
        if not os.path.exists(name):
            raise LiteratureError(f"there is no file {name}")
        said = self._kept()
        if not self.saved:
            raise LiteratureError(said)
        if os.path.exists(self.storage.path) and os.path.samefile(name, self.storage.path):
            raise LiteratureError(f"the session is in {name} already")
        storage = Storage(Path(name))
        try:
            session = _session(storage, None)
        except LiteratureError:
            storage.release()
            raise
        self.storage.finish(self.session.text)
        self.session, self.keeper = session, Keeper(storage)
        said = plain(f"{said} The session goes on in {name}.".strip())
        return f"{said}\n{session.greeting()}"

    def _finished(self) -> str:
        """Finish; what is to be said at a terminal."""
        said = plain(self.keeper.finish(self.session.text))
        if self.saved:
            path = self.storage.path
            goes_on = f"; 'literature assist {path}' goes on" if self.storage.is_ordinary else ""
            said = f"{said} Everything is saved{goes_on}.".strip()
        return plain(said)


def _session(storage: Storage, seat: str | None) -> Session:
    from literature_ai.assist.session import Session

    if not storage.text.strip():
        if seat is not None:
            parse_seat(seat)
        session = Session(storage.id)
    else:
        session = Session.resumed(storage.text, str(storage.path), seat)
        storage.foreign = session.text != storage.text
    session.width = _width()
    return session


def _width() -> int:
    """The columns that a reply may take."""
    from literature_ai.assist.state import WIDTH

    return min(columns() - 1, WIDTH) if columns() else WIDTH


def _first_word(line: str) -> str:
    words = line.split()
    return words[0].lower() if words else ""


@contextlib.contextmanager
def _interrupts() -> Iterator[None]:
    """Turn what compiled code makes of Ctrl-C back into KeyboardInterrupt."""
    try:
        yield
    except Exception as error:
        if is_interrupt(error):
            raise KeyboardInterrupt from error
        raise
