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
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from literature_ai.assist.storage import Storage, unused_path
from literature_ai.cards import Seat, parse_seat
from literature_ai.cli.compiling import ADVICE, ENGINE, compile_for
from literature_ai.errors import FileError, LiteratureError
from literature_ai.records.lit import STANDARD_INPUT

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document

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
    seat = None if args.seat is None else parse_seat(args.seat)
    if args.file == Path(STANDARD_INPUT):
        raise LiteratureError("a session is saved after every line, so it needs a file, not '-'")
    storage = Storage(args.file or unused_path(datetime.date.today()))
    for stream in (sys.stdin, sys.stderr):
        # A stray byte in a line, or a name that cannot be shown, is no reason to end the session.
        getattr(stream, "reconfigure", lambda **_: None)(errors="replace")
    interactive = sys.stdin.isatty()
    if interactive:
        print("literature: loading the engine ...", file=sys.stderr, flush=True)
    compile_for(*ADVICE, *(() if args.no_engine else ENGINE))
    _warm_up(engine=not args.no_engine)
    dialogue = _Dialogue(storage, seat, engine=not args.no_engine)
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


class _Dialogue:
    """A session with its file, at a terminal or a pipe."""

    def __init__(self, storage: Storage, seat: Seat | None, *, engine: bool) -> None:
        self.storage = storage
        self.engine = engine
        self.session = _session(storage, seat)
        self.saved = True
        """Whether the file holds everything."""

    def talk(self) -> int:
        """Prompt for lines at a terminal until the player ends the session."""
        ask = _asker(self)
        print(f"Every line is saved in {self.storage.path}; help shows what you can type.")
        print(self.session.greeting() + self._choice(None))
        interrupted = False
        while True:
            try:
                line = ask(self.session.prompt)
                interrupted = False
                if _first_word(line) in ("quit", "q", "exit"):
                    break
                self._answer_all(line.splitlines() or [""])
            except EOFError:
                print()
                break
            except KeyboardInterrupt:
                if interrupted:
                    break
                interrupted = True
                print("\nEverything is saved. Ctrl-C again, Ctrl-D or quit ends the session.")
        return self._ended()

    def _answer_all(self, lines: Sequence[str]) -> None:
        """Reply to each line, for several can be pasted at once; stop at one that is refused."""
        for number, line in enumerate(lines, start=1):
            text, ok = self.answer(line)
            print(text, end="\n" if text else "", flush=True)
            if not ok and number < len(lines):
                print(f"The {len(lines) - number} lines after it are not taken either.")
                break

    def listen(self, lines: Iterable[str]) -> int:
        """Read lines from a pipe: replies on the output, refusals on the error output."""
        refused = False
        for number, line in enumerate(lines, start=1):
            if _first_word(line) in ("quit", "q", "exit"):
                break
            text, ok = self.answer(line)
            if ok:
                print(text, end="\n" if text else "", flush=True)
            else:
                refused = True
                why = " ".join(text.split())
                print(f"literature: line {number}: {line.strip()!r}: {why}", file=sys.stderr)
        if not self.session.is_finished:
            print("literature: the last entry is not finished", file=sys.stderr)
        return 1 if refused or not self.session.is_finished or not self.saved else 0

    def answer(self, line: str) -> tuple[str, bool]:
        """The reply to a line, and whether it was accepted. What it changed is saved."""
        words = line.split("#", 1)[0].split()
        word = words[0].lower() if words else ""
        try:
            if word in ("save", "load"):
                if len(words) != 2:
                    raise LiteratureError(f"one file is wanted, as in '{word} kitchen.lit'")
                return (self._save(words[1]) if word == "save" else self._load(words[1])), True
        except LiteratureError as error:
            return f"Not taken: {error}.", False
        before = self.session.viewpoint
        with _interrupts_of_sat():
            reply = self.session.enter(line)
        # Saved first: the engine takes its time, and may be interrupted.
        kept = self._kept()
        return reply.text + self._choice(before) + kept, reply.ok

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
        return "\n" + wrapped(f"  Engine: {choice_in_words(found)}")

    def _kept(self) -> str:
        """Make the file hold the session; what to say if that fails."""
        try:
            self.storage.save(self.session.text)
        except FileError as error:
            self.saved = False
            return f"\nNOT SAVED: {error}; 'save FILE' saves it elsewhere."
        self.saved = True
        return ""

    def _save(self, name: str) -> str:
        if os.path.exists(name):
            raise LiteratureError(f"{name} exists already; name another file")
        Storage(Path(name)).save(self.session.text)
        return f"Saved a copy in {name}; the session goes on in {self.storage.path}."

    def _load(self, name: str) -> str:
        if not os.path.exists(name):
            raise LiteratureError(f"there is no file {name}")
        storage = Storage(Path(name))
        self.session, self.storage = _session(storage, None), storage
        return f"The session goes on in {name}.\n{self.session.greeting()}"

    def _ended(self) -> int:
        path = self.storage.path
        if self.session.text:
            failure = self._kept()
            if failure:
                print(failure.strip(), file=sys.stderr)
                return 1
            print(f"Everything is saved; 'literature assist {path}' goes on.")
        return 0


def _session(storage: Storage, seat: Seat | None) -> Session:
    from literature_ai.assist.session import Session

    if not storage.text.strip():
        return Session(storage.id)
    session = Session.resumed(storage.text, str(storage.path), seat)
    storage.foreign = session.text != storage.text
    return session


def _first_word(line: str) -> str:
    words = line.split()
    return words[0].lower() if words else ""


@contextlib.contextmanager
def _interrupts_of_sat() -> Iterator[None]:
    """Turn what python-sat makes of Ctrl-C back into KeyboardInterrupt."""
    from literature_ai.cli.main import is_interrupt_of_sat

    try:
        yield
    except Exception as error:
        if is_interrupt_of_sat(error):
            raise KeyboardInterrupt from error
        raise


def _asker(dialogue: _Dialogue) -> Callable[[str], str]:
    """What shows a prompt and returns the line typed: with completion where that can work."""
    if os.environ.get("TERM", "dumb") == "dumb" or not sys.stdout.isatty():
        return _plain_ask
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.history import InMemoryHistory
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    class WordsOfSession(Completer):
        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterable[Completion]:
            line = document.text_before_cursor
            begun = line.split(" ")[-1]
            for word in dialogue.session.completions(line):
                yield Completion(word, start_position=-len(begun))

    keys = KeyBindings()

    @keys.add("c-c")
    def _clear_or_interrupt(event: KeyPressEvent) -> None:
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt)

    prompt: PromptSession[str] = PromptSession(
        history=InMemoryHistory(),
        completer=WordsOfSession(),
        complete_while_typing=False,
        key_bindings=keys,
    )
    return prompt.prompt


def _plain_ask(prompt: str) -> str:
    print(prompt, end="", flush=True, file=sys.stdout if sys.stdout.isatty() else sys.stderr)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line
