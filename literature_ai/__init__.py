"""Literature (Canadian Fish): rules, records, knowledge, hints and agents.

>>> import literature_ai as lit
>>> game = lit.Game.deal(lit.RuleSet(), seed=7, start=0)
>>> game.apply(lit.Ask(target=1, card=lit.parse_card("5S")))
Asked(asker=0, target=1, card=3, hit=False)

A name of ``__all__`` is imported from its module when it is first used, so importing the package
costs next to nothing. ``__init__.pyi`` says the same to type checkers and editors.
"""

from __future__ import annotations

import importlib

__version__ = "0.1.0"

_HOME: dict[str, tuple[str, ...]] = {
    "literature_ai.agents.base": ("Agent",),
    "literature_ai.analysis.engine": ("Analysis", "Candidate", "Value", "analyze"),
    "literature_ai.bots.conformance": ("ConformanceTests",),
    "literature_ai.bots.parameters": ("Between",),
    "literature_ai.bots.registry": ("Spec", "parse_spec"),
    "literature_ai.cards": (
        "Card",
        "HalfSuit",
        "Seat",
        "Team",
        "card_name",
        "cards_of",
        "half_suit_name",
        "half_suit_of",
        "parse_card",
        "parse_half_suit",
        "parse_seat",
        "seat_name",
        "team_of",
    ),
    "literature_ai.errors": (
        "BotError",
        "DealError",
        "FileError",
        "IllegalActionError",
        "LiteratureError",
        "NotationError",
        "RecordError",
        "RulesError",
        "SpecError",
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
    "literature_ai.game.asks": ("LegalAsks",),
    "literature_ai.game.game": ("Game",),
    "literature_ai.game.match": ("Match",),
    "literature_ai.game.position": ("Outcome", "Position", "Termination"),
    "literature_ai.game.turns": ("Answer", "Decision", "Turns", "play", "steps"),
    "literature_ai.game.view": ("View",),
    "literature_ai.inference.knowledge": ("BestClaim", "Knowledge"),
    "literature_ai.records.lit": ("read_games", "write_games"),
    "literature_ai.records.notation": ("format_event", "parse_event"),
    "literature_ai.records.record": ("Record",),
    "literature_ai.rules": ("RuleSet",),
    "solver.errors": ("ContradictionError", "NotForcedError"),
}
"""The names offered here, by the module that defines them."""
_ATTRIBUTE = {"card_name": "name", "parse_card": "parse"}
"""What names are called in their module, where that is different."""
_MODULE = {name: module for module, names in _HOME.items() for name in names}

__all__ = sorted(_MODULE)


def __getattr__(name: str) -> object:
    if name not in _MODULE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_MODULE[name]), _ATTRIBUTE.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
