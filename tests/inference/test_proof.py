"""Proofs in words: they cite exactly the smallest set, and every step is true."""

import re
from dataclasses import replace

import numpy as np
import pytest
from helpers import EVERY_RULE, EVERY_RULE_SOME_SLOW, cards, random_game

from literature_ai.cards import cards_of, parse, parse_seat
from literature_ai.events import Asked, Claimed
from literature_ai.inference.argument import Argument
from literature_ai.inference.knowledge import Knowledge
from literature_ai.inference.proof import disprove, prove, prove_clash
from literature_ai.rules import RuleSet
from solver.errors import NotForcedError
from solver.problem import Holds, HoldsOneOf, NotLayout, Problem
from solver.sat import Sat

EIGHT = RuleSet(players=8)


def asked(words):
    """An ask and its answer in words: ``B2 A1 5S no``."""
    asker, target, card, answer = words.split()
    return Asked(parse_seat(asker), parse_seat(target), parse(card), answer == "yes")


def watching(rules, events, seat=None, hand=None):
    """What the seat knows after these events."""
    knowledge = Knowledge(rules, seat, hand)
    for event in events:
        knowledge.observe(event)
    return knowledge


def cited(proof):
    """The events that the words of a proof mention, each in brackets."""
    groups = re.findall(r"\(([^()]*)\)", str(proof))
    words = [word for group in groups for word in group.split(", ")]
    return sorted({0 if word == "own hand" else int(word) for word in words})


def certain_layouts(knowledge):
    """For each half-suit in play, its certain cards."""
    certain = knowledge.certain()
    for half_suit in knowledge.in_play:
        layout = {card: certain[card] for card in cards_of(half_suit) if card in certain}
        if layout:
            yield layout


@pytest.mark.parametrize(
    "rules", EVERY_RULE_SOME_SLOW, ids=lambda rules: f"{rules.players} {rules.words()}"
)
def test_words_mention_exactly_the_smallest_set(rules):
    """Under every rule, proofs and disproofs cite the events of the smallest set and no others."""
    rng = np.random.default_rng(21)
    game = random_game(rules, rng, until=110, claim=0.03)
    for seat in (None, 1):
        knowledge = watching(rules, game.events, seat, None if seat is None else game.dealt[seat])
        for layout in certain_layouts(knowledge):
            proof = prove(knowledge, game.events, layout)
            assert list(knowledge.explain_layout(layout)) == list(proof.events) == cited(proof)
        for card, seats in enumerate(knowledge.possible_seats()):
            seat = int(rng.integers(rules.players))
            if seats and not seats >> seat & 1:
                proof = disprove(knowledge, game.events, card, seat)
                assert list(proof.events) == cited(proof)


def test_words_of_clashes_mention_exactly_the_events():
    """The last answer changed from no to yes, and the proof that this cannot be cites the clash."""
    rng = np.random.default_rng(22)
    clashes = 0
    while clashes < 15:
        game = random_game(RuleSet(), rng, until=100, claim=0.0)
        moved = {event.card for event in game.events if event.hit}
        misses = [i for i, event in enumerate(game.events) if event.card not in moved]
        last = misses[rng.integers(len(misses))]
        events = [*game.events[:last], replace(game.events[last], hit=True)]
        knowledge = watching(RuleSet(), events, 0, game.dealt[0])
        if knowledge.sat.witness() is None:
            clashes += 1
            proof = prove_clash(knowledge, events)
            assert list(proof.events) == cited(proof)


@pytest.mark.parametrize(
    "rules", EVERY_RULE[::3], ids=lambda rules: f"{rules.players} {rules.words()}"
)
def test_every_conclusion_is_true(rules):
    """Whatever an argument concludes, the solver confirms; each line builds on earlier ones."""
    rng = np.random.default_rng(23)
    game = random_game(rules, rng, until=90, claim=0.03)
    knowledge = watching(rules, game.events, 0, game.dealt[0])
    argument = Argument(knowledge.problem, game.events, rules.card_names)
    argument.settle(lambda: len(argument.lines) > 40, [])
    possible = Sat(knowledge.problem).backbone()

    assert all(possible[card] == 1 << seat for card, seat in argument.placed.items())
    assert not any(possible[card] >> seat & 1 for card, seat in argument.elsewhere)
    earlier = set()
    for line in argument.lines:
        assert earlier.issuperset(map(id, line.uses))
        earlier.add(id(line))


def test_everyone_else_is_ruled_out():
    """The words name everyone who cannot have had the card, and why."""
    rules, events = RuleSet(players=4), [asked("B1 A1 5S no")]
    hand = cards("2S 3S 4S 9D TD JD QD KD 2C 3C 4C 5C")
    knowledge = watching(rules, events, parse_seat("A2"), hand)

    proof = prove(knowledge, events, {parse("5S"): 3, parse("2S"): 2, parse("3S"): 2})

    assert str(proof) == (
        "5S was dealt to B2: A1 said no (1); B1 asked for it (1); A2 did not have it (own hand).\n"
        "A2 was dealt 2S 3S (own hand)."
    )


def test_asker_had_another_card():
    """Who asks had a card of the half-suit; moves that everyone saw come last."""
    asks = ["B1 A1 3H yes", "B1 A1 4H yes", "B1 A2 5H yes", "B1 A2 6H yes", "B1 A1 2H no"]
    events = [asked(words) for words in asks]

    proof = prove(watching(RuleSet(), events), events, {parse("7H"): 1, parse("6H"): 1})

    assert str(proof) == (
        "7H was dealt to B1: B1 asked for 3H and so had one of 2H 4H 5H 6H 7H (1);"
        " B1 asked for 2H (5); 4H was A1's (2); 5H was A2's (3); 6H was A2's (4).\n"
        "B1 got 6H from A2 (4)."
    )


def test_hand_that_is_all_known():
    """A hand that is known in full has no other card."""
    claimed = Claimed(1, 0, (1,) * 6, right=True, shown=(1,) * 6)
    events = [claimed, *map(asked, ["B2 A2 9H no", "B3 A3 9H no", "B3 A4 9H no"])]
    knowledge = watching(EIGHT, events, 0, cards("2D 3D 4D 5D 6D 7D"))

    proof = prove(knowledge, events, {parse("9H"): parse_seat("B4")})

    assert str(proof) == (
        "B1's six cards are all known: 2S 3S 4S 5S 6S 7S (1).\n"
        "9H was dealt to B4: A1 did not have it (own hand); B1's six cards are all known;"
        " A2 said no (2); B2 asked for it (2); A3 said no (3); B3 asked for it (3);"
        " A4 said no (4)."
    )


def test_cards_that_are_shared_out():
    """Two players who each had one of two cards leave none for a third; the step says it counts."""
    moves = ["A1 B1 4H yes", "A1 B1 5H yes", "A1 B2 6H yes", "A1 B2 7H yes"]
    events = [asked(words) for words in [*moves, "B1 A2 4H no", "A2 B1 4H no"]]

    proof = disprove(watching(RuleSet(), events), events, parse("2H"), parse_seat("B2"))

    assert str(proof) == (
        "Counting: B1 had one of 2H 3H (5), A2 had one of 2H 3H (6), which leaves none.\n"
        "B2 was not dealt 2H: 2H was with B1 or A2."
    )
    assert [step.counting for step in proof.steps] == [True, False]


def test_hand_without_room():
    """A hand with one open place, for which a card of some half-suit is needed, has no other."""
    moves = ["A1 B1 2S yes", "A1 B1 3S yes", "A1 B1 4S yes", "A1 B1 5S yes", "A1 B1 6S yes"]
    events = [asked(words) for words in [*moves, "B1 A1 9H no"]]

    proof = disprove(watching(EIGHT, events), events, parse("2D"), parse_seat("B1"))

    assert str(proof) == (
        "Counting: B1 had room for one card besides 2S (1), 3S (2), 4S (3), 5S (4), 6S (5),"
        " and B1 had one of TH JH QH KH AH (6).\n"
        "B1 was not dealt 2D: B1 had no room for 2D."
    )


def test_supposition():
    """Where nothing follows directly, a supposition is followed until it cannot be."""
    problem = Problem(half_suits=2, hand_sizes=(3, 3, 3, 3))
    layout = (0, 1, 2, 2, 3, 3)
    events = [
        *(asked(f"A1 A2 {card} yes") for card in ("4S", "5S", "6S", "7S")),
        asked("B1 A1 4S no"),
        Claimed(0, 0, layout, right=False, shown=None),
    ]
    facts = [(number, Holds(layout[number + 1], number + 1)) for number in range(1, 5)]
    facts += [(5, HoldsOneOf(1, (0, 1))), (6, NotLayout(0, layout))]
    problem.facts += facts
    argument = Argument(problem, events, RuleSet().card_names)

    assert argument.settle(lambda: (0, 0) in argument.elsewhere, [(0, 0)])

    (line,) = argument.leading_to([argument.elsewhere[0, 0].line])
    assert line.text == "Suppose 2S had been dealt to A1."
    assert [inner.text for inner in line.supposed] == [
        "3S was dealt to B1: B1 asked for 4S and so had one of 2S 3S (5); 2S was A1's.",
        "That makes the claim right, but the claim of LS was wrong (6),"
        " though 2S 3S, 4S (1), 5S (2), 6S (3), 7S (4) lay as it said.",
    ]
    assert line.conclusion == "That cannot be, so 2S was not dealt to A1."


def test_what_no_step_reaches(monkeypatch):
    """When no deduction step applies, one step counts all hands and cites all events."""
    monkeypatch.setattr(Argument, "settle", lambda self, settled, doubts: False)
    rules, events = RuleSet(players=4), [asked("B1 A1 5S no"), asked("B1 A2 5S no")]
    knowledge = watching(rules, events)

    proof = prove(knowledge, events, {parse("5S"): 3})
    assert str(proof) == "Counting all hands together, every deal that fits gives 5S to B2 (1, 2)."

    proof = disprove(knowledge, events, parse("5S"), parse_seat("A2"))
    assert str(proof) == "Counting all hands together, no deal that fits gives 5S to A2 (2)."


def test_card_that_moved():
    """A card that everyone saw moving cannot be with anyone else, and proving its place is easy."""
    events = [asked("B1 A1 5S yes"), asked("A2 B1 5S yes")]
    knowledge = watching(RuleSet(), events)

    assert str(disprove(knowledge, events, parse("5S"), 0)) == "A2 got 5S from B1 (2)."
    assert str(prove(knowledge, events, {parse("5S"): 2})) == "A2 got 5S from B1 (2)."
    with pytest.raises(NotForcedError, match="5S is at A2"):
        disprove(knowledge, events, parse("5S"), 2)


def test_clash_in_words():
    """Two answers that contradict each other are told side by side."""
    events = [asked("B1 A1 5S no"), asked("B2 A1 5S yes")]

    proof = prove_clash(watching(RuleSet(), events), events)

    assert str(proof) == "Both cannot be: B2 got 5S from A1 (2), but A1 said no to 5S (1)."
    with pytest.raises(NotForcedError):
        prove_clash(watching(RuleSet(), events[:1]), events[:1])
