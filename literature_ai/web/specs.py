"""The agents that a page may name: those of this package, with parameters within bounds.

Any other spec imports a module, runs a file or starts a program, and whoever has the address of the
server could do so; here it is refused before anything is looked up.

>>> spec_from_page(" champion:budget=50 ")
'champion:budget=50'
>>> team_from_page("greedy,novice,greedy", 3)
('greedy', 'novice', 'greedy')
"""

from __future__ import annotations

import re
from typing import Any

from literature_ai.bots.registry import BUILT_IN, parse_spec, split_team, summary
from literature_ai.errors import SpecError

MOST = {"budget": 2000, "lookahead": 32}
"""The greatest values of parameters that make an agent think for long."""
_LONGEST = 200
_SHAPE = re.compile(r"([a-z]+)(?::([a-z_]+=(?:[a-z]+|[0-9.]+)(?:,[a-z_]+=(?:[a-z]+|[0-9.]+))*))?")


def spec_from_page(text: object) -> str:
    """The spec, checked. Raises `SpecError` unless it names an agent of this package."""
    spec = text.strip() if isinstance(text, str) else ""
    shape = _SHAPE.fullmatch(spec) if len(spec) <= _LONGEST else None
    if shape is None or shape[1] not in BUILT_IN:
        raise SpecError(
            f"{str(text)[:_LONGEST]!r} cannot play here; pages take {', '.join(BUILT_IN)}, each"
            " with its parameters, as in champion:budget=50"
        )
    for name, value in parse_spec(spec).arguments:
        if name in MOST and value > MOST[name]:
            raise SpecError(f"{spec!r}: {name} is at most {MOST[name]} on pages")
    return spec


def team_from_page(text: object, seats: int) -> tuple[str, ...]:
    """The specs of a team's seats: one for all, or one for each, separated by commas.

    Raises `SpecError` for another number of them, and for any that `spec_from_page` refuses.
    """
    if not isinstance(text, str) or len(text) > seats * _LONGEST:
        raise SpecError("a team is a text: an agent, or one for each seat, separated by commas")
    specs = [spec_from_page(spec) for spec in split_team(text)]
    if len(specs) not in (1, seats):
        raise SpecError(
            f"{text!r} names {len(specs)} agents for a team of {seats}: name one, or {seats}"
        )
    return tuple(specs * seats if len(specs) == 1 else specs)


def agents_for_pages() -> list[dict[str, Any]]:
    """The agents to choose from, from the simplest to the strongest: ``spec`` and ``summary``."""
    return [{"spec": name, "summary": summary(parse_spec(name).agent)} for name in BUILT_IN]
