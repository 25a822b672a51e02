"""The engine: what a position is worth, and what every action worth comparing would make of it.

A position is always valued for what somebody can know: one seat, or everyone. Deals are drawn from
their beliefs, and the game is played on from each by rollouts (`literature_ai.agents.expert`). That
gives the expected result of the team and the expected difference of half-suits, made to fit real
games by `literature_ai.analysis.calibration`.

On turn, asks are compared by the search of `champion`, and its move is the *choice*: the same that
`champion` with this budget makes when it is seated there with a generator of this seed. Claims,
passes and other asks are compared with the choice on the same deals.

The budget is a number of rollouts, never of seconds. What comes of a deal depends on its number
alone, so an analysis is the same for any number of workers.

>>> import literature_ai as lit
>>> game = lit.Game.deal(lit.RuleSet(), seed=7, start=0)
>>> found = analyze(game.view(0), budget=16)
>>> found.choice == found.candidates[0].action
True
>>> found.value.score == found.candidates[0].score
True
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from literature_ai.agents import champion
from literature_ai.analysis.calibration import FITS, Kind, margin_of, score_of, slope_of
from literature_ai.analysis.choice_reason import reason_of
from literature_ai.cards import SEAT_NAMES, Seat, Team, cards_of, team_of
from literature_ai.errors import IllegalActionError, LiteratureError, shown
from literature_ai.events import Action, Ask, Claim, Event, Pass, TimedOut
from literature_ai.game.masks import mask_of
from literature_ai.game.position import Position, illegal
from literature_ai.game.view import View
from literature_ai.inference.knowledge import Knowledge
from literature_ai.records.record import Record

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from literature_ai.agents.expert.rollout import Trials
    from literature_ai.agents.expert.search import Comparison, Simulations

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

BUDGET = champion.BUDGET
"""The rollouts that compare candidates, as many as `champion` makes; half as many more tell the
value."""
MOST_BUDGET = 20_000
"""More would take minutes before the first rollout: every deal is read with all asks of a game."""
LIKELY = 0.5
"""The probability from which on a claim is a candidate."""
FORCED_CLAIMS = 3
"""The likeliest claims that are candidates where no ask is possible."""
_HORIZON = 3
"""The open asks after which the state value is taken for the value of a position."""
_MOST = 0.999
"""The greatest mean state value that is ascribed to an action beside the choice."""
_TO_THE_END = 4
"""Of so many rollouts for a value, one is played to the end, for the margin."""

GoOn: TypeAlias = Callable[[int, int], bool]
"""As `literature_ai.agents.expert.search.Simulations` takes it."""
Option: TypeAlias = Action | TimedOut
"""What can be compared: an action, or a turn lost to the clock."""


@dataclass(frozen=True, slots=True)
class Value:
    """What a position is worth to a team, each number with its standard error.

    The errors are those of the rollouts; how well values fit real games is another question
    (``benchmarks/CALIBRATION.md``).
    """

    score: float
    """The expected result: 1 for a win, ½ for a draw, 0 for a loss."""
    se: float
    margin: float
    """The expected half-suits at the end, less those of the other team."""
    margin_se: float

    def of_opponents(self) -> Value:
        """The same position for the other team."""
        return Value(1.0 - self.score, self.se, -self.margin, self.margin_se)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action that was compared."""

    action: Option
    chance: float | None
    """The exact probability that the ask hits or the claim is right: the share of the deals that
    fit, as in a hint. None for a pass."""
    score: float
    """The expected result after it."""
    se: float
    loss: float
    """How far the score is behind that of the choice; 0 where it is not."""
    loss_se: float
    line: tuple[Event, ...]
    """How the game would most likely go on, from the action itself."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the engine says of a position.

    Off turn there are candidates only where the rules let the seat claim: its claims.
    """

    seat: Seat | None
    """Whose knowledge it is; None: what everyone knows."""
    team: Team
    """Whose value it is: the team of the seat, or team A."""
    turn: Seat
    events: int
    """The number of events so far."""
    budget: int
    seed: int
    value: Value
    choice: Action | None
    """What the seat should do; None off turn, unless it is to claim."""
    reason: str
    """Why, in a few words that are true of the position; empty without a choice."""
    candidates: tuple[Candidate, ...]
    """The choice first, then the others from the highest score down."""
    stopped: bool
    """Whether it was stopped before the budget was spent."""

    def candidate(self, action: Option) -> Candidate:
        """What was found of the action. Raises LiteratureError if it was not compared."""
        for candidate in self.candidates:
            if candidate.action == action:
                return candidate
        raise LiteratureError(f"{shown(action)} is none of the candidates")


def analyze(
    game: Record | View,
    seat: Seat | None = None,
    budget: int = BUDGET,
    seed: int = 0,
    candidates: Sequence[Option] | None = None,
    *,
    workers: int = 1,
    go_on: GoOn | None = None,
    knowledge: Knowledge | None = None,
) -> Analysis:
    """Analyse the last position of a record, or the one that a view shows.

    seat: whose knowledge counts; None for that of everyone, or for the seat of the view. budget: in
    rollouts. candidates: what is compared too, of the seat on turn or, where the rules allow it, a
    claim off turn. workers: threads. go_on: told now and then how many rollouts of a run are done,
    and of how many; when it says False, the analysis ends with what it has. knowledge: what the
    seat knows, where that has been worked out before.

    Raises LiteratureError when the game is over, the seat has no hand in the record, a number is
    none, or candidates are given off turn; `IllegalActionError` when one of them is against the
    rules; `ContradictionError` when no deal fits the events.
    """
    subject = _subject(game, seat)
    for what, number, least in (("budget", budget, 1), ("seed", seed, 0), ("workers", workers, 1)):
        if not isinstance(number, int) or number < least:
            raise LiteratureError(
                f"{what} is {shown(number)}; it must be a whole number from {least}"
            )
    if budget > MOST_BUDGET:
        raise LiteratureError(f"budget is {shown(budget)}; it must be at most {MOST_BUDGET}")
    from literature_ai.agents.expert.search import Simulations

    named = tuple(dict.fromkeys(candidates or ()))
    _check_candidates(subject, named)
    return _Engine(subject, budget, seed, Simulations(workers, go_on), knowledge).analysis(named)


def value_with_open_cards(
    record: Record, budget: int = BUDGET, seed: int = 0, *, workers: int = 1
) -> Value:
    """What the last position of a record is worth to team A for somebody who sees all hands.

    The players of the rollouts see no more than their own. Raises LiteratureError unless the record
    has all hands and the game is in progress.
    """
    from literature_ai.agents.expert.search import Simulations

    game = record.game()
    hands = [mask_of(game.hand(seat)) for seat in range(record.rules.players)]
    return _Engine(_subject(record, None), budget, seed, Simulations(workers)).open_value(hands)


class _Subject(NamedTuple):
    """Who looks at which position."""

    position: Position
    turn: Seat
    view: View | None
    """None: everyone looks."""


def _subject(game: Record | View, seat: Seat | None) -> _Subject:
    """Who looks at which position; raises as `analyze` does."""
    if isinstance(game, View):
        if seat not in (None, game.seat):
            raise LiteratureError(
                f"seat is {shown(seat)}, but the view is that of {SEAT_NAMES[game.seat]}"
            )
        if game.turn is None:
            raise LiteratureError("the game is over; there is nothing to analyse")
        return _Subject(_position_of(game), game.turn, game)
    position = game.position()
    count = len(game.events)
    if game.ended or position.turn is None:
        earlier = f"; look at an earlier moment, after 0 to {count - 1} events" if count else ""
        raise LiteratureError(f"game {game.id} is over after {count} events{earlier}")
    if seat is None:
        return _Subject(position, position.turn, None)
    hand = game.hands[seat] if seat in range(game.rules.players) else None
    if hand is None:
        known = [SEAT_NAMES[s] for s, dealt in enumerate(game.hands) if dealt is not None]
        who = SEAT_NAMES[seat] if seat in range(len(SEAT_NAMES)) else repr(seat)
        has = f"the hands of {' '.join(known)}" if known else "no hand"
        raise LiteratureError(f"game {game.id} has no hand of {who}; it has {has}")
    return _Subject(position, position.turn, position.view(seat, hand))


def _position_of(view: View) -> Position:
    """The position that the view is of."""
    position = Position(view.rules, view.start)
    for event in view.events:
        position.follow(event)
    return position


def _check_candidates(subject: _Subject, named: Sequence[Option]) -> None:
    """Raise `IllegalActionError` unless the seat may do all that is named."""
    view, turn = subject.view, subject.turn
    for option in named:
        if view is None:
            raise IllegalActionError(
                "turn", "nothing can be compared for everyone: name the seat that acts"
            )
        if view.seat != turn and not (isinstance(option, Claim) and view.may_claim):
            raise IllegalActionError(
                "turn",
                f"{SEAT_NAMES[view.seat]} is not on turn, so it has nothing to compare; it is the"
                f" turn of {SEAT_NAMES[turn]}",
            )
        if isinstance(option, TimedOut):
            broken = subject.position.violation(option)
        else:
            broken = subject.position.violation_of(option, view.seat, view.hand)
        if broken is not None:
            raise illegal(broken)


class _Estimate(NamedTuple):
    """The raw value of a position for a team, by rollouts."""

    result: float
    """The mean state value, from -1 to 1."""
    result_se: float
    margin: float
    margin_se: float


class _Lead(NamedTuple):
    """How far an action is ahead of the choice, in results."""

    mean: float
    error: float


class _Engine:
    """One analysis."""

    def __init__(
        self,
        subject: _Subject,
        budget: int,
        seed: int,
        simulations: Simulations,
        knowledge: Knowledge | None = None,
    ) -> None:
        import numpy as np

        from literature_ai.agents.expert.observer import Observer
        from literature_ai.agents.expert.weights import stored_weights

        self.position, self.turn, self.view = subject
        self.budget, self.seed = budget, seed
        rules = self.position.rules
        self.claimed = 1.0 - len(self.position.in_play) / rules.half_suits
        self.simulations = simulations
        self.champion = champion.Champion(budget=budget)
        self.champion.simulations = simulations
        self.weights = stored_weights()
        rng = np.random.default_rng(seed)
        if self.view is None:
            known = Knowledge(self.position.rules) if knowledge is None else knowledge
            start, events = self.position.start, self.position.events
            self.observer = Observer(known, start, self.weights, rng, budget)
            if knowledge is None:
                for event in events:
                    self.observer.observe(event)
            else:
                self.observer.catch_up(events)
        else:
            self.champion.start(self.view, rng, knowledge)
            self.observer = self.champion.observer

    def analysis(self, named: Sequence[Option]) -> Analysis:
        """The whole analysis; named: candidates, all of them allowed."""
        view = self.view
        choice: Action | None = None
        leads: dict[Option | None, _Lead] = {}
        if view is not None and view.seat == self.turn:
            asks = [option for option in named if isinstance(option, Ask)]
            decision = self.champion.decide(view, asks, thoroughly=True)
            choice = decision.action
            leads = self._leads(view, choice, decision.comparison, named)
        elif view is not None and view.may_claim:
            choice = self.champion.claim(view)
            leads = self._leads(view, choice, None, named)
        team = 0 if view is None else team_of(view.seat)
        hands = self.observer.deals.hands(max(1, self.budget // 2))
        estimate = self._estimate(hands, choice, team)
        return Analysis(
            None if view is None else view.seat,
            team,
            self.turn,
            len(self.position.events),
            self.budget,
            self.seed,
            self._value(estimate, "everyone" if view is None else "seat", team),
            choice,
            "" if view is None or choice is None else reason_of(choice, view, self.observer),
            tuple(self._candidates(leads, choice, estimate, hands)),
            self.simulations.stopped,
        )

    def open_value(self, hands: Sequence[int]) -> Value:
        """The value for team A for somebody who sees these hands (masks)."""
        import numpy as np

        # Only ties are broken differently from rollout to rollout, so few are enough.
        deals = np.tile(np.array(hands, np.int64), (max(1, self.budget // 10), 1))
        return self._value(self._estimate(deals, None, 0), "open", 0)

    def _move(self, option: Option | None) -> Ints:
        """The option in numbers; None: that the game goes on without it."""
        from literature_ai.agents.expert.continuation import move_of

        claims_off_turn = self.view is not None and self.view.seat != self.turn
        return move_of(option, self.view.seat if self.view and claims_off_turn else -1)

    def _run(
        self, hands: Ints, options: Sequence[Option | None], horizons: Sequence[int]
    ) -> Trials:
        """What comes of the options, for the team on turn."""
        import numpy as np

        moves = np.stack([self._move(option) for option in options])
        observer, weights = self.observer, self.weights.state_value
        return self.simulations.run(
            observer.belief, hands, moves, observer.policies, horizons, weights, self.seed
        )

    def _estimate(self, hands: Ints, first: Action | None, team: Team) -> _Estimate:
        """The value for the team, played on from these hands with that first action."""
        from literature_ai.agents.expert.rollout import LONGEST

        sign = 1 if team_of(self.turn) == team else -1
        results = sign * self._run(hands, [first], (_HORIZON,)).values[0, :, 0]
        some = hands[: -(-len(hands) // _TO_THE_END)]
        margins = sign * self._run(some, [first], (LONGEST,)).leads[:, 0]
        # That all deals agree is no certainty (Laplace's rule of succession).
        most = 1.0 - 1.0 / (len(results) + 1)
        result = min(max(float(results.mean()), -most), most)
        return _Estimate(result, _error(results), float(margins.mean()), _error(margins))

    def _value(self, estimate: _Estimate, kind: Kind, team: Team) -> Value:
        """The estimate for the team, made to fit real games."""
        score = self.position.score
        lead = score[team] - score[1 - team]
        return Value(
            score_of(estimate.result, kind, self.claimed),
            slope_of(estimate.result, kind, self.claimed) * estimate.result_se,
            margin_of(estimate.margin, kind, lead),
            FITS[kind].margin * estimate.margin_se,
        )

    def _leads(
        self,
        view: View,
        choice: Action | None,
        comparison: Comparison | None,
        named: Sequence[Option],
    ) -> dict[Option | None, _Lead]:
        """How far each option is ahead of the choice, for the team of the seat."""
        compared = self._compared(comparison)
        passes = map(Pass, view.legal_passes)
        others = dict.fromkeys([*self._claims(view), *passes, *named])
        tried = [choice, *(each for each in others if each != choice and each not in compared)]
        first = next(iter(compared), None)
        if compared and choice not in compared:
            tried.append(first)
        leads = dict(zip(tried, self._raw_leads(tried, team_of(view.seat)), strict=True))
        # The asks of the comparison are ahead of its first one.
        base = compared.get(choice, _Lead(0.0, 0.0)) if isinstance(choice, Ask) else None
        shift = leads[first] if compared and choice not in compared else _Lead(0.0, 0.0)
        for ask, lead in compared.items():
            start = base.mean if base is not None else 0.0
            error = max(lead.error, base.error if base is not None else 0.0)
            leads[ask] = _Lead(lead.mean - start + shift.mean, math.hypot(error, shift.error))
        leads[choice] = _Lead(0.0, 0.0)
        return leads

    def _compared(self, comparison: Comparison | None) -> dict[Option | None, _Lead]:
        """How far each ask is ahead of the first one."""
        if comparison is None:
            return {}
        found = comparison.leads(self.champion.settings)
        rows = zip(comparison.candidates.asks.tolist(), *map(list, found), strict=True)
        return {Ask(*ask): _Lead(float(mean), float(error)) for ask, mean, error in rows}

    def _raw_leads(self, options: Sequence[Option | None], team: Team) -> list[_Lead]:
        """How far each option is ahead of the first one, on the same deals."""
        if len(options) == 1:
            return [_Lead(0.0, 0.0)]
        hands = self.observer.deals.hands(max(1, self.budget // self.champion.candidates))
        values = self._run(hands, options, self.champion.horizons).values[-1]
        ahead = (values - values[:, :1]) * (1 if team_of(self.turn) == team else -1)
        return [_Lead(float(each.mean()), _error(each)) for each in ahead.T]

    def _claims(self, view: View) -> list[Claim]:
        """The claims worth comparing: certain, likely, or forced."""
        if not view.may_claim:
            return []
        knowledge, weights = self.observer.knowledge, self.observer.opponent_model.weights
        may_wait = view.seat != self.turn or len(view.legal_asks) or view.legal_passes
        best = knowledge.claims(weights=weights)
        return [
            Claim(claim.half_suit, claim.holders)
            for i, claim in enumerate(best)
            if claim.probability >= LIKELY or (i < FORCED_CLAIMS and not may_wait)
        ]

    def _candidates(
        self,
        leads: dict[Option | None, _Lead],
        choice: Action | None,
        estimate: _Estimate,
        hands: Ints,
    ) -> list[Candidate]:
        """The candidates, the choice first.

        leads: over the choice, whose estimate that is. hands: of the rollouts of its value.
        """
        from literature_ai.agents.expert.continuation import likeliest_line

        observer, hides = self.observer, self.position.rules.wrong_hides
        slope = slope_of(estimate.result, "seat", self.claimed)
        best = score_of(estimate.result, "seat", self.claimed)
        best_se = slope * estimate.result_se
        some = hands[: max(1, self.budget // self.champion.candidates)]
        found = []
        for option, lead in leads.items():
            if option is None:
                continue
            result = min(max(estimate.result + lead.mean, -_MOST), _MOST)
            score = score_of(result, "seat", self.claimed)
            error = slope * lead.error
            move = self._move(option)
            found.append(
                Candidate(
                    option,
                    self._chance(option),
                    score,
                    math.hypot(best_se, error),
                    max(0.0, best - score),
                    error,
                    likeliest_line(observer.belief, some, move, observer.policies, hides),
                )
            )
        return sorted(found, key=lambda each: (each.action != choice, -each.score))

    def _chance(self, action: Option) -> float | None:
        """The exact probability that the ask hits or the claim is right."""
        match action:
            case Ask(target, card):
                return float(self.observer.knowledge.posterior()[card, target])
            case Claim(half_suit, holders):
                layout = dict(zip(cards_of(half_suit), holders, strict=True))
                return self.observer.knowledge.probability(layout)
        return None


def _error(values: Floats) -> float:
    """The standard error of the mean; 0 for a single value, which tells none."""
    return float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else 0.0
