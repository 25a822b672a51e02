"""The standard streams of a command: closed or full ones, and characters that they cannot show."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import sys

from literature_ai.errors import StreamError
from literature_ai.terminal_text import plain

_IN_ASCII = {
    "·": ".",
    "…": "..",
    "−": "-",
    "–": "-",
    "±": "+-",
    "½": ".5",
    "×": "x",
    "→": ">",
    **dict(zip("▁▂▃▄▅▆▇█", "_-~=+*#@", strict=True)),
}
"""What stands for a character where the encoding of a stream lacks it; each level of a bar has its
own. A question mark stands for all others."""
_ERRORS = "literature"


def prepare() -> None:
    """Make the standard streams fit to be written to. Raises `StreamError` if the output is closed.

    Errors go nowhere when theirs is closed. No file that is opened later takes the place of a
    closed stream, neither here nor in programs that are started. Afterwards every character can be
    written in any encoding.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != descriptor:
                os.dup2(opened, descriptor)
                os.close(opened)
            os.set_inheritable(descriptor, True)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    codecs.register_error(_ERRORS, _in_ascii)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ERRORS)
    if sys.stdout is None:
        raise StreamError("the standard output is closed")


def require_input() -> None:
    """Raise `StreamError` if the standard input is closed."""
    if sys.stdin is None:
        raise StreamError("the standard input is closed")


def unwritten(error: OSError) -> str:
    """What has gone wrong in a command: with the output, unless the error names a file."""
    where = "cannot write the output" if error.filename is None else os.fsdecode(error.filename)
    return f"{where}: {(error.strerror or str(error)).lower()}"


def complain(message: str) -> None:
    """Print the message to the error output in one line, if that can be written to."""
    with contextlib.suppress(OSError):
        print(f"literature: {plain(message)}", file=sys.stderr, flush=True)


def silence() -> None:
    """Let nothing that waits to be written to a broken stream be tried again when Python ends."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """The handler of encoding errors."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_IN_ASCII.get(character, "?") for character in lacking), error.end
