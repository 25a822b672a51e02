"""Reviews: games whose review is known, and random ones against independent computations."""

import json
from dataclasses import replace

import numpy as np
import pytest
from helpers import EVERY_RULE, NUMBERS_SOME_SLOW, ask, claim, game_of, give, seat
from review_checks import check_page, check_review_of_a_random_game, record_of

from literature_ai.analysis.review import Review, ReviewedAsk, ReviewedClaim, review
from literature_ai.analysis.review_page import page
from literature_ai.analysis.review_text import Kind, missed, missed_claims, moments
from literature_ai.cards import parse_half_suit
from literature_ai.cli.main import main
from literature_ai.cli.review import sparkline
from literature_ai.game.game import Game
from literature_ai.records.lit import write_games
from literature_ai.rules import RuleSet

FOUR = RuleSet(players=4)
WHOLE = ("2S 3S 4S 5S 6S 9S LH", "LD LC", "7S TS JS QS KS AS HH", "HD HC")
"""Four hands: A1 lacks 7S of low spades, which A2 has; all other half-suits but HS are whole."""
RANKS = tuple(
    " ".join(rank + suit for suit in "SHDC" for rank in ranks)
    for ranks in ("234", "567", "9TJ", "QKA")
)
"""Four hands: A1 has all 2 3 4, B1 all 5 6 7, A2 all 9 10 J, B2 all Q K A."""


def claimed_late() -> Game:
    """A1 asks instead of claiming low hearts, all in their hand; it takes until event 8."""
    game = game_of(FOUR, "A1", *WHOLE)
    game.apply(ask("B1", "7S"))
    game.apply(claim("LD", "B1"))
    game.apply(claim("LC", "B1"))
    game.apply(give("B2"))
    game.apply(claim("HD", "B2"))
    game.apply(claim("HC", "B2"))
    game.apply(claim("LS", "A1 A1 A1 A1 A1 A2"))
    game.apply(claim("LH", "A1"))
    return game


def provable(found: Review, name: str, team: int):
    """The provable claim of one half-suit for a team."""
    half_suit = parse_half_suit(name)
    return next(p for p in found.provable if (p.claim.half_suit, p.team) == (half_suit, team))


def test_a_provable_claim_made_late():
    """A player who holds all six cards can prove it from the deal on; the delay counts from
    there."""
    found = review(record_of(claimed_late()))
    names = found.record.rules.card_names
    lh = provable(found, "LH", 0)
    assert (0, (seat("A1"),), 8, seat("A1"), True) == (
        lh.since,
        lh.provers,
        lh.until,
        lh.claimant,
        lh.right,
    )
    assert 7 == lh.waited
    assert (1,) == lh.passed_up, "in event 1 A1 was on turn and asked; in 7 they claimed another"
    assert 1 == found.summaries[seat("A1")].passed_up
    ls = provable(found, "LS", 0)
    assert (6, 0, ()) == (ls.since, ls.waited, ls.passed_up), "claimed as soon as it was certain"
    hh = provable(found, "HH", 0)
    assert (0, None, None, None, 8) == (hh.since, hh.until, hh.claimant, hh.right, hh.waited)
    assert "A1 claimed it in event 8, with 7 events in between; passed up on 1 turn" in missed(
        lh, names
    )
    assert "nobody claimed it in the 8 events that followed" in missed(hh, names)
    assert ls not in missed_claims(found)


def test_an_ask_as_good_as_any():
    """When all asks have the same chance, the one that was made is the best."""
    judged = review(record_of(claimed_late())).decisions[0].judged
    assert isinstance(judged, ReviewedAsk)
    assert 1 / 3 == pytest.approx(judged.chance)
    assert judged.best == judged.ask
    assert 1.0 == judged.worth


def test_forced_claims():
    """A player with whole half-suits only must claim; certain claims are worth 1."""
    found = review(record_of(claimed_late()))
    forced = [
        d.event for d in found.decisions if isinstance(d.judged, ReviewedClaim) and d.judged.forced
    ]
    assert [2, 3, 5, 6, 7, 8] == forced, "without opponents with cards there is nothing to ask"
    assert [100.0] * 4 == [100.0 if s.accuracy is None else s.accuracy for s in found.summaries]
    assert found.decisions[3].worth is None, "a pass is not judged"


def test_dead_asks():
    """An ask repeated after a miss is dead and worth 0."""
    game = game_of(FOUR, "A1", *RANKS)
    for target, card in (("B2", "5S"), ("A1", "9S"), ("B2", "5S"), ("A2", "9S")):
        game.apply(ask(target, card))
    found = review(record_of(game))
    asks = [d.judged for d in found.decisions]
    assert [False, False, True, False] == [a.dead for a in asks]
    assert [False, False, True, False] == [a.hopeless for a in asks]
    assert 0.0 == found.decisions[2].worth
    assert ask("B1", "5S") == asks[2].best
    assert [(3, Kind.DEAD_ASK)] == [
        (m.event, m.kind) for m in moments(found, seat("A1")) if m.kind is not Kind.POOR_ASK
    ]
    a1 = found.summaries[seat("A1")]
    assert (2, 0, 1, 1) == (a1.asks, a1.hits, a1.dead_asks, a1.hopeless_asks)
    first = found.decisions[0].worth
    assert 100 * (first + 0.0) / 2 == pytest.approx(a1.accuracy)


def test_hopeless_but_not_dead():
    """An ask that only the asker could know to miss is hopeless, not dead."""
    game = game_of(RuleSet(players=4, bluff_asks=True), "A1", *RANKS)
    game.apply(ask("B1", "2S"))
    judged = review(record_of(game)).decisions[0].judged
    assert judged.hopeless
    assert not judged.dead
    assert Kind.HOPELESS_ASK is moments(review(record_of(game)))[0].kind


def test_a_lucky_claim():
    """A right claim that was not certain is lucky, and worth the probability that it is right."""
    game = game_of(FOUR, "A1", *WHOLE)
    game.apply(claim("LS", "A1 A1 A1 A1 A1 A2"))
    found = review(record_of(game))
    judged = found.decisions[0].judged
    assert judged.lucky
    assert not judged.avoidable
    assert 1 / 3 == pytest.approx(judged.chance) == pytest.approx(found.decisions[0].worth)
    assert 1.0 == judged.best_chance, "low hearts were certain"
    assert 100 / 3 == pytest.approx(found.summaries[0].accuracy)
    assert "only 33.3 % sure" in moments(found)[0].text


def test_an_avoidable_claim():
    """A wrong claim that was not forced is avoidable; one known to be wrong is named as such."""
    game = game_of(FOUR, "A1", *WHOLE)
    game.apply(claim("HS", "A1"))
    found = review(record_of(game))
    judged = found.decisions[0].judged
    assert judged.avoidable
    assert 0.0 == judged.chance
    (moment,) = moments(found)
    assert Kind.WRONG_CLAIM is moment.kind
    assert "they knew it was wrong; LH as" in moment.text


def test_a_turn_lost_to_the_clock():
    """A timeout counts as a decision worth 0."""
    game = game_of(RuleSet(players=4, turn_seconds=20), "A1", *RANKS)
    game.time_out()
    found = review(record_of(game))
    assert 0.0 == found.summaries[seat("A1")].accuracy
    assert 1 == found.summaries[seat("A1")].timeouts
    assert None is found.summaries[seat("B1")].accuracy
    assert [Kind.TIMEOUT] == [m.kind for m in moments(found)]


def test_one_hand_only():
    """Other seats are judged by public knowledge, and their claims not at all."""
    found = review(record_of(claimed_late(), "A1"))
    assert (True, False, False, False) == found.own_views
    assert (0, 8) == (provable(found, "LH", 0).since, provable(found, "LH", 0).until)
    assert [] == [p for p in found.provable if p.team == 1], "nobody else knew before the claims"
    b1 = found.summaries[seat("B1")]
    assert (2, 0, 0) == (b1.claims_right, b1.lucky_claims, b1.judged)
    full = review(record_of(claimed_late()))
    for one, other in zip(found.decisions, full.decisions, strict=True):
        if one.seat == seat("A1"):
            assert one == other


@pytest.mark.parametrize("number", NUMBERS_SOME_SLOW)
def test_reviews_of_random_games(number):
    """Under every rule set, chances, proofs, dead asks and delays are those of counting."""
    rules = EVERY_RULE[number]
    # Where hands are many or the deck is large, only the beginning is quick enough.
    small = rules.players < 8 and rules.deck == 48
    check_review_of_a_random_game(rules, np.random.default_rng([30, number]), 60 if small else 10)


def test_timelines_are_public_probabilities():
    """The timeline of a half-suit ends where it is claimed; certain holders show as 1."""
    game = claimed_late()
    found = review(record_of(game))
    timeline = found.timelines[parse_half_suit("LS")]
    assert (7, 0) == (timeline.claimed, timeline.scored)
    assert 7 == len(timeline.held[0]) == len(timeline.held[1]), "the deal and six events"
    assert 1.0 == timeline.held[0][-1], "the opponents have no cards left"
    assert 0.0 == timeline.held[1][-1]
    unclaimed = found.timelines[parse_half_suit("HH")]
    assert (None, None, 9) == (unclaimed.claimed, unclaimed.scored, len(unclaimed.held[0]))


def test_sparkline():
    """A column shows the highest of its chances, a dot when there is none, a blank afterwards."""
    assert "·▄█ " == sparkline([0.0, 0.01, 0.3, 0.4, 1.0], 8, 4)
    assert "·█" == sparkline([0.0, 0.99], 2, 50)


def test_a_page_shows_names_as_they_are():
    """A name that looks like HTML is text."""
    record = replace(record_of(claimed_late()), names=("<b>&", None, None, None))
    text = page(review(record))
    check_page(text)
    assert "&lt;b&gt;&amp;" in text


def test_what_people_read(tmp_path, capsys):
    """In 100 columns: players, claims made late, faults and timelines, in this order."""
    file = tmp_path / "game.lit"
    write_games([record_of(claimed_late(), "A1")], file)
    assert 0 == main(["review", str(file)])
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 100
    assert [] == [line for line in text.splitlines() if line != line.rstrip()]
    parts = ["Only the hand of A1 is known", "accuracy", "Provable claims", "LH (A1:2H", "Faults"]
    assert sorted([*parts, "Public prob"], key=text.index) == [*parts, "Public prob"]
    assert "\x1b" not in text


def test_the_page_is_written(tmp_path, capsys):
    """--html writes the page and says where; with --json too, JSON is all that is printed."""
    file, target = tmp_path / "game.lit", tmp_path / "review.html"
    write_games([record_of(claimed_late())], file)
    assert 0 == main(["review", str(file), "--html", str(target), "--seat", "a1"])
    assert f"review of game 1 written to {target}\n" == capsys.readouterr().out
    check_page(target.read_text())
    target.unlink()
    assert 0 == main(["review", str(file), "--html", str(target), "--json", "--seat", "A1"])
    said = json.loads(capsys.readouterr().out)
    assert {"A1"} == {d["seat"] for d in said["decisions"]} == {s["seat"] for s in said["summary"]}
    assert target.exists()


HAND = "hand A1 2S 3S 4S 9H TD JD QD KC\n"
BAD = {
    "seat": (["--seat", "A4"], f"game 1\n{HAND}start A1\n", "A4"),
    "page": (["--html", "no-such/x.html"], f"game 1\n{HAND}start A1\n", "cannot write no-such/x"),
    "contradiction": (
        [],
        "game 7\nhand A1 2S 3S 4S 5S 6S 9H TD JD\nstart B1\nask B1 A1 2S hit\nask B1 A1 3S hit\n"
        "ask B1 A2 9S miss\nask A2 B2 2H miss\nask B2 A1 4S hit\n",
        ":8: 'ask B2 A1 4S hit': no deal makes the own hand and events 1 and 5 true together",
    ),
}


@pytest.mark.parametrize(("options", "record", "message"), BAD.values(), ids=BAD.keys())
def test_bad_input(options, record, message, tmp_path, capsys):
    """Bad input is one clear line on the error output, nothing on the other, and exit code 2."""
    file = tmp_path / "game.lit"
    file.write_text(record)
    assert 2 == main(["review", str(file), *options])
    printed = capsys.readouterr()
    assert "" == printed.out
    assert 1 == printed.err.count("\n")
    assert message in printed.err


@pytest.mark.parametrize("hands", ["", HAND])
def test_a_game_without_events(hands, tmp_path, capsys):
    """A game without events has a review without decisions."""
    file = tmp_path / "game.lit"
    file.write_text(f"game 1\n{hands}start A1\n")
    assert 0 == main(["review", str(file), "--html", str(tmp_path / "page.html")])
    assert 0 == main(["review", str(file)])
    assert "0 events, 0-0" in capsys.readouterr().out
    check_page((tmp_path / "page.html").read_text())
