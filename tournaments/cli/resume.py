"""Resume an interrupted tournament from its store.

What was played stays; what comes of the whole is the same as without the interruption. The agents
must be where they were, and from a file unchanged.

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
    play_and_show,
)
from tournaments.store import Store, StoreError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", metavar="STORE", help="the file that --store named")
    add_running_arguments(parser)
    add_result_arguments(parser)


def run(args: argparse.Namespace) -> int:
    check_running_arguments(args)
    path = os.path.abspath(args.store)
    with Store.read(path) as store:
        header = store.header
    if args.games_out and not header.with_records:
        raise StoreError(f"{path} keeps no records of games: it was begun without --games-out")
    if not os.path.isdir(header.folder):
        raise StoreError(f"{path} was begun in {header.folder}, which is gone; make that folder")
    with contextlib.chdir(header.folder):
        check_agents(header.plan, here=args.dask is None)
        resumed = Store.resume(path)
    with resumed as store:
        return play_and_show(store, args)
