"""Rule sets: the variants of Literature.

>>> RuleSet.parse("us54 play-out").words()
'deck-54 claim-any-time cardless-claims wrong-hides play-out'
>>> RuleSet.parse("russian").hand_size
6
>>> RuleSet.parse("without-7s").card_names[:12]
('AS', '2S', '3S', '4S', '5S', '6S', '8S', '9S', 'TS', 'JS', 'QS', 'KS')
>>> RuleSet(pass_turn=True)
RuleSet(pass_turn=True)
>>> print(RuleSet(pass_turn=True))
6 players, pass-turn
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, fields
from typing import Any, Literal

from literature_ai.cards import DECKS, HALF_SUIT_SIZE, CardNames
from literature_ai.errors import RulesError, shown

_DECK_FIELDS: dict[str, dict[str, Any]] = {
    "deck-54": {"deck": 54, "left_out": 8},
    "without-7s": {"deck": 48, "left_out": 7},
    "without-2s": {"deck": 48, "left_out": 2},
}
"""What each word for another deck sets."""
_DECK_WORDS = {(48, 8): "", **{(f["deck"], f["left_out"]): w for w, f in _DECK_FIELDS.items()}}
"""The word for a deck by what it sets; the usual deck needs none."""
PRESETS: dict[str, dict[str, Any]] = {
    "canadian": {"players": 6},
    "russian": {"players": 8},
    "timed": {"turn_seconds": 30},
    "us54": {
        "players": 6,
        **_DECK_FIELDS["deck-54"],
        "claim_any_time": True,
        "cardless_claims": True,
        "wrong_hides": True,
    },
    "pagat": {"wrong_cancels": True, "play_out": True, "choose_claimant": True},
    "silent": {},
}
"""What each preset word sets. ``silent`` changes nothing: asks are the only signals here anyway."""

MOST_TURN_SECONDS = 86_400
MOST_EVENTS = 1_000_000
_MOST_DIGITS = 20


@dataclass(frozen=True, slots=True, repr=False)
class RuleSet:
    """The rules of one game. Raises `RulesError` when they contradict each other."""

    players: int = 6
    """4, 6 or 8, seated A1 B1 A2 B2 …"""
    deck: Literal[48, 54] = 48
    """48 cards (one rank is left out), or 54 with eights and jokers as a ninth half-suit (6
    players)."""
    left_out: Literal[8, 7, 2] = 8
    """The rank that the deck of 48 leaves out; the cards keep their order: low from the ace or the
    least number up, high to the ace or the king."""
    split_claims: bool = False
    """A claim may name opponents too."""
    claim_any_time: bool = False
    """Any player with a card may claim between any two actions."""
    cardless_claims: bool = False
    """A player without cards may claim too; no effect without ``claim_any_time``."""
    pass_turn: bool = False
    """The player on turn may pass to a teammate with cards."""
    wrong_cancels: bool = False
    """A wrong claim of a half-suit that the own team holds whole scores for nobody."""
    wrong_hides: bool = False
    """A wrong claim does not show who held what."""
    bluff_asks: bool = False
    """A player may ask for a card of their own hand."""
    play_out: bool = False
    """The game continues after a majority until every half-suit is claimed."""
    wrong_loses_turn: bool = False
    """After a wrong claim the turn goes to the claimant's next opponent clockwise with cards."""
    claim_takes_turn: bool = False
    """Who claims off turn is on turn afterwards, if they have cards; no effect without
    ``claim_any_time``."""
    choose_claimant: bool = False
    """A player on turn whose team has no card left names the opponent who takes the turn; who is on
    turn then claims all that is left, also without cards."""
    turn_seconds: int | None = None
    """Seconds a decision may take before the turn is lost; None: no limit."""
    max_events: int = 1000
    """A game that is not over after so many events is scored as it stands."""

    def __post_init__(self) -> None:
        if self.players not in (4, 6, 8):
            raise RulesError(f"{shown(self.players)} players cannot play: 4, 6 or 8 can")
        if self.deck not in (48, 54):
            raise RulesError(f"there is no deck of {shown(self.deck)} cards: 48 or 54")
        if self.left_out not in (8, 7, 2):
            raise RulesError(f"no deck leaves out the {shown(self.left_out)}: it is 8, 7 or 2")
        if self.deck == 54 and self.left_out != 8:
            raise RulesError(
                f"the deck of 54 cannot be without the {self.left_out}s: that is for 48 cards"
            )
        if self.deck == 54 and self.players != 6:
            raise RulesError(
                f"{self.players} players cannot play with the deck of 54: it is for 6 players"
            )
        if self.turn_seconds is not None and self.turn_seconds < 1:
            raise RulesError(
                f"turn-seconds={shown(self.turn_seconds)} is too short: it must be at least 1"
            )
        if self.turn_seconds is not None and self.turn_seconds > MOST_TURN_SECONDS:
            raise RulesError(
                f"turn-seconds={shown(self.turn_seconds)} is too long: it must be at most "
                f"{MOST_TURN_SECONDS}, a day"
            )
        if self.max_events < 1:
            raise RulesError(
                f"max-events={shown(self.max_events)} is too few: it must be at least 1"
            )
        if self.max_events > MOST_EVENTS:
            raise RulesError(
                f"max-events={shown(self.max_events)} is too many: it must be at most {MOST_EVENTS}"
            )

    @property
    def cards(self) -> int:
        return self.deck

    @property
    def card_names(self) -> CardNames:
        """The names of the cards, in card order."""
        return DECKS[_DECK_WORDS[self.deck, self.left_out]]

    @property
    def half_suits(self) -> int:
        return self.deck // HALF_SUIT_SIZE

    @property
    def hand_size(self) -> int:
        return self.deck // self.players

    @property
    def majority(self) -> int:
        """The number of half-suits that wins the game."""
        return self.half_suits // 2 + 1

    def words(self) -> str:
        """The switches that are on, as `parse` reads them (players apart)."""
        deck = _DECK_WORDS[self.deck, self.left_out]
        words = [deck] if deck else []
        for field in fields(self):
            value = getattr(self, field.name)
            word = field.name.replace("_", "-")
            if value is True:
                words.append(word)
            elif field.name in ("turn_seconds", "max_events") and value != field.default:
                words.append(f"{word}={value}")
        return " ".join(words)

    def __repr__(self) -> str:
        """The call that makes these rules, without what is the default."""
        given = [(f.name, getattr(self, f.name)) for f in fields(self)]
        changed = [f"{name}={value!r}" for name, value in given if value != _DEFAULTS[name]]
        return f"RuleSet({', '.join(changed)})"

    def __str__(self) -> str:
        """The number of players and the switches that are on."""
        return f"{self.players} players, {self.words() or 'usual rules'}"

    @classmethod
    def parse(cls, text: str, players: int | None = None) -> RuleSet:
        """The rules that these presets and switches, separated by blanks or commas, select.

        Raises `RulesError` for an unknown word, a word without its number, or words (and players)
        that contradict each other.
        """
        chosen: dict[str, Any] = {} if players is None else {"players": players}
        said_by = dict.fromkeys(chosen, f"{players} players")
        for word in text.replace(",", " ").split():
            for key, value in _meaning(word).items():
                if chosen.get(key, value) != value:
                    raise RulesError(
                        f"{word!r} contradicts {said_by[key]!r}: leave one of the two out"
                    )
                chosen[key] = value
                said_by.setdefault(key, word)
        return cls(**chosen)


def _meaning(word: str) -> dict[str, Any]:
    key, equals, number = word.lower().partition("=")
    if key in PRESETS and not equals:
        return PRESETS[key]
    if key in _DECK_FIELDS and not equals:
        return _DECK_FIELDS[key]
    field = key.replace("-", "_")
    if field in ("turn_seconds", "max_events"):
        if not number.isdecimal():
            raise RulesError(f"{word!r} needs a whole number: write it as in {key}=30")
        if len(number) > _MOST_DIGITS:
            raise RulesError(f"{key} has {len(number)} digits: write it as in {key}=30")
        return {field: int(number)}
    if field in SWITCHES and "_" not in key and not equals:
        return {field: True}
    known = [*PRESETS, *_DECK_FIELDS, *(s.replace("_", "-") for s in SWITCHES)]
    known += ["turn-seconds=N", "max-events=N"]
    near = difflib.get_close_matches(key, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"the words are {' '.join(known)}"
    raise RulesError(f"{word!r} is no rule: {hint}")


_DEFAULTS = {field.name: field.default for field in fields(RuleSet)}
SWITCHES = tuple(field.name for field in fields(RuleSet) if field.default is False)
"""The names of the on-off rules, as attributes of `RuleSet`."""
