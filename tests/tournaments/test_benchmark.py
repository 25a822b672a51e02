"""The score card: its content, reproducibility, and the verdicts of comparisons."""

from __future__ import annotations

import copy
import json

import pytest
from tournament_helpers import ASKER, FIRST, misbehaving

from literature_ai.cli.main import main
from tournaments import benchmark
from tournaments.benchmark import benchmark_plan, compare

FAILING = misbehaving("Raises")
BRIEF = ["--pairs", "6", "--rules", "max-events=150", "--quiet", "--workers", "1"]


@pytest.fixture(autouse=True)
def small_panel(monkeypatch):
    """Two quick opponents in place of the panel."""
    monkeypatch.setattr(benchmark, "PANEL", (FIRST, ASKER))


def card_of(spec, capsys, *words):
    code = main(["benchmark", spec, *BRIEF, "--json", *words])
    said = capsys.readouterr()
    assert said.out, said.err
    return code, json.loads(said.out)


@pytest.fixture
def card(capsys):
    """The card of an agent without fault."""
    code, card = card_of(ASKER, capsys)
    assert code == 0
    return card


def test_the_card_has_a_result_against_each_of_the_panel(card):
    """Score, interval, Elo, half-suits and the points of every pair, for each opponent."""
    assert [result["opponent"] for result in card["results"]] == [FIRST, ASKER]
    for result in card["results"]:
        assert len(result["points"]) == 6
        assert result["score"] == pytest.approx(sum(result["points"]) / 12)
        assert result["score_low"] <= result["score"] <= result["score_high"]
    assert set(card["behaviour"]) == set(benchmark.BEHAVIOUR)
    assert 0 < card["behaviour"]["hit_rate"]["value"] < 1
    assert card["behaviour"]["hit_rate"]["se"] > 0
    assert card["failures"] == {}


def test_an_agent_only_meets_the_panel():
    """The opponents of the panel do not meet each other."""
    assert benchmark_plan("random", 10).matchups() == [(0, 1), (0, 2)]


def test_the_same_agent_compares_as_unchanged(card, tmp_path, capsys):
    """The same code on the same deals differs in nothing."""
    (tmp_path / "before.json").write_text(json.dumps(card))
    _, again = card_of(ASKER, capsys, "--compare", str(tmp_path / "before.json"))
    changes = {change["what"]: change for change in again["comparison"]}
    assert {change["verdict"] for change in changes.values()} == {None}
    assert all(c["difference"] == 0 for what, c in changes.items() if what != "ms_per_decision")


def test_a_worse_agent_compares_as_worse(card, capsys, tmp_path):
    """An agent that forfeits every game is significantly worse, and its failures are counted."""
    (tmp_path / "before.json").write_text(json.dumps(card))
    code, worse = card_of(FAILING, capsys, "--compare", str(tmp_path / "before.json"))
    verdicts = {change["what"]: change["verdict"] for change in worse["comparison"]}
    assert code == 1
    assert verdicts[f"score against {ASKER}"] == "worse"
    assert verdicts["failures"] == "worse"
    assert worse["failures"] == {"error": 24}


def test_scores_are_compared_pair_by_pair(card):
    """Half a point more on every deal is significant, although the scores vary widely."""
    better = copy.deepcopy(card)
    better["results"][0]["points"] = [0.5, 2.0, 1.0, 0.5, 1.5, 2.0]
    worse = copy.deepcopy(better)
    worse["results"][0]["points"] = [0.0, 1.5, 0.5, 0.5, 1.0, 1.5]
    change = compare(better, worse)[0]
    assert change["verdict"] == "better"
    assert change["difference"] == pytest.approx(2.5 / 12)
    assert compare(worse, better)[0]["verdict"] == "worse"


def test_a_small_difference_is_within_chance(card):
    """One better result in six deals is not significant."""
    other = copy.deepcopy(card)
    points = other["results"][0]["points"]
    points[0] = points[0] + 0.5 if points[0] < 2 else points[0] - 0.5
    change = compare(card, other)[0]
    assert change["difference"] != 0
    assert change["verdict"] is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a score card"),
        ('{"seed": 2026}', "is not a score card"),
        (
            '{"seed": 2026, "players": 6, "rules": "max-events=150", "results": [7], '
            '"behaviour": {}}',
            "is not a whole score card",
        ),
        (
            '{"seed": 1, "players": 6, "rules": "", "results": [], "behaviour": {}}',
            "was made with seed 1, not 2026",
        ),
    ],
)
def test_what_is_no_card_of_these_deals_is_refused(text, said, tmp_path, capsys):
    """Other files and cards of other deals: one line, exit code 2."""
    (tmp_path / "other.json").write_text(text)
    assert main(["benchmark", ASKER, *BRIEF, "--compare", str(tmp_path / "other.json")]) == 2
    stderr = capsys.readouterr().err
    assert said in stderr
    assert stderr.count("\n") == 1


def test_people_see_a_card(card, capsys, tmp_path):
    """Results, behaviour and the comparison are printed as tables."""
    (tmp_path / "before.json").write_text(json.dumps(card))
    words = ["benchmark", FAILING, *BRIEF, "--compare", str(tmp_path / "before.json")]
    assert main(words) == 1
    shown = capsys.readouterr().out
    for word in ("against", "simple.py:First", "hit rate", "24 error", "compared", "worse"):
        assert word in shown
