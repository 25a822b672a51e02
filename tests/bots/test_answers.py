"""Answers of agents are copied into plain values, whatever they are made of."""

from __future__ import annotations

from enum import IntEnum

import numpy as np
import pytest

from literature_ai.bots.answers import failure_of, plain_action, plain_actions, plain_claim
from literature_ai.errors import BotError
from literature_ai.events import Ask, Claim, Pass, TimedOut


class Number(IntEnum):
    """An int of a subclass."""

    THREE = 3


class MyAsk(Ask):
    """An ask of a subclass."""


@pytest.mark.parametrize("three", [3, np.int8(3), np.uint64(3), Number.THREE])
def test_numbers_become_plain(three):
    """Numpy integers and ints of subclasses become ints, and nothing else changes."""
    for action, plain in (
        (Ask(three, three), Ask(3, 3)),
        (MyAsk(three, three), Ask(3, 3)),
        (Claim(three, [three] * 6), Claim(3, (3,) * 6)),
        (Claim(three, np.array([three] * 6)), Claim(3, (3,) * 6)),
        (Pass(three), Pass(3)),
    ):
        copied = plain_action(action)
        assert (copied, type(copied)) == (plain, type(plain))
        numbers = [getattr(copied, name) for name in plain.__slots__]
        assert {type(number) for number in numbers} <= {int, tuple}


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (None, "protocol"),
        (TimedOut(1), "protocol"),
        (Ask, "protocol"),
        (Ask("B1", 3), "illegal"),
        (Ask(1.0, 3), "illegal"),
        (Ask(10**5000, 3), "illegal"),
        (Claim(0, (0,) * 5), "illegal"),
        (Claim(0, (0,) * 7), "illegal"),
        (Claim(0, None), "illegal"),
        (Claim(0, "A1A1A1"), "illegal"),
    ],
)
def test_what_is_no_action_is_told_as_its_kind(answer, kind):
    """No action at all breaks the protocol; an action of impossible parts is illegal."""
    with pytest.raises(BotError) as failed:
        plain_action(answer)
    assert failed.value.kind == kind
    assert len(str(failed.value)) < 300


def test_off_turn_only_a_claim_or_nothing_is_an_answer():
    """None declines; an ask breaks the protocol."""
    assert plain_claim(None) is None
    assert plain_claim(Claim(0, [0] * 6)) == Claim(0, (0,) * 6)
    with pytest.raises(BotError, match="must be a Claim or None"):
        plain_claim(Ask(1, 3))


def test_answers_for_many_are_as_many_as_the_views():
    """Fewer and more are told apart, also from a generator without an end."""
    assert plain_actions((Ask(1, card) for card in range(2)), 2) == [Ask(1, 0), Ask(1, 1)]
    with pytest.raises(BotError, match="act_many answered 1 actions to 2 views"):
        plain_actions([Ask(1, 0)], 2)
    with pytest.raises(BotError, match="act_many answered more actions to 2 views"):
        plain_actions(iter(lambda: Ask(1, 0), None), 2)


def test_failures_are_text_that_every_file_can_hold():
    """Lone surrogates are escaped, long tracebacks cut; an error that cannot be shown is told."""

    class Unshowable(Exception):
        def __str__(self):
            raise RuntimeError

    assert failure_of(BotError("crash", "\ud800 gone", "last words")) == (
        "crash",
        "last words\n\\ud800 gone",
    )
    kind, text = failure_of(ValueError("x" * 10**6))
    assert (kind, len(text)) == ("error", 4000)
    assert failure_of(Unshowable())[0] == "error"
