"""On a Dask cluster a tournament comes out the same, and survives the loss of a worker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from processes import descendants, survivors
from tournament_helpers import (
    ASKER,
    FAILING_PLAN,
    FIRST,
    TOGETHER,
    play_failing_plan,
    play_plan,
    untimed,
)

from literature_ai.rules import RuleSet
from tournaments.plan import Plan
from tournaments.runner import run
from tournaments.store import Store
from tournaments.summary import summarize

pytestmark = pytest.mark.slow


@pytest.fixture
def cluster() -> Iterator[tuple[object, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers as processes on loopback: a client, and the workers."""
    import distributed

    def dask(*words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    scheduler = dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    assert scheduler.stderr is not None
    lines = iter(scheduler.stderr.readline, b"")
    address = next(line.split()[-1].decode() for line in lines if b"Scheduler at" in line)
    workers = [
        dask("worker", address, "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1")
        for _ in range(2)
    ]
    with distributed.Client(address) as client:
        client.wait_for_workers(2)
        yield client, workers
    for process in (*workers, scheduler):
        kin = list(descendants(process.pid))
        process.terminate()
        process.communicate()
        assert survivors(kin) == []


def test_a_cluster_gives_the_same_results(cluster, tmp_path):
    """Summary and records are those of the default executor."""
    client, _ = cluster
    plan = Plan((ASKER, TOGETHER, FIRST), 30, RuleSet(max_events=60), seed=9, examine_every=5)
    expected = play_plan(tmp_path / "here", plan, True)
    executor = client.get_executor(pure=False)
    assert play_plan(tmp_path / "there", plan, True, executor=executor) == expected


def test_a_cluster_survives_every_misbehaviour(cluster, tmp_path):
    """All kinds of failing agents forfeit on the cluster the same games as here."""
    client, _ = cluster
    games, failures, _ = play_failing_plan(tmp_path / "here")
    executor = client.get_executor(pure=False)
    there, failed, _ = play_failing_plan(tmp_path / "there", executor=executor)
    assert there == games
    assert {k: v[:3] for k, v in failed.items()} == {k: v[:3] for k, v in failures.items()}
    assert len(failed) > FAILING_PLAN.pairs


def test_a_worker_that_is_killed_costs_nothing(cluster, tmp_path):
    """With one of two workers killed in mid-run the result is complete and the same."""
    client, workers = cluster
    plan = Plan((ASKER, FIRST), 300, RuleSet(max_events=60), seed=3, examine_every=0)
    expected = play_plan(tmp_path / "here", plan)[0]
    killed = []

    def progress(pairs: int) -> None:
        if not killed:
            killed.extend([workers[0].pid, *descendants(workers[0].pid)])
            for pid in killed[:2]:
                os.kill(pid, signal.SIGKILL)

    with Store.create_or_resume(tmp_path / "there", plan) as store:
        run(store, client.get_executor(pure=False), workers=2, progress=progress)
        assert untimed(summarize(store)) == expected
    assert survivors(killed) == []
