"""Who is let in: hosts, origins, the code of --lan, sizes and rates of requests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from literature_ai.web.access import CODE_LENGTH, SECURITY_HEADERS, Access, new_code
from literature_ai.web.app import make_app
from literature_ai.web.limits import MOST_BYTES, Bucket, Limits
from literature_ai.web.site import Site

PORT = 8765
HOME = f"http://127.0.0.1:{PORT}"


def client_of(folder: Path, code: str | None = None) -> TestClient:
    """A browser of an application in the folder."""
    return TestClient(make_app(Site(folder), Access(PORT, code)), base_url=HOME)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """A browser on this machine."""
    with client_of(tmp_path) as client:
        yield client


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_its_own_names_are_answered(client: TestClient, host: str) -> None:
    """Every name of the loopback address with the right port is this server."""
    assert client.get("/", headers={"Host": f"{host}:{PORT}"}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", f"evil.example:{PORT}", f"127.0.0.1.evil.example:{PORT}", "127.0.0.1"),
        *(f"127.0.0.1:{PORT + 1}", f"192.168.1.5:{PORT}", f"localhost:{PORT}:{PORT}", "", ":8765"),
    ],
)
@pytest.mark.parametrize("path", ["/", "/static/js/dom.js", "/warm-up", "/nothing"])
def test_no_other_host_is(client: TestClient, host: str, path: str) -> None:
    """A name that somebody points at this machine gets nothing, whatever it asks for."""
    answer = client.get(path, headers={"Host": host})
    assert (answer.status_code, "own address" in answer.text) == (403, True)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"https://127.0.0.1:{PORT}"},
        {"Origin": f"http://127.0.0.1:{PORT + 1}"},
        {"Origin": f"http://localhost:{PORT}"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"},
    ],
    ids=str,
)
def test_foreign_pages_are_refused(client: TestClient, headers: dict[str, str]) -> None:
    """What a page of another site sends, or embeds, is refused: also one on another port here."""
    for answer in (
        client.post("/tables", json={}, headers=headers),
        client.get("/warm-up", headers=headers),
    ):
        assert (answer.status_code, "foreign page" in answer.text) == (403, True)


def test_a_link_on_a_foreign_page_may_lead_here(client: TestClient) -> None:
    """Following a link opens a page; a form of a foreign page does not."""
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/", headers=link).status_code == 200
    assert client.post("/tables", headers=link, data={"players": "6"}).status_code == 403


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_only_json_is_taken(client: TestClient, kind: str) -> None:
    """A foreign form could send other types without asking first."""
    answer = client.post("/tables", content=b"{}", headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["error"]) == (
        415,
        "The body must be JSON (application/json).",
    )
    for body in (b"", b"{", b"[" * 5000, b"[]", b'"x"'):
        sent = client.post("/tables", content=body, headers={"Content-Type": "application/json"})
        assert sent.status_code == 400


def test_every_answer_is_marked_as_safe(client: TestClient) -> None:
    """Pages, scripts, errors and refusals forbid code inside, guessing of types, referrers and
    frames; what is private is kept nowhere."""
    answers = [client.get(path) for path in ("/", "/warm-up", "/nothing", "/static/style.css")]
    answers.append(client.get("/", headers={"Host": "evil.example"}))
    for answer in answers:
        assert {name: answer.headers[name] for name in SECURITY_HEADERS} == SECURITY_HEADERS
        assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert {each.headers["Cache-Control"] for each in answers} == {"no-store", "no-cache"}
    assert answers[3].headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(
    "path", ["/", "/board", "/replay", "/watch", "/train", "/static/js/dom.js", "/warm-up", "/x"]
)
def test_without_the_code_there_is_nothing(tmp_path: Path, path: str) -> None:
    """With --lan nothing but the question for the code is served to whoever has not given it."""
    with client_of(tmp_path, new_code()) as client:
        for tried in (path, f"{path}?code=wrong", f"{path}?code="):
            answer = client.get(tried)
            assert answer.status_code == 403
            assert "Which code?" in answer.text
            assert "nav" not in answer.text
        assert client.post("/tables", json={}).status_code == 403


def test_the_code_opens_everything(tmp_path: Path) -> None:
    """The right code, however it is spelled, leads to the page that was asked for, without the code
    in its address; a cookie that no script can read remembers it."""
    code = new_code()
    assert len(code) == CODE_LENGTH
    with client_of(tmp_path, code) as client:
        spelled = f"{code[:4]}-{code[4:]} ".upper()
        answer = client.get("/board", params={"code": spelled, "x": "1"}, follow_redirects=False)
        assert (answer.status_code, answer.headers["Location"]) == (303, "/board?x=1")
        assert "httponly" in answer.headers["Set-Cookie"].lower()
        assert client.get("/").status_code == 200
        assert client.get("/", headers={"Host": f"192.168.1.5:{PORT}"}).status_code == 200
        assert client.get("/", headers={"Host": f"[fe80::1]:{PORT}"}).status_code == 200
        assert client.get("/", headers={"Host": f"evil.example:{PORT}"}).status_code == 403
        away = client.get("//evil.example", params={"code": code}, follow_redirects=False)
        assert away.headers["Location"] == "/"


def test_codes_cannot_be_tried_one_after_another(tmp_path: Path) -> None:
    """After some wrong codes no more are looked at, not even the right one."""
    code = new_code()
    with client_of(tmp_path, code) as client:
        said = [client.get("/", params={"code": f"wrong{n}"}).status_code for n in range(12)]
        assert said == [403] * 10 + [429] * 2
        assert client.get("/", params={"code": code}).status_code == 429


def test_too_much_is_refused(client: TestClient) -> None:
    """A body over the limit is refused by its announced length, and by what comes without one."""
    headers = {"Content-Type": "application/json"}
    long = client.post("/tables", content=b" " * (MOST_BYTES + 1), headers=headers)
    parts = (b" " * 100_000 for _ in range(MOST_BYTES // 100_000 + 1))
    assert [
        long.status_code,
        client.post("/tables", content=parts, headers=headers).status_code,
    ] == [
        413,
        413,
    ]
    assert client.get("/" + "x" * 3000).status_code == 414
    for length in ("-1", "x", "9" * 30):
        sent = client.get("/", headers={"Content-Length": length})
        assert sent.status_code == 413


def test_too_many_requests_are_refused() -> None:
    """Each client has a number of requests at once, and then so many a second; one client's do not
    count for another."""
    now = [0.0]

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    limited = Limits(app, reads=(3, 1), writes=(1, 1), clock=lambda: now[0])
    one = TestClient(limited, client=("10.0.0.1", 1))
    other = TestClient(limited, client=("10.0.0.2", 1))
    assert [one.get("/").status_code for _ in range(5)] == [200, 200, 200, 429, 429]
    assert [one.post("/").status_code for _ in range(2)] == [200, 429]
    assert other.get("/").status_code == 200
    now[0] += 2
    assert [one.get("/").status_code for _ in range(3)] == [200, 200, 429]


def test_a_bucket_is_never_fuller_than_full() -> None:
    """Waiting for long saves up no more than the burst, and what is given back counts again."""
    now = [0.0]
    bucket = Bucket(2, 1, lambda: now[0])
    now[0] = 1000.0
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    bucket.give_back()
    assert [bucket.take(), bucket.take()] == [True, False]


@pytest.mark.parametrize(
    "path",
    [
        *("/static/../app.py", "/static/%2e%2e/app.py", "/static/js/..%2f..%2fapp.py"),
        *("/static//etc/passwd", "/static/%2fetc%2fpasswd", "/play/..%2f..%2fcode/x", "/play/x/.."),
        *("/play/%2e%2e/%2e%2e", "/static/js/%00", "/play/%00/%00", "/play/..%5c..%5cx/y/state"),
    ],
)
def test_no_path_leads_out(tmp_path: Path, path: str) -> None:
    """No spelling of a path leads to a file that is no page's."""
    (tmp_path / "code").write_text("secret")
    with client_of(tmp_path) as client:
        answer = client.get(path)
        assert answer.status_code in (404, 405)
        assert "secret" not in answer.text
        assert "import" not in answer.text
