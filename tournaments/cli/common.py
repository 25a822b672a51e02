"""What the commands that hold a tournament have in common: options, progress, results, the end."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from literature_ai.bots.external import ExternalAgent
from literature_ai.bots.registry import parse_team
from literature_ai.cli.notice import compile_now
from literature_ai.errors import FileError, LiteratureError
from tournaments.console import show
from tournaments.plan import Plan, PlanError
from tournaments.report import require_plots, write_report
from tournaments.runner import BATCH_SIZE, Stopped, hold
from tournaments.statistics import require_ratings
from tournaments.store import Store
from tournaments.summary import failures, summary

_DASK_SECONDS = 10


def add_running_arguments(parser: argparse.ArgumentParser) -> None:
    """How to play, which does not change what comes of it."""
    parser.add_argument(
        "--workers", type=int, metavar="N", help="processes that play (one a processor)"
    )
    parser.add_argument(
        "--dask", metavar="ADDRESS", help="play on a Dask cluster, as in tcp://HOST:8786"
    )
    parser.add_argument(
        "--batch-size", type=int, metavar="N", help="games that a worker plays at a time (64)"
    )
    parser.add_argument(
        "--strict", action="store_true", default=None, help="stop when an agent fails"
    )
    parser.add_argument(
        "--quiet", action="store_true", default=None, help="no progress bar on the standard error"
    )


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to put what comes of it."""
    parser.add_argument(
        "--store", metavar="FILE", help="keep all results here, and go on if it has some"
    )
    add_result_arguments(parser)


def add_result_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games-out", metavar="FILE.lit", help="write the records of all games")
    parser.add_argument("--report", metavar="DIR", help="write a report, HTML and PNG")
    parser.add_argument("--json", action="store_true", default=None, help="print JSON")


@contextlib.contextmanager
def open_store(plan: Plan, args: argparse.Namespace) -> Iterator[Store]:
    """The store of the tournament, checked and ready to be played.

    Without a name for it, it is a temporary file, which is kept only if the tournament does not
    come to its end.
    """
    check_running_arguments(args)
    check_agents(plan, here=args.dask is None)
    path, temporary = args.store, args.store is None
    if temporary:
        descriptor, path = tempfile.mkstemp(prefix="literature-", suffix=".db")
        os.close(descriptor)
    try:
        with Store.create_or_resume(path, plan, bool(args.games_out)) as store:
            yield store
    except BaseException:
        temporary = temporary and not _has_pairs(path)
        raise
    finally:
        if temporary:
            for suffix in ("", "-wal", "-shm"):
                Path(path + suffix).unlink(missing_ok=True)


def play(store: Store, args: argparse.Namespace, resume: Sequence[str]) -> None:
    """Play what the store lacks; if that is interrupted, say with which command it goes on.

    Raises `Stopped` when an agent has failed and the tournament is strict.
    """
    compile_now()
    with (
        _hint_to_resume(store, args, resume),
        _executor(args.dask) as (executor, workers),
        _progress(store, args.quiet) as bar,
    ):
        began = time.monotonic()
        try:
            hold(
                store,
                executor,
                args.workers or workers,
                args.batch_size or BATCH_SIZE,
                bool(args.strict),
                bar,
            )
        finally:
            # Where the store is what failed, that is the error to tell.
            with contextlib.suppress(LiteratureError):
                store.add_seconds(time.monotonic() - began)


def play_and_show(store: Store, args: argparse.Namespace) -> int:
    """Play what the store lacks and show what comes of it; the exit code."""
    try:
        play(store, args, ["literature", "resume", store.path])
    except Stopped as stopped:
        print(f"literature: stopped: {stopped}", file=sys.stderr)
        return 1
    return show_results(store, args)


def show_results(store: Store, args: argparse.Namespace) -> int:
    """Show and write what the store holds, as the arguments say; the exit code."""
    figures = summary(store)
    if args.games_out:
        _write_games(store, args.games_out)
    if args.report:
        write_report(store, args.report)
    if args.json:
        print(json.dumps(figures, indent=1))
    else:
        show(figures)
    return 1 if failures(store) else 0


def check_running_arguments(args: argparse.Namespace) -> None:
    """Raise LiteratureError for numbers that make no sense and folders that do not exist."""
    for name, value in (("workers", args.workers), ("batch-size", args.batch_size)):
        if value is not None and value < 1:
            raise PlanError(f"{name} must be at least 1, not {value}")
    if args.games_out:
        folder = os.path.dirname(args.games_out) or "."
        if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
            raise FileError(f"{args.games_out} cannot be written: no folder {folder} to write to")
    if args.report:
        require_plots()


def check_agents(plan: Plan, here: bool = True) -> None:
    """Raise LiteratureError unless every agent can be had and, in the end, be rated.

    Programs must be there only if they are to run ``here``.
    """
    if len(plan.teams) > 2:
        require_ratings()
    for team in plan.teams:
        for spec in parse_team(team, plan.rules.players // 2):
            agent = spec.make()
            if here and isinstance(agent, ExternalAgent) and not shutil.which(agent.words[0]):
                raise LiteratureError(f"{spec.text!r}: there is no program {agent.words[0]!r}")
            if getattr(spec.agent, "sees_all_cards", False) and not plan.open_cards:
                raise LiteratureError(
                    f"{spec.text} sees all cards; it may only be seated with --open-cards"
                )


@contextlib.contextmanager
def _hint_to_resume(
    store: Store, args: argparse.Namespace, resume: Sequence[str]
) -> Iterator[None]:
    """If it is interrupted, say how to go on: with that command, and the options given."""
    try:
        yield
    except (KeyboardInterrupt, LiteratureError, Stopped):
        with contextlib.suppress(LiteratureError):
            if store.pairs_played():
                words = [*resume]
                for option in ("workers", "dask", "batch_size", "games_out", "report"):
                    if getattr(args, option) is not None:
                        words += [f"--{option.replace('_', '-')}", str(getattr(args, option))]
                words += [
                    f"--{flag}" for flag in ("strict", "quiet", "json") if getattr(args, flag)
                ]
                print(f"to go on: {shlex.join(words)}", file=sys.stderr)
        raise


@contextlib.contextmanager
def _executor(address: str | None) -> Iterator[tuple[Executor | None, int | None]]:
    """An executor on the Dask cluster there, and how many tasks it runs at a time."""
    if address is None:
        yield None, None
        return
    try:
        import distributed
    except ImportError:
        raise LiteratureError("--dask needs Dask: pip install 'literature-ai[dask]'") from None
    client_class: Any = distributed.Client
    try:
        client = client_class(address, timeout=_DASK_SECONDS)
    except (OSError, ValueError) as error:
        raise LiteratureError(f"--dask {address}: there is no cluster: {error}") from None
    with client:
        yield client.get_executor(pure=False), sum(client.nthreads().values())


@contextlib.contextmanager
def _progress(store: Store, quiet: bool | None) -> Iterator[Callable[[int], object]]:
    """A bar on the standard error that counts pairs."""
    from tqdm import tqdm

    plan = store.header.plan
    with tqdm(
        total=len(plan.matchups()) * plan.pairs,
        initial=store.pairs_played(),
        unit="pair",
        file=sys.stderr,
        disable=bool(quiet),
    ) as bar:
        yield bar.update


def _write_games(store: Store, file: str) -> None:
    """Write all records; a file of that name is replaced once the new one is complete."""
    unfinished = f"{file}.part"
    try:
        with open(unfinished, "w", encoding="utf-8") as out:
            for number, record in enumerate(store.records()):
                out.write("\n" * (number > 0) + record)
        os.replace(unfinished, file)
    except OSError as error:
        raise FileError(f"{file} cannot be written: {error.strerror}") from error


def _has_pairs(path: str) -> bool:
    with contextlib.suppress(LiteratureError), Store.read(path) as store:
        return store.pairs_played() > 0
    return False
