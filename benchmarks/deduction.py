"""Speed of posterior, number of deals, samples and backbone, each against a plain method.

All on the games of `positions`: 20 seeds, 6 players unless a row says 8.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from backbone import measure as measure_backbone
from measure import Row, best, median, seconds
from plain_posterior import plain_posterior
from positions import decisions

from literature_ai.inference.knowledge import Knowledge
from literature_ai.rules import RuleSet
from solver.counting import Counting
from solver.kernels import posterior as kernel
from solver.kernels.deals import deals_residues, total_weight
from solver.kernels.families import narrow
from solver.problem import Problem

GAMES = 20
NO_WEIGHTS = np.empty((0, 0, 0))
NO_NEWS = np.empty((0, 3), np.int64)
NO_MOVES = np.empty(0, np.int64)


def families_of(problem: Problem) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All facts as families (half-suits × seats), hand sizes, and excluded layouts."""
    counting = Counting(problem.copy())
    families, news, hand_sizes, _, excluded = counting._arguments(None)
    narrow(families, news)
    return families, hand_sizes, excluded


def posterior() -> Iterator[Row]:
    """The posterior from the same families by both programs, at every decision."""
    ratios, ours, theirs, before = [], [], [], []
    for seed in range(GAMES):
        for game, knowledge in decisions(RuleSet(), seed):
            families, hands, excluded = families_of(knowledge.problem)

            def fast(families=families, hands=hands, excluded=excluded):
                return kernel.posterior(
                    families.copy(), NO_NEWS, hands, NO_WEIGHTS, excluded, NO_MOVES
                )[0]

            def plain(families=families, hands=hands):
                return plain_posterior(families, hands)

            assert np.allclose(plain(), fast(), rtol=1e-9, atol=1e-12)
            plain_seconds = best(plain, 1)
            fast_seconds = best(fast, 3)
            if game.events:
                ours.append(fast_seconds)
                theirs.append(plain_seconds)
                ratios.append(plain_seconds / fast_seconds)
            else:
                before.append((fast_seconds, plain_seconds))
    yield Row(
        "posterior, one seat, median decision",
        median(ours) * 1e3,
        "ms",
        "plain_posterior.py",
        median(theirs) * 1e3,
        target="≥ 5 ×",
        note=f"{len(ours)} decisions; median of their ratios {median(ratios):.1f}, "
        f"ratio of the sums {sum(theirs) / sum(ours):.1f}",
    )
    yield Row(
        "posterior before the first ask",
        median([fast for fast, _ in before]) * 1e3,
        "ms",
        "plain_posterior.py",
        median([plain for _, plain in before]) * 1e3,
        target="≥ 3 ×",
    )


def one_more_event() -> Iterator[Row]:
    """The posterior after one more event: incremental, and from all events anew.

    Both times include the translation of events into facts.
    """
    on, anew = [], []
    for seed in range(GAMES):
        *_, (game, _) = decisions(RuleSet(), seed)
        knowledge = Knowledge(game.rules, 0, game.dealt[0])
        knowledge.posterior()
        for number, event in enumerate(game.events, start=1):

            def more(knowledge=knowledge, event=event):
                knowledge.observe(event)
                return knowledge.posterior()

            def again(events=game.events[:number], game=game):
                other = Knowledge(game.rules, 0, game.dealt[0])
                for each in events:
                    other.observe(each)
                return other.posterior()

            on_seconds, posterior = seconds(more)
            on.append(on_seconds)
            if number % 4 == 0:
                anew_seconds, same = seconds(again)
                anew.append(anew_seconds)
                assert np.allclose(posterior, same, rtol=1e-9, atol=1e-12)
    yield Row(
        "observe one more event + posterior",
        median(on) * 1e3,
        "ms",
        "all events anew",
        median(anew) * 1e3,
        target="far less than anew",
        note=f"mean {1e3 * sum(on) / len(on):.3f} against {1e3 * sum(anew) / len(anew):.3f} ms",
    )


def eight_players() -> Iterator[Row]:
    """Russian Literature: the median and the worst decision."""
    times = []
    for seed in range(GAMES):
        for _, knowledge in decisions(RuleSet(players=8), seed):
            families, hands, excluded = families_of(knowledge.problem)

            def fast(families=families, hands=hands, excluded=excluded):
                return kernel.posterior(
                    families.copy(), NO_NEWS, hands, NO_WEIGHTS, excluded, NO_MOVES
                )[0]

            times.append(best(fast, 2))
    yield Row(
        "posterior, 8 players, median",
        median(times) * 1e3,
        "ms",
        "the figure asked for",
        5.0,
        target="< 5 ms",
        note=f"{len(times)} decisions",
    )
    yield Row(
        "posterior, 8 players, worst decision",
        max(times) * 1e3,
        "ms",
        "the figure asked for",
        150.0,
        target="≤ 150 ms",
    )


def deals() -> Iterator[Row]:
    """The exact number of deals, against the same forward pass in floating point."""
    exact, floats, ratios = [], [], []
    for seed in range(GAMES):
        for _, knowledge in decisions(RuleSet(), seed):
            families, hands, excluded = families_of(knowledge.problem)

            def residues(families=families, hands=hands, excluded=excluded):
                deals_residues(families.copy(), NO_NEWS, hands, excluded)

            def forward(families=families, hands=hands, excluded=excluded):
                total_weight(families.copy(), NO_NEWS, hands, NO_WEIGHTS, excluded)

            exact.append(best(residues))
            floats.append(best(forward))
            ratios.append(exact[-1] / floats[-1])
    yield Row(
        "exact number of deals",
        median(exact) * 1e3,
        "ms",
        "float forward pass",
        median(floats) * 1e3,
        target="≤ 2 × the pass",
        note=f"the median count costs {median(ratios):.2f} × the pass, "
        f"99 % cost less than {np.quantile(ratios, 0.99):.2f} ×",
    )


def samples() -> Iterator[Row]:
    """Exact independent samples of deals after 40 events."""
    rates: dict[int, list[float]] = {1_000: [], 10_000: []}
    for seed in range(GAMES):
        for game, knowledge in decisions(RuleSet(), seed):
            if len(game.events) == 40:
                rng = np.random.default_rng(seed)
                for count, found in rates.items():

                    def draw(count=count, knowledge=knowledge, rng=rng):
                        knowledge.sample(rng, count)

                    found.append(count / best(draw, 5))
    for count, found in rates.items():
        yield Row(
            f"exact samples at event 40, batches of {count:,}",
            median(found),
            "/s",
            "the figure asked for",
            1e6,
            smaller_is_better=False,
            target="≥ 1,000,000/s",
            note=f"{len(found)} positions, slowest {min(found):,.0f}/s",
        )


def certainty() -> Iterator[Row]:
    """The full SAT backbone after one more event."""
    ours, plain = measure_backbone(RuleSet(), GAMES)
    yield Row(
        "SAT backbone after one more event, median",
        median(ours),
        "ms",
        "plain minicard loop",
        median(plain),
        target="≤ 1.1 ms",
        note=f"{len(ours)} events",
    )
    yield Row(
        "SAT backbone after one more event, worst",
        max(ours),
        "ms",
        "plain minicard loop",
        max(plain),
        target="≤ 4 ms",
    )
