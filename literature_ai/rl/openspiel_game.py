"""The game for OpenSpiel: ``python_literature``.

>>> import pyspiel
>>> import literature_ai.rl.openspiel_game
>>> game = pyspiel.load_game("python_literature(rules=us54 play-out)")
>>> game.num_players(), game.num_distinct_actions()
(6, 177)

Importing the module registers the game. Its parameters are ``rules`` (words as in
``RuleSet.parse``, with a colon for "=", as in ``rules=max-events:80``), ``players``, ``reward`` and
``places`` (`Options`).

A game begins with a chance node for each card, whose outcome is the seat that is dealt the card,
and one for the seat that starts. A deal is uniform: a card goes to a seat with the probability of
the free places in its hand among all free places.

``resample_from_infostate`` samples exactly, from the uniform distribution over the deals that
contradict nothing a player knows, and IS-MCTS works with it as it is.

Needs the extra ``rl-openspiel``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

try:
    import pyspiel
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        "the game for OpenSpiel needs OpenSpiel: pip install 'literature-ai[rl-openspiel]'",
        name="pyspiel",
    ) from None

from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, Seat
from literature_ai.errors import LiteratureError
from literature_ai.game.game import Game
from literature_ai.records.notation import format_event
from literature_ai.rl.encoder import encoder_of
from literature_ai.rl.episode import Episode
from literature_ai.rl.options import Options
from literature_ai.rules import RuleSet

NAME = "python_literature"

_PARAMETERS: dict[str, Any] = {
    "rules": "",
    "players": 0,  # 6, unless the rules say otherwise
    "reward": "result",
    "places": "any",
}

_PRIVATE = ("hand", "off_turn", "claiming", "placed")
"""The parts of an observation that only its player sees."""

GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Literature (Canadian Fish)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=8,
    min_num_players=4,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_PARAMETERS,
)


class LiteratureGame(pyspiel.Game):  # type: ignore[misc]
    """The game with its parameters. Raises `LiteratureError` when they are wrong."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        # OpenSpiel's text of a game cannot hold a second "=", so a colon is taken as well.
        params = dict(params or {})
        if "rules" in params:
            params["rules"] = params["rules"].replace("=", ":")
        given = _PARAMETERS | params
        rules = RuleSet.parse(given["rules"].replace(":", "="), given["players"] or None)
        self.options = Options.of(rules, **{name: given[name] for name in ("reward", "places")})
        self.encoder = encoder_of(self.options)
        offers = rules.players + 1 if rules.claim_any_time else 1
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoder.space.size,
            max_chance_outcomes=rules.players,
            num_players=rules.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=rules.max_events * offers + 6 * rules.half_suits,
        )
        super().__init__(GAME_TYPE, info, params)

    def max_chance_nodes_in_history(self) -> int:
        """A node for each card, and one for the seat that starts."""
        return self.options.rules.cards + 1

    def new_initial_state(self) -> LiteratureState:
        """The state before the first card is dealt."""
        return LiteratureState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> LiteratureObserver:
        """What OpenSpiel observes states with, by default all that a player sees at the moment."""
        if params:
            raise LiteratureError(f"observers take no parameters, but {params!r} is given")
        default = pyspiel.IIGObservationType(perfect_recall=False)
        return LiteratureObserver(self, iig_obs_type or default)


class LiteratureState(pyspiel.State):  # type: ignore[misc]
    """The state of a game: the deal as far as it has gone, then an `Episode`."""

    def __init__(self, game: LiteratureGame) -> None:
        super().__init__(game)
        self.options = game.options
        self.holders: tuple[Seat, ...] = ()
        """Who was dealt each card so far, in card order."""
        self.episode: Episode | None = None
        """The game; None during the deal."""
        self.declined: tuple[tuple[Seat, int], ...] = ()
        """The offers that were declined: the seat, and how many events there had been."""

    def current_player(self) -> int:
        if self.episode is None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.episode.seat
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def is_terminal(self) -> bool:
        return self.episode is not None and self.episode.seat is None

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The seats that may be dealt the next card, or start, with their probabilities."""
        rules = self.options.rules
        left = rules.cards - len(self.holders)
        if not left:
            return [(seat, 1 / rules.players) for seat in range(rules.players)]
        free = [rules.hand_size - self.holders.count(seat) for seat in range(rules.players)]
        return [(seat, places / left) for seat, places in enumerate(free) if places]

    def returns(self) -> list[float]:
        """The rewards of the players: all 0 before the end."""
        rewards = (0.0, 0.0) if self.episode is None else self.episode.rewards()
        return [rewards[seat % 2] for seat in range(self.options.rules.players)]

    def resample_from_infostate(self, player: int, random: Callable[[], float]) -> LiteratureState:
        """A state that the player cannot tell from this one, with a deal drawn exactly from the
        uniform distribution over all that are possible.

        ``random`` gives uniform numbers from 0 to 1. A claim that another player is building is
        hidden, and is not in the new state.
        """
        episode = self.episode
        assert episode is not None, "there is nothing to know before the deal"
        rng = np.random.default_rng([int(random() * (1 << 53)) for _ in range(4)])
        deal = episode.knowledge(player).sample(rng, 1)[0].tolist()
        history = self.history()[len(deal) + 1 :]
        if episode.claiming is not None and episode.seat != player:
            del history[len(history) - 1 - len(episode.placed) :]
        state: LiteratureState = self.get_game().new_initial_state()
        for action in (*deal, episode.turns.game.start, *history):
            state.apply_action(action)
        return state

    def _legal_actions(self, player: int) -> list[int]:
        assert self.episode is not None
        return list(self.episode.legal()) if player == self.episode.seat else []

    def _apply_action(self, action: int) -> None:
        episode = self.episode
        if episode is None:
            if len(self.holders) < self.options.rules.cards:
                self.holders += (action,)
            else:
                hands: list[list[int]] = [[] for _ in range(self.options.rules.players)]
                for card, seat in enumerate(self.holders):
                    hands[seat].append(card)
                self.episode = Episode(Game(self.options.rules, hands, action), self.options)
            return
        if action == episode.encoder.space.decline:
            assert episode.seat is not None
            self.declined += ((episode.seat, len(episode.turns.game.events)),)
        episode.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if self.episode is None:
            if len(self.holders) < self.options.rules.cards:
                return (
                    f"deal {self.options.rules.card_names[len(self.holders)]} {SEAT_NAMES[action]}"
                )
            return f"start {SEAT_NAMES[action]}"
        return self.episode.encoder.space.text(player, action, self.episode.next_card())

    def __str__(self) -> str:
        if self.episode is None:
            dealt = zip(self.options.rules.card_names, self.holders, strict=False)
            return "deal " + " ".join(f"{card}:{SEAT_NAMES[seat]}" for card, seat in dealt)
        return str(self.episode.turns.game) + _claim_so_far(self.episode)


class LiteratureObserver:
    """Observes a state for a player, as OpenSpiel asks for it: what is public, what is private to
    the player, or both; at the moment, or with perfect recall (as text only)."""

    def __init__(self, game: LiteratureGame, observed: Any) -> None:
        self._perfect_recall = observed.perfect_recall
        self._public = observed.public_info
        self._private = observed.private_info != pyspiel.PrivateInfoType.NONE
        self._parts = {
            name: part
            for name, part in game.encoder.layout.slices.items()
            if (self._private if name in _PRIVATE else self._public)
        }
        size = sum(part.stop - part.start for part in self._parts.values())
        self.tensor = np.zeros(size, np.float32)
        """The parts of the observation (`Layout`) that are observed, one after the other."""
        self.dict = {}
        at = 0
        for name, part in self._parts.items():
            self.dict[name] = self.tensor[at : at + part.stop - part.start]
            at += part.stop - part.start

    def set_from(self, state: LiteratureState, player: int) -> None:
        """Write what the player sees to ``tensor``; zeros during the deal."""
        self.tensor.fill(0.0)
        if state.episode is not None:
            seen = state.episode.observe(player)["observation"]
            for name, part in self._parts.items():
                self.dict[name][:] = seen[part]

    def string_from(self, state: LiteratureState, player: int) -> str:
        """What the player sees, as text; with perfect recall, all they know."""
        episode = state.episode
        if episode is not None and self._public and self._private and not self._perfect_recall:
            own = episode.seat == player
            return str(episode.view(player)) + (_claim_so_far(episode) if own else "")
        known = _private(state, player) if self._private else []
        if episode is not None and self._public:
            game = episode.turns.game
            known.append(f"start {SEAT_NAMES[game.start]}")
            known += [format_event(event, game.rules.card_names) for event in game.events]
        return "; ".join(known)


def _private(state: LiteratureState, player: int) -> list[str]:
    """What only the player knows: hand as dealt, declined offers, the claim they are building."""
    names = state.options.rules.card_names
    cards = " ".join(names[c] for c, seat in enumerate(state.holders) if seat == player)
    known = [f"{SEAT_NAMES[player]} dealt {cards}"]
    declined = [str(events) for seat, events in state.declined if seat == player]
    if declined:
        known.append(f"declined after {' '.join(declined)}")
    episode = state.episode
    if episode is not None and episode.seat == player:
        if episode.off_turn:
            known.append("offered a claim")
        if episode.claiming is not None:
            known.append(_claim_so_far(episode).strip())
    return known


def _claim_so_far(episode: Episode) -> str:
    if episode.claiming is None:
        return ""
    placed = " ".join(SEAT_NAMES[seat] for seat in episode.placed)
    return f"\nclaiming {HALF_SUIT_NAMES[episode.claiming]} {placed}"


pyspiel.register_game(GAME_TYPE, LiteratureGame)
