"""Values, analyses and judged decisions in words and as JSON.

``names`` are the names of the cards in the deck of the game (`RuleSet.card_names`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from literature_ai.analysis.engine import Analysis, Candidate, Value
from literature_ai.analysis.game_values import (
    LEAST_LOSS,
    MARKS,
    STEEPNESS,
    SURE,
    JudgedDecision,
    Mistake,
    Moment,
    accuracy,
)
from literature_ai.cards import SEAT_NAMES, TEAM_NAMES, CardNames, Seat
from literature_ai.events import Action, Ask, Claim, Pass, TimedOut
from literature_ai.records.notation import format_action, format_event
from literature_ai.wording import layout, percent, wanted

LEGEND = (
    "A loss is how far the expected result (win 100 %, draw 50 %) falls behind the best action. "
    + ", ".join(
        f"{MARKS[size]} {size.value}: at least {100 * LEAST_LOSS[size]:.0f} %"
        for size in reversed(LEAST_LOSS)
    )
    + f", and more than {SURE:.0f} standard errors. Accuracy is the mean of"
    f" exp(-{STEEPNESS:.0f} × loss)."
)
"""What losses, marks and accuracies are."""


def value_in_words(value: Value) -> str:
    """``62.0 % ± 1.0, 0.8 ± 0.1 half-suits ahead``."""
    ahead = "ahead" if value.margin >= 0 else "behind"
    return (
        f"{percent(value.score)} % ± {100 * value.se:.1f},"
        f" {abs(value.margin):.1f} ± {value.margin_se:.1f} half-suits {ahead}"
    )


def option_in_words(option: Action | TimedOut, names: CardNames) -> str:
    """What is to be done, without who does it: ``ask for 5S of B3``."""
    match option:
        case Ask():
            return f"ask for {wanted(option, names)}"
        case Claim(half_suit, holders):
            return f"claim {layout(half_suit, holders, names)}"
        case Pass(to):
            return f"pass to {SEAT_NAMES[to]}"
    return "lose the turn to the clock"


def choice_in_words(analysis: Analysis, names: CardNames) -> str:
    """The choice with its value and its reason, in one line; what to do off turn."""
    worth = f"{percent(analysis.value.score)} % ± {100 * analysis.value.se:.1f}"
    if analysis.choice is None:
        return f"the position is worth {worth} to team {TEAM_NAMES[analysis.team]}"
    return f"{option_in_words(analysis.choice, names)}, worth {worth}: {analysis.reason}"


def candidate_in_words(candidate: Candidate, names: CardNames) -> str:
    """A candidate in a line of columns; its continuation goes below."""
    chance = "" if candidate.chance is None else f"{percent(candidate.chance)} %"
    behind = f"-{100 * candidate.loss:.1f} ± {100 * candidate.loss_se:.1f}"
    return (
        f"{percent(candidate.score):>5} %  {behind if candidate.loss_se else 'choice':>11}"
        f"  {chance:>6}  {option_in_words(candidate.action, names)}"
    )


def decision_in_words(decision: JudgedDecision) -> str:
    """What was done, what it gave away, and what was better."""
    mark = MARKS[decision.mistake] if decision.mistake else ""
    said = f"{decision.event:>4}  {decision.made}  {percent(decision.score)} %"
    if decision.loss:
        said += f"  -{100 * decision.loss:.1f} ± {100 * decision.loss_se:.1f} {mark}".rstrip()
    if decision.mistake:
        said += f"  {better_in_words(decision)}"
    return said


def mistake_in_words(decision: JudgedDecision) -> str:
    """A mistake in a line: ``? mistake: ask B1 A1 6S gave away 6.3 ± 1.4 %; better: …``."""
    assert decision.mistake is not None
    return (
        f"{MARKS[decision.mistake]} {decision.mistake.value}: {decision.made}"
        f" gave away {100 * decision.loss:.1f} ± {100 * decision.loss_se:.1f} %;"
        f" {better_in_words(decision)}"
    )


def better_in_words(decision: JudgedDecision) -> str:
    """The best action instead, and why."""
    if decision.best is None:
        return "better: wait"
    return f"better: {decision.best} ({decision.reason})"


def accuracies(moments: Sequence[Moment], players: int) -> Iterator[tuple[Seat, float]]:
    """The accuracy of each seat with a judged decision."""
    decisions = [moment.decision for moment in moments if moment.decision is not None]
    for seat in range(players):
        found = accuracy(each for each in decisions if each.seat == seat)
        if found is not None:
            yield seat, found


def analysis_as_json(analysis: Analysis, names: CardNames) -> dict[str, Any]:
    """The analysis as ``literature analyze --json`` prints it, without the id of the game."""
    turn = analysis.turn
    seat = turn if analysis.seat is None else analysis.seat
    return {
        "seat": None if analysis.seat is None else SEAT_NAMES[analysis.seat],
        "team": TEAM_NAMES[analysis.team],
        "turn": SEAT_NAMES[turn],
        "events": analysis.events,
        "budget": analysis.budget,
        "seed": analysis.seed,
        "stopped": analysis.stopped,
        "value": asdict(analysis.value),
        "choice": None if analysis.choice is None else format_action(analysis.choice, seat, names),
        "reason": analysis.reason,
        "candidates": [
            {
                "action": format_action(candidate.action, seat, names),
                "hit": candidate.chance,
                "score": candidate.score,
                "se": candidate.se,
                "loss": candidate.loss,
                "loss_se": candidate.loss_se,
                "line": [format_event(event, names) for event in candidate.line],
            }
            for candidate in analysis.candidates
        ],
    }


def summary_as_json(analysis: Analysis, names: CardNames) -> dict[str, Any]:
    """The value and the choice alone, as ``literature hint --json`` prints them."""
    said = analysis_as_json(analysis, names)
    return {key: said[key] for key in ("budget", "seed", "value", "choice", "reason")}


def moment_as_json(moment: Moment) -> dict[str, Any]:
    """A moment as ``literature analyze --all --json`` prints it."""
    decision = moment.decision
    return {
        "events": moment.events,
        "value": asdict(moment.table),
        "own": None if moment.own is None else asdict(moment.own),
        "decision": None
        if decision is None
        else {
            "event": decision.event,
            "seat": SEAT_NAMES[decision.seat],
            "made": decision.made,
            "score": decision.score,
            "loss": decision.loss,
            "loss_se": decision.loss_se,
            "mistake": decision.mistake.value if decision.mistake else None,
            "best": decision.best,
            "reason": decision.reason,
        },
    }


def moment_from_json(found: dict[str, Any]) -> Moment:
    """The moment that `moment_as_json` made this of. Raises KeyError and TypeError for others."""
    own, decision = found["own"], found["decision"]
    if decision is not None:
        names = ("event", "made", "score", "loss", "loss_se", "best", "reason")
        kept = {name: decision[name] for name in names}
        decision = JudgedDecision(seat=SEAT_NAMES.index(decision["seat"]), **kept)
    return Moment(
        found["events"],
        Value(**found["value"]),
        None if own is None else Value(**own),
        decision,
    )


def game_as_json(moments: Sequence[Moment], players: int) -> dict[str, Any]:
    """The moments of a game with what they add up to."""
    decisions = [moment.decision for moment in moments if moment.decision is not None]
    return {
        "accuracy": {SEAT_NAMES[seat]: value for seat, value in accuracies(moments, players)},
        "mistakes": {
            size.value: sum(decision.mistake is size for decision in decisions) for size in Mistake
        },
        "moments": [moment_as_json(moment) for moment in moments],
    }
