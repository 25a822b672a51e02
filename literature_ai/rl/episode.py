"""One game as the environments play it: numbers in, arrays out.

An `Episode` adds to a game what the environments share: actions as numbers, claims that are built
card by card, masks, observations and rewards. PettingZoo, Gymnasium and OpenSpiel wrap it; use it
directly for a loop of your own.

>>> from literature_ai.game.game import Game
>>> from literature_ai.rules import RuleSet
>>> episode = Episode(Game.deal(RuleSet(), seed=7, start=0), Options())
>>> episode.seat, int(episode.mask().sum())
(0, 74)
>>> episode.step(next(iter(episode.legal())))
>>> episode.turns.game.events
(Asked(asker=0, target=1, card=3, hit=False),)
"""

from __future__ import annotations

import copy
from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from literature_ai.cards import HALF_SUIT_SIZE, Card, HalfSuit, Seat
from literature_ai.errors import IllegalActionError, LiteratureError
from literature_ai.events import Action, Claim
from literature_ai.game.game import Game
from literature_ai.game.turns import Turns
from literature_ai.game.view import View
from literature_ai.inference.knowledge import Knowledge
from literature_ai.rl.encoder import Observation, Viewer, encoder_of
from literature_ai.rl.options import Options
from literature_ai.rl.rows import PublicRows


class Episode:
    """A game with its options, from any moment of it on.

    Copies (`copy.copy`, `copy.deepcopy`) are independent.
    """

    def __init__(
        self, game: Game, options: Options, learners: Collection[Seat] | None = None
    ) -> None:
        """The game may be in progress.

        With the option ``claims="certain"`` claims are made for the learners, by default all seats;
        the others make their own by `answer`.

        Raises `LiteratureError` when the game's rules are not those of the options.
        """
        if game.rules != options.rules:
            raise LiteratureError(f"the game is by {game.rules}; the options say {options.rules}")
        self.options = options
        self.encoder = encoder_of(options)
        self.turns = Turns(game)
        """The game, and whose decision it waits for; only `step` may change it."""
        self.claiming: HalfSuit | None = None
        """The half-suit of the claim that is being built."""
        self.placed: tuple[Seat, ...] = ()
        """Where its first cards have been placed."""
        self._learners = range(game.rules.players) if learners is None else learners
        self._knowledge: dict[Seat, Knowledge] = {}
        self._rows = PublicRows.after(game.rules, game.start, game.events)
        self._settle()

    def __copy__(self) -> Episode:
        twin = Episode.__new__(Episode)
        vars(twin).update(vars(self))
        twin.turns = copy.copy(self.turns)
        twin._knowledge = {seat: copy.copy(known) for seat, known in self._knowledge.items()}
        twin._rows = copy.copy(self._rows)
        return twin

    def __deepcopy__(self, memo: object) -> Episode:
        return self.__copy__()

    def __repr__(self) -> str:
        return f"<Episode: {self.turns.game!r}>"

    @property
    def seat(self) -> Seat | None:
        """The seat whose decision it is; None when the game is over."""
        decision = self.turns.decision
        return None if decision is None else decision.seat

    @property
    def off_turn(self) -> bool:
        """Whether it is an offer to claim between two actions."""
        decision = self.turns.decision
        return decision is not None and decision.off_turn

    @property
    def truncated(self) -> bool:
        """Whether the cap on events ended the game."""
        outcome = self.turns.game.outcome
        return outcome is not None and outcome.unfinished

    def view(self, seat: Seat) -> View:
        """What the seat sees of the game."""
        return self.turns.game.view(seat)

    def knowledge(self, seat: Seat) -> Knowledge:
        """What the seat knows now. It is kept and must not be changed."""
        game = self.turns.game
        known = self._knowledge.get(seat)
        if known is None:
            known = self._knowledge[seat] = Knowledge(game.rules, seat, game.dealt[seat])
        for event in game.events[known.events :]:
            known.observe(event)
        return known

    def rewards(self) -> tuple[float, float]:
        """The rewards of team A and of team B, which sum to 0; 0 before the end."""
        game = self.turns.game
        if not game.over:
            return 0.0, 0.0
        a, b = game.score
        if self.options.reward == "margin":
            margin = (a - b) / game.rules.half_suits
            return margin, 0.0 - margin
        won = float((a > b) - (a < b))
        return won, 0.0 - won

    def legal(self) -> tuple[int, ...]:
        """The legal actions of the seat whose decision it is, in order."""
        return tuple(self.mask().nonzero()[0].tolist())

    def mask(self) -> npt.NDArray[np.int8]:
        """1 for each legal action of the seat whose decision it is, else 0: int8, one an action.

        All 0 when the game is over.
        """
        seat = self.seat
        if seat is None:
            return np.zeros(self.encoder.space.size, np.int8)
        self._decide()
        return self.encoder.mask(self._rows, self._seen(seat))

    def observe(self, seat: Seat) -> Observation:
        """What the seat sees, as arrays; the mask is all 0 unless the decision is the seat's."""
        self._decide()
        return self.encoder.observe(self._rows, self._seen(seat), self.turns.game.events)

    def step(self, action: int) -> None:
        """Apply an action of the seat whose decision it is.

        Raises `IllegalActionError`, and changes nothing, when it is not legal; also
        `LiteratureError` when it is no number of an action.
        """
        self._apply(int(action))
        self._settle()

    def answer(self, action: Action | None) -> None:
        """Apply the action of the seat whose decision it is, a claim as a whole; None declines.

        Raises `IllegalActionError`, and changes nothing, when it is not legal, also while a claim
        is being built.
        """
        if self.claiming is not None:
            raise IllegalActionError("claim", "a claim is being built; it goes on card by card")
        self._answer(action)
        self._settle()

    def next_card(self) -> Card | None:
        """The card that a claim places next; None when no claim is being built."""
        if self.claiming is None:
            return None
        return self.claiming * HALF_SUIT_SIZE + len(self.placed)

    def _apply(self, action: int) -> None:
        space, seat = self.encoder.space, self.seat
        if seat is None:
            raise IllegalActionError("end", "the game is over; nothing may follow its last event")
        if self.options.claims == "certain" and action >= space.decline:
            raise IllegalActionError(
                "claims", "with claims='certain' claims are made by themselves; ask or pass"
            )
        if (action in space.places) != (self.claiming is not None):
            cure = "begins with its half-suit" if self.claiming is None else "goes on card by card"
            raise IllegalActionError("claim", f"action {action} is out of place: a claim {cure}")
        if action in space.places:
            assert self.claiming is not None
            placed = (*self.placed, space.named(seat, action))
            if len(placed) < HALF_SUIT_SIZE:
                self.placed = placed
                return
            claim = Claim(self.claiming, placed)
            self.claiming, self.placed = None, ()
            self._answer(claim)
        elif action in space.claims:
            half_suit = space.half_suit(action)
            game = self.turns.game
            if not game.may_claim(seat) or half_suit not in game.in_play:
                raise IllegalActionError("claim", f"{space.text(seat, action)} is not allowed now")
            self.claiming = half_suit
        else:
            self._answer(space.decode(seat, action))

    def _settle(self) -> None:
        """Make the claims that the option ``certain`` makes by itself."""
        if self.options.claims != "certain":
            return
        game = self.turns.game
        while (decision := self.turns.decision) is not None:
            if decision.seat not in self._learners:
                return
            known, claim = self.knowledge(decision.seat), None
            if game.may_claim(decision.seat):
                claim = next(iter(known.certain_claims()), None)
            if claim is None and not decision.off_turn:
                if not game.must_claim:
                    return
                best = known.claims()[0]
                claim = Claim(best.half_suit, best.holders)
            self._answer(claim)

    def _answer(self, answer: Action | None) -> None:
        event = self.turns.answer(answer)
        if event is not None:
            self._rows.follow(event, self.turns.game.state)

    def _seen(self, seat: Seat) -> Viewer:
        return Viewer(seat, self.turns.game.hand_mask(seat), self.knowledge)

    def _decide(self) -> None:
        """Bring the rows up to date with the decision."""
        decision = self.turns.decision
        self._rows.decide(
            -1 if decision is None else decision.seat,
            decision is not None and decision.off_turn,
            self.claiming,
            self.placed,
        )
