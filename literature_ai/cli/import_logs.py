"""Turn logs of other programs into records.

The fewest switches under which a game of a log is legal are found and named; the cards tell the
deck; passes of the turn that a log leaves out are put in. Names of players become names of seats.
The first line that no rules allow ends the import with its reason, and the file of -o is not
written.

formats (found by the first line of a file unless --format names one):
  braces  hands as in 'Ann:{D5,SQ,H10}', asks as in 'Ann Bob D2 0' (1: a hit), claims as in
          'Ann Ann:{S5} Cid:{S2,S3,S4,S6,S7} 1' (0: wrong); suits stand first or last
  jsonl   one JSON message a line, as bots get them: new_game, and views with new_events; or events
          alone, as in "ask A1 B2 3D hit"

examples:
  literature import club.log -o club.lit
  literature import *.log | literature replay -
  literature import bot.jsonl --format jsonl --json

Games are numbered over all files. Without -o the records go to the standard output; what was
guessed is said on the error output, and in a comment above each game.

--json prints one object, one game a line: "games", each with
  id, file, line   the number of the game, the log, and the line of its first event
  players, deck, rules, names, start   as in the record; names {seat: name}
  guessed          the words of the rules that the log does not name
  implied          the numbers of the events that the log leaves out
  record           the record
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from literature_ai.cards import SEAT_NAMES
from literature_ai.cli.streaming import read_ahead
from literature_ai.cli.streams import complain
from literature_ai.errors import FileError
from literature_ai.inference.recorded import check_deal_exists
from literature_ai.output_files import output_file
from literature_ai.records.foreign import FORMATS, import_games
from literature_ai.records.foreign.fitting import Fitted
from literature_ai.records.text import STANDARD_INPUT, name_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="a log; - is the standard input")
    parser.add_argument("--format", choices=FORMATS, help="of the logs; default: found by itself")
    parser.add_argument("-o", "--output", metavar="OUT.lit", help="write the records to this file")
    parser.add_argument("--json", action="store_true", help="print JSON (described above)")


def run(args: argparse.Namespace) -> int:
    _keep_apart(args.output, args.files)
    games = read_ahead(_games(args.files, args.format))
    found: Counter[str] = Counter()
    with contextlib.ExitStack() as stack:
        out = None if args.output is None else stack.enter_context(output_file(args.output))
        opening = '{"games": ['
        for game in games:
            found[_rules_of(game)] += 1
            text = f"# {_origin(game)}\n{game.record}\n"
            if out is not None:
                out.write(text.encode())
            elif not args.json:
                print(text, end="")
            if args.json:
                print(opening, json.dumps(_as_json(game)), sep="\n", end="")
                opening = ","
        if args.json:
            print("\n]}")
    for rules, count in found.items():
        complain(f"{count} game{'s' * (count != 1)}: {rules}")
    return 0


def _games(files: Sequence[str], format: str | None) -> Iterator[Fitted]:
    number = 1
    for file in files:
        for game in import_games(file, format, number):
            check_deal_exists(game.record, name_of(file))
            yield game
            number += 1


def _rules_of(game: Fitted) -> str:
    """The rules of the game, and what of them is guessed."""
    guessed = f"guessed {' '.join(game.guessed)}" if game.guessed else "no switch guessed"
    return f"{game.record.rules}; {guessed}"


def _origin(game: Fitted) -> str:
    """Where the game is from, and what is not in the log."""
    file = game.line.file if game.line.file.isprintable() else repr(game.line.file)
    words = [f"{file}:{game.line.number}"]
    if game.guessed:
        words.append(f"guessed {' '.join(game.guessed)}")
    if game.implied:
        passes = "pass" if len(game.implied) == 1 else "passes"
        words.append(f"implied {passes}: event {' '.join(map(str, game.implied))}")
    return "; ".join(words)


def _as_json(game: Fitted) -> dict[str, Any]:
    record = game.record
    return {
        "id": record.id,
        "file": game.line.file,
        "line": game.line.number,
        "players": record.rules.players,
        "deck": record.rules.deck,
        "rules": record.rules.words(),
        "names": dict(zip(SEAT_NAMES, record.names, strict=False)),
        "start": SEAT_NAMES[record.start],
        "guessed": list(game.guessed),
        "implied": list(game.implied),
        "record": str(record),
    }


def _keep_apart(output: str | None, files: Sequence[str]) -> None:
    """Raise `FileError` when the output would replace one of the logs."""
    for file in files:
        with contextlib.suppress(OSError):
            if output is not None and file != STANDARD_INPUT and os.path.samefile(file, output):
                raise FileError(f"{output} is one of the logs; name another file with -o")
