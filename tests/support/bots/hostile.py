"""Agents that harm the process they run in, its keepers or the other agents, or that lie.

Each does so on its third decision of a game and then plays on as if nothing had happened.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import signal
import sys
import threading
import time

from misbehaving import Patient  # beside this file
from simple import Asker

from literature_ai.events import Ask, Claim


class Quiet(Patient):
    """Does what `harm` says, once in a game, and plays on."""

    def misbehave(self, view):
        if self.decisions == 3:
            self.harm()
        return Asker.act(self, view)

    def harm(self):
        raise NotImplementedError


class RaisingIndex:
    def __index__(self):
        raise LookupError("no number here")


class EndlessIndex:
    def __index__(self):
        while True:
            pass


class EndlessHolders:
    def __len__(self):
        return 6

    def __iter__(self):
        return itertools.repeat(0)


class RaisingClass:
    @property
    def __class__(self):
        raise LookupError("no class here")


class AnswersWithCodeThatRaises(Patient):
    def misbehave(self, view):
        return Ask(RaisingIndex(), view.hand[0])


class AnswersWithCodeThatLoops(Patient):
    def misbehave(self, view):
        return Claim(view.in_play[0], (EndlessIndex(),) * 6)


class AnswersWithoutParts(Patient):
    def misbehave(self, view):
        return Ask.__new__(Ask)


class AnswersWithoutEnd(Patient):
    def misbehave(self, view):
        return Claim(view.in_play[0], EndlessHolders())


class AnswersWithoutClass(Patient):
    def misbehave(self, view):
        return RaisingClass()


class AnswersInManyDigits(Patient):
    def misbehave(self, view):
        return Claim(view.in_play[0], (10**5000,) * 6)


class AnswersThatTimeIsOut(Patient):
    def misbehave(self, view):
        from literature_ai.events import TimedOut

        return TimedOut(view.seat)


class RaisesWhatCannotBeWritten(Patient):
    def misbehave(self, view):
        raise RuntimeError("\ud800 \x00 \x1b[31m")


class RaisesWhatIsShownForEver(Patient):
    def misbehave(self, view):
        class Endless(Exception):
            def __str__(self):
                while True:
                    pass

        raise Endless


class HasNoAttributes(Asker):
    def __getattr__(self, name):
        raise KeyError(name)


class LiesAboutItsLength(list):
    def __len__(self):
        return 10**9


class LiesTogether(Asker):
    @classmethod
    def act_many(cls, agents, views):
        return LiesAboutItsLength()


class LoopsTogetherAfterwards(Asker):
    @classmethod
    def act_many(cls, agents, views):
        while not views:
            yield
        while True:
            pass


class IsSomethingElse(Asker):
    def __new__(cls):
        return 7


class IsNotMade(Asker):
    def __init__(self):
        if "tournaments.processes.seated_game" in sys.modules:
            raise KeyError("nothing")


class ExitsWhenMade(Asker):
    def __init__(self):
        if "tournaments.processes.seated_game" in sys.modules:
            sys.exit(0)


class Forks(Quiet):
    def harm(self):
        os.fork()


class LowersTheRecursionLimit(Quiet):
    def harm(self):
        for limit in range(10, 1000):
            with contextlib.suppress(RecursionError):
                sys.setrecursionlimit(limit)
                return


class RaisesLater(Quiet):
    def harm(self):
        def handler(*_):
            raise OSError("late")

        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)


class RaisesInAnotherThread(Quiet):
    def harm(self):
        main = threading.main_thread().ident

        def raise_there():
            for _ in range(20):
                time.sleep(0.0005)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(main), ctypes.py_object(LookupError)
                )

        threading.Thread(target=raise_there, daemon=True).start()


class RaisesInEveryCallOfOthers(Quiet):
    def harm(self):
        calls = itertools.count()

        def profile(*_):
            if next(calls) > 50:
                raise LookupError("from a profiler")

        sys.setprofile(profile)


class ClosesDescriptors(Quiet):
    def harm(self):
        os.closerange(3, 100)


class WritesToEveryDescriptor(Quiet):
    def harm(self):
        for descriptor in range(3, 40):
            with contextlib.suppress(OSError):
                os.write(descriptor, b'{"game": 0, "result": {}}\nnonsense\n')


class DiesLater(Quiet):
    def harm(self):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 0.002)


class StopsItself(Quiet):
    def harm(self):
        os.kill(os.getpid(), signal.SIGSTOP)


class StopsItsParent(Quiet):
    def harm(self):
        os.kill(os.getppid(), signal.SIGSTOP)


class KillsItsParent(Quiet):
    def harm(self):
        os.kill(os.getppid(), signal.SIGKILL)


class HasAnEndlessDestructor(Quiet):
    def harm(self):
        class Endless:
            def __del__(self):
                while True:
                    pass

        self.kept = Endless()


class LeavesAMark(Quiet):
    """Harms only who looks for its mark."""

    def harm(self):
        sys.marked = True


class FearsTheMark(Asker):
    def observe(self, event):
        if hasattr(sys, "marked"):
            raise RuntimeError("there is a mark")


class SleepsLater(Quiet):
    def harm(self):
        signal.signal(signal.SIGALRM, lambda *_: time.sleep(1000))
        signal.setitimer(signal.ITIMER_REAL, 0.0005)
