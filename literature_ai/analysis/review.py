"""What was missed: a game looked at again, decision by decision, by what each player could know.

Every decision is judged by what its player knew at that moment (`Knowledge` with his hand), never
by how it came out. Where the record has no hand for a seat, its decisions are judged by what
everyone knew; whether their claims were gambles nobody can tell. What each decision is worth, from
0 to 1:

- an ask: its chance of a hit, as a share of the best chance among the asks he could make (1 when
  nothing could hit);
- a claim: the probability that it was right; of one who could do nothing but claim, as a share of
  the probability of the best claim he could make;
- a turn lost to the clock: 0. A pass is not judged.

*Accuracy* is the mean over a player's decisions, in percent. It is 100 just when every ask had the
best chance and no claim was a gamble, and luck with the answers does not touch it. It is a measure
of care, not of strategy: an ask with a small chance can be the better one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from literature_ai.analysis.hints import check_deal_exists, knowledge_of
from literature_ai.cards import Card, HalfSuit, Seat, Team, cards_of, half_suit_of, team_of
from literature_ai.events import Ask, Asked, Claim, Claimed, Event, Passed, TimedOut
from literature_ai.game.position import Position
from literature_ai.inference.knowledge import Knowledge
from literature_ai.records.lit import Record
from solver.problem import Holds, HoldsOneOf

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_EQUAL = 1e-9
"""Probabilities closer than this are taken to be the same."""


@dataclass(frozen=True, slots=True)
class ReviewedAsk:
    """An ask, and what its player could have asked instead."""

    ask: Ask
    hit: bool
    chance: float
    """That it would hit."""
    best: Ask
    """The ask with the best chance; the one made when it is among the best."""
    best_chance: float
    hopeless: bool
    """Whether the player (or, without his hand, everyone) knew that it must miss."""
    dead: bool
    """Whether everyone knew that it must miss."""

    @property
    def worth(self) -> float:
        return self.chance / self.best_chance if self.best_chance else 1.0


@dataclass(frozen=True, slots=True)
class ReviewedClaim:
    """A claim, and what its player could have claimed instead."""

    claim: Claim
    right: bool
    chance: float
    """That it would be right."""
    best: Claim | None
    """The likeliest layout that he could have claimed, of any half-suit; None if there was none."""
    best_chance: float
    forced: bool
    """Whether he could do nothing but claim."""
    own_view: bool
    """Whether the chances are what the player knew; otherwise they are what everyone did."""

    @property
    def lucky(self) -> bool:
        """Whether it was right without being certain."""
        return self.own_view and self.right and self.chance < 1.0

    @property
    def avoidable(self) -> bool:
        """Whether it was wrong, and something likelier, or no claim at all, was possible.

        Without the player's hand: whether everyone knew that it was wrong, and could do better.
        """
        better = self.best_chance > self.chance + _EQUAL
        if not self.own_view:
            return not self.right and self.chance == 0.0 and better
        return not self.right and (not self.forced or better)

    @property
    def worth(self) -> float | None:
        """None without the player's hand."""
        if not self.own_view:
            return None
        if self.forced and self.best_chance:
            return min(self.chance / self.best_chance, 1.0)
        return self.chance


@dataclass(frozen=True, slots=True)
class Decision:
    """What one player decided, with what he could know."""

    event: int
    """Its number in the record."""
    seat: Seat
    said: Event
    own_view: bool
    """Whether it is judged by what the player knew; otherwise by what everyone did."""
    located: int
    """The cards in play of which he knew where they were."""
    provable: tuple[Claim, ...]
    """What he could have claimed for certain, and was allowed to."""
    judged: ReviewedAsk | ReviewedClaim | None
    """None for a pass and for a turn lost to the clock."""

    @property
    def worth(self) -> float | None:
        """From 0 to 1; None when it is not judged."""
        if self.judged is not None:
            return self.judged.worth
        return 0.0 if isinstance(self.said, TimedOut) else None

    @property
    def passed_up(self) -> bool:
        """Whether he could have claimed for certain and claimed nothing."""
        return bool(self.provable) and not isinstance(self.said, Claimed)


@dataclass(frozen=True, slots=True)
class Provable:
    """A claim that some player of a team could prove, and what became of it."""

    team: Team
    claim: Claim
    """As it was when it became provable."""
    since: int
    """The number of the event after which the first of them could prove it; 0 for the deal."""
    provers: tuple[Seat, ...]
    """Those who could prove it then."""
    until: int | None
    """The number of the event that claimed the half-suit; None when nobody did."""
    claimant: Seat | None
    right: bool | None
    """The verdict, when it was claimed."""
    waited: int
    """The events between: neither the one that made it provable nor the claim counts."""
    passed_up: tuple[int, ...]
    """The events among them in which a player who could prove it was on turn and did something
    else."""


@dataclass(slots=True)
class Summary:
    """All decisions of one player."""

    seat: Seat
    name: str | None
    own_view: bool
    judged: int = 0
    worth: float = 0.0
    """The sum over the decisions judged."""
    asks: int = 0
    hits: int = 0
    best_asks: int = 0
    """Asks with the best chance there was."""
    hopeless_asks: int = 0
    dead_asks: int = 0
    claims_right: int = 0
    claims_wrong: int = 0
    lucky_claims: int = 0
    avoidable_claims: int = 0
    passed_up: int = 0
    """The turns on which he could prove a claim and did something else."""
    timeouts: int = 0

    @property
    def accuracy(self) -> float | None:
        """In percent; None when nothing was judged."""
        return 100.0 * self.worth / self.judged if self.judged else None


@dataclass(frozen=True, slots=True)
class Timeline:
    """How likely each team was to hold all of a half-suit, as everyone could tell."""

    half_suit: HalfSuit
    held: tuple[tuple[float, ...], tuple[float, ...]]
    """For team A and team B: the probability after each event, the deal first, while in play."""
    claimed: int | None
    """The number of the event that claimed it."""
    scored: Team | None
    """Who got the point; None when nobody did, or when it is still in play."""


@dataclass(frozen=True, slots=True)
class Review:
    """Everything that can be said of a game afterwards."""

    record: Record
    own_views: tuple[bool, ...]
    """For each seat, whether its hand is known."""
    decisions: tuple[Decision, ...]
    provable: tuple[Provable, ...]
    summaries: tuple[Summary, ...]
    """One a seat."""
    timelines: tuple[Timeline, ...]
    """One a half-suit."""


def review(record: Record, file: str = "<text>") -> Review:
    """Look at the game again.

    Raises `RecordError`, as `hints.knowledge_of` does, when no deal fits the hands and the events.
    """
    known = [seat for seat, hand in enumerate(record.hands) if hand is not None]
    if len(known) == 1:
        knowledge_of(record, known[0], file)
    else:
        check_deal_exists(record, file)
    reviewer = _Reviewer(record)
    for event in record.events:
        reviewer.take(event)
    reviewer.look()
    return Review(
        record,
        tuple(hand is not None for hand in record.hands),
        tuple(reviewer.decisions),
        tuple(reviewer.provable()),
        tuple(_summary(record, seat, reviewer.decisions) for seat in range(record.rules.players)),
        tuple(reviewer.timelines()),
    )


@dataclass(slots=True)
class _Found:
    """A claim found provable."""

    claim: Claim
    since: int
    provers: list[Seat] = field(default_factory=list)
    passed_up: list[int] = field(default_factory=list)
    until: int | None = None
    claimant: Seat | None = None
    right: bool | None = None


class _Reviewer:
    """Walks through the record once, with what each seat and everyone knows."""

    def __init__(self, record: Record) -> None:
        self.rules = record.rules
        self.hands = record.hands
        self.position = Position(record.rules, record.start)
        self.everyone = Knowledge(record.rules)
        self.views = [
            self.everyone if hand is None else Knowledge(record.rules, seat, hand)
            for seat, hand in enumerate(record.hands)
        ]
        self.cards: list[set[Card] | None] = [None if h is None else set(h) for h in record.hands]
        """What each seat has now, where that is known."""
        self.given: dict[Card, Seat] = {}
        """Who gave away each card that moved first, which is who was dealt it."""
        self.number = 0
        self.decisions: list[Decision] = []
        self.found: dict[tuple[Team, HalfSuit], _Found] = {}
        self.held: list[npt.NDArray[np.float64]] = []
        self.claimed: dict[HalfSuit, tuple[int, Team | None]] = {}

    def take(self, event: Event) -> None:
        """Judge the decision behind the event, then let it happen."""
        self.look()
        self.number += 1
        self.decisions.append(self._decision(event))
        score = self.position.score
        self.position.follow(event)
        if isinstance(event, Claimed):
            gains = [
                after - before for before, after in zip(score, self.position.score, strict=True)
            ]
            self.claimed[event.half_suit] = self.number, gains.index(1) if any(gains) else None
            for team in (0, 1):
                found = self.found.get((team, event.half_suit))
                if found is not None:
                    found.until, found.claimant = self.number, event.claimant
                    found.right = event.right
        self._move(event)
        for knowledge in {id(k): k for k in [self.everyone, *self.views]}.values():
            knowledge.observe(event)

    def look(self) -> None:
        """Note what is so now."""
        self.held.append(self.everyone.held())
        if self.position.over:
            return
        for team in (0, 1):
            wanted = [h for h in self.position.in_play if (team, h) not in self.found]
            if not any(self._may_be_provable(half_suit, team) for half_suit in wanted):
                continue
            for seat in range(team, self.rules.players, 2):
                for claim in self.views[seat].certain_claims(team):
                    if claim.half_suit in wanted:
                        found = self.found.setdefault(
                            (team, claim.half_suit), _Found(claim, self.number)
                        )
                        found.provers.append(seat)

    def _may_be_provable(self, half_suit: HalfSuit, team: Team) -> bool:
        """Whether the cards may lie so that the team can claim it; looking at hands is cheap."""
        if self.rules.split_claims:
            return True
        return not any(
            cards is not None and team_of(seat) != team and half_suit_of(card) == half_suit
            for seat, cards in enumerate(self.cards)
            for card in cards or ()
        )

    def _move(self, event: Event) -> None:
        if isinstance(event, Asked) and event.hit:
            self.given.setdefault(event.card, event.target)
        for seat, cards in enumerate(self.cards):
            if cards is None:
                continue
            if isinstance(event, Asked) and event.hit:
                if seat == event.asker:
                    cards.add(event.card)
                elif seat == event.target:
                    cards.discard(event.card)
            elif isinstance(event, Claimed):
                cards.difference_update(cards_of(event.half_suit))

    def _decision(self, event: Event) -> Decision:
        seat = _who(event)
        view = self.views[seat]
        provable: tuple[Claim, ...] = ()
        if self.position.may_claim(seat):
            provable = tuple(view.certain_claims(team_of(seat)))
        for claim in provable:
            if not isinstance(event, Claimed):
                self.found[team_of(seat), claim.half_suit].passed_up.append(self.number)
        judged: ReviewedAsk | ReviewedClaim | None = None
        if isinstance(event, Asked):
            judged = self._ask(event, view)
        elif isinstance(event, Claimed):
            judged = self._claim(event, view)
        return Decision(
            self.number,
            seat,
            event,
            self.hands[seat] is not None,
            len(view.certain()),
            provable,
            judged,
        )

    def _ask(self, event: Asked, view: Knowledge) -> ReviewedAsk:
        made = Ask(event.target, event.card)
        chances = dict(self._chances(event, view))
        best = max(chances, key=lambda ask: (chances[ask], ask == made))
        if chances[best] - chances[made] < _EQUAL:
            best = made
        hopeless = chances[made] == 0.0
        return ReviewedAsk(
            made,
            event.hit,
            chances[made],
            best,
            chances[best],
            hopeless,
            hopeless and not self.everyone.posterior()[made.card, made.target],
        )

    def _chances(self, event: Asked, view: Knowledge) -> Iterator[tuple[Ask, float]]:
        """The asks that the player could make, and the chance of each as far as the view tells.

        Without his hand, these are the asks of the half-suits that he has shown to have cards of
        (this ask itself shows one), each with its chance if he lacks the card.
        """
        table = view.posterior()
        hand = self.cards[event.asker]
        if hand is not None:
            for ask in self.position.asks_of(event.asker, sorted(hand)):
                yield ask, float(table[ask.card, ask.target])
            return
        half_suits = [
            half_suit
            for half_suit in view.in_play
            if half_suit == half_suit_of(event.card) or self._has_shown(event.asker, half_suit)
        ]
        for half_suit in half_suits:
            for card in cards_of(half_suit):
                lacks = 1.0 if self.rules.bluff_asks else 1.0 - float(table[card, event.asker])
                for target in range(1 - team_of(event.asker), self.rules.players, 2):
                    if lacks and self.position.hand_sizes[target]:
                        yield Ask(target, card), min(float(table[card, target]) / lacks, 1.0)

    def _has_shown(self, seat: Seat, half_suit: HalfSuit) -> bool:
        """Whether the seat must have a card of the half-suit: it took one, or it asked for one and
        has given none away that may have let it ask."""
        view = self.everyone
        if any(view.place_now(card) == seat for card in cards_of(half_suit)):
            return True
        return any(
            isinstance(fact, HoldsOneOf)
            and fact.seat == seat
            and half_suit_of(fact.cards[0]) == half_suit
            and all(self.given.get(card) != seat for card in fact.cards)
            for _, fact in view.problem.facts
        )

    def _claim(self, event: Claimed, view: Knowledge) -> ReviewedClaim:
        seat = event.claimant
        claims = view.claims(team_of(seat))
        best = claims[0] if claims else None
        hand = self.cards[seat]
        turn = self.position.turn
        # Without the hand nobody can tell whether there was an ask; then he was free to make one.
        forced = (
            turn == seat
            and not self.position.legal_passes()
            and (not self._may_ask(seat) if hand is None else not self._asks(seat, hand))
        )
        return ReviewedClaim(
            Claim(event.half_suit, event.holders),
            event.right,
            self._chance_of(event.half_suit, event.holders, view),
            None if best is None else Claim(best.half_suit, best.holders),
            0.0 if best is None else best.probability,
            forced,
            hand is not None,
        )

    def _asks(self, seat: Seat, hand: set[Card]) -> bool:
        return len(self.position.asks_of(seat, sorted(hand))) > 0

    def _may_ask(self, seat: Seat) -> bool:
        """Whether some opponent has cards: without the hand, all that is known."""
        sizes = self.position.hand_sizes
        return any(sizes[1 - team_of(seat) :: 2])

    def _chance_of(self, half_suit: HalfSuit, holders: Sequence[Seat], view: Knowledge) -> float:
        """The probability that the six cards are there now."""
        table = view.posterior()
        places = list(zip(cards_of(half_suit), holders, strict=True))
        if any(table[card, seat] == 0.0 for card, seat in places):
            return 0.0
        if all(table[card, seat] == 1.0 for card, seat in places):
            return 1.0
        supposed = view.copy()
        for card, seat in places:
            if view.place_now(card) is None:
                supposed.problem.add(view.events, Holds(seat, card))
        return supposed.counting.deals() / view.deals()

    def provable(self) -> Iterator[Provable]:
        """What was found, in the order in which it became provable."""
        last = self.number
        for (team, _), found in sorted(self.found.items(), key=lambda item: item[1].since):
            until = last if found.until is None else found.until - 1
            yield Provable(
                team,
                found.claim,
                found.since,
                tuple(found.provers),
                found.until,
                found.claimant,
                found.right,
                max(until - found.since, 0),
                tuple(found.passed_up),
            )

    def timelines(self) -> Iterator[Timeline]:
        for half_suit in range(self.rules.half_suits):
            number, scored = self.claimed.get(half_suit, (None, None))
            rows = self.held[:number]
            a, b = (tuple(float(row[team, half_suit]) for row in rows) for team in (0, 1))
            yield Timeline(half_suit, (a, b), number, scored)


def _who(event: Event) -> Seat:
    """Whose decision the event was."""
    match event:
        case Asked(asker=seat) | Claimed(claimant=seat) | Passed(giver=seat) | TimedOut(seat=seat):
            return seat


def _summary(record: Record, seat: Seat, decisions: Sequence[Decision]) -> Summary:
    summary = Summary(seat, record.names[seat], record.hands[seat] is not None)
    for decision in decisions:
        if decision.seat != seat:
            continue
        if decision.worth is not None:
            summary.judged += 1
            summary.worth += decision.worth
        summary.timeouts += isinstance(decision.said, TimedOut)
        summary.passed_up += bool(decision.passed_up)
        match decision.judged:
            case ReviewedAsk() as ask:
                summary.asks += 1
                summary.hits += ask.hit
                summary.best_asks += ask.best == ask.ask
                summary.hopeless_asks += ask.hopeless
                summary.dead_asks += ask.dead
            case ReviewedClaim() as claim:
                summary.claims_right += claim.right
                summary.claims_wrong += not claim.right
                summary.lucky_claims += claim.lucky
                summary.avoidable_claims += claim.avoidable
    return summary
