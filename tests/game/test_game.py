"""`Game`, `Position`, `View` and `LegalAsks` beyond the rules themselves."""

from __future__ import annotations

import copy
import dataclasses
import gc
import pickle
import types
from typing import Any

import numpy as np
import pytest
from helpers import EVERY_RULE_SOME_SLOW, SIZES, ask, claim, game_of, random_game, random_step, seat
from hypothesis import given, settings
from hypothesis import strategies as st

from literature_ai.errors import DealError, IllegalActionError
from literature_ai.events import Ask, Claim, Claimed, Pass
from literature_ai.game.asks import LegalAsks
from literature_ai.game.game import Game
from literature_ai.game.masks import cards_in, mask_of
from literature_ai.game.position import Position
from literature_ai.game.view import View
from literature_ai.rules import RuleSet


def seeded(number: int) -> np.random.Generator:
    return np.random.default_rng(number)


class TestDeal:
    """Dealing, and refusing what is no deal."""

    def test_the_same_seed_deals_the_same_game(self) -> None:
        """A seed, a SeedSequence of it and a fresh generator of it agree; another seed differs."""
        games = [
            Game.deal(RuleSet(), seed=11),
            Game.deal(RuleSet(), seed=np.random.SeedSequence(11)),
            Game.deal(RuleSet(), rng=seeded(11)),
        ]
        assert len({(game.dealt, game.start) for game in games}) == 1
        assert Game.deal(RuleSet(), seed=12).dealt != games[0].dealt

    def test_the_start_does_not_change_the_deal(self) -> None:
        """A given start changes only the seat that starts."""
        drawn = Game.deal(RuleSet(), seed=11)
        for start in range(6):
            game = Game.deal(RuleSet(), seed=11, start=start)
            assert (game.dealt, game.start, game.turn) == (drawn.dealt, start, start)

    def test_deals_are_uniform(self) -> None:
        """Every card comes to every seat about equally often (chi-square, 4 sigma)."""
        games = [Game.deal(RuleSet(), seed=seed) for seed in range(600)]
        counts = np.zeros((48, 6))
        for game in games:
            for holder, hand in enumerate(game.dealt):
                counts[list(hand), holder] += 1
        chi_square = ((counts - 100) ** 2 / 100).sum()
        assert abs(chi_square - 240) < 4 * np.sqrt(2 * 240)

    def test_a_deal_needs_one_source_of_randomness(self) -> None:
        """A deal with neither or both of seed and generator is refused."""
        with pytest.raises(DealError, match="either a seed or a generator"):
            Game.deal(RuleSet())
        with pytest.raises(DealError, match="either a seed or a generator"):
            Game.deal(RuleSet(), seed=1, rng=seeded(1))

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (lambda hands: hands[:5], "there are 5 hands; 6 players need one each"),
            (
                lambda hands: [hands[0][:7], *hands[1:]],
                "the hand of A1 has 7 cards; each of 6 players is dealt 8",
            ),
            (
                lambda hands: [hands[0], [*hands[1][:7], hands[0][0]], *hands[2:]],
                "2S is in the hands of A1 and B1; each card is dealt once",
            ),
            (
                lambda hands: [[*hands[0][:7], 48], *hands[1:]],
                "A1 holds card 48; the cards are 0 to 47",
            ),
            (
                lambda hands: [["2S", *hands[0][1:]], *hands[1:]],
                "A1 holds card '2S'; the cards are 0 to 47",
            ),
        ],
        ids=["hand missing", "hand short", "card twice", "card unknown", "card by name"],
    )
    def test_what_is_no_deal(self, change: Any, message: str) -> None:
        """Hands that are not the deck are refused with the first thing wrong."""
        hands = [list(range(8 * i, 8 * i + 8)) for i in range(6)]
        with pytest.raises(DealError) as caught:
            Game(RuleSet(), change(hands), 0)
        assert str(caught.value) == message

    @pytest.mark.parametrize("start", [-1, 6, "A1", None])
    def test_nobody_else_can_start(self, start: Any) -> None:
        """A start at a seat that does not exist is refused."""
        with pytest.raises(DealError, match="can start: the seats are 0 to 5"):
            Position(RuleSet(), start)


class TestLegalAsks:
    """The lazy sequence of asks."""

    @pytest.mark.parametrize(
        "rules", EVERY_RULE_SOME_SLOW, ids=lambda r: f"{r.players} {r.words()}"
    )
    def test_it_is_what_apply_accepts(self, rules: RuleSet) -> None:
        """At every event, exactly the asks listed are accepted of all there could be."""
        rng = seeded(21)
        game = Game.deal(rules, rng=rng)
        while not game.over and len(game.events) < 40:
            asks = game.legal_asks()
            assert list(asks) == [asks[i] for i in range(len(asks))]
            accepted = []
            for card in range(-1, 55):
                for target in range(-1, 9):
                    try:
                        copy.copy(game).apply(Ask(target, card))
                    except IllegalActionError:
                        continue
                    accepted.append(Ask(target, card))
            assert accepted == list(asks)
            for _ in range(4):
                if not game.over:
                    random_step(game, rng)

    @given(
        cards=st.sets(st.integers(0, 53)),
        targets=st.sets(st.integers(0, 7), max_size=4),
        i=st.integers(-250, 250),
        j=st.integers(-250, 250),
    )
    @settings(derandomize=True, deadline=None)
    def test_it_behaves_like_the_tuple_of_its_asks(
        self, cards: set[int], targets: set[int], i: int, j: int
    ) -> None:
        """Length, truth, index, slice, membership, reversal, equality and hash are those of it."""
        asks = LegalAsks(mask_of(sorted(cards)), tuple(sorted(targets)))
        as_tuple = tuple(Ask(t, c) for c in sorted(cards) for t in sorted(targets))
        assert as_tuple == tuple(asks)
        assert len(as_tuple) == len(asks)
        assert bool(as_tuple) == bool(asks)
        assert as_tuple[i:j] == asks[i:j]
        assert as_tuple[::-1] == tuple(reversed(asks))
        assert asks == LegalAsks(mask_of(sorted(cards)), tuple(sorted(targets)))
        assert hash(asks) == hash(LegalAsks(mask_of(sorted(cards)), tuple(sorted(targets))))
        probe = Ask(i % 10 - 1, j % 60 - 3)
        assert (probe in as_tuple) == (probe in asks)
        assert "2S" not in asks
        if -len(as_tuple) <= i < len(as_tuple):
            assert as_tuple[i] == asks[i]
        else:
            with pytest.raises(IndexError):
                asks[i]

    def test_a_generator_can_choose_from_it(self) -> None:
        """Index and length are all that a uniform choice needs, and no ask is made twice."""
        asks = Game.deal(RuleSet(), seed=5).legal_asks()
        i = int(seeded(1).integers(len(asks)))
        assert asks[i] is asks[i]

    @given(st.sets(st.integers(0, 53)))
    @settings(derandomize=True, deadline=None)
    def test_masks_hold_cards(self, cards: set[int]) -> None:
        """Converting cards to a mask and back gives the same cards."""
        assert cards_in(mask_of(sorted(cards))) == tuple(sorted(cards))


class TestApply:
    """What `apply` accepts, and how it refuses the rest."""

    @pytest.mark.parametrize(
        "action",
        [
            None,
            "ask B1 2S",
            42,
            (1, 3),
            Ask,
            Ask("B1", "2S"),  # type: ignore[arg-type]
            Ask(1, None),  # type: ignore[arg-type]
            Ask(1.0, 3),  # type: ignore[arg-type]
            Ask(10**30, 3),
            Ask(1, -(10**30)),
            Claim("LS", (0,) * 6),  # type: ignore[arg-type]
            Claim(0, None),  # type: ignore[arg-type]
            Claim(0, 3),  # type: ignore[arg-type]
            Claim(0, "A1A1A1"),  # type: ignore[arg-type]
            Claim(0, {0: 1}),  # type: ignore[arg-type]
            Claim(0, (0, 0, 0, 0, 0, None)),  # type: ignore[arg-type]
            Claim(None, (0,) * 6),  # type: ignore[arg-type]
            Pass("A2"),  # type: ignore[arg-type]
            Pass(None),  # type: ignore[arg-type]
            Pass(2.5),  # type: ignore[arg-type]
            Claimed(0, 0, (0,) * 6, True, (0,) * 6),
        ],
        ids=str,
    )
    def test_nonsense_is_refused(self, action: Any) -> None:
        """Whatever is handed in raises IllegalActionError with a rule and a short message."""
        game = Game.deal(RuleSet(), seed=7)
        before = snapshot(game)
        with pytest.raises(IllegalActionError) as caught:
            game.apply(action)
        assert caught.value.rule
        assert len(str(caught.value)) < 200
        assert before == snapshot(game)

    @pytest.mark.parametrize("by", [-1, 6, 99, "A1", None, 1.0], ids=str)
    def test_a_stranger_is_refused(self, by: Any) -> None:
        """A seat that does not exist decides nothing (None means the one on turn)."""
        game = Game.deal(RuleSet(), seed=7)
        asks = game.legal_asks()
        if by is None:
            assert game.apply(asks[0], by) == game.events[0]
        else:
            with pytest.raises(IllegalActionError):
                game.apply(asks[0], by)
            assert game.events == ()

    def test_numpy_numbers_become_plain_ones(self) -> None:
        """An event never holds numpy's integers, whatever the action was made of."""
        game = Game.deal(RuleSet(claim_any_time=True), seed=7)
        legal = game.legal_asks()[0]
        asked = game.apply(Ask(np.int64(legal.target), np.int8(legal.card)), np.int64(game.start))
        one = np.ones(6, dtype=np.int64)
        claimed = game.apply(Claim(np.int64(3), one), np.int64(1))  # type: ignore[arg-type]
        assert isinstance(claimed, Claimed)
        numbers = [*dataclasses.astuple(asked), claimed.claimant, claimed.half_suit]
        assert {type(number) for number in numbers} == {int, bool}
        assert {type(holder) for holder in claimed.holders} == {int}

    def test_a_refusal_names_the_rule_and_the_cure(self) -> None:
        """The message says what is wrong and what would be right; the rule is for programs."""
        game = Game.deal(RuleSet(), seed=7, start=0)
        with pytest.raises(IllegalActionError) as caught:
            game.apply(ask("A2", "2S"))
        assert caught.value.rule == "ask-opponent"
        assert str(caught.value) == "A1 and A2 are not opponents; ask one of B1 B2 B3"
        with pytest.raises(IllegalActionError) as caught:
            game.apply(claim("LS", "B2"), seat("B2"))
        assert str(caught.value) == (
            "B2 claims off turn; it is the turn of A1; "
            "only the rule claim-any-time lets others claim"
        )

    def test_a_refusal_names_who_is_not_there(self) -> None:
        """A refusal names the wrong seats of a claim, not the right ones."""
        game = Game.deal(RuleSet(), seed=7, start=0)
        with pytest.raises(IllegalActionError) as caught:
            game.apply(Claim(0, (0, 0, 0, 0, 0, 17)))
        assert str(caught.value) == "there is no seat 17; the seats are A1 B1 A2 B2 A3 B3"

    def test_a_refusal_survives_pickling(self) -> None:
        """A refusal can be pickled, so that a worker process can return it."""
        game = Game.deal(RuleSet(), seed=7)
        with pytest.raises(IllegalActionError) as caught:
            game.apply(Pass(0))
        twin = pickle.loads(pickle.dumps(caught.value))
        assert (twin.rule, str(twin)) == (caught.value.rule, str(caught.value))


class TestText:
    """What a debugger and `print` show."""

    def test_repr_is_one_line(self) -> None:
        """`repr` of a game has its players, events, score, and who is on turn."""
        game = Game.deal(RuleSet(max_events=1), seed=7, start=3)
        assert repr(game) == "<Game: 6 players, 0 events, 0-0, B2 on turn>"
        assert repr(game.view(1)) == "<View of B1: 6 players, 0 events, 0-0, B2 on turn>"
        random_step(game, seeded(1), claim=0)
        assert repr(game) == "<Game: 6 players, 1 event, 0-0, over>"
        assert repr(game.legal_asks()) == "<0 legal asks>"
        assert repr(Position(game.rules, 2)) == "<Position: 6 players, 0 events, 0-0, A2 on turn>"

    def test_print_shows_hands_and_last_events(self) -> None:
        """A game shows all hands, a view its own, a position only their sizes."""
        game = game_of(RuleSet(players=4), "B1", "LS HS", "LH HH", "LD HD", "LC HC")
        game.apply(claim("LH", "B1"))
        position = Position(game.rules, game.start)
        for event in game.events:
            position.follow(event)
        head = ["4 players, usual rules", "A 0 - B 1 after 1 event; B1 is on turn"]
        tail = ["claimed: LH", "1. B1 claims LH as B1:2H,3H,4H,5H,6H,7H: right"]
        own = "  A1  2S 3S 4S 5S 6S 7S  9S TS JS QS KS AS"
        assert str(game).split("\n") == [
            *head,
            own,
            "> B1  9H TH JH QH KH AH",
            "  A2  2D 3D 4D 5D 6D 7D  9D TD JD QD KD AD",
            "  B2  2C 3C 4C 5C 6C 7C  9C TC JC QC KC AC",
            *tail,
        ]
        sizes = ["> B1  6 cards", "  A2  12 cards", "  B2  12 cards"]
        assert str(game.view(0)).split("\n") == [*head, own, *sizes, *tail]
        assert str(position).split("\n") == [*head, "  A1  12 cards", *sizes, *tail]

    def test_print_tells_how_a_game_ended(self) -> None:
        """A game that is over has nobody on turn; of its events only the last are shown."""
        game = random_game(RuleSet(), seeded(5))
        lines = str(game).split("\n")
        assert len(lines) == 2 + 6 + 1 + 3
        assert lines[1].startswith(f"A {game.score[0]} - B {game.score[1]} after ")
        assert lines[1].endswith(("team A has won", "team B has won", "the game is a draw"))
        assert not any(line.startswith(">") for line in lines)
        assert lines[-1].startswith(f"{len(game.events)}. ")


def pickled(each: Any) -> Any:
    return pickle.loads(pickle.dumps(each))


@pytest.mark.parametrize("copier", [copy.copy, copy.deepcopy, pickled])
class TestCopy:
    """Copies of a game and of what belongs to it, by `copy` and by `pickle`."""

    @pytest.mark.parametrize(
        "rules", EVERY_RULE_SOME_SLOW, ids=lambda r: f"{r.players} {r.words()}"
    )
    def test_a_copy_goes_on_on_its_own(self, rules: RuleSet, copier: Any) -> None:
        """A copy is independent of the original, and both play alike."""
        game = random_game(rules, seeded(2), until=15, claim=0)
        before, twin = snapshot(game), copier(game)
        assert (before, game.events, game.dealt) == (snapshot(twin), twin.events, twin.dealt)
        random_step(twin, seeded(9))
        assert before == snapshot(game)
        assert random_step(game, seeded(9)) == twin.events[-1]
        assert snapshot(game) == snapshot(twin)

    def test_a_copied_position_follows_on_its_own(self, copier: Any) -> None:
        """Events that a copy follows do not change the original."""
        game = random_game(RuleSet(), seeded(3), until=12, claim=0)
        position = Position(game.rules, game.start)
        for event in game.events[:-1]:
            position.follow(event)
        before, twin = public(position), copier(position)
        twin.follow(game.events[-1])
        assert before == public(position)
        assert public(game) == public(twin)

    def test_what_cannot_change_is_equal(self, copier: Any) -> None:
        """Rules, views, asks and events are equal to their copies."""
        game = random_game(RuleSet.parse("us54"), seeded(4), until=30)
        while game.turn is None:
            game = random_game(RuleSet.parse("us54"), seeded(40), until=10, claim=0)
        view = game.view(game.turn)
        for each in (game.rules, view, view.legal_asks, *game.events):
            twin = copier(each)
            assert type(each) is type(twin)
            assert each == twin
            assert str(each) == str(twin)


def test_a_deep_copy_shares_the_events() -> None:
    """Events are immutable, so that deep copies of games and views cost no copy of each event."""
    game = random_game(RuleSet(bluff_asks=True), seeded(2), until=500, claim=0)
    assert len(game.events) == 500
    twins = (copy.deepcopy(game), copy.deepcopy([game])[0], copy.deepcopy(game.view(0)))
    for twin in twins:
        assert all(one is other for one, other in zip(game.events, twin.events, strict=True))
    assert all(one is copy.deepcopy(one) for one in game.events)


class TestPosition:
    """The public side of a game follows its events."""

    @pytest.mark.parametrize(
        "rules", EVERY_RULE_SOME_SLOW, ids=lambda r: f"{r.players} {r.words()}"
    )
    def test_it_agrees_with_the_game(self, rules: RuleSet) -> None:
        """After every event all that is public is the same as in the game."""
        rng = seeded(31)
        game = Game.deal(rules, rng=rng)
        position = Position(rules, game.start)
        while not game.over:
            position.follow(random_step(game, rng))
            assert public(game) == public(position)
            if game.turn is not None:
                assert game.legal_asks() == position.asks_of(game.turn, game.hand(game.turn))
            for s in range(rules.players):
                assert game.view(s) == position.view(s, game.dealt[s])

    def test_it_refuses_what_everyone_can_see_to_be_wrong(self) -> None:
        """An event out of turn raises and leaves the position as it was."""
        game = random_game(RuleSet(), seeded(3), until=5)
        position = Position(game.rules, game.start)
        with pytest.raises(IllegalActionError, match="is not on turn"):
            position.follow(
                next(e for e in game.events if getattr(e, "asker", game.start) != game.start)
            )
        assert position.events == ()
        for event in game.events:
            position.follow(event)
        assert public(game) == public(position)

    @pytest.mark.parametrize("card", [-1, 48, "2S", None])
    def test_it_refuses_cards_that_do_not_exist(self, card: Any) -> None:
        """A view or asks of a hand with anything else than cards of the deck is a `DealError`."""
        position = Position(RuleSet(), 0)
        for look in (position.view, position.asks_of):
            with pytest.raises(DealError, match="there is no card"):
                look(0, [1, 2, card])

    @pytest.mark.parametrize(
        ("lost", "rule"),
        [((2, 0, 0, 0, 0, 5), "lost-six"), ((9, 0, 0, 0, -3, 0), "lost-more")],
    )
    def test_lost_cards_must_add_up(self, lost: tuple[int, ...], rule: str) -> None:
        """The counts of a claim must add up to six and fit the hand sizes."""
        position = Position(RuleSet(wrong_hides=True), 0)
        event = Claimed(0, 0, (0,) * 6, False, None, lost)
        with pytest.raises(IllegalActionError) as caught:
            position.follow(event)
        assert caught.value.rule == rule


class TestView:
    """What one seat sees."""

    @pytest.mark.parametrize("rules", SIZES, ids=lambda r: f"{r.players} of {r.deck}")
    def test_it_tells_what_the_game_does(self, rules: RuleSet) -> None:
        """Every field is the game's own answer at that moment; asks and passes only on turn."""
        game = random_game(rules, seeded(6), until=12)
        for s in range(rules.players):
            view = game.view(s)
            on_turn = s == game.turn
            assert view == View(
                rules=game.rules,
                seat=s,
                dealt=game.dealt[s],
                start=game.start,
                hand=game.hand(s),
                hand_sizes=game.hand_sizes,
                turn=game.turn,
                score=game.score,
                in_play=game.in_play,
                events=game.events,
                legal_asks=game.legal_asks() if on_turn else LegalAsks(0, ()),
                legal_passes=game.legal_passes() if on_turn else (),
                may_claim=game.may_claim(s),
            )
            assert [len(game.hand(s)) for s in range(rules.players)] == list(view.hand_sizes)

    def test_it_stays_as_it_was(self) -> None:
        """A view does not change when the game continues."""
        game = random_game(RuleSet(), seeded(6), until=3)
        view = game.view(0)
        events = view.events
        random_step(game, seeded(1))
        assert view.events == events
        with pytest.raises(AttributeError):
            view.score = (5, 0)  # type: ignore[misc]

    def test_it_leads_to_no_other_hand(self) -> None:
        """Following every reference from a view finds neither the game nor another hand."""
        game = random_game(RuleSet(), seeded(8), until=0)
        view = game.view(0)
        hands = [game.hand(s) for s in range(6)]
        masks = [mask_of(hand) for hand in hands]
        found = everything_from(view)
        assert not [o for o in found if isinstance(o, Game | Position | list | np.ndarray)]
        for s in range(1, 6):
            assert hands[s] not in [o for o in found if isinstance(o, tuple)]
            assert masks[s] not in [o for o in found if isinstance(o, int)]
        assert hands[0] in found

    def test_it_can_be_sent_to_another_process(self) -> None:
        """A view is equal after pickling."""
        view = random_game(RuleSet(), seeded(8), until=9).view(2)
        assert view == pickle.loads(pickle.dumps(view))


def snapshot(game: Game) -> tuple[Any, ...]:
    """All there is to know about a game."""
    return (
        game.dealt,
        public(game),
        [game.hand(s) for s in range(game.rules.players)],
        [game.view(s) for s in range(game.rules.players)],
    )


def public(state: Game | Position) -> tuple[Any, ...]:
    return (
        state.rules,
        state.start,
        state.events,
        state.turn,
        state.score,
        state.in_play,
        state.hand_sizes,
        state.over,
        state.outcome,
        state.legal_passes(),
        [state.may_claim(s) for s in range(state.rules.players)],
    )


def everything_from(root: object) -> list[Any]:
    """All objects that can be reached from this one, classes and modules left out."""
    found: dict[int, Any] = {}
    waiting = [root]
    while waiting:
        here = waiting.pop()
        skipped = type | types.ModuleType | types.FunctionType | types.BuiltinFunctionType
        if id(here) in found or isinstance(here, skipped):
            continue
        found[id(here)] = here
        waiting += gc.get_referents(here)
    return list(found.values())
