"""What a session says about a game: advice, tables and reasons, in plain text of 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from literature_ai.analysis.hints import Hint, LikelyAsk, knowledge_of
from literature_ai.analysis.hints import hint as hint_of
from literature_ai.cards import (
    CARD_NAMES,
    HALF_SUIT_NAMES,
    SEAT_NAMES,
    TEAM_NAMES,
    Card,
    HalfSuit,
    Seat,
    Team,
    cards_of,
    team_of,
)
from literature_ai.cards import half_suit_of as half_suit_of_card
from literature_ai.events import Claim, Claimed
from literature_ai.inference.knowledge import NOWHERE, Knowledge
from literature_ai.inference.proof import Proof, disprove, prove
from literature_ai.records.lit import Record
from literature_ai.records.notation import layout, percent, sentence
from solver.problem import OWN_HAND

WIDTH = 79
_BEST = 3


def wrapped(text: str) -> str:
    """The text with no line longer than 79 characters; what is broken off is indented."""
    lines: list[str] = []
    for line in text.split("\n"):
        indent = " " * min(len(line) - len(line.lstrip()) + 2, 12)
        lines += textwrap.wrap(
            line, WIDTH, subsequent_indent=indent, drop_whitespace=True, break_on_hyphens=False
        ) or [""]
    return "\n".join(lines)


def advice(record: Record, seat: Seat) -> str:
    """What matters now: certain claims of the own team, then what everyone can prove of the other's
    half-suits, the best asks if the turn is here or near, and whose turn it is."""
    position = record.position()
    if record.ended:
        return conclusion(record)
    said = hint_of(record, seat)
    lines = [
        f"  * CERTAIN: {_claim(claim.half_suit, claim.holders)}"
        + ("  (you may claim it now)" if position.may_claim(seat) else "")
        for claim in said.claims
        if claim.certain
    ]
    opponents = 1 - team_of(seat)
    lines += [
        f"  ! Team {TEAM_NAMES[opponents]} can prove {_claim(claim.half_suit, claim.holders)}"
        for claim in _proven_to_all(record, opponents)
    ]
    turn = position.turn
    assert turn is not None
    if said.asks and (turn == seat or team_of(turn) != team_of(seat)):
        when = "Your best asks" if turn == seat else "If the turn comes to you"
        lines.append(f"  {when}: {', '.join(map(_ask, said.asks[:_BEST]))}")
    if turn == seat and position.legal_passes() and not position.hand_sizes[seat]:
        to = _or(position.legal_passes())
        lines.append(f"  You have no cards: pass the turn to {to}, as in 'p {to[:2].lower()}'.")
    you = " (you)" if turn == seat else ""
    a, b = position.score
    lines.append(f"  {SEAT_NAMES[turn]}{you} is on turn; A {a} - B {b}.")
    return "\n".join(lines)


def _proven_to_all(record: Record, team: Team) -> list[Claim]:
    """The claims of the team that everyone can prove.

    By SAT: counting the deals that fit takes long for those who see no hand.
    """
    everyone = Knowledge(record.rules)
    for event in record.events:
        everyone.observe(event)
    possible = everyone.possible_seats()
    may_name = sum(
        1 << seat
        for seat in range(record.rules.players)
        if record.rules.split_claims or team_of(seat) == team
    )
    claims = []
    for half_suit in everyone.in_play:
        seats = [possible[card] for card in cards_of(half_suit)]
        if all(bits.bit_count() == 1 and bits & may_name for bits in seats):
            claims.append(Claim(half_suit, tuple(bits.bit_length() - 1 for bits in seats)))
    return claims


def conclusion(record: Record) -> str:
    """How the game ended."""
    a, b = record.score
    ahead = (
        "level" if a == b else f"team {TEAM_NAMES[b > a]} {'leads' * record.unfinished or 'wins'}"
    )
    end = "broken off" if record.unfinished else "over"
    return f"  The game is {end}: A {a} - B {b}, {ahead}."


def table(record: Record, seat: Seat, half_suits: Sequence[HalfSuit]) -> str:
    """Where the cards of the half-suits in play are, in percent: cards × seats."""
    said = hint_of(record, seat)
    in_play = said.position.in_play
    shown = [h for h in half_suits or in_play if h in in_play]
    if not shown:
        gone = " ".join(HALF_SUIT_NAMES[h] for h in half_suits)
        return f"{gone or 'every half-suit'} has been claimed and is out of play"
    seats = range(record.rules.players)
    head = "".join(f"{SEAT_NAMES[s]:>6}{'*' if s == seat else ' '}" for s in seats)
    lines = [f"    {head}"]
    for half_suit in shown:
        lines.append(f"  {HALF_SUIT_NAMES[half_suit]}")
        for card in cards_of(half_suit):
            row = said.locations[card].tolist()
            cells = "".join(f"{percent(chance) if chance else '.':>6} " for chance in row)
            lines.append(f"  {CARD_NAMES[card]}{cells}")
    lines.append("in percent; * you; . impossible")
    return "\n".join(line.rstrip() for line in lines)


def asks(record: Record, seat: Seat) -> str:
    """Every ask that the seat may make on turn, likeliest first."""
    said = hint_of(record, seat)
    if record.ended:
        return conclusion(record)
    possible = [_ask(likely) for likely in said.asks if likely.probability]
    rows = ["".join(f"  {a:17}" for a in possible[i : i + 4]) for i in range(0, len(possible), 4)]
    misses = len(said.asks) - len(possible)
    if misses:
        rows.append(f"  {misses} more {'is' if misses == 1 else 'are'} allowed, but sure to miss")
    lines = [row.rstrip() for row in rows]
    return "\n".join(["Your asks, if you are on turn:", *(lines or ["  none"])])


def claims(record: Record, seat: Seat) -> str:
    """The likeliest layout of each half-suit that the own team may hold."""
    if record.ended:
        return conclusion(record)
    lines = [
        f"  {'CERTAIN' if claim.certain else percent(claim.probability) + ' %':>7}"
        f"  {_claim(claim.half_suit, claim.holders)}"
        for claim in hint_of(record, seat).claims
    ]
    return "\n".join(["What your team may claim, likeliest first:", *(lines or ["  nothing"])])


def deals(record: Record, seat: Seat) -> str:
    """How many deals fit."""
    number = hint_of(record, seat).deals
    return "One deal fits." if number == 1 else f"{number:,} deals fit."


def log(record: Record, count: int | None = None) -> str:
    """The events, numbered, or the last few of them."""
    first = 0 if count is None else max(len(record.events) - count, 0)
    lines = [
        f"{number:4}. {sentence(event)}"
        for number, event in enumerate(record.events[first:], start=first + 1)
    ]
    return "\n".join(lines or ["  No event yet."])


def state(record: Record, seat: Seat) -> str:
    """Everything: the set-up, the events, and where the game stands."""
    rules = record.rules
    position = record.position()
    dealt = " ".join(CARD_NAMES[card] for card in record.hands[seat] or ())
    lines = [
        f"game {record.id}: {rules.players} players, {rules.words() or 'no house rules'}",
        f"  You are {SEAT_NAMES[seat]} of team {TEAM_NAMES[team_of(seat)]}; dealt: {dealt}",
        f"  {SEAT_NAMES[record.start]} had the first turn.",
        log(record),
    ]
    if not record.ended:
        held = " ".join(map(CARD_NAMES.__getitem__, hand_now(hint_of(record, seat))))
        sizes = " ".join(f"{SEAT_NAMES[s]}:{n}" for s, n in enumerate(position.hand_sizes))
        in_play = " ".join(HALF_SUIT_NAMES[h] for h in position.in_play)
        lines += [f"  Your cards now: {held or 'none'}", f"  Cards in hand: {sizes}"]
        lines += [f"  In play: {in_play}"]
    return "\n".join([*lines, advice(record, seat)])


def hand_now(said: Hint) -> list[Card]:
    """The cards that the seat has now."""
    column = said.locations[:, said.seat].tolist()
    return [card for card, chance in enumerate(column) if chance == 1.0]


def why_card(record: Record, seat: Seat, card: Card, at: Seat | None = None) -> str:
    """Why a card is where it is, or why it cannot be at a seat: a proof with its events."""
    knowledge = knowledge_of(record, seat, record.id)
    name = CARD_NAMES[card]
    if knowledge.place_now(card) == NOWHERE:
        return why_gone(record, half_suit_of_card(card))
    row = knowledge.posterior()[card].tolist()
    places = [s for s, chance in enumerate(row) if chance]
    if at is not None and at not in places:
        proof = disprove(knowledge, record.events, card, at)
        return _proven(record, f"{SEAT_NAMES[at]} cannot have {name}", proof)
    if len(places) == 1:
        proof = prove(knowledge, record.events, {card: places[0]})
        return _proven(record, f"{SEAT_NAMES[places[0]]} has {name} for certain", proof)
    spread = ", ".join(f"{SEAT_NAMES[s]} {percent(row[s])} %" for s in places)
    return f"The place of {name} is not certain: {spread}."


def why_half_suit(record: Record, seat: Seat, half_suit: HalfSuit) -> str:
    """Why a half-suit is certain to lie as it does, or what is open about it."""
    knowledge = knowledge_of(record, seat, record.id)
    if half_suit not in knowledge.in_play:
        return why_gone(record, half_suit)
    certain = knowledge.certain()
    cards = cards_of(half_suit)
    if all(card in certain for card in cards):
        holders = {card: certain[card] for card in cards}
        where = _claim(half_suit, tuple(holders.values()))
        return _proven(record, f"{where} is certain", prove(knowledge, record.events, holders))
    lines = [f"{HALF_SUIT_NAMES[half_suit]} is not certain:"]
    lines += [f"  {why_card(record, seat, card)}" for card in cards if card not in certain]
    known = [f"{CARD_NAMES[card]} {SEAT_NAMES[certain[card]]}" for card in cards if card in certain]
    return "\n".join([*lines, f"  Certain: {', '.join(known) or 'none'}."])


def why_gone(record: Record, half_suit: HalfSuit) -> str:
    """The claim that took a half-suit out of play."""
    for number, event in enumerate(record.events, start=1):
        if isinstance(event, Claimed) and event.half_suit == half_suit:
            return f"{HALF_SUIT_NAMES[half_suit]} left play:\n{number:4}. {sentence(event)}"
    raise AssertionError("a half-suit leaves play by a claim")


def _proven(record: Record, what: str, proof: Proof) -> str:
    steps = [f"  {line}" for line in str(proof).split("\n")]
    events = [
        f"{number:5}. {sentence(record.events[number - 1])}"
        for number in proof.events
        if number != OWN_HAND
    ]
    return "\n".join([f"{what}:", *steps, *(["It takes these events:"] * bool(events)), *events])


def _claim(half_suit: HalfSuit, holders: tuple[Seat, ...]) -> str:
    return f"{HALF_SUIT_NAMES[half_suit]}  {layout(half_suit, holders)}"


def _ask(likely: LikelyAsk) -> str:
    ask = likely.ask
    return f"{CARD_NAMES[ask.card]} of {SEAT_NAMES[ask.target]} {percent(likely.probability)} %"


def _or(seats: Iterable[Seat]) -> str:
    return " or ".join(SEAT_NAMES[seat] for seat in seats)
