"""Other asks and claims at a moment of a game: what they prove, and why some cannot be."""

from __future__ import annotations

import json

import numpy as np
import pytest
from helpers import random_game

from literature_ai.cards import SEAT_NAMES
from literature_ai.errors import IllegalActionError, LiteratureError
from literature_ai.inference.recorded import knowledge_of
from literature_ai.records.lit import read
from literature_ai.records.record import Record
from literature_ai.replays.viewing import (
    game_as_json,
    moment_as_json,
    viewer_named,
    viewers_of,
)
from literature_ai.replays.what_if import as_json, suppose
from literature_ai.rules import RuleSet


@pytest.fixture(scope="module")
def record() -> Record:
    """A game of six with every hand."""
    game = random_game(RuleSet(), np.random.default_rng(11), until=60, claim=0.02)
    (record,) = read(str(Record.of(game, "r", ended=False)))
    return record


def tried(then: Record, viewer: str, *lines: str) -> dict:
    """What the supposition of the lines says."""
    return as_json(suppose(then, viewer_named(viewer, then), lines, "r.lit"))


@pytest.mark.parametrize("count", [0, 25, 50])
def test_both_answers_share_the_deals(record, count):
    """The deals that fit a hit and a miss of the player's own ask add up to those before it, the
    chance is their share, and an answer is impossible exactly when no deal is left for it."""
    then = record.at(count)
    seat = then.position().turn
    before = knowledge_of(then, seat, "r.lit").deals()
    impossible = 0
    for ask in list(then.game().view(seat).legal_asks)[::3]:
        line = f"{SEAT_NAMES[ask.target]} {then.rules.card_names[ask.card]}"
        found = [tried(then, SEAT_NAMES[seat], f"{line} {answer}") for answer in ("y", "n")]
        deals = [0 if each["impossible"] else int(each["deals"]) for each in found]
        assert before == sum(deals)
        for each, left in zip(found, deals, strict=True):
            assert pytest.approx(left / before) == each["chance"]
            assert (left == 0) == (each["chance"] == 0.0)
            impossible += left == 0
    assert impossible or count == 0


def test_impossible_answer_has_the_smallest_proof(record):
    """A miss for a card whose place is proven cites a smallest set of events that proves it."""
    for count in range(20, 60):
        then = record.at(count)
        seat = then.position().turn
        me = knowledge_of(then, seat, "r.lit")
        certain = me.certain()
        for ask in then.game().view(seat).legal_asks:
            if certain.get(ask.card) == ask.target:
                line = f"{SEAT_NAMES[ask.target]} {then.rules.card_names[ask.card]} n"
                why = tried(then, SEAT_NAMES[seat], line)["impossible"]
                proof = me.explain(ask.card, ask.target)
                assert len(proof) == len(why["because"])
                assert why["steps"]
                return
    raise AssertionError("no ask was sure to hit")


def test_open_cards_answer(record):
    """For everyone the cards answer an ask; the other answer cannot be, and the card says why."""
    then = record.at(10)
    seat = then.position().turn
    ask = then.game().view(seat).legal_asks[0]
    name = then.rules.card_names[ask.card]
    line = f"{SEAT_NAMES[ask.target]} {name}"
    found = tried(then, "everyone", line)
    hit = ask.card in then.game().hand(ask.target)
    assert found["line"].endswith("hit" if hit else "miss")
    assert SEAT_NAMES[seat] == found["learner"]
    false = tried(then, "everyone", f"{line} {'n' if hit else 'y'}")
    assert name in false["impossible"]["what"]


def test_suppositions_follow_each_other(record):
    """What is supposed after another event is the same as after a record with that event."""
    then = record.at(5)
    first, second = record.events[5], record.events[6]
    from literature_ai.records.notation import format_event

    lines = [format_event(each, record.rules.card_names) for each in (first, second)]
    assert tried(record.at(6), "public", lines[1]) == tried(then, "public", *lines)


def test_against_the_rules(record):
    """What the rules forbid is refused in one line with the rule, whatever the viewer knows."""
    then = record.at(0)
    turn = SEAT_NAMES[then.start]
    mate = next(name for name in SEAT_NAMES[:6] if name[0] == turn[0] and name != turn)
    with pytest.raises(IllegalActionError, match="opponent"):
        tried(then, "public", f"{turn} {mate} 2S y")
    own = then.rules.card_names[then.hands[then.start][0]]
    other = next(name for name in SEAT_NAMES[:6] if name[0] != turn[0])
    with pytest.raises(IllegalActionError):
        tried(then, turn, f"{other} {own} n")
    with pytest.raises(LiteratureError, match="suppose 1 to"):
        tried(then, "public")


def test_no_viewer_gets_the_hand_of_another(record):
    """What a seat or the public gets of the game and of a moment names no dealt card of a hand
    that is not theirs, but for the cards that everybody saw move."""
    assert ["everyone", *SEAT_NAMES[:6], "public"] == viewers_of(record)
    then = record.at(40)
    for name in viewers_of(record)[1:]:
        viewer = viewer_named(name, record)
        game = game_as_json(record, viewer)
        hands = {seat: each["hand"] for seat, each in game["seats"].items() if each["hand"]}
        assert ({name} - {"public"}) == set(hands)
        moment = moment_as_json(then, viewer, "r.lit")
        assert ({name} - {"public"}) == set(moment["hands"])
        certain = knowledge_of(then, viewer if isinstance(viewer, int) else None, "r.lit").certain()
        told = {card for card, row in moment["locations"].items() if 1.0 in row.values()}
        assert {record.rules.card_names[card] for card in certain} == told
        json.dumps([game, moment])


def test_everyone_sees_who_can_prove_what(record):
    """With open cards the hands are those of the game, and the claims those that a seat proves."""
    then = record.at(60)
    moment = moment_as_json(then, "everyone", "r.lit")
    names, game = record.rules.card_names, then.game()
    for seat, hand in enumerate(map(game.hand, range(6))):
        assert [names[card] for card in hand] == moment["hands"][SEAT_NAMES[seat]]
    provers = {seat for claim in moment["claims"] for seat in claim["provers"]}
    knowing = {SEAT_NAMES[s] for s in range(6) if knowledge_of(then, s, "r.lit").certain_claims()}
    assert knowing == provers
