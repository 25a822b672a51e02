"""The session of `literature assist`: what is typed, what is answered, and what is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from counted import count_knowledge
from helpers import EVERY_RULE, random_game
from hypothesis import given, settings
from hypothesis import strategies as st
from shorthand import Typed

from literature_ai.assist.session import COMMANDS, Session
from literature_ai.assist.setup import RULE_WORDS
from literature_ai.cards import CARD_NAMES, DECKS, SEAT_NAMES
from literature_ai.errors import FileError, LiteratureError, RecordError
from literature_ai.events import Asked
from literature_ai.records.lit import read, write
from literature_ai.records.notation import format_event
from literature_ai.records.record import Record
from literature_ai.rules import PRESETS, SWITCHES, RuleSet
from literature_ai.sessions.storage import Storage, unused_path

HAND = "2s 5s 6s ts as 4h 9h qd"
SET_UP = ("6", "none", "a1", HAND, "a2")
EVENTS = (
    "b3 tc n",
    "a1 tc n",
    "b3 js n",
    "b3 a3 kc y",
    "a2 9d y",
    "a1 td n",
    "b2 th y",
    "b3 5h y",
    "b2 7s y",
    "b1 3s n",
    "a3 2c y",
    "a1 7s y",
)
RECORD = """\
game kitchen
players 6
hand A1 2S 5S 6S TS AS 4H 9H QD
start A2
ask A2 B3 TC miss
ask B3 A1 TC miss
ask A1 B3 JS miss
ask B3 A3 KC hit
ask B3 A2 9D hit
ask B3 A1 TD miss
ask A1 B2 TH hit
ask A1 B3 5H hit
ask A1 B2 7S hit
ask A1 B1 3S miss
ask B1 A3 2C hit
ask B1 A1 7S hit
"""


def after(*lines: str) -> Session:
    """A session into which all these lines have been entered."""
    session = Session("kitchen")
    for typed in lines:
        reply = session.enter(typed)
        assert reply.ok, (typed, reply.text)
    return session


def told(session: Session, typed: str) -> str:
    """The reply to a line that is accepted, in one line of text."""
    reply = session.enter(typed)
    assert reply.ok, reply.text
    return flat(reply.text)


def flat(text: str) -> str:
    return " ".join(text.split())


def test_a_game_typed_in_short_is_a_record():
    """Short lines give the record that they stand for, to the letter."""
    assert RECORD == after(*SET_UP, *EVENTS).text


def test_lines_of_a_record_are_taken_as_they_are():
    """The set-up and the events may be typed as a `.lit` file has them."""
    lines = [text for text in RECORD.splitlines() if text.startswith("ask")]
    start = ("players 6", "rules none", "seat A1", f"hand A1 {HAND}", "start A2")
    assert RECORD == after(*start, *lines).text


@pytest.mark.parametrize(
    ("typed", "event"),
    [
        ("b1 a1 3s n", "ask B1 A1 3S miss"),
        ("A1 3S NO", "ask B1 A1 3S miss"),
        ("3s a1 -", "ask B1 A1 3S miss"),
        ("ask a1, 3♠, no  # a comment", "ask B1 A1 3S miss"),
        ("♠3 a1 m", "ask B1 A1 3S miss"),
        ("a1 10s +", "ask B1 A1 TS hit"),
        ("c lc b1:2,3,4 b3:5 b2 y", "claim B1 LC B1:2C,3C,4C B2:6C,7C B3:5C right"),
        (
            "C b1 LC b1: 2, 3, 4, 5, 7 b3 n B1:2,♣3,4c,5 B3:6 b2",
            "claim B1 LC B1:2C,3C,4C,5C,7C B3:6C wrong B1:2C,3C,4C,5C B2:7C B3:6C",
        ),
        ("result 0-0 unfinished", "result 0-0 unfinished"),
    ],
)
def test_forms_of_a_line(typed: str, event: str):
    """What is clear can be left out, and the order of an ask does not matter."""
    session = after(*SET_UP, *EVENTS)
    reply = session.enter(typed)
    assert reply.ok, reply.text
    assert f"{RECORD}{event}\n" == session.text


def test_a_line_tells_the_viewers_one_event(monkeypatch: pytest.MonkeyPatch):
    """An event that is entered is observed once by the seat and once by everyone; nothing is made
    anew, and no text is written for it or read again."""
    session = after(*SET_UP, *EVENTS)
    counts = count_knowledge(monkeypatch)
    for module in ("literature_ai.assist.session", "literature_ai.records.lit"):
        monkeypatch.setattr(f"{module}.read", None)
        monkeypatch.setattr(f"{module}.write", None)
    assert session.enter("a1 3s n").ok
    assert {"copy": 2, "observe": 2} == counts
    counts.clear()
    for question in ("table", "asks", "claims", "deals", "state", "log", "why 3s", "why ls"):
        assert session.enter(question).ok
    assert not counts


MISTAKES_OF_SETUP: list[tuple[Sequence[str], str, str]] = [
    ((), "5", "'5' is no number of players; write 4, 6 or 8."),
    ((), "six", "'six' is no number of players; write 4, 6 or 8."),
    ((), "6 8", "'6 8' is no number of players; write 4, 6 or 8."),
    ((), "back", "this is the first question."),
    (("6",), "pass-trun", "'pass-trun' is no rule: did you mean 'pass-turn'?"),
    (("6",), "22", "'22' is not in the list, which has 1 to 21."),
    (("6",), "0", "'0' is not in the list, which has 1 to 21."),
    (("6",), "russian", "'russian' contradicts '6 players': leave one of the two out."),
    (("4",), "deck-54", "4 players cannot play with the deck of 54: it is for 6 players."),
    (("6",), "timed=20", "'timed=20' is no rule: did you mean 'timed'?"),
    (("6",), "20", "'turn-seconds' needs a whole number: write it as in turn-seconds=30."),
    (SET_UP[:1], "1" * 5000, f"'{'1' * 39}…' is not in the list, which has 1 to"),
    (
        SET_UP[:1],
        f"max-events={'1' * 5000}",
        "max-events has 5000 digits: write it as",
    ),
    (SET_UP[:2], "c1", "'c1' is no seat here: write one of A1 B1 A2 B2 A3 B3."),
    (SET_UP[:2], "a4", "'a4' is no seat here: write one of A1 B1 A2 B2 A3 B3."),
    (SET_UP[:2], "", "one seat is wanted; write one of A1 B1 A2 B2 A3 B3."),
    (SET_UP[:2], "a1 a2", "one seat is wanted; write one of A1 B1 A2 B2 A3 B3."),
    (SET_UP[:3], "", "no card is named; name your cards, as in '3s 10d qh'."),
    (SET_UP[:3], "2s 1s", "'1s' is no card: write rank then suit, as in 7S, 10D, Q♥."),
    (SET_UP[:3], "2s 2s", "2S is named twice; name each card once."),
    ((*SET_UP[:3], "2s"), "3s 2s", "2S is named twice; name each card once."),
    (SET_UP[:3], "8s", "8S is not in this deck (the usual 48 cards): it is in deck-54, without-7s"),
    (SET_UP[:3], f"{HAND} kc", "that makes 9 cards, but each player is dealt 8;"),
    (SET_UP[:4], "b4", "'b4' is no seat here: write one of A1 B1 A2 B2 A3 B3."),
    (SET_UP[:4], "me", "'me' is no seat here: write one of A1 B1 A2 B2 A3 B3."),
]

MISTAKES: list[tuple[str, str]] = [
    ("xyzzy", "'xyzzy' is no seat, no card, no answer and no command; write an ask as in"),
    ("edti 3", "'edti' is no seat, no card, no answer and no command; did you mean 'edit'?"),
    ("b4 3d y", "'b4' is no seat here; write one of A1 B1 A2 B2 A3 B3."),
    ("b9 3d y", "'b9' is no seat here; write one of A1 B1 A2 B2 A3 B3."),
    ("s3 a1 y", "'s3' has the suit first; write the rank first, as in '3s'"),
    ("a1 xx y", "'xx' is no card; write rank then suit, as in 7S, 10D, Q♥."),
    ("a1 xx yy", "'xx' is no seat, no card and no answer; write an ask as in"),
    ("a1 3s maybe", "'maybe' is no answer; write y for a hit or n for a miss."),
    ("a1 3s", "the answer is missing; write an ask as in 'b2 3d y' or 'a1 b2 3d n'."),
    ("a1 y", "the card is missing; write an ask as in 'b2 3d y' or 'a1 b2 3d n'."),
    ("3s y", "who was asked is missing; write an ask as in 'b2 3d y' or 'a1 b2 3d n'."),
    ("ask", "who was asked is missing; write an ask as in 'b2 3d y' or 'a1 b2 3d n'."),
    ("b1 3s y", "B1 is on turn, but who was asked is missing; write an ask as in"),
    ("a1 a2 a3 3s y", "more than two seats are named; write an ask as in"),
    ("a1 3s 4s n", "more than one card is named; write an ask as in"),
    ("a1 3s y n", "more than one answer is given; write an ask as in"),
    (
        "a2 b1 3s y",
        "A2 is not on turn; it is the turn of B1. The event before was 12. B1 asks A1 for 7S: hit.",
    ),
    ("b2 3s y", "B1 and B2 are not opponents; ask one of A1 A2 A3. The event before was 12."),
    ("a1 8s y", "8S is not in this deck (the usual 48 cards); it is in deck-54, without-7s and"),
    (
        "a1 2s n",
        "event 13 cannot be true with your hand: did A1 really say no to 2S? (Yes would fit.)"
        " A1 has 2S: A1 was dealt it; write hit, or correct what came before. Type event 13 as it"
        " was, or correct first what was wrong before: hand.",
    ),
    (
        "a3 kc y",
        "event 13 cannot be true with event 4: did A3 really give KC to B1? (No would fit.)"
        " 4. B3 asks A3 for KC: hit A3 cannot have KC: B3 took it in event 4; write miss, or"
        " correct what came before. Type event 13 as it was, or correct first what was wrong"
        " before: edit 4.",
    ),
    ("a1 7s y", "event 13 cannot be true with event 12: did B1 really ask A1 for 7S?"),
    (
        "c hc b1:9,t b3 y",
        "event 13 cannot be true with events 1 and 4: was the claim of HC as B1:9C,TC"
        " B3:JC,QC,KC,AC really right? 1. A2 asks B3 for TC: miss 4. B3 asks A3 for KC: hit That"
        " leaves too few cards: A2 asked for TC and so had one of 9C JC QC KC AC (1);",
    ),
    ("c ls b1 n b1:2,3,4 a1", "event 13 cannot be true with your hand: were the cards really at"),
    ("c", "the half-suit is missing; write a claim as in 'c a1 ls a1:3,4 a2:5,6 a3 y'."),
    ("c xx b1 y", "'xx' is no half-suit; write one of LS HS LH HH LD HD LC HC."),
    ("c hc b1", "the verdict is missing; write y (right), or n (wrong) and who held the cards,"),
    ("c hc y", "who holds the cards is missing; write a claim as in"),
    ("c hc b1:9,t b3 b2 y", "no card is left for B2; leave it out."),
    ("c hc b1:9,t y", "the holder of JC QC KC AC is not said; name one for each of the six cards."),
    ("c hc b1:9,t,j,q,k b2:3 y", "3C is not in HC; its cards are 9C TC JC QC KC AC."),
    ("c hc b1:9,9 b2 y", "9C is named twice; name each card once."),
    ("c hc b1:9,t,j,q b1:k,a y", "B1 stands twice; write each seat once, with all its cards."),
    ("c hc b1:9,z b2 y", "'z' is no card; write rank then suit"),
    ("c hc b1:9,t b3 n", "the wrong claim does not show who held the cards; write them after"),
    ("c hc b1:9,t b3 n b1:9,t b3", "the cards were where the claim says; write right."),
    ("c hc a1 y", "B1 names an opponent in a claim; a claim names B1 B2 B3; only the rule"),
    ("c a1 ls a1 y", "A1 claims off turn; it is the turn of B1; only the rule claim-any-time"),
    ("c ej b1 y", "EJ is not in this deck (the usual 48 cards); it is in deck-54 alone."),
    ("pass", "B1 has cards and cannot pass the turn; ask or claim; only the rule pass-turn"),
    ("p x", "'x' is no seat here; write one of A1 B1 A2 B2 A3 B3."),
    ("p b1 b2 b3", "a pass has too many words; write it as in 'p a2'."),
    ("timeout", "the game is not timed; only the rule turn-seconds=N makes a player lose"),
    ("result", "a result is a score and perhaps the word unfinished; write result 0-0 unfinished."),
    ("result 1-0", "the events give the score 0-0, not '1-0'; write result 0-0 unfinished."),
    ("why", "say what you ask about, as in 'why 5s', 'why 5s b2' or 'why ls'."),
    ("why xx", "'xx' is no card and no half-suit; write it as in 'why 5s' or 'why ls'."),
    ("why 5s b9", "'b9' is no seat here: write one of A1 B1 A2 B2 A3 B3."),
    ("why ls b2", "a half-suit stands alone, as in 'why ls'; a card may have a seat."),
    ("why 8s", "8S is not in this deck (the usual 48 cards): it is in deck-54, without-7s and"),
    ("table xx", "'xx' is no half-suit; write one of LS HS LH HH LD HD LC HC."),
    ("table ej", "EJ is not in this deck (the usual 48 cards); it is in deck-54 alone."),
    (f"log {'1' * 5000}", f"'{'1' * 39}…' does not fit here; a number from 1 to 12 is possible"),
    ("b2:2h, 3h", "'b2:2h, 3h' is only a part of a claim; write a claim as in 'c a1 ls a1:3,4"),
    ("log x", "'x' does not fit here; a number from 1 to 12 is possible, as in 'log 10'."),
    ("undo x", "'x' does not fit here; a number from 1 to 12 is possible, as in 'undo 2'."),
    ("undo 13", "'13' does not fit here; a number from 1 to 12 is possible, as in 'undo 2'."),
    ("edit", "say which event, as in 'edit 12'; log lists them."),
    ("edit 13", "'13' does not fit here; a number from 1 to 12 is possible, as in 'edit 12'."),
    ("edit 3 undo", "'undo' is no event; write it as in 'edit 12 b2 3d y'."),
    ("edit 3 b3 js", "the answer is missing; write an ask as in"),
    ("insert 0", "'0' does not fit here; a number from 1 to 12 is possible, as in 'insert 12'."),
    ("delete", "say which event, as in 'delete 12'; log lists them."),
    ("delete 3 4", "one event is deleted at a time, as in 'delete 12'."),
    ("drop", "no event is being changed; 'edit 12' starts to change event 12."),
    ("cancel", "no event is being changed; 'edit 12' starts to change event 12."),
    ("hand", "0 cards are named; name all 8, as in 'hand 3s 10d ...'."),
    (
        "hand 2s 5s 6s ts as 4h 9h tc",
        "with that hand event 2 would not fit (B3 asks A1 for TC: miss): Event 2 cannot be true"
        " with your hand: did A1 really say no to TC? (Yes would fit.)",
    ),
    ("seat x", "'x' is no seat here: write one of A1 B1 A2 B2 A3 B3."),
    ("seat b1", "with that seat event 11 would not fit (B1 asks A3 for 2C: hit): Event 11"),
    (
        "start b1",
        "with that first turn event 1 would not fit (A2 asks B3 for TC: miss): A2 is not on turn;",
    ),
    ("rules", "name all rules, as in 'rules pass-turn', or 'rules none'."),
    ("rules us54", "the hand has 8 cards; name the 9 cards that each of 6 players is dealt."),
    ("help xx", "'xx' is no command; help alone lists them."),
    ("game 17", "'game' is no seat, no card, no answer and no command; write an ask"),
]

MISTAKES_UNDER_RULES: list[tuple[str, Sequence[str], str, str]] = [
    ("claim-any-time", EVENTS, "c ls b1 y", "anyone may claim at any time, so say who claims;"),
    ("pass-turn", EVENTS, "p", "B1 may pass to B2 or B3; say to whom, as in 'p b2'."),
    ("pass-turn", EVENTS, "p a1", "B1 passes the turn to A1, who is not a teammate; pass to"),
    ("timed", EVENTS, "timeout b2", "B2 is not on turn; it is the turn of B1."),
    ("wrong-hides", EVENTS, "c hc b1 n", "without all hands the wrong claim must say how many"),
    ("wrong-hides", EVENTS, "c hc b1 n b1:9,t b3", "'b1:9,t' is no count of cards, which is all"),
    ("wrong-hides", EVENTS, "c hc b1 n b1:2 b3:3", "the cards that the hands lost do not add up"),
    (
        "wrong-hides",
        EVENTS,
        "c hc b1 n a1:1 b1:5",
        "event 13 cannot be true: was the claim really wrong, with A1:1 B1:5 cards lost? No wrong"
        " claim of HC can have cost",
    ),
]


def refused(session: Session, typed: str, message: str) -> None:
    """The line is refused with this message, in 80 columns, and nothing has changed."""
    text, prompt, greeting = session.text, session.prompt, session.greeting()
    reply = session.enter(typed)
    assert not reply.ok
    assert flat(reply.text).startswith(f"Not taken: {message}")
    assert reply.text[-1] in ".?"
    assert max(map(len, reply.text.split("\n"))) <= 80
    assert (text, prompt, greeting) == (session.text, session.prompt, session.greeting())


@pytest.mark.parametrize(("answers", "typed", "message"), MISTAKES_OF_SETUP)
def test_mistakes_of_setup(answers: Sequence[str], typed: str, message: str):
    """Every wrong answer is explained, and the same question is asked again."""
    refused(after(*answers), typed, message)


def test_mistakes():
    """Every way to mistype a line gives a useful sentence and changes nothing."""
    session = after(*SET_UP, *EVENTS)
    for typed, message in MISTAKES:
        refused(session, typed, message)
    assert RECORD == session.text


@pytest.mark.parametrize(("rules", "events", "typed", "message"), MISTAKES_UNDER_RULES)
def test_mistakes_under_house_rules(rules: str, events: Sequence[str], typed: str, message: str):
    """What only some rules allow, or forbid, is explained under those rules."""
    refused(after("6", rules, *SET_UP[2:], *events), typed, message)


def test_setup_goes_back_an_answer_and_takes_a_hand_in_parts():
    """A hand may come in several lines, and `back` takes the last answer away."""
    session = after("6", "none", "b2", "back", "a1", "2s 5s", "kc", "back", "6s ts as")
    assert "3 to go" in session.prompt
    assert after(*SET_UP, *EVENTS).text == resumed(session, "4h 9h qd", "a2", *EVENTS).text


def test_a_half_suit_stands_for_its_cards_in_a_hand():
    """In a hand the name of a half-suit stands for its six cards."""
    session = after("8", "", "a1", "LS", "a1")
    assert "hand A1 2S 3S 4S 5S 6S 7S\n" in session.text
    assert "* CERTAIN: LS A1:2S,3S,4S,5S,6S,7S (you may claim it now)" in flat(session.greeting())


def test_rules_can_be_chosen_by_number():
    """The numbers of the menu of rules stand for its words."""
    menu = list(RULE_WORDS)
    numbers = f"{menu.index('pass-turn') + 1}, {menu.index('turn-seconds') + 1}=20"
    assert "rules pass-turn turn-seconds=20\n" in after("6", numbers, *SET_UP[2:]).text


def test_the_menu_has_every_rule():
    """The menu explains every preset, deck and switch except the preset that changes nothing."""
    switches = {switch.replace("_", "-") for switch in SWITCHES}
    known = {*PRESETS, *switches, *DECKS, "turn-seconds", "max-events"} - {"silent", ""}
    assert known == set(RULE_WORDS)


def resumed(session: Session, *lines: str) -> Session:
    """The session taken up again from its text, and these lines typed."""
    again = Session.resumed(session.text, "game.lit")
    for typed in lines:
        reply = again.enter(typed)
        assert reply.ok, (typed, reply.text)
    return again


def test_a_session_goes_on_from_its_text_after_any_line():
    """Whatever is unfinished is taken up again, with the same question."""
    lines = [*SET_UP[:3], "2s 5s 6s", "ts as 4h 9h qd", "a2", *EVENTS]
    lines += ["edit 3 b3 js y", "drop", "cancel", "undo 2", "insert 2", "cancel"]
    lines += ["edit 3 b3 js y", "b3 ks n", "edit 10", "b1 4s n"]
    session = Session("kitchen")
    for typed in lines:
        assert session.enter(typed).ok, typed
        again = Session.resumed(session.text, "game.lit")
        assert (session.text, session.prompt) == (again.text, again.prompt)
        assert session.is_finished == again.is_finished
        session = again


def test_an_unfinished_entry_leaves_the_record_valid():
    """During an unfinished entry the file reads as the last finished state."""
    session = after(*SET_UP, *EVENTS, "edit 3 b3 js y")
    assert not session.is_finished
    assert read(RECORD) == read(session.text)
    assert [] == read(after("6", "none").text), "there is no game before it is set up"


def test_undo_takes_back_events():
    """`undo` takes back one or several events, the last first, and names them."""
    session = after(*SET_UP, *EVENTS)
    assert told(session, "undo 2").startswith(
        "Took back 12. B1 asks A1 for 7S: hit Took back 11. B1 asks A3 for 2C: hit"
    )
    assert after(*SET_UP, *EVENTS[:10]).text == session.text
    session.enter("undo 10")
    refused(session, "undo", "there is no event to take back;")


def test_an_edit_that_fits_changes_one_event():
    """An edit that fits changes one event; later events are checked again and kept."""
    session = after(*SET_UP, *EVENTS)
    assert told(session, "edit 10 b1 4s n").startswith("Changed: 12 events, and all of them fit.")
    assert RECORD.replace("ask A1 B1 3S miss", "ask A1 B1 4S miss") == session.text
    assert "Event 2 is: B3 asks A1 for TC: miss" in told(session, "edit 2")
    assert "event 2 as it was> " == session.prompt
    refused(session, "undo", "an event is being changed. Type event 2 as it was, drop to leave")
    told(session, "table")
    told(session, "a1 jc n")
    assert "ask B3 A1 JC miss\n" in session.text


def test_an_edit_names_the_first_event_that_no_longer_fits():
    """It can be typed anew, left out, or everything can be left as it was."""
    session = after(*SET_UP, *EVENTS)
    assert (
        "Event 4 no longer fits (B3 asks A3 for KC: hit): B3 is not on turn; it is the turn of A1."
        in told(session, "edit 3 b3 js y")
    )
    assert "event 4 as it was> " == session.prompt
    told(session, "cancel")
    assert RECORD == session.text
    told(session, "edit 3 b3 js y")
    assert "Changed: 12 events, and all of them fit." in told(session, "b3 qs n")
    assert "ask A1 B3 JS hit\nask A1 B3 QS miss\nask B3 A2 9D hit\n" in session.text
    session = after(*SET_UP, *EVENTS)
    told(session, "edit 11 a3 2c n")
    assert "Changed: 11 events" in told(session, "drop")
    assert RECORD.replace("3 2C hit\nask B1 A1 7S hit", "3 2C miss") == session.text


def test_an_edit_is_held_against_everything_that_follows():
    """A later event that only contradicts, and breaks no rule, is found too."""
    session = after(*SET_UP, *EVENTS)
    assert told(session, "edit 9 b2 4s y").startswith(
        "Event 12 no longer fits (B1 asks A1 for 7S: hit): Event 12 cannot be true with your hand:"
        " did B1 really ask A1 for 7S?"
    )
    assert "Changed: 11 events" in told(session, "drop all")


def test_events_are_inserted_and_deleted():
    """What was forgotten, or typed twice, is put right in its place."""
    without = after(*SET_UP, *EVENTS[:6], *EVENTS[7:])
    assert told(without, "insert 7 b2 th y").startswith("Changed: 12 events")
    assert RECORD == without.text
    told(without, "delete 7")
    assert after(*SET_UP, *EVENTS[:6], *EVENTS[7:]).text == without.text


def test_the_heading_can_be_corrected():
    """Hand, seat, first turn and rules can be changed if all events still fit."""
    session = after(*SET_UP)
    told(session, "hand 2s 5s 6s ts as 4h 9h kd")
    told(session, "seat b2")
    told(session, "start b1")
    told(session, "rules pass-turn, timed")
    assert (
        "game kitchen\nplayers 6\nrules pass-turn turn-seconds=30\n"
        "hand B2 2S 5S 6S TS AS 4H 9H KD\nstart B1\n" == session.text
    )


def test_a_game_that_is_over_is_closed():
    """The result of a finished game is added to the record; undo opens the game again."""
    session = after("4", "", "a1", "ls hs", "a1", "c ls a1 y")
    told(session, "c hs a1 y")
    told(session, "result 2-0 unfinished")
    assert session.text.endswith("result 2-0 unfinished\n")
    assert "game over> " == session.prompt
    refused(session, "b1 2h n", "the game is over; undo takes the last line back.")
    assert told(session, "undo").startswith("Took back the result You have no cards")
    assert told(session, "undo").startswith("Took back 2. A1 claims HS as")


def test_the_table_shows_every_card():
    """`table` has a row for each card and a column for each seat, in percent."""
    session = after(*SET_UP, *EVENTS)
    rows = session.enter("table").text.split("\n")
    assert set(CARD_NAMES[:48]) <= {row.split()[0] for row in rows}
    low_spades = session.enter("table ls").text.split("\n")
    assert ["4S", ".", "100", ".", ".", ".", "."] == low_spades[4].split()
    assert 9 == len(low_spades)
    for row in rows:
        if row[2:4] in CARD_NAMES:
            numbers = [float(cell) for cell in row.split()[1:] if cell != "."]
            assert 100 == pytest.approx(sum(numbers), abs=0.35)


def test_reasons():
    """A smallest set of events stands below what it proves, whatever is asked about."""
    session = after(*SET_UP, *EVENTS)
    assert "10. A1 asks B1 for 3S: miss" in told(session, "why 3s b1")
    assert told(session, "why 7s").endswith("12. B1 asks A1 for 7S: hit")
    assert told(session, "why 9d a2").endswith("5. B3 asks A2 for 9D: hit")
    assert "(own hand)" in told(session, "why 2s")
    assert told(session, "why 4s").endswith("12. B1 asks A1 for 7S: hit")
    assert told(session, "why 3s").startswith("The place of 3S is not certain: A2 26.")
    assert told(session, "why ls").startswith("LS is not certain:")


def test_a_claim_is_certain_with_reasons_and_then_gone():
    """Certain claims come first after an event, `why` proves them, and a claim ends it."""
    session = after("4", "", "a1", "2s 3s 4s 5s 6s hs 9h", "a1", "b1 7s n", "a2 2h n")
    assert "  * CERTAIN: HS  A1:9S,TS,JS,QS,KS,AS\n" in session.greeting(), "but not their turn"
    told(session, "undo 2")
    assert "* CERTAIN: HS A1:9S,TS,JS,QS,KS,AS (you may claim" in flat(session.greeting())
    assert told(session, "why hs").startswith("HS A1:9S,TS,JS,QS,KS,AS is certain: A1 was dealt")
    told(session, "c hs a1 y")
    assert told(session, "why ts").startswith("HS left play: 1. A1 claims HS as A1:")
    assert told(session, "table hs").startswith("HS has been claimed")


def test_the_other_questions():
    """asks, claims, deals, log, state and help answer in 80 columns and change nothing."""
    session = after(*SET_UP, *EVENTS)
    assert "4S of B1 100 %" in told(session, "asks")
    assert "HS A1:TS,AS" in told(session, "claims")
    assert told(session, "deals") == "5,717,939,442,315,548,448 deals fit."
    assert 12 == len(session.enter("log").text.split("\n"))
    assert "12. B1 asks A1 for 7S: hit" == told(session, "log 1")
    state = told(session, "state")
    assert "You are A1 of team A; dealt: 2S 5S 6S TS AS 4H 9H QD" in state
    assert "Your cards now: 2S 5S 6S TS AS 4H 5H 9H TH QD" in state
    for command in COMMANDS.values():
        assert command.usage in session.enter("help").text
    for typed in ("table", "asks", "claims", "deals", "log", "state", "help", "why hs"):
        assert max(map(len, session.enter(typed).text.split("\n"))) <= 80
    assert RECORD == session.text


def test_what_the_opponents_can_prove_is_said():
    """Once everyone has seen all six cards, the other team's claim is near."""
    hand = "2s 3s 4s 5s 6s 7s 9s ts js 2h 3h 4h"
    asks = [f"a1 {card} y" for card in ("2s", "3s", "4s", "5s", "6s", "7s")]
    session = after("4", "", "a1", hand, "b1", "a2 ks y")
    refused(session, asks[0], "event 2 cannot be true with")
    session = after("4", "", "a1", hand.replace("7s", "7h"), "b1", *asks[:5])
    assert "! Team B can prove LS B1:2S,3S,4S,5S,6S,7S" in flat(session.greeting())


def test_completions():
    """What may come next is offered: seats and commands, then cards, then answers."""
    session = after(*SET_UP, *EVENTS)
    assert ["A1", "A2", "A3"] == session.completions("")[:3], "B1 is on turn and asks team A"
    assert ["undo"] == session.completions("un")
    assert "3D" in session.completions("a1 3")
    assert ["y"] == session.completions("a1 3d y")
    assert ["LS", "LH", "LD", "LC"] == session.completions("why l")[:4]
    assert ["pass-turn"] == after("6").completions("pa")[-1:]
    assert "2S" not in after("6", "", "a1", "2s").completions("2")


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.sampled_from(EVERY_RULE))
def test_any_game_typed_line_by_line_is_its_record(seed: int, rules: RuleSet):
    """Under every rule and from any seat, with lines that are refused or taken back in between."""
    rng = np.random.default_rng(seed)
    game = random_game(rules, rng, until=30)
    seat = int(rng.integers(rules.players))
    hand = " ".join(game.rules.card_names[card] for card in game.dealt[seat])
    words = rules.words() or "none"
    session = after(str(rules.players), words, SEAT_NAMES[seat], hand, SEAT_NAMES[game.start])
    typed = Typed(rng, rules.card_names)
    for event in game.events:
        said = typed(event)
        reply = session.enter(said)
        assert reply.ok, (said, reply.text)
        assert max(map(len, reply.text.split("\n"))) <= 80
        if rng.random() < 0.1:
            before = session.text
            assert not session.enter("b1 3d perhaps").ok
            assert session.enter("undo").ok
            assert session.enter(said).ok
            assert before == session.text
    hands = tuple(dealt if s == seat else None for s, dealt in enumerate(game.dealt))
    record = replace(Record.of(game, "kitchen"), hands=hands)
    assert [record] == read(session.text)
    assert write([record]) == session.text


@pytest.mark.parametrize(
    "rules", [RuleSet(players=4), RuleSet(play_out=True), RuleSet(max_events=20)], ids=str
)
def test_a_whole_game_ends_with_its_result(rules: RuleSet):
    """The last event closes the record; typed as a record has it, and gone on with after it."""
    game = random_game(rules, np.random.default_rng(2), claim=0.4)
    hand = " ".join(game.rules.card_names[card] for card in game.dealt[1])
    session = after(str(rules.players), rules.words(), "b1", hand, SEAT_NAMES[game.start])
    for event in game.events:
        assert session.enter(format_event(event, game.rules.card_names)).ok
    assert "The game is " in session.greeting()
    hands = tuple(dealt if s == 1 else None for s, dealt in enumerate(game.dealt))
    full = write([replace(Record.of(game, "kitchen"), hands=hands)])
    assert full == session.text
    without_result = full[: full.rindex("result")]
    assert full == Session.resumed(without_result, "game.lit").text
    for typed in ("table", "asks", "claims", "state", "log 3"):
        told(session, typed)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.sampled_from(EVERY_RULE))
def test_an_answer_that_contradicts_is_refused(seed: int, rules: RuleSet):
    """A wrong answer to an ask is accepted, or refused with events among those before it; what is
    accepted always leaves a record that some deal fits, so that hints can be given."""
    rng = np.random.default_rng(seed)
    game = random_game(rules, rng, until=25)
    hand = " ".join(game.rules.card_names[card] for card in game.dealt[0])
    words = rules.words() or "none"
    session = after(str(rules.players), words, "a1", hand, SEAT_NAMES[game.start])
    for event in game.events:
        if isinstance(event, Asked):
            before = session.text
            reply = session.enter(format_event(replace(event, hit=not event.hit), rules.card_names))
            assert session.enter("deals").ok
            if reply.ok:
                assert session.enter("undo").ok
            else:
                assert "cannot be true" in reply.text
            assert before == session.text
        assert session.enter(format_event(event, game.rules.card_names)).ok


class TestResumed:
    """What a session can go on from, and what it refuses."""

    def test_a_record_typed_by_hand(self):
        """A session can continue any valid record with one hand."""
        text = RECORD.replace("miss", "no").lower() + "# the kettle boils\n"
        assert RECORD == Session.resumed(text, "game.lit").text

    def test_a_record_with_several_hands_needs_a_seat(self):
        """A record with several hands can be continued with a seat, and keeps all its hands."""
        text = RECORD.replace("start", "hand B2 7S 2H TH 2D 3D 4D 5D 9C\nstart")
        with pytest.raises(LiteratureError, match="say whose hint it is with --seat"):
            Session.resumed(text, "game.lit")
        session = Session.resumed(text, "game.lit", seat="b2")
        assert "Game kitchen, you are B2, 12 events." in session.greeting()
        assert text == session.text
        refused(session, "a1 2h y", "event 13 cannot be true")

    def test_several_hands_are_held_together(self):
        """An event that only all known hands together refute is refused, also when an earlier
        event is changed."""
        text = (
            "game 7\nplayers 6\nhand A1 2S 3S 4S 5S 6S 9H TD JD\nhand A3 2C 3C 4C 5C 6C 7C 9D KD\n"
            "start B1\nask B1 A1 2S hit\nask B1 A1 3S hit\nask B1 A2 9S miss\nask A2 B2 2H miss\n"
        )
        session = Session.resumed(text, "game.lit", seat="A3")
        message = (
            "no deal makes the own hand and events 1 and 5 true together;"
            " correct event 5 (ask B2 A1 4S hit), or a hand or event 1."
        )
        refused(session, "b2 a1 4s y", message)
        assert session.enter("b2 a1 2h n").ok
        reply = session.enter("edit 5 a1 4s n")
        assert not reply.ok, "A1 has it"
        assert "Event 5 no longer fits" not in told(session, "edit 4 b2 3h n")

    @pytest.mark.parametrize(
        ("text", "error", "message"),
        [
            ("", FileError, "game.lit holds no game"),
            ("# nothing\n", FileError, "game.lit holds no game"),
            ("hello\n", RecordError, "game.lit:1: 'hello': this stands before the first game"),
            (f"{RECORD}ask A1 B2 2H hit\n", RecordError, "game.lit:17: .*A1 is not on turn"),
            (f"{RECORD}{RECORD}", LiteratureError, "game.lit holds 2 games|several games"),
            ("game 1\nstart A1\n", LiteratureError, "none: add one"),
        ],
    )
    def test_other_texts(self, text: str, error: type[Exception], message: str):
        """Texts that are no record with a hand are refused with one clear line."""
        with pytest.raises(error, match=message):
            Session.resumed(text, "game.lit")


class TestStorage:
    """The file is always whole."""

    def test_what_was_there_is_kept(self, tmp_path: Path):
        """A file that a session did not write is kept beside it before it is replaced."""
        path = tmp_path / "game.lit"
        path.write_text(f"# mine\n{RECORD}")
        path.chmod(0o640)
        storage = Storage(path)
        storage.foreign = True
        storage.save(RECORD)
        storage.save(f"{RECORD}ask B1 A1 3S miss\n")
        assert f"# mine\n{RECORD}" == (tmp_path / "game.lit~").read_text()
        assert f"{RECORD}ask B1 A1 3S miss\n" == path.read_text()
        assert 0o640 == path.stat().st_mode & 0o777
        assert {"game.lit", "game.lit~"} == {file.name for file in tmp_path.iterdir()}

    def test_a_link_stays_a_link(self, tmp_path: Path):
        """Saving through a symbolic link replaces the file that it points to."""
        (tmp_path / "real.lit").write_text("")
        (tmp_path / "link.lit").symlink_to("real.lit")
        Storage(tmp_path / "link.lit").save(RECORD)
        assert (tmp_path / "link.lit").is_symlink()
        assert RECORD == (tmp_path / "real.lit").read_text()

    def test_a_failure_leaves_the_old_file(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        """A failed save leaves the old file and no other one; the next line tries again."""
        path = tmp_path / "game.lit"
        storage = Storage(path)
        storage.save(RECORD)

        def full(descriptor: int) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr("os.fsync", full)
            with pytest.raises(FileError, match="no space left"):
                storage.save("game 2\n")
        assert RECORD == path.read_text()
        assert [path] == list(tmp_path.iterdir())
        storage.save("game 2\n")
        assert "game 2\n" == path.read_text()

    def test_a_new_file_takes_no_name_that_is_taken(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        """Two new games on one day are saved in two files."""
        import datetime

        monkeypatch.chdir(tmp_path)
        day = datetime.date(2026, 11, 29)
        names = []
        for _ in range(3):
            path = unused_path(day)
            path.touch()
            names.append(path.name)
        stem = "literature-2026-11-29"
        assert [f"{stem}.lit", f"{stem}-2.lit", f"{stem}-3.lit"] == names

    @pytest.mark.parametrize(
        ("name", "id"), [("kitchen.lit", "kitchen"), ("my game.lit", "my-game"), ("#.lit", "1")]
    )
    def test_the_game_is_called_like_the_file(self, name: str, id: str, tmp_path: Path):
        """The id of the game is the name of the file if that is a valid id."""
        assert id == Storage(tmp_path / name).id
