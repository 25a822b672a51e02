"""Reviews of finished games: compares each decision with the best one its player could know.

A decision is judged by what its player knew at that moment (`Knowledge` with their hand), never by
its outcome. Where the record has no hand for a seat, its decisions are judged by the public
knowledge, and its claims not at all: whether they were gambles is unknown. The worth of a
decision, from 0 to 1:

- an ask: its chance of a hit divided by the best chance among the asks the player could make (1
  when nothing could hit);
- a claim: the probability that it is right; when claiming is the only legal action, that divided by
  the probability of the likeliest claim;
- a turn lost to the clock: 0. Passes are not judged.

*Accuracy* is the mean worth of a player's decisions, in percent. It is 100 exactly when every ask
had the best chance and no claim was a gamble, and is independent of luck with the answers. It
measures care, not strategy: an ask with a smaller chance can be the better one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from literature_ai.analysis.metrics import ProvableClaims, is_dead
from literature_ai.cards import Card, HalfSuit, Seat, Team, cards_of, half_suit_of, team_of
from literature_ai.events import Ask, Asked, Claim, Claimed, Event, TimedOut, actor_of
from literature_ai.game.position import Position
from literature_ai.inference.knowledge import Knowledge
from literature_ai.inference.recorded import check_deal_exists, knowledge_of
from literature_ai.records.record import Record
from solver.problem import HoldsOneOf

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_EQUAL = 1e-9
"""Probabilities closer than this are taken to be the same."""


@dataclass(frozen=True, slots=True)
class ReviewedAsk:
    """An ask and the best alternative to it."""

    ask: Ask
    hit: bool
    chance: float
    """The probability of a hit."""
    best: Ask
    """The ask with the best chance; the one that was made when it is among the best."""
    best_chance: float
    hopeless: bool
    """Whether the player (where the hand is unknown, everyone) knew that it would miss."""
    dead: bool
    """Whether the miss was public knowledge, see `literature_ai.analysis.metrics`."""

    @property
    def worth(self) -> float:
        return self.chance / self.best_chance if self.best_chance else 1.0


@dataclass(frozen=True, slots=True)
class ReviewedClaim:
    """A claim and the best alternative to it."""

    claim: Claim
    right: bool
    chance: float
    """The probability that it is right."""
    best: Claim | None
    """The likeliest claim of any half-suit; None if none could be right."""
    best_chance: float
    forced: bool
    """Whether claiming was the only legal action."""
    own_view: bool
    """Whether the chances are from the player's knowledge; otherwise from the public's."""

    @property
    def lucky(self) -> bool:
        """Whether it was right but not certain."""
        return self.own_view and self.right and self.chance < 1.0

    @property
    def avoidable(self) -> bool:
        """Whether it was wrong, and a likelier claim, or no claim at all, was possible.

        Without the player's hand: whether it was publicly known to be wrong, and another was not.
        """
        better = self.best_chance > self.chance + _EQUAL
        if not self.own_view:
            return not self.right and self.chance == 0.0 and better
        return not self.right and (not self.forced or better)

    @property
    def worth(self) -> float | None:
        """From 0 to 1; None without the player's hand."""
        if not self.own_view:
            return None
        if self.forced and self.best_chance:
            return min(self.chance / self.best_chance, 1.0)
        return self.chance


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision, with what its player could know."""

    event: int
    """The number of the event in the record, from 1."""
    seat: Seat
    made: Event
    """The event that the decision led to."""
    own_view: bool
    """Whether it is judged by the player's knowledge; otherwise by the public's."""
    located: int
    """How many cards in play the player could locate with certainty."""
    provable: tuple[Claim, ...]
    """The claims that the player could prove and was allowed to make."""
    judged: ReviewedAsk | ReviewedClaim | None
    """None for a pass and for a turn lost to the clock."""

    @property
    def worth(self) -> float | None:
        """From 0 to 1; None when the decision is not judged."""
        if self.judged is not None:
            return self.judged.worth
        return 0.0 if isinstance(self.made, TimedOut) else None

    @property
    def passed_up(self) -> bool:
        """Whether a certain claim was possible and none was made."""
        return bool(self.provable) and not isinstance(self.made, Claimed)


@dataclass(frozen=True, slots=True)
class Provable:
    """A claim that became provable for a team, and its outcome."""

    team: Team
    claim: Claim
    """With the holders of the moment when it became provable."""
    since: int
    """The number of the event after which a seat of the team could prove it; 0: the deal."""
    provers: tuple[Seat, ...]
    """The seats that could prove it then."""
    until: int | None
    """The number of the event that claimed the half-suit; None when it was not claimed."""
    claimant: Seat | None
    right: bool | None
    """Whether that claim was right; None when the half-suit was not claimed."""
    waited: int
    """The number of events between the one that made it provable and the claim."""
    passed_up: tuple[int, ...]
    """Those of these events in which a player who could prove it decided otherwise."""


@dataclass(slots=True)
class Summary:
    """Totals over the decisions of one player."""

    seat: Seat
    name: str | None
    own_view: bool
    judged: int = 0
    worth: float = 0.0
    """The sum over the decisions judged."""
    asks: int = 0
    hits: int = 0
    best_asks: int = 0
    """Asks with the best chance among those possible."""
    hopeless_asks: int = 0
    dead_asks: int = 0
    claims_right: int = 0
    claims_wrong: int = 0
    lucky_claims: int = 0
    avoidable_claims: int = 0
    passed_up: int = 0
    """Decisions other than a claim while a claim was provable."""
    timeouts: int = 0

    @property
    def accuracy(self) -> float | None:
        """In percent; None when nothing was judged."""
        return 100.0 * self.worth / self.judged if self.judged else None


@dataclass(frozen=True, slots=True)
class Timeline:
    """The public probability that each team holds all six cards of a half-suit, over the game."""

    half_suit: HalfSuit
    held: tuple[tuple[float, ...], tuple[float, ...]]
    """For team A and team B, the probability after the deal and after each event while in play."""
    claimed: int | None
    """The number of the event that claimed it; None when it was not claimed."""
    scored: Team | None
    """The team that scored it; None when neither did, or when it was not claimed."""


@dataclass(frozen=True, slots=True)
class Review:
    """The review of one game."""

    record: Record
    own_views: tuple[bool, ...]
    """For each seat, whether the record has its hand."""
    decisions: tuple[Decision, ...]
    provable: tuple[Provable, ...]
    summaries: tuple[Summary, ...]
    """One per seat."""
    timelines: tuple[Timeline, ...]
    """One per half-suit."""


def review(record: Record, file: str = "<text>") -> Review:
    """Review the game of a record; ``file`` is named in errors.

    Raises `RecordError`, as `knowledge_of` does, when no deal fits the hands and the events.
    """
    known = [seat for seat, hand in enumerate(record.hands) if hand is not None]
    if len(known) == 1:
        knowledge_of(record, known[0], file)
    else:
        check_deal_exists(record, file)
    reviewer = _Reviewer(record)
    for event in record.events:
        reviewer.observe(event)
    reviewer.update()
    return Review(
        record,
        tuple(hand is not None for hand in record.hands),
        tuple(reviewer.decisions),
        tuple(reviewer.provable()),
        tuple(_summary(record, seat, reviewer.decisions) for seat in range(record.rules.players)),
        tuple(reviewer.timelines()),
    )


class _Reviewer:
    """Follows a record once, with the knowledge of each seat and of the public."""

    def __init__(self, record: Record) -> None:
        self.rules = record.rules
        self.hands = record.hands
        self.position = Position(record.rules, record.start)
        self.public = Knowledge(record.rules)
        self.views = [
            self.public if hand is None else Knowledge(record.rules, seat, hand)
            for seat, hand in enumerate(record.hands)
        ]
        self.cards: list[set[Card] | None] = [None if h is None else set(h) for h in record.hands]
        """The present hand of each seat, where it is known."""
        self.given: dict[Card, Seat] = {}
        """The first giver of each card that has moved, who is the seat it was dealt to."""
        self.events: list[Event] = []
        self.decisions: list[Decision] = []
        self.proofs = ProvableClaims(self.views, record.hands)
        self.passed_up: dict[tuple[Team, HalfSuit], list[int]] = {}
        """The decisions in which a provable claim was passed up, by their numbers."""
        self.held: list[npt.NDArray[np.float64]] = []
        self.claimed: dict[HalfSuit, tuple[int, Team | None]] = {}
        """The number of the event that claimed each half-suit, and who scored it."""

    def observe(self, event: Event) -> None:
        """Judge the decision that led to the event, then follow the event."""
        self.update()
        self.events.append(event)
        self.decisions.append(self._decision(event))
        score = self.position.score
        self.position.follow(event)
        if isinstance(event, Claimed):
            gains = [
                after - before for before, after in zip(score, self.position.score, strict=True)
            ]
            scored = gains.index(1) if any(gains) else None
            self.claimed[event.half_suit] = len(self.events), scored
        self._move(event)
        self.proofs.observe(event)
        for knowledge in {id(k): k for k in [self.public, *self.views]}.values():
            knowledge.observe(event)

    def update(self) -> None:
        """Record who could prove what, and how likely the teams hold what, at this position."""
        self.held.append(self.public.held())
        if not self.position.over:
            self.proofs.update()

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
        seat, number = actor_of(event), len(self.events)
        view = self.views[seat]
        provable: tuple[Claim, ...] = ()
        if self.position.may_claim(seat):
            provable = tuple(view.certain_claims(team_of(seat)))
        for claim in provable:
            if not isinstance(event, Claimed):
                self.passed_up.setdefault((team_of(seat), claim.half_suit), []).append(number)
        judged: ReviewedAsk | ReviewedClaim | None = None
        if isinstance(event, Asked):
            judged = self._ask(event, view)
        elif isinstance(event, Claimed):
            judged = self._claim(event, view)
        return Decision(
            number,
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
        return ReviewedAsk(
            made,
            event.hit,
            chances[made],
            best,
            chances[best],
            chances[made] == 0.0,
            not event.hit and is_dead(made, self.public),
        )

    def _chances(self, event: Asked, view: Knowledge) -> Iterator[tuple[Ask, float]]:
        """The asks that the player could make, each with its chance of a hit.

        Without the player's hand, these are the asks in half-suits of which they have shown to hold
        a card (this ask itself shows one), each with its chance given that they lack the card.
        """
        posterior = view.posterior()
        hand = self.cards[event.asker]
        if hand is not None:
            for ask in self.position.asks_of(event.asker, sorted(hand)):
                yield ask, float(posterior[ask.card, ask.target])
            return
        half_suits = [
            half_suit
            for half_suit in view.in_play
            if half_suit == half_suit_of(event.card) or self._has_shown(event.asker, half_suit)
        ]
        for half_suit in half_suits:
            for card in cards_of(half_suit):
                lacks = 1.0 if self.rules.bluff_asks else 1.0 - float(posterior[card, event.asker])
                for target in range(1 - team_of(event.asker), self.rules.players, 2):
                    if lacks and self.position.hand_sizes[target]:
                        chance = float(posterior[card, target]) / lacks
                        yield Ask(target, card), min(chance, 1.0)

    def _has_shown(self, seat: Seat, half_suit: HalfSuit) -> bool:
        """Whether the seat is publicly known to hold a card of the half-suit.

        It took one, or it asked for one and has given away none that may have let it ask.
        """
        view = self.public
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
        # Without the hand it is unknown whether a legal ask existed; then one is assumed.
        forced = (
            turn == seat
            and not self.position.legal_passes()
            and (not self._may_ask(seat) if hand is None else not self._asks(seat, hand))
        )
        return ReviewedClaim(
            Claim(event.half_suit, event.holders),
            event.right,
            view.probability(dict(zip(cards_of(event.half_suit), event.holders, strict=True))),
            None if best is None else Claim(best.half_suit, best.holders),
            0.0 if best is None else best.probability,
            forced,
            hand is not None,
        )

    def _asks(self, seat: Seat, hand: set[Card]) -> bool:
        return len(self.position.asks_of(seat, sorted(hand))) > 0

    def _may_ask(self, seat: Seat) -> bool:
        """Whether some opponent has cards: all that is known of legal asks without the hand."""
        sizes = self.position.hand_sizes
        return any(sizes[1 - team_of(seat) :: 2])

    def provable(self) -> Iterator[Provable]:
        """The claims that became provable, in the order in which they did."""
        for (team, half_suit), first in sorted(
            self.proofs.first.items(), key=lambda item: item[1].since
        ):
            until, _ = self.claimed.get(half_suit, (None, None))
            claim = None if until is None else self.events[until - 1]
            claimant, right = (
                (claim.claimant, claim.right) if isinstance(claim, Claimed) else (None, None)
            )
            last = len(self.events) if until is None else until - 1
            yield Provable(
                team,
                first.claim,
                first.since,
                first.provers,
                until,
                claimant,
                right,
                max(last - first.since, 0),
                tuple(self.passed_up.get((team, half_suit), ())),
            )

    def timelines(self) -> Iterator[Timeline]:
        """One per half-suit."""
        for half_suit in range(self.rules.half_suits):
            number, scored = self.claimed.get(half_suit, (None, None))
            rows = self.held[:number]
            a, b = (tuple(float(row[team, half_suit]) for row in rows) for team in (0, 1))
            yield Timeline(half_suit, (a, b), number, scored)


def _summary(record: Record, seat: Seat, decisions: Sequence[Decision]) -> Summary:
    summary = Summary(seat, record.names[seat], record.hands[seat] is not None)
    for decision in decisions:
        if decision.seat != seat:
            continue
        if decision.worth is not None:
            summary.judged += 1
            summary.worth += decision.worth
        summary.timeouts += isinstance(decision.made, TimedOut)
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
