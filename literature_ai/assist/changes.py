"""Entering and changing events; after a change, all later events are checked again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from literature_ai.assist import replies
from literature_ai.assist.checking import (
    LineError,
    capitalized,
    first_misfit,
    with_events,
    with_line,
)
from literature_ai.assist.state import Change, State, Step, closed
from literature_ai.errors import NotationError
from literature_ai.events import Event
from literature_ai.inference.recorded import Viewpoint
from literature_ai.records.notation import EVENT_WORDS, did_you_mean, starts_event
from literature_ai.records.record import Record
from literature_ai.wording import sentence, shortened, whole_number


def enter_event(state: State, line: str, commands: Iterable[str]) -> Step:
    """Enter an event or a result, in any notation, at the end or where a change is under way."""
    record, change = state.game.record, state.change
    if change is None and record.ended:
        over = record.position()
        why = f" ({over.nothing_follows().cure})" if over.over else ""
        raise LineError(f"the game is over{why}; undo takes the last line back")
    word = line.split()[0]
    if not starts_event(word) and word.lower() != "result":
        otherwise = "write an ask as in 'b2 3d y' or 'a1 b2 3d n', or type help"
        near = did_you_mean(word, [*EVENT_WORDS, "result", *commands], otherwise)
        raise LineError(f"{word!r} is no seat, no card, no answer and no command; {near}")
    before = state.game
    if change is not None:
        before = Viewpoint.of(with_events(record, change.kept), state.game.seat)
    try:
        after = with_line(before, line)
    except NotationError as error:
        raise LineError(str(error)) from None
    rest = () if change is None else change.rest
    if after.record.ended and rest:
        raise LineError("a result stands after the last event only")
    return _fit(state, after, rest, line)


def _fit(state: State, start: Viewpoint, rest: tuple[Event, ...], line: str) -> Step:
    """Let the rest follow on the start, which is known to be right."""
    changing = state.change is not None or bool(rest)
    whole = start.record
    if rest:
        whole = with_events(whole, (*whole.events, *rest))
        misfit = first_misfit(whole, start.seat)
        if misfit is not None:
            kept, wrong = whole.events[: misfit.number - 1], whole.events[misfit.number - 1]
            change = Change(kept, whole.events[misfit.number :])
            then = replace(state, change=change, typed=(*state.typed, line))
            said = (
                f"Event {misfit.number} no longer fits ({sentence(wrong, whole.rules.card_names)}):"
            )
            return then, f"{said}\n{capitalized(misfit.why)}\n{asked_for(then)}"
    viewpoint = closed(Viewpoint.of(whole, start.seat) if rest else start)
    record = viewpoint.record
    if changing:
        said = f"Changed: {len(record.events)} events, and all of them fit."
    elif start.record.ended:
        said = "Result noted."
    else:
        said = f"{len(record.events):3}. {sentence(record.events[-1], record.rules.card_names)}"
    return State(viewpoint=viewpoint), f"{said}\n{replies.advice(viewpoint)}"


def asked_for(state: State) -> str:
    """The event that a change in progress waits for; empty when there is none."""
    if state.change is None:
        return ""
    number = len(state.change.kept) + 1
    drop = "drop to leave it out"
    if state.change.rest:
        drop += ", drop all to leave out what follows too"
    return f"Type event {number} as it was, {drop}, or cancel to leave everything as it is."


def undo(state: State, words: Sequence[str]) -> Step:
    """Take back the last events, or the result of a game broken off."""
    record = state.game.record
    broken_off = record.ended and record.position().outcome is None
    steps = len(record.events) + broken_off
    if not steps:
        raise LineError("there is no event to take back; hand, start, rules and seat change more")
    count = steps - (number_in(words, steps, "undo 2") if words else 1)
    numbers = range(len(record.events), count, -1)
    names = record.rules.card_names
    gone = [f"Took back {n}. {sentence(record.events[n - 1], names)}" for n in numbers]
    if broken_off:
        gone.insert(0, "Took back the result")
    shorter = with_events(record, record.events[:count])
    viewpoint = closed(Viewpoint.of(shorter, state.game.seat))
    return State(viewpoint=viewpoint), "\n".join([*gone, replies.advice(viewpoint)])


def edit(state: State, words: Sequence[str], commands: Iterable[str]) -> Step:
    """Ask for an event in the place of an earlier one."""
    return _change(state, words, "edit", 1, commands)


def insert(state: State, words: Sequence[str], commands: Iterable[str]) -> Step:
    """Ask for an event before an earlier one."""
    return _change(state, words, "insert", 0, commands)


def _change(
    state: State, words: Sequence[str], word: str, skips: int, commands: Iterable[str]
) -> Step:
    record = state.game.record
    number = _event_number(record, words, word)
    kept, rest = record.events[: number - 1], record.events[number - 1 + skips :]
    begun = replace(state, change=Change(kept, rest), typed=(f"{word} {number}",))
    if len(words) > 1:
        if words[1].lower() in commands:
            raise LineError(f"{words[1]!r} is no event; write it as in '{word} 12 b2 3d y'")
        return enter_event(begun, " ".join(words[1:]), commands)
    event = sentence(record.events[number - 1], record.rules.card_names)
    was = f"Event {number} is: {event}\n"
    return begun, was + asked_for(begun)


def delete(state: State, words: Sequence[str]) -> Step:
    """Leave an earlier event out."""
    record = state.game.record
    number = _event_number(record, words, "delete")
    if len(words) > 1:
        raise LineError("one event is deleted at a time, as in 'delete 12'")
    change = Change(record.events[: number - 1], record.events[number:])
    return _leave_out(replace(state, change=change), change.rest, f"delete {number}")


def drop(state: State, words: Sequence[str]) -> Step:
    """In a change: leave the event that was asked for out, or all that follows as well."""
    change = _under_way(state)
    if words and list(words) != ["all"]:
        raise LineError("write drop, or drop all")
    return _leave_out(state, () if words else change.rest, " ".join(["drop", *words]))


def _leave_out(state: State, rest: tuple[Event, ...], line: str) -> Step:
    kept = with_events(state.game.record, _under_way(state).kept)
    return _fit(state, Viewpoint.of(kept, state.game.seat), rest, line)


def cancel(state: State, words: Sequence[str]) -> Step:
    """End a change and leave everything as it was."""
    _under_way(state)
    return (
        State(viewpoint=state.game),
        f"Left as it was.\n{replies.advice(state.game)}",
    )


def _under_way(state: State) -> Change:
    if state.change is None:
        raise LineError("no event is being changed; 'edit 12' starts to change event 12")
    return state.change


def _event_number(record: Record, words: Sequence[str], word: str) -> int:
    if not record.events:
        raise LineError("there is no event yet")
    if not words:
        raise LineError(f"say which event, as in '{word} {len(record.events)}'; log lists them")
    return number_in(words[:1], len(record.events), f"{word} {len(record.events)}")


def number_in(words: Sequence[str], most: int, example: str) -> int:
    """The one number, from 1 on, that the words name. Raises `LineError` if they do not."""
    number = whole_number(words[0]) if len(words) == 1 else None
    if number is None or not 1 <= number <= most:
        limit = "only 1 is possible" if most == 1 else f"a number from 1 to {most} is possible"
        typed = shortened(" ".join(words))
        raise LineError(f"{typed!r} does not fit here; {limit}, as in '{example}'")
    return number
