"""Shared parts of the commands: options, checks, progress, output and exit codes."""

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

from literature_ai.cli.compiling import GAMES, compile_for
from literature_ai.cli.numbers import whole
from literature_ai.cli.streams import unwritten
from literature_ai.errors import FileError, LiteratureError, StreamError
from literature_ai.output_files import output_file, require_writable
from literature_ai.terminal_text import plain, plain_lines
from tournaments.console import print_summary
from tournaments.plan import Plan, require_between
from tournaments.processes.player_process import StartMethod
from tournaments.processes.worker import START_METHODS, check
from tournaments.report import require_charts, write_report
from tournaments.runner import BATCH_SIZE, StrictError, run
from tournaments.statistics import require_ratings
from tournaments.store import Store
from tournaments.summary import failures, summarize

_DASK_SECONDS = 10
_MOST_WORKERS = 1000
_MOST_BATCH = 10_000


def add_running_arguments(parser: argparse.ArgumentParser) -> None:
    """Options for how to play, which do not change the results."""
    parser.add_argument(
        "--workers",
        type=whole,
        metavar="N",
        help="number of processes that play (one per processor)",
    )
    parser.add_argument(
        "--dask", metavar="ADDRESS", help="play on a Dask cluster, such as tcp://HOST:8786"
    )
    parser.add_argument(
        "--batch-size",
        type=whole,
        metavar="N",
        help="games that a worker plays at the same time (64)",
    )
    parser.add_argument(
        "--start-method",
        choices=START_METHODS,
        help="how players start: fork (quick), or spawn, the only way where fork is unsafe",
    )
    parser.add_argument(
        "--isolated",
        action="store_true",
        default=None,
        help="seat every agent as a program of its own, which shares no memory with the game",
    )
    parser.add_argument(
        "--strict", action="store_true", default=None, help="stop at the first failure of an agent"
    )
    parser.add_argument(
        "--quiet", action="store_true", default=None, help="no progress bar on standard error"
    )


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """Options for where the results go."""
    parser.add_argument(
        "--store", metavar="FILE", help="keep all results in this file; resume if it has some"
    )
    add_result_arguments(parser)


def add_result_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--games-out", metavar="FILE.lit", help="write the records of all games to this file"
    )
    parser.add_argument(
        "--report", metavar="DIR", help="write a report into this folder: HTML and PNG"
    )
    parser.add_argument("--json", action="store_true", default=None, help="print JSON")


@contextlib.contextmanager
def open_store(plan: Plan, args: argparse.Namespace) -> Iterator[Store]:
    """Check the arguments and open the store of the tournament.

    Without --store it is a temporary file, which is kept only if the tournament does not finish.
    """
    check_running_arguments(args)
    if args.isolated and plan.open_cards:
        raise LiteratureError(
            "--isolated and --open-cards exclude each other: a program is shown no other hand"
        )
    check_agents(plan, args.dask is None, args.start_method)
    path, temporary = args.store, args.store is None
    if temporary:
        descriptor, path = tempfile.mkstemp(prefix="literature-", suffix=".db")
        os.close(descriptor)
    try:
        with Store.create_or_resume(path, plan, bool(args.games_out)) as store:
            yield store
    except BrokenPipeError:
        raise
    except BaseException:
        temporary = temporary and not _has_pairs(path)
        raise
    finally:
        if temporary:
            for suffix in ("", "-wal", "-shm"):
                Path(path + suffix).unlink(missing_ok=True)


def play(store: Store, args: argparse.Namespace, resume: Sequence[str]) -> None:
    """Play what the store lacks; on an interrupt, print how to resume, beginning with ``resume``.

    Raises `StrictError` at the first failure of an agent with --strict.
    """
    compile_for(*GAMES)
    with (
        _hint_to_resume(store, args, resume),
        _executor(args.dask) as (executor, workers),
        _progress(store, args.quiet) as bar,
    ):
        began = time.monotonic()
        try:
            run(
                store,
                executor,
                args.workers or workers,
                args.batch_size or BATCH_SIZE,
                bool(args.strict),
                bar,
                args.start_method,
                bool(args.isolated),
            )
        finally:
            # If the store itself has failed, its error is raised already.
            with contextlib.suppress(LiteratureError):
                store.add_seconds(time.monotonic() - began)


def play_and_print(store: Store, args: argparse.Namespace) -> int:
    """Play what the store lacks and print the results; the exit code."""
    try:
        play(store, args, ["literature", "resume", store.path])
    except StrictError as stopped:
        print(f"literature: stopped: {plain_lines(str(stopped))}", file=sys.stderr)
        return 1
    try:
        return print_results(store, args)
    except BrokenPipeError:
        raise
    except (FileError, OSError) as error:
        what = str(error) if isinstance(error, FileError) else unwritten(error)
        raise StreamError(f"{what}; `literature report {store.path}` has the results") from None


def print_results(store: Store, args: argparse.Namespace) -> int:
    """Print and write the results in the store as the arguments say; the exit code."""
    summary = summarize(store)
    if args.games_out:
        _write_games(store, args.games_out)
    if args.report:
        write_report(store, args.report)
    if args.json:
        print(json.dumps(summary, indent=1))
    else:
        print_summary(summary)
    sys.stdout.flush()
    return 1 if failures(store) else 0


def check_running_arguments(args: argparse.Namespace) -> None:
    """Raise LiteratureError for numbers out of range and folders that do not exist."""
    for name, value, most in (
        ("workers", args.workers, _MOST_WORKERS),
        ("batch-size", args.batch_size, _MOST_BATCH),
    ):
        if value is not None:
            require_between(name, value, 1, most)
    if args.games_out:
        require_writable(args.games_out)
    if args.report:
        require_charts()


def check_agents(plan: Plan, here: bool = True, start_method: StartMethod | None = None) -> None:
    """Raise LiteratureError unless every agent can be loaded and all can be rated.

    No code of theirs runs in this process. Programs must exist only if they run ``here``, not on
    a cluster.
    """
    if len(plan.teams) > 2:
        require_ratings()
    for spec, program, sees_all_cards in check(plan, os.getcwd(), start_method):
        if here and program and not shutil.which(program):
            raise LiteratureError(f"{spec!r}: there is no program {program!r}")
        if sees_all_cards and not plan.open_cards:
            raise LiteratureError(f"{spec} sees all cards; it may only be seated with --open-cards")


@contextlib.contextmanager
def _hint_to_resume(
    store: Store, args: argparse.Namespace, resume: Sequence[str]
) -> Iterator[None]:
    """On an interrupt or error, print the command that resumes, with the options given."""
    try:
        yield
    except (KeyboardInterrupt, LiteratureError, StrictError):
        with contextlib.suppress(LiteratureError):
            if store.pairs_played():
                words = [*resume]
                for option in (
                    *("workers", "dask", "batch_size", "start_method", "games_out", "report"),
                ):
                    if getattr(args, option) is not None:
                        words += [f"--{option.replace('_', '-')}", str(getattr(args, option))]
                words += [
                    f"--{flag}"
                    for flag in ("isolated", "strict", "quiet", "json")
                    if getattr(args, flag)
                ]
                print(f"to resume: {plain(shlex.join(words))}", file=sys.stderr)
        raise


@contextlib.contextmanager
def _executor(address: str | None) -> Iterator[tuple[Executor | None, int | None]]:
    """An executor on the Dask cluster, and its number of threads; None without an address."""
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
    """A progress bar on standard error that counts pairs."""
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
    """Write all records."""
    with output_file(file) as out:
        for number, record in enumerate(store.records()):
            out.write(("\n" * (number > 0) + record).encode())


def _has_pairs(path: str) -> bool:
    with contextlib.suppress(LiteratureError), Store.read(path) as store:
        return store.pairs_played() > 0
    return False
