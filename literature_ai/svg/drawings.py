"""Drawings of games, hands, records and posteriors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from literature_ai.cards import (
    HALF_SUIT_NAMES,
    HALF_SUIT_SIZE,
    SEAT_NAMES,
    TEAM_NAMES,
    Card,
    CardNames,
    Seat,
    cards_of,
    half_suit_of,
)
from literature_ai.game.game import Game
from literature_ai.game.position import PublicGame
from literature_ai.game.view import View
from literature_ai.svg.canvas import (
    CARD_HEIGHT,
    CARD_WIDTH,
    LINE,
    PALE,
    TEAM_COLOURS,
    Canvas,
    fanned,
    team_colour,
)
from literature_ai.wording import percent, sentence

if TYPE_CHECKING:
    from literature_ai.inference.knowledge import Knowledge
    from literature_ai.records.record import Record

WIDTH = 760
_SEAT_WIDTH, _SEAT_HEIGHT = 196, 74
_LOG_LINES = 4
_HEAT_CELL, _HEAT_HEIGHT = 44, 17


def table(
    seen: Game | View | PublicGame, viewer: Seat | None = None, names: Sequence[str | None] = ()
) -> str:
    """A table as SVG: seats around it, with their cards or their numbers of cards.

    A `Game` is drawn with all hands, or with the hand of ``viewer`` alone; a view with the seat's
    own; a position with none. The viewer sits at the bottom. ``names`` are those of the players.
    """
    if isinstance(seen, View):
        viewer = seen.seat
    hands = _hands(seen, viewer)
    players = seen.rules.players
    height = 640 if players == 8 else 560
    canvas = Canvas(WIDTH, height, _title(seen))
    canvas.box(150, 130, WIDTH - 300, height - 260, fill="#e7efe9", stroke="#b9cbbf")
    for seat in range(players):
        angle = math.pi / 2 + 2 * math.pi * (seat - (viewer or 0)) / players
        x = WIDTH / 2 + math.cos(angle) * (WIDTH - _SEAT_WIDTH - 20) / 2 - _SEAT_WIDTH / 2
        y = height / 2 + math.sin(angle) * (height - _SEAT_HEIGHT - 20) / 2 - _SEAT_HEIGHT / 2
        name = names[seat] if seat < len(names) else None
        _seat(canvas, x, y, seen, seat, hands[seat], name)
    _middle(canvas, seen)
    return canvas.svg()


def hand(cards: Iterable[Card], names: CardNames) -> str:
    """Cards as SVG, in order, with a wider gap between half-suits."""
    cards = sorted(cards)
    shown = ", ".join(names[card] for card in cards) or "no cards"
    step, gap = CARD_WIDTH + 4, 10
    places, x, last = [], 6, None
    for card in cards:
        if last is not None and half_suit_of(card) != last:
            x += gap
        places.append(x)
        x += step
        last = half_suit_of(card)
    canvas = Canvas(max(x + 2, 80), CARD_HEIGHT + 12, shown)
    for place, card in zip(places, cards, strict=True):
        canvas.card(place, 6, names[card])
    if not cards:
        canvas.text(6, 28, "no cards", fill=PALE)
    return canvas.svg()


def log(seen: Game | View | PublicGame | Record, last: int | None = None) -> str:
    """The events as SVG, one a line and numbered; with ``last``, only so many of the last."""
    events, first = seen.events, 0 if last is None else max(len(seen.events) - last, 0)
    lines = [
        f"{number}. {sentence(event, seen.rules.card_names)}"
        for number, event in enumerate(events[first:], first + 1)
    ]
    width = max([160, *(7 * len(line) + 20 for line in lines)])
    canvas = Canvas(width, 20 * max(len(lines), 1) + 12, f"{len(events)} events")
    for i, line in enumerate(lines or ["no events yet"]):
        canvas.text(8, 20 * i + 20, line)
    return canvas.svg()


def heat_map(knowledge: Knowledge) -> str:
    """Where each card in play can be, as SVG: cards × seats, darker the likelier, in percent.

    Impossible is empty, certain is bold. Raises `ContradictionError` when no deal is left.
    """
    posterior = knowledge.posterior()
    players, names = knowledge.rules.players, knowledge.rules.card_names
    left, top = 44, 30
    block = HALF_SUIT_SIZE * _HEAT_HEIGHT + 22
    columns = 2
    width = left + players * _HEAT_CELL + 16
    rows = max(1, math.ceil(len(knowledge.in_play) / columns))
    canvas = Canvas(columns * width, rows * block + top, _heat_title(knowledge))
    for column in range(min(columns, max(1, len(knowledge.in_play)))):
        for seat in range(players):
            x = column * width + left + (seat + 0.5) * _HEAT_CELL
            own = seat == knowledge.seat
            label = f"{SEAT_NAMES[seat]}{'*' if own else ''}"
            colour = team_colour(seat)
            canvas.text(x, 18, label, size=12, fill=colour, anchor="middle", bold=own)
    for i, half_suit in enumerate(knowledge.in_play):
        x0, y0 = (i % columns) * width, top + (i // columns) * block
        canvas.text(x0 + 6, y0 + 10, HALF_SUIT_NAMES[half_suit], size=11, fill=PALE, bold=True)
        for j, card in enumerate(cards_of(half_suit)):
            y = y0 + 14 + j * _HEAT_HEIGHT
            canvas.text(x0 + 14, y + 12, names[card], size=11)
            for seat in range(players):
                chance = float(posterior[card, seat])
                where = f"{names[card]} with {SEAT_NAMES[seat]}: {percent(chance)} %"
                x = x0 + left + seat * _HEAT_CELL
                fill = _shade(chance)
                canvas.box(
                    x, y, _HEAT_CELL - 2, _HEAT_HEIGHT - 2, fill=fill, stroke=LINE, title=where
                )
                if chance:
                    ink = "#ffffff" if chance > 0.55 else "#1c2733"
                    middle, certain = x + _HEAT_CELL / 2 - 1, chance == 1.0
                    shown = percent(chance)
                    canvas.text(
                        middle, y + 12, shown, size=10, fill=ink, anchor="middle", bold=certain
                    )
    if not knowledge.in_play:
        canvas.text(8, top + 14, "no half-suit is in play", fill=PALE)
    return canvas.svg()


def record(shown: Record) -> str:
    """A record as SVG: the table after its last event, with the hands that are known."""
    if None not in shown.hands:
        return table(shown.game(), names=shown.names)
    position = shown.position()
    known = [seat for seat, cards in enumerate(shown.hands) if cards is not None]
    if len(known) == 1:
        dealt = shown.hands[known[0]]
        assert dealt is not None
        return table(position.view(known[0], dealt), names=shown.names)
    return table(position, names=shown.names)


def _hands(seen: Game | View | PublicGame, viewer: Seat | None) -> list[tuple[Card, ...] | None]:
    """The hands that are shown, by seat; None where only the size is."""
    seats = range(seen.rules.players)
    if isinstance(seen, View):
        return [seen.hand if seat == seen.seat else None for seat in seats]
    if isinstance(seen, Game):
        return [seen.hand(seat) if viewer in (None, seat) else None for seat in seats]
    return [None for _ in seats]


def _seat(
    canvas: Canvas,
    x: float,
    y: float,
    seen: Game | View | PublicGame,
    seat: Seat,
    cards: tuple[Card, ...] | None,
    name: str | None,
) -> None:
    """A seat: its name, and its cards or their number."""
    on_turn = seat == seen.turn
    size = seen.hand_sizes[seat]
    canvas.box(x, y, _SEAT_WIDTH, _SEAT_HEIGHT, stroke=team_colour(seat) if on_turn else LINE)
    label = SEAT_NAMES[seat] + (f"  {name}" if name else "")
    if len(label) > 18:
        label = label[:17] + "…"
    canvas.text(x + 8, y + 17, label, fill=team_colour(seat), bold=True)
    told = f"{size} card{'' if size == 1 else 's'}{', on turn' if on_turn else ''}"
    canvas.text(x + _SEAT_WIDTH - 8, y + 17, told, size=11, fill=PALE, anchor="end")
    step = min(CARD_WIDTH + 2, (_SEAT_WIDTH - 16 - CARD_WIDTH) / max(size - 1, 1))
    backs: list[str | None] = [None] * size
    faces = backs if cards is None else [seen.rules.card_names[card] for card in cards]
    fanned(canvas, x + 8, y + 28, faces, step)


def _middle(canvas: Canvas, seen: Game | View | PublicGame) -> None:
    """Score, half-suits in play and the last events."""
    middle, y = WIDTH / 2, 168
    for team, sign in ((0, -1), (1, 1)):
        score = f"{TEAM_NAMES[team]} {seen.score[team]}"
        colour = TEAM_COLOURS[team]
        x = middle + sign * 30
        canvas.text(x, y, score, size=20, fill=colour, anchor="middle", bold=True)
    in_play = " ".join(HALF_SUIT_NAMES[half_suit] for half_suit in seen.in_play)
    said = f"in play: {in_play}" if in_play else "every half-suit is claimed"
    canvas.text(middle, y + 24, said, size=12, fill=PALE, anchor="middle")
    first = max(len(seen.events) - _LOG_LINES, 0)
    for i, event in enumerate(seen.events[first:]):
        line = f"{first + i + 1}. {sentence(event, seen.rules.card_names)}"
        cut = line if len(line) <= 66 else line[:65] + "…"
        canvas.text(middle, y + 60 + 20 * i, cut, size=12, anchor="middle")


def _shade(chance: float) -> str:
    """From white to dark blue."""
    start, end = (255, 255, 255), (24, 86, 140)
    mixed = [round(a + (b - a) * chance) for a, b in zip(start, end, strict=True)]
    return "#{:02x}{:02x}{:02x}".format(*mixed)


def _title(seen: Game | View | PublicGame) -> str:
    score = " - ".join(f"{team} {n}" for team, n in zip(TEAM_NAMES, seen.score, strict=True))
    turn = "the game is over" if seen.turn is None else f"{SEAT_NAMES[seen.turn]} is on turn"
    return f"{seen.rules}: {score} after {len(seen.events)} events; {turn}"


def _heat_title(knowledge: Knowledge) -> str:
    who = "everyone" if knowledge.seat is None else SEAT_NAMES[knowledge.seat]
    return f"where each card can be, as {who} knows after {knowledge.events} events, in percent"
