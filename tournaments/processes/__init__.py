"""The processes of a tournament: workers have tasks played by players, which launchers start.

A *worker* (a thread or process of an executor) runs no agent's code. Its *supervisor* has a
*player* process play, in which the agents run, and watches it through a *watchdog*: a record in
shared memory of the agent call in progress. Players are started by a *launcher* process, which ends
them when the worker is gone.
"""
