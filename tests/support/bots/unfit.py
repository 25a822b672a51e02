"""Agents that break one promise each, and that the conformance check has to find out."""

from __future__ import annotations

import random

from simple import Asker, Together  # beside this file

from literature_ai.events import Ask, Claim


class Gambler(Asker):
    """Draws from the common generator."""

    def act(self, view):
        action = super().act(view)
        return random.choice(view.legal_asks) if isinstance(action, Ask) else action


class Rememberer(Asker):
    """Counts its decisions over all games."""

    decisions = 0

    def act(self, view):
        Rememberer.decisions += 1
        asks = view.legal_asks
        return asks[Rememberer.decisions % len(asks)] if len(asks) else super().act(view)


class Gossip(Asker):
    """Tells its other selves what it asked last, but begins each game afresh."""

    told = 0

    def start(self, view, rng):
        super().start(view, rng)
        Gossip.told = 0

    def act(self, view):
        action = super().act(view)
        if isinstance(action, Ask):
            action = view.legal_asks[(Gossip.told + action.card) % len(view.legal_asks)]
            Gossip.told = action.card
        return action


class Fickle(Together):
    """Decides otherwise when it decides for many."""

    @classmethod
    def act_many(cls, agents, views):
        actions = super().act_many(agents, views)
        return [
            v.legal_asks[-1] if len(v.legal_asks) else a
            for v, a in zip(views, actions, strict=True)
        ]


class Cheat(Asker):
    """Asks for cards of half-suits that it has none of."""

    def act(self, view):
        own = {card // 6 for card in view.hand}
        others = [h for h in view.in_play if h not in own]
        return Ask((view.seat + 1) % view.rules.players, 6 * others[0]) if others else None


class Slow(Asker):
    """Never comes to a decision."""

    def act(self, view):
        while True:
            try:
                random.random()
            except Exception:
                continue


class Meddler(Asker):
    """Claims off turn what is not its to claim."""

    def claim(self, view):
        return Claim(view.in_play[0], (1 - view.seat % 2,) * 6)


class Blind(Asker):
    """Cannot stand to lose a turn for being late."""

    def observe(self, event):
        if type(event).__name__ == "TimedOut":
            raise LookupError("whose fault was that?")
