"""Agents that fail in every way there is, most of them after two decisions."""

from __future__ import annotations

import os
import signal
import sys
import time

from simple import Asker  # beside this file

from literature_ai.events import Ask, Claim


class Patient(Asker):
    """Plays along twice, then does what `misbehave` says."""

    def start(self, view, rng):
        super().start(view, rng)
        self.decisions = 0

    def act(self, view):
        self.decisions += 1
        if self.decisions > 2:
            return self.misbehave(view)
        return super().act(view)

    def misbehave(self, view):
        raise NotImplementedError


class Raises(Patient):
    def misbehave(self, view):
        raise RuntimeError("no idea")


class TwoArguments(Exception):
    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


class RaisesWhatCannotBeUnpickled(Patient):
    def misbehave(self, view):
        raise TwoArguments(1, 2)


class Unshowable(Exception):
    def __str__(self):
        raise RuntimeError("not even this")


class RaisesWhatCannotBeShown(Patient):
    def misbehave(self, view):
        raise Unshowable


class AnswersNone(Patient):
    def misbehave(self, view):
        return None


class AnswersText(Patient):
    def misbehave(self, view):
        return "3D from B2" * 10_000


class AsksATeammate(Patient):
    def misbehave(self, view):
        return Ask((view.seat + 2) % view.rules.players, view.hand[0])


class ClaimsForTheOthers(Patient):
    def misbehave(self, view):
        return Claim(view.in_play[0], (1 - view.seat % 2,) * 6)


class ClaimsWithNonsense(Patient):
    def misbehave(self, view):
        return Claim("LS", None)


class Sleeps(Patient):
    def misbehave(self, view):
        time.sleep(1000)


class LoopsDeafly(Patient):
    def misbehave(self, view):
        for number in range(1, signal.NSIG):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                continue
        while True:
            pass


class Exits(Patient):
    def misbehave(self, view):
        os._exit(3)


class Segfaults(Patient):
    def misbehave(self, view):
        os.kill(os.getpid(), signal.SIGSEGV)


class LeavesAChildBehind(Patient):
    def misbehave(self, view):
        if os.fork():
            os._exit(4)
        time.sleep(5)
        os._exit(0)


class PrintsAGigabyte(Patient):
    def misbehave(self, view):
        page = b"x" * (1 << 24)
        for _ in range(32):
            sys.stdout.buffer.write(page)
            sys.stderr.buffer.write(page)
        print("and so on", flush=True)
        self.decisions = -(10**9)
        return Asker.act(self, view)


class Recurses(Patient):
    def misbehave(self, view):
        return self.misbehave(view)


class RaisesSystemExit(Patient):
    def misbehave(self, view):
        sys.exit(0)


class RaisesKeyboardInterrupt(Patient):
    def misbehave(self, view):
        raise KeyboardInterrupt


class ChangesItsView(Patient):
    def misbehave(self, view):
        view.hand = view.hand[1:]


class FailsInTheConstructor(Asker):
    def __init__(self):
        # The constructor is tried before the tournament begins; fail where it is played.
        if "tournaments.processes.seated_game" in sys.modules:
            raise RuntimeError("cannot be made")


class FailsAtTheStart(Asker):
    def start(self, view, rng):
        raise RuntimeError("not ready")


class FailsToObserve(Asker):
    def observe(self, event):
        raise RuntimeError("cannot look")


class DecidesTogether(Patient):
    @classmethod
    def act_many(cls, agents, views):
        return [agent.act(view) for agent, view in zip(agents, views, strict=True)]


class RaisesTogether(DecidesTogether):
    misbehave = Raises.misbehave


class ExitsTogether(DecidesTogether):
    misbehave = Exits.misbehave


class SleepsTogether(DecidesTogether):
    misbehave = Sleeps.misbehave


class AnswersTooFew(DecidesTogether):
    @classmethod
    def act_many(cls, agents, views):
        return []
