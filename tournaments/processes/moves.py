"""Moves: the events of a game as decisions, which play it again without its agents."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from literature_ai.cards import Seat
from literature_ai.events import Ask, Claim, Event, Pass, TimedOut, action_of, actor_of
from literature_ai.game.game import Game
from literature_ai.game.turns import Decision, Turns


class Move(NamedTuple):
    """A decision that changed the game."""

    seat: Seat
    off_turn: bool
    answer: Ask | Claim | Pass | TimedOut

    def answers(self, decision: Decision) -> bool:
        """Whether it is the answer to the decision; if not, that was an offer declined."""
        return (self.seat, self.off_turn) == (decision.seat, decision.off_turn)


def move_of(event: Event, off_turn: bool) -> Move:
    """The move that led to the event."""
    return Move(actor_of(event), off_turn, action_of(event))


def moves_of(events: Sequence[Event], off_turn: Collection[int]) -> list[Move]:
    """The moves that led to the events; ``off_turn``: the numbers of those that were off turn."""
    return [move_of(event, number in off_turn) for number, event in enumerate(events)]


def to_plain(move: Move) -> list[int]:
    """The move as plain data, which `from_plain` reads."""
    match move.answer:
        case Ask(target, card):
            data = [target, card]
        case Claim(half_suit, holders):
            data = [half_suit, *holders]
        case Pass(to):
            data = [to]
        case TimedOut():
            data = []
    return [move.seat, int(move.off_turn), *data]


def from_plain(data: Sequence[int]) -> Move:
    """The inverse of `to_plain`."""
    seat, off_turn, *rest = data
    answer: Ask | Claim | Pass | TimedOut
    match rest:
        case []:
            answer = TimedOut(seat)
        case [to]:
            answer = Pass(to)
        case [target, card]:
            answer = Ask(target, card)
        case [half_suit, *holders]:
            answer = Claim(half_suit, tuple(holders))
    return Move(seat, bool(off_turn), answer)


def apply_moves(game: Game, moves: Sequence[Move]) -> None:
    """Play the moves in the game, from its deal on."""
    turns = Turns(game)
    for move in moves:
        while turns.decision is not None and not move.answers(turns.decision):
            turns.answer(None)
        turns.answer(move.answer)
