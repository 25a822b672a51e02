"""Tests of `Knowledge`: sound, complete, and with both engines in agreement."""

import copy
import math
import pickle
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import reference
from fuzzing import fuzz
from helpers import EVERY_RULE, EVERY_RULE_SOME_SLOW, cards, random_game, random_rules, random_step
from knowing import TrueDeal, claims_are_sound, engines_agree, true_places, watched

from literature_ai.cards import cards_of, parse
from literature_ai.errors import LiteratureError
from literature_ai.events import Asked, Claimed, Passed
from literature_ai.game.game import Game
from literature_ai.inference.knowledge import NOWHERE, Knowledge
from literature_ai.inference.proof import prove
from literature_ai.rules import RuleSet
from solver.counting import UNMOVED, Counting
from solver.errors import ContradictionError, NotForcedError
from solver.problem import ASSUMED


@pytest.mark.parametrize(
    "rules", EVERY_RULE_SOME_SLOW, ids=lambda rules: f"{rules.players} {rules.words()}"
)
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
                posterior = knowledge.posterior()
                assert all(posterior[card, seat] > 0 for card, seat in true_places(game))
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
        posterior = known[game.turn].posterior()
        sure = [ask for ask in game.legal_asks() if posterior[ask.card, ask.target] == 1.0]
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


@pytest.mark.parametrize("rules", EVERY_RULE_SOME_SLOW, ids=lambda r: f"{r.players} {r.words()}")
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


@pytest.mark.parametrize("seed", range(6))
def test_who_has_the_turn_teaches_nothing(seed):
    """Under choose-claimant, wrong-loses-turn and claim-takes-turn the same events say of the deal
    just what they say without these rules."""
    rng = np.random.default_rng(seed)
    rules = RuleSet(claim_any_time=True, wrong_hides=seed % 2 == 1, play_out=True)
    moving = replace(rules, choose_claimant=True, wrong_loses_turn=True, claim_takes_turn=True)
    game = random_game(moving, rng, until=150, claim=0.2)
    view = game.view(seed)
    plain = Knowledge(rules, seed, view.dealt)
    for event in game.events:
        plain.observe(event)
    assert plain.problem.facts == Knowledge.of(view).problem.facts


@pytest.mark.parametrize("rules", [RuleSet(), RuleSet(wrong_hides=True, split_claims=True)])
def test_claims_are_likelier_than_any_other_layout(rules):
    """The best claim is the likeliest of the layouts that the rules let the team name."""
    rng = np.random.default_rng(13)
    for game, (knowledge,) in watched(rules, rng, [0]):
        if len(game.events) % 20 != 10:
            continue
        posterior = knowledge.posterior()
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
                posterior[card, seat] > 0
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


def few_deals(rules, rng, most=80):
    """What is known at moments of a game when at most so many deals fit, and where the cards are
    now in each of them: by those who see one hand, or all but two or three."""
    game = Game.deal(rules, rng=rng)
    known = [
        Knowledge.of_hands(rules, [*hands, *[None] * (rules.players - len(hands))])
        for hands in (game.dealt[:1], game.dealt[:-3], game.dealt[:-2])
    ]
    while not game.over:
        event = random_step(game, rng)
        for knowledge in known:
            knowledge.observe(event)
            if game.in_play and len(game.events) % 5 == 0 and 1 < knowledge.deals() <= most:
                yield knowledge, knowledge.now(np.array(list(knowledge.sat.deals())))


@pytest.mark.parametrize("rules", EVERY_RULE_SOME_SLOW, ids=lambda r: f"{r.players} {r.words()}")
def test_assumptions_against_enumeration(rules):
    """Under every rule, assumptions about random cards leave exactly the deals in which they hold,
    for both engines, and their probability is the share of those deals."""
    rng = np.random.default_rng(41)
    examined = 0
    for knowledge, deals in few_deals(rules, rng):
        in_play = [card for h in knowledge.in_play for card in cards_of(h)]
        if examined >= 30:
            break
        for _ in range(5):
            examined += 1
            cards = rng.choice(in_play, rng.integers(0, 4), replace=False).tolist()
            others = rng.choice(in_play, rng.integers(0, 4), replace=False).tolist()
            # Half of the seats are those of some deal, so that many assumptions can be true.
            deal = deals[rng.integers(len(deals))]
            anywhere = rng.integers(rules.players, size=rules.cards)
            has = {c: int(deal[c] if rng.integers(4) else anywhere[c]) for c in cards}
            lacks = {c: int(anywhere[c]) for c in others}
            fits = np.ones(len(deals), bool)
            for card, seat in has.items():
                fits &= deals[:, card] == seat
            for card, seat in lacks.items():
                fits &= deals[:, card] != seat
            share = Fraction(int(fits.sum()), len(deals))
            assert float(share) == knowledge.probability(has, lacks)
            assumed_holds(knowledge, has, lacks, deals[fits])
    assert examined


def assumed_holds(knowledge, has, lacks, deals):
    """Knowledge under assumptions is that of these deals, in both engines."""
    if not len(deals):
        with pytest.raises(ContradictionError) as caught:
            knowledge.assuming(has, lacks).check()
        assert ASSUMED in caught.value.events
        return
    assumed = knowledge.assuming(has, lacks)
    assert len(deals) == assumed.deals() == len(list(assumed.sat.deals()))
    share = np.array([(deals == seat).mean(axis=0) for seat in range(knowledge.rules.players)]).T
    assert share == pytest.approx(assumed.posterior(), abs=1e-12)
    assert engines_agree(assumed)


@pytest.mark.parametrize("rules", EVERY_RULE[::5], ids=lambda r: f"{r.players} {r.words()}")
def test_assumptions_in_long_games(rules):
    """With many deals left, both engines agree under true assumptions, now and after the next
    event, and the probability of a place is that of the posterior."""
    rng = np.random.default_rng(42)
    assumed = None
    for game, (knowledge,) in watched(replace(rules, max_events=60), rng, [0]):
        if assumed is not None:
            assumed.observe(game.events[-1])
            assert engines_agree(assumed)
            places = dict(true_places(game))
            assert all(places[card] == seat for card, seat in assumed.certain().items())
            assumed = None
        if len(game.events) % 12 == 5:
            posterior, places = knowledge.posterior(), true_places(game)
            for card, seat in places[:10]:
                chance = knowledge.probability({card: seat})
                assert posterior[card, seat] == pytest.approx(chance, rel=1e-11)
            held = {card: seat for card, seat in places if seat == 1 and card < 18}
            assumed = knowledge.assuming(held)
            assert engines_agree(assumed)
            assert held.items() <= assumed.certain().items()


def test_probabilities_are_one_only_when_certain():
    """A chance so near to 1 that no float tells is less than 1, unless it is certain."""
    knowledge = Knowledge(RuleSet())
    counted = {True: 10**30, False: 10**30 - 1}
    knowledge._counting.deals = lambda: counted[True]
    assert 10**30 == knowledge.deals()
    assumed = copy.copy(knowledge)
    assumed._counting.deals = lambda: counted[False]
    knowledge.assuming = lambda holds, lacks: assumed
    assert math.nextafter(1.0, 0.0) == knowledge.probability({0: 0})


def test_assumptions_that_everyone_can_refute():
    """A card that moved in the open cannot be assumed elsewhere; where it is, it may be."""
    public = Knowledge(RuleSet())
    public.observe(Asked(0, 1, 3, True))
    public.observe(Asked(0, 1, 4, False))
    assert public.deals() == public.assuming({3: 0}, lacks={3: 1}).deals()
    for holds, lacks in (({3: 1}, {}), ({}, {3: 0})):
        with pytest.raises(ContradictionError, match=r"3S|5S") as caught:
            public.assuming(holds, lacks)
        assert (ASSUMED, 1) == caught.value.events
        assert 0.0 == public.probability(holds, lacks)
    assert 1.0 == public.probability({3: 0}, lacks={3: 5})
    with pytest.raises(ContradictionError, match="what is assumed and event 2 true together"):
        public.assuming({4: 1}).deals()


def test_proofs_cite_assumptions():
    """What follows from an assumption is explained by it, as event -1."""
    rules = RuleSet(players=4)
    knowledge = Knowledge(rules, 0, cards("LS 9S TS JS QS KS 2D"))
    assumed = knowledge.assuming(lacks={parse("3D"): 1}).assuming(lacks={parse("3D"): 3})
    assert (ASSUMED, 0) == assumed.explain(parse("3D"), 2)
    proof = prove(assumed, (), {parse("3D"): 2})
    assert str(proof) == (
        "3D was dealt to A2: A1 did not have it (own hand); B1 did not have it (assumed);"
        " B2 did not have it (assumed)."
    )


def test_knowledge_of_several_hands():
    """All hands but one tell the deal; every hand known is a fact of the own hand."""
    game = Game.deal(RuleSet(players=4), seed=3)
    hands = [None, *game.dealt[1:]]
    knowledge = Knowledge.of_hands(game.rules, hands)
    assert 1 == knowledge.deals()
    assert "<Knowledge of B1 and A2 and B2 after 0 events>" == repr(knowledge)
    assert set(game.dealt[0]) == {c for c, seat in knowledge.certain().items() if seat == 0}


class TestCopies:
    """Copies of knowledge are independent, with the same answers."""

    @pytest.fixture
    def known(self):
        """A game and what one seat knows of it, with everything in use that a copy could miss."""
        rng = np.random.default_rng(43)
        for game, (knowledge,) in watched(RuleSet(max_events=60), rng, [2]):
            knowledge.posterior()
            if len(game.events) == 30:
                knowledge.possible_seats()
                return game, knowledge
        raise AssertionError

    @pytest.mark.parametrize(
        "duplicate",
        [copy.copy, copy.deepcopy, lambda k: pickle.loads(pickle.dumps(k))],
        ids=["copy", "deepcopy", "pickle"],
    )
    def test_equal_answers_now_and_later(self, known, duplicate):
        """The same deals, chances, claims, samples and proofs, and so after more events; the
        original does not notice."""
        game, knowledge = known
        twin = duplicate(knowledge)
        rng = np.random.default_rng(44)
        for _ in range(12):
            self.same(knowledge, twin)
            event = random_step(game, rng)
            twin.observe(event)
            assert knowledge.events + 1 == twin.events
            knowledge.observe(event)
        assert engines_agree(twin)
        assert not twin.posterior().flags.writeable

    def same(self, one, other):
        """Both answer everything alike, to the last bit."""
        assert one.deals() == other.deals()
        assert one.posterior().tolist() == other.posterior().tolist()
        assert one.possible_seats() == other.possible_seats()
        assert one.claims() == other.claims()
        samples = [k.sample(np.random.default_rng(1), 5).tolist() for k in (one, other)]
        assert samples[0] == samples[1]
        for card, seat in list(one.certain().items())[:2]:
            assert one.explain(card, seat) == other.explain(card, seat)

    def test_no_engine_state_is_copied(self, known):
        """A copy creates its SAT solver only when it is queried, and a pickle is small."""
        _, knowledge = known
        assert copy.copy(knowledge)._sat is None is copy.deepcopy(knowledge)._sat
        assert len(pickle.dumps(knowledge)) < 20_000


class TestText:
    """What `str` and `repr` show."""

    def test_of_a_seat(self):
        """Who, when, how many deals, what is certain, and where cards can be."""
        hand = cards("LS 9S TS JS QS KS 2D")
        knowledge = Knowledge(RuleSet(players=4), 0, hand)
        knowledge.observe(Asked(0, 1, parse("3D"), False))
        assert "<Knowledge of A1 after 1 event>" == repr(knowledge)
        lines = str(knowledge).split("\n")
        assert f"A1 after 1 event: {knowledge.deals():,} deals fit" == lines[0]
        assert "certain claims: LS A1:2S,3S,4S,5S,6S,7S" == lines[1]
        assert "LS  A1: 2S 3S 4S 5S 6S 7S" == lines[2]
        assert "LD  A1: 2D; A2 B2: 3D; B1 A2 B2: 4D 5D 6D 7D" == lines[6]
        assert 10 == len(lines)

    def test_of_everyone(self):
        """The text for the public has no hand, and names assumptions."""
        public = Knowledge(RuleSet())
        assert "<Knowledge of everyone after 0 events>" == repr(public)
        assumed = public.assuming({0: 0})
        assert "<Knowledge of everyone after 0 events, under assumptions>" == repr(assumed)

    def test_of_a_contradiction(self):
        """The text of a contradiction names the events that cannot all be true."""
        public = Knowledge(RuleSet())
        for target in (1, 3, 5):
            public.observe(Asked(0, target, 3, False))
        for target in (2, 4):
            public.observe(Asked(1, target, 3, False))
        assert "everyone after 5 events: no deal makes events 2, 3, 4 and 5 true together" == str(
            public
        )


def _weights(one: float) -> np.ndarray:
    """Weights of 1, but for one of them."""
    weights = np.ones((8, 6, 64))
    weights[3, 2, 1] = one
    return weights


def test_all_that_is_counted_agrees_with_a_plain_counter():
    """In wild games of random rules, deals, posterior, certainty, claims, layouts, held and samples
    agree with a counter that shares nothing with the engines; 3,000 positions in the slow tests."""
    assert fuzz(np.random.default_rng(42), 40) == 40


MISUSES = {
    "swapped arguments of sample": (
        lambda k: k.sample(1000, np.random.default_rng(1)),
        "write a numpy generator first and then how many deals",
    ),
    "a seed for a generator": (lambda k: k.sample(7, 10), "write a numpy generator first"),
    "a negative number of samples": (
        lambda k: k.sample(np.random.default_rng(1), -1),
        "how many deals",
    ),
    "swapped card and seat": (lambda k: k.explain(2, 40), "card 2 at seat 40 is no place"),
    "names for numbers": (lambda k: k.explain("5S", "B1"), "card '5S' at seat 'B1' is no place"),
    "a card of another deck": (lambda k: k.probability({50: 0}), "its cards are 0 to 47"),
    "a seat that is none": (lambda k: k.assuming(lacks={5: 6}), "its seats 0 to 5"),
    "a team by its name": (lambda k: k.claims("A"), "team A is 0 and team B is 1"),
    "no event": (lambda k: k.observe("ask A1 B1 2S hit"), "is no event"),
    "weights of a wrong shape": (
        lambda k: k.posterior(np.ones((8, 6))),
        r"of shape \(8, 6, 64\)",
    ),
    "a weight below 0": (lambda k: k.claims(weights=_weights(-1.0)), "numbers of at least 0"),
    "an infinite weight": (lambda k: k.posterior(_weights(math.inf)), "none of them infinite"),
    "a weight that is no number": (
        lambda k: k.sample(np.random.default_rng(1), 1, _weights(math.nan)),
        "numbers of at least 0",
    ),
    "weights in words": (lambda k: k.posterior(np.full((8, 6, 64), "1")), "numbers of at least 0"),
    "weights that are all 0": (
        lambda k: k.sample(np.random.default_rng(1), 1, np.zeros((8, 6, 64))),
        "the weights rule out every deal that fits the facts",
    ),
    "deals of a wrong shape": (lambda k: k.now(np.zeros((3, 54), np.int8)), "one a column"),
    "no rules": (lambda k: Knowledge(0, range(8)), "it must be a RuleSet"),
    "no view": (lambda k: Knowledge.of(Game.deal(RuleSet(), seed=1)), "Knowledge.of\\(game.view"),
    "a seat in words": (lambda k: Knowledge(RuleSet(), "A1", range(8)), "there is no seat 'A1'"),
}


@pytest.mark.parametrize(("misuse", "message"), MISUSES.values(), ids=MISUSES.keys())
def test_wrong_arguments_are_refused_in_words(misuse, message):
    """The error says what was given and what is expected."""
    with pytest.raises(LiteratureError, match=message):
        misuse(Knowledge(RuleSet()))
