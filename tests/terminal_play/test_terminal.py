"""`literature play` as people meet it: whole games by keys only, left and taken up again."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from lively import LIVELY_AS_PROGRAM, lively_act, lively_claim
from processes import LITERATURE
from terminal import Terminal

from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES
from literature_ai.cli.main import main
from literature_ai.events import Action, Ask, Claim, Pass
from literature_ai.records.lit import read_games
from literature_ai.sessions.table import TableSession
from literature_ai.terminal_play.completion import holders_of

BOTS = Path(__file__).parents[1] / "support" / "bots"
NEW = ("--partners", "certain", "--opponents", "random", "--save", "g.lit", "--pace", "0")


def now(folder: Path) -> TableSession:
    """The session in the file, which has everything that has happened."""
    return TableSession.resumed((folder / "g.lit").read_text(), "g.lit")


def typed(session: TableSession, action: Action) -> list[str]:
    """The lines that make the move: claims by turns card after card, by six seats, and by seats."""
    seat = session.decision.seat
    names = session.rules.card_names
    match action:
        case Ask(target, card):
            return [f"{SEAT_NAMES[target]} {names[card]}".lower()]
        case Pass(to):
            return [f"p {SEAT_NAMES[to].lower()}"]
        case Claim(half_suit, holders):
            name, view = HALF_SUIT_NAMES[half_suit].lower(), session.view(seat)
            cards = range(6 * half_suit, 6 * half_suit + 6)
            if len(session.events) % 2:
                return [f"claim {name} {' '.join(SEAT_NAMES[s] for s in holders)}"]
            asked = [h for c, h in zip(cards, holders, strict=True) if len(holders_of(view, c)) > 1]
            return [f"c {name}", *(SEAT_NAMES[s].lower() for s in asked), "y"]


def move(session: TableSession) -> list[str]:
    """What the person who decides types: a random legal move that makes an event, or nothing."""
    decision = session.decision
    view = session.view(decision.seat)
    rng = np.random.default_rng((1, len(view.events), decision.seat))
    action: Action | None = lively_act(view, rng) if view.turn == view.seat else None
    if decision.off_turn and view.turn != view.seat:
        action = lively_claim(view, rng, 0.2)
    if isinstance(action, Claim):
        cards = range(6 * action.half_suit, 6 * action.half_suit + 6)
        holders = tuple(int(rng.choice(holders_of(view, card))) for card in cards)
        action = Claim(action.half_suit, holders)
    return [""] if action is None else typed(session, action)


# A terminal with completion shows no blank at the end of a prompt.
PROMPT = re.compile(r"(?:^|\n)(?:\d+ [AB]\d(?: claim\? \(.*\))?|.*look)>|Review it")


class Keys:
    """Somebody at the keyboard of a game in the folder."""

    def __init__(self, terminal: Terminal, folder: Path) -> None:
        self.terminal = terminal
        self.folder = folder
        self.shown = ""

    def prompted(self) -> bool:
        """Wait until a person is asked for a line; False when the game is over instead."""
        self.shown += self.terminal.until_any(PROMPT)
        while self.shown.endswith("look>"):
            self.terminal.type("\r")
            self.shown += self.terminal.until_any(PROMPT)
        return not self.shown.endswith("Review it")

    def move(self) -> None:
        """Make a move."""
        *first, last = move(now(self.folder))
        for line in first:
            self.terminal.type(f"{line}\r")
            self.shown += self.terminal.until_any(re.compile(r"(?:[AB]\d\)|\(y or n\))> "))
        self.terminal.type(f"{last}\r")


@contextmanager
def at(folder: Path, *words: str, columns: int = 80, kind: str = "dumb") -> Iterator[Keys]:
    """Keys to a game at a terminal."""
    with Terminal("play", *words, folder=folder, columns=columns, kind=kind) as terminal:
        yield Keys(terminal, folder)


@pytest.mark.parametrize(
    ("players", "columns", "rules", "seats"),
    [
        (4, 40, "", "A1"),
        pytest.param(6, 80, "us54", "B2", marks=pytest.mark.slow),
        pytest.param(8, 200, "pass-turn", "A3", marks=pytest.mark.slow),
        pytest.param(6, 40, "claim-any-time play-out split-claims", "A1", marks=pytest.mark.slow),
        pytest.param(4, 40, "choose-claimant without-7s", "A1,B2", marks=pytest.mark.slow),
    ],
)
def test_a_whole_game_by_keys(
    players: int, columns: int, rules: str, seats: str, tmp_path: Path
) -> None:
    """A game for each number of players is played at a terminal of 40, 80 or 200 columns, left by
    Ctrl-C, taken up, killed, taken up again and finished: no event is lost, and no line is wider
    than the terminal."""
    new = [*NEW, "--players", str(players), "--rules", rules, "--seat", seats, "--seed", "11"]
    with at(tmp_path, *new, columns=columns) as keys:
        for _ in range(2):
            assert keys.prompted()
            keys.move()
        assert keys.prompted()
        left = now(tmp_path)
        keys.terminal.type("\x03")
        keys.shown += keys.terminal.rest()
        assert keys.terminal.ended() == 0
        assert "'literature play g.lit' goes on" in " ".join(keys.shown.split())
        shown = f"{keys.shown}\n"
    assert now(tmp_path).text == left.text
    with at(tmp_path, "g.lit", "--pace", "0", columns=columns) as keys:
        assert keys.prompted()
        keys.move()
        assert keys.prompted()
        left = now(tmp_path)
        keys.terminal.kill()
        shown += f"{keys.shown}\n"
    assert now(tmp_path).text == left.text
    with at(tmp_path, "g.lit", "--pace", "0", columns=columns) as keys:
        while keys.prompted():
            keys.move()
        keys.shown += keys.terminal.rest()
        assert keys.terminal.ended() == 0
        shown += keys.shown
    assert "Not taken" not in shown
    # What is typed at a prompt may go on in the next line.
    lines = [re.sub("> .*", ">", line) for line in shown.split("\n")]
    assert [line for line in lines if len(line) > columns] == []
    (record,) = read_games(tmp_path / "g.lit")
    assert record.ended
    assert record.game().over
    assert "Dealt were:" in shown
    assert ": literature review g.lit" in " ".join(shown.split())


WRONG = {
    "b1 2s": "A1 asks for 2S, which A1 holds;",
    "b7 2d": "'b7' is no seat here; write one of A1 B1 A2 B2.",
    "b1": "the card is missing; write an ask as in 'b2 3d'.",
    "b1 3d y": "'y' is an answer; write the action alone,",
    "hnt": "'hnt' is no seat, no card and no command; did you mean 'hint'?",
    "hint": "hints are for games with a coach; 'coach on' lets one in.",
    "p a2": "A1 has cards and cannot pass the turn;",
    "c lx": "'lx' is no half-suit; write one of LS HS",
    "coach": "the coach is off; write 'coach on' or 'coach off'.",
    "log x": "'x' is no number of events; write it as in 'log 10'.",
    "save": "one file is wanted, as in 'save kitchen.lit'.",
    "wait": "it is your turn; wait is for between your turns.",
    "timeout": "a timeout is no action; write an ask, a claim or a pass.",
}
"""Lines that are not taken, each with what is said."""


def test_tab_completes(tmp_path: Path) -> None:
    """Tab brings in a word that alone may stand there, Ctrl-C clears a line that is begun, and the
    line that Tab has helped with is a move."""
    with at(tmp_path, *NEW, "--rules", "deck-54", "--seed", "3", kind="xterm") as keys:
        assert keys.prompted()
        keys.terminal.type("cl\t")
        keys.terminal.until("claim")
        keys.terminal.type("\x03")
        (ask, *_) = now(tmp_path).view(0).legal_asks
        target, card = SEAT_NAMES[ask.target], now(tmp_path).rules.card_names[ask.card]
        keys.terminal.answer(f"{target} {card}\t", f"A1 asks {target} for {card}: ")


def test_wrong_entries_are_explained(tmp_path: Path) -> None:
    """A wrong line says what would be right and changes nothing; a claim may be given up until the
    last question; Ctrl-C clears a line and Ctrl-D leaves."""
    words = [*NEW, "--players", "4", "--seed", "3"]
    with at(tmp_path, *words, kind="xterm", columns=100) as keys:
        terminal = keys.terminal
        assert keys.prompted()
        session = now(tmp_path)
        for line, shown in WRONG.items():
            terminal.answer(line, f"Not taken: {shown}")
            assert keys.prompted()
        terminal.type("cl\t")
        terminal.until("claim")
        terminal.answer(" ls a1 a1 a1", "Not taken: a1 stands twice".replace("a1", "A1"))
        assert keys.prompted()
        terminal.answer("c ls", "(y or n)>")
        terminal.answer("n", "Nothing is claimed.")
        assert keys.prompted()
        assert now(tmp_path).text == session.text
        terminal.type("b\x03\x04")
        terminal.until("Everything is saved; 'literature play g.lit' goes on.")
        assert terminal.ended() == 0


def test_the_coach_gives_hints_and_takes_back(tmp_path: Path) -> None:
    """With the coach, `hint` says whom to ask and `undo` goes back to before the own last move; the
    coach comes and goes by a word, and stays over a break."""
    words = [*NEW, "--players", "4", "--seed", "3"]
    with at(tmp_path, *words) as keys:
        keys.prompted()
        before = now(tmp_path)
        keys.terminal.answer("undo", "Not taken: only with the coach may an action be taken back.")
        keys.prompted()
        keys.terminal.answer("coach on", "The coach is on")
        keys.prompted()
        keys.terminal.answer("hint", "Your best asks: ")
        keys.prompted()
        keys.move()
        keys.prompted()
        keys.terminal.answer("undo", "Taken back:")
        assert keys.prompted()
        assert now(tmp_path).events == before.events
        keys.terminal.answer("quit", "goes on.")
    with at(tmp_path, "g.lit") as keys:
        keys.prompted()
        keys.terminal.answer("hint", "Your best asks: ")
        keys.prompted()
        keys.terminal.answer("coach off", "The coach is off.")
        keys.prompted()
        keys.terminal.answer("resign", "(yes or no)> ")
        keys.terminal.answer("no", "The game goes on.")
        keys.prompted()
        keys.terminal.answer("resign", "(yes or no)> ")
        shown = keys.terminal.answer("yes", "review g.lit")
        assert "A1 has resigned; team B wins" in shown
        assert "You have lost." in shown
        assert keys.terminal.ended() == 0
    with at(tmp_path, "g.lit") as keys:
        assert not keys.prompted()


def test_on_a_shared_screen_the_next_person_never_sees_the_last_hand(tmp_path: Path) -> None:
    """With two persons the screen is cleared before the other one is asked to look, and nothing of
    a hand is shown before they press Enter."""
    words = [*NEW, "--players", "4", "--seat", "A1,B1", "--seed", "3"]
    with at(tmp_path, *words) as keys:
        terminal, viewer = keys.terminal, ""
        for _ in range(6):
            shown = terminal.until_any(PROMPT)
            if "look" in shown:
                lines = shown.split("\n")
                assert lines.count("") >= 100
                after = shown.rpartition("\n\n\n")[2]
                assert after == f"{after[:2]}, press Enter when only you look>"
                viewer = after[:2]
                terminal.type("\r")
                shown = terminal.until_any(PROMPT)
            session = now(tmp_path)
            assert SEAT_NAMES[session.decision.seat] == viewer
            assert "holds\n" not in shown or f"{viewer} holds\n" in shown
            keys.move()


def test_time_runs_out_while_a_person_thinks(tmp_path: Path) -> None:
    """In a timed game the prompt ends by itself, and the turn is lost."""
    words = [*NEW, "--players", "4", "--rules", "turn-seconds=1", "--seed", "3"]
    with at(tmp_path, *words, kind="xterm") as keys:
        assert keys.prompted()
        keys.terminal.until("Too late.")
        keys.terminal.until("A1 runs out of time")
        assert keys.prompted()
        assert "timeout A1" in (tmp_path / "g.lit").read_text()


def test_a_bot_that_fails_is_named_and_replaced(tmp_path: Path) -> None:
    """It is said which bot failed, how, and who plays on."""
    bad = f"{BOTS / 'failing.py'}:Raises"
    words = ["--players", "4", "--partners", bad, "--opponents", LIVELY_AS_PROGRAM, "--pace", "0"]
    with at(tmp_path, *words, "--save", "g.lit", "--seed", "2", columns=200) as keys:
        while "plays on" not in keys.shown and keys.prompted():
            keys.move()
        assert f"! A2: {bad} failed with an error; greedy plays on" in keys.shown


def piped(lines: str, *words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command with these lines on its standard input."""
    return subprocess.run(
        [*LITERATURE, "play", *words], input=lines, capture_output=True, text=True, cwd=folder
    )


def test_behind_a_pipe(tmp_path: Path) -> None:
    """Lines of a pipe are moves too; the exit code is 1 if one was not taken, and the game is saved
    at the end of the input."""
    words = [*NEW, "--players", "4", "--seed", "3"]
    done = piped("hand\ntable\n", *words, folder=tmp_path)
    assert done.returncode == 0
    assert "Everything is saved; 'literature play g.lit' goes on." in done.stdout
    done = piped("b1 2s\n", "g.lit", folder=tmp_path)
    assert done.returncode == 1
    assert "Not taken: A1 asks for 2S, which A1 holds" in done.stdout
    assert done.stderr.endswith("literature: a line was not taken\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seat", "C1"], "'C1' is no seat here: write one of A1 B1 A2 B2 A3 B3"),
        (["--seat", "A1,A1"], "--seat 'A1,A1' names a seat twice; name each once"),
        (["--seat", ","], "--seat names no seat; write one, as in --seat A1"),
        (["--players", "4", "--seat", "A3"], "'A3' is no seat here: write one of A1 B1 A2 B2"),
        (["--players", "8", "--rules", "us54"], "'us54' contradicts '8 players'"),
        (["--partners", "expret"], "there is no agent 'expret'; did you mean 'expert'?"),
        (["--opponents", "random,random"], "names 2 agents for a team of 3: name one, or 3"),
        (["--seed", "-1"], "the seed -1 is negative; it must be 0 or more"),
        (["--pace", "-1"], "--pace -1 is impossible; write 0 to 60"),
        (["--save", "-"], "so it needs a file, not '-'"),
        (["--save", "no/g.lit"], "cannot write no/g.lit: there is no folder no"),
        (["--save", "old.lit"], "old.lit exists already; 'literature play old.lit' goes on with"),
        (["none.lit"], "there is no file none.lit; 'literature play --save none.lit' begins"),
        (["old.lit"], "old.lit was not written by literature play"),
        (["old.lit", "--seat", "A1"], "its own seats and rules; leave out --seat"),
    ],
)
def test_wrong_use(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One clear line and exit code 2, and no file is written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.lit").write_text("game 1\nstart A1\n")
    assert main(["play", *words]) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert [file.name for file in tmp_path.iterdir()] == ["old.lit"]
