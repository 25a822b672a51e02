"""Literature (Canadian Fish): rules, records, knowledge, hints and agents.

>>> import literature_ai as lit
>>> game = lit.Game.deal(lit.RuleSet(), seed=7, start=0)
>>> game.apply(lit.Ask(target=1, card=lit.parse_card("5S")))
Asked(asker=0, target=1, card=3, hit=False)

Everything in ``__all__`` is looked up in its module when it is first used, so importing the
package costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from literature_ai.agents.base import Agent
    from literature_ai.cards import (
        Card,
        HalfSuit,
        Seat,
        Team,
        half_suit_name,
        parse_half_suit,
        parse_seat,
        seat_name,
    )
    from literature_ai.cards import name as card_name
    from literature_ai.cards import parse as parse_card
    from literature_ai.errors import (
        DealError,
        FileError,
        IllegalActionError,
        LiteratureError,
        RecordError,
        RulesError,
        UnknownNameError,
    )
    from literature_ai.events import (
        Action,
        Ask,
        Asked,
        Claim,
        Claimed,
        Event,
        Pass,
        Passed,
        TimedOut,
    )
    from literature_ai.game.game import Game
    from literature_ai.game.match import Match
    from literature_ai.game.position import Outcome, Position, Termination
    from literature_ai.game.turns import Decision, Turns, play, steps
    from literature_ai.game.view import View
    from literature_ai.inference.knowledge import Knowledge
    from literature_ai.records.lit import Record, read_games, write_games
    from literature_ai.rules import RuleSet
    from solver.problem import ContradictionError

__all__ = [
    "Action",
    "Agent",
    "Ask",
    "Asked",
    "Card",
    "Claim",
    "Claimed",
    "ContradictionError",
    "DealError",
    "Decision",
    "Event",
    "FileError",
    "Game",
    "HalfSuit",
    "IllegalActionError",
    "Knowledge",
    "LiteratureError",
    "Match",
    "Outcome",
    "Pass",
    "Passed",
    "Position",
    "Record",
    "RecordError",
    "RuleSet",
    "RulesError",
    "Seat",
    "Team",
    "Termination",
    "TimedOut",
    "Turns",
    "UnknownNameError",
    "View",
    "card_name",
    "half_suit_name",
    "parse_card",
    "parse_half_suit",
    "parse_seat",
    "play",
    "read_games",
    "seat_name",
    "steps",
    "write_games",
]

_HOME = {
    "literature_ai.agents.base": ("Agent",),
    "literature_ai.cards": (
        "Card",
        "HalfSuit",
        "Seat",
        "Team",
        "half_suit_name",
        "parse_half_suit",
        "parse_seat",
        "seat_name",
    ),
    "literature_ai.errors": (
        "DealError",
        "FileError",
        "IllegalActionError",
        "LiteratureError",
        "RecordError",
        "RulesError",
        "UnknownNameError",
    ),
    "literature_ai.events": (
        "Action",
        "Ask",
        "Asked",
        "Claim",
        "Claimed",
        "Event",
        "Pass",
        "Passed",
        "TimedOut",
    ),
    "literature_ai.game.game": ("Game",),
    "literature_ai.game.position": ("Outcome", "Position", "Termination"),
    "literature_ai.game.view": ("View",),
    "literature_ai.inference.knowledge": ("Knowledge",),
    "literature_ai.game.match": ("Match",),
    "literature_ai.game.turns": ("Decision", "Turns", "play", "steps"),
    "literature_ai.records.lit": ("Record", "read_games", "write_games"),
    "literature_ai.rules": ("RuleSet",),
    "solver.problem": ("ContradictionError",),
}
_MODULE = {name: module for module, names in _HOME.items() for name in names}
_RENAMED = {
    "card_name": ("literature_ai.cards", "name"),
    "parse_card": ("literature_ai.cards", "parse"),
}


def __getattr__(name: str) -> Any:
    module, attribute = _RENAMED.get(name) or (_MODULE.get(name), name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
