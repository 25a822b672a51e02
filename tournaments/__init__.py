"""Bot-against-bot tournaments of Literature with statistics one can trust.

A `Plan` says what is played, a `Store` keeps what comes of it, `hold` plays, `summary` tells:

>>> from tournaments import Plan, Store, hold, summary
>>> def compare(one, other, file):
...     with Store.create_or_resume(file, Plan((one, other), pairs=500)) as store:
...         hold(store)
...         return summary(store)["matchups"][0]

The guide is the README beside this file.
"""

from tournaments.plan import Plan
from tournaments.runner import hold
from tournaments.store import Store
from tournaments.summary import summary

__all__ = ["Plan", "Store", "hold", "summary"]
