"""The exceptions of the solver, and the base class of all exceptions for wrong input."""

from __future__ import annotations

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
