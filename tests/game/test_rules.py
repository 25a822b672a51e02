"""Each line of the rules, tried through the public face of `Game`."""

from __future__ import annotations

from dataclasses import replace

import pytest
from helpers import EVERY_RULE, ask, cards, claim, game_of, give, holders_now, seat

from literature_ai.cards import HALF_SUIT_NAMES, SEAT_NAMES, cards_of, name, team_of
from literature_ai.errors import IllegalActionError, RulesError
from literature_ai.events import Asked, Claim, Claimed, Pass, Passed, TimedOut
from literature_ai.game.game import Game
from literature_ai.game.position import Termination
from literature_ai.game.turns import Decision, Turns
from literature_ai.rules import PRESETS, SWITCHES, RuleSet

FOUR = RuleSet(players=4)
RUSSIAN = RuleSet.parse("russian")
BLOCKS_OF_FOUR = ("LS HS", "LH HH", "LD HD", "LC HC")
"""Hands of four players, A1 B1 A2 B2, in which nothing is split."""
BLOCKS_OF_EIGHT = ("LS", "HS", "LH", "HH", "LD", "HD", "LC", "HC")
"""The same for eight players: team A has all low half-suits, team B all high ones."""
MIXED = (
    "2S 4S 6S TS QS AS LH",
    "3S 5S 7S 9S JS KS HH",
    "2D 4D 6D TD QD AD LC",
    "3D 5D 7D 9D JD KD HC",
)
"""Hands of four players: spades and diamonds are split between neighbours."""

NINE = ("LS 8S 8H 8D", "HS 8C RJ BJ", "LH 2D 3D 4D", "HH 5D 6D 7D", "LC 9D TD JD", "HC QD KD AD")
"""Hands of six players with the deck of 54; LD, HD and EJ are split between the teams."""


def four(start: str = "A1", rules: RuleSet = FOUR, hands: tuple[str, ...] = MIXED) -> Game:
    return game_of(rules, start, *hands)


def russian(start: str = "A1", rules: RuleSet = RUSSIAN) -> Game:
    return game_of(rules, start, *BLOCKS_OF_EIGHT)


def rule_broken(game: Game, action: object, by: str | None = None) -> str:
    """The rule that refuses the action, which must leave everything as it was."""
    before = (game.view(0), game.events, [game.hand(s) for s in range(game.rules.players)])
    with pytest.raises(IllegalActionError) as caught:
        game.apply(action, None if by is None else seat(by))  # type: ignore[arg-type]
    assert before == (game.view(0), game.events, [game.hand(s) for s in range(game.rules.players)])
    return caught.value.rule


class TestTable:
    """Seats, teams, decks and hands."""

    def test_seats_alternate_between_the_teams(self) -> None:
        """Seats are A1 B1 A2 B2 … clockwise, and the team is the seat modulo two."""
        assert SEAT_NAMES == ("A1", "B1", "A2", "B2", "A3", "B3", "A4", "B4")
        assert [team_of(s) for s in range(8)] == [0, 1] * 4

    @pytest.mark.parametrize(
        ("players", "deck", "size"), [(4, 48, 12), (6, 48, 8), (8, 48, 6), (6, 54, 9)]
    )
    def test_all_cards_are_dealt_evenly(self, players: int, deck: int, size: int) -> None:
        """Every card of the deck is dealt once, and hands are 12, 8, 6 or 9."""
        game = Game.deal(RuleSet(players=players, deck=deck), seed=3)  # type: ignore[arg-type]
        assert game.hand_sizes == (size,) * players
        assert sorted(card for hand in game.dealt for card in hand) == list(range(deck))

    def test_half_suits_are_six_low_or_high_cards(self) -> None:
        """Low is 2 to 7, high 9 to ace, and the eights and jokers are a ninth half-suit."""
        assert HALF_SUIT_NAMES == ("LS", "HS", "LH", "HH", "LD", "HD", "LC", "HC", "EJ")
        assert [name(card) for card in cards_of(4)] == ["2D", "3D", "4D", "5D", "6D", "7D"]
        assert [name(card) for card in cards_of(7)] == ["9C", "TC", "JC", "QC", "KC", "AC"]
        assert [name(card) for card in cards_of(8)] == ["8S", "8H", "8D", "8C", "RJ", "BJ"]

    @pytest.mark.parametrize(
        ("word", "low", "high"),
        [
            ("without-7s", "A 2 3 4 5 6", "8 9 T J Q K"),
            ("without-2s", "3 4 5 6 7 8", "9 T J Q K A"),
        ],
    )
    def test_other_ranks_can_be_left_out(self, word: str, low: str, high: str) -> None:
        """Without sevens low is A to 6 and high 8 to K; without twos low is 3 to 8, high 9 to A."""
        names = RuleSet.parse(word).card_names
        for half_suit, ranks in ((0, low), (1, high), (4, low), (5, high)):
            suit = HALF_SUIT_NAMES[half_suit][1]
            expected = [rank + suit for rank in ranks.split()]
            assert expected == [name(card, names) for card in cards_of(half_suit)]

    @pytest.mark.parametrize("words", ["", "without-7s", "without-2s"])
    def test_it_is_the_same_game_with_other_names(self, words: str) -> None:
        """The seed deals the same cards whichever rank is left out."""
        game = Game.deal(RuleSet.parse(words), seed=5)
        assert game.dealt == Game.deal(RuleSet(), seed=5).dealt
        assert name(game.dealt[0][0], game.rules.card_names) in str(game)

    def test_the_deck_of_54_leaves_nothing_out(self) -> None:
        """A left-out rank contradicts the deck of 54, as words and as attributes."""
        for words in ("deck-54 without-7s", "without-2s us54", "without-7s without-2s"):
            with pytest.raises(RulesError, match="contradicts"):
                RuleSet.parse(words)
        with pytest.raises(RulesError, match="cannot be without the 7s"):
            RuleSet(deck=54, left_out=7)
        with pytest.raises(RulesError, match="no deck leaves out the 9"):
            RuleSet(left_out=9)  # type: ignore[arg-type]

    @pytest.mark.parametrize("players", [2, 3, 5, 7, 10])
    def test_other_numbers_of_players_cannot_play(self, players: int) -> None:
        """Numbers of players other than 4, 6 and 8 are refused."""
        with pytest.raises(RulesError, match="4, 6 or 8 can"):
            RuleSet(players=players)

    @pytest.mark.parametrize("players", [4, 8])
    def test_the_deck_of_54_is_for_six(self, players: int) -> None:
        """The deck of 54 is refused for other numbers of players than six."""
        with pytest.raises(RulesError, match="for 6 players"):
            RuleSet(players=players, deck=54)

    def test_the_first_turn_is_drawn_from_the_seed(self) -> None:
        """Over some seeds every seat starts, and the same seed starts the same seat."""
        starts = [Game.deal(RuleSet(), seed=seed).start for seed in range(40)]
        assert set(starts) == set(range(6))
        assert starts == [Game.deal(RuleSet(), seed=seed).start for seed in range(40)]


class TestAsk:
    """Asking an opponent for a card."""

    def test_a_hit_moves_the_card_and_keeps_the_turn(self) -> None:
        """A hit moves the card in public, and the asker keeps the turn."""
        game = four()
        assert game.apply(ask("B1", "3S")) == Asked(0, 1, cards("3S")[0], True)
        assert game.turn == seat("A1")
        assert cards("3S")[0] in game.hand(0)
        assert cards("3S")[0] not in game.hand(1)
        assert game.hand_sizes == (13, 11, 12, 12)

    def test_a_miss_hands_the_turn_to_the_player_asked(self) -> None:
        """A miss gives the turn to the target and changes nothing else."""
        game = four()
        assert game.apply(ask("B2", "3S")) == Asked(0, 3, cards("3S")[0], False)
        assert game.turn == seat("B2")
        assert game.hand_sizes == (12, 12, 12, 12)

    @pytest.mark.parametrize(
        ("target", "card", "rule"),
        [
            ("B1", "3D", "ask-half-suit"),
            ("B1", "2S", "bluff-asks"),
            ("A2", "3S", "ask-opponent"),
            ("A1", "3S", "ask-opponent"),
            ("B3", "3S", "seat"),
            ("B1", "8S", "card"),
        ],
        ids=["no card of it", "own card", "teammate", "oneself", "no such seat", "no such card"],
    )
    def test_what_may_not_be_asked(self, target: str, card: str, rule: str) -> None:
        """An ask needs another card of the half-suit, not the card itself, and an opponent."""
        assert rule_broken(four(), ask(target, card)) == rule

    def test_only_the_player_on_turn_asks(self) -> None:
        """An ask out of turn is refused, also under claim-any-time."""
        assert rule_broken(four(), ask("A1", "2S"), by="B1") == "turn"
        game = four(rules=replace(FOUR, claim_any_time=True))
        assert rule_broken(game, ask("A1", "2S"), by="B1") == "turn"

    def test_a_player_without_cards_cannot_be_asked(self) -> None:
        """A player whose half-suits are all claimed has no cards and cannot be asked."""
        hands = ("2S 4S 6S TS QS AS LC", "LH HH", "LD HD", "3S 5S 7S 9S JS KS HC")
        game = four(rules=replace(FOUR, claim_any_time=True), hands=hands)
        game.apply(claim("LH", "B1"), seat("B1"))
        game.apply(claim("HH", "B1"), seat("B1"))
        assert rule_broken(game, ask("B1", "3S")) == "ask-empty-hand"
        assert game.legal_asks().targets == (seat("B2"),)

    def test_a_claimed_half_suit_cannot_be_asked_for(self) -> None:
        """The cards of a claimed half-suit are out of play and cannot be asked for."""
        game = four()
        game.apply(claim("LS", "A1 A1 A1 A1 A1 A2"))
        assert rule_broken(game, ask("B1", "3S")) == "in-play"

    def test_a_player_without_cards_cannot_ask(self) -> None:
        """A player on turn without cards cannot ask and must pass."""
        game = four(hands=BLOCKS_OF_FOUR)
        game.apply(claim("LS", "A1"))
        game.apply(claim("HS", "A1"))
        assert rule_broken(game, ask("B1", "2H")) == "ask-without-cards"


class TestClaim:
    """Claiming a half-suit."""

    def test_a_right_claim_scores_and_keeps_the_turn(self) -> None:
        """All six named with their holders: one point, the cards leave play."""
        hands = ("2S 3S 4S 9H TH JH LC", "HS HD", "5S 6S 7S QH KH AH LD", "LH HC")
        game = four(hands=hands)
        event = game.apply(claim("LS", "A1 A1 A1 A2 A2 A2"))
        holders = (0, 0, 0, 2, 2, 2)
        assert event == Claimed(0, 0, holders, True, holders)
        assert (game.score, game.turn, game.hand_sizes) == ((1, 0), 0, (9, 12, 9, 12))
        assert game.in_play == (1, 2, 3, 4, 5, 6, 7)

    def test_a_wrong_claim_scores_for_the_others_and_shows_the_cards(self) -> None:
        """Any holder wrong: the point is theirs, all six leave play, the turn stays."""
        game = four()
        event = game.apply(claim("LS", "A1 A1 A1 A1 A1 A2"))
        shown = (0, 1, 0, 1, 0, 1)
        assert event == Claimed(0, 0, (0, 0, 0, 0, 0, 2), False, shown)
        assert (game.score, game.turn, game.hand_sizes) == ((0, 1), 0, (9, 9, 12, 12))

    def test_a_wrong_claim_of_cards_inside_the_team_scores_for_the_others(self) -> None:
        """A claim that confuses teammates is wrong and scores for the opponents."""
        game = four(hands=BLOCKS_OF_FOUR)
        game.apply(claim("LD", "A1"))
        assert game.score == (0, 1)

    def test_a_claim_may_name_a_half_suit_of_which_one_has_nothing(self) -> None:
        """The claimant needs a card, but none of the half-suit."""
        game = four(hands=BLOCKS_OF_FOUR)
        assert game.apply(claim("LD", "A2")) == Claimed(0, 4, (2,) * 6, True, (2,) * 6)

    @pytest.mark.parametrize(
        ("action", "rule"),
        [
            (claim("LS", "A1 A1 A1 A1 A1 B1"), "split-claims"),
            (claim("LS", "A1 A1 A1 A1 A1 A3"), "seat"),
            (claim("EJ", "A1"), "half-suit"),
            (Claim(-1, (0,) * 6), "half-suit"),
            (Claim(0, (0,) * 5), "six-holders"),
            (Claim(0, (0,) * 7), "six-holders"),
            (Claim(0, (0, 0, 0, 0, 0, -2)), "seat"),
        ],
        ids=["opponent", "no such seat", "not in the deck", "none", "five", "seven", "negative"],
    )
    def test_what_may_not_be_claimed(self, action: Claim, rule: str) -> None:
        """A claim names six seats of the own team and a half-suit of the deck."""
        assert rule_broken(four(), action) == rule

    def test_a_half_suit_is_claimed_once(self) -> None:
        """A half-suit that was claimed, rightly or wrongly, cannot be claimed again."""
        game = four()
        game.apply(claim("LS", "A1"))
        assert rule_broken(game, claim("LS", "A1")) == "in-play"

    def test_others_cannot_claim_off_turn(self) -> None:
        """Without claim-any-time only the player on turn may claim."""
        assert rule_broken(four(), claim("HC", "B2"), by="B2") == "claim-any-time"
        assert rule_broken(four(), claim("LC", "A2"), by="A2") == "claim-any-time"
        assert [four().may_claim(s) for s in range(4)] == [True, False, False, False]

    def test_a_player_without_cards_cannot_claim(self) -> None:
        """A player without cards can neither ask nor claim, on turn or off."""
        for rules in (
            FOUR,
            replace(FOUR, claim_any_time=True),
            replace(FOUR, cardless_claims=True),
        ):
            game = four(rules=rules, hands=BLOCKS_OF_FOUR)
            game.apply(claim("LS", "A1"))
            game.apply(claim("HS", "A1"))
            assert not game.may_claim(0)
            assert rule_broken(game, claim("LD", "A2")) == "claim-without-cards"


class TestPass:
    """Passing the turn."""

    def test_without_cards_the_turn_must_be_passed(self) -> None:
        """A claim that empties the hand of the player on turn leaves them only the pass."""
        game = russian()
        game.apply(claim("LS", "A1"))
        assert game.turn == seat("A1")
        assert len(game.legal_asks()) == 0
        assert game.legal_passes() == (2, 4, 6)
        assert not game.must_claim
        assert game.apply(give("A3")) == Passed(0, 4)
        assert game.turn == seat("A3")

    @pytest.mark.parametrize(
        ("to", "rule"),
        [
            ("B1", "pass-teammate"),
            ("A1", "pass-teammate"),
            ("A2", "pass-empty-hand"),
        ],
        ids=["opponent", "oneself", "teammate without cards"],
    )
    def test_the_turn_goes_to_a_teammate_with_cards(self, to: str, rule: str) -> None:
        """A pass to anyone but a teammate with cards is refused."""
        game = russian()
        game.apply(claim("LH", "A2"))
        game.apply(claim("LS", "A1"))
        assert rule_broken(game, give(to)) == rule
        assert game.legal_passes() == (4, 6)

    def test_no_such_teammate(self) -> None:
        """A pass to a seat that does not exist is refused."""
        game = four(hands=BLOCKS_OF_FOUR)
        game.apply(claim("LS", "A1"))
        game.apply(claim("HS", "A1"))
        assert rule_broken(game, give("A3")) == "seat"

    def test_with_cards_the_turn_is_not_passed(self) -> None:
        """A player with cards may not pass without the rule pass-turn."""
        game = four()
        assert game.legal_passes() == ()
        assert rule_broken(game, give("A2")) == "pass-turn"

    def test_only_the_player_on_turn_passes(self) -> None:
        """A pass out of turn is refused."""
        game = four(rules=replace(FOUR, pass_turn=True))
        assert rule_broken(game, give("B2"), by="B1") == "turn"


class TestForcedClaim:
    """No legal ask and cards in hand."""

    def test_whole_half_suits_leave_nothing_to_ask(self) -> None:
        """A player with only whole half-suits must claim."""
        game = four(hands=BLOCKS_OF_FOUR)
        assert len(game.legal_asks()) == 0
        assert game.must_claim
        assert rule_broken(game, ask("B1", "2H")) == "ask-half-suit"
        assert rule_broken(game, give("A2")) == "pass-turn"

    def test_under_pass_turn_the_player_may_pass_instead(self) -> None:
        """Under pass-turn a player who cannot ask may pass instead of claiming."""
        game = four(rules=replace(FOUR, pass_turn=True), hands=BLOCKS_OF_FOUR)
        assert not game.must_claim
        assert game.apply(give("A2")) == Passed(0, 2)

    def test_any_half_suit_in_play_will_do(self) -> None:
        """The forced claim may be of a half-suit of which the claimant holds no card."""
        game = four(hands=BLOCKS_OF_FOUR)
        assert game.apply(claim("HC", "A1")).right is False  # type: ignore[union-attr]


class TestTeamWithoutCards:
    """When a team has no card left."""

    def test_the_turn_goes_to_the_next_player_with_cards(self) -> None:
        """Clockwise from the last one on turn; the others claim what is left."""
        game = russian("A3")
        game.apply(claim("LD", "A3"))
        game.apply(give("A1"))
        game.apply(claim("LS", "A1"))
        game.apply(give("A2"))
        game.apply(claim("LH", "A2"))
        game.apply(give("A4"))
        game.apply(claim("LC", "A4"))
        assert (game.score, game.turn) == ((4, 0), seat("B4"))
        assert len(game.legal_asks()) == 0
        assert game.must_claim
        assert rule_broken(game, ask("A1", "9C")) == "ask-empty-hand"
        for half_suit, holder, to in [("HC", "B4", "B1"), ("HS", "B1", "B2"), ("HH", "B2", "B3")]:
            game.apply(claim(half_suit, holder))
            game.apply(give(to))
        game.apply(claim("HD", "B3"))
        outcome = game.outcome
        assert outcome is not None
        assert (outcome.score, outcome.winner) == ((4, 4), None)
        assert outcome.termination is Termination.ALL_CLAIMED

    def test_the_next_player_clockwise_is_skipped_without_cards(self) -> None:
        """The turn skips players without cards."""
        game = russian("B1")
        game.apply(claim("HS", "B1"))
        game.apply(give("B4"))
        game.apply(claim("LS", "B4"))
        game.apply(claim("LD", "B4"))
        game.apply(claim("LC", "B4"))
        assert game.score == (3, 1)
        game.apply(claim("HC", "B4"))
        assert (game.hand_sizes, game.turn) == ((0, 0, 6, 6, 0, 6, 0, 0), seat("B4"))
        game.apply(give("B3"))
        game.apply(claim("HD", "B3"))
        game.apply(give("B2"))
        game.apply(claim("HH", "B2"))
        assert (game.score, game.turn) == ((3, 4), seat("A2"))

    def test_under_pass_turn_they_may_still_pass(self) -> None:
        """Under pass-turn a team that can ask nobody may pass the turn among its players."""
        game = russian("A1", rules=replace(RUSSIAN, pass_turn=True))
        for half_suit, holder, to in [("LS", "A1", "A2"), ("LH", "A2", "A3"), ("LD", "A3", "A4")]:
            game.apply(claim(half_suit, holder))
            game.apply(give(to))
        game.apply(claim("LC", "A4"))
        assert game.turn == seat("B4")
        assert game.legal_passes() == (1, 3, 5)
        game.apply(give("B2"))
        assert game.turn == seat("B2")


class TestEnd:
    """How a game ends, and what it scores."""

    def test_a_majority_ends_it(self) -> None:
        """Five of eight half-suits end the game with half-suits left in play."""
        game = russian()
        for half_suit, holder, to in [("LS", "A1", "A2"), ("LH", "A2", "A3"), ("LD", "A3", "A4")]:
            game.apply(claim(half_suit, holder))
            game.apply(give(to))
        game.apply(claim("HS", "A4"))
        game.apply(claim("HH", "A4"))
        game.apply(claim("LC", "A4"))
        assert (game.score, game.over, game.turn) == ((4, 2), False, seat("B4"))
        game.apply(claim("HC", "B4 B4 B4 B4 B4 B3"))
        outcome = game.outcome
        assert outcome is not None
        assert (outcome.score, outcome.winner) == ((5, 2), 0)
        assert outcome.termination is Termination.MAJORITY
        assert not outcome.unfinished
        assert (game.turn, game.over, game.in_play) == (None, True, (5,))

    def test_nothing_is_legal_after_the_end(self) -> None:
        """After the end no ask, claim, pass or timeout is legal for anyone."""
        rules = replace(
            FOUR, max_events=1, claim_any_time=True, cardless_claims=True, turn_seconds=9
        )
        game = four(rules=rules)
        game.apply(ask("B2", "3S"))
        assert game.over
        for action in (ask("B1", "3S"), claim("LS", "A1"), give("A2")):
            assert rule_broken(game, action) == "end"
        assert rule_broken(game, claim("LS", "B1"), by="B1") == "end"
        with pytest.raises(IllegalActionError, match="the game is over"):
            game.time_out()
        assert [game.may_claim(s) for s in range(4)] == [False] * 4
        assert (len(game.legal_asks()), game.legal_passes(), game.must_claim) == (0, (), False)

    def test_the_deck_of_54_has_no_tie(self) -> None:
        """At 4-4 the last of the nine half-suits decides the game."""
        game = game_of(replace(RuleSet(deck=54), claim_any_time=True), "A1", *NINE)
        for half_suit, holder in [("LS", "A1"), ("LH", "A2"), ("LC", "A3")]:
            game.apply(claim(half_suit, holder), seat("A3"))
        game.apply(claim("LD", "B2"), seat("B2"))
        for half_suit in ("HS", "HH", "HC", "EJ"):
            game.apply(claim(half_suit, "A3"), seat("A3"))
        assert (game.score, game.over, game.in_play) == ((4, 4), False, (5,))
        game.apply(claim("HD", "A3"), seat("A3"))
        assert game.outcome is not None
        assert (game.outcome.score, game.outcome.winner) == ((4, 5), 1)

    def test_the_cap_on_events_leaves_it_unfinished(self) -> None:
        """At the cap the game is scored as it stands, for every kind of last event."""
        game = four(rules=replace(FOUR, max_events=2))
        game.apply(claim("LH", "A1"))
        assert not game.over
        game.apply(ask("B2", "3S"))
        outcome = game.outcome
        assert outcome is not None
        assert (outcome.score, outcome.winner, outcome.unfinished) == ((1, 0), 0, True)
        assert outcome.termination is Termination.MAX_EVENTS

    @pytest.mark.parametrize("last", ["ask", "claim", "pass", "timeout"])
    def test_every_kind_of_event_counts(self, last: str) -> None:
        """Asks, claims, passes and timeouts all count towards the cap on events."""
        game = four(rules=replace(FOUR, max_events=2, pass_turn=True, turn_seconds=5))
        if last == "timeout":
            game.time_out()
        else:
            actions = {"ask": ask("B1", "3S"), "claim": claim("LH", "A1"), "pass": give("A2")}
            game.apply(actions[last])
        assert not game.over
        game.time_out()
        assert game.outcome is not None
        assert game.outcome.unfinished

    def test_a_win_with_the_last_event_is_a_win(self) -> None:
        """The cap does not turn a majority, or the last claim, into an unfinished game."""
        game = four(rules=replace(FOUR, max_events=5), hands=BLOCKS_OF_FOUR)
        for half_suit in ("LH", "HH", "LD", "LC", "HC"):
            game.apply(claim(half_suit, "A1"))
        assert game.outcome is not None
        assert game.outcome.termination is Termination.MAJORITY
        game = four(rules=replace(FOUR, max_events=8, play_out=True), hands=BLOCKS_OF_FOUR)
        for half_suit in ("LH", "HH", "LD", "HD", "LC", "HC", "LS"):
            game.apply(claim(half_suit, "A1"))
        game.apply(claim("HS", "A1"))
        assert game.outcome is not None
        assert game.outcome.termination is Termination.ALL_CLAIMED

    def test_the_default_cap_is_a_thousand(self) -> None:
        """Two players who miss each other endlessly are stopped by the cap."""
        game = four()
        for _ in range(500):
            game.apply(ask("B2", "3S"))
            assert not game.over
            game.apply(ask("A1", "2D"))
        assert game.outcome is not None
        assert game.outcome.unfinished


class TestPlayOut:
    """The switch play-out."""

    def test_it_goes_on_after_the_majority(self) -> None:
        """Until every half-suit is claimed; the last event leaves no card."""
        game = russian("B4", rules=replace(RUSSIAN, play_out=True))
        for half_suit in ("LS", "LH", "LD", "LC", "HS", "HH"):
            game.apply(claim(half_suit, "B4"))
        assert (game.score, game.over) == ((6, 0), False)
        game.apply(claim("HD", "B3"))
        assert game.score == (6, 1)
        game.apply(claim("HC", "B4"))
        outcome = game.outcome
        assert outcome is not None
        assert (outcome.score, outcome.winner) == ((6, 2), 0)
        assert outcome.termination is Termination.ALL_CLAIMED
        assert game.hand_sizes == (0,) * 8


class TestSplitClaims:
    """The switch split-claims."""

    def test_a_claim_may_name_opponents(self) -> None:
        """A claim with six right locations scores, also with opponents among the holders."""
        game = four(rules=replace(FOUR, split_claims=True))
        holders = (0, 1, 0, 1, 0, 1)
        assert game.apply(Claim(0, holders)) == Claimed(0, 0, holders, True, holders)
        assert (game.score, game.turn) == ((1, 0), 0)

    def test_wrong_gives_it_away(self) -> None:
        """One location wrong: the other team scores, though its cards were named too."""
        game = four(rules=replace(FOUR, split_claims=True))
        game.apply(claim("LS", "A1 B1 A1 B1 A1 B2"))
        assert game.score == (0, 1)

    def test_half_suits_wholly_at_the_opponents_may_be_claimed(self) -> None:
        """All six cards of a claim may be with opponents."""
        game = four(rules=replace(FOUR, split_claims=True))
        game.apply(claim("HC", "B2"))
        assert (game.score, game.hand_sizes) == ((1, 0), (12, 12, 12, 6))


class TestClaimAnyTime:
    """The switch claim-any-time."""

    def test_anyone_with_a_card_may_claim(self) -> None:
        """Any player with a card may claim off turn, and the turn does not move."""
        game = four(rules=replace(FOUR, claim_any_time=True))
        assert [game.may_claim(s) for s in range(4)] == [True] * 4
        event = game.apply(claim("HC", "B2"), seat("B2"))
        assert event == Claimed(3, 7, (3,) * 6, True, (3,) * 6)
        assert (game.score, game.turn) == ((0, 1), 0)

    def test_it_names_the_own_team_of_the_claimant(self) -> None:
        """An off-turn claim names the team of the claimant, not that of the player on turn."""
        game = four(rules=replace(FOUR, claim_any_time=True))
        assert rule_broken(game, claim("HC", "A1"), by="B2") == "split-claims"

    def test_a_claim_can_empty_the_hand_of_the_player_on_turn(self) -> None:
        """A claim can leave the player on turn without cards, who must then pass."""
        game = russian(rules=replace(RUSSIAN, claim_any_time=True))
        game.apply(claim("LS", "A1"), seat("A2"))
        assert (game.turn, game.legal_passes()) == (0, (2, 4, 6))
        assert not game.may_claim(0)
        assert rule_broken(game, ask("B1", "9S")) == "ask-without-cards"

    def test_a_claim_can_empty_the_whole_team_on_turn(self) -> None:
        """Then the turn goes to the next player clockwise with cards: an opponent."""
        game = russian("A1", rules=replace(RUSSIAN, claim_any_time=True, play_out=True))
        for half_suit, holder in [("LH", "A2"), ("LD", "A3"), ("LC", "A4")]:
            game.apply(claim(half_suit, holder), seat(holder))
        game.apply(claim("HS", "B1"), seat("B1"))
        assert (game.turn, game.hand_sizes) == (0, (6, 0, 0, 6, 0, 6, 0, 6))
        game.apply(claim("LS", "B2"), seat("B3"))
        assert (game.score, game.turn) == ((4, 1), seat("B2"))

    def test_a_claim_can_empty_the_team_that_is_not_on_turn(self) -> None:
        """The turn stays; the player on turn has nobody left to ask and must claim."""
        game = russian("A2", rules=replace(RUSSIAN, claim_any_time=True))
        for half_suit, holder in [("HS", "B1"), ("HH", "B2"), ("HD", "B3"), ("HC", "B4")]:
            game.apply(claim(half_suit, holder), seat(holder))
        assert (game.score, game.turn, game.must_claim) == ((0, 4), seat("A2"), True)


class TestCardlessClaims:
    """The switch cardless-claims."""

    def test_with_claim_any_time_no_card_is_needed(self) -> None:
        """Off turn, and on turn as well, where passing is the other choice."""
        rules = replace(RUSSIAN, claim_any_time=True, cardless_claims=True)
        game = russian(rules=rules)
        game.apply(claim("LS", "A1"))
        assert game.may_claim(0)
        assert game.legal_passes() == (2, 4, 6)
        game.apply(claim("LH", "A2"))
        game.apply(give("A3"))
        assert game.apply(claim("LC", "A4"), seat("A1")) == Claimed(0, 6, (6,) * 6, True, (6,) * 6)

    def test_alone_it_changes_nothing(self) -> None:
        """Without claim-any-time a player without cards still may not claim."""
        game = russian(rules=replace(RUSSIAN, cardless_claims=True))
        game.apply(claim("LS", "A1"))
        assert not game.may_claim(0)
        assert rule_broken(game, claim("LH", "A2")) == "claim-without-cards"


class TestPassTurn:
    """The switch pass-turn."""

    def test_the_turn_may_be_passed_instead_of_asking(self) -> None:
        """A player who could ask may pass to a teammate with cards instead."""
        game = four(rules=replace(FOUR, pass_turn=True))
        assert game.legal_passes() == (2,)
        assert game.apply(give("A2")) == Passed(0, 2)
        assert game.turn == 2

    def test_not_to_a_teammate_without_cards(self) -> None:
        """A pass to a teammate without cards is refused, also when all teammates are out of
        cards."""
        game = four("B1", rules=replace(FOUR, pass_turn=True), hands=BLOCKS_OF_FOUR)
        game.apply(claim("LC", "B2"))
        game.apply(claim("HC", "B2"))
        assert game.legal_passes() == ()
        assert rule_broken(game, give("B2")) == "pass-empty-hand"


class TestWrongCancels:
    """The switch wrong-cancels."""

    def test_a_half_suit_inside_the_team_scores_for_nobody(self) -> None:
        """A wrong claim of a half-suit that the team holds cancels it without score."""
        game = four(rules=replace(FOUR, wrong_cancels=True), hands=BLOCKS_OF_FOUR)
        event = game.apply(claim("LD", "A1"))
        assert event == Claimed(0, 4, (0,) * 6, False, (2,) * 6)
        assert (game.score, game.in_play) == ((0, 0), (0, 1, 2, 3, 5, 6, 7))

    def test_otherwise_the_opponents_score(self) -> None:
        """A wrong claim scores for the opponents if they hold one of its cards."""
        game = four(rules=replace(FOUR, wrong_cancels=True))
        game.apply(claim("LS", "A1"))
        assert game.score == (0, 1)

    def test_it_is_the_claimants_team_that_counts(self) -> None:
        """An off-turn claim is judged by the hands of the claimant's team."""
        rules = replace(FOUR, wrong_cancels=True, claim_any_time=True)
        game = four(rules=rules, hands=BLOCKS_OF_FOUR)
        game.apply(claim("LH", "B2"), seat("B2"))
        assert game.score == (0, 0)
        game.apply(claim("LD", "B2"), seat("B2"))
        assert game.score == (1, 0)

    def test_under_split_claims_too(self) -> None:
        """A claim that names opponents for a half-suit of the own team cancels it."""
        rules = replace(FOUR, wrong_cancels=True, split_claims=True)
        game = four(rules=rules, hands=BLOCKS_OF_FOUR)
        game.apply(claim("LD", "B1"))
        assert game.score == (0, 0)

    def test_nine_half_suits_can_draw_then(self) -> None:
        """The majority stays five of all nine, so with one cancelled there can be a 4-4."""
        rules = replace(RuleSet(deck=54), wrong_cancels=True, claim_any_time=True)
        game = game_of(rules, "A1", *NINE)
        game.apply(claim("LS", "A2"), seat("A3"))
        for half_suit, holder in [("LH", "A2"), ("LC", "A3")]:
            game.apply(claim(half_suit, holder), seat("A3"))
        game.apply(claim("LD", "B2"), seat("B2"))
        for half_suit in ("HS", "HH", "HC", "EJ"):
            game.apply(claim(half_suit, "A3"), seat("A3"))
        assert (game.score, game.over) == ((3, 4), False)
        game.apply(claim("HD", "B3"), seat("B3"))
        outcome = game.outcome
        assert outcome is not None
        assert (outcome.score, outcome.winner) == ((4, 4), None)
        assert outcome.termination is Termination.ALL_CLAIMED


class TestWrongHides:
    """The switch wrong-hides."""

    def test_a_wrong_claim_shows_only_how_many_each_lost(self) -> None:
        """A wrong claim shows the number of cards each seat lost, not which cards."""
        game = four(rules=replace(FOUR, wrong_hides=True))
        event = game.apply(claim("LS", "A1 A1 A1 A1 A1 A2"))
        assert event == Claimed(0, 0, (0, 0, 0, 0, 0, 2), False, None, (3, 3, 0, 0))
        assert (game.score, game.hand_sizes) == ((0, 1), (9, 9, 12, 12))

    def test_a_right_claim_shows_itself(self) -> None:
        """A right claim has nothing to hide and shows its layout."""
        game = four(rules=replace(FOUR, wrong_hides=True))
        assert game.apply(claim("LH", "A1")) == Claimed(0, 2, (0,) * 6, True, (0,) * 6)

    def test_with_wrong_cancels_the_verdict_tells_the_team(self) -> None:
        """Nobody scores what was wholly inside the claimant's team, hidden or not."""
        rules = replace(FOUR, wrong_hides=True, wrong_cancels=True)
        game = four(rules=rules, hands=BLOCKS_OF_FOUR)
        event = game.apply(claim("LD", "A1"))
        assert event == Claimed(0, 4, (0,) * 6, False, None, (0, 0, 6, 0))
        assert game.score == (0, 0)


class TestBluffAsks:
    """The switch bluff-asks."""

    def test_a_player_may_ask_for_an_own_card(self) -> None:
        """Asking for an own card is a certain miss that gives the turn away."""
        game = four(rules=replace(FOUR, bluff_asks=True))
        assert game.apply(ask("B1", "2S")) == Asked(0, 1, 0, False)
        assert (game.turn, game.hand_sizes) == (1, (12, 12, 12, 12))

    def test_the_card_itself_is_enough_of_the_half_suit(self) -> None:
        """The own card asked for may be the only card of its half-suit."""
        hands = ("2S 9S TS JS QS KS LH", "3S 4S 5S 6S 7S AS HH", "LD HD", "LC HC")
        game = four(rules=replace(FOUR, bluff_asks=True), hands=hands)
        assert ask("B1", "2S") in game.legal_asks()
        game.apply(ask("B1", "2S"))
        assert rule_broken(four(hands=hands), ask("B1", "2S")) == "bluff-asks"

    def test_a_card_of_the_half_suit_is_still_needed(self) -> None:
        """Bluffing does not allow asks in half-suits of which one holds no card."""
        game = four(rules=replace(FOUR, bluff_asks=True))
        assert rule_broken(game, ask("B1", "3D")) == "ask-half-suit"

    def test_whole_half_suits_no_longer_force_a_claim(self) -> None:
        """There is always an own card to ask for while an opponent has cards."""
        game = four(rules=replace(FOUR, bluff_asks=True), hands=BLOCKS_OF_FOUR)
        assert len(game.legal_asks()) == 24
        assert not game.must_claim


class TestTimed:
    """The switch turn-seconds=N."""

    TIMED = replace(RUSSIAN, turn_seconds=20, claim_any_time=True)

    def test_the_next_opponent_gets_the_turn(self) -> None:
        """After a timeout the turn goes to the next opponent clockwise."""
        game = russian("A2", rules=self.TIMED)
        assert game.time_out() == TimedOut(2)
        assert (game.turn, len(game.events)) == (seat("B2"), 1)

    def test_opponents_without_cards_are_skipped(self) -> None:
        """After a timeout the turn skips opponents without cards."""
        game = russian("A2", rules=self.TIMED)
        game.apply(claim("HH", "B2"), seat("B2"))
        game.time_out()
        assert game.turn == seat("B3")

    def test_without_opponents_the_next_teammate_gets_it(self) -> None:
        """If no opponent has cards, the turn goes to the next teammate with cards."""
        game = russian("A2", rules=replace(self.TIMED, wrong_cancels=True))
        for half_suit, holder in [("HS", "B1"), ("HH", "B2"), ("HD", "B3"), ("HC", "B4")]:
            game.apply(claim(half_suit, holder), seat(holder))
        game.apply(claim("LD", "A3"), seat("A3"))
        game.time_out()
        assert game.turn == seat("A4")
        game.time_out()
        assert game.turn == seat("A1")

    def test_the_last_one_with_cards_keeps_it(self) -> None:
        """The only player with cards keeps the turn after a timeout."""
        game = russian("A2", rules=self.TIMED)
        for half_suit, holder in [("HS", "B1"), ("HH", "B2"), ("HD", "B3"), ("HC", "B4")]:
            game.apply(claim(half_suit, holder), seat(holder))
        for half_suit, holder in [("LS", "A1"), ("LD", "A3"), ("LC", "A4")]:
            game.apply(claim(half_suit, holder), seat(holder))
        assert game.time_out() == TimedOut(2)
        assert game.turn == seat("A2")

    def test_a_forced_pass_can_be_too_late(self) -> None:
        """A player without cards who does not pass in time loses the turn as well."""
        game = russian("A1", rules=self.TIMED)
        game.apply(claim("LS", "A1"))
        game.time_out()
        assert game.turn == seat("B1")

    def test_without_the_rule_nobody_is_too_late(self) -> None:
        """A timeout in an untimed game is refused."""
        with pytest.raises(IllegalActionError, match="not timed") as caught:
            four().time_out()
        assert caught.value.rule == "turn-seconds"


class TestWrongLosesTurn:
    """The switch wrong-loses-turn."""

    LOSES = replace(RUSSIAN, wrong_loses_turn=True)

    def test_a_wrong_claim_loses_the_turn(self) -> None:
        """After a wrong claim the turn goes to the next opponent clockwise with cards."""
        game = russian("A2", rules=self.LOSES)
        game.apply(claim("LD", "A2"))
        assert (game.turn, game.score) == (seat("B2"), (0, 1))

    def test_opponents_without_cards_are_skipped(self) -> None:
        """After a wrong claim the turn skips opponents without cards."""
        game = russian("A2", rules=replace(self.LOSES, claim_any_time=True))
        game.apply(claim("HH", "B2"), seat("B2"))
        game.apply(claim("LD", "A2"))
        assert game.turn == seat("B3")

    def test_a_right_claim_keeps_the_turn(self) -> None:
        """A right claim does not move the turn, nor does one that is wrong without the rule."""
        game = russian("A2", rules=self.LOSES)
        game.apply(claim("LD", "A3"))
        assert (game.turn, game.score) == (seat("A2"), (1, 0))
        game = russian("A2")
        game.apply(claim("LD", "A2"))
        assert (game.turn, game.score) == (seat("A2"), (0, 1))

    def test_a_claim_that_cancels_loses_the_turn_too(self) -> None:
        """A wrong claim that scores for nobody (wrong-cancels) is wrong all the same."""
        game = russian("A2", rules=replace(self.LOSES, wrong_cancels=True))
        game.apply(claim("LD", "A2"))
        assert (game.turn, game.score) == (seat("B2"), (0, 0))

    def test_off_turn_it_is_the_next_opponent_of_the_claimant(self) -> None:
        """Off turn as well the turn goes to the claimant's next opponent, whoever was on turn."""
        rules = replace(self.LOSES, claim_any_time=True)
        game = russian("A1", rules=rules)
        game.apply(claim("LH", "A3"), seat("A3"))
        assert game.turn == seat("B3")
        game.apply(claim("LD", "A4"), seat("A4"))
        assert game.turn == seat("B4")
        game.apply(claim("HS", "B2"), seat("B2"))
        assert game.turn == seat("A4"), "A3 has no cards left"

    def test_without_opponents_the_turn_stays(self) -> None:
        """When no opponent of the claimant has cards, nobody can take the turn, and it stays."""
        rules = replace(FOUR, wrong_loses_turn=True, claim_any_time=True, play_out=True)
        game = four("A1", rules=rules, hands=BLOCKS_OF_FOUR)
        for half_suit, by in [("LH", "B1"), ("HH", "B1"), ("LC", "B2"), ("HC", "B2")]:
            game.apply(claim(half_suit, by), seat(by))
        game.apply(claim("LD", "A1"))
        assert (game.turn, game.score) == (seat("A1"), (0, 5))

    def test_a_timeout_and_a_wrong_claim_lose_the_turn_alike(self) -> None:
        """A timeout and a wrong claim give the turn to the same player."""
        timed = replace(self.LOSES, turn_seconds=20)
        late, wrong = russian("A3", rules=timed), russian("A3", rules=timed)
        late.time_out()
        wrong.apply(claim("LS", "A3"))
        assert late.turn == wrong.turn == seat("B3")


class TestClaimTakesTurn:
    """The switch claim-takes-turn."""

    TAKES = replace(RUSSIAN, claim_any_time=True, claim_takes_turn=True, play_out=True)

    def test_who_claims_off_turn_is_on_turn_afterwards(self) -> None:
        """Whether the claim is right or wrong, by a teammate or an opponent."""
        game = russian("A1", rules=self.TAKES)
        game.apply(claim("HH", "B1"), seat("B1"))
        assert (game.turn, game.score) == (seat("B1"), (1, 0))
        game.apply(claim("HC", "B4"), seat("B3"))
        assert (game.turn, game.score) == (seat("B3"), (1, 1))
        game.apply(claim("LC", "A4"), seat("A2"))
        assert (game.turn, game.score) == (seat("A2"), (2, 1))

    def test_without_cards_left_the_turn_stays(self) -> None:
        """A claimant who has no cards left after the claim does not take the turn."""
        game = russian("A1", rules=self.TAKES)
        game.apply(claim("HH", "B2"), seat("B2"))
        assert game.turn == seat("A1")

    def test_cardless_claimants_do_not_take_the_turn(self) -> None:
        """Under cardless-claims a claimant without cards leaves the turn where it was."""
        game = russian("A1", rules=replace(self.TAKES, cardless_claims=True))
        game.apply(claim("HH", "B2"), seat("B2"))
        game.apply(claim("HS", "B1"), seat("B2"))
        assert (game.turn, game.score) == (seat("A1"), (0, 2))

    def test_alone_it_changes_nothing(self) -> None:
        """Without claim-any-time nobody claims off turn, and the turn never moves by a claim."""
        game = russian("A1", rules=replace(RUSSIAN, claim_takes_turn=True))
        assert rule_broken(game, claim("HH", "B1"), by="B1") == "claim-any-time"
        game.apply(claim("LH", "A2"))
        assert game.turn == seat("A1")

    def test_taken_wrongly_it_is_lost_at_once(self) -> None:
        """With wrong-loses-turn a wrong claim off turn gives the turn to the next opponent."""
        game = russian("A1", rules=replace(self.TAKES, wrong_loses_turn=True))
        game.apply(claim("HH", "B1"), seat("B1"))
        assert game.turn == seat("A2")
        game.apply(claim("HS", "B1"), seat("B3"))
        assert game.turn == seat("B3")

    def test_it_comes_before_a_team_loses_the_turn(self) -> None:
        """A claim that empties the team on turn gives the turn to the claimant, not clockwise."""
        game = russian("A1", rules=self.TAKES)
        for half_suit in ("LH", "LD", "LC"):
            game.apply(claim(half_suit, "A1"), seat("A1"))
        game.apply(claim("HS", "B1"), seat("B1"))
        assert (game.turn, game.hand_sizes) == (seat("A1"), (6, 0, 0, 6, 0, 6, 0, 6))
        game.apply(claim("LS", "B3"), seat("B3"))
        assert game.turn == seat("B3")

    def test_the_offers_start_from_who_took_the_turn(self) -> None:
        """After the claim the offers to claim go round from the new player on turn."""
        turns = Turns(russian("A1", rules=self.TAKES))
        for _ in range(5):
            turns.answer(None)
        assert turns.decision == Decision(seat("B3"), off_turn=True)
        turns.answer(claim("HH", "B2"))
        assert turns.decision == Decision(seat("B3"), off_turn=True)
        assert turns.game.turn == seat("B3")


class TestChooseClaimant:
    """The switch choose-claimant."""

    CHOOSE = replace(RUSSIAN, choose_claimant=True, play_out=True)

    def emptied(self, rules: RuleSet = CHOOSE) -> Game:
        """Team A has claimed all its cards; A4 was on turn."""
        game = russian("A1", rules=rules)
        for half_suit, holder, to in [("LS", "A1", "A2"), ("LH", "A2", "A3"), ("LD", "A3", "A4")]:
            game.apply(claim(half_suit, holder))
            game.apply(give(to))
        game.apply(claim("LC", "A4"))
        return game

    def test_the_player_on_turn_names_an_opponent(self) -> None:
        """A player on turn whose team has no card left names who of the opponents goes on."""
        game = self.emptied()
        assert (game.turn, game.hand_sizes) == (seat("A4"), (0, 6) * 4)
        assert game.legal_passes() == (1, 3, 5, 7)
        assert (len(game.legal_asks()), game.may_claim(6), game.must_claim) == (0, False, False)
        assert game.view(6).legal_passes == (1, 3, 5, 7)
        assert game.apply(give("B2")) == Passed(6, 3)
        assert game.turn == seat("B2")

    def test_without_the_rule_the_turn_falls_to_the_next_clockwise(self) -> None:
        """Without the rule nobody is asked whom the turn goes to."""
        game = self.emptied(replace(RUSSIAN, play_out=True))
        assert (game.turn, game.legal_passes()) == (seat("B4"), ())

    def test_the_opponent_claims_all_that_is_left_also_without_cards(self) -> None:
        """The player named claims every half-suit that is left and goes on without cards."""
        game = self.emptied()
        game.apply(give("B2"))
        for half_suit, holder in [("HH", "B2"), ("HS", "B1"), ("HD", "B4")]:
            assert game.must_claim
            game.apply(claim(half_suit, holder))
            assert (game.turn, game.legal_passes()) == (seat("B2"), ())
        assert (game.hand_sizes, game.score) == ((0,) * 7 + (6,), (5, 2))
        assert rule_broken(game, give("B4")) == "choose-claimant"
        game.apply(claim("HC", "B4"))
        assert game.outcome is not None
        assert game.outcome.score == (5, 3)

    def test_the_team_with_cards_claims_on_where_it_is_on_turn(self) -> None:
        """When the other team runs out of cards, who is on turn claims the rest in the same way."""
        rules = replace(self.CHOOSE, claim_any_time=True)
        game = russian("A2", rules=rules)
        for half_suit, holder in [("HS", "B1"), ("HH", "B2"), ("HD", "B3"), ("HC", "B4")]:
            game.apply(claim(half_suit, holder), seat(holder))
        game.apply(claim("LH", "A2"))
        assert (game.turn, game.may_claim(2), game.must_claim) == (seat("A2"), True, True)
        game.apply(claim("LS", "A1"))
        assert game.score == (2, 4)

    def test_while_both_teams_have_cards_nothing_changes(self) -> None:
        """A player without cards whose teammates have some passes to one of them, and cannot
        claim."""
        game = russian(rules=self.CHOOSE)
        game.apply(claim("LS", "A1"))
        assert game.legal_passes() == (2, 4, 6)
        assert rule_broken(game, give("B1")) == "pass-teammate"
        assert rule_broken(game, claim("LH", "A2")) == "claim-without-cards"

    @pytest.mark.parametrize(
        ("to", "rule"), [("A1", "choose-claimant"), ("A4", "choose-claimant"), ("B9", "seat")]
    )
    def test_only_an_opponent_can_be_named(self, to: str, rule: str) -> None:
        """Nobody of the own team, which has no cards, can be named, nor a seat that is not."""
        action = Pass(8) if to == "B9" else give(to)
        assert rule_broken(self.emptied(), action) == rule

    def test_an_opponent_without_cards_cannot_be_named(self) -> None:
        """Only an opponent who has cards takes the turn."""
        game = self.emptied(replace(self.CHOOSE, claim_any_time=True))
        game.apply(claim("HH", "B2"), seat("B2"))
        assert (game.turn, game.legal_passes()) == (seat("A4"), (1, 5, 7))
        assert rule_broken(game, give("B2")) == "pass-empty-hand"

    def test_off_turn_the_opponents_may_claim_before_one_is_named(self) -> None:
        """Under claim-any-time those with cards may claim first; who claims without cards must be
        on turn."""
        game = self.emptied(replace(self.CHOOSE, claim_any_time=True))
        assert [game.may_claim(s) for s in range(8)] == [False, True] * 4
        game.apply(give("B2"))
        game.apply(claim("HH", "B2"))
        assert [game.may_claim(s) for s in range(8)] == [False, True] * 4
        game.apply(claim("HS", "B1"), seat("B1"))
        assert [s for s in range(8) if game.may_claim(s)] == [3, 5, 7]

    def test_with_cardless_claims_the_chooser_may_claim_too(self) -> None:
        """With claim-any-time and cardless-claims every player may claim, and the one on turn may
        name an opponent or claim."""
        rules = replace(self.CHOOSE, claim_any_time=True, cardless_claims=True, split_claims=True)
        game = self.emptied(rules)
        assert all(game.may_claim(s) for s in range(8))
        game.apply(claim("HH", "B2"))
        assert (game.turn, game.score) == (seat("A4"), (5, 0))
        assert game.legal_passes() == (1, 5, 7)

    def test_who_is_too_late_to_choose_leaves_it_to_the_next_clockwise(self) -> None:
        """A timeout in place of a choice gives the turn to the next opponent clockwise."""
        game = self.emptied(replace(self.CHOOSE, turn_seconds=20))
        game.time_out()
        assert game.turn == seat("B4")

    def test_who_is_too_late_to_claim_the_rest_leaves_it_to_a_teammate(self) -> None:
        """A timeout of the player named gives the turn to the next teammate with cards."""
        game = self.emptied(replace(self.CHOOSE, turn_seconds=20))
        game.apply(give("B2"))
        game.apply(claim("HH", "B2"))
        game.time_out()
        assert game.turn == seat("B3")

    def test_under_pass_turn_the_player_named_may_pass_on(self) -> None:
        """Under pass-turn the player named may pass to a teammate with cards, also without own
        cards."""
        game = self.emptied(replace(self.CHOOSE, pass_turn=True))
        assert game.legal_passes() == (1, 3, 5, 7)
        game.apply(give("B2"))
        assert game.legal_passes() == (1, 5, 7)
        game.apply(claim("HH", "B2"))
        assert (game.may_claim(3), game.must_claim) == (True, False)
        game.apply(give("B1"))
        assert game.turn == seat("B1")

    def test_a_wrong_claim_of_the_rest_keeps_the_turn(self) -> None:
        """With wrong-loses-turn there is no opponent with cards to lose it to, and the player named
        goes on."""
        game = self.emptied(replace(self.CHOOSE, wrong_loses_turn=True))
        game.apply(give("B2"))
        game.apply(claim("HH", "B1"))
        assert (game.turn, game.must_claim, game.score) == (seat("B2"), True, (5, 0))

    def test_who_takes_the_turn_by_a_claim_need_not_be_named(self) -> None:
        """With claim-takes-turn an opponent whose claim empties the team on turn is on turn, and
        nobody is named; a claimant left without cards leaves the choice."""
        rules = replace(
            self.CHOOSE, claim_any_time=True, cardless_claims=True, claim_takes_turn=True
        )
        for claimant, turn in [("B3", "B3"), ("B1", "A1")]:
            game = russian("A1", rules=rules)
            for half_suit in ("LH", "LD", "LC"):
                game.apply(claim(half_suit, "A1"))
            game.apply(claim("HS", "B1"), seat("B1"))
            game.apply(claim("LS", "B3"), seat(claimant))
            assert game.turn == seat(turn)
        assert game.legal_passes() == (3, 5, 7)


class TestPresets:
    """Presets and switches by name."""

    @pytest.mark.parametrize(
        ("words", "rules"),
        [
            ("", RuleSet()),
            ("canadian", RuleSet(players=6)),
            ("russian", RuleSet(players=8)),
            ("timed", RuleSet(turn_seconds=30)),
            ("pagat", RuleSet(wrong_cancels=True, play_out=True, choose_claimant=True)),
            ("silent", RuleSet()),
            (
                "us54",
                RuleSet(deck=54, claim_any_time=True, cardless_claims=True, wrong_hides=True),
            ),
            (
                "russian timed pagat",
                replace(
                    RUSSIAN,
                    turn_seconds=30,
                    wrong_cancels=True,
                    play_out=True,
                    choose_claimant=True,
                ),
            ),
            ("turn-seconds=20, max-events=50", RuleSet(turn_seconds=20, max_events=50)),
            ("DECK-54 Pass-Turn", RuleSet(deck=54, pass_turn=True)),
            ("russian Without-7s", replace(RUSSIAN, left_out=7)),
            ("without-2s without-2s", RuleSet(left_out=2)),
        ],
    )
    def test_what_words_mean(self, words: str, rules: RuleSet) -> None:
        """Each preset sets the switches that the rules say."""
        assert RuleSet.parse(words) == rules

    def test_every_preset_and_switch_is_known(self) -> None:
        """The known words are the presets and switches of the rules, and no others."""
        assert set(PRESETS) == {"canadian", "russian", "timed", "us54", "pagat", "silent"}
        assert set(SWITCHES) == {
            "split_claims",
            "claim_any_time",
            "pass_turn",
            "wrong_cancels",
            "wrong_hides",
            "cardless_claims",
            "bluff_asks",
            "play_out",
            "wrong_loses_turn",
            "claim_takes_turn",
            "choose_claimant",
        }

    def test_all_switches_are_off_by_default(self) -> None:
        """The default is 6 players, 48 cards, no clock and a cap of 1,000 events."""
        assert RuleSet() == RuleSet(6, 48, 8, *[False] * 11, None, 1000)

    @pytest.mark.parametrize("rules", EVERY_RULE, ids=lambda r: f"{r.players} {r.words()}")
    def test_words_read_back(self, rules: RuleSet) -> None:
        """Rules are equal after writing and parsing their words."""
        assert RuleSet.parse(rules.words(), rules.players) == rules


def test_holders_of_a_deal_in_blocks() -> None:
    """The helper that names the holders tells where the blocks are."""
    assert holders_now(russian(), 5) == (5,) * 6
