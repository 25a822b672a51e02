"""What every agent is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from literature_ai.events import Action, Claim, Event

if TYPE_CHECKING:
    import numpy as np

    from literature_ai.game.view import View


class Agent:
    """Plays one seat of one game.

    An agent sees its view and the public events, and draws every random number from the generator
    that `start` hands it. Override `act`, and whatever else is needed. Parameters of an agent are
    the keyword arguments of its constructor; the first line of the docstring is what
    ``literature agents`` says about it.

    Two class methods are optional. ``warm_up()`` compiles or loads what the agent needs, before
    processes share the work. ``act_many(agents, views)`` decides for many at once, agent ``i`` on
    turn in view ``i``, and returns one action for each, the same as `act` would.
    """

    def start(self, view: View, rng: np.random.Generator) -> None:
        """A new game begins; ``rng`` is this seat's own generator for the whole game."""

    def observe(self, event: Event) -> None:
        """Something happened at the table; called for every event, the own ones included."""

    def act(self, view: View) -> Action:
        """Decide, being on turn."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it acts")

    def claim(self, view: View) -> Claim | None:
        """Claim between two actions, or don't (asked only under ``claim-any-time``)."""
        return None
