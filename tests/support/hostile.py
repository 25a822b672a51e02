"""Random actions of every kind, legal or not, and an oracle that tells what must come of them.

The oracle, `legal`, is written from the text of the rules with the public methods of a game alone,
and uses nothing of `literature_ai.game.state`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from helpers import random_rules, random_step
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from literature_ai.errors import IllegalActionError
from literature_ai.events import Ask, Asked, Claim, Claimed, Pass, Passed
from literature_ai.game.game import Game

NONSENSE = (None, "2S", 1.5, (), [], {}, Ask, Ask("A1", "2S"), Claim(0, None), Pass(None))  # type: ignore[arg-type]


def legal(game: Game, action: Any, seat: int) -> bool:
    """Whether the rules allow that seat that action now."""
    rules = game.rules
    players = range(rules.players)
    if game.over or seat not in players:
        return False
    hand = game.hand(seat)
    match action:
        case Ask(int(target), int(card)):
            half_suit = [held for held in hand if held // 6 == card // 6]
            return (
                seat == game.turn
                and target in players
                and target % 2 != seat % 2
                and bool(game.hand(target))
                and bool(half_suit)
                and (rules.bluff_asks or card not in hand)
            )
        case Claim(int(half_suit), tuple(holders)):
            any_time = rules.claim_any_time
            return (
                (seat == game.turn or any_time)
                and (
                    bool(hand)
                    or (any_time and rules.cardless_claims)
                    or (seat == game.turn and claims_the_rest(game))
                )
                and half_suit in game.in_play
                and len(holders) == 6
                and all(h in players for h in holders)
                and (rules.split_claims or all(h % 2 == seat % 2 for h in holders))
            )
        case Pass(int(to)):
            names_opponent = rules.choose_claimant and not team_cards(game, seat % 2)
            return (
                seat == game.turn
                and to in players
                and to != seat
                and (to % 2 == seat % 2) != names_opponent
                and bool(game.hand(to))
                and (rules.pass_turn or not (hand or claims_the_rest(game)))
            )
    return False


def team_cards(game: Game, team: int) -> int:
    """How many cards the team has."""
    return sum(len(game.hand(seat)) for seat in range(team, game.rules.players, 2))


def claims_the_rest(game: Game) -> bool:
    """Whether the player on turn claims all that is left, also without cards."""
    assert game.turn is not None
    return game.rules.choose_claimant and not team_cards(game, 1 - game.turn % 2)


def snapshot(game: Game) -> tuple[Any, ...]:
    """All that can change in a game."""
    hands = [game.hand(seat) for seat in range(game.rules.players)]
    return (
        hands,
        game.hand_sizes,
        game.turn,
        game.score,
        game.in_play,
        len(game.events),
        game.outcome,
    )


def attempt(game: Game, action: Any, seat: int) -> bool:
    """Try the action; check that exactly the legal is done, and done rightly. Was it legal?"""
    before = snapshot(game)
    expected = legal(game, action, seat)
    refusal: IllegalActionError | None = None
    try:
        event = game.apply(action, seat)
    except IllegalActionError as error:
        refusal = error
    if refusal is not None:
        assert not expected, f"{action} of seat {seat} is legal: {refusal}"
        assert refusal.rule
        assert str(refusal)
        assert before == snapshot(game), f"{action} was refused but changed something"
        return False
    assert expected, f"{action} of seat {seat} is illegal"
    assert event == game.events[-1]
    check_effect(before, event, game)
    check_cards(game)
    return True


def check_effect(before: tuple[Any, ...], event: Any, game: Game) -> None:
    """What the event must have changed, and nothing else."""
    hands, sizes, turn, score, in_play, count, _ = before
    rules = game.rules
    assert len(game.events) == count + 1
    match event:
        case Asked(asker, target, card, hit):
            assert hit == (card in hands[target])
            moved = {card} if hit else set()
            for seat, hand in enumerate(hands):
                gained = moved if seat == asker else set()
                lost = moved if seat == target else set()
                assert set(game.hand(seat)) == (set(hand) | gained) - lost
            assert game.turn in (asker if hit else target, None)
            assert (score, in_play) == (game.score, game.in_play)
        case Claimed(claimant, half_suit, holders, right, shown, lost_counts):
            cards = range(6 * half_suit, 6 * half_suit + 6)
            truth = tuple(next(s for s, h in enumerate(hands) if card in h) for card in cards)
            assert right == (truth == holders)
            hidden = rules.wrong_hides and not right
            assert shown == (None if hidden else truth)
            numbers = tuple(truth.count(seat) for seat in range(rules.players))
            assert lost_counts == (numbers if hidden else None)
            team = claimant % 2
            inside = all(holder % 2 == team for holder in truth)
            points = [0, 0]
            if right:
                points[team] = 1
            elif not (rules.wrong_cancels and inside):
                points[1 - team] = 1
            assert game.score == (score[0] + points[0], score[1] + points[1])
            assert game.in_play == tuple(h for h in in_play if h != half_suit)
            for seat, hand in enumerate(hands):
                assert set(game.hand(seat)) == set(hand) - set(cards)
            if not game.over:
                assert game.turn == turn_after_claim(game, event, turn)
        case Passed(_, to):
            assert game.turn in (to, None)
            assert (hands, sizes, score, in_play) == (*snapshot(game)[:2], *snapshot(game)[3:5])


def turn_after_claim(game: Game, event: Claimed, turn: int) -> int:
    """Who is on turn after the claim; ``turn`` was before it."""
    rules, claimant = game.rules, event.claimant

    def next_opponent(of: int) -> int | None:
        others = [(of + step) % rules.players for step in range(rules.players)]
        return next((s for s in others if s % 2 != of % 2 and game.hand(s)), None)

    after_wrong = next_opponent(claimant)
    if rules.wrong_loses_turn and not event.right and after_wrong is not None:
        return after_wrong
    if rules.claim_takes_turn and rules.claim_any_time and game.hand(claimant):
        turn = claimant
    if team_cards(game, turn % 2) or rules.choose_claimant:
        return turn
    to = next_opponent(turn)
    assert to is not None
    return to


def check_time_out(game: Game) -> None:
    """Try the clock; check that it takes the turn as the rules say, or is refused."""
    before = snapshot(game)
    turn, players = game.turn, game.rules.players
    try:
        game.time_out()
    except IllegalActionError:
        assert game.over or game.rules.turn_seconds is None
        assert before == snapshot(game)
        return
    assert turn is not None
    others = [(turn + step) % players for step in range(1, players)]
    candidates = [s for s in others if s % 2 != turn % 2] + [s for s in others if s % 2 == turn % 2]
    to = next((s for s in candidates if game.hand(s)), turn)
    assert game.turn in (to, None)
    assert (before[0], before[3]) == (snapshot(game)[0], game.score)
    check_cards(game)


def check_cards(game: Game) -> None:
    """Every card in play is in one hand, no other card anywhere, and the numbers agree."""
    rules = game.rules
    held = [card for seat in range(rules.players) for card in game.hand(seat)]
    in_play = [6 * h + i for h in game.in_play for i in range(6)]
    assert sorted(held) == in_play
    assert game.hand_sizes == tuple(len(game.hand(seat)) for seat in range(rules.players))
    claims = [event for event in game.events if isinstance(event, Claimed)]
    assert len(claims) == rules.half_suits - len(game.in_play)
    cancelled = len(claims) - sum(game.score)
    assert cancelled == 0 or (rules.wrong_cancels and cancelled > 0)
    decided = max(game.score) >= rules.majority and not rules.play_out
    assert game.over == (decided or not in_play or len(game.events) >= rules.max_events)
    if game.turn is not None:
        assert rules.choose_claimant or team_cards(game, game.turn % 2)
        may_act = game.legal_asks() or game.legal_passes() or game.may_claim(game.turn)
        assert may_act, "the seat on turn can do nothing"


def hostile_action(game: Game, rng: np.random.Generator) -> tuple[Any, int]:
    """Any action by any seat: about every third one legal, the rest wrong in all ways."""
    seat = int(rng.integers(-1, 10))
    if game.turn is not None and rng.random() < 0.7:
        seat = game.turn
    asks = game.legal_asks()
    if asks and rng.random() < 0.4:
        return asks[int(rng.integers(len(asks)))], seat
    kind = rng.integers(10)
    if kind < 5:
        return Ask(int(rng.integers(-1, 9)), int(rng.integers(-2, 57))), seat
    if kind < 8:
        parity = rng.integers(3)
        length = 6 if rng.random() < 0.9 else int(rng.integers(0, 9))
        holders = rng.integers(-1 if parity == 2 else 0, 9 if parity == 2 else 4, size=length)
        if parity < 2:
            holders = holders * 2 + parity
        return Claim(int(rng.integers(-1, 10)), tuple(holders.tolist())), seat
    if kind < 9:
        return Pass(int(rng.integers(-1, 9))), seat
    return NONSENSE[rng.integers(len(NONSENSE))], seat


seats = st.integers(-1, 9)
actions = st.one_of(
    st.builds(Ask, seats, st.integers(-2, 60)),
    st.builds(Claim, st.integers(-1, 9), st.lists(seats, min_size=5, max_size=7).map(tuple)),
    st.builds(Claim, st.integers(0, 8), st.tuples(*[st.sampled_from((0, 2, 4))] * 6)),
    st.builds(Claim, st.integers(0, 8), st.tuples(*[st.sampled_from((1, 3, 5))] * 6)),
    st.builds(Pass, seats),
    st.sampled_from(NONSENSE),
)


class AnyPlay(RuleBasedStateMachine):
    """A game under drawn rules, to which legal and illegal things are done in any order."""

    game: Game

    @initialize(seed=st.integers(0, 2**32))
    def deal(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.game = Game.deal(random_rules(self.rng), rng=self.rng)

    @rule(action=actions, seat=seats)
    def anything(self, action: Any, seat: int) -> None:
        attempt(self.game, action, seat)

    @precondition(lambda self: self.game.turn is not None)
    @rule(action=actions)
    def anything_on_turn(self, action: Any) -> None:
        assert self.game.turn is not None
        attempt(self.game, action, self.game.turn)

    @rule(count=st.integers(1, 20))
    def much_at_random(self, count: int) -> None:
        for _ in range(count):
            attempt(self.game, *hostile_action(self.game, self.rng))

    @precondition(lambda self: not self.game.over)
    @rule(count=st.integers(1, 10), claim=st.sampled_from((0.0, 0.1, 0.6)))
    def something_legal(self, count: int, claim: float) -> None:
        for _ in range(count):
            if not self.game.over:
                random_step(self.game, self.rng, claim)
                check_cards(self.game)

    @rule()
    def the_clock(self) -> None:
        check_time_out(self.game)
