"""The report: complete, self-contained, the same for the same store, and safe to open."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from tournament_helpers import game_result

from literature_ai.cli.main import main
from literature_ai.errors import FileError, LiteratureError
from tournaments.plan import Plan
from tournaments.report import write_report
from tournaments.store import Store
from tournaments.summary import summarize

EVIL = 'cmd:./bot --say "<script>alert(1)</script>&"'
TWO = Plan(("greedy", "random"), 2)
PLOTS = ("ratings.png", "game-lengths.png", "half-suits.png")


class Page(HTMLParser):
    """Checks that elements are closed in order, and collects what a browser would fetch."""

    VOID = ("meta", "link", "wbr")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.scripts = 0
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script"
        for name, value in attrs:
            if name in ("src", "href", "data", "action", "srcset", "xlink:href"):
                self.fetched.append(value)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture
def store(tmp_path):
    """A store with three teams, a name full of HTML, and a failure full of it, too."""
    failure = {"kind": "error", "seat": 2, "event": 31, "text": "Traceback\n<b>bold</b> & broken"}
    plan = Plan(("greedy", EVIL, "bots/very/far/away.py:Bot"), 2, seed=1)
    with Store.create_or_resume(tmp_path / "store.db", plan) as store:
        for a, b in plan.matchups():
            store.add((a, b), 0, [[game_result()], [game_result(1, (3, 5))]])
        store.add(
            (1, 2), 1, [[game_result(1, (0, 8), failure=failure)], [game_result(None, (4, 4))]]
        )
        yield store


def test_the_page_has_everything_and_fetches_nothing(store, tmp_path):
    """Ratings, cross table, behaviour, games, failures, command, versions; no link to anywhere."""
    write_report(store, tmp_path / "report")
    text = (tmp_path / "report" / "index.html").read_text()
    page = Page(text)
    assert page.open == []
    assert page.scripts == 0
    assert all(link == "data:," or link.startswith("#") for link in page.fetched)
    assert not re.search(r"url\((?!#)|@import", text)
    assert text.count("<svg") == 3
    for word in ("Ratings", "Matchups", "Behaviour", "Failures", "away.py:Bot", "numba"):
        assert word in page.text
    assert "literature tournament greedy 'cmd:./bot" in page.text
    assert "<b>bold</b> & broken" in page.text
    assert "4 of 6 pairs" in page.text


def test_the_same_store_gives_the_same_report(tmp_path):
    """The page and the plots, which are PNG files, are the same bytes whenever they are made."""
    with Store.create_or_resume(tmp_path / "store.db", TWO) as store:
        store.add((0, 1), 0, [[game_result()], [game_result(1, (3, 5))]])
        for folder in ("one", "two"):
            write_report(store, tmp_path / folder)
    for name in ("index.html", *PLOTS):
        one, two = ((tmp_path / folder / name).read_bytes() for folder in ("one", "two"))
        assert one == two
        assert name == "index.html" or one.startswith(b"\x89PNG\r\n")


def test_a_dollar_sign_in_a_name_is_no_mathematics(tmp_path):
    """Names of agents appear in the charts as they are, whatever matplotlib makes of dollars."""
    name = r"cmd:./bot $x_1$ $\frac{$"
    with Store.create_or_resume(tmp_path / "store.db", Plan((name, "random"), 1)) as store:
        store.add((0, 1), 0, [[game_result()], [game_result()]])
        write_report(store, tmp_path / "report")
    text = (tmp_path / "report" / "index.html").read_text()
    assert text.count(">cmd:./bot $x_1$ $\\frac{$</text>") == 3


def test_an_empty_store_has_a_report_too(tmp_path):
    """Before the first pair the report says that nothing was played."""
    with Store.create_or_resume(tmp_path / "store.db", TWO) as store:
        write_report(store, tmp_path / "report")
    assert "0 of 2 pairs" in (tmp_path / "report" / "index.html").read_text()


def test_where_it_cannot_be_written_is_named(store, tmp_path):
    """A file in the place of the folder is an error in one line."""
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match=r"cannot write .*file: file exists"):
        write_report(store, tmp_path / "file")


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("matplotlib", "a report needs matplotlib: pip install 'literature-ai"),
        ("choix", "ratings of more than two agents need choix: pip install 'literature-ai"),
    ],
)
def test_a_missing_package_is_named_before_anything_is_played(monkeypatch, capsys, missing, said):
    """Without the extra `report` the command says what to install, and plays nothing."""
    for module in ("tournaments.report", "tournaments.statistics"):
        monkeypatch.setattr(f"{module}.find_spec", lambda name: None if name == missing else name)
    assert main(["tournament", "random", "greedy", "certain", "--report", "x", "--quiet"]) == 2
    assert said in capsys.readouterr().err


def test_the_commands_write_reports(store, tmp_path, capsys):
    """`literature report STORE --report DIR` writes the page and shows the tables."""
    assert main(["report", store.path, "--report", str(tmp_path / "r")]) == 0
    assert (tmp_path / "r" / "index.html").exists()
    assert "1 game ended by a failure" in capsys.readouterr().out


def test_without_matplotlib_a_report_is_refused(store, monkeypatch, tmp_path):
    """The library says the same as the command."""
    monkeypatch.setattr("tournaments.report.find_spec", lambda name: None)
    with pytest.raises(LiteratureError, match="needs matplotlib"):
        write_report(store, tmp_path)


def test_notebooks_show_a_summary(tmp_path):
    """A summary shows itself as two tables, in which names of agents are only text."""
    with Store.create_or_resume(tmp_path / "s.db", Plan(("greedy", EVIL), 2)) as store:
        store.add((0, 1), 0, [[game_result()], [game_result()]])
        shown = summarize(store)._repr_html_()
    page = Page(shown)
    assert (page.scripts, page.fetched, page.open) == (0, [], [])
    assert shown.count("<table>") == 2
    assert "1 of 2 pairs" in page.text
    assert "<script>alert(1)</script>" in page.text
