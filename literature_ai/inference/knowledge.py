"""What one seat, or everyone, knows of a game: events in, facts and probabilities out.

`Knowledge` keeps two things: the facts about the deal (`solver.problem`), which only grow, and the
cards that moved in the open, whose place is known for good. Every other card is still where it was
dealt, so the posterior of the deal is also that of the cards now.

Certainty is sound and complete: a card is certain exactly when it is at the same seat in every deal
that fits all events.

>>> import literature_ai as lit
>>> game = lit.Game.deal(lit.RuleSet(players=4), seed=7, start=0)
>>> me = Knowledge(game.rules, seat=0, hand=game.hand(0))
>>> me.observe(game.apply(lit.Ask(target=1, card=lit.parse_card("2S"))))
>>> me
<Knowledge of A1 after 1 event>
>>> me.probability({lit.parse_card("2S"): 2})
0.5
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from operator import index
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from literature_ai.cards import (
    HALF_SUIT_NAMES,
    HALF_SUIT_SIZE,
    SEAT_NAMES,
    TEAM_NAMES,
    Card,
    HalfSuit,
    Seat,
    Team,
    cards_of,
    name,
    seat_name,
    team_of,
)
from literature_ai.errors import LiteratureError, shown
from literature_ai.events import Claim, Claimed, Event
from literature_ai.inference.public import NOWHERE as NOWHERE
from literature_ai.inference.public import facts_before_play, holds, lacks
from literature_ai.rules import RuleSet
from literature_ai.wording import card_names, layout
from solver.counting import Counting
from solver.errors import ContradictionError, NotForcedError
from solver.problem import ASSUMED, OWN_HAND, Fact, Holds, HoldsOneOf, Lacks, Problem

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from literature_ai.game.view import View
    from solver.sat import Sat

    Weights = npt.NDArray[np.float64]

_NOTHING: Mapping[Card, Seat] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class BestClaim:
    """The most likely layout of a half-suit among the seats that a claim may name."""

    half_suit: HalfSuit
    holders: tuple[Seat, ...]
    """Who holds the six cards now, in card order."""
    probability: float
    """That this layout is right, exactly."""
    certain: bool
    """Whether no other layout fits the events, whatever the weights."""
    held: float
    """The probability that those seats hold all six cards, in whatever layout."""


class Knowledge:
    """What a seat that was dealt ``hand`` knows; without a seat, what everyone knows.

    It starts at the deal and learns from each event by `observe`; `of` starts from what a seat sees
    at any moment. ``copy.copy``, ``copy.deepcopy`` and ``pickle`` give an independent object with
    the same answers; the state of the engines is not copied.

    Raises LiteratureError when the hand does not fit the rules. Queries raise `ContradictionError`,
    with a smallest set of events that cannot all be true, when there is no deal left.
    """

    def __init__(
        self, rules: RuleSet, seat: Seat | None = None, hand: Iterable[Card] | None = None
    ) -> None:
        if not isinstance(rules, RuleSet):
            raise LiteratureError(
                f"rules is {shown(rules)}; it must be a RuleSet, as in Knowledge(rules, seat, hand)"
            )
        self.rules = rules
        self.seat = seat
        """Whose knowledge it is; None unless it is that of one seat."""
        self.problem = Problem(rules.half_suits, (rules.hand_size,) * rules.players)
        """The facts about the deal."""
        self._hands: tuple[Seat, ...] = ()
        self._seen = facts_before_play(rules)
        self._counting = Counting(self.problem)
        self._sat: Sat | None = None
        self._uniform: tuple[npt.NDArray[np.float64], int] | None = None
        self._deals: tuple[int, int] | None = None
        if seat is not None:
            self._see_hand(seat, hand or ())
        elif hand is not None:
            raise LiteratureError("a hand needs a seat that holds it")

    @classmethod
    def of(cls, view: View) -> Knowledge:
        """The knowledge of the seat that has this view, at any moment of a game."""
        if not hasattr(view, "dealt") or not hasattr(view, "seat"):
            raise LiteratureError(
                f"{shown(view)} is not what a seat sees; write it as in Knowledge.of(game.view(0))"
            )
        knowledge = cls(view.rules, view.seat, view.dealt)
        for event in view.events:
            knowledge.observe(event)
        return knowledge

    @classmethod
    def of_hands(
        cls, rules: RuleSet, hands: Sequence[Iterable[Card] | None], events: Iterable[Event] = ()
    ) -> Knowledge:
        """The knowledge of someone who has seen several hands as dealt, and these events.

        ``hands`` has one entry a seat, None where the hand has not been seen.
        """
        knowledge = cls(rules)
        for seat, hand in enumerate(hands):
            if hand is not None:
                knowledge._see_hand(seat, hand)
        for event in events:
            knowledge.observe(event)
        return knowledge

    def _see_hand(self, seat: Seat, hand: Iterable[Card]) -> None:
        hand = tuple(hand)
        cards = set(hand)
        if _not_in(range(self.rules.players), seat):
            raise LiteratureError(
                f"there is no seat {shown(seat)} in a game of {self.rules.players} players"
            )
        if len(cards) != len(hand) or not cards <= set(range(self.rules.cards)):
            raise LiteratureError(f"a hand of {self.rules.hand_size} different cards was expected")
        if len(hand) != self.rules.hand_size:
            raise LiteratureError(
                f"{seat_name(seat)} was dealt {self.rules.hand_size} cards, not {len(hand)}"
            )
        self._hands += (seat,)
        self.problem.facts += [
            (OWN_HAND, holds(seat, card) if card in cards else lacks(seat, card))
            for card in range(self.rules.cards)
        ]

    def __copy__(self) -> Knowledge:
        twin = Knowledge.__new__(Knowledge)
        twin.rules, twin.seat, twin._hands = self.rules, self.seat, self._hands
        twin.problem = self.problem.copy()
        twin._seen = self._seen
        twin._counting = self._counting.copy(twin.problem)
        twin._sat = None
        twin._uniform, twin._deals = self._uniform, self._deals
        return twin

    def __deepcopy__(self, memo: object) -> Knowledge:
        return copy(self)

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_counting", "_sat")
        return {key: value for key, value in vars(self).items() if key not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._counting = Counting(self.problem)
        self._sat = None
        if self._uniform is not None:
            self._uniform[0].flags.writeable = False

    def __repr__(self) -> str:
        return f"<Knowledge of {self._described()}>"

    def __str__(self) -> str:
        """The number of deals, the certain claims, and where the cards in play can be.

        The cards of each half-suit are listed by seat where they are certain, and with all seats
        that may have them where they are not.
        """
        try:
            number, posterior = self.deals(), self.posterior()
        except ContradictionError as error:
            return f"{self._described()}: {error}"
        fit = "one deal fits" if number == 1 else f"{number:,} deals fit"
        names = self.rules.card_names
        certain = [
            f"{HALF_SUIT_NAMES[claim.half_suit]} {layout(claim.half_suit, claim.holders, names)}"
            for claim in self.certain_claims()
        ]
        lines = [f"{self._described()}: {fit}", f"certain claims: {'; '.join(certain) or 'none'}"]
        for half_suit in self.in_play:
            together: dict[tuple[Seat, ...], list[Card]] = {}
            for card in cards_of(half_suit):
                seats = tuple(posterior[card].nonzero()[0].tolist())
                together.setdefault(seats, []).append(card)
            places = [
                f"{' '.join(SEAT_NAMES[s] for s in seats)}: {card_names(cards, names)}"
                for seats, cards in sorted(together.items(), key=lambda item: (len(item[0]), item))
            ]
            lines.append(f"{HALF_SUIT_NAMES[half_suit]}  {'; '.join(places)}")
        return "\n".join(lines)

    def _repr_svg_(self) -> str:
        """The heat map of `posterior`, for notebooks."""
        from literature_ai import svg

        return svg.heat_map(self)

    def _described(self) -> str:
        """Whose knowledge it is, and when."""
        who = " and ".join(SEAT_NAMES[seat] for seat in self._hands) or "everyone"
        events = "1 event" if self.events == 1 else f"{self.events} events"
        assumed = any(number == ASSUMED for number, _ in self.problem.facts)
        return f"{who} after {events}{', under assumptions' * assumed}"

    @property
    def events(self) -> int:
        """The number of events observed."""
        return self._seen.events

    @property
    def in_play(self) -> tuple[HalfSuit, ...]:
        """The half-suits that have not been claimed."""
        return self._seen.in_play

    def observe(self, event: Event) -> None:
        """Learn from the next event of the game.

        Raises `ContradictionError` when it contradicts what happened in the open, for example a
        miss for a card that everyone saw going to that seat, and LiteratureError when it is no
        event.
        """
        self._seen = seen = self._seen.observed(event)
        self.problem.facts += seen.said
        if self._uniform is not None:
            self._uniform = self._uniform_after(event)
        if seen.clash:
            raise ContradictionError(seen.clash, (seen.clashes_with, seen.events))

    def _uniform_after(self, event: Event) -> tuple[npt.NDArray[np.float64], int] | None:
        """The uniform posterior after an event that was certain to happen so, else None.

        Such an event (a sure card is taken, say) leaves all deals as likely as they were.
        """
        if self._seen.clash or not self._are_certain(fact for _, fact in self._seen.said):
            return None
        assert self._uniform is not None
        posterior, settled = self._uniform
        if isinstance(event, Claimed):
            settled &= ~(1 << event.half_suit)
        posterior = self._counting.moved(posterior, self._seen.moved)
        posterior.flags.writeable = False
        return posterior, settled

    def _are_certain(self, facts: Iterable[Fact]) -> bool:
        """Whether the uniform posterior, if known, shows that the facts must be true.

        The facts are about cards that have not moved.
        """
        if self._uniform is None:
            return False
        posterior, _ = self._uniform
        return all(_is_certain(fact, posterior) for fact in facts)

    @property
    def sat(self) -> Sat:
        """The SAT engine over the same facts."""
        if self._sat is None:
            from solver.sat import Sat

            self._sat = Sat(self.problem)
        return self._sat

    @property
    def counting(self) -> Counting:
        """The counting engine over the same facts: who was dealt which card, not who has it now."""
        return self._counting

    def place_now(self, card: Card) -> Seat | None:
        """The seat that a card went to in the open, `NOWHERE` if it left play; None otherwise."""
        return self._seen.moved_to.get(card)

    def check(self) -> None:
        """Raise `ContradictionError`, naming the clash, when no deal fits all events."""
        self.deals()

    def deals(self) -> int:
        """The exact number of deals that fit all events, at least 1."""
        facts = len(self.problem.facts)
        if self._deals is None or self._deals[0] != facts:
            self._deals = facts, self._counting.deals()
        number = self._deals[1]
        if not number:
            raise self._contradiction()
        return number

    def assuming(
        self, holds: Mapping[Card, Seat] = _NOTHING, lacks: Mapping[Card, Seat] = _NOTHING
    ) -> Knowledge:
        """The same knowledge if every card of ``holds`` were at its seat now, and no card of
        ``lacks`` at its.

        Explanations cite what is assumed as event -1 (`solver.problem.ASSUMED`).

        Raises `ContradictionError` when a card has been seen to be elsewhere, or there. That no
        deal fits all of it is found by the next query, as always. Raises LiteratureError for
        cards or seats that do not exist.
        """
        facts = self._facts_if(holds, lacks)
        twin = copy(self)
        twin.problem.facts += [(ASSUMED, fact) for fact in facts]
        if not twin._are_certain(facts):
            twin._uniform = None
        return twin

    def probability(
        self, layout: Mapping[Card, Seat], lacks: Mapping[Card, Seat] = _NOTHING
    ) -> float:
        """The probability that every card of the layout is at its seat now, and none of ``lacks``
        at its.

        It is the share of the deals that fit, correctly rounded, and 1.0 or 0.0 only when that is
        certain. Raises LiteratureError for cards or seats that do not exist.
        """
        places, others = self._places(layout), self._places(lacks)
        posterior = self.posterior()
        there = [float(posterior[card, seat]) for card, seat in places.items()]
        elsewhere = [float(posterior[card, seat]) for card, seat in others.items()]
        if 0.0 in there or 1.0 in elsewhere:
            return 0.0
        if set(there) <= {1.0} and set(elsewhere) <= {0.0}:
            return 1.0
        fitting = self.assuming(places, others)._counting.deals()
        chance = fitting / self.deals()
        return chance if chance < 1.0 or fitting == self.deals() else math.nextafter(1.0, 0.0)

    def _places(self, places: Mapping[Card, Seat]) -> dict[Card, Seat]:
        """The same cards and seats as plain ints. Raises LiteratureError for any that is none."""
        checked = {}
        for card, seat in places.items():
            if _not_in(range(self.rules.cards), card) or _not_in(range(self.rules.players), seat):
                raise LiteratureError(
                    f"card {shown(card)} at seat {shown(seat)} is no place in this game: its cards"
                    f" are 0 to {self.rules.cards - 1} and its seats 0 to {self.rules.players - 1}"
                )
            checked[index(card)] = index(seat)
        return checked

    def _facts_if(self, have: Mapping[Card, Seat], have_not: Mapping[Card, Seat]) -> list[Fact]:
        """What the places of cards now say of the deal; a card that moved in the open says nothing
        more."""
        facts: list[Fact] = []
        for places, says, is_true in ((have, holds, True), (have_not, lacks, False)):
            for card, seat in self._places(places).items():
                place = self._seen.moved_to.get(card)
                if place is None:
                    facts.append(says(seat, card))
                elif (place == seat) != is_true:
                    since = self._seen.moved_by[card]
                    where = "out of play" if place == NOWHERE else f"with {seat_name(place)}"
                    raise ContradictionError(
                        f"{name(card, self.rules.card_names)} has been {where} since event"
                        f" {since}, against what is assumed",
                        (ASSUMED, since),
                    )
        return facts

    def posterior(self, weights: Weights | None = None) -> npt.NDArray[np.float64]:
        """Where each card is now: cards × seats, probabilities; zeros for cards out of play.

        ``weights`` (half-suits × seats × 64) makes some deals likelier than others, as
        `solver.counting` says. The array is read-only. Raises LiteratureError when the weights
        leave no deal.
        """
        return self._located(weights)[0]

    def _located(self, weights: Weights | None = None) -> tuple[npt.NDArray[np.float64], int]:
        """The posterior, and as bits the half-suits whose cards are all certain to be somewhere."""
        if weights is None and self._uniform is not None:
            return self._uniform
        weights = self._checked(weights)
        try:
            located = self._counting.located(weights, self._seen.moved)
        except ContradictionError as error:
            raise self._contradiction() from error
        located[0].flags.writeable = False
        if weights is None:
            self._uniform = located
        return located

    def certain(self) -> dict[Card, Seat]:
        """The cards in play whose place is certain, and where they are."""
        cards, seats = (self.posterior() == 1.0).nonzero()
        return dict(zip(cards.tolist(), seats.tolist(), strict=True))

    def possible_seats(self) -> list[int]:
        """For each card: the seats that may have it now, as bits; 0 when it is out of play.

        Decided by SAT. `certain` says the same of cards with one possible seat, by counting.
        """
        seats = list(self.sat.backbone())
        for card, seat in self._seen.moved_to.items():
            seats[card] = 0 if seat == NOWHERE else 1 << seat
        return seats

    def certain_claims(self, team: Team | None = None) -> list[Claim]:
        """The claims that cannot be wrong, of the seat's team unless another is named."""
        ours = self._may_name(self._team(team))
        posterior, settled = self._located()
        claims = []
        for half_suit in self.in_play if settled else ():
            if settled >> half_suit & 1:
                rows = posterior[half_suit * HALF_SUIT_SIZE : (half_suit + 1) * HALF_SUIT_SIZE]
                holders = tuple(rows.argmax(axis=1).tolist())
                if all(ours[seat] for seat in holders):
                    claims.append(Claim(half_suit, holders))
        return claims

    def _team(self, team: Team | None) -> Team | None:
        """The team, by default that of the seat; None where there is neither."""
        if team is None:
            return None if self.seat is None else team_of(self.seat)
        if team not in range(len(TEAM_NAMES)):
            raise LiteratureError(f"team is {shown(team)}; team A is 0 and team B is 1")
        return team

    def _may_name(self, team: Team | None) -> list[bool]:
        """For each seat, whether a claim of the team may name it; without a team, of either."""
        anyone = self.rules.split_claims or team is None
        return [anyone or team_of(seat) == team for seat in range(self.rules.players)]

    def claims(self, team: Team | None = None, weights: Weights | None = None) -> list[BestClaim]:
        """The best layout of each half-suit in play that may be claimed, likeliest first.

        ``team``: whose claims; default the seat's own. Under ``split-claims`` a claim may name
        anyone. ``weights`` are as for `posterior`; they make nothing certain.
        """
        allowed = self._allowed(self._may_name(self._team(team)))
        weights = self._checked(weights)
        _, settled = self._located()
        try:
            found = self._counting.claims(allowed, weights)
        except ContradictionError as error:
            raise self._contradiction() from error
        best = []
        for half_suit in self.in_play:
            if found.best[half_suit] == 0.0:
                continue
            dealt = found.layout[half_suit].tolist()
            cards = cards_of(half_suit)
            best.append(
                BestClaim(
                    half_suit,
                    tuple(self._seen.moved_to.get(c, s) for c, s in zip(cards, dealt, strict=True)),
                    float(found.best[half_suit]),
                    bool(settled >> half_suit & 1),
                    float(found.held[half_suit]),
                )
            )
        return sorted(best, key=lambda claim: -claim.probability)

    def held(self) -> npt.NDArray[np.float64]:
        """The probability that a team holds all six cards: teams × half-suits; 0 out of play."""
        import numpy as np

        players = range(self.rules.players)
        teams = [self._allowed([team_of(seat) == team for seat in players]) for team in (0, 1)]
        try:
            return self._counting.held(np.array(teams))
        except ContradictionError as error:
            raise self._contradiction() from error

    def _allowed(self, seats: Sequence[bool]) -> npt.NDArray[np.bool_]:
        """Where each card must be, when only these seats are allowed to have any: cards × seats."""
        import numpy as np

        allowed = np.tile(np.array(seats), (self.rules.cards, 1))
        for card, seat in self._seen.moved_to.items():
            allowed[card] = seat != NOWHERE and seats[seat]
        return allowed

    def sample(
        self, rng: np.random.Generator, count: int, weights: Weights | None = None
    ) -> npt.NDArray[np.int8]:
        """Independent exact samples: count × cards, the seat that each card was dealt to.

        `now` tells where the cards are. Raises LiteratureError for wrong arguments, and when the
        weights leave no deal.
        """
        import numpy as np

        if not isinstance(rng, np.random.Generator) or _not_in(range(1 << 63), count):
            raise LiteratureError(
                f"rng is {shown(rng)} and count is {shown(count)}; write a numpy generator first"
                " and then how many deals, as in sample(numpy.random.default_rng(7), 1000)"
            )
        weights = self._checked(weights)
        try:
            return self._counting.sample(rng, count, weights)
        except ContradictionError as error:
            raise self._contradiction() from error

    def now(self, deals: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        """Where the cards of sampled deals are now: the same shape, `NOWHERE` if out of play."""
        if deals.shape[-1:] != (self.rules.cards,):
            raise LiteratureError(
                f"deals of shape {deals.shape} are none of {self.rules.cards} cards, one a column"
            )
        places = deals.copy()
        for card, seat in self._seen.moved_to.items():
            places[..., card] = seat
        return places

    def explain(self, card: Card, seat: Seat) -> tuple[int, ...]:
        """The smallest set of events (0: the own hand) that proves where the card is now.

        Raises `solver.errors.NotForcedError` when it is not certain to be there.
        """
        return self.explain_layout({card: seat})

    def explain_layout(self, layout: Mapping[Card, Seat]) -> tuple[int, ...]:
        """The smallest set of events that proves that all these cards are at these seats now.

        The last open move of a card belongs to it.

        Raises `solver.errors.NotForcedError` when they are not certain to be there.
        """
        from solver.explanation import smallest_proof

        dealt: dict[Card, Seat] = {}
        moves = set()
        for card, seat in self._places(layout).items():
            if card not in self._seen.moved_to:
                dealt[card] = seat
            elif self._seen.moved_to[card] == seat:
                moves.add(self._seen.moved_by[card])
            else:
                raise NotForcedError(
                    f"{name(card, self.rules.card_names)} is not at {seat_name(seat)}"
                )
        return smallest_proof(self.problem, dealt, given=moves)

    def _checked(self, weights: Weights | None) -> Weights | None:
        """The weights as the engine reads them. Raises LiteratureError for any that are none."""
        import numpy as np

        if weights is None:
            return None
        shape = self.rules.half_suits, self.rules.players, 64
        if getattr(weights, "shape", None) != shape:
            raise LiteratureError(
                f"weights must be an array of half-suits × seats × subsets, of shape {shape}"
            )
        if weights.dtype.kind not in "fiu" or not 0 <= weights.min() <= weights.max() < math.inf:
            raise LiteratureError("weights must be numbers of at least 0, none of them infinite")
        return np.ascontiguousarray(weights, np.float64)

    def _contradiction(self) -> ContradictionError:
        from solver.explanation import contradiction

        return contradiction(self.problem)


def _not_in(allowed: range, number: object) -> bool:
    """Whether it is no whole number, or not among those allowed."""
    return not hasattr(number, "__index__") or number not in allowed


def _is_certain(fact: Fact, posterior: npt.NDArray[np.float64]) -> bool:
    """Whether the posterior shows that the fact, about cards that have not moved, must be true."""
    if isinstance(fact, Lacks):
        return bool(posterior[fact.card, fact.seat] == 0.0)
    if isinstance(fact, Holds):
        return bool(posterior[fact.card, fact.seat] == 1.0)
    if isinstance(fact, HoldsOneOf):
        return any(posterior[card, fact.seat] == 1.0 for card in fact.cards)
    return False
