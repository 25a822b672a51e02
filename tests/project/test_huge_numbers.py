"""Numbers of thousands of digits, which Python does not even print, given to the library."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from literature_ai.cards import name
from literature_ai.errors import LiteratureError, shown
from literature_ai.events import Ask, Asked, Claim, Claimed, Pass, Passed, TimedOut
from literature_ai.game.game import Game
from literature_ai.game.position import Position
from literature_ai.inference.knowledge import Knowledge
from literature_ai.rules import RuleSet

RULES = RuleSet(turn_seconds=30)


def calls(huge: int) -> Iterator[Callable[[], object]]:
    """Calls of the library that cannot do with such a number."""
    game = Game.deal(RULES, seed=7, start=0)
    knowledge = Knowledge(RULES, 0, game.hand(0))
    six = (0, 2, 4, 0, 2, 4)
    yield lambda: Game(RULES, [[huge] * 8] * 6, 0)
    yield lambda: Game.deal(RULES, seed=7, start=huge)
    for action in (
        Ask(huge, 3),
        Ask(1, huge),
        Claim(huge, six),
        Claim(0, (*six[:5], huge)),
        Pass(huge),
    ):
        yield lambda action=action: game.apply(action)
        yield lambda action=action: game.apply(action, huge)
    for event in (
        Asked(huge, 1, 3, False),
        Asked(0, huge, 3, False),
        Asked(0, 1, huge, False),
        Claimed(huge, 0, six, True, six),
        Claimed(0, huge, six, True, six),
        Claimed(0, 0, (*six[:5], huge), True, six),
        Passed(huge, 2),
        Passed(0, huge),
        TimedOut(huge),
    ):
        yield lambda event=event: Position(RULES, 0).follow(event)
    yield lambda: Position(RULES, huge)
    yield lambda: Position(RULES, 0).asks_of(0, [huge])
    yield lambda: Knowledge(RULES, huge, game.hand(0))
    yield lambda: Knowledge(RULES, 0, [*range(7), huge])
    yield lambda: knowledge.probability({huge: 1})
    yield lambda: knowledge.probability({}, lacks={1: huge})
    yield lambda: knowledge.assuming(holds={1: huge})
    yield lambda: knowledge.explain(huge, 1)
    yield lambda: knowledge.claims(huge)
    yield lambda: name(huge)
    for field in ("players", "deck", "left_out", "turn_seconds", "max_events"):
        yield lambda field=field: RuleSet(**{field: huge})


@pytest.mark.parametrize("sign", [1, -1])
def test_huge_numbers_are_refused_in_a_line(sign: int) -> None:
    """A number of 5,000 digits gets an error of this package that shows its start and its size."""
    for call in calls(sign * 10**5000):
        with pytest.raises(LiteratureError) as caught:
            call()
        assert len(str(caught.value)) < 250
    with pytest.raises(
        LiteratureError, match=r"there is no seat 0x31e20801… \(16610 bits\); the seats"
    ):
        Game.deal(RULES, seed=7, start=0).apply(Ask(10**5000, 3))


def test_a_seed_that_is_none_is_refused() -> None:
    """A negative seed, however long, and one that is no number get an error of this package."""
    for seed in (-1, -(10**5000), "seven"):
        with pytest.raises(LiteratureError, match="it must be a whole number from 0 on"):
            Game.deal(RULES, seed=seed)  # type: ignore[arg-type]


def test_a_value_is_shown_in_sixty_characters() -> None:
    """A value is shown as it is while it is short and can be shown, and else cut or replaced."""
    assert shown(np.int64(3)) == repr(np.int64(3))
    assert shown("x" * 100) == "'" + "x" * 58 + "…"
    assert shown((10**5000,)) == "<tuple>"
