"""The score card of an agent: its results against a fixed panel of opponents on fixed deals.

A card is plain data, to be kept and compared with a later one. Both are of the same deals, so
scores are compared pair by pair, which removes the luck of the deal; behaviour is compared by its
standard errors. A difference is *significant* when 0 lies outside of its 95 % interval.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from literature_ai.errors import FileError
from tournaments import statistics
from tournaments.plan import Plan
from tournaments.statistics import Estimate
from tournaments.store import Store
from tournaments.summary import agent_summary, causes, matchup_summary

PANEL = ("random", "certain", "greedy", "expert")
"""The opponents, from the weakest to the strongest."""
SEED = 2026
PAIRS = 100
EXAMINED_PAIRS = 50

BEHAVIOUR = {
    "hit_rate": ("hits", "asks", +1),
    "dead_asks": ("dead_asks", "examined_asks", 0),
    "wrong_claims": ("claims_wrong", "claims_right + claims_wrong", -1),
    "claim_delay": ("claim_delay", "timely_claims", -1),
    "ms_per_decision": ("nanoseconds / 1e6", "decisions", 0),
}
"""For each ratio its numerator and denominator, as sums of counters, and whether a larger value is
better (+1), worse (-1), or neither (0): a dead ask may be a blunder, or leave the turn to whom it
harms least."""


def benchmark_plan(spec: str, pairs: int = PAIRS, **other: Any) -> Plan:
    """The plan of the tournament between the agent and the panel."""
    return Plan(
        (spec, *PANEL),
        pairs,
        seed=SEED,
        gauntlet=True,
        examine_every=max(pairs // EXAMINED_PAIRS, 1),
        **other,
    )


def score_card(store: Store) -> dict[str, Any]:
    """The score card of the agent, from the store of such a tournament."""
    plan = store.header.plan
    agent = agent_summary(store, 0)
    return {
        "spec": plan.teams[0],
        "version": store.header.version,
        "pairs": plan.pairs,
        "seed": plan.seed,
        "players": plan.rules.players,
        "rules": plan.rules.words(),
        "seconds": store.seconds(),
        "results": [_result(store, opponent) for _, opponent in plan.matchups()],
        "claims_right": agent["claims_right"],
        "claims_wrong": agent["claims_wrong"],
        "behaviour": {name: _behaviour(store, *BEHAVIOUR[name][:2]) for name in BEHAVIOUR},
        "unfinished": agent["unfinished"],
        "failures": agent["failures"],
        "causes": causes(store),
    }


def _result(store: Store, opponent: int) -> dict[str, Any]:
    """The result against one opponent, with the points of each pair."""
    matchup = matchup_summary(store, (0, opponent))
    low, high = statistics.score_interval(matchup["pentanomial"])
    points = store.query(
        "SELECT first + second FROM pairs WHERE a = 0 AND b = ? ORDER BY pair", opponent
    )
    return {
        "opponent": matchup["b"],
        "score": matchup["score"],
        "score_low": low,
        "score_high": high,
        "elo": matchup["elo"],
        "elo_low": matchup["elo_low"],
        "elo_high": matchup["elo_high"],
        "half_suit_difference": matchup["half_suit_difference"],
        "half_suit_difference_se": matchup["half_suit_difference_se"],
        "points": [point for (point,) in points],
    }


def _behaviour(store: Store, numerator: str, denominator: str) -> dict[str, float | None]:
    """A ratio of sums with its standard error over deals."""
    rows = list(
        store.query(
            f"SELECT total({numerator}), total({denominator}) FROM counters "
            "WHERE a = 0 AND team = 0 GROUP BY pair ORDER BY pair"
        )
    )
    estimate = statistics.ratio_of_sums([a for a, _ in rows], [b for _, b in rows])
    return {"value": _finite(estimate.mean), "se": _finite(estimate.error)}


def require_same_deals(plan: Plan, card: Any, file: str) -> None:
    """Raise `FileError` unless the content of the file is a card of the same deals as the plan."""
    rules = plan.rules
    wanted = {"seed": plan.seed, "players": rules.players, "rules": rules.words()}
    if not isinstance(card, dict) or not card.keys() >= {*wanted, "results", "behaviour"}:
        raise FileError(f"{file} is not a score card of `literature benchmark --json`")
    for name, value in wanted.items():
        if card[name] != value:
            raise FileError(
                f"{file} was made with {name} {card[name]!r}, not {value!r}; "
                "compare cards of the same deals"
            )
    try:
        compare(card, card)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise FileError(
            f"{file} is not a whole score card: {type(error).__name__}: {error}"
        ) from error


def compare(card: dict[str, Any], other: dict[str, Any]) -> list[dict[str, Any]]:
    """The changes from the other card to this one, which is of the same deals.

    For each common opponent, each kind of behaviour and failures: ``what``, ``before``, ``after``,
    ``difference``, its standard error ``se``, and the ``verdict``: better, worse, or None if not
    significant.
    """
    return [
        *_compare_scores(card, other),
        *_compare_behaviour(card, other),
        *_compare_failures(card, other),
    ]


def _compare_scores(card: dict[str, Any], other: dict[str, Any]) -> Iterator[dict[str, Any]]:
    before = {result["opponent"]: result["points"] for result in other["results"]}
    for result in card["results"]:
        pairs = list(zip(before.get(result["opponent"], ()), result["points"], strict=False))
        if pairs:
            gains = [(now - then) / 2 for then, now in pairs]
            gain = statistics.mean_of_pairs(len(gains), sum(gains), _dot(gains, gains))
            then, now = (sum(points) / 2 / len(pairs) for points in zip(*pairs, strict=True))
            what = f"score against {result['opponent']}"
            yield _change(what, then, now, gain, _is_significant(gain, gains), +1)


def _is_significant(gain: Estimate, gains: Sequence[float]) -> bool:
    """Whether the 95 % interval of the mean gain, by Student's t, is on one side of 0.

    Gains that are all alike have no standard error; they are taken as values from -1 to 1.
    """
    if len({*gains}) == 1:
        low, high = statistics.mean_interval([(1 + gains[0]) / 2], [len(gains)])
        return not low <= 0.5 <= high
    return abs(gain.mean) > statistics.standard_errors(len(gains) - 1) * gain.error


def _compare_behaviour(card: dict[str, Any], other: dict[str, Any]) -> Iterator[dict[str, Any]]:
    results = [*card["results"], *other["results"]]
    deals = min((len(result["points"]) for result in results), default=0)
    errors = statistics.standard_errors(deals - 1)
    for name, (_, _, sign) in BEHAVIOUR.items():
        then, now = other["behaviour"][name], card["behaviour"][name]
        if then["value"] is not None and now["value"] is not None:
            error = math.hypot(then["se"] or math.nan, now["se"] or math.nan)
            gain = Estimate(now["value"] - then["value"], error)
            significant = abs(gain.mean) > errors * error
            yield _change(name, then["value"], now["value"], gain, significant, sign)


def _compare_failures(card: dict[str, Any], other: dict[str, Any]) -> Iterator[dict[str, Any]]:
    # Failures are reproducible on the same deals, so that any difference is significant.
    before, after = (sum(each["failures"].values()) for each in (other, card))
    yield _change("failures", before, after, Estimate(after - before, 0.0), after != before, -1)


def _change(
    what: str, before: float, after: float, gain: Estimate, significant: bool, sign: int
) -> dict[str, Any]:
    verdict = None
    if sign and significant:
        verdict = "better" if gain.mean * sign > 0 else "worse"
    return {
        "what": what,
        "before": before,
        "after": after,
        "difference": gain.mean,
        "se": _finite(gain.error),
        "verdict": verdict,
    }


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
