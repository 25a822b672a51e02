"""Play, watch and learn in a browser: serve the pages.

Serves on this machine alone and prints the address. With --lan also phones and other machines in
the network can come in: an address and a code for them are printed, and without the code nothing is
served. Every table is saved as a .lit record after every event; a server that was ended, or killed,
finds its tables again at the same links. Ctrl-C ends it.

Needs the extra web: pip install 'literature-ai[web]'

examples:
  literature serve
  literature serve --lan --port 8080
  literature serve --folder ./games --no-open

exit code: 0 when Ctrl-C or a signal ended it; 2 for wrong use, or if the port is taken
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from literature_ai.cli.numbers import whole
from literature_ai.errors import LiteratureError

_PORT = 8765
_MOST = 65_535


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=int, default=_PORT, metavar="N", help=f"default {_PORT}; 0 takes a free one"
    )
    parser.add_argument(
        "--lan", action="store_true", help="let other machines in the network in, with a code"
    )
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="where tables are kept (in your home folder)"
    )
    parser.add_argument(
        "--seed",
        type=whole,
        metavar="N",
        help="deal new tables as 'literature play --seed' does with N, N + 1, … (random)",
    )
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")


def run(args: argparse.Namespace) -> int:
    if not 0 <= args.port <= _MOST:
        raise LiteratureError(f"--port {args.port} is impossible; write 0 to {_MOST}")
    if args.seed is not None and args.seed < 0:
        raise LiteratureError(f"--seed {args.seed} is negative; it must be 0 or more")
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise LiteratureError("serving pages needs an extra: pip install 'literature-ai[web]'")
    from literature_ai.web.serving import serve

    folder = args.folder if args.folder is not None else _home_folder()
    show = sys.stdout.isatty() and not args.no_open
    serve(folder, args.port, lan=args.lan, show=show, seed=args.seed)
    return 0


def _home_folder() -> Path:
    """Where programs keep data of their users."""
    given = os.environ.get("XDG_DATA_HOME", "")
    base = Path(given) if os.path.isabs(given) else Path.home() / ".local" / "share"
    return base / "literature"
