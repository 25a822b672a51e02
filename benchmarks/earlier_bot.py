"""An agent of an earlier version as a program: what `literature bot` does, for versions without it.

`against.py` runs this file with the Python of the earlier version's environment. It finds the
modules by the names of the three layouts there have been, and nothing else of them is assumed than
`Position`, `View`, the events and the agents.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import fields
from typing import Any

import numpy as np

from literature_ai import cards as c
from literature_ai.events import Ask, Asked, Claim, Claimed, Pass, Passed, TimedOut
from literature_ai.rules import RuleSet

try:
    from literature_ai.bots.registry import parse_spec
    from literature_ai.game.position import Position

    DEALT = True  # Position.view takes the hand as dealt
except ImportError:
    from literature_ai.agents.registry import parse_spec
    from literature_ai.game import Position

    DEALT = False  # … the hand now


class Player:
    """One agent in one game after the other."""

    def __init__(self, spec: str) -> None:
        self.spec = parse_spec(spec)
        self.name = spec
        self.message: dict[str, Any] = {}

    def answer(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["op"] == "hello":
            return {"ok": True, "name": self.name, "version": "earlier"}
        if message["op"] == "new_game":
            self.begin(message)
            return {"ok": True}
        for text in message["view"]["new_events"]:
            event = self.event(text.split())
            self.position.follow(event)
            self.agent.observe(event)
            self.move(event)
        if message["op"] == "act":
            return self.in_words(self.agent.act(self.view()))
        claim = self.agent.claim(self.view())
        return {"none": True} if claim is None else self.in_words(claim)

    def begin(self, message: dict[str, Any]) -> None:
        known = {field.name for field in fields(RuleSet)}
        # An earlier version may lack switches that are off, and decks with other names.
        rules = {name: value for name, value in message["rules"].items() if name in known}
        left = {n: v for n, v in message["rules"].items() if n not in known and v not in (False, 8)}
        if left:
            raise ValueError(f"the earlier version does not know {left}")
        self.rules = RuleSet(**rules)
        self.seat = c.parse_seat(message["seat"])
        self.dealt = sorted(map(c.parse, message["hand"]))
        self.hand = set(self.dealt)
        self.position = Position(self.rules, c.parse_seat(message["start"]))
        self.agent = self.spec.make()
        sequence = message["seed_sequence"]
        seed = np.random.SeedSequence(sequence["entropy"], spawn_key=tuple(sequence["spawn_key"]))
        self.agent.start(self.view(), np.random.default_rng(seed))

    def view(self) -> Any:
        return self.position.view(self.seat, self.dealt if DEALT else sorted(self.hand))

    def move(self, event: Any) -> None:
        """Keep the hand up to date."""
        if isinstance(event, Asked) and event.hit:
            if event.asker == self.seat:
                self.hand.add(event.card)
            elif event.target == self.seat:
                self.hand.discard(event.card)
        elif isinstance(event, Claimed):
            self.hand -= set(c.cards_of(event.half_suit))

    def event(self, words: list[str]) -> Any:
        """The event of a line as records have it."""
        if words[0] == "ask":
            asker, target = map(c.parse_seat, words[1:3])
            return Asked(asker, target, c.parse(words[3]), words[4] == "hit")
        if words[0] == "pass":
            return Passed(*map(c.parse_seat, words[1:3]))
        if words[0] == "timeout":
            return TimedOut(c.parse_seat(words[1]))
        verdict = "right" if "right" in words else "wrong"
        cut = words.index(verdict)
        half_suit = c.parse_half_suit(words[2])
        holders = self.six(words[3:cut])
        if verdict == "right":
            return Claimed(c.parse_seat(words[1]), half_suit, holders, True, holders)
        truth = words[cut + 1 :]
        if not self.rules.wrong_hides:
            return Claimed(c.parse_seat(words[1]), half_suit, holders, False, self.six(truth))
        lost = [0] * self.rules.players
        for word in truth:
            seat, _, count = word.partition(":")
            lost[c.parse_seat(seat)] = int(count)
        return Claimed(c.parse_seat(words[1]), half_suit, holders, False, None, tuple(lost))

    def six(self, words: list[str]) -> tuple[int, ...]:
        """The six seats of a layout, in card order."""
        found = {}
        for word in words:
            seat, _, names = word.partition(":")
            found |= {c.parse(name): c.parse_seat(seat) for name in names.split(",")}
        return tuple(found[card] for card in sorted(found))

    def in_words(self, action: Any) -> dict[str, Any]:
        match action:
            case Ask(target, card):
                return {"ask": {"target": c.seat_name(target), "card": c.name(card)}}
            case Pass(to):
                return {"pass": c.seat_name(to)}
            case Claim(half_suit, holders):
                cards = map(c.name, c.cards_of(half_suit))
                seats = dict(zip(cards, map(c.seat_name, holders), strict=True))
                return {"claim": {"half_suit": c.half_suit_name(half_suit), "holders": seats}}
        raise TypeError(f"{action!r} is no action")


def main() -> None:
    player = Player(sys.argv[1])
    if "--warm-up" in sys.argv:
        warm_up = getattr(player.spec.agent, "warm_up", None)
        if warm_up is not None:
            warm_up()
        return
    with open(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        for line in sys.stdin:
            message = json.loads(line)
            if message["op"] == "bye":
                return
            try:
                answer = player.answer(message)
            except Exception as error:
                answer = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
