"""Tables in the browser: whole games over the wire, what a seat gets, and what it may do."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lively import LIVELY, Lively, let_in
from twins import deal_like
from visiting import Visit, decides, play_to_the_end, settings, something, state_in, visit

from literature_ai.bots.registry import BUILT_IN
from literature_ai.cards import DECKS, SEAT_NAMES, cards_of, parse_seat
from literature_ai.game.game import Game
from literature_ai.rule_words import DECKS_MEAN, PRESETS_MEAN, SWITCHES_MEAN
from literature_ai.rules import PRESETS, SWITCHES, RuleSet
from literature_ai.sessions.storage import Storage
from literature_ai.sessions.table import TableSession
from literature_ai.web.pages import home
from literature_ai.web.site import Site
from literature_ai.web.state import streams, tables
from literature_ai.wording import by_half_suit

RULES = ("4 max-events=60", "4 claim-any-time pass-turn max-events=40", "6 us54 max-events=40")
RULES += ("8 split-claims bluff-asks wrong-hides play-out max-events=40", "6 without-7s pagat")
CARD = re.compile(r"\b(?:[2-9TJQKA][SHDC]|[RB]J)\b")


@pytest.fixture(autouse=True)
def lively(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick agent is one of the package here, and pages may name it."""
    let_in(monkeypatch)


def cards_that_may_be_told(session: TableSession, seat: int, events: int) -> set[str]:
    """The names of the cards that a seat may hear of when there have been so many events: its own,
    those that events have named, and those that it may ask for."""
    record, names = session.record, session.rules.card_names
    game = record.at(events).game()
    view = game.view(seat)
    named = set(CARD.findall(" ".join(session.seen_by("public")["events"][:events])))
    askable = {names[card] for held in view.hand for card in cards_of(held // 6)}
    return named | {names[card] for card in view.dealt} | (askable if game.turn == seat else set())


@pytest.mark.parametrize("words", RULES)
def test_no_byte_tells_a_seat_of_a_card_that_was_not_shown(words: str, tmp_path: Path) -> None:
    """Over whole games: every byte that two persons get, as page, state, stream of events, record
    or refusal, names only cards that were dealt to them, that events have named, or that they may
    ask for; and the file has everything after every event."""
    players, _, rules = words.partition(" ")
    sent: list[tuple[str, str]] = []

    async def story(here: Visit) -> None:
        links = await here.new("A1 B2", LIVELY, players=int(players), rules=rules)
        table = await here.table(links["A1"])
        file = tmp_path / "tables" / f"{table.id}.lit"

        def heard(seat: str, piece: str) -> None:
            sent.append((seat, piece))
            if not table._lock.locked():
                assert file.read_text() == table.session.text

        for seat, link in links.items():
            answers = [await here.get(f"{link}{end}") for end in ("", "/state")]
            sent.extend((seat, answer.text) for answer in answers)
            wrong = await here.post(f"{link}/act", {"events": 0, "action": "claim ls a1"})
            record = (await here.get(f"{link}/record")).text
            sent.extend([(seat, wrong.text), (seat, record)])
            assert [line[5:7] for line in record.splitlines() if line[:4] == "hand"] == [seat]
        await play_to_the_end(here, links, heard)
        session = table.session
        assert session.over
        deck = json.dumps(by_half_suit(session.rules.card_names))
        checked = 0
        for seat, text in sent:
            state = json.loads(text) if text.startswith('{"seen"') else state_in(text)
            if state is not None and state["seen"]["result"] is not None:
                assert state["open"]["dealt"].keys() == state["seen"]["seats"].keys()
                continue
            assert state is None or (state["open"] is None and deck in text)
            count = len(state["seen"]["events"]) if state is not None else len(session.events)
            told = cards_that_may_be_told(session, parse_seat(seat), count)
            found = set(CARD.findall(text.replace(deck, "")))
            assert found <= told
            checked += len(found) > 0
        assert checked > 20

    visit(tmp_path, story)


def test_every_byte_is_the_same_for_another_deal_that_the_seat_cannot_tell(tmp_path: Path) -> None:
    """Page, state, record, hint and engine of a seat do not differ between two servers whose tables
    have different deals that both fit all that the seat has seen."""
    rng = np.random.default_rng(7)
    found: list[list[bytes]] = []

    async def begin(here: Visit) -> None:
        links = await here.new("A1", LIVELY, coach=True, rules="claim-any-time")
        for _ in range(12):
            state = await here.until(links["A1"], decides("A1"))
            assert state["seen"]["result"] is None
            table = await here.table(links["A1"])
            await here.post(f"{links['A1']}/act", something(table.session, 0))
        await here.until(links["A1"], decides("A1"))
        link.append(links["A1"])

    async def read(here: Visit) -> None:
        answers = [await here.get(f"{link[0]}{end}") for end in ("", "/state", "/record")]
        answers += [await here.post(f"{link[0]}/{end}") for end in ("hint", "engine")]
        assert [200] * 5 == [each.status_code for each in answers]
        found.append([each.content for each in answers])

    link: list[str] = []
    visit(tmp_path, begin)
    visit(tmp_path, read)
    (file,) = (tmp_path / "tables").glob("*.lit")
    session = TableSession.resumed(file.read_text(), "table.lit")
    twin = deal_like(session, 0, rng)
    assert twin.record.hands != session.record.hands
    file.write_text(twin.text)
    visit(tmp_path, read)
    assert found[0] == found[1]


def test_a_link_opens_its_seat_only(tmp_path: Path) -> None:
    """Without a token, with a wrong one, with that of another table, or with that of a bot's seat,
    nothing is answered, in the same words as where there is no table; with a token one acts for its
    seat only."""

    async def story(here: Visit) -> None:
        links, others = await here.new("A1 B1"), await here.new("A1")
        id, token = links["A1"].split("/")[2:]
        wrong = (token[:-1] + ("a" if token[-1] != "a" else "b"), token[:-1], token + "a", "x", "é")
        foreign = [f"/play/{id}/{each}" for each in (*wrong, others["A1"].split("/")[3])]
        foreign += [f"/play/nothing/{token}", f"/play/{id}.lit/{token}", f"/play/{id}/{token}%00"]
        said = set()
        for link in foreign:
            for end in ("", "/state", "/events", "/record"):
                answer = await here.get(f"{link}{end}")
                said.add((answer.status_code, answer.text))
            for end in ("act", "undo", "resign", "wait", "pace", "hint", "engine"):
                answer = await here.post(f"{link}/{end}")
                said.add((answer.status_code, answer.text))
        assert {(404, json.dumps({"error": _no_seat()}))} == said
        assert (await here.get(f"/play/{id}")).status_code == 404
        table = await here.table(links["A1"])
        events = len(table.session.events)
        for seat, other in (("A1", "B1"), ("B1", "A1")):
            act = {"events": events, "action": f"ask {other} {seat} 3s"}
            refused = await here.post(f"{links[seat]}/act", act)
            assert (refused.status_code, f"you are {seat}" in refused.text) == (400, True)

    visit(tmp_path, story)


def _no_seat() -> str:
    from literature_ai.web.pages.play import _NO_SEAT

    return _NO_SEAT


def test_what_a_person_cannot_do(tmp_path: Path) -> None:
    """What is late, against the rules or no action at all is refused in one line, and nothing
    changes; so are a coach's helps where there is no coach."""

    async def story(here: Visit) -> None:
        link = (await here.new())["A1"]
        await here.until(link, decides("A1"))
        table = await here.table(link)
        session, before = table.session, table.session.text
        own, now = session.rules.card_names[session.view(0).hand[0]], len(session.events)
        for sent, said in (
            ({"events": now, "action": f"b1 {own}"}, "which A1 holds"),
            ({"events": now - 1, "action": f"b1 {own}"}, "has gone on meanwhile"),
            ({"events": now, "action": "b1 9z"}, "is no card"),
            ({"events": now, "action": "ask b1 a1 2s"}, "you are A1"),
            ({"events": now, "action": None}, "None is no action"),
            ({"events": now, "action": "x" * 301}, "too long"),
            ({"events": now, "action": 3}, "must be a text"),
            ({"events": "1", "action": None}, "number of events"),
            ({}, "number of events"),
        ):
            answer = await here.post(f"{link}/act", sent)
            assert (answer.status_code, said in answer.json()["error"]) == (400, True), answer.text
            assert "\n" not in answer.json()["error"]
        for name, data in (
            ("undo", {}),
            ("hint", {}),
            ("engine", {}),
            ("wait", {"on": 1}),
            ("pace", {"pace": 11}),
            ("pace", {"pace": True}),
            ("pace", {"pace": "1"}),
        ):
            assert (await here.post(f"{link}/{name}", data)).status_code == 400
        assert session.text == before

    visit(tmp_path, story)


def test_a_coach_helps(tmp_path: Path) -> None:
    """With a coach there are hints, the engine's choice, and the last action can be taken back."""

    async def story(here: Visit) -> None:
        link = (await here.new(coach=True))["A1"]
        await here.until(link, decides("A1"))
        table = await here.table(link)
        before = table.session.events
        hint = (await here.post(f"{link}/hint")).json()
        engine = (await here.post(f"{link}/engine")).json()
        assert {"seat": "A1", "events": len(before)}.items() <= hint.items()
        assert engine["candidates"][0]["action"] == engine["choice"]
        assert (await here.post(f"{link}/act", something(table.session, 0))).status_code == 200
        await here.until(link, decides("A1"))
        assert len(table.session.events) > len(before)
        assert (await here.post(f"{link}/undo")).status_code == 200
        assert table.session.events == before
        assert (await here.get(f"{link}/state")).json()["seen"]["decision"]["seat"] == "A1"

    visit(tmp_path, story)


def test_offers_come_or_not(tmp_path: Path) -> None:
    """Under claim-any-time the game waits for each person's claim, unless they want none before
    their next turn."""

    async def story(here: Visit) -> None:
        link = (await here.new("A1", LIVELY, rules="claim-any-time max-events=200"))["A1"]
        offers = 0
        while True:
            state = await here.until(link, decides("A1"))
            if state["seen"]["result"] is not None or offers == 3:
                break
            if state["seen"]["turn"] == "A1":
                table = await here.table(link)
                await here.post(f"{link}/act", something(table.session, 0))
            else:
                offers += 1
                done = {"events": len(state["told"]), "action": None}
                assert (await here.post(f"{link}/act", done)).status_code == 200
        assert offers == 3
        await here.post(f"{link}/wait", {"on": True})
        state = await here.until(link, decides("A1"))
        if state["seen"]["result"] is None:
            assert (state["seen"]["turn"], state["waiting"]) == ("A1", False)

    visit(tmp_path, story)


def test_a_game_can_be_given_up(tmp_path: Path) -> None:
    """Then it is over, and everyone sees where everything was."""

    async def story(here: Visit) -> None:
        links = await here.new("A1 B1")
        assert (await here.post(f"{links['B1']}/resign")).status_code == 200
        state = (await here.get(f"{links['A1']}/state")).json()
        assert state["seen"]["result"] == {"winner": "A", "by": "resigned", "resigned": "B1"}
        dealt = [card for hand in state["open"]["dealt"].values() for card in hand]
        assert sorted(RuleSet(players=4).card_names) == sorted(dealt)
        record = (await here.get(f"{links['A1']}/record")).text
        assert [line[5:7] for line in record.splitlines() if line[:4] == "hand"] == list(
            SEAT_NAMES[:4]
        )
        assert (await here.post(f"{links['B1']}/resign")).status_code == 400

    visit(tmp_path, story)


def test_time_runs_out(tmp_path: Path) -> None:
    """In a timed game a person who does nothing loses the turn, without anybody asking."""

    async def story(here: Visit) -> None:
        link = (await here.new("A1 B1 A2 B2", rules="turn-seconds=1"))["A1"]
        state = await here.until(link, lambda state: bool(state["told"]))
        assert "runs out of time" in state["told"][0]
        left = state["seen"]["decision"]["seconds_left"]
        assert left is None or left <= 1

    visit(tmp_path, story)


def test_a_server_finds_its_tables_again(tmp_path: Path) -> None:
    """After an end of the server the same links open the same game; links of tables whose files are
    damaged, or open elsewhere, say so in one line."""
    seen: list[Any] = []
    links: dict[str, str] = {}

    async def first(here: Visit) -> None:
        links.update(await here.new("A1 B1", pace=2.5))
        seen.append((await here.get(f"{links['A1']}/state")).json())

    async def second(here: Visit) -> None:
        seen.append((await here.get(f"{links['A1']}/state")).json())

    async def third(here: Visit) -> None:
        answer = await here.get(f"{links['A1']}/state")
        seen.append((answer.status_code, answer.json()["error"]))

    visit(tmp_path, first)
    (kept,) = (tmp_path / "tables").glob("*.json")
    assert kept.stat().st_mode & 0o077 == 0
    visit(tmp_path, second)
    assert seen[0] == seen[1]
    other = Storage(kept.with_suffix(".lit"))
    visit(tmp_path, third)
    other.release()
    assert (seen[2][0], "open in another session" in seen[2][1]) == (400, True)
    file = kept.with_suffix(".lit")
    for damaged, text in ((file, "game 1\n"), (kept, '{"tokens": {"A1": "x"}}'), (kept, "[")):
        before = damaged.read_text()
        damaged.write_text(text)
        visit(tmp_path, third)
        assert (seen[-1][0], str(tmp_path) in seen[-1][1]) == (400, False)
        damaged.write_text(before)


class Fails(Lively):
    """Fails whenever it is asked."""

    def act(self, view):
        raise RuntimeError("its hand was 2S")

    claim = act


class Hangs(Lively):
    """Thinks until it is told to go on."""

    go_on = threading.Event()
    begun = threading.Event()

    def act(self, view):
        self.begun.set()
        self.go_on.wait()
        return super().act(view)


def let_sit(monkeypatch: pytest.MonkeyPatch, name: str, agent: type) -> None:
    """Let pages name the agent."""
    monkeypatch.setitem(BUILT_IN, name, f"{agent.__module__}:{agent.__name__}")
    monkeypatch.setitem(__import__("sys").modules, agent.__module__, _module(agent))


def _module(agent: type) -> Any:
    import types

    module = types.ModuleType(agent.__module__)
    for each in (Fails, Hangs):
        setattr(module, each.__name__, each)
    return module


def test_a_bot_that_fails_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table lives on with another one; what the bot said of its hand is told at the end."""
    let_sit(monkeypatch, "fails", Fails)

    async def story(here: Visit) -> None:
        link = (await here.new("A1", "fails", rules="max-events=30"))["A1"]
        pieces: list[str] = []
        await play_to_the_end(here, {"A1": link}, lambda _, piece: pieces.append(piece))
        state = (await here.get(f"{link}/state")).json()
        assert {each["by"] for each in state["seen"]["replaced"]} == {"greedy"}
        assert not any("its hand was" in piece for piece in pieces[:-1])
        assert "its hand was" in json.dumps(state["open"])

    visit(tmp_path, story)


def test_a_bot_that_hangs_holds_up_its_own_table_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it thinks, its table is still shown, another table is played to its end, and requests
    to its own that wait are bounded."""
    let_sit(monkeypatch, "hangs", Hangs)
    starts = {Game.deal(RuleSet(players=4), seed=seed).start: seed for seed in range(20)}

    async def story(here: Visit) -> None:
        here.site.tables.seeds = itertools.repeat(starts[1])
        stuck = (await here.new("A1", "hangs"))["A1"]
        await asyncio.to_thread(Hangs.begun.wait)
        assert (await here.get(f"{stuck}/state")).json()["seen"]["decision"]["seat"] != "A1"
        assert (await here.get(stuck)).status_code == 200
        other = (await here.new("A1", LIVELY, rules="max-events=40"))["A1"]
        await play_to_the_end(here, {"A1": other})
        waiting = [asyncio.create_task(here.post(f"{stuck}/resign")) for _ in range(20)]
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        assert {each.result().status_code for each in done} == {503}
        Hangs.go_on.set()
        codes = [(await each).status_code for each in waiting]
        assert codes.count(200) == 1

    try:
        visit(tmp_path, story)
    finally:
        Hangs.go_on.set()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"players": 5}, "5 players cannot play"),
        ({"players": "6"}, "must be 4, 6 or 8"),
        ({"rules": "no-such-rule"}, "is no rule"),
        ({"rules": "x" * 501}, "too long"),
        ({"rules": 7}, "must be a text"),
        ({"seats": {}}, "who sits at A1 B1 A2 B2"),
        ({"seats": None}, "who sits at"),
        ({"seats": settings()["seats"] | {"B1": None}}, "nobody sits at B1"),
        ({"seats": settings()["seats"] | {"B1": {"bot": "cmd:true"}}}, "cannot play here"),
        ({"seats": settings()["seats"] | {"B1": {"person": "x" * 31}}}, "too long"),
        ({"seats": settings()["seats"] | {"B1": {"person": "a #b"}}}, "cannot be the name"),
        ({"seats": settings()["seats"] | {"B1": {"person": 3}}}, "neither who sits there"),
        ({"seats": settings("")["seats"]}, "no person sits at the table"),
        ({"coach": 1}, "'coach' must be true or false"),
        ({"pace": -1}, "from 0 to 10"),
        ({"pace": "quick"}, "from 0 to 10"),
    ],
)
def test_a_table_that_cannot_be(tmp_path: Path, wrong: dict[str, Any], said: str) -> None:
    """A wrong form is refused in one line, and no file is made."""

    async def story(here: Visit) -> None:
        answer = await here.post("/tables", settings() | wrong)
        assert (answer.status_code, said in answer.json()["error"]) == (400, True), answer.text
        assert not (tmp_path / "tables").exists()

    visit(tmp_path, story)


def test_there_is_room_for_so_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables and streams are bounded; tables that nobody looks at leave the memory and
    come back."""
    monkeypatch.setattr(tables, "MOST_TABLES", 4)
    monkeypatch.setattr(tables, "_OPEN", 2)
    monkeypatch.setattr(streams, "MOST_STREAMS", 1)

    async def story(here: Visit) -> None:
        links = [(await here.new("A1 B1 A2 B2"))["A1"] for _ in range(4)]
        full = await here.post("/tables", settings())
        assert (full.status_code, "all it may" in full.json()["error"]) == (400, True)
        assert len(here.site.tables._open) <= 3
        for link in links:
            assert (await here.get(f"{link}/state")).status_code == 200
        stream = here.messages(links[0])
        assert state_in(await anext(stream)) is not None
        assert (await here.get(f"{links[1]}/events")).status_code == 503
        await stream.aclose()

    visit(tmp_path, story)


def test_a_seed_deals_the_same_tables_again(tmp_path: Path) -> None:
    """A server with a seed deals its first table with it and the second with the number after it;
    one without a seed deals what nobody can foresee."""

    async def story(here: Visit) -> None:
        dealt = [(await here.table((await here.new())["A1"])).session for _ in range(2)]
        assert [session.seed for session in dealt] == [5, 6]
        assert dealt[0].view(0).dealt == Game.deal(RuleSet(players=4), seed=5).view(0).dealt

    visit(tmp_path, story)
    first, second = Site(tmp_path).tables.seeds, Site(tmp_path).tables.seeds
    assert next(first) != next(second)


def test_every_rule_is_explained() -> None:
    """The form has every switch, deck and preset, each with a sentence."""
    assert {name.replace("_", "-") for name in SWITCHES} == SWITCHES_MEAN.keys()
    assert (PRESETS.keys(), DECKS.keys()) == (PRESETS_MEAN.keys(), DECKS_MEAN.keys())
    for preset in PRESETS:
        players, words = home.preset_in_words(preset)
        assert RuleSet.parse(words, players) == RuleSet.parse(preset)


def test_the_first_page_offers_a_game(tmp_path: Path) -> None:
    """Every rule and every bot is on it."""

    async def story(here: Visit) -> None:
        text = (await here.get("/")).text
        for word in (*SWITCHES_MEAN, *DECKS_MEAN, *PRESETS_MEAN, "expert", "novice"):
            assert word in text
        assert 'id="start"' in text

    visit(tmp_path, story)
