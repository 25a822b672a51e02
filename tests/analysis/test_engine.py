"""The engine: values, candidates and choices, on every kind of position and for every viewer."""

from __future__ import annotations

from dataclasses import replace

import helpers as h
import numpy as np
import pytest
from best_answers import FORCED, MATE, NOW, POSITIONS, SURE, Position

from literature_ai.agents.champion import Champion
from literature_ai.analysis.calibration import FITS, Kind, margin_of, score_of, slope_of
from literature_ai.analysis.choice_reason import completes
from literature_ai.analysis.engine import Analysis, analyze, value_with_open_cards
from literature_ai.analysis.metrics import is_dead
from literature_ai.cards import HALF_SUIT_NAMES, cards_of, half_suit_of, team_of
from literature_ai.errors import IllegalActionError, LiteratureError
from literature_ai.events import Ask, Claim, Pass, TimedOut
from literature_ai.game.game import Game
from literature_ai.game.view import View
from literature_ai.inference.knowledge import Knowledge
from literature_ai.records.notation import parse_action
from literature_ai.records.record import Record
from literature_ai.rules import RuleSet

BUDGET = 24


def fits(position: Position, action: object) -> bool:
    """Whether the action is the best answer to the position."""
    if len(position.best) == 2:
        return isinstance(action, Ask) and action.target == h.seat(position.best)
    return parse_action(position.best, position.game())[1] == action


@pytest.mark.parametrize("number", range(len(POSITIONS)))
def test_the_best_answer_is_found(number: int) -> None:
    """In a position with a known best answer the choice is that answer."""
    position = POSITIONS[number]
    game = position.game()
    assert game.turn is not None
    found = analyze(game.view(game.turn))
    assert fits(position, found.choice), f"{position.kind}: {found.choice}"


@pytest.mark.parametrize("number", range(len(POSITIONS)))
def test_the_positions_are_what_they_are_said_to_be(number: int) -> None:
    """By exact knowledge, each position is of its kind: one sure hit, a certain claim, nothing but
    claims, nothing but passes, or nothing that is sure to hit."""
    position = POSITIONS[number]
    game = position.game()
    assert game.turn is not None
    view = game.view(game.turn)
    knowledge = Knowledge.of(view)
    posterior = knowledge.posterior()
    sure = [ask for ask in view.legal_asks if posterior[ask.card, ask.target] == 1.0]
    certain = knowledge.certain_claims()
    if position.kind == SURE:
        assert (1, 0) == (len(sure), len(certain))
        assert fits(position, sure[0])
    elif position.kind == NOW:
        assert any(fits(position, claim) for claim in certain)
        last = len(view.events) + 1 == view.rules.max_events
        assert last or view.score[team_of(view.seat)] + 1 == view.rules.majority
    elif position.kind == FORCED:
        assert not view.legal_asks
        assert not view.legal_passes
        first, *others = knowledge.claims()
        assert fits(position, Claim(first.half_suit, first.holders))
        assert all(claim.probability < first.probability for claim in others)
    elif position.kind == MATE:
        assert not view.hand
        assert len(view.legal_passes) > 1
    else:
        assert not sure
        assert not certain


def some_game(number: int, until: int) -> Game:
    """A random game under the rules of that number, in progress."""
    rng = np.random.default_rng((number, until))
    while True:
        game = h.random_game(h.EVERY_RULE[number], rng, until)
        if not game.over:
            return game


def check(found: Analysis, view: View | None) -> None:
    """Values in their range, the choice first, losses behind it, legal candidates only."""
    assert 0 <= found.value.score <= 1
    assert min(found.value.se, found.value.margin_se) >= 0
    scores = [candidate.score for candidate in found.candidates[1:]]
    assert sorted(scores, reverse=True) == scores or found.choice is None
    if found.choice is not None:
        first = found.candidates[0]
        assert (found.choice, 0.0, 0.0) == (first.action, first.loss, first.loss_se)
        assert found.value.score == first.score
        assert found.reason
    for candidate in found.candidates:
        assert view is not None
        assert candidate.loss == max(0.0, found.value.score - candidate.score)
        if isinstance(candidate.action, Ask):
            assert candidate.action in view.legal_asks
        elif isinstance(candidate.action, Pass):
            assert candidate.action.to in view.legal_passes
        else:
            assert view.may_claim


@pytest.mark.parametrize("number", h.NUMBERS_SOME_SLOW)
def test_every_rule_and_every_viewer(number: int) -> None:
    """Under every rule, on turn, off turn and for everyone, there is a value, and on turn a choice
    among legal candidates."""
    for until in (3, 25):
        game = some_game(number, until)
        record = Record.of(game, "1")
        assert game.turn is not None
        for seat in (game.turn, (game.turn + 1) % game.rules.players):
            view = game.view(seat)
            found = analyze(record, seat, BUDGET)
            check(found, view)
            assert (found.choice is not None) >= (seat == game.turn)
            assert replace(analyze(view, budget=BUDGET)) == found, "a view says as much"
        found = analyze(record, None, BUDGET)
        check(found, None)
        assert (None, 0, None, ()) == (found.seat, found.team, found.choice, found.candidates)
        assert 0 <= value_with_open_cards(record, BUDGET).score <= 1


@pytest.mark.parametrize("number", range(0, len(h.EVERY_RULE), 5))
def test_the_choice_is_the_move_of_champion(number: int) -> None:
    """What `champion` does with that budget, seated there with a generator of that seed, is the
    choice."""
    for until in (2, 12, 30):
        game = some_game(number, until)
        assert game.turn is not None
        view = game.view(game.turn)
        champion = Champion(budget=BUDGET)
        champion.start(view, np.random.default_rng(7))
        assert champion.act(view) == analyze(view, budget=BUDGET, seed=7).choice


def test_same_seed_same_analysis_with_any_number_of_workers() -> None:
    """Position, budget and seed decide all of an analysis, however many threads run it; another
    seed gives another value."""
    game = some_game(1, 20)
    assert game.turn is not None
    view = game.view(game.turn)
    alone = analyze(view, budget=200, seed=3)
    assert alone == analyze(view, budget=200, seed=3, workers=3)
    assert alone == analyze(view, budget=200, seed=3, go_on=lambda done, of: True)
    assert alone.value != analyze(view, budget=200, seed=4).value


def test_a_stopped_analysis_says_what_it_has() -> None:
    """When go_on says no, the analysis has a value and a choice by the rollouts so far."""
    game = some_game(1, 20)
    assert game.turn is not None
    view = game.view(game.turn)
    found = analyze(view, budget=4000, go_on=lambda done, of: False)
    assert found.stopped
    check(found, view)
    assert found.value.se > analyze(view, budget=4000).value.se, "fewer rollouts, a larger error"


def test_named_candidates_are_compared() -> None:
    """Asks and claims that are named are among the candidates, an ask with its exact chance."""
    game = some_game(1, 12)
    assert game.turn is not None
    view = game.view(game.turn)
    posterior = Knowledge.of(view).posterior()
    named = [*list(view.legal_asks)[:3], Claim(view.in_play[0], (game.turn,) * 6)]
    found = analyze(view, budget=BUDGET, candidates=named)
    for action in named:
        candidate = found.candidate(action)
        assert candidate.line
        if isinstance(action, Ask):
            assert posterior[action.card, action.target] == candidate.chance


def test_a_turn_lost_to_the_clock_can_be_compared() -> None:
    """In a timed game the loss of a lost turn is told beside the other candidates."""
    game = Game.deal(RuleSet(turn_seconds=30), seed=1, start=0)
    found = analyze(game.view(0), budget=BUDGET, candidates=[TimedOut(0)])
    assert TimedOut(0) == found.candidate(TimedOut(0)).line[0]


def test_a_claim_off_turn_can_be_compared() -> None:
    """Where anyone may claim at any time, a seat off turn has its certain claim for a choice, and
    to wait is as good as what a wrong claim loses."""
    hands = ("LC 2S 3S 4S 2H 3H 4H", "5S 6S 7S 5H 6H 7H HC", "LD HS", "HD HH")
    game = h.game_of(RuleSet(players=4, claim_any_time=True), "B1", *hands)
    found = analyze(game.view(0), budget=BUDGET)
    assert h.claim("LC", "A1") == found.choice
    wrong = h.claim("LS", "A1")
    found = analyze(game.view(0), budget=200, candidates=[wrong])
    assert found.candidate(wrong).loss > 0.03


def test_lines_are_games_that_can_go_on_so() -> None:
    """A continuation begins with its action, and follows the rules to its end."""
    for number in (1, 2, 3):
        game = some_game(number, 15)
        assert game.turn is not None
        found = analyze(game.view(game.turn), budget=64)
        for candidate in found.candidates:
            position = Record.of(game, "1").position()
            for event in candidate.line:
                position.follow(event)
            _, action = parse_action(
                _without_answer(candidate.line[0]), Record.of(game, "1").position()
            )
            assert candidate.action == action


def _without_answer(event: object) -> str:
    from literature_ai.records.notation import format_event

    words = format_event(event).split()  # type: ignore[arg-type]
    for last in ("hit", "miss", "right", "wrong"):
        if last in words:
            return " ".join(words[: words.index(last)])
    return " ".join(words)


@pytest.mark.parametrize("number", range(0, len(h.EVERY_RULE), 7))
def test_reasons_are_true(number: int) -> None:
    """What a reason says of chances, cards and half-suits is so by exact knowledge."""
    for until in (5, 15, 30):
        game = some_game(number, until)
        assert game.turn is not None
        view = game.view(game.turn)
        knowledge = Knowledge.of(view)
        found = analyze(view, budget=BUDGET)
        posterior = knowledge.posterior()
        if isinstance(found.choice, Ask):
            chance = posterior[found.choice.card, found.choice.target]
            assert ("sure to hit" in found.reason) == (chance == 1.0)
            assert ("known to miss" in found.reason) == (chance == 0.0)
            if "it tells nobody anything" in found.reason:
                public = Knowledge(view.rules)
                for event in view.events:
                    public.observe(event)
                assert is_dead(found.choice, public)
            best = max(posterior[ask.card, ask.target] for ask in view.legal_asks)
            assert ("no ask is likelier" in found.reason) == (best - chance < 1e-9 < chance < 1.0)
            name = HALF_SUIT_NAMES[half_suit_of(found.choice.card)]
            said = f"a hit makes {name} certain to claim" in found.reason
            assert said == (chance > 0.0 and completes(found.choice, view, knowledge))
        elif isinstance(found.choice, Claim):
            layout = dict(zip(cards_of(found.choice.half_suit), found.choice.holders, strict=True))
            assert found.reason.startswith("certain") == (knowledge.probability(layout) == 1.0)


@pytest.mark.parametrize("kind", list(FITS))
def test_calibration_is_fair_to_both_teams(kind: Kind) -> None:
    """What one team gains the other loses; scores rise with results, from 0 to 1; the slope is that
    of the curve."""
    results = np.linspace(-1, 1, 41)
    scores = [score_of(result, kind, 0.25) for result in results.tolist()]
    assert (0.0, 0.5, 1.0) == (scores[0], scores[20], scores[-1])
    assert np.allclose(scores, 1.0 - np.array(scores[::-1]))
    assert (np.diff(scores) > 0).all()
    for result in (-0.9, 0.0, 0.3):
        rise = (score_of(result + 1e-6, kind, 0.25) - score_of(result - 1e-6, kind, 0.25)) / 2e-6
        assert rise == pytest.approx(slope_of(result, kind, 0.25), rel=1e-4)
    assert margin_of(-2.0, kind, 1.0) == -margin_of(2.0, kind, -1.0)


def test_a_won_game_is_worth_a_win() -> None:
    """A position that can only be won is worth nearly 1, and more so the more deals say so."""
    position = next(p for p in POSITIONS if p.kind == MATE)
    game = position.game()
    record = Record.of(game, "1")
    values = [analyze(record, game.turn, budget).value.score for budget in (20, 100, 500)]
    assert sorted(values) == values
    assert 0.995 < values[-1] < 1.0
    assert 0.98 < value_with_open_cards(record).score < 1.0


def refused(message: str, *args: object, **options: object) -> None:
    with pytest.raises(LiteratureError, match=message):
        analyze(*args, **options)  # type: ignore[arg-type]


def test_what_cannot_be_analysed_is_refused() -> None:
    """A record that is over, a seat without a hand, wrong numbers, candidates off turn and
    impossible asks are errors that say what would be right."""
    game = Game.deal(RuleSet(), seed=1, start=0)
    record = Record.of(game, "7")
    view = game.view(0)
    over = h.random_game(RuleSet(), np.random.default_rng(1))
    refused(r"game 1 is over after \d+ events; look at an earlier moment", Record.of(over, "1"), 0)
    refused("the game is over", over.view(0))
    half = replace(record, hands=(record.hands[0], *[None] * 5))
    refused("game 7 has no hand of B1; it has the hands of A1", half, 1)
    refused("game 7 has no hand of 9", record, 9)
    refused("the view is that of A1", view, 1)
    refused("budget is 0; it must be a whole number from 1", view, budget=0)
    refused("budget is 20001; it must be at most 20000", view, budget=20_001)
    refused("workers is 0; it must be a whole number from 1", view, workers=0)
    refused("seed is -1; it must be a whole number from 0", view, seed=-1)
    ask = view.legal_asks[0]
    refused("B1 is not on turn", record, 1, candidates=[ask])
    refused("nothing can be compared for everyone", record, candidates=[ask])
    refused("which A1 holds; only the rule bluff-asks", view, candidates=[Ask(1, view.hand[0])])
    refused("are not opponents", view, candidates=[Ask(2, ask.card)])
    refused("only when the hand is empty|pass", view, candidates=[Pass(2)])
    with pytest.raises(IllegalActionError):
        analyze(view, candidates=[Claim(0, (1,) * 6)])
    refused("no untimed game|turn-seconds|time", view, candidates=[TimedOut(0)])
