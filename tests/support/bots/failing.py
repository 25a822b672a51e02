"""Agents that fail at their first decision, each in its own way."""

from __future__ import annotations

import os
import signal
import sys
import threading

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


class Dies(Agent):
    def act(self, view):
        os.kill(os.getpid(), signal.SIGKILL)


class Hangs(Agent):
    def act(self, view):
        threading.Event().wait()
