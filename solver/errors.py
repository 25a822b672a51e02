"""The exceptions of the solver, and the base class of all exceptions for wrong input."""

from __future__ import annotations

import sys
from collections.abc import Sequence


class LiteratureError(ValueError):
    """Base class of all errors caused by wrong input.

    The message says what is wrong, where, and what would be right. The command line prints it on
    one line and exits with status 2.
    """


class ContradictionError(LiteratureError):
    """No deal satisfies the facts.

    ``events`` is a smallest set of event numbers that cannot all be true, in ascending order;
    0 stands for the own hand. It is empty where the events are not determined.
    """

    def __init__(self, message: str, events: Sequence[int] = ()) -> None:
        super().__init__(message)
        self.events = tuple(events)

    def __reduce__(self) -> tuple[type[ContradictionError], tuple[str, tuple[int, ...]]]:
        return type(self), (str(self), self.events)


class NotForcedError(LiteratureError):
    """The statement to be proved does not follow from the facts: some deal makes it false."""


def is_interrupt(error: BaseException | None) -> bool:
    """Whether Ctrl-C is behind the error.

    Compiled code may raise another error in the place of KeyboardInterrupt: python-sat one of its
    own, numba a SystemError with that cause.
    """
    pysolvers = sys.modules.get("pysolvers")
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        if pysolvers is not None and isinstance(error, pysolvers.error):
            return True
        error = error.__cause__
    return False
