"""The root of the exceptions that these packages raise for wrong input."""

from __future__ import annotations


class LiteratureError(ValueError):
    """Wrong input of some kind: the message says what is wrong, where, and what would be right.

    The command line prints the message on one line and exits with 2.
    """
