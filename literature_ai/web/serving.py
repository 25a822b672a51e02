"""Runs the server of the pages: its address and port, its start and its end."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import uvicorn

from literature_ai.bots.registry import BUILT_IN
from literature_ai.cli.compiling import ADVICE, ENGINE, GAMES
from literature_ai.errors import FileError, LiteratureError
from literature_ai.output_files import explained
from literature_ai.terminal_text import plain
from literature_ai.web.access import CODE_LENGTH, CODE_LETTERS, Access, new_code
from literature_ai.web.app import make_app
from literature_ai.web.site import Site
from literature_ai.web.warm_up import WarmUp

LOOPBACK = "127.0.0.1"
_EVERYWHERE = "0.0.0.0"
_CODE_FILE = "code"
_FOR_ROUTE = ("192.0.2.1", 9)
"""An address that no machine has, to ask the system from which of its own it would be reached."""


def serve(folder: Path, port: int, *, lan: bool, show: bool, seed: int | None = None) -> None:
    """Serve the pages until a signal ends it.

    ``folder`` keeps the tables; ``port`` 0 takes a free one; ``lan``: also for other machines, with
    a code; ``show``: open the first page in a browser; ``seed``: see `Site`.

    Raises LiteratureError when the port cannot be had, and `FileError` when the folder cannot.
    """
    with explained(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise FileError(f"cannot write in {folder}; name another with --folder")
    listener = _listener(_EVERYWHERE if lan else LOOPBACK, port)
    with listener:
        port = listener.getsockname()[1]
        code = _code_of(folder) if lan else None
        warm_up = WarmUp(tuple(dict.fromkeys((*ADVICE, *GAMES, *ENGINE))), tuple(BUILT_IN))
        own = _own_address() if lan else None
        shared_at = None if own is None else f"http://{own}:{port}"
        site = Site(folder, warm_up, shared_at=shared_at, seed=seed)
        app = make_app(site, Access(port, code))
        for line in _greeting(site, port, code):
            print(line)
        sys.stdout.flush()
        warm_up.start()
        if show:
            webbrowser.open(_address(LOOPBACK, port, code))
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=2,
            limit_concurrency=500,
            ws="none",
        )
        _Server(config, site).run([listener])


class _Server(uvicorn.Server):
    """A server that ends quietly on a signal, and ends the streams of pages first."""

    def __init__(self, config: uvicorn.Config, site: Site) -> None:
        super().__init__(config)
        self._site = site

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        numbers = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._site.streams.close()
        super().handle_exit(sig, frame)


def _listener(host: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            other = port + 1 if port < 65_535 else 0
            raise LiteratureError(
                f"port {port} is taken, perhaps by another literature serve;"
                f" end that one, or name another port, as in --port {other}"
            ) from None
        raise LiteratureError(
            f"port {port} cannot be had ({(error.strerror or str(error)).lower()});"
            " name another one, as in --port 8765"
        ) from None
    return listener


def _code_of(folder: Path) -> str:
    """The code of the folder, made when there is none: phones that have it need it only once."""
    path = folder / _CODE_FILE
    with contextlib.suppress(OSError, UnicodeDecodeError):
        code = path.read_text("ascii").strip()
        if len(code) == CODE_LENGTH and set(code) <= set(CODE_LETTERS):
            return code
    code = new_code()
    with explained(path):
        path.unlink(missing_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(f"{code}\n")
    return code


def _greeting(site: Site, port: int, code: str | None) -> list[str]:
    lines = [f"Literature is at {_address(LOOPBACK, port, code)}"]
    if code is not None and site.shared_at is None:
        lines.append("This machine is in no network that other machines could come from.")
    elif code is not None:
        lines.append(f"For phones in this network: {site.shared_at}/")
        lines.append(f"Their code: {code[:4]}-{code[4:]} (the connection is not encrypted)")
    lines.append(f"Tables are kept in {plain(str(site.folder))}. Ctrl-C ends the server.")
    return lines


def _address(host: str, port: int, code: str | None) -> str:
    return f"http://{host}:{port}/" + (f"?code={code}" if code is not None else "")


def _own_address() -> str | None:
    """The address of this machine in its network; nothing is sent to find it."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        asker.connect(_FOR_ROUTE)
        return str(asker.getsockname()[0])
    return None
