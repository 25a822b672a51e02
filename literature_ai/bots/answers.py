"""What agents answer and raise, copied into plain values of this package.

An agent may answer with any object, whose ``__index__``, ``__iter__`` or ``__getattr__`` is foreign
code. These functions run that code, so they are called where the agent's own methods are: in the
call that is limited in time and whose failures are the agent's. What they return holds nothing of
the agent any more.
"""

from __future__ import annotations

import itertools
import reprlib
import traceback
from functools import cache
from operator import index
from typing import Any, get_args

from literature_ai.cards import HALF_SUIT_SIZE
from literature_ai.errors import BotError, BotErrorKind
from literature_ai.events import Action, Ask, Claim, Pass

MOST_TEXT = 4000
"""The last characters of a text, such as a traceback, that are kept."""
_FAR = 1000
"""No number of a seat, a card or a half-suit is near it, and a longer one is not worth a line."""
_KINDS = frozenset(get_args(BotErrorKind))

# There are only a few hundred asks: each is made once.
_ask = cache(Ask)


def plain_action(answer: object) -> Action:
    """The action that an agent has answered on turn.

    Raises `BotError` when it is none (kind ``protocol``) or has parts that no action has
    (``illegal``), and whatever the code of the answer raises.
    """
    if isinstance(answer, Ask):
        return _ask(_number(answer.target, "target"), _number(answer.card, "card"))
    if isinstance(answer, Claim):
        return _claim(answer)
    if isinstance(answer, Pass):
        return Pass(_number(answer.to, "to"))
    raise _no_answer(answer, "an Ask, a Claim or a Pass")


def plain_claim(answer: object) -> Claim | None:
    """The claim that an agent has answered off turn, or None. Raises as `plain_action` does."""
    if answer is None:
        return None
    if isinstance(answer, Claim):
        return _claim(answer)
    raise _no_answer(answer, "a Claim or None")


def plain_actions(answers: Any, count: int) -> list[Action]:
    """The actions that ``act_many`` has answered to so many views.

    Raises `BotError` when their number is another, and as `plain_action` does.
    """
    some = list(itertools.islice(answers, count + 1))
    if len(some) != count:
        number = "more" if len(some) > count else len(some)
        raise BotError("protocol", f"act_many answered {number} actions to {count} views")
    return [plain_action(answer) for answer in some]


def failure_of(error: BaseException) -> tuple[BotErrorKind, str]:
    """The kind of failure that an error in an agent's code is, and its text.

    The text is a traceback, or what a program's failure says after the end of its standard error.
    """
    try:
        if type(error) is BotError and error.kind in _KINDS:
            text = "\n".join([error.diagnostics, str(error)]).strip()
            return error.kind, plain_text(text)
        return "error", plain_text("".join(traceback.format_exception(error)))
    except BaseException:
        return "error", "an exception that cannot be shown"


def in_one_line(error: BaseException) -> str:
    """The kind of the error and what it says, in one line, also when it cannot be shown."""
    try:
        said = str(error)
    except Exception:
        said = "(it cannot be shown)"
    return " ".join(f"{type(error).__name__}: {said}".split())


def plain_text(text: str) -> str:
    """The end of the text, with what no file or terminal can encode escaped."""
    return str(text)[-MOST_TEXT:].encode("utf-8", "backslashreplace").decode()


def _claim(claim: Claim) -> Claim:
    try:
        holders = list(itertools.islice(claim.holders, HALF_SUIT_SIZE + 1))
    except TypeError:
        holders = []
    if len(holders) != HALF_SUIT_SIZE:
        raise BotError(
            "illegal",
            f"{_shown(claim.holders)} does not name six holders; "
            "a claim names a seat for each card of its half-suit, in card order",
        )
    half_suit = _number(claim.half_suit, "half_suit")
    return Claim(half_suit, tuple([_number(holder, "holder") for holder in holders]))


def _number(number: Any, what: str) -> int:
    """The number as a plain int."""
    if type(number) is not int:
        try:
            # Whatever its own methods say, this gives an int that is of no subclass.
            number = int.__pos__(index(number))
        except TypeError:
            text = f"{what} is {_shown(number)}; it must be an int"
            raise BotError("illegal", text) from None
    if not -_FAR < number < _FAR:
        text = f"{what} is a number of {number.bit_length()} bits; it must be a small one"
        raise BotError("illegal", text)
    return int(number)


def _no_answer(answer: object, expected: str) -> BotError:
    return BotError("protocol", f"answered {_shown(answer)}; it must be {expected}")


def _shown(value: object) -> str:
    try:
        return reprlib.repr(value)
    except Exception:
        return f"a {type(value).__name__}"
