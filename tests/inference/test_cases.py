"""The positions with exact answers in `tests/cases`, each computed twice by other programs."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from literature_ai.cards import CARD_NAMES, HALF_SUIT_NAMES, SEAT_NAMES, cards_of, parse_seat
from literature_ai.cli.main import main
from literature_ai.inference.knowledge import Knowledge
from literature_ai.inference.recorded import knowledge_of
from literature_ai.records.lit import read_games

CASES = sorted(Path(__file__).parents[1].glob("cases/case-*.lit"))
ACCURACY = 1e-9


def exact(case: Path) -> dict:
    return json.loads(case.with_suffix(".json").read_text())


def knowledge(case: Path) -> Knowledge:
    return knowledge_of(read_games(case)[0], parse_seat(exact(case)["seat"]), str(case))


def test_there_are_twenty_cases():
    """No case went missing: a glob that finds nothing would test nothing."""
    assert 20 == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_deals(case):
    """The number of consistent deals is exactly right."""
    assert exact(case)["deals"] == str(knowledge(case).deals())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_locations(case):
    """Every card in play is at every seat with its exact probability, others at none."""
    expected = exact(case)["locations"]
    posterior = knowledge(case).posterior()
    for card, row in enumerate(posterior.tolist()):
        chances = expected.get(CARD_NAMES[card], {})
        for seat, chance in enumerate(row):
            assert float(Fraction(chances.get(SEAT_NAMES[seat], 0))) == pytest.approx(
                chance, abs=ACCURACY
            )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_claims(case):
    """The best layouts, their probability and their certainty are right for every half-suit."""
    expected = exact(case)["claims"]
    found = {HALF_SUIT_NAMES[claim.half_suit]: claim for claim in knowledge(case).claims()}
    assert expected.keys() == found.keys()
    for half_suit, claim in found.items():
        answer = expected[half_suit]
        assert float(Fraction(answer["probability"])) == pytest.approx(
            claim.probability, abs=ACCURACY
        )
        assert answer["certain"] == claim.certain
        if answer["ties"] == 1:
            holders = zip(cards_of(claim.half_suit), claim.holders, strict=True)
            assert answer["holders"] == {CARD_NAMES[c]: SEAT_NAMES[s] for c, s in holders}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_sat_finds_the_same_seats_possible(case):
    """The SAT engine allows a card at a seat just where its probability is not zero."""
    seen = knowledge(case)
    possible = [
        sum(1 << seat for seat, chance in enumerate(row) if chance)
        for row in seen.posterior().tolist()
    ]
    assert possible == seen.possible_seats()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_hint_command(case, capsys):
    """`literature hint --json` prints these answers in its documented form."""
    answer = exact(case)
    assert 0 == main(["hint", str(case), "--seat", answer["seat"], "--json"])
    printed = json.loads(capsys.readouterr().out)
    assert answer["deals"] == printed["deals"]
    assert answer["locations"].keys() == printed["locations"].keys()
    for card, chances in answer["locations"].items():
        assert chances.keys() == printed["locations"][card].keys()
        for seat, chance in chances.items():
            assert float(Fraction(chance)) == pytest.approx(
                printed["locations"][card][seat], abs=ACCURACY
            )
    certain = {claim["half_suit"] for claim in printed["claims"] if claim["certain"]}
    assert {h for h, claim in answer["claims"].items() if claim["certain"]} == certain
    for claim in printed["claims"]:
        assert claim["certain"] == bool(claim["because"])
    for asks in (printed["asks"],):
        chances = [ask["probability"] for ask in asks]
        assert sorted(chances, reverse=True) == chances
