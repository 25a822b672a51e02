"""An agent of ours as a program: the other side of the protocol of `literature_ai.bots.external`.

`serve` reads messages and answers them, one a line, for an agent that any referee can seat then,
also another version of this package: ``cmd:literature bot expert``.

>>> import io
>>> from literature_ai.bots.registry import parse_spec
>>> hello = '{"op": "hello", "protocol": "literature-json-1"}'
>>> answers = io.StringIO()
>>> serve(parse_spec("random"), io.StringIO(hello), answers)
>>> answers.getvalue()
'{"ok": true, "name": "random", "version": "0.1.0"}\\n'
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import fields
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TextIO

from literature_ai import cards as c
from literature_ai.agents.base import Agent
from literature_ai.bots.answers import failure_of, in_one_line
from literature_ai.bots.external import PROTOCOL
from literature_ai.bots.registry import Spec
from literature_ai.cards import Seat
from literature_ai.errors import LiteratureError, UnknownNameError
from literature_ai.events import Action, Ask, Claim, Pass
from literature_ai.game.position import Position
from literature_ai.game.view import View
from literature_ai.records.notation import parse_event
from literature_ai.rules import RuleSet

if TYPE_CHECKING:
    import numpy as np

_DISTRIBUTION = "literature-ai"


class MessageError(LiteratureError):
    """A message that the protocol does not have, or that contradicts the game so far."""


def serve(spec: Spec, messages: Iterable[str], answers: TextIO) -> None:
    """Answer each message with a line, until ``bye`` or the end of the messages.

    Whatever goes wrong is answered with ``{"error": …}``; the traceback goes to standard error.
    """
    player = Program(spec)
    for line in messages:
        if not line.strip():
            continue
        try:
            message = _message(line)
            if message["op"] == "bye":
                return
            answer = player.answer(message)
        except MessageError as error:
            answer = {"error": str(error)}
        except Exception as error:
            print(failure_of(error)[1], file=sys.stderr)
            answer = {"error": in_one_line(error)}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


class Program:
    """The agent in the game that is played at the moment."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self._new_game: dict[str, Any] | None = None
        """The message of a game whose first view has not come yet."""
        self._agent: Agent | None = None
        self._position: Position | None = None
        self._dealt: list[int] = []
        self._seat: Seat = 0

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        match message["op"]:
            case "hello":
                return self._hello(message)
            case "new_game":
                self._new_game, self._agent, self._position = message, None, None
                _rules(message)
                return {"ok": True}
            case "act":
                agent, view = self._now(message)
                return _in_names(agent.act(view), view.rules)
            case "claim?":
                agent, view = self._now(message)
                claim = agent.claim(view)
                return {"none": True} if claim is None else _in_names(claim, view.rules)
        known = "hello, new_game, act, claim?, bye"
        raise MessageError(f"there is no message {message['op']!r}; the messages are {known}")

    def _hello(self, message: dict[str, Any]) -> dict[str, Any]:
        protocol = message.get("protocol", PROTOCOL)
        if protocol != PROTOCOL:
            raise MessageError(f"the protocol {protocol!r} is unknown; this is {PROTOCOL}")
        return {"ok": True, "name": self.spec.text, "version": version(_DISTRIBUTION)}

    def _now(self, message: dict[str, Any]) -> tuple[Agent, View]:
        """The agent, which has observed all new events, and its view."""
        view = message.get("view")
        if not isinstance(view, dict) or not isinstance(view.get("new_events"), list):
            raise MessageError(f'{message["op"]} needs a "view" with "new_events"')
        if self._new_game is not None:
            self._begin(self._new_game, view)
            self._new_game = None
        elif self._position is not None and self._agent is not None:
            for text in view["new_events"]:
                event = parse_event(str(text), self._position)
                self._position.follow(event)
                self._agent.observe(event)
        if self._agent is None or self._position is None:
            raise MessageError(f"{message['op']} comes before new_game")
        seen = self._position.view(self._seat, self._dealt)
        said = view.get("hand")
        if said is not None and sorted(_cards(said, self._position.rules)) != list(seen.hand):
            raise MessageError("the hand of the view contradicts the deal and the events")
        return self._agent, seen

    def _begin(self, message: dict[str, Any], view: dict[str, Any]) -> None:
        """Start the agent with what had happened before the first view."""
        rules = _rules(message)
        try:
            self._seat = c.parse_seat(str(message["seat"]), rules.players)
            self._dealt = _cards(message["hand"], rules)
            starts = [c.parse_seat(str(message["start"]), rules.players)]
        except KeyError as missing:
            if missing.args != ("start",):
                raise MessageError(f"new_game needs {missing}") from None
            starts = list(range(rules.players))
        self._position = _position(rules, starts, view)
        self._agent = self.spec.make()
        self._agent.start(self._position.view(self._seat, self._dealt), generator_of(message))


def _position(rules: RuleSet, starts: list[Seat], view: dict[str, Any]) -> Position:
    """The position after the events of the first view, from the start that they fit."""
    broken: LiteratureError | None = None
    for start in starts:
        position = Position(rules, start)
        try:
            for text in view["new_events"]:
                position.follow(parse_event(str(text), position))
        except LiteratureError as error:
            broken = error
            continue
        turn = None if position.turn is None else c.seat_name(position.turn)
        if view.get("turn", turn) == turn:
            return position
    raise broken or MessageError("the turn of the view contradicts the events")


def generator_of(message: dict[str, Any]) -> np.random.Generator:
    """The generator of a game, from its ``new_game``: that of the referee itself where the message
    says which one it is, else one from the seed."""
    import numpy as np

    sequence = message.get("seed_sequence")
    if isinstance(sequence, dict):
        return np.random.default_rng(
            np.random.SeedSequence(
                sequence["entropy"], spawn_key=tuple(sequence.get("spawn_key", ()))
            )
        )
    return np.random.default_rng(int(message.get("seed", 0)))


def _message(line: str) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise MessageError("a message is one JSON object a line") from None
    if not isinstance(message, dict) or not isinstance(message.get("op"), str):
        raise MessageError('a message is a JSON object with an "op"')
    return message


def _rules(message: dict[str, Any]) -> RuleSet:
    """The rules of a game; switches that this version does not know must be off."""
    given = message.get("rules", {})
    known = {field.name for field in fields(RuleSet)}
    for name, value in given.items():
        if name not in known and value:
            raise MessageError(f"this version does not know the rule {name!r}")
    return RuleSet(**{name: value for name, value in given.items() if name in known})


def _cards(names: Any, rules: RuleSet) -> list[int]:
    try:
        return [c.parse(str(name), rules.card_names) for name in names]
    except (TypeError, UnknownNameError) as error:
        raise MessageError(f"hand: {error}") from None


def _in_names(action: Action, rules: RuleSet) -> dict[str, Any]:
    """The action as the protocol writes it."""
    cards = rules.card_names
    match action:
        case Ask(target, card):
            return {"ask": {"target": c.seat_name(target), "card": cards[card]}}
        case Pass(to):
            return {"pass": c.seat_name(to)}
        case Claim(half_suit, holders):
            names = [cards[card] for card in c.cards_of(half_suit)]
            seats = [c.seat_name(seat) for seat in holders]
            return {
                "claim": {
                    "half_suit": c.half_suit_name(half_suit),
                    "holders": dict(zip(names, seats, strict=True)),
                }
            }
    raise MessageError(f"the agent answers {action!r}, which is no action")
