"""Agents that fail at their first decision, each in its own way."""

from __future__ import annotations

import sys

from literature_ai.agents.base import Agent
from literature_ai.events import Ask


class Raises(Agent):
    def act(self, view):
        raise KeyError(view.rules.card_names[view.hand[0]])


class AsksItself(Agent):
    def act(self, view):
        return Ask(view.seat, view.hand[0])


class AnswersText(Agent):
    def act(self, view):
        return "3D from B2"


class Leaves(Agent):
    def act(self, view):
        sys.exit(3)


class _WithoutWords(Exception):
    def __str__(self):
        raise RuntimeError("not even this")


class Unshowable(Agent):
    def act(self, view):
        raise _WithoutWords
