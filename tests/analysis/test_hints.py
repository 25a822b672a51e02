"""Hints and consequences: hand-made positions, and random ones against brute force."""

import json
from collections import Counter
from copy import copy
from pathlib import Path

import numpy as np
import pytest
from helpers import EVERY_RULE, NUMBERS_SOME_SLOW, ask, game_of, random_game, random_step, seat
from looking_ahead import check_look_ahead

from literature_ai.analysis import consequences
from literature_ai.analysis.consequences import (
    can_prove,
    chance_of_none,
    consequences_of,
    with_consequences,
)
from literature_ai.analysis.hints import as_json, hint
from literature_ai.assist import replies
from literature_ai.cards import cards_of, parse, parse_half_suit
from literature_ai.cli.main import main
from literature_ai.events import Ask, Asked, Claim
from literature_ai.game.game import Game
from literature_ai.inference.knowledge import Knowledge
from literature_ai.inference.recorded import Viewpoint
from literature_ai.records.lit import read_games
from literature_ai.records.record import Record
from literature_ai.rules import RuleSet
from solver.counting import Counting
from solver.problem import OWN_HAND

FOUR = RuleSet(players=4)
WHOLE = ("2S 3S 4S 5S 6S 9S LH", "LD LC", "7S TS JS QS KS AS HH", "HD HC")
"""Four hands: A1 lacks 7S of low spades, which A2 has; all other half-suits but HS are whole."""
RANKS = tuple(
    " ".join(rank + suit for suit in "SHDC" for rank in ranks)
    for ranks in ("234", "567", "9TJ", "QKA")
)
"""Four hands: A1 has all 2 3 4, B1 all 5 6 7, A2 all 9 10 J, B2 all Q K A."""
LS, HS, LD = (parse_half_suit(name) for name in ("LS", "HS", "LD"))


def advised(game: Game, name: str, asks: int | None = None):
    """The hint and the consequences of the seat."""
    advice = hint(Viewpoint.of(Record.of(game, "1"), seat(name)))
    return advice, consequences_of(advice, asks=asks)


def knowledge(game: Game, who: int | None) -> Knowledge:
    """What the seat, or everyone, knows of the game."""
    known = Knowledge(game.rules, who, None if who is None else game.dealt[who])
    for event in game.events:
        known.observe(event)
    return known


def test_what_settles_a_half_suit():
    """With one card of three possible places, either answer that leaves one place settles it."""
    game = game_of(FOUR, "A1", *WHOLE)
    prospect = advised(game, "A1")[1].half_suits[LS]
    assert not prospect.certain
    assert 1 / 3 == pytest.approx(prospect.best)
    assert 1 / 3 == pytest.approx(prospect.held), "it is with A2 as likely as with B1 or B2"
    assert 0.0 == prospect.held_against
    hits = {(s.ask, s.hit, round(s.probability, 9)) for s in prospect.decisive}
    assert {(ask("B1", "7S"), True, 0.333333333), (ask("B2", "7S"), True, 0.333333333)} == hits
    game.apply(ask("B1", "7S"))
    prospect = advised(game, "A1")[1].half_suits[LS]
    answers = {(s.ask, s.hit): s.claim.holders for s in prospect.decisive}
    a1, a2 = seat("A1"), seat("A2")
    assert {
        (ask("B2", "7S"), True): (a1,) * 6,
        (ask("B2", "7S"), False): (a1,) * 5 + (a2,),
    } == answers


def test_certain_half_suits_need_no_answer():
    """Of a half-suit that can be claimed for certain all that is said is that it can."""
    prospects = advised(game_of(FOUR, "A1", *WHOLE), "B1")[1].half_suits
    assert prospects[LD].certain
    assert 1.0 == prospects[LD].held
    assert 0.0 == prospects[LD].held_against
    assert () == prospects[LD].decisive


def test_an_ask_that_everyone_knows_to_miss():
    """After a no, everyone knows that the same ask misses; before it nobody does."""
    game = game_of(FOUR, "A1", *RANKS)
    again = ask("B2", "5S")
    assert again not in advised(game, "A1")[1].dead
    game.apply(again)
    assert again in advised(game, "A1")[1].dead
    assert ask("B1", "5S") not in advised(game, "A1")[1].dead


def test_what_a_miss_gives_away():
    """The first ask in a half-suit shows that one has cards of it; the turn goes to the target."""
    game = game_of(FOUR, "A1", *RANKS)
    prospects = {p.ask: p for p in advised(game, "A1")[1].asks}
    assert prospects[ask("B1", "5S")].shows
    game.apply(ask("B1", "5S"))
    prospects = {p.ask: p for p in advised(game, "A1")[1].asks}
    assert not prospects[ask("B1", "6S")].shows, "the card 5S lies open with A1"
    reply = prospects[ask("B2", "6S")].reply
    assert reply is not None
    assert ask("A1", "5S") == reply.ask
    assert 1.0 == reply.public == reply.probability
    game.apply(ask("B2", "6S"))
    none = chance_of_none(knowledge(game, seat("A1")), seat("B2"), LS)
    assert 0.0 < none < 1.0
    assert 1.0 - none == pytest.approx(reply.allowed), "B2 may ask just if they have a low spade"


def test_dangers_lead_with_what_can_be_proven():
    """A half-suit that an opponent has collected in the open leads the dangers."""
    game = game_of(FOUR, "B1", *RANKS)
    for word in ("2S", "3S", "4S"):
        game.apply(ask("A1", word))
    game.apply(ask("A2", "2H"))
    first = advised(game, "A1", 0)[1].dangers[0]
    assert LS == first.half_suit
    assert not first.proven, "everyone has seen only half of it"
    b1, b2 = seat("B1"), seat("B2")
    assert [b1] * 4 + [b2] * 2 == sorted(first.holders), "B1 must have had one in order to ask"
    assert (b2,) == first.provers, "who has two of the three unseen cards knows who has the third"
    assert 0.0 < first.probability < 1.0


def test_opponents_who_can_prove_it():
    """Who has the cards that everyone misses can prove what everyone cannot."""
    game = game_of(FOUR, "A1", *WHOLE)
    everyone = knowledge(game, None)
    assert can_prove(everyone, seat("B1"), LD, (seat("B1"),) * 6)
    assert not can_prove(everyone, seat("B2"), LD, (seat("B1"),) * 6)


def test_json_keeps_what_it_had():
    """What consequences adds stands beside the fields of the hint, none of which it changes."""
    game = random_game(RuleSet(), np.random.default_rng(4), until=30)
    advice, consequences = advised(game, "A1", 2)
    plain, full = as_json(advice), with_consequences(advice, consequences)
    for asked, entry in zip(plain["asks"], full["asks"], strict=True):
        assert asked == {key: entry[key] for key in asked}
    assert 2 == sum("if_hit" in entry for entry in full["asks"])
    rest = {key: value for key, value in full.items() if key in plain and key != "asks"}
    assert {key: value for key, value in plain.items() if key != "asks"} == rest
    assert {"half_suits", "dangers"} == set(full) - set(plain)
    json.dumps(full)


@pytest.mark.parametrize("number", NUMBERS_SOME_SLOW)
def test_look_ahead_equals_what_is_observed(number):
    """Under every rule set, each number of the look-ahead (what an answer proves, settles, invites;
    dangers) equals what comes out when that event is observed and the question asked again."""
    rules = EVERY_RULE[number]
    rng = np.random.default_rng([20, number])
    game = random_game(rules, rng, until=int(rng.integers(35, 60)), claim=0.03)
    stages = [copy(game)]
    while not game.over:
        stages.append(copy(game))
        random_step(game, rng, claim=0.03)
    for stage in (stages[0], *stages[-12::4]):
        if stage.turn is not None:
            assert set(legal(stage)) == set(stage.legal_asks())
            check_look_ahead(stage, stage.turn, asks=3)


def legal(game: Game) -> list[Ask]:
    """The asks of the hint for the seat on turn."""
    assert game.turn is not None
    return [likely.ask for likely in hint(Viewpoint.of(Record.of(game, "1"), game.turn)).asks]


def read(file: str, name: str):
    """The hint and the consequences of the seat in the first game of a file."""
    record = read_games(CASES / "repro" / file)[0]
    advice = hint(Viewpoint.of(record, seat(name)))
    return advice, consequences_of(advice)


def test_a_miss_settles_too():
    """Under split-claims a miss can settle a half-suit too: LS by 4S of B2, hit or miss."""
    chances = read("settled.lit", "A1")[1].half_suits[0]
    assert LS == chances.half_suit
    claims = {(s.ask, s.hit): s.claim.holders[2] for s in chances.decisive}
    assert {(ask("B2", "4S"), True): seat("A1"), (ask("B2", "4S"), False): seat("A2")} == claims
    assert [15 / 21, 6 / 21] == pytest.approx([s.probability for s in chances.decisive])


def test_the_only_layout_left_is_certain():
    """A layout that is the only one left is certain for ``claims()``, hint, ``assist`` and
    ``certain_claims()`` alike, with the events that prove it."""
    advice, consequences = read("certain-missing.lit", "A1")
    best = advice.claims[0]
    lh = parse_half_suit("LH")
    assert (lh, 1.0, True) == (best.half_suit, best.probability, best.certain)
    assert consequences.half_suits[0].certain
    me = advice.viewpoint.knowledge
    assert [Claim(lh, best.holders)] == me.certain_claims()
    layout = dict(zip(cards_of(lh), best.holders, strict=True))
    assert advice.because == {lh: me.explain_layout(layout)}
    assert len(advice.because[lh]) > 1
    assert "CERTAIN  LH  A1:3H,4H,5H,7H A2:2H,6H" in replies.claims(advice.viewpoint)
    assert "CERTAIN: LH  A1:3H,4H,5H,7H A2:2H,6H" in replies.advice(advice.viewpoint)


def test_copied_knowledge_goes_its_own_way():
    """What a copy observes changes nothing in the original, and the other way round."""
    game = game_of(FOUR, "A1", *RANKS)
    original = knowledge(game, None)
    posterior = original.posterior().copy()
    deals = original.deals()
    twin = copy(original)
    twin.observe(Asked(0, 1, parse("5S"), True))
    assert original.deals() == deals
    assert (posterior == original.posterior()).all()
    original.observe(Asked(0, 1, parse("5S"), False))
    assert twin.place_now(parse("5S")) == 0
    assert 0.0 == original.posterior()[parse("5S"), 1]


def test_held_is_the_share_of_the_deals():
    """The probability that a team holds a half-suit is its share of all deals, listed."""
    rules = RuleSet()
    game = random_game(rules, np.random.default_rng(9), until=70, claim=0.0)
    who = seat("A1")
    me = knowledge(game, who)
    held = me.held()
    for half_suit in me.in_play:
        layouts, chances = me.counting.layouts(half_suit)
        shares = [0.0, 0.0]
        for layout, chance in zip(layouts.tolist(), chances.tolist(), strict=True):
            places = [
                dealt if me.place_now(card) is None else me.place_now(card)
                for card, dealt in zip(range(half_suit * 6, half_suit * 6 + 6), layout, strict=True)
            ]
            for team in (0, 1):
                if all(place % 2 == team for place in places):
                    shares[team] += chance
        assert shares == pytest.approx(held[:, half_suit].tolist(), abs=1e-12)


CASES = Path(__file__).parents[1] / "cases"


@pytest.mark.parametrize("case", ["case-03", "case-08", "case-12", "case-16"])
@pytest.mark.parametrize("full", [[], ["--full"]])
def test_for_people(case, full, capsys):
    """What people read fits 100 columns, ends no line in blanks, and has its parts in order."""
    file = CASES / f"{case}.lit"
    who = next(w for w in file.read_text().splitlines() if w.startswith("hand")).split()[1]
    assert 0 == main(["hint", str(file), "--seat", who, *full])
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 100
    head = text[: text.index("Where the cards are")].splitlines()
    assert [] == [line for line in head if line != line.rstrip()]
    parts = ["Certain claims", "Likely claims", "Best asks", "Dangers", "Where the cards are"]
    assert sorted(parts, key=text.index) == parts


def test_the_look_ahead_rarely_counts_what_everyone_thinks_possible(monkeypatch):
    """Early in a game of eight, a hint counts the deals of the public only for the replies, once
    for cards that are alike, and does not count anew for each ask that the seat might make."""
    (record,) = read_games(CASES / "repro" / "slowest-hint.lit")
    advice = hint(Viewpoint.of(record, seat("A4")))
    calls = Counter()

    def watch(name):
        original = getattr(Counting, name)

        def watched(counting, *arguments):
            own = any(event == OWN_HAND for event, _ in counting.problem.facts)
            calls[name, "own" if own else "public"] += 1
            return original(counting, *arguments)

        monkeypatch.setattr(Counting, name, watched)

    watch("located")
    watch("deals")
    found = consequences_of(advice)

    assert 96 == len(advice.asks)
    assert 3 == sum(ask.reply is not None for ask in found.asks)
    assert 1 == calls["located", "public"]
    assert 0 == calls["deals", "public"]
    assert calls["located", "own"] <= 6


def test_no_more_asks_are_examined_than_can_be_counted(monkeypatch, capsys):
    """After the best, asks are examined until their posteriors have taken so many transitions;
    ``hint --full`` lists all, and says of how many it does not know what follows."""
    (record,) = read_games("examples/table.lit")
    viewpoint = Viewpoint.of(record, seat("A1"))
    advice = hint(viewpoint)
    asks = [likely.ask for likely in advice.asks]
    assert asks == [found.ask for found in consequences_of(advice, None).asks]
    monkeypatch.setattr(consequences, "MOST_TRANSITIONS", 1)
    examined = [found.ask for found in consequences_of(advice, None).asks]
    assert examined == asks[: len(examined)]
    assert 0 < len(examined) < len(asks)
    left = len(asks) - len(examined)
    assert 0 == main(["hint", "examples/table.lit", "--full"])
    said = f"what follows from the last {left} takes long to count so early in the game"
    assert said in " ".join(capsys.readouterr().out.split())
