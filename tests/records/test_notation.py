"""The notation of events: the long form, the short forms, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import EVERY_RULE, random_game
from shorthand import Typed

from literature_ai.errors import LiteratureError, NotationError
from literature_ai.events import Action, Ask, Asked, Claim, Claimed, Event, Pass, Passed, TimedOut
from literature_ai.game.position import Position
from literature_ai.records.lit import read
from literature_ai.records.notation import (
    ANSWERS,
    VERDICTS,
    format_action,
    format_event,
    parse_action,
    parse_event,
    parse_result,
    starts_event,
)
from literature_ai.records.record import Record
from literature_ai.rules import RuleSet


@pytest.mark.parametrize("rules", EVERY_RULE, ids=lambda r: f"{r.players} {r.words()}")
def test_every_event_of_a_game_is_read_in_every_form(rules: RuleSet) -> None:
    """Under each rule, the long form and random short forms of each event are that event."""
    rng = np.random.default_rng(31)
    game = random_game(rules, rng, until=120)
    position, typed = Position(rules, game.start), Typed(rng, rules.card_names)
    for event in game.events:
        assert event == parse_event(format_event(event, rules.card_names), position)
        short = typed(event)
        assert event == parse_event(short, position), short
        assert starts_event(short.split()[0])
        position.follow(event)


@pytest.mark.parametrize("rules", EVERY_RULE, ids=lambda r: f"{r.players} {r.words()}")
def test_a_record_in_short_forms_is_the_same_record(rules: RuleSet) -> None:
    """A file may use short forms for any event; it is written in the long form."""
    rng = np.random.default_rng(32)
    record = Record.of(random_game(rules, rng, until=60), "1", ended=False)
    heading = str(record).split("\nask ")[0].split("\nclaim ")[0].split("\npass ")[0]
    heading = heading.split("\ntimeout ")[0]
    typed = Typed(rng, rules.card_names)
    text = "\n".join([heading, *map(typed, record.events)])
    assert [record] == read(text)
    assert str(record) == str(read(text)[0])


SPLIT, COUNTS = (0, 0, 2, 4, 4, 4), (2, 4, 0, 0, 0, 0)
FORMS: list[tuple[str, str, Event]] = [
    ("", "ask A1 B2 5S hit", Asked(0, 3, 3, True)),
    ("", "A1 B2 5S y", Asked(0, 3, 3, True)),
    ("", "b2 5s y", Asked(0, 3, 3, True)),
    ("", "5s, b2, -", Asked(0, 3, 3, False)),
    ("", "ask ♠5 b2 NO", Asked(0, 3, 3, False)),
    ("", "a1 b2 10♦ miss", Asked(0, 3, 31, False)),
    ("", "c ls a1 y", Claimed(0, 0, (0,) * 6, True, (0,) * 6)),
    ("", "c a1 ls a1 a1 a2 a3 A3 a3 y", Claimed(0, 0, SPLIT, True, SPLIT)),
    ("", "c ls a1 n a1 a1 a2 a3 a3 a3", Claimed(0, 0, (0,) * 6, False, SPLIT)),
    (
        "",
        "claim a1 LS a1: 2, 3 a2:4 a3 right",
        Claimed(0, 0, (0, 0, 2, 4, 4, 4), True, (0, 0, 2, 4, 4, 4)),
    ),
    (
        "",
        "claim a1 ls A1:2S, 3S, A2:4S,5s , A3 : 6s, 7s, right",
        Claimed(0, 0, (0, 0, 2, 2, 4, 4), True, (0, 0, 2, 2, 4, 4)),
    ),
    ("", "c ls a1 n a1:2, b1,", Claimed(0, 0, (0,) * 6, False, (0, 1, 1, 1, 1, 1))),
    ("", "c ls a1 n a1:2 b1", Claimed(0, 0, (0,) * 6, False, (0, 1, 1, 1, 1, 1))),
    (
        "wrong-hides",
        "c ls a1 n a1:2 b1:4",
        Claimed(0, 0, (0,) * 6, False, None, (2, 4, 0, 0, 0, 0)),
    ),
    ("claim-any-time", "c b1 ls b1 y", Claimed(1, 0, (1,) * 6, True, (1,) * 6)),
    ("us54", "c a1 ej a1 y", Claimed(0, 8, (0,) * 6, True, (0,) * 6)),
    ("us54", "b1 rj y", Asked(0, 1, 52, True)),
    (
        "wrong-hides",
        "c ls a1, n a1:2, b1:4",
        Claimed(0, 0, (0,) * 6, False, None, (2, 4, 0, 0, 0, 0)),
    ),
    ("pass-turn", "p a2", Passed(0, 2)),
    ("pass-turn", "pass, a1, a2", Passed(0, 2)),
    ("pass-turn", "PASS A1 A3", Passed(0, 4)),
    ("timed", "timeout", TimedOut(0)),
    ("timed", "timeout a1", TimedOut(0)),
]


@pytest.mark.parametrize(("rules", "text", "event"), FORMS)
def test_forms(rules: str, text: str, event: Event) -> None:
    """What the position makes clear may be left out, and the words of an ask have no order."""
    assert event == parse_event(text, Position(RuleSet.parse(rules), 0))


def test_a_pass_needs_no_taker_if_there_is_only_one() -> None:
    """With one teammate who has cards, ``p`` is a pass to them."""
    position = Position(RuleSet.parse("pass-turn", 4), 0)
    assert Passed(0, 2) == parse_event("p", position)


@pytest.mark.parametrize("word", sorted(ANSWERS))
def test_every_word_of_an_answer(word: str) -> None:
    """Each of them is read in either case, in a file too."""
    event = Asked(0, 1, 0, ANSWERS[word])
    assert event == parse_event(f"b1 2s {word.upper()}", Position(RuleSet(), 0))
    assert (event,) == read(f"game 1\nstart A1\na1 b1 2s {word}")[0].events


@pytest.mark.parametrize("word", sorted(VERDICTS))
def test_every_word_of_a_verdict(word: str) -> None:
    """Each of them is read in either case."""
    shown = (0,) * 6 if VERDICTS[word] else (1,) * 6
    event = Claimed(0, 0, (0,) * 6, VERDICTS[word], shown)
    text = f"c ls a1 {word.upper()}" + ("" if VERDICTS[word] else " b1")
    assert event == parse_event(text, Position(RuleSet(), 0))


def test_hidden_counts_may_be_known() -> None:
    """Where the hands tell what a hidden wrong claim cost them, the counts may be left out."""
    position = Position(RuleSet(wrong_hides=True), 0)
    event = parse_event("c ls a1 n", position, lost=lambda half_suit: COUNTS)
    assert Claimed(0, 0, (0,) * 6, False, None, COUNTS) == event
    for lost in (None, lambda half_suit: None):
        with pytest.raises(NotationError, match="must say how many cards each seat lost"):
            parse_event("c ls a1 n", position, lost)


@pytest.mark.parametrize(
    ("text", "what", "cure"),
    [
        ("", "no event is named", "write an ask as in 'b2 3d y' or 'a1 b2 3d n'"),
        ("aks a1 b1 2s y", "'aks' is no event", "did you mean 'ask'?"),
        ("hello", "'hello' is no event", "write an ask as in 'b2 3d y' or 'a1 b2 3d n'"),
        ("b1 2s maybe", "'maybe' is no answer", "write y for a hit or n for a miss"),
        ("xx 2s y", "'xx' is no event", "write an ask as in 'b2 3d y' or 'a1 b2 3d n'"),
        ("ask xx 2s y", "'xx' is no seat here", "write one of A1 B1 A2 B2 A3 B3"),
        ("timeout a1 b1", "the line has too many words", "write it as in 'timeout B1'"),
    ],
)
def test_what_is_no_event(text: str, what: str, cure: str) -> None:
    """The error says what is wrong and what would be right; files have many more of them."""
    with pytest.raises(NotationError) as caught:
        parse_event(text, Position(RuleSet(), 0))
    assert (what, cure) == (caught.value.what, caught.value.cure)
    assert f"{what}; {cure}" == str(caught.value)
    assert isinstance(caught.value, LiteratureError)


def test_results() -> None:
    """A result is the score of the position, and says whether the game was broken off."""
    position = Position(RuleSet(max_events=1), 0)
    assert parse_result("0-0 Unfinished", position)
    position.follow(Asked(0, 1, 0, False))
    assert parse_result("0-0 unfinished", position)
    with pytest.raises(NotationError, match="max-events ended the game"):
        parse_result("0-0", position)


def action_of(event: Event) -> tuple[int, Action] | None:
    """Who did what, without what came of it; None for a timeout, which nobody does."""
    match event:
        case Asked(asker, target, card):
            return asker, Ask(target, card)
        case Claimed(claimant, half_suit, holders):
            return claimant, Claim(half_suit, holders)
        case Passed(giver, to):
            return giver, Pass(to)
        case TimedOut():
            return None


@pytest.mark.parametrize("rules", EVERY_RULE, ids=lambda r: f"{r.players} {r.words()}")
def test_every_action_of_a_game_is_read(rules: RuleSet) -> None:
    """Under each rule, each action is read from its long form and from short ones, in which a claim
    is of whoever types it; `format_action` writes the long form."""
    rng = np.random.default_rng(33)
    game = random_game(rules, rng, until=120, claim=0.3)
    position, names = Position(rules, game.start), rules.card_names
    for event in game.events:
        done = action_of(event)
        if done is not None:
            seat, action = done
            assert done == parse_action(format_action(action, seat, names), position)
            words = format_action(action, seat, names).lower().split()
            short = " ".join([words[0], *words[2:]])
            assert done == parse_action(short, position, seat)
            if isinstance(action, Claim):
                six = " ".join(f"{'ab'[s % 2]}{s // 2 + 1}" for s in action.holders)
                assert done == parse_action(f"{' '.join(words[:3])} {six}", position, seat)
        position.follow(event)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("b2 5s y", "'y' is an answer; write the action alone, as in 'b3 5s' or 'c ls a1:3,4 a2'"),
        ("c ls a1 right", "'right' is an answer; write the action alone, as in"),
        ("b2", "the card is missing; write an ask as in 'b2 3d'"),
        ("c", "the half-suit is missing; write a claim as in 'c ls a1:3,4 a2:5,6 a3'"),
        ("c ls a1 a2 a3 a1 a2 b7", "'b7' is no seat here; write one of A1 B1 A2 B2 A3 B3"),
        ("timeout", "a timeout is no action; write an ask, a claim or a pass"),
        ("", "no event is named; write an ask as in 'b2 3d'"),
    ],
)
def test_what_is_no_action(text: str, message: str) -> None:
    """What is no action is refused with what would be one."""
    with pytest.raises(NotationError) as caught:
        parse_action(text, Position(RuleSet(), start=0), 0)
    assert str(caught.value).startswith(message)
