"""The answers of the pages Replay and Board, without a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import SUIT_EACH
from starlette.testclient import TestClient

from literature_ai.analysis.review import review
from literature_ai.analysis.review_text import review_as_json
from literature_ai.records.lit import read
from literature_ai.web.access import Access
from literature_ai.web.app import make_app
from literature_ai.web.site import Site

HOME = "http://127.0.0.1:8765"
PARTIAL = (Path(__file__).parents[2] / "examples" / "table.lit").read_text("utf-8")
FULL = f"{SUIT_EACH}claim B1 LH B1 right\n"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """A browser on this machine."""
    with TestClient(make_app(Site(tmp_path), Access(8765)), base_url=HOME) as client:
        yield client


def opened(client: TestClient, text: str) -> str:
    """The path of a replay of the text."""
    made = client.post("/replay/records", json={"text": text})
    assert made.status_code == 200, made.text
    return f"/replay/{made.json()['id']}"


def test_record_as_each_viewer_sees_it(client: TestClient) -> None:
    """A replay answers with the games, the game and each moment of the viewer; with open cards all
    hands, else none but the viewer's own, in no field of the answer."""
    path = opened(client, FULL)
    assert client.get(path).status_code == 200
    (game,) = client.get(f"{path}/games").json()["games"]
    assert ("1", 1, {"A": 0, "B": 1}) == (game["game"], game["events"], game["score"])
    seen = client.get(f"{path}/game", params={"game": 1}).json()
    assert ("everyone", 12) == (seen["viewer"], len(seen["seats"]["A1"]["hand"]))
    assert "B1 claims LH as B1:2H,3H,4H,5H,6H,7H: right" == seen["events"][0]["said"]
    where = {"game": 1, "event": 1, "viewer": "public"}
    moment = client.get(f"{path}/moment", params=where).json()
    assert ({}, "B1", None) == (moment["hands"], moment["turn"], moment["seat"])
    public = client.get(f"{path}/game", params={"game": 1, "viewer": "public"}).json()
    assert {None} == {seat["hand"] for seat in public["seats"].values()}
    assert FULL == client.get(f"{path}/game.lit").text


def test_what_if_and_why(client: TestClient) -> None:
    """Another ask is answered by the open cards, one that breaks a rule by a line, and a place that
    is certain by its proof."""
    path = opened(client, FULL)
    where = {"game": 1, "event": 1, "viewer": "everyone"}
    found = client.post(f"{path}/what-if", json={**where, "lines": ["A1 KS"]})
    assert (400, True) == (found.status_code, "hold" in found.json()["error"])
    found = client.post(f"{path}/what-if", json={**where, "lines": ["A1 9S"]})
    assert 400 == found.status_code
    path = opened(client, PARTIAL)
    where = {"game": 1, "event": 12, "viewer": "A1"}
    found = client.post(f"{path}/what-if", json={**where, "lines": ["A2 3S hit"]}).json()
    assert ("A1", {"3S": "B1"}) == (found["learner"], {"3S": "B1"} | found["located"])
    said = client.post(f"{path}/why", json={**where, "card": "4S"}).json()["text"]
    assert said.startswith("B1 has 4S for certain:")


def test_review_is_that_of_the_command(client: TestClient) -> None:
    """The marks of a replay are the review of the command."""
    path = opened(client, PARTIAL)
    found = client.get(f"{path}/review", params={"game": 1}).json()
    expected = json.loads(json.dumps(review_as_json(review(read(PARTIAL)[0]))))
    assert expected == {key: found[key] for key in expected}


def test_what_is_wrong_is_said_in_a_line(client: TestClient) -> None:
    """A wrong record, an unknown id, game, event or viewer, and a body of the wrong form get one
    line, and the right status."""
    path = opened(client, PARTIAL)
    wrong = client.post("/replay/records", json={"text": PARTIAL + "ask B1 A9 2S no\n"})
    line = PARTIAL.count("\n") + 1
    assert (400, True) == (wrong.status_code, wrong.json()["error"].startswith(f"record:{line}: "))
    for status, address in (
        (404, f"/replay/{'x' * 22}/games"),
        (404, f"/board/{'x' * 22}/state"),
        (404, "/board/../../etc"),
        (400, f"{path}/game?game=2"),
        (400, f"{path}/game?game=one"),
        (400, f"{path}/moment?game=1&event=99&viewer=A1"),
        (400, f"{path}/moment?game=1&event=1&viewer=B1"),
        (400, f"{path}/moment?game=1&event=1&viewer=everyone"),
    ):
        answer = client.get(address)
        assert status == answer.status_code, address
        assert "\n" not in answer.json()["error"]
    for body in ({"lines": "x"}, {"lines": [1]}, {"lines": ["x"], "game": "1", "event": 1}):
        assert 400 == client.post(f"{path}/what-if", json=body).status_code


def test_finished_tables_are_offered(client: TestClient, tmp_path: Path) -> None:
    """A table of the server whose game has ended can be opened by the id that the server gave, one
    in progress not, and no other file by any name."""
    folder = tmp_path / "tables"
    folder.mkdir(exist_ok=True)
    ended = FULL + "claim B1 HH B1 right\n" + "result 0-2 unfinished\n"
    (folder / "over.lit").write_text("# literature play {}\n" + ended)
    (folder / "going-on.lit").write_text(FULL)
    (tmp_path / "secret.lit").write_text(ended)
    (table,) = client.get("/replay/finished").json()["tables"]
    assert ("over", True) == (table["id"], "A 0 – B 2" in table["said"])
    made = client.post("/replay/finished", json={"id": "over"}).json()
    assert read(ended) == read(client.get(f"/replay/{made['id']}/game.lit").text)
    for id in ("going-on", "../secret", "secret", ""):
        assert 404 == client.post("/replay/finished", json={"id": id}).status_code


def test_board_takes_lines(client: TestClient) -> None:
    """A board answers each line with its state; lines for an older state get the newest one."""
    path = f"/board/{client.post('/board/boards', json={}).json()['id']}"
    assert client.get(path).status_code == 200
    state = client.get(f"{path}/state").json()
    assert "players" == state["question"]
    for line in ("4", "none", "a1", "ls hs", "a1", "b1 2h n"):
        old, body = state, {"lines": [line], "version": state["version"]}
        answered = client.post(f"{path}/lines", json=body)
        state = answered.json()
        assert (200, True) == (answered.status_code, state["reply"]["ok"]) or line == "b1 2h n"
    assert not state["reply"]["ok"]
    state = client.post(f"{path}/lines", json={"lines": ["b1 2h n"], "version": "old"})
    assert (409, None) == (state.status_code, state.json()["question"])
    assert old["version"] == state.json()["version"]
    advice = client.get(f"{path}/advice").json()
    assert 2 == sum(claim["certain"] for claim in advice["hint"]["claims"])
    assert "claim" in advice["engine_said"]
    assert read(client.get(f"{path}/board.lit").text)
