"""Why bots failed, and which bot it was: in tables, pages, JSON and records."""

from __future__ import annotations

import io
import json

import pytest
from tournament_helpers import game_result

from literature_ai.cards import parse_seat
from literature_ai.cli.main import main
from literature_ai.records.lit import read_games
from tournaments.benchmark import benchmark_plan, score_card
from tournaments.console import print_summary, shortened
from tournaments.plan import Plan
from tournaments.report import write_report
from tournaments.results import cause
from tournaments.store import Store
from tournaments.summary import summarize

EVIL = "cmd:./bot [bold]x[/b] :smile: \x1b[31m\u202e"
SHOWN_EVIL = r"cmd:./bot [bold]x[/b] :smile: \x1b[31m\u202e"
EVIL_TEXT = "Traceback (most recent call last):\n  File \x07\nRuntimeError: [/b] \x1b[2J no idea\n"
SHOWN_CAUSE = r"RuntimeError: [/b] \x1b[2J no idea"
FAILING_BOT = """
from literature_ai import Agent, Claim, Pass

class Bot(Agent):
    def act(self, view):
        if len(view.events) > 5:
            raise RuntimeError("no \\x1b[31m[/b] idea")
        if view.legal_asks:
            return view.legal_asks[0]
        if view.legal_passes:
            return Pass(view.legal_passes[0])
        return Claim(view.in_play[0], (view.seat,) * 6)
"""
OTHER_BOT = FAILING_BOT.replace("> 5", "> 5000")


@pytest.fixture
def store(tmp_path):
    """A store of a good agent and one whose name and failures are full of markup and controls."""
    plan = Plan(("greedy", EVIL), 3, seed=1)
    error = {"kind": "error", "seat": 3, "event": 31, "text": EVIL_TEXT}
    crash = {"kind": "crash", "seat": 2, "event": 7, "text": "out of memory\nended by signal 9"}
    with Store.create_or_resume(tmp_path / "store.db", plan) as store:
        for pair in (0, 1):
            half = [game_result(0, (8, 0), failure=error)]
            store.add((0, 1), pair, [half, [game_result()]])
        store.add((0, 1), 2, [[game_result()], [game_result(0, (8, 0), failure=crash)]])
        yield store


def shown(summary, monkeypatch) -> str:
    """What the tables print, on a terminal that is wide enough."""
    out = io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("tournaments.console.PIPED_WIDTH", 300)
    print_summary(summary)
    return out.getvalue()


def test_the_json_has_kind_event_and_last_line_of_each_cause(store):
    """Each cause once, with the number of its games and the first of them."""
    error, crash = summarize(store)["causes"]
    assert {
        "agent": EVIL,
        "kind": "error",
        "cause": "RuntimeError: [/b] \x1b[2J no idea",
        "games": 2,
        "against": "greedy",
        "pair": 1,
        "half": 1,
        "seat": "B2",
        "event": 31,
    } == error
    assert (crash["kind"], crash["cause"]) == ("crash", "out of memory | ended by signal 9")
    assert (crash["pair"], crash["half"], crash["seat"], crash["event"]) == (3, 2, "A2", 7)


def test_the_tables_show_causes_and_text_of_others_as_it_is(store, monkeypatch):
    """`[/b]`, `[bold]` and `:smile:` are no markup, control characters are shown, not obeyed."""
    text = shown(summarize(store), monkeypatch)
    assert "3 games ended by a failure of an agent" in text
    assert SHOWN_CAUSE in text
    assert "out of memory | ended by signal 9" in text
    assert "pair 1, B2 after event 31" in text
    assert text.count(SHOWN_EVIL) == 5
    assert not {c for c in text if not c.isprintable()} - {"\n"}


def test_the_page_shows_causes_and_text_of_others_as_it_is(store, tmp_path):
    """The report escapes control characters too, and shows the cause before the whole text."""
    write_report(store, tmp_path / "report")
    text = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert f"<summary>{SHOWN_CAUSE}</summary>" in text
    assert SHOWN_EVIL in text
    assert not {c for c in text if not c.isprintable()} - {"\n", "\t"}


def test_names_in_any_writing_are_reported_without_noise(tmp_path):
    """Characters that the font of the charts lacks are no warning, and stand on the page."""
    with Store.create_or_resume(tmp_path / "store.db", Plan(("日本.py:Bot", "b"), 1)) as store:
        store.add((0, 1), 0, [[game_result()], [game_result()]])
        write_report(store, tmp_path / "report")
    assert "日本.py" in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")


def test_very_many_causes_are_counted_not_listed(tmp_path):
    """The first 20 causes are listed, whatever a bot puts into its messages."""
    with Store.create_or_resume(tmp_path / "store.db", Plan(("a", "b"), 50)) as store:
        for pair in range(50):
            failure = {"kind": "error", "seat": 1, "event": pair, "text": f"Error: {pair}"}
            store.add((0, 1), pair, [[game_result(failure=failure)], [game_result()]])
        summary = summarize(store)
    assert [f"Error: {n}" for n in range(20)] == [each["cause"] for each in summary["causes"]]
    assert summary["agents"][1]["failures"] == {"error": 50}


def test_a_score_card_has_the_causes_too(tmp_path):
    """`benchmark` says why its agent failed."""
    plan = benchmark_plan("mine", pairs=1)
    failure = {"kind": "error", "seat": 0, "event": 3, "text": EVIL_TEXT}
    with Store.create_or_resume(tmp_path / "store.db", plan) as store:
        for matchup in plan.matchups():
            store.add(matchup, 0, [[game_result(1, failure=failure)], [game_result()]])
        (why,) = score_card(store)["causes"]
    assert (why["agent"], why["kind"], why["games"]) == ("mine", "error", 4)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ""),
        ("  \n\n", ""),
        ("no answer within 2 seconds", "no answer within 2 seconds"),
        ("Traceback (most recent call last):\n  File x\nKeyError: 1\n", "KeyError: 1"),
        ("Traceback (most recent call last):\nKeyError: 1", "KeyError: 1"),
        ("ValueError: two\nlines", "ValueError: two | lines"),
        ("x" * 500, "…" + "x" * 199),
    ],
)
def test_the_cause_is_the_end_of_the_text(text, line):
    """The last line, with the one before if that is no line of a traceback."""
    assert line == cause(text)


@pytest.mark.parametrize(
    ("specs", "names"),
    [
        (["v1/bot.py:Bot", "v2/bot.py:Bot"], ["v1/bot.py:Bot", "v2/bot.py:Bot"]),
        (["/a/v1/x/bot.py:Bot", "/a/v2/x/bot.py:Bot"], ["v1/x/bot.py:Bot", "v2/x/bot.py:Bot"]),
        (["a/bot.py:Bot", "bot.py:Bot"], ["a/bot.py:Bot", "bot.py:Bot"]),
        (["/bot.py:Bot", "./bot.py:Bot"], ["/bot.py:Bot", "./bot.py:Bot"]),
        (["a/one.py:Bot", "a/two.py:Bot"], ["one.py:Bot", "two.py:Bot"]),
        (["a/b.py:X:depth=1", "c/b.py:X:depth=2"], ["b.py:X:depth=1", "b.py:X:depth=2"]),
        (
            ["v1/a.py:A,v1/b.py:B", "v1/a.py:A,v2/b.py:B"],
            ["v1/a.py:A,v1/b.py:B", "v1/a.py:A,v2/b.py:B"],
        ),
        (["cmd:./bots/x --f", "greedy"], ["cmd:./bots/x --f", "greedy"]),
    ],
)
def test_two_bots_with_the_same_last_name_are_told_apart(specs, names):
    """`v1/bot.py:Bot` and `v2/bot.py:Bot` keep their folders; names that differ lose them."""
    assert dict(zip(specs, names, strict=True)) == shortened(specs)


def test_a_forfeited_record_says_who_forfeited_and_why(tmp_path, monkeypatch, capsys):
    """Records of a tournament between two bots of one name, one of which fails in every game.

    A comment line has seat, event, kind and cause; the record can be read back; the tables tell
    the bots apart.
    """
    monkeypatch.chdir(tmp_path)
    for folder, code in (("v1", FAILING_BOT), ("v2", OTHER_BOT)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text(code)
    words = ["v1/bot.py:Bot", "v2/bot.py:Bot", "--pairs", "1", "--rules", "max-events=40"]
    words += ["--workers", "1", "--quiet", "--games-out", "games.lit"]
    assert main(["tournament", *words]) == 1
    text = capsys.readouterr().out
    assert "v1/bot.py:Bot - v2/bot.py:Bot" in text
    assert r"RuntimeError: no \x1b[31m[/b] idea" in text
    lines = (tmp_path / "games.lit").read_text(encoding="utf-8").splitlines()
    comments = [line for line in lines if line.startswith("#")]
    records = read_games("games.lit")
    assert len(records) == len(comments) == 2
    for record, comment in zip(records, comments, strict=True):
        events = len(record.events)
        assert f" forfeited after event {events} (error): RuntimeError: no \\x1b[31m" in comment
        assert record.names[parse_seat(comment[2:4])] == "v1/bot.py:Bot"


def test_a_spec_with_control_characters_can_have_records(tmp_path, monkeypatch):
    """Names in records are what remains printable of specs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b\x1b[1m.py").write_text(OTHER_BOT)
    words = ["b\x1b[1m.py:Bot", "random", "--pairs", "1", "--rules", "max-events=40"]
    assert main(["tournament", *words, "--workers", "1", "--quiet", "--games-out", "g.lit"]) == 0
    assert "b [1m.py:Bot" in {name for game in read_games("g.lit") for name in game.names}


def test_a_stopped_run_shows_the_failure_without_obeying_it(tmp_path, monkeypatch, capsys):
    """`--strict` prints the traceback of a bot with its control characters escaped."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text(FAILING_BOT)
    words = ["bot.py:Bot", "random", "--pairs", "1", "--workers", "1", "--quiet", "--strict"]
    assert main(["tournament", *words]) == 1
    error = capsys.readouterr().err
    assert r"RuntimeError: no \x1b[31m[/b] idea" in error
    assert "\x1b" not in error


def test_the_summary_is_json(store):
    """Whatever bots say, the summary is ASCII text of JSON."""
    assert json.loads(json.dumps(summarize(store)))["causes"][0]["agent"] == EVIL
    assert json.dumps(summarize(store)).isascii()
