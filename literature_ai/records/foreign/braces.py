"""Brace logs: names of players, with lists of cards in braces.

=====================================  =========================================================
line                                   meaning
=====================================  =========================================================
``Ann:{D5,SQ,S10} Bob:{C4,...} ...``   the hands as dealt, in the order of seats, in one line or
                                       in several; an empty one is not known
``Ann Bob D2 0``                       Ann asks Bob for D2: a miss (1: a hit)
``Ann Ann:{S5} Cid:{S2,S3,...} 1``     Ann claims the half-suit of these cards: right (0: wrong)
=====================================  =========================================================

Suits stand before ranks or behind them. Passes of the turn are left out. Between the claimant and
the cards a half-suit, or a card of it, may stand; behind the verdict the true holders, which are
otherwise taken from the hands. Hands below an ask or a claim are those of the next game; lines that
start with ``#`` are comments.

Neighbours are opponents, unless the asks say that the players sit in another order.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from literature_ai.cards import SEAT_NAMES, Card, Seat, cards_of, half_suit_of
from literature_ai.events import Asked, Claimed, Event
from literature_ai.records.consistency import hand_objection
from literature_ai.records.foreign.told import Line, Told, card_name_of, deck_of, renamed
from literature_ai.records.notation import ANSWERS, VERDICTS, card_of_deck, half_suit_named
from literature_ai.records.record import is_plain
from literature_ai.rules import RuleSet

_GROUP = re.compile(r"[\s,]*([^:{}]*?)\s*:\s*\{([^{}]*)\}")
_YES_OR_NO = {**ANSWERS, **VERDICTS, "1": True, "0": False, "true": True, "false": False}
_FORMS = "write hands as 'Ann:{D5,SQ}', an ask as 'Ann Bob D2 0', a claim as 'Ann Ann:{S5,...} 1'"
_VERDICT = "write 1 behind a claim that was right, or else 0"


class _Ask(NamedTuple):
    """An ask, with names for players and cards."""

    asker: str
    target: str
    card: str
    hit: bool

    def players(self) -> Iterator[str]:
        yield self.asker
        yield self.target


class _Claim(NamedTuple):
    """A claim, with names for players and cards."""

    claimant: str
    half_suit: str
    """The half-suit or a card of it; empty where only the holders tell."""
    holders: list[tuple[str, str]]
    """Cards and their holders."""
    right: bool
    shown: list[tuple[str, str]]
    """Who held the cards of a wrong claim; empty where the log does not say."""

    def players(self) -> Iterator[str]:
        yield self.claimant
        for _, player in (*self.holders, *self.shown):
            yield player


class _Game:
    """What the lines of a game say."""

    def __init__(self) -> None:
        self.hands: dict[str, tuple[Line, list[str]]] = {}
        self.said: list[tuple[Line, _Ask | _Claim]] = []

    def names(self) -> list[str]:
        """The players, in the order in which they are first named."""
        names = dict.fromkeys(self.hands)
        for _, said in self.said:
            names |= dict.fromkeys(said.players())
        return list(names)

    def cards(self) -> Iterator[set[str]]:
        """The names of the cards in each hand, ask and claim; a hand card by card."""
        for _, hand in self.hands.values():
            yield from ({card} for card in hand)
        for _, said in self.said:
            match said:
                case _Ask(card=card):
                    yield {card}
                case _Claim(holders=holders):
                    yield {card for card, _ in holders}


def games_in(lines: Iterable[tuple[int, str]], file: str) -> Iterator[Told]:
    """The games of a brace log. Raises `RecordError` for a line that is none of such a log."""
    game = _Game()
    for number, text in lines:
        if text.lstrip().startswith("#"):
            continue
        line = Line(file, number, text.strip())
        groups = _GROUP.findall(text)
        if not groups:
            game.said.append((line, _ask(line, game.hands)))
        elif _is_claim(line, groups, game.hands):
            game.said.append((line, _claim(line, groups, game.hands)))
        else:
            if game.said:
                yield _told(game)
                game = _Game()
            _add_hands(game, line, groups)
    if game.hands or game.said:
        yield _told(game)


def _is_claim(line: Line, groups: Sequence[tuple[str, str]], known: Container[str]) -> bool:
    """Whether something follows the cards, or known names begin and end what is before them."""
    if not line.text.endswith("}"):
        return True
    words = groups[0][0].split()
    return any(
        " ".join(words[:i]) in known and " ".join(words[j:]) in known
        for i in range(1, len(words))
        for j in (i, i + 1)
    )


def _add_hands(game: _Game, line: Line, groups: Sequence[tuple[str, str]]) -> None:
    for name, cards in groups:
        if not name:
            line.fail("a hand has no name", _FORMS)
        if name in game.hands:
            line.fail(f"{name} has two hands", "write each hand once, above the first ask")
        game.hands[name] = line, _cards(line, cards)


def _ask(line: Line, known: Iterable[str]) -> _Ask:
    words = line.text.replace(",", " ").split()
    if len(words) < 4 or words[-1].lower() not in _YES_OR_NO:
        line.fail("this is no hand, no ask and no claim", _FORMS)
    asker, _, target = _two_names(line, words[:-2], set(known), middle=0)
    return _Ask(asker, target, _card(line, words[-2]), _YES_OR_NO[words[-1].lower()])


def _claim(line: Line, groups: Sequence[tuple[str, str]], known: Iterable[str]) -> _Claim:
    names = set(known)
    claimant, half_suit, holder = _two_names(line, groups[0][0].split(), names, middle=1)
    verdict = line.text.rpartition("}")[2].strip(" ,").lower()
    holders = [(card, holder) for card in _cards(line, groups[0][1])]
    shown: list[tuple[str, str]] = []
    behind = False
    for name, cards in groups[1:]:
        first, _, others = name.partition(" ")
        if not verdict and not behind and name not in names and first.lower() in _YES_OR_NO:
            name, verdict, behind = others.strip(), first.lower(), True
        _need_player(line, name, names)
        (shown if behind else holders).extend((card, name) for card in _cards(line, cards))
    if verdict not in _YES_OR_NO:
        what = f"{verdict!r} is no verdict" if verdict else "the claim has no verdict"
        line.fail(what, _VERDICT)
    return _Claim(claimant, half_suit, holders, _YES_OR_NO[verdict], shown)


def _two_names(
    line: Line, words: Sequence[str], known: set[str], middle: int
) -> tuple[str, str, str]:
    """Two names of players, with at most so many words between them."""
    splits = [
        (" ".join(words[:i]), " ".join(words[i : i + m]), " ".join(words[i + m :]))
        for m in range(middle + 1)
        for i in range(1, len(words) - m)
    ]
    for split in splits:
        if split[0] in known and split[2] in known:
            return split
    single = [split for split in splits if len(split[0].split()) == len(split[2].split()) == 1]
    if not single:
        line.fail(f"{' '.join(words)!r} does not name two players", _FORMS)
    _need_player(line, single[0][0], known)
    _need_player(line, single[0][2], known)
    return single[0]


def _need_player(line: Line, name: str, known: set[str]) -> None:
    if not name:
        line.fail("a name is missing", _FORMS)
    if known and name not in known:
        line.fail(f"{name} has no hand", f"the hands are those of {', '.join(sorted(known))}")


def _cards(line: Line, text: str) -> list[str]:
    return [_card(line, word) for word in re.split(r"[\s,;]+", text) if word]


def _card(line: Line, word: str) -> str:
    name = card_name_of(word)
    if name is None:
        line.fail(f"{word!r} is no card", "write suit and rank, as in D5, SQ or H10")
    return name


def _told(game: _Game) -> Told:
    """The game with seats for names and cards of its deck."""
    first = next((line for line, _ in (*game.hands.values(), *game.said)))
    names = game.names()
    if len(names) not in (4, 6, 8):
        listed = ", ".join(names)
        first.fail(f"the game has {len(names)} players ({listed})", "4, 6 or 8 can play")
    for name in names:
        if not is_plain(name):
            first.fail(f"{name!r} cannot be the name of a player", "use letters and digits, no '#'")
    order = _seated(names, game)
    seats = {name: seat for seat, name in enumerate(order)}
    rules = deck_of(game.cards(), len(names), first)
    hands: list[tuple[Card, ...] | None] = [None] * len(names)
    dealt: dict[Card, Seat] = {}
    for name, (line, words) in game.hands.items():
        if words:
            hand = [card_of_deck(word, rules) for word in words]
            objection = hand_objection(rules, seats[name], hand, dealt)
            if objection is not None:
                line.fail(f"{name}: {renamed(objection.what, order)}", objection.cure)
            hands[seats[name]] = tuple(sorted(hand))
    events = tuple((line, _event(line, said, seats, rules)) for line, said in game.said)
    actors = [_actor(event) for _, event in events]
    askers = [event.asker for _, event in events if isinstance(event, Asked)]
    own = set(order) == set(SEAT_NAMES[: len(order)])
    return Told(
        rules,
        tuple(hands),
        events,
        tuple(dict.fromkeys((*actors[:1], *askers[:1]))),
        (None,) * len(order) if own else tuple(order),
        passes_implied=True,
    )


def _actor(event: Event) -> Seat:
    match event:
        case Asked(player) | Claimed(player):
            return player
    raise AssertionError(event)


def _event(line: Line, said: _Ask | _Claim, seats: dict[str, Seat], rules: RuleSet) -> Event:
    match said:
        case _Ask(asker, target, card, hit):
            return Asked(seats[asker], seats[target], card_of_deck(card, rules), hit)
        case _Claim(claimant, named, holders, right, shown):
            placed = _placed(line, holders, seats, rules, named)
            truth = _placed(line, shown, seats, rules, named) if shown else None
            if right and truth is not None and truth != placed:
                line.fail("the claim was right, but others held the cards", _VERDICT)
            half_suit = half_suit_of(card_of_deck(holders[0][0], rules))
            return Claimed(seats[claimant], half_suit, placed, right, placed if right else truth)


def _placed(
    line: Line,
    holders: Sequence[tuple[str, str]],
    seats: dict[str, Seat],
    rules: RuleSet,
    named: str,
) -> tuple[Seat, ...]:
    """The holders of the six cards of a half-suit, in card order."""
    if not holders:
        line.fail("no card is named", "name the six cards of a half-suit")
    placed: dict[Card, Seat] = {}
    for name, player in holders:
        card = card_of_deck(name, rules)
        if card in placed:
            line.fail(f"{name} is named twice", "name each card once")
        placed[card] = seats[player]
    half_suit = half_suit_of(next(iter(placed)))
    card_of_it = card_name_of(named)
    if card_of_it is not None:
        half_suit = half_suit_of(card_of_deck(card_of_it, rules))
    elif named:
        found = half_suit_named(named)
        half_suit = half_suit if found is None else found
    if placed.keys() != set(cards_of(half_suit)):
        line.fail("these are not the six cards of a half-suit", "name each of the six once")
    return tuple(placed[card] for card in cards_of(half_suit))


def _seated(names: Sequence[str], game: _Game) -> list[str]:
    """The players in the order of seats, so that as few asks as possible go to teammates."""
    if set(names) == set(SEAT_NAMES[: len(names)]):
        return sorted(names, key=SEAT_NAMES.index)
    asks = {(said.asker, said.target) for _, said in game.said if isinstance(said, _Ask)}
    claims = {
        (said.claimant, player)
        for _, said in game.said
        if isinstance(said, _Claim)
        for _, player in said.holders
    }

    def faults(team: Sequence[str]) -> tuple[int, int]:
        return (
            sum((asker in team) == (target in team) for asker, target in asks),
            sum((claimant in team) != (holder in team) for claimant, holder in claims),
        )

    half = len(names) // 2
    alternating = tuple(names[::2])
    others = [(names[0], *rest) for rest in combinations(names[1:], half - 1)]
    team = min([alternating, *others], key=faults)
    if faults(team)[0]:  # no order makes the asks legal: the one as written is refused best
        team = alternating
    opponents = [name for name in names if name not in team]
    return [name for pair in zip(team, opponents, strict=True) for name in pair]
