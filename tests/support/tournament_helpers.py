"""Helpers for tests of tournaments: bots, plans, made-up results, and summaries to compare."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from literature_ai.rules import RuleSet
from tournaments.plan import Plan
from tournaments.results import GameResult, no_counters
from tournaments.runner import run
from tournaments.store import Store
from tournaments.summary import summarize

BOTS = Path(__file__).parent / "bots"
ASKER, TOGETHER, FIRST, DAWDLER, SEER = (
    f"{BOTS}/simple.py:{name}" for name in ("Asker", "Together", "First", "Dawdler", "Seer")
)
TIMINGS = ("seconds", "games_per_second", "ms_per_decision")


def misbehaving(name: str) -> str:
    """The spec of one of the agents that fail on purpose."""
    return f"{BOTS}/misbehaving.py:{name}"


def hostile(name: str) -> str:
    """The spec of one of the agents that harm others."""
    return f"{BOTS}/hostile.py:{name}"


def untimed(summary: dict[str, Any]) -> dict[str, Any]:
    """The summary without what depends on how fast the machine is."""
    for part in (summary, *summary["agents"]):
        for name in TIMINGS:
            part.pop(name, None)
    return summary


def play_plan(path, plan, with_records=False, **options):
    """The summary, without timings, and the records of a tournament."""
    with Store.create_or_resume(path, plan, with_records) as store:
        run(store, **{"workers": 2, **options})
        return untimed(summarize(store)), list(store.records())


def game_result(winner=0, score=(5, 2), **other) -> GameResult:
    """A result as a worker returns it."""
    return {
        "score": score,
        "winner": winner,
        "unfinished": False,
        "events": 97,
        "failure": None,
        "counters": (
            {**no_counters(), "asks": 52, "hits": 30, "decisions": 57, "nanoseconds": 123_456_789},
            {**no_counters(), "asks": 40, "hits": 20, "decisions": 42, "nanoseconds": 98_765_432},
        ),
        "record": None,
        **other,
    }


FAILURE_KINDS = {
    "Raises": "error",
    "RaisesWhatCannotBeUnpickled": "error",
    "RaisesWhatCannotBeShown": "error",
    "AnswersNone": "protocol",
    "AnswersText": "protocol",
    "AsksATeammate": "illegal",
    "ClaimsForTheOthers": "illegal",
    "ClaimsWithNonsense": "illegal",
    "Sleeps": "timeout",
    "LoopsDeafly": "timeout",
    "Exits": "crash",
    "Segfaults": "crash",
    "LeavesAChildBehind": "crash",
    "PrintsAGigabyte": None,
    "Recurses": "error",
    "RaisesSystemExit": "error",
    "RaisesKeyboardInterrupt": "error",
    "ChangesItsView": "error",
    "FailsInTheConstructor": "error",
    "FailsAtTheStart": "error",
    "FailsToObserve": "error",
    "RaisesTogether": "error",
    "ExitsTogether": "crash",
    "SleepsTogether": "timeout",
    "AnswersTooFew": "protocol",
}
"""How each of the agents of `bots/misbehaving.py` fails."""
FAILING_PLAN = Plan(
    (ASKER, *(misbehaving(name) for name in FAILURE_KINDS)),
    pairs=1,
    rules=RuleSet(max_events=60),
    seed=1,
    gauntlet=True,
    move_limit=1.5,
    examine_every=0,
)


def play_failing_plan(path, **options):
    """The games, failures and summary of the tournament of all misbehaving agents."""
    with Store.create_or_resume(path, FAILING_PLAN) as store:
        run(store, **{"workers": 2, **options})
        games = list(store.query("SELECT a, b, half, score_a, score_b, winner, events FROM games"))
        failures = {
            (b, half): (kind, seat, event, text)
            for b, half, kind, seat, event, text in store.query(
                "SELECT b, half, kind, seat, event, text FROM failures"
            )
        }
        return games, failures, summarize(store)


FAIR = "fair"
"""The game was played to its end."""
HOSTILE_KINDS: dict[str, tuple[str, ...]] = {
    "AnswersWithCodeThatRaises": ("error",),
    "AnswersWithCodeThatLoops": ("timeout",),
    "AnswersWithoutParts": ("error",),
    "AnswersWithoutEnd": ("illegal",),
    "AnswersWithoutClass": ("error",),
    "AnswersInManyDigits": ("illegal",),
    "AnswersThatTimeIsOut": ("protocol",),
    "RaisesWhatCannotBeWritten": ("error",),
    "RaisesWhatIsShownForEver": ("timeout",),
    "HasNoAttributes": (FAIR,),
    "LiesTogether": ("protocol",),
    "LoopsTogetherAfterwards": ("timeout",),
    "IsSomethingElse": ("error",),
    "IsNotMade": ("error",),
    "ExitsWhenMade": ("error",),
    "Forks": (FAIR,),
    "LowersTheRecursionLimit": (FAIR, "error"),
    "RaisesLater": ("error", "crash", "timeout", FAIR),
    "RaisesInAnotherThread": ("error", "crash", "timeout", FAIR),
    "RaisesInEveryCallOfOthers": ("error", "crash", FAIR),
    "ClosesDescriptors": ("crash",),
    "WritesToEveryDescriptor": ("crash",),
    "DiesLater": ("crash", FAIR),
    "SleepsLater": ("timeout", FAIR),
    "StopsItself": ("timeout",),
    "StopsItsParent": (FAIR,),
    "KillsItsParent": (FAIR,),
}
"""How each of the agents of `bots/hostile.py` may fail: those with a clock in various ways."""


def play_hostile_plan(path, names=tuple(HOSTILE_KINDS), **options):
    """The failures, the void matchups and the summary of a tournament of these hostile agents."""
    plan = replace(FAILING_PLAN, teams=(ASKER, *(hostile(name) for name in names)))
    with Store.create_or_resume(path, plan) as store:
        run(store, **{"workers": 2, **options})
        failures = {
            (b, half): kind for b, half, kind in store.query("SELECT b, half, kind FROM failures")
        }
        return failures, [*store.query("SELECT DISTINCT b FROM voids")], summarize(store)
