"""Play: the way in, and new tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from literature_ai.cards import SEAT_NAMES
from literature_ai.errors import LiteratureError
from literature_ai.rule_words import DECKS_MEAN, PRESETS_MEAN, SWITCHES_MEAN
from literature_ai.rules import PRESETS, RuleSet
from literature_ai.sessions.seats import Bot, Occupant, Person, occupant_from_json
from literature_ai.web.site import answer, body_of, page, site_of, text_in
from literature_ai.web.specs import agents_for_pages, spec_from_page
from literature_ai.web.state.tables import checked_pace, links_of

_MOST_RULES = 500
_LONGEST_NAME = 30


def preset_in_words(preset: str) -> tuple[int | None, str]:
    """The number of players that a preset fixes, if it does, and its other rules as words."""
    players = PRESETS[preset].get("players")
    return players, RuleSet.parse(preset).words()


async def _page(request: Request) -> Response:
    presets = [
        {"name": name, "said": said, "players": players, "words": words}
        for name, said in PRESETS_MEAN.items()
        for players, words in (preset_in_words(name),)
    ]
    return page(
        "home.html",
        current="/",
        agents=agents_for_pages(),
        decks={word: said.rstrip(".") for word, said in DECKS_MEAN.items()},
        presets=presets,
        shared_at=site_of(request).shared_at or "",
        switches=SWITCHES_MEAN,
    )


async def _new(request: Request) -> Response:
    """A new table. In: ``players``, ``rules``, ``seats`` by name as `seen_by` has them, ``coach``,
    ``pace``. Out: ``table`` and the ``links`` of the persons, by seat."""
    data = await body_of(request)
    if not site_of(request).new_tables.take():
        raise HTTPException(429, "Too many new tables; wait a moment.")
    rules = _rules(data)
    occupants = _occupants(data, rules)
    coach = data.get("coach", False)
    if not isinstance(coach, bool):
        raise LiteratureError("'coach' must be true or false")
    pace = checked_pace(data.get("pace", 1.0))
    table = await site_of(request).tables.new(rules, occupants, coach=coach, pace=pace)
    return answer({"table": table.id, "links": links_of(table)}, 201)


def _rules(data: Mapping[str, Any]) -> RuleSet:
    """The rules of a new table. Raises LiteratureError."""
    text, players = text_in(data, "rules", ""), data.get("players", 6)
    if len(text) > _MOST_RULES:
        raise LiteratureError(f"the rules are too long; at most {_MOST_RULES} characters are read")
    if type(players) is not int:
        raise LiteratureError("'players' must be 4, 6 or 8")
    return RuleSet.parse(text, players)


def _occupants(data: Mapping[str, Any], rules: RuleSet) -> list[Occupant]:
    """Who sits where at a new table. Raises LiteratureError."""
    seats, names = data.get("seats"), SEAT_NAMES[: rules.players]
    if not isinstance(seats, dict) or set(seats) != set(names):
        raise LiteratureError(f"'seats' must say who sits at {' '.join(names)}")
    occupants = [_of_page(occupant_from_json(seats[name])) for name in names]
    for name, occupant in zip(names, occupants, strict=True):
        if isinstance(occupant, Bot):
            continue
        if occupant is None:
            raise LiteratureError(f"nobody sits at {name}; name a person or a bot")
        if len(occupant.name) > _LONGEST_NAME:
            raise LiteratureError(
                f"the name of {name} is too long; at most {_LONGEST_NAME} characters are taken"
            )
    if not any(isinstance(occupant, Person) for occupant in occupants):
        raise LiteratureError("no person sits at the table; Watch shows bots among themselves")
    return occupants


def _of_page(occupant: Occupant) -> Occupant:
    """Whoever is to sit there, if pages may name them. Raises `SpecError`."""
    return Bot(spec_from_page(occupant.spec)) if isinstance(occupant, Bot) else occupant


routes = [Route("/", _page), Route("/tables", _new, methods=["POST"])]
