"""The order of decisions, and playing a game between agents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from helpers import EVERY_RULE, ask, claim, game_of, random_claim, random_step, seat

from literature_ai.agents.base import Agent
from literature_ai.errors import IllegalActionError, LiteratureError
from literature_ai.events import Action, Ask, Asked, Claim, Claimed, Event, Pass, Passed, TimedOut
from literature_ai.game.game import Game, View
from literature_ai.game.turns import Decision, decisions, play
from literature_ai.rules import RuleSet

ANY_TIME = RuleSet(players=4, claim_any_time=True)


def offers(names: str) -> list[Decision]:
    return [Decision(seat(name), off_turn=True) for name in names.split()]


def turn_of(name: str) -> Decision:
    return Decision(seat(name), off_turn=False)


def four(start: str = "A1", rules: RuleSet = ANY_TIME) -> Game:
    hands = ("2S 4S 6S LH 9D TD JD", "3S 5S 7S HH QD KD AD", "LD LC", "HS HC")
    return game_of(rules, start, *hands)


class TestDecisions:
    """The generator that says whose decision the game waits for."""

    def test_without_offers_only_the_seat_on_turn_decides(self) -> None:
        """A hit asks it again, a miss asks the next."""
        game = four(rules=RuleSet(players=4))
        deciding = decisions(game)
        assert next(deciding) == turn_of("A1")
        assert deciding.send(ask("B1", "3S")) == turn_of("A1")
        assert deciding.send(ask("B2", "5S")) == turn_of("B2")

    def test_everyone_is_offered_a_claim_before_each_turn(self) -> None:
        """From the seat on turn clockwise, every seat that may claim; then the turn itself."""
        game = four("A2")
        deciding = decisions(game)
        heard = [next(deciding)] + [deciding.send(None) for _ in range(4)]
        assert heard == [*offers("A2 B2 A1 B1"), turn_of("A2")]
        heard = [deciding.send(claim("LD", "A2"))] + [deciding.send(None) for _ in range(4)]
        assert heard == [*offers("A2 B2 A1 B1"), turn_of("A2")]

    def test_after_each_claim_the_offers_start_again(self) -> None:
        """At the seat on turn, until nobody wants to."""
        game = four("A1")
        deciding = decisions(game)
        assert [next(deciding), deciding.send(None)] == offers("A1 B1")
        heard = [deciding.send(claim("HH", "B1")), *(deciding.send(None) for _ in range(3))]
        assert heard == offers("A1 B1 A2 B2")
        heard = [deciding.send(claim("HC", "B2")), *(deciding.send(None) for _ in range(4))]
        assert heard == [*offers("A1 B1 A2 B2"), turn_of("A1")]
        assert game.score == (0, 2)

    def test_a_seat_without_cards_gets_no_offer(self) -> None:
        """Unless it may claim without them; the forced pass is still its decision."""
        for cardless in (False, True):
            hands = ("LS HS", "LH HH", "LD HD", "LC HC")
            game = game_of(replace(ANY_TIME, cardless_claims=cardless), "A1", *hands)
            game.apply(claim("LS", "A1"))
            game.apply(claim("HS", "A1"))
            deciding = decisions(game)
            expected = offers("A1 B1 A2 B2" if cardless else "B1 A2 B2")
            heard = [next(deciding), *(deciding.send(None) for _ in expected)]
            assert heard == [*expected, turn_of("A1")]
            assert deciding.send(Pass(2)) == offers("A2")[0]

    def test_the_offers_follow_a_turn_that_moves_by_a_claim(self) -> None:
        """When an off-turn claim empties the team on turn, they start at the new seat on turn."""
        hands = ("LS", "HS", "LH", "HH", "LD", "HD", "LC", "HC")
        rules = RuleSet(players=8, claim_any_time=True)
        game = game_of(rules, "A1", *hands)
        for half_suit, holder in [("LH", "A2"), ("LD", "A3"), ("LC", "A4"), ("HS", "B1")]:
            game.apply(claim(half_suit, holder), seat(holder))
        deciding = decisions(game)
        assert [next(deciding), deciding.send(None)] == offers("A1 B2")
        heard = [deciding.send(claim("LS", "B2")), *(deciding.send(None) for _ in range(3))]
        assert game.score == (4, 1)
        assert heard == [*offers("B2 B3 B4"), turn_of("B2")]

    def test_it_stops_when_the_game_is_over(self) -> None:
        """After the deciding claim, on turn or off, there is nothing left to decide."""
        game = four(rules=replace(ANY_TIME, max_events=1))
        deciding = decisions(game)
        next(deciding)
        with pytest.raises(StopIteration):
            deciding.send(claim("LH", "A1"))
        assert list(decisions(game)) == []

    def test_being_late_loses_the_turn_or_the_offer(self) -> None:
        """`TimedOut` on turn moves the turn; off turn it declines."""
        game = four(rules=replace(ANY_TIME, turn_seconds=9))
        deciding = decisions(game)
        assert next(deciding) == offers("A1")[0]
        heard = [deciding.send(TimedOut(s)) for s in range(4)]
        assert heard == [*offers("B1 A2 B2"), turn_of("A1")]
        assert game.events == ()
        assert deciding.send(TimedOut(0)) == offers("B1")[0]
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
    def test_an_illegal_answer_ends_it(self, answers: list[Action | None], rule: str) -> None:
        """`IllegalActionError` comes out of `send` and the game is as it was."""
        game = four()
        deciding = decisions(game)
        next(deciding)
        for answer in answers[:-1]:
            deciding.send(answer)
        with pytest.raises(IllegalActionError) as caught:
            deciding.send(answers[-1])
        assert rule == caught.value.rule
        assert game.events == ()

    @pytest.mark.parametrize("rules", EVERY_RULE, ids=lambda r: f"{r.players} {r.words()}")
    def test_only_those_who_may_are_asked(self, rules: RuleSet) -> None:
        """In whole games, offers go to seats that may claim, turns to the seat on turn."""
        rng = np.random.default_rng(13)
        game = Game.deal(rules, rng=rng)
        deciding = decisions(game)
        decision = next(deciding, None)
        while decision is not None:
            if decision.off_turn:
                assert rules.claim_any_time
                assert game.may_claim(decision.seat)
                claims = rng.random() < 0.03
                answer: Action | None = random_claim(game, decision.seat, rng) if claims else None
            else:
                assert decision.seat == game.turn
                answer = random_action(game, rng)
            try:
                decision = deciding.send(answer)
            except StopIteration:
                decision = None
        assert game.over


def random_action(game: Game, rng: np.random.Generator) -> Action:
    """Some action of the seat on turn, not yet done."""
    while True:
        match random_step(game.copy(), rng):
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
    """The simple driver."""

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
        """All randomness comes from the generator handed in."""
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
        """Thinking long costs nothing there."""
        game = Game.deal(RuleSet(max_events=5), seed=4)
        hours: Iterator[float] = iter(range(0, 10**6, 3600))
        clock: Callable[[], float] = hours.__next__
        play(game, [Recorder([]) for _ in range(6)], np.random.default_rng(8), clock)
        assert not [event for event in game.events if isinstance(event, TimedOut)]

    def test_an_illegal_decision_is_raised(self) -> None:
        """The driver does not hide what an agent did wrong."""

        class Broken(Recorder):
            def act(self, view: View) -> Action:
                return Pass(view.seat)

        game = Game.deal(RuleSet(), seed=4)
        with pytest.raises(IllegalActionError, match="has cards and cannot pass"):
            play(game, [Broken([]) for _ in range(6)], np.random.default_rng(8))

    def test_every_seat_needs_an_agent(self) -> None:
        """Too few or too many are a mistake of the program."""
        game = Game.deal(RuleSet(), seed=4)
        with pytest.raises(LiteratureError, match="4 agents for 6 seats"):
            play(game, [Recorder([]) for _ in range(4)], np.random.default_rng(8))
