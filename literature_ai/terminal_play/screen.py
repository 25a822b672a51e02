"""What a person at a terminal reads: hand, table, events and the end of a game, in lines."""

from __future__ import annotations

from itertools import groupby

from literature_ai.cards import (
    HALF_SUIT_NAMES,
    SEAT_NAMES,
    TEAM_NAMES,
    Card,
    Seat,
    half_suit_of,
    team_of,
)
from literature_ai.events import Claimed
from literature_ai.game.text import hand_text, score_text
from literature_ai.game.view import View
from literature_ai.sessions.seats import Person, Replacement, name_of
from literature_ai.sessions.seen import EVERYONE
from literature_ai.sessions.table import Step, TableSession
from literature_ai.wording import card_names, sentence


def greeting(session: TableSession) -> str:
    """Who plays, and by which rules."""
    persons = " and ".join(SEAT_NAMES[seat] for seat in session.persons)
    return f"{session.rules}. You play {persons or 'nobody'}.\n{seats(session)}"


def seats(session: TableSession) -> str:
    """Who sits where, with their cards: a line each, the seat on turn marked."""
    view = session.view(0)
    names = [
        "you" if isinstance(occupant, Person) else name_of(occupant) or "nobody"
        for occupant in session.occupants
    ]
    width = min(max(map(len, names)), 20)
    lines = []
    for seat, (name, size) in enumerate(zip(names, view.hand_sizes, strict=True)):
        mark = ">" if seat == view.turn and not session.over else " "
        lines.append(f"{mark} {SEAT_NAMES[seat]}  {name:{width}}  {size:2} cards")
    return "\n".join(lines)


def table(session: TableSession) -> str:
    """Who sits where, the score, and what has been claimed by whom."""
    view = session.view(0)
    lines = [seats(session), f"Score: {score_text(view.score)}."]
    lines.append(f"In play: {' '.join(HALF_SUIT_NAMES[h] for h in view.in_play) or 'nothing'}.")
    claimed = [
        f"{HALF_SUIT_NAMES[e.half_suit]} by {SEAT_NAMES[e.claimant]}{'' if e.right else ' (wrong)'}"
        for e in view.events
        if isinstance(e, Claimed)
    ]
    if claimed:
        lines.append(f"Claimed: {', '.join(claimed)}.")
    return "\n".join(lines)


def hand(view: View) -> str:
    """The hand, a line for each half-suit."""
    if not view.hand:
        return f"{SEAT_NAMES[view.seat]} has no cards."
    names = view.rules.card_names
    return "\n".join(
        f"  {HALF_SUIT_NAMES[half_suit]}  {card_names(cards, names)}"
        for half_suit, cards in groupby(view.hand, half_suit_of)
    )


def status(view: View) -> str:
    """The score, the number of cards in each hand, and the own hand."""
    sizes = "  ".join(f"{SEAT_NAMES[s]}:{n}" for s, n in enumerate(view.hand_sizes))
    return f"{score_text(view.score)}  |  {sizes}\n{SEAT_NAMES[view.seat]} holds\n{hand(view)}"


def told(step: Step, number: int, names: tuple[str, ...]) -> str:
    """What somebody did, as event of this number, or which bot was replaced."""
    if isinstance(step, Replacement):
        return f"   ! {step}"
    return f"{number:4}. {sentence(step, names)}"


def conclusion(session: TableSession) -> str:
    """How the game ended, and where everything was."""
    view, names = session.view(0), session.rules.card_names
    seen = session.record_for(EVERYONE)
    if session.resigned is not None:
        how = f"{SEAT_NAMES[session.resigned]} has resigned"
    else:
        outcome = session.outcome
        assert outcome is not None
        how = f"the game is over: {outcome}"
    winner = session.winner
    won = "it is a draw" if winner is None else f"team {TEAM_NAMES[winner]} wins"
    lines = [f"{how[:1].upper()}{how[1:]}; {won} ({score_text(view.score)})."]
    yours = {team_of(seat) for seat in session.persons}
    if winner is not None and len(yours) == 1:
        lines.append("You have won." if winner in yours else "You have lost.")
    lines.append("Dealt were:")
    for seat, dealt in enumerate(seen.hands):
        lines.append(f"  {SEAT_NAMES[seat]}  {hand_text(dealt or (), names)}")
    left = [(seat, session.view(seat).hand) for seat in range(session.rules.players)]
    if any(cards for _, cards in left):
        lines.append("Still in hand:")
        lines += [_held(seat, cards, names) for seat, cards in left if cards]
    lines += [f"  {each}: {each.detail}" for each in session.replacements]
    return "\n".join(lines)


def _held(seat: Seat, cards: tuple[Card, ...], names: tuple[str, ...]) -> str:
    return f"  {SEAT_NAMES[seat]}  {hand_text(cards, names)}"
