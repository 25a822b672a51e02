"""Records: reading, writing, and every way to be wrong."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from helpers import EVERY_RULE, SIZES, random_game, random_rules
from hypothesis import given, settings
from hypothesis import strategies as st

from literature_ai.errors import FileError, LiteratureError, RecordError
from literature_ai.events import Asked, Claimed, Passed, TimedOut
from literature_ai.game.game import Game
from literature_ai.records.lit import read, read_games, write, write_games
from literature_ai.records.record import Record, choose
from literature_ai.rules import RuleSet

HERE = Path(__file__).parent
EXAMPLE = """\
game 17
players 4
rules claim-any-time wrong-cancels turn-seconds=30
seat A1 bayes
seat B2 cmd:./bot --fast
hand A1 2S 4S 6S TS QS AS 2H 3H 4H 5H 6H 7H
hand B1 3S 5S 7S 9S JS KS 9H TH JH QH KH AH
hand A2 2D 4D 6D TD QD AD 2C 3C 4C 5C 6C 7C
hand B2 3D 5D 7D 9D JD KD 9C TC JC QC KC AC
start A1
ask A1 B1 3S hit
ask A1 B2 5S miss
claim A2 LH A1:2H,3H,4H,5H,6H,7H right
claim B1 HC B1:9C,TC,JC B2:QC,KC,AC wrong B2:9C,TC,JC,QC,KC,AC
timeout B2
result 1-0 unfinished
"""


def bad_records() -> Iterator[tuple[str, str, str]]:
    """Name, text and message of each record in the file."""
    for entry in (HERE / "bad_records.txt").read_text(encoding="utf-8").split("\n== ")[1:]:
        name, _, rest = entry.partition("\n")
        text, _, message = rest.partition("\n=> ")
        yield name, text, message.strip("\n")


BAD = list(bad_records())


@pytest.mark.parametrize(("text", "message"), [bad[1:] for bad in BAD], ids=[bad[0] for bad in BAD])
def test_each_bad_record_is_refused_with_its_reason(text: str, message: str) -> None:
    """File, line, text, what is wrong and what would be right, to the letter."""
    with pytest.raises(RecordError) as caught:
        read(text, "bad.lit")
    assert message == str(caught.value)
    number = caught.value.line
    assert caught.value.text == text.split("\n")[number - 1]
    assert (caught.value.file, message) == (
        "bad.lit",
        f"bad.lit:{number}: {caught.value.text!r}: {caught.value.what}; {caught.value.cure}",
    )


def test_numbers_of_5000_digits_are_refused_in_one_line() -> None:
    """Numbers of 5,000 digits in rules are refused like other wrong words, in a line of some
    hundred characters."""
    for rule in ("max-events", "turn-seconds"):
        with pytest.raises(RecordError) as caught:
            read(f"game 1\nrules {rule}={'1' * 5000}\nstart A1", "bad.lit")
        message = str(caught.value)
        assert message.endswith(f"{rule} has 5000 digits; write it as in {rule}=30")
        assert message.count("\n") == 0
        assert len(message) < 400


def test_there_are_many_bad_records() -> None:
    """The file of bad records exists, and no two of its entries are equal."""
    assert len({text for _, text, _ in BAD}) == len(BAD)
    assert len(BAD) > 100


def test_the_example_says_what_it_says() -> None:
    """Every kind of line is read as the format defines it."""
    (record,) = read(EXAMPLE)
    assert record == Record(
        id="17",
        rules=RuleSet(players=4, claim_any_time=True, wrong_cancels=True, turn_seconds=30),
        start=0,
        hands=(
            (0, 2, 4, 7, 9, 11, 12, 13, 14, 15, 16, 17),
            (1, 3, 5, 6, 8, 10, 18, 19, 20, 21, 22, 23),
            (24, 26, 28, 31, 33, 35, 36, 37, 38, 39, 40, 41),
            (25, 27, 29, 30, 32, 34, 42, 43, 44, 45, 46, 47),
        ),
        names=("bayes", None, None, "cmd:./bot --fast"),
        events=(
            Asked(0, 1, 1, True),
            Asked(0, 3, 3, False),
            Claimed(2, 2, (0,) * 6, True, (0,) * 6),
            Claimed(1, 7, (1, 1, 1, 3, 3, 3), False, (3,) * 6),
            TimedOut(3),
        ),
        score=(1, 0),
        ended=True,
        unfinished=True,
    )
    assert record.lines == (11, 12, 13, 14, 15)


def test_the_canonical_text_comes_back() -> None:
    """Writing what was read from canonical text gives that text, alone and among others."""
    assert write(read(EXAMPLE)) == EXAMPLE
    assert write(read(EXAMPLE * 2)) == EXAMPLE * 2
    assert write([]) == ""


def test_people_may_write_as_they_like() -> None:
    """Case, blanks, comments, order of the heading, forms of cards and answers: all one record."""
    text = """
# a game at the club
GAME 17
   start a1      # Ann begins

hand a1  10♠ 2S 4S ♠6 QS as 7h 2H 3H 4h 5♥ 6h
SEAT B2    cmd:./bot   --fast
hand b1 3S 5S 7S 9S JS KS 9H TH JH QH KH AH
hand A2 2D 4D 6D TD QD AD 2C 3C 4C 5C 6C 7C
seat A1\tbayes
rules Wrong-Cancels, timed claim-any-time
hand B2 3D 5D 7D 9D JD KD 9C TC JC QC KC AC
Players 4
ask A1 B1 3S YES
ask a1 b2 5s -
CLAIM A2 lh A1:2H,3H,4H,5H,6H,7H Right
claim B1 h♣ B2:QC,AC,KC B1:JC,♣9,10c WRONG B2:9C,TC,JC,QC,KC,AC
timeout b2
RESULT 1-0 Unfinished
"""
    assert read(text) == read(EXAMPLE)
    assert read(text.replace("\n", "\r\n")) == read(EXAMPLE)
    assert write(read(text)) == EXAMPLE


@pytest.mark.parametrize(
    ("word", "hit"), [("hit", True), ("yes", True), ("+", True), ("miss", False), ("no", False)]
)
def test_answers_have_several_words(word: str, hit: bool) -> None:
    """hit, yes and + are the same answer; so are miss, no and -."""
    assert read(f"game 1\nstart A1\nask A1 B1 2S {word}")[0].events == (Asked(0, 1, 0, hit),)
    assert read("game 1\nstart A1\nask A1 B1 2S -")[0].events == (Asked(0, 1, 0, False),)


def test_players_may_come_from_a_preset() -> None:
    """Six by default; russian alone makes eight; both may say the same."""
    for heading, players in [("", 6), ("rules russian\n", 8), ("players 8\nrules russian\n", 8)]:
        assert read(f"game 1\n{heading}start A1")[0].rules.players == players


CASES = sorted((HERE.parent / "cases").glob("*.lit"))


@pytest.mark.parametrize("case", CASES, ids=lambda p: p.stem)
def test_the_reference_cases_are_canonical(case: Path) -> None:
    """Each of them is read, has one hand, and is written as it stands."""
    (record,) = read_games(case)
    assert len([hand for hand in record.hands if hand is not None]) == 1
    assert case.read_text(encoding="utf-8") == write([record])


class TestRoundTrip:
    """What is written is read back, for every rule."""

    @given(seed=st.integers(0, 2**32), hands=st.integers(0, 255), cut=st.integers(0, 200))
    @settings(derandomize=True, deadline=None, max_examples=150)
    def test_random_games(self, seed: int, hands: int, cut: int) -> None:
        """Whole or broken off, with any subset of hands; and the full ones play again."""
        rng = np.random.default_rng(seed)
        game = random_game(random_rules(rng), rng, until=None if cut > 150 else cut)
        names = [None if rng.integers(2) else f"name {i}" for i in range(game.rules.players)]
        ended = None if rng.integers(2) else True
        full = Record.of(game, "g-1", names, ended=ended)
        assert full.score == game.score
        known = tuple(h if hands >> s & 1 else None for s, h in enumerate(full.hands))
        records = [full, replace(full, id="g-2", hands=known)]
        text = write(records)
        assert records == read(text)
        assert text == write(read(text))
        again = full.game()
        assert (again.events, again.dealt, again.score, again.turn) == (
            game.events,
            game.dealt,
            game.score,
            game.turn,
        )
        assert (game.hand_sizes, game.outcome) == (
            full.position().hand_sizes,
            full.position().outcome,
        )

    @pytest.mark.parametrize("rules", EVERY_RULE, ids=lambda r: f"{r.players} {r.words()}")
    def test_every_rule(self, rules: RuleSet) -> None:
        """A whole game under each rule survives being written, with one hand as well."""
        record = Record.of(random_game(rules, np.random.default_rng(77)), "x")
        one = replace(record, hands=(record.hands[0], *[None] * (rules.players - 1)))
        assert [record, one] == read(write([record, one]))
        assert record.ended
        assert not record.unfinished


class TestTampering:
    """A record changed in one place does not pass for the game it was."""

    @pytest.mark.parametrize("rules", SIZES, ids=lambda r: f"{r.players} of {r.deck}")
    def test_no_answer_can_be_turned_round(self, rules: RuleSet) -> None:
        """With all hands given, the wrong answer to any ask is refused at its own line."""
        text = write([Record.of(random_game(rules, np.random.default_rng(5), until=60), "1")])
        lines = text.split("\n")
        turned = {"hit": "miss", "miss": "hit"}
        asks = [i for i, line in enumerate(lines) if line.startswith("ask")]
        assert len(asks) > 40
        for i in asks:
            *words, answer = lines[i].split()
            changed = [*lines[:i], " ".join([*words, turned[answer]]), *lines[i + 1 :]]
            with pytest.raises(RecordError, match=f"write {answer}") as caught:
                read("\n".join(changed))
            assert caught.value.line == i + 1

    @pytest.mark.parametrize("words", ["", "wrong-hides"])
    def test_no_verdict_can_be_turned_round(self, words: str) -> None:
        """With all hands given, the wrong verdict is refused, and the right one named."""
        rng = np.random.default_rng(6)
        rules = RuleSet.parse(f"play-out {words}")
        games = [random_game(rules, rng, claim=0.3) for _ in range(5)]
        lies = set()
        for lines in [write([Record.of(game, "1")]).split("\n") for game in games]:
            for i, line in enumerate(lines):
                if not line.startswith("claim"):
                    continue
                said, verdict, truth = re.split(" (right|wrong)", line)
                if verdict == "wrong":
                    lie = "right"
                else:
                    lie = f"wrong {'A1:3 B1:3' if words else _elsewhere(said)}"
                lies.add(lie.split()[0])
                with pytest.raises(RecordError) as caught:
                    read("\n".join([*lines[:i], f"{said} {lie}", *lines[i + 1 :]]))
                assert caught.value.line == i + 1
                assert f"write {verdict}{truth}" == caught.value.cure
        assert lies == {"right", "wrong"}

    def test_no_two_lines_can_be_exchanged_unnoticed(self) -> None:
        """Neighbouring events of different turns in the other order break the rules."""
        rng = np.random.default_rng(7)
        text = write([Record.of(random_game(RuleSet(), rng, until=40), "1")])
        lines = text.split("\n")
        for i, line in enumerate(lines[:-2]):
            asks = line.startswith("ask") and lines[i + 1].startswith("ask")
            if asks and line.split()[1] != lines[i + 1].split()[1]:
                swapped = [*lines[:i], lines[i + 1], line, *lines[i + 2 :]]
                with pytest.raises(RecordError, match="is not on turn"):
                    read("\n".join(swapped))


def _elsewhere(said: str) -> str:
    """A layout that differs from the claimed one: all six at another seat."""
    _, _, _, *groups = said.split()
    cards = ",".join(sorted(card for group in groups for card in group.split(":")[1].split(",")))
    seat = "B1" if groups[0].startswith("A") else "A1"
    return f"{seat}:{cards}"


class TestWrongHides:
    """Counts after a wrong claim that hides the cards."""

    FULL = EXAMPLE.split("start A1")[0].replace("claim-any-time", "claim-any-time wrong-hides")

    def test_a_full_record_needs_no_counts(self) -> None:
        """With all hands given, hidden counts are inferred when read and written out."""
        claim = "claim A1 LS A1:2S,3S,4S,5S,6S A2:7S wrong"
        bare = read(f"{self.FULL}start A1\n{claim}\n")
        assert bare[0].events == (Claimed(0, 0, (0, 0, 0, 0, 0, 2), False, None, (3, 3, 0, 0)),)
        assert bare == read(f"{self.FULL}start A1\n{claim} A1:3 B1:3\n")
        assert write(bare).endswith(f"{claim} A1:3 B1:3\n")

    def test_zero_counts_may_be_said(self) -> None:
        """Counts may include the seats that lost no cards."""
        start = "game 1\nplayers 4\nrules wrong-hides\nstart A1\nclaim A1 LS A1:2S,3S,4S,5S,6S,7S"
        few, all_four = read(f"{start} wrong B1:6"), read(f"{start} wrong B2:0 A1:0 B1:6 A2:0")
        assert few == all_four


class TestRecord:
    """`Record` by itself."""

    def test_only_a_full_record_plays_again(self) -> None:
        """A record without all hands cannot be replayed; the error names what is missing."""
        (record,) = read(EXAMPLE)
        part = replace(record, hands=(None, *record.hands[1:3], None))
        with pytest.raises(LiteratureError) as caught:
            part.game()
        assert str(caught.value) == "game 17 cannot be played again without the hands of A1 B2"

    def test_events_that_do_not_fit_the_hands_do_not_play_again(self) -> None:
        """A record built in code is checked against the rules when it is replayed."""
        (record,) = read(EXAMPLE)
        wrong = replace(record, events=(Asked(0, 3, 1, True),))
        with pytest.raises(LiteratureError, match="event 1 of game 17 does not fit its hands"):
            wrong.game()

    def test_lines_do_not_make_records_differ(self) -> None:
        """Line numbers do not affect the equality of records."""
        first, second = read(EXAMPLE * 2)
        assert first == second
        assert first.lines != second.lines
        assert hash(first) == hash(second)
        assert first == pickle.loads(pickle.dumps(first))

    def test_copies_are_the_record_itself(self) -> None:
        """A record is immutable, so its copies are the same object."""
        (record,) = read(EXAMPLE)
        assert copy.copy(record) is record is copy.deepcopy(record)
        assert [record] == copy.deepcopy([record])

    def test_its_text_is_the_canonical_one(self) -> None:
        """`str` of a record is its canonical text."""
        (record,) = read(EXAMPLE)
        assert f"{record}\n" == EXAMPLE == write([record])

    def test_its_short_form_is_one_line(self) -> None:
        """`repr` of a record is one line with the progress of the game."""
        (record,) = read(EXAMPLE)
        assert "<Record 17: 4 players, 4 hands, 5 events, 1-0, broken off>" == repr(record)
        going = read("game 1\nstart B1\nask B1 A1 2S miss")[0]
        assert "<Record 1: 6 players, 0 hands, 1 event, 0-0, A1 is on turn>" == repr(going)
        over = Record.of(random_game(RuleSet(players=4), np.random.default_rng(1)), "x")
        assert repr(over).endswith(", over>")

    @pytest.mark.parametrize("bad", ["", "two words", "a#b", " x", "x\n"])
    def test_an_id_is_one_word(self, bad: str) -> None:
        """An id that no line of a record can hold is refused."""
        with pytest.raises(LiteratureError, match="it must be one word"):
            Record.of(Game.deal(RuleSet(), seed=1), bad)

    @pytest.mark.parametrize("bad", ["", "a  b", "a # b", " a", "a\nb"])
    def test_a_name_is_words(self, bad: str) -> None:
        """A name that could not be read back is refused."""
        with pytest.raises(LiteratureError, match=r"cannot be the name of a seat"):
            Record.of(Game.deal(RuleSet(), seed=1), "1", [bad, *[None] * 5])

    def test_a_game_in_progress_has_no_result(self) -> None:
        """A record of a game in progress has no result unless it is marked as ended, then
        unfinished."""
        game = random_game(RuleSet(), np.random.default_rng(1), until=5)
        going, broken = Record.of(game, "1"), Record.of(game, "1", ended=True)
        assert [(r.ended, r.unfinished) for r in (going, broken)] == [(False, False), (True, True)]
        by_hand = Record("1", game.rules, game.start, game.dealt, going.names, game.events, (0, 0))
        assert going == by_hand
        capped = Record.of(random_game(RuleSet(max_events=4), np.random.default_rng(1)), "1")
        assert (capped.ended, capped.unfinished) == (True, True)
        assert write([capped]).endswith("result 0-0 unfinished\n")

    def test_a_finished_game_may_be_written_without_its_result(self) -> None:
        """A record without a result is one of a game in progress, wherever it got."""
        game = random_game(RuleSet(), np.random.default_rng(1))
        record = Record.of(game, "1", ended=False)
        assert [record] == read(write([record]))
        assert "result" not in write([record])

    def test_passes_are_read(self) -> None:
        """A pass names the seat that gives the turn and the seat that takes it."""
        (record,) = read("game 1\nrules pass-turn\nstart B3\npass B3 B1")
        assert record.events == (Passed(5, 1),)


class TestFiles:
    """Files that hold records, or do not."""

    def test_files_hold_records(self, tmp_path: Path) -> None:
        """What is written to a file is read from it, with UTF-8 and its byte order mark too."""
        path = tmp_path / "games.lit"
        records = read(EXAMPLE)
        write_games(records, path)
        assert path.read_bytes() == EXAMPLE.encode()
        assert records == read_games(path) == read_games(str(path))
        path.write_bytes(b"\xef\xbb\xbf" + EXAMPLE.encode())
        assert records == read_games(path)

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (None, "cannot read {}: no such file or directory"),
            (b"", "{} holds no game; a record starts with a line such as 'game 1'"),
            (b"# soon\n\n", "{} holds no game; a record starts with a line such as 'game 1'"),
            (b"game 1\nstart A1\n\xff", "{}:3: this is not UTF-8; a record is a UTF-8 text"),
            (b"\x7fELF\0\0\1", "{} is a binary file; a record is a UTF-8 text"),
        ],
        ids=["missing", "empty", "comments only", "not UTF-8", "binary"],
    )
    def test_what_is_no_record_file(self, tmp_path: Path, data: bytes | None, message: str) -> None:
        """A file that is no record is one line of error with its name and the expected format."""
        path = tmp_path / "x.lit"
        if data is not None:
            path.write_bytes(data)
        with pytest.raises(FileError) as caught:
            read_games(path)
        assert message.format(path) == str(caught.value)

    def test_a_folder_is_no_record(self, tmp_path: Path) -> None:
        """Reading or writing a folder is an error that says so."""
        with pytest.raises(FileError, match=r"cannot read .*: is a directory"):
            read_games(tmp_path)
        with pytest.raises(FileError, match=r"cannot write .*: is a directory"):
            write_games([], tmp_path)

    def test_an_error_names_the_file(self, tmp_path: Path) -> None:
        """An error of a record names the file and the line."""
        path = tmp_path / "x.lit"
        path.write_text("game 1\nstart A1\npass A1 A2\n")
        with pytest.raises(RecordError) as caught:
            read_games(path)
        assert (caught.value.file, caught.value.line) == (str(path), 3)

    def test_a_message_stays_short(self) -> None:
        """An error message is short even if the line that it quotes is long."""
        with pytest.raises(RecordError) as caught:
            read("game 1\nstart A1\n" + "x" * 100_000)
        assert len(str(caught.value)) < 600
        assert caught.value.text == "x" * 100_000

    @pytest.mark.parametrize(
        ("id", "message"),
        [
            (None, "f.lit holds several games; choose one of 1 2 b b"),
            ("3", "f.lit holds no game 3; it holds 1 2 b b"),
            ("B", "f.lit holds 2 games B; give each its own id"),
        ],
    )
    def test_choosing_a_game(self, id: str | None, message: str) -> None:
        """By id, in either case; what does not decide names the ids there are."""
        records = [read(EXAMPLE.replace("game 17", f"game {i}"))[0] for i in ("1", "2", "b", "b")]
        assert choose(records, "2", "f.lit") is records[1]
        assert choose(records[2:3], "B", "f.lit") is choose(records[2:3], None, "f.lit")
        with pytest.raises(LiteratureError) as caught:
            choose(records, id, "f.lit")
        assert message == str(caught.value)
