"""What the pages Train and Watch are sent, and what they may ask for."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from literature_ai.cards import SEAT_NAMES
from literature_ai.puzzles.naming import RULES, daily
from literature_ai.records.lit import read
from literature_ai.records.notation import format_event
from literature_ai.rules import RuleSet
from literature_ai.sessions.seats import Bot
from literature_ai.sessions.table import TableSession
from literature_ai.web.access import Access
from literature_ai.web.app import make_app
from literature_ai.web.pages.train import RULES_SAID
from literature_ai.web.site import Site

GAME = {"a": "greedy", "b": "certain", "players": "4", "rules": "", "seed": "5"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    """A client of a server on port 80."""
    folder: Path = tmp_path_factory.mktemp("served")
    return TestClient(make_app(Site(folder), Access(80)), base_url="http://127.0.0.1")


def played(events: int) -> TableSession:
    """The game, played by itself."""
    bots = [Bot(("greedy", "certain")[seat % 2]) for seat in range(4)]
    session = TableSession("1", RuleSet(players=4), bots, seed=5)
    while len(session.events) < events and not session.over:
        session.advance()
    return session


def test_a_puzzle_is_sent_and_graded(client: TestClient) -> None:
    """The page gets the position and the question, and for its answer the verdict and the proof."""
    puzzle = client.get("/train/puzzles/miss-4-easy-1").json()
    assert ("miss-4-easy-1", "miss", "easy", 4) == tuple(
        puzzle[key] for key in ("name", "kind", "level", "players")
    )
    assert len(puzzle["log"]) == len(puzzle["events"])
    verdicts = [
        client.post("/train/puzzles/miss-4-easy-1", json={"card": card, "seat": seat}).json()
        for cards in puzzle["unknown"].values()
        for card in cards
        for seat in SEAT_NAMES[:4]
    ]
    assert puzzle["proves"] == sum(verdict["right"] for verdict in verdicts)
    assert all(verdict["because"] for verdict in verdicts)


@pytest.mark.parametrize(
    "path", ["/train/puzzles/miss-4-easy", "/train/puzzles/x", "/train/daily/tomorrow"]
)
def test_what_there_is_not_is_refused(client: TestClient, path: str) -> None:
    """A wrong name or date is answered by one line."""
    answer = client.get(path)
    assert answer.status_code == 400
    assert "\n" not in answer.json()["error"]


def test_the_daily_set_is_that_of_the_date(client: TestClient) -> None:
    """The server gives the same puzzles for a date to everyone."""
    sent = client.get("/train/daily/2026-12-01").json()["puzzles"]
    assert [str(name) for name in daily("2026-12-01")] == sent


def test_all_rules_of_puzzles_are_explained() -> None:
    """The page has words for every set of rules that puzzles are played by."""
    assert list(RULES) == list(RULES_SAID)


def test_the_game_is_the_one_of_its_seed(client: TestClient) -> None:
    """What is watched, in pieces, is the game that the same bots play by themselves; its record
    can be had."""
    sentences: list[str] = []
    over = False
    while not over:
        part = client.get("/watch/game", params={**GAME, "after": str(len(sentences))}).json()
        sentences += [event["text"] for event in part["events"]]
        over = part["over"]
    session = played(10_000)
    names = session.rules.card_names
    assert [format_event(event, names) for event in session.events] == sentences
    (record,) = read(client.get("/watch/game.lit", params=GAME).text)
    assert (session.record.hands, session.events) == (record.hands, record.events)
    assert record.ended


def test_a_viewer_gets_no_other_hand(client: TestClient) -> None:
    """As a seat or the public one is sent only what they could know; as everyone, all hands."""
    for viewer, hands in (("A2", ["A2"]), ("public", []), ("everyone", list(SEAT_NAMES[:4]))):
        sent = client.get("/watch/game", params={**GAME, "viewer": viewer}).json()
        seats = sent["seats"].items()
        assert hands == [seat for seat, about in seats if about["hand"] is not None]
    assert client.get("/watch/game", params={**GAME, "viewer": "B4"}).status_code == 400


@pytest.mark.parametrize(
    "wrong",
    [
        *({"a": "cmd:touch ran"}, {"b": "bot.py:Bot"}, {"a": "os:system"}, {"a": ""}),
        *({"a": "greedy,greedy,greedy"}, {"a": "champion:budget=100000"}, {"players": "5"}),
        *({"players": ""}, {"seed": "-1"}, {"seed": "x"}, {"seed": "9" * 30}, {"rules": "nothing"}),
        *({"rules": "turn-seconds=9"}, {"rules": "max-events=9999"}, {"rules": "pagat " * 200}),
    ],
    ids=repr,
)
def test_other_games_are_refused(
    client: TestClient, wrong: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots that are programs, and games without end or against the rules, are refused in one line;
    nothing is started."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("open('ran', 'w')")
    answer = client.get("/watch/game", params={**GAME, **wrong})
    assert answer.status_code == 400
    assert "\n" not in answer.json()["error"]
    assert not (tmp_path / "ran").exists()
