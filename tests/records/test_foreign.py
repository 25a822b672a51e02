"""Logs of other programs as records: what is read, what is guessed, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from foreign_logs import in_braces, in_messages
from helpers import EVERY_RULE, EVERY_RULE_SOME_SLOW, random_game

from literature_ai.cards import DECKS, SEAT_NAMES
from literature_ai.errors import FileError, LiteratureError, RecordError
from literature_ai.events import Passed, TimedOut
from literature_ai.records.foreign import fitting, import_games
from literature_ai.records.foreign.braces import games_in
from literature_ai.records.foreign.fitting import Fitted
from literature_ai.records.foreign.told import card_name_of
from literature_ai.records.lit import read
from literature_ai.records.record import Record
from literature_ai.records.text import lines_of
from literature_ai.rules import RuleSet

NAMES = ("Ann", "Bob", "Cid", "Dora Lee", "P5", "Ann B.", "x_7", "Żółć")
TOLD_IN_BRACES = [rules for rules in EVERY_RULE if not rules.turn_seconds and not rules.wrong_hides]


def imported(text: str, tmp_path: Path, format: str | None = None) -> list[Fitted]:
    """The games in the log."""
    file = tmp_path / "games.log"
    file.write_text(text, encoding="utf-8")
    return list(import_games(file, format))


def without_passes(events: Sequence[object]) -> list[object]:
    """The events that a brace log has."""
    return [event for event in events if not isinstance(event, Passed)]


@pytest.mark.parametrize("rules", TOLD_IN_BRACES, ids=str)
def test_a_game_comes_back_from_a_brace_log(rules: RuleSet, tmp_path: Path) -> None:
    """A random game written in braces is imported with its hands, its events and its names, under
    no more switches than it was played with; the record can be read."""
    rng = np.random.default_rng(5)
    games = [random_game(rules, rng, until=until) for until in (None, 1, 40, 200)]
    names = [str(name) for name in rng.permutation(NAMES[: rules.players])]
    found = imported("".join(in_braces(game, names) for game in games), tmp_path)
    assert [fitted.record.id for fitted in found] == ["1", "2", "3", "4"]
    for game, (record, line, guessed, implied) in zip(games, found, strict=True):
        assert record.hands == game.dealt
        assert record.names == tuple(names)
        assert without_passes(record.events) == without_passes(game.events)
        assert [number for number, e in enumerate(record.events, 1) if isinstance(e, Passed)] == [
            *implied
        ]
        switches = [word for word in rules.words().split() if word not in DECKS]
        assert len(guessed) <= len(switches)
        assert record.rules.card_names == rules.card_names
        assert line.text.startswith((*names,))
        assert [record] == read(str(record))
        if not (rules.pass_turn or rules.claim_any_time or rules.choose_claimant):
            shown = len(record.events)
            assert record.start == game.start
            assert record.events == game.events[:shown]
            assert not without_passes(game.events[shown:])


@pytest.mark.parametrize("rules", EVERY_RULE_SOME_SLOW, ids=str)
def test_a_game_comes_back_from_json_lines(rules: RuleSet, tmp_path: Path) -> None:
    """A random game as the messages to its bots is imported as the record of that game, rules and
    all; two games in one file are two."""
    rng = np.random.default_rng(6)
    games = [random_game(rules, rng, until=until) for until in (None, 30)]
    text = "\n".join(line for game in games for line in in_messages(game, rng))
    found = imported(text, tmp_path)
    records = [Record.of(game, str(number)) for number, game in enumerate(games, start=1)]
    assert [fitted.record for fitted in found] == records
    assert [(f.guessed, f.implied) for f in found] == [((), ())] * 2


@pytest.mark.parametrize("rules", EVERY_RULE_SOME_SLOW, ids=str)
def test_what_one_bot_gets_is_a_record_with_its_hand(rules: RuleSet, tmp_path: Path) -> None:
    """The messages to one bot give a record with its hand alone."""
    rng = np.random.default_rng(7)
    game = random_game(rules, rng, until=60)
    (fitted,) = imported("\n".join(in_messages(game, rng, [1])), tmp_path)
    assert fitted.record.events == game.events
    assert fitted.record.rules == rules
    hands = [game.dealt[1] if seat == 1 else None for seat in range(rules.players)]
    assert fitted.record.hands == tuple(hands)


@pytest.mark.parametrize("rules", EVERY_RULE_SOME_SLOW, ids=str)
def test_events_alone(rules: RuleSet, tmp_path: Path) -> None:
    """Events alone, one a line, are a game whose rules are guessed."""
    game = random_game(rules, np.random.default_rng(8), until=150)
    record = Record.of(game, "1", ended=False)
    words = [line for line in str(record).split("\n") if line.split()[0] in EVENTS]
    (fitted,) = imported("\n".join(map(json.dumps, words)), tmp_path)
    assert fitted.record.events == game.events
    assert fitted.implied == ()
    timed = any(isinstance(event, TimedOut) for event in game.events)
    assert ("turn-seconds=30" in fitted.guessed) == timed
    switches = {word for word in rules.words().split() if word not in DECKS}
    assert set(fitted.guessed) <= switches
    again = fitted.record
    assert [replace(again, names=again.names)] == read(str(again))


EVENTS = ("ask", "claim", "pass", "timeout")


@pytest.mark.parametrize(
    "words", ["", "pass-turn bluff-asks", "claim-any-time split-claims", "us54 bluff-asks pagat"]
)
def test_no_smaller_set_of_switches_would_do(words: str, tmp_path: Path) -> None:
    """The guessed switches are a smallest set: under every smaller one, the log is illegal."""
    rules = replace(RuleSet.parse(words), wrong_hides=False)
    rng = np.random.default_rng(9)
    for _ in range(3):
        text = in_braces(random_game(rules, rng), NAMES)
        (told,) = games_in(lines_of(text), "games.log")
        (fitted,) = imported(text, tmp_path)
        for count in range(min(len(fitted.guessed), 4)):
            for on in combinations(fitting.GUESSED, count):
                smaller = replace(told.rules, **dict.fromkeys(on, True))
                for start in told.starts:
                    reading = fitting._read(told, smaller, start)
                    assert reading.objection is not None, (on, fitted.guessed)


LOG = """\
Ann:{S2,S3,S4,S9,H10,DJ,DQ,CK}
Bob:{S5,S6,S7,SJ,HJ,DK,DA,CA}
Cid:{S10,SQ,SK,SA,H2,H3,H4,H5}
Dan:{H6,H7,H9,HQ,HK,HA,D2,D3}
Eve:{D4,D5,D6,D7,D9,D10,C2,C3}
Fay:{C4,C5,C6,C7,C9,C10,CJ,CQ}
Ann Bob S5 1
Ann Bob S6 1
Ann Bob S7 1
Ann Ann:{S2,S3,S4,S5,S6,S7} 1
Ann Dan S10 0
Dan Cid H2 1
"""


def test_every_way_to_write_a_brace_log(tmp_path: Path) -> None:
    """Hands in one line, the rank first, words for verdicts, a half-suit or a card of it before the
    holders, the true holders behind the verdict: all one record."""
    (plain,) = imported(LOG + "Dan Bob:{H10,HJ} Dan:{H9,HQ,HK,HA} 0\n", tmp_path)
    assert (
        plain.record.events[-1]
        == read(
            f"{plain.record}".rpartition("\n")[0] + "\nclaim B2 HH B1:TH,JH B2:9H,QH,KH,AH wrong "
            "A1:TH B1:JH B2:9H,QH,KH,AH"
        )[0].events[-1]
    )
    typed = LOG.replace("}\n", "}, ", 5).replace("S5 1", "5♠️ hit").replace("S10 0", "10S no")
    typed = typed.replace("Ann Ann:{S2,S3,S4,S5,S6,S7} 1", "Ann LS Ann: {2s 3s 4s;5s,6s,7S} yes")
    typed += (
        "# the end\nDan HQ Bob:{H10,HJ} Dan:{H9,HQ,HK,HA} 0 Ann:{H10} Bob:{HJ} Dan:{H9 HQ HK HA}"
    )
    (fitted,) = imported(typed, tmp_path)
    assert fitted.record == plain.record


def test_teams_are_told_by_the_asks(tmp_path: Path) -> None:
    """Where teammates stand together in the log, the asks tell who sits between whom."""
    lines = LOG.split("\n")
    (fitted,) = imported("\n".join(lines[0:6:2] + lines[1:6:2] + lines[6:]), tmp_path)
    assert fitted.record.names == ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay")
    assert fitted.record == imported(LOG, tmp_path)[0].record


def test_names_of_seats_are_seats(tmp_path: Path) -> None:
    """A log whose players are called A1 to B3 means the seats, in whatever order they stand."""
    names = ("Ann", "Bob", "Cid", "Dan", "Eve", "Fay")
    text = LOG
    for name, seat in zip(names, SEAT_NAMES, strict=False):
        text = text.replace(name, seat)
    lines = text.split("\n")
    (fitted,) = imported("\n".join(lines[5::-1] + lines[6:]), tmp_path)
    (named,) = imported(LOG, tmp_path)
    assert fitted.record == replace(named.record, names=(None,) * 6)


def test_cards_have_many_spellings() -> None:
    """Suits first or last, letters or signs, tens as 10, T or 0, jokers by colour or number."""
    for words, name in (
        ("D10 10D DT td D0 0d ♦10 10♦️ ♦️T", "TD"),
        ("S2 2s ♠2 2♠", "2S"),
        ("RJ JR rj J1 joker1 LJ", "RJ"),
        ("BJ jb J2 Joker2", "BJ"),
        ("SJ js ♠J", "JS"),
    ):
        assert [card_name_of(word) for word in words.split()] == [name] * len(words.split())
    for word in ("", "D", "D1", "D100", "XX", "10", "0", "DD", "J", "J3"):
        assert card_name_of(word) is None


@pytest.mark.parametrize(
    ("more", "guessed"),
    [
        ("", ""),
        ("Bob Ann HJ 0", "bluff-asks"),
        ("Bob Bob:{H10,HJ} Dan:{H9,HQ,HK,HA} 0", "claim-any-time"),
        ("Bob Ann H9 0", "pass-turn"),
        ("Dan Ann:{H10} Bob:{HJ} Dan:{H9,HQ,HK,HA} 1", "split-claims"),
    ],
)
def test_switches_that_the_log_needs(more: str, guessed: str, tmp_path: Path) -> None:
    """Bluffs, claims off turn, passes by players with cards, and claims that name opponents are
    taken for what they are."""
    if guessed == "bluff-asks":
        more = f"Dan Ann H9 0\nAnn Bob H10 0\n{more}"
    (fitted,) = imported(LOG + more, tmp_path)
    assert " ".join(fitted.guessed) == guessed


BAD = {
    "another holder": (
        "Dan Ann H10 0",
        "Ann has TH: Ann was dealt it (against the hands); write hit, or",
    ),
    "no holder": (
        "Dan Ann H5 1",
        "Ann cannot have 5H: Cid was dealt it (against the hands); write miss, or",
    ),
    "no card of the half-suit": (
        "Dan Ann CJ 0",
        "Dan holds no other card of HC and cannot ask for JC (against the rule ask-half-suit); ask",
    ),
    "an ask of a teammate": (
        "Dan Bob H10 0",
        "Dan and Bob are not opponents (against the rule ask-opponent); ask one of Ann Cid Eve",
    ),
    "an ask of an opponent out of turn": (
        "Eve Bob D2 0",
        "Eve is not on turn (against the rule turn); it is the turn of Dan",
    ),
    "an ask for what is out of play": (
        "Dan Ann S2 0",
        "LS has been claimed and is out of play (against the rule in-play); in play are HS LH",
    ),
    "a wrong claim that is right": (
        "Dan Bob:{HJ} Dan:{H9,HQ,HK,HA} Ann:{H10} 0",
        "the claim was right: the cards were there (against the hands); correct the verdict",
    ),
    "a claim of five cards": (
        "Dan Dan:{H9,HQ,HK,HA,H10} 0",
        "these are not the six cards of a half-suit; name each of the six once",
    ),
    "a claim of two half-suits": (
        "Dan Dan:{H9,HQ,HK,HA,H10,H2} 0",
        "these are not the six cards of a half-suit; name each of the six once",
    ),
    "a card twice": ("Dan Dan:{H9,HQ} Bob:{H9} 0", "9H is named twice; name each card once"),
    "no verdict": ("Dan Dan:{H9,HQ,HK,HA,H10,HJ}", "the claim has no verdict; write 1 behind"),
    "a strange verdict": ("Dan Dan:{H9,HQ,HK,HA,H10,HJ} 2", "'2' is no verdict; write 1 behind"),
    "a right claim of others": (
        "Dan Dan:{H9,HQ,HK,HA,H10,HJ} 1",
        "Dan cannot have TH: Ann was dealt it (against the hands); write wrong Ann:TH Bob:JH",
    ),
    "a right claim with other holders": (
        "Dan Dan:{H9,HQ,HK,HA,H10,HJ} 1 Ann:{H9,HQ,HK,HA,H10,HJ}",
        "the claim was right, but others held the cards; write 1",
    ),
    "no player": ("Dan Zed H10 0", "Zed has no hand; the hands are those of Ann, Bob, Cid, Dan"),
    "no card": ("Dan Ann HX 0", "'HX' is no card; write suit and rank, as in D5, SQ or H10"),
    "no answer": ("Dan Ann H10 9", "this is no hand, no ask and no claim; write hands as"),
    "no line at all": ("Dan wins!", "this is no hand, no ask and no claim; write hands as"),
    "half a brace": ("Dan Dan:{H9,HQ", "this is no hand, no ask and no claim; write hands as"),
    "two players": ("A1:{D5}", "the game has 1 players (A1); 4, 6 or 8 can play"),
}
BAD_HANDS = {
    "a hand too short": (",CQ", "", "Fay: the hand has 7 cards; name the 8 cards that each of 6"),
    "a card in two hands": ("CQ", "CK", "Fay: KC is in the hand of Ann already; name each card"),
    "two hands": ("Bob:", "Ann:", "Ann has two hands; write each hand once, above the first ask"),
    "no name": ("Bob:", ":", "a hand has no name; write hands as"),
    "no such name": ("Bob", "B#", "'B#' cannot be the name of a player; use letters and digits"),
}


@pytest.mark.parametrize(("line", "message"), BAD.values(), ids=BAD)
def test_lines_that_break_the_rules(line: str, message: str, tmp_path: Path) -> None:
    """A line that no rules allow, or that is none of a log, is refused with its number, its text,
    the rule, and what would be right, in the names of the log."""
    with pytest.raises(RecordError) as caught:
        imported(LOG + line + "\n", tmp_path)
    assert f"games.log:13: {line!r}: {message}" in str(caught.value)


@pytest.mark.parametrize(("old", "new", "message"), BAD_HANDS.values(), ids=BAD_HANDS)
def test_hands_that_cannot_be(old: str, new: str, message: str, tmp_path: Path) -> None:
    """Wrong hands and names are refused, with the line where there is one."""
    with pytest.raises(LiteratureError) as caught:
        imported(LOG.replace(old, new, -1 if old == "Bob" else 1), tmp_path)
    assert message in str(caught.value)


HAND = ["2S", "3S", "4S", "9S", "TH", "JD", "QD", "KC"]
NEW_GAME = json.dumps({"op": "new_game", "seat": "A1", "hand": HAND, "rules": {}})
VIEW = '{"op": "act", "view": {"seat": "A1", "turn": "A1", "new_events": ["ask A1 B1 5S miss"]}}'
BAD_MESSAGES = {
    "no JSON": ("{", "this is no JSON; write one message a line"),
    "deep JSON": ("[" * 100_000, "this is no JSON; write one message a line"),
    "5,000 digits": (f'{{"seed": {"1" * 5000}}}', "this is no JSON; write one message a line"),
    "a number": ("5", "this is no message and no event; write messages as bots get them"),
    "another object": ("{}", "this is no message and no event; write messages as bots get them"),
    "another message": ('{"op": "ponder"}', "there is no message 'ponder'; write messages as"),
    "no event": ('"ask A1 B1 5S maybe"', "'maybe' is no answer; write y for a hit or n for a miss"),
    "out of turn": (
        '"ask A2 B1 6S miss"',
        "A2 is not on turn (against the rule turn); it is the turn of B1",
    ),
    "a bluff": (
        '"ask B1 A1 5S miss"\n"ask A1 B1 2S miss"',
        "A1 asks for 2S, which A1 holds (against the rule bluff-asks); only the rule bluff-asks",
    ),
    "no list": ('{"new_events": 5}', "new_events is no list of events; write messages as"),
    "another story": (
        VIEW.replace("A1 B1", "A1 B2").replace('"seat": "A1"', '"seat": "B1"'),
        "event 1 is 'ask A1 B2 5S miss' here, but was 'ask A1 B1 5S miss' in line 2; give each",
    ),
    "no rule": (
        NEW_GAME.replace('"rules": {', '"rules": {"jokers": 1'),
        "there is no rule 'jokers'; the rules are players, deck, left_out, split_claims",
    ),
    "no value": (
        NEW_GAME.replace('"rules": {', '"rules": {"play_out": 1'),
        "the rule play_out cannot be 1; the usual value is False",
    ),
    "no rules": (
        NEW_GAME.replace('"rules": {', '"rules": {"players": 5'),
        "5 players cannot play; 4, 6 or 8 can",
    ),
    "no object": (NEW_GAME.replace("{}", "[]"), "the rules are no object; write messages as"),
    "no seat": (NEW_GAME.replace("A1", "A4"), "'A4' is no seat here; write one of A1 B1 A2 B2"),
    "no hand": (NEW_GAME.replace('"KC"', "7"), "the hand is no list of cards; write messages as"),
    "a short hand": (NEW_GAME.replace(', "KC"', ""), "the hand has 7 cards; name the 8 cards"),
    "no card": (
        NEW_GAME.replace("KC", "8C"),
        "8C is not in this deck (the usual 48 cards); it is",
    ),
}


@pytest.mark.parametrize(("lines", "message"), BAD_MESSAGES.values(), ids=BAD_MESSAGES)
def test_messages_that_cannot_be(lines: str, message: str, tmp_path: Path) -> None:
    """What is no message, or tells an illegal event under the rules given, is refused likewise."""
    with pytest.raises(RecordError) as caught:
        imported(f"{NEW_GAME}\n{VIEW}\n{lines}\n", tmp_path)
    assert message in str(caught.value)
    assert caught.value.line == 3 + lines.count("\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty; a log has the hands and what was asked and claimed"),
        ("\n \n", "is empty; a log has the hands and what was asked and claimed"),
        ("# nothing\n", "has no game with an ask or a claim"),
        (LOG[: LOG.index("Ann Bob")], "has no game with an ask or a claim"),
        (NEW_GAME, "has no game with an ask or a claim"),
    ],
)
def test_logs_without_a_game(text: str, message: str, tmp_path: Path) -> None:
    """A log in which nothing happens has no record, for nobody can tell who starts."""
    with pytest.raises(FileError, match=message):
        imported(text, tmp_path)


@pytest.mark.parametrize("kind", ["braces", "jsonl"])
def test_damaged_logs_give_a_record_or_a_reason(kind: str, tmp_path: Path) -> None:
    """Whatever happens to the characters and lines of a log, what comes of it is records that can
    be read, or an error of one line."""
    rng = np.random.default_rng(10)
    game = random_game(RuleSet.parse("claim-any-time bluff-asks"), rng, until=30)
    whole = (
        in_braces(game, NAMES) if kind == "braces" else "\n".join(in_messages(game, rng, [0, 1]))
    )
    refused = 0
    for _ in range(300):
        text = list(whole)
        for _ in range(int(rng.integers(1, 4))):
            at, until = sorted(rng.integers(len(text), size=2).tolist())
            match rng.integers(4):
                case 0:
                    text[at] = rng.choice(list('A1:{}\n,"0 S'))
                case 1:
                    del text[at : at + int(rng.integers(1, 30))]
                case 2:
                    text.insert(at, rng.choice(list("B2{}\n ,:1")))
                case 3:
                    text[at:at] = text[at : min(until, at + 200)]
        reason = outcome("".join(text), tmp_path, kind)
        assert "\n" not in reason
        refused += reason != ""
    assert 50 < refused < 300


def outcome(text: str, tmp_path: Path, format: str) -> str:
    """Why the log is refused; empty when it is not, and its records can be read."""
    try:
        found = imported(text, tmp_path, format)
    except LiteratureError as error:
        return str(error)
    assert [fitted.record for fitted in found] == read("".join(f"{f.record}\n" for f in found))
    return ""
