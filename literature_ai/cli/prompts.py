"""Prompts for lines at a terminal, with completion where the terminal can do that."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document


class TooLate(Exception):
    """The time for a line is over."""


class Asker(Protocol):
    """Shows a prompt and returns the line typed."""

    def __call__(self, prompt: str, seconds: float | None = None) -> str:
        """The line, without its line end.

        Raises EOFError at the end of the input, KeyboardInterrupt on Ctrl-C in an empty line, and
        `TooLate` after so many ``seconds``; a terminal without completion waits for the line.
        """


def asker(completions: Callable[[str], Iterable[str]]) -> Asker:
    """What asks for lines here; ``completions`` are the words that may end a line so far."""
    if os.environ.get("TERM", "dumb") == "dumb" or not sys.stdout.isatty():
        return _plain_ask
    from prompt_toolkit import PromptSession
    from prompt_toolkit.application import get_app
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.history import InMemoryHistory
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    class Words(Completer):
        def get_completions(
            self, document: Document, complete_event: CompleteEvent
        ) -> Iterable[Completion]:
            line = document.text_before_cursor
            begun = line.split(" ")[-1]
            for word in completions(line):
                yield Completion(word, start_position=-len(begun))

    keys = KeyBindings()

    @keys.add("c-c")
    def _clear_or_interrupt(event: KeyPressEvent) -> None:
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt)

    session: PromptSession[str] = PromptSession(
        history=InMemoryHistory(),
        completer=Words(),
        complete_while_typing=False,
        key_bindings=keys,
    )

    def ask(prompt: str, seconds: float | None = None) -> str:
        timer: list[asyncio.TimerHandle] = []

        def start_timer() -> None:
            if seconds is not None:
                app = get_app()
                assert app.loop is not None
                timer.append(app.loop.call_later(seconds, lambda: app.exit(exception=TooLate())))

        try:
            return session.prompt(prompt, pre_run=start_timer)
        finally:
            for handle in timer:
                handle.cancel()

    return ask


def _plain_ask(prompt: str, seconds: float | None = None) -> str:
    print(prompt, end="", flush=True, file=sys.stdout if sys.stdout.isatty() else sys.stderr)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line
