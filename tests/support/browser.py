"""The pages in a real browser: a server of its own, and pages that fail on any trouble.

The browser is Debian's Chromium, or the one that ``LITERATURE_CHROMIUM`` names. It resolves no name
at all, so that whatever a page shows comes from the server on this machine.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = os.environ.get("LITERATURE_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
_MISSING = [
    what
    for what, there in (
        ("there is no Chromium here", CHROMIUM is not None),
        ("playwright is not installed", find_spec("playwright") is not None),
        ("axe-playwright-python is not installed", find_spec("axe_playwright_python") is not None),
    )
    if not there
]
needs_browser = pytest.mark.skipif(bool(_MISSING), reason="; ".join(_MISSING))
"""Marks the tests that need a browser."""

Scheme = Literal["light", "dark"]
Size = tuple[int, int]
PHONE: Size = (360, 740)
DESK: Size = (1400, 900)
SIZES = {"phone": PHONE, "desk": DESK}
SCHEMES: tuple[Scheme, ...] = ("light", "dark")

_PATIENCE = 30
_OPTIONS = (
    "--no-sandbox",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--font-render-hinting=none",
)


class Server:
    """``literature serve`` on a free port of this machine, in a process and a folder of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.port = _free_port()
        self.options = options
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        """Where it is, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it says where it is."""
        words = ["--port", str(self.port), "--folder", str(self.folder), *self.options]
        with open(self.folder / "server.log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "literature_ai", "serve", *words],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout is not None
        said = ""
        for line in self.process.stdout:
            said += line
            if self.address in line:
                return
        raise AssertionError(f"the server ended: {said}\n{self.log}")

    @property
    def log(self) -> str:
        """What it has written on its error output."""
        return (self.folder / "server.log").read_text(encoding="utf-8")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Send it a signal and wait for its end; the exit code."""
        process, self.process = self.process, None
        assert process is not None
        process.send_signal(how)
        try:
            process.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise AssertionError(f"the server did not end on {how.name}\n{self.log}") from None
        return process.returncode

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            self.stop()


class Pages:
    """A server and a browser for the tests of a module, as a context."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.server = Server(folder, *options)
        self._stack = ExitStack()
        self._browser: Browser | None = None

    def __enter__(self) -> Self:
        from playwright.sync_api import sync_playwright

        try:
            self._stack.enter_context(self.server)
            started = self._stack.enter_context(sync_playwright())
            self._browser = started.chromium.launch(
                executable_path=CHROMIUM, headless=True, args=list(_OPTIONS)
            )
            self._stack.callback(self._browser.close)
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @contextmanager
    def open(
        self, path: str, size: Size = PHONE, scheme: Scheme = "light", expected: Sequence[str] = ()
    ) -> Iterator[Page]:
        """A page in a browser window of its own, with its own cookies and storage.

        At the end it is an error when there was a message on the console (but for those that
        contain one of ``expected``), or a request to anywhere but the server.
        """
        assert self._browser is not None
        phone = size[0] < 500
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            has_touch=phone,
            is_mobile=phone,
            reduced_motion="reduce",
            base_url=self.server.address,
        )
        context.set_default_timeout(1000 * _PATIENCE)
        troubles: list[str] = []
        page = context.new_page()
        try:
            self._watch(page, troubles)
            context.on("page", lambda other: self._watch(other, troubles))
            page.goto(path)
            yield page
        finally:
            context.close()
        left = [said for said in troubles if not any(part in said for part in expected)]
        assert not left, "\n".join(left)

    def _watch(self, page: Page, troubles: list[str]) -> None:
        def heard(message: Any) -> None:
            if message.type in ("error", "warning"):
                troubles.append(f"{message.type}: {message.text} ({message.location.get('url')})")

        def requested(request: Any) -> None:
            if not request.url.startswith((f"{self.server.address}/", "data:", "blob:")):
                troubles.append(f"request to {request.url}")

        page.on("console", heard)
        page.on("pageerror", lambda error: troubles.append(f"not caught: {error}"))
        page.on("request", requested)


@cache
def _axe() -> str:
    """The source of axe-core."""
    spec = find_spec("axe_playwright_python")
    assert spec is not None
    assert spec.origin is not None
    return (Path(spec.origin).parent / "axe.min.js").read_text(encoding="utf-8")


def axe_findings(page: Page) -> list[str]:
    """What axe-core finds wrong with the page as it is now: the rule, and where."""
    page.evaluate(_axe())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{rule['id']}: {node['html']} ({node.get('failureSummary', '')})"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    assert page.viewport_size is not None
    # A phone's browser would show more of the page, smaller: `innerWidth` grows with it.
    wide = int(page.evaluate("document.documentElement.scrollWidth"))
    return wide - page.viewport_size["width"]


def small_targets(page: Page, least: int = 44) -> list[str]:
    """The buttons and links to tap that are smaller than so many pixels, in either direction."""
    script = """least => [...document.querySelectorAll('main button, main summary, main select')]
        .map(each => [each, each.getBoundingClientRect()])
        .filter(([each, box]) => box.width && (box.width < least || box.height < least))
        .map(([each, box]) => `${each.outerHTML.slice(0, 100)} ${box.width} × ${box.height}`)"""
    return list(page.evaluate(script, least))


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
