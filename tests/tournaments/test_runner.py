"""Tournaments from the plan to the summary: pairs, determinism, executors, records, exit codes."""

from __future__ import annotations

import itertools
import json
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from tournament_helpers import ASKER, DAWDLER, FIRST, SEER, TOGETHER, play_plan

from literature_ai.cli.main import main
from literature_ai.game.position import Outcome, Termination
from literature_ai.records.lit import read, read_games
from literature_ai.rules import RuleSet
from tournaments.plan import Half, Plan, PlanError
from tournaments.statistics import Sprt
from tournaments.store import Store

SHORT = RuleSet(max_events=60)


def test_both_halves_of_a_pair_play_the_same_deal_and_start(tmp_path):
    """A pair is one deal played twice from the same seat, the teams changing seats."""
    plan = Plan((ASKER, FIRST), 3, SHORT, seed=5)
    _, records = play_plan(tmp_path / "store", plan, with_records=True)
    (tmp_path / "games.lit").write_text("\n".join(records))
    games = read_games(tmp_path / "games.lit")
    assert len(games) == 6
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert (one.hands, one.start) == (other.hands, other.start)
        assert one.names == (ASKER, FIRST) * 3
        assert other.names == (FIRST, ASKER) * 3
    assert len({game.hands for game in games}) == 3


def test_all_matchups_play_the_same_deals():
    """The deal of a pair depends on the seed and the pair's number, not on who plays."""
    plan = Plan((ASKER, FIRST, TOGETHER), 2, SHORT, seed=3)
    assert plan.matchups() == [(0, 1), (0, 2), (1, 2)]
    deals = {
        pair: {
            Half(matchup, pair, half).next_game(plan, []).dealt
            for matchup, half in itertools.product(plan.matchups(), (0, 1))
        }
        for pair in range(2)
    }
    assert [len(deals[0]), len(deals[1]), len(deals[0] | deals[1])] == [1, 1, 2]


def test_no_two_players_share_random_numbers():
    """Each seat of each game has its own random stream."""
    plan = Plan((ASKER, FIRST), 2, SHORT, seed=3)
    first_numbers = [
        int(rng.integers(2**62))
        for pair, half, number in itertools.product(range(2), (0, 1), range(2))
        for rng in Half((0, 1), pair, half).generators(plan, number)
    ]
    assert len(set(first_numbers)) == 2 * 2 * 2 * 6


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The results of a tournament with one worker and one game at a time."""
    plan = Plan((ASKER, TOGETHER, FIRST), 6, SHORT, seed=9, examine_every=3)
    path = tmp_path_factory.mktemp("reference") / "store"
    return plan, play_plan(path, plan, with_records=True, workers=1, batch_size=1)


@pytest.mark.parametrize(("workers", "batch_size"), [(2, 1), (1, 64), (3, 5)])
def test_results_do_not_depend_on_workers_and_batches(reference, tmp_path, workers, batch_size):
    """Summary and records are the same bytes for any number of workers and batch size."""
    plan, expected = reference
    actual = play_plan(tmp_path / "store", plan, True, workers=workers, batch_size=batch_size)
    assert actual == expected


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_any_executor_gives_the_same_results(reference, tmp_path, pool):
    """A standard pool of threads, or of processes, plays the same tournament."""
    plan, expected = reference
    with pool(2) as executor:
        assert play_plan(tmp_path / "store", plan, True, executor=executor) == expected


def test_deciding_together_is_the_same_as_deciding_alone(reference):
    """An agent with `act_many` plays exactly like the same agent without."""
    _, (summary, _) = reference
    (matchup,) = [m for m in summary["matchups"] if (m["a"], m["b"]) == (ASKER, TOGETHER)]
    assert matchup["pair_correlation"] in (None, pytest.approx(-1))
    assert matchup["pentanomial"] == [0, 0, 6, 0, 0]


def test_summary_agree_with_the_records(reference):
    """Games, half-suits, asks and claims of the summary are those of the records."""
    _, (summary, records) = reference
    asker = summary["agents"][0]
    mine = [r for r in records if ASKER in r]
    assert asker["games"] == len(mine) == 24
    assert asker["wins"] + asker["draws"] + asker["losses"] == 24
    assert asker["unfinished"] == sum("unfinished" in record for record in mine)
    games = [game for record in mine for game in read(record)]
    mine_at = [[s for s, name in enumerate(game.names) if name == ASKER] for game in games]
    won = sum(game.score[seats[0] % 2] for game, seats in zip(games, mine_at, strict=True))
    assert asker["half_suits_for"] == won


def test_matches_are_series_up_to_a_number_of_wins(tmp_path):
    """In a tournament of matches each half is played until a team has won as often as asked."""
    plan = Plan((ASKER, FIRST), 2, RuleSet(max_events=300), seed=1, match_wins=2, examine_every=0)
    summary, records = play_plan(tmp_path / "store", plan, with_records=True)
    asker = summary["agents"][0]
    assert asker["wins"] + asker["draws"] + asker["losses"] == 4
    assert asker["games"] == len(records) >= 8
    assert summary["match_wins"] == 2


def test_a_match_goes_on_from_the_games_that_were_played():
    """The next game of a half follows from the outcomes before it."""
    plan = Plan((ASKER, FIRST), 1, SHORT, seed=1, match_wins=2)
    half = Half((0, 1), 0, 0)
    won, lost = (Outcome((5, 1), side, Termination.MAJORITY) for side in (0, 1))
    second = half.next_game(plan, [won])
    assert second is not None
    assert second.start % 2 == 1
    assert half.next_game(plan, [won, lost]) is not None
    assert half.next_game(plan, [won, lost, won]) is None


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"teams": ("random",)}, "needs at least two agents"),
        ({"pairs": 0}, "pairs must be at least 1, not 0"),
        ({"seed": -1}, "seed must be at least 0, not -1"),
        ({"match_wins": 0}, "match-wins must be at least 1"),
        ({"move_limit": 0.0}, "move-limit must be more than 0 seconds"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(wrong, said):
    """Numbers out of range are named with what would be right."""
    with pytest.raises(PlanError, match=said):
        Plan(**{"teams": ("random", "greedy"), "pairs": 1, **wrong})


def test_a_plan_survives_json():
    """The plan that a worker gets is the plan that was sent."""
    plan = Plan(
        ("a", "b"),
        7,
        RuleSet.parse("us54 turn-seconds=5"),
        seed=3,
        match_wins=2,
        gauntlet=True,
        move_limit=1.5,
        open_cards=True,
        sprt=Sprt(0, 5),
        examine_every=4,
    )
    assert Plan.from_json(json.loads(json.dumps(plan.to_json()))) == plan


def test_the_command_prints_json_and_writes_the_games(tmp_path, capsys):
    """`literature tournament … --json --games-out` gives the promised fields, and exit code 0."""
    games = tmp_path / "games.lit"
    code = main(
        [
            *("tournament", ASKER, FIRST, "--pairs", "2", "--seed", "4", "--workers", "1"),
            *("--rules", "max-events=60", "--json", "--games-out", str(games)),
        ]
    )
    printed = capsys.readouterr()
    summary = json.loads(printed.out)
    assert code == 0
    assert "pair" in printed.err
    assert set(summary) >= {
        *("seed", "pairs", "rules", "seconds", "games_per_second", "agents", "matchups")
    }
    assert set(summary["agents"][0]) >= {
        *("spec", "elo", "elo_low", "elo_high", "score", "games", "wins", "draws", "losses"),
        *("unfinished", "half_suits_for", "half_suits_against", "hit_rate", "claims_right"),
        *("claims_wrong", "claim_delay", "ms_per_decision", "failures"),
    }
    assert set(summary["matchups"][0]) >= {
        *("a", "b", "pairs", "score", "elo", "elo_low", "elo_high", "pentanomial"),
        *("half_suit_difference", "half_suit_difference_se", "pair_correlation"),
    }
    assert len(read_games(games)) == 4


def test_the_command_prints_tables(capsys):
    """Without --json the output is tables with every agent in them."""
    code = main(
        [
            *("tournament", ASKER, FIRST, TOGETHER, "--pairs", "1", "--workers", "1"),
            *("--rules", "max-events=60", "--quiet"),
        ]
    )
    printed = capsys.readouterr()
    assert code == 0
    assert "pair" not in printed.err
    for word in ("simple.py:Asker", "simple.py:First", "Together", "Elo", "half-suits", "delay"):
        assert word in printed.out


def test_a_sequential_test_stops_at_the_same_pair_whoever_plays(tmp_path):
    """The decision is taken in the order of pairs, so it does not depend on workers or luck."""
    test = Sprt(-400, 0, alpha=0.1, beta=0.1)
    plan = Plan((FIRST, ASKER), 400, SHORT, seed=2, sprt=test, examine_every=0)
    one, _ = play_plan(tmp_path / "one", plan, workers=1)
    many, _ = play_plan(tmp_path / "many", plan, workers=3)
    assert one == many
    (matchup,) = one["matchups"]
    assert one["sprt"]["accepted"] in ("elo0", "elo1")
    assert matchup["pairs"] < 400
    assert test.decide(matchup["pentanomial"]) == one["sprt"]["accepted"]


def test_an_undecided_test_says_so(tmp_path, capsys):
    """With too few pairs nothing is accepted, and the output has the bounds."""
    code = main(
        [
            *("tournament", FIRST, ASKER, "--pairs", "2", "--sprt", "0,5", "--workers", "1"),
            *("--rules", "max-events=60", "--quiet"),
        ]
    )
    assert code == 0
    assert "normalized Elo 0 against 5: not decided" in capsys.readouterr().out


def test_a_decided_tournament_plays_no_more(tmp_path):
    """Resuming a store whose test is decided adds no pair."""
    plan = Plan((FIRST, ASKER), 400, SHORT, seed=2, sprt=Sprt(-400, 0), examine_every=0)
    first, _ = play_plan(tmp_path / "store", plan)
    with Store.read(tmp_path / "store") as store:
        pairs = store.pairs_played()
    assert play_plan(tmp_path / "store", plan) == (first, [])
    with Store.read(tmp_path / "store") as store:
        assert store.pairs_played() == pairs


def test_a_decision_that_comes_too_late_loses_the_turn(tmp_path):
    """Under turn-seconds the game goes on with a timeout; that is no failure."""
    plan = Plan((DAWDLER, FIRST), 1, RuleSet(max_events=40, turn_seconds=1), seed=1)
    summary, records = play_plan(tmp_path / "store", plan, with_records=True)
    assert [agent["failures"] for agent in summary["agents"]] == [{}, {}]
    for record in records:
        assert 1 <= record.count("\ntimeout ") <= 3


def test_a_team_may_have_another_agent_on_each_seat(tmp_path):
    """A list of specs seats them in order, whichever side the team plays on."""
    plan = Plan((f"{ASKER},{FIRST},{TOGETHER}", ASKER), 1, SHORT, seed=1)
    _, (one, other) = play_plan(tmp_path / "store", plan, with_records=True)
    for seat, spec in (("A1", ASKER), ("A2", FIRST), ("A3", TOGETHER), ("B2", ASKER)):
        assert f"seat {seat} {spec}\n" in one
    for seat, spec in (("B1", ASKER), ("B2", FIRST), ("B3", TOGETHER), ("A2", ASKER)):
        assert f"seat {seat} {spec}\n" in other


def test_agents_that_see_all_cards_need_a_flag(capsys):
    """Without --open-cards they are not seated; with it they are shown the deal."""
    words = ["tournament", SEER, FIRST, "--pairs", "1", "--workers", "1", "--quiet"]
    words += ["--rules", "max-events=40", "--json"]
    assert main(words) == 2
    assert "--open-cards" in capsys.readouterr().err
    assert main([*words, "--open-cards"]) == 0
    assert json.loads(capsys.readouterr().out)["agents"][0]["failures"] == {}


def test_eight_players_and_every_preset_can_be_play_plan(tmp_path):
    """Tournaments are not tied to six players or to one deck."""
    for number, words in enumerate(("russian", "us54", "pagat", "timed")):
        rules = RuleSet.parse(f"{words} max-events=40")
        summary, _ = play_plan(tmp_path / str(number), Plan((ASKER, FIRST), 1, rules))
        assert summary["matchups"][0]["pairs"] == 1
