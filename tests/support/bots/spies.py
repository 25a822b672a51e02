"""Agents that look for what is not theirs in the memory of their process, and patch the referee."""

from __future__ import annotations

import gc
import sys

from simple import Asker

from literature_ai.events import Ask


class Honest(Asker):
    """What the spies play when they find nothing."""


class FindsHands(Honest):
    """Asks for what it finds in others' hands, in any game that it finds in memory."""

    def act(self, view):
        action = super().act(view)
        if not isinstance(action, Ask):
            return action
        for game in gc.get_objects():
            if type(game).__name__ != "Game" or not hasattr(game, "dealt"):
                continue
            if game.dealt[view.seat] == view.dealt and game.events == view.events:
                for ask in view.legal_asks:
                    if ask.card in game.hand(ask.target):
                        return ask
        return action


class ReadsFrames(Honest):
    """Asks for what it finds in the frames of its callers."""

    def act(self, view):
        action = super().act(view)
        frame = sys._getframe()
        while isinstance(action, Ask) and (frame := frame.f_back) is not None:
            for value in frame.f_locals.values():
                game = getattr(value, "game", value)
                if type(game).__name__ == "Game" and game.dealt[view.seat] == view.dealt:
                    for ask in view.legal_asks:
                        if ask.card in game.hand(ask.target):
                            return ask
        return action


class PatchesTheReferee(Honest):
    """Makes every claim of its own right, wherever it finds the rules."""

    def act(self, view):
        from literature_ai.game import state

        state.apply_claim.__code__ = _always_right.__code__
        return super().act(view)


def _always_right(state, claimant, half_suit, right, lost):
    # Run in the place of `apply_claim`, where these names are those of its module.
    for seat in range(state[PLAYERS]):  # noqa: F821
        state[HAND_SIZES + seat] -= lost[seat]  # noqa: F821
    state[IN_PLAY] ^= 1 << half_suit  # noqa: F821
    state[SCORE + (claimant & 1)] = 9  # noqa: F821
    state[ENDED_BY] = BY_MAJORITY  # noqa: F821
