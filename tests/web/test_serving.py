"""``literature serve``: its start, its end, and what it says when it cannot start."""

from __future__ import annotations

import signal
import socket
import threading
from pathlib import Path
from typing import Any

import httpx2
import pytest
from browser import Server

from literature_ai.cli import serve as command
from literature_ai.cli.main import main
from literature_ai.web import serving
from literature_ai.web.access import CODE_LENGTH
from literature_ai.web.warm_up import WarmUp


def test_a_taken_port_is_one_line(tmp_path: Path, capsys: Any) -> None:
    """It names the port and another one; exit code 2."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["serve", "--port", str(port), "--folder", str(tmp_path / "x")]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert f"port {port} is taken" in said.err


@pytest.mark.parametrize(
    "wrong", ["--port=-1", "--port=65536", "--port=x", "--seed=-1", "--seed=x"]
)
def test_no_such_number(wrong: str, capsys: Any) -> None:
    """A number that is no port, or no seed, is one line and exit code 2."""
    assert main(["serve", wrong]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """Without Starlette or uvicorn it says what to install; exit code 2."""
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert main(["serve"]) == 2
    assert capsys.readouterr().err == (
        "literature: serving pages needs an extra: pip install 'literature-ai[web]'\n"
    )


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path, capsys: Any) -> None:
    """It names the folder; exit code 2."""
    (tmp_path / "file").write_text("")
    assert main(["serve", "--port", "0", "--folder", str(tmp_path / "file" / "x")]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n"), str(tmp_path) in said.err) == ("", 1, True)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_quietly(how: signal.Signals, tmp_path: Path) -> None:
    """Also while a page listens to a table: exit code 0, and nothing on the error output."""
    server = Server(tmp_path)
    with server:
        seats = {"A1": {"person": "Ada"}} | {s: {"person": "x"} for s in ("B1", "A2", "B2")}
        made = httpx2.post(f"{server.address}/tables", json={"players": 4, "seats": seats})
        link = made.json()["links"]["A1"]
        with httpx2.stream("GET", f"{server.address}{link}/events", timeout=30) as stream:
            assert next(stream.iter_text()).startswith("id: ")
            assert server.stop(how) == 0
    assert server.log == ""


def test_the_code_is_asked_for_once(tmp_path: Path) -> None:
    """A folder keeps its code, for nobody else to read, so that phones need it only once; what is
    no code is replaced."""
    code = serving._code_of(tmp_path)
    assert len(code) == CODE_LENGTH
    assert serving._code_of(tmp_path) == code
    file = tmp_path / "code"
    assert file.stat().st_mode & 0o077 == 0
    file.write_text("short\n")
    assert serving._code_of(tmp_path) not in (code, "short")


@pytest.mark.parametrize(("lan", "address"), [(False, "127.0.0.1"), (True, "0.0.0.0")])
def test_it_listens_on_this_machine_alone_unless_told(
    lan: bool, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Only with --lan can others connect, and only then is there a code, which is printed."""
    listening: list[str] = []

    def run(self: Any, sockets: list[socket.socket]) -> None:
        listening.append(sockets[0].getsockname()[0])

    monkeypatch.setattr(serving._Server, "run", run)
    monkeypatch.setattr(WarmUp, "start", lambda self: None)
    monkeypatch.setattr(serving, "_own_address", lambda: "192.168.1.5")
    serving.serve(tmp_path, 0, lan=lan, show=False)
    said = capsys.readouterr().out
    assert [address] == listening
    assert ("Their code: " in said, "http://192.168.1.5:" in said) == (lan, lan)
    assert (tmp_path / "code").exists() == lan


def test_pages_wait_for_what_is_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The state says how much is compiled; it is ready at the end, also when that fails."""
    seen: list[dict[str, Any]] = []
    told = threading.Event()

    def compile_ahead(entries: Any, progress: Any) -> None:
        for done in range(3):
            progress(done, 3)
            seen.append(warm_up.as_json())
        told.set()
        raise OSError("no room")

    monkeypatch.setattr("solver.precompilation.uncompiled", lambda entries: ["x:y"])
    monkeypatch.setattr("solver.precompilation.compile_ahead", compile_ahead)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    warm_up = WarmUp(["x:y"])
    warm_up.start()
    warm_up.wait()
    assert told.is_set()
    assert [{"ready": False, "done": done, "of": 3} for done in range(3)] == seen
    assert warm_up.as_json()["ready"]
    assert WarmUp().as_json()["ready"]
