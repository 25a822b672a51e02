"""Show the results in the store of a tournament, finished or not.

examples:
  literature report mine.db
  literature report mine.db --report mine/          # an HTML page, and its plots as PNG
  literature report mine.db --games-out mine.lit --json
"""

from __future__ import annotations

import argparse

from tournaments.cli.common import add_result_arguments, print_results
from tournaments.store import Store, StoreError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", metavar="STORE", help="the file that was given as --store")
    add_result_arguments(parser)


def run(args: argparse.Namespace) -> int:
    with Store.read(args.store) as store:
        if args.games_out and not store.header.with_records:
            raise StoreError(
                f"{args.store} has no records of games: it was started without --games-out"
            )
        print_results(store, args)
    return 0
