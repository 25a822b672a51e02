"""The table session: whole games under every rule, its text, and everything a person may do."""

from __future__ import annotations

import json
import re
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers import EVERY_RULE, FEW
from lively import LIVELY, LIVELY_AS_PROGRAM, decide, let_in, play_on, seats_with
from processes import survivors
from twins import deal_like

from literature_ai.bots.external import ExternalAgent
from literature_ai.cards import SEAT_NAMES, cards_of
from literature_ai.errors import FileError, IllegalActionError, LiteratureError, RecordError
from literature_ai.events import Ask, Claim, Claimed, Pass, TimedOut, actor_of
from literature_ai.game.turns import Decision
from literature_ai.records.lit import read
from literature_ai.rules import RuleSet
from literature_ai.sessions.bots import detail_of
from literature_ai.sessions.saved import MARK
from literature_ai.sessions.seats import Bot, Person, Replacement
from literature_ai.sessions.seen import EVERYONE, PUBLIC
from literature_ai.sessions.table import TableSession

BOTS = Path(__file__).parents[1] / "support" / "bots"
SHORT = tuple(replace(rules, max_events=40) for rules in EVERY_RULE)
SHORT_SOME_SLOW = [
    rules if number in FEW else pytest.param(rules, marks=pytest.mark.slow)
    for number, rules in enumerate(SHORT)
]
FOUR = RuleSet(players=4)
by_name = pytest.mark.parametrize(
    "rules", SHORT_SOME_SLOW, ids=lambda r: f"{r.players} {r.words()}"
)


@pytest.fixture(autouse=True)
def lively(monkeypatch: pytest.MonkeyPatch) -> None:
    """The quick agent is one of the package here."""
    let_in(monkeypatch)


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def reopened(session: TableSession) -> TableSession:
    """The session as it would be after a kill at this moment."""
    twin = TableSession.resumed(session.text, "table.lit")
    assert twin.text == session.text
    assert twin.decision == session.decision
    return twin


def table(rules: RuleSet = FOUR, persons: str = "A1", bot: str = LIVELY, **more) -> TableSession:
    """A new table."""
    return TableSession("1", rules, seats_with(rules, persons, bot), seed=5, **more)


def waiting(session: TableSession) -> TableSession:
    """The session once a person decides on turn."""
    while session.advance() is not None or session.decision.off_turn:
        if session.decision.off_turn and session.advance() is None:
            session.answer(session.decision.seat, None)
    return session


@by_name
def test_a_game_killed_at_every_event_is_the_same_game(rules: RuleSet) -> None:
    """Under each rule, with two persons: a session that is opened again from its text after every
    step, by a person or by a bot, plays the game that it plays without a break."""
    persons = "A1 B2"
    whole = play_on(table(rules, persons))
    broken = play_on(table(rules, persons), after=reopened)
    assert whole.over
    assert whole.text == broken.text
    (record,) = read(whole.text)
    assert record == whole.record
    assert record.game().events == whole.events
    assert [n for n, name in enumerate(record.names) if name.startswith("player")] == [0, 3]


def test_persons_at_all_seats_and_at_none() -> None:
    """A table needs neither bots nor persons."""
    rules = RuleSet(players=4, max_events=30, claim_any_time=True)
    for persons in ("A1 B1 A2 B2", ""):
        session = play_on(table(rules, persons))
        assert session.over
        assert len(session.persons) == len(persons.split())


@by_name
def test_every_byte_a_viewer_gets_is_the_same_for_every_deal_that_it_may_be(rules: RuleSet) -> None:
    """Under each rule: what a seat, or the public, is sent is the same to the byte for another deal
    that fits all they saw, so it tells nothing of another hand that the rules have not shown."""
    rng = np.random.default_rng(7)
    session = table(rules, "A1 B2")
    fails = Replacement(1, 0, "theirs", LIVELY, "illegal", "its hand was 2S")
    session.replacements.append(fails)
    others = 0
    for until in (1, 8, 20, 32):
        play_on(session, until)
        if session.over:
            break
        for viewer in (*rng.choice(rules.players, 2, replace=False).tolist(), PUBLIC):
            twin = deal_like(session, viewer, rng)
            others += twin.record.hands != session.record.hands
            sent = json.dumps(session.seen_by(viewer))
            assert sent == json.dumps(twin.seen_by(viewer))
            assert str(session.record_for(viewer)) == str(twin.record_for(viewer))
    assert others > 4


@by_name
def test_a_viewer_gets_no_card_that_was_not_shown(rules: RuleSet) -> None:
    """Over a whole game under each rule, each card that is named in what a seat or the public is
    sent was dealt to it, was named in an event, or is one it may ask for."""

    def check(session: TableSession) -> TableSession:
        names = session.rules.card_names
        events = {name for line in seen_cards(session) for name in line}
        for viewer in (*range(session.rules.players), PUBLIC):
            sent = session.seen_by(viewer)
            found = set(re.findall(r"\b(?:[2-9TJQKA][SHDC]|[RB]J)\b", json.dumps(sent)))
            known = set(events)
            if viewer != PUBLIC:
                view = session.view(viewer)
                known |= {names[card] for card in view.dealt}
                held = {card // 6 for card in view.hand}
                known |= {names[c] for h in held for c in cards_of(h) if view.turn == viewer}
            assert found <= known
        return session

    play_on(table(rules, "A1 B2"), after=check)


def seen_cards(session: TableSession) -> list[list[str]]:
    """The names of cards in each event."""
    texts = session.seen_by(PUBLIC)["events"]
    return [re.findall(r"\b(?:[2-9TJQKA][SHDC]|[RB]J)\b", text) for text in texts]


def test_everyone_sees_everything_when_the_game_is_over() -> None:
    """Hands, seed and what failed bots said are for everyone, and not before the end."""
    session = table(replace(FOUR, max_events=10))
    session.replacements.append(Replacement(1, 0, "theirs", LIVELY, "error", "its hand was 2S"))
    with pytest.raises(LiteratureError, match="everyone sees the hands when the game is over"):
        session.seen_by(EVERYONE)
    with pytest.raises(LiteratureError, match="there is no seat 4; seats are 0 to 3"):
        session.seen_by(4)
    assert "detail" not in session.seen_by(0)["replaced"][0]
    play_on(session)
    seen = session.seen_by(EVERYONE)
    assert sorted(c for hand in seen["dealt"].values() for c in hand) == sorted(FOUR.card_names)
    assert (seen["seed"], seen["replaced"][0]["detail"]) == (5, "its hand was 2S")
    assert seen["result"]["by"] == "max events"
    assert session.record_for(EVERYONE) == session.record
    assert session.seen_by(0)["legal_asks"] == []


def test_what_a_person_cannot_do() -> None:
    """An answer out of turn, or against the rules, is refused and explained; nothing changes."""
    session = waiting(table())
    before = session.text
    own = session.view(0).hand[0]
    with pytest.raises(IllegalActionError, match=r"A1 asks for \w\w, which A1 holds"):
        session.answer(0, Ask(1, own))
    with pytest.raises(IllegalActionError, match="B1 has nothing to decide; A1 decides now"):
        session.answer(1, Ask(0, own))
    with pytest.raises(IllegalActionError, match="None is no action"):
        session.answer(0, None)
    with pytest.raises(LiteratureError, match="only with the coach"):
        session.undo(0)
    with pytest.raises(LiteratureError, match="no person sits at B1"):
        session.resign(1)
    assert session.text == before


def test_the_person_on_turn_may_answer_the_offer_with_an_ask() -> None:
    """It is made when nobody claims before, also after a kill, and is forgotten when somebody
    does; one against the rules is refused at once."""
    rules = RuleSet(players=4, claim_any_time=True)
    start = TableSession("1", rules, seats_with(rules, "A1 B1 A2 B2"), seed=5)
    for claims in (False, True):
        session = reopened(start)
        assert session.advance() is None
        first = session.decision.seat
        ask = session.view(first).legal_asks[0]
        with pytest.raises(IllegalActionError, match="which"):
            session.answer(first, Ask(ask.target, session.view(first).hand[0]))
        assert session.answer(first, ask) is None
        other = session.decision.seat
        with pytest.raises(IllegalActionError, match="is not on turn and may only claim"):
            session.answer(other, Ask(first, ask.card))
        session = reopened(session)
        if claims:
            event = session.answer(other, Claim(0, (other,) * 6))
            assert isinstance(event, Claimed)
            assert session.advance() is None
            assert session.decision == Decision(first, off_turn=True)
            continue
        while session.decision.off_turn:
            session.answer(session.decision.seat, None)
        event = session.advance()
        assert (event.asker, event.target, event.card) == (first, ask.target, ask.card)


def test_a_timed_game() -> None:
    """A person who is late loses the turn or the offer, with or without an answer; their time
    begins when the game waits for them, and anew when the session is opened again."""
    rules = RuleSet(players=4, turn_seconds=20, claim_any_time=True)
    clock = Clock()
    session = TableSession("1", rules, seats_with(rules, "A1 B1 A2 B2"), seed=5, clock=clock)
    assert session.seconds_left is None
    session.advance()
    clock.now += 15
    assert (session.seconds_left, session.time_out()) == (5, None)
    session.restart_clock()
    assert session.seconds_left == 20
    first = session.decision.seat
    clock.now += 21
    assert session.answer(first, Claim(0, (first,) * 6)) is None  # too late for an offer
    while session.decision.off_turn:
        session.advance()
        clock.now += 21
        assert session.time_out() is None
    session.advance()
    clock.now += 21
    session = TableSession.resumed(session.text, "table.lit", clock=clock)
    session.advance()
    assert (session.decision, session.seconds_left) == (Decision(first, False), 20)
    clock.now += 21
    assert session.time_out() == TimedOut(first) == session.events[-1]


def test_a_slow_bot_in_a_timed_game_loses_the_turn() -> None:
    """A bot that takes longer than allowed has timed out, as in a tournament."""
    clock = Clock()
    rules = RuleSet(players=4, turn_seconds=20)
    session = TableSession("1", rules, seats_with(rules, ""), seed=5, clock=clock)
    decide_at_once = session._bots.decide

    def slow(*args):
        clock.now += 21
        return decide_at_once(*args)

    session._bots.decide = slow
    assert session.advance() == TimedOut(session.record.start)


@pytest.mark.parametrize("any_time", [False, True])
def test_undo_goes_back_to_before_the_own_last_action(any_time: bool) -> None:
    """With the coach: what the person did last, and all after it, is taken back; when they do the
    same again, everybody does the same again."""
    session = table(RuleSet(players=4, claim_any_time=any_time), coach=True)
    with pytest.raises(LiteratureError, match="A1 has done nothing yet"):
        session.undo(0)
    play_on(session, 12)
    waiting(session)
    events = session.events
    gone = session.undo(0)
    assert actor_of(gone[0]) == 0
    assert all(actor_of(event) != 0 for event in gone[1:])
    assert session.events + gone == events
    session = reopened(session)
    waiting(session)
    first = gone[0]
    session.answer(0, Ask(first.target, first.card))
    assert waiting(session).events == events


def test_to_resign_ends_the_game_for_the_other_team() -> None:
    """The record ends unfinished; with the coach it may be taken back."""
    session = waiting(table(coach=True))
    session.resign(0)
    session = reopened(session)
    assert (session.over, session.winner, session.decision) == (True, 1, None)
    assert session.seen_by(PUBLIC)["result"] == {"winner": "B", "by": "resigned", "resigned": "A1"}
    assert session.record.unfinished
    assert session.advance() is None
    with pytest.raises(LiteratureError, match="the game is over"):
        session.resign(0)
    with pytest.raises(IllegalActionError, match="the game is over; A1 has resigned"):
        session.answer(0, Pass(2))
    assert session.undo(0) == ()
    assert session.decision == Decision(0, off_turn=False)


def test_a_seat_without_anybody_waits_for_somebody() -> None:
    """The game waits where nobody sits, and goes on when somebody sits down."""
    session = TableSession("1", FOUR, [None] * 4, seed=5)
    assert session.advance() is None
    seat = session.decision.seat
    with pytest.raises(IllegalActionError, match="no person sits at"):
        session.answer(seat, Pass(0))
    session.sit(seat, Bot(LIVELY))
    assert actor_of(reopened(session).advance()) == seat
    session.sit(1 - seat, Person("Ann"))
    assert reopened(session).record.names[1 - seat] == "Ann"


PROGRAM = f"cmd:{sys.executable} {BOTS / 'program.py'}"


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        (f"{BOTS / 'failing.py'}:Raises", "error"),
        (f"{BOTS / 'failing.py'}:AsksItself", "illegal"),
        (f"{BOTS / 'failing.py'}:AnswersText", "error"),
        (f"{BOTS / 'failing.py'}:Leaves", "crash"),
        (f"{BOTS / 'failing.py'}:Dies", "crash"),
        ("no-such-agent", "start"),
        (f"{PROGRAM} 'dies at once'", "crash"),
    ],
)
def test_a_bot_that_fails_is_replaced_and_the_table_lives_on(spec: str, kind: str) -> None:
    """It is said which bot failed and how, without what it said; another one plays on, also after
    the session is opened again, and the game ends as games do."""
    seats = [Person(), Bot(LIVELY), Bot(LIVELY), Bot(LIVELY)]
    rules = replace(FOUR, max_events=12)
    start = TableSession("1", rules, seats, seed=5).record.start
    seats = [Bot(LIVELY)] * 4
    seats[start] = Bot(spec)
    session = TableSession("1", rules, seats, seed=5)
    failed = session.advance()
    assert isinstance(failed, Replacement)
    assert (failed.seat, failed.events, failed.was, failed.kind) == (start, 0, spec, kind)
    assert session.occupants[start] == Bot("greedy")
    assert str(failed).endswith("; greedy plays on")
    assert failed.detail not in json.dumps(session.seen_by(PUBLIC))
    session = play_on(reopened(session))
    assert (len(session.replacements), session.over) == (1, True)
    session.close()


def test_an_error_without_words_is_told_all_the_same() -> None:
    """What a bot raises may be unable to say what it is."""

    class Wordless(Exception):
        def __str__(self) -> str:
            raise RuntimeError("not even this")

    assert detail_of(Wordless()) == "Wordless: (it cannot be shown)"
    assert detail_of(KeyError("a\nb" * 1000)).startswith("KeyError: 'a\\nba")
    assert len(detail_of(KeyError("ab" * 1000))) == 500


def test_a_bot_that_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot of a file that never answers is ended after the time for an answer, and replaced."""
    monkeypatch.setattr(ExternalAgent.__init__, "__defaults__", (0.5,))
    session = table(replace(FOUR, max_events=8), "", bot=f"{BOTS / 'failing.py'}:Hangs")
    failed = session.advance()
    assert isinstance(failed, Replacement)
    assert failed.kind == "timeout"
    assert str(failed).endswith("Hangs did not answer in time; greedy plays on")
    session.close()


def test_a_bot_of_a_file_plays_in_a_process_of_its_own() -> None:
    """Its game is the same when it is played again, and the programs end with the table."""
    rules = replace(FOUR, max_events=12)
    with closing(table(rules, "A1", bot=LIVELY_AS_PROGRAM)) as session:
        assert play_on(session).over
        assert not session.replacements
        groups = [agent.process_group for _, agent in session._bots._agents.values()]
        assert len(groups) == 3
    assert survivors(groups) == []
    with closing(reopened(table(rules, "A1", bot=LIVELY_AS_PROGRAM))) as again:
        assert play_on(again).events == session.events


def test_a_bot_that_sees_all_cards_plays_where_it_was_asked_for() -> None:
    """The oracle is shown the deal before each of its decisions."""
    session = table(replace(FOUR, max_events=30), "", bot="oracle")
    assert play_on(session).over
    assert not session.replacements


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (MARK, "# something ", "table.lit was not written by literature play: it has no line"),
        (MARK, f"{MARK}[", "does not fit: it is no JSON"),
        ('"seed": 5', '"seed": -5', "seed and declined must be whole numbers"),
        ('"seed": 5, ', "", "'seed' is missing or wrong"),
        ('"A1": {', '"C1": {', "seats must name each seat of the game"),
        ('{"person": "player A1"}', "7", "7 says neither who sits there nor that nobody does"),
        ('"coach": false', '"coach": 0', "coach must be true or false"),
        ('"resigned": null', '"resigned": "B1"', "no person sits at B1, which has resigned"),
        ('"declined": 0', '"declined": 3', "3 offers cannot be declined"),
        ('"intended": null', '"intended": "pass A2"', "A1 has cards and cannot pass the turn"),
        ('"replaced": []', '"replaced": 1', "is missing or wrong"),
        ("start A1", "start A1\nresult 0-0 unfinished", "has a result, but nobody has resigned"),
        ("hand B1", "#", "does not have all hands of a game"),
    ],
)
def test_a_file_that_is_no_session(old: str, new: str, message: str) -> None:
    """A text that was changed by hand is refused with what is wrong."""
    session = TableSession("1", FOUR, seats_with(FOUR, "A1"), seed=5)
    text = session.text.replace(f"start {SEAT_NAMES[session.record.start]}", "start A1")
    assert TableSession.resumed(text, "table.lit").decision == Decision(0, False)
    assert old in text
    with pytest.raises(FileError, match=re.escape(message)):
        TableSession.resumed(text.replace(old, new), "table.lit")


def test_a_wrong_record_is_refused_by_its_line() -> None:
    """A line of the record that is wrong is named."""
    text = table().text.replace("players 4", "players 5")
    with pytest.raises(RecordError, match=r"table.lit:3: 'players 5'"):
        TableSession.resumed(text, "table.lit")


def test_everything_is_saved_before_it_is_seen() -> None:
    """`on_change` is called once for each event, and what it saves has the event already."""
    saved: list[str] = []
    rules = replace(FOUR, max_events=20, claim_any_time=True)
    seats = seats_with(rules, "A1")
    session = TableSession("1", rules, seats, seed=5)
    session.on_change = lambda: saved.append(session.text)
    while not session.over:
        before = len(session.events)
        if session.advance() is None and not session.over:
            decide(session)
        assert saved[-1:] == [session.text] or len(session.events) == before
    assert saved[-1] == session.text
