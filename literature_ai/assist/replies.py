"""Replies of a session: advice, tables and proofs, in plain text.

Every function takes the game as the player sees it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from literature_ai.analysis.hints import Hint, LikelyAsk, hint
from literature_ai.assist.state import WIDTH
from literature_ai.cards import (
    HALF_SUIT_NAMES,
    SEAT_NAMES,
    TEAM_NAMES,
    Card,
    CardNames,
    HalfSuit,
    Seat,
    Team,
    cards_of,
    half_suit_of,
    team_of,
)
from literature_ai.events import Claim, Claimed
from literature_ai.inference.knowledge import NOWHERE, Knowledge
from literature_ai.inference.proof import Proof, disprove, prove
from literature_ai.inference.recorded import Viewpoint
from literature_ai.records.record import Record
from literature_ai.wording import card_names, layout, percent, sentence
from solver.problem import OWN_HAND

_BEST = 3
_CELL = 7
"""Columns of a cell of the table."""


def wrapped(text: str, width: int = WIDTH) -> str:
    """The text with no line longer than ``width``; what is broken off is indented."""
    lines: list[str] = []
    for line in text.split("\n"):
        indent = " " * min(len(line) - len(line.lstrip()) + 2, 12)
        lines += textwrap.wrap(
            line, width, subsequent_indent=indent, drop_whitespace=True, break_on_hyphens=False
        ) or [""]
    return "\n".join(lines)


def advice(viewpoint: Viewpoint) -> str:
    """What matters now: certain claims of the own team, then what everyone can prove of the other's
    half-suits, the best asks if the turn is here or near, and whose turn it is."""
    if viewpoint.record.ended:
        return conclusion(viewpoint.record)
    return _advice(hint(viewpoint))


def _advice(said: Hint) -> str:
    position, seat = said.position, said.seat
    names = position.rules.card_names
    lines = [
        f"  * CERTAIN: {_claim(claim.half_suit, claim.holders, names)}"
        + ("  (you may claim it now)" if position.may_claim(seat) else "")
        for claim in said.claims
        if claim.certain
    ]
    opponents = 1 - team_of(seat)
    lines += [
        f"  ! Team {TEAM_NAMES[opponents]} can prove "
        + _claim(claim.half_suit, claim.holders, names)
        for claim in proven_to_all(said.viewpoint.everyone, opponents)
    ]
    turn = position.turn
    assert turn is not None
    if said.asks and (turn == seat or team_of(turn) != team_of(seat)):
        when = "Your best asks" if turn == seat else "If the turn comes to you"
        lines.append(f"  {when}: {', '.join(_ask(ask, names) for ask in said.asks[:_BEST])}")
    if turn == seat and position.legal_passes() and not position.hand_sizes[seat]:
        to = _or(position.legal_passes())
        pass_on = f"You have no cards: pass the turn to {to}"
        if team_of(position.legal_passes()[0]) == opponents:
            pass_on = f"Your team has no cards: name {to}, who claims what is left"
        lines.append(f"  {pass_on}, as in 'p {to[:2].lower()}'.")
    you = " (you)" if turn == seat else ""
    a, b = position.score
    lines.append(f"  {SEAT_NAMES[turn]}{you} is on turn; A {a} - B {b}.")
    return "\n".join(lines)


def proven_to_all(everyone: Knowledge, team: Team) -> list[Claim]:
    """The claims of the team that everyone can prove.

    By SAT: counting the deals that fit takes long for those who see no hand.
    """
    rules = everyone.rules
    possible = everyone.possible_seats()
    may_name = sum(
        1 << seat for seat in range(rules.players) if rules.split_claims or team_of(seat) == team
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


def table(viewpoint: Viewpoint, half_suits: Sequence[HalfSuit], width: int = WIDTH) -> str:
    """Where the cards of these half-suits are, in percent: a row a card, a column a seat.

    Without any half-suit named, of all in play. Where so many columns do not fit into the width,
    only the seats that may have the card are named beside it.
    """
    in_play = viewpoint.knowledge.in_play
    shown = [h for h in half_suits or in_play if h in in_play]
    if not shown:
        gone = " ".join(HALF_SUIT_NAMES[h] for h in half_suits)
        return f"{gone or 'every half-suit'} has been claimed and is out of play"
    seats = [
        f"{SEAT_NAMES[s]}{'*' if s == viewpoint.seat else ' '}"
        for s in range(viewpoint.record.rules.players)
    ]
    fits = 4 + _CELL * len(seats) <= width
    posterior = viewpoint.knowledge.posterior()
    lines = ["    " + "".join(f"{seat:>{_CELL}}" for seat in seats)] if fits else []
    for half_suit in shown:
        lines.append(f"  {HALF_SUIT_NAMES[half_suit]}")
        for card in cards_of(half_suit):
            row = posterior[card].tolist()
            if fits:
                cells = "".join(f"{percent(chance) if chance else '.':>6} " for chance in row)
                lines.append(f"  {viewpoint.record.rules.card_names[card]}{cells}")
            else:
                places = (f"{s} {percent(c)}" for s, c in zip(seats, row, strict=True) if c)
                lines.append(f"  {viewpoint.record.rules.card_names[card]}  {'  '.join(places)}")
    lines.append(f"in percent; * you; {'. impossible' if fits else 'others cannot have it'}")
    return "\n".join(line.rstrip() for line in lines)


def asks(viewpoint: Viewpoint) -> str:
    """Every ask that the seat may make on turn, likeliest first."""
    if viewpoint.record.ended:
        return conclusion(viewpoint.record)
    said = hint(viewpoint)
    names = viewpoint.record.rules.card_names
    possible = [_ask(likely, names) for likely in said.asks if likely.probability]
    rows = ["".join(f"  {a:17}" for a in possible[i : i + 4]) for i in range(0, len(possible), 4)]
    misses = len(said.asks) - len(possible)
    if misses:
        rows.append(f"  {misses} more {'is' if misses == 1 else 'are'} allowed, but sure to miss")
    lines = [row.rstrip() for row in rows]
    return "\n".join(["Your asks, if you are on turn:", *(lines or ["  none"])])


def claims(viewpoint: Viewpoint) -> str:
    """The likeliest layout of each half-suit that the own team may hold."""
    if viewpoint.record.ended:
        return conclusion(viewpoint.record)
    lines = [
        f"  {'CERTAIN' if claim.certain else percent(claim.probability) + ' %':>7}"
        f"  {_claim(claim.half_suit, claim.holders, viewpoint.record.rules.card_names)}"
        for claim in viewpoint.knowledge.claims()
    ]
    return "\n".join(["What your team may claim, likeliest first:", *(lines or ["  nothing"])])


def deals(viewpoint: Viewpoint) -> str:
    """How many deals fit."""
    number = viewpoint.knowledge.deals()
    return "One deal fits." if number == 1 else f"{number:,} deals fit."


def log(record: Record, count: int | None = None) -> str:
    """The events, numbered, or the last few of them."""
    first = 0 if count is None else max(len(record.events) - count, 0)
    lines = [
        f"{number:4}. {sentence(event, record.rules.card_names)}"
        for number, event in enumerate(record.events[first:], start=first + 1)
    ]
    return "\n".join(lines or ["  No event yet."])


def everything(viewpoint: Viewpoint) -> str:
    """The set-up, the events, and where the game stands."""
    record, seat = viewpoint.record, viewpoint.seat
    rules = record.rules
    lines = [
        f"game {record.id}: {rules.players} players, {rules.words() or 'no house rules'}",
        f"  You are {SEAT_NAMES[seat]} of team {TEAM_NAMES[team_of(seat)]};"
        f" dealt: {card_names(record.hands[seat] or (), rules.card_names)}",
        f"  {SEAT_NAMES[record.start]} had the first turn.",
        log(record),
    ]
    if record.ended:
        return "\n".join([*lines, conclusion(record)])
    said = hint(viewpoint)
    held = [card for card, row in enumerate(said.locations.tolist()) if row[seat] == 1.0]
    sizes = " ".join(f"{SEAT_NAMES[s]}:{n}" for s, n in enumerate(said.position.hand_sizes))
    in_play = " ".join(HALF_SUIT_NAMES[h] for h in said.position.in_play)
    now = card_names(held, rules.card_names) or "none"
    lines += [f"  Your cards now: {now}", f"  Cards in hand: {sizes}"]
    return "\n".join([*lines, f"  In play: {in_play}", _advice(said)])


def why_card(record: Record, knowledge: Knowledge, card: Card, at: Seat | None = None) -> str:
    """Why a card is where it is, or why it cannot be at a seat: a proof with its events."""
    name = record.rules.card_names[card]
    if knowledge.place_now(card) == NOWHERE:
        return why_gone(record, half_suit_of(card))
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


def why_half_suit(record: Record, knowledge: Knowledge, half_suit: HalfSuit) -> str:
    """Why a half-suit is certain to lie as it does, or what is open about it."""
    if half_suit not in knowledge.in_play:
        return why_gone(record, half_suit)
    certain, names = knowledge.certain(), record.rules.card_names
    cards = cards_of(half_suit)
    if all(card in certain for card in cards):
        holders = {card: certain[card] for card in cards}
        where = _claim(half_suit, tuple(holders.values()), names)
        return _proven(record, f"{where} is certain", prove(knowledge, record.events, holders))
    lines = [f"{HALF_SUIT_NAMES[half_suit]} is not certain:"]
    lines += [f"  {why_card(record, knowledge, card)}" for card in cards if card not in certain]
    known = [f"{names[card]} {SEAT_NAMES[certain[card]]}" for card in cards if card in certain]
    return "\n".join([*lines, f"  Certain: {', '.join(known) or 'none'}."])


def why_gone(record: Record, half_suit: HalfSuit) -> str:
    """The claim that took a half-suit out of play."""
    for number, event in enumerate(record.events, start=1):
        if isinstance(event, Claimed) and event.half_suit == half_suit:
            said = sentence(event, record.rules.card_names)
            return f"{HALF_SUIT_NAMES[half_suit]} left play:\n{number:4}. {said}"
    raise AssertionError("a half-suit leaves play by a claim")


def _proven(record: Record, what: str, proof: Proof) -> str:
    steps = [f"  {line}" for line in str(proof).split("\n")]
    events = [
        f"{number:5}. {sentence(record.events[number - 1], record.rules.card_names)}"
        for number in proof.events
        if number != OWN_HAND
    ]
    return "\n".join([f"{what}:", *steps, *(["It takes these events:"] * bool(events)), *events])


def _claim(half_suit: HalfSuit, holders: tuple[Seat, ...], names: CardNames) -> str:
    return f"{HALF_SUIT_NAMES[half_suit]}  {layout(half_suit, holders, names)}"


def _ask(likely: LikelyAsk, names: CardNames) -> str:
    ask = likely.ask
    return f"{names[ask.card]} of {SEAT_NAMES[ask.target]} {percent(likely.probability)} %"


def _or(seats: Iterable[Seat]) -> str:
    return " or ".join(SEAT_NAMES[seat] for seat in seats)
