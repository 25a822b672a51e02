"""Watch: bots among themselves, at any pace, with open cards or as one seat."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from literature_ai.records.lit import write
from literature_ai.rules import SWITCHES
from literature_ai.web.site import Site, answer, page, site_of
from literature_ai.web.specs import agents_for_pages
from literature_ai.web.state.shows import Settings
from literature_ai.wording import whole_number

RULES = ("us54", "pagat", *(switch.replace("_", "-") for switch in SWITCHES))
"""What is offered for the rules; any words that fit together are taken."""


def _played(site: Site, settings: Settings, after: int, viewer: str) -> dict[str, Any]:
    site.warm_up.wait()
    show = site.shows.get(settings)
    show.play(after)
    return show.as_json(viewer, after)


def _text(site: Site, settings: Settings) -> str:
    """The record as far as it has been played."""
    return write([site.shows.get(settings).record])


async def _page(request: Request) -> Response:
    return page(
        "watch.html",
        current="/watch",
        agents=agents_for_pages(),
        rules=RULES,
    )


async def _game(request: Request) -> Response:
    words = request.query_params
    settings, site = Settings.of(words), site_of(request)
    after, viewer = whole_number(words.get("after", "")) or 0, words.get("viewer", "")
    return answer(await site.work(_played, site, settings, after, viewer))


async def _record(request: Request) -> Response:
    site = site_of(request)
    text = await site.work(_text, site, Settings.of(request.query_params))
    return PlainTextResponse(text, headers={"Content-Disposition": "attachment; filename=game.lit"})


routes = [
    Route("/watch", _page),
    Route("/watch/game", _game),
    Route("/watch/game.lit", _record),
]
