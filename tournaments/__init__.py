"""Tournaments between agents, with reproducible results and statistics.

A `Plan` says what is played, a `Store` keeps the results, `run` plays what the store lacks, and
`summarize` computes the figures:

>>> from tournaments import Plan, Store, run, summarize
>>> def compare(one, other, file):
...     with Store.create_or_resume(file, Plan((one, other), pairs=500)) as store:
...         run(store)
...         return summarize(store)["matchups"][0]

The page ``docs/tournaments.md`` is the guide.
"""

from tournaments.plan import Plan
from tournaments.runner import run
from tournaments.store import Store
from tournaments.summary import summarize

__all__ = ["Plan", "Store", "run", "summarize"]
