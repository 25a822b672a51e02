"""The commands of a session: questions about the game, and corrections of its set-up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from literature_ai.assist import changes, replies
from literature_ai.assist.checking import LineError, capitalized, first_misfit, with_events
from literature_ai.assist.setup import cards_named, rules_of
from literature_ai.assist.state import State, Step, closed
from literature_ai.cards import Seat, is_card, parse_seat
from literature_ai.inference.recorded import Viewpoint
from literature_ai.records.notation import half_suit_named, half_suit_of_deck
from literature_ai.records.record import Record
from literature_ai.wording import sentence

_HELP = """\
One line an event; what is clear can be left out, small letters will do:
  b2 3d y           the player on turn asks B2 for 3D: yes (n: no)
  a1 b2 3d n        the same with the asker
  c a1 ls a1:3,4 a2:5,6 a3 y         A1 claims low spades, right
  c a1 ls a1:3,4 a2 n a1:3 b1:4 a2   wrong; then who really held the cards
                    (a seat alone holds the rest; under wrong-hides: a1:2 b1:4,
                    how many cards each hand lost)
  p a2              the turn is passed to A2
  timeout           the player on turn ran out of time
  result 3-2 unfinished              the game is broken off
Lines as a .lit file has them are read too. Commands:"""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a session."""

    usage: str
    meaning: str
    run: Callable[[State, Sequence[str]], Step]
    """With the words after the command. Raises `LineError`, or another LiteratureError."""
    changes: bool = False
    """Whether it changes the game, so that it must wait for the end of a change under way."""


def _table(state: State, words: Sequence[str]) -> Step:
    half_suits = [half_suit_of_deck(word, state.game.record.rules) for word in words]
    return state, replies.table(state.game, half_suits, state.width)


def _asks(state: State, words: Sequence[str]) -> Step:
    return state, replies.asks(state.game)


def _claims(state: State, words: Sequence[str]) -> Step:
    return state, replies.claims(state.game)


def _deals(state: State, words: Sequence[str]) -> Step:
    return state, replies.deals(state.game)


def _everything(state: State, words: Sequence[str]) -> Step:
    return state, replies.everything(state.game)


def _log(state: State, words: Sequence[str]) -> Step:
    record = state.game.record
    if not words:
        return state, replies.log(record)
    count = changes.number_in(words, max(len(record.events), 1), "log 10")
    return state, replies.log(record, count)


def _why(state: State, words: Sequence[str]) -> Step:
    rules = state.game.record.rules
    if not 1 <= len(words) <= 2:
        raise LineError("say what you ask about, as in 'why 5s', 'why 5s b2' or 'why ls'")
    if half_suit_named(words[0]) is not None:
        if len(words) == 2:
            raise LineError("a half-suit stands alone, as in 'why ls'; a card may have a seat")
        half_suit = half_suit_of_deck(words[0], rules)
        return state, replies.why_half_suit(state.game.record, state.game.knowledge, half_suit)
    if not is_card(words[0]):
        raise LineError(
            f"{words[0]!r} is no card and no half-suit; write it as in 'why 5s' or 'why ls'"
        )
    (card,) = cards_named([words[0]], rules)
    at = parse_seat(words[1], rules.players) if len(words) == 2 else None
    return state, replies.why_card(state.game.record, state.game.knowledge, card, at)


def _edit(state: State, words: Sequence[str]) -> Step:
    return changes.edit(state, words, COMMANDS)


def _insert(state: State, words: Sequence[str]) -> Step:
    return changes.insert(state, words, COMMANDS)


def _set_hand(state: State, words: Sequence[str]) -> Step:
    record, seat = state.game.record, state.game.seat
    hand = cards_named(" ".join(words).replace(",", " ").split(), record.rules)
    size = record.rules.hand_size
    if len(hand) != size:
        are = "1 card is" if len(hand) == 1 else f"{len(hand)} cards are"
        raise LineError(f"{are} named; name all {size}, as in 'hand 3s 10d ...'")
    hands = (*record.hands[:seat], hand, *record.hands[seat + 1 :])
    return _set(replace(record, hands=hands), seat, "hand")


def _set_seat(state: State, words: Sequence[str]) -> Step:
    record, seat = state.game.record, state.game.seat
    to = _one_seat(record, words, "seat a2")
    hands = list(record.hands)
    hands[seat], hands[to] = hands[to], hands[seat]
    return _set(replace(record, hands=tuple(hands)), to, "seat")


def _set_start(state: State, words: Sequence[str]) -> Step:
    record = state.game.record
    start = _one_seat(record, words, "start b1")
    return _set(replace(record, start=start), state.game.seat, "first turn")


def _set_rules(state: State, words: Sequence[str]) -> Step:
    record = state.game.record
    if not words:
        raise LineError("name all rules, as in 'rules pass-turn', or 'rules none'")
    rules = rules_of([w for word in words for w in word.split(",")], record.rules.players)
    if rules.cards == record.rules.cards and rules.card_names != record.rules.card_names:
        raise LineError("the cards have the names of this game's deck; start a new game for others")
    return _set(replace(record, rules=rules), state.game.seat, "rules")


def _one_seat(record: Record, words: Sequence[str], example: str) -> Seat:
    if len(words) != 1:
        raise LineError(f"one seat is wanted, as in '{example}'")
    return parse_seat(words[0], record.rules.players)


def _set(record: Record, seat: Seat, what: str) -> Step:
    """Put another heading above the same events."""
    record = with_events(record, record.events)
    misfit = first_misfit(record, seat)
    if misfit is not None and misfit.number:
        wrong = sentence(record.events[misfit.number - 1], record.rules.card_names)
        what = f"with that {what} event {misfit.number} would not fit ({wrong})"
        raise LineError(f"{what}:\n{capitalized(misfit.why)}")
    if misfit is not None:
        raise LineError(misfit.why)
    viewpoint = closed(Viewpoint.of(record, seat))
    return State(viewpoint=viewpoint), f"The {what} is changed.\n{replies.advice(viewpoint)}"


def _terminal(state: State, words: Sequence[str]) -> Step:
    raise LineError("only a session at a terminal or a pipe can do that")


def _help(state: State, words: Sequence[str]) -> Step:
    if words:
        word = ALIASES.get(words[0].lower(), words[0].lower())
        if word not in COMMANDS:
            raise LineError(f"{words[0]!r} is no command; help alone lists them")
        return state, f"{COMMANDS[word].usage}: {COMMANDS[word].meaning}"
    width = max(len(command.usage) for command in COMMANDS.values())
    listed = (f"  {c.usage:{width}}  {c.meaning}" for c in COMMANDS.values())
    return state, "\n".join([_HELP, *listed])


COMMANDS: dict[str, Command] = {
    "table": Command("table [LS ...]", "where each card is, in percent", _table),
    "asks": Command("asks", "all your asks, likeliest first", _asks),
    "claims": Command("claims", "what your team may claim, likeliest first", _claims),
    "why": Command("why 5S | 5S B2 | LS", "the events that prove it", _why),
    "deals": Command("deals", "how many deals fit", _deals),
    "state": Command("state", "everything about the game", _everything),
    "log": Command("log [N]", "the events with their numbers, or the last N", _log),
    "undo": Command("undo [N]", "take back the last event, or the last N", changes.undo, True),
    "edit": Command("edit 12", "enter event 12 again", _edit, True),
    "insert": Command("insert 12", "enter an event forgotten before 12", _insert, True),
    "delete": Command("delete 12", "leave event 12 out", changes.delete, True),
    "drop": Command("drop [all]", "in a change: leave this event out", changes.drop, True),
    "cancel": Command("cancel", "in a change: leave all as it was", changes.cancel, True),
    "hand": Command("hand 3S ...", "enter your cards as dealt again", _set_hand, True),
    "seat": Command("seat A2", "you sit elsewhere", _set_seat, True),
    "start": Command("start B1", "somebody else had the first turn", _set_start, True),
    "rules": Command("rules ...", "other house rules", _set_rules, True),
    "save": Command("save FILE", "save a copy in another file", _terminal),
    "load": Command("load FILE", "go on with another file", _terminal),
    "quit": Command("quit", "end; everything is saved", _terminal),
    "help": Command("help [WORD]", "this", _help),
}
"""The commands by name. ``save``, ``load`` and ``quit`` are those of the terminal."""

ALIASES = {"h": "help", "?": "help", "t": "table", "w": "why", "u": "undo", "q": "quit"}
"""Short forms of commands."""
