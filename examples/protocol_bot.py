#!/usr/bin/env python3
"""A bot that is a program: JSON lines in, JSON lines out, with the standard library only.

It remembers hits and misses, asks for a card that it has seen with an opponent, else for one of a
half-suit that it has much of, and claims a half-suit once it has seen all of it with its team.

$ literature tournament random "cmd:python3 examples/protocol_bot.py" --pairs 20
$ literature agents --check "cmd:python3 examples/protocol_bot.py"
"""

import json
import random
import sys


class Bot:
    """Plays one seat, one game after another."""

    def hello(self, message):
        self.seats = message["seats"]
        cards, names = message["cards"], message["half_suits"]
        self.cards_of = {name: cards[6 * i : 6 * i + 6] for i, name in enumerate(names)}
        self.half_suit_of = {card: name for name in names for card in self.cards_of[name]}
        return {"ok": True, "name": "protocol-bot", "version": "1.0"}

    def new_game(self, message):
        self.seat = message["seat"]
        self.team = [seat for seat in self.seats if seat[0] == self.seat[0]]
        self.random = random.Random(message["seed"])
        self.holder = {}  # of every card that has moved: the seat it moved to
        self.denied = set()  # (seat, card): a miss
        return {"ok": True}

    def see(self, view):
        """Remember the new events."""
        for event in view["new_events"]:
            kind, *words = event.split()
            if kind == "ask":
                asker, target, card, answer = words
                if answer == "hit":
                    self.holder[card] = asker
                    self.denied = {(s, c) for s, c in self.denied if c != card}
                else:
                    self.denied.add((target, card))
        self.hand = set(view["hand"])

    def known(self, card):
        return self.seat if card in self.hand else self.holder.get(card)

    def claim(self, view):
        """A claim of a half-suit whose cards are all known to be with the team, or None."""
        for name in view["in_play"] if view["may_claim"] else ():
            holders = {card: self.known(card) for card in self.cards_of[name]}
            if all(seat in self.team for seat in holders.values()):
                return {"claim": {"half_suit": name, "holders": holders}}
        return None

    def act(self, message):
        view = message["view"]
        self.see(view)
        claim = self.claim(view)
        if claim:
            return claim
        if view["legal_asks"]:
            return {"ask": max(view["legal_asks"], key=self.worth)}
        if view["legal_passes"]:
            return {"pass": view["legal_passes"][0]}
        name = view["in_play"][0]
        return {"claim": {"half_suit": name, "holders": self.guess(name)}}

    def worth(self, ask):
        """Sort key of asks: known hits first, known misses last, long half-suits before short."""
        card, target = ask["card"], ask["target"]
        place = self.known(card)
        chance = 2 if place == target else -2 if place else -((target, card) in self.denied)
        name = self.half_suit_of[card]
        return chance, sum(c in self.hand for c in self.cards_of[name]), self.random.random()

    def guess(self, name):
        """Holders for a forced claim: the known ones of the team, else a random teammate."""
        return {
            card: self.known(card)
            if self.known(card) in self.team
            else self.random.choice(self.team)
            for card in self.cards_of[name]
        }

    def claim_off_turn(self, message):
        self.see(message["view"])
        return self.claim(message["view"]) or {"none": True}


def main():
    bot = Bot()
    answers = {
        "hello": bot.hello,
        "new_game": bot.new_game,
        "act": bot.act,
        "claim?": bot.claim_off_turn,
    }
    for line in sys.stdin:
        message = json.loads(line)
        if message["op"] == "bye":
            break
        print(json.dumps(answers[message["op"]](message)), flush=True)


if __name__ == "__main__":
    main()
