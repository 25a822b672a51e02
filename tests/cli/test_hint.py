"""`literature hint` and `literature deals`: what they print; how bad input is refused."""

import json
from pathlib import Path

import pytest
from counted import count_knowledge

from literature_ai.cli.main import main
from literature_ai.records.lit import read_games

CASES = Path(__file__).parents[1] / "cases"
FEW = str(CASES / "case-10.lit")  # 16 deals, as B2 sees it
CERTAIN = str(CASES / "case-05.lit")  # A2 holds all of high clubs


def out(capsys, *argv: str) -> str:
    assert 0 == main(list(argv))
    return capsys.readouterr().out


def test_hint_for_people(capsys):
    """Certain claims come first, with what proves them, then likely ones, asks, and all cards."""
    text = out(capsys, "hint", CERTAIN, "--seat", "A2")
    parts = ["Certain claims", "HC  A2:9C,TC,JC,QC,KC,AC", "because of", "Likely claims"]
    parts += ["Best asks", "Where the cards are", "\n9C"]
    assert sorted(parts, key=text.index) == parts
    assert "\x1b" not in text, "no colour codes where the output is no terminal"
    assert max(map(len, text.splitlines())) <= 100


def test_explanation_of_a_half_suit(capsys):
    """--explain proves a certain claim with the events that the hint names, and cites them all."""
    claim = json.loads(out(capsys, "hint", CERTAIN, "--json"))["claims"][0]
    proof = json.loads(out(capsys, "hint", CERTAIN, "--explain", "hc", "--json"))
    assert claim["because"] == proof["because"]
    assert claim["holders"] == proof["holders"]
    cited = {event for step in proof["steps"] for event in step["events"]}
    assert set(proof["because"]) == cited
    words = out(capsys, "hint", CERTAIN, "--explain", "HC").splitlines()
    assert [step["text"] for step in proof["steps"]] == [line.strip() for line in words]


def test_explanation_of_what_is_not_certain(capsys):
    """Asked to prove what is not certain, it says who may have the card, and exits with 1."""
    assert 1 == main(["hint", FEW, "--explain", "3H"])
    assert "3H is not certain: A2 or B3 has it\n" == capsys.readouterr().err


@pytest.mark.parametrize("json_or_not", [[], ["--json"]])
def test_the_knowledge_of_each_viewer_is_made_once(json_or_not, capsys, monkeypatch):
    """One for the seat and one for everyone, which observe each event once; beyond that only
    copies observe, one answer each."""
    events = len(read_games(FEW)[0].events)
    counts = count_knowledge(monkeypatch)
    out(capsys, "hint", FEW, *json_or_not)
    assert 2 == counts["init"]
    assert 2 * events <= counts["observe"] <= 2 * events + counts["copy"]


@pytest.mark.parametrize("command", ["deals FILE --seat B2", "hint FILE --explain LC"])
def test_one_viewer_is_enough(command, capsys, monkeypatch):
    """Where only one viewer matters, one knowledge is made, and it observes each event once."""
    events = len(read_games(FEW)[0].events)
    counts = count_knowledge(monkeypatch)
    main(command.replace("FILE", FEW).split())
    capsys.readouterr()
    assert {"init": 1, "observe": events} == counts


def test_hint_takes_the_only_hand(capsys):
    """Without --seat the hint is for the seat whose hand the record has."""
    assert "B2" == json.loads(out(capsys, "hint", FEW, "--json"))["seat"]


def test_deals_count(capsys):
    """`literature deals` prints the number and nothing else."""
    assert "16\n" == out(capsys, "deals", FEW, "--seat", "B2")
    assert int(out(capsys, "deals", FEW)) > 16, "the public, who sees no hand, allows more"


def test_deals_listed_and_sampled(capsys):
    """All deals are listed in a fixed order, samples are among them, and a seed repeats them."""
    listed = json.loads(out(capsys, "deals", FEW, "--seat", "B2", "--list", "99", "--json"))
    deals = [json.dumps(deal) for deal in listed["list"]]
    assert 16 == len(set(deals)) == len(deals)
    first = out(capsys, "deals", FEW, "--seat", "B2", "--list", "3").splitlines()
    assert 3 == len(first)
    ask = ("deals", FEW, "--seat", "B2", "--sample", "50", "--seed", "4", "--json")
    sampled = json.loads(out(capsys, *ask))
    assert {json.dumps(deal) for deal in sampled["sample"]} <= set(deals)
    assert sampled == json.loads(out(capsys, *ask))


def test_layouts_of_a_half_suit(capsys):
    """The layouts of a half-suit add up to one, the likeliest first, the cards where they are."""
    text = out(capsys, "deals", FEW, "--seat", "B2", "--half-suit", "lc", "--json")
    layouts = json.loads(text)["layouts"]
    chances = [layout["probability"] for layout in layouts]
    assert 1.0 == pytest.approx(sum(chances), abs=1e-12)
    assert sorted(chances, reverse=True) == chances
    hint = json.loads(out(capsys, "hint", FEW, "--json"))
    for card, seats in hint["locations"].items():
        if card.endswith("C") and card[0] in "234567":
            for seat, chance in seats.items():
                there = sum(x["probability"] for x in layouts if x["holders"][card] == seat)
                assert chance == pytest.approx(there, abs=1e-12)


HANDS = "hand A1 2S 3S 4S 9H TD JD QD KC\n"
CLASH = (
    "game 7\nhand A1 2S 3S 4S 5S 6S 9H TD JD\nstart B1\nask B1 A1 2S hit\nask B1 A1 3S hit\n"
    "ask B1 A2 9S miss\nask A2 B2 2H miss\nask B2 A1 4S hit\n"
)
TWO_GAMES = f"game 1\n{HANDS}start A1\ngame 2\n{HANDS}start A1\n"

BAD = {
    "no such file": (["hint", "no-such.lit"], "", "cannot read no-such.lit: no such file"),
    **{
        f"seat {seat} of {command}": (
            [command, "FILE", "--seat", seat],
            f"game 1\n{HANDS}start A1\n",
            f"{seat!r} is no seat here: write one of A1 B1 A2 B2 A3 B3\n",
        )
        for seat in ("Z9", "A9", "A4")
        for command in ("hint", "deals", "review", "assist")
    },
    "seat of a new game": (
        ["assist", "new.lit", "--seat", "Z9"],
        "",
        "'Z9' is no seat here: write",
    ),
    "no seat at all": (["hint", "FILE", "--seat", "C1"], "game 1\nstart A1\n", "'C1' is no seat"),
    "no hand": (
        ["hint", "FILE", "--seat", "B1"],
        f"game 1\n{HANDS}start A1\n",
        "game 1 has no hand of B1; ask for A1, or add it, as in 'hand B1 3S …' with its 8 cards",
    ),
    "no hand at all": (["hint", "FILE"], "game 1\nstart A1\n", "none: add one"),
    "several games": (["hint", "FILE"], TWO_GAMES, "holds several games; choose one of 1 2"),
    "no such game": (["deals", "FILE", "--game", "3"], TWO_GAMES, "holds no game 3; it holds 1 2"),
    "no number": (["deals", "FILE", "--list", "few"], TWO_GAMES, "'few' is no whole number"),
    "zero": (["deals", "FILE", "--sample", "0"], TWO_GAMES, "'0' must be 1 or more"),
    "no half-suit": (
        ["deals", "FILE", "--half-suit", "XX"],
        f"game 1\n{HANDS}start A1\n",
        "'XX' is no half-suit; write one of LS HS LH HH LD HD LC HC\n",
    ),
    "a number of 5,000 digits": (
        ["deals", "FILE", "--list", "1" * 5000],
        TWO_GAMES,
        "is no whole number of at most 40 digits",
    ),
    "nothing to explain": (
        ["hint", "FILE", "--explain", "XX"],
        f"game 1\n{HANDS}start A1\n",
        "'XX' is no card and no half-suit; write one as in 5S, or LS for low spades",
    ),
    "explain a card of another deck": (
        ["hint", "FILE", "--explain", "RJ"],
        f"game 1\n{HANDS}start A1\n",
        "RJ is not in this deck (the usual 48 cards); it is in deck-54 alone\n",
    ),
    "deck without it": (
        ["deals", "FILE", "--half-suit", "EJ"],
        f"game 1\n{HANDS}start A1\n",
        "EJ is not in this deck (the usual 48 cards); it is in deck-54 alone\n",
    ),
    "contradiction between lines": (
        ["replay", "FILE"],
        CLASH,
        ":8: 'ask B2 A1 4S hit': no deal makes the own hand and events 1 and 5 true together; "
        "correct it, or a hand or line 4 (ask B1 A1 2S hit)",
    ),
    "contradiction": (
        ["deals", "FILE", "--seat", "A1"],
        CLASH,
        ":8: 'ask B2 A1 4S hit': no deal makes the own hand and events 1 and 5 true together; "
        "correct it, or the hand of A1 or line 4 (ask B1 A1 2S hit)",
    ),
}


@pytest.mark.parametrize(("argv", "record", "message"), BAD.values(), ids=BAD.keys())
def test_bad_input(argv, record, message, tmp_path, capsys):
    """Bad input is one clear line on the error output, nothing on the other, and exit code 2."""
    file = tmp_path / "game.lit"
    file.write_text(record)
    assert 2 == main([str(file) if word == "FILE" else word for word in argv])
    printed = capsys.readouterr()
    assert "" == printed.out
    assert 1 == printed.err.count("\n")
    assert message in printed.err


def test_early_wrong_claims_do_not_stop_the_search(capsys):
    """After early hidden claims the first deal is listed, and a card of the own hand explained."""
    file = str(CASES / "repro" / "sat-hang.lit")
    seats = out(capsys, "deals", file, "--seat", "A2", "--list", "1").split()
    assert ["A1", "B1", "A2", "B2", "A3", "B3", "A4", "B4"] == [hand[:2] for hand in seats]
    assert "A2:QS,AS,2H,5H,6H,JH" in seats
    assert "B1 got QS from A2 (81).\n" == out(
        capsys, "hint", file, "--seat", "A2", "--explain", "QS"
    )
