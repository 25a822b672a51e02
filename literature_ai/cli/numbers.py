"""Numbers on the command line: types for `argparse` that refuse in one line what is no number.

They refuse what no option can mean, so that a number of thousands of digits is neither computed
with nor printed. Whoever uses a number checks its range.
"""

from __future__ import annotations

import argparse
import math

from literature_ai.wording import shortened

_MOST_DIGITS = 40


def whole(text: str) -> int:
    """A whole number of at most 40 digits. Raises ArgumentTypeError."""
    try:
        number = int(text)
    except ValueError:
        number = 10**_MOST_DIGITS
    if abs(number) >= 10**_MOST_DIGITS:
        raise argparse.ArgumentTypeError(
            f"{shortened(text)!r} is no whole number of at most {_MOST_DIGITS} digits"
        )
    return number


def finite(text: str) -> float:
    """A number, neither infinite nor nan. Raises ArgumentTypeError."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise argparse.ArgumentTypeError(f"{shortened(text)!r} is no finite number")
    return number
