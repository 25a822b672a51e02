"""A small store in which bytes are flipped, one after the other."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tournament_helpers import game_result

from tournaments.plan import Plan
from tournaments.store import Store, StoreError
from tournaments.summary import summarize


def make(path: Path) -> tuple[bytes, str]:
    """The bytes of a store with three pairs, a failure, records and a decision; its figures."""
    failure = {
        "kind": "error",
        "seat": 0,
        "event": 12,
        "text": "Traceback\n  x\nValueError: no idea",
    }
    with Store.create_or_resume(path, Plan(("random", "greedy"), 5), with_records=True) as store:
        record = "game 1\nplayers 6\n"
        for pair in range(3):
            second = game_result(1, (0, 8), failure=failure if pair == 1 else None, record=record)
            store.add((0, 1), pair, [[game_result(record=record)], [second]])
        store.add_seconds(1.5)
        store.decide("elo1", 3)
    return path.read_bytes(), figures(path)


def figures(path: Path) -> str:
    """All that a store says: summary, header, records."""
    with Store.read(path) as store:
        return json.dumps([summarize(store), repr(store.header), [*store.records()]])


def flip(path: Path, data: bytes, before: str, places: Iterable[int]) -> int:
    """Flip the byte at each place alone: all its bits, or one. How often the store is refused.

    Raises AssertionError when a damaged store gives other figures, and whatever is raised that is
    no `StoreError` of one line.
    """
    refused: list[str] = []
    for place in places:
        flipped = data[place] ^ (0xFF if place % 2 else 1 << place % 8)
        path.write_bytes(data[:place] + bytes([flipped]) + data[place + 1 :])
        try:
            assert before == figures(path), f"byte {place} of {len(data)}"
        except StoreError as error:
            refused.append(str(error))
    assert all(str(path) in said and "\n" not in said for said in refused)
    return len(refused)
