"""The summary of a tournament: all figures of its agents and matchups, as plain data.

Only complete pairs count; when a sequential test is decided, only those up to its decision. The
summary is what ``literature tournament --json`` prints:

``seed``, ``pairs``, ``players``, ``rules``, ``seconds``, ``games_per_second``; ``match_wins`` in
a tournament of matches, ``sprt`` in one with a test; then for each of ``agents``

- ``spec``; ``elo`` with ``elo_low`` and ``elo_high`` (95 %): between two agents the difference to
  the other one, between more the Bradley-Terry rating (the mean is 0);
- ``score`` (points per game, 0 to 1), ``games``, ``wins``, ``draws``, ``losses`` (of games, or of
  matches), ``unfinished``, ``half_suits_for``, ``half_suits_against``;
- ``hit_rate`` (hits per ask); ``dead_asks`` (asks whose miss was public knowledge, per ask);
  ``claims_right``, ``claims_wrong``; ``claim_delay`` (mean number of events between the moment a
  claim became provable for the team and the claim); ``ms_per_decision`` (all time in the agent's
  code, per decision on turn); ``failures`` (kind: number); ``void`` (games that failed through
  nobody's code alone; their pairs count nowhere else). Dead asks and claim delays are counted in
  pairs whose number is a multiple of ``examined_every``;

and for each of ``matchups`` ``a``, ``b`` (specs), ``pairs``, ``score``, ``elo``, ``elo_low``,
``elo_high``, ``pentanomial`` (pairs in which a had 0, ½, 1, 1½, 2 points),
``likelihood_of_superiority``, ``normalized_elo``, ``half_suit_difference`` (per game) with
``half_suit_difference_se``, ``pair_correlation`` (between the two halves of a pair), and ``void``.

``causes`` says why games were forfeited, the first 20 causes in the order of the pairs: ``agent``,
``kind``, ``cause`` (the last line of a traceback or of standard error), ``games`` (how many were
lost so), and of the first of them ``against``, ``pair``, ``half`` (both from 1), ``seat`` and
``event`` (the number of events before the failure).

A figure without data is None.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from literature_ai.cards import seat_name
from tournaments import statistics
from tournaments.plan import RATINGS, Matchup, Plan, stream
from tournaments.results import cause
from tournaments.statistics import Rating
from tournaments.store import COUNTERS, Store

_MOST_CAUSES = 20


class Summary(dict[str, Any]):
    """All figures, by their names as above; a notebook shows ratings and matchups as tables."""

    def _repr_html_(self) -> str:
        from tournaments.report import tables

        return tables(self)


def summarize(store: Store) -> Summary:
    """The summary of the tournament in the store."""
    plan, counted = store.header.plan, store.counted_pairs()
    matchups = [matchup_summary(store, matchup) for matchup in plan.matchups()]
    ratings = _ratings(store, counted, matchups)
    seconds = store.seconds()
    ((games,),) = store.query("SELECT count(*) FROM games")
    summary = Summary(
        seed=plan.seed,
        pairs=plan.pairs,
        players=plan.rules.players,
        rules=plan.rules.words(),
        seconds=seconds,
        games_per_second=games / seconds if seconds else None,
        examined_every=plan.examine_every,
    )
    if plan.match_wins is not None:
        summary["match_wins"] = plan.match_wins
    if plan.sprt is not None:
        summary["sprt"] = _sprt(plan, matchups[0], store.decision())
    summary["agents"] = [
        {
            "spec": plan.teams[team],
            "elo": rating.elo if rating else None,
            "elo_low": rating.low if rating else None,
            "elo_high": rating.high if rating else None,
            **agent_summary(store, team),
        }
        for team, rating in enumerate(ratings)
    ]
    summary["matchups"] = matchups
    summary["causes"] = causes(store)
    return summary


def failures(store: Store) -> int:
    """The number of forfeited and of void games."""
    ((count,),) = store.query(
        "SELECT (SELECT count(*) FROM failures) + (SELECT count(*) FROM voids)"
    )
    return int(count)


def causes(store: Store) -> list[dict[str, Any]]:
    """Why games were forfeited: the first causes, each with its first game."""
    teams = store.header.plan.teams
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for a, b, pair, half, team, kind, seat, event, text in store.query(
        "SELECT a, b, pair, half, team, kind, seat, event, text FROM failures WHERE pair < ? "
        "ORDER BY pair, a, b, half, number",
        store.counted_pairs(),
    ):
        agent, against = teams[(a, b)[team]], teams[(b, a)[team]]
        key = agent, kind, cause(text)
        if key not in found:
            if len(found) == _MOST_CAUSES:
                continue
            found[key] = {
                "agent": agent,
                "kind": kind,
                "cause": key[2],
                "games": 0,
                "against": against,
                "pair": pair + 1,
                "half": half + 1,
                "seat": seat_name(seat),
                "event": event,
            }
        found[key]["games"] += 1
    return [*found.values()]


def matchup_summary(store: Store, matchup: Matchup) -> dict[str, Any]:
    """The figures of one matchup."""
    (a, b), counted = matchup, store.counted_pairs()
    chosen = "FROM pairs WHERE a = ? AND b = ? AND pair < ?"
    pentanomial = [0] * len(statistics.SCORES)
    for points, count in store.query(
        f"SELECT first + second, count(*) {chosen} GROUP BY first + second", a, b, counted
    ):
        pentanomial[int(2 * points)] = count
    ((n, x, y, xx, yy, xy, difference, squares),) = store.query(
        f"""SELECT count(*), total(first), total(second), total(first * first),
                total(second * second), total(first * second), total(1.0 * difference / games),
                total(1.0 * difference / games * difference / games) {chosen}""",
        a,
        b,
        counted,
    )
    lead = statistics.mean_of_pairs(n, difference, squares)
    low, high = statistics.elo_interval(pentanomial)
    teams = store.header.plan.teams
    return {
        "a": teams[a],
        "b": teams[b],
        "pairs": n,
        "score": statistics.score(pentanomial) if n else None,
        "elo": statistics.elo(statistics.score(pentanomial)) if n else None,
        "elo_low": low,
        "elo_high": high,
        "pentanomial": pentanomial,
        "likelihood_of_superiority": statistics.likelihood_of_superiority(pentanomial),
        "normalized_elo": _finite(statistics.normalized_elo(pentanomial)),
        "half_suit_difference": _finite(lead.mean),
        "half_suit_difference_se": _finite(lead.error),
        "pair_correlation": statistics.correlation(n, xy, x, y, xx, yy),
        "void": _void(store, "a = ? AND b = ?", a, b),
    }


def agent_summary(store: Store, team: int) -> dict[str, Any]:
    """The figures of one team except its rating."""
    counted = store.counted_pairs()
    wins, draws, losses = _results(store, team, counted)
    halves = wins + draws + losses
    ((games, unfinished, half_suits_for, half_suits_against),) = store.query(
        """SELECT count(*), ifnull(sum(unfinished), 0),
                ifnull(sum(CASE a WHEN ?1 THEN score_a ELSE score_b END), 0),
                ifnull(sum(CASE a WHEN ?1 THEN score_b ELSE score_a END), 0)
            FROM games WHERE (a = ?1 OR b = ?1) AND pair < ?2""",
        team,
        counted,
    )
    (sums,) = store.query(
        f"""SELECT {", ".join(f"ifnull(sum({name}), 0)" for name in COUNTERS)} FROM counters
            WHERE (CASE team WHEN 0 THEN a ELSE b END) = ? AND pair < ?""",
        team,
        counted,
    )
    count = dict(zip(COUNTERS, sums, strict=True))
    failed = store.query(
        """SELECT kind, count(*) FROM failures
            WHERE (CASE team WHEN 0 THEN a ELSE b END) = ? AND pair < ? GROUP BY kind""",
        team,
        counted,
    )
    return {
        "score": (wins + draws / 2) / halves if halves else None,
        "games": games,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "unfinished": unfinished,
        "half_suits_for": half_suits_for,
        "half_suits_against": half_suits_against,
        "hit_rate": _ratio(count["hits"], count["asks"]),
        "dead_asks": _ratio(count["dead_asks"], count["examined_asks"]),
        "claims_right": count["claims_right"],
        "claims_wrong": count["claims_wrong"],
        "claim_delay": _ratio(count["claim_delay"], count["timely_claims"]),
        "ms_per_decision": _ratio(count["nanoseconds"] / 1e6, count["decisions"]),
        "failures": dict(failed),
        "void": _void(store, "? IN (a, b)", team),
    }


def _void(store: Store, which: str, *values: int) -> int:
    """The number of void games that count."""
    ((count,),) = store.query(
        f"SELECT count(*) FROM voids WHERE {which} AND pair < ?", *values, store.counted_pairs()
    )
    return int(count)


def _results(store: Store, team: int, counted: int) -> tuple[int, int, int]:
    """The number of halves won, drawn and lost."""
    tally = {0.0: 0, 0.5: 0, 1.0: 0}
    for half in ("first", "second"):
        for points, count in store.query(
            f"""SELECT CASE a WHEN ?1 THEN {half} ELSE 1 - {half} END AS points, count(*)
                FROM pairs WHERE (a = ?1 OR b = ?1) AND pair < ?2 GROUP BY points""",
            team,
            counted,
        ):
            tally[points] += count
    return tally[1.0], tally[0.5], tally[0.0]


def _ratings(store: Store, counted: int, matchups: list[dict[str, Any]]) -> list[Rating | None]:
    plan = store.header.plan
    if not any(store.query("SELECT 1 FROM pairs LIMIT 1")):
        return [None] * len(plan.teams)
    if len(plan.teams) == 2:
        (only,) = matchups
        lead = Rating(only["elo"], only["elo_low"], only["elo_high"])
        return [lead, Rating(-lead.elo, -lead.high, -lead.low)]
    import numpy as np

    rng = np.random.default_rng(stream(plan.seed, RATINGS))
    return list(statistics.ratings(len(plan.teams), _deals(store, counted), rng))


def _deals(store: Store, counted: int) -> Iterator[list[tuple[int, int, float]]]:
    """For each deal, the points of the first team of every matchup that has played it."""
    rows = store.query(
        "SELECT pair, a, b, first + second FROM pairs WHERE pair < ? ORDER BY pair, a, b", counted
    )
    for _, deal in itertools.groupby(rows, key=lambda row: row[0]):
        yield [(a, b, points) for _, a, b, points in deal]


def _sprt(plan: Plan, matchup: dict[str, Any], decision: dict[str, Any] | None) -> dict[str, Any]:
    assert plan.sprt is not None
    low, high = plan.sprt.bounds
    ratio = statistics.log_likelihood_ratio(matchup["pentanomial"], plan.sprt.elo0, plan.sprt.elo1)
    return {
        **asdict(plan.sprt),
        "llr": ratio,
        "llr_low": low,
        "llr_high": high,
        "accepted": decision["accepted"] if decision else None,
    }


def _ratio(a: float, b: float) -> float | None:
    return a / b if b else None


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
