"""The base class of agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from literature_ai.events import Action, Claim, Event

if TYPE_CHECKING:
    import numpy as np

    from literature_ai.game.view import View


class Agent:
    """Plays one seat of one game.

    An agent sees its views and the public events, and draws every random number from the generator
    passed to `start`. Override `act`, and other methods as needed. The keyword arguments of the
    constructor are the agent's parameters; ``literature agents`` lists it with the first line of
    its docstring.

    Two class methods are optional. ``warm_up()`` compiles or loads what the agent needs, before
    worker processes start. ``act_many(agents, views)`` decides in many games at once: agent ``i``
    is on turn in view ``i``; it returns one action for each, the same as `act` would.
    """

    def start(self, view: View, rng: np.random.Generator) -> None:
        """Begin a new game, which may be in progress.

        ``rng`` is this seat's own generator for the whole game.
        """

    def observe(self, event: Event) -> None:
        """Observe an event; called for every event after `start`, including those of the own
        actions."""

    def act(self, view: View) -> Action:
        """The action on turn."""
        raise NotImplementedError(f"{type(self).__name__} does not define act")

    def claim(self, view: View) -> Claim | None:
        """A claim between two actions, or None (asked only under ``claim-any-time``)."""
        return None
