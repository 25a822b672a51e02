"""Knowledge: nothing false, nothing missed, both engines of one mind."""

import pickle
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import reference
from helpers import EVERY_RULE, cards, random_rules, random_step
from knowing import TrueDeal, claims_are_sound, engines_agree, true_places, watched

from literature_ai.cards import cards_of, parse
from literature_ai.errors import LiteratureError
from literature_ai.events import Asked, Claimed, Passed
from literature_ai.game.game import Game
from literature_ai.inference.knowledge import NOWHERE, Knowledge
from literature_ai.rules import RuleSet
from solver.counting import UNMOVED, Counting
from solver.explanation import NotForcedError
from solver.problem import ContradictionError


@pytest.mark.parametrize("rules", EVERY_RULE, ids=lambda rules: f"{rules.players} {rules.words()}")
def test_true_deal_is_never_excluded(rules):
    """Under every rule, at every event, from every seat and the public's, all facts are true, and
    what is claimed to be certain is so."""
    rng = np.random.default_rng(11)
    true_deal = None
    for game, known in watched(rules, rng, [None, *range(rules.players)]):
        true_deal = true_deal or TrueDeal(game)
        assert all(true_deal.never_excluded(knowledge) for knowledge in known)
        # The public's and one seat's chances at every seventh event; all of them in the slow tests.
        if len(game.events) % 7 == 0 and (len(game.events) > 30 or rules.players < 8):
            for knowledge in (known[0], known[1 + len(game.events) % rules.players]):
                table = knowledge.posterior()
                assert all(table[card, seat] > 0 for card, seat in true_places(game))
                assert claims_are_sound(game, knowledge)


@pytest.mark.parametrize("case", range(24))
def test_engines_agree(case):
    """SAT and counting, which share no code, agree on every possible place of every card; and
    where there are few deals, SAT lists exactly as many as counting counts."""
    rng = np.random.default_rng([12, case])
    rules = random_rules(rng)
    seat = None if case % 4 == 0 else int(rng.integers(rules.players))
    counted = 0
    for game, (knowledge,) in watched(rules, rng, [seat]):
        if len(game.events) % 9 == 0 and len(game.events) > 20:
            assert engines_agree(knowledge)
            if knowledge.deals() <= 200 and counted < 3:
                counted += 1
                deals = list(knowledge.sat.deals())
                assert knowledge.deals() == len(deals)
                assert sorted(reference.all_deals(knowledge.problem)) == deals


@pytest.mark.parametrize("rules", [RuleSet(players=4), RuleSet(bluff_asks=True, deck=54)])
def test_what_was_certain_to_happen_changes_no_chances(rules):
    """Probabilities kept over an event that had to happen are those of counting anew."""
    rng = np.random.default_rng(15)
    game = Game.deal(rules, rng=rng)
    known = [Knowledge(rules, seat, game.hand(seat)) for seat in range(rules.players)]
    kept = 0
    while not game.over and kept < 60:
        table = known[game.turn].posterior()
        sure = [ask for ask in game.legal_asks() if table[ask.card, ask.target] == 1.0]
        event = game.apply(sure[0]) if sure else random_step(game, rng)
        for seat, knowledge in enumerate(known):
            before = knowledge.posterior()
            knowledge.observe(event)
            moved = [knowledge.place_now(card) for card in range(rules.cards)]
            moves = np.array([UNMOVED if place is None else place for place in moved])
            anew = Counting(knowledge.problem).posterior(None, moves)
            found = knowledge.posterior()
            assert anew == pytest.approx(found, abs=1e-12), (seat, event)
            assert ((anew == 1) == (found == 1)).all()
            assert ((anew == 0) == (found == 0)).all()
            kept += np.count_nonzero((before != found).any(axis=1)) == 1
    assert kept >= 60


def test_what_one_seat_sees_next_changes_nothing_for_another():
    """Seats that have seen the same so far share it, and still go separate ways: after different
    events, and after copies and pickles of long games."""
    rules = RuleSet(max_events=600)
    game = Game.deal(rules, seed=16, start=0)
    known = [Knowledge(rules, seat, game.hand(seat)) for seat in (1, 3)]
    ask, other = Asked(0, 1, 3, False), Asked(0, 1, 4, False)
    known[0].observe(ask)
    known[1].observe(other)
    assert [0.0, 0.0] == known[1].posterior()[4, :2].tolist()
    assert known[1].posterior()[3, 0] > 0
    for _ in range(500):
        known[0].observe(Passed(1, 3))
    twin = pickle.loads(pickle.dumps(known[0]))
    assert 501 == twin.events
    assert known[0].posterior().tolist() == twin.posterior().tolist()


@pytest.mark.parametrize("rules", EVERY_RULE, ids=lambda r: f"{r.players} {r.words()}")
def test_what_a_view_tells_is_what_was_watched(rules):
    """At any event, for every seat, knowledge made from a view equals that which saw it happen."""
    rng = np.random.default_rng(17)
    for game, known in watched(replace(rules, max_events=40), rng, list(range(rules.players))):
        if len(game.events) % 13 != 7:
            continue
        for seat, knowledge in enumerate(known):
            late = Knowledge.of(game.view(seat))
            assert knowledge.problem.facts == late.problem.facts
            assert knowledge.events == late.events
            assert knowledge.posterior().tolist() == late.posterior().tolist()


@pytest.mark.parametrize("rules", [RuleSet(), RuleSet(wrong_hides=True, split_claims=True)])
def test_claims_are_likelier_than_any_other_layout(rules):
    """The best claim is the likeliest of the layouts that the rules let the team name."""
    rng = np.random.default_rng(13)
    for game, (knowledge,) in watched(rules, rng, [0]):
        if len(game.events) % 20 != 10:
            continue
        table = knowledge.posterior()
        for best in knowledge.claims():
            layouts, chances = knowledge.counting.layouts(best.half_suit)
            places = [knowledge.place_now(card) for card in cards_of(best.half_suit)]
            nameable = [
                chance
                for layout, chance in zip(layouts.tolist(), chances.tolist(), strict=True)
                if rules.split_claims
                or all(
                    (seat if place is None else place) % 2 == 0
                    for seat, place in zip(layout, places, strict=True)
                )
            ]
            assert max(nameable) == pytest.approx(best.probability, abs=1e-12)
            assert sum(nameable) == pytest.approx(best.held, abs=1e-12)
            assert best.certain == (len(layouts) == 1)
            assert all(
                table[card, seat] > 0
                for card, seat in zip(cards_of(best.half_suit), best.holders, strict=True)
            )


def test_cards_that_moved_are_where_they_went():
    """A card that was handed over is known to everyone, and one that left play is nowhere."""
    rules = RuleSet()
    public = Knowledge(rules)
    public.observe(Asked(0, 1, parse("3D"), True))
    assert 1.0 == public.posterior()[parse("3D"), 0]
    assert 0 == public.place_now(parse("3D"))
    public.observe(Claimed(0, 4, (0,) * 6, False, (0, 0, 2, 2, 3, 5)))
    assert NOWHERE == public.place_now(parse("3D"))
    assert 0.0 == public.posterior()[list(cards_of(4))].sum()
    assert 4 not in public.in_play


def test_explanations_name_the_events():
    """An explanation names the fewest events (0: the own hand) that prove where a card is now."""
    knowledge = Knowledge(RuleSet(players=4), 0, cards("LS 9S TS JS QS KS 2D"))
    knowledge.observe(Asked(0, 1, parse("3D"), False))
    with pytest.raises(NotForcedError):
        knowledge.explain(parse("3D"), 2)
    knowledge.observe(Asked(0, 3, parse("3D"), False))
    assert (1, 2) == knowledge.explain(parse("3D"), 2)
    assert (0,) == knowledge.explain(parse("2S"), 0)
    knowledge.observe(Asked(1, 2, parse("4D"), True))
    assert (3,) == knowledge.explain(parse("4D"), 1)
    assert (1, 2, 3) == knowledge.explain_layout({parse("4D"): 1, parse("3D"): 2})
    with pytest.raises(NotForcedError):
        knowledge.explain(parse("4D"), 2)


CLASHES = {
    "a no to a card that went there in the open": (
        [Asked(0, 1, 3, True), Asked(1, 0, 3, False)],
        (1, 2),
    ),
    "a yes to a card that is elsewhere": ([Asked(0, 1, 3, True), Asked(2, 3, 3, True)], (1, 2)),
    "an ask for a card that one has": ([Asked(0, 1, 3, True), Asked(0, 3, 3, False)], (1, 2)),
    "shown where it is not": (
        [Asked(0, 1, 3, True), Claimed(0, 0, (2,) * 6, False, (2, 2, 2, 2, 4, 4))],
        (1, 2),
    ),
}


@pytest.mark.parametrize(("events", "clash"), CLASHES.values(), ids=CLASHES.keys())
def test_open_contradictions(events, clash):
    """An event against what moved in the open is refused at once, naming both."""
    public = Knowledge(RuleSet())
    *before, last = events
    for event in before:
        public.observe(event)
    with pytest.raises(ContradictionError) as caught:
        public.observe(last)
    assert clash == caught.value.events


def test_hidden_contradictions():
    """Events that clash only when taken together are found, and a smallest set of them named."""
    rules = RuleSet()
    public = Knowledge(rules)
    for target in (1, 3, 5):
        public.observe(Asked(0, target, 3, False))
        public.observe(Asked(0, target, 9, False))
    for target in (0, 2, 4):
        public.observe(Asked(1, target, 3, False))
    for question in (public.deals, public.check, public.posterior, public.claims):
        with pytest.raises(ContradictionError) as caught:
            question()
        # Nobody can have card 3: both askers lack it, and these four said no.
        assert (3, 5, 8, 9) == caught.value.events


@pytest.mark.parametrize(
    ("seat", "hand"),
    [(0, range(7)), (0, [0] * 8), (0, range(44, 52)), (6, range(8)), (None, range(8))],
)
def test_hands_that_do_not_fit(seat, hand):
    """A hand of the wrong size, with a card twice or unknown, or of no seat is refused."""
    with pytest.raises(LiteratureError):
        Knowledge(RuleSet(), seat, hand)


def test_importing_stays_light():
    """Knowledge can be imported without loading numpy, numba or a SAT solver."""
    program = (
        "import sys, literature_ai.inference.knowledge, literature_ai.analysis.hints\n"
        "print([m for m in ('numpy', 'numba', 'pysat', 'rich') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "[]" == done.stdout.strip()
