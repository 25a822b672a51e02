"""What the environments let one choose."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from literature_ai.errors import LiteratureError, shown
from literature_ai.rules import RuleSet

ILLEGAL_REWARD = -1.0
"""The reward of an illegal action, which ends the game, for the seat that took it; others get 0."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the environments let one choose. Raises `LiteratureError` for an unknown value."""

    rules: RuleSet = field(default_factory=RuleSet)
    reward: Literal["result", "margin"] = "result"
    """``result``: 1 for a win, -1 for a loss, 0 for a draw; ``margin``: the half-suits that the
    team won, less those that the opponents won, as a share of all. Both come at the end."""
    claims: Literal["sequential", "certain"] = "sequential"
    """``sequential``: a claim is seven actions. ``certain``: claims that cannot be wrong are made
    at once and no others, except that a seat which must claim claims the likeliest layout; what is
    left to decide are asks and passes."""
    places: Literal["any", "possible"] = "any"
    """Where a claim may place a card: with ``any`` seat that it may name, or only with those that
    may have it, as far as the seat can know."""
    belief: bool = False
    """Whether observations have the exact posterior of each card."""
    history: int = 0
    """How many of the last events observations have as rows."""

    def __post_init__(self) -> None:
        for name, known in (
            ("reward", ("result", "margin")),
            ("claims", ("sequential", "certain")),
            ("places", ("any", "possible")),
        ):
            value = getattr(self, name)
            if value not in known:
                raise LiteratureError(
                    f"{name} is {shown(value)}; it must be {' or '.join(map(repr, known))}"
                )
        if type(self.history) is not int or not 0 <= self.history <= 10_000:
            raise LiteratureError(
                f"history is {shown(self.history)}; it must be a number of events from 0 to 10000"
            )

    @classmethod
    def of(cls, rules: RuleSet | str = "canadian", **options: Any) -> Options:
        """The options with rules as words, as in ``RuleSet.parse``.

        Raises `LiteratureError` for an option that there is not, or an unknown value.
        """
        known = [name for name in cls.__dataclass_fields__ if name != "rules"]
        for name in options:
            if name not in known:
                raise LiteratureError(
                    f"there is no option {name!r}; the options are rules, {', '.join(known)}"
                )
        return cls(rules if isinstance(rules, RuleSet) else RuleSet.parse(rules), **options)
