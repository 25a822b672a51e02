"""Play: a table, as the person at one of its seats has it."""

from __future__ import annotations

from starlette.routing import Route

routes: list[Route] = []
