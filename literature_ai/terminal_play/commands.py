"""What a person at a table can type besides moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from literature_ai.assist import replies
from literature_ai.cards import Seat
from literature_ai.cli.compiling import ADVICE, compile_for
from literature_ai.errors import LiteratureError
from literature_ai.inference.recorded import Viewpoint
from literature_ai.sessions.keeper import Keeper
from literature_ai.sessions.table import TableSession
from literature_ai.terminal_play import screen
from literature_ai.wording import sentence

_HELP = """\
Your moves; small letters will do, Tab completes:
  b2 3d                ask B2 for 3D
  c ls a1 a1 a2 a2 a3 a3     claim low spades: who has each card, in order
  c ls a1:3,4 a2 a3:5  the same by seats; one seat alone holds the rest
  c ls                 the same, card after card
  p a2                 pass the turn to A2, when you may or must
Commands:"""


class Leaving(Exception):
    """A person leaves the table; the reason in words."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person who decides, and what their commands work on."""

    session: TableSession
    keeper: Keeper
    seat: Seat
    ask: Callable[[str, Sequence[str]], str]
    """Asks them a question with a prompt and likely answers."""
    waiting: set[Seat]
    """The persons who want no offers before their next turn."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a person."""

    usage: str
    meaning: str
    run: Callable[[Player, Sequence[str]], str]
    """With the words after the command: what is to be said. Raises LiteratureError."""


def _hand(player: Player, words: Sequence[str]) -> str:
    return screen.hand(player.session.view(player.seat))


def _table(player: Player, words: Sequence[str]) -> str:
    return screen.table(player.session)


def _log(player: Player, words: Sequence[str]) -> str:
    record = player.session.record_for(player.seat)
    if not words:
        return replies.log(record)
    word = " ".join(words)
    if len(word) > 9 or not word.isdecimal() or not int(word):
        raise LiteratureError(f"{word[:40]!r} is no number of events; write it as in 'log 10'")
    return replies.log(record, int(word))


def _hint(player: Player, words: Sequence[str]) -> str:
    if not player.session.coach:
        raise LiteratureError("hints are for games with a coach; 'coach on' lets one in")
    compile_for(*ADVICE)
    record = player.session.record_for(player.seat)
    return replies.advice(Viewpoint.of(record, player.seat))


def _coach(player: Player, words: Sequence[str]) -> str:
    said = " ".join(words).lower()
    if said not in ("on", "off"):
        now = "on" if player.session.coach else "off"
        raise LiteratureError(f"the coach is {now}; write 'coach on' or 'coach off'")
    player.session.set_coach(said == "on")
    return "The coach is on: hint and undo are yours." if said == "on" else "The coach is off."


def _undo(player: Player, words: Sequence[str]) -> str:
    session, names = player.session, player.session.rules.card_names
    gone = session.undo(player.seat)
    first = len(session.events) + 1
    lines = [f"{number:4}. {sentence(event, names)}" for number, event in enumerate(gone, first)]
    return "\n".join(["Taken back:", *lines])


def _wait(player: Player, words: Sequence[str]) -> str:
    decision = player.session.decision
    if decision is None or not decision.off_turn:
        raise LiteratureError("it is your turn; wait is for between your turns")
    player.waiting.add(player.seat)
    player.session.answer(player.seat, None)
    return "You will not be asked for claims before your next turn."


def _save(player: Player, words: Sequence[str]) -> str:
    if len(words) != 1:
        raise LiteratureError("one file is wanted, as in 'save kitchen.lit'")
    return player.keeper.save_as(words[0], player.session.text)


def _resign(player: Player, words: Sequence[str]) -> str:
    answer = player.ask("give the game up for your team? (yes or no)> ", ("yes", "no"))
    if answer.lower() not in ("y", "yes"):
        return "The game goes on."
    player.session.resign(player.seat)
    return ""


def _quit(player: Player, words: Sequence[str]) -> str:
    raise Leaving("")


def _help(player: Player, words: Sequence[str]) -> str:
    width = max(len(command.usage) for command in COMMANDS.values())
    listed = (f"  {c.usage:{width}}  {c.meaning}" for c in COMMANDS.values())
    return "\n".join([_HELP, *listed])


COMMANDS: dict[str, Command] = {
    "hand": Command("hand", "your cards", _hand),
    "table": Command("table", "who sits where, cards, score, claims", _table),
    "log": Command("log [N]", "the events, or the last N", _log),
    "hint": Command("hint", "what is certain, whom to ask (with coach)", _hint),
    "coach": Command("coach on|off", "let a coach in, or send it away", _coach),
    "undo": Command("undo", "back to before your last move (with coach)", _undo),
    "wait": Command("wait", "claim nothing before your next turn", _wait),
    "save": Command("save FILE", "save a copy in another file", _save),
    "resign": Command("resign", "give the game up", _resign),
    "quit": Command("quit", "leave; everything is saved", _quit),
    "help": Command("help", "this", _help),
}
"""The commands by name."""

ALIASES = {"h": "help", "?": "help", "t": "table", "u": "undo", "q": "quit", "exit": "quit"}
"""Short forms of commands."""
