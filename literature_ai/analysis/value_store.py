"""A file that keeps the moments of a game as they are found, so that the work can go on later.

The first line says of what they are, each other one is a moment, both as JSON. A last line that was
cut off is dropped.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path
from typing import Any

from literature_ai.analysis.game_values import Moment
from literature_ai.analysis.value_text import moment_as_json, moment_from_json
from literature_ai.cards import SEAT_NAMES, Seat
from literature_ai.errors import FileError
from literature_ai.records.record import Record


class ValueStore:
    """The moments of one game with one budget and seed."""

    def __init__(
        self, path: str | None, record: Record, seat: Seat | None, budget: int, seed: int
    ) -> None:
        """None: nothing is kept. Raises `FileError` when the file cannot be read or written, or is
        about something else."""
        self.moments: list[Moment] = []
        """Those that were kept before."""
        self._path = path
        self._head = {
            "literature": "analyze --all",
            "game": record.id,
            "record": blake2b(str(record).encode(), digest_size=8).hexdigest(),
            "seat": None if seat is None else SEAT_NAMES[seat],
            "budget": budget,
            "seed": seed,
        }
        if path is not None:
            self._resume(path)

    def keep(self, moment: Moment) -> None:
        """Add the next moment."""
        if self._path is not None:
            self._write(self._path, moment_as_json(moment))

    def _resume(self, path: str) -> None:
        try:
            text = Path(path).read_text(encoding="utf-8") if Path(path).exists() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise FileError(f"cannot read {path}: {_reason(error)}") from None
        lines = text.splitlines(keepends=True)
        if lines and not lines[-1].endswith("\n"):
            lines.pop()
        if lines:
            self._check_head(path, lines[0])
        for number, line in enumerate(lines[1:], start=2):
            try:
                moment = moment_from_json(json.loads(line))
            except (ValueError, KeyError, TypeError):
                raise FileError(
                    f"{path}: line {number} is no moment of a game; delete the lines from there on"
                ) from None
            self.moments.append(moment)
        if "".join(lines) != text or not lines:
            try:
                Path(path).write_text("".join(lines), encoding="utf-8")
            except OSError as error:
                raise FileError(f"cannot write {path}: {_reason(error)}") from None
        if not lines:
            self._write(path, self._head)

    def _check_head(self, path: str, line: str) -> None:
        try:
            head = json.loads(line)
        except ValueError:
            head = None
        if not isinstance(head, dict) or head.get("literature") != self._head["literature"]:
            raise FileError(f"{path} is no store of 'literature analyze --all'; name another file")
        for key, value in self._head.items():
            if head.get(key) != value:
                what = "another version of the record" if key == "record" else f"another {key}"
                raise FileError(
                    f"{path} is of {what} ({head.get(key)}, not {value}); name another file"
                )

    def _write(self, path: str, found: dict[str, Any]) -> None:
        try:
            with Path(path).open("a", encoding="utf-8") as file:
                file.write(json.dumps(found) + "\n")
        except OSError as error:
            raise FileError(f"cannot write {path}: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
    return (reason or str(error)).lower()
