"""Visits to the pages of a server within this process: requests, and the streams of tables."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
from httpx2 import ASGITransport, AsyncClient, Response
from lively import LIVELY, lively_act, lively_claim

from literature_ai.cards import SEAT_NAMES, Seat, parse_seat
from literature_ai.records.notation import format_action
from literature_ai.sessions.table import TableSession
from literature_ai.web.access import Access
from literature_ai.web.app import make_app
from literature_ai.web.site import Site
from literature_ai.web.state.tables import Table

PORT = 8765
PATIENCE = 60


class Visit:
    """A server in a folder, and a browser that asks it."""

    def __init__(self, folder: Path) -> None:
        self.site = Site(folder, seed=5)
        transport = ASGITransport(make_app(self.site, Access(PORT)))
        self.client = AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{PORT}")

    async def __aenter__(self) -> Visit:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.site.tables.close()
        await self.client.aclose()

    async def get(self, path: str) -> Response:
        return await self.client.get(path)

    async def post(self, path: str, data: Any = None) -> Response:
        return await self.client.post(path, json={} if data is None else data)

    async def new(self, persons: str = "A1", bot: str = "greedy", **more: Any) -> dict[str, str]:
        """The links of a new table, by seat."""
        made = await self.post("/tables", settings(persons, bot, **more))
        assert made.status_code == 201, made.text
        links: dict[str, str] = made.json()["links"]
        return links

    async def table(self, link: str) -> Table:
        """The table of a link."""
        found = await self.site.tables.find(link.split("/")[2])
        assert found is not None
        return found

    async def messages(self, link: str) -> AsyncIterator[str]:
        """What the stream of the link sends, piece by piece."""
        table = await self.table(link)
        seat = table.seat_of(link.split("/")[3])
        assert seat is not None
        stream = table.channel.response(lambda: table.state(seat)).body_iterator
        async for piece in stream:
            yield piece if isinstance(piece, str) else bytes(piece).decode()

    async def until(self, link: str, when: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first state of the link's seat of which that is so."""
        async for piece in self.messages(link):
            state = state_in(piece)
            if state is not None and when(state):
                return state
        raise AssertionError("the stream has ended")


def settings(persons: str = "A1", bot: str = "greedy", **more: Any) -> dict[str, Any]:
    """What a form sends for a new table of four, or as many ``players``."""
    players = more.get("players", 4)
    seats = {name: {"bot": bot} for name in SEAT_NAMES[:players]}
    for name in persons.split():
        seats[name] = {"person": f"player {name}"}
    return {"players": players, "rules": "", "seats": seats, "coach": False, "pace": 0} | more


def state_in(piece: str) -> dict[str, Any] | None:
    """The state in a piece of a stream; None in one that only says that it lives."""
    if not piece.startswith("id: "):
        return None
    state: dict[str, Any] = json.loads(piece.partition("\ndata: ")[2])
    return state


def decides(link_seat: str) -> Callable[[dict[str, Any]], bool]:
    """Whether the game waits for this seat, or is over."""
    return lambda state: (
        state["seen"]["result"] is not None
        or (state["seen"]["decision"] or {}).get("seat") == link_seat
    )


def something(session: TableSession, seat: Seat) -> dict[str, Any]:
    """What to send for something that the person may do, by the position alone."""
    decision, view = session.decision, session.view(seat)
    assert decision is not None
    rng = np.random.default_rng((len(view.events), seat, decision.off_turn))
    off_turn = decision.off_turn and view.turn != seat
    action = lively_claim(view, rng, 0.1) if off_turn else lively_act(view, rng)
    names = session.rules.card_names
    text = None if action is None else format_action(action, seat, names)
    return {"events": len(view.events), "action": text}


async def play_to_the_end(
    visit: Visit, links: dict[str, str], heard: Callable[[str, str], None] = lambda *_: None
) -> None:
    """Let the persons of these links play their game. ``heard`` gets all that each stream sends,
    with the seat."""

    async def one(seat: str, link: str) -> None:
        table = await visit.table(link)
        async for piece in visit.messages(link):
            heard(seat, piece)
            state = state_in(piece)
            if state is None:
                continue
            if state["seen"]["result"] is not None:
                return
            decision = state["seen"]["decision"]
            if decision["seat"] == seat and table.session.decision is not None:
                await visit.post(f"{link}/act", something(table.session, parse_seat(seat)))

    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        for seat, link in links.items():
            group.create_task(one(seat, link))


def visit(folder: Path, story: Callable[[Visit], Awaitable[None]]) -> None:
    """Run the story at a server in the folder."""

    async def told() -> None:
        async with Visit(folder) as here:
            await story(here)

    asyncio.run(told())


__all__ = ["LIVELY", "Visit", "decides", "play_to_the_end", "settings", "something", "visit"]
