"""Deals that a viewer cannot tell from the real one."""

from __future__ import annotations

import re

import numpy as np

from literature_ai.cards import SEAT_NAMES
from literature_ai.inference.knowledge import Knowledge
from literature_ai.sessions.seen import Viewer
from literature_ai.sessions.table import TableSession


def deal_like(session: TableSession, viewer: Viewer, rng: np.random.Generator) -> TableSession:
    """A session with another deal that the viewer cannot tell from this one, and another seed."""
    game = session.record.game()
    text = session.text
    seats = [viewer] if isinstance(viewer, int) else [0, 1]
    hands = [list(hand) for hand in game.dealt]
    for seat in seats:
        knowledge = Knowledge(game.rules, seat, hands[seat])
        for event in game.events:
            knowledge.observe(event)
        dealt_to = knowledge.sample(rng, 1)[0].tolist()
        hands = [[c for c, s in enumerate(dealt_to) if s == x] for x in range(game.rules.players)]
    for seat, hand in enumerate(hands):
        names = " ".join(game.rules.card_names[card] for card in hand)
        text = re.sub(
            rf"(?m)^hand {SEAT_NAMES[seat]} .*$", f"hand {SEAT_NAMES[seat]} {names}", text
        )
    text = re.sub(r'"seed": \d+', '"seed": 6', text)
    text = text.replace("its hand was", "its hand has been")
    return TableSession.resumed(text, "twin.lit")
