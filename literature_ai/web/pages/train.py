"""Train: positions from real games, graded exactly. Progress is kept by the browser alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from literature_ai.puzzles.naming import KINDS, LEVELS, PuzzleName, daily
from literature_ai.web.site import Site, answer, body_of, page, site_of
from literature_ai.wording import by_half_suit, sentence

RULES_SAID = {
    "6": "6 players",
    "4": "4 players",
    "8": "8 players",
    "us54": "54 cards (us54)",
    "pagat": "to the last half-suit (pagat)",
    "split": "claims may name opponents (split-claims)",
}
"""The rules of puzzles, explained."""


def puzzle_as_json(site: Site, name: PuzzleName) -> dict[str, Any]:
    """The puzzle, with its ``name``, ``kind`` and ``level``, the ``deck``, and the ``log``: the
    events as sentences."""
    site.warm_up.wait()
    puzzle = site.puzzles.get(name)
    names = puzzle.view.rules.card_names
    return {
        "name": str(name),
        "kind": name.kind,
        "level": name.level,
        "deck": by_half_suit(names),
        "log": [sentence(event, names) for event in puzzle.view.events],
        **puzzle.as_json(),
    }


def verdict_as_json(site: Site, name: PuzzleName, given: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict on an answer to the puzzle."""
    site.warm_up.wait()
    return site.puzzles.get(name).grade(given).as_json()


async def _page(request: Request) -> Response:
    return page("train.html", current="/train", kinds=KINDS, levels=LEVELS, rules=dict(RULES_SAID))


async def _puzzle(request: Request) -> Response:
    name = PuzzleName.parse(request.path_params["name"])
    site = site_of(request)
    return answer(await site.work(puzzle_as_json, site, name))


async def _graded(request: Request) -> Response:
    name = PuzzleName.parse(request.path_params["name"])
    site = site_of(request)
    return answer(await site.work(verdict_as_json, site, name, await body_of(request)))


async def _daily(request: Request) -> Response:
    date = request.path_params["date"]
    return answer({"date": date, "puzzles": [str(name) for name in daily(date)]})


routes = [
    Route("/train", _page),
    Route("/train/daily/{date}", _daily),
    Route("/train/puzzles/{name}", _puzzle),
    Route("/train/puzzles/{name}", _graded, methods=["POST"]),
]
