"""The order of decisions, and playing a game between agents."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from helpers import EVERY_RULE, ask, claim, game_of, random_claim, random_step, seat

from literature_ai.agents.base import Agent
from literature_ai.cards import parse
from literature_ai.errors import IllegalActionError, LiteratureError
from literature_ai.events import Action, Ask, Asked, Claim, Claimed, Event, Pass, Passed, TimedOut
from literature_ai.game.game import Game
from literature_ai.game.turns import Answer, Decision, Turns, play, steps
from literature_ai.game.view import View
from literature_ai.rules import RuleSet

ANY_TIME = RuleSet(players=4, claim_any_time=True)


def offers(names: str) -> list[Decision]:
    return [Decision(seat(name), off_turn=True) for name in names.split()]


def turn_of(name: str) -> Decision:
    return Decision(seat(name), off_turn=False)


def four(start: str = "A1", rules: RuleSet = ANY_TIME) -> Game:
    hands = ("2S 4S 6S LH 9D TD JD", "3S 5S 7S HH QD KD AD", "LD LC", "HS HC")
    return game_of(rules, start, *hands)


def declined(turns: Turns, count: int) -> list[Decision | None]:
    """Decline so many offers; the decision after each."""
    heard: list[Decision | None] = []
    for _ in range(count):
        assert turns.answer(None) is None
        heard.append(turns.decision)
    return heard


class TestTurns:
    """Tests of `Turns`: whose decision the game waits for."""

    def test_without_offers_only_the_seat_on_turn_decides(self) -> None:
        """Without offers each decision is that of the seat on turn."""
        turns = Turns(four(rules=RuleSet(players=4)))
        assert turns.decision == turn_of("A1")
        assert turns.answer(ask("B1", "3S")) == Asked(0, 1, parse("3S"), True)
        assert turns.decision == turn_of("A1")
        assert turns.answer(ask("B2", "5S")) == Asked(0, 3, parse("5S"), False)
        assert turns.decision == turn_of("B2")

    def test_everyone_is_offered_a_claim_before_each_turn(self) -> None:
        """From the seat on turn clockwise, every seat that may claim; then the turn itself."""
        turns = Turns(four("A2"))
        heard = [turns.decision, *declined(turns, 4)]
        assert heard == [*offers("A2 B2 A1 B1"), turn_of("A2")]
        turns.answer(claim("LD", "A2"))
        heard = [turns.decision, *declined(turns, 4)]
        assert heard == [*offers("A2 B2 A1 B1"), turn_of("A2")]

    def test_after_each_claim_the_offers_start_again(self) -> None:
        """After each claim the offers restart at the seat on turn, until all decline."""
        game = four("A1")
        turns = Turns(game)
        assert [turns.decision, *declined(turns, 1)] == offers("A1 B1")
        turns.answer(claim("HH", "B1"))
        assert [turns.decision, *declined(turns, 3)] == offers("A1 B1 A2 B2")
        turns.answer(claim("HC", "B2"))
        assert [turns.decision, *declined(turns, 4)] == [*offers("A1 B1 A2 B2"), turn_of("A1")]
        assert game.score == (0, 2)

    def test_a_seat_without_cards_gets_no_offer(self) -> None:
        """Unless it may claim without them; the forced pass is still its decision."""
        for cardless in (False, True):
            hands = ("LS HS", "LH HH", "LD HD", "LC HC")
            game = game_of(replace(ANY_TIME, cardless_claims=cardless), "A1", *hands)
            game.apply(claim("LS", "A1"))
            game.apply(claim("HS", "A1"))
            turns = Turns(game)
            expected = offers("A1 B1 A2 B2" if cardless else "B1 A2 B2")
            assert [turns.decision, *declined(turns, len(expected))] == [*expected, turn_of("A1")]
            assert turns.answer(Pass(2)) == Passed(0, 2)
            assert turns.decision == offers("A2")[0]

    def test_the_offers_follow_a_turn_that_moves_by_a_claim(self) -> None:
        """When an off-turn claim empties the team on turn, they start at the new seat on turn."""
        hands = ("LS", "HS", "LH", "HH", "LD", "HD", "LC", "HC")
        rules = RuleSet(players=8, claim_any_time=True)
        game = game_of(rules, "A1", *hands)
        for half_suit, holder in [("LH", "A2"), ("LD", "A3"), ("LC", "A4"), ("HS", "B1")]:
            game.apply(claim(half_suit, holder), seat(holder))
        turns = Turns(game)
        assert [turns.decision, *declined(turns, 1)] == offers("A1 B2")
        turns.answer(claim("LS", "B2"))
        heard = [turns.decision, *declined(turns, 3)]
        assert game.score == (4, 1)
        assert heard == [*offers("B2 B3 B4"), turn_of("B2")]

    def test_it_stops_when_the_game_is_over(self) -> None:
        """After the deciding claim, on turn or off, there is nothing left to decide or answer."""
        game = four(rules=replace(ANY_TIME, max_events=1))
        turns = Turns(game)
        turns.answer(claim("LH", "A1"))
        assert turns.decision is None
        assert Turns(game).decision is None
        with pytest.raises(IllegalActionError, match="the game is over"):
            turns.answer(None)

    def test_being_late_loses_the_turn_or_the_offer(self) -> None:
        """`TimedOut` loses the turn on turn, and declines an offer off turn."""
        game = four(rules=replace(ANY_TIME, turn_seconds=9))
        turns = Turns(game)
        heard = [turns.decision]
        for s in range(4):
            assert turns.answer(TimedOut(s)) is None
            heard.append(turns.decision)
        assert heard == [*offers("A1 B1 A2 B2"), turn_of("A1")]
        assert game.events == ()
        assert turns.answer(TimedOut(0)) == TimedOut(0)
        assert turns.decision == offers("B1")[0]
        assert game.events == (TimedOut(0),)

    @pytest.mark.parametrize(
        ("answers", "rule"),
        [
            ([ask("B1", "3S")], "claim-any-time"),
            ([None, Pass(3)], "claim-any-time"),
            ([None, claim("LD", "A2")], "split-claims"),
            ([None] * 5, "action"),
            ([None] * 4 + ["nothing"], "action"),
            ([None] * 4 + [ask("B1", "3D")], "ask-half-suit"),
        ],
    )
    def test_an_illegal_answer_changes_nothing(
        self, answers: list[Action | None], rule: str
    ) -> None:
        """`answer` raises `IllegalActionError`; game and decision stay, and can be answered."""
        game = four()
        turns = Turns(game)
        for answer in answers[:-1]:
            turns.answer(answer)
        waiting_for = turns.decision
        with pytest.raises(IllegalActionError) as caught:
            turns.answer(answers[-1])
        assert rule == caught.value.rule
        assert game.events == ()
        assert waiting_for == turns.decision
        assert waiting_for is not None
        right = None if waiting_for.off_turn else ask("B1", "3S")
        turns.answer(right)
        assert len(game.events) == (right is not None)

    @pytest.mark.parametrize("rules", EVERY_RULE, ids=lambda r: f"{r.players} {r.words()}")
    def test_only_those_who_may_are_asked(self, rules: RuleSet) -> None:
        """In whole games, offers go to seats that may claim, turns to the seat on turn."""
        rng = np.random.default_rng(13)
        game = Game.deal(rules, rng=rng)
        turns = Turns(game)
        while (decision := turns.decision) is not None:
            if decision.off_turn:
                assert rules.claim_any_time
                assert game.may_claim(decision.seat)
            else:
                assert decision.seat == game.turn
            turns.answer(random_answer(turns, rng))
        assert game.over

    @pytest.mark.parametrize("rules", EVERY_RULE, ids=lambda r: f"{r.players} {r.words()}")
    def test_a_copy_goes_on_where_the_original_was(self, rules: RuleSet) -> None:
        """Copied or pickled at any decision, offers too, it waits for the same decisions after."""
        rng = np.random.default_rng(17)
        turns = Turns(Game.deal(replace(rules, max_events=40), rng=rng))
        copiers: list[Callable[[Turns], Turns]] = [
            copy.copy,
            copy.deepcopy,
            lambda each: pickle.loads(pickle.dumps(each)),
        ]
        twins: list[Turns] = []
        while turns.decision is not None:
            if rng.random() < 0.1:
                twins += [copier(turns) for copier in copiers]
            answer = random_answer(turns, rng)
            for twin in twins:
                assert turns.decision == twin.decision
                twin.answer(answer)
            turns.answer(answer)
        assert len(twins) >= 3
        assert all(twin.decision is None for twin in twins)
        assert all(twin.game is not turns.game for twin in twins)
        assert all(twin.game.events == turns.game.events for twin in twins)

    def test_a_copy_leaves_the_original_alone(self) -> None:
        """What a copy is answered changes neither game nor decision of the original."""
        turns = Turns(four())
        turns.answer(None)
        for twin in (copy.copy(turns), copy.deepcopy(turns), pickle.loads(pickle.dumps(turns))):
            assert offers("B1")[0] == twin.decision
            twin.answer(claim("HH", "B1"))
            assert offers("A1")[0] == twin.decision
        assert offers("B1")[0] == turns.decision
        assert turns.game.events == ()


def random_answer(turns: Turns, rng: np.random.Generator) -> Answer:
    """A legal answer: an offer is mostly declined, and in timed games some answers are late."""
    decision, game = turns.decision, turns.game
    assert decision is not None
    if game.rules.turn_seconds and rng.random() < 0.05:
        return TimedOut(decision.seat)
    if not decision.off_turn:
        return random_action(game, rng)
    return random_claim(game, decision.seat, rng) if rng.random() < 0.03 else None


def random_action(game: Game, rng: np.random.Generator) -> Action:
    """Some action of the seat on turn, not yet done."""
    while True:
        match random_step(copy.copy(game), rng):
            case Asked(asker, target, card) if asker == game.turn:
                return Ask(target, card)
            case Claimed(claimant, half_suit, holders) if claimant == game.turn:
                return Claim(half_suit, holders)
            case Passed(_, to):
                return Pass(to)


class Recorder(Agent):
    """Acts at random and writes down all it is told."""

    def __init__(self, log: list[str]) -> None:
        self.log = log
        self.seen: list[Event] = []

    def start(self, view: View, rng: np.random.Generator) -> None:
        self.seat, self.rng = view.seat, rng
        self.first = float(rng.random())
        self.log.append(f"start {view.seat}")

    def observe(self, event: Event) -> None:
        self.seen.append(event)

    def act(self, view: View) -> Action:
        assert view.seat == self.seat == view.turn
        assert list(view.events) == self.seen
        self.log.append(f"act {view.seat}")
        if view.legal_asks:
            return view.legal_asks[int(self.rng.integers(len(view.legal_asks)))]
        if view.legal_passes:
            return Pass(view.legal_passes[0])
        return Claim(view.in_play[0], (view.seat,) * 6)

    def claim(self, view: View) -> Claim | None:
        self.log.append(f"claim {view.seat}")
        return None


class TestPlay:
    """The loop over agents."""

    @pytest.mark.parametrize("words", ["", "us54", "russian pass-turn claim-any-time"])
    def test_agents_start_observe_and_act(self, words: str) -> None:
        """Each starts once with its own view, and sees every event before its next decision."""
        rules = RuleSet.parse(f"{words} max-events=60")
        game = Game.deal(rules, seed=4)
        log: list[str] = []
        agents = [Recorder(log) for _ in range(rules.players)]
        outcome = play(game, agents, np.random.default_rng(1))
        assert outcome == game.outcome
        assert log[: rules.players] == [f"start {s}" for s in range(rules.players)]
        assert all(list(game.events) == agent.seen for agent in agents)
        assert len({agent.first for agent in agents}) == rules.players
        assert rules.claim_any_time == any(entry.startswith("claim") for entry in log)

    def test_the_same_seed_plays_the_same_game(self) -> None:
        """All randomness of a game comes from the given generator."""
        games = [Game.deal(RuleSet(), seed=4) for _ in range(2)]
        for game in games:
            play(game, [Recorder([]) for _ in range(6)], np.random.default_rng(8))
        assert games[0].events == games[1].events

    def test_a_late_answer_is_a_timeout(self) -> None:
        """By the clock handed in: more than turn-seconds lose the turn, fewer do not."""
        game = Game.deal(RuleSet(turn_seconds=20, max_events=3), seed=4, start=0)
        clock = iter([0.0, 20.0, 100.0, 120.5, 200.0, 230.0])
        play(game, [Recorder([]) for _ in range(6)], np.random.default_rng(8), clock.__next__)
        kinds = [type(event) for event in game.events]
        assert kinds == [Asked, TimedOut, TimedOut]

    def test_an_untimed_game_looks_at_no_clock(self) -> None:
        """In an untimed game slow decisions have no effect."""
        game = Game.deal(RuleSet(max_events=5), seed=4)
        hours: Iterator[float] = iter(range(0, 10**6, 3600))
        clock: Callable[[], float] = hours.__next__
        play(game, [Recorder([]) for _ in range(6)], np.random.default_rng(8), clock)
        assert not [event for event in game.events if isinstance(event, TimedOut)]

    def test_an_illegal_decision_is_raised(self) -> None:
        """An illegal decision of an agent raises its error."""

        class Broken(Recorder):
            def act(self, view: View) -> Action:
                return Pass(view.seat)

        game = Game.deal(RuleSet(), seed=4)
        with pytest.raises(IllegalActionError, match="has cards and cannot pass"):
            play(game, [Broken([]) for _ in range(6)], np.random.default_rng(8))

    def test_every_seat_needs_an_agent(self) -> None:
        """Too few or too many agents are refused."""
        game = Game.deal(RuleSet(), seed=4)
        with pytest.raises(LiteratureError, match="4 agents for 6 seats"):
            play(game, [Recorder([]) for _ in range(4)], np.random.default_rng(8))

    @pytest.mark.parametrize("words", ["", "us54", "russian pass-turn claim-any-time"])
    def test_steps_yields_each_event_once_all_have_observed_it(self, words: str) -> None:
        """`steps` plays the same game as `play`, event by event."""
        rules = RuleSet.parse(f"{words} max-events=60")
        games = [Game.deal(rules, seed=4) for _ in range(2)]
        play(games[0], [Recorder([]) for _ in range(rules.players)], np.random.default_rng(8))
        agents = [Recorder([]) for _ in range(rules.players)]
        yielded: list[Event] = []
        for event in steps(games[1], agents, np.random.default_rng(8)):
            yielded.append(event)
            assert all(yielded == agent.seen for agent in agents)
            assert list(games[1].events) == yielded
        assert games[0].events == games[1].events

    def test_steps_goes_on_with_agents_that_have_started(self) -> None:
        """Without a generator nobody is started, so that a game can be left and taken up again."""
        games = [Game.deal(RuleSet(max_events=60), seed=4) for _ in range(2)]
        play(games[0], [Recorder([]) for _ in range(6)], np.random.default_rng(8))
        log: list[str] = []
        agents = [Recorder(log) for _ in range(6)]
        for _ in zip(range(10), steps(games[1], agents, np.random.default_rng(8)), strict=False):
            pass
        assert len(games[1].events) == 10
        for _ in steps(games[1], agents, None):
            pass
        assert games[0].events == games[1].events
        assert len([entry for entry in log if entry.startswith("start")]) == 6
