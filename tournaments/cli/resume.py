"""Resume an interrupted tournament from its store.

Pairs that have been played are kept, and the results are the same as without the interruption.
Agents must be where they were, and files of agents unchanged.

examples:
  literature resume mine.db
  literature resume mine.db --workers 8 --games-out mine.lit --json
"""

from __future__ import annotations

import argparse
import contextlib
import os

from tournaments.cli.common import (
    add_result_arguments,
    add_running_arguments,
    check_agents,
    check_running_arguments,
    play_and_print,
)
from tournaments.store import Store, StoreError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", metavar="STORE", help="the file that was given as --store")
    add_running_arguments(parser)
    add_result_arguments(parser)


def run(args: argparse.Namespace) -> int:
    check_running_arguments(args)
    path = os.path.abspath(args.store)
    with Store.read(path) as store:
        header = store.header
    if args.games_out and not header.with_records:
        raise StoreError(f"{path} has no records of games: it was started without --games-out")
    if not os.path.isdir(header.folder):
        raise StoreError(f"{path} was started in {header.folder}, which is gone; create it")
    with contextlib.chdir(header.folder):
        check_agents(header.plan, args.dask is None, args.start_method)
        resumed = Store.resume(path)
    with resumed as store:
        return play_and_print(store, args)
