"""The processes of a tournament: workers hand tasks to supervisors, which run players.

A *worker* (a thread or process of an executor) sends tasks to a *supervisor* process, which runs no
agent's code. The supervisor forks off a *player* process, in which the agents run, and watches it
through a *watchdog*, a record in shared memory of the agent call in progress.
"""
