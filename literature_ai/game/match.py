"""A match: a series of games until a team has won enough of them.

The losing team of the last game starts the next one; after a draw the other team than last time
starts. Which of its seats starts is drawn from the seed, as in a single game. Game ``n`` depends
on the seed, ``n`` and the team that starts it, on nothing else.

>>> from literature_ai.game.position import Outcome, Termination
>>> from literature_ai.rules import RuleSet
>>> match = Match(RuleSet(), seed=7)
>>> first = match.next_game()
>>> match.add(Outcome((5, 2), 0, Termination.MAJORITY))
>>> match.wins, match.next_game().start % 2
((1, 0), 1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from literature_ai.cards import Team
from literature_ai.errors import LiteratureError
from literature_ai.game.game import Game
from literature_ai.game.position import Outcome
from literature_ai.game.text import score_text
from literature_ai.rules import RuleSet

if TYPE_CHECKING:
    import numpy as np


class Match:
    """The games of a match, dealt one after another as their outcomes come in."""

    def __init__(
        self,
        rules: RuleSet,
        seed: int | np.random.SeedSequence,
        wins: int = 5,
        max_games: int = 100,
    ) -> None:
        """A match up to ``wins`` won games.

        A series of draws could be endless, so a match also ends after ``max_games``. Raises
        `LiteratureError` when either is below 1.
        """
        if wins < 1 or max_games < 1:
            raise LiteratureError("a match needs at least one win and one game")
        self.rules = rules
        self.wins_needed = wins
        self.max_games = max_games
        self.outcomes: list[Outcome] = []
        self._seed = seed
        self._starters: list[Team] = []

    @property
    def wins(self) -> tuple[int, int]:
        """Games won by team A and by team B."""
        winners = [outcome.winner for outcome in self.outcomes]
        return winners.count(0), winners.count(1)

    @property
    def over(self) -> bool:
        return max(self.wins) >= self.wins_needed or len(self.outcomes) >= self.max_games

    @property
    def winner(self) -> Team | None:
        """The team with more games won; None when neither has (yet)."""
        a, b = self.wins
        return None if a == b else int(b > a)

    @property
    def unfinished(self) -> bool:
        """Whether the cap on games ended the match, which is scored as it stood."""
        return self.over and max(self.wins) < self.wins_needed

    def __repr__(self) -> str:
        return f"<Match: {self._score()}, up to {self.wins_needed} wins>"

    def __str__(self) -> str:
        """Rules, games won, and the outcome of each game, in lines."""
        lines = [str(self.rules), f"{self._score()}, up to {self.wins_needed} wins"]
        for number, outcome in enumerate(self.outcomes, 1):
            lines.append(f"{number}. {outcome}")
        return "\n".join(lines)

    def _score(self) -> str:
        games = len(self.outcomes)
        return f"{score_text(self.wins)} after {games} game{'' if games == 1 else 's'}"

    def __copy__(self) -> Match:
        twin = Match(self.rules, self._seed, self.wins_needed, self.max_games)
        twin.outcomes, twin._starters = self.outcomes.copy(), self._starters.copy()
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        # Rules, seeds and outcomes are never changed, so that a copy can share them.
        return self.__copy__()

    def next_game(self) -> Game:
        """Deal the game whose outcome `add` expects next; the same one at every call."""
        import numpy as np

        number = len(self.outcomes)
        root = self._seed
        if not isinstance(root, np.random.SeedSequence):
            root = np.random.SeedSequence(root)
        game = Game.deal(
            self.rules,
            seed=np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, number)),
        )
        team = self._starting_team()
        if team is not None and game.start % 2 != team:
            game = Game(self.rules, game.dealt, (game.start + 1) % self.rules.players)
        del self._starters[number:]
        self._starters.append(game.start % 2)
        return game

    def add(self, outcome: Outcome) -> None:
        """Count the outcome of the game dealt last. Raises `LiteratureError` when there is none."""
        if len(self._starters) == len(self.outcomes):
            raise LiteratureError("no game has been dealt for this outcome")
        self.outcomes.append(outcome)

    def _starting_team(self) -> Team | None:
        """The team that starts the next game; None for the first, which is drawn."""
        if not self.outcomes:
            return None
        winner = self.outcomes[-1].winner
        return 1 - (winner if winner is not None else self._starters[len(self.outcomes) - 1])
