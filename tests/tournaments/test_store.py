"""The store: what it keeps, its size, and the files that it refuses and leaves unchanged."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import replace
from pathlib import Path

import damaged_store
import pytest
from tournament_helpers import game_result

from literature_ai.cli.main import main
from literature_ai.rules import RuleSet
from tournaments.plan import Plan
from tournaments.results import points
from tournaments.statistics import Sprt
from tournaments.store import FullError, Store, StoreError
from tournaments.summary import summarize

PLAN = Plan(("random", "greedy"), 4, seed=1)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.db"


def opened(path, plan=PLAN, with_records=False):
    return Store.create_or_resume(path, plan, with_records)


def test_what_is_added_comes_back(path):
    """Pairs, half-suits and counters of the store are those that were added."""
    with opened(path) as store:
        store.add((0, 1), 0, [[game_result()], [game_result(1, (3, 5))]])
        store.add((0, 1), 2, [[game_result(None, (4, 4))], [game_result(0, (8, 0))]])
    with Store.read(path) as store:
        summary = summarize(store)
        assert store.played((0, 1)) == bytearray([1, 0, 1])
    first, second = summary["agents"]
    assert (first["wins"], first["draws"], first["losses"]) == (2, 1, 1)
    assert (second["half_suits_for"], second["half_suits_against"]) == (11, 20)
    assert first["hit_rate"] == pytest.approx(30 / 52)
    (matchup,) = summary["matchups"]
    assert matchup["pentanomial"] == [0, 0, 1, 1, 0]
    assert matchup["half_suit_difference"] == pytest.approx((3 - 2 + 0 + 8) / 4)


def test_a_failure_belongs_to_the_team_that_sat_there(path):
    """In the second half the first team sits on the odd seats, and so its failure is there."""
    failure = {"kind": "crash", "seat": 1, "event": 12, "text": ""}
    with opened(path) as store:
        store.add((0, 1), 0, [[game_result(0)], [game_result(1, failure=failure)]])
        summary = summarize(store)
    assert [agent["failures"] for agent in summary["agents"]] == [{"crash": 1}, {}]


def test_a_pair_counts_once(path):
    """A pair that is added twice, as when a task ran twice, changes nothing."""
    with opened(path) as store:
        store.add((0, 1), 0, [[game_result()], [game_result()]])
        before = summarize(store)
        store.add((0, 1), 0, [[game_result(1)], [game_result(1)]])
        assert summarize(store) == before


def test_a_game_costs_less_than_400_bytes(path):
    """With all counters filled, the file grows by far less than allowed."""
    with opened(path, replace(PLAN, pairs=2000)) as store:
        for pair in range(2000):
            store.add((0, 1), pair, [[game_result()], [game_result(1)]])
    assert path.stat().st_size / 4000 < 150


def test_a_match_counts_as_won_by_whoever_won_more_games():
    """The points of a half compare the games won; as many on both sides are half a point."""
    halves = [[game_result(w) for w in won] for won in ([0, 1, 0], [1, 1, 0], [0, 1, None])]
    assert [points(games) for games in halves] == [1.0, 0.0, 0.5]


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        ({"seed": 2}, "its seed is 1, not 2"),
        ({"teams": ("random", "certain")}, "its agents are random greedy, not random certain"),
        ({"rules": RuleSet(pass_turn=True)}, "its rules are the usual ones, not pass-turn"),
        ({"rules": RuleSet(players=8)}, "its players are 6, not 8"),
        ({"match_wins": 5}, "its matches are up to None, not 5"),
        ({"gauntlet": True}, "gauntlet is False, not True"),
        ({"move_limit": 3.0}, "its move limit is 10.0, not 3.0"),
        ({"sprt": Sprt(0, 5)}, "its sprt is None, not Sprt"),
        ({"examine_every": 7}, "it examines one pair in 1, not 7"),
        ({"pairs": 3}, "it has pairs: 4, not 3"),
    ],
)
def test_another_tournament_is_refused_with_the_difference(path, other, difference):
    """A store is not continued with another seed, other agents, other rules, …"""
    opened(path).close()
    with pytest.raises(StoreError, match=difference):
        opened(path, replace(PLAN, **other))
    opened(path).close()


def test_more_pairs_of_the_same_tournament_are_welcome(path):
    """What was played stays; the plan grows."""
    with opened(path) as store:
        store.add((0, 1), 3, [[game_result()], [game_result()]])
    with opened(path, replace(PLAN, pairs=6)) as store:
        assert store.header.plan.pairs == 6
        assert store.played((0, 1)) == bytearray([0, 0, 0, 1])


def test_records_cannot_be_asked_for_later(path):
    """A store without the records of its first games will not get those of the rest."""
    opened(path).close()
    with pytest.raises(StoreError, match="records are kept: False, not True"):
        opened(path, with_records=True)


def test_records_come_back_in_order(path):
    """Records are those added, deal by deal, whatever the order they came in."""
    with opened(path, with_records=True) as store:
        for pair in (2, 0):
            halves = [[game_result(record=f"game {pair}.{half}\n")] for half in (0, 1)]
            store.add((0, 1), pair, halves)
        assert list(store.records()) == [f"game {p}.{h}\n" for p in (0, 2) for h in (0, 1)]


def test_another_version_is_refused(path, monkeypatch):
    """A store knows the version that made it."""
    opened(path).close()
    monkeypatch.setattr("tournaments.store.__version__", "9.9")
    for use in (opened, Store.resume):
        with pytest.raises(StoreError, match=r"it was made by version .*, not 9.9; go back to"):
            use(path)


def test_a_bot_that_has_changed_is_refused(path, tmp_path):
    """Results of two versions of a bot's file are not mixed."""
    bot = tmp_path / "bot.py"
    bot.write_text("one")
    plan = replace(PLAN, teams=("random", f"{bot}:Bot"))
    opened(path, plan).close()
    bot.write_text("two")
    with pytest.raises(StoreError, match=r"the code of .*bot.py was"):
        opened(path, plan)
    with pytest.raises(StoreError, match=r"the code of .*bot.py was"):
        Store.resume(path)


def test_a_second_writer_is_refused_and_a_reader_is_not(path):
    """While a tournament writes its store, another cannot, but anyone may look."""
    with opened(path) as store:
        store.add((0, 1), 0, [[game_result()], [game_result()]])
        with pytest.raises(StoreError, match="is being written by another tournament"):
            opened(path)
        with Store.read(path) as reader:
            assert reader.pairs_played() == 1
        store.add((0, 1), 1, [[game_result()], [game_result()]])
    opened(path).close()


def no_database(path: Path) -> None:
    path.write_text("game 1\nplayers 6\n" * 500)


def other_database(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE mine (precious)")
    connection.close()


def later_layout(path: Path) -> None:
    opened(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def overwritten(path: Path) -> None:
    with opened(path, replace(PLAN, pairs=2000)) as store:
        for pair in range(500):
            store.add((0, 1), pair, [[game_result()], [game_result()]])
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(os.urandom(4 * 4096))


def truncated(path: Path) -> None:
    with opened(path, replace(PLAN, pairs=2000)) as store:
        for pair in range(500):
            store.add((0, 1), pair, [[game_result()], [game_result()]])
    os.truncate(path, path.stat().st_size // 2)


def test_a_damaged_store_is_refused_or_gives_the_same_figures(tmp_path):
    """Any byte flipped: one line, or the same figures (here one byte in 211, in tests/slow all)."""
    data, before = damaged_store.make(tmp_path / "store.db")
    refused = damaged_store.flip(tmp_path / "flipped.db", data, before, range(0, len(data), 211))
    assert refused > 4


@pytest.mark.parametrize("command", ["report", "resume"])
def test_commands_refuse_a_damaged_store_in_one_line(command, tmp_path, capsys):
    """A letter changed in a traceback: exit code 2, one line that names the file and the damage."""
    path = tmp_path / "store.db"
    data, _ = damaged_store.make(path)
    place = data.rindex(b"ValueError: no idea")
    path.write_bytes(data[:place] + b"w" + data[place + 1 :])
    assert main([command, str(path)]) == 2
    error = capsys.readouterr().err
    assert "store.db is damaged (a row of failures does not have its checksum)" in error
    assert error.count("\n") == 1


def test_a_missing_row_is_damage(path):
    """Rows that are gone, checksums and all, are missed."""
    with opened(path) as store:
        store.add((0, 1), 0, [[game_result()], [game_result()]])
        store._connection.execute("DELETE FROM games WHERE half = 1")
    with pytest.raises(StoreError, match="games has 1 rows in place of 2"):
        Store.read(path)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (no_database, "is not the store of a tournament"),
        (other_database, "is not the store of a tournament"),
        (later_layout, "has the layout 99 of another version"),
        (overwritten, "damaged"),
        (truncated, "damaged"),
    ],
)
def test_what_is_no_store_is_refused_and_left_alone(path, make, said):
    """Other files, other databases and damaged stores: one line, and not a byte changed."""
    make(path)
    before = path.read_bytes()
    for use in (opened, Store.read, Store.resume):
        with pytest.raises(StoreError, match=said) as refused:
            use(path)
        assert str(path) in str(refused.value)
        assert "\n" not in str(refused.value)
    assert path.read_bytes() == before


def test_places_that_cannot_be_written_are_named(tmp_path):
    """A folder that does not exist, or a folder in place of the file: one line each."""
    for place in (tmp_path / "none" / "store.db", tmp_path):
        with pytest.raises(StoreError, match="cannot be written"):
            opened(place)
    with pytest.raises(StoreError, match="there is no such file"):
        Store.read(tmp_path / "nothing.db")


def add_all(store):
    for pair in range(store.header.plan.pairs):
        store.add((0, 1), pair, [[game_result()], [game_result()]])


def test_a_full_disk_costs_nothing_that_was_stored(path):
    """When the disk is full the store says so, and keeps all pairs written before."""
    with opened(path, replace(PLAN, pairs=5000)) as store:
        store._connection.execute("PRAGMA max_page_count = 20")
        with pytest.raises(FullError, match="disk is full; make room on the disk"):
            add_all(store)
        stored = store.pairs_played()
        assert 0 < stored < 5000
    with opened(path, replace(PLAN, pairs=5000)) as store:
        assert store.pairs_played() == stored
        store.add((0, 1), 4999, [[game_result()], [game_result()]])
