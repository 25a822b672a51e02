"""Value a position, and compare what each action makes of the game.

The value is the expected result of the seat's team (win 1, draw 1/2, loss 0) and the half-suits it
expects to be ahead by at the end, each with its standard error. Deals are drawn from what the seat
can know, and the game is played on from each. On turn, the asks worth comparing, claims and passes
are listed with the value after each; --candidates compares others too. The budget is the number of
rollouts that compare candidates, and the answer is the same for any number of workers. Ctrl-C shows
what has been found so far.

examples:
  literature analyze game.lit --seat A1
  literature analyze game.lit --seat A1 --at 12 --budget 2000 --candidates "B3 5S; B2 4S"
  literature analyze game.lit --seat public
  literature analyze game.lit --all --store game.values --plot game.svg

--seat is whose knowledge counts: the only seat with a hand unless said; public is what everyone
knows, valued for team A. With --all every decision is judged by what its player knew (with --seat
only those of that seat), a line each: the event, what was done, the expected result with the best
action, what was given away, and for a mistake what was better and why. --store keeps each line in
FILE, and the same command goes on from there.

--json prints one object: "game", "seat" (null: public), "team" (whose value), "turn", "events",
"budget", "seed", "stopped" (by Ctrl-C), and
  value       score, se (its standard error), margin, margin_se
  choice      the best action of those compared, as in a record but without its answer; null off
              turn, unless the seat is to claim
  reason      why, in a few words
  candidates  the choice first: action, hit (the exact chance of a hit, or that the claim is right;
              null for a pass), score and se (after it), loss and loss_se (how far behind the
              choice), line (the likeliest continuation, in lines of a record)
With --all --json: "game", "seat", "budget", "seed", "stopped", accuracy {seat: 0 to 100}, mistakes
{size: number}, and moments: for each number of events from 0 on, events, value (of team A, by all
hands where the record has them, else by what everyone knows), own (the value for --seat's team by
what it knew, or null), and decision (null where none is judged): event, seat, made, score (with the
best action), loss, loss_se, mistake (its size, or null), best, reason.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from literature_ai.analysis.engine import BUDGET, MOST_BUDGET, analyze
from literature_ai.cards import SEAT_NAMES, TEAM_NAMES, Seat
from literature_ai.cli import terminal
from literature_ai.cli.compiling import ADVICE, ENGINE, compile_for
from literature_ai.cli.interrupts import INTERRUPTED
from literature_ai.cli.stopping import Stop, watched
from literature_ai.errors import LiteratureError, NotationError
from literature_ai.events import Action
from literature_ai.inference.recorded import check_deal_exists, knowledge_of, seat_to_advise
from literature_ai.records.lit import iter_games
from literature_ai.records.notation import parse_action
from literature_ai.records.record import Record, choose
from literature_ai.wording import sentence

if TYPE_CHECKING:
    from literature_ai.analysis.engine import Analysis
    from literature_ai.analysis.game_values import Moment
    from literature_ai.analysis.value_store import ValueStore

PUBLIC = "public"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a .lit record; - is the standard input")
    parser.add_argument("--game", metavar="ID", help="the game with this id, if there are several")
    parser.add_argument("--seat", metavar="SEAT", help="A1, B1, … or public")
    parser.add_argument("--at", type=int, metavar="N", help="after event N; 0 is the deal")
    parser.add_argument(
        "--budget",
        type=int,
        default=BUDGET,
        metavar="N",
        help=f"rollouts that compare candidates (default {BUDGET})",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="default 0")
    parser.add_argument(
        "--candidates", metavar="LIST", help="also compare these, as in 'B3 5S; c ls a1:3,4 a2'"
    )
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="threads (default 1)")
    parser.add_argument("--all", action="store_true", help="judge every decision of the game")
    parser.add_argument("--store", metavar="FILE", help="with --all: keep what is found, or go on")
    parser.add_argument(
        "--plot", metavar="FILE", help="with --all: the graph of the game, as .svg or .png"
    )
    parser.add_argument("--json", action="store_true", help="print JSON (described above)")


def run(args: argparse.Namespace) -> int:
    _check_options(args)
    record = choose(iter_games(args.file), args.game, args.file)
    if args.at is not None:
        record = record.at(args.at)
    seat = _seat(record, args)
    compile_for(*ADVICE, *ENGINE)
    return _all(record, seat, args) if args.all else _one(record, seat, args)


def _check_options(args: argparse.Namespace) -> None:
    """Raise LiteratureError for options that do not go together, before anything is computed."""
    for name, least in (("budget", 1), ("seed", 0), ("workers", 1)):
        if getattr(args, name) < least:
            raise LiteratureError(
                f"--{name} {getattr(args, name)}: it must be a whole number from {least}"
            )
    if args.budget > MOST_BUDGET:
        raise LiteratureError(f"--budget {args.budget}: it must be at most {MOST_BUDGET}")
    for name in ("store", "plot"):
        if getattr(args, name) is not None and not args.all:
            raise LiteratureError(f"--{name} needs --all: it is about every decision of a game")
    if args.all and args.candidates is not None:
        raise LiteratureError("--candidates are of one position; leave out --all or them")
    if args.all and args.at is not None:
        raise LiteratureError("--at is one position; leave out --all or it")
    if args.plot is not None:
        from literature_ai.analysis.value_graph import check_plot_file

        check_plot_file(args.plot)


def _seat(record: Record, args: argparse.Namespace) -> Seat | None:
    """Whose knowledge counts; None for everyone's, and with --all for each player's own."""
    if args.seat is None and args.all:
        check_deal_exists(record, args.file)
        return None
    if args.seat is not None and args.seat.lower() == PUBLIC:
        if args.all:
            raise LiteratureError(
                "--all judges each player by what they knew; leave out --seat public"
            )
        return None
    return seat_to_advise(record, args.seat, args.file)


def _one(record: Record, seat: Seat | None, args: argparse.Namespace) -> int:
    """Analyse one position."""
    candidates = _candidates(args.candidates, record)
    knowledge = knowledge_of(record, seat, args.file)
    with Stop() as stop:
        found = analyze(
            record,
            seat,
            args.budget,
            args.seed,
            candidates,
            workers=args.workers,
            go_on=stop.go_on,
            knowledge=knowledge,
        )
    if args.json:
        from literature_ai.analysis.value_text import analysis_as_json

        print(
            json.dumps(
                {"game": record.id, **analysis_as_json(found, record.rules.card_names)}, indent=1
            )
        )
    else:
        _show(record, found)
    return INTERRUPTED if found.stopped else 0


def _candidates(text: str | None, record: Record) -> list[Action]:
    """The actions that the text names, of the seat on turn or of who claims."""
    position = record.position()
    actions = []
    for part in (text or "").split(";"):
        if not part.strip():
            continue
        try:
            _, action = parse_action(part, position)
        except NotationError as error:
            raise LiteratureError(
                f"--candidates: {part.strip()!r}: {error.what}; write each as in 'b3 5s', 'c ls"
                " a1:3,4 a2' or 'p a2', without an answer, and ';' between them"
            ) from None
        actions.append(action)
    return actions


def _show(record: Record, found: Analysis) -> None:
    from rich.text import Text

    from literature_ai.analysis.value_text import (
        candidate_in_words,
        option_in_words,
        value_in_words,
    )

    console, names = terminal.console(), record.rules.card_names
    who = "everyone" if found.seat is None else SEAT_NAMES[found.seat]
    stopped = ", stopped early" if found.stopped else ""
    said = (
        f"game {record.id} as {who} sees it after {found.events} events:"
        f" {SEAT_NAMES[found.turn]} is on turn; budget {found.budget}{stopped}"
    )
    terminal.show(console, Text(said))
    worth = f"Value for team {TEAM_NAMES[found.team]}: {value_in_words(found.value)}"
    terminal.show(console, Text(worth, style="bold"))
    if found.choice is not None:
        terminal.show(
            console,
            Text(f"Choice: {option_in_words(found.choice, names)} ({found.reason})"),
            hanging=2,
        )
    if found.candidates:
        console.print(Text("\nscore after it, loss, chance, action", style="dim"))
    for candidate in found.candidates:
        terminal.show(console, Text(candidate_in_words(candidate, names)), indent=2, hanging=4)
        line = "; ".join(sentence(event, names) for event in candidate.line)
        terminal.show(console, Text(line, style="dim"), indent=10, hanging=2)


def _all(record: Record, seat: Seat | None, args: argparse.Namespace) -> int:
    """Judge every decision, a line each."""
    from literature_ai.analysis.value_graph import write_graph
    from literature_ai.analysis.value_store import ValueStore
    from literature_ai.analysis.value_text import decision_in_words, game_as_json

    if seat is not None:
        knowledge_of(record, seat, args.file)
    store = ValueStore(args.store, record, seat, args.budget, args.seed)
    moments = []
    with Stop() as stop:
        for moment in _until_stopped(store, record, seat, args, stop):
            moments.append(moment)
            if moment.decision is not None and not args.json:
                print(decision_in_words(moment.decision), flush=True)
    if args.plot is not None and moments:
        write_graph(args.plot, moments, record, seat)
    if args.json:
        head = {
            "game": record.id,
            "seat": None if seat is None else SEAT_NAMES[seat],
            "budget": args.budget,
            "seed": args.seed,
            "stopped": stop.wanted,
        }
        print(json.dumps({**head, **game_as_json(moments, record.rules.players)}, indent=1))
    else:
        _show_sums(moments, record, stopped=stop.wanted)
    return INTERRUPTED if stop.wanted else 0


def _until_stopped(
    store: ValueStore, record: Record, seat: Seat | None, args: argparse.Namespace, stop: Stop
) -> Iterator[Moment]:
    """The moments in the store, then the others, which are stored too; none that was cut short."""
    done = store.moments
    yield from done
    for moment in watched(record, seat, args.budget, args.seed, args.workers, stop, len(done)):
        store.keep(moment)
        yield moment


def _show_sums(moments: list[Moment], record: Record, *, stopped: bool) -> None:
    from rich.text import Text

    from literature_ai.analysis.value_text import LEGEND, accuracies

    console = terminal.console()
    found = accuracies(moments, record.rules.players)
    sums = [f"{SEAT_NAMES[seat]} {value:.1f}" for seat, value in found]
    if sums:
        terminal.show(console, Text(f"Accuracy: {', '.join(sums)}", style="bold"))
        terminal.show(console, Text(LEGEND, style="dim"))
    else:
        none = "No decision can be judged: no player's hand is known."
        terminal.show(console, Text("Stopped before any decision." if stopped else none))
